"""Paint the cells of the grid of ids."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from bpe_gui.engine.runtime import Int32Array
from bpe_gui.gui.look.palette import TokenPalette, faded
from bpe_gui.gui.look.qt_constants import ALIGN_CENTER, NO_BRUSH, NO_PEN
from bpe_gui.gui.views.tokens import Tokens

_CORNER: Final = 3.0  # pixels, the radius of a cell's corners
_NO_ID: Final = "?"

GAP: Final = 2
"""Pixels between neighbouring cells."""


class IdPainter:
    """A painter of cells, with pens and brushes made once for a palette.

    A token is given as its `index` in `tokens`; `colors` has the number of a shade for each of these. Cells are in the
    coordinates of the painter, in pixels.
    """

    def __init__(self, palette: TokenPalette) -> None:
        self._fills = [QBrush(color) for color in palette.shades]
        self._text = QPen(palette.text)
        self._quiet = QPen(palette.quiet)
        self._special_fill = QBrush(faded(palette.special, 0.2))
        self._special_pen = QPen(palette.special, 1.5)
        self._unknown_pen = QPen(palette.warning, 1.5, Qt.PenStyle.DotLine)
        self._unknown_color = faded(palette.warning, 0.15)
        self._no_fill = QBrush(NO_BRUSH)
        self._no_pen = QPen(NO_PEN)
        self._no_pen.setWidthF(0)  # the background is inset by half the pen's width
        self._selection = faded(palette.quiet, 0.35)
        self.hover_pen: Final = QPen(palette.text, 1.5)
        self.mark_pen: Final = QPen(faded(palette.text, 0.6), 1.5)
        self.current_pen: Final = QPen(palette.quiet, 2.0)
        self.focus_pen: Final = QPen(palette.accent, 2.0)

    @property
    def hues(self) -> int:
        """The number of hues that tell tokens apart; there are two shades of each."""
        return len(self._fills) // 2

    def color(self, tokens: Tokens, index: int, colors: Int32Array) -> QColor:
        """Return the background colour of a token, for painting it elsewhere: also of one without an id."""
        if tokens.special[index]:
            return self._special_fill.color()
        if tokens.unknown[index]:
            return self._unknown_color
        return self._fills[int(colors[index])].color()

    def paint_background(self, painter: QPainter, cell: QRectF, tokens: Tokens, index: int, colors: Int32Array) -> None:
        """Paint the background of the cell of a token that is not selected."""
        pen, fill = self._no_pen, self._fills[colors[index]]
        if tokens.special[index]:
            pen, fill = self._special_pen, self._special_fill
        elif tokens.unknown[index]:
            pen, fill = self._unknown_pen, self._no_fill
        inset = pen.widthF() / 2
        painter.setPen(pen)
        painter.setBrush(fill)
        painter.drawRoundedRect(cell.adjusted(inset, inset, -inset, -inset), _CORNER, _CORNER)

    def paint_selected(self, painter: QPainter, cell: QRectF) -> None:
        """Paint the background of a selected token's cell, as part of a grey band that covers the gap after it."""
        painter.fillRect(cell.adjusted(0, 0, GAP, 0), self._selection)

    def paint_id(self, painter: QPainter, cell: QRectF, tokens: Tokens, index: int) -> None:
        """Paint the id of a token, or `?` for a token that stands for a symbol without an id."""
        painter.setPen(self._text)
        painter.drawText(cell, ALIGN_CENTER, _NO_ID if tokens.unknown[index] else str(tokens.ids[index]))

    def paint_ellipsis(self, painter: QPainter, cell: QRectF) -> None:
        """Paint an ellipsis, which says that more ids will follow."""
        painter.setPen(self._quiet)
        painter.drawText(cell, ALIGN_CENTER, "…")

    def paint_outline(self, painter: QPainter, cell: QRectF, pen: QPen) -> None:
        """Outline a cell with `hover_pen`, `mark_pen`, `current_pen` or `focus_pen`."""
        painter.setPen(pen)
        painter.setBrush(NO_BRUSH)
        painter.drawRoundedRect(cell, _CORNER, _CORNER)
