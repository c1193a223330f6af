"""Opening a folder, or all files that match a pattern: what is typed is searched for at once, and never in the way."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import shiboken6
from PySide6.QtCore import QLocale, QMimeData, QPointF, Qt, QTimer, QUrl
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

from bpe_gui.engine import PRESETS, FileDocument, TextDocument, save, train
from bpe_gui.engine.corpora.file_search import FileSearch
from bpe_gui.gui.window import file_opener as opener_module
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.settings import Settings
from bpe_gui.samples import samples

W = TypeVar("W", bound=QWidget)


@pytest.fixture(autouse=True)
def english_numbers() -> None:
    QLocale.setDefault(QLocale("en_US"))


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
    """Three texts, one of them deep down, and what is none."""
    folder = tmp_path / "texts"
    for name in ("one.txt", "two.txt", "deep/three.txt", "read.md", ".hidden.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("low lower ")
    return folder


def child(parent: QWidget, kind: type[W], name: str) -> W:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


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
    """Wait for these words, at the end of the search unless they say that it goes on."""
    goes_on = words[0].startswith("Searching…")

    def is_said() -> bool:
        said = summary(dialog)
        return all(word in said for word in words) and said.startswith("Searching…") == goes_on

    qtbot.waitUntil(is_said)


def titles(window: MainWindow) -> list[str]:
    return [document.title for document in window.session.documents]


def offers(window: MainWindow) -> dict[str, QPushButton]:
    bar = child(window, QWidget, "noticeBar")
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


@contextmanager
def longest_stall(most: float) -> Iterator[None]:
    """Fails where the UI thread is at work for so many seconds, of the processor's, before it gets round."""
    beats = [time.thread_time()]
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: beats.append(time.thread_time()))
    timer.start()
    yield
    QApplication.processEvents()
    timer.stop()
    beats.append(time.thread_time())
    assert max(later - earlier for earlier, later in pairwise(beats)) < most


# -- what is found ----------------------------------------------------------------------------------------------------


def test_it_says_which_files_match(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder)
    assert summary(dialog) == "Searching…"
    assert not open_button(dialog).isEnabled()
    wait_for(qtbot, dialog, "3 files, 30 bytes")
    assert preview(dialog) == [str(Path("deep/three.txt")), "one.txt", "two.txt"]
    assert open_button(dialog).isEnabled()


def test_it_begins_with_the_folder_of_the_last_file_and_the_usual_pattern(
    qtbot: QtBot, window: MainWindow, settings: Settings, folder: Path
) -> None:
    settings.recent_folder = folder
    window.actions_by_name["open_pattern"].trigger()
    dialog = dialog_of(window)
    assert child(dialog, QLineEdit, "patternFolder").text() == str(folder)
    assert child(dialog, QLineEdit, "patternEdit").text() == "**/*.txt"
    wait_for(qtbot, dialog, "3 files")


def test_several_patterns(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder, "*.md; deep/*")
    wait_for(qtbot, dialog, "2 files, 20 bytes")


def test_a_pattern_typed_from_the_root(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder / "deep", f"{folder.as_posix()}/**/*.md")
    wait_for(qtbot, dialog, "1 file, 10 bytes")
    assert preview(dialog) == [str(folder / "read.md")]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [("*.html", "No file matches."), ("", "Write a pattern"), (" ; ", "Write a pattern"), ("[", "No file matches.")],
)
def test_nothing_to_open(qtbot: QtBot, window: MainWindow, folder: Path, pattern: str, told: str) -> None:
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    child(dialog, QLineEdit, "patternEdit").setText(pattern)
    wait_for(qtbot, dialog, told)
    assert preview(dialog) == []
    assert not open_button(dialog).isEnabled()


@pytest.mark.parametrize("name", ["gone", "one.txt", "a\0b"])
def test_a_folder_that_is_none(qtbot: QtBot, window: MainWindow, folder: Path, name: str) -> None:
    dialog = ask(window, folder / name)
    wait_for(qtbot, dialog, "is no folder that can be read")
    assert not open_button(dialog).isEnabled()


def test_no_folder_at_all(window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder)
    child(dialog, QLineEdit, "patternFolder").setText(" ")
    assert "Choose a folder" in summary(dialog)
    assert not open_button(dialog).isEnabled()


def test_a_folder_that_is_closed_is_told(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    @contextmanager
    def guarded(place: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        if place == folder / "deep":
            raise PermissionError(13, "Permission denied", str(place))
        with scan(place) as entries:
            yield entries

    monkeypatch.setattr(os, "scandir", guarded)
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "2 files, 20 bytes", "1 folder cannot be read", "deep")


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_links_in_a_circle(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    (folder / "deep" / "up").symlink_to(folder, target_is_directory=True)
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files, 30 bytes")


def test_too_many_files_are_told(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileSearch.__init__, "__defaults__", (2,))
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "2 files", "there are more")
    assert open_button(dialog).isEnabled()


# -- a search that takes long -----------------------------------------------------------------------------------------


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk on which each search for `*.slow` goes on until it is stopped."""
    run = FileSearch.run

    def slow(search: FileSearch, progress: Callable[[int, int], None]) -> None:
        run(search, progress)
        while any(file.path.suffix == ".slow" for file in search.files):
            progress(1, 1)
            time.sleep(0.001)

    monkeypatch.setattr(FileSearch, "run", slow)


@pytest.mark.usefixtures("endless")
def test_typing_stops_a_search_and_begins_another(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    (folder / "a.slow").write_text("low")
    dialog = ask(window, folder, "*.slow")
    wait_for(qtbot, dialog, "Searching… 1 file, 3 bytes so far")
    assert not open_button(dialog).isEnabled()
    with longest_stall(0.5):
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
    documents = window.session.documents
    dialog.reject()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    if close_window:
        window.close()
    assert window.session.documents == documents


# -- opening ----------------------------------------------------------------------------------------------------------


def test_a_few_files_are_opened_to_be_edited(
    qtbot: QtBot, window: MainWindow, settings: Settings, folder: Path
) -> None:
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    open_button(dialog).click()
    assert titles(window) == ["three.txt", "one.txt", "two.txt"]
    assert all(isinstance(document.content, TextDocument) for document in window.session.documents)
    assert settings.recent_folder == folder


def test_return_opens(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    qtbot.keyClick(child(dialog, QLineEdit, "patternEdit"), Qt.Key.Key_Return)
    assert len(window.session.documents) == 3


def test_files_of_a_tokenizer_that_match_are_texts(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    (folder / "merges.txt").write_text("low low")
    dialog = ask(window, folder, "merges.txt")
    wait_for(qtbot, dialog, "1 file")
    open_button(dialog).click()
    assert titles(window) == ["merges.txt"]


def test_opening_by_mistake_is_undone(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    session = window.session
    before = session.documents, session.recipe, session.vocab_size
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    open_button(dialog).click()
    assert "3 files were opened" in child(window, QLabel, "noticeLabel").text()
    offers(window)["Undo"].click()
    assert (session.documents, session.recipe, session.vocab_size) == before


def test_undoing_keeps_what_was_there_and_what_came_since(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    session = window.session
    session.edit_document(0, "mine")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    open_button(dialog).click()
    session.edit_document(0, "mine and more")
    session.add_documents([CorpusDocument("new", TextDocument("new"))])
    offers(window)["Undo"].click()
    assert ["".join(document.content.chunks()) for document in session.documents] == ["mine and more", "new"]


def test_files_that_are_no_text_are_told_together(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    for name in ("bad.txt", "worse.txt", "worst.txt"):
        (folder / name).write_bytes(b"low \xff")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "6 files")
    open_button(dialog).click()
    assert titles(window) == ["three.txt", "one.txt", "two.txt"]
    said = child(window, QLabel, "noticeLabel").text()
    assert "bad.txt" in said and "2 more files" in said
    offers(window)["Replace invalid bytes"].click()
    assert titles(window)[3:] == ["bad.txt", "worse.txt", "worst.txt"]


def make_many(folder: Path, count: int) -> None:
    for index in range(count):
        place = folder / f"{index // 100:03}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{index:05}.txt").write_text(f"low lower {index}")


def test_three_thousand_files(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    make_many(tmp_path / "many", 3_000)
    with longest_stall(1.0):
        dialog = ask(window, tmp_path / "many")
        qtbot.waitUntil(lambda: "3,000 files" in summary(dialog) and open_button(dialog).isEnabled())
        assert len(preview(dialog)) <= 100
        open_button(dialog).click()
        documents = window.session.documents
        assert len(documents) == 3_000
        assert all(isinstance(document.content, FileDocument) and document.state for document in documents)
        qtbot.waitUntil(lambda: window.session.word_counts is not None)
    assert window.session.word_counts is not None
    assert window.session.word_counts[" lower"] == 3_000
    rows = child(window, QTableView, "documentList")
    with longest_stall(0.5):
        rows.selectRow(2_999)
        rows.scrollToTop()
        window.grab()
    assert rows.model().index(2_999, 0).data() == "02999.txt"
    assert "is read when it is counted" in child(window, QLabel, "corpusNotice").text()


def test_many_files_that_are_chosen_one_by_one_are_not_read_at_once(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_many(tmp_path, 12)
    monkeypatch.setattr(opener_module, "_MOST_READ", 10)
    window.open_paths([*sorted(tmp_path.rglob("*.txt")), tmp_path / "gone.txt"])
    assert len(window.session.documents) == 13
    assert all(isinstance(document.content, FileDocument) for document in window.session.documents)


def test_a_large_sum_is_not_read_at_once(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener_module, "_MOST_BYTES", 29)
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "3 files")
    open_button(dialog).click()
    assert all(isinstance(document.content, FileDocument) for document in window.session.documents)
    qtbot.waitUntil(lambda: window.session.word_counts is not None)


def test_a_file_that_cannot_be_counted_is_left_out(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener_module, "_MOST_READ", 1)
    (folder / "picture.txt").write_bytes(b"\x89PNG\0")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "4 files")
    open_button(dialog).click()
    qtbot.waitUntil(lambda: "Leave it out" in offers(window))
    offers(window)["Leave it out"].click()
    assert titles(window) == ["three.txt", "one.txt", "two.txt"]
    qtbot.waitUntil(lambda: window.session.word_counts is not None)


def test_all_files_that_cannot_be_counted_are_told_together(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener_module, "_MOST_READ", 1)
    for name in ("a.txt", "b.txt", "z.txt"):
        (folder / name).write_bytes("低 ".encode("gb18030"))
    (folder / "fine.txt").write_text("low")
    recipe, size = PRESETS["minbpe"], 300
    for offer, count in (("Choose encoding…", 7), ("Replace invalid bytes", 7), ("Leave them out", 4)):
        window.open_sample(samples()[0])
        window.session.set_recipe(recipe)
        window.session.set_vocab_size(size)
        dialog = ask(window, folder)
        wait_for(qtbot, dialog, "7 files")
        open_button(dialog).click()
        qtbot.waitUntil(lambda: "Leave them out" in offers(window))
        assert "2 more files" in child(window, QLabel, "noticeLabel").text()
        offers(window)[offer].click()
        if encoding := window.findChild(QInputDialog, "encodingDialog"):
            encoding.setTextValue("gb18030")
            encoding.accept()
        qtbot.waitUntil(lambda: window.session.word_counts is not None)
        assert len(window.session.documents) == count
        assert (window.session.recipe, window.session.vocab_size) == (recipe, size)
        assert window.session.word_counts is not None
        assert (window.session.word_counts.get("低", 0) > 0) == (offer == "Choose encoding…")


def test_a_check_of_the_files_ends_with_the_window(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener_module, "_MOST_READ", 1)
    (folder / "a.txt").write_bytes(b"\xff")
    dialog = ask(window, folder)
    wait_for(qtbot, dialog, "4 files")
    open_button(dialog).click()
    qtbot.waitUntil(lambda: window.session.count_error is not None)
    window.close()


# -- folders that are dropped -----------------------------------------------------------------------------------------


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), actions, data, Qt.MouseButton.LeftButton, keys))


def test_a_dropped_folder_is_asked_about(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    drop(window, folder)
    dialog = dialog_of(window)
    assert child(dialog, QLineEdit, "patternFolder").text() == str(folder)
    wait_for(qtbot, dialog, "3 files")


def test_several_dropped_folders_are_asked_about_together(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folders = [tmp_path / "a[1]", tmp_path / "b"]
    for each in folders:
        each.mkdir()
        (each / "text.txt").write_text("low")
    drop(window, *folders)
    dialog = dialog_of(window)
    wait_for(qtbot, dialog, "2 files, 6 bytes")
    assert preview(dialog) == [str(Path("a[1]/text.txt")), str(Path("b/text.txt"))]


def test_files_that_are_dropped_beside_a_folder_are_opened(window: MainWindow, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "beside.txt").write_text("low")
    drop(window, folder, tmp_path / "beside.txt")
    assert titles(window) == ["beside.txt"]
    assert dialog_of(window).isVisible()


def test_a_dropped_tokenizer_is_still_one(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save(train("low low lower", recipe="cs336", num_merges=1), tmp_path)
    drop(window, tmp_path)
    qtbot.waitUntil(lambda: window.session.opened is not None)
    assert window.findChild(QDialog, "openPatternDialog") is None
