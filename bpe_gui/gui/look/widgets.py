"""Small widgets and helpers that several parts of the window use."""

import re
from collections.abc import Callable
from html import escape
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QMenu, QPushButton, QSplitter, QToolButton, QWidget

from .theme import set_role

W = TypeVar("W", bound=QWidget)


def name_widget(widget: W, object_name: str, accessible_name: str = "") -> W:
    """Give `widget` its object name, and the name that screen readers announce; return it.

    Leave `accessible_name` out for a label that shows a value: a screen reader would announce the name instead of
    the value.
    """
    widget.setObjectName(object_name)
    if accessible_name:
        widget.setAccessibleName(accessible_name)
    return widget


def push_button(name: str, text: str, action: Callable[[], object] | None = None) -> QPushButton:
    """Return a button of a dialog, which Return presses only if it is the default one, and which does `action`."""
    button = name_widget(QPushButton(text, autoDefault=False), name, without_mnemonic(text))
    if action is not None:
        button.clicked.connect(action)
    return button


def label_of(field: QWidget, text: str, role: str = "") -> QLabel:
    """Return a label whose mnemonic gives `field` the focus."""
    label = QLabel(text)
    label.setBuddy(field)
    if role:
        set_role(label, role)
    return label


class MenuButton(QToolButton):
    """A button with a default action; its arrow or the Down key opens a menu of other actions."""

    def __init__(self, text: str, menu: QMenu) -> None:
        super().__init__(autoRaise=True)
        self.setText(text)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu on Down; Qt itself has no key for that."""
        if event.key() == Qt.Key.Key_Down:
            self.showMenu()
        else:
            super().keyPressEvent(event)


def hairline(parent: QWidget) -> QFrame:
    """Return a horizontal line of one pixel."""
    line = QFrame(parent)
    line.setFixedHeight(1)
    set_role(line, "hairline")
    return line


def splitter(orientation: Qt.Orientation, name: str, *widgets: QWidget) -> QSplitter:
    """Return a splitter of `widgets`, none of which can be collapsed by dragging."""
    result = name_widget(QSplitter(orientation), name)
    result.setChildrenCollapsible(False)
    for widget in widgets:
        result.addWidget(widget)
    return result


def offer_clearing(field: QLineEdit, name: str) -> None:
    """Have a field offer a button that clears it, once it has text: Qt takes 60 ms to make its first such button."""

    def offer(text: str) -> None:
        if text and not field.isClearButtonEnabled():
            field.setClearButtonEnabled(True)
            for clear_button in field.findChildren(QToolButton):
                clear_button.setAccessibleName(name)
                clear_button.setToolTip(name)

    field.textChanged.connect(offer)


def action_text(action: QAction) -> str:
    """Return the text of `action` without ellipsis and mnemonic, which Chinese menus append in parentheses."""
    return without_mnemonic(action.text())


def without_mnemonic(text: str) -> str:
    """Return the text of an action without ellipsis and mnemonic."""
    return re.sub(r"\(&.\)|&|…$", "", text)


def plain_tool_tip(text: str) -> str:
    """Return markup for a tooltip that shows `text` literally: a token such as `<p>` would be taken for markup."""
    return text and f"<span style='white-space: pre'>{escape(text)}</span>"
