"""Cells of a table: tokens on an even baseline, a bar behind a count, the mark of the row that matters.

Delegates ask the model without going through Qt, which would cost more than the painting.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex

Answers = Mapping[int, Callable[[int, int], Any]]
"""What a model answers for a role, of row and column. Each delegate needs some roles, the font among them."""

BAR_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""How long the bar is, from 0 to 1."""

ACCENT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
"""Whether the row is the one that the accent marks."""

_ALIGNMENT: Final = int(Qt.ItemDataRole.TextAlignmentRole)
_BACKGROUND: Final = int(Qt.ItemDataRole.BackgroundRole)
_DISPLAY: Final = int(Qt.ItemDataRole.DisplayRole)
_FONT: Final = int(Qt.ItemDataRole.FontRole)
_FOREGROUND: Final = int(Qt.ItemDataRole.ForegroundRole)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight)
_CENTER: Final = int(Qt.AlignmentFlag.AlignHCenter)
_ENABLED: Final = QStyle.StateFlag.State_Enabled.value
_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_TEXT: Final = QPalette.ColorRole.Text
_NORMAL: Final = QPalette.ColorGroup.Normal
_DISABLED: Final = QPalette.ColorGroup.Disabled

_MARGIN: Final = 6  # between the text and the edge of the cell
_BAR_MARGIN: Final = 4  # above and below the bar
_ACCENT_WIDTH: Final = 3
_FONTS: Final = 8  # of the tables, and those that a change of the theme leaves behind
_TEXTS: Final = 4096  # some windows full


class CellDelegate(QStyledItemDelegate):
    """Paints the background of a cell, and its text in the colour that the model gives."""

    def __init__(self, answers: Answers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.answers = answers

    def answer(self, role: int, row: int, column: int) -> Any:
        """What the model answers; None where it knows no such role."""
        answer = self.answers.get(role)
        return answer(row, column) if answer is not None else None

    def paint_background(self, painter: QPainter, option: QStyleOptionViewItem, row: int, column: int) -> None:
        """Paint what is behind a cell: the selection, or the colour that the model gives."""
        if option.state.value & _SELECTED:
            painter.fillRect(option.rect, option.palette.highlight())
        elif (brush := self.answer(_BACKGROUND, row, column)) is not None:
            painter.fillRect(option.rect, brush)

    def text_color(self, option: QStyleOptionViewItem, row: int, column: int) -> QColor:
        """The colour of text in a cell, greyed where it is disabled."""
        if not is_enabled(option):
            return option.palette.color(_DISABLED, _TEXT)
        brush = self.answer(_FOREGROUND, row, column)
        return option.palette.color(_NORMAL, _TEXT) if brush is None else brush.color()


class TokenDelegate(CellDelegate):
    """Text on the same baseline in every row; Qt's own moves with the fonts that lend a character or two.

    `elide` is where a text is cut for which there is no room.
    """

    def __init__(
        self, answers: Answers, parent: QObject | None = None, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(answers, parent)
        self._texts_in = lru_cache(_FONTS)(partial(_Texts, elide=elide))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        self.paint_background(painter, option, row, column)
        self.paint_behind(painter, option.rect, row, column)
        if text := self.answers[_DISPLAY](row, column):
            painter.setPen(self.text_color(option, row, column))
            self._paint_text(painter, option.rect, text, row, column)

    def paint_behind(self, painter: QPainter, cell: QRect, row: int, column: int) -> None:
        """For subclasses: paint between the background and the text."""

    def _paint_text(self, painter: QPainter, cell: QRect, text: str, row: int, column: int) -> None:
        font = self.answers[_FONT](row, column)
        texts = self._texts_in(font)
        room = cell.width() - 2 * _MARGIN
        shown, shown_width = texts.fitted(text, room)
        alignment = self.answer(_ALIGNMENT, row, column) or 0
        spare = room - shown_width
        shift = spare if alignment & _RIGHT else spare / 2 if alignment & _CENTER else 0.0
        painter.setFont(font)
        baseline = round(cell.y() + cell.height() / 2 + texts.drop)
        painter.drawText(QPointF(round(cell.x() + _MARGIN + shift), baseline), shown)


class BarDelegate(TokenDelegate):
    """A number over a bar from the left that shows its size (`BAR_ROLE`)."""

    def __init__(self, answers: Answers, color: QColor, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self.color = color

    def paint_behind(self, painter: QPainter, cell: QRect, row: int, column: int) -> None:
        bar = QRectF(cell).adjusted(_MARGIN, _BAR_MARGIN, 0, -_BAR_MARGIN)
        bar.setWidth(max(1.0, bar.width() * self.answers[BAR_ROLE](row, column)))
        painter.fillRect(bar, self.color)


class AccentDelegate(TokenDelegate):
    """Text, with a bar of the accent at the left edge of the row that it marks (`ACCENT_ROLE`)."""

    def __init__(self, answers: Answers, color: QColor, parent: QObject | None = None) -> None:
        super().__init__(answers, parent)
        self.color = color

    def paint_behind(self, painter: QPainter, cell: QRect, row: int, column: int) -> None:
        if self.answers[ACCENT_ROLE](row, column):
            painter.fillRect(cell.x(), cell.y(), _ACCENT_WIDTH, cell.height(), self.color)


class _Texts:
    """How texts look in a font; those that were seen last are known, for most of a window stays when one steps."""

    def __init__(self, font: QFont, elide: Qt.TextElideMode) -> None:
        metrics = QFontMetrics(font)

        # No method: a cycle would have it end in whatever thread collects garbage, and Qt's fonts belong to theirs.
        def fitted(text: str, room: int) -> tuple[str, int]:
            shown = metrics.elidedText(text, elide, room)
            return shown, metrics.horizontalAdvance(shown)

        self.fitted = lru_cache(_TEXTS)(fitted)
        """A text, cut where there is no more room, and how wide it is then."""
        self.drop = (metrics.ascent() - metrics.descent()) / 2
        """How far the baseline is below the middle of a line."""


def is_enabled(option: QStyleOptionViewItem) -> bool:
    """Whether a cell is enabled. Qt's flags would make an object to say so."""
    return bool(option.state.value & _ENABLED)
