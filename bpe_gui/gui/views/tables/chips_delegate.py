"""Paint the tokens of a cell as chips: a token, or a merge as `left + right → token`."""

from math import ceil
from typing import Final

from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from bpe_gui.gui.look.palette import TokenPalette
from bpe_gui.gui.look.qt_constants import ANTIALIASING, FONT_ROLE
from bpe_gui.gui.models.roles import CHIPS_ROLE, MARK_ROLE, Chips
from bpe_gui.gui.views.token_chips import TokenChips

from .cell_delegates import Answers, CellDelegate, Index, is_enabled

# Lengths are in pixels.
_MARGIN: Final = 4.0  # between the chips and the edge of the cell
_INSET: Final = 3.0  # above and below a chip
_MIN_RESULT: Final = 16.0  # an elided token
_DISABLED_OPACITY: Final = 0.5
_SIGNS: Final = ("+", "→")  # after the first and the second token


class ChipsDelegate(CellDelegate):
    """A delegate for the chips of a cell (`CHIPS_ROLE`).

    Where a merge does not fit, the token that it makes is elided first, which its parts tell anyway.
    """

    def __init__(self, answers: Answers, palette: TokenPalette, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self._chips = TokenChips(palette)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Use the colours of a theme."""
        self._chips.set_palette(palette)

    def needed_width(self, row: int, column: int) -> int:
        """Return the width in pixels that a column needs to show all tokens of a cell."""
        chips: Chips = self.answers[CHIPS_ROLE](row, column)
        self._chips.use_font(self.answers[FONT_ROLE](row, column))
        return ceil(sum(self._widths(chips)) + self._signs_width(len(chips.tokens)) + 2 * _MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        self.paint_background(painter, option, row, column)
        chips: Chips | None = self.answers[CHIPS_ROLE](row, column)
        if chips is None or not any(chips.tokens):
            return
        self._chips.use_font(self.answers[FONT_ROLE](row, column))
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setClipRect(option.rect)
        if not is_enabled(option):
            painter.setOpacity(_DISABLED_OPACITY)
        area = QRectF(option.rect).adjusted(_MARGIN, _INSET, -_MARGIN, -_INSET)
        last = self._paint_chips(painter, area, chips)
        if self.answer(MARK_ROLE, row, column):
            self._chips.paint_mark(painter, last, self._chips.palette.text)
        painter.restore()

    def _paint_chips(self, painter: QPainter, area: QRectF, chips: Chips) -> QRectF:
        """Paint the chips of a cell, and return the box of the last one."""
        x, box = area.left(), area
        quiet = self._chips.palette.quiet
        widths = self._fitted(chips, area.width())
        for number, (token, width) in enumerate(zip(chips.tokens, widths, strict=True)):
            if number:
                sign = f" {_SIGNS[number - 1]} "
                self._chips.paint_text(painter, x, area, sign, quiet)
                x += self._chips.text_width(sign)
            box = QRectF(x, area.top(), width, area.height())
            self._paint_chip(painter, box, token, chips)
            x += width
        return box

    def _paint_chip(self, painter: QPainter, box: QRectF, token: bytes, chips: Chips) -> None:
        if chips.is_special:
            self._chips.paint_special(painter, box, token)
        else:
            shade = self._chips.shade(token)
            self._chips.paint(painter, box, token, shade, has_marker=chips.has_marker, is_faint=chips.is_ahead)

    def _widths(self, chips: Chips) -> list[float]:
        return [self._chips.width(token, chips.has_marker) for token in chips.tokens]

    def _signs_width(self, tokens: int) -> float:
        return sum(self._chips.text_width(f" {sign} ") for sign in _SIGNS[: tokens - 1])

    def _fitted(self, chips: Chips, available: float) -> list[float]:
        """Return the widths of the chips: the last one is elided to what the others leave, then all of them."""
        widths = self._widths(chips)
        available -= self._signs_width(len(widths))
        rest = max(_MIN_RESULT, available - sum(widths[:-1]))
        widths[-1] = min(widths[-1], rest)
        excess = sum(widths[:-1]) + widths[-1] - available
        if excess <= 0 or len(widths) == 1:
            return widths
        parts = widths[:-1]
        share = max(0.0, available - widths[-1]) / len(parts)
        spare = sum(max(0.0, share - width) for width in parts)
        long_parts = sum(width > share for width in parts)
        return [min(width, share + spare / max(1, long_parts)) for width in parts] + [widths[-1]]
