"""Paint the cells of tables: tokens on an even baseline, a bar behind a count, a mark at a row.

Delegates call the model's functions directly: going through Qt would take longer than the painting.
"""

from functools import lru_cache, partial
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from bpe_gui.engine.runtime import isolated
from bpe_gui.gui.look.qt_constants import (
    ANTIALIASING,
    BACKGROUND_ROLE,
    DISPLAY_ROLE,
    ELIDE_RIGHT,
    FONT_ROLE,
    FOREGROUND_ROLE,
    NO_BRUSH,
    TEXT_ALIGNMENT_ROLE,
)
from bpe_gui.gui.models.roles import ACCENT_ROLE, BAR_ROLE, MARK_ROLE, Answers
from bpe_gui.gui.views.fitted_text import FittedText

Index = QModelIndex | QPersistentModelIndex

_ALIGN_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight)
_ALIGN_HCENTER: Final = int(Qt.AlignmentFlag.AlignHCenter)
_ENABLED: Final = QStyle.StateFlag.State_Enabled.value
_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_TEXT: Final = QPalette.ColorRole.Text
_NORMAL: Final = QPalette.ColorGroup.Normal
_DISABLED: Final = QPalette.ColorGroup.Disabled

_PADDING: Final = 6  # pixels between the text and the edge of the cell
_BAR_INSET: Final = 6  # pixels above and below the bar
_BAR_GAP: Final = 8  # pixels between the longest bar and the widest number
_MIN_BAR_SPACE: Final = 16  # pixels, below which bars would say nothing
_ACCENT_WIDTH: Final = 3
_MARK_WIDTH: Final = 1.5
_MARK_PADDING: Final = 3.5  # pixels between the text and the outline that marks it
_MARK_INSET: Final = 2.5  # pixels between the outline and the top and bottom of the cell
_MARK_CORNER: Final = 3.0
_CACHED_FONTS: Final = 8  # the fonts of the tables, before and after a change of the theme
_CACHED_TEXTS: Final = 4096  # several screens full


class CellDelegate(QStyledItemDelegate):
    """The base of the delegates, with the background of a cell and the colour of its text."""

    def __init__(self, answers: Answers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.answers = answers

    def answer(self, role: int, row: int, column: int) -> Any:
        """Return the model's data for a role; None if it does not have that role."""
        answer = self.answers.get(role)
        return answer(row, column) if answer is not None else None

    def paint_background(self, painter: QPainter, option: QStyleOptionViewItem, row: int, column: int) -> None:
        """Paint the selection, or else the model's background colour, if any."""
        if option.state.value & _SELECTED:
            painter.fillRect(option.rect, option.palette.highlight())
        elif (brush := self.answer(BACKGROUND_ROLE, row, column)) is not None:
            painter.fillRect(option.rect, brush)

    def text_color(self, option: QStyleOptionViewItem, row: int, column: int) -> QColor:
        """Return the colour of text in a cell, which is grey if the cell is disabled."""
        if not is_enabled(option):
            return option.palette.color(_DISABLED, _TEXT)
        brush = self.answer(FOREGROUND_ROLE, row, column)
        return option.palette.color(_NORMAL, _TEXT) if brush is None else brush.color()


class TokenDelegate(CellDelegate):
    """A delegate for text on the same baseline in every row; Qt's own moves with the fallback fonts of characters.

    `elide` is where text that does not fit is elided.
    """

    def __init__(self, answers: Answers, parent: QObject | None = None, elide: Qt.TextElideMode = ELIDE_RIGHT) -> None:
        super().__init__(answers, parent)
        self._measures = lru_cache(_CACHED_FONTS)(partial(_TextMeasures, elide=elide))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        self.paint_background(painter, option, row, column)
        self.paint_behind(painter, option.rect, row, column)
        if text := self.answers[DISPLAY_ROLE](row, column):
            painter.setPen(self.text_color(option, row, column))
            self._paint_text(painter, option.rect, text, row, column)

    def paint_behind(self, painter: QPainter, cell: QRect, row: int, column: int) -> None:
        """Paint between the background and the text; a hook for subclasses."""

    def _paint_text(self, painter: QPainter, cell: QRect, text: str, row: int, column: int) -> None:
        font = self.answers[FONT_ROLE](row, column)
        measures = self._measures(font)
        width = cell.width() - 2 * _PADDING
        shown, fitted = measures.elided(text, width)
        alignment = self.answer(TEXT_ALIGNMENT_ROLE, row, column) or 0
        spare = width - round(fitted.width)
        shift = spare if alignment & _ALIGN_RIGHT else spare / 2 if alignment & _ALIGN_HCENTER else 0.0
        painter.setFont(fitted.font)
        baseline = round(cell.y() + cell.height() / 2 + measures.drop + fitted.drop)
        left = round(cell.x() + _PADDING + shift)
        painter.drawText(QPointF(left + fitted.left, baseline), shown)
        if self.answer(MARK_ROLE, row, column):
            self._paint_mark(painter, QRectF(left, cell.y(), fitted.width, cell.height()))

    def _paint_mark(self, painter: QPainter, text: QRectF) -> None:
        """Outline text, in its colour, that holds the selected token."""
        painter.save()
        painter.setRenderHint(ANTIALIASING)
        painter.setPen(QPen(painter.pen().color(), _MARK_WIDTH))
        painter.setBrush(NO_BRUSH)
        outline = text.adjusted(-_MARK_PADDING, _MARK_INSET, _MARK_PADDING, -_MARK_INSET)
        painter.drawRoundedRect(outline, _MARK_CORNER, _MARK_CORNER)
        painter.restore()


class BarDelegate(TokenDelegate):
    """A delegate for numbers with a bar on their left that shows their size (`BAR_ROLE`)."""

    def __init__(self, answers: Answers, color: QColor, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self.color = color
        self.widest = ""
        """The widest number of the column: the bars end before it."""

    def paint_behind(self, painter: QPainter, cell: QRect, row: int, column: int) -> None:
        _text, widest = self._measures(self.answers[FONT_ROLE](row, column)).elided(self.widest, cell.width())
        bar = QRectF(cell).adjusted(_PADDING, _BAR_INSET, -widest.width - _PADDING - _BAR_GAP, -_BAR_INSET)
        if bar.width() >= _MIN_BAR_SPACE:
            bar.setWidth(max(1.0, bar.width() * self.answers[BAR_ROLE](row, column)))
            painter.fillRect(bar, self.color)


class AccentDelegate(TokenDelegate):
    """A delegate for text with a strip of the accent colour at the left edge of a marked row (`ACCENT_ROLE`)."""

    def __init__(self, answers: Answers, color: QColor, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self.color = color

    def paint_behind(self, painter: QPainter, cell: QRect, row: int, column: int) -> None:
        if self.answers[ACCENT_ROLE](row, column):
            painter.fillRect(cell.x(), cell.y(), _ACCENT_WIDTH, cell.height(), self.color)


class _TextMeasures:
    """The elided texts and widths in a font, cached because a step leaves most of a screen unchanged."""

    def __init__(self, font: QFont, elide: Qt.TextElideMode) -> None:
        metrics, exact_metrics = QFontMetrics(font), QFontMetricsF(font)

        # Not a method: with the cache it would be a reference cycle, freed in whatever thread collects garbage, but
        # Qt's fonts may be freed in their own thread only.
        def elided(text: str, width: int) -> tuple[str, FittedText]:
            shown = metrics.elidedText(isolated(text), elide, width)
            return shown, FittedText.of(shown, font, exact_metrics)

        self.elided = lru_cache(_CACHED_TEXTS)(elided)
        """Returns text in its own direction, elided to a width in pixels, and how it is drawn."""
        self.drop = (metrics.ascent() - metrics.descent()) / 2
        """Pixels from the middle of a row down to the baseline."""


def is_enabled(option: QStyleOptionViewItem) -> bool:
    """Return whether a cell is enabled, without making a flags object as Qt's own test does."""
    return bool(option.state.value & _ENABLED)
