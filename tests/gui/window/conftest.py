"""The main window, open and active, for all tests of this folder; a test file may bring it into another state."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from tests.gui.support.windows import open_window


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = open_window(qtbot)
    yield window
    window.close()
