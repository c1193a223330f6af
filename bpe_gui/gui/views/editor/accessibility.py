"""Give screen readers the text of the editor, its caret and selection, and the token at the caret."""

import re
import weakref
from functools import cache
from typing import Any, Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEditableTextInterface,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleTextCursorEvent,
    QAccessibleTextInsertEvent,
    QAccessibleTextInterface,
    QAccessibleTextRemoveEvent,
    QAccessibleTextSelectionEvent,
    QAccessibleTextUpdateEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QFrame, QPlainTextEdit, QWidget
from shiboken6 import Shiboken

from bpe_gui.engine import EngineError, LiveText
from bpe_gui.gui.look.lifetime import Updating, WeakAttribute
from bpe_gui.gui.system.exact_text import utf8_of

from .edited_text import EditedText, Excerpt
from .token_layer import TokenLayer, token_in_words
from .visible_rows import VisibleRows

REACH: Final = 8_192
"""How many bytes before and after the caret are exposed; a text no longer than both together is exposed whole."""

_MARGIN: Final = 2_048  # at least this many bytes are exposed before and after the caret, unless the text ends there
_LONGEST: Final = 4 * REACH  # bytes; an excerpt that an edit would make longer is replaced
_UNSAFE: Final = re.compile(r"[\0-\x08\x0b-\x1f\x7f\ufdd0\ufdd1\ufeff\ufffc]")
_KEEP_ANCHOR: Final = QTextCursor.MoveMode.KeepAnchor
_EDITABLE_TEXT: Final = QAccessible.Role.EditableText
_DESCRIPTION: Final = QAccessible.Text.Description
_TEXT_INTERFACE: Final = QAccessible.InterfaceType.TextInterface
_EDITABLE_TEXT_INTERFACE: Final = QAccessible.InterfaceType.EditableTextInterface


class AccessibleText(QObject):
    """An editor's text, caret and selection, and the token at the caret, for assistive technology.

    Positions are UTF-16 code units in an excerpt of the text. While no assistive technology is active, edits cost
    nothing: the excerpt is made on demand.
    """

    _widget = WeakAttribute[QAbstractScrollArea]()

    def __init__(
        self, document: EditedText, rows: VisibleRows, tokens: TokenLayer, widget: QAbstractScrollArea
    ) -> None:
        super().__init__(widget)
        self._document = document
        self._rows = rows
        self._tokens = tokens
        self._widget = widget
        self._text: LiveText | None = None  # the text of the excerpt; None if the excerpt is out of date
        self._excerpt = Excerpt(0, b"")
        self._filled: Excerpt | None = None  # the contents of the standard editor
        self._reader: QPlainTextEdit | None = None
        self._updating = Updating()
        self._reported = 0, 0  # anchor and caret
        self._token = ""
        document.replaced.connect(self._follow_edit)
        document.selected.connect(self._follow_selection)
        tokens.changed.connect(self._follow_tokens)
        tokens.area_changed.connect(self._follow_tokens)

    # -- answers ----------------------------------------------------------------------------------------------------

    def text_interface(self) -> QAccessibleTextInterface:
        """Return the interface of the current text. Qt keeps it as long as the editor exists."""
        self._catch_up()
        editor = self._standard_editor()
        with self._updating, QSignalBlocker(editor.document()):
            self._fill(editor)
            self._align(editor)
        return QAccessible.queryAccessibleInterface(editor).textInterface()

    @property
    def is_editable(self) -> bool:
        """Whether the user may edit the text."""
        return not self._document.read_only

    def replace(self, start: int, stop: int, text: str) -> None:
        """Replace the text between two positions."""
        self._catch_up()
        self._document.replace(self._excerpt.offset_of(start), self._excerpt.offset_of(stop), utf8_of(text))

    def token_at_caret(self) -> str:
        """Return the token at the caret and its id, in words; empty if there is none."""
        source, caret = self._tokens.source, self._document.caret
        if source.text is not self._document.text:  # another text is about to be shown
            return ""
        try:
            tokens = source.overlapping(max(0, caret - 1), caret + 1)
        except EngineError:  # the text cannot be encoded, and the panel says so
            return ""
        index = tokens.at_caret(caret)
        return token_in_words(tokens[index]) if index >= 0 else ""

    # -- changes ----------------------------------------------------------------------------------------------------

    def _follow_edit(self, start: int, removed: int, added: int) -> None:
        excerpt, stop = self._excerpt, start + removed
        if not QAccessible.isActive():
            self._text = None
        if self._text is not self._document.text:
            return
        if excerpt.start <= start and stop <= excerpt.stop and len(excerpt.utf8) - removed + added <= _LONGEST:
            self._edit(start, removed, self._document.text.read(start, start + added))
        elif stop <= excerpt.start:
            self._excerpt = Excerpt(excerpt.start + added - removed, excerpt.utf8)
        elif start < excerpt.stop:
            self._show_excerpt(start + added)

    def _follow_selection(self) -> None:
        if not QAccessible.isActive():
            return
        if self._text is None:
            self._catch_up()
        elif self._text is not self._document.text or not self._is_well_inside(self._document.caret):
            self._show_excerpt(self._document.caret)
        self._report_selection()
        self._follow_tokens()

    def _follow_tokens(self) -> None:
        if not QAccessible.isActive():
            return
        token = self.token_at_caret()
        if token != self._token:
            self._token = token
            QAccessible.updateAccessibility(QAccessibleEvent(self._widget, QAccessible.Event.DescriptionChanged))

    def _is_well_inside(self, offset: int) -> bool:
        """Return whether the excerpt has enough text on either side of an offset."""
        excerpt = self._excerpt
        has_enough_before = offset - excerpt.start >= _MARGIN or excerpt.start == 0
        return has_enough_before and (excerpt.stop - offset >= _MARGIN or excerpt.stop == len(self._document.text))

    def _catch_up(self) -> None:
        """If the excerpt is out of date, show the text around the caret."""
        if self._text is not self._document.text or not self._is_well_inside(self._document.caret):
            self._set_excerpt(self._document.caret)

    def _set_excerpt(self, caret: int) -> None:
        self._text = self._document.text
        is_short = len(self._text) <= 2 * REACH
        self._excerpt = Excerpt.around(self._text, caret, 2 * REACH if is_short else REACH)

    def _show_excerpt(self, caret: int) -> None:
        """Replace the excerpt with the text around the caret, and report that."""
        before = self._excerpt.text
        self._set_excerpt(caret)
        self._report_edit(0, before, self._excerpt.text)

    def _edit(self, start: int, removed: int, new: bytes) -> None:
        """Follow an edit inside the excerpt, and report it."""
        excerpt = self._excerpt
        self._excerpt = excerpt.replaced(start, removed, new)
        self._report_edit(excerpt.unit_of(start), excerpt.part(start, start + removed), new.decode())

    # -- reports ----------------------------------------------------------------------------------------------------

    def _report_edit(self, position: int, before: str, after: str) -> None:
        event: QAccessibleEvent
        before, after = _safe(before), _safe(after)
        if before and after:
            event = QAccessibleTextUpdateEvent(self._widget, position, before, after)
        elif before:
            event = QAccessibleTextRemoveEvent(self._widget, position, before)
        else:
            event = QAccessibleTextInsertEvent(self._widget, position, after)
        QAccessible.updateAccessibility(event)

    def _report_selection(self) -> None:
        (anchor_before, caret_before), (anchor, caret) = self._reported, self._units()
        self._reported = anchor, caret
        if caret != caret_before:
            QAccessible.updateAccessibility(QAccessibleTextCursorEvent(self._widget, caret))
        if (anchor, caret) != (anchor_before, caret_before) and (anchor != caret or anchor_before != caret_before):
            span = min(anchor, caret), max(anchor, caret)
            QAccessible.updateAccessibility(QAccessibleTextSelectionEvent(self._widget, *span))

    def _units(self) -> tuple[int, int]:
        """Return the positions of anchor and caret."""
        selection = self._document.selection
        return self._excerpt.unit_of(selection.anchor), self._excerpt.unit_of(selection.caret)

    # -- the standard editor ----------------------------------------------------------------------------------------

    def _standard_editor(self) -> QPlainTextEdit:
        """Return the standard editor, which is created on first use."""
        if self._reader is None:
            self._reader = _hidden_editor(self._widget)
            self._reader.selectionChanged.connect(self._adopt_selection)
            self._reader.cursorPositionChanged.connect(self._adopt_selection)
        return self._reader

    def _fill(self, editor: QPlainTextEdit) -> None:
        """Set the standard editor's text, caret and selection, unless they are already the same."""
        if self._filled is not self._excerpt:
            self._filled = self._excerpt
            editor.setPlainText(_safe(self._excerpt.text))
        cursor, units = editor.textCursor(), self._units()
        if (cursor.anchor(), cursor.position()) != units:
            cursor.setPosition(units[0])
            cursor.setPosition(units[1], _KEEP_ANCHOR)
            editor.setTextCursor(cursor)

    def _align(self, editor: QPlainTextEdit) -> None:
        """Move the standard editor so that its caret is where ours is on the screen."""
        viewport = self._widget.viewport()
        editor.setFont(self._widget.font())
        editor.document().setDocumentMargin(self._rows.margin)
        editor.resize(viewport.size())
        caret = self._rows.caret_rect(self._document.caret).topLeft().toPoint()
        editor.move(viewport.pos() + caret - editor.cursorRect().topLeft())

    def _adopt_selection(self) -> None:
        """Adopt the selection that assistive technology made in the standard editor."""
        if not self._updating:
            cursor = self._standard_editor().textCursor()
            self._document.select_span(*map(self._excerpt.offset_of, (cursor.anchor(), cursor.position())))


def _hidden_editor(parent: QAbstractScrollArea) -> QPlainTextEdit:
    editor = QPlainTextEdit(parent)
    editor.hide()
    editor.setFrameShape(QFrame.Shape.NoFrame)
    editor.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    editor.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    editor.document().setUndoRedoEnabled(False)
    return editor


def _safe(text: str) -> str:
    """Return the text with pictures for control characters, because a screen reader's text ends at a NUL.

    Characters special to `QTextDocument`, and byte order marks, which PySide drops, become U+FFFD. The number of code
    units stays the same.
    """
    return _UNSAFE.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return "�" if code > 0x7F else "\N{SYMBOL FOR DELETE}" if code == 0x7F else chr(0x2400 + code)


@cache
def install_accessibility() -> None:
    """Make Qt create a `TextEditInterface` for every widget with an `AccessibleText`; Qt does so only when needed."""
    QAccessible.installFactory(_interface_of)


def _interface_of(class_name: str, widget: QObject | None) -> QAccessibleInterface | None:
    if class_name == "TokenEdit" and isinstance(widget, QWidget):
        text = widget.findChild(AccessibleText, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return TextEditInterface(widget, text) if text else None
    return None


class TextEditInterface(QAccessibleWidget):
    """A widget that is an editable text; its description is the token at the caret.

    Qt owns it and deletes it with the widget, but PySide keeps the Python object forever, so it holds no references.
    """

    def __init__(self, widget: QWidget, text: AccessibleText) -> None:
        super().__init__(widget, _EDITABLE_TEXT)
        self._text = weakref.ref(text)
        self._edits = _Edits(self._text)

    def state(self) -> QAccessible.State:
        """Return the state of an editable text widget."""
        state, text = super().state(), self._text()
        state.multiLine = state.selectableText = 1
        state.editable = int(text is not None and text.is_editable)
        state.readOnly = 1 - state.editable
        return state

    def text(self, kind: QAccessible.Text, /) -> str:
        """Return the widget's name, or the token at the caret as its description."""
        text = self._text()
        return text.token_at_caret() if text and kind is _DESCRIPTION else super().text(kind)

    def childCount(self) -> int:  # noqa: N802 (Qt's name)
        """Return 0: neither the viewport nor the standard editor is a separate part of the window."""
        return 0

    def child(self, _index: int, /) -> QAccessibleInterface:
        """Return None, which PySide's annotations do not allow."""
        none: Any = None
        return none  # type: ignore[no-any-return]

    def interface_cast(self, kind: QAccessible.InterfaceType, /) -> int:
        """Return the interface of this kind as PySide expects a pointer: an object, or a `VoidPtr` of 0 for none."""
        text, pointer = self._text(), super().interface_cast(kind)
        answer: Any = Shiboken.VoidPtr(0) if pointer is None else pointer
        if text and kind is _TEXT_INTERFACE:
            answer = text.text_interface()
        elif text and kind is _EDITABLE_TEXT_INTERFACE and text.is_editable:
            answer = self._edits
        return answer  # type: ignore[no-any-return]


class _Edits(QAccessibleEditableTextInterface):
    """Edits made by assistive technology, such as dictation; positions are UTF-16 code units in the excerpt."""

    def __init__(self, text: weakref.ref[AccessibleText]) -> None:
        super().__init__()
        self._text = text

    def insertText(self, position: int, text: str, /) -> None:  # noqa: N802 (Qt's name)
        self.replaceText(position, position, text)

    def deleteText(self, start: int, stop: int, /) -> None:  # noqa: N802 (Qt's name)
        self.replaceText(start, stop, "")

    def replaceText(self, start: int, stop: int, text: str, /) -> None:  # noqa: N802 (Qt's name)
        if accessible := self._text():
            accessible.replace(start, stop, text)
