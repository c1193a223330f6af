"""The list of formats to export to, each with its purpose or with the reason why it is impossible."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from bpe_gui.gui.look.calm_widgets import ListWidget
from bpe_gui.gui.look.line_height import line_height
from bpe_gui.gui.look.qt_constants import (
    ACCESSIBLE_TEXT_ROLE,
    ALIGN_LEFT,
    DISPLAY_ROLE,
    ELIDE_RIGHT,
    TOOL_TIP_ROLE,
    USER_ROLE,
)
from bpe_gui.gui.look.spacing import GRID, MARGIN, SMALL_GAP
from bpe_gui.gui.wording.joining import labelled

_NAME_ROLE: Final = USER_ROLE
_DETAIL_ROLE: Final = USER_ROLE + 1
_IS_IMPOSSIBLE_ROLE: Final = USER_ROLE + 2
_LEAST_ROWS: Final = 3  # visible in the smallest dialog

Index = QModelIndex | QPersistentModelIndex


class FormatList(ListWidget):
    """Formats with a title and their purpose. An impossible one is greyed, with the reason in place of the purpose.

    Purpose and reason have one line, so that a reason moves nothing when it becomes known; the tooltip has all of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_FormatDelegate(self))
        self.setUniformItemSizes(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add(self, name: str, title: str, purpose: str) -> None:
        """Add a format at the end: `name` identifies it, `title` and `purpose` are shown."""
        item = QListWidgetItem(title, self)
        item.setData(_NAME_ROLE, name)
        self._describe(item, purpose, is_impossible=False)

    def mark_impossible(self, name: str, reason: str) -> None:
        """Grey a format and show why it cannot hold the tokenizer."""
        self._describe(self._item(name), reason, is_impossible=True)

    def choose(self, name: str) -> None:
        """Select a format by its name."""
        self.setCurrentItem(self._item(name))

    def chosen(self) -> str:
        """Return the name of the selected format."""
        return str(self.currentItem().data(_NAME_ROLE))

    def reason(self) -> str:
        """Return why the selected format is impossible; empty if it is possible or has not been checked yet."""
        item = self.currentItem()
        return str(item.data(_DETAIL_ROLE)) if item.data(_IS_IMPOSSIBLE_ROLE) else ""

    def names(self) -> Sequence[str]:
        """Return the names of the formats, in order."""
        return [str(self.item(row).data(_NAME_ROLE)) for row in range(self.count())]

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _LEAST_ROWS * self._row_height + 2 * self.frameWidth())

    def sizeHint(self) -> QSize:
        """Return the size in pixels at which all rows are visible without scrolling."""
        return QSize(super().sizeHint().width(), self.count() * self._row_height + 2 * self.frameWidth())

    @property
    def _row_height(self) -> int:
        return _row_height(self.font())

    def _item(self, name: str) -> QListWidgetItem:
        return self.item(self.names().index(name))

    def _describe(self, item: QListWidgetItem, detail: str, *, is_impossible: bool) -> None:
        item.setData(_DETAIL_ROLE, detail)
        item.setData(_IS_IMPOSSIBLE_ROLE, is_impossible)
        item.setData(TOOL_TIP_ROLE, detail)
        item.setData(ACCESSIBLE_TEXT_ROLE, labelled(item.text(), detail))


class _FormatDelegate(QStyledItemDelegate):
    """A delegate that paints a title, with a line of quiet details below it."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(0, _row_height(option.font))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = option.palette
        quiet = palette.placeholderText().color()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        title = palette.color(QPalette.ColorRole.Text)
        if index.data(_IS_IMPOSSIBLE_ROLE):  # the disabled colour can hardly be read on the selection
            title = quiet if is_selected else palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        if is_selected:
            painter.fillRect(option.rect, palette.highlight())
        area = option.rect.adjusted(MARGIN, SMALL_GAP, -MARGIN, -SMALL_GAP)
        line = line_height(option.font)
        detail = option.fontMetrics.elidedText(index.data(_DETAIL_ROLE), ELIDE_RIGHT, area.width())
        painter.setFont(option.font)
        painter.setPen(title)
        painter.drawText(QRect(area.x(), area.y(), area.width(), line), ALIGN_LEFT, index.data(DISPLAY_ROLE))
        painter.setPen(quiet)
        painter.drawText(QRect(area.x(), area.y() + line, area.width(), line), ALIGN_LEFT, detail)


def _row_height(font: QFont) -> int:
    return 2 * line_height(font) + GRID
