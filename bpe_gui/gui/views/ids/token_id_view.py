"""The ids of a text as cells in the colours of its tokens: only those in view are asked for and painted."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontDatabase,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QToolTip, QWidget

from bpe_gui.gui.dialogs.decoded_ids import IdStyle, write_ids
from bpe_gui.gui.wording.numbers import number

from bpe_gui.gui.views.ids.copy_menu import CopyMenu
from bpe_gui.gui.views.ids.id_grid import IdGrid
from bpe_gui.gui.views.ids.id_painter import IdPainter
from bpe_gui.gui.look.palette import TokenPalette, plain_token_palette
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, IntArray, LiveTokens, Tokens

_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_LEFT_BUTTON: Final = Qt.MouseButton.LeftButton
_NO_BUTTON: Final = Qt.MouseButton.NoButton
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_COPY: Final = QKeySequence.StandardKey.Copy
_SELECT_ALL: Final = QKeySequence.StandardKey.SelectAll
_SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
_LEAVE: Final = QEvent.Type.Leave
_FONT_CHANGE: Final = QEvent.Type.FontChange
_KEYS: Final = frozenset((
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
))  # fmt: skip
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

_MOST_COPIED: Final = 10_000_000  # more would take other programs' memory, too
_NOBODY: Final = -1
_SMALLEST_WIDTH: Final = 999  # the columns of a small vocabulary are as wide as for this id
_LOOK_BACK: Final = 256  # tokens before those in view that colours depend on; even, so that scrolling changes none


class TokenIdView(QAbstractScrollArea):
    """A grid of ids, row by row in the order of the text; an unknown symbol, which has no id, is a `?`.

    The current cell follows the caret of the text (`set_current`) or the user here (`current_changed`). What is
    selected, here or in the text, can be copied; without a selection, everything is. The scroll bar counts rows.
    """

    token_hovered = Signal(int)
    token_clicked = Signal(int)
    current_changed = Signal(int)
    selection_changed = Signal(int, int)
    """The user selected the tokens [first, last) here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: LiveTokens | None = None
        self._complete = True
        self._color_mode = ColorMode.BY_POSITION
        self._paint = IdPainter(plain_token_palette(self.palette()))
        self._largest = _SMALLEST_WIDTH
        self._place = 0  # the token that was scrolled to the top, while there are enough tokens to have it there
        self._placing = False
        self._hovered = _NOBODY
        self._highlighted = _NOBODY
        self._current = _NOBODY
        self._selection = range(0)
        self._anchor = _NOBODY  # where the user's selection began; nobody: there is none
        self._pressed = _NOBODY
        self._marked_id: int | None = None
        self.setObjectName("tokenIdView")
        self.setAccessibleName(self.tr("Ids of the text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.viewport().setMouseTracking(True)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._copy_menu = CopyMenu(self)
        self._copy_menu.aboutToShow.connect(self._announce_copy)
        self._copy_menu.chosen.connect(self.copy)
        self._lay_out()

    # -- what is shown ----------------------------------------------------------------------------------------------

    def set_source(self, source: LiveTokens | None) -> None:
        """Show the ids of these tokens; the place scrolled to and the marked id stay."""
        self._source = source
        self._hovered = self._highlighted = self._current = self._anchor = _NOBODY
        self._selection = range(0)
        self.tokens_changed()

    def tokens_changed(self) -> None:
        """The tokens are others, or more of them are known; the place scrolled to and all marks stay."""
        self._complete = self._source is None or self._source.is_complete
        self._set_rows()

    def set_largest_id(self, largest: int) -> None:
        """Make all columns wide enough for this id, whichever are shown."""
        self._largest = max(_SMALLEST_WIDTH, largest)
        self._lay_out()

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour by position, or the same token in the same colour."""
        self._color_mode = mode
        self.viewport().update()

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._paint = IdPainter(palette)
        self.viewport().update()

    def set_highlight(self, index: int) -> None:
        """Outline one token, as hovering over it does; -1 for none."""
        if index != self._highlighted:
            self._highlighted = index
            self.viewport().update()

    def set_marked_ids(self, token_id: int | None) -> None:
        """Outline every token of this id."""
        self._marked_id = token_id
        self.viewport().update()

    def set_current(self, index: int) -> None:
        """Follow the caret of the text: nothing is selected any longer, and the cell is scrolled to."""
        self._current = index
        self.set_selection(0, 0)
        self._reveal()

    def set_selection(self, first: int, last: int) -> None:
        """Show that the tokens [first, last) are selected in the text."""
        self._anchor = _NOBODY
        self._selection = range(first, last)
        self.viewport().update()

    @property
    def current(self) -> int:
        """Number of the current token, or -1."""
        return self._current if self._current < self._count else _NOBODY

    @property
    def selection(self) -> range:
        """Numbers of the tokens that are selected."""
        return range(self._selection.start, min(self._selection.stop, self._count))

    @property
    def _count(self) -> int:
        return 0 if self._source is None else len(self._source)

    def _part(self, first: int, last: int) -> tuple[Tokens, IntArray]:
        """Tokens that hold [first, last), `tokens.first` being the number of the first, with their colours."""
        if self._source is None:
            return NO_TOKENS, NO_TOKENS.ids
        start = max(0, first - first % _LOOK_BACK - _LOOK_BACK)
        tokens = self._source.slice(start, last + 1)  # colours depend on neighbours
        if self._color_mode is ColorMode.BY_POSITION:
            return tokens, np.arange(start, start + len(tokens), dtype=np.int32) % self._paint.color_count
        return tokens, tokens.color_indices(self._paint.color_count, self._color_mode)

    def color_of(self, index: int) -> QColor:
        """The colour that tells a token from its neighbours."""
        tokens, colors = self._part(index, index + 1)
        return self._paint.color(tokens, index - tokens.first, colors)

    # -- copying ----------------------------------------------------------------------------------------------------

    def copy(self, style: IdStyle = IdStyle.LIST) -> None:
        """Put the ids that are selected, or else all that are known, on the clipboard, and say so."""
        chosen = self.selection or range(self._count)
        if len(chosen) > _MOST_COPIED:
            words = self.tr("{count} ids are too many to be copied; select up to {most}.")
        else:
            words = self.tr("Copied: {count} ids")
            ids = self._source.slice(chosen.start, chosen.stop).ids if self._source else NO_TOKENS.ids
            QGuiApplication.clipboard().setText(write_ids(ids, style))
        said = words.format(count=number(len(chosen)), most=number(_MOST_COPIED))
        QToolTip.showText(self.mapToGlobal(self.rect().topLeft()), said, self)

    def copy_menu(self) -> QMenu:
        """The ways to copy, always the same menu."""
        return self._copy_menu

    def _announce_copy(self) -> None:
        self._copy_menu.announce(len(self.selection), self._count, complete=self._complete)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers to copy."""
        self._copy_menu.popup(event.globalPos())

    # -- geometry ---------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Columns as wide as the largest id, as many as have room."""
        self._grid = IdGrid.of(self.font(), self.viewport().size(), self._largest)
        self._set_rows()

    def _set_rows(self) -> None:
        """Rows for the ids there are, and for a sign after them if there will be more."""
        rows = self._grid.rows_of(self._count + (not self._complete))
        bar = self.verticalScrollBar()
        self._placing = True
        bar.setRange(0, max(0, rows - self._grid.rows))
        bar.setPageStep(self._grid.rows)
        bar.setValue(self._place // self._grid.columns)
        self._placing = False
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """Remembers the place, unless there are too few tokens for the one that is remembered."""
        if not self._placing:
            self._place = self._top * self._grid.columns
        super().scrollContentsBy(dx, dy)

    @property
    def _top(self) -> int:
        """The first row in view."""
        return self.verticalScrollBar().value()

    def cell_rect(self, index: int) -> QRect:
        """Where a token's cell is, in coordinates of the viewport."""
        return self._grid.cell(index, self._top)

    def index_at(self, point: QPoint) -> int:
        """Number of the token whose cell is at `point` (coordinates of the viewport), or -1."""
        index = self._grid.index_at(point, self._top)
        return index if 0 <= index < self._count else _NOBODY

    def _reveal(self) -> None:
        if self.current == _NOBODY:
            return
        row = self._current // self._grid.columns
        self.verticalScrollBar().setValue(min(max(self._top, row - self._grid.rows + 1), row))

    def sizeHint(self) -> QSize:
        """A few rows of a few ids."""
        return self._grid.size(10, 5)

    def minimumSizeHint(self) -> QSize:
        """One row."""
        return self._grid.size(2, 1)

    # -- painting ---------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """The cells of the rows that need it."""
        cells = self._grid.cells_between(event.rect().top(), event.rect().bottom(), self._top)
        first, last = cells.start, min(cells.stop, self._count)
        tokens, colors = self._part(first, last)
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(_ANTIALIASING)
            painter.setFont(self.font())
            for index in range(first, last):
                self._paint_cell(painter, index, tokens, colors)
            if not self._complete and self._count in cells:
                self._paint.more(painter, QRectF(self.cell_rect(self._count)))

    def _paint_cell(self, painter: QPainter, index: int, tokens: Tokens, colors: IntArray) -> None:
        cell = QRectF(self.cell_rect(index))
        place = index - tokens.first
        if index in self._selection:
            self._paint.selection(painter, cell)
        else:
            self._paint.background(painter, cell, tokens, place, colors)
        self._paint.number(painter, cell, tokens, place)
        if pen := self._outline_of(index, int(tokens.ids[place])):
            self._paint.outline(painter, cell, pen)

    def _outline_of(self, index: int, token_id: int) -> QPen | None:
        if index == self._current:
            return self._paint.focus_pen if self.hasFocus() else self._paint.current_pen
        if index in (self._hovered, self._highlighted):
            return self._paint.hover_pen
        return self._paint.mark_pen if token_id == self._marked_id else None

    # -- the user ---------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keys that move in here are not the window's shortcuts while this has the focus."""
        if event.type() == _SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        plain = not event.modifiers() & ~(_SHIFT | Qt.KeyboardModifier.KeypadModifier)
        return (plain and event.key() in _KEYS) or event.matches(_COPY) or event.matches(_SELECT_ALL)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and pages move, with Shift they select; Return marks what is equal; Ctrl+A and Ctrl+C."""
        if event.matches(_COPY):
            self.copy()
        elif event.matches(_SELECT_ALL):
            self._anchor = 0
            self._go(self._count - 1, selecting=True)
        elif event.key() in _ENTER and self.current != _NOBODY:
            self.token_clicked.emit(self._current)
        elif event.key() in _KEYS:
            self._go(self._destination(Qt.Key(event.key())), selecting=bool(event.modifiers() & _SHIFT))
        else:
            super().keyPressEvent(event)

    def _destination(self, key: Qt.Key) -> int:
        if self.current == _NOBODY or key == Qt.Key.Key_Home:
            return 0
        if key == Qt.Key.Key_End:
            return self._count - 1
        return self._current + self._grid.way(key)

    def _go(self, index: int, *, selecting: bool, revealing: bool = True) -> None:
        """Make a token the current one, and select it or as far as it."""
        if not self._count:
            return
        before, selected = self._current, self._selection
        self._current = min(max(index, 0), self._count - 1)
        if not selecting:
            self._anchor = self._current
        elif self._anchor == _NOBODY:
            self._anchor = self._current if before == _NOBODY else before
        self._selection = range(min(self._anchor, self._current), max(self._anchor, self._current) + 1)
        if revealing:
            self._reveal()
        self.viewport().update()
        self.current_changed.emit(self._current)
        if self._selection != selected:
            self.selection_changed.emit(self._selection.start, self._selection.stop)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selects the cell, or with Shift the cells as far as it."""
        index = self.index_at(event.position().toPoint())
        if event.button() != _LEFT_BUTTON:
            return
        self._pressed = index
        if index != _NOBODY:
            # Not scrolled to yet: what moved away under the mouse could not be clicked.
            self._go(index, selecting=bool(event.modifiers() & _SHIFT), revealing=False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hovers, or extends the selection."""
        index = self.index_at(event.position().toPoint())
        if event.buttons() == _NO_BUTTON:
            self._set_hovered(index)
        elif event.buttons() & _LEFT_BUTTON and index not in (_NOBODY, self._current):
            self._go(index, selecting=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press and a release in one cell is a click on its token."""
        index = self.index_at(event.position().toPoint())
        clicked = index != _NOBODY and index == self._pressed
        if event.button() == _LEFT_BUTTON and clicked and len(self.selection) == 1:
            self.token_clicked.emit(index)
        self._reveal()

    def viewportEvent(self, event: QEvent) -> bool:
        """Notes the mouse leaving."""
        if event.type() == _LEAVE:
            self._set_hovered(_NOBODY)
        return super().viewportEvent(event)

    def _set_hovered(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.viewport().update()
            self.token_hovered.emit(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many columns as have room; the current cell stays in view."""
        self._lay_out()
        self._reveal()

    def changeEvent(self, event: QEvent) -> None:
        """Follows the font."""
        super().changeEvent(event)
        if event.type() == _FONT_CHANGE:
            self._lay_out()
