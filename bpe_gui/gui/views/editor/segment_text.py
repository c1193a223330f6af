"""Map the bytes of a segment of text to the text shown for them."""

import unicodedata
from typing import Final

import numpy as np
import regex

from bpe_gui.engine import Int32Array, begins_right_to_left, has_right_to_left
from bpe_gui.gui.system.exact_text import utf16_size

_LINE_END: Final = regex.compile(rb"\r\n|[\r\n]\Z")
# Characters that Qt would hide, or treat as the end of a line or as a picture. Joiners and direction marks belong to
# the letters around them; characters that reorder text are escaped, so that no text can pose as another.
_HIDDEN: Final = regex.compile(
    r"[\p{Cc}\p{Zl}\p{Zp}--\t]"
    r"|[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c-\u200f\u061c\U000110bd\U000110cd\U000e0020-\U000e007f]]"
    r"|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]"
    r"|[\ufffc\p{Noncharacter_Code_Point}]",
    regex.VERSION1,
)
_FOLLOWING_SPACE: Final = regex.compile("(?<= ) ")
_NO_BREAK_SPACE: Final = "\u00a0"
# Zero-width space and left-to-right mark: a row may break next to an escape but not inside it, and right-to-left
# letters do not reorder it.
BEFORE_ESCAPE: Final = "\u200b\u200e"
AFTER_ESCAPE: Final = "\u200e\u200b"
_INVISIBLE: Final = frozenset("\u200c\u200d\u200e\u200f\u061c")
_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80
_FIRST_FOUR_BYTE_LEAD: Final = 0xF0  # characters from here on take two UTF-16 code units


class SegmentText:
    """The bytes of a segment, the text shown for them, and the conversion between offsets and positions.

    Offsets are bytes of the segment; positions are UTF-16 code units of the text shown. Characters that would be
    invisible are shown as escapes. The line break at the end of the segment is not shown, but counts as one more
    position.

    >>> text = SegmentText("é😀x\\r\\n".encode())
    >>> text.shown, text.position(6), text.offset(3), text.offset(4), text.offset(5)
    ('é😀x', 3, 6, 7, 9)
    """

    def __init__(self, utf8: bytes) -> None:
        self.utf8 = utf8
        match = _LINE_END.search(utf8, max(0, len(utf8) - 2))
        self.line_end = match.group() if match else b""
        self.body_size = len(utf8) - len(self.line_end)
        """The number of bytes without the line break."""
        body = utf8[: self.body_size].decode()
        self.is_bidirectional = has_right_to_left(body)
        """Whether characters may be drawn in a different order than they are stored."""
        self.is_right_to_left = self.is_bidirectional and begins_right_to_left(body)
        """Whether rows start on the right."""
        self.escapes: list[tuple[int, int]] = []
        """Start and stop positions of the escapes."""
        self.shown = body
        self._positions: Int32Array | None = None  # None: one position for each byte
        hidden = [] if body.isprintable() else list(_HIDDEN.finditer(body))
        self.is_plain = body.isascii() and not hidden
        """Whether every byte is shown as a separate character."""
        if not self.is_plain:
            units = _utf16_units(utf8)
            if hidden:
                self.shown = self._with_escapes(body, hidden, units)
            # _positions[b]: UTF-16 code units of the text shown for the characters that begin before byte b.
            self._positions = np.zeros(len(utf8) + 1, np.int32)
            np.cumsum(units, out=self._positions[1:])
        self._inside_escapes = frozenset(
            position for start, stop in self.escapes for position in range(start + 1, stop)
        )
        # Qt lets a run of spaces hang off its row, invisibly; with no-break spaces, only the first one can.
        self.shown = _FOLLOWING_SPACE.sub(_NO_BREAK_SPACE, self.shown)
        self.length = self.position(self.body_size)
        """The number of positions without the line break."""

    def _with_escapes(self, body: str, hidden: list[regex.Match[str]], units: Int32Array) -> str:
        """Return the text with escapes in place of `hidden`; store their lengths in `units`."""
        parts = []
        done = offset = position = 0
        for match in hidden:
            before = body[done : match.start()]
            offset += len(before.encode())
            position += utf16_size(before)
            escape = BEFORE_ESCAPE + match.group().encode("unicode_escape").decode() + AFTER_ESCAPE
            parts += [before, escape]
            units[offset] = len(escape)
            self.escapes.append((position, position + len(escape)))
            offset += len(match.group().encode())
            position += len(escape)
            done = match.end()
        return "".join((*parts, body[done:]))

    def is_inside_character(self, offset: int) -> bool:
        """Return whether `offset` is between two bytes of one character; `\\r\\n` is one character."""
        if not 0 < offset < len(self.utf8):
            return False
        if offset > self.body_size:
            return True  # between carriage return and line feed
        return self.utf8[offset] & _CONTINUATION_MASK == _CONTINUATION

    def is_between_characters(self, position: int) -> bool:
        """Return whether a character begins at `position`, or the segment ends there."""
        return self._positions is None or self.position(self.offset(position)) == position

    def is_inside_escape(self, position: int) -> bool:
        """Return whether `position` is between two letters of an escape."""
        return position in self._inside_escapes

    def is_invisible(self, position: int) -> bool:
        """Return whether the character at `position` only affects others: a joiner or a direction mark."""
        return self.character(self.offset(position)) in _INVISIBLE

    def is_beside_other_direction(self, start: int, stop: int) -> bool:
        """Return whether the cluster [start, stop) and its neighbours differ in their bidirectional class."""
        offsets = (self.offset(max(0, position)) for position in (start - 1, start, stop))
        classes = {unicodedata.bidirectional(self.character(offset)[:1] or "\n") for offset in offsets}
        return len(classes) > 1

    def is_hanging_space(self, position: int) -> bool:
        """Return whether the character at `position` is a space that Qt may let hang off its row."""
        offset = self.offset(position)
        return self.utf8[offset : offset + 1] == b" " and self.utf8[offset - 1 : offset] != b" "

    def position(self, offset: int) -> int:
        """Return the position of the character that contains the byte at `offset`."""
        if self._positions is not None:
            while self.is_inside_character(offset):
                offset -= 1
            return int(self._positions[offset])
        if offset <= self.body_size:
            return offset
        return self.body_size + (offset >= len(self.utf8))

    def offset(self, position: int) -> int:
        """Return the offset of the character shown at `position`; past the end, return the segment's size."""
        if self._positions is not None:
            return int(np.searchsorted(self._positions, np.int32(position), "right")) - 1
        return position if position <= self.body_size else len(self.utf8)

    def character(self, lead: int) -> str:
        """Return the character whose first byte is at the offset `lead`."""
        if lead == self.body_size:
            return self.line_end.decode()
        return self.utf8[lead : lead + 4].decode("utf-8", "ignore")[:1]


def _utf16_units(utf8: bytes) -> Int32Array:
    """Return for each byte the UTF-16 code units of the character that begins there; `\\r\\n` counts as one."""
    byte_values = np.frombuffer(utf8, np.uint8)
    units: Int32Array = ((byte_values & _CONTINUATION_MASK) != _CONTINUATION).astype(np.int32)
    units += byte_values >= _FIRST_FOUR_BYTE_LEAD
    if utf8.endswith(b"\r\n"):
        units[-1] = 0
    return units
