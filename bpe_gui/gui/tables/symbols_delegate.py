"""Paint a word in a table as symbols, each as a chip in its colour."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any, Final

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter

from bpe_gui.gui.look.layouts import GRID
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.views.token_chips import CHIP_GAP, CHIP_PADDING, Chips, TokenChips, is_right_to_left

from .delegates import DISABLED_OPACITY, CellDelegate, CellLook
from .recording import paint_moving
from .table_model import MAX_SYMBOLS, MarkedSymbols, TableModel

# Lengths are in pixels.
_MARGIN: Final = float(GRID)  # between the word and the edge of the table's cell
_INSET: Final = 3.0  # above and below a chip
_TEXT_SHARE: Final = 0.3  # of the cell, for the text of a word that does not fit as symbols
_FAINT_OPACITY: Final = 0.35  # of a row not reached yet
_BEFORE_OPACITY: Final = 0.5
_ELLIPSIS: Final = "…"
_ARROW: Final = "→"
_MAX_LAYOUTS: Final = 256  # several screens full
_MAX_SEARCHED: Final = 2_000  # symbols of a word to search for the marked pair
_MAX_MEASURED: Final = _MAX_SEARCHED + 2 * MAX_SYMBOLS  # so that all that may be shown around it are measured


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a word is painted: the symbols that fit, each with its box, what is over them, and the text beside them."""

    chips: list[tuple[bytes, QRectF]]
    ellipses: list[float]
    """Where they begin."""
    marks: list[QRectF]
    seams: list[tuple[float, QRectF]]
    """x at which the two parts of a new symbol have joined, and its box."""
    has_line: bool
    """Whether a line there shows it; it would cut through a character whose bytes have joined."""
    before: "_Layout | None"
    """The word before the last step changed it, if there is space for it."""
    arrow: float
    """Where the arrow from `before` begins."""
    has_marker: bool
    made: bytes
    """The new symbol; empty if there is none."""
    parts: Sequence[bytes]
    """Its two parts from left to right."""
    text: str
    text_start: float


class SymbolsDelegate(CellDelegate):
    """Paints as many of a word's symbols as fit, including the marked ones.

    A word changed by the last step is shown as it was before and as it is now, if there is space for both. Text in the
    disabled colour is faint.
    """

    def __init__(self, model: TableModel[Any]) -> None:
        self._chips = TokenChips(model.theme.token_palette())
        self._layouts: dict[tuple[MarkedSymbols, int, int, int, int], _Layout] = {}  # by word and cell
        super().__init__(model)

    def apply_theme(self) -> None:
        self._chips.set_palette(self.model.theme.token_palette())
        self._layouts.clear()

    def needed_width(self, row: int, column: int) -> int:
        """Return the width in pixels that a column needs to show all symbols of a cell."""
        shown, described = self.model.rows[row], self.model.columns[column]
        assert described.symbols is not None  # otherwise the column has another delegate
        self._chips.use_font(self.model.font(described, shown))
        return ceil(_needed(self._widths(described.symbols(shown))))

    def symbol_at(self, cell: QRect, x: float, row: int, column: int) -> bytes | None:
        """Return the symbol of a word, as split now, at `x` in `cell`; None if there is none."""
        chips = self._layout(cell, column, self.model.rows[row]).chips
        return next((symbol for symbol, box in chips if box.left() <= x <= box.right()), None)

    def paint(self, painter: QPainter, cell: QRect, number: int, row: Any, look: CellLook) -> None:
        column, layout = self.model.columns[number], self._layout(cell, number, row)
        plain = self.text_color(column, row, look)
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setClipRect(cell)
        is_faint = column.color and column.color(row) == "disabled"
        opacity = DISABLED_OPACITY if not look.is_enabled else _FAINT_OPACITY if is_faint else 1.0
        painter.setOpacity(opacity)
        if layout.before is not None:
            painter.setOpacity(opacity * _BEFORE_OPACITY)
            self._paint_word(painter, QRectF(cell), layout.before, plain, look)
            painter.setOpacity(opacity)
            self._chips.paint_text(painter, layout.arrow, QRectF(cell), _ARROW, self._chips.palette.quiet)
        self._paint_word(painter, QRectF(cell), layout, plain, look)
        painter.restore()

    def _paint_word(self, painter: QPainter, cell: QRectF, layout: _Layout, plain: QColor, look: CellLook) -> None:
        self._chips.paint(painter, layout.chips, has_marker=layout.has_marker)
        for x in layout.ellipses:
            self._chips.paint_text(painter, x, cell, _ELLIPSIS, plain)
        if layout.text and (room := cell.right() - _MARGIN - layout.text_start) > _MARGIN:
            text = self._chips.elided(layout.text, room)
            self._chips.paint_text(painter, layout.text_start, cell, text, self._chips.palette.quiet)
        if look.left and layout.seams:
            paint_moving(painter, look.left, partial(self._paint_parts, layout, look.background))
        for mark in layout.marks:
            self._chips.paint_mark(painter, mark, self._chips.palette.accent)
        for x, box in layout.seams if layout.has_line else ():
            x = round(x) + 0.5
            painter.drawLine(QPointF(x, box.top() + 2), QPointF(x, box.bottom() - 2))

    def _paint_parts(self, layout: _Layout, background: QBrush, painter: QPainter, left: float) -> None:
        for x, box in layout.seams:
            self._chips.paint_parts(painter, box, x, layout.made, layout.parts, background, left, layout.has_marker)

    # -- layout -----------------------------------------------------------------------------------------------------

    def _layout(self, cell: QRect, number: int, row: Any) -> _Layout:
        """Return the layout of the word of a cell, which is kept because an animation paints it many times."""
        column = self.model.columns[number]
        assert column.symbols is not None  # otherwise the column has another delegate
        word = column.symbols(row)
        key = word, cell.x(), cell.y(), cell.width(), cell.height()
        layout = self._layouts.get(key)
        if layout is None:
            if self._chips.use_font(self.model.font(column, row)) or len(self._layouts) >= _MAX_LAYOUTS:
                self._layouts.clear()
            layout = self._layouts[key] = self._lay_out(word, QRectF(cell))
        return layout

    def _lay_out(self, word: MarkedSymbols, cell: QRectF) -> _Layout:
        widths, before, arrow = self._widths(word), None, 0.0
        if word.before:
            former = replace(word, symbols=word.before, before=(), pair=word.merged, token=None, merged=None, text="")
            width, arrow_width = _needed(self._widths(former)), self._chips.text_width(_ARROW) + CHIP_GAP
            if width + _needed(widths) + arrow_width <= cell.width():
                before = self._lay_out(former, QRectF(cell.left(), cell.top(), width, cell.height()))
                arrow = cell.left() + width - _MARGIN + CHIP_GAP
                cell = cell.adjusted(width - _MARGIN + arrow_width, 0, 0, 0)
        area = cell.adjusted(_MARGIN, _INSET, -_MARGIN, -_INSET)
        if word.text and _needed(widths) > cell.width():
            area.setWidth(area.width() * (1 - _TEXT_SHARE))
        shown = self._shown(word, widths, area.width())
        boxes = self._boxes(widths, shown, area)
        symbols = word.symbols[shown.start : shown.stop]
        chips = list(zip(symbols, boxes, strict=True))
        ellipses = [area.left()] if shown.start else []
        if shown.stop < len(word.symbols):
            ellipses.append(boxes[-1].right() + CHIP_GAP)
        made = b"".join(word.merged or ())
        parts = (word.merged or ())[:: -1 if is_right_to_left(made) else 1]
        pairs = zip(pairwise(symbols), pairwise(boxes), strict=True)
        marks = [left.united(right) for pair, (left, right) in pairs if pair == word.pair]
        marks += [box for symbol, box in chips if symbol in (word.token, made)]
        seams = [(self._seam(box, parts, word.has_marker), box) for symbol, box in chips if symbol == made]
        has_line = bool(seams) and self._chips.seam(Chips((*(word.merged or ()), made), word.has_marker)) is not None
        end = max([*(box.right() for box in boxes), *ellipses], default=area.left()) + 2 * self._chips.ellipsis_width
        return _Layout(
            chips, ellipses, marks, seams, has_line, before, arrow, word.has_marker, made, parts, word.text, end
        )

    def _seam(self, box: QRectF, parts: Sequence[bytes], has_marker: bool) -> float:
        """Return the x where the parts of a new symbol meet."""
        left, right = (width - 2 * CHIP_PADDING for width in self._chips.widths(parts, has_marker))
        return box.left() + CHIP_PADDING + (box.width() - 2 * CHIP_PADDING) * left / max(left + right, 1.0)

    def _shown(self, word: MarkedSymbols, widths: list[float], width: float) -> range:
        """Return the indices of the symbols to paint: from the first, or around the first mark if it is further on."""
        stop = self._stop(widths, width)
        mark = _first_mark(word)
        if not mark or mark.stop <= stop:
            return range(stop)
        return self._around(mark, widths, width)

    def _around(self, mark: range, widths: list[float], width: float) -> range:
        """Return the indices of as many symbols around a mark as fit, roughly equally many on either side."""
        first, last, end = mark.start, mark.stop, len(widths)
        while True:
            before = first, last
            if first and self._fits(widths, range(first - 1, last), width):
                first -= 1
            if last < end and self._fits(widths, range(first, last + 1), width):
                last += 1
            if (first, last) == before or last - first >= MAX_SYMBOLS:
                return range(first, last)

    def _fits(self, widths: list[float], shown: range, width: float) -> bool:
        ellipses = (shown.start > 0) + (shown.stop < len(widths))
        needed = sum(widths[shown.start : shown.stop]) + ellipses * self._chips.ellipsis_width
        return needed <= width + CHIP_GAP

    def _stop(self, widths: list[float], width: float) -> int:
        """Return the end of the symbols that fit from the first, with an ellipsis if there are more.

        Includes at least one symbol, whether or not it fits.
        """
        end = min(len(widths), MAX_SYMBOLS)
        for number in range(end):
            width -= widths[number]
            ellipsis = self._chips.ellipsis_width if number + 1 < len(widths) else 0.0
            if width + CHIP_GAP < ellipsis:
                return max(number, 1)
        return end

    def _boxes(self, widths: list[float], shown: range, area: QRectF) -> list[QRectF]:
        x = area.left() + (self._chips.ellipsis_width if shown.start else 0.0)
        boxes: list[QRectF] = []
        for width in widths[shown.start : shown.stop]:
            # A symbol that is wider than the cell is elided.
            boxes.append(QRectF(x, area.top(), min(width - CHIP_GAP, area.right() - x), area.height()))
            x += width
        return boxes

    def _widths(self, word: MarkedSymbols) -> list[float]:
        """Return the widths of the chips of a word, each with the gap after it."""
        return [width + CHIP_GAP for width in self._chips.widths(word.symbols[:_MAX_MEASURED], word.has_marker)]


def _needed(widths: list[float]) -> float:
    """Return the width of a cell that shows all symbols."""
    return sum(widths) + 2 * _MARGIN


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
