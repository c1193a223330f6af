"""The undo history: the edits that were made, and which of them form one undo step."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from .selection import Selection

_MAX_BYTES: Final = 50_000_000
"""The bytes of text that the history keeps; the latest edit is kept even if it is larger."""


class EditKind(Enum):
    """A kind of keystroke whose repetitions within one word are undone together."""

    TYPING = auto()
    BACKSPACE = auto()
    DELETE = auto()


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of the bytes `removed` at the offset `start` by `added`, with the selections around it."""

    start: int
    removed: bytes
    added: bytes
    before: Selection
    after: Selection
    kind: EditKind | None = None

    @property
    def size(self) -> int:
        """The bytes of text that the edit keeps."""
        return len(self.removed) + len(self.added)

    def joined(self, later: Edit) -> Edit | None:
        """Return one edit in place of this one and `later`; None unless they are adjacent, in one word, of one kind."""
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


class History:
    """The edits that can be undone, and those that were undone and can be redone.

    Qt's QUndoStack can only be limited by the number of steps, and a single step may keep a whole text.
    """

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._done: deque[Edit] = deque()
        self._undone: list[Edit] = []
        self._size = 0
        self._can_join = False

    def record(self, edit: Edit) -> None:
        """Add an edit that was made, joined with the last one if possible, unless `interrupt` was called between."""
        self._undone.clear()
        joined = self._done[-1].joined(edit) if self._done and self._can_join else None
        if joined is not None:
            self._size -= self._done.pop().size
        self._append(joined or edit)
        self._can_join = True
        while self._size > self._max_bytes and len(self._done) > 1:
            self._size -= self._done.popleft().size

    def interrupt(self) -> None:
        """Have the next edit be an undo step of its own."""
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
        """Return the edit that the caller has to make again now; None if there is none."""
        self.interrupt()
        if not self._undone:
            return None
        self._append(edit := self._undone.pop())
        return edit

    def _append(self, edit: Edit) -> None:
        self._done.append(edit)
        self._size += edit.size

    def clear(self) -> None:
        """Forget all edits."""
        self._done.clear()
        self._undone.clear()
        self._size = 0

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to redo."""
        return bool(self._undone)
