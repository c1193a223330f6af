"""How the cells of ids look."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from bpe_gui.gui.look.palette import TokenPalette, faded
from bpe_gui.gui.views.tokens import IntArray, Tokens

_NO_BRUSH: Final = Qt.BrushStyle.NoBrush
_NO_PEN: Final = Qt.PenStyle.NoPen
_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_CORNER: Final = 3.0
_UNKNOWN: Final = "?"

GAP: Final = 2
"""Pixels between neighbouring cells."""


class IdPainter:
    """Paints cells; its pens and brushes are made from a palette once, not for every cell."""

    def __init__(self, palette: TokenPalette) -> None:
        self._fills = [QBrush(color) for color in palette.backgrounds]
        self._text = QPen(palette.text)
        self._quiet = QPen(palette.quiet)
        self._special_fill = QBrush(faded(palette.special, 0.2))
        self._special_pen = QPen(palette.special, 1.5)
        self._unknown_pen = QPen(palette.warning, 1.5, Qt.PenStyle.DotLine)
        self._unknown_color = faded(palette.warning, 0.15)
        self._no_fill = QBrush(_NO_BRUSH)
        self._no_pen = QPen(_NO_PEN)
        self._no_pen.setWidthF(0)
        self._selection = faded(palette.quiet, 0.35)
        self.hover_pen: Final = QPen(palette.text, 1.5)
        self.mark_pen: Final = QPen(faded(palette.text, 0.6), 1.5)
        self.current_pen: Final = QPen(palette.quiet, 2.0)
        self.focus_pen: Final = QPen(palette.accent, 2.0)

    @property
    def color_count(self) -> int:
        """How many colours tokens are told apart with."""
        return len(self._fills)

    def color(self, tokens: Tokens, place: int, colors: IntArray) -> QColor:
        """The colour that tells a token from its neighbours."""
        if tokens.special[place]:
            return self._special_fill.color()
        if tokens.unknown[place]:
            return self._unknown_color
        return self._fills[int(colors[place])].color()

    def background(self, painter: QPainter, cell: QRectF, tokens: Tokens, place: int, colors: IntArray) -> None:
        """The cell of a token that is not selected."""
        pen, fill = self._no_pen, self._fills[colors[place]]
        if tokens.special[place]:
            pen, fill = self._special_pen, self._special_fill
        elif tokens.unknown[place]:
            pen, fill = self._unknown_pen, self._no_fill
        inset = pen.widthF() / 2
        painter.setPen(pen)
        painter.setBrush(fill)
        painter.drawRoundedRect(cell.adjusted(inset, inset, -inset, -inset), _CORNER, _CORNER)

    def selection(self, painter: QPainter, cell: QRectF) -> None:
        """One band without gaps, in place of the colours: it cannot be taken for a token."""
        painter.fillRect(cell.adjusted(0, 0, GAP, 0), self._selection)

    def number(self, painter: QPainter, cell: QRectF, tokens: Tokens, place: int) -> None:
        """The id of a token; `?` where it has none."""
        painter.setPen(self._text)
        painter.drawText(cell, _CENTER, _UNKNOWN if tokens.unknown[place] else str(tokens.ids[place]))

    def more(self, painter: QPainter, cell: QRectF) -> None:
        """The sign that more ids will follow."""
        painter.setPen(self._quiet)
        painter.drawText(cell, _CENTER, "…")

    def outline(self, painter: QPainter, cell: QRectF, pen: QPen) -> None:
        """Draw attention to a cell."""
        painter.setPen(pen)
        painter.setBrush(_NO_BRUSH)
        painter.drawRoundedRect(cell, _CORNER, _CORNER)
