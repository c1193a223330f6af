"""The widget of all tables, and the filter field above some."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QScrollBar,
    QStyle,
    QStyleOptionFrame,
    QTableView,
    QToolButton,
)

from bpe_gui.gui.look.calm_widgets import Table
from bpe_gui.gui.look.qt_constants import CENTER_AND_WRAP, ESCAPE, LEFT_BUTTON, UP_AND_DOWN_KEYS
from bpe_gui.gui.look.spacing import GRID, MARGIN
from bpe_gui.gui.look.theme import prepare_table
from bpe_gui.gui.look.widgets import name_widget, offer_clearing
from bpe_gui.gui.wording.joining import joined_sentences

SINGLE_SELECTION: Final = QAbstractItemView.SelectionMode.SingleSelection
NO_SELECTION: Final = QAbstractItemView.SelectionMode.NoSelection

_CELL_PADDING: Final = GRID  # on either side of the widest text of a column
_FILTER_WIDTH: Final = 20 * GRID
_MIN_FILTER_WIDTH: Final = 9 * GRID
_LINE_EDIT_MARGIN: Final = 2  # pixels on either side of the text, which Qt has no name for


class RunTable(Table):
    """A table in the window's style, with a hint while it is empty."""

    escaped = Signal()
    """The user pressed Escape."""

    resized = Signal()
    """The table has another size."""

    clicked_at = Signal(QModelIndex, QPointF)
    """The user clicked with the left button on a cell, at this point of the viewport."""

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        accessible_name: str,
        selection: QAbstractItemView.SelectionMode = SINGLE_SELECTION,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self._hint = ""
        self._selection = selection
        self._fonts: tuple[QFont, QFont] | None = None
        self._narrow: Mapping[int, int] = {}
        self._absent: set[int] = set()
        self.setModel(model)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollBar(_ScrollBar(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # or columns would move

    @property
    def hint(self) -> str:
        """The text that is shown while the table is empty."""
        return self._hint

    @hint.setter
    def hint(self, text: str) -> None:
        if text != self._hint:
            self._hint = text
            self.viewport().update()

    def set_widths(self, widths: Mapping[int, int], stretched: Sequence[int]) -> None:
        """Set the widths of columns, which the user may change; the `stretched` columns share the rest."""
        header = self.horizontalHeader()
        header.setMinimumSectionSize(min(widths.values()))
        for column in stretched:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column, width in widths.items():
            header.resizeSection(column, width)

    def hide_when_narrow(self, widths: Mapping[int, int]) -> None:
        """Hide each of these columns while the table is narrower than so many pixels."""
        self._narrow = widths
        self._hide_columns()

    def set_absent(self, column: int, absent: bool) -> None:
        """Hide a column that has nothing to show, or show it again."""
        if absent:
            self._absent.add(column)
        elif column in self._absent:
            self._absent.remove(column)
            self.setColumnHidden(column, False)
        self._hide_columns()

    def _hide_columns(self) -> None:
        for column in {*self._narrow, *self._absent}:
            is_hidden = column in self._absent or self.width() < self._narrow.get(column, 0)
            if self.isColumnHidden(column) != is_hidden:
                self.setColumnHidden(column, is_hidden)

    def widen(self, column: int, text: str) -> None:
        """Make a column at least wide enough for `text` in bold."""
        width = self.width_of(text)
        if self.horizontalHeader().sectionSize(column) < width:
            self.horizontalHeader().resizeSection(column, width)

    def width_of(self, text: str) -> int:
        """Return the width in pixels that a column needs for `text` in bold."""
        font = self.font()
        font.setBold(True)
        return QFontMetrics(font).horizontalAdvance(text) + 2 * _CELL_PADDING

    def set_fonts(self, rows: QFont, rest: QFont) -> None:
        """Make the rows high enough for the font `rows`, and use `rest` for cells to which the model gives no font."""
        self._fonts = rows, rest
        prepare_table(self, rows)
        self.setFont(rest)
        self.setSelectionMode(self._selection)

    def showEvent(self, event: QShowEvent) -> None:
        """Set the fonts again: a style sheet resets them when the table is put into its window."""
        super().showEvent(event)
        if self._fonts is not None:
            self.set_fonts(*self._fonts)

    @property
    def rows_in_view(self) -> int:
        """The number of rows that fit, one in part."""
        return self.viewport().height() // self.verticalHeader().defaultSectionSize() + 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Report the new size, and keep the current row in view if it was."""
        current = self.currentIndex()
        top = self.rowViewportPosition(current.row()) if current.isValid() else -1
        was_in_view = 0 <= top < event.oldSize().height()
        super().resizeEvent(event)
        self._hide_columns()
        if was_in_view and self.isVisible():
            self.scrollTo(current)
        self.resized.emit()

    def minimumSizeHint(self) -> QSize:
        """Return a size with the height of the header and a row; Qt's would fit the buttons of a scroll bar."""
        header = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().sizeHint().height()
        height = header + self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth()
        return QSize(super().minimumSizeHint().width(), height)

    def select_in_place(self, row: int) -> None:
        """Select a row without scrolling to it; -1 selects none."""
        if row == self.currentIndex().row() and (row < 0 or self.selectionModel().isRowSelected(row)):
            return
        self.setAutoScroll(False)
        self.clearSelection()
        self.setCurrentIndex(self.model().index(row, 0))
        self.setAutoScroll(True)

    def go_to(self, row: int) -> None:
        """Make a row the current one and scroll it into view; -1 for none."""
        self.updateGeometries()  # or new rows could not be scrolled to yet
        self.setCurrentIndex(self.model().index(row, 0))
        if row < 0:
            self.scrollToTop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report where a cell was clicked."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == LEFT_BUTTON and index.isValid():
            self.clicked_at.emit(index, event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Report Escape, and leave it to the window too, which may close on it."""
        if event.key() == ESCAPE:
            self.escaped.emit()
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._hint and not self.model().rowCount():
            area = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().placeholderText().color())
            painter.drawText(area, CENTER_AND_WRAP, self._hint)


class _ScrollBar(QScrollBar):
    """A scroll bar that paints nothing while there is nothing to scroll, but still takes its width."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


class NeverButton(QToolButton):
    """A button that shows only what never occurs in the corpus; visible while there is any of that."""

    def __init__(self, name: str, accessible_name: str) -> None:
        super().__init__(autoRaise=True)
        self.setCheckable(True)
        self.setText("×0")  # as in the column of counts
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        name_widget(self, name, accessible_name)
        self.setToolTip(self.tr("Show only the merges or tokens that never occur in this corpus (×0)"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def offer(self, is_offered: bool) -> None:
        """Show the button, or hide it and show everything again."""
        if not is_offered:
            self.setChecked(False)
        self.setVisible(is_offered)


class FilterField(QLineEdit):
    """A field that keeps the focus while the arrow keys move a table's selection; Escape clears it.

    `has_ids`: ids are found, too.
    """

    def __init__(self, table: QTableView, name: str, *, has_ids: bool) -> None:
        super().__init__()
        self.setObjectName(name)
        self._table = table
        offer_clearing(self, self.tr("Clear the filter"))
        longest = self.tr("Token, id or hex") if has_ids else self.tr("Token or hex")
        self._placeholders = longest, self.tr("Find")
        self.setPlaceholderText(longest)
        explanation = self.tr(
            "Show only rows with this text in a token. Type the text itself, its displayed form (· "
            "or \\xe4) or hexadecimal bytes (e4 bd). “a + b” finds a token with “a” followed by one "
            "with “b”. Uppercase letters make the search case-sensitive. (Ctrl+F)"
        )
        if has_ids:
            explanation = joined_sentences([explanation, self.tr("A number also finds the token with this id.")])
        self.setToolTip(f"<qt>{explanation}</qt>")
        self.setMinimumWidth(_MIN_FILTER_WIDTH)

    def sizeHint(self) -> QSize:
        """Return a size that is wide enough for the placeholder."""
        return QSize(_FILTER_WIDTH, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the longest placeholder that fits."""
        super().resizeEvent(event)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        area = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        space, metrics = area.width() - 2 * _LINE_EDIT_MARGIN, self.fontMetrics()
        longest, shortest = self._placeholders
        self.setPlaceholderText(longest if metrics.horizontalAdvance(longest) <= space else shortest)

    def take_focus(self) -> None:
        """Take the focus, with all text selected."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in UP_AND_DOWN_KEYS:
            QApplication.sendEvent(self._table, event)
        elif event.key() == ESCAPE and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
