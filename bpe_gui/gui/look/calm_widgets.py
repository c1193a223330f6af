"""Qt's boxes, tables and lists without what surprises: a wheel that turns on the way past, a menu's click that moves.

A box that the wheel may change only while it has the focus must not get the focus by the wheel either.
"""

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QListWidget, QMenu, QSpinBox, QTableView, QWidget

from .qt_constants import COPY, RIGHT_BUTTON, SCROLL_PER_ITEM, SHORTCUT_OVERRIDE
from .table_copy import RowStyle, rows_as_text


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


class Table(QTableView):
    """A table in which the right button neither selects nor moves to a row, and whose rows can be copied.

    Its first row is never clipped.
    """

    menu_requested = Signal(QModelIndex, QPointF, QPoint)
    """The user asked for the menu of a cell, at a point of the viewport, which is at a position on the screen."""

    menu_opened = Signal(QMenu, QModelIndex)
    """The menu of a cell is about to be shown; actions for the row may be added to it."""

    def updateGeometries(self) -> None:  # noqa: N802 (Qt's name)
        """Show the first row wholly after a change of the size or the rows."""
        super().updateGeometries()
        self._align_first_row()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """Show the first row wholly at the end as well, where Qt aligns the last one with the bottom."""
        super().scrollContentsBy(dx, dy)
        self._align_first_row()

    def _align_first_row(self) -> None:
        bar, rows = self.verticalScrollBar(), self.verticalHeader()
        if self.verticalScrollMode() == SCROLL_PER_ITEM and 0 < bar.value() == bar.maximum():
            offset = rows.sectionPosition(bar.value())
            if rows.offset() != offset:
                rows.setOffset(offset)
                self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the cell under the mouse, or of the current one if a key was pressed for it."""
        point = event.pos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            point = self.visualRect(self.currentIndex()).center()
        self.menu_requested.emit(self.indexAt(point), QPointF(point), self.viewport().mapToGlobal(point))

    def event(self, event: QEvent) -> bool:
        """Claim the key that copies a row, which is then not the window's while the table has the focus."""
        if event.type() == SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and event.matches(COPY):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the current row with Ctrl+C."""
        if event.matches(COPY):
            self.copy()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Copy the current row, if there is one."""
        if self.currentIndex().isValid():
            self.copy_row(self.currentIndex().row())

    def copy_row(self, row: int) -> None:
        """Copy a row as tab-separated values."""
        text = rows_as_text(self, [row], RowStyle.TSV, titles=False).removesuffix("\n")
        QGuiApplication.clipboard().setText(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Do nothing for the right button."""
        if event.button() != RIGHT_BUTTON:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Do nothing for the right button."""
        if event.button() != RIGHT_BUTTON:
            super().mouseDoubleClickEvent(event)


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
