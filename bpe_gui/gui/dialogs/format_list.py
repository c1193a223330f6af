"""The list of formats to export to: what each is for, or why it cannot hold the tokenizer."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

_NAME: Final = int(Qt.ItemDataRole.UserRole)
_DETAIL: Final = int(Qt.ItemDataRole.UserRole) + 1
_IS_GREY: Final = int(Qt.ItemDataRole.UserRole) + 2
_TITLE: Final = int(Qt.ItemDataRole.DisplayRole)
_TIP: Final = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE: Final = int(Qt.ItemDataRole.AccessibleTextRole)
_MARGIN: Final = 8
_ROWS: Final = 3  # that are in view whatever else must shrink
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_ELIDE: Final = Qt.TextElideMode.ElideRight

Index = QModelIndex | QPersistentModelIndex


class FormatList(QListWidget):
    """Formats, two lines each. One that is greyed can still be chosen, so that everybody can read why."""

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_TwoLines(self))
        self.setUniformItemSizes(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add(self, name: str, title: str, purpose: str) -> None:
        """Add a format at the end."""
        item = QListWidgetItem(title, self)
        item.setData(_NAME, name)
        self._describe(item, purpose, is_grey=False)

    def grey(self, name: str, reason: str) -> None:
        """Say why a format cannot be exported to."""
        self._describe(self._item(name), reason, is_grey=True)

    def choose(self, name: str) -> None:
        """Make a format the chosen one."""
        self.setCurrentItem(self._item(name))

    def chosen(self) -> str:
        """The name of the chosen format."""
        return str(self.currentItem().data(_NAME))

    def reason(self) -> str:
        """Why the chosen format cannot hold the tokenizer; empty if it can, or if that is not known yet."""
        item = self.currentItem()
        return str(item.data(_DETAIL)) if item.data(_IS_GREY) else ""

    def names(self) -> Sequence[str]:
        """The formats in their order."""
        return [str(self.item(row).data(_NAME)) for row in range(self.count())]

    def minimumSizeHint(self) -> QSize:
        """Some rows."""
        return QSize(0, _ROWS * self.sizeHintForRow(0) + 2 * self.frameWidth())

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(super().sizeHint().width(), self.count() * self.sizeHintForRow(0) + 2 * self.frameWidth())

    def _item(self, name: str) -> QListWidgetItem:
        return self.item(self.names().index(name))

    def _describe(self, item: QListWidgetItem, detail: str, *, is_grey: bool) -> None:
        item.setData(_DETAIL, detail)
        item.setData(_IS_GREY, is_grey)
        item.setData(_TIP, detail)
        item.setData(_ACCESSIBLE, f"{item.text()}: {detail}")


class _TwoLines(QStyledItemDelegate):
    """A title, and below it in quiet letters what is to be said of it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines of text and some air."""
        del index
        return QSize(0, 2 * option.fontMetrics.lineSpacing() + _MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = option.palette
        quiet = palette.placeholderText().color()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        title = palette.color(QPalette.ColorRole.Text)
        if index.data(_IS_GREY):  # on the selection, what is disabled would hardly be seen
            title = quiet if is_selected else palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        if is_selected:
            painter.fillRect(option.rect, palette.highlight())
        room = option.rect.adjusted(_MARGIN, _MARGIN // 2, -_MARGIN, -_MARGIN // 2)
        height = room.height() // 2
        painter.setFont(option.font)
        for line, (role, color) in enumerate(((_TITLE, title), (_DETAIL, quiet))):
            shown = option.fontMetrics.elidedText(index.data(role), _ELIDE, room.width())
            painter.setPen(color)
            painter.drawText(QRect(room.x(), room.y() + line * height, room.width(), height), int(_LEFT), shown)
