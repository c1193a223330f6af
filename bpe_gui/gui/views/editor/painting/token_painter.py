"""How a text and the cells of its tokens look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF, QStaticText, QTextCharFormat, QTextLayout

from bpe_gui.gui.look.palette import TokenPalette, faded
from bpe_gui.gui.views.editor.layout.token_cells import Piece, RowCells, Shape
from bpe_gui.gui.views.editor.layout.token_page import PageSegment
from bpe_gui.gui.views.tokens import LongArray, Tokens

_NO_BRUSH: Final = Qt.BrushStyle.NoBrush

_CORNER: Final = 3.0
_SMALL_CORNER: Final = 1.5
_OUTLINE: Final = 1.5
_FAR: Final = 1e6  # beyond any text
_EDGE: Final = 1.5  # of a selection
_TICK: Final = 3.0  # half the width of the mark where a word begins


class TokenPainter:
    """Paints parts of pages; its pens and brushes are made from a palette once, not for every cell."""

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
        self.text = palette.text
        self.quiet = palette.quiet
        self._signs: dict[str, QStaticText] = {}
        self._word = QBrush(faded(palette.text, 0.75))
        self._accent = palette.accent
        self._selection = faded(palette.accent, 0.2)
        self._escape = QTextCharFormat()
        self._escape.setForeground(faded(palette.text, 0.72))  # readable on every background, as `quiet` is not
        self._composed = QTextCharFormat()
        self._composed.setFontUnderline(True)

    @property
    def color_count(self) -> int:
        """How many colours tokens are told apart with."""
        return len(self._fills)

    def paint_cells(self, painter: QPainter, segment: PageSegment, rows: Iterable[int]) -> None:
        """The cells of some rows, in the coordinates of the segment."""
        tokens = segment.tokens
        plain = np.logical_not(tokens.special | tokens.unknown).tolist()
        colors = segment.colors.tolist()
        for row in rows:
            cells = segment.cells.row(row)
            self._paint_split(painter, cells)
            painter.setPen(self._no_pen)
            for piece in cells.pieces:
                if plain[piece.token]:
                    painter.setBrush(self._fills[colors[piece.token]])
                    corner = _CORNER if piece.shape is Shape.FULL else _SMALL_CORNER
                    painter.drawRoundedRect(piece.rect, corner, corner)
                else:
                    self._paint_odd(painter, piece, tokens)

    def _paint_split(self, painter: QPainter, cells: RowCells) -> None:
        if cells.split:
            painter.setPen(self._split_pen)
            painter.setBrush(self._no_fill)
            for rect in cells.split:
                painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _CORNER, _CORNER)

    def _paint_odd(self, painter: QPainter, piece: Piece, tokens: Tokens) -> None:
        """The cell of a special or an unknown token."""
        whole = piece.shape is Shape.FULL
        if tokens.special[piece.token]:
            pen, fill = (self._special_pen, self._special_fill) if whole else (self._no_pen, self._special)
        else:
            pen, fill = (self._unknown_pen, self._no_fill) if whole else (self._no_pen, self._warning)
        painter.setPen(pen)
        painter.setBrush(fill)
        inset = pen.widthF() / 2 if whole else 0.0
        corner = _CORNER if whole else _SMALL_CORNER
        painter.drawRoundedRect(piece.rect.adjusted(inset, inset, -inset, -inset), corner, corner)
        painter.setPen(self._no_pen)

    def paint_text(self, painter: QPainter, segment: PageSegment, rows: range) -> None:
        """The text of some rows, in the coordinates of the segment."""
        painter.setPen(self.text)
        layout = segment.layout
        ranges = [_format_range(*span, self._escape) for span in layout.escapes()]
        ranges += [_format_range(*span, self._composed) for span in layout.composed()]
        height = layout.metrics.height
        clip = QRectF(-_FAR, rows.start * height, 2 * _FAR, len(rows) * height)
        layout.layout.draw(painter, QPointF(), ranges, clip)

    def paint_white_space(self, painter: QPainter, segment: PageSegment, rows: Iterable[int]) -> None:
        """Signs for the white space of some rows."""
        painter.setPen(self.quiet)
        for row in rows:
            for glyph in segment.cells.glyphs(row):
                sign = self._signs.setdefault(glyph.text, QStaticText(glyph.text))
                size = sign.size()
                offset = QPointF(size.width() / 2, size.height() / 2)
                painter.drawStaticText(glyph.rect.center() - offset, sign)

    def paint_word_starts(self, painter: QPainter, segment: PageSegment, rows: range, places: LongArray) -> None:
        """A small mark above the text where each word begins; the places are those of the page."""
        layout = segment.layout
        ours = places[(places >= segment.start) & (places < segment.start + len(layout.text.utf8))]
        painter.setPen(self._no_pen)
        painter.setBrush(self._word)
        for byte in (ours - segment.start).tolist():
            position = layout.text.position(byte)
            row = layout.row_of(position)
            if row in rows:
                x, y = layout.edges(position, position + 1, row)[0], row * layout.metrics.height
                tick = [QPointF(x - _TICK, y), QPointF(x + _TICK, y), QPointF(x, y + 1.5 * _TICK)]
                painter.drawPolygon(QPolygonF(tick))

    def paint_selection(self, painter: QPainter, bands: Iterable[QRectF]) -> None:
        """A band over the cells of what is selected, which leaves their colours apart."""
        for band in bands:
            painter.fillRect(band, self._selection)
            for edge in (band.top(), band.bottom() - _EDGE):
                painter.fillRect(QRectF(band.left(), edge, band.width(), _EDGE), self._accent)

    def outline(self, painter: QPainter, piece: Piece, *, hovered: bool) -> None:
        """Draw attention to a piece: strongly where the mouse is, less where a token is one of many."""
        painter.setPen(self._hover_pen if hovered else self._mark_pen)
        painter.setBrush(self._no_fill)
        corner = _CORNER if piece.shape is Shape.FULL else _SMALL_CORNER
        painter.drawRoundedRect(piece.rect, corner, corner)

    def flash(self, painter: QPainter, piece: Piece, strength: float) -> None:
        """Show that a piece is new; `strength` from 0 to 1."""
        painter.setPen(self._no_pen)
        painter.setBrush(faded(self._accent, 0.45 * strength))
        corner = _CORNER if piece.shape is Shape.FULL else _SMALL_CORNER
        painter.drawRoundedRect(piece.rect, corner, corner)


def _format_range(start: int, stop: int, char_format: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, stop - start, char_format
    return found
