"""The edits of a text, to be undone and redone."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

_MAX_BYTES: Final = 50_000_000
"""Bytes of text that the history keeps; the latest edit is kept even if it is larger."""


@dataclass(frozen=True, slots=True)
class TextSelection:
    """The text between an anchor, where selecting began, and the caret, as byte offsets in UTF-8.

    >>> selection = TextSelection(anchor=7, caret=4)
    >>> selection.span, selection.extended_to(9), selection.is_empty
    ((4, 7), TextSelection(anchor=7, caret=9), False)
    """

    anchor: int
    caret: int

    @classmethod
    def at(cls, caret: int) -> TextSelection:
        """Return the empty selection of a caret at this offset."""
        return cls(caret, caret)

    @property
    def start(self) -> int:
        """The lower offset."""
        return min(self.anchor, self.caret)

    @property
    def stop(self) -> int:
        """The upper offset."""
        return max(self.anchor, self.caret)

    @property
    def span(self) -> tuple[int, int]:
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    @property
    def is_empty(self) -> bool:
        return self.anchor == self.caret

    def touches(self, offset: int) -> bool:
        """Return whether text is selected and `offset` is inside it or at one of its ends."""
        return not self.is_empty and self.start <= offset <= self.stop

    def extended_to(self, caret: int) -> TextSelection:
        """Return the selection from the same anchor to another caret."""
        return TextSelection(self.anchor, caret)

    def extended_over(self, start: int, stop: int) -> TextSelection:
        """Return the union of this selection and [start, stop), with the caret at the end that moved.

        Dragging does this after a word or a line was selected as the first unit:

        >>> TextSelection(4, 7).extended_over(0, 3), TextSelection(4, 7).extended_over(8, 11)
        (TextSelection(anchor=7, caret=0), TextSelection(anchor=4, caret=11))
        """
        if start < self.start:
            return TextSelection(self.stop, start)
        return TextSelection(self.start, max(stop, self.stop))


class EditKind(Enum):
    """A kind of keystroke; repeated ones within a word are undone together."""

    TYPING = auto()
    BACKSPACE = auto()
    DELETE = auto()


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of the bytes `removed` at the offset `start` with `added`, and the selections around it."""

    start: int
    removed: bytes
    added: bytes
    before: TextSelection
    after: TextSelection
    kind: EditKind | None = None

    @property
    def size(self) -> int:
        """The bytes of text that the edit keeps."""
        return len(self.removed) + len(self.added)

    def joined(self, later: Edit) -> Edit | None:
        """Return one edit that replaces this one and `later`; None unless adjacent, in one word and of one kind."""
        if self.kind is None or self.kind is not later.kind:
            return None
        if self.kind is EditKind.TYPING:
            continues = not later.removed and later.start == self.start + len(self.added)
            if continues and not _begins_word(self.added[-1:], later.added[:1]):
                return replace(self, added=self.added + later.added, after=later.after)
        elif self.kind is EditKind.DELETE:
            if later.start == self.start and not _begins_word(self.removed[-1:], later.removed[:1]):
                return replace(self, removed=self.removed + later.removed, after=later.after)
        elif later.start + len(later.removed) == self.start and not _begins_word(self.removed[:1], later.removed[-1:]):
            return replace(self, start=later.start, removed=later.removed + self.removed, after=later.after)
        return None


def _begins_word(before: bytes, after: bytes) -> bool:
    return before.isspace() and not after.isspace()


class EditHistory:
    """The edits that can be undone, and the undone edits that can be redone. All editors of a text share it.

    Qt's QUndoStack can be limited only by the number of steps, but a single step may keep a whole text.
    """

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._done: deque[Edit] = deque()
        self._undone: list[Edit] = []
        self._size = 0
        self._can_join = False

    def record(self, edit: Edit) -> None:
        """Record an edit, joining it with the previous one if possible, unless `interrupt` was called in between."""
        self._undone.clear()
        joined = self._done[-1].joined(edit) if self._done and self._can_join else None
        if joined is not None:
            self._size -= self._done.pop().size
        self._append(joined or edit)
        self._can_join = True
        while self._size > self._max_bytes and len(self._done) > 1:
            self._size -= self._done.popleft().size

    def interrupt(self) -> None:
        """Make the next edit a separate undo step."""
        self._can_join = False

    def undo(self) -> Edit | None:
        """Return the edit that the caller has to undo now; None if there is none."""
        self.interrupt()
        if not self._done:
            return None
        edit = self._done.pop()
        self._size -= edit.size
        self._undone.append(edit)
        return edit

    def redo(self) -> Edit | None:
        """Return the edit that the caller has to redo now; None if there is none."""
        self.interrupt()
        if not self._undone:
            return None
        self._append(edit := self._undone.pop())
        return edit

    def _append(self, edit: Edit) -> None:
        self._done.append(edit)
        self._size += edit.size

    def clear(self) -> None:
        self._done.clear()
        self._undone.clear()
        self._size = 0

    @property
    def steps(self) -> int:
        """How many steps can be undone."""
        return len(self._done)

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)
