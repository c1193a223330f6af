"""What the opener does with files that are no text, or not in the place where they are looked for."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QInputDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import CorpusError, FileDocument, TextDocument
from bpe_gui.gui.session import corpus_document
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.window.file_opener import Opener
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.look.theme import Theme

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def notice(window: QWidget, theme: Theme) -> NoticeBar:
    return NoticeBar(theme, window)


@pytest.fixture
def theme(tmp_path: Path) -> Theme:
    return Theme("light")


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session()
    yield session
    session.shut_down()


@pytest.fixture
def opener(session: Session, notice: NoticeBar, window: QWidget, tmp_path: Path) -> Opener:
    return Opener(session, Settings(tmp_path / "settings.ini"), notice, window)


def said(notice: NoticeBar) -> str:
    label = notice.findChild(QLabel, "noticeLabel")
    assert label is not None and not notice.isHidden()
    return label.text()


def take(notice: NoticeBar, offer: str) -> None:
    next(button for button in notice.findChildren(QPushButton) if button.text() == offer).click()


def text_of(document: CorpusDocument) -> str:
    return "".join(document.content.chunks())


def bad_file(tmp_path: Path, size: int = 0) -> Path:
    path = tmp_path / "bad.txt"
    path.write_bytes(b"low " * (size // 4) + b"lower \xb5\xcd")  # 低 in GB 18030
    return path


@needs_pipes
@pytest.mark.parametrize("name", ["vocab.json", "merges.txt", "training.json"])
def test_a_pipe_in_the_place_of_a_tokenizers_file_is_refused(
    opener: Opener, notice: NoticeBar, tmp_path: Path, name: str
) -> None:
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    (tmp_path / "merges.txt").write_text("")
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    for path in (tmp_path, tmp_path / "vocab.json"):
        opener.open_paths([path])
        assert f"{name} is no file" in said(notice)
        opener.open_to_encode([path])
        assert f"{name} is no file" in said(notice)


@needs_pipes
def test_a_pipe_is_no_text_to_encode(opener: Opener, notice: NoticeBar, session: Session, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    opener.open_to_encode([tmp_path / "pipe"])
    assert "is no file" in said(notice)
    assert session.text == ""


@pytest.mark.parametrize(
    "name", ["a" * 300, "a/" * 3000, "a\0b", "a\0/vocab.json"], ids=["long", "deep", "zero", "json"]
)
def test_a_name_that_no_system_takes(
    qtbot: QtBot, opener: Opener, notice: NoticeBar, session: Session, name: str
) -> None:
    session.failed.connect(lambda error: notice.say(str(error)))  # as the window does
    opener.open_paths([Path(name)])
    qtbot.waitUntil(lambda: session.activity is Activity.IDLE)
    assert "cannot be read" in said(notice) or "is no tokenizer" in said(notice)
    opener.open_to_encode([Path(name)])
    assert session.documents == ()


def test_a_mended_file_goes_where_it_was_to_go(
    opener: Opener, notice: NoticeBar, session: Session, tmp_path: Path
) -> None:
    opener.open_to_encode([bad_file(tmp_path)])
    take(notice, "Replace invalid bytes")
    assert session.text == "lower ��"
    assert session.documents == ()


def test_an_encoding_is_chosen_for_the_text_to_encode(
    opener: Opener, notice: NoticeBar, session: Session, window: QWidget, tmp_path: Path
) -> None:
    opener.open_to_encode([bad_file(tmp_path)])
    take(notice, "Choose encoding…")
    dialog = window.findChild(QInputDialog, "encodingDialog")
    assert dialog is not None
    dialog.setTextValue("gb18030")
    dialog.accept()
    assert session.text == "lower 低"


def test_a_large_file_that_is_there_twice_is_mended_twice(
    opener: Opener, notice: NoticeBar, session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 100_000)
    path = bad_file(tmp_path, size=200_000)
    opener.open_paths([path])
    opener.open_paths([path])
    qtbot.waitUntil(lambda: session.count_error is not None)
    take(notice, "Replace invalid bytes")
    qtbot.waitUntil(lambda: session.word_counts is not None)
    assert [document.content for document in session.documents] == [FileDocument(path, None, True)] * 2


def test_a_document_that_was_edited_is_not_replaced(
    opener: Opener, notice: NoticeBar, session: Session, tmp_path: Path
) -> None:
    edited = CorpusDocument("bad.txt", TextDocument("low lower edited"), bad_file(tmp_path))
    session.add_documents([edited])
    opener.open_paths([bad_file(tmp_path)])
    take(notice, "Replace invalid bytes")
    assert [text_of(document) for document in session.documents] == ["low lower edited", "lower ��"]


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is read in a thread."""
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 100_000)
    path = tmp_path / "large.txt"
    path.write_bytes(b"low lower\r\n" * 20_000)
    return path


def test_a_large_file_is_read_as_it_is(opener: Opener, session: Session, qtbot: QtBot, large: Path) -> None:
    with qtbot.waitSignal(session.text_changed):
        opener.open_to_encode([large])
        assert session.text == "", "nobody waits for it"
    assert session.text == "low lower\r\n" * 20_000


def test_the_file_that_was_brought_last_is_encoded(
    opener: Opener, session: Session, qtbot: QtBot, large: Path, tmp_path: Path
) -> None:
    small = tmp_path / "small.txt"
    small.write_text("small")
    opener.open_to_encode([large])
    opener.open_to_encode([small])
    assert session.text == "small"
    opener.shut_down()
    QCoreApplication.processEvents()
    assert session.text == "small"


def test_a_text_that_was_set_meanwhile_is_not_replaced(
    opener: Opener, notice: NoticeBar, session: Session, qtbot: QtBot, large: Path
) -> None:
    opener.open_to_encode([large])
    assert said(notice) == f"Reading {large.name}…"
    session.set_text("newer")
    assert notice.isHidden()
    reading = opener._reading
    qtbot.waitUntil(lambda: not reading.busy)
    assert session.text == "newer"


def test_the_window_closes_while_a_large_file_is_read(opener: Opener, session: Session, large: Path) -> None:
    opener.open_to_encode([large])
    opener.shut_down()
    QCoreApplication.processEvents()
    assert session.text == ""


def test_a_large_file_that_is_no_text_can_be_mended(
    opener: Opener, notice: NoticeBar, session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 100_000)
    opener.open_to_encode([bad_file(tmp_path, size=200_000)])
    qtbot.waitUntil(lambda: not notice.isHidden() and not opener._reading.busy)
    assert "offset 200,006" in said(notice)
    take(notice, "Replace invalid bytes")
    qtbot.waitUntil(lambda: session.text.endswith("low lower ��"))


def test_a_large_file_that_is_gone_is_named(
    opener: Opener, notice: NoticeBar, session: Session, qtbot: QtBot, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_file: FileDocument) -> Iterator[str]:
        raise CorpusError("{path} cannot be read: {reason}", path=large, reason="gone")

    monkeypatch.setattr(FileDocument, "chunks", gone)
    opener.open_to_encode([large])
    qtbot.waitUntil(lambda: not notice.isHidden())
    assert "large.txt cannot be read" in said(notice)
