"""The tables of a run, and the filter field in the line above one."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QAbstractItemModel, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QScrollBar,
    QTableView,
    QToolButton,
)

from bpe_gui.gui.look.theme import prepare_table

SINGLE_SELECTION: Final = QAbstractItemView.SelectionMode.SingleSelection
NO_SELECTION: Final = QAbstractItemView.SelectionMode.NoSelection

_HINT_FLAGS: Final = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
_TABLE_KEYS: Final = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})
_ESCAPE: Final = Qt.Key.Key_Escape
_CELL_MARGIN: Final = 8
_MARGIN: Final = 8  # the grid of the window


class RunTable(QTableView):
    """A table as all tables are here, with a hint where it is empty."""

    escaped = Signal()

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        accessible_name: str,
        selection: QAbstractItemView.SelectionMode = SINGLE_SELECTION,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self.hint = ""
        self._selection = selection
        self.setModel(model)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollBar(_ScrollBar(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # so that no column moves

    def set_widths(self, widths: Mapping[int, int], stretched: Sequence[int]) -> None:
        """Fix the widths of columns until the user drags them; the stretched ones share the rest."""
        header = self.horizontalHeader()
        header.setMinimumSectionSize(min(widths.values()))
        for column in stretched:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column, width in widths.items():
            header.resizeSection(column, width)

    def widen(self, column: int, text: str) -> None:
        """Make a column wide enough for a text in bold; it never becomes narrower."""
        font = self.font()
        font.setBold(True)
        width = QFontMetrics(font).horizontalAdvance(text) + 2 * _CELL_MARGIN
        if self.horizontalHeader().sectionSize(column) < width:
            self.horizontalHeader().resizeSection(column, width)

    def set_fonts(self, rows: QFont, rest: QFont) -> None:
        """Make the rows high enough for one font, and use the other where the model names none."""
        prepare_table(self, rows)
        self.setFont(rest)
        self.setSelectionMode(self._selection)

    def select_in_place(self, row: int) -> None:
        """Select a row, or none for -1, without scrolling to it."""
        if row == self.currentIndex().row() and (row < 0 or self.selectionModel().isRowSelected(row)):
            return
        self.setAutoScroll(False)
        self.clearSelection()
        self.setCurrentIndex(self.model().index(row, 0))
        self.setAutoScroll(True)

    def go_to(self, row: int) -> None:
        """Make a row, or none for -1, the current one, and have it in view."""
        self.updateGeometries()  # else new rows cannot be scrolled to yet
        self.setCurrentIndex(self.model().index(row, 0))
        if row < 0:
            self.scrollToTop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == _ESCAPE:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hint and not self.model().rowCount():
            area = self.viewport().rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().placeholderText().color())
            painter.drawText(area, _HINT_FLAGS, self.hint)


class _ScrollBar(QScrollBar):
    """Keeps its place where there is nothing to scroll, and shows nothing there."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


class FilterField(QLineEdit):
    """Keeps the focus while the arrow keys move the table's selection; Esc empties it."""

    def __init__(self, table: QTableView, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._table = table
        self.setClearButtonEnabled(True)
        for clear_button in self.findChildren(QToolButton):
            clear_button.setAccessibleName(self.tr("Clear the filter"))
        self.setFixedWidth(160)

    def take_focus(self) -> None:
        """Let the user type."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _TABLE_KEYS:
            QApplication.sendEvent(self._table, event)
        elif event.key() == _ESCAPE and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
