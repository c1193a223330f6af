"""Work is saved for safety while it is done, and offered when the program was killed; by one window only."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QListWidget, QMessageBox, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe, TextDocument, train
from bpe_gui.engine.projects.project import Project, ProjectDocument
from bpe_gui.engine.projects.project_file import load_project, save_project
from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import autosave as autosave_module
from bpe_gui.gui.projects.recovery_files import Recovery

from tests.gui.support.windows import child, said

WORK = Project((ProjectDocument("draft", TextDocument("my words")),), Recipe.of("minbpe"), (), 300, "to encode")

_DYING = """
import os, signal, sys
from pathlib import Path
from bpe_gui.gui.projects.recovery_files import Recovery
file = Recovery(Path(sys.argv[1])).new()
print(file.path, flush=True)
sys.stdin.readline()
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(folder: Path, project: Project = WORK) -> Path:
    """The file of a process that was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", _DYING, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        path = Path(process.stdout.readline().strip())
        save_project(project, path)
        assert path not in [file.path for file in Recovery(folder).left_behind()], "it lives"
        process.communicate("\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def open_window(qtbot: QtBot, folder: Path) -> Iterator[Callable[[], MainWindow]]:
    windows: list[MainWindow] = []

    def open_window() -> MainWindow:
        window = MainWindow(recovery=Recovery(folder))
        qtbot.addWidget(window, before_close_func=discard)
        windows.append(window)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield open_window
    for window in windows:
        discard(window)


def discard(window: QWidget) -> None:
    window.close()
    for box in window.findChildren(QMessageBox, "saveQuestion"):
        box.button(QMessageBox.StandardButton.Discard).click()


def offer(qtbot: QtBot, window: MainWindow) -> dict[str, QPushButton]:
    bar = child(window, QWidget, "noticeBar")
    window.projects.offer_recovered()
    qtbot.waitUntil(bar.isVisible)
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("[!.]*.bpe.json"))


def text_in(path: Path) -> object:
    return load_project(path).documents[0].content


needs_kill = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


@needs_kill
def test_what_a_killed_process_left_is_restored(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    left = killed(folder)
    window = open_window()
    offers = offer(qtbot, window)
    assert said(window, "noticeLabel").startswith("The program ended before your work was saved (draft, ")
    assert set(offers) == {"Restore", "Discard"}
    offers["Restore"].click()
    session = window.session
    assert [document.content for document in session.documents] == [TextDocument("my words")]
    assert (session.recipe, session.vocab_size, session.text) == (Recipe.of("minbpe"), 300, "to encode")
    assert window.isWindowModified(), "it is in no file of the user's"
    assert files(folder) == [left], "it is safe until it is"
    assert not window.close()
    discard(window)
    assert not files(folder)


@needs_kill
def test_what_is_restored_is_safe_from_the_next_crash(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = killed(folder)
    monkeypatch.setattr(autosave_module, "_PAUSE", 1)
    window = open_window()
    offer(qtbot, window)["Restore"].click()
    child(window, QPlainTextEdit, "corpusEditor").setPlainText("more words")
    qtbot.waitUntil(lambda: text_in(left) == TextDocument("more words"))


@needs_kill
def test_restored_work_goes_back_to_its_own_file(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.bpe.json"
    killed(folder, Project(WORK.documents, WORK.recipe, (), 300, "", saved_as=own))
    window = open_window()
    offers = offer(qtbot, window)
    assert "mine.bpe.json" in said(window, "noticeLabel")
    offers["Restore"].click()
    assert window.windowTitle() == "mine[*] — bpe-gui"
    window.projects.save()
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert text_in(own) == TextDocument("my words")
    qtbot.waitUntil(lambda: not files(folder))


@needs_kill
def test_what_is_restored_does_not_silently_replace_longer_merges(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.bpe.json"
    longer = train("low lower lowest", recipe=WORK.recipe, num_merges=5)
    save_project(replace(WORK, run=longer), own)
    killed(folder, replace(WORK, saved_as=own))
    window = open_window()
    offer(qtbot, window)["Restore"].click()
    window.projects.save()
    box = window.findChild(QMessageBox, "replaceQuestion")
    assert box is not None and box.text() == "The project holds 5 merges; saving replaces them by 0."
    next(button for button in box.buttons() if button.text() == "Replace").click()
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert load_project(own).run is None
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    window.session.set_text("typed")
    window.projects.save()
    assert window.findChild(QMessageBox, "replaceQuestion") is None
    qtbot.waitUntil(lambda: not window.isWindowModified())


@needs_kill
def test_of_several_one_is_chosen_and_the_others_are_left(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    paths = [killed(folder, replace(WORK, text=words)) for words in ("oldest", "older", "newest", "damaged")]
    for age, path in enumerate(paths):
        if path is paths[3]:
            path.write_text("{")
        os.utime(path, (age + 1, age + 1))
    window = open_window()
    offers = offer(qtbot, window)
    assert said(window, "noticeLabel") == "The program ended before your work was saved, 4 times."
    assert not list(Recovery(folder).left_behind()), "they are being offered"
    offers["Choose…"].click()
    works = child(window, QListWidget, "recoveredList")
    assert [works.item(row).text().split(" · ")[0] for row in range(4)] == [paths[3].name, "draft", "draft", "draft"]
    assert "is not JSON" in said(window, "recoveredComplaint")
    assert not child(window, QPushButton, "recoveredRestoreButton").isEnabled()
    child(window, QPushButton, "recoveredDiscardButton").click()
    assert files(folder) == sorted(paths[:3])
    works.setCurrentRow(1)
    child(window, QPushButton, "recoveredRestoreButton").click()
    qtbot.waitUntil(lambda: window.session.text == "older")
    left = {file.path: file for file in Recovery(folder).left_behind()}
    assert set(left) == {paths[0], paths[2]}, "the next window is offered them"
    for file in left.values():
        file.release()
    discard(window)
    assert files(folder) == sorted([paths[0], paths[2]]), "nothing is deleted unasked"


@needs_kill
@pytest.mark.parametrize("own", [None, "mine.bpe.json"])
def test_merges_that_are_shown_bear_no_name_of_ours(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path, own: str | None
) -> None:
    run = train("low lower lowest", recipe=WORK.recipe, num_merges=3)
    left = killed(folder, replace(WORK, run=run, stale=True, saved_as=tmp_path / own if own else None))
    window = open_window()
    offer(qtbot, window)["Restore"].click()
    qtbot.waitUntil(lambda: window.session.opened is not None)
    name = child(window, QLabel, "openedTokenizerName")
    assert name.text() == (own or "Untitled")
    assert name.toolTip() == (str(tmp_path / own) if own else "")
    assert window.windowTitle() == f"{'mine.bpe.json · mine' if own else 'draft'}[*] — bpe-gui"
    assert left.exists()


@needs_kill
def test_works_of_the_same_minute_can_be_told_apart(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    run = train("low lower lowest", recipe=WORK.recipe, num_merges=3)
    for second, project in enumerate((replace(WORK, run=run, step=2, text=""), WORK, replace(WORK, text=""))):
        os.utime(killed(folder, project), (second, second))
    window = open_window()
    offer(qtbot, window)["Choose…"].click()
    works = child(window, QListWidget, "recoveredList")
    rows = [works.item(row).text().split(" · ") for row in range(3)]
    assert [row[0] for row in rows] == ["draft"] * 3
    assert [row[2:] for row in rows] == [[], ["text of 9 bytes"], ["step 2 of 3"]]
    assert [":00:02" in rows[0][1], ":00:01" in rows[1][1], ":00:00" in rows[2][1]] == [True] * 3


@needs_kill
def test_what_nobody_decides_upon_is_left(qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path) -> None:
    paths = {killed(folder), killed(folder)}
    first = open_window()
    offer(qtbot, first)
    first.close()
    second = open_window()
    offer(qtbot, second)["Choose…"].click()
    child(second, QPushButton, "recoveredLaterButton").click()
    assert {file.path for file in Recovery(folder).left_behind()} == paths


@needs_kill
def test_a_damaged_file_is_not_deleted_unasked(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    left = killed(folder)
    left.write_text("{")
    window = open_window()
    offers = offer(qtbot, window)
    assert "is not JSON" in said(window, "noticeLabel")
    assert left.exists()
    offers["Discard"].click()
    assert not files(folder)


def test_windows_do_not_take_each_others(qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path) -> None:
    first, second = open_window(), open_window()
    for window, words in ((first, "first"), (second, "second")):
        child(window, QPlainTextEdit, "corpusEditor").setPlainText(words)
        window.projects._autosave.save()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: len(files(folder)) == 2)
    assert {text_in(path) for path in files(folder)} == {TextDocument("first"), TextDocument("second")}
    assert not list(Recovery(folder).left_behind())


def test_only_changes_are_saved_for_safety_and_only_while_they_are_nowhere_else(
    qtbot: QtBot,
    open_window: Callable[[], MainWindow],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(autosave_module, "_PAUSE", 1)
    window = open_window()
    window.session.step()
    autosave = window.projects._autosave
    assert autosave is not None and not autosave._pause.isActive()
    window.session.set_text("typed")
    qtbot.waitUntil(lambda: len(files(folder)) == 1 and not autosave._job.busy)
    window.projects._save_to(tmp_path / "a.bpe.json", None)
    qtbot.waitUntil(lambda: not window.isWindowModified())
    qtbot.waitUntil(lambda: not files(folder))
    window.session.set_text("typed more")
    qtbot.waitUntil(lambda: len(files(folder)) == 1)
    assert load_project(files(folder)[0]).saved_as == tmp_path / "a.bpe.json"


def test_what_a_thread_is_training_is_saved_at_the_first_look(qtbot: QtBot, folder: Path) -> None:
    looks: list[Project | None] = [None, WORK]

    def take() -> Callable[[Report], Project] | None:
        work = looks.pop(0)
        return None if work is None else lambda report: work

    parent = QObject()
    autosave = autosave_module.Autosave(Recovery(folder), take, parent)
    saves = []
    for act in (autosave.save, autosave.touch):  # nobody can read the run; it can be looked at, which may not last
        act()
        saves.append(autosave._job.busy)
    assert saves == [False, True]
    qtbot.waitUntil(lambda: len(files(folder)) == 1)
    assert text_in(files(folder)[0]) == WORK.documents[0].content
    autosave.shut_down()
    assert not files(folder)


def test_a_place_that_cannot_be_written_is_said_once(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    folder.write_text("no folder")
    window = open_window()
    window.session.set_text("typed")
    autosave = window.projects._autosave
    assert autosave is not None
    autosave.save()
    assert "could not be saved for safety" in said(window, "noticeLabel")
    child(window, QWidget, "noticeBar").hide()
    autosave.save()
    assert child(window, QWidget, "noticeBar").isHidden()


_WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import autosave as autosave_module
from bpe_gui.gui.projects.recovery_files import Recovery
autosave_module._PAUSE = autosave_module._SHARE = 0
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, sys.argv[1])
app = QApplication([])
folder = Path(sys.argv[1], "recovery")
window = MainWindow(recovery=Recovery(folder))
count = 0
def type_on():
    global count
    count += 1
    window.session.set_text(f"typed {count}")
    if any(folder.glob("*.bpe.json")):
        print("at work", flush=True)
timer = QTimer(interval=1)
timer.timeout.connect(type_on)
timer.start()
app.exec()
"""


@needs_kill
def test_a_window_that_is_killed_at_work_is_restored(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _WINDOW, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "at work\n"
        process.send_signal(signal.SIGKILL)
    window = open_window()
    offer(qtbot, window)["Restore"].click()
    assert window.session.text.startswith("typed ")
