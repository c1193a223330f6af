"""The real window on the screen, and its widgets by their names."""

from typing import TypeVar

from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.ids.token_id_view import TokenIdView
from bpe_gui.gui.views.editor.token_view import TokenView

W = TypeVar("W", bound=QWidget)
LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
_NO_BUTTON = Qt.MouseButton.NoButton
_NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def open_window(qtbot: QtBot) -> MainWindow:
    """The window as the user has it, active; whoever opens it closes it."""
    QLocale.setDefault(QLocale("en_US"))
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return window


def child(window: QWidget, kind: type[W], name: str) -> W:
    """The widget of this name."""
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def editor(window: QWidget) -> TokenEdit:
    """The text to encode."""
    return child(window, TokenEdit, "encodeInput")


def ids(window: QWidget) -> TokenIdView:
    """Its ids."""
    return child(window, TokenIdView, "tokenIdView")


def said(window: QWidget, name: str) -> str:
    """What a label says."""
    return child(window, QLabel, name).text()


def summary(window: QWidget) -> str:
    """The line on what is selected and marked, below the numbers of the text."""
    return "\n".join(said(window, "encodeSummary").splitlines()[1:])


def press(window: QWidget, name: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NO_MODIFIER) -> None:
    """Press a key in the widget of this name, which takes the focus for it."""
    widget = child(window, QWidget, name)
    widget.setFocus()
    QTest.keyClick(widget, key, modifiers)


def point_on_token(window: QWidget, number: int) -> QPoint:
    """Where a token is in the text, in coordinates of the editor's viewport."""
    cells = {cell.index: cell.rects for cell in child(window, TokenView, "tokenView").cells()}
    return cells[number][0].center().toPoint()


def move_mouse(viewport: QWidget, where: QPoint, buttons: Qt.MouseButton = _NO_BUTTON) -> None:
    """Move the mouse in a viewport, with buttons held or without."""
    place = QPointF(where)
    event = QMouseEvent(QEvent.Type.MouseMove, place, place, _NO_BUTTON, buttons, _NO_MODIFIER)
    QApplication.sendEvent(viewport, event)


def open_page(window: QWidget, title: str) -> None:
    """Turn to a page about the token."""
    tabs = child(window, QTabWidget, "tokenFacts")
    titles = [tabs.tabText(index) for index in range(tabs.count())]
    tabs.setCurrentIndex(titles.index(title))
