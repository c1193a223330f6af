"""Opening files that are not text, cannot be read, or change while they are read."""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import CorpusError, FileDocument, TextDocument
from bpe_gui.gui.jobs import Activity, end_jobs
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.session import corpus as corpus_document
from bpe_gui.gui.session.corpus import CorpusDocument, read_file
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.window.edit_actions import UndoOffers
from bpe_gui.gui.window.file_opener import FileOpener
from bpe_gui.gui.window.part import Surroundings
from bpe_gui.gui.window.tokenizer_opener import TokenizerOpener
from tests.gui.support.still import run_out
from tests.gui.support.widgets import child
from tests.pipes import make_pipe


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
def session() -> Session:
    return Session()


@pytest.fixture
def opener(session: Session, notice: NoticeBar, window: QWidget, tmp_path: Path) -> FileOpener:
    around = Surroundings(session, Settings(tmp_path / "settings.ini"), Theme("light"), notice, window)
    session.failed.connect(lambda error: notice.show_message(str(error)))  # as the window does
    return FileOpener(around, UndoOffers(around), TokenizerOpener(around))


def message(notice: NoticeBar) -> str:
    assert not notice.isHidden()
    return notice.messages[-1]


def accept(notice: NoticeBar, offer: str) -> None:
    next(button for button in notice.findChildren(QPushButton) if button.text() == offer).click()


def text_of(document: CorpusDocument) -> str:
    return "".join(document.content.chunks())


def undecodable_file(tmp_path: Path, size: int = 0) -> Path:
    path = tmp_path / "bad.txt"
    path.write_bytes(b"low " * (size // 4) + b"lower \xb5\xcd")  # 低 in GB 18030
    return path


@pytest.mark.parametrize("name", ["vocab.json", "merges.txt", "training.json"])
def test_a_pipe_in_place_of_a_tokenizer_file_is_refused(
    qtbot: QtBot, opener: FileOpener, notice: NoticeBar, tmp_path: Path, name: str
) -> None:
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    (tmp_path / "merges.txt").write_text("")
    (tmp_path / name).unlink(missing_ok=True)
    make_pipe(tmp_path / name)
    for path in (tmp_path, tmp_path / "vocab.json"):
        for open in (opener.open_paths, opener.open_to_encode):
            open([path])
            qtbot.waitUntil(lambda: f"{name} is a device or a pipe" in "".join(notice.messages))


def test_a_pipe_is_not_encoded(opener: FileOpener, notice: NoticeBar, session: Session, tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")
    opener.open_to_encode([tmp_path / "pipe"])
    assert "is not a regular file" in message(notice)
    assert session.text.content == ""


@pytest.mark.parametrize(
    "name",
    ["a" * 300, "a/" * 3000, "a\0b", "a\0/vocab.json"],
    ids=["long", "deep", "null character", "folder with null character"],
)
def test_a_path_that_no_system_accepts_is_reported(
    qtbot: QtBot, opener: FileOpener, notice: NoticeBar, session: Session, name: str
) -> None:
    opener.open_paths([Path(name)])
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)
    assert "cannot be read" in message(notice) or "does not exist" in message(notice)
    opener.open_to_encode([Path(name)])
    assert session.corpus.documents == ()


def test_a_text_with_replaced_bytes_is_encoded_if_it_was_opened_for_that(
    opener: FileOpener, notice: NoticeBar, session: Session, tmp_path: Path
) -> None:
    opener.open_to_encode([undecodable_file(tmp_path)])
    accept(notice, "Replace invalid bytes")
    assert session.text.content == "lower ��"
    assert session.corpus.documents == ()


def test_the_encoding_of_the_text_to_encode_can_be_chosen(
    opener: FileOpener, notice: NoticeBar, session: Session, window: QWidget, tmp_path: Path
) -> None:
    opener.open_to_encode([undecodable_file(tmp_path)])
    accept(notice, "Choose encoding…")
    dialog = child(window, QInputDialog, "encodingDialog")
    dialog.setTextValue("gb18030")
    dialog.accept()
    assert session.text.content == "lower 低"


def test_replacing_bytes_applies_to_every_document_of_the_file(
    opener: FileOpener,
    notice: NoticeBar,
    session: Session,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 100_000)
    path = undecodable_file(tmp_path, size=200_000)
    opener.open_paths([path])
    opener.add_paths([path])
    qtbot.waitUntil(lambda: session.counts.error is not None)
    accept(notice, "Replace invalid bytes")
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert [document.content for document in session.corpus.documents] == [FileDocument(path, None, True)] * 2


def test_an_edited_document_is_not_replaced_by_its_file(
    opener: FileOpener, notice: NoticeBar, session: Session, tmp_path: Path
) -> None:
    edited = CorpusDocument("bad.txt", TextDocument("low lower edited"), undecodable_file(tmp_path))
    session.corpus.add_documents([edited])
    opener.add_paths([undecodable_file(tmp_path)])
    accept(notice, "Replace invalid bytes")
    assert [text_of(document) for document in session.corpus.documents] == ["low lower edited", "lower ��"]


def test_the_offer_for_an_unread_file_leaves_when_another_is_opened(
    opener: FileOpener, notice: NoticeBar, session: Session, tmp_path: Path
) -> None:
    other = tmp_path / "good.txt"
    other.write_text("low lower", encoding="utf-8")
    opener.open_paths([undecodable_file(tmp_path)])
    assert "bad.txt" in message(notice)
    opener.open_paths([other])
    assert not any("bad.txt" in each for each in notice.messages)


def field_dialog(window: QWidget) -> QInputDialog:
    return child(window, QInputDialog, "fieldDialog")


def test_long_names_do_not_widen_a_dialog(opener: FileOpener, window: QWidget, tmp_path: Path) -> None:
    path = tmp_path / f"{'long-' * 40}.jsonl"
    path.write_text(f'{{"{"field_" * 60}": "low"}}\n', encoding="utf-8")
    opener.open_paths([path])
    assert field_dialog(window).sizeHint().width() < 700


@pytest.mark.parametrize("most_files", [300, 1], ids=["read", "listed"])
def test_the_field_with_the_text_is_asked_for_once_if_it_is_not_the_usual_one(
    opener: FileOpener,
    session: Session,
    window: QWidget,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    most_files: int,
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(corpus_document, "_MAX_FILES", most_files)
    paths = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for path in paths:
        path.write_text('{"id": 1, "content": "low"}\n{"id": 2, "content": "er"}\n', encoding="utf-8")
    opener.open_paths(paths)
    dialog = field_dialog(window)
    assert dialog.comboBoxItems() == ["content", "id"], "the longest text first"
    assert "a.jsonl and 2 more: there is no text in the field “text”." in dialog.labelText()
    dialog.setTextValue("content")
    dialog.accept()
    assert [document.content for document in session.corpus.documents] == [
        FileDocument(path, field="content") for path in paths
    ]
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert dict(session.counts.words or {}) == {"low": 3, "er": 3}


def test_records_without_text_are_left_out_on_request(
    opener: FileOpener, notice: NoticeBar, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "low"}\n' * 90_000 + "{\n", encoding="utf-8")  # not in the part that is read at once
    opener.open_paths([path])
    qtbot.waitUntil(lambda: session.counts.error is not None)
    assert "line 90001 is not JSON" in message(notice).replace(",", "")
    accept(notice, "Leave out records without text")
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert dict(session.counts.words or {}) == {"low": 90_000}


def test_a_small_compressed_text_is_opened_as_text(opener: FileOpener, session: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"low lower"))
    opener.open_paths([path])
    assert [text_of(document) for document in session.corpus.documents] == ["low lower"]
    path.write_bytes(gzip.compress(b"low lower\n" * 600_000))
    opener.open_paths([path])
    assert [document.content for document in session.corpus.documents] == [FileDocument(path)]


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that is large enough to be read in a thread."""
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 100_000)
    path = tmp_path / "large.txt"
    path.write_bytes(b"low lower\r\n" * 20_000)
    return path


def test_a_large_file_is_read_in_a_thread_without_changes(
    opener: FileOpener, session: Session, qtbot: QtBot, large: Path
) -> None:
    with qtbot.waitSignal(session.text.replaced):
        opener.open_to_encode([large])
        assert session.text.content == "", "the window does not wait"
    assert session.text.content == "low lower\r\n" * 20_000


def test_the_file_opened_last_is_encoded(
    opener: FileOpener, session: Session, window: QWidget, large: Path, tmp_path: Path
) -> None:
    small = tmp_path / "small.txt"
    small.write_text("small")
    opener.open_to_encode([large])
    opener.open_to_encode([small])
    assert session.text.content == "small"
    run_out(window)
    assert session.text.content == "small"


def test_a_text_set_while_a_file_is_read_is_not_replaced(
    opener: FileOpener, notice: NoticeBar, session: Session, window: QWidget, large: Path
) -> None:
    opener.open_to_encode([large])
    assert message(notice) == f"Reading {large.name}…"
    session.text.set_content("newer")
    assert notice.isHidden()
    run_out(window)
    assert session.text.content == "newer"


def test_shutting_down_stops_reading(opener: FileOpener, session: Session, window: QWidget, large: Path) -> None:
    opener.open_to_encode([large])
    end_jobs(window)
    QCoreApplication.processEvents()
    assert session.text.content == ""


def test_a_large_file_that_cannot_be_read_is_named(
    opener: FileOpener, notice: NoticeBar, session: Session, qtbot: QtBot, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_file: FileDocument) -> Iterator[str]:
        raise CorpusError("{path} cannot be read: {reason}", path=large, reason="gone")

    monkeypatch.setattr(FileDocument, "chunks", gone)
    opener.open_to_encode([large])
    qtbot.waitUntil(lambda: not notice.isHidden())
    assert "large.txt cannot be read" in message(notice)


CHANGED = "a.txt has changed on disk."


@pytest.fixture
def counted_file(
    opener: FileOpener, session: Session, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return a file that is the corpus, is read when it is counted, and has a run with steps."""
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 10)
    path = tmp_path / "a.txt"
    path.write_text("low lower lowest")
    opener.open_paths([path])
    qtbot.waitUntil(lambda: session.run.exists)
    session.cursor.seek(2)
    return path


def change(path: Path) -> None:
    path.write_text("wide wider widest", encoding="utf-8")
    os.utime(path, ns=(1, 1))


def return_to_program() -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)


def test_a_file_that_changes_on_disk_is_named_once_and_reloaded(
    counted_file: Path, opener: FileOpener, notice: NoticeBar, session: Session, qtbot: QtBot
) -> None:
    trainer = session.run.trainer
    assert CHANGED not in notice.messages
    change(counted_file)
    shown = []
    for _ in range(2):
        return_to_program()
        run_out(opener._window)
        shown.append(notice.messages.count(CHANGED))
        notice.clear()
    assert shown == [1, 0]
    session.corpus.add_documents([CorpusDocument("b", TextDocument("b"))])
    qtbot.waitUntil(lambda: session.counts.error is not None)
    assert str(session.counts.error) == CHANGED, "it is not counted in place of the file that was opened"
    qtbot.waitUntil(lambda: CHANGED in notice.messages)
    session.train()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE and session.counts.error is not None)
    run_out(opener._window)
    assert (notice.messages.count(CHANGED), session.run.trainer) == (1, trainer)
    accept(notice, "Reload")
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert session.counts.words is not None and "wide" in session.counts.words
    assert session.run.is_stale
    assert CHANGED not in notice.messages
    session.undo()
    session.undo()
    assert session.counts.words is not None and "low" in session.counts.words
    assert (session.run.trainer, session.run.is_stale) == (trainer, False)
    qtbot.waitUntil(lambda: notice.messages[-1:] == [CHANGED])
    session.redo()
    session.redo()
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (trainer, True, 2)


def test_reloading_a_file_withdraws_the_offer_to_undo_opening_it(
    counted_file: Path, opener: FileOpener, notice: NoticeBar, session: Session, window: QWidget, qtbot: QtBot
) -> None:
    other = counted_file.with_name("b.txt")
    other.write_text("newer newest now")
    opener.open_paths([other])
    next(button for button in window.findChildren(QPushButton) if button.text() == "Replace").click()
    qtbot.waitUntil(lambda: session.run.exists and not session.run.is_stale)
    assert [each.partition(" as ")[0] for each in notice.messages] == ["Opened b.txt"]
    change(other)
    return_to_program()
    qtbot.waitUntil(lambda: "b.txt has changed on disk." in notice.messages)
    accept(notice, "Reload")
    assert notice.messages == []


def test_training_on_counted_words_says_that_their_file_has_changed(
    counted_file: Path, notice: NoticeBar, session: Session, qtbot: QtBot
) -> None:
    change(counted_file)
    session.train()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE and CHANGED in notice.messages)
    assert session.counts.words is not None and "low" in session.counts.words


def test_files_are_looked_at_all_in_a_thread_while_the_window_is_used(
    counted_file: Path,
    opener: FileOpener,
    notice: NoticeBar,
    session: Session,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = [counted_file.with_name(f"{number}.txt") for number in range(400)]
    for file in files:
        file.write_text("low lower lowest")
    session.corpus.set_documents([*session.corpus.documents, *(read_file(FileDocument(file)) for file in files)])
    qtbot.waitUntil(lambda: session.counts.words is not None)
    answers, state = Event(), corpus_document.file_stamp

    def answer_late(path: Path) -> corpus_document.FileStamp:
        assert answers.wait(60), "the window waits for the disk"
        return state(path)

    monkeypatch.setattr(corpus_document, "file_stamp", answer_late)
    change(counted_file)
    change(files[-1])
    return_to_program()
    assert notice.messages == []
    answers.set()
    qtbot.waitUntil(lambda: notice.messages == ["2 files have changed on disk."])
