"""The widget used for all tables, and copying rows as text."""

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from functools import partial
from itertools import chain
from typing import Any, Final, cast

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QScrollBar, QTableView

from bpe_gui.engine import without_isolates
from bpe_gui.gui.look.layouts import GRID, MARGIN, ROW_PADDING
from bpe_gui.gui.look.qt_constants import (
    CENTER_AND_WRAP,
    COPY,
    END_KEYS,
    ESCAPE,
    KEYPAD,
    LEFT_BUTTON,
    RIGHT_BUTTON,
    SCROLL_PER_ITEM,
    SHIFT,
)
from bpe_gui.gui.look.theme import ROW_HEIGHT, faded, show_ring, text_width, with_widest_digits
from bpe_gui.gui.look.widgets import claims
from bpe_gui.gui.session.selection import Selected

from .delegates import CellDelegate, CellLook, ChipsDelegate, TextDelegate
from .recording import Recording, paint_moving
from .symbols_delegate import SymbolsDelegate
from .table_model import TableModel

SINGLE_SELECTION: Final = QAbstractItemView.SelectionMode.SingleSelection
NO_SELECTION: Final = QAbstractItemView.SelectionMode.NoSelection
MANY_SELECTED: Final = QAbstractItemView.SelectionMode.ExtendedSelection

MAX_COPIED: Final = 20_000
"""The most rows to copy; this many freeze the window for half a second."""

_CELL_PADDING: Final = GRID  # on either side of the widest text of a column
_STRIP_WIDTH: Final = 3  # pixels, at the current row
_SLIDE: Final = 24  # pixels that the chips of a new row slide to the left
_LIT_OPACITY: Final = 0.45  # of the accent over a new row
_TEXT: Final = QPalette.ColorRole.Text
_NORMAL: Final = QPalette.ColorGroup.Normal
_KEY: Final = Qt.Key
_PLAIN: Final = Qt.KeyboardModifier.NoModifier, SHIFT, KEYPAD
_Move = QAbstractItemView.CursorAction
_SIDEWAYS: Final = _KEY.Key_Left, _KEY.Key_Right
_MOVING_KEYS: Final = frozenset(
    {_KEY.Key_Up, _KEY.Key_Down, _KEY.Key_PageUp, _KEY.Key_PageDown, _KEY.Key_Home, _KEY.Key_End}
)
_DISABLED: Final = QPalette.ColorGroup.Disabled
_TSV_ESCAPES: Final = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MARKDOWN_ESCAPES: Final = str.maketrans(
    {character: f"\\{character}" for character in "\\|`*_<"} | {"\n": " ", "\r": " "}
)


class RowStyle(Enum):
    """How to format rows."""

    TSV = auto()
    MARKDOWN = auto()


class Table(QTableView):
    """A table in the window's style: rows at least 24 pixels high, no grid, and a hint while it is empty.

    The right button neither selects nor moves to a row, and the first row is never clipped.
    """

    menu_requested = Signal(QModelIndex, QPointF, QPoint)
    """The user asked for the menu of a cell, at this point of the viewport and this position on the screen."""

    menu_opened = Signal(QMenu, QModelIndex)
    """The menu of a cell is about to be shown; slots may add actions for the row."""

    token_chosen = Signal(Selected)
    """The user moved to a row with a token, or clicked it."""

    clicked_at = Signal(QModelIndex, QPointF)
    """The user left-clicked a cell at this point of the viewport."""

    escaped = Signal()
    """The user pressed Escape."""

    resized = Signal()
    """The table's size has changed."""

    def __init__(
        self,
        model: TableModel[Any],
        name: str,
        accessible_name: str,
        selection: QAbstractItemView.SelectionMode = SINGLE_SELECTION,
    ) -> None:
        """Take the columns, the theme and the delegates from `model`."""
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self.table_model: Final = model
        self.shows_single = True
        """Whether a single selected row counts as selected; not where the model marks the current row."""
        self._hint = ""
        self._moving: Sequence[int] = ()  # the rows that the last step moved, while its animation is running
        self._moving_column: int | None = None  # None if the rows light up instead
        self._frame_area = QRegion()  # what each frame repaints
        self._frame: Recording | None = None  # how, once it is known
        self._absent: set[int] = set()
        self._text = TextDelegate(model)
        self.chips: Final = ChipsDelegate(model)
        self.symbols: Final = SymbolsDelegate(model)
        self._delegates: list[CellDelegate] = [
            self.chips if column.chips else self.symbols if column.symbols else self._text for column in model.columns
        ]
        self.setModel(model)
        # One of its own, and empty: Qt would ask each selected row whether it makes a whole column selected.
        self.horizontalHeader().setSelectionModel(QItemSelectionModel(model, self))
        self._set_behaviour(selection)
        self._set_columns()
        self.selectionModel().currentRowChanged.connect(self._choose)
        self.selectionModel().selectionChanged.connect(self._forget_frame)
        model.dataChanged.connect(self._forget_frame)
        self.clicked.connect(self._choose)
        model.theme.keep_font(model.theme.number_font, self)
        model.theme.changed.connect(self.apply_theme)
        model.theme.motion.finished.connect(self._end_moving)
        self.apply_theme()

    def _set_behaviour(self, selection: QAbstractItemView.SelectionMode) -> None:
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing behind it is painted
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)  # Tab leaves the table; the arrow keys move in it
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(selection)
        self.setVerticalScrollMode(SCROLL_PER_ITEM)  # so that the first row is never clipped
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBar(_ScrollBar(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # otherwise columns would move

    def _set_columns(self) -> None:
        """Let columns without a width share what the others leave."""
        header, columns = self.horizontalHeader(), self.table_model.columns
        header.setHighlightSections(False)
        # Estimate widths from the visible rows and a few more: reading a million rows would take seconds.
        header.setResizeContentsPrecision(50)
        header.setMinimumSectionSize(min((column.width for column in columns if column.width is not None), default=0))
        for number, column in enumerate(columns):
            if column.width is None:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)
        self.reset_widths()

    def use_delegate(self, column: int, delegate: CellDelegate) -> None:
        self._delegates[column] = delegate

    # -- the theme --------------------------------------------------------------------------------------------------

    def apply_theme(self) -> None:
        """Use the theme's fonts and colours; rows are tall enough for tokens, if there are any."""
        for delegate in set(self._delegates):
            delegate.apply_theme()
        theme = self.table_model.theme
        self._accent = theme.color("accent")
        has_tokens = any(column.font == "tokens" for column in self.table_model.columns)
        rows = theme.token_font() if has_tokens else theme.number_font()
        height = max(ROW_HEIGHT, QFontMetrics(rows).height() + ROW_PADDING)
        self.verticalHeader().setDefaultSectionSize(height)

    # -- columns ----------------------------------------------------------------------------------------------------

    def reset_widths(self) -> None:
        """Reset the columns to their own widths, which the contents or the user may have changed.

        A column is at least as wide as its title.
        """
        header = self.horizontalHeader()
        for number, column in enumerate(self.table_model.columns):
            if column.width is not None:
                title = 0 if header.isHidden() else text_width(header.fontMetrics(), column.title)
                header.resizeSection(number, max(column.width, title + _CELL_PADDING))

    def set_absent(self, column: int, absent: bool) -> None:
        """Hide a column that has nothing to show, or show it again."""
        if absent:
            self._absent.add(column)
        elif column in self._absent:
            self._absent.remove(column)
            self.setColumnHidden(column, False)
        self._hide_columns()

    def _hide_columns(self) -> None:
        """Hide columns that are absent, and those that the table is too narrow for."""
        for number, column in enumerate(self.table_model.columns):
            if not column.shown_from and number not in self._absent:
                continue
            is_hidden = number in self._absent or self.width() < column.shown_from
            if self.isColumnHidden(number) != is_hidden:
                self.setColumnHidden(number, is_hidden)

    def widen(self, column: int, text: str) -> None:
        """Make a column at least wide enough for `text` in bold, and end its bars before that."""
        self.set_widest(column, text)
        width = self.width_of(text)
        if self.horizontalHeader().sectionSize(column) < width:
            self.horizontalHeader().resizeSection(column, width)

    def set_widest(self, column: int, text: str) -> None:
        """End the bars of a column before its widest number."""
        self._text.widest[column] = text

    def width_of(self, text: str) -> int:
        """Return the width in pixels that a column needs for `text` in bold, and for other numbers of this length."""
        font = self.font()
        font.setBold(True)
        metrics = QFontMetrics(font)
        return text_width(metrics, with_widest_digits(metrics, text)) + 2 * _CELL_PADDING

    # -- rows -------------------------------------------------------------------------------------------------------

    @property
    def hint(self) -> str:
        """The text shown while the table is empty."""
        return self._hint

    @hint.setter
    def hint(self, text: str) -> None:
        if text != self._hint:
            self._hint = text
            self.viewport().update()

    @property
    def rows_in_view(self) -> int:
        """The number of rows that fit, including a partial one."""
        return self.viewport().height() // self.verticalHeader().defaultSectionSize() + 1

    @property
    def chosen_rows(self) -> list[int]:
        """The selected rows, in order."""
        return sorted(set(chain(*self._chosen_ranges())))

    def _chosen_ranges(self) -> list[range]:
        """Return the selected rows as ranges, since a million of them takes long to list."""
        ranges = [range(each.top(), each.bottom() + 1) for each in self.selectionModel().selection().toList()]
        return ranges if self.shows_single or sum(map(len, ranges)) > 1 else []

    def move_with_step(self, rows: Sequence[int], column: int | None = None) -> None:
        """Animate what the last step changed in a column of some rows; without a column, the rows light up."""
        clock = self.table_model.theme.motion.valueChanged
        if rows and not self._moving:
            clock.connect(self._repaint_moving)
        elif self._moving and not rows:
            clock.disconnect(self._repaint_moving)
        self._moving, self._moving_column, self._frame = rows, column, None

    def _repaint_moving(self) -> None:
        left, width, area = 0, self.viewport().width(), QRegion()
        if (column := self._moving_column) is not None:
            left, width = self.columnViewportPosition(column), self.columnWidth(column)
        for row in self._moving:
            area += QRect(left, self.rowViewportPosition(row), width, self.rowHeight(row))
        self._frame_area = area & self.viewport().rect()
        self.viewport().update(self._frame_area)

    def _end_moving(self) -> None:
        self._repaint_moving()
        self.move_with_step(())

    def _forget_frame(self) -> None:
        self._frame = None

    def select_in_place(self, row: int) -> None:
        """Select a row without scrolling to it; -1 selects none."""
        if row == self.currentIndex().row() and (row < 0 or self.selectionModel().isRowSelected(row)):
            return
        self.setAutoScroll(False)
        self.clearSelection()
        self.setCurrentIndex(self.model().index(row, 0))
        self.setAutoScroll(True)

    def go_to(self, row: int) -> None:
        """Make a row current and scroll it into view; -1 for none."""
        self.updateGeometries()  # otherwise new rows could not be scrolled to yet
        if row != self.currentIndex().row():  # otherwise rows that are selected with it would no longer be
            self.setCurrentIndex(self.model().index(row, 0))
        if row < 0:
            self.scrollToTop()

    def _choose(self, index: QModelIndex) -> None:
        if (selected := self.table_model.selected_at(index)) is not None:
            self.token_chosen.emit(selected)

    def symbol_at(self, index: QModelIndex, point: QPointF) -> bytes | None:
        """Return the symbol at a point of the viewport, in the given cell; None if there is none."""
        if not index.isValid() or self.table_model.columns[index.column()].symbols is None:
            return None
        return self.symbols.symbol_at(self.visualRect(index), point.x(), index.row(), index.column())

    # -- copying ----------------------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy the selected rows, or the first of very many, if there are several; else the current row, if any."""
        if len(rows := self.chosen_rows) > 1:
            QGuiApplication.clipboard().setText(self.rows_as_text(rows[:MAX_COPIED], RowStyle.TSV, titles=False))
        elif self.currentIndex().isValid():
            self.copy_row(self.currentIndex().row())

    def copy_row(self, row: int) -> None:
        """Copy a row as tab-separated values."""
        text = self.rows_as_text([row], RowStyle.TSV, titles=False).removesuffix("\n")
        QGuiApplication.clipboard().setText(text)

    def rows_as_text(self, rows: Iterable[int], style: RowStyle, *, titles: bool) -> str:
        """Return rows as text, one per line, with the visible columns in their visible order.

        With `titles`, or always in Markdown, the first line has the column titles.
        """
        header, model = self.horizontalHeader(), self.table_model
        shown = [header.logicalIndex(place) for place in range(header.count())]
        columns = [model.columns[number] for number in shown if not self.isColumnHidden(number)]
        lines = [[without_isolates(column.text(model.rows[row])) for column in columns] for row in rows]
        names = [column.title for column in columns]
        if style is RowStyle.MARKDOWN:
            escaped = ([cell.translate(_MARKDOWN_ESCAPES) for cell in line] for line in lines)
            return "".join(f"| {' | '.join(row)} |\n" for row in (names, ["---"] * len(names), *escaped))
        with_titles = [names, *lines] if titles else lines
        return "".join("\t".join(cell.translate(_TSV_ESCAPES) for cell in line) + "\n" for line in with_titles)

    # -- events -----------------------------------------------------------------------------------------------------

    def updateGeometries(self) -> None:  # noqa: N802 (Qt's name)
        """After a change of size or rows, show the first row completely."""
        super().updateGeometries()
        self._align_first_row()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """Show the first row completely, even at the end, where Qt aligns the last one with the bottom."""
        self._forget_frame()
        super().scrollContentsBy(dx, dy)
        self._align_first_row()

    def _align_first_row(self) -> None:
        bar, rows = self.verticalScrollBar(), self.verticalHeader()
        if 0 < bar.value() == bar.maximum():
            offset = rows.sectionPosition(bar.value())
            if rows.offset() != offset:
                rows.setOffset(offset)
                self.viewport().update()

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
        """Return a size with the height of the header and one row; Qt's would fit the buttons of a scroll bar."""
        header = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().sizeHint().height()
        height = header + self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth()
        return QSize(super().minimumSizeHint().width(), height)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the cell under the mouse, or of the current one if it was opened by a key."""
        point = event.pos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            point = self.visualRect(self.currentIndex()).center()
        self.menu_requested.emit(self.indexAt(point), QPointF(point), self.viewport().mapToGlobal(point))

    def event(self, event: QEvent) -> bool:
        """Claim the keys that copy a row or go to the first or last one, which would be the window's otherwise."""
        is_own = claims(event, lambda key: key.matches(COPY) or (key.key() in END_KEYS and key.modifiers() in _PLAIN))
        return is_own or super().event(event)

    def moveCursor(self, action: _Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:  # noqa: N802 (Qt's name)
        """Go to the first or last row on Home and End; Qt would go to the ends of a row."""
        index = super().moveCursor(action, modifiers)
        if action not in (_Move.MoveHome, _Move.MoveEnd):
            return index
        return index.siblingAtRow(0 if action == _Move.MoveHome else self.table_model.rowCount() - 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the current row with Ctrl+C; report Escape, but also leave it to the window, which may close."""
        if event.key() in _MOVING_KEYS:
            show_ring(self, True)
        if event.matches(COPY):
            self.copy()
        elif event.key() == ESCAPE:
            self.escaped.emit()
            event.ignore()
        elif event.key() in _SIDEWAYS and not self.currentIndex().isValid():
            event.ignore()  # Qt would choose the first row, although the keys of a step mean another thing
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, _typed: str) -> None:  # noqa: N802 (Qt's name)
        """Do nothing: Qt would ask for the text of each of a million rows, and tables have fields to search in."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report where a cell was clicked; do nothing for the right button."""
        if event.button() == RIGHT_BUTTON:
            return
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == LEFT_BUTTON and index.isValid():
            self.clicked_at.emit(index, event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != RIGHT_BUTTON:
            super().mouseDoubleClickEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, or the hint. Qt would ask the model three things about each cell, and paint no faster."""
        region, left = event.region(), self.table_model.theme.motion.left if self._moving else 0.0
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.palette().base())
            if left and region == self._frame_area != QRegion(self.viewport().rect()):
                if self._frame is None:
                    self._frame = Recording()
                    self._paint_rows(cast(QPainter, self._frame), region, left)
                self._frame.play(painter, left)
                return
            self._forget_frame()
            if self.table_model.rowCount():
                self._paint_rows(painter, region, left)
            elif self._hint:
                area = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
                painter.setPen(self.palette().placeholderText().color())
                painter.drawText(area, CENTER_AND_WRAP, self._hint)

    def _paint_rows(self, painter: QPainter, region: QRegion, motion_left: float) -> None:
        """Paint the rows that touch `region`, each on its selection or tint, with a strip at the current one."""
        model, palette, header = self.table_model, self.palette(), self.horizontalHeader()
        area, selected = region.boundingRect(), self._chosen_ranges()
        is_enabled = self.isEnabled() and not model.is_held
        palette.setCurrentColorGroup(_DISABLED if model.is_held else _NORMAL)
        text = palette.color(_NORMAL if is_enabled else _DISABLED, _TEXT)
        moving, moving_column = self._moving if motion_left else (), self._moving_column
        still = CellLook(is_enabled, text, palette.base())
        look = still._replace(left=motion_left)
        columns = []
        for number, delegate in enumerate(self._delegates):
            left, width = header.sectionViewportPosition(number), header.sectionSize(number)
            if width and left <= area.right() and left + width > area.left():
                columns.append((number, left, width, delegate))
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        for number in range(first, (last if last >= 0 else model.rowCount() - 1) + 1) if first >= 0 else ():
            top, height = self.rowViewportPosition(number), self.rowHeight(number)
            if not region.intersects(QRect(area.left(), top, area.width(), height)):
                continue
            row = model.rows[number]
            tint = model.tint(row) if model.tint else None
            if any(number in rows for rows in selected):
                painter.fillRect(-header.offset(), top, header.length(), height, palette.highlight())
            elif tint is not None:
                painter.fillRect(-header.offset(), top, header.length(), height, model.brush(tint))
            is_lit = moving_column is None and number in moving
            if is_lit:
                row_area = QRect(-header.offset(), top, header.length(), height)
                paint_moving(painter, motion_left, partial(self._paint_light, row_area))
            if tint == "accent_tint":
                painter.fillRect(-header.offset(), top, _STRIP_WIDTH, height, self._accent)
            for column, left, width, delegate in columns:
                here = look if column == moving_column and number in moving else still
                if slides := is_lit and delegate is self.chips:
                    painter.save()
                    paint_moving(painter, motion_left, _slide)
                delegate.paint(painter, QRect(left, top, width, height), column, row, here)
                if slides:
                    painter.restore()

    def _paint_light(self, area: QRect, painter: QPainter, left: float) -> None:
        painter.fillRect(area, faded(self._accent, _LIT_OPACITY * left))


def _slide(painter: QPainter, left: float) -> None:
    painter.translate(round(_SLIDE * left), 0)


class _ScrollBar(QScrollBar):
    """A scroll bar that takes its width but paints nothing when there is nothing to scroll."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)
