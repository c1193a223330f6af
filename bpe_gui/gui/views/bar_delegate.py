"""Cells of a table: tokens on an even baseline, a bar behind a count, the mark of the row that matters.

The model gives each cell its font (`FontRole`).
"""

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex

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
_ENABLED: Final = QStyle.StateFlag.State_Enabled
_SELECTED: Final = QStyle.StateFlag.State_Selected
_TEXT: Final = QPalette.ColorRole.Text
_NORMAL: Final = QPalette.ColorGroup.Normal
_DISABLED: Final = QPalette.ColorGroup.Disabled

_MARGIN: Final = 6  # between the text and the edge of the cell
_BAR_MARGIN: Final = 4  # above and below the bar
_ACCENT_WIDTH: Final = 3


def paint_background(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
    """Paint what is behind a cell: the selection, or the colour that the model gives."""
    if option.state & _SELECTED:
        painter.fillRect(option.rect, option.palette.highlight())
    elif (brush := index.data(_BACKGROUND)) is not None:
        painter.fillRect(option.rect, brush)


def text_color(option: QStyleOptionViewItem, index: Index) -> QColor:
    """The colour of text in a cell, greyed where it is disabled."""
    if not option.state & _ENABLED:
        return option.palette.color(_DISABLED, _TEXT)
    brush = index.data(_FOREGROUND)
    return option.palette.color(_NORMAL, _TEXT) if brush is None else brush.color()


class TokenDelegate(QStyledItemDelegate):
    """Text on the same baseline in every row; Qt's own moves with the fonts that lend a character or two.

    Paints in a third of the time that `initStyleOption` and the style take together.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        paint_background(painter, option, index)
        self.paint_behind(painter, QRectF(option.rect), index)
        if text := index.data(_DISPLAY):
            _paint_text(painter, option, index, text)

    def paint_behind(self, painter: QPainter, cell: QRectF, index: Index) -> None:
        """For subclasses: paint between the background and the text."""


class BarDelegate(TokenDelegate):
    """A number over a bar from the left that shows its size (`BAR_ROLE`)."""

    def __init__(self, color: QColor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.color = color

    def paint_behind(self, painter: QPainter, cell: QRectF, index: Index) -> None:
        bar = cell.adjusted(_MARGIN, _BAR_MARGIN, 0, -_BAR_MARGIN)
        bar.setWidth(max(1.0, bar.width() * float(index.data(BAR_ROLE))))
        painter.fillRect(bar, self.color)


class AccentDelegate(TokenDelegate):
    """Text, with a bar of the accent at the left edge of the row that it marks (`ACCENT_ROLE`)."""

    def __init__(self, color: QColor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.color = color

    def paint_behind(self, painter: QPainter, cell: QRectF, index: Index) -> None:
        if index.data(ACCENT_ROLE):
            painter.fillRect(QRectF(cell.left(), cell.top(), _ACCENT_WIDTH, cell.height()), self.color)


def _paint_text(painter: QPainter, option: QStyleOptionViewItem, index: Index, text: str) -> None:
    font = index.data(_FONT)
    metrics = QFontMetrics(font)
    cell = QRectF(option.rect).adjusted(_MARGIN, 0, -_MARGIN, 0)
    shown = metrics.elidedText(text, option.textElideMode, int(cell.width()))
    spare = cell.width() - metrics.horizontalAdvance(shown)
    alignment = index.data(_ALIGNMENT) or 0
    shift = spare if alignment & _RIGHT else spare / 2 if alignment & _CENTER else 0.0
    baseline = round(cell.center().y() + (metrics.ascent() - metrics.descent()) / 2)
    painter.setFont(font)
    painter.setPen(text_color(option, index))
    painter.drawText(QPointF(round(cell.left() + shift), baseline), shown)
