"""Paint the tokens of a cell as chips: a token, or a merge as `left + right → token`, joined where that is too wide."""

from math import ceil
from typing import Final

from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from bpe_gui.gui.look.palette import TokenPalette
from bpe_gui.gui.look.qt_constants import ANTIALIASING, FONT_ROLE
from bpe_gui.gui.models.roles import CHIPS_ROLE, MARK_ROLE, Answers, Chips
from bpe_gui.gui.views.token_chips import TokenChips

from .cell_delegates import CellDelegate, Index, is_enabled

# Lengths are in pixels.
_MARGIN: Final = 4.0  # between the chips and the edge of the cell
_INSET: Final = 3.0  # above and below a chip
_DISABLED_OPACITY: Final = 0.5


class ChipsDelegate(CellDelegate):
    """A delegate for the chips of a cell (`CHIPS_ROLE`).

    Where a merge does not fit, the token that it makes stands for it, with a seam where its parts meet.
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
        return ceil(self._chips.row_width(chips) + 2 * _MARGIN)

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
        boxes = self._chips.paint_row(painter, area, chips)
        if self.answer(MARK_ROLE, row, column):
            self._chips.paint_mark(painter, boxes[-1], self._chips.palette.text)
        painter.restore()
