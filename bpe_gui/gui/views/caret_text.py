"""A text with a caret and a selection, which keys move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSlider, QWidget

from bpe_gui.engine.live_text import LiveText

from bpe_gui.gui.views.token_text import TokenText
from bpe_gui.gui.views.tokens import LiveTokens

_SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
_CONTROL: Final = Qt.KeyboardModifier.ControlModifier
_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80
_LINE_ENDS: Final = (b"\n", b"\r")

_Destination = Callable[["CaretText", float], int]
"""Where a key leads from the caret, whose x was remembered."""


def _next_word(text: CaretText, _x: float) -> int:
    """The word that follows on the right: in Hebrew that is the one before."""
    backwards = text.right_of(text.place) < text.place
    return text.previous_word(text.place) if backwards else text.next_word(text.place)


def _previous_word(text: CaretText, _x: float) -> int:
    backwards = text.left_of(text.place) > text.place
    return text.next_word(text.place) if backwards else text.previous_word(text.place)


_DESTINATIONS: Final[dict[str, _Destination]] = {
    "NextChar": lambda text, _x: text.right_of(text.place),
    "PreviousChar": lambda text, _x: text.left_of(text.place),
    "NextWord": _next_word,
    "PreviousWord": _previous_word,
    "NextLine": lambda text, x: text.place_in_row_below(text.place, x),
    "PreviousLine": lambda text, x: text.place_in_row_above(text.place, x),
    "NextPage": lambda text, x: text.place_in_row_below(text.place, x, text.rows_per_page()),
    "PreviousPage": lambda text, x: text.place_in_row_above(text.place, x, text.rows_per_page()),
    "StartOfLine": lambda text, _x: text.row_start(text.place),
    "EndOfLine": lambda text, _x: text.row_end(text.place),
    "StartOfBlock": lambda text, _x: text.line_body(text.place)[0],
    "EndOfBlock": lambda text, _x: text.line_body(text.place)[1],
    "StartOfDocument": lambda _text, _x: 0,
    "EndOfDocument": lambda text, _x: len(text.live_text),
}
_PAGES: Final = {
    "NextPage": QAbstractSlider.SliderAction.SliderPageStepAdd,
    "PreviousPage": QAbstractSlider.SliderAction.SliderPageStepSub,
}
_KEEP_X: Final = ("NextLine", "PreviousLine", *_PAGES)
_SIDEWAYS: Final = ("NextChar", "PreviousChar")

_MOVES: Final = {
    QKeySequence.StandardKey[f"{verb}{name}"]: (name, verb == "Select")
    for name in _DESTINATIONS
    for verb in ("MoveTo", "Select")
}


class CaretText(TokenText):
    """A text with its tokens, a caret and a selection. All places are bytes of the text's UTF-8."""

    caret_moved = Signal(int)
    """To this place."""

    selection_changed = Signal(int, int)
    """Its start and its stop, which are the caret's place where nothing is selected."""

    def __init__(self, parent: QWidget | None = None, *, object_name: str = "") -> None:
        self._anchor = 0  # where the selection began
        self._place = 0
        self._wanted_x: float | None = None  # of the caret, while it goes up and down
        self._live_text = LiveText()
        self._blinking = QTimer()  # the base puts the caret at the start when it is made
        super().__init__(parent, object_name=object_name)
        self._blinking.setParent(self)
        self._blinking.timeout.connect(self._blink)
        QGuiApplication.styleHints().cursorFlashTimeChanged.connect(self._start_blinking)

    def set_source(self, source: LiveTokens, *, flash: bool = False) -> None:
        """Show this text with its tokens; the caret stays where it is if it is the same text."""
        super().set_source(source, flash=flash)
        if source.text is not self._live_text:
            self._live_text = source.text
            self.set_caret(0)

    @property
    def live_text(self) -> LiveText:
        """The text that is shown."""
        return self._live_text

    @property
    def place(self) -> int:
        """The caret's place. (`caret` is where one is painted: while something is dragged, that is where it goes.)"""
        return self._place

    @property
    def anchor(self) -> int:
        """Where the selection began; the caret's place, if nothing is selected."""
        return self._anchor

    @property
    def has_selection(self) -> bool:
        """Whether anything is selected."""
        return self._anchor != self._place

    def selected_text(self) -> str:
        """What is selected, exactly."""
        return self._live_text.read(*self.selection).decode()

    def set_caret(self, place: int) -> None:
        """Put the caret at a place, or before the character that has it inside; nothing is selected."""
        place = self._before_character(place)
        self._select(place, place)

    def set_selection(self, start: int, stop: int) -> None:
        """Select from `start` to `stop`, where the caret goes, with all of the characters that are touched."""
        low, high = self._before_character(min(start, stop)), self._behind_character(max(start, stop))
        self._select(*((low, high) if start <= stop else (high, low)))

    def selectAll(self) -> None:  # noqa: N802 (Qt's name)
        """Select the whole text."""
        self._select(0, len(self._live_text))

    def line_body(self, place: int) -> tuple[int, int]:
        """Start and stop of the line around a place, without the break that ends it."""
        start, stop = self.line_at(place)
        while stop > start and self._live_text.read(stop - 1, stop) in _LINE_ENDS:
            stop -= 1
        return start, stop

    def _before_character(self, place: int) -> int:
        place = min(max(place, 0), len(self._live_text))
        while self._is_inside(place):
            place -= 1
        return place

    def _behind_character(self, place: int) -> int:
        place = min(max(place, 0), len(self._live_text))
        while self._is_inside(place):
            place += 1
        return place

    def _is_inside(self, place: int) -> bool:
        """Whether a character, of which `\\r\\n` is one, goes on at a place."""
        around = self._live_text.read(max(0, place - 1), place + 1) if place else b""
        return around == b"\r\n" or (len(around) == 2 and around[1] & _CONTINUATION_MASK == _CONTINUATION)

    def _select(self, anchor: int, place: int) -> None:
        before = self._anchor, self._place
        self._put(anchor, place)
        self.ensure_visible(place)
        self._tell(*before)

    def _put(self, anchor: int, place: int) -> None:
        """Have another caret and selection, without telling yet."""
        self._anchor, self._place = anchor, place
        self._wanted_x = None
        self.caret = place
        self.selection = min(anchor, place), max(anchor, place)
        self._start_blinking()
        self.updateMicroFocus()

    def _tell(self, anchor_before: int, place_before: int) -> None:
        if self._place != place_before:
            self.caret_moved.emit(self._place)
        had_selection = anchor_before != place_before
        if (had_selection or self.has_selection) and (anchor_before, place_before) != (self._anchor, self._place):
            self.selection_changed.emit(*self.selection)

    # -- keys -------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keys that mean something in here are not the window's shortcuts while this has the focus."""
        if event.type() == _SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        return self._move_of(event) is not None

    def _move_of(self, event: QKeyEvent) -> tuple[str, bool] | None:
        """The destination that a key names, and whether it selects. Ctrl with a letter, which some systems have for the
        end of a line, is a key of the menus."""
        if event.modifiers() & _CONTROL and Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
            return None
        return next((move for key, move in _MOVES.items() if event.matches(key)), None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves the caret."""
        move = self._move_of(event)
        if move is not None:
            self._go(*move)
        else:
            super().keyPressEvent(event)

    def _go(self, name: str, selecting: bool) -> None:
        x = self.caret_rect(self._place).x() if self._wanted_x is None else self._wanted_x
        place = _DESTINATIONS[name](self, x)
        if self.has_selection and not selecting and name in _SIDEWAYS:
            # To that end of the selection.
            forward = place > self._place or (place == self._place and name == "NextChar")
            place = max(self.selection) if forward else min(self.selection)
        if name in _PAGES:
            self.verticalScrollBar().triggerAction(_PAGES[name])
        self._select(self._anchor if selecting else place, place)
        if name in _KEEP_X:
            self._wanted_x = x

    # -- blinking ---------------------------------------------------------------------------------------------------

    def _start_blinking(self) -> None:
        """The caret is there at once, and from then on blinks as on this system; without the focus there is none."""
        self.caret_visible = self.hasFocus()
        period = QGuiApplication.styleHints().cursorFlashTime()
        if self.caret_visible and period > 0:
            self._blinking.start(period // 2)
        else:
            self._blinking.stop()

    def _hide_caret(self) -> None:
        self._blinking.stop()
        self.caret_visible = False

    def _blink(self) -> None:
        self.caret_visible = not self.caret_visible

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows the caret."""
        super().focusInEvent(event)
        self._start_blinking()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hides the caret."""
        super().focusOutEvent(event)
        self._start_blinking()
