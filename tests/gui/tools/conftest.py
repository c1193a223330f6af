"""The main window, and the comparison and the report without it."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.language import install_language
from tests.gui.support.windows import open_window

from .comparison import support as comparison
from .reports import support as reports


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    """Yield a window at the last step of its sample, which is closed after the test."""
    made = open_window(qtbot)
    made.session.cursor.seek(12)
    yield made
    made.close()
    install_language(qapp, "en")


@pytest.fixture
def open_comparison(qtbot: QtBot) -> Callable[[Session], comparison.Stage]:
    """Return a function that opens the comparison of a session."""
    return partial(comparison.open_stage, qtbot)


@pytest.fixture
def open_report(qtbot: QtBot) -> Callable[[Session], reports.Stage]:
    """Return a function that opens the report of a session."""
    return partial(reports.open_stage, qtbot)
