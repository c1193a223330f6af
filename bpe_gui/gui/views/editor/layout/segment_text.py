"""What is shown of a segment of text, and where each byte of it is shown."""

import unicodedata
from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

_LINE_END: Final = regex.compile(rb"\r\n|[\r\n]\Z")
# What Qt would hide, take for the end of a line or for a picture. Joiners and marks of direction belong to the
# letters around them; what turns text around is spelled out, so that a text cannot look like another.
_HIDDEN: Final = regex.compile(
    r"[\p{Cc}\p{Zl}\p{Zp}--\t]"
    r"|[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c-\u200f\u061c\U000110bd\U000110cd\U000e0020-\U000e007f]]"
    r"|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]"
    r"|[\ufffc\p{Noncharacter_Code_Point}]",
    regex.VERSION1,
)
_FOLLOWING_SPACE: Final = regex.compile("(?<= ) ")
_NO_BREAK_SPACE: Final = "\u00a0"
# Keeps an escape in one piece: a row may end beside it, and letters that are read from right to left leave it alone.
BEFORE_ESCAPE: Final = "\u200b\u200e"
AFTER_ESCAPE: Final = "\u200e\u200b"
_RIGHT_TO_LEFT: Final = regex.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_UNSEEN: Final = frozenset("\u200c\u200d\u200e\u200f\u061c")
_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80
_FIRST_FOUR_BYTE_LEAD: Final = 0xF0  # characters from here on take two UTF-16 units


class SegmentText:
    """A segment's bytes, what is shown for them, and the way between: bytes are offsets in the segment, positions are
    UTF-16 units of what is shown.

    Characters that could not be seen are shown as escapes. The line break that ends the segment is not among what is
    shown; it counts as one more position.

    >>> text = SegmentText("é😀x\\r\\n".encode())
    >>> text.shown, text.position(6), text.byte(3), text.byte(4), text.byte(5)
    ('é😀x', 3, 6, 7, 9)
    """

    def __init__(self, utf8: bytes) -> None:
        self.utf8 = utf8
        match = _LINE_END.search(utf8, max(0, len(utf8) - 2))
        self.line_end = match.group() if match else b""
        self.body_size = len(utf8) - len(self.line_end)
        """Bytes without the line break."""
        body = utf8[: self.body_size].decode()
        self.is_bidirectional = not body.isascii() and _RIGHT_TO_LEFT.search(body) is not None
        """Whether characters may stand in another order than they were typed."""
        self.is_right_to_left = self.is_bidirectional and _begins_right_to_left(body)
        """Whether the segment is read, and its rows begin, on the right."""
        self.escapes: list[tuple[int, int]] = []
        """Start and stop positions of what is shown in place of characters that could not be seen."""
        self.shown = body
        self._positions: NDArray[np.int32] | None = None  # none: a position for each byte
        hidden = [] if body.isprintable() else list(_HIDDEN.finditer(body))
        self.is_plain = body.isascii() and not hidden
        """Whether every byte is shown as one character of its own."""
        if not self.is_plain:
            units = _units(utf8)
            if hidden:
                self.shown = self._spelled_out(body, hidden, units)
            # _positions[b]: UTF-16 units of what is shown for the characters that begin before byte b.
            self._positions = np.zeros(len(utf8) + 1, np.int32)
            np.cumsum(units, out=self._positions[1:])
        self._inside_escapes = frozenset(place for start, stop in self.escapes for place in range(start + 1, stop))
        # A run of spaces would hang out of its row and not be seen; no more than its first may.
        self.shown = _FOLLOWING_SPACE.sub(_NO_BREAK_SPACE, self.shown)
        self.length = self.position(self.body_size)
        """Positions without the line break."""

    def _spelled_out(self, body: str, hidden: list[regex.Match[str]], units: NDArray[np.int32]) -> str:
        """The text with escapes, whose lengths go into `units`."""
        parts = []
        done = byte = position = 0
        for match in hidden:
            before = body[done : match.start()]
            byte += len(before.encode())
            position += len(before.encode("utf-16-le")) // 2
            escape = BEFORE_ESCAPE + match.group().encode("unicode_escape").decode() + AFTER_ESCAPE
            parts += [before, escape]
            units[byte] = len(escape)
            self.escapes.append((position, position + len(escape)))
            byte += len(match.group().encode())
            position += len(escape)
            done = match.end()
        return "".join((*parts, body[done:]))

    def is_inside_character(self, byte: int) -> bool:
        """Whether the offset `byte` falls between two bytes of one character."""
        if not 0 < byte < len(self.utf8):
            return False
        if byte > self.body_size:
            return True  # between carriage return and line feed
        return self.utf8[byte] & _CONTINUATION_MASK == _CONTINUATION

    def is_between_characters(self, position: int) -> bool:
        """Whether `position` is where a character begins, or one of the ends of the segment."""
        return self._positions is None or self.position(self.byte(position)) == position

    def is_inside_escape(self, position: int) -> bool:
        """Whether `position` is between two letters of an escape."""
        return position in self._inside_escapes

    def is_unseen(self, position: int) -> bool:
        """Whether the character at `position` is one that only works on others: a joiner, or a mark of direction."""
        return self.character(self.byte(position)) in _UNSEEN

    def is_beside_other_direction(self, start: int, stop: int) -> bool:
        """Whether a neighbour of the cluster [start, stop) is of another kind, as to the direction it is read in."""
        kinds = {self._direction(position) for position in (start - 1, start, stop)}
        return len(kinds) > 1

    def _direction(self, position: int) -> str:
        byte = self.byte(max(0, position))
        return unicodedata.bidirectional(self.character(byte)[:1] or "\n")

    def is_hanging_space(self, position: int) -> bool:
        """Whether the character at `position` is a space that may hang out of its row."""
        byte = self.byte(position)
        return self.utf8[byte : byte + 1] == b" " and self.utf8[byte - 1 : byte] != b" "

    def position(self, byte: int) -> int:
        """The position of the character that holds the byte at offset `byte`."""
        if self._positions is not None:
            return int(self._positions[self._lead(byte)])
        if byte <= self.body_size:
            return byte
        return self.body_size + (byte >= len(self.utf8))

    def byte(self, position: int) -> int:
        """The offset of the character that is shown at `position`; beyond the end, the segment's size."""
        if self._positions is not None:
            return int(np.searchsorted(self._positions, np.int32(position), "right")) - 1
        return position if position <= self.body_size else len(self.utf8)

    def character(self, lead: int) -> str:
        """The character that begins at the offset `lead`."""
        if lead == self.body_size:
            return self.line_end.decode()
        return self.utf8[lead : lead + 4].decode("utf-8", "ignore")[:1]

    def _lead(self, byte: int) -> int:
        while self.is_inside_character(byte):
            byte -= 1
        return byte


def _begins_right_to_left(text: str) -> bool:
    directions = map(unicodedata.bidirectional, text)
    return next((direction != "L" for direction in directions if direction in ("L", "R", "AL")), False)


def _units(utf8: bytes) -> NDArray[np.int32]:
    """For each byte the UTF-16 units of the character that begins there; `\\r\\n` counts as one."""
    octets = np.frombuffer(utf8, np.uint8)
    units: NDArray[np.int32] = ((octets & _CONTINUATION_MASK) != _CONTINUATION).astype(np.int32)
    units += octets >= _FIRST_FOUR_BYTE_LEAD
    if utf8.endswith(b"\r\n"):
        units[-1] = 0
    return units
