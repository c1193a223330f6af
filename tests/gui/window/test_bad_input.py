"""What people do wrong: the window says so in a clear sentence, and nothing is lost."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

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

from bpe_gui.engine import PRESETS, Corpus, FileDocument, Recipe, TextDocument, save, train
from bpe_gui.engine.text import splitters as splitters_module
from bpe_gui.gui.window import file_opener as opener
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.samples import samples

W = TypeVar("W", bound=QWidget)
COPY = Qt.DropAction.CopyAction
LEFT = Qt.MouseButton.LeftButton
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = MainWindow()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.session.step()
    yield window
    window.close()


def child(window: MainWindow, kind: type[W], name: str) -> W:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def notice(window: MainWindow) -> str:
    label = child(window, QLabel, "noticeLabel")
    assert label.isVisible()
    return label.text()


def offers(window: MainWindow) -> dict[str, QPushButton]:
    bar = child(window, QWidget, "noticeBar")
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def state(window: MainWindow) -> tuple[object, ...]:
    """What must not be lost."""
    session = window.session
    return session.documents, session.recipe, session.special_tokens, session.position, session.text


def write(window: MainWindow, text: str) -> None:
    child(window, QPlainTextEdit, "corpusEditor").setPlainText(text)


def train_now(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(child(window, QPushButton, "trainButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.activity is Activity.IDLE)


def test_an_empty_corpus_says_what_to_do_and_keeps_the_run(qtbot: QtBot, window: MainWindow) -> None:
    write(window, "")
    assert "The corpus is empty" in child(window, QLabel, "corpusMessage").text()
    assert window.session.position == 1
    train_now(qtbot, window)
    assert "The corpus is empty" in notice(window)
    assert window.session.position == 1


def test_a_corpus_with_nothing_to_merge_says_so(window: MainWindow) -> None:
    write(window, "a b c")
    window.restart()
    assert "Nothing is left to merge" in child(window, QLabel, "reasonLabel").text()
    window.step()
    assert window.session.position == 0


def test_a_vocabulary_below_the_alphabet_names_the_least(qtbot: QtBot, window: MainWindow) -> None:
    before = state(window)
    child(window, QSpinBox, "vocabSizeSpin").setValue(10)
    train_now(qtbot, window)
    assert "must be at least 257" in notice(window)
    assert state(window) == before


def test_a_pattern_that_takes_forever_is_stopped(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitters_module, "TIME_LIMIT", 0.2)
    text = "a" * 40 + "!"
    write(window, text)
    window.session.set_recipe(Recipe(splitter=r"(?:a|aa|a?a)*(?:a|aa|a?a)*$|b"))
    qtbot.waitUntil(lambda: window.session.count_error is not None)
    assert "took more than" in child(window, QLabel, "corpusMessage").text()
    assert child(window, QPlainTextEdit, "corpusEditor").toPlainText() == text
    assert window.session.position == 1


def test_invalid_utf8_names_the_byte_and_offers_to_replace_it(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_bytes(b"good text \xff\xfe more")
    before = state(window)
    window.open_paths([path])
    assert "offset 10" in notice(window)
    assert state(window) == before
    offers(window)["Replace invalid bytes"].click()
    assert window.session.documents[-1].title == "broken.txt"
    assert "good text ��" in "".join(window.session.documents[-1].content.chunks())


def test_another_encoding_can_be_chosen(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "gb.txt"
    path.write_bytes("自然语言处理".encode("gb18030"))
    window.open_paths([path])
    offers(window)["Choose encoding…"].click()
    dialog = window.findChild(QInputDialog, "encodingDialog")
    assert dialog is not None
    dialog.setTextValue("gb18030")
    dialog.accept()
    assert "".join(window.session.documents[-1].content.chunks()) == "自然语言处理"


def test_an_encoding_that_does_not_exist_is_named(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xff")
    window.open_paths([path])
    offers(window)["Choose encoding…"].click()
    dialog = window.findChild(QInputDialog, "encodingDialog")
    assert dialog is not None
    dialog.setTextValue("klingon")
    dialog.accept()
    assert "'klingon'" in notice(window)


def test_a_binary_file_is_refused(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    before = state(window)
    window.open_paths([path])
    assert "picture.png" in notice(window)
    assert state(window) == before


def test_a_file_that_is_not_there_is_named(window: MainWindow, tmp_path: Path) -> None:
    before = state(window)
    window.open_paths([tmp_path / "gone.txt"])
    assert "gone.txt cannot be read" in notice(window)
    assert state(window) == before


def test_a_file_that_may_not_be_read_is_named(
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_refused_at_once(window: MainWindow, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    window.open_paths([tmp_path / "pipe"])
    assert "is no file" in notice(window)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices with names")
def test_a_device_is_refused_at_once(window: MainWindow) -> None:
    window.open_paths([Path("/dev/zero")])
    assert "is no file" in notice(window)


def test_a_name_that_no_system_takes_is_refused(window: MainWindow) -> None:
    window.open_paths([Path("a" * 300)])
    assert "cannot be read" in notice(window)


def large_file_that_ends_badly(tmp_path: Path) -> Path:
    path = tmp_path / "large.txt"
    path.write_bytes(b"low lower lowest\n" * 320_000 + b"\xff")
    return path


def test_a_large_file_that_turns_out_to_be_broken_can_be_mended(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.open_paths([large_file_that_ends_badly(tmp_path)])
    qtbot.waitUntil(lambda: window.session.count_error is not None)
    assert "offset 5,440,000" in notice(window)
    offers(window)["Replace invalid bytes"].click()
    qtbot.waitUntil(lambda: window.session.word_counts is not None)
    assert [document.title for document in window.session.documents] == ["large.txt"]


def drop_on_encode(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    viewport = child(window, TokenEdit, "encodeInput").viewport()
    QApplication.sendEvent(viewport, QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NO_MODIFIER))
    QApplication.sendEvent(viewport, QDropEvent(QPointF(5, 5), COPY, data, LEFT, NO_MODIFIER))


def test_a_large_file_that_ends_badly_leaves_the_text_to_encode(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    before = window.session.text
    drop_on_encode(window, large_file_that_ends_badly(tmp_path))
    qtbot.waitUntil(lambda: bool(offers(window)))
    assert "offset 5,440,000" in notice(window)
    assert window.session.text == before
    offers(window)["Replace invalid bytes"].click()
    qtbot.waitUntil(lambda: window.session.text.endswith("lowest\n\ufffd"))


def test_a_file_beyond_all_measure_is_not_taken_as_the_text(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener, "LARGEST_TEXT", 5_000_000)
    before = window.session.text
    drop_on_encode(window, large_file_that_ends_badly(tmp_path))
    assert "large.txt is too large to be shown with its tokens" in notice(window)
    assert window.session.text == before


def test_a_dropped_file_becomes_the_text(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("low lower")
    drop_on_encode(window, tmp_path / "text.txt")
    assert window.session.text == "low lower"
    assert child(window, TokenEdit, "encodeInput").toPlainText() == "low lower"


@pytest.mark.parametrize("folder", ["~nobody-of-that-name/x", "a\0b"])
def test_an_export_to_a_folder_that_cannot_be(qtbot: QtBot, window: MainWindow, folder: str) -> None:
    window.export()
    with qtbot.captureExceptions() as exceptions:
        child(window, QLineEdit, "exportFolderEdit").setText(folder)
    assert not exceptions


def test_a_file_that_vanishes_before_it_is_counted(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("low lower lowest\n" * 320_000)
    window.open_paths([path])
    path.unlink()
    qtbot.waitUntil(lambda: window.session.count_error is not None)
    assert "large.txt cannot be read" in child(window, QLabel, "corpusMessage").text()
    assert window.session.documents[-1].title == "large.txt"
    assert window.session.position == 1


def test_a_file_that_grows_while_it_is_read(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("line\n" * 200_000)
    chunks = FileDocument(path).chunks()
    next(chunks)
    with path.open("a") as file:
        file.write("more\n")
    with pytest.raises(ValueError, match="changed while it was read"):
        list(chunks)


def test_a_lone_surrogate_in_the_text_is_named(window: MainWindow) -> None:
    window.session.set_text("ab\ud800c")
    assert "index 2" in notice(window)
    assert window.session.text == "ab\ufffdc"


def test_a_lone_surrogate_in_the_corpus_is_named(window: MainWindow) -> None:
    window.session.edit_document(0, "ab\ud800c")
    assert "index 2" in child(window, QLabel, "corpusMessage").text()


def test_special_tokens_twice_or_empty_are_refused_by_the_engine(window: MainWindow) -> None:
    before = window.session.special_tokens
    field = child(window, QPlainTextEdit, "specialTokensEdit")
    field.setPlainText("<a>\n<a>")
    assert "'<a>' is given twice" in child(window, QLabel, "specialTokensError").text()
    assert field.toPlainText() == "<a>\n<a>"
    assert window.session.special_tokens == before


def test_a_full_disk_leaves_the_old_files(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    folder = tmp_path / "tokenizer"
    save(train("low low lower", recipe="cs336", num_merges=1), folder)
    old = {path.name: path.read_bytes() for path in folder.iterdir()}
    window.export()
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
    ("name", "damage", "told"),
    [("vocab.json", '{\n"a": 0,\n"b": \n}', "line 4"), ("merges.txt", "#version: 0.2\na b\nabc\n", "line 3")],
)
def test_a_damaged_tokenizer_names_the_line(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str, damage: str, told: str
) -> None:
    save(train("low low lower", recipe="cs336", num_merges=1), tmp_path)
    (tmp_path / name).write_text(damage)
    before = state(window)
    window.open_paths([tmp_path])
    qtbot.waitUntil(lambda: window.session.activity is Activity.IDLE)
    assert name in notice(window)
    assert told in notice(window)
    assert state(window) == before
    assert window.session.opened is None


def test_a_file_that_is_no_tokenizer_says_what_is_looked_for(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.odd").write_text("low lower")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(tmp_path / "notes.odd"), ""))
    window.actions_by_name["open_tokenizer"].trigger()
    qtbot.waitUntil(lambda: window.session.activity is Activity.IDLE)
    assert "notes.odd is no tokenizer" in notice(window)


def test_a_word_of_a_million_characters_is_trained_and_encoded(qtbot: QtBot, window: MainWindow) -> None:
    window.session.set_recipe(PRESETS["cs336"])
    window.session.edit_document(0, "abcde" * 200_000)
    window.restart()
    qtbot.waitUntil(lambda: window.session.word_counts is not None)
    assert window.session.word_counts is not None
    assert window.session.word_counts.total == 1
    window.step()
    assert window.session.position == 1
    window.session.set_text("abcde" * 200_000)
    qtbot.waitUntil(lambda: window.session.encoding is not None)


def test_the_sentences_are_the_engines() -> None:
    with pytest.raises(ValueError, match="There is no recipe named 'cs337'"):
        Corpus.from_text("a").count("cs337")


def test_a_sample_in_place_of_a_corpus_of_ones_own_can_be_undone(window: MainWindow) -> None:
    session = window.session
    write(window, "my own text")
    child(window, QPlainTextEdit, "specialTokensEdit").setPlainText("<mine>")
    session.set_vocab_size(321)
    session.set_text("to encode")
    before = (session.documents, session.recipe, session.special_tokens, session.vocab_size, session.text)
    window.open_sample(samples()[1])
    assert notice(window) == "The corpus was replaced by the sample."
    offers(window)["Undo"].click()
    after = (session.documents, session.recipe, session.special_tokens, session.vocab_size, session.text)
    assert after == before


def test_a_sample_in_place_of_a_sample_needs_no_words(window: MainWindow) -> None:
    window.open_sample(samples()[1])
    assert not child(window, QWidget, "noticeBar").isVisible()


@pytest.mark.parametrize("name", ["corpusEditor", "specialTokensEdit"])
def test_a_line_too_long_to_be_edited_is_not_pasted(window: MainWindow, name: str) -> None:
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


def test_a_line_is_not_made_too_long_bit_by_bit(window: MainWindow) -> None:
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


def test_nothing_widens_the_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    width = 1280
    window.resize(width, 800)
    long = "d" * 240
    window.open_paths([tmp_path / long])  # which is not there
    window.session.add_documents([CorpusDocument(long, TextDocument("ab ab"))])
    window.step()
    window.session.set_special_tokens(["x" * 2_000])
    child(window, QPlainTextEdit, "specialTokensEdit").setPlainText("y" * 2_000 + "\n" + "y" * 2_000)
    window.session.set_recipe(Recipe(splitter="z" * 2_000))
    folder = tmp_path / long
    save(train("low low lower", recipe="cs336", num_merges=1, special_tokens=["t" * 2_000]), folder)
    window.open_paths([folder])
    window.session.set_text("t" * 2_000)
    child(window, TokenEdit, "encodeInput").set_caret(10)
    qtbot.waitUntil(lambda: window.session.opened is not None)
    qtbot.wait(50)
    assert window.minimumSizeHint().width() <= width
    assert window.width() == width
    inspector = child(window, QScrollArea, "tokenInspector")
    content = inspector.widget()
    assert content is not None
    assert content.width() <= inspector.width()
