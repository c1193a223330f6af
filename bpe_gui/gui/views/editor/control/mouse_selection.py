"""Select text with the mouse: by characters, words or lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.look.qt_constants import LEFT_BUTTON, SHIFT
from bpe_gui.gui.views.editor.edited_text import EditedText
from bpe_gui.gui.views.editor.selection import Selection
from bpe_gui.gui.views.editor.visible_rows import VisibleRows

_SCROLL_INTERVAL: Final = 40  # milliseconds between scrolls while the mouse is held outside the viewport
_PIXELS_PER_ROW: Final = 24  # for each of these distances outside the viewport, one more row is scrolled at a time


@dataclass(frozen=True, slots=True)
class _Gesture:
    """A selection being made with the button held: its first unit, a character boundary, a word or a line.

    `unit_at` returns the start and stop of the unit at an offset.
    """

    first: Selection
    unit_at: Callable[[int], tuple[int, int]]


def _character_boundary(offset: int) -> tuple[int, int]:
    return offset, offset


class MouseSelection(QObject):
    """A controller of the left mouse button: it moves the caret and selects text."""

    drag_started = Signal()
    """The user began to drag the selected text."""

    finished = Signal()
    """The button was released."""

    def __init__(self, text: EditedText, rows: VisibleRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._rows = rows
        self._gesture: _Gesture | None = None
        self._pressed_in_selection: QPointF | None = None  # until it is known whether this begins a drag
        self._pointer = QPointF()
        self._since_double_click = QElapsedTimer()
        self._double_clicked_at = QPointF()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_INTERVAL)
        self._scrolling.timeout.connect(self._scroll)

    def cancel(self) -> None:
        """End the gesture without moving the caret, because an edit moved the offsets that it began with."""
        self._gesture = self._pressed_in_selection = None

    def press(self, event: QMouseEvent) -> None:
        """Move the caret; with Shift, select up to the mouse; on a third press, select the line."""
        if event.button() != LEFT_BUTTON:
            return
        QGuiApplication.inputMethod().commit()
        self._pointer = event.position()
        offset = self._rows.offset_at(event.position())
        if self._is_triple_click(event.position()):
            self._begin(offset, self._rows.navigation.line_body)
        elif event.modifiers() & SHIFT:
            self._gesture = _Gesture(Selection.at(self._text.selection.anchor), _character_boundary)
            self._text.select(self._text.selection.extended_to(offset))
        elif self._text.selection.touches(offset):
            self._pressed_in_selection = event.position()
        else:
            self._begin(offset, _character_boundary)

    def double_click(self, event: QMouseEvent) -> None:
        """Select the word under the mouse."""
        if event.button() == LEFT_BUTTON:
            self._pointer = event.position()
            self._since_double_click.start()
            self._double_clicked_at = event.position()
            self._begin(self._rows.offset_at(event.position()), self._rows.navigation.word_at)

    def move(self, event: QMouseEvent) -> None:
        """Extend the selection, or begin to drag the selected text."""
        if not event.buttons() & LEFT_BUTTON:
            return
        self._pointer = event.position()
        if self._pressed_in_selection is not None:
            moved = event.position() - self._pressed_in_selection
            if moved.manhattanLength() >= QApplication.startDragDistance():
                self._pressed_in_selection = None
                self.drag_started.emit()
        elif self._gesture is not None:
            self._extend(self._gesture)
            self._scroll_while_outside()

    def release(self, event: QMouseEvent) -> None:
        """End the gesture; a press in the selection that did not become a drag moves the caret there."""
        if event.button() != LEFT_BUTTON:
            return
        if self._pressed_in_selection is not None:
            self._text.set_caret(self._rows.offset_at(event.position()))
        self.cancel()
        self._scrolling.stop()
        self.finished.emit()

    def _is_triple_click(self, point: QPointF) -> bool:
        timer = self._since_double_click
        if not timer.isValid() or timer.hasExpired(QApplication.doubleClickInterval()):
            return False
        return (point - self._double_clicked_at).manhattanLength() < QApplication.startDragDistance()

    def _begin(self, offset: int, unit_at: Callable[[int], tuple[int, int]]) -> None:
        self._gesture = _Gesture(Selection(*unit_at(offset)), unit_at)
        self._text.select(self._gesture.first)

    def _extend(self, gesture: _Gesture) -> None:
        start, stop = gesture.unit_at(self._rows.offset_at(self._rows.inside(self._pointer)))
        self._text.select(gesture.first.extended_over(start, stop))

    def _scroll_while_outside(self) -> None:
        if 0 <= self._pointer.y() < self._rows.size.height():
            self._scrolling.stop()
        elif not self._scrolling.isActive():
            self._scrolling.start()

    def _scroll(self) -> None:
        y, height = self._pointer.y(), self._rows.size.height()
        distance = -y if y < 0 else y - height
        rows = 1 + int(distance) // _PIXELS_PER_ROW
        self._rows.scroll_rows(-rows if y < 0 else rows)
        if self._gesture is not None:
            self._extend(self._gesture)
