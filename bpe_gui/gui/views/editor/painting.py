"""Paint segments of text and the cells of their tokens, in the colours of a palette."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QStaticText, QTextCharFormat

from bpe_gui.engine import IntegerArray
from bpe_gui.gui.look.qt_constants import NO_BRUSH, NO_PEN
from bpe_gui.gui.look.theme import TokenPalette, faded, paint_joining
from bpe_gui.gui.views.fitted_text import format_range
from bpe_gui.gui.views.tokens import Tokens

from .token_page import Cell, CellShape, PageSegment

# All in pixels.
_CORNER_RADIUS: Final = 3.0
_SMALL_CORNER_RADIUS: Final = 1.5
_OUTLINE_WIDTH: Final = 1.5
_BAND_EDGE: Final = 1.5  # the line above and below a selection
_CARET_WIDTH: Final = 1.5
_MARK_WIDTH: Final = 2.0  # of the marks of other tokens
_HALF_MARK: Final = 3.0  # half the width of the triangle at the start of a word
_WIDER_THAN_TEXT: Final = 1e6


class TokenPainter:
    """Paints segments of text and whatever is highlighted in them, with pens and brushes made once per palette.

    The QPainter passed to a method must be translated so that the segment's top left corner is its origin.
    """

    def __init__(self, palette: TokenPalette) -> None:
        self._fills = [QBrush(color) for color in palette.shades]
        self._no_fill = QBrush(NO_BRUSH)
        self._no_pen = QPen(NO_PEN)
        self._special = QBrush(palette.special)
        self._special_fill = QBrush(faded(palette.special, 0.2))
        self._special_pen = QPen(palette.special, _OUTLINE_WIDTH)
        self._warning = QBrush(palette.warning)
        self._unknown_pen = QPen(palette.warning, _OUTLINE_WIDTH, Qt.PenStyle.DotLine)
        self._frame_pen = QPen(faded(palette.quiet, 0.45), 1.0)
        self._pointed_pen = QPen(palette.text, _OUTLINE_WIDTH)
        self._marked_pen = QPen(faded(palette.text, 0.6), _OUTLINE_WIDTH)
        self.text_color = palette.text
        self.quiet_color = palette.quiet
        self._glyph_texts: dict[str, QStaticText] = {}  # a cache by glyph, because laying out text is slow
        self._word_start_fill = QBrush(faded(palette.text, 0.75))
        self._accent = palette.accent
        self._selection = faded(palette.accent, 0.2)
        self._escape_format = QTextCharFormat()
        self._escape_format.setForeground(
            faded(palette.text, 0.72)
        )  # unlike the quiet colour, readable on every background
        self._preedit_format = QTextCharFormat()
        self._preedit_format.setFontUnderline(True)

    @property
    def hues(self) -> int:
        """The number of hues for tokens, each in two shades."""
        return len(self._fills) // 2

    def paint_cells(self, painter: QPainter, segment: PageSegment, rows: Iterable[int]) -> None:
        """Paint the cells of some rows of a segment, behind the text."""
        tokens = segment.tokens
        is_plain = np.logical_not(tokens.special | tokens.unknown).tolist()
        colors = segment.colors.tolist()
        for row in rows:
            row_cells = segment.cells.row(row)
            if row_cells.frames:  # each around a character that several tokens share
                painter.setPen(self._frame_pen)
                painter.setBrush(self._no_fill)
                for rect in row_cells.frames:
                    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _CORNER_RADIUS, _CORNER_RADIUS)
            painter.setPen(self._no_pen)
            for cell in row_cells.cells:
                if is_plain[cell.token]:
                    painter.setBrush(self._fills[colors[cell.token]])
                    radius = _CORNER_RADIUS if cell.shape is CellShape.FULL else _SMALL_CORNER_RADIUS
                    painter.drawRoundedRect(cell.rect, radius, radius)
                else:
                    self._paint_special_or_unknown(painter, cell, tokens)

    def _paint_special_or_unknown(self, painter: QPainter, cell: Cell, tokens: Tokens) -> None:
        is_full = cell.shape is CellShape.FULL
        if tokens.special[cell.token]:
            pen, fill = (self._special_pen, self._special_fill) if is_full else (self._no_pen, self._special)
        else:
            pen, fill = (self._unknown_pen, self._no_fill) if is_full else (self._no_pen, self._warning)
        painter.setPen(pen)
        painter.setBrush(fill)
        inset = pen.widthF() / 2 if is_full else 0.0
        _draw_cell(painter, cell, inset)
        painter.setPen(self._no_pen)  # restore the pen that the caller set for ordinary cells

    def paint_text(self, painter: QPainter, segment: PageSegment, rows: range) -> None:
        painter.setPen(self.text_color)
        layout = segment.layout
        formats = []
        if not layout.is_simple:
            formats = [format_range(*span, self._escape_format) for span in layout.inner_escapes()]
            formats += [format_range(*span, self._preedit_format) for span in layout.inner_preedit()]
        height = layout.metrics.height
        clip = QRectF(-_WIDER_THAN_TEXT, rows.start * height, 2 * _WIDER_THAN_TEXT, len(rows) * height)
        layout.layout.draw(painter, QPointF(), formats, clip)

    def paint_white_space(self, painter: QPainter, segment: PageSegment, rows: Iterable[int]) -> None:
        painter.setPen(self.quiet_color)
        for row in rows:
            for glyph in segment.cells.glyphs(row):
                text = self._glyph_texts.setdefault(glyph.text, QStaticText(glyph.text))
                size = text.size()
                offset = QPointF(size.width() / 2, size.height() / 2)
                painter.drawStaticText(glyph.rect.center() - offset, text)

    def paint_word_starts(self, painter: QPainter, segment: PageSegment, rows: range, offsets: IntegerArray) -> None:
        """Paint a small triangle at the top of a row at each of `offsets` on these rows.

        `offsets` count bytes of the whole text.
        """
        painter.setPen(self._no_pen)
        painter.setBrush(self._word_start_fill)
        for x, y in _places(segment, rows, offsets):
            corners = [QPointF(x - _HALF_MARK, y), QPointF(x + _HALF_MARK, y), QPointF(x, y + 1.5 * _HALF_MARK)]
            painter.drawPolygon(QPolygonF(corners))

    def paint_other_starts(
        self,
        painter: QPainter,
        segment: PageSegment,
        rows: range,
        offsets: IntegerArray,
        color: QColor,
        *,
        is_added: bool,
    ) -> None:
        """Mark where only other tokens begin with a bar at the bottom of the row; where only these do, with a dash."""
        width, height = (_MARK_WIDTH, 3 * _HALF_MARK) if is_added else (3 * _HALF_MARK, _MARK_WIDTH)
        for x, y in _places(segment, rows, offsets):
            bottom = y + segment.layout.metrics.height
            painter.fillRect(QRectF(x - width / 2, bottom - height, width, height), color)

    def paint_selection(self, painter: QPainter, bands: Iterable[QRectF]) -> None:
        """Paint translucent bands over selected text, so that the cell colours remain distinct."""
        for band in bands:
            painter.fillRect(band, self._selection)
            for edge in (band.top(), band.bottom() - _BAND_EDGE):
                painter.fillRect(QRectF(band.left(), edge, band.width(), _BAND_EDGE), self._accent)

    def paint_found(self, painter: QPainter, bands: Iterable[QRectF]) -> None:
        """Underline the matches of a search, or what differs: a shade would make the colours of the cells murky."""
        for band in bands:
            line = QRectF(band.left(), band.bottom() - _MARK_WIDTH, band.width(), _MARK_WIDTH)
            painter.fillRect(line, self.text_color)

    def paint_flash(self, painter: QPainter, cells: Iterable[Cell], strength: float) -> None:
        """Paint the flash over the cells of new tokens; `strength` goes from 0, invisible, to 1."""
        painter.setPen(self._no_pen)
        painter.setBrush(faded(self._accent, 0.45 * strength))
        for cell in cells:
            _draw_cell(painter, cell)

    def paint_parts(
        self, painter: QPainter, cell: Cell, share: float, hues: Sequence[int], background: QBrush, left: float
    ) -> None:
        """Paint the two parts of a cell drawing together, in their own hues if any; see `paint_joining`.

        The left part has a `share` of the width.
        """
        middle = cell.rect.left() + share * cell.rect.width()
        fills = [self._fills[hue] for hue in hues]
        paint_joining(painter, cell.rect, middle, fills, background, left, _CORNER_RADIUS)

    def paint_outline(self, painter: QPainter, cell: Cell, *, is_pointed: bool) -> None:
        """Outline a cell: strongly if the mouse points at its token, weakly if it is one of many marked tokens."""
        painter.setPen(self._pointed_pen if is_pointed else self._marked_pen)
        painter.setBrush(self._no_fill)
        _draw_cell(painter, cell)

    def paint_caret(self, painter: QPainter, x: float, top: float, bottom: float) -> None:
        """Paint the caret, centred on `x`."""
        painter.fillRect(QRectF(x - _CARET_WIDTH / 2, top, _CARET_WIDTH, bottom - top), self.text_color)


def _places(segment: PageSegment, rows: range, offsets: IntegerArray) -> Iterator[tuple[float, float]]:
    """Yield the x of each of `offsets`, in bytes of the whole text, that is on these rows, and the top of its row."""
    layout = segment.layout
    first, stop = np.searchsorted(offsets, (segment.start, segment.start + len(layout.text.utf8)))
    for offset in (offsets[first:stop] - segment.start).tolist():
        position = layout.text.position(offset)
        row = layout.row_of(position)
        if row in rows:
            yield layout.edges(position, position + 1, row)[0], row * layout.metrics.height


def _draw_cell(painter: QPainter, cell: Cell, inset: float = 0.0) -> None:
    """Draw a cell with the current pen and brush, shrunk by `inset` pixels on each side."""
    radius = _CORNER_RADIUS if cell.shape is CellShape.FULL else _SMALL_CORNER_RADIUS
    painter.drawRoundedRect(cell.rect.adjusted(inset, inset, -inset, -inset), radius, radius)
