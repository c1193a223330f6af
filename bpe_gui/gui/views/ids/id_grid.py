"""The geometry of a grid of ids: cells of one size, row by row, as many to a row as fit."""

from dataclasses import dataclass
from typing import Final, Self

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics

from bpe_gui.gui.look.spacing import MARGIN

from .id_painter import GAP

_PADDING: Final = 5  # pixels on either side of the longest id


@dataclass(frozen=True, slots=True)
class IdGrid:
    """A grid for one size of viewport.

    Points and rectangles are in the coordinates of the viewport, in pixels. A cell is given as its index, row by row;
    `top` is the index of the first row in view.
    """

    columns: int
    """The number of columns."""
    rows: int
    """The number of whole rows in view."""
    column_width: int
    """The pixels from one column to the next: a cell and the gap after it."""
    row_height: int
    """The pixels from one row to the next: a cell and the gap below it."""

    @classmethod
    def of(cls, font: QFont, area: QSize, largest: int) -> Self:
        """Return the grid for a viewport of the size `area`, with columns wide enough for ids up to `largest`."""
        metrics = QFontMetrics(font)
        width = metrics.horizontalAdvance("0") * len(str(largest)) + 2 * _PADDING + GAP
        height = metrics.height() + 2 + GAP
        columns, rows = (area.width() - 2 * MARGIN) // width, (area.height() - MARGIN + GAP) // height
        return cls(max(1, columns), max(1, rows), width, height)

    def rows_of(self, cells: int) -> int:
        """Return the number of rows that a number of cells takes."""
        return -(-cells // self.columns)

    def cell(self, index: int, top: int) -> QRect:
        """Return the rectangle of a cell, without the gaps around it."""
        row, column = divmod(index, self.columns)
        y = MARGIN + (row - top) * self.row_height
        return QRect(MARGIN + column * self.column_width, y, self.column_width - GAP, self.row_height - GAP)

    def index_at(self, point: QPoint, top: int) -> int:
        """Return the index of the cell at a point; -1 left or right of the columns.

        The index is negative above the grid, and may be beyond the last id below it.
        """
        column = (point.x() - MARGIN) // self.column_width
        row = (point.y() - MARGIN) // self.row_height + top
        return row * self.columns + column if 0 <= column < self.columns else -1

    def cells_between(self, upper: int, lower: int, top: int) -> range:
        """Return the indices of the cells, in whole rows in view, that lie at least in part between two values of y."""
        first, last = ((y - MARGIN) // self.row_height + top for y in (upper, lower))
        return range(max(top, first) * self.columns, min(last + 1, top + self.rows) * self.columns)

    def step(self, key: Qt.Key) -> int:
        """Return by how many cells an arrow or page key moves, negative if back. Raise KeyError for another key."""
        return {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self.columns,
            Qt.Key.Key_Down: self.columns,
            Qt.Key.Key_PageUp: -self.rows * self.columns,
            Qt.Key.Key_PageDown: self.rows * self.columns,
        }[key]

    def size(self, columns: int, rows: int) -> QSize:
        """Return the size of a viewport that fits a number of columns and rows."""
        return QSize(columns * self.column_width + 2 * MARGIN, rows * self.row_height + 2 * MARGIN)
