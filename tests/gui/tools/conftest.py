"""The main window, beside which the other windows open."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.wording.language import install_language
from tests.gui.support.windows import open_window


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    """Yield a window at the last step of its sample, which is closed after the test."""
    made = open_window(qtbot)
    made.session.cursor.seek(12)
    yield made
    made.close()
    install_language(qapp, "en")
