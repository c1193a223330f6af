"""Windows with projects in tests: opened, saved and closed, and what they ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects.recovery_files import Recovery

from tests.gui.support.windows import child

Button = QMessageBox.StandardButton


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    window = MainWindow(recovery=Recovery(tmp_path / "recovery"))
    qtbot.addWidget(window, before_close_func=close)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    close(window)


def close(window: QWidget) -> None:
    """Close the window, whatever was changed in it."""
    window.close()
    answer(window, Button.Discard)


def answer(window: QWidget, button: Button) -> None:
    for box in window.findChildren(QMessageBox, "saveQuestion"):
        box.button(button).click()


def asked(window: QWidget) -> str | None:
    box = window.findChild(QMessageBox, "saveQuestion")
    return box.text() if box and box.isVisible() else None


def offers(window: QWidget) -> dict[str, QPushButton]:
    bar = child(window, QWidget, "noticeBar")
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def write(window: QWidget, text: str) -> None:
    child(window, QPlainTextEdit, "corpusEditor").setPlainText(text)


def save_to(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.projects._save_to(path, None)
    qtbot.waitUntil(lambda: not window.projects._saving.busy)


def open_from(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.projects.open(path)
    wait_for_it(qtbot, window)


def wait_for_it(qtbot: QtBot, window: MainWindow) -> None:
    keeper = window.projects
    qtbot.waitUntil(lambda: not keeper._reading.busy and not keeper._restoring.is_at_it)
    qtbot.waitUntil(lambda: window.session.activity is Activity.IDLE)
