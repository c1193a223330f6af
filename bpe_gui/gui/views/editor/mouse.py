"""Turn mouse events into selections, drag and drop, and pointing at tokens."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from bpe_gui.gui.edit_history import TextSelection
from bpe_gui.gui.look.lifetime import Updating, WeakAttribute
from bpe_gui.gui.look.qt_constants import LEFT_BUTTON, NO_BUTTON, SHIFT
from bpe_gui.gui.system.exact_text import mime_of

from .edited_text import EditedText
from .keys import TextCommands
from .token_layer import NO_TOKEN, TokenLayer
from .visible_rows import VisibleRows

_COPY: Final = Qt.DropAction.CopyAction
_MOVE: Final = Qt.DropAction.MoveAction
_SCROLL_INTERVAL: Final = 40  # milliseconds between scrolls while the mouse is held outside the viewport
_PIXELS_PER_ROW: Final = 24  # scroll one more row for each such distance between mouse and viewport
_SCROLL_EDGE: Final = 16  # pixels at the top and bottom of the viewport where dragging scrolls


@dataclass(frozen=True, slots=True)
class _Gesture:
    """A selection being made while the button is held, in units of characters, words or lines."""

    first: TextSelection
    """The unit where the button was pressed, which stays selected."""
    unit_at: Callable[[int], tuple[int, int]]
    """Returns the start and stop offsets of the unit at an offset."""


def _character_boundary(offset: int) -> tuple[int, int]:
    """Return the empty unit at an offset, as start and stop."""
    return offset, offset


class EditorMouse(QObject):
    """The mouse in an editor. Points are in viewport coordinates."""

    _viewport = WeakAttribute[QWidget]()

    token_clicked = Signal(int)
    """The left button was clicked on the token with this index in the text."""

    drop_target_changed = Signal(int)
    """The offset where text would be dropped now."""

    def __init__(
        self, text: EditedText, rows: VisibleRows, tokens: TokenLayer, commands: TextCommands, viewport: QWidget
    ) -> None:
        super().__init__(viewport)
        self._text = text
        self._rows = rows
        self._tokens = tokens
        self._commands = commands
        self._viewport = viewport
        self._gesture: _Gesture | None = None
        self._pressed_in_selection = False  # until it turns out whether this starts a drag
        self._pressed_at = QPointF()
        self._mouse = QPointF()  # the latest point, possibly outside the viewport
        self._since_double_click = QElapsedTimer()
        self._double_clicked_at = QPointF()
        self._dragging = Updating()  # while the selected text is being dragged
        self._scroll_timer = QTimer(self)
        self._scroll_timer.setInterval(_SCROLL_INTERVAL)
        self._scroll_timer.timeout.connect(self._scroll)

    def cancel(self) -> None:
        """Forget the press, but keep caret and selection, because an edit has moved the gesture's offsets."""
        self._gesture, self._pressed_in_selection = None, False

    # -- buttons ----------------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        """Move the caret; with Shift, extend the selection to the mouse; after a double click, select the line."""
        self._pressed_at = self._mouse = event.position()
        if event.button() != LEFT_BUTTON:
            return
        QGuiApplication.inputMethod().commit()
        offset = self._rows.offset_at(self._mouse)
        timer = self._since_double_click
        is_soon = timer.isValid() and not timer.hasExpired(QApplication.doubleClickInterval())
        if is_soon and self._is_near(self._mouse, self._double_clicked_at):
            self._begin_gesture(offset, self._rows.all_rows.line_body)
        elif event.modifiers() & SHIFT:
            self._gesture = _Gesture(TextSelection.at(self._text.selection.anchor), _character_boundary)
            self._text.select(self._text.selection.extended_to(offset))
        elif self._text.selection.touches(offset):
            self._pressed_in_selection = True
        else:
            self._begin_gesture(offset, _character_boundary)

    def double_click(self, event: QMouseEvent) -> None:
        """Select the word under the mouse."""
        if event.button() == LEFT_BUTTON:
            self._mouse = self._double_clicked_at = event.position()
            self._since_double_click.start()
            self._begin_gesture(self._rows.offset_at(self._mouse), self._rows.all_rows.word_at)

    def move(self, event: QMouseEvent) -> None:
        """Point at a token; with the left button down, extend the selection, or start dragging the selected text."""
        if event.buttons() == NO_BUTTON:
            self._tokens.hover(event.position())
        if not event.buttons() & LEFT_BUTTON:
            return
        self._mouse = event.position()
        if self._pressed_in_selection:
            if not self._is_near(self._mouse, self._pressed_at):
                self._pressed_in_selection = False
                self._drag()
        elif self._gesture is not None:
            self._extend(self._gesture)
            if 0 <= self._mouse.y() < self._rows.size.height():
                self._scroll_timer.stop()
            elif not self._scroll_timer.isActive():
                self._scroll_timer.start()

    def release(self, event: QMouseEvent) -> None:
        """Report a click on a token, and stop selecting; the middle button pastes the primary selection.

        If the press was on the selection but did not become a drag, move the caret to the mouse.
        """
        point = event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._commands.paste_primary(self._rows.offset_at(point))
        if event.button() != LEFT_BUTTON:
            return
        index = self._tokens.token_at(point)
        if index != NO_TOKEN and self._is_near(point, self._pressed_at):
            self.token_clicked.emit(index)
        if self._pressed_in_selection:
            self._text.set_caret(self._rows.offset_at(point))
        self.cancel()
        self._scroll_timer.stop()
        self._commands.offer_selection()

    @staticmethod
    def _is_near(point: QPointF, other: QPointF) -> bool:
        return (point - other).manhattanLength() < QApplication.startDragDistance()

    def _begin_gesture(self, offset: int, unit_at: Callable[[int], tuple[int, int]]) -> None:
        self._gesture = _Gesture(TextSelection(*unit_at(offset)), unit_at)
        self._text.select(self._gesture.first)

    def _extend(self, gesture: _Gesture) -> None:
        """Extend the selection to the unit at the mouse."""
        start, stop = gesture.unit_at(self._rows.offset_at(self._rows.inside(self._mouse)))
        self._text.select(gesture.first.extended_over(start, stop))

    def _scroll(self) -> None:
        """Scroll towards the mouse, faster the further away it is, and extend the selection."""
        y, height = self._mouse.y(), self._rows.size.height()
        distance = -y if y < 0 else y - height
        rows = 1 + int(distance) // _PIXELS_PER_ROW
        self._rows.scroll_rows(-rows if y < 0 else rows)
        if self._gesture is not None:
            self._extend(self._gesture)

    def show_tip(self, event: QHelpEvent) -> None:
        """Show the tooltip of the token under the mouse, or hide it."""
        tip = self._tokens.tip_at(QPointF(event.pos()))
        if tip is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), tip, self._viewport)

    # -- drag and drop ----------------------------------------------------------------------------------------------

    def _drag(self) -> None:
        """Drag the selected text until it is dropped; if it was moved to another widget, remove it here."""
        drag = QDrag(self._viewport)
        drag.setMimeData(mime_of(self._text.selected_utf8()))
        read_only = self._text.read_only
        with self._dragging:
            action = drag.exec(_COPY if read_only else _COPY | _MOVE, _COPY if read_only else _MOVE)
        if action == _MOVE and drag.target() is not self._viewport and not read_only:
            self._commands.delete_selection()

    def drag_enter(self, event: QDragEnterEvent) -> None:
        """Accept text and files, unless the text is read-only."""
        if self._commands.accepts(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def drag_move(self, event: QDragMoveEvent) -> None:
        """Report where the text would be dropped; scroll at the edges."""
        y = event.position().y()
        if y < _SCROLL_EDGE:
            self._rows.scroll_rows(-1)
        elif y > self._rows.size.height() - _SCROLL_EDGE:
            self._rows.scroll_rows(1)
        self.drop_target_changed.emit(self._rows.offset_at(event.position()))
        event.acceptProposedAction()

    def drop(self, event: QDropEvent) -> None:
        """Insert text, move the selected text, or offer files."""
        offset = self._rows.offset_at(event.position())
        if self._dragging and event.dropAction() == _MOVE:
            self._text.move_selection(offset)
        else:
            self._text.set_caret(offset)
            self._commands.insert(event.mimeData())
            self._viewport.setFocus(Qt.FocusReason.MouseFocusReason)
            event.setDropAction(_COPY)  # on a move, the source would delete what we only read
        event.accept()
