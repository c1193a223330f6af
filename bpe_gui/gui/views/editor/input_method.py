"""Exchange text with an input method, and blink the caret, which an input method may hide."""

from typing import Final

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.edit_history import EditKind
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.system.exact_text import utf8_of, utf16_size

from .edited_text import EditedText, Excerpt
from .visible_rows import VisibleRows

_REACH: Final = 1_024  # bytes on either side of the caret that input methods see, because a line may be of any length
_CURSOR: Final = QInputMethodEvent.AttributeType.Cursor
_SELECTION: Final = QInputMethodEvent.AttributeType.Selection
_Query = Qt.InputMethodQuery


class CaretBlink(QObject):
    """Blinks a caret at the system's rate while a widget has the focus."""

    _widget = WeakAttribute[QWidget]()

    toggled = Signal()
    """The caret has become visible or invisible."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.visible = False
        """Whether the caret is visible now."""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._toggle)
        QGuiApplication.styleHints().cursorFlashTimeChanged.connect(self.restart)

    def restart(self) -> None:
        """Show the caret at once and start blinking; hide it if the widget does not have the focus."""
        self._set_visible(self._widget.hasFocus())
        period = QGuiApplication.styleHints().cursorFlashTime()
        if self.visible and period > 0:
            self._timer.start(period // 2)
        else:
            self._timer.stop()

    def show(self) -> None:
        """Show the caret until the next half period, wherever the focus is."""
        self._set_visible(True)

    def hide(self) -> None:
        """Hide the caret until the next `restart`."""
        self._timer.stop()
        self._set_visible(False)

    def _toggle(self) -> None:
        self._set_visible(not self.visible)

    def _set_visible(self, visible: bool) -> None:
        if visible != self.visible:
            self.visible = visible
            self.toggled.emit()


class InputMethod(QObject):
    """The connection to an input method, which composes and commits text, and queries the text around the caret."""

    _viewport = WeakAttribute[QWidget]()

    preedit_changed = Signal()
    """The text being composed has changed."""

    def __init__(self, text: EditedText, rows: VisibleRows, blink: CaretBlink, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._text = text
        self._rows = rows
        self._blink = blink
        self._viewport = viewport
        self._preedit = ""

    def handle(self, event: QInputMethodEvent) -> None:
        """Show the text being composed, and insert committed text."""
        if self._text.read_only:
            event.ignore()
            return
        edits = event.commitString() or event.replacementLength()
        composes = event.preeditString() != self._preedit
        self._show_preedit("", 0)
        if edits or composes:
            self._text.insert(b"")
        if edits:
            self._commit(event)
        if selected := _attribute(event, _SELECTION):  # as UTF-16 indices into the surrounding text
            first = selected.start
            self._text.select_span(*map(self._surroundings().offset_of, (first, first + selected.length)))
        self._show_preedit(event.preeditString(), _preedit_cursor(event))
        event.accept()

    def _show_preedit(self, text: str, cursor: int | None) -> None:
        """Show composed text with its caret at a UTF-16 index, or without a caret."""
        if text or self._preedit:
            self._preedit = text
            self._rows.set_preedit(text, cursor or 0, self._text.caret)
            self.preedit_changed.emit()
        if cursor is None:
            self._blink.hide()
        else:
            self._blink.restart()

    def _commit(self, event: QInputMethodEvent) -> None:
        around = self._surroundings()
        first = around.unit_of(self._text.caret) + event.replacementStart()
        start, stop = map(around.offset_of, (first, first + event.replacementLength()))
        text = event.commitString()
        self._text.replace(start, stop, utf8_of(text), EditKind.TYPING if len(text) == 1 else None)

    def answer(self, query: Qt.InputMethodQuery) -> object:
        """Return the answer to a query about the text; None for any other query."""
        selection = self._text.selection
        match query:
            case _Query.ImCursorRectangle:
                return self._caret_area(selection.caret)
            case _Query.ImAnchorRectangle:
                return self._caret_area(selection.anchor)
            case _Query.ImCursorPosition:
                return self._surroundings().unit_of(selection.caret)
            case _Query.ImAnchorPosition:
                return self._surroundings().unit_of(selection.anchor)
            case _Query.ImSurroundingText:
                return self._surroundings().text
            case _Query.ImTextBeforeCursor:
                return self._surroundings().part(0, selection.caret)
            case _Query.ImTextAfterCursor:
                return self._surroundings().part(selection.caret, len(self._text.text))
            case _Query.ImCurrentSelection:
                start, stop = selection.span
                stop = min(stop, start + _REACH)  # as much as is of use, since a whole book may be selected
                return self._text.text.read(start, stop).decode(errors="ignore")
            case _Query.ImReadOnly:
                return self._text.read_only
            case _:
                return None

    def _surroundings(self) -> Excerpt:
        return Excerpt.around(self._text.text, self._text.caret, _REACH)

    def _caret_area(self, offset: int) -> QRectF:
        """Return the caret's line in editor coordinates."""
        return self._rows.caret_rect(offset).translated(self._viewport.pos())


def _preedit_cursor(event: QInputMethodEvent) -> int | None:
    """Return the UTF-16 index of the caret in the preedit text; None if it is hidden."""
    if cursor := _attribute(event, _CURSOR):
        return cursor.start if cursor.length else None
    return utf16_size(event.preeditString())


def _attribute(event: QInputMethodEvent, kind: QInputMethodEvent.AttributeType) -> QInputMethodEvent.Attribute | None:
    return next((attribute for attribute in event.attributes() if attribute.type == kind), None)
