"""A text with a selection and an undo history."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine.live_text import LiveText

from .selection import Selection
from .undo import Edit, EditKind, History

_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80


class EditedText(QObject):
    """A text that is edited in place, with its selection and its undo history.

    All offsets are bytes of the text's UTF-8. An edit emits `replaced` first, for the layout of the text; then it moves
    the caret and emits `selected`, `edited`, and last, as they apply, `caret_moved` and `selection_changed`.
    """

    replaced = Signal(int, int, int)
    """(start, removed, added) in bytes; for the layout of the text, before the caret moves."""

    edited = Signal(int, int, int)
    """(start, removed, added) in bytes; text, layout and selection are up to date."""

    selected = Signal()
    """The selection was set, perhaps to its previous value."""

    caret_moved = Signal(int)
    """The caret moved to this offset."""

    selection_changed = Signal(int, int)
    """(start, stop) of the selected text; both are the caret's offset if nothing is selected now."""

    def __init__(self, text: LiveText, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._selection = Selection.at(0)
        self._history = History()
        self.read_only = False
        """Whether the user may only read and copy; programs may always edit."""

    @property
    def text(self) -> LiveText:
        """The text itself."""
        return self._text

    def set_text(self, text: LiveText) -> None:
        """Switch to another text, with the caret at its start and nothing to undo."""
        self._text = text
        self._history.clear()
        self.set_caret(0)

    # -- the selection ----------------------------------------------------------------------------------------------

    @property
    def selection(self) -> Selection:
        """The anchor and the caret."""
        return self._selection

    @property
    def caret(self) -> int:
        """The offset of the caret."""
        return self._selection.caret

    def selected_utf8(self) -> bytes:
        """Return the selected text."""
        return self._text.read(*self._selection.span)

    def select(self, selection: Selection) -> None:
        """Set the selection, whose offsets have to be between characters; the next edit is a separate undo step."""
        before = self._selection
        self._history.interrupt()
        self._set_selection(selection)
        self._report_selection(before)

    def set_caret(self, offset: int) -> None:
        """Move the caret to `offset`, or before the character that contains it, and select nothing."""
        self.select(Selection.at(self._floor(offset)))

    def select_span(self, start: int, stop: int) -> None:
        """Select from `start` to `stop`, in either order, widened to whole characters; the caret goes to `stop`."""
        low, high = self._floor(min(start, stop)), self._ceiling(max(start, stop))
        self.select(Selection(low, high) if start <= stop else Selection(high, low))

    def select_all(self) -> None:
        """Select the whole text."""
        self.select(Selection(0, len(self._text)))

    def _set_selection(self, selection: Selection) -> None:
        self._selection = selection
        self.selected.emit()

    def _report_selection(self, before: Selection) -> None:
        now = self._selection
        if now.caret != before.caret:
            self.caret_moved.emit(now.caret)
        if now != before and not (now.is_empty and before.is_empty):
            self.selection_changed.emit(now.start, now.stop)

    def _floor(self, offset: int) -> int:
        """Return the last boundary between characters at or before `offset`."""
        offset = min(max(offset, 0), len(self._text))
        while self._is_inside_character(offset):
            offset -= 1
        return offset

    def _ceiling(self, offset: int) -> int:
        """Return the first boundary between characters at or after `offset`."""
        offset = min(max(offset, 0), len(self._text))
        while self._is_inside_character(offset):
            offset += 1
        return offset

    def _is_inside_character(self, offset: int) -> bool:
        """Return whether `offset` is between two bytes of a character; `\\r\\n` counts as one."""
        around = self._text.read(max(0, offset - 1), offset + 1) if offset else b""
        return around == b"\r\n" or (len(around) == 2 and around[1] & _CONTINUATION_MASK == _CONTINUATION)

    # -- edits ------------------------------------------------------------------------------------------------------

    def insert(self, utf8: bytes, kind: EditKind | None = None) -> None:
        """Replace the selection with `utf8`; adjacent edits of one `kind` become one undo step."""
        self.replace(*self._selection.span, utf8, kind)

    def remove(self, start: int, stop: int, kind: EditKind | None = None) -> None:
        """Remove the selection if there is one, else the bytes between two offsets, given in either order."""
        if self._selection.is_empty:
            self.replace(min(start, stop), max(start, stop), b"", kind)
        else:
            self.insert(b"")

    def replace(self, start: int, stop: int, new: bytes, kind: EditKind | None = None) -> None:
        """Replace the bytes [start, stop) in one undo step, and put the caret after `new`."""
        removed = self._text.read(start, stop)
        if removed or new:
            after = Selection.at(start + len(new))
            self._history.record(Edit(start, removed, new, self._selection, after, kind))
            self._change(start, len(removed), new, after)

    def move_selection(self, offset: int) -> None:
        """Move the selected text to an offset outside it, in one undo step, and keep it selected."""
        start, stop = self._selection.span
        if start <= offset <= stop:
            self.set_caret(offset)
            return
        low, high = min(start, offset), max(stop, offset)
        moved = self._text.read(start, stop)
        rest = self._text.read(low, start) + self._text.read(stop, high)
        is_backwards = offset < start
        self.replace(low, high, moved + rest if is_backwards else rest + moved)
        begin = low if is_backwards else high - len(moved)
        self.select_span(begin, begin + len(moved))

    def reset(self, utf8: bytes) -> None:
        """Replace the whole text and forget the undo history; the caret goes to the start."""
        self.replace(0, len(self._text), utf8)
        self._history.clear()
        self.set_caret(0)

    def follow(self, start: int, removed: int, added: int) -> None:
        """Follow an edit of the text that another editor has made; the history, which does not have it, is forgotten.

        The selection stays with the text that it is in.
        """
        self._history.clear()
        moved = (_moved(offset, start, removed, added) for offset in (self._selection.anchor, self._selection.caret))
        self._selection = Selection(*moved)
        self.replaced.emit(start, removed, added)
        self.edited.emit(start, removed, added)

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to redo."""
        return self._history.can_redo

    def undo(self) -> None:
        """Undo the last edit and restore the selection before it."""
        if edit := self._history.undo():
            self._change(edit.start, len(edit.added), edit.removed, edit.before)

    def redo(self) -> None:
        """Redo the edit that was undone last."""
        if edit := self._history.redo():
            self._change(edit.start, len(edit.removed), edit.added, edit.after)

    def _change(self, start: int, removed: int, new: bytes, selection: Selection) -> None:
        before = self._selection
        self._text.replace(start, start + removed, new)
        self.replaced.emit(start, removed, len(new))
        self._set_selection(selection)
        self.edited.emit(start, removed, len(new))
        self._report_selection(before)


def _moved(offset: int, start: int, removed: int, added: int) -> int:
    """Return where an offset is after an edit; one in what was removed is where that began."""
    if offset >= start + removed:
        return offset + added - removed
    return min(offset, start)
