"""What is said in one breath about a widget when it is made."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QSplitter, QToolButton, QWidget

from bpe_gui.gui.look.theme import set_role

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str, accessible_name: str = "") -> W:
    """The widget itself, with its object name, and the name that screen readers say.

    A label that shows a value gets no accessible name: it would hide the value.
    """
    widget.setObjectName(name)
    if accessible_name:
        widget.setAccessibleName(accessible_name)
    return widget


class MenuButton(QToolButton):
    """A button that does something, and has a menu of other ways behind an arrow, which the key Down opens."""

    def __init__(self, words: str, menu: QMenu) -> None:
        super().__init__(autoRaise=True)
        self.setText(words)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens the menu, for which Qt has no key."""
        if event.key() == Qt.Key.Key_Down:
            self.showMenu()
        else:
            super().keyPressEvent(event)


def hairline(parent: QWidget) -> QFrame:
    """A horizontal line of one pixel."""
    line = QFrame(parent)
    line.setFixedHeight(1)
    set_role(line, "hairline")
    return line


def splitter(orientation: Qt.Orientation, name: str, *widgets: QWidget) -> QSplitter:
    """Widgets that share the room as a person likes; none of them can be made to vanish."""
    made = named(QSplitter(orientation), name)
    made.setChildrenCollapsible(False)
    for widget in widgets:
        made.addWidget(widget)
    return made
