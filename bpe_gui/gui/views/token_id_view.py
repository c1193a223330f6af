"""The ids of the text as a grid of cells in the colours of its tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QToolTip, QWidget

from bpe_gui.engine import BoolArray, Int32Array, token_in_sentence
from bpe_gui.gui.look.layouts import MARGIN
from bpe_gui.gui.look.lifetime import Updating, weakly
from bpe_gui.gui.look.qt_constants import (
    ALIGN_CENTER,
    ANTIALIASING,
    COPY,
    ENTER_KEYS,
    FONT_CHANGE,
    KEYPAD,
    LEAVE,
    LEFT_BUTTON,
    NO_BRUSH,
    NO_BUTTON,
    NO_PEN,
    SELECT_ALL,
    SHIFT,
    SIDEWAYS_KEYS,
    UP_AND_DOWN_KEYS,
)
from bpe_gui.gui.look.theme import TokenPalette, faded, text_width, token_palette_of, with_widest_digits
from bpe_gui.gui.look.widgets import claims
from bpe_gui.gui.views.id_lists import IdStyle, format_ids
from bpe_gui.gui.views.token_texts import TokenStyle, format_tokens, is_segmentable
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, LiveTokens, Tokens
from bpe_gui.gui.wording.phrases import number

_PADDING: Final = 5  # pixels on either side of the longest id
_GAP: Final = 2  # pixels between neighbouring cells
_CORNER: Final = 3.0  # pixels, the radius of a cell's corners
_NO_ID: Final = "?"
_MOVES: Final = frozenset(SIDEWAYS_KEYS + UP_AND_DOWN_KEYS)

_MAX_COPIED: Final = 10_000_000  # more ids, as text, would also fill other programs' memory
_NO_TOKEN: Final = -1
_MIN_LARGEST_ID: Final = 999  # columns are at least as wide as this id
_COLOR_CONTEXT: Final = 256  # hidden tokens before, on which colours depend; even, so that scrolling keeps the colours


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid for a viewport of a certain size: cells of equal size, row by row, as many per row as fit.

    Points and rectangles are in viewport coordinates, in pixels. A cell is identified by its index, row by row; `top`
    is the index of the first visible row.
    """

    columns: int
    """The number of columns."""
    rows: int
    """The number of complete visible rows."""
    column_width: int
    """The pixels from one column to the next: a cell and the gap after it."""
    row_height: int
    """The pixels from one row to the next: a cell and the gap below it."""

    @classmethod
    def of(cls, font: QFont, area: QSize, largest: int) -> Self:
        """Return the grid for a viewport of size `area`, with columns wide enough for ids up to `largest`."""
        metrics = QFontMetrics(font)
        width = text_width(metrics, with_widest_digits(metrics, str(largest))) + 2 * _PADDING + _GAP
        height = metrics.height() + 2 + _GAP
        columns, rows = (area.width() - 2 * MARGIN) // width, (area.height() - MARGIN + _GAP) // height
        return cls(max(1, columns), max(1, rows), width, height)

    def cell(self, index: int, top: int) -> QRect:
        """Return a cell's rectangle, without the gaps around it."""
        row, column = divmod(index, self.columns)
        y = MARGIN + (row - top) * self.row_height
        return QRect(MARGIN + column * self.column_width, y, self.column_width - _GAP, self.row_height - _GAP)

    def index_at(self, point: QPoint, top: int) -> int:
        """Return the index of the cell at a point; -1 left or right of the columns.

        The index is negative above the grid, and may be past the last id below it.
        """
        column = (point.x() - MARGIN) // self.column_width
        row = (point.y() - MARGIN) // self.row_height + top
        return row * self.columns + column if 0 <= column < self.columns else -1

    def cells_between(self, upper: int, lower: int, top: int) -> range:
        """Return the indices of the cells in complete visible rows that overlap a range of y."""
        first, last = ((y - MARGIN) // self.row_height + top for y in (upper, lower))
        return range(max(top, first) * self.columns, min(last + 1, top + self.rows) * self.columns)

    def step(self, key: Qt.Key) -> int:
        """Return how many cells an arrow or page key moves, negative if backwards. Raise KeyError for any other key."""
        return {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self.columns,
            Qt.Key.Key_Down: self.columns,
            Qt.Key.Key_PageUp: -self.rows * self.columns,
            Qt.Key.Key_PageDown: self.rows * self.columns,
        }[key]

    def size(self, columns: int, rows: int) -> QSize:
        """Return the size of a viewport that fits a number of columns and rows."""
        return QSize(columns * self.column_width + 2 * MARGIN, rows * self.row_height + 2 * MARGIN)


class _CellPainter:
    """Paints cells, with pens and brushes made once per palette.

    A token is identified by its `index` in `tokens`; `shades` has a shade number for each of these.
    """

    def __init__(self, palette: TokenPalette) -> None:
        self._fills = [QBrush(color) for color in palette.shades]
        self.hues: Final = len(self._fills) // 2
        self._text = QPen(palette.text)
        self._quiet = QPen(palette.quiet)
        self._special_fill = QBrush(faded(palette.special, 0.2))
        self._special_pen = QPen(palette.special, 1.5)
        self._unknown_pen = QPen(palette.warning, 1.5, Qt.PenStyle.DotLine)
        self._unknown_color = faded(palette.warning, 0.15)
        self._no_fill = QBrush(NO_BRUSH)
        self._no_pen = QPen(NO_PEN)
        self._no_pen.setWidthF(0)  # the background is inset by half the pen's width
        self._selection = faded(palette.quiet, 0.35)
        self.hover_pen: Final = QPen(palette.text, 1.5)
        self.mark_pen: Final = QPen(faded(palette.text, 0.6), 1.5)
        self.current_pen: Final = QPen(palette.quiet, 2.0)
        self.focus_pen: Final = QPen(palette.accent, 2.0)

    def color(self, tokens: Tokens, index: int, shades: Int32Array) -> QColor:
        """Return a token's background colour, for painting it elsewhere, even if it has no id."""
        if tokens.special[index]:
            return self._special_fill.color()
        if tokens.unknown[index]:
            return self._unknown_color
        return self._fills[int(shades[index])].color()

    def paint(
        self,
        painter: QPainter,
        cell: QRectF,
        tokens: Tokens,
        index: int,
        shades: Int32Array,
        *,
        is_selected: bool,
        outline: QPen | None,
    ) -> None:
        """Paint a token's cell; selected tokens form a grey band that covers the gaps."""
        unknown = tokens.unknown[index]
        if is_selected:
            painter.fillRect(cell.adjusted(0, 0, _GAP, 0), self._selection)
        else:
            pen, fill = self._no_pen, self._fills[shades[index]]
            if tokens.special[index]:
                pen, fill = self._special_pen, self._special_fill
            elif unknown:
                pen, fill = self._unknown_pen, self._no_fill
            inset = pen.widthF() / 2
            painter.setPen(pen)
            painter.setBrush(fill)
            painter.drawRoundedRect(cell.adjusted(inset, inset, -inset, -inset), _CORNER, _CORNER)
        painter.setPen(self._text)
        painter.drawText(cell, ALIGN_CENTER, _NO_ID if unknown else str(tokens.ids[index]))
        if outline is not None:
            painter.setPen(outline)
            painter.setBrush(NO_BRUSH)
            painter.drawRoundedRect(cell, _CORNER, _CORNER)

    def paint_ellipsis(self, painter: QPainter, cell: QRectF) -> None:
        """Paint an ellipsis, which says that more ids are coming."""
        painter.setPen(self._quiet)
        painter.drawText(cell, ALIGN_CENTER, "…")


class CopyMenu(QMenu):
    """The styles that ids can be copied in, below a line that says which ids will be copied."""

    chosen = Signal(object)
    """An `IdStyle` or a `TokenStyle`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("copyIdsMenu")
        self._scope = self.addAction("")
        self._scope.setObjectName("copiedIds")
        self._scope.setEnabled(False)
        for style, name, text in (
            (IdStyle.LIST, "copyIdsAsList", self.tr("Copy as &list")),
            (IdStyle.JSON, "copyIdsAsJson", self.tr("Copy as &JSON")),
            (IdStyle.PYTHON, "copyIdsAsPython", self.tr("Copy as &Python")),
            (IdStyle.NUMPY, "copyIdsAsNumpy", self.tr("Copy as &NumPy")),
            (TokenStyle.LIST, "copyTokensAsList", self.tr("Copy &tokens as a list")),
            (TokenStyle.SPACES, "copyTokensAsText", self.tr("Copy tokens, separated by &spaces")),
            (TokenStyle.SEGMENTED, "copySegmented", self.tr("Copy as se&gmented text (@@)")),
        ):
            action = self.addAction(text)
            action.setObjectName(name)
            action.triggered.connect(weakly(self.chosen.emit, style))

    def show_scope(self, selected: int, count: int, *, complete: bool, segmented: bool) -> None:
        """Show which ids would be copied: the `selected` ones, or if there are none, all `count` that are known.

        `complete` says whether these are all ids in the text, `segmented` whether to offer the text that subword-nmt
        would write.
        """
        if selected == 1:
            text = self.tr("1 selected id")
        elif selected:
            text = self.tr("{count} selected ids").format(count=number(selected))
        elif complete:
            text = self.tr("All ids: {count}").format(count=number(count))
        else:
            text = self.tr("Ids known so far: {count}").format(count=number(count))
        self._scope.setText(text)
        for action in self.actions()[1:]:
            action.setEnabled(count > 0)
        self.actions()[-1].setVisible(segmented)


class TokenIdView(QAbstractScrollArea):
    """A grid of ids, row by row in text order; an unknown symbol, which has no id, is shown as `?`.

    A token is identified by its index in the text, -1 for none. Only visible tokens are requested and painted. The
    current cell follows the text's caret (`set_current`) or the user (`current_changed`). The ids selected here or in
    the text can be copied; without a selection, all ids are. The scroll bar counts rows.
    """

    token_hovered = Signal(int)
    token_clicked = Signal(int)
    current_changed = Signal(int)
    selection_changed = Signal(int, int)
    """The user selected the tokens [first, last) here."""
    menu_opened = Signal(QMenu, int)
    """A menu that is about to be shown, and the token it is for."""
    warned = Signal(str)
    """Something about what was copied that the user should know."""

    def __init__(self) -> None:
        super().__init__()
        self._source: LiveTokens | None = None
        self._complete = True
        self._color_mode = ColorMode.BY_POSITION
        self._painter = _CellPainter(token_palette_of("light"))
        self._largest = _MIN_LARGEST_ID
        self._top_token = 0  # the token scrolled to the top, remembered even while there are too few tokens for that
        self._setting_bar = Updating()  # meanwhile the token at the top is kept, even if the bar is too short for it
        self._hovered = _NO_TOKEN
        self._highlighted = _NO_TOKEN
        self._current = _NO_TOKEN
        self._selection = range(0)
        self._anchor = _NO_TOKEN  # where the user's selection began; no token if the text's selection is shown
        self._pressed = _NO_TOKEN
        self._marked_ids: tuple[int, ...] = ()
        self.setObjectName("tokenIdView")
        self.setAccessibleName(self.tr("Token ids of the text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.viewport().setMouseTracking(True)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.copy_menu = CopyMenu(self)
        """The menu of copy styles."""
        self.copy_menu.aboutToShow.connect(self._show_copy_scope)
        self.copy_menu.chosen.connect(self.copy)
        self._lay_out()

    # -- contents ---------------------------------------------------------------------------------------------------

    def set_source(self, source: LiveTokens | None) -> None:
        """Show the ids of another source, keeping the scroll position and the marked id."""
        self._source = source
        self._hovered = self._highlighted = self._current = self._anchor = _NO_TOKEN
        self._selection = range(0)
        self.tokens_changed()

    def tokens_changed(self) -> None:
        """Show that tokens have changed or been added, keeping scroll position, selection and marks."""
        self._complete = self._source is None or self._source.is_complete
        self._set_rows()

    def set_largest_id(self, largest: int) -> None:
        """Make all columns wide enough for this id, whether or not it occurs in the text."""
        self._largest = max(_MIN_LARGEST_ID, largest)
        self._lay_out()

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour tokens by position, equal tokens alike, or words by the part of the splitter that took them."""
        self._color_mode = mode
        self.viewport().update()

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Use a theme's colours."""
        self._painter = _CellPainter(palette)
        self.viewport().update()

    def set_highlight(self, token: int) -> None:
        """Outline the token at an index, as hovering over it does; -1 for none."""
        if token != self._highlighted:
            self._highlighted = token
            self.viewport().update()

    def set_marked_ids(self, ids: Sequence[int]) -> None:
        """Outline every token with one id, or every pair with two; nothing without any."""
        self._marked_ids = tuple(ids)
        self.viewport().update()

    def set_current(self, token: int, first: int = _NO_TOKEN) -> None:
        """Make the token at the text's caret current, clear the selection, and scroll to the token, or to `first`."""
        self._current = token
        self.set_selection(0, 0)
        self._reveal(first)

    def set_selection(self, first: int, last: int) -> None:
        """Show that the tokens [first, last) are selected in the text."""
        self._anchor = _NO_TOKEN
        self._selection = range(first, last)
        self.viewport().update()

    @property
    def current(self) -> int:
        """The current token, or -1."""
        return self._current if self._current < self._count else _NO_TOKEN

    @property
    def selection(self) -> range:
        return range(self._selection.start, min(self._selection.stop, self._count))

    @property
    def _count(self) -> int:
        return 0 if self._source is None else len(self._source)

    def _colored(self, first: int, last: int) -> tuple[int, Tokens, Int32Array]:
        """Return tokens that include [first, last), with the index of the first of them and their colours."""
        if self._source is None:
            return 0, NO_TOKENS, NO_TOKENS.ids
        start = max(0, first - first % _COLOR_CONTEXT - _COLOR_CONTEXT)
        tokens = self._source.slice(start, last + 1)  # a shade depends on the neighbours
        if self._color_mode is ColorMode.BY_POSITION:
            return start, tokens, np.arange(start, start + len(tokens), dtype=np.int32) % self._painter.hues
        return start, tokens, self._source.shades(tokens, self._painter.hues, self._color_mode)

    def color_of(self, token: int) -> QColor:
        """Return a token's background colour."""
        start, tokens, colors = self._colored(token, token + 1)
        return self._painter.color(tokens, token - start, colors)

    # -- copying ----------------------------------------------------------------------------------------------------

    def copy(self, style: IdStyle | TokenStyle = IdStyle.LIST) -> None:
        """Copy the selected ids, or if there are none, all known ids, or their tokens, and say so in a tooltip.

        Symbols without an id have their text among tokens; among ids, `warned` tells of them.
        """
        chosen = self.selection or range(self._count)
        if len(chosen) > _MAX_COPIED:
            template = self.tr("{count} ids are too many to copy. Select at most {most}.")
        else:
            template = self.tr("Copied 1 id") if len(chosen) == 1 else self.tr("Copied {count} ids")
            tokens = self._source.slice(chosen.start, chosen.stop) if self._source else NO_TOKENS
            if isinstance(style, IdStyle):
                QGuiApplication.clipboard().setText(format_ids(tokens.ids, style))
                self._warn_of_unknown(tokens)
            elif self._source:
                text = format_tokens(self._source.text, chosen.start, chosen.stop, style)
                QGuiApplication.clipboard().setText(text)
        message = template.format(count=number(len(chosen)), most=number(_MAX_COPIED))
        QToolTip.showText(self.mapToGlobal(self.rect().topLeft()), message, self)

    def _warn_of_unknown(self, tokens: Tokens) -> None:
        unknown = np.flatnonzero(tokens.unknown)
        if self._source is None or not len(unknown):
            return
        first = tokens[int(unknown[0])]
        one = self.tr("1 symbol has no id, so {id} stands for it in what was copied: {symbol}")
        many = self.tr("{count} symbols have no id, so {id} stands for them in what was copied. The first: {symbol}")
        symbol = token_in_sentence(self._source.text.read(first.start, first.stop))
        template = one if len(unknown) == 1 else many
        self.warned.emit(template.format(count=number(len(unknown)), id=first.id, symbol=symbol))

    def select_all(self) -> None:
        self._anchor = 0
        self._go(self._count - 1, selecting=True)

    def _show_copy_scope(self) -> None:
        segmented = self._source is not None and is_segmentable(self._source.text.tokenizer)
        self.copy_menu.show_scope(len(self.selection), self._count, complete=self._complete, segmented=segmented)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show a menu of copy styles, for the id under the mouse, or for the current one if a key was pressed."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        point = self.cell_rect(self._current).center() if by_key and self.current != _NO_TOKEN else event.pos()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._show_copy_scope()
        menu.addActions(self.copy_menu.actions())
        self.menu_opened.emit(menu, self.index_at(point))
        menu.popup(self.viewport().mapToGlobal(point))

    # -- geometry ---------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._grid = _Grid.of(self.font(), self.viewport().size(), self._largest)
        self._set_rows()

    def _set_rows(self) -> None:
        """Set the scroll bar to the rows of all ids, and of the ellipsis if more are coming."""
        rows = -(-(self._count + (not self._complete)) // self._grid.columns)
        bar = self.verticalScrollBar()
        with self._setting_bar:
            bar.setRange(0, max(0, rows - self._grid.rows))
            bar.setPageStep(self._grid.rows)
            bar.setValue(self._top_token // self._grid.columns)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """Remember the token at the top when the user scrolls."""
        if not self._setting_bar:
            self._top_token = self._top_row * self._grid.columns
        super().scrollContentsBy(dx, dy)

    @property
    def _top_row(self) -> int:
        return self.verticalScrollBar().value()

    def cell_rect(self, token: int) -> QRect:
        """Return the rectangle of a token's cell, in viewport coordinates."""
        return self._grid.cell(token, self._top_row)

    def index_at(self, point: QPoint) -> int:
        """Return the token whose cell is at `point` of the viewport, or -1."""
        token = self._grid.index_at(point, self._top_row)
        first = self._top_row if point.y() >= 0 else 0  # above the view, dragging continues the selection
        stop = min(self._count, (self._top_row + self._grid.rows) * self._grid.columns)
        return token if first * self._grid.columns <= token < stop else _NO_TOKEN

    def _reveal(self, token: int = _NO_TOKEN) -> None:
        """Scroll a cell into view, by default the current one."""
        if token == _NO_TOKEN:
            token = self.current
        if token == _NO_TOKEN:
            return
        row = token // self._grid.columns
        self.verticalScrollBar().setValue(min(max(self._top_row, row - self._grid.rows + 1), row))

    def sizeHint(self) -> QSize:
        return self._grid.size(10, 5)

    def minimumSizeHint(self) -> QSize:
        return self._grid.size(2, 1)

    # -- painting ---------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        top = self._top_row
        cells = self._grid.cells_between(event.rect().top(), event.rect().bottom(), top)
        first, last = cells.start, min(cells.stop, self._count)
        start, tokens, shades = self._colored(first, last)
        marked = self._marked(tokens)
        outlines = dict.fromkeys((self._hovered, self._highlighted), self._painter.hover_pen)
        outlines[self._current] = self._painter.focus_pen if self.hasFocus() else self._painter.current_pen
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(ANTIALIASING)
            painter.setFont(self.font())
            for token in range(first, last):
                self._painter.paint(
                    painter,
                    QRectF(self._grid.cell(token, top)),
                    tokens,
                    token - start,
                    shades,
                    is_selected=token in self._selection,
                    outline=outlines.get(token) or (self._painter.mark_pen if marked[token - start] else None),
                )
            if not self._complete and self._count in cells:
                self._painter.paint_ellipsis(painter, QRectF(self.cell_rect(self._count)))

    def _marked(self, tokens: Tokens) -> BoolArray:
        has_words = self._source is not None and len(self._marked_ids) > 1 and len(tokens) > 0
        start, stop = (int(tokens.starts[0]), int(tokens.stops[-1])) if has_words else (0, 0)
        word_starts = self._source.word_starts(start, stop) if self._source and has_words else np.empty(0, np.int64)
        return tokens.marked(self._marked_ids, word_starts)

    # -- keys and mouse ---------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the view's keys, so that they are not the window's shortcuts while the view has the focus."""
        return claims(event, self._handles) or super().event(event)

    def _handles(self, event: QKeyEvent) -> bool:
        is_plain = not event.modifiers() & ~(SHIFT | KEYPAD)
        return (is_plain and event.key() in _MOVES) or event.matches(COPY) or event.matches(SELECT_ALL)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by arrow and page keys, select with Shift or Ctrl+A, copy with Ctrl+C, click with Return."""
        if event.matches(COPY):
            self.copy()
        elif event.matches(SELECT_ALL):
            self.select_all()
        elif event.key() in ENTER_KEYS and self.current != _NO_TOKEN:
            self.token_clicked.emit(self._current)
        elif event.key() in _MOVES:
            self._go(self._destination(Qt.Key(event.key())), selecting=bool(event.modifiers() & SHIFT))
        else:
            super().keyPressEvent(event)

    def _destination(self, key: Qt.Key) -> int:
        if self.current == _NO_TOKEN or key == Qt.Key.Key_Home:
            return 0
        if key == Qt.Key.Key_End:
            return self._count - 1
        return self._current + self._grid.step(key)

    def _go(self, token: int, *, selecting: bool, revealing: bool = True) -> None:
        """Make a token current; select it alone, or with `selecting`, everything from the anchor to it."""
        if not self._count:
            return
        current_before, selection_before = self._current, self._selection
        self._current = min(max(token, 0), self._count - 1)
        if not selecting:
            self._anchor = self._current
        elif self._anchor == _NO_TOKEN:
            self._anchor = self._current if current_before == _NO_TOKEN else current_before
        self._selection = range(min(self._anchor, self._current), max(self._anchor, self._current) + 1)
        if revealing:
            self._reveal()
        self.viewport().update()
        self.current_changed.emit(self._current)
        if self._selection != selection_before:
            self.selection_changed.emit(self._selection.start, self._selection.stop)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell, or with Shift all cells up to it."""
        token = self.index_at(event.position().toPoint())
        if event.button() != LEFT_BUTTON:
            return
        self._pressed = token
        if token != _NO_TOKEN:
            # Scrolling now would move the cell away from the mouse before the button is released.
            self._go(token, selecting=bool(event.modifiers() & SHIFT), revealing=False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        token = self.index_at(event.position().toPoint())
        if event.buttons() == NO_BUTTON:
            self._set_hovered(token)
        elif event.buttons() & LEFT_BUTTON and token not in (_NO_TOKEN, self._current):
            self._go(token, selecting=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report a click if the button was released on the cell where it was pressed."""
        token = self.index_at(event.position().toPoint())
        is_click = token != _NO_TOKEN and token == self._pressed
        if event.button() == LEFT_BUTTON and is_click and len(self.selection) == 1:
            self.token_clicked.emit(token)
        self._reveal()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == LEAVE:
            self._set_hovered(_NO_TOKEN)
        return super().viewportEvent(event)

    def _set_hovered(self, token: int) -> None:
        if token != self._hovered:
            self._hovered = token
            self.viewport().update()
            self.token_hovered.emit(token)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width, keeping the current cell in view."""
        self._lay_out()
        self._reveal()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == FONT_CHANGE:
            self._lay_out()
