"""`bpe-gui train` writes the tokenizer that the engine trains, and reports it."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bpe_gui.cli import train as train_command
from bpe_gui.cli.streams import ProgressLine
from bpe_gui.engine import PRESETS, Plan, Recipe, load, save, train
from bpe_gui.engine.formats.recipe_pipelines import pipeline_of

from .conftest import CORPUS, Run
from .test_mistakes import mistake


def test_it_writes_the_tokenizer_that_the_engine_trains(run: Run, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    specials = ["<|endoftext|>", "<|sometoken|>"]
    status, output, messages = run(
        "train", corpus, "--vocab-size", 263, "--output", folder, "--special-token", specials[0],
        "--special-token", specials[1],
    )  # fmt: skip
    assert (status, output) == (0, b"")
    saved, trained = load(folder), train(CORPUS, vocab_size=263, special_tokens=specials)
    assert (saved.vocab, saved.merges) == (trained.vocab, trained.merges)
    assert saved.special_tokens == {"<|endoftext|>": 256, "<|sometoken|>": 257}
    assert saved.merge_counts == trained.merge_counts
    for name in ("vocab.json", "merges.txt", "training.json"):
        assert str(folder / name) in messages
    assert ": 263 entries and 5 merges from 8 words (5 unique) in 0." in messages
    (caution,) = messages.splitlines()[1:]
    assert caution.endswith("unless told otherwise: '<|sometoken|>'.")


@pytest.mark.parametrize(
    "options", [("--recipe", "minbpe"), ("--plan", "join.json"), ("--plan", "seeds.json")], ids=lambda given: given[1]
)
def test_a_named_format_that_others_read_with_other_ids_is_refused(
    run: Run, corpus: Path, tmp_path: Path, options: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Plan(stages={2: "join"}).save(tmp_path / "join.json")
    Plan(seeds=["es"]).save(tmp_path / "seeds.json")
    command = ("train", corpus, *options, "--num-merges", 4)
    assert mistake(run(*command, "--output", tmp_path / "named", "--format", "gpt2")).startswith(
        "The files do not say how text is split. Other programs split it as GPT-2 does, and give other ids. Choose"
    )
    assert not (tmp_path / "named").exists()
    assert run(*command, "--output", tmp_path / "named", "--format", "gpt2", "--force").status == 0
    status, _output, messages = run(*command, "--output", tmp_path / "unnamed")
    assert (status, "give other ids" in messages) == (0, True)
    assert load(tmp_path / "unnamed").merges == load(tmp_path / "named").merges


@pytest.mark.parametrize("recipe", PRESETS)
def test_every_preset(run: Run, corpus: Path, tmp_path: Path, recipe: str) -> None:
    assert run("train", corpus, "--recipe", recipe, "--num-merges", 4, "--output", tmp_path).status == 0
    assert load(tmp_path).merges == train(CORPUS, recipe=recipe, num_merges=4).merges
    assert load(tmp_path).recipe == PRESETS[recipe] or recipe == "sentencepiece"  # whose file has no recipe


def test_a_recipe_file(run: Run, corpus: Path, tmp_path: Path) -> None:
    recipe = Recipe(tie_break="first-seen", splitter=r"\w+")
    recipe.save(tmp_path / "my.json")
    assert run("train", corpus, "--recipe", tmp_path / "my.json", "--num-merges", 4, "-o", tmp_path).status == 0
    assert load(tmp_path).recipe == recipe
    assert load(tmp_path).merges == train(CORPUS, recipe=recipe, num_merges=4).merges


def test_a_recipe_file_without_a_suffix(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text('{"min_count": 3}', encoding="utf-8")
    assert run("train", corpus, "--recipe", "mine", "--num-merges", 4, "-o", "out").status == 0
    assert load("out").recipe.min_count == 3


def test_several_files_do_not_merge_into_one_another(run: Run, tmp_path: Path) -> None:
    for name, text in (("one", "aab"), ("two", "bcc")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    run("train", tmp_path / "one", tmp_path / "two", "--num-merges", 99, "--output", tmp_path / "out")
    assert (b"b", b"b") not in load(tmp_path / "out").merges


def test_files_may_come_between_the_options(run: Run, corpus: Path, tmp_path: Path) -> None:
    assert run("train", corpus, "--num-merges", 1, corpus, "--output", tmp_path).status == 0
    assert load(tmp_path).merge_counts == [10]


def test_standard_input(run: Run, tmp_path: Path) -> None:
    assert run("train", "-", "--num-merges", 5, "--output", tmp_path, stdin=CORPUS.encode()).status == 0
    assert load(tmp_path).merges == train(CORPUS, num_merges=5).merges


def test_another_encoding(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus").write_bytes("你好你好".encode("gb18030"))
    arguments = ["train", tmp_path / "corpus", "--num-merges", 1, "--recipe", "zh-en", "--output", tmp_path]
    assert run(*arguments, "--encoding", "gb18030").status == 0
    assert load(tmp_path).merges == [("你".encode(), "好".encode())]


def test_invalid_bytes_are_replaced_when_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus").write_bytes(b"a\xff a\xff")
    arguments = ["train", tmp_path / "corpus", "--num-merges", 1, "--recipe", "char-eow", "--output", tmp_path]
    assert run(*arguments, "--replace-invalid").status == 0
    assert load(tmp_path).merges == [(b"a", "\N{REPLACEMENT CHARACTER}".encode())]


def test_both_sizes_end_at_whichever_comes_first(run: Run, corpus: Path, tmp_path: Path) -> None:
    run("train", corpus, "--num-merges", 5, "--vocab-size", 258, "--output", tmp_path)
    assert len(load(tmp_path).merges) == 2
    run("train", corpus, "--num-merges", 3, "--vocab-size", 300, "--output", tmp_path)
    assert len(load(tmp_path).merges) == 3


def test_no_merges_at_all_may_be_asked_for(run: Run, corpus: Path, tmp_path: Path) -> None:
    assert run("train", corpus, "--num-merges", 0, "--output", tmp_path).status == 0
    assert run("train", corpus, "--vocab-size", 256, "--output", tmp_path).status == 0
    assert load(tmp_path).merges == []


@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        ("cs336-toy", "Training stopped early: no pair is left after 8 merges."),
        ("char-eow", "Training stopped early: no pair occurs at least 2 times after "),
    ],
)
def test_it_reports_that_fewer_merges_were_left_than_asked_for(
    run: Run, corpus: Path, tmp_path: Path, recipe: str, sentence: str
) -> None:
    status, _, messages = run("train", corpus, "--recipe", recipe, "--num-merges", 999, "--output", tmp_path)
    if recipe == "cs336-toy":
        sentence = sentence.replace("8", str(len(load(tmp_path).merges)))
    assert status == 0
    assert sentence in messages


class Terminal(io.StringIO):
    """A text stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(ProgressLine, "_SECONDS", 0)
    assert run("train", corpus, "--num-merges", 4, "--output", tmp_path).status == 0
    shown = terminal.getvalue()
    assert "\rCounting words: 100% of 44 bytes\r" in shown
    assert "\rTraining: 100% of 4 merges\r" in shown
    # The last message has a line of its own.
    assert shown.split("\r")[-1].startswith("Wrote ")
    assert shown.split("\r")[-2] == " " * len("Training: 100% of 4 merges")


def test_no_progress_is_shown_without_a_terminal(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProgressLine, "_SECONDS", 0)
    messages = run("train", corpus, "--num-merges", 4, "--output", tmp_path).messages
    assert "\r" not in messages
    assert "Training" not in messages


def test_interrupted_training_writes_nothing(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(train_command, "train_until", interrupted)
    status, output, messages = run("train", corpus, "--num-merges", 4, "--output", tmp_path / "out")
    assert (status, output, messages) == (130, b"", "")
    assert not (tmp_path / "out").exists()


def test_the_files_are_those_of_the_bbpe_vector(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus").write_text(CORPUS + " 你好 你好世界", encoding="utf-8")
    run("train", tmp_path / "corpus", "--recipe", "bbpe", "--vocab-size", 270, "--output", tmp_path)
    vocab = json.loads((tmp_path / "vocab.json").read_bytes())
    assert (vocab["es"], vocab["Ġwidest"], vocab["Ġä½ł"]) == (69, 231, 234)
    assert (tmp_path / "merges.txt").read_text(encoding="utf-8").startswith("l o\nlo w\nĠ low\n")


@pytest.mark.parametrize(
    ("conditions", "merges", "sentence"),
    [
        (["token=low"], 2, "Training stopped at token=low, after 2 merges."),
        (["token=xyz", "word=low"], 2, "Training stopped at word=low, after 2 merges."),
        (
            ["token=xyz"],
            4,
            "Not met within 4 merges: token=xyz.\nThe requested size is reached",
        ),
    ],
)
def test_until_a_condition_holds(run: Run, tmp_path: Path, conditions: list[str], merges: int, sentence: str) -> None:
    (tmp_path / "corpus").write_text("low low low lower lower newest", encoding="utf-8")
    until = [argument for condition in conditions for argument in ("--until", condition)]
    status, _output, messages = run("train", tmp_path / "corpus", "--num-merges", 4, *until, "-o", tmp_path / "out")
    assert status == 0
    assert sentence in messages
    assert len(load(tmp_path / "out").merges) == merges


def test_until_without_a_size_may_come_to_the_end(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus").write_text("low low", encoding="utf-8")
    messages = run("train", tmp_path / "corpus", "--until", "token=xyz", "-o", tmp_path / "out").messages
    assert "Not met within 3 merges: token=xyz.\nTraining stopped early: no pair is left" in messages


def test_a_step_that_a_plan_cannot_make_is_named_as_in_its_file(run: Run, corpus: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    Plan(forced={2: (b"zz", b"yy")}).save(plan)
    status, _output, messages = run("train", corpus, "--num-merges", 5, "--plan", plan, "-o", tmp_path / "x")
    assert status == 2
    assert f"{plan}: The plan merges 'zz' and 'yy' at step 3, but 'zz' is not a token there" in messages
    assert "In the file, where steps count from 0, this is step 2." in messages


def test_a_plan_and_a_tokenizer_to_go_on_from(run: Run, corpus: Path, tmp_path: Path) -> None:
    Plan(banned=[(b"o", b"w")], stages={3: r"[^\n]+"}).save(tmp_path / "plan.json")
    first = tmp_path / "first"
    assert run("train", corpus, "--num-merges", 5, "--plan", tmp_path / "plan.json", "-o", first).status == 0
    assert load(first).merges == train(CORPUS, num_merges=5, plan=Plan.load(tmp_path / "plan.json")).merges
    longer = tmp_path / "longer"
    assert run("train", corpus, "--num-merges", 8, "--extend", first, "-o", longer).status == 0
    assert load(longer).merges[:5] == load(first).merges
    assert load(longer).recipe == load(first).recipe
    assert load(first).vocab.items() <= load(longer).vocab.items()
    Plan(replay=[(b"o", b"w")]).save(tmp_path / "plan.json")
    status, _output, messages = run(
        "train", corpus, "--num-merges", 8, "--plan", tmp_path / "plan.json", "--extend", first, "-o", longer
    )
    assert status == 2
    assert "not both" in messages


@pytest.fixture
def first(run: Run, corpus: Path, tmp_path: Path) -> Path:
    """A tokenizer of 5 merges and 261 entries to go on from."""
    assert run("train", corpus, "--num-merges", 5, "-o", tmp_path / "first").status == 0
    return tmp_path / "first"


def test_a_tokenizer_to_go_on_from_keeps_its_steps(run: Run, corpus: Path, tmp_path: Path) -> None:
    """It adds a token to each text, keeps words that are tokens whole, and has an added token that is not special."""
    first, longer = tmp_path / "first.json", tmp_path / "longer.json"
    trained = train("low low", num_merges=2, special_tokens=["<s>", "<tool>"])
    vocab = trained.vocab | {len(trained.vocab): b"newest"}  # which no merge makes
    pipeline = pipeline_of(trained)
    added = tuple(replace(token, special=token.content != "<tool>") for token in pipeline.added_tokens)
    begin = trained.special_tokens["<s>"]
    model = replace(pipeline.model, ignores_merges=True)
    pipeline = replace(pipeline, ids_before=(begin,), model=model, added_tokens=added)
    save(trained.changed(vocab=vocab, pipeline=pipeline), first, "huggingface")
    options = ("--num-merges", 5, "--special-token", "<new>", "--extend", first)
    status, _output, messages = run("train", corpus, *options, "--format", "gpt2", "-o", tmp_path / "folder")
    assert (status, (tmp_path / "folder").exists()) == (2, False)
    assert run("train", corpus, *options, "-o", longer).status == 0
    old, new = load(first), load(longer)
    assert new.merges[:2] == old.merges and old.vocab.items() <= new.vocab.items()
    assert (len(new.merges), len(new.vocab)) == (5, len(old.vocab) + 4)
    assert new.encode("<tool>newest") == [begin, old.special_tokens["<tool>"], len(trained.vocab)]
    assert new.special_tokens["<new>"] == len(old.vocab)
    assert new.pipeline is not None and new.pipeline.ids_before == (begin,)
    status, _output, messages = run("train", corpus, *options, "--recipe", "cs336", "-o", tmp_path / "other")
    assert (status, "adds tokens to each text and keeps a word that is a token whole." in messages) == (0, True)
    assert load(tmp_path / "other").pipeline is None


def test_pieces_of_separators_are_warned_of(run: Run, tmp_path: Path, first: Path) -> None:
    (tmp_path / "docs.txt").write_text("one<|endoftext|>two<|endoftext|>" * 3, encoding="utf-8")
    options = ("--extend", first, "--num-merges", 9, "-o", tmp_path / "out")
    messages = run("train", tmp_path / "docs.txt", *options).messages
    assert (
        "The corpus has <|endoftext|> 6 times as plain text, and 4 new tokens are pieces of that, such as" in messages
    )
    messages = run("train", tmp_path / "docs.txt", *options, "--special-token", "<|endoftext|>").messages
    assert "plain text" not in messages


@pytest.mark.parametrize(("option", "size", "least"), [("vocab-size", 260, 261), ("num-merges", 4, 5)])
def test_a_tokenizer_to_go_on_from_is_not_cut(
    run: Run, corpus: Path, tmp_path: Path, first: Path, option: str, size: int, least: int
) -> None:
    status, _output, messages = run("train", corpus, "--extend", first, f"--{option}", size, "-o", tmp_path / "out")
    assert status == 2
    assert str(size) in messages
    assert f"must be at least {least}" in messages
    assert "the tokenizer that training extends" in messages
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        ("cs336-toy", "units=bytes, but the recipe cs336-toy has units=characters, so its merges would not fit."),
        ("char-eow", "has units=characters, boundary=suffix, so its merges would not fit. Leave out --recipe, or use"),
    ],
)
def test_a_recipe_with_other_symbols_than_the_tokenizer_to_go_on_from(
    run: Run, corpus: Path, tmp_path: Path, first: Path, recipe: str, sentence: str
) -> None:
    options = ("--recipe", recipe, "--num-merges", 9, "-o", tmp_path / "out")
    status, _output, messages = run("train", corpus, "--extend", first, *options)
    assert (status, messages.count("\n")) == (2, 1)
    assert f"{first} was trained with units=bytes" in messages and sentence in messages


def test_conditions_are_for_the_merges_after_those_of_the_tokenizer_to_go_on_from(
    run: Run, tmp_path: Path, first: Path
) -> None:
    (tmp_path / "other").write_text("aa aa aa ab", encoding="utf-8")
    options = ["--until", "count-below=2", "-o", tmp_path / "out"]
    assert run("train", tmp_path / "other", "--extend", first, *options).status == 0
    assert load(tmp_path / "out").merges[:5] == load(first).merges
    assert (b"a", b"a") in load(tmp_path / "out").merges[5:]


def test_a_folder_of_records(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "in").mkdir()
    lines = [json.dumps({"content": word}) for word in CORPUS.split(" ")]
    (tmp_path / "in" / "a.jsonl").write_text("\n".join(lines[:4]), encoding="utf-8")
    (tmp_path / "in" / "b.jsonl").write_text("\n".join([*lines[4:], "{}", "{"]), encoding="utf-8")
    options = ["--num-merges", 4, "-o", tmp_path / "out"]
    status, _output, messages = run("train", tmp_path / "in", "--field", "content", *options)
    assert (status, messages.splitlines()[0]) == (
        2, f"bpe-gui: {tmp_path / 'in' / 'b.jsonl'}, line 5 has no field 'content': its object is empty. "
        "Use --field NAME or --skip-bad-lines.",
    )  # fmt: skip
    status, _output, messages = run(
        "train", tmp_path / "in" / "*.jsonl", "--field", "content", "--skip-bad-lines", *options
    )
    assert (
        status, messages.splitlines()[0],
    ) == (0, f"Left out 2 records without a text: {tmp_path / 'in' / 'b.jsonl'}, lines 5, 6.")  # fmt: skip
    assert load(tmp_path / "out").merges == train(CORPUS.split(" "), num_merges=4).merges
