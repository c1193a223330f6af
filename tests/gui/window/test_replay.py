"""An opened tokenizer is replayed on the corpus as a branch, and training goes on from it."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QTableView, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Digits, Lowercase, Pipeline, Plan, TextDocument, Tokenizer, TokenizerSource, save, train
from bpe_gui.engine.formats.recipe_pipelines import pipeline_of, pipeline_of_recipe
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.wording.run_texts import replay_text, step_reason
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notice_text, notices

CORPUS = "low low low lower lower lowest newest newest"
OTHER = "low lower widest widest widest newest wider wider"


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.replace_documents([CorpusDocument("text", TextDocument(CORPUS))])
    return window


def open_tokenizer(qtbot: QtBot, session: Session, path: Path, tokenizer: Tokenizer) -> OpenedTokenizer:
    save(tokenizer, path, "huggingface")
    session.opened.open(TokenizerSource(path))
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None)
    assert session.opened.tokenizer is not None
    return session.opened.tokenizer


def run(qtbot: QtBot, window: MainWindow, action: str) -> None:
    """Trigger an action, and wait for the branch or the notice that it makes."""
    session, branches = window.session, len(window.session.branches.all)
    window.actions_by_name[action].trigger()
    qtbot.waitUntil(lambda: len(session.branches.all) > branches and session.work.activity is Activity.IDLE)


def test_a_tokenizer_is_replayed_beside_the_run(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, tokenizer = window.session, train(OTHER, num_merges=12)
    session.cursor.seek(2)
    opened = open_tokenizer(qtbot, session, tmp_path / "mine.json", tokenizer)
    session.cursor.seek(4)
    session.corpus.set_vocab_size(268)
    run(qtbot, window, "replay")
    trainer = session.run.trainer
    assert trainer is not None and session.opened.tokenizer is None
    assert [(merge.left, merge.right) for merge in trainer.run] == tokenizer.merges
    assert (session.cursor.position, session.branches.current.name) == (4, f"{opened.name}, replayed")
    told = "mine.json replayed on the corpus: 6 of 12 merges never occur in it."
    assert notice_text(window) == f"{told} The tokenizer has 268 entries, so training to 268 adds none."
    assert label_text(window, "openedTokenizerLabel").endswith("12 merges replayed · 268 ids kept")
    assert "Given by the tokenizer; training would choose" in step_reason(trainer)

    merges, never = child(window, QTableView, "mergeTable").model(), child(window, QToolButton, "mergeNeverButton")
    assert never.isVisible()
    never.click()
    counts = [merges.index(row, MergeColumn.COUNT).data() for row in range(merges.rowCount())]
    assert counts == ["×0"] * 6
    session.cursor.seek(12)
    child(window, QToolButton, "vocabularyNeverButton").click()
    assert child(window, QLabel, "vocabularySummary").text() == "6 of 268 entries · 27 bytes · 0.0% of your text"

    session.undo()
    assert session.branches.current is session.branches.main
    assert (len(session.branches.all), session.cursor.position) == (1, 2)
    assert not never.isVisible()


def test_training_goes_on_from_a_tokenizer(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, tokenizer = window.session, train(OTHER, num_merges=5)
    session.corpus.set_vocab_size(100)
    open_tokenizer(qtbot, session, tmp_path / "mine.json", tokenizer)
    run(qtbot, window, "extend")
    assert session.cursor.position == 5
    assert session.corpus.vocab_size == 1261
    assert notice_text(window).endswith("Training continues from here to 1,261 entries.")
    session.cursor.step()
    shown = session.cursor.tokenizer
    assert shown is not None and shown.vocab.items() > tokenizer.vocab.items()
    session.corpus.set_vocab_size(700)
    session.drop_branch(session.branches.current)
    assert session.corpus.vocab_size == 100
    session.undo()
    assert session.corpus.vocab_size == 700
    session.replace_documents([CorpusDocument("other", TextDocument("low"))])
    assert session.corpus.vocab_size == 100
    session.undo()
    assert session.corpus.vocab_size == 700
    session.undo()
    session.undo()
    assert (session.corpus.vocab_size, len(session.branches.all)) == (100, 1)


@pytest.mark.parametrize("action", ["replay", "extend"])
def test_given_merges_that_never_occur_count_towards_the_most_there_can_be(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, action: str
) -> None:
    session, tokenizer = window.session, train(f"{OTHER} the quick brown fox jumps over a lazy dog", num_merges=30)
    session.corpus.set_vocab_size(5_000)
    open_tokenizer(qtbot, session, tmp_path / "mine.json", tokenizer)
    run(qtbot, window, action)
    session.cursor.seek(30)
    trainer = session.run.trainer
    assert trainer is not None and trainer.run_length == 30
    expected, most = label_text(window, "stepLabel"), session.cursor.last_step
    assert expected == f"step 30 of at most {most}"
    session.cursor.last()
    assert trainer.is_complete and 30 < trainer.run_length <= most


def test_training_goes_on_through_the_steps_of_the_tokenizer(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """It lowers text, so no recipe describes it: it cannot be replayed, but extended."""
    steps = Pipeline(normalizers=(Lowercase(),), pre_tokenizers=(Digits(),))
    bare = Tokenizer(dict(enumerate(map(str.encode, "lowernstid "))), [], pipeline=steps)
    tokenizer = train(OTHER, num_merges=4, plan=Plan.extending(bare))
    session = window.session
    session.replace_documents([CorpusDocument("text", TextDocument(CORPUS.upper()))])
    open_tokenizer(qtbot, session, tmp_path / "mine.json", tokenizer)
    run(qtbot, window, "extend")
    assert notice_text(window).startswith("mine.json splits the corpus by its own steps, and keeps these and its ids.")
    session.cursor.step()
    session.cursor.step()
    session.cursor.seek(1)  # the run begins where the tokenizer ends
    assert session.cursor.position == 4
    session.cursor.last()
    longer, trainer = session.cursor.tokenizer, session.run.trainer
    assert longer is not None and trainer is not None and longer.pipeline == steps
    assert longer.vocab.items() > tokenizer.vocab.items()
    assert len(longer.encode("LOWEST")) < len(tokenizer.encode("LOWEST"))


def test_a_tokenizer_that_takes_words_whole_is_replayed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """It has a token that no merge makes, so that it is not the same as a recipe."""
    trained = train(OTHER, recipe="huggingface", num_merges=4)
    pipeline = pipeline_of_recipe(trained.recipe)
    pipeline = replace(pipeline, model=replace(pipeline.model, ignores_merges=True))
    tokenizer = Tokenizer({**trained.vocab, 999: b"lowest"}, trained.merges, pipeline=pipeline)
    open_tokenizer(qtbot, window.session, tmp_path / "mine.json", tokenizer)
    run(qtbot, window, "replay")
    assert notice_text(window).endswith("1 token has no merge and is never made.")


def test_a_tokenizer_that_adds_a_token_to_each_text_is_replayed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    trained = train(OTHER, recipe="huggingface", num_merges=4, special_tokens=["<s>"])
    pipeline = replace(pipeline_of(trained), ids_before=(trained.special_tokens["<s>"],))
    tokenizer = trained.changed(pipeline=pipeline)
    open_tokenizer(qtbot, window.session, tmp_path / "mine.json", tokenizer)
    run(qtbot, window, "replay")
    assert "The tokens that the tokenizer adds to each text are left out." in notice_text(window)


@pytest.mark.parametrize(
    ("tokenizer", "sentence"),
    [
        (
            Tokenizer(
                {0: b"l", 1: b"o", 2: b"lo"},
                [(b"l", b"o")],
                pipeline=Pipeline(normalizers=(Lowercase(),), model=ModelOptions(is_byte_level=False)),
            ),
            "This tokenizer changes text before it splits it (Lowercase). A run counts text as it is, so it cannot "
            "replay these merges.",
        ),
        (
            Tokenizer(
                {0: b"l", 1: b"o", 2: b"lo"},
                [(b"l", b"o")],
                pipeline=Pipeline(pre_tokenizers=(Digits(),), model=ModelOptions(is_byte_level=False)),
            ),
            "No recipe describes how this tokenizer normalizes, splits or merges text, so it cannot be replayed.",
        ),
        (train(OTHER, num_merges=0), "This tokenizer has no merges, so there is nothing to replay."),
    ],
)
def test_a_tokenizer_that_cannot_be_replayed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, tokenizer: Tokenizer, sentence: str
) -> None:
    open_tokenizer(qtbot, window.session, tmp_path / "mine.json", tokenizer)
    window.actions_by_name["replay"].trigger()
    qtbot.waitUntil(lambda: notices(window)[-1:] == [sentence])
    assert len(window.session.branches.all) == 1
    assert window.session.opened.tokenizer is not None


def test_what_is_special_about_a_replay_is_said() -> None:
    texts = list(replay_text("mine", 9, absent=0, doubled=1, unmerged=2, left_out=0, adds_ids=False, size=None))
    assert texts == [
        "mine replayed on the corpus: every merge occurs in it.",
        "1 merge makes a token that an earlier merge makes, and shares its id.",
        "2 tokens have no merge and are never made.",
    ]
    (text,) = replay_text("mine", 9, absent=1, doubled=0, unmerged=0, left_out=0, adds_ids=False, size=None)
    assert text == "mine replayed on the corpus: 1 of 9 merges never occurs in it."


def test_merges_that_cannot_be_replayed_are_left_out_and_listed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Merges in the order of published ranks, as in Llama 3's files, may join parts that come later or never."""
    trained = train(OTHER, num_merges=4)
    (first, *others), never = trained.merges, (b"zz", b"z")
    late = others.pop()
    tokenizer = Tokenizer({**trained.vocab, 990: b"zz", 991: b"zzz"}, [late, first, never, *others])
    open_tokenizer(qtbot, window.session, tmp_path / "mine.json", tokenizer)
    run(qtbot, window, "replay")
    trainer = window.session.run.trainer
    assert trainer is not None and trainer.tokenizer().merges == [first, *others]
    assert "2 merges are left out, because a part of each is not a token at its step." in notice_text(window)
    (which,) = (each for each in window.findChildren(QPushButton) if each.text() == "Which ones?")
    which.click()
    table = child(window, QDialog, "infoBox").findChildren(QLabel)[0].text()
    assert "step 1" in table and "is not made until step" in table
    assert "step 3" in table and "no merge makes zz" in table
    window.drop_branch()
    assert not [each for each in notices(window) if "merges are left out" in each]
