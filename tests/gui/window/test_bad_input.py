"""Mistakes of the user: the window explains them in a clear sentence, and nothing is lost."""

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Recipe, TextDocument, save, train
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.window import file_opener as text_opener
from bpe_gui.samples import samples
from tests.gui.support.project_windows import offers, write_corpus
from tests.gui.support.still import run_out
from tests.gui.support.widgets import child
from tests.gui.support.windows import notice_text
from tests.pipes import make_pipe

COPY = Qt.DropAction.CopyAction
LEFT = Qt.MouseButton.LeftButton
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.cursor.step()
    return window


def notice(window: MainWindow) -> str:
    assert child(window, QWidget, "noticeBar").isVisible()
    return notice_text(window)


def state(window: MainWindow) -> tuple[object, ...]:
    """Return what must not be lost."""
    session = window.session
    return (
        session.corpus.documents,
        session.corpus.recipe,
        session.corpus.special_tokens,
        session.corpus.vocab_size,
        session.cursor.position,
        session.text.content,
    )


def train_in_window(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(child(window, QPushButton, "trainButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)


def test_an_empty_corpus_explains_what_to_do_and_keeps_the_run(window: MainWindow) -> None:
    train, action = child(window, QPushButton, "trainButton"), window.actions_by_name["train"]
    tip = train.toolTip()
    write_corpus(window, "")
    assert "The corpus is empty" in child(window, QLabel, "corpusMessage").text()
    assert not train.isEnabled()
    assert not action.isEnabled()
    assert train.toolTip() == "The corpus is empty. Enter or open some text to train on."
    assert window.session.cursor.position == 1
    write_corpus(window, "low")
    assert train.isEnabled()
    assert action.isEnabled()
    assert train.toolTip() == tip
    window.session.corpus.set_documents([])
    assert not train.isEnabled()


def test_a_vocabulary_smaller_than_the_alphabet_names_the_minimum(qtbot: QtBot, window: MainWindow) -> None:
    child(window, QSpinBox, "vocabSizeSpin").setValue(10)
    before = state(window)
    train_in_window(qtbot, window)
    assert "must be at least 257" in notice(window)
    assert state(window) == before


def test_a_pattern_that_takes_too_long_is_stopped(qtbot: QtBot, window: MainWindow) -> None:
    text = "a" * 40_000
    write_corpus(window, text)
    window.session.corpus.set_recipe(Recipe(splitter="a+b|."))
    qtbot.waitUntil(lambda: window.session.counts.error is not None)
    assert "takes too long" in child(window, QLabel, "corpusMessage").text()
    assert child(window, QPlainTextEdit, "corpusEditor").toPlainText() == text
    assert window.session.cursor.position == 1


def test_invalid_utf8_names_the_offset_and_offers_to_replace_the_bytes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "broken.txt"
    path.write_bytes(b"good text \xff\xfe more")
    before = state(window)
    window.open_paths([path])
    assert "offset 10" in notice(window)
    assert state(window) == before
    offers(window)["Replace invalid bytes"].click()
    assert window.session.corpus.documents[-1].title == "broken.txt"
    assert "good text ��" in "".join(window.session.corpus.documents[-1].content.chunks())


def choose_encoding(window: MainWindow, path: Path, content: bytes, encoding: str) -> None:
    """Open a file that is not UTF-8, and choose the encoding to read it in."""
    path.write_bytes(content)
    window.open_paths([path])
    offers(window)["Choose encoding…"].click()
    dialog = child(window, QInputDialog, "encodingDialog")
    dialog.setTextValue(encoding)
    dialog.accept()


def test_another_encoding_can_be_chosen(window: MainWindow, tmp_path: Path) -> None:
    choose_encoding(window, tmp_path / "gb.txt", "自然语言处理".encode("gb18030"), "gb18030")
    assert "".join(window.session.corpus.documents[-1].content.chunks()) == "自然语言处理"


def test_an_unknown_encoding_is_named(window: MainWindow, tmp_path: Path) -> None:
    choose_encoding(window, tmp_path / "x.txt", b"\xff", "klingon")
    assert "'klingon'" in notice(window)


def test_a_binary_file_is_refused(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    before = state(window)
    window.open_paths([path])
    assert "picture.png" in notice(window)
    assert state(window) == before


def test_a_missing_file_is_named(window: MainWindow, tmp_path: Path) -> None:
    before = state(window)
    window.open_paths([tmp_path / "gone.txt"])
    assert "gone.txt cannot be read" in notice(window)
    assert state(window) == before


def test_a_file_without_permission_is_named(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("secret")

    def refuse(self: Path, *_arguments: object, **_more: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "open", refuse)
    window.open_paths([path])
    monkeypatch.undo()
    assert "secret.txt cannot be read: Permission denied" in notice(window)


def test_a_pipe_or_a_device_is_refused(window: MainWindow, tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")
    for path in filter(Path.exists, (tmp_path / "pipe", Path("/dev/zero"))):
        window.open_paths([path])
        assert f"{path.name} is not a regular file" in notice(window)


def large_file_with_invalid_end(tmp_path: Path) -> Path:
    path = tmp_path / "large.txt"
    path.write_bytes(b"low lower lowest\n" * 320_000 + b"\xff")
    return path


def drop_on_encode(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    viewport = child(window, TokenEdit, "encodeInput").viewport()
    QApplication.sendEvent(viewport, QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NO_MODIFIER))
    QApplication.sendEvent(viewport, QDropEvent(QPointF(5, 5), COPY, data, LEFT, NO_MODIFIER))


def test_a_large_file_with_an_invalid_end_keeps_the_text_to_encode(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    before = window.session.text.content
    drop_on_encode(window, large_file_with_invalid_end(tmp_path))
    qtbot.waitUntil(lambda: bool(offers(window)))
    assert "offset 5,440,000" in notice(window)
    assert window.session.text.content == before
    offers(window)["Replace invalid bytes"].click()
    qtbot.waitUntil(lambda: window.session.text.content.endswith("lowest\n\ufffd"))


def test_a_file_that_is_too_large_does_not_become_the_text_to_encode(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_opener, "MAX_TEXT_BYTES", 5_000_000)
    before = window.session.text.content
    drop_on_encode(window, large_file_with_invalid_end(tmp_path))
    assert "large.txt is too large to show with its tokens" in notice(window)
    assert window.session.text.content == before


@pytest.mark.parametrize("folder", ["~nobody-of-that-name/x", "a\0b"])
def test_exporting_to_an_impossible_folder(qtbot: QtBot, window: MainWindow, folder: str) -> None:
    window.actions_by_name["export"].trigger()
    with qtbot.captureExceptions() as exceptions:
        child(window, QLineEdit, "exportFolderEdit").setText(folder)
    assert not exceptions


def test_a_file_that_is_deleted_before_it_is_counted(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("low lower lowest\n" * 320_000)
    window.open_paths([path])
    path.unlink()
    qtbot.waitUntil(lambda: window.session.counts.error is not None)
    assert "large.txt cannot be read" in child(window, QLabel, "corpusMessage").text()
    assert [document.title for document in window.session.corpus.documents] == ["large.txt"]
    assert not window.session.run.exists


def test_a_lone_surrogate_in_the_text_is_named(window: MainWindow) -> None:
    window.session.text.set_content("ab\ud800c")
    assert "index 2" in notice(window)
    assert window.session.text.content == "ab\ufffdc"


def test_a_lone_surrogate_in_the_corpus_is_named(window: MainWindow) -> None:
    window.session.corpus.edit_document(0, "ab\ud800c")
    assert "index 2" in child(window, QLabel, "corpusMessage").text()


def test_a_full_disk_keeps_the_old_files(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    folder = tmp_path / "tokenizer"
    save(train("low low lower", recipe="cs336", num_merges=1), folder)
    old = {path.name: path.read_bytes() for path in folder.iterdir()}
    window.actions_by_name["export"].trigger()
    child(window, QLineEdit, "exportFolderEdit").setText(str(folder))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    qtbot.mouseClick(child(window, QPushButton, "exportButton"), Qt.MouseButton.LeftButton)
    result = child(window, QLabel, "exportResult")
    qtbot.waitUntil(lambda: "No space left on device" in result.text())
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == old


@pytest.mark.parametrize(
    ("name", "damage", "line"),
    [("vocab.json", '{\n"a": 0,\n"b": \n}', "line 4"), ("merges.txt", "#version: 0.2\na b\nabc\n", "line 3")],
)
def test_a_damaged_tokenizer_names_the_line(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str, damage: str, line: str
) -> None:
    save(train("low low lower", recipe="cs336", num_merges=1), tmp_path)
    (tmp_path / name).write_text(damage)
    before = state(window)
    window.open_paths([tmp_path])
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    assert name in notice(window)
    assert line in notice(window)
    assert state(window) == before
    assert window.session.opened.tokenizer is None


def test_a_file_that_is_not_a_tokenizer_is_named(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.odd").write_text("low lower")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(tmp_path / "notes.odd"), ""))
    window.actions_by_name["open_tokenizer"].trigger()
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    assert "notes.odd is not a tokenizer" in notice(window)


def test_training_and_encoding_a_word_of_a_million_characters(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    window.session.corpus.edit_document(0, "abcde" * 200_000)
    window.restart()
    qtbot.waitUntil(lambda: window.session.counts.words is not None)
    assert window.session.counts.words is not None
    assert window.session.counts.words.total == 1
    window.step()
    assert window.session.cursor.position == 1
    window.session.text.set_content("abcde" * 200_000)
    qtbot.waitUntil(lambda: window.session.text.live.encoding is not None)


def test_replacing_a_sample_by_a_sample_needs_no_notice(window: MainWindow) -> None:
    window.open_sample(samples()[1])
    assert not child(window, QWidget, "noticeBar").isVisible()


@pytest.mark.parametrize("name", ["corpusEditor", "specialTokensEdit"])
def test_a_line_that_is_too_long_is_not_pasted(window: MainWindow, name: str) -> None:
    before = state(window)
    editor = child(window, PlainTextEdit, name)
    data = QMimeData()
    data.setText("word " * 100_000)
    editor.insertFromMimeData(data)
    assert "500" in notice(window)
    assert state(window) == before
    data.setText("short\r\n" * 20_000)
    editor.insertFromMimeData(data)
    assert "short\nshort" in editor.text()


def test_a_line_cannot_become_too_long_by_several_pastes(window: MainWindow) -> None:
    editor = child(window, PlainTextEdit, "corpusEditor")
    data = QMimeData()
    data.setText("word " * 15_000)
    editor.clear()
    editor.insertFromMimeData(data)
    assert len(editor.text()) == 75_000
    editor.insertFromMimeData(data)
    assert len(editor.text()) == 75_000
    assert "150000" in notice(window).replace(",", "")
    editor.selectAll()
    editor.insertFromMimeData(data)
    assert len(editor.text()) == 75_000


def test_long_names_and_messages_do_not_widen_the_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    width = 1280
    window.resize(width, 800)
    long = "d" * 240
    window.open_paths([tmp_path / long])  # does not exist
    window.session.corpus.add_documents([CorpusDocument(long, TextDocument("ab ab"))])
    window.step()
    window.session.corpus.set_special_tokens(["x" * 2_000])
    child(window, QPlainTextEdit, "specialTokensEdit").setPlainText("y" * 2_000 + "\n" + "y" * 2_000)
    window.session.corpus.set_recipe(Recipe(splitter="z" * 2_000))
    folder = tmp_path / long
    save(train("low low lower", recipe="cs336", num_merges=1, special_tokens=["t" * 2_000]), folder)
    window.open_paths([folder])
    window.session.text.set_content("t" * 2_000)
    child(window, TokenEdit, "encodeInput").set_caret(10)
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    run_out(window)  # the layouts have their final sizes
    assert window.minimumSizeHint().width() <= width
    assert window.width() == width
    inspector = child(window, QScrollArea, "tokenInspector")
    content = inspector.widget()
    assert content is not None
    assert content.width() <= inspector.width()
