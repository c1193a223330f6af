"""The selection of text as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """The text between an anchor, where selecting began, and the caret, as byte offsets into the UTF-8.

    >>> selection = Selection(anchor=7, caret=4)
    >>> selection.span, selection.extended_to(9), selection.is_empty
    ((4, 7), Selection(anchor=7, caret=9), False)
    """

    anchor: int
    caret: int

    @classmethod
    def at(cls, caret: int) -> Selection:
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
        """Start and stop."""
        return self.start, self.stop

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return self.anchor == self.caret

    def touches(self, offset: int) -> bool:
        """Return whether text is selected and `offset` is in it or at one of its ends."""
        return not self.is_empty and self.start <= offset <= self.stop

    def extended_to(self, caret: int) -> Selection:
        """Return the selection from the same anchor to another caret."""
        return Selection(self.anchor, caret)

    def extended_over(self, start: int, stop: int) -> Selection:
        """Return a selection of this one and [start, stop), its caret at the end that moved.

        This is what dragging does after a word or a line was selected as the first unit:

        >>> Selection(4, 7).extended_over(0, 3), Selection(4, 7).extended_over(8, 11)
        (Selection(anchor=7, caret=0), Selection(anchor=4, caret=11))
        """
        if start < self.start:
            return Selection(self.stop, start)
        return Selection(self.start, max(stop, self.stop))
