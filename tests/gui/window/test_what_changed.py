"""After a run is made again from another corpus or recipe, the window says and shows what changed."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, TextDocument
from bpe_gui.gui.dialogs.changes_dialog import ChangesDialog
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.comparison.tokenizer_names import name_of
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notices

CORPUS = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
DIFFERENT = "From step {} on, this run merges other pairs than the earlier one."
SAME = "The first {} merges are the same as in the earlier run."


@pytest.fixture
def trained(window: MainWindow) -> MainWindow:
    """Return a window with a trained run of 20 merges at most, and a text to encode."""
    session = window.session
    session.replace_documents([CorpusDocument("text", TextDocument(CORPUS))])
    session.corpus.set_special_tokens(())
    session.corpus.set_vocab_size(266)
    session.replace_text(LiveText("lowest newer widest"))
    session.cursor.seek(10)
    assert notices(window) == []
    return window


def type_into_corpus(window: MainWindow, text: str) -> None:
    """Type at the end of the corpus."""
    field = child(window, QPlainTextEdit, "corpusEditor")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


def train(window: MainWindow, qtbot: QtBot) -> None:
    """Train, and wait until the run has its target size."""
    session = window.session
    window.actions_by_name["train"].trigger()
    qtbot.waitUntil(lambda: not session.run.is_training and not session.run.is_stale)
    qtbot.waitUntil(lambda: session.run.exists and session.cursor.position == session.run.target_position)


def open_changes(window: MainWindow, qtbot: QtBot) -> ChangesDialog:
    """Click the notice's offer, and return the dialog."""
    button = next(each for each in window.findChildren(QPushButton) if each.text() == "What changed?")
    button.click()
    qtbot.waitUntil(lambda: bool(window.findChildren(ChangesDialog)))
    return child(window, ChangesDialog, "changesDialog")


def words_of(dialog: QWidget) -> list[list[str]]:
    model = child(dialog, Table, "changedWordsTable").table_model
    return [[str(model.index(row, column).data()) for column in range(3)] for row in range(model.rowCount())]


def test_a_corpus_edited_while_typing(trained: MainWindow, qtbot: QtBot) -> None:
    assert not trained.actions_by_name["what_changed"].isEnabled()
    before = trained.session.text.live.known_tokens
    type_into_corpus(trained, "lower lower lower lower")
    train(trained, qtbot)
    assert notices(trained) == [DIFFERENT.format(1)]
    assert trained.actions_by_name["what_changed"].isEnabled()

    dialog = open_changes(trained, qtbot)
    merges = label_text(dialog, "changedMerges")
    assert merges.startswith(
        "Step 1 merged s + t (×9) before, and now merges w + e (×12). Now s + t (×9) comes at step 4.\n"
    ), merges
    assert merges.endswith("The reason: the corpus has changed."), merges
    now = trained.session.text.live.known_tokens
    text = label_text(dialog, "changedText")
    assert now == before
    assert text == (
        f"Your text: {now} tokens both before (step 10) and now (step 10), but split differently. "
        "The first place: low | est → lo | west."
    )
    rows = words_of(dialog)
    assert label_text(dialog, "changedWords").endswith(f": {len(rows)} of 5")
    for _count, old, new in rows:
        assert old != new
        assert old.replace(" | ", "") == new.replace(" | ", "")

    dialog.close()
    qtbot.waitUntil(lambda: not trained.findChildren(ChangesDialog))
    for _press in range(2):
        trained.actions_by_name["what_changed"].trigger()
    qtbot.waitUntil(lambda: bool(trained.findChildren(ChangesDialog)))
    child(trained, QPushButton, "compareChangesButton").click()
    items = trained._comparing.tokenizers.items
    assert [name_of(item) for item in items[1:]] == ["text · cs336 · step 10 (earlier)"]


def test_a_run_that_is_only_partly_made_again_is_compared_at_the_same_step(trained: MainWindow, qtbot: QtBot) -> None:
    type_into_corpus(trained, "low low")
    trained.actions_by_name["step"].trigger()
    assert notices(trained) == []
    trained.actions_by_name["step"].trigger()
    assert notices(trained) == [DIFFERENT.format(2)]
    trained.actions_by_name["step"].trigger()
    assert "before (step 3)" in label_text(open_changes(trained, qtbot), "changedText")


def test_an_edit_that_changes_no_merge(trained: MainWindow, qtbot: QtBot) -> None:
    type_into_corpus(trained, "x")
    train(trained, qtbot)
    assert notices(trained) == [SAME.format(10)]
    assert not [each for each in trained.findChildren(QPushButton) if each.text() == "What changed?"]
    trained.actions_by_name["step_back"].trigger()
    assert notices(trained) == []
    trained.actions_by_name["step"].trigger()
    trained.actions_by_name["what_changed"].trigger()
    qtbot.waitUntil(lambda: bool(trained.findChildren(ChangesDialog)))
    dialog = child(trained, ChangesDialog, "changesDialog")
    assert label_text(dialog, "changedMerges") == "All 10 merges that both runs have are the same."
    assert label_text(dialog, "changedText").startswith("Your text is split as before: ")
    assert ": 0 of " in label_text(dialog, "changedWords")
    assert child(dialog, Table, "changedWordsTable").isHidden()


def test_runs_to_the_end_are_compared_at_their_ends(trained: MainWindow, qtbot: QtBot) -> None:
    session = trained.session
    session.corpus.set_vocab_size(1_000)
    session.cursor.last()
    end = session.cursor.position
    type_into_corpus(trained, "lower unheard")
    train(trained, qtbot)
    text = label_text(open_changes(trained, qtbot), "changedText")
    assert session.cursor.position > end
    now = f"before (step {end}), {session.text.live.known_tokens} now (step {session.cursor.position})."
    assert now in text


def test_as_many_tokens_as_before_in_other_places(window: MainWindow, qtbot: QtBot) -> None:
    """The text is split differently although the number of its tokens is the same, as are all words of the corpus."""
    session = window.session
    corpus, recipe = "ab ab bc bc", session.corpus.recipe.with_changes(splitter="whitespace", tie_break="first-seen")
    session.replace_documents([CorpusDocument("text", TextDocument(corpus))])
    session.corpus.set_training(recipe, session.corpus.plan)
    session.corpus.set_special_tokens(())
    session.corpus.set_vocab_size(10_000)
    session.replace_text(LiveText("ab abc abc"))
    session.cursor.last()
    session.corpus.set_recipe(recipe.with_changes(tie_break="greatest"))
    train(window, qtbot)
    dialog = open_changes(window, qtbot)
    assert label_text(dialog, "changedText") == (
        "Your text: 5 tokens both before (step 2) and now (step 2), but split differently. "
        "The first place: ab | c → a | bc."
    )
    assert label_text(dialog, "changedWords") == (
        "Unique words of the corpus that are split differently: 0 of 2. Words that only your text has are not counted."
    )


def _set_recipe(window: MainWindow) -> None:
    corpus = window.session.corpus
    corpus.set_recipe(corpus.recipe.with_changes(tie_break="first-seen"))


def _set_special_token(window: MainWindow) -> None:
    window.session.corpus.set_special_tokens(("est",))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_set_recipe, "so the tie rule decided: the earlier run takes"),
        (_set_special_token, "The reason: Special tokens"),
    ],
)
def test_the_reason_is_what_changed_in_the_recipe(
    trained: MainWindow, qtbot: QtBot, change: Callable[[MainWindow], None], reason: str
) -> None:
    change(trained)
    train(trained, qtbot)
    assert reason in label_text(open_changes(trained, qtbot), "changedMerges")


def test_chinese_names_stand_without_spaces(trained: MainWindow, qtbot: QtBot) -> None:
    trained.choose_language("zh_CN")
    _set_recipe(trained)
    train(trained, qtbot)
    trained.actions_by_name["what_changed"].trigger()
    qtbot.waitUntil(lambda: bool(trained.findChildren(ChangesDialog)))
    merges = label_text(child(trained, ChangesDialog, "changesDialog"), "changedMerges")
    assert "之前的训练取字典序最大的一对；本次训练取最先出现的一对。" in merges, merges


def test_undo_takes_the_notice_back_and_redo_knows_what_changed(trained: MainWindow, qtbot: QtBot) -> None:
    session = trained.session
    earlier = session.run.trainer
    _set_recipe(trained)
    train(trained, qtbot)
    assert len(notices(trained)) == 1
    session.undo()
    assert session.run.trainer is earlier
    assert notices(trained) == []
    assert not trained.actions_by_name["what_changed"].isEnabled()
    session.redo()
    assert notices(trained) == []
    assert trained.actions_by_name["what_changed"].isEnabled()


def test_starting_over_or_editing_twice_keeps_the_run_to_compare_with(trained: MainWindow, qtbot: QtBot) -> None:
    trained.actions_by_name["restart"].trigger()
    trained.session.cursor.seek(10)
    assert not trained.actions_by_name["what_changed"].isEnabled()
    type_into_corpus(trained, "lower lower ")
    trained.actions_by_name["restart"].trigger()
    type_into_corpus(trained, "lower lower")
    trained.actions_by_name["restart"].trigger()
    earlier = trained.session.earlier_runs.earlier
    assert earlier is not None
    assert len(earlier.tokenizer.merges) == 10
    train(trained, qtbot)
    assert notices(trained) == [DIFFERENT.format(1)]


def test_another_corpus_is_no_change(trained: MainWindow, qtbot: QtBot) -> None:
    trained.session.replace_documents([CorpusDocument("other", TextDocument("ab ab ac"))])
    train(trained, qtbot)
    assert trained.session.earlier_runs.earlier is None
    assert notices(trained) == []
