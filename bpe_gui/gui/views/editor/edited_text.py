"""A text that is changed by keys and from the clipboard, and of which every change can be undone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QClipboard, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.system.exact_text import on_clipboard, text_in, utf8_of
from bpe_gui.gui.views.plain_text_edit import local_files
from bpe_gui.gui.views.editor.control.mouse_selection import SelectableText
from bpe_gui.gui.views.tokens import LiveTokens
from bpe_gui.gui.views.editor.undo import Edit, History, Run

_CONTROL: Final = Qt.KeyboardModifier.ControlModifier
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_PLAIN_MODIFIERS: Final = _SHIFT | Qt.KeyboardModifier.KeypadModifier
_COMMANDS: Final = (_CONTROL, _CONTROL | _SHIFT)  # with Alt in addition it is AltGr, which types
_BACKSPACE: Final = Qt.Key.Key_Backspace
_MIDDLE_BUTTON: Final = Qt.MouseButton.MiddleButton
_SELECTION: Final = QClipboard.Mode.Selection
_LINE_BREAKS: Final = (b"\r\n", b"\n", b"\r")
_CR_LF: Final = b"\r\n"


class EditableText(SelectableText):
    """A text that can be typed into, unless it is read-only."""

    text_edited = Signal(int, int, int)
    """At this place, so many bytes were removed, and so many added."""

    files_dropped = Signal(list)
    """Paths of local files, which were dropped or pasted."""

    def __init__(self, parent: QWidget | None = None, *, object_name: str = "") -> None:
        self._history = History()
        self._read_only = False
        super().__init__(parent, object_name=object_name)

    def set_source(self, source: LiveTokens, *, flash: bool = False) -> None:
        """Show this text with its tokens; what can be undone stays if it is the same text."""
        if source.text is not self.live_text:
            self._history.clear()
        super().set_source(source, flash=flash)

    def isReadOnly(self) -> bool:  # noqa: N802 (Qt's name)
        """Whether the text can only be read and copied."""
        return self._read_only

    def setReadOnly(self, read_only: bool) -> None:  # noqa: N802 (Qt's name)
        """Let the text be changed, or not."""
        self._read_only = read_only

    def toPlainText(self) -> str:  # noqa: N802 (Qt's name)
        """The whole text, exactly."""
        return str(self.live_text)

    def setPlainText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Replace the text, and with it what can be undone."""
        self._replace(0, len(self.live_text), utf8_of(text))
        self._history.clear()
        self.set_caret(0)

    def insertPlainText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Put a text in the place of the selection."""
        self._insert(utf8_of(text))

    def clear(self) -> None:
        """Remove the text, and what can be undone."""
        self.setPlainText("")

    # -- changes ----------------------------------------------------------------------------------------------------

    def _insert(self, utf8: bytes, run: Run | None = None) -> None:
        self._replace(*self.selection, utf8, run)

    def _remove(self, start: int, stop: int, run: Run | None = None) -> None:
        """Remove what is selected, or else these bytes."""
        if self.has_selection:
            self._replace(*self.selection, b"")
        else:
            self._replace(min(start, stop), max(start, stop), b"", run)

    def _replace(self, start: int, stop: int, new: bytes, run: Run | None = None) -> None:
        """Make one step of replacing these bytes; the caret goes behind what is new."""
        removed = self.live_text.read(start, stop)
        behind = start + len(new)
        if removed or new:
            self._history.record(Edit(start, removed, new, (self.anchor, self.place), (behind, behind), run))
            self._change(start, len(removed), new, (behind, behind))

    def _change(self, start: int, removed: int, new: bytes, selection: tuple[int, int]) -> None:
        before = self.anchor, self.place
        self.live_text.replace(start, start + removed, new)
        self.text_replaced(start, removed, len(new))
        self._put(*selection)
        self.ensure_visible(self.place)
        self.text_edited.emit(start, removed, len(new))
        self._tell(*before)

    def _select(self, anchor: int, place: int) -> None:
        """Moving the caret ends the word that is undone as one."""
        self._history.interrupt()
        super()._select(anchor, place)

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is something to do again."""
        return self._history.can_redo

    def undo(self) -> None:
        """Take the last step back, with the selection as it was."""
        if edit := self._history.undo():
            self._change(edit.start, len(edit.added), edit.removed, edit.before)

    def redo(self) -> None:
        """Do again what was undone last."""
        if edit := self._history.redo():
            self._change(edit.start, len(edit.removed), edit.added, edit.after)

    # -- the clipboard ----------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """Move what is selected to the clipboard."""
        self.copy()
        self.delete_selection()

    def paste(self) -> None:
        """Insert what is on the clipboard, exactly; offer files."""
        self._insert_from(on_clipboard())

    def delete_selection(self) -> None:
        """Remove what is selected."""
        self._remove(self.place, self.place)

    def _insert_from(self, data: QMimeData) -> None:
        if files := local_files(data):
            self.files_dropped.emit(files)
        elif utf8 := text_in(data):
            self._insert(utf8)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button inserts what was selected last, in whichever program."""
        has_selection = QGuiApplication.clipboard().supportsSelection()
        if event.button() == _MIDDLE_BUTTON and has_selection and not self._read_only:
            data = on_clipboard(_SELECTION)
            self.set_caret(self.place_at(event.position()))
            self._insert_from(data)
        super().mouseReleaseEvent(event)

    # -- keys -------------------------------------------------------------------------------------------------------

    def _is_ours(self, event: QKeyEvent) -> bool:
        return self._action_of(event) is not None or self._types(event) or super()._is_ours(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Changes the text; moves the caret."""
        if action := self._action_of(event):
            action(self)
        elif self._types(event):
            self._insert(utf8_of(event.text()), Run.TYPING)
        else:
            super().keyPressEvent(event)

    def _types(self, event: QKeyEvent) -> bool:
        """Whether a key makes a character."""
        text = event.text()
        if self._read_only or not text:
            return False
        category = unicodedata.category(text[0])
        if category == "Cf":
            return True  # joiners and marks of direction are typed with Ctrl and Shift on some keyboards
        return event.modifiers() not in _COMMANDS and category not in ("Cc", "Cs")

    def _action_of(self, event: QKeyEvent) -> Callable[[EditableText], object] | None:
        if not self._read_only:
            # Qt knows this key by name on some desktops only.
            if event.key() == _BACKSPACE and not event.modifiers() & ~_PLAIN_MODIFIERS:
                return EditableText._backspace
            for key, action in _CHANGES.items():
                if event.matches(key):
                    return action
        return next((action for key, action in _ACTIONS.items() if event.matches(key)), None)

    def _break_line(self) -> None:
        """Types a line break as the line around has it, else as the one before."""
        start, stop = self.line_at(self.place)
        near = self.live_text.read(max(0, stop - 2), stop), self.live_text.read(max(0, start - 2), start)
        breaks = (ending for text in near for ending in _LINE_BREAKS if text.endswith(ending))
        self._insert(next(breaks, _LINE_BREAKS[1]), Run.TYPING)

    def _delete(self) -> None:
        self._remove(self.place, self.next_place(self.place), Run.DELETE)

    def _backspace(self) -> None:
        """Removes the last code point, so that an accent can be corrected; emoji and line breaks go as a whole."""
        place = self.place
        start = self.previous_place(place)
        cluster = self.live_text.read(start, place)
        text = cluster.decode()
        if cluster != _CR_LF and len(text) > 1 and unicodedata.category(text[0]) != "So":
            start = place - len(text[-1].encode())
        self._remove(start, place, Run.BACKSPACE)

    def _delete_to_word_start(self) -> None:
        self._remove(self.previous_word(self.place), self.place)

    def _delete_to_word_end(self) -> None:
        self._remove(self.place, self.next_word(self.place))

    def _delete_to_line_end(self) -> None:
        """At the end of a line, its break."""
        stop = self.line_body(self.place)[1]
        self._remove(self.place, stop if stop > self.place else self.next_place(self.place))

    def _delete_line(self) -> None:
        self._select(*self.line_body(self.place))
        self.delete_selection()


_ACTIONS: Final[dict[QKeySequence.StandardKey, Callable[[EditableText], object]]] = {
    QKeySequence.StandardKey.Copy: EditableText.copy,
    QKeySequence.StandardKey.SelectAll: EditableText.selectAll,
    QKeySequence.StandardKey.Deselect: lambda text: text.set_caret(text.place),
}
_CHANGES: Final[dict[QKeySequence.StandardKey, Callable[[EditableText], object]]] = {
    QKeySequence.StandardKey.Undo: EditableText.undo,
    QKeySequence.StandardKey.Redo: EditableText.redo,
    QKeySequence.StandardKey.Cut: EditableText.cut,
    QKeySequence.StandardKey.Paste: EditableText.paste,
    QKeySequence.StandardKey.InsertParagraphSeparator: EditableText._break_line,
    QKeySequence.StandardKey.InsertLineSeparator: EditableText._break_line,
    QKeySequence.StandardKey.Delete: EditableText._delete,
    QKeySequence.StandardKey.DeleteStartOfWord: EditableText._delete_to_word_start,
    QKeySequence.StandardKey.DeleteEndOfWord: EditableText._delete_to_word_end,
    QKeySequence.StandardKey.DeleteEndOfLine: EditableText._delete_to_line_end,
    QKeySequence.StandardKey.DeleteCompleteLine: EditableText._delete_line,
}
