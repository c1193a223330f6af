"""The ids of a text as cells in the colours of its tokens: only those in view are painted, however many there are."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontDatabase,
    QFontMetrics,
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
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from .palette import TokenPalette, faded
from .tokens import NO_TOKENS, ColorMode, Tokens

_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_LEFT_BUTTON: Final = Qt.MouseButton.LeftButton
_NO_BUTTON: Final = Qt.MouseButton.NoButton
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_NO_BRUSH: Final = Qt.BrushStyle.NoBrush
_NO_PEN: Final = Qt.PenStyle.NoPen
_COPY: Final = QKeySequence.StandardKey.Copy
_SELECT_ALL: Final = QKeySequence.StandardKey.SelectAll
_SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
_LEAVE: Final = QEvent.Type.Leave
_FONT_CHANGE: Final = QEvent.Type.FontChange
_KEYS: Final = frozenset(
    (
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    )
)
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

_NOBODY: Final = -1
_MARGIN: Final = 8  # the grid of the window
_GAP: Final = 2  # between neighbouring cells
_PADDING: Final = 5  # beside the longest id
_FEWEST_DIGITS: Final = 3  # so that the columns stay while a small vocabulary grows
_CORNER: Final = 3.0
_UNKNOWN: Final = "?"


class TokenIdView(QAbstractScrollArea):
    """A grid of ids, row by row in the order of the text; an unknown symbol, which has no id, is a `?`.

    The current cell follows the caret of the text (`set_current`) or the user here (`current_changed`). What the user
    selected, by keys or mouse, is copied as a list of numbers; without a selection, everything is.
    """

    token_hovered = Signal(int)
    token_clicked = Signal(int)
    current_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens = NO_TOKENS
        self._color_mode = ColorMode.BY_POSITION
        self._colors = NO_TOKENS.ids
        self._paint = _Paint.plain(self.palette())
        self._hovered = _NOBODY
        self._highlighted = _NOBODY
        self._current = _NOBODY
        self._anchor = _NOBODY  # where the selection began; nobody: there is none
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
        self._lay_out()

    # -- what is shown ----------------------------------------------------------------------------------------------

    def set_tokens(self, tokens: Tokens) -> None:
        """Show these tokens' ids; the place scrolled to and the marks stay."""
        self._tokens = tokens
        self._hovered = self._highlighted = self._current = self._anchor = _NOBODY
        self._lay_out()
        self._recolor()

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour by position, or the same token in the same colour."""
        self._color_mode = mode
        self._recolor()

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._paint = _Paint(palette)
        self._recolor()

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
        self._anchor = _NOBODY
        self._current = index
        self._reveal()
        self.viewport().update()

    @property
    def current(self) -> int:
        """Index of the current token, or -1."""
        return self._current

    @property
    def selection(self) -> range:
        """Indices of the tokens that the user selected."""
        if self._anchor == _NOBODY:
            return range(0)
        return range(min(self._anchor, self._current), max(self._anchor, self._current) + 1)

    def copy(self) -> None:
        """Put the ids that are selected, or else all of them, on the clipboard as `[1, 2, 3]`."""
        self._copy(self.selection or range(len(self._tokens)))

    def copy_all(self) -> None:
        """Put all ids on the clipboard."""
        self._copy(range(len(self._tokens)))

    def _copy(self, chosen: range) -> None:
        QGuiApplication.clipboard().setText(str(self._tokens.ids[chosen.start : chosen.stop].tolist()))

    def color_of(self, index: int) -> QColor:
        """The colour that tells a token from its neighbours."""
        if self._tokens.special[index]:
            return self._paint.special_fill.color()
        if self._tokens.unknown[index]:
            return self._paint.unknown_fill
        return self._paint.fills[int(self._colors[index])].color()

    # -- geometry ---------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Columns and rows for the ids there are; the scroll bar keeps its place as far as it can."""
        metrics = QFontMetrics(self.font())
        largest = int(self._tokens.ids.max()) if len(self._tokens) else 0
        self._digit_width = metrics.horizontalAdvance("0")
        self._width = max(_FEWEST_DIGITS, len(str(largest))) * self._digit_width + 2 * _PADDING + _GAP
        self._height = metrics.height() + 2 + _GAP
        self._baseline = 1 + metrics.ascent()
        self._columns = max(1, (self.viewport().width() - 2 * _MARGIN) // self._width)
        rows = -(-len(self._tokens) // self._columns)
        page = self.viewport().height()
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, rows * self._height + 2 * _MARGIN - page))
        bar.setPageStep(page)
        bar.setSingleStep(self._height)
        self.viewport().update()

    def cell_rect(self, index: int) -> QRect:
        """Where a token's cell is, in coordinates of the viewport."""
        row, column = divmod(index, self._columns)
        top = _MARGIN + row * self._height - self.verticalScrollBar().value()
        return QRect(_MARGIN + column * self._width, top, self._width - _GAP, self._height - _GAP)

    def index_at(self, point: QPoint) -> int:
        """Index of the token whose cell is at `point` (coordinates of the viewport), or -1."""
        column = (point.x() - _MARGIN) // self._width
        row = (point.y() - _MARGIN + self.verticalScrollBar().value()) // self._height
        index = row * self._columns + column
        return index if 0 <= column < self._columns and 0 <= index < len(self._tokens) else _NOBODY

    def _reveal(self) -> None:
        if self._current == _NOBODY:
            return
        cell = self.cell_rect(self._current)
        bar = self.verticalScrollBar()
        if cell.top() < _MARGIN:
            bar.setValue(bar.value() + cell.top() - _MARGIN)
        elif cell.bottom() > self.viewport().height() - _MARGIN:
            bar.setValue(bar.value() + cell.bottom() - self.viewport().height() + _MARGIN)

    def sizeHint(self) -> QSize:
        """A few rows of a few ids."""
        return QSize(10 * self._width + 2 * _MARGIN, 5 * self._height + 2 * _MARGIN)

    def minimumSizeHint(self) -> QSize:
        """One row."""
        return QSize(2 * self._width + 2 * _MARGIN, self._height + 2 * _MARGIN)

    # -- painting ---------------------------------------------------------------------------------------------------

    def _recolor(self) -> None:
        self._colors = self._tokens.color_indices(len(self._paint.fills), self._color_mode)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The cells of the rows that need it."""
        scrolled = self.verticalScrollBar().value() - _MARGIN
        first = max(0, (event.rect().top() + scrolled) // self._height) * self._columns
        last = ((event.rect().bottom() + scrolled) // self._height + 1) * self._columns
        selected = self.selection
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(_ANTIALIASING)
            painter.setFont(self.font())
            for index in range(first, min(last, len(self._tokens))):
                cell = QRectF(self.cell_rect(index))
                self._paint_cell(painter, index, cell, index in selected)
                self._paint_outline(painter, index, cell)

    def _paint_cell(self, painter: QPainter, index: int, cell: QRectF, selected: bool) -> None:
        paint = self._paint
        pen, fill, text = paint.no_pen, paint.fills[self._colors[index]], str(self._tokens.ids[index])
        if self._tokens.special[index]:
            pen, fill = paint.special_pen, paint.special_fill
        elif self._tokens.unknown[index]:
            pen, fill, text = paint.unknown_pen, paint.no_fill, _UNKNOWN
        if selected:
            # One band without gaps, in place of the colours: it cannot be taken for a token.
            painter.fillRect(cell.adjusted(0, 0, _GAP, 0), paint.selection)
        else:
            inset = pen.widthF() / 2
            painter.setPen(pen)
            painter.setBrush(fill)
            painter.drawRoundedRect(cell.adjusted(inset, inset, -inset, -inset), _CORNER, _CORNER)
        left = cell.left() + (cell.width() - len(text) * self._digit_width) / 2
        painter.setPen(paint.text)
        painter.drawText(QPointF(left, cell.top() + self._baseline), text)

    def _paint_outline(self, painter: QPainter, index: int, cell: QRectF) -> None:
        if index == self._current:
            pen = self._paint.focus_pen if self.hasFocus() else self._paint.current_pen
        elif index in (self._hovered, self._highlighted):
            pen = self._paint.hover_pen
        elif self._marked_id is not None and self._tokens.ids[index] == self._marked_id:
            pen = self._paint.mark_pen
        else:
            return
        painter.setPen(pen)
        painter.setBrush(_NO_BRUSH)
        painter.drawRoundedRect(cell, _CORNER, _CORNER)

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
            self._go(len(self._tokens) - 1, selecting=True)
        elif event.key() in _ENTER and self._current != _NOBODY:
            self.token_clicked.emit(self._current)
        elif event.key() in _KEYS:
            self._go(self._destination(Qt.Key(event.key())), selecting=bool(event.modifiers() & _SHIFT))
        else:
            super().keyPressEvent(event)

    def _destination(self, key: Qt.Key) -> int:
        if self._current == _NOBODY:
            return 0
        page = max(1, self.viewport().height() // self._height) * self._columns
        match key:
            case Qt.Key.Key_Home:
                return 0
            case Qt.Key.Key_End:
                return len(self._tokens) - 1
            case Qt.Key.Key_Left:
                return self._current - 1
            case Qt.Key.Key_Right:
                return self._current + 1
            case Qt.Key.Key_Up:
                return self._current - self._columns
            case Qt.Key.Key_Down:
                return self._current + self._columns
            case Qt.Key.Key_PageUp:
                return self._current - page
            case _:
                return self._current + page

    def _go(self, index: int, *, selecting: bool) -> None:
        """Make a token the current one, and select it or as far as it."""
        if not len(self._tokens):
            return
        before = self._current
        self._current = min(max(index, 0), len(self._tokens) - 1)
        if not selecting:
            self._anchor = self._current
        elif self._anchor == _NOBODY:
            self._anchor = self._current if before == _NOBODY else before
        self._reveal()
        self.viewport().update()
        self.current_changed.emit(self._current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selects the cell, or with Shift the cells as far as it."""
        index = self.index_at(event.position().toPoint())
        if event.button() != _LEFT_BUTTON:
            return
        self._pressed = index
        if index != _NOBODY:
            self._go(index, selecting=bool(event.modifiers() & _SHIFT))

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


class _Paint:
    """Pens and brushes made from a palette once, not for every cell."""

    def __init__(self, palette: TokenPalette) -> None:
        self.fills = [QBrush(color) for color in palette.backgrounds]
        self.text = QPen(palette.text)
        self.special_fill = QBrush(faded(palette.special, 0.2))
        self.special_pen = QPen(palette.special, 1.5)
        self.unknown_pen = QPen(palette.warning, 1.5, Qt.PenStyle.DotLine)
        self.unknown_fill = faded(palette.warning, 0.15)
        self.no_fill = QBrush(_NO_BRUSH)
        self.no_pen = QPen(_NO_PEN)
        self.no_pen.setWidthF(0)
        self.hover_pen = QPen(palette.text, 1.5)
        self.mark_pen = QPen(faded(palette.text, 0.6), 1.5)
        self.current_pen = QPen(palette.quiet, 2.0)
        self.focus_pen = QPen(palette.accent, 2.0)
        self.selection = faded(palette.quiet, 0.35)

    @classmethod
    def plain(cls, colors: QPalette) -> _Paint:
        """Shades of the system's own colours, until a theme is set."""
        text = colors.color(QPalette.ColorRole.Text)
        return cls(
            TokenPalette(
                backgrounds=tuple(faded(text, opacity) for opacity in (0.08, 0.14, 0.2)),
                text=text,
                special=text,
                warning=text,
                accent=colors.color(QPalette.ColorRole.Highlight),
                quiet=colors.color(QPalette.ColorRole.PlaceholderText),
            )
        )
