"""The list of formats to export to, each with its purpose or with the reason why it is impossible."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from bpe_gui.gui.look.calm_widgets import ListWidget
from bpe_gui.gui.look.qt_constants import (
    ACCESSIBLE_TEXT_ROLE,
    ALIGN_LEFT,
    DISPLAY_ROLE,
    TOOL_TIP_ROLE,
    USER_ROLE,
)
from bpe_gui.gui.look.spacing import GRID, MARGIN, SMALL_GAP
from bpe_gui.gui.wording.joining import labelled

_NAME_ROLE: Final = USER_ROLE
_DETAIL_ROLE: Final = USER_ROLE + 1
_IS_IMPOSSIBLE_ROLE: Final = USER_ROLE + 2
_WRAPPED: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
_LEAST_ROWS: Final = 3  # visible in the smallest dialog

Index = QModelIndex | QPersistentModelIndex


class FormatList(ListWidget):
    """Formats with a title and their purpose. An impossible one is greyed, with the reason in place of the purpose."""

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_FormatDelegate(self))
        self.setResizeMode(ListWidget.ResizeMode.Adjust)
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
        rows = sum(self.sizeHintForRow(row) for row in range(self.count()))
        return QSize(super().sizeHint().width(), rows + 2 * self.frameWidth())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height, because details may take more or fewer lines now."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def _row_height(self) -> int:
        return 2 * self.fontMetrics().lineSpacing() + GRID

    def _item(self, name: str) -> QListWidgetItem:
        return self.item(self.names().index(name))

    def _describe(self, item: QListWidgetItem, detail: str, *, is_impossible: bool) -> None:
        item.setData(_DETAIL_ROLE, detail)
        item.setData(_IS_IMPOSSIBLE_ROLE, is_impossible)
        item.setData(TOOL_TIP_ROLE, detail)
        item.setData(ACCESSIBLE_TEXT_ROLE, labelled(item.text(), detail))
        self.scheduleDelayedItemsLayout()  # its height may be another now
        self.updateGeometry()


class _FormatDelegate(QStyledItemDelegate):
    """A delegate that paints a title, with quiet details below it on as many lines as they need."""

    def __init__(self, formats: FormatList) -> None:
        super().__init__(formats)
        self._formats = formats

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of the title and the details at the width of the list."""
        width = self._formats.viewport().width() - 2 * MARGIN
        detail = option.fontMetrics.boundingRect(QRect(0, 0, width, 0), _WRAPPED, index.data(_DETAIL_ROLE))
        line = option.fontMetrics.lineSpacing()
        return QSize(0, line + max(line, detail.height()) + GRID)

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
        line = option.fontMetrics.lineSpacing()
        painter.setFont(option.font)
        painter.setPen(title)
        painter.drawText(QRect(area.x(), area.y(), area.width(), line), ALIGN_LEFT, index.data(DISPLAY_ROLE))
        painter.setPen(quiet)
        painter.drawText(area.adjusted(0, line, 0, 0), _WRAPPED, index.data(_DETAIL_ROLE))
