"""Qt's boxes and lists without what surprises: a wheel that turns on the way past, a menu's click that moves.

A box that the wheel may change only while it has the focus must not get the focus by the wheel either.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QListWidget, QSpinBox, QWidget

from .qt_constants import RIGHT_BUTTON


class SpinBox(QSpinBox):
    """A spin box that the wheel changes only while it has the focus."""

    def __init__(
        self, parent: QWidget | None = None, *, minimum: int = 0, maximum: int = 99, value: int | None = None
    ) -> None:
        super().__init__(parent, minimum=minimum, maximum=maximum)
        self.setValue(minimum if value is None else value)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what is behind the box, which may scroll, unless the box has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ComboBox(QComboBox):
    """A combo box that the wheel changes only while it has the focus."""

    def __init__(self, parent: QWidget | None = None, *, editable: bool = False) -> None:
        super().__init__(parent, editable=editable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what is behind the box, which may scroll, unless the box has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ListWidget(QListWidget):
    """A list in which the right button neither selects nor moves to an item."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Do nothing for the right button."""
        if event.button() != RIGHT_BUTTON:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Do nothing for the right button."""
        if event.button() != RIGHT_BUTTON:
            super().mouseDoubleClickEvent(event)
