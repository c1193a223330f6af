"""The memory label shows the memory in use, refreshes while it is visible, and explains itself."""

import re

import pytest
from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.engine.runtime import memory
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.bars.status_labels import MemoryLabel


@pytest.fixture(autouse=True)
def english_numbers() -> None:
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture
def label(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> MemoryLabel:
    monkeypatch.setattr(memory, "in_use", lambda: 412_345_678)
    monkeypatch.setattr(memory, "available", lambda: 9_800_000_000)
    label = MemoryLabel(Theme("light"))
    qtbot.addWidget(label)
    return label


def test_the_window_has_a_memory_label(qtbot: QtBot) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    label = window.findChild(QLabel, "memoryLabel")
    assert label is not None and label.isVisible()
    assert re.fullmatch(r"Memory [\d.]+ [MG]B", label.text())
    window.close()


@pytest.mark.parametrize(
    ("used", "shown"),
    [(412_345_678, "Memory 412 MB"), (999_000_000, "Memory 999 MB"), (1_240_000_000, "Memory 1.2 GB")],
)
def test_the_size_is_rounded(label: MemoryLabel, monkeypatch: pytest.MonkeyPatch, used: int, shown: str) -> None:
    monkeypatch.setattr(memory, "in_use", lambda: used)
    label.show()
    assert label.text() == shown


def test_the_tooltip_explains_the_size(label: MemoryLabel) -> None:
    label.show()
    assert "412.3 MB" in label.toolTip()
    assert "9.8 GB" in label.toolTip()


def test_the_label_refreshes_while_visible(qtbot: QtBot, label: MemoryLabel, monkeypatch: pytest.MonkeyPatch) -> None:
    timer = label.findChild(QTimer)
    assert timer is not None and not timer.isActive()
    assert timer.interval() == 2_000
    timer.setInterval(5)
    label.show()
    width = label.minimumWidth()
    monkeypatch.setattr(memory, "in_use", lambda: 7_000_000)
    qtbot.waitUntil(lambda: label.text() == "Memory 7 MB")
    assert label.minimumWidth() == width >= label.sizeHint().width()
    label.hide()
    assert not timer.isActive()
