"""A window that saves its work automatically, and a project."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects.autosave import RecoveryFolder
from tests.gui.support.project_windows import close, two_file_project


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """Yield a visible window with autosave."""
    window = MainWindow(recovery=RecoveryFolder(tmp_path / "recovery"))
    qtbot.addWidget(window, before_close_func=close)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    close(window)


@pytest.fixture
def project(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Path:
    """Save a project of two files with four merges, at step 3, and return its path."""
    return two_file_project(qtbot, window, tmp_path)
