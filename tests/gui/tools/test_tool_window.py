"""The windows beside the main window: Ctrl+Q closes all of them."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.tools.tool_window import ToolWindow


def test_quitting_closes_the_main_window(qtbot: QtBot) -> None:
    main = QWidget()
    qtbot.addWidget(main)
    main.show()
    window = ToolWindow("tool", main)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not main.isVisible()
