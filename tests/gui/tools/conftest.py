"""The main window, beside which the other windows open."""

import pytest

from bpe_gui.gui.main_window import MainWindow


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    """Return a window at the last step of its sample."""
    window.session.cursor.seek(12)
    return window
