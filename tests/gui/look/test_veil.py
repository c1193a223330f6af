"""A veil dims what stays out of date, does not flicker, and lets the mouse through."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.overlays import Veil


def test_it_covers_what_stays_out_of_date(qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    layout, button = QVBoxLayout(panel), QPushButton("press")
    layout.addWidget(button)
    panel.resize(200, 100)
    panel.show()
    veil, pressed = Veil(panel), []
    button.clicked.connect(lambda: pressed.append(True))
    veil.set_dimmed(True)
    assert veil.isHidden(), "not at once: it may be renewed in a moment"
    plain = panel.grab().toImage()
    qtbot.waitUntil(veil.isVisible)
    assert veil.rect() == panel.rect() and panel.grab().toImage() != plain
    panel.resize(300, 150)
    qtbot.waitUntil(lambda: veil.rect() == panel.rect())
    QTest.mouseClick(panel.childAt(button.geometry().center()) or panel, Qt.MouseButton.LeftButton)
    assert pressed, "what it covers can be used"
    veil.set_dimmed(False)
    assert veil.isHidden()
    veil.set_dimmed(True)
    veil.set_dimmed(False)
    timer = veil.findChild(QTimer)
    assert timer is not None and not timer.isActive(), "what is renewed at once is never covered"
