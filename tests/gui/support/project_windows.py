"""Windows with projects: open, save and close them, and answer their questions."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMessageBox, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import project_controller
from bpe_gui.gui.projects.project_controller import ProjectController

from .widgets import child

Button = QMessageBox.StandardButton


def close(window: QWidget) -> None:
    """Close a window, discarding its changes."""
    window.close()
    answer(window, Button.Discard)


def save_question(window: QWidget) -> QMessageBox | None:
    """Return the question about saving changes; None if it is not open."""
    return _visible_box(window, "saveQuestion")


def replace_question(window: QWidget) -> QMessageBox | None:
    """Return the question about replacing what is in the file; None if it is not open."""
    return _visible_box(window, "replaceQuestion")


def press_in_question(window: QWidget, text: str) -> None:
    """Press the button with this text in the question about replacing what is in the file."""
    question = replace_question(window)
    assert question is not None
    next(button for button in question.buttons() if button.text() == text).click()


def _visible_box(window: QWidget, name: str) -> QMessageBox | None:
    box = window.findChild(QMessageBox, name)
    return box if box and box.isVisible() else None


def answer(window: QWidget, button: Button) -> None:
    """If the question about saving changes is open, answer it."""
    for box in window.findChildren(QMessageBox, "saveQuestion"):
        box.button(button).click()


def open_question(window: QWidget) -> QMessageBox | None:
    """Return the question whether files replace the corpus or are added to it; None if it is not open."""
    return _visible_box(window, "openQuestion")


def answer_open_question(window: QWidget, text: str) -> None:
    """Press the button with this text in the question whether files replace the corpus or are added to it."""
    question = open_question(window)
    assert question is not None
    next(button for button in question.buttons() if button.text().replace("&", "") == text).click()


def offers(window: QWidget, name: str = "notice") -> dict[str, QPushButton]:
    """Return the buttons in a notice bar by their texts."""
    bar = child(window, QWidget, f"{name}Bar")
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def recent_actions(window: MainWindow) -> list[QAction]:
    """Return the actions in the menu of recent files, as they are when it is open."""
    menu = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "Open &recent")
    parent = menu.parent()
    assert isinstance(parent, QMenu)
    parent.aboutToShow.emit()
    return [action for action in menu.actions() if action.text()]


def write_corpus(window: QWidget, text: str) -> None:
    """Replace the text in the editor of the corpus."""
    child(window, QPlainTextEdit, "corpusEditor").setPlainText(text)


def wait_until_idle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until no project is being read, restored or saved, and no other long work is in progress."""
    qtbot.waitUntil(lambda: not window.projects.is_busy)
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)


def save_as(projects: ProjectController, path: Path) -> None:
    """Save the project to a file that the user chooses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(project_controller, "ask_where_to_save", lambda *_question: path)
        projects.save_as()


def save_to(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Save the project to a file, and wait until that is done."""
    save_as(window.projects, path)
    qtbot.waitUntil(lambda: not window.projects.is_saving)


def open_from(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a project, and wait until it is restored."""
    window.projects.open(path)
    wait_until_idle(qtbot, window)


def two_file_project(qtbot: QtBot, window: MainWindow, folder: Path) -> Path:
    """Save a project with the files a.txt and b.txt, a run of four merges and the cursor at 3; return its path."""
    for name, text in (("a.txt", "low lower lowest"), ("b.txt", "wide wider widest")):
        (folder / name).write_text(text * 3)
    window.open_paths([folder / "a.txt", folder / "b.txt"])
    window.session.cursor.seek(4)
    window.session.cursor.seek(3)
    save_to(qtbot, window, folder / "p.bpe.json")
    return folder / "p.bpe.json"
