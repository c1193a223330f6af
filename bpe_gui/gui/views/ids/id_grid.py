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
    """A grid for one size of viewport; `width` and `height` are those of a cell with the gap after it, in pixels.

    Points and rectangles are in the coordinates of the viewport; `top` is the first row in view.
    """

    columns: int
    rows: int
    """The number of whole rows in view."""
    width: int
    height: int

    @classmethod
    def of(cls, font: QFont, area: QSize, largest: int) -> Self:
        """Return the grid for a viewport of this size, with columns wide enough for the id `largest`."""
        metrics = QFontMetrics(font)
        width = metrics.horizontalAdvance("0") * len(str(largest)) + 2 * _PADDING + GAP
        height = metrics.height() + 2 + GAP
        columns, rows = (area.width() - 2 * MARGIN) // width, (area.height() - 2 * MARGIN) // height
        return cls(max(1, columns), max(1, rows), width, height)

    def rows_of(self, cells: int) -> int:
        """Return how many rows this number of cells takes."""
        return -(-cells // self.columns)

    def cell(self, index: int, top: int) -> QRect:
        """Return the rectangle of a cell, without the gap."""
        row, column = divmod(index, self.columns)
        y = MARGIN + (row - top) * self.height
        return QRect(MARGIN + column * self.width, y, self.width - GAP, self.height - GAP)

    def index_at(self, point: QPoint, top: int) -> int:
        """Return the index of the cell at a point, which may be beyond the last id; negative beside the columns."""
        column = (point.x() - MARGIN) // self.width
        row = (point.y() - MARGIN) // self.height + top
        return row * self.columns + column if 0 <= column < self.columns else -1

    def cells_between(self, upper: int, lower: int, top: int) -> range:
        """Return the cells of the rows between two values of y."""
        first, last = ((y - MARGIN) // self.height + top for y in (upper, lower))
        return range(max(0, first) * self.columns, (last + 1) * self.columns)

    def step(self, key: Qt.Key) -> int:
        """Return by how many cells an arrow or page key moves."""
        return {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self.columns,
            Qt.Key.Key_Down: self.columns,
            Qt.Key.Key_PageUp: -self.rows * self.columns,
            Qt.Key.Key_PageDown: self.rows * self.columns,
        }[key]

    def size(self, columns: int, rows: int) -> QSize:
        """Return the size of a viewport for this number of columns and rows."""
        return QSize(columns * self.width + 2 * MARGIN, rows * self.height + 2 * MARGIN)
