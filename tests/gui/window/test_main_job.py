"""The window from end to end, by object names: open, step, play, go to a step, type, export, reopen, get help."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui import __version__
from bpe_gui.engine import PRESETS
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import LARGE_FILE
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.timeline_view import TimelineView
from bpe_gui.samples import default_sample
from tests.gui.support.project_windows import answer_open_question, write_corpus
from tests.gui.support.still import run_out
from tests.gui.support.token_edits import cells_of
from tests.gui.support.widgets import child

PROMISED_NAMES = """
    corpusEditor recipeCombo vocabSizeSpin trainButton stepButton stepBackButton playButton firstButton lastButton
    goToSpin stepLabel pairTable mergeTable reasonLabel wordTable encodeInput tokenView tokenIdView encodeSummary
    tokenInspector vocabularyTable timeline
"""
VALUE_LABELS = {"stepLabel", "reasonLabel", "encodeSummary"}


def click(qtbot: QtBot, window: MainWindow, name: str) -> None:
    button = window.findChild(QWidget, name)
    assert isinstance(button, QPushButton | QToolButton), name
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def cell(window: MainWindow, table: str, row: int, column: int) -> str:
    model = child(window, QTableView, table).model()
    return str(model.index(row, column).data())


def column(window: MainWindow, table: str, title: str) -> int:
    model = child(window, QTableView, table).model()
    titles = [str(model.headerData(i, Qt.Orientation.Horizontal)) for i in range(model.columnCount())]
    return titles.index(title)


def train(qtbot: QtBot, window: MainWindow) -> None:
    click(qtbot, window, "trainButton")
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)


def test_every_promised_widget_exists_and_has_an_accessible_name(window: MainWindow) -> None:
    for name in PROMISED_NAMES.split():
        widget = child(window, QWidget, name)
        assert widget.accessibleName() or name in VALUE_LABELS, name


def test_every_control_has_a_name_for_those_who_cannot_see_it(window: MainWindow) -> None:
    kinds = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView)
    controls = [control for kind in kinds for control in window.findChildren(kind)]
    # Qt's own have names of their own; the buttons of a tour get their texts when it begins.
    ours = [each for each in controls if each.objectName() and not each.objectName().startswith(("qt_", "tour"))]
    assert len(ours) > 50
    nameless = [each for each in ours if not each.accessibleName()]
    assert [each.objectName() for each in nameless if not (isinstance(each, QAbstractButton) and each.text())] == []


def test_it_opens_on_a_sample_ready_to_step(qtbot: QtBot, window: MainWindow) -> None:
    assert child(window, QPlainTextEdit, "corpusEditor").toPlainText() == default_sample().read()
    assert "is next: it occurs 9 times" in child(window, QLabel, "reasonLabel").text().replace("</", "<")
    click(qtbot, window, "stepButton")
    assert window.session.cursor.position == 1
    assert child(window, QLabel, "stepLabel").text() == "step 1 of 12"
    assert cell(window, "mergeTable", 0, 1) == "s + t → st"


def test_a_run_that_ends_early_keeps_its_length_on_the_way_back(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.corpus.set_vocab_size(1_000)
    click(qtbot, window, "stepButton")
    bytes_of_words = "of at most 20"  # which no run exceeds
    assert child(window, QLabel, "stepLabel").text() == f"step 1 {bytes_of_words}"
    click(qtbot, window, "lastButton")
    length = session.cursor.run_length
    assert length < 20
    click(qtbot, window, "stepBackButton")
    assert child(window, QLabel, "stepLabel").text() == f"step {length - 1} of {length}"
    assert not session.cursor.may_extend


def test_stepping_shows_the_published_merges(qtbot: QtBot, window: MainWindow) -> None:
    for _ in range(6):
        click(qtbot, window, "stepButton")
    trainer = window.session.cursor.trainer
    assert trainer is not None
    assert [(merge.token.decode(), merge.count) for merge in trainer.merges] == [
        ("st", 9),
        ("est", 9),
        ("ow", 7),
        ("low", 7),
        ("west", 6),
        ("ne", 6),
    ]
    click(qtbot, window, "stepBackButton")
    assert window.session.cursor.position == 5
    assert cell(window, "pairTable", 0, column(window, "pairTable", "Merged")) == "ne"


def test_the_keys_move_the_cursor(qtbot: QtBot, window: MainWindow) -> None:
    pairs = child(window, QTableView, "pairTable")
    pairs.setFocus()
    alone, alt = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
    for key, modifiers, position in (
        (Qt.Key.Key_Right, alone, 1),
        (Qt.Key.Key_Right, alone, 2),
        (Qt.Key.Key_Left, alone, 1),
        (Qt.Key.Key_End, alt, 12),
        (Qt.Key.Key_Home, alt, 0),
    ):
        qtbot.keyClick(pairs, key, modifiers)
        assert window.session.cursor.position == position, key


def test_the_keys_of_the_cursor_do_not_work_in_an_editor(qtbot: QtBot, window: MainWindow) -> None:
    editor = child(window, TokenEdit, "encodeInput")
    window.activateWindow()
    editor.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Space, Qt.Key.Key_Home, Qt.Key.Key_Left):
        qtbot.keyClick(editor, key)
    assert window.session.cursor.position == 0
    assert not window.session.cursor.playing


def test_playing_ends_when_nothing_is_left_to_merge(qtbot: QtBot, window: MainWindow) -> None:
    speed = child(window, QComboBox, "speedCombo")
    speed.setCurrentIndex(speed.count() - 1)
    click(qtbot, window, "playButton")
    qtbot.waitUntil(lambda: window.session.cursor.position == 12)
    qtbot.waitUntil(lambda: not window.session.cursor.playing)
    assert "There is nothing left to merge" in child(window, QLabel, "reasonLabel").text()


@pytest.mark.parametrize("how", ["stepButton", "lastButton", "Enter in the size", "a step to go to"])
def test_a_step_forward_in_a_run_of_an_older_corpus_starts_a_new_run(
    qtbot: QtBot, window: MainWindow, how: str
) -> None:
    train(qtbot, window)
    session = window.session
    write_corpus(window, "abab abab")
    assert session.run.is_stale
    click(qtbot, window, "stepBackButton")
    assert session.run.is_stale
    if how == "Enter in the size":
        qtbot.keyClick(child(window, QSpinBox, "vocabSizeSpin"), Qt.Key.Key_Return)
    elif how == "a step to go to":
        child(window, QSpinBox, "goToSpin").setValue(20)
    else:
        click(qtbot, window, "lastButton")
        click(qtbot, window, how)
    qtbot.waitUntil(lambda: not session.run.is_stale and session.work.activity is Activity.IDLE)
    assert session.cursor.steps is not None
    assert session.cursor.steps.merge_at(0).token == b"ab"


def test_playing_can_be_paused(qtbot: QtBot, window: MainWindow) -> None:
    click(qtbot, window, "playButton")
    assert window.session.cursor.playing
    click(qtbot, window, "playButton")
    assert not window.session.cursor.playing


def test_going_to_a_step_to_the_first_and_to_the_last(qtbot: QtBot, window: MainWindow) -> None:
    child(window, QSpinBox, "goToSpin").setValue(4)
    assert window.session.cursor.position == 4
    click(qtbot, window, "lastButton")
    assert window.session.cursor.position == 12
    click(qtbot, window, "firstButton")
    assert window.session.cursor.position == 0
    assert child(window, TimelineView, "timeline").maximum() == 12


def test_training_to_a_vocabulary_size(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    write_corpus(window, "the quick brown fox jumps over the lazy dog and then some more of it " * 2)
    child(window, QSpinBox, "vocabSizeSpin").setValue(256 + 20)
    train(qtbot, window)
    assert window.session.cursor.position == 20 - len(window.session.corpus.special_tokens)


def test_cancelling_the_training_keeps_its_steps(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    text = " ".join(f"word{i * 7919 % 10007}x{i * 104729 % 9973}" for i in range(30_000))
    write_corpus(window, text)
    child(window, QSpinBox, "vocabSizeSpin").setValue(100_000)
    click(qtbot, window, "trainButton")
    with qtbot.waitSignal(window.session.work.progressed):
        pass
    qtbot.waitUntil(lambda: window.session.cursor.position > 10)
    window.session.work.cancel()
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    reached = window.session.cursor.position
    assert 10 < reached < 100_000 - 256
    window.session.cursor.step_back()
    assert window.session.cursor.position == reached - 1


def test_closing_the_window_stops_the_training(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    write_corpus(window, " ".join(f"word{i * 7919 % 10007}" for i in range(30_000)))
    child(window, QSpinBox, "vocabSizeSpin").setValue(100_000)
    click(qtbot, window, "trainButton")
    window.close()
    assert window.session.work.activity is Activity.IDLE


def test_typed_text_has_the_tokens_of_the_step(qtbot: QtBot, window: MainWindow) -> None:
    editor = child(window, TokenEdit, "encodeInput")
    editor.selectAll()
    qtbot.keyClicks(editor, "lowest")
    view = child(window, TokenEdit, "encodeInput")
    assert len(cells_of(view)) == 6
    for _ in range(4):
        click(qtbot, window, "stepButton")
    assert len(cells_of(view)) == 2
    assert "2" in child(window, QLabel, "encodeSummary").text()
    assert window.session.text.live.encoding is not None
    assert len(window.session.text.live.encoding.ids) == 2


def test_an_exported_tokenizer_can_be_opened_again(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    click(qtbot, window, "lastButton")
    window.actions_by_name["export"].trigger()
    file = tmp_path / "tokenizer.json"
    child(window, QLineEdit, "exportFolderEdit").setText(str(file))
    click(qtbot, window, "exportButton")
    qtbot.waitUntil(file.exists)
    ids = window.session.text.live.encoding
    window.session.cursor.seek(0)
    window.open_paths([file])
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    assert window.session.text.live.encoding is not None and ids is not None
    assert window.session.text.live.encoding.ids == ids.ids
    click(qtbot, window, "closeTokenizerButton")
    assert window.session.opened.tokenizer is None


def press_keys(keys: str) -> None:
    """Press keys where the focus is, as a keyboard does: nothing says to which widget."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keySequence(focus, QKeySequence(keys))


def test_keys_alone_get_from_a_file_to_a_proven_export(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, folder = tmp_path / "corpus.txt", tmp_path / "tokenizer"
    corpus.write_text("the cat and the hat and the bat sat that day\n" * 6)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_asked: ([str(corpus)], ""))  # the system's
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    press_keys("Ctrl+O")
    qtbot.waitUntil(lambda: child(window, QPlainTextEdit, "corpusEditor").toPlainText() == corpus.read_text())
    press_keys("Ctrl+T")
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE and window.session.cursor.position == 20)
    press_keys("Ctrl+E")
    dialog = child(window, QDialog, "exportDialog")
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    field = child(dialog, QLineEdit, "exportFolderEdit")
    for _ in dialog.findChildren(QWidget):
        if QApplication.focusWidget() is field:
            break
        press_keys("Tab")
    press_keys("Ctrl+A")
    QTest.keyClicks(field, str(folder))
    press_keys("Return")
    proven = child(dialog, QLabel, "exportProof")
    qtbot.waitUntil(lambda: "Proven: tokenizers" in proven.text())
    press_keys("Esc")
    assert not dialog.isVisible()
    assert len((folder / "merges.txt").read_text().splitlines()) == 20 + 1  # a version comes first


def test_dropping_files_opens_them(window: MainWindow, tmp_path: Path) -> None:
    paths = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for path in paths:
        path.write_text(f"text of {path.stem}")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop = QDropEvent(
        QPointF(QPoint(5, 5)),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(drop)
    answer_open_question(window, "Replace")
    assert [document.title for document in window.session.corpus.documents] == ["one.txt", "two.txt"]
    assert window.session.counts.words is not None
    assert dict(window.session.counts.words) == {"text": 2, " of": 2, " one": 1, " two": 1}


def test_a_large_file_is_listed_with_a_preview(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("low lower lowest\n" * (LARGE_FILE // 17 + 1))
    window.open_paths([path])
    qtbot.waitUntil(lambda: window.session.counts.words is not None)
    assert 0 < len(child(window, QPlainTextEdit, "corpusEditor").toPlainText()) < 100_000
    assert child(window, QPlainTextEdit, "corpusEditor").isReadOnly()
    click(qtbot, window, "stepButton")
    assert window.session.cursor.position == 1


def test_the_layout_is_restored_in_the_next_window(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1200, 700)
    QApplication.processEvents()  # only now does the splitter have its new height
    child(window, QSplitter, "leftSplitter").setSizes([300, 250])
    sizes = child(window, QSplitter, "leftSplitter").sizes()
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    with qtbot.waitExposed(again):
        again.show()
    assert again.height() == 700
    assert child(again, QSplitter, "leftSplitter").sizes() == sizes
    again.close()


def test_changing_the_language_keeps_the_session(qtbot: QtBot, window: MainWindow) -> None:
    for _ in range(3):
        click(qtbot, window, "stepButton")
    window.session.text.set_content("lowest")
    assert child(window, QLabel, "stepLabel").text() == "step 3 of 12"
    window.choose_language("zh_CN")
    run_out(window)  # the old panels are deleted
    assert window.session.cursor.position == 3
    assert child(window, TokenEdit, "encodeInput").toPlainText() == "lowest"
    assert child(window, QLabel, "stepLabel").text() not in ("", "step 3 of 12")
    click(qtbot, window, "stepButton")
    assert window.session.cursor.position == 4


def test_the_list_of_keys_fits_the_screen_and_scrolls_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.show_keys()
    box = child(window, QDialog, "keysBox")
    area = child(box, QScrollArea, "keysList")
    assert box.height() <= window.screen().availableSize().height()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    QTest.keyClick(child(box, QLineEdit, "keysField"), Qt.Key.Key_PageDown)
    assert bar.value() > 0
    box.reject()


def test_no_two_actions_have_the_same_keys(window: MainWindow) -> None:
    keys = [keys.toString() for action in window.actions_by_name.values() for keys in action.shortcuts()]
    assert len(set(keys)) == len(keys)


def test_changing_the_language_during_training_reaches_no_deleted_panel(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    write_corpus(window, "the quick brown fox jumps over the lazy dog " * 300)
    child(window, QSpinBox, "vocabSizeSpin").setValue(290)
    with qtbot.captureExceptions() as exceptions:
        for _ in range(5):
            window.restart()
            window.train()
            window.choose_language("en")
        qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
        run_out(window)
    assert not exceptions


def test_hidden_panels_stay_hidden_when_the_language_changes(qtbot: QtBot, window: MainWindow) -> None:
    hide = next(action for action in window.findChildren(QAction) if action.text() == "&Vocabulary")
    hide.trigger()
    window.choose_language("en")
    assert not child(window, QTableView, "vocabularyTable").isVisible()


def test_tab_leaves_the_editors_and_the_tables(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    for name in ("corpusEditor", "encodeInput", "vocabularyTable", "pairTable", "specialTokensEdit"):
        widget = child(window, QWidget, name)
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
        assert not widget.hasFocus(), name


def test_the_keys_of_the_cursor_work_after_training_twice(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    train(qtbot, window)
    write_corpus(window, "aaa bbb aaa")
    click(qtbot, window, "trainAgainButton")
    focus, cursor = QApplication.focusWidget(), window.session.cursor
    assert focus is child(window, QTableView, "pairTable")
    qtbot.waitUntil(lambda: not window.session.run.is_stale and window.session.work.activity is Activity.IDLE)
    last = cursor.position
    assert last > 1
    qtbot.keyClick(focus, Qt.Key.Key_Left)
    assert cursor.position == last - 1


def test_going_beyond_the_end_shows_the_last_step(window: MainWindow) -> None:
    spin = child(window, QSpinBox, "goToSpin")
    spin.setValue(12)
    spin.setValue(10_000_000)
    assert spin.value() == 12


def test_about_tells_version_and_memory(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "in_use", lambda: 412_345_678)
    monkeypatch.setattr(memory, "available", lambda: 9_800_000_000)
    window = MainWindow()
    qtbot.addWidget(window)
    window.show_about()
    texts = " ".join(label.text() for label in window.findChildren(QLabel) if "bpe-gui" in label.text())
    assert __version__ in texts
    assert "412.3 MB" in texts and "9.8 GB" in texts
    window.close()
