"""A sentence says why something cannot be compared, and nothing is lost."""

from collections.abc import Callable

import pytest

from bpe_gui.engine import EngineError, Lowercase, Pipeline, TokenArrays, Tokenizer, compare, train
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tools.comparison.compared import RunStep
from bpe_gui.gui.tools.comparison.list_panel import NumbersColumn

from .support import CORPUS, Stage, make_session, run_tokenizer

Open = Callable[[Session], Stage]


@pytest.fixture
def stage(open_comparison: Open) -> Stage:
    """Return a comparison of step 12 of a run with nothing else."""
    return open_comparison(make_session(step=12, text="Low LOWER newest"))


def test_nothing_to_compare_with(stage: Stage) -> None:
    stage.settle()
    assert stage.label("comparisonNote").startswith("Add a tokenizer to compare with")
    assert stage.label("differenceLabel") == ""
    assert [row[1:3] for row in stage.table()] == [
        [str(len(run_tokenizer(stage.session, 12).encode("Low LOWER newest"))), ""]
    ]


def test_no_run(open_comparison: Open) -> None:
    stage = open_comparison(make_session(corpus=""))
    assert stage.label("comparisonNote") == "There is no run yet. Type or open a corpus."
    stage.session.corpus.edit_document(0, CORPUS)
    stage.settle()
    assert stage.label("comparisonNote").startswith("Add a tokenizer to compare with")


def test_a_text_that_one_changes_first(stage: Stage) -> None:
    plain = train(CORPUS, num_merges=8)
    lower = Tokenizer(plain.vocab, plain.merges, recipe=plain.recipe, pipeline=Pipeline(normalizers=(Lowercase(),)))
    stage.comparing.tokenizers.add(RunStep(-1), lower)
    stage.settle()
    note = "B changes this text before splitting it, so its boundaries are not compared."
    assert stage.label("comparisonNote") == note
    assert stage.label("differenceLabel") == ""
    stage.session.text.set_content("low lower")
    stage.settle()
    assert stage.label("comparisonNote") == ""
    expected = compare([run_tokenizer(stage.session, 12), lower], "low lower").differences
    assert list(stage.comparing.live.differences or ()) == list(expected or ())


def test_of_an_edited_text_only_its_present_parts_are_remembered(stage: Stage) -> None:
    plain = train(CORPUS, num_merges=8)
    lower = Tokenizer(plain.vocab, plain.merges, recipe=plain.recipe, pipeline=Pipeline(normalizers=(Lowercase(),)))
    stage.comparing.tokenizers.add(RunStep(-1), lower)
    text = stage.session.text
    text.set_content("low lower")
    for _key in range(3):
        stage.settle()
        text.live.replace(0, 0, b"o")
        text.encode_edit(0, 0, 1)
    stage.settle()
    assert stage.comparing.tokenizers.items[-1].kept_parts == {b"ooolow lower"}


def test_symbols_without_an_id(stage: Stage) -> None:
    stage.comparing.tokenizers.add(RunStep(-1), train(CORPUS, recipe="worked-example", num_merges=3))
    stage.settle()
    assert stage.label("comparisonNote") == "B has no id for 6 symbols of this text."
    assert stage.table()[1][NumbersColumn.TOKENS].endswith(" (6 unknown)")
    stage.session.text.set_content("low Lower")
    stage.settle()
    assert stage.label("comparisonNote") == "B has no id for 1 symbol of this text."


def test_a_text_that_one_cannot_encode(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    other, encode = train(CORPUS, recipe="minbpe", num_merges=8), Tokenizer.token_arrays

    def refuse(tokenizer: Tokenizer, text: bytes) -> TokenArrays:
        if tokenizer.recipe == other.recipe and b"!" in text:
            raise EngineError("This takes too long.")
        return encode(tokenizer, text)

    monkeypatch.setattr(Tokenizer, "token_arrays", refuse)
    stage.comparing.tokenizers.add(RunStep(-1), other)
    stage.comparing.tokenizers.add(RunStep(-2), run_tokenizer(stage.session, 2))
    stage.settle()
    stage.type("! ")
    stage.settle()
    assert stage.label("comparisonNote") == "B cannot encode this text: This takes too long."
    assert stage.table()[1][1] == "–"
    expected = compare([run_tokenizer(stage.session, step) for step in (12, 2)], "! Low LOWER newest").differences
    assert list(stage.comparing.live.differences or ()) == list(expected or ())
    stage.type("", removed=2)
    stage.settle()
    assert stage.label("comparisonNote") == ""
    assert stage.table()[1][1] == str(len(other.encode("Low LOWER newest")))
