"""Opening all files that match a pattern: the search follows every key and never blocks the window."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, FileDocument, FileSearch, TextDocument, save, train
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session import corpus
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.system.settings import Settings
from bpe_gui.samples import samples
from tests.gui.support.project_windows import offers, open_question
from tests.gui.support.widgets import child
from tests.gui.support.windows import notice_text, notices

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    window = MainWindow(settings=settings)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    window.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three text files, one of them in a subfolder, and files that do not match."""
    folder = tmp_path / "texts"
    for name in ("one.txt", "two.txt", "deep/three.txt", "read.md", ".hidden.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("low lower ")
    return folder


def dialog_of(window: MainWindow) -> QDialog:
    return child(window, QDialog, "openPatternDialog")


def ask(window: MainWindow, folder: Path, pattern: str = "**/*.txt") -> QDialog:
    window.actions_by_name["open_pattern"].trigger()
    dialog = dialog_of(window)
    child(dialog, QLineEdit, "patternFolder").setText(str(folder))
    child(dialog, QLineEdit, "patternEdit").setText(pattern)
    return dialog


def summary(dialog: QDialog) -> str:
    return child(dialog, QLabel, "patternSummary").text()


def preview(dialog: QDialog) -> list[str]:
    names = child(dialog, QListWidget, "patternPreview")
    return [names.item(row).text() for row in range(names.count())]


def open_button(dialog: QDialog) -> QPushButton:
    return child(dialog, QPushButton, "patternOpenButton")


def wait_for(qtbot: QtBot, dialog: QDialog, *words: str) -> None:
    """Wait until the summary of the finished search contains `words`, or that of a running one for "Searching…"."""
    is_running = words[0].startswith("Searching…")

    def is_shown() -> bool:
        shown = summary(dialog)
        return all(word in shown for word in words) and shown.startswith("Searching…") == is_running

    qtbot.waitUntil(is_shown)


def titles(window: MainWindow) -> list[str]:
    return [document.title for document in window.session.corpus.documents]


@contextmanager
def longest_stall(most: float) -> Iterator[None]:
    """Fail if the UI thread works for `most` seconds of processor time without returning to the event loop."""
    beats = [time.thread_time()]
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(time.thread_time()))
    timer.start()
    yield
    QApplication.processEvents()
    timer.stop()
    beats.append(time.thread_time())
    assert max(later - earlier for earlier, later in pairwise(beats)) < most


# -- the search ------------------------------------------------------------------------------------------------------


def test_matching_files_are_counted_and_listed(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder)
    assert summary(dialog) == "Searching…"
    assert not open_button(dialog).isEnabled()
    wait_for(qtbot, dialog, "3 files, 30 bytes")
    assert preview(dialog) == [str(Path("deep/three.txt")), "one.txt", "two.txt"]
    assert open_button(dialog).isEnabled()


def test_the_dialog_starts_with_the_recent_folder_and_the_default_pattern(
    qtbot: QtBot, window: MainWindow, settings: Settings, folder: Path
) -> None:
    settings.recent_folder = folder
    for name in ("packed.txt.gz", "deep/lines.jsonl", "lines.jsonl.zst", "rows.parquet", "picture.png"):
        (folder / name).write_text("low")
    window.actions_by_name["open_pattern"].trigger()
    dialog = dialog_of(window)
    assert child(dialog, QLineEdit, "patternFolder").text() == str(folder)
    wait_for(qtbot, dialog, "7 files")
    assert {"packed.txt.gz", "lines.jsonl.zst", "rows.parquet"} < set(preview(dialog))
    assert child(dialog, QLineEdit, "patternEdit").text() == "**/*.txt*; **/*.jsonl*; **/*.parquet"


def test_several_patterns_match_all_their_files(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder, "*.md; deep/*")
    wait_for(qtbot, dialog, "2 files, 20 bytes")


def test_a_pattern_may_be_absolute(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder / "deep", f"{folder.as_posix()}/**/*.md")
    wait_for(qtbot, dialog, "1 file, 10 bytes")
    assert preview(dialog) == [str(folder / "read.md")]


def test_without_a_match_nothing_can_be_opened(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder)
    for pattern, message in (
        ("*.html", "No matching files."),
        ("", "Enter a pattern"),
        (" ; ", "Enter a pattern"),
        ("[", "No matching files."),
    ):
        child(dialog, QLineEdit, "patternEdit").setText("**/*.txt")
        wait_for(qtbot, dialog, "3 files")
        child(dialog, QLineEdit, "patternEdit").setText(pattern)
        wait_for(qtbot, dialog, message)
        assert preview(dialog) == []
        assert not open_button(dialog).isEnabled()


def test_an_invalid_folder_is_reported(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder)
    edit = child(dialog, QLineEdit, "patternFolder")
    for name in ("gone", "one.txt", "a\0b"):
        edit.setText(str(folder))
        wait_for(qtbot, dialog, "3 files")
        edit.setText(str(folder / name))
        wait_for(qtbot, dialog, "is not a readable folder")
        assert not open_button(dialog).isEnabled()
    edit.setText(" ")
    assert "Choose a folder" in summary(dialog)
    assert not open_button(dialog).isEnabled()


def test_an_unreadable_folder_is_reported(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    @contextmanager
    def guarded(path: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        if path == folder / "deep":
            raise PermissionError(13, "Permission denied", str(path))
        with scan(path) as entries:
            yield entries

    monkeypatch.setattr(os, "scandir", guarded)
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "2 files, 20 bytes", "1 unreadable folder", "deep")


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege on Windows")
def test_circular_links_are_followed_once(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    (folder / "deep" / "up").symlink_to(folder, target_is_directory=True)
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files, 30 bytes")


def test_a_limit_on_files_is_reported(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = FileSearch.__init__
    monkeypatch.setattr(FileSearch, "__init__", lambda self, folder, patterns: search(self, folder, patterns, 2))
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "2 files", "more files match")
    assert open_button(dialog).isEnabled()


# -- a search that takes long -----------------------------------------------------------------------------------------


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each search for `*.slow` run until it is cancelled."""
    run = FileSearch.run

    def slow(search: FileSearch, progress: Callable[[int, int], None]) -> None:
        run(search, progress)
        while any(file.path.suffix == ".slow" for file in search.files):
            progress(1, 1)
            time.sleep(0.001)

    monkeypatch.setattr(FileSearch, "run", slow)


@pytest.mark.usefixtures("endless")
def test_typing_cancels_a_search_and_starts_another(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    (folder / "a.slow").write_text("low")
    dialog = ask(window, folder, "*.slow")
    wait_for(qtbot, dialog, "Searching… 1 file, 3 bytes so far")
    assert not open_button(dialog).isEnabled()
    with longest_stall(2.0):
        child(dialog, QLineEdit, "patternEdit").setText("*.txt")
        wait_for(qtbot, dialog, "2 files, 20 bytes")
    assert preview(dialog) == ["one.txt", "two.txt"]


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("close_window", [False, True])
def test_a_search_ends_with_its_dialog_and_with_the_window(
    qtbot: QtBot, window: MainWindow, folder: Path, close_window: bool
) -> None:
    (folder / "a.slow").write_text("low")
    dialog = ask(window, folder, "*.slow")
    wait_for(qtbot, dialog, "Searching… 1 file")
    documents = window.session.corpus.documents
    dialog.reject()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    if close_window:
        window.close()
    assert window.session.corpus.documents == documents


# -- opening ----------------------------------------------------------------------------------------------------------


def test_a_few_files_are_opened_for_editing(qtbot: QtBot, window: MainWindow, settings: Settings, folder: Path) -> None:
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    open_button(dialog).click()
    assert titles(window) == ["three.txt", "one.txt", "two.txt"]
    assert all(isinstance(document.content, TextDocument) for document in window.session.corpus.documents)
    assert settings.recent_folder == folder


def test_matching_files_of_a_tokenizer_are_opened_as_text(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    (folder / "merges.txt").write_text("low low")
    dialog = ask(window, folder, "merges.txt")
    wait_for(qtbot, dialog, "1 file")
    open_button(dialog).click()
    assert titles(window) == ["merges.txt"]


def test_undo_keeps_what_was_typed_and_is_offered_until_another_change(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    session = window.session
    session.corpus.edit_document(0, "mine")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    child(dialog, QPushButton, "patternAddButton").click()
    session.corpus.edit_document(0, "mine and more")
    offers(window)["Undo"].click()
    assert ["".join(document.content.chunks()) for document in session.corpus.documents] == ["mine and more"]
    session.redo()
    session.corpus.add_documents([CorpusDocument("new", TextDocument("new"))])
    assert "Undo" not in offers(window)


def test_undecodable_files_are_reported_together(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    for name in ("bad.txt", "worse.txt", "worst.txt"):
        (folder / name).write_bytes(b"low \xff")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "6 files")
    open_button(dialog).click()
    assert titles(window) == ["three.txt", "one.txt", "two.txt"]
    complaint, opened = notices(window)
    assert "Opened 3 files" in opened
    assert "bad.txt" in complaint and "2 more files" in complaint
    qtbot.waitUntil(lambda: "Replace invalid bytes" in offers(window))
    offers(window)["Replace invalid bytes"].click()
    assert titles(window)[3:] == ["bad.txt", "worse.txt", "worst.txt"]


def make_many(folder: Path, count: int) -> None:
    for index in range(count):
        subfolder = folder / f"{index // 100:03}"
        subfolder.mkdir(parents=True, exist_ok=True)
        (subfolder / f"{index:05}.txt").write_text(f"low lower {index}")


def test_three_thousand_files_do_not_stall_the_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    make_many(tmp_path / "many", 3_000)
    with longest_stall(3.0):
        dialog = ask(window, tmp_path / "many")
        qtbot.waitUntil(lambda: "3,000 files" in summary(dialog) and open_button(dialog).isEnabled())
        assert len(preview(dialog)) <= 100
        open_button(dialog).click()
        documents = window.session.corpus.documents
        assert len(documents) == 3_000
        assert all(isinstance(document.content, FileDocument) and document.state for document in documents)
        qtbot.waitUntil(lambda: window.session.counts.words is not None)
    assert window.session.counts.words is not None
    assert window.session.counts.words[" lower"] == 3_000
    rows = child(window, QTableView, "documentList")
    with longest_stall(2.0):
        rows.selectRow(2_999)
        rows.scrollToTop()
        window.grab()
    assert rows.model().index(2_999, 0).data() == "02999.txt"
    assert "Read from disk during counting" in child(window, QLabel, "corpusNotice").text()


def test_many_chosen_files_are_not_read_into_memory(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_many(tmp_path, 12)
    monkeypatch.setattr(corpus, "_MAX_FILES", 10)
    window.open_paths([*sorted(tmp_path.rglob("*.txt")), tmp_path / "gone.txt"])
    assert len(window.session.corpus.documents) == 13
    assert all(isinstance(document.content, FileDocument) for document in window.session.corpus.documents)


def test_files_of_a_large_total_size_are_not_read_into_memory(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_MAX_BYTES", 29)
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    open_button(dialog).click()
    assert all(isinstance(document.content, FileDocument) for document in window.session.corpus.documents)
    qtbot.waitUntil(lambda: window.session.counts.words is not None)


def test_a_file_that_cannot_be_counted_can_be_left_out(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_MAX_FILES", 1)
    (folder / "picture.txt").write_bytes(b"\x89PNG\0")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "4 files")
    open_button(dialog).click()
    qtbot.waitUntil(lambda: "Leave it out" in offers(window))
    offers(window)["Leave it out"].click()
    assert titles(window) == ["three.txt", "one.txt", "two.txt"]
    qtbot.waitUntil(lambda: window.session.counts.words is not None)


def test_files_that_cannot_be_counted_are_reported_together(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_MAX_FILES", 1)
    for name in ("a.txt", "b.txt", "z.txt"):
        (folder / name).write_bytes("低 ".encode("gb18030"))
    (folder / "fine.txt").write_text("low")
    recipe, size = PRESETS["minbpe"], 300
    for offer, count in (("Choose encoding…", 7), ("Replace invalid bytes", 7), ("Leave them out", 4)):
        window.open_sample(samples()[0])
        window.session.corpus.set_recipe(recipe)
        window.session.corpus.set_vocab_size(size)
        dialog = ask(window, folder)
        wait_for(qtbot, dialog, "7 files")
        open_button(dialog).click()
        qtbot.waitUntil(lambda: "Leave them out" in offers(window))
        assert "2 more files" in notice_text(window)
        offers(window)[offer].click()
        if encoding := window.findChild(QInputDialog, "encodingDialog"):
            encoding.setTextValue("gb18030")
            encoding.accept()
        qtbot.waitUntil(lambda: window.session.counts.words is not None)
        assert len(window.session.corpus.documents) == count
        assert (window.session.corpus.recipe, window.session.corpus.vocab_size) == (recipe, size)
        assert window.session.counts.words is not None
        assert (window.session.counts.words.get("低", 0) > 0) == (offer == "Choose encoding…")


def test_checking_the_files_ends_with_the_window(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_MAX_FILES", 1)
    (folder / "a.txt").write_bytes(b"\xff")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "4 files")
    open_button(dialog).click()
    qtbot.waitUntil(lambda: window.session.counts.error is not None)
    window.close()


# -- dropped folders -------------------------------------------------------------------------------------------------


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), actions, data, Qt.MouseButton.LeftButton, keys))


def test_a_dropped_folder_opens_the_dialog(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    drop(window, folder)
    dialog = dialog_of(window)
    assert child(dialog, QLineEdit, "patternFolder").text() == str(folder)
    wait_for(qtbot, dialog, "3 files")


def test_several_dropped_folders_open_one_dialog(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folders = [tmp_path / "a[1]", tmp_path / "b"]
    for each in folders:
        each.mkdir()
        (each / "text.txt").write_text("low")
    drop(window, *folders)
    dialog = dialog_of(window)
    wait_for(qtbot, dialog, "2 files, 6 bytes")
    assert preview(dialog) == [str(Path("a[1]/text.txt")), str(Path("b/text.txt"))]


@pytest.mark.parametrize("button", ["patternOpenButton", "patternAddButton", "patternCancelButton"])
def test_files_dropped_with_a_folder_are_asked_about_once(
    qtbot: QtBot, window: MainWindow, folder: Path, tmp_path: Path, button: str
) -> None:
    (tmp_path / "beside.txt").write_text("low")
    before, opened = titles(window), ["beside.txt", "three.txt", "one.txt", "two.txt"]
    drop(window, folder, tmp_path / "beside.txt")
    assert open_question(window) is None
    assert titles(window) == before
    dialog = dialog_of(window)
    wait_for(qtbot, dialog, "3 files")
    child(dialog, QPushButton, button).click()
    assert open_question(window) is None
    expected = {"patternOpenButton": opened, "patternAddButton": before + opened, "patternCancelButton": before}
    assert titles(window) == expected[button]


def test_a_folder_that_is_opened_over_an_untouched_sample_is_not_asked_about(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    dialog = ask(window, folder)
    assert child(dialog, QPushButton, "patternAddButton").isHidden()
    assert open_button(dialog).text() == "Open"


def test_a_dropped_folder_of_a_tokenizer_opens_the_tokenizer(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save(train("low low lower", recipe="cs336", num_merges=1), tmp_path)
    drop(window, tmp_path)
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    assert window.findChild(QDialog, "openPatternDialog") is None
