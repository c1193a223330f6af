"""The main window at the last step, and the comparison and the report without it."""

from collections.abc import Callable
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.session import Session

from .comparison import support as comparison
from .reports import support as reports


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    """Return a window at the last step of its sample."""
    window.session.cursor.seek(12)
    return window


@pytest.fixture
def open_comparison(qtbot: QtBot) -> Callable[[Session], comparison.Stage]:
    """Return a function that opens the comparison of a session."""
    return partial(comparison.open_stage, qtbot)


@pytest.fixture
def open_report(qtbot: QtBot) -> Callable[[Session], reports.Stage]:
    """Return a function that opens the report of a session."""
    return partial(reports.open_stage, qtbot)
