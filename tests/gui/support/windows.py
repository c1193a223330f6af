"""The main window on the screen, and what it shows."""

from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_id_view import TokenIdView

from .token_edits import cells_of
from .widgets import child, label_text

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
_NO_BUTTON = Qt.MouseButton.NoButton
_NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def open_window(qtbot: QtBot) -> MainWindow:
    """Return the main window, shown and active; the caller closes it."""
    QLocale.setDefault(QLocale("en_US"))
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return window


def editor(window: QWidget) -> TokenEdit:
    """Return the editor of the text to encode."""
    return child(window, TokenEdit, "encodeInput")


def ids(window: QWidget) -> TokenIdView:
    """Return the view of the ids."""
    return child(window, TokenIdView, "tokenIdView")


def notices(window: QWidget, name: str = "notice") -> list[str]:
    """Return the visible notices, the newest last."""
    return child(window, NoticeBar, f"{name}Bar").messages


def notice_text(window: QWidget, name: str = "notice") -> str:
    """Return the newest visible notice; fail if there is none."""
    return notices(window, name)[-1]


def summary(window: QWidget) -> str:
    """Return the line about selected and marked tokens, below the statistics of the text."""
    return "\n".join(label_text(window, "encodeSummary").splitlines()[1:])


def press(window: QWidget, name: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NO_MODIFIER) -> None:
    """Focus a widget, given by its object name, and press a key in it."""
    widget = child(window, QWidget, name)
    widget.setFocus()
    QTest.keyClick(widget, key, modifiers)


def point_on_token(window: QWidget, index: int) -> QPoint:
    """Return the centre of a token in the text, in coordinates of the editor's viewport."""
    cells = {cell.index: cell.rects for cell in cells_of(child(window, TokenEdit, "encodeInput"))}
    return cells[index][0].center().toPoint()


def move_mouse(viewport: QWidget, point: QPoint, buttons: Qt.MouseButton = _NO_BUTTON) -> None:
    """Move the mouse to a point of a viewport, with `buttons` held."""
    position = QPointF(point)
    event = QMouseEvent(QEvent.Type.MouseMove, position, position, _NO_BUTTON, buttons, _NO_MODIFIER)
    QApplication.sendEvent(viewport, event)


def open_page(window: QWidget, title: str) -> None:
    """Show one of the pages about the token."""
    tabs = child(window, QTabWidget, "tokenFacts")
    titles = [tabs.tabText(index) for index in range(tabs.count())]
    tabs.setCurrentIndex(titles.index(title))
