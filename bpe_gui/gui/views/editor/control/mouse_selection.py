"""A text in which the mouse places the caret and selects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QElapsedTimer, QPointF, Qt, QTimer
from PySide6.QtGui import QClipboard, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QAbstractSlider, QApplication, QWidget

from bpe_gui.gui.views.caret_text import CaretText
from bpe_gui.gui.system.exact_text import mime_of
from bpe_gui.gui.views.tokens import LiveTokens

_LEFT_BUTTON: Final = Qt.MouseButton.LeftButton
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CLIPBOARD: Final = QClipboard.Mode.Clipboard
_SELECTION: Final = QClipboard.Mode.Selection
_SCROLL_EVERY: Final = 40  # milliseconds, while the mouse is held outside
_PIXELS_A_STEP: Final = 24  # the farther outside, the more steps at once

STEP_UP: Final = QAbstractSlider.SliderAction.SliderSingleStepSub
"""Scrolls up by a row."""

STEP_DOWN: Final = QAbstractSlider.SliderAction.SliderSingleStepAdd
"""Scrolls down by a row."""

_Span = tuple[int, int]


def _nothing_more(place: int) -> _Span:
    return place, place


class SelectableText(CaretText):
    """A text that can be selected by characters, words and lines, and copied."""

    def __init__(self, parent: QWidget | None = None, *, object_name: str = "") -> None:
        self._unit: Callable[[int], _Span] = _nothing_more  # what is selected with each place
        self._origin: _Span | None = None  # what the mouse selected first, while it is held
        self._pressed_in_selection: QPointF | None = None  # where, until it is known whether that begins a drag
        super().__init__(parent, object_name=object_name)
        self._since_double_click = QElapsedTimer()
        self._double_clicked_at = QPointF()
        self._pointer = QPointF()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_EVERY)
        self._scrolling.timeout.connect(self._scroll)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def copy(self) -> None:
        """Put what is selected on the clipboard, exactly."""
        if self.has_selection:
            self._offer(_CLIPBOARD)

    def selectAll(self) -> None:  # noqa: N802 (Qt's name)
        """Select the whole text, and offer it to a middle click as other programs do."""
        super().selectAll()
        self._offer_selection()

    def _offer_selection(self) -> None:
        if self.has_selection and QGuiApplication.clipboard().supportsSelection():
            self._offer(_SELECTION)

    def _offer(self, mode: QClipboard.Mode) -> None:
        QGuiApplication.clipboard().setMimeData(mime_of(self.live_text.read(*self.selection)), mode)

    def set_source(self, source: LiveTokens, *, flash: bool = False) -> None:
        """Show another text, or the same with other tokens."""
        if source.text is not self.live_text:
            self._let_go()
        super().set_source(source, flash=flash)

    def text_replaced(self, start: int, removed: int, added: int) -> None:
        """The text was edited: what the mouse was selecting stood in the text of before."""
        self._let_go()
        super().text_replaced(start, removed, added)

    def _let_go(self) -> None:
        self._origin = self._pressed_in_selection = None

    # -- the mouse --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Places the caret, with Shift selects as far as the mouse; the third press selects the line."""
        super().mousePressEvent(event)
        event.accept()
        if event.button() != _LEFT_BUTTON:
            return
        QGuiApplication.inputMethod().commit()
        self._pointer = event.position()
        place = self.place_at(event.position())
        if self._is_third_press(event.position()):
            self._begin(place, self.line_body)
        elif event.modifiers() & _SHIFT:
            self._unit, self._origin = _nothing_more, (self.anchor, self.anchor)
            self._select(self.anchor, place)
        elif self._is_selected(place):
            self._pressed_in_selection = event.position()
        else:
            self._begin(place, _nothing_more)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Selects the word."""
        super().mouseDoubleClickEvent(event)
        event.accept()
        if event.button() == _LEFT_BUTTON:
            self._pointer = event.position()
            self._since_double_click.start()
            self._double_clicked_at = event.position()
            self._begin(self.place_at(event.position()), self.word_at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extends the selection, or drags it away."""
        super().mouseMoveEvent(event)
        event.accept()
        if not event.buttons() & _LEFT_BUTTON:
            return
        self._pointer = event.position()
        if self._pressed_in_selection is not None:
            moved = event.position() - self._pressed_in_selection
            if moved.manhattanLength() >= QApplication.startDragDistance():
                self._pressed_in_selection = None
                self._drag_away()
        elif self._origin is not None:
            self._extend()
            self._scroll_while_outside()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends selecting; a press in the selection that began no drag was a click."""
        super().mouseReleaseEvent(event)
        event.accept()
        if event.button() != _LEFT_BUTTON:
            return
        if self._pressed_in_selection is not None:
            self.set_caret(self.place_at(event.position()))
        self._let_go()
        self._scrolling.stop()
        self._offer_selection()

    def _is_third_press(self, point: QPointF) -> bool:
        timer = self._since_double_click
        if not timer.isValid() or timer.hasExpired(QApplication.doubleClickInterval()):
            return False
        return (point - self._double_clicked_at).manhattanLength() < QApplication.startDragDistance()

    def _is_selected(self, place: int) -> bool:
        start, stop = self.selection
        return self.has_selection and start <= place <= stop

    def _drag_away(self) -> None:
        """Let the selection be dropped elsewhere; nothing, unless a kind of text can do that."""

    def _begin(self, place: int, unit: Callable[[int], _Span]) -> None:
        self._unit, self._origin = unit, unit(place)
        self._select(*self._origin)

    def _extend(self) -> None:
        """Select from what was pressed on to what is under the mouse."""
        if self._origin is None:
            return
        start, stop = self._unit(self.place_at(self._inside()))
        if start < self._origin[0]:
            self._select(self._origin[1], start)
        else:
            self._select(self._origin[0], max(stop, self._origin[1]))

    def _inside(self) -> QPointF:
        """The place in the viewport that is nearest to the mouse."""
        area = self.viewport().rect()
        return QPointF(
            min(max(self._pointer.x(), 0), area.right()),
            min(max(self._pointer.y(), 0), area.bottom()),
        )

    def _scroll_while_outside(self) -> None:
        if 0 <= self._pointer.y() < self.viewport().height():
            self._scrolling.stop()
        elif not self._scrolling.isActive():
            self._scrolling.start()

    def _scroll(self) -> None:
        y, height = self._pointer.y(), self.viewport().height()
        beyond = -y if y < 0 else y - height
        for _ in range(1 + int(beyond) // _PIXELS_A_STEP):
            self.verticalScrollBar().triggerAction(STEP_UP if y < 0 else STEP_DOWN)
        self._extend()
