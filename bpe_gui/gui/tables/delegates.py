"""Paint the cells of tables: text on an even baseline, a bar behind a count, chips.

Delegates call the functions of the columns: going through Qt would take longer than the painting.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from math import ceil
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QFontMetricsF, QPainter

from bpe_gui.engine import isolated
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.look.theme import MARK, faded
from bpe_gui.gui.views.fitted_text import FittedText
from bpe_gui.gui.views.token_chips import TokenChips

from .recording import paint_moving
from .table_model import Column, TableModel

_ALIGN_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight)
_ALIGN_HCENTER: Final = int(Qt.AlignmentFlag.AlignHCenter)

DISABLED_OPACITY: Final = 0.5
"""The opacity of chips in a greyed table."""

# Lengths are in pixels.
_PADDING: Final = 6  # between the text and the edge of the cell
_BAR_INSET: Final = 6  # above and below the bar
_BAR_GAP: Final = 8  # between the longest bar and the widest number
_MIN_BAR_SPACE: Final = 16  # with less, bars would be meaningless
_GONE_OPACITY: Final = 0.7  # of the bar of the pair that the last step merged
_CHIP_MARGIN: Final = 4.0  # between the chips and the edge of the cell
_CHIP_INSET: Final = 3.0  # above and below a chip
_CACHED_FONTS: Final = 8  # the fonts of a table, before and after a theme change
_CACHED_TEXTS: Final = 4096  # several screens full


class CellLook(NamedTuple):
    """The look that all cells of a table share: its colours, and whether it is enabled."""

    is_enabled: bool
    text: QColor
    background: QBrush
    left: float = 0.0
    """How much is left of the animation of the last step, from 1 down to 0; 0 if the cell does not move."""


class CellDelegate:
    """The base of the delegates. A table paints the background of a row, and lets them paint its cells."""

    def __init__(self, model: TableModel[Any]) -> None:
        self.model: Final = model
        self.apply_theme()

    def apply_theme(self) -> None:
        """Use the colours of the theme."""

    def paint(self, painter: QPainter, cell: QRect, number: int, row: Any, look: CellLook) -> None:
        """Paint what column `number` shows of a row."""
        raise NotImplementedError

    def text_color(self, column: Column[Any], row: Any, look: CellLook) -> QColor:
        """Return the colour of text in a cell; grey if the table is disabled."""
        role = column.color(row) if column.color and look.is_enabled else None
        return look.text if role is None else self.model.brush(role).color()


class TextDelegate(CellDelegate):
    """Paints text on the same baseline in every row; Qt's own delegate moves it with fallback fonts.

    The text may have a bar on its left.
    """

    def __init__(self, model: TableModel[Any]) -> None:
        super().__init__(model)
        self.widest: dict[int, str] = {}
        """The widest number of each column; bars end before it."""
        self._measures = lru_cache(_CACHED_FONTS)(_TextMeasures)

    def apply_theme(self) -> None:
        self._bar_color, self._accent = self.model.theme.bar_color(), self.model.theme.color("accent")

    def paint(self, painter: QPainter, cell: QRect, number: int, row: Any, look: CellLook) -> None:
        column = self.model.columns[number]
        text = column.text(row)
        if column.bar is not None or text:
            measures = self._measures(self.model.font(column, row), column.elide)
            if column.bar is not None:
                _text, widest = measures.elided(self.widest.get(number, ""), cell.width())
                area = QRectF(cell).adjusted(_PADDING, _BAR_INSET, -widest.width - _PADDING - _BAR_GAP, -_BAR_INSET)
                if area.width() < _MIN_BAR_SPACE:
                    pass
                elif look.left and column.bar_before is not None:
                    before, now = column.bar_before(row), column.bar(row)
                    paint_moving(painter, look.left, partial(_paint_bar, area, before, now, self._bar_color))
                    if column.bar_gone is not None and (gone := column.bar_gone(row)):
                        paint_moving(painter, look.left, partial(_paint_bar_gone, area, gone, self._accent))
                else:
                    _paint_bar(area, 0.0, column.bar(row), self._bar_color, painter, 0.0)
            if column.mark is not None:
                if (mark := column.mark(row)) is not None:
                    top = cell.top() + (cell.height() - MARK) // 2
                    painter.fillRect(cell.left() + _PADDING, top, MARK, MARK, self.model.theme.mark_color(mark))
                cell = cell.adjusted(MARK + _PADDING, 0, 0, 0)
            if text:
                painter.setPen(self.text_color(column, row, look))
                _paint_text(painter, cell, text, measures, column.alignment)


class ChipsDelegate(CellDelegate):
    """Paints the chips of a cell.

    In a narrow column, only the token that a merge makes is painted, with a seam where its parts meet.
    """

    def __init__(self, model: TableModel[Any]) -> None:
        self._chips = TokenChips(model.theme.token_palette())
        super().__init__(model)

    def apply_theme(self) -> None:
        self._chips.set_palette(self.model.theme.token_palette())

    def needed_width(self, rows: Sequence[Any], column: int) -> int:
        """Return the width in pixels that a column needs to show all tokens of some rows; 0 without any."""
        described, widest = self.model.columns[column], 0.0
        assert described.chips is not None  # otherwise the column has another delegate
        if rows:
            self._chips.use_font(self.model.font(described, rows[0]))
        for row in rows:
            if (chips := described.chips(row)) is not None:
                widest = max(widest, self._chips.row_width(chips) + 2 * _CHIP_MARGIN)
        return ceil(widest)

    def paint(self, painter: QPainter, cell: QRect, number: int, row: Any, look: CellLook) -> None:
        column = self.model.columns[number]
        chips = column.chips(row) if column.chips else None
        if chips is None or not any(chips.tokens):
            return
        self._chips.use_font(self.model.font(column, row))
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setClipRect(cell)
        if not look.is_enabled:
            painter.setOpacity(DISABLED_OPACITY)
        area = QRectF(cell).adjusted(_CHIP_MARGIN, _CHIP_INSET, -_CHIP_MARGIN, -_CHIP_INSET)
        boxes = self._chips.paint_row(painter, area, chips, in_table=True)
        if chips.tokens[-1] == self.model.marked:
            self._chips.paint_mark(painter, boxes[-1], self._chips.palette.text)
        painter.restore()


class _TextMeasures:
    """Elided texts and widths in a font, cached because a step leaves most of the screen unchanged."""

    def __init__(self, font: QFont, elide: Qt.TextElideMode) -> None:
        metrics, exact_metrics = QFontMetrics(font), QFontMetricsF(font)

        # Not a method: with the cache, that would be a reference cycle, freed in whatever thread collects garbage, but
        # Qt's fonts may be freed only in their own thread.
        def elided(text: str, width: int) -> tuple[str, FittedText]:
            shown = metrics.elidedText(isolated(text), elide, width)
            return shown, FittedText.of(shown, font, exact_metrics)

        self.elided = lru_cache(_CACHED_TEXTS)(elided)
        """Returns text in its own direction, elided to a width in pixels, and how to draw it."""
        self.drop = (metrics.ascent() - metrics.descent()) / 2
        """Pixels from the middle of a row down to the baseline."""


def _paint_bar(area: QRectF, before: float, now: float, color: QColor, painter: QPainter, left: float) -> None:
    """Paint a bar that grows or shrinks from a length before the last step to the one now."""
    width = max(1.0, area.width() * (now + left * (before - now)))
    painter.fillRect(QRectF(area.topLeft(), QSizeF(width, area.height())), color)


def _paint_bar_gone(area: QRectF, before: float, color: QColor, painter: QPainter, left: float) -> None:
    """Paint a bar that drops to nothing and fades."""
    _paint_bar(area, before, 0.0, faded(color, _GONE_OPACITY * left), painter, left)


def _paint_text(painter: QPainter, cell: QRect, text: str, measures: _TextMeasures, alignment: int) -> None:
    width = cell.width() - 2 * _PADDING
    shown, fitted = measures.elided(text, width)
    spare = width - round(fitted.width)
    shift = spare if alignment & _ALIGN_RIGHT else spare / 2 if alignment & _ALIGN_HCENTER else 0.0
    painter.setFont(fitted.font)
    baseline = round(cell.y() + cell.height() / 2 + measures.drop + fitted.drop)
    painter.drawText(QPointF(round(cell.x() + _PADDING + shift) + fitted.left, baseline), shown)
