"""Paint a word in a table as symbols, each as a chip in its colour."""

from dataclasses import replace
from math import ceil
from typing import Any, Final

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from bpe_gui.gui.look.layouts import GRID
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.views.token_chips import CHIP_GAP, CHIP_PADDING, NO_SHADE, TokenChips, is_right_to_left

from .delegates import DISABLED_OPACITY, CellDelegate, is_enabled
from .table_model import MAX_SYMBOLS, Index, MarkedSymbols, TableModel

# Lengths are in pixels.
_MARGIN: Final = float(GRID)  # between the word and the edge of the table's cell
_INSET: Final = 3.0  # above and below a chip
_FAINT_OPACITY: Final = 0.35  # of a row not reached yet
_BEFORE_OPACITY: Final = 0.5
_ELLIPSIS: Final = "…"
_ARROW: Final = "→"
_MAX_SEARCHED: Final = 2_000  # symbols of a word to search for the marked pair


class SymbolsDelegate(CellDelegate):
    """Paints as many of a word's symbols as fit, including the marked ones.

    A symbol has the same colour everywhere, or the second shade of it if its left neighbour has that colour. A word
    changed by the last step is shown as it was before and as it is now, if there is space for both. Text in the
    disabled colour is faint.
    """

    def __init__(self, model: TableModel[Any], parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self.gap = 0.0
        """Pixels between the two parts of a symbol made by the last step, while they draw together."""
        self._background = QBrush()
        self._chips = TokenChips(model.theme.token_palette())

    def apply_theme(self) -> None:
        self._chips.set_palette(self.model.theme.token_palette())

    def _word(self, row: int, column: int) -> MarkedSymbols:
        """Return the word of a cell, and switch to its font for measuring."""
        shown, described = self.model.rows[row], self.model.columns[column]
        assert described.symbols is not None  # otherwise the column has another delegate
        self._chips.use_font(self.model.font(described, shown))
        return described.symbols(shown)

    def needed_width(self, row: int, column: int) -> int:
        """Return the width in pixels that a column needs to show all symbols of a cell."""
        return ceil(self._needed(self._word(row, column)))

    def symbol_at(self, cell: QRectF, x: float, row: int, column: int) -> bytes | None:
        """Return the symbol of a word, as split now, at `x` in `cell`; None if there is none."""
        word = self._word(row, column)
        if word.before and self._history_width(word) <= cell.width():
            cell = cell.adjusted(self._needed(_before(word)) - _MARGIN + self._arrow_width, 0, 0, 0)
        area = cell.adjusted(_MARGIN, 0, -_MARGIN, 0)
        shown = self._shown(word, area.width())
        for number, box in zip(shown, self._boxes(word, shown, area), strict=True):
            if box.left() <= x <= box.right():
                return word.symbols[number]
        return None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = self.model.rows[index.row()], self.model.columns[index.column()]
        self.paint_background(painter, option, row)
        word = self._word(index.row(), index.column())
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setClipRect(option.rect)
        if not is_enabled(option):
            painter.setOpacity(DISABLED_OPACITY)
        elif column.color(row) == "disabled":
            painter.setOpacity(_FAINT_OPACITY)
        self._background = option.palette.base()
        cell, color = QRectF(option.rect), self.text_color(option, column, row)
        if word.before and self._history_width(word) <= cell.width():
            cell = self._paint_before(painter, cell, word, color)
        self._paint_word(painter, cell, word, color)
        painter.restore()

    def _history_width(self, word: MarkedSymbols) -> float:
        """Return the width of the word as it was before, an arrow, and the word as it is now."""
        return self._needed(_before(word)) + self._needed(word) + self._arrow_width

    def _needed(self, word: MarkedSymbols) -> float:
        return sum(self._width(word, number) for number in range(len(word.symbols))) + 2 * _MARGIN

    def _paint_before(self, painter: QPainter, cell: QRectF, word: MarkedSymbols, color: QColor) -> QRectF:
        """Paint a word as it was before the last step, and an arrow; return the rest of the cell."""
        before = _before(word)
        width = self._needed(before)
        opacity = painter.opacity()
        painter.setOpacity(opacity * _BEFORE_OPACITY)
        self._paint_word(painter, QRectF(cell.left(), cell.top(), width, cell.height()), before, color)
        painter.setOpacity(opacity)
        self._chips.paint_text(
            painter, cell.left() + width - _MARGIN + CHIP_GAP, cell, _ARROW, self._chips.palette.quiet
        )
        return cell.adjusted(width - _MARGIN + self._arrow_width, 0, 0, 0)

    @property
    def _arrow_width(self) -> float:
        return self._chips.text_width(_ARROW) + CHIP_GAP

    def _paint_word(self, painter: QPainter, cell: QRectF, word: MarkedSymbols, plain: QColor) -> None:
        area = cell.adjusted(_MARGIN, _INSET, -_MARGIN, -_INSET)
        shown = self._shown(word, area.width())
        boxes = self._boxes(word, shown, area)
        shade = NO_SHADE
        for number, box in zip(shown, boxes, strict=True):
            shade = self._chips.shade(word.symbols[number], shade)
            self._chips.paint(painter, box, word.symbols[number], shade, has_marker=word.has_marker)
            if self.gap and word.merged and word.symbols[number] == b"".join(word.merged):
                self._paint_gap(painter, box, word)
        if shown.start:
            self._chips.paint_text(painter, area.left(), area, _ELLIPSIS, plain)
        if shown.stop < len(word.symbols):
            self._chips.paint_text(painter, boxes[-1].right() + CHIP_GAP, area, _ELLIPSIS, plain)
        self._paint_marks(painter, word, shown, boxes)

    def _paint_marks(self, painter: QPainter, word: MarkedSymbols, shown: range, boxes: list[QRectF]) -> None:
        accent = self._chips.palette.accent
        for index, number in enumerate(shown[:-1]):
            if word.symbols[number : number + 2] == word.pair:
                self._chips.paint_mark(painter, boxes[index].united(boxes[index + 1]), accent)
        merged = b"".join(word.merged) if word.merged else None
        for index, number in enumerate(shown):
            if word.symbols[number] in (word.token, merged):
                self._chips.paint_mark(painter, boxes[index], accent)
            if word.merged and word.symbols[number] == merged:
                self._paint_seam(painter, boxes[index], word)

    def _paint_seam(self, painter: QPainter, box: QRectF, word: MarkedSymbols) -> None:
        """Paint a line in the box of a new symbol, where its two parts were joined."""
        x = round(self._seam(box, word)) + 0.5
        painter.drawLine(QPointF(x, box.top() + 2), QPointF(x, box.bottom() - 2))

    def _paint_gap(self, painter: QPainter, box: QRectF, word: MarkedSymbols) -> None:
        """Paint the gap between the two parts of a new symbol while they draw together."""
        gap = QRectF(self._seam(box, word) - self.gap / 2, box.top(), self.gap, box.height())
        painter.fillRect(gap, self._background)

    def _seam(self, box: QRectF, word: MarkedSymbols) -> float:
        """Return the x where the parts of a new symbol meet; in some scripts, the first part is on the right."""
        left, right = (self._chips.width(part, word.has_marker) - 2 * CHIP_PADDING for part in word.merged or ())
        if is_right_to_left(b"".join(word.merged or ())):
            left, right = right, left
        return box.left() + CHIP_PADDING + (box.width() - 2 * CHIP_PADDING) * left / max(left + right, 1.0)

    # -- layout -----------------------------------------------------------------------------------------------------

    def _shown(self, word: MarkedSymbols, width: float) -> range:
        """Return the indices of the symbols to paint: from the first, or around the first mark if it is further on."""
        stop = self._stop(word, 0, width)
        mark = _first_mark(word)
        if not mark or mark.stop <= stop:
            return range(stop)
        return self._around(word, mark, width)

    def _around(self, word: MarkedSymbols, mark: range, width: float) -> range:
        """Return the indices of as many symbols around a mark as fit, roughly equally many on either side."""
        first, last, end = mark.start, mark.stop, len(word.symbols)
        while True:
            before = first, last
            if first and self._fits(word, range(first - 1, last), width):
                first -= 1
            if last < end and self._fits(word, range(first, last + 1), width):
                last += 1
            if (first, last) == before or last - first >= MAX_SYMBOLS:
                return range(first, last)

    def _fits(self, word: MarkedSymbols, shown: range, width: float) -> bool:
        ellipses = (shown.start > 0) + (shown.stop < len(word.symbols))
        needed = sum(self._width(word, number) for number in shown) + ellipses * self._chips.ellipsis_width
        return needed <= width + CHIP_GAP

    def _stop(self, word: MarkedSymbols, start: int, width: float) -> int:
        """Return the end of the symbols that fit from `start` on, with an ellipsis if there are more.

        Includes at least one symbol, whether or not it fits.
        """
        end = min(len(word.symbols), start + MAX_SYMBOLS)
        for number in range(start, end):
            width -= self._width(word, number)
            ellipsis = self._chips.ellipsis_width if number + 1 < len(word.symbols) else 0.0
            if width + CHIP_GAP < ellipsis:
                return max(number, start + 1)
        return end

    def _boxes(self, word: MarkedSymbols, shown: range, area: QRectF) -> list[QRectF]:
        x = area.left() + (self._chips.ellipsis_width if shown.start else 0.0)
        boxes: list[QRectF] = []
        for number in shown:
            width = self._width(word, number)
            # A symbol wider than the cell is elided.
            boxes.append(QRectF(x, area.top(), min(width - CHIP_GAP, area.right() - x), area.height()))
            x += width
        return boxes

    def _width(self, word: MarkedSymbols, number: int) -> float:
        """Return the width of a symbol's chip, including the gap after it."""
        return self._chips.width(word.symbols[number], word.has_marker) + CHIP_GAP


def _before(word: MarkedSymbols) -> MarkedSymbols:
    """Return a changed word as it was before the last step, with the merged pair marked."""
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
