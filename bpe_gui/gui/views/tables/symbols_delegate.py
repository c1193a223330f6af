"""Paint a word in a table as its symbols, each in a small coloured box."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Final
from zlib import crc32

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from bpe_gui.engine import visible
from bpe_gui.engine.runtime import END_OF_WORD
from bpe_gui.gui.look.palette import TokenPalette, faded
from bpe_gui.gui.look.qt_constants import ANTIALIASING, FONT_ROLE, NO_BRUSH, NO_PEN
from bpe_gui.gui.look.spacing import GRID
from bpe_gui.gui.models.roles import MAX_SYMBOLS, SYMBOLS_ROLE, MarkedSymbols

from .cell_delegates import Answers, CellDelegate, Index, is_enabled

# Lengths are in pixels.
_MARGIN: Final = float(GRID)  # between the word and the edge of the table's cell
_INSET: Final = 3.0  # above and below a box
_PADDING: Final = 3.0  # inside a box, left and right of its symbol
_GAP: Final = 2.0
_CORNER: Final = 3.0
_MARK_WIDTH: Final = 1.5
_SMALL: Final = 0.78  # the font size of bytes and markers, relative to text
_BOX_OPACITY: Final = 0.7
_DISABLED_OPACITY: Final = 0.5
_BEFORE_OPACITY: Final = 0.5
_ELLIPSIS: Final = "…"
_ARROW: Final = "→"
_MAX_CACHED: Final = 20_000  # symbols whose pieces are kept
_MAX_SEARCHED: Final = 2_000  # symbols of a word in which the marked pair is searched for

_STRAY_BYTES: Final = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a symbol's text. Bytes that are not a character, and markers, are drawn small; markers also quiet."""

    text: str
    width: float
    is_small: bool
    is_marker: bool


class SymbolsDelegate(CellDelegate):
    """A delegate for as many of a word's symbols (`SYMBOLS_ROLE`) as fit, with the marked ones among them.

    A symbol has the same colour everywhere, unless its left neighbour has that colour. A word that the last step
    changed is shown as it was before and as it is now, if there is space for both.
    """

    def __init__(self, answers: Answers, palette: TokenPalette, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self.gap = 0.0
        """Pixels between the two parts of a symbol that the last step made, while they draw together."""
        self._background = QBrush()
        self._pieces: dict[tuple[bytes, bool], list[_Piece]] = {}  # by symbol, and whether `</w>` is a marker
        self._prepare_font(QFont())
        self.set_palette_colors(palette)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Use the colours of a theme."""
        self._palette = palette
        self._backgrounds = [faded(color, _BOX_OPACITY) for color in palette.backgrounds]
        self._outline = QPen(palette.accent, _MARK_WIDTH)

    def needed_width(self, row: int, column: int) -> int:
        """Return the width in pixels that a column needs to show all symbols of a cell."""
        self._use_font(self.answers[FONT_ROLE](row, column))
        word: MarkedSymbols = self.answers[SYMBOLS_ROLE](row, column)
        return ceil(sum(self._width(word, number) for number in range(len(word.symbols))) + 2 * _MARGIN)

    def symbol_at(self, cell: QRectF, x: float, row: int, column: int) -> bytes | None:
        """Return the symbol of a word, as it is split now, whose box in `cell` is at `x`; None if there is none."""
        self._use_font(self.answers[FONT_ROLE](row, column))
        word: MarkedSymbols = self.answers[SYMBOLS_ROLE](row, column)
        if word.before and self._history_width(word) <= cell.width():
            cell = cell.adjusted(self._needed(_before(word)) - _MARGIN + self._arrow_width, 0, 0, 0)
        area = cell.adjusted(_MARGIN, 0, -_MARGIN, 0)
        shown = self._shown(word, area.width())
        for number, box in zip(shown, self._boxes(word, shown, area), strict=True):
            if box.left() <= x <= box.right():
                return word.symbols[number]
        return None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        self.paint_background(painter, option, row, column)
        self._use_font(self.answers[FONT_ROLE](row, column))
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setClipRect(option.rect)
        if not is_enabled(option):
            painter.setOpacity(_DISABLED_OPACITY)
        self._background = option.palette.base()
        word: MarkedSymbols = self.answers[SYMBOLS_ROLE](row, column)
        cell, color = QRectF(option.rect), self.text_color(option, row, column)
        if word.before and self._history_width(word) <= cell.width():
            cell = self._paint_before(painter, cell, word, color)
        self._paint_word(painter, cell, word, color)
        painter.restore()

    def _history_width(self, word: MarkedSymbols) -> float:
        """Return the width of a word as it was before, an arrow, and the word as it is now."""
        return self._needed(_before(word)) + self._needed(word) + self._arrow_width

    def _needed(self, word: MarkedSymbols) -> float:
        return sum(self._width(word, number) for number in range(len(word.symbols))) + 2 * _MARGIN

    def _paint_before(self, painter: QPainter, cell: QRectF, word: MarkedSymbols, color: QColor) -> QRectF:
        """Paint a word as it was before the last step, and an arrow; return the area that is left of the cell."""
        before = _before(word)
        width = self._needed(before)
        opacity = painter.opacity()
        painter.setOpacity(opacity * _BEFORE_OPACITY)
        self._paint_word(painter, QRectF(cell.left(), cell.top(), width, cell.height()), before, color)
        painter.setOpacity(opacity)
        painter.setFont(self._font)
        painter.setPen(self._palette.quiet)
        painter.drawText(QPointF(cell.left() + width - _MARGIN + _GAP, self._baseline(cell)), _ARROW)
        return cell.adjusted(width - _MARGIN + self._arrow_width, 0, 0, 0)

    def _baseline(self, cell: QRectF) -> float:
        return round(cell.center().y() + (self._metrics.ascent() - self._metrics.descent()) / 2)

    def _paint_word(self, painter: QPainter, cell: QRectF, word: MarkedSymbols, plain: QColor) -> None:
        area = cell.adjusted(_MARGIN, _INSET, -_MARGIN, -_INSET)
        baseline = self._baseline(cell)
        shown = self._shown(word, area.width())
        boxes = self._boxes(word, shown, area)
        color = -1
        for number, box in zip(shown, boxes, strict=True):
            color = self._color_of(word.symbols[number], color)
            self._paint_symbol(painter, box, baseline, self._pieces_of(word.symbols[number], word.has_marker), color)
            if self.gap and word.merged and word.symbols[number] == b"".join(word.merged):
                self._paint_gap(painter, box, word)
        painter.setFont(self._font)
        painter.setPen(plain)
        if shown.start:
            painter.drawText(QPointF(area.left(), baseline), _ELLIPSIS)
        if shown.stop < len(word.symbols):
            painter.drawText(QPointF(boxes[-1].right() + _GAP, baseline), _ELLIPSIS)
        self._paint_marks(painter, word, shown, boxes)

    def _paint_symbol(self, painter: QPainter, box: QRectF, baseline: float, pieces: list[_Piece], color: int) -> None:
        if not all(piece.is_marker for piece in pieces):
            painter.setPen(NO_PEN)
            painter.setBrush(self._backgrounds[color])
            painter.drawRoundedRect(box, _CORNER, _CORNER)
        x = box.left() + _PADDING
        for piece in pieces:
            painter.setFont(self._small_font if piece.is_small else self._font)
            painter.setPen(self._palette.quiet if piece.is_marker else self._palette.text)
            painter.drawText(QPointF(x, baseline), piece.text)
            x += piece.width

    def _paint_marks(self, painter: QPainter, word: MarkedSymbols, shown: range, boxes: list[QRectF]) -> None:
        painter.setBrush(NO_BRUSH)
        painter.setPen(self._outline)
        for index, number in enumerate(shown[:-1]):
            if word.symbols[number : number + 2] == word.pair:
                painter.drawRoundedRect(boxes[index].united(boxes[index + 1]), _CORNER, _CORNER)
        merged = b"".join(word.merged) if word.merged else None
        for index, number in enumerate(shown):
            if word.symbols[number] in (word.token, merged):
                painter.drawRoundedRect(boxes[index], _CORNER, _CORNER)
            if word.merged and word.symbols[number] == merged:
                self._paint_seam(painter, boxes[index], word)

    def _paint_seam(self, painter: QPainter, box: QRectF, word: MarkedSymbols) -> None:
        """Paint a line in the box of a new symbol, where its two parts have joined."""
        x = round(self._seam(box, word)) + 0.5
        painter.drawLine(QPointF(x, box.top() + 2), QPointF(x, box.bottom() - 2))

    def _paint_gap(self, painter: QPainter, box: QRectF, word: MarkedSymbols) -> None:
        """Paint the gap between the two parts of a new symbol, which draw together."""
        gap = QRectF(self._seam(box, word) - self.gap / 2, box.top(), self.gap, box.height())
        painter.fillRect(gap, self._background)

    def _seam(self, box: QRectF, word: MarkedSymbols) -> float:
        """Return the x at which the left part of a new symbol ends."""
        parts = [self._pieces_of(part, word.has_marker) for part in word.merged or ()]
        left, right = (sum(piece.width for piece in pieces) for pieces in parts)
        return box.left() + _PADDING + (box.width() - 2 * _PADDING) * left / max(left + right, 1.0)

    # -- layout -----------------------------------------------------------------------------------------------------

    def _shown(self, word: MarkedSymbols, width: float) -> range:
        """Return the indices of the symbols to paint: from the first, or around the first mark if it is further on."""
        stop = self._stop(word, 0, width)
        mark = _first_mark(word)
        if not mark or mark.stop <= stop:
            return range(stop)
        start = mark.start
        spare = width - 2 * self._ellipsis_width - sum(self._width(word, number) for number in mark)
        before = spare / 2
        while start and (before := before - self._width(word, start - 1)) > 0:
            start -= 1
        return range(start, self._stop(word, start, width - self._ellipsis_width))

    def _stop(self, word: MarkedSymbols, start: int, width: float) -> int:
        """Return the end of the symbols that fit from `start` on, with an ellipsis if more follow.

        At least one symbol is counted, whether or not it fits.
        """
        end = min(len(word.symbols), start + MAX_SYMBOLS)
        for number in range(start, end):
            width -= self._width(word, number)
            ellipsis = self._ellipsis_width if number + 1 < len(word.symbols) else 0.0
            if width + _GAP < ellipsis:
                return max(number, start + 1)
        return end

    def _boxes(self, word: MarkedSymbols, shown: range, area: QRectF) -> list[QRectF]:
        x = area.left() + (self._ellipsis_width if shown.start else 0.0)
        boxes: list[QRectF] = []
        for number in shown:
            width = self._width(word, number)
            boxes.append(QRectF(x, area.top(), width - _GAP, area.height()))
            x += width
        return boxes

    def _width(self, word: MarkedSymbols, number: int) -> float:
        """Return the width of a symbol's box with the gap after it."""
        pieces = self._pieces_of(word.symbols[number], word.has_marker)
        return sum(piece.width for piece in pieces) + 2 * _PADDING + _GAP

    def _color_of(self, symbol: bytes, previous: int) -> int:
        count = len(self._backgrounds)
        color = crc32(symbol) % count
        return color if color != previous else (color + 1) % count

    # -- text -------------------------------------------------------------------------------------------------------

    def _use_font(self, font: QFont) -> None:
        """Switch to a font; cells mostly share one, and switching drops all measured pieces."""
        if font != self._font:
            self._prepare_font(font)

    def _prepare_font(self, font: QFont) -> None:
        self._font = QFont(font)
        self._small_font = QFont(font)
        self._small_font.setPointSizeF(font.pointSizeF() * _SMALL)
        self._metrics = QFontMetricsF(self._font)
        self._small_metrics = QFontMetricsF(self._small_font)
        self._ellipsis_width = self._metrics.horizontalAdvance(_ELLIPSIS) + _GAP
        self._arrow_width = self._metrics.horizontalAdvance(_ARROW) + _GAP
        self._pieces.clear()

    def _pieces_of(self, symbol: bytes, has_marker: bool) -> list[_Piece]:
        pieces = self._pieces.get((symbol, has_marker))
        if pieces is None:
            if len(self._pieces) > _MAX_CACHED:
                self._pieces.clear()
            pieces = self._pieces[symbol, has_marker] = list(self._measured(symbol, has_marker))
        return pieces

    def _measured(self, symbol: bytes, has_marker: bool) -> Iterator[_Piece]:
        texts = symbol.split(END_OF_WORD) if has_marker else [symbol]
        for number, text in enumerate(texts):
            if number:
                yield self._piece(END_OF_WORD.decode(), is_small=True, is_marker=True)
            for stretch, is_bytes in _stretches(text):
                yield self._piece(stretch, is_small=is_bytes)

    def _piece(self, text: str, *, is_small: bool, is_marker: bool = False) -> _Piece:
        metrics = self._small_metrics if is_small else self._metrics
        return _Piece(text, metrics.horizontalAdvance(text), is_small, is_marker)


def _before(word: MarkedSymbols) -> MarkedSymbols:
    """Return a changed word as it was before the last step, with the pair marked that the step merged."""
    return replace(word, symbols=word.before, before=(), pair=word.merged, token=None, merged=None)


def _first_mark(word: MarkedSymbols) -> range:
    """Return the indices of the first marked symbols; empty if there are none."""
    symbols = word.symbols
    marked = {word.token, b"".join(word.merged) if word.merged else None}
    for index in range(min(len(symbols), _MAX_SEARCHED)):
        if symbols[index : index + 2] == word.pair:
            return range(index, index + 2)
        if symbols[index] in marked:
            return range(index, index + 1)
    return range(0)


def _stretches(symbol: bytes) -> Iterator[tuple[str, bool]]:
    """Yield the stretches of a symbol, each with whether it is stray bytes, in hex, rather than text."""
    text = symbol.decode("utf-8", "surrogateescape")
    end = 0
    for stray in _STRAY_BYTES.finditer(text):
        if stray.start() > end:
            yield visible(text[end : stray.start()].encode()), False
        yield stray.group().encode("utf-8", "surrogateescape").hex(), True
        end = stray.end()
    if end < len(text):
        yield visible(text[end:].encode()), False
