"""Autosave writes recovery files, and after a crash one window offers them."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from multiprocessing import Pipe
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QListWidget,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Progress, Recipe, TextDocument, train
from bpe_gui.engine.projects.project import Project, ProjectDocument
from bpe_gui.engine.projects.project_file import load_project, save_project
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import autosave as autosave_module
from bpe_gui.gui.projects.autosave import RecoveryFolder
from bpe_gui.samples import default_sample
from tests.engine.support.workers import hold_recovery_file, quick_context
from tests.gui.support.project_windows import Button, answer, close, offers, save_as
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notice_text

WORK = Project((ProjectDocument("draft", TextDocument("my words")),), Recipe.of("minbpe"), (), 300, "to encode")


def left_by_killed_process(folder: Path, project: Project = WORK) -> Path:
    """Save a project to the recovery file of a process, kill the process, and return the file's path."""
    receiving, sending = Pipe(duplex=False)
    process = quick_context().Process(target=hold_recovery_file, args=(folder, sending))
    process.start()
    try:
        path: Path = receiving.recv()
        save_project(project, path)
        assert path not in [file.path for file in RecoveryFolder(folder).left_behind()], "the process is alive"
    finally:
        process.kill()
        process.join()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def open_window(qtbot: QtBot, folder: Path) -> Iterator[Callable[[], MainWindow]]:
    windows: list[MainWindow] = []

    def open_window() -> MainWindow:
        window = MainWindow(recovery=RecoveryFolder(folder))
        qtbot.addWidget(window, before_close_func=close)
        windows.append(window)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield open_window
    for window in windows:
        close(window)


def offer_recovered(qtbot: QtBot, window: MainWindow) -> dict[str, QPushButton]:
    bar = child(window, QWidget, "recoveryBar")
    window.projects.offer_recovered()
    qtbot.waitUntil(bar.isVisible)
    return offers(window, "recovery")


def recovery_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("[!.]*.bpe.json"))


def first_document(path: Path) -> object:
    return load_project(path).documents[0].content


def test_a_recovery_file_can_be_restored(qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path) -> None:
    left = left_by_killed_process(folder)
    window = open_window()
    found = offer_recovered(qtbot, window)
    assert notice_text(window, "recovery").startswith("bpe-gui closed before your work was saved (draft, ")
    assert set(found) == {"Restore", "Discard"}
    found["Restore"].click()
    session = window.session
    assert [document.content for document in session.corpus.documents] == [TextDocument("my words")]
    assert (session.corpus.recipe, session.corpus.vocab_size, session.text.content) == (
        Recipe.of("minbpe"),
        300,
        "to encode",
    )
    assert window.isWindowModified(), "it is only in the recovery file"
    assert recovery_files(folder) == [left], "the recovery file stays until it is saved"
    assert not window.close()
    close(window)
    assert not recovery_files(folder)


def test_a_recovery_offer_is_not_hidden_by_a_later_word(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    left_by_killed_process(folder)
    window = open_window()
    window.copy_diagnostics()
    found = offer_recovered(qtbot, window)
    bar = child(window, QWidget, "recoveryBar")
    assert notice_text(window).startswith("Diagnostics copied."), "an earlier word stays too"
    window.open_sample(default_sample())
    window.open_paths([tmp_path / "gone.txt"])
    window.train()
    qtbot.waitUntil(lambda: not window.session.run.is_training)
    assert bar.isVisible()
    window.choose_language("zh_CN")
    window.choose_language("en")
    assert bar.isVisible() and bar.isVisibleTo(window)
    found["Restore"].click()
    assert bar.isHidden()
    assert [document.content for document in window.session.corpus.documents] == [TextDocument("my words")]


def test_a_recovery_offer_stays_when_the_user_cancels_restoring(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    left_by_killed_process(folder)
    window = open_window()
    window.session.text.set_content("typed since")
    offer_recovered(qtbot, window)["Restore"].click()
    answer(window, Button.Cancel)
    assert window.session.text.content == "typed since"
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "saveQuestion") is None)
    offers(window, "recovery")["Restore"].click()
    answer(window, Button.Discard)
    assert child(window, QWidget, "recoveryBar").isHidden()
    assert window.session.text.content == "to encode"


def test_autosave_continues_in_the_restored_file(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = left_by_killed_process(folder)
    monkeypatch.setattr(autosave_module, "_PAUSE", 1)
    window = open_window()
    offer_recovered(qtbot, window)["Restore"].click()
    child(window, QPlainTextEdit, "corpusEditor").setPlainText("more words")
    qtbot.waitUntil(lambda: first_document(left) == TextDocument("more words"))


def test_a_restored_project_is_saved_to_its_own_file(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.bpe.json"
    left_by_killed_process(folder, Project(WORK.documents, WORK.recipe, (), 300, "", saved_as=own))
    window = open_window()
    found = offer_recovered(qtbot, window)
    assert "mine.bpe.json" in notice_text(window, "recovery")
    found["Restore"].click()
    assert window.windowTitle() == "mine[*] — bpe-gui"
    window.projects.save()
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert first_document(own) == TextDocument("my words")
    qtbot.waitUntil(lambda: not recovery_files(folder))


def test_saving_a_restored_project_asks_before_it_replaces_a_longer_run(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.bpe.json"
    longer = train("low lower lowest", recipe=WORK.recipe, num_merges=5)
    save_project(replace(WORK, run=longer), own)
    left_by_killed_process(folder, replace(WORK, saved_as=own))
    window = open_window()
    offer_recovered(qtbot, window)["Restore"].click()
    window.projects.save()
    box = window.findChild(QMessageBox, "replaceQuestion")
    assert box is not None and box.text() == "Merges in the project: 5. Saving replaces them with 0."
    next(button for button in box.buttons() if button.text() == "Replace").click()
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert load_project(own).run is None
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    window.session.text.set_content("typed")
    window.projects.save()
    assert window.findChild(QMessageBox, "replaceQuestion") is None
    qtbot.waitUntil(lambda: not window.isWindowModified())


def test_saving_a_restored_project_asks_before_it_replaces_another_corpus(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.bpe.json"
    save_project(replace(WORK, documents=(ProjectDocument("before", TextDocument("other words")),)), own)
    left_by_killed_process(folder, replace(WORK, saved_as=own))
    window = open_window()
    offer_recovered(qtbot, window)["Restore"].click()
    window.projects.save()
    box = window.findChild(QMessageBox, "replaceQuestion")
    assert box is not None and box.text().startswith("“mine” contains a different corpus.")
    box.reject()


def test_one_of_several_files_is_restored_and_the_others_stay(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    paths = [
        left_by_killed_process(folder, replace(WORK, text=words)) for words in ("oldest", "older", "newest", "damaged")
    ]
    for age, path in enumerate(paths):
        if path is paths[3]:
            path.write_text("{")
        os.utime(path, (age + 1, age + 1))
    window = open_window()
    found = offer_recovered(qtbot, window)
    assert notice_text(window, "recovery") == "bpe-gui closed 4 times before your work was saved."
    assert not list(RecoveryFolder(folder).left_behind()), "this window offers them"
    found["Choose…"].click()
    choices = child(window, QListWidget, "recoveredList")
    assert [choices.item(row).text().split(" · ")[0] for row in range(4)] == [paths[3].name, "draft", "draft", "draft"]
    assert "is not valid JSON" in label_text(window, "recoveredComplaint")
    assert not child(window, QPushButton, "recoveredRestoreButton").isEnabled()
    child(window, QPushButton, "recoveredDiscardButton").click()
    assert recovery_files(folder) == sorted(paths[:3])
    choices.setCurrentRow(1)
    child(window, QPushButton, "recoveredRestoreButton").click()
    qtbot.waitUntil(lambda: window.session.text.content == "older")
    left = {file.path: file for file in RecoveryFolder(folder).left_behind()}
    assert set(left) == {paths[0], paths[2]}, "the next window offers them"
    for file in left.values():
        file.release()
    close(window)
    assert recovery_files(folder) == sorted([paths[0], paths[2]]), "only discarding deletes"


@pytest.mark.parametrize("own", [None, "mine.bpe.json"])
def test_the_merges_of_a_recovery_file_do_not_show_its_name(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path, own: str | None
) -> None:
    run = train("low lower lowest", recipe=WORK.recipe, num_merges=3)
    left = left_by_killed_process(folder, replace(WORK, run=run, stale=True, saved_as=tmp_path / own if own else None))
    window = open_window()
    offer_recovered(qtbot, window)["Restore"].click()
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    name = child(window, QComboBox, "tokenizerSwitcher")
    assert name.currentText() == (own or "Untitled")
    assert name.toolTip().splitlines()[0] == (str(tmp_path / own) if own else "Splitter: cl100k")
    assert window.windowTitle() == f"{'mine.bpe.json · mine' if own else 'Untitled · draft'}[*] — bpe-gui"
    assert left.exists()


def test_projects_of_the_same_minute_can_be_told_apart(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    run = train("low lower lowest", recipe=WORK.recipe, num_merges=3)
    for second, project in enumerate((replace(WORK, run=run, step=2, text=""), WORK, replace(WORK, text=""))):
        os.utime(left_by_killed_process(folder, project), (second, second))
    window = open_window()
    offer_recovered(qtbot, window)["Choose…"].click()
    choices = child(window, QListWidget, "recoveredList")
    rows = [choices.item(row).text().split(" · ") for row in range(3)]
    assert [row[0] for row in rows] == ["draft"] * 3
    assert [row[2:] for row in rows] == [[], ["9 bytes of text"], ["step 2 of 3"]]
    for second, row in zip((2, 1, 0), rows, strict=True):
        assert f"{datetime.fromtimestamp(second):%M:%S}" in row[1]  # in a time zone that may be 45 minutes off


def test_undecided_files_stay(qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path) -> None:
    paths = {left_by_killed_process(folder), left_by_killed_process(folder)}
    first = open_window()
    offer_recovered(qtbot, first)
    first.close()
    second = open_window()
    offer_recovered(qtbot, second)["Choose…"].click()
    child(second, QPushButton, "recoveredLaterButton").click()
    assert {file.path for file in RecoveryFolder(folder).left_behind()} == paths


def test_a_damaged_file_is_deleted_only_if_discarded(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    left = left_by_killed_process(folder)
    left.write_text("{")
    window = open_window()
    found = offer_recovered(qtbot, window)
    assert "is not valid JSON" in notice_text(window, "recovery")
    assert left.exists()
    found["Discard"].click()
    assert not recovery_files(folder)


def test_windows_leave_the_files_of_others_alone(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    first, second = open_window(), open_window()
    for window, words in ((first, "first"), (second, "second")):
        child(window, QPlainTextEdit, "corpusEditor").setPlainText(words)
        window.projects.autosave.save()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: len(recovery_files(folder)) == 2)
    assert {first_document(path) for path in recovery_files(folder)} == {TextDocument("first"), TextDocument("second")}
    assert not list(RecoveryFolder(folder).left_behind())


def test_autosave_keeps_only_changes_that_are_not_saved(
    qtbot: QtBot,
    open_window: Callable[[], MainWindow],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(autosave_module, "_PAUSE", 1)
    window = open_window()
    window.session.cursor.step()
    autosave = window.projects.autosave
    assert autosave is not None and not autosave.is_due
    window.session.text.set_content("typed")
    qtbot.waitUntil(lambda: len(recovery_files(folder)) == 1 and not autosave.is_saving)
    save_as(window.projects, tmp_path / "a.bpe.json")
    qtbot.waitUntil(lambda: not window.isWindowModified())
    qtbot.waitUntil(lambda: not recovery_files(folder))
    window.session.text.set_content("typed more")
    qtbot.waitUntil(lambda: len(recovery_files(folder)) == 1)
    assert load_project(recovery_files(folder)[0]).saved_as == tmp_path / "a.bpe.json"


def test_a_run_in_training_is_saved_at_the_first_look(qtbot: QtBot, folder: Path) -> None:
    looks: list[Project | None] = [None, WORK]

    def prepare() -> Callable[[Progress], Project] | None:
        project = looks.pop(0)
        return None if project is None else lambda _report: project

    parent = QObject()
    autosave = autosave_module.Autosave(RecoveryFolder(folder), prepare, parent)
    saves = []
    for call in (autosave.save, autosave.touch):  # first the run cannot be read, then it can
        call()
        saves.append(autosave.is_saving)
    assert saves == [False, True]
    qtbot.waitUntil(lambda: len(recovery_files(folder)) == 1)
    assert first_document(recovery_files(folder)[0]) == WORK.documents[0].content
    autosave.forget()
    qtbot.waitUntil(lambda: not recovery_files(folder))


def test_restoring_another_file_during_autosave_keeps_that_file(qtbot: QtBot, folder: Path) -> None:
    restored = RecoveryFolder(folder).new_file()
    assert restored is not None
    save_project(WORK, restored.path)
    started, go_on = threading.Event(), threading.Event()

    def make_project(_report: Progress) -> Project:
        started.set()
        go_on.wait()
        return WORK

    parent = QObject()
    autosave = autosave_module.Autosave(RecoveryFolder(folder), lambda: make_project, parent)
    autosave.save()
    qtbot.waitUntil(started.is_set)
    autosave.continue_in(restored)
    go_on.set()
    qtbot.waitUntil(lambda: not autosave.is_saving)
    assert recovery_files(folder) == [restored.path]
    autosave.forget()
    assert not recovery_files(folder)


def test_work_that_is_saved_elsewhere_leaves_no_file_that_was_just_being_made(qtbot: QtBot, folder: Path) -> None:
    parent = QObject()
    autosave = autosave_module.Autosave(RecoveryFolder(folder), lambda: lambda _report: WORK, parent)
    autosave.save()
    autosave.forget()
    qtbot.waitUntil(lambda: not autosave.is_saving)
    assert not list(folder.iterdir()), "neither a project nor a lock"


def test_a_folder_that_cannot_be_written_is_reported_once(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    folder.write_text("a file, not a folder", encoding="utf-8")
    window = open_window()
    window.session.text.set_content("typed")
    autosave = window.projects.autosave
    assert autosave is not None
    autosave.save()
    qtbot.waitUntil(lambda: not autosave.is_saving)
    assert "Autosave failed" in notice_text(window)
    child(window, QWidget, "noticeBar").hide()
    autosave.save()
    qtbot.waitUntil(lambda: not autosave.is_saving)
    assert child(window, QWidget, "noticeBar").isHidden()


_WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import autosave as autosave_module
from bpe_gui.gui.projects.autosave import RecoveryFolder
autosave_module._PAUSE = autosave_module._WAIT_PER_SAVE = 0
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, sys.argv[1])
app = QApplication([])
folder = Path(sys.argv[1], "recovery")
window = MainWindow(recovery=RecoveryFolder(folder))
count = 0
def type_on():
    global count
    count += 1
    window.session.text.set_content(f"typed {count}")
    if any(folder.glob("*.bpe.json")):
        print("saved", flush=True)
timer = QTimer()
timer.setInterval(1)
timer.timeout.connect(type_on)
timer.start()
app.exec()
"""


def test_a_killed_window_is_restored(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _WINDOW, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "saved\n"
        process.kill()
    window = open_window()
    offer_recovered(qtbot, window)["Restore"].click()
    assert window.session.text.content.startswith("typed ")


_WORKING_PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QMessageBox
from bpe_gui.gui import app

folder = Path(sys.argv[1])
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))
app.default_log_file = lambda: folder / "logs" / "bpe-gui.log"
app.default_recovery_folder = lambda: folder / "recovery"

show = app.MainWindow.show

def show_and_work(window):
    show(window)
    QTimer.singleShot(0, lambda: work(window))

def work(window):
    window.session.corpus.edit_document(0, " ".join(f"w{number:x}" for number in range(1_000)))
    window.session.cursor.seek(3)
    window.session.corpus.set_vocab_size(100_000)
    window.session.train()
    window.session.text.set_content("typed")
    print(window.session.run.is_training, window.projects.autosave.is_due, flush=True)
    QMessageBox.question(window, "", "")

app.MainWindow.show = show_and_work
sys.exit(app.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without a signal")
def test_a_window_that_the_system_ends_asks_nothing_and_is_restored(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", _WORKING_PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "True True\n"
        assert recovery_files(folder) == []
        process.terminate()
        _output, errors = process.communicate()
    assert process.returncode == 0 and "Traceback" not in errors, errors
    window = open_window()
    offer_recovered(qtbot, window)["Restore"].click()
    assert window.session.text.content == "typed"
    assert load_project(recovery_files(folder)[0]).run is not None


def recovered_action(window: MainWindow) -> QAction:
    """Return the action as it is when the File menu is open."""
    menu = next(each for each in window.menuBar().findChildren(QMenu) if each.title() == "&File")
    menu.aboutToShow.emit()
    return window.actions_by_name["recovered_work"]


def test_work_that_was_put_off_is_reached_from_the_menu(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    paths = [left_by_killed_process(folder, replace(WORK, text=text)) for text in ("older", "newer")]
    window = open_window()
    offer_recovered(qtbot, window)["Choose…"].click()
    child(window, QPushButton, "recoveredLaterButton").click()
    qtbot.waitUntil(lambda: window.findChild(QDialog, "recoveredDialog") is None)
    assert child(window, QWidget, "recoveryBar").isHidden()
    action = recovered_action(window)
    assert action.isVisible()
    action.trigger()
    qtbot.waitUntil(lambda: window.findChild(QDialog, "recoveredDialog") is not None)
    assert child(window, QListWidget, "recoveredList").count() == 2
    for _ in paths:
        child(window, QPushButton, "recoveredDiscardButton").click()
    assert recovery_files(folder) == []
    assert not recovered_action(window).isVisible()


def test_a_closed_offer_is_reached_from_the_menu(
    qtbot: QtBot, open_window: Callable[[], MainWindow], folder: Path
) -> None:
    left_by_killed_process(folder)
    window = open_window()
    offer_recovered(qtbot, window)
    child(window, QToolButton, "recoveryCloseButton").click()
    recovered_action(window).trigger()
    qtbot.waitUntil(lambda: window.findChild(QDialog, "recoveredDialog") is not None)
    child(window, QPushButton, "recoveredRestoreButton").click()
    qtbot.waitUntil(lambda: window.session.text.content == "to encode")
    assert not recovered_action(window).isVisible(), "it is the window's own now"


def test_the_menu_has_no_entry_without_recovered_work(open_window: Callable[[], MainWindow]) -> None:
    assert not recovered_action(open_window()).isVisible()
