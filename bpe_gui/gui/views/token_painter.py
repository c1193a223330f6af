"""How the cells of tokens look."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from .palette import TokenPalette, faded
from .token_cells import LineCells, Piece, Shape
from .tokens import IntArray, Tokens

_NO_BRUSH = Qt.BrushStyle.NoBrush

_CORNER = 3.0
_SMALL_CORNER = 1.5
_OUTLINE = 1.5


class TokenPainter:
    """Paints the cells of a line; its pens and brushes are made from a palette once, not for every cell."""

    def __init__(self, palette: TokenPalette) -> None:
        self._fills = [QBrush(color) for color in palette.backgrounds]
        self._no_fill = QBrush(_NO_BRUSH)
        self._no_pen = QPen(Qt.PenStyle.NoPen)
        self._special = QBrush(palette.special)
        self._special_fill = QBrush(faded(palette.special, 0.2))
        self._special_pen = QPen(palette.special, _OUTLINE)
        self._warning = QBrush(palette.warning)
        self._unknown_pen = QPen(palette.warning, _OUTLINE, Qt.PenStyle.DotLine)
        self._split_pen = QPen(faded(palette.quiet, 0.45), 1.0)
        self._hover_pen = QPen(palette.text, _OUTLINE)
        self._mark_pen = QPen(faded(palette.text, 0.6), _OUTLINE)

    @property
    def color_count(self) -> int:
        """How many colours tokens are told apart with."""
        return len(self._fills)

    def paint(self, painter: QPainter, cells: LineCells, tokens: Tokens, colors: IntArray) -> None:
        """Paint the cells of one line; `colors` has the colour of every token."""
        painter.setPen(self._split_pen)
        painter.setBrush(self._no_fill)
        for rect in cells.split:
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _CORNER, _CORNER)
        for piece in cells.pieces:
            self._paint_piece(painter, piece, tokens, self._fills[colors[piece.index]])

    def outline(self, painter: QPainter, piece: Piece, *, hovered: bool) -> None:
        """Draw attention to a piece: strongly where the mouse is, less where a token is one of many."""
        painter.setPen(self._hover_pen if hovered else self._mark_pen)
        painter.setBrush(self._no_fill)
        corner = _CORNER if piece.shape is Shape.FULL else _SMALL_CORNER
        painter.drawRoundedRect(piece.rect, corner, corner)

    def _paint_piece(self, painter: QPainter, piece: Piece, tokens: Tokens, fill: QBrush) -> None:
        whole = piece.shape is Shape.FULL
        pen = self._no_pen
        if tokens.special[piece.index]:
            pen, fill = (self._special_pen, self._special_fill) if whole else (pen, self._special)
        elif tokens.unknown[piece.index]:
            pen, fill = (self._unknown_pen, self._no_fill) if whole else (pen, self._warning)
        painter.setPen(pen)
        painter.setBrush(fill)
        inset = pen.widthF() / 2 if whole else 0.0
        corner = _CORNER if whole else _SMALL_CORNER
        painter.drawRoundedRect(piece.rect.adjusted(inset, inset, -inset, -inset), corner, corner)
