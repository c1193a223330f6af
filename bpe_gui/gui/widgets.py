"""What is said in one breath about a widget when it is made."""

from typing import TypeVar

from PySide6.QtWidgets import QFrame, QWidget

from bpe_gui.gui.theme import set_role

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str, accessible_name: str = "") -> W:
    """The widget itself, with its object name, and the name that screen readers say.

    A label that shows a value gets no accessible name: it would hide the value.
    """
    widget.setObjectName(name)
    if accessible_name:
        widget.setAccessibleName(accessible_name)
    return widget


def hairline(parent: QWidget) -> QFrame:
    """A horizontal line of one pixel."""
    line = QFrame(parent)
    line.setFixedHeight(1)
    set_role(line, "hairline")
    return line
