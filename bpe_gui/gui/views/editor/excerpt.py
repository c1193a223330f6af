"""A part of the text around the caret, for programs that count in UTF-16 code units."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_gui.engine.live_text import LiveText


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text, which starts at the byte offset `start` of the text and has whole characters.

    >>> excerpt = Excerpt(10, "a😀b".encode())
    >>> excerpt.stop, excerpt.unit_of(15), excerpt.offset_of(3)
    (16, 3, 15)
    """

    start: int
    utf8: bytes

    @classmethod
    def around(cls, text: LiveText, caret: int, reach: int) -> Excerpt:
        """Return the text up to `reach` bytes on either side of the caret, less an incomplete character at an end."""
        before = text.read(max(0, caret - reach), caret).decode(errors="ignore").encode()
        after = text.read(caret, caret + reach).decode(errors="ignore").encode()
        return cls(caret - len(before), before + after)

    @property
    def stop(self) -> int:
        """The byte offset in the text at which the excerpt ends."""
        return self.start + len(self.utf8)

    @property
    def text(self) -> str:
        """The characters."""
        return self.utf8.decode()

    def part(self, start: int, stop: int) -> str:
        """Return the characters between two byte offsets in the text."""
        return self.utf8[max(0, start - self.start) : max(0, stop - self.start)].decode()

    def replaced(self, start: int, removed: int, new: bytes) -> Excerpt:
        """Return the excerpt after an edit inside it."""
        first = start - self.start
        return Excerpt(self.start, self.utf8[:first] + new + self.utf8[first + removed :])

    def unit_of(self, offset: int) -> int:
        """Return the UTF-16 index of a byte offset in the text; of the nearer end, if it is outside."""
        inside = self.utf8[: max(0, offset - self.start)]
        return len(inside.decode(errors="ignore").encode("utf-16-le")) // 2

    def offset_of(self, unit: int) -> int:
        """Return the byte offset in the text of a UTF-16 index."""
        inside = self.text.encode("utf-16-le")[: 2 * max(0, unit)].decode("utf-16-le", "ignore")
        return self.start + len(inside.encode())
