"""What was done to a text, to be undone and done again."""

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

_MOST_BYTES: Final = 50_000_000
"""How much text the steps may hold together; the newest is kept however large it is."""


class Run(Enum):
    """Edits that come one after another, key by key, and are undone together as far as a word goes."""

    TYPING = auto()
    BACKSPACE = auto()
    DELETE = auto()


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: `removed` stood at the byte `start`, and `added` came in its place.

    `before` and `after` are the anchor and the caret, as bytes of the text.
    """

    start: int
    removed: bytes
    added: bytes
    before: tuple[int, int]
    after: tuple[int, int]
    run: Run | None = None

    @property
    def size(self) -> int:
        """Bytes of text that it holds."""
        return len(self.removed) + len(self.added)

    def joined(self, later: "Edit") -> "Edit | None":
        """This and the later one as one step; nothing, unless they are of one run and one word."""
        if self.run is None or self.run is not later.run:
            return None
        if self.run is Run.TYPING:
            goes_on = not later.removed and later.start == self.start + len(self.added)
            if goes_on and not _begins_word(self.added[-1:], later.added[:1]):
                return replace(self, added=self.added + later.added, after=later.after)
        elif self.run is Run.DELETE:
            if later.start == self.start and not _begins_word(self.removed[-1:], later.removed[:1]):
                return replace(self, removed=self.removed + later.removed, after=later.after)
        elif later.start + len(later.removed) == self.start and not _begins_word(self.removed[:1], later.removed[-1:]):
            return replace(self, start=later.start, removed=later.removed + self.removed, after=later.after)
        return None


def _begins_word(before: bytes, after: bytes) -> bool:
    return before.isspace() and not after.isspace()


class History:
    """The steps that can be undone, and those that were and can be done again.

    Qt's own QUndoStack can be bounded by the number of steps only, and a step may hold a whole text.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._done: deque[Edit] = deque()
        self._undone: list[Edit] = []
        self._size = 0
        self._is_open = False

    def record(self, edit: Edit) -> None:
        """Note a step that was done: with the last one as one, where both are of a run that nothing interrupted."""
        self._undone.clear()
        joined = self._done[-1].joined(edit) if self._done and self._is_open else None
        if joined is not None:
            self._size -= self._done.pop().size
        self._append(joined or edit)
        self._is_open = True
        while self._size > self._most_bytes and len(self._done) > 1:
            self._size -= self._done.popleft().size

    def interrupt(self) -> None:
        """What is done from now on is a step of its own."""
        self._is_open = False

    def undo(self) -> Edit | None:
        """The step that is to be undone now."""
        self.interrupt()
        if not self._done:
            return None
        edit = self._done.pop()
        self._size -= edit.size
        self._undone.append(edit)
        return edit

    def redo(self) -> Edit | None:
        """The step that is to be done again now."""
        self.interrupt()
        if not self._undone:
            return None
        self._append(edit := self._undone.pop())
        return edit

    def _append(self, edit: Edit) -> None:
        self._done.append(edit)
        self._size += edit.size

    def clear(self) -> None:
        """Forget everything."""
        self._done.clear()
        self._undone.clear()
        self._size = 0

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        return bool(self._undone)
