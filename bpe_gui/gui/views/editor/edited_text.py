"""A text with a selection and an undo history."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import LiveText
from bpe_gui.gui.edit_history import Edit, EditHistory, EditKind, TextSelection
from bpe_gui.gui.system.exact_text import is_continuation


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Part of a text, starting at the byte offset `start` and made of whole characters.

    >>> excerpt = Excerpt(10, "a😀b".encode())
    >>> excerpt.stop, excerpt.unit_of(15), excerpt.offset_of(3)
    (16, 3, 15)
    """

    start: int
    utf8: bytes

    @classmethod
    def around(cls, text: LiveText, caret: int, reach: int) -> Excerpt:
        """Return the text up to `reach` bytes on either side of the caret, without incomplete characters."""
        before = text.read(max(0, caret - reach), caret).decode(errors="ignore").encode()
        after = text.read(caret, caret + reach).decode(errors="ignore").encode()
        return cls(caret - len(before), before + after)

    @property
    def stop(self) -> int:
        """The byte offset in the text where the excerpt ends."""
        return self.start + len(self.utf8)

    @property
    def text(self) -> str:
        return self.utf8.decode()

    def part(self, start: int, stop: int) -> str:
        """Return the characters between two byte offsets in the text."""
        return self.utf8[max(0, start - self.start) : max(0, stop - self.start)].decode()

    def replaced(self, start: int, removed: int, new: bytes) -> Excerpt:
        """Return the excerpt after an edit inside it."""
        first = start - self.start
        return Excerpt(self.start, self.utf8[:first] + new + self.utf8[first + removed :])

    def unit_of(self, offset: int) -> int:
        """Return the UTF-16 index of a byte offset in the text, or of the nearer end if it is outside."""
        inside = self.utf8[: max(0, offset - self.start)]
        return len(inside.decode(errors="ignore").encode("utf-16-le")) // 2

    def offset_of(self, unit: int) -> int:
        """Return the byte offset in the text of a UTF-16 index."""
        inside = self.text.encode("utf-16-le")[: 2 * max(0, unit)].decode("utf-16-le", "ignore")
        return self.start + len(inside.encode())


class EditedText(QObject):
    """A text edited in place, with its selection and undo history.

    All offsets are bytes of the text's UTF-8. An edit first emits `replaced`, for the layout of the text; then it moves
    the caret and emits `selected`, `edited`, and if they apply, `caret_moved` and `selection_changed`.
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
        self.text = text
        self.selection = TextSelection.at(0)
        self.history = EditHistory()
        self.read_only = False
        """Whether the user may only read and copy; the program may always edit."""

    def set_text(self, text: LiveText, history: EditHistory | None = None) -> None:
        """Switch to another text, with the caret at its start; without a `history`, there is nothing to undo."""
        self.text = text
        self.history = history or EditHistory()
        self.set_caret(0)

    # -- the selection ----------------------------------------------------------------------------------------------

    @property
    def caret(self) -> int:
        return self.selection.caret

    def selected_utf8(self) -> bytes:
        """Return the selected text."""
        return self.text.read(*self.selection.span)

    def select(self, selection: TextSelection) -> None:
        """Set the selection; its offsets must be between characters. The next edit is a separate undo step."""
        before = self.selection
        self.history.interrupt()
        self._set_selection(selection)
        self._report_selection(before)

    def set_caret(self, offset: int) -> None:
        """Move the caret to `offset`, or if that is inside a character, before it; clear the selection."""
        self.select(TextSelection.at(self._boundary(offset)))

    def select_span(self, start: int, stop: int) -> None:
        """Select from `start` to `stop`, in either order, widened to whole characters; the caret goes to `stop`."""
        low, high = self._boundary(min(start, stop)), self._boundary(max(start, stop), 1)
        self.select(TextSelection(low, high) if start <= stop else TextSelection(high, low))

    def _set_selection(self, selection: TextSelection) -> None:
        self.selection = selection
        self.selected.emit()

    def _report_selection(self, before: TextSelection) -> None:
        now = self.selection
        if now.caret != before.caret:
            self.caret_moved.emit(now.caret)
        if now != before and not (now.is_empty and before.is_empty):
            self.selection_changed.emit(now.start, now.stop)

    def _boundary(self, offset: int, step: int = -1) -> int:
        """Return the first character boundary from `offset` in the direction of `step`."""
        offset = min(max(offset, 0), len(self.text))
        while self._is_inside_character(offset):
            offset += step
        return offset

    def _is_inside_character(self, offset: int) -> bool:
        """Return whether `offset` is between two bytes of a character; `\\r\\n` counts as one."""
        around = self.text.read(max(0, offset - 1), offset + 1) if offset else b""
        return around == b"\r\n" or (len(around) == 2 and is_continuation(around[1]))

    # -- edits ------------------------------------------------------------------------------------------------------

    def insert(self, utf8: bytes, kind: EditKind | None = None) -> None:
        """Replace the selection with `utf8`; adjacent edits of one `kind` become one undo step."""
        self.replace(*self.selection.span, utf8, kind)

    def remove(self, start: int, stop: int, kind: EditKind | None = None) -> None:
        """Remove the selection if there is one, else the bytes between two offsets, given in either order."""
        if self.selection.is_empty:
            self.replace(min(start, stop), max(start, stop), b"", kind)
        else:
            self.insert(b"")

    def replace(self, start: int, stop: int, new: bytes, kind: EditKind | None = None) -> None:
        """Replace the bytes [start, stop) in one undo step, and put the caret after `new`."""
        removed = self.text.read(start, stop)
        if removed or new:
            after = TextSelection.at(start + len(new))
            self.history.record(Edit(start, removed, new, self.selection, after, kind))
            self._change(start, len(removed), new, after)

    def move_selection(self, offset: int) -> None:
        """Move the selected text to an offset outside it, in one undo step, and keep it selected."""
        start, stop = self.selection.span
        if start <= offset <= stop:
            self.set_caret(offset)
            return
        low, high = min(start, offset), max(stop, offset)
        moved = self.text.read(start, stop)
        rest = self.text.read(low, start) + self.text.read(stop, high)
        is_backwards = offset < start
        self.replace(low, high, moved + rest if is_backwards else rest + moved)
        begin = low if is_backwards else high - len(moved)
        self.select_span(begin, begin + len(moved))

    def reset(self, utf8: bytes) -> None:
        """Replace the whole text and forget the undo history; the caret goes to the start."""
        self.replace(0, len(self.text), utf8)
        self.history.clear()
        self.set_caret(0)

    def follow(self, start: int, removed: int, added: int) -> None:
        """Follow an edit by another editor with the same history. The selection stays with its text."""
        moved = (_moved(offset, start, removed, added) for offset in (self.selection.anchor, self.selection.caret))
        self.selection = TextSelection(*moved)
        self.replaced.emit(start, removed, added)
        self.edited.emit(start, removed, added)

    def undo(self) -> None:
        """Undo the last edit and restore the selection before it."""
        if edit := self.history.undo():
            self._change(edit.start, len(edit.added), edit.removed, edit.before)

    def redo(self) -> None:
        if edit := self.history.redo():
            self._change(edit.start, len(edit.removed), edit.added, edit.after)

    def _change(self, start: int, removed: int, new: bytes, selection: TextSelection) -> None:
        before = self.selection
        self.text.replace(start, start + removed, new)
        self.replaced.emit(start, removed, len(new))
        self._set_selection(selection)
        self.edited.emit(start, removed, len(new))
        self._report_selection(before)


def _moved(offset: int, start: int, removed: int, added: int) -> int:
    """Return where an offset is after an edit; one inside the removed text goes to its start."""
    if offset >= start + removed:
        return offset + added - removed
    return min(offset, start)
