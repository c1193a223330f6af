"""Paint the cells of tables: text on an even baseline, a bar behind a count, a strip at the current row, chips.

Delegates call the functions of the columns: going through Qt would take longer than the painting.
"""

from functools import lru_cache
from math import ceil
from typing import Any, Final

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from bpe_gui.engine.runtime import isolated
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.look.theme import ColorRole
from bpe_gui.gui.views.fitted_text import FittedText
from bpe_gui.gui.views.token_chips import TokenChips

from .table_model import Column, Index, TableModel

_ALIGN_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight)
_ALIGN_HCENTER: Final = int(Qt.AlignmentFlag.AlignHCenter)
_TEXT: Final = QPalette.ColorRole.Text
_NORMAL: Final = QPalette.ColorGroup.Normal
_DISABLED: Final = QPalette.ColorGroup.Disabled

# Numbers: creating a flags object, as Qt's own tests do, takes longer than the test itself.
ENABLED: Final = QStyle.StateFlag.State_Enabled.value
_SELECTED: Final = QStyle.StateFlag.State_Selected.value

DISABLED_OPACITY: Final = 0.5
"""The opacity of chips in a greyed table."""

# Lengths are in pixels.
_PADDING: Final = 6  # between the text and the edge of the cell
_BAR_INSET: Final = 6  # above and below the bar
_BAR_GAP: Final = 8  # between the longest bar and the widest number
_MIN_BAR_SPACE: Final = 16  # with less, bars would be meaningless
_ACCENT_WIDTH: Final = 3
_CHIP_MARGIN: Final = 4.0  # between the chips and the edge of the cell
_CHIP_INSET: Final = 3.0  # above and below a chip
_CACHED_FONTS: Final = 8  # the fonts of a table, before and after a theme change
_CACHED_TEXTS: Final = 4096  # several screens full


class CellDelegate(QStyledItemDelegate):
    """The base of the delegates, with the background of a cell and the colour of its text."""

    def __init__(self, model: TableModel[Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model: Final = model

    def apply_theme(self) -> None:
        """Use the colours of the theme."""

    def paint_background(self, painter: QPainter, option: QStyleOptionViewItem, row: Any) -> ColorRole | None:
        """Paint the selection, or else the tint of the row, if any; return that tint."""
        tint = self.model.tint(row)
        if option.state.value & _SELECTED:
            painter.fillRect(option.rect, option.palette.highlight())
        elif tint is not None:
            painter.fillRect(option.rect, self.model.brush(tint))
        return tint

    def text_color(self, option: QStyleOptionViewItem, column: Column[Any], row: Any) -> QColor:
        """Return the colour of text in a cell; grey if the cell is disabled."""
        if not option.state.value & ENABLED:
            return option.palette.color(_DISABLED, _TEXT)
        role = column.color(row)
        return option.palette.color(_NORMAL, _TEXT) if role is None else self.model.brush(role).color()


class TextDelegate(CellDelegate):
    """Paints text on the same baseline in every row; Qt's own delegate moves it with fallback fonts.

    The text may have a bar on its left. The first cell of the current row has a strip in the accent colour.
    """

    def __init__(self, model: TableModel[Any], parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self.widest: dict[int, str] = {}
        """The widest number of each column; bars end before it."""
        self._measures = lru_cache(_CACHED_FONTS)(_TextMeasures)
        self.apply_theme()

    def apply_theme(self) -> None:
        self._accent, self._bar_color = self.model.theme.color("accent"), self.model.theme.bar_color()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        number, row = index.column(), self.model.rows[index.row()]
        column, cell = self.model.columns[number], option.rect
        if self.paint_background(painter, option, row) == "accent_tint" and number == 0:
            painter.fillRect(cell.x(), cell.y(), _ACCENT_WIDTH, cell.height(), self._accent)
        text = column.text(row)
        if column.bar is not None or text:
            font = self.model.font(column, row)
            measures = self._measures(font, column.elide)
            if column.bar is not None:
                _text, widest = measures.elided(self.widest.get(number, ""), cell.width())
                self._paint_bar(painter, cell, widest.width, column.bar(row))
            if text:
                painter.setPen(self.text_color(option, column, row))
                _paint_text(painter, cell, text, measures, column.alignment)

    def _paint_bar(self, painter: QPainter, cell: QRect, widest: float, length: float) -> None:
        bar = QRectF(cell).adjusted(_PADDING, _BAR_INSET, -widest - _PADDING - _BAR_GAP, -_BAR_INSET)
        if bar.width() >= _MIN_BAR_SPACE:
            bar.setWidth(max(1.0, bar.width() * length))
            painter.fillRect(bar, self._bar_color)


class ChipsDelegate(CellDelegate):
    """Paints the chips of a cell.

    In a narrow column, only the token that a merge makes is painted, with a seam where its parts meet.
    """

    def __init__(self, model: TableModel[Any], parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self._chips = TokenChips(model.theme.token_palette())

    def apply_theme(self) -> None:
        self._chips.set_palette(self.model.theme.token_palette())

    def needed_width(self, rows: range, column: int) -> int:
        """Return the width in pixels that a column needs to show all tokens of some rows; 0 without any."""
        described, widest = self.model.columns[column], 0.0
        assert described.chips is not None  # otherwise the column has another delegate
        for row in map(self.model.rows.__getitem__, rows):
            if (chips := described.chips(row)) is not None:
                self._chips.use_font(self.model.font(described, row))
                widest = max(widest, self._chips.row_width(chips) + 2 * _CHIP_MARGIN)
        return ceil(widest)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = self.model.rows[index.row()], self.model.columns[index.column()]
        self.paint_background(painter, option, row)
        chips = column.chips(row) if column.chips else None
        if chips is None or not any(chips.tokens):
            return
        self._chips.use_font(self.model.font(column, row))
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setClipRect(option.rect)
        if not option.state.value & ENABLED:
            painter.setOpacity(DISABLED_OPACITY)
        area = QRectF(option.rect).adjusted(_CHIP_MARGIN, _CHIP_INSET, -_CHIP_MARGIN, -_CHIP_INSET)
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


def _paint_text(painter: QPainter, cell: QRect, text: str, measures: _TextMeasures, alignment: int) -> None:
    width = cell.width() - 2 * _PADDING
    shown, fitted = measures.elided(text, width)
    spare = width - round(fitted.width)
    shift = spare if alignment & _ALIGN_RIGHT else spare / 2 if alignment & _ALIGN_HCENTER else 0.0
    painter.setFont(fitted.font)
    baseline = round(cell.y() + cell.height() / 2 + measures.drop + fitted.drop)
    painter.drawText(QPointF(round(cell.x() + _PADDING + shift) + fitted.left, baseline), shown)
