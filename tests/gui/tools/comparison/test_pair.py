"""A pair of tokenizers: overlap, where the merges part and why, and the tokens only one has."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from bpe_gui.engine import KNOWN_SPLITTERS, Lowercase, Recipe, Tokenizer, TokenizerSource, compare, save, train
from bpe_gui.engine.comparison import ids_by_text
from bpe_gui.engine.formats.recipe_pipelines import pipeline_of
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.gui.look.layouts import SectionTitle
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.comparison import live_comparison, vocabularies
from bpe_gui.gui.tools.comparison.compared import RunStep
from tests.gui.support.widgets import child

from .support import CORPUS, Stage, make_session, rows_of, run_tokenizer

Open = Callable[[Session], Stage]


@pytest.fixture
def compared(open_comparison: Open) -> Callable[..., Stage]:
    """Return a function that compares the last step of a run with a tokenizer."""

    def compare_with(other: Tokenizer, **changes: object) -> Stage:
        stage = open_comparison(make_session(**changes))  # type: ignore[arg-type]
        stage.comparing.tokenizers.add(RunStep(-1), other)
        stage.settle()
        return stage

    return compare_with


def test_the_tie_rule(compared: Callable[..., Stage]) -> None:
    other = train(CORPUS, recipe="tiktoken", num_merges=20)
    stage = compared(other, step=20)
    pair = compare([run_tokenizer(stage.session, 20), other]).pair()
    merge = pair.first_merge
    assert merge is not None and merge.first is not None and merge.second is not None
    count = (other.merge_counts or [])[merge.rank]
    assert stage.label("pairReason") == (
        f"Their merges differ from merge {merge.rank + 1} on. Both pairs occur {count} times, so the tie rule decided: "
        "A takes the pair that sorts last, B takes the pair seen first."
    )
    shown = rows_of(child(stage.window, Table, "candidateTable"))
    assert shown == [
        [name, " + ".join(part.decode().replace(" ", "·") for part in parts), str(count)]
        for name, parts in (("A", merge.first), ("B", merge.second))
    ]
    assert stage.label("pairOverlap") == (
        f"Tokens in both: {pair.shared}, only in A: {pair.only_first}, only in B: {pair.only_second}. "
        f"Of the shared tokens, {pair.ids_that_differ} have different ids."
    )


def test_the_splitter(compared: Callable[..., Stage]) -> None:
    text = "THE 123456 lowest's THE 123456 lowest's"
    other = train(text, recipe=Recipe(splitter="cl100k"), num_merges=12)
    stage = compared(other, corpus=text, text=text, step=12)
    assert stage.label("pairReason").endswith("The reason: Splitter (A gpt2, B cl100k).")


def test_several_switches_and_special_tokens(compared: Callable[..., Stage]) -> None:
    other = train(CORPUS + "<end>", recipe=Recipe(splitter="none"), num_merges=20, special_tokens=["<end>"])
    stage = compared(other, step=20)
    assert "Possible reasons: Splitter (A gpt2, B none), " in stage.label("pairReason")
    assert "Special tokens (A none, B <end>)" in stage.label("pairReason")


def test_a_tokenizer_that_was_trained_elsewhere(compared: Callable[..., Stage]) -> None:
    trained = train("THE 123456 lowest's " * 2, recipe=Recipe(splitter="cl100k"), num_merges=12)
    stage = compared(Tokenizer(trained.vocab, trained.merges, recipe=trained.recipe), step=20)
    assert "Possible reasons: different training texts, Splitter (A gpt2, B cl100k)" in stage.label("pairReason")


def test_two_steps_of_a_run(compared: Callable[..., Stage]) -> None:
    session = make_session(step=9)
    stage = compared(run_tokenizer(session, 4), step=9)
    assert stage.label("pairReason") == "Their merges are the same up to merge 4, where B ends."
    assert stage.label("pairOverlap").endswith("The shared tokens have the same ids.")
    assert [row[0] for row in rows_of(child(stage.window, Table, "candidateTable"))] == ["A"]


def test_a_run_without_merges(compared: Callable[..., Stage]) -> None:
    stage = compared(train(CORPUS, num_merges=9), step=0)
    assert stage.label("pairReason") == "A has no merges."


def test_equal_tokenizers(compared: Callable[..., Stage]) -> None:
    stage = compared(train(CORPUS, num_merges=9), step=9)
    assert stage.label("pairReason") == "Their merges are the same."
    assert child(stage.window, Table, "candidateTable").isHidden()
    assert stage.label("differenceLabel") == "no differences"


def test_tokens_that_only_one_has(compared: Callable[..., Stage], qtbot: QtBot) -> None:
    other = train(CORPUS, recipe="tiktoken", num_merges=20)
    stage = compared(other, step=20)
    pair = compare([run_tokenizer(stage.session, 20), other]).pair()
    table = child(stage.window, Table, "onlyInSecondTable")
    assert [int(row[0]) for row in rows_of(table)] == [token_id for token_id, _token in pair.only_in_second()]
    table.setCurrentIndex(table.model().index(1, 0))
    assert stage.session.selection.token == list(pair.only_in_second())[1][1]
    first_id = next(pair.only_in_second())[0]
    QTest.keyClicks(child(stage.window, QLineEdit, "onlyFilter"), str(first_id))
    assert [row[0] for row in rows_of(table)] == [str(first_id)]
    title = child(stage.window, SectionTitle, "onlyInSecondTitle")
    assert title.text() == f"Only in B: 1 / {pair.only_second}"


def test_another_pair(compared: Callable[..., Stage]) -> None:
    stage = compared(train(CORPUS, recipe="tiktoken", num_merges=20), step=20)
    third = train(CORPUS, recipe="minbpe", num_merges=20)
    stage.comparing.tokenizers.add(RunStep(-2), third)
    stage.settle()
    assert stage.label("pairOverlap").endswith("different ids.")
    box = child(stage.window, QComboBox, "firstOfPairBox")
    box.setCurrentIndex(2)
    box.activated.emit(2)
    stage.settle()
    pair = compare([third, train(CORPUS, recipe="tiktoken", num_merges=20)]).pair()
    assert stage.label("pairOverlap").startswith(f"Tokens in both: {pair.shared}, only in C: {pair.only_first}")
    table = child(stage.window, Table, "comparisonTable")
    table.clicked.emit(table.model().index(0, 0))
    stage.settle()
    assert "only in C" in stage.label("pairOverlap") and "only in A" in stage.label("pairOverlap")
    stage.comparing.tokenizers.remove(stage.comparing.tokenizers.items[2])
    stage.settle()
    assert "only in A" in stage.label("pairOverlap")


def test_the_order_of_bytes(compared: Callable[..., Stage]) -> None:
    text = "ab ba ~ab ~ba\n~ \n~ \n~"
    one = Recipe(tie_break="smallest-id")
    other = train(text, recipe=one.with_changes(alphabet="gpt2-printable"), num_merges=12)
    stage = compared(train(text, recipe=one, num_merges=12), corpus=text, text=text, step=1)
    stage.comparing.tokenizers.add(RunStep(-2), other)
    second = child(stage.window, QComboBox, "secondOfPairBox")
    first = child(stage.window, QComboBox, "firstOfPairBox")
    for box, index in ((first, 1), (second, 2)):
        box.setCurrentIndex(index)
    second.activated.emit(2)
    stage.settle()
    assert stage.label("pairReason").endswith("The reason: Alphabet (B Sorted by value, C GPT-2's order).")


def test_a_guessed_pattern_is_not_a_reason(compared: Callable[..., Stage], tmp_path: Path) -> None:
    text = "THE 123456 lowest's THE 123456 lowest's"
    save(train(text, recipe=Recipe(splitter="cl100k"), num_merges=12), tmp_path / "ranks.tiktoken", "tiktoken")
    stage = compared(train(text, recipe="minbpe", num_merges=12), corpus=text, text=text, step=12)
    stage.session.opened.open_beside(TokenizerSource(tmp_path / "ranks.tiktoken"))
    stage.settle()
    assert "C has no splitting pattern or special tokens; the GPT-2 pattern is used." in stage.label("comparisonNote")
    box = child(stage.window, QComboBox, "firstOfPairBox")
    box.setCurrentIndex(2)
    box.activated.emit(2)
    stage.settle()
    assert "Splitter" not in stage.label("pairReason")


@pytest.mark.parametrize("module", [vocabularies, live_comparison])
def test_results_of_other_tokenizers_are_dimmed(
    compared: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch, module: ModuleType
) -> None:
    stage = compared(train(CORPUS, recipe="tiktoken", num_merges=20), step=20)
    dimmer, may_go_on = child(stage.window, Dimmer, "dimmer"), threading.Event()
    assert dimmer.isHidden()
    name = "ids_by_text" if module is vocabularies else "spans_that_differ"
    work = getattr(module, name)

    def wait(argument: object) -> object:
        assert may_go_on.wait(60)
        return work(argument)

    monkeypatch.setattr(module, name, wait)
    stage.session.cursor.seek(5)
    stage.bot.waitUntil(lambda: not dimmer.isHidden())
    may_go_on.set()
    stage.settle()
    stage.bot.waitUntil(dimmer.isHidden)


def test_another_pair_is_dimmed_until_it_is_known(
    compared: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = compared(train(CORPUS, recipe="tiktoken", num_merges=20), step=20)
    dimmer, may_go_on, work = child(stage.window, Dimmer, "dimmer"), threading.Event(), ids_by_text
    monkeypatch.setattr(vocabularies, "ids_by_text", lambda each: work(each) if may_go_on.wait(60) else {})
    box = child(stage.window, QComboBox, "secondOfPairBox")
    box.setCurrentIndex(0)
    box.activated.emit(0)
    stage.bot.waitUntil(lambda: not dimmer.isHidden())
    may_go_on.set()
    stage.settle()
    stage.bot.waitUntil(dimmer.isHidden)


def test_the_steps_that_differ_come_first(compared: Callable[..., Stage]) -> None:
    own = train(CORPUS, num_merges=9)
    other = own.changed(recipe=own.recipe.with_changes(splitter="cl100k"))
    stage = compared(other, step=9, text="low\n1234 x")
    assert stage.label("pairSteps") == (
        "They differ in: Splitter (A gpt2, B cl100k). “1234” becomes 1234 in A, and 123 | 4 in B."
    )
    assert stage.label("pairReason") == "Their merges are the same."
    words = child(stage.window, SectionTitle, "onlyInFirstTitle")
    assert words.text() == "Only in A: 0"


def test_no_step_differs(compared: Callable[..., Stage]) -> None:
    assert compared(train(CORPUS, num_merges=9), step=9).label("pairSteps") == "They do the same in all steps."


def test_every_step_has_a_name_and_values_in_words(compared: Callable[..., Stage]) -> None:
    own = train(CORPUS, num_merges=9, special_tokens=["<s>", "</s>"])
    end, begin = own.special_tokens["</s>"], own.special_tokens["<s>"]
    pipeline = replace(pipeline_of(own), normalizers=(Lowercase(),), ids_before=(begin,), ids_after=(end,))
    config = TokenizerConfig({"eos_token": "</s>", "chat_template": "x"})
    stage = compared(own.changed(pipeline=pipeline, config=config).with_unknown_id(1), step=9)
    assert stage.label("pairSteps").startswith(
        "They differ in: Normalization (A none, B lowercase), Added tokens (A none, B <s> · </s>), "
        "Roles (A none, B eos_token </s>), Chat templates (A none, B default), Tokens before each text (A none, B "
        "<s>), Tokens after each text (A none, B </s>), Model (A none, B unk_token \\x01), "
    )
    assert stage.label("pairSteps").endswith(" becomes D in A, and d in B.")


def test_of_a_token_with_another_id_both_ids_are_named(compared: Callable[..., Stage]) -> None:
    own = train(CORPUS, num_merges=9, special_tokens=["<s>", "</s>"])
    ids = own.special_tokens
    stage = compared(own, step=9)
    others = {"<s>": ids["</s>"], "<e>": ids["<s>"]}, {"<s>": ids["</s>"], "</s>": ids["<s>"]}
    for number, special in enumerate(others):
        vocab = {i: token for i, token in own.vocab.items() if i not in ids.values()}
        made = Tokenizer(vocab, own.merges, special, recipe=own.recipe)
        stage.comparing.tokenizers.add(RunStep(-2 - number), made)
    for second, expected in (
        (2, f"B </s>, C <e>, same token <s>, id {ids['<s>']} and {ids['</s>']}"),
        (3, f"same token <s>, id {ids['<s>']} and {ids['</s>']}, same token </s>, id {ids['</s>']} and {ids['<s>']}"),
    ):
        for name, index in (("firstOfPairBox", 1), ("secondOfPairBox", second)):
            box = child(stage.window, QComboBox, name)
            box.setCurrentIndex(index)
            box.activated.emit(index)
        stage.settle()
        assert stage.label("pairSteps") == f"They differ in: Added tokens ({expected})."


def test_long_words_about_a_pair_are_whole_beside_the_lists(compared: Callable[..., Stage]) -> None:
    tokens = [f"<|reserved_special_token_{number}|>" for number in range(9)]
    own = train(CORPUS, num_merges=9, special_tokens=tokens)
    pipeline = replace(pipeline_of(own), normalizers=(Lowercase(),), ids_after=tuple(own.special_tokens.values()))
    config = TokenizerConfig({"eos_token": tokens[0], "pad_token": tokens[1], "chat_template": "x"})
    stage = compared(own.changed(pipeline=pipeline, config=config), step=9)
    stage.window.window().resize(stage.window.window().minimumSizeHint())
    labels = [child(stage.window, SentenceLabel, name) for name in ("pairOverlap", "pairSteps", "pairReason")]
    stage.bot.waitUntil(lambda: all(label.height() >= label.heightForWidth(label.width()) for label in labels))
    assert child(stage.window, Table, "onlyInFirstTable").rows_in_view > 2


def test_of_long_expressions_the_parts_that_differ_are_shown(compared: Callable[..., Stage]) -> None:
    own = train(CORPUS, num_merges=9)
    first, second = (
        own.changed(recipe=own.recipe.with_changes(splitter=KNOWN_SPLITTERS[n])) for n in ("llama3", "qwen2")
    )
    stage = compared(first, step=9, text="12")
    stage.comparing.tokenizers.add(RunStep(-2), second)
    for name, index in (("firstOfPairBox", 1), ("secondOfPairBox", 2)):
        box = child(stage.window, QComboBox, name)
        box.setCurrentIndex(index)
        box.activated.emit(index)
    stage.settle()
    assert stage.label("pairSteps") == (
        r"They differ in: Splitter (B …}+|\p{N}{1,3}|·?[^\s\p{L}\p{N}]+[\r\n]*|…, "
        r"C …}+|\p{N}|·?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\…). "
        "“12” becomes 12 in B, and 1 | 2 in C."
    )
