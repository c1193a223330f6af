"""Widgets by object name."""

from typing import TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from bpe_gui.gui.views.chip_text import ChipText, Target

W = TypeVar("W", bound=QWidget)


def child(parent: QWidget, kind: type[W], name: str) -> W:
    """Return the widget with this object name; fail if there is none."""
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def label(parent: QWidget, name: str) -> QLabel:
    """Return a label."""
    return child(parent, QLabel, name)


def label_text(parent: QWidget, name: str) -> str:
    """Return the text of a label."""
    return label(parent, name).text()


def button(parent: QWidget, name: str) -> QAbstractButton:
    """Return a button."""
    return child(parent, QAbstractButton, name)


def box_of(text: ChipText, piece: Target) -> QRectF:
    """Return the box where a token or step was last painted."""
    return text._objects.boxes[text.targets.index(piece)]
