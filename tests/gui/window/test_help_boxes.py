"""The Help menu shows the version of the program and the memory that it uses."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui import __version__
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.main_window import MainWindow


def test_about_tells_version_and_memory(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "in_use", lambda: 412_345_678)
    monkeypatch.setattr(memory, "available", lambda: 9_800_000_000)
    window = MainWindow()
    qtbot.addWidget(window)
    window.show_about()
    texts = " ".join(label.text() for label in window.findChildren(QLabel) if "bpe-gui" in label.text())
    assert __version__ in texts
    assert "412.3 MB" in texts and "9.8 GB" in texts
    window.close()
