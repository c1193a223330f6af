"""A word in a table, drawn as its symbols: a small coloured cell each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final
from zlib import crc32

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from bpe_gui.engine import visible
from bpe_gui.engine.runtime.printable import END_OF_WORD

from bpe_gui.gui.views.tables.cell_delegates import Answers, CellDelegate, Index, is_enabled
from bpe_gui.gui.look.palette import TokenPalette, faded

SYMBOLS_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
"""The `MarkedSymbols` of a cell."""

MOST_SYMBOLS: Final = 200
"""How many symbols of a word are shown at most."""

_FONT: Final = int(Qt.ItemDataRole.FontRole)
_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_NO_BRUSH: Final = Qt.BrushStyle.NoBrush
_NO_PEN: Final = Qt.PenStyle.NoPen

_MARGIN: Final = 8.0  # between the word and the edge of the table's cell
_INSET: Final = 3.0  # above and below a symbol
_PADDING: Final = 3.0  # inside a symbol
_GAP: Final = 2.0
_CORNER: Final = 3.0
_MARK_WIDTH: Final = 1.5
_SMALL: Final = 0.78  # the size of bytes and markers, to that of text
_SOFTNESS: Final = 0.7  # how much of the palette's colours there is in a cell
_HELD_OPACITY: Final = 0.5
_ELLIPSIS: Final = "…"
_MOST_CACHED: Final = 20_000
_MOST_SEARCHED: Final = 2_000  # symbols of a word in which a marked pair is looked for

_STRAY_BYTES: Final = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class MarkedSymbols:
    """The symbols of a word; `pair` is marked wherever it stands; `has_marker`: `</w>` is a mark, not text."""

    symbols: tuple[bytes, ...]
    pair: tuple[bytes, bytes] | None
    has_marker: bool


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a symbol's text: bytes that make no character and markers are small, and markers quiet."""

    text: str
    width: float
    is_small: bool
    is_marker: bool


class SymbolsDelegate(CellDelegate):
    """Paints a word's symbols (`SYMBOLS_ROLE`), as many as there is room for, the marked pair among them.

    A symbol has the same colour everywhere, unless its left neighbour has it already.
    """

    def __init__(self, answers: Answers, palette: TokenPalette, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self._parts: dict[tuple[bytes, bool], list[_Part]] = {}
        self._take_font(QFont())
        self.set_palette_colors(palette)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._palette = palette
        self._backgrounds = [faded(color, _SOFTNESS) for color in palette.backgrounds]
        self._outline = QPen(palette.accent, _MARK_WIDTH)

    def room_for(self, row: int, column: int) -> int:
        """How wide the column must be to show all symbols of a cell, in pixels."""
        self._set_font(self.answers[_FONT](row, column))
        word: MarkedSymbols = self.answers[SYMBOLS_ROLE](row, column)
        return ceil(sum(self._width(word, number) for number in range(len(word.symbols))) + 2 * _MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        self.paint_background(painter, option, row, column)
        self._set_font(self.answers[_FONT](row, column))
        painter.save()
        painter.setRenderHint(_ANTIALIASING)
        painter.setClipRect(option.rect)
        if not is_enabled(option):
            painter.setOpacity(_HELD_OPACITY)
        word = self.answers[SYMBOLS_ROLE](row, column)
        self._paint_word(painter, QRectF(option.rect), word, self.text_color(option, row, column))
        painter.restore()

    def _paint_word(self, painter: QPainter, cell: QRectF, word: MarkedSymbols, plain: QColor) -> None:
        area = cell.adjusted(_MARGIN, _INSET, -_MARGIN, -_INSET)
        baseline = round(area.center().y() + (self._metrics.ascent() - self._metrics.descent()) / 2)
        shown = self._shown(word, area.width())
        boxes = self._boxes(word, shown, area)
        color = -1
        for number, box in zip(shown, boxes, strict=True):
            color = self._color_of(word.symbols[number], color)
            self._paint_symbol(painter, box, baseline, self._parts_of(word.symbols[number], word.has_marker), color)
        painter.setFont(self._font)
        painter.setPen(plain)
        if shown.start:
            painter.drawText(QPointF(area.left(), baseline), _ELLIPSIS)
        if shown.stop < len(word.symbols):
            painter.drawText(QPointF(boxes[-1].right() + _GAP, baseline), _ELLIPSIS)
        self._paint_marks(painter, word, shown, boxes)

    def _paint_symbol(self, painter: QPainter, box: QRectF, baseline: float, parts: list[_Part], color: int) -> None:
        if not all(part.is_marker for part in parts):
            painter.setPen(_NO_PEN)
            painter.setBrush(self._backgrounds[color])
            painter.drawRoundedRect(box, _CORNER, _CORNER)
        x = box.left() + _PADDING
        for part in parts:
            painter.setFont(self._small_font if part.is_small else self._font)
            painter.setPen(self._palette.quiet if part.is_marker else self._palette.text)
            painter.drawText(QPointF(x, baseline), part.text)
            x += part.width

    def _paint_marks(self, painter: QPainter, word: MarkedSymbols, shown: range, boxes: list[QRectF]) -> None:
        painter.setBrush(_NO_BRUSH)
        painter.setPen(self._outline)
        for place, number in enumerate(shown[:-1]):
            if word.symbols[number : number + 2] == word.pair:
                painter.drawRoundedRect(boxes[place].united(boxes[place + 1]), _CORNER, _CORNER)

    # -- what is where ----------------------------------------------------------------------------------------------

    def _shown(self, word: MarkedSymbols, room: float) -> range:
        """Which symbols to paint: from the first on, or if there is no room for the marked pair then, around it."""
        stop = self._stop(word, 0, room)
        pair = _place_of_pair(word)
        if pair + 2 <= stop:
            return range(stop)
        start = pair
        spare = room - 2 * self._ellipsis_width - self._width(word, pair) - self._width(word, pair + 1)
        before = spare / 2
        while start and (before := before - self._width(word, start - 1)) > 0:
            start -= 1
        return range(start, self._stop(word, start, room - self._ellipsis_width))

    def _stop(self, word: MarkedSymbols, start: int, room: float) -> int:
        """Where the symbols from `start` on end that there is room for, and for dots if more follow; one at least."""
        end = min(len(word.symbols), start + MOST_SYMBOLS)
        for number in range(start, end):
            room -= self._width(word, number)
            dots = self._ellipsis_width if number + 1 < len(word.symbols) else 0.0
            if room + _GAP < dots:
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
        """How much room a symbol takes, with the gap behind it."""
        parts = self._parts_of(word.symbols[number], word.has_marker)
        return sum(part.width for part in parts) + 2 * _PADDING + _GAP

    def _color_of(self, symbol: bytes, previous: int) -> int:
        count = len(self._backgrounds)
        color = crc32(symbol) % count
        return color if color != previous else (color + 1) % count

    # -- text -------------------------------------------------------------------------------------------------------

    def _set_font(self, font: QFont) -> None:
        if font != self._font:
            self._take_font(font)

    def _take_font(self, font: QFont) -> None:
        self._font = QFont(font)
        self._small_font = QFont(font)
        self._small_font.setPointSizeF(font.pointSizeF() * _SMALL)
        self._metrics = QFontMetricsF(self._font)
        self._small_metrics = QFontMetricsF(self._small_font)
        self._ellipsis_width = self._metrics.horizontalAdvance(_ELLIPSIS) + _GAP
        self._parts.clear()

    def _parts_of(self, symbol: bytes, has_marker: bool) -> list[_Part]:
        parts = self._parts.get((symbol, has_marker))
        if parts is None:
            if len(self._parts) > _MOST_CACHED:
                self._parts.clear()
            parts = self._parts[symbol, has_marker] = list(self._measured(symbol, has_marker))
        return parts

    def _measured(self, symbol: bytes, has_marker: bool) -> Iterator[_Part]:
        pieces = symbol.split(END_OF_WORD) if has_marker else [symbol]
        for number, piece in enumerate(pieces):
            if number:
                yield self._part(END_OF_WORD.decode(), is_small=True, is_marker=True)
            for text, is_bytes in _stretches(piece):
                yield self._part(text, is_small=is_bytes)

    def _part(self, text: str, *, is_small: bool, is_marker: bool = False) -> _Part:
        metrics = self._small_metrics if is_small else self._metrics
        return _Part(text, metrics.horizontalAdvance(text), is_small, is_marker)


def _place_of_pair(word: MarkedSymbols) -> int:
    """Where the marked pair stands first; -2, which is always in view, where it does not."""
    symbols = word.symbols
    places = range(min(len(symbols), _MOST_SEARCHED) - 1)
    return next((place for place in places if symbols[place : place + 2] == word.pair), -2)


def _stretches(symbol: bytes) -> Iterator[tuple[str, bool]]:
    """The symbol's text, and the bytes that make no character in hex: (text, whether it is bytes)."""
    text = symbol.decode("utf-8", "surrogateescape")
    end = 0
    for stray in _STRAY_BYTES.finditer(text):
        if stray.start() > end:
            yield visible(text[end : stray.start()].encode()), False
        yield stray.group().encode("utf-8", "surrogateescape").hex(), True
        end = stray.end()
    if end < len(text):
        yield visible(text[end:].encode()), False
