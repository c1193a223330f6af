"""Where the cells of a grid of ids are: row by row, all of one size, as many in a row as have room."""

from dataclasses import dataclass
from typing import Final, Self

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics

from bpe_gui.gui.views.ids.id_painter import GAP

_MARGIN: Final = 8  # the grid of the window
_PADDING: Final = 5  # beside the longest id


@dataclass(frozen=True, slots=True)
class IdGrid:
    """`width` and `height` are those of a cell with the gap behind it; `rows` are the whole rows in view.

    Places are in coordinates of the viewport, of which the row `top` is the first.
    """

    columns: int
    rows: int
    width: int
    height: int

    @classmethod
    def of(cls, font: QFont, area: QSize, largest: int) -> Self:
        """Columns as wide as the largest id."""
        metrics = QFontMetrics(font)
        width = metrics.horizontalAdvance("0") * len(str(largest)) + 2 * _PADDING + GAP
        height = metrics.height() + 2 + GAP
        columns, rows = (area.width() - 2 * _MARGIN) // width, (area.height() - 2 * _MARGIN) // height
        return cls(max(1, columns), max(1, rows), width, height)

    def rows_of(self, cells: int) -> int:
        """How many rows so many cells take."""
        return -(-cells // self.columns)

    def cell(self, index: int, top: int) -> QRect:
        """Where a cell is, without the gap."""
        row, column = divmod(index, self.columns)
        y = _MARGIN + (row - top) * self.height
        return QRect(_MARGIN + column * self.width, y, self.width - GAP, self.height - GAP)

    def index_at(self, point: QPoint, top: int) -> int:
        """The number of the cell at a point, whether or not there is one; below 0 beside the cells."""
        column = (point.x() - _MARGIN) // self.width
        row = (point.y() - _MARGIN) // self.height + top
        return row * self.columns + column if 0 <= column < self.columns else -1

    def cells_between(self, upper: int, lower: int, top: int) -> range:
        """The cells of the rows between two heights."""
        first, last = ((y - _MARGIN) // self.height + top for y in (upper, lower))
        return range(max(0, first) * self.columns, (last + 1) * self.columns)

    def way(self, key: Qt.Key) -> int:
        """How many cells further a key goes."""
        return {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self.columns,
            Qt.Key.Key_Down: self.columns,
            Qt.Key.Key_PageUp: -self.rows * self.columns,
            Qt.Key.Key_PageDown: self.rows * self.columns,
        }[key]

    def size(self, columns: int, rows: int) -> QSize:
        """The room that so many columns and rows take."""
        return QSize(columns * self.width + 2 * _MARGIN, rows * self.height + 2 * _MARGIN)
