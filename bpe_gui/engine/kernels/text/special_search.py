"""Search UTF-8 text for special tokens: the leftmost one, and the longest of those that begin there.

Source: Horspool, “Practical fast searching in strings” (1980), extended to several tokens: the byte under the last byte
of the shortest token decides how far the search can skip without missing a token that contains it. In most tokenizers,
all tokens begin with the same two bytes, such as `<|`; the search then looks for these instead, 32 bytes at a time.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import BYTE_LANES, bytes_in_range, trailing_zeros
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, size_at
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array


class SpecialTokenTable(Record):
    """Special tokens, sorted by their bytes."""

    text: UInt8Array
    """Their bytes, concatenated."""
    starts: Int64Array
    """The offset of each token in `text`, followed by the end of the last token."""
    shorter: Int64Array
    """The longest other token that is a prefix of each token, or -1."""
    skips: UInt8Array
    """How far to skip for each byte under the last byte of the shortest token; 0 if a token may match."""
    sizes: Int64Array
    """The sizes of the shortest and of the longest token in bytes; 1 if there are none."""
    beginning: Int64Array
    """The first two bytes of all tokens, each as a range for `bytes_in_range`; empty if tokens begin differently."""


MARK: Final = 0xC0
"""The byte of marks between texts, which never occurs in UTF-8. Marks are searched for like special tokens."""

SHORTEST: Final = 0
LONGEST: Final = 1


@helper
def find_special(text: UInt8Array, at: int, stop: int, end: int, specials: SpecialTokenTable) -> tuple[int, int]:
    """Return the offset and number of the next special token that begins before `stop` and ends by `end`.

    Return `stop` and -1 if there is none.
    """
    if len(specials.starts) == 1:
        return stop, -1
    last = min(stop, end - specials.sizes[SHORTEST] + 1)
    at = _next_candidate(text, at, last, specials)
    while at < last:
        token = special_at(text, at, end, specials)
        if token >= 0:
            return at, token
        at = _next_candidate(text, at + 1, last, specials)
    return stop, -1


@kernel
def last_special_end(text: UInt8Array, size: int, specials: SpecialTokenTable) -> int:
    """Return the end of the last special token that is independent of the text after `size`, or 0."""
    decided, end = size - specials.sizes[LONGEST] + 1, 0
    while end < decided:
        at, token = find_special(text, end, decided, size, specials)
        if token < 0:
            break
        end = at + special_size(specials, token)
    return end


@helper
def _next_candidate(text: UInt8Array, at: int, last: int, specials: SpecialTokenTable) -> int:
    """Return the next offset before `last` at which a token may begin, or an offset that is not before `last`."""
    if len(specials.beginning) > 0:
        return _next_beginning(text, at, last, specials.beginning[0], specials.beginning[1])
    reach = specials.sizes[SHORTEST] - 1
    while at < last:
        skip = specials.skips[text[at + reach]]
        if skip == 0:
            return at
        at += skip
    return at


@helper
def _next_beginning(text: UInt8Array, at: int, last: int, first: int, second: int) -> int:
    """Return the next offset of two consecutive bytes in these two ranges, as `_next_candidate` does."""
    while at < last:
        found = bytes_in_range(text, at, first) & bytes_in_range(text, at + 1, second)
        if found != 0:
            return at + trailing_zeros(found)
        at += BYTE_LANES
    return at


@helper
def special_at(text: UInt8Array, at: int, end: int, specials: SpecialTokenTable) -> int:
    """Return the longest special token at an offset, or -1.

    Every token that matches there is a prefix of the last token that does not sort after the text.
    """
    first, last = 0, len(specials.starts) - 1
    while first < last:
        middle = (first + last) >> 1
        if _sorts_after(text, at, end, specials, middle):
            last = middle
        else:
            first = middle + 1
    token = first - 1
    while token >= 0 and not _matches_at(text, at, end, specials, token):
        token = specials.shorter[token]
    return token


@helper
def special_size(specials: SpecialTokenTable, token: int) -> int:
    """Return the size of a special token in bytes."""
    return specials.starts[token + 1] - specials.starts[token]


@helper
def _sorts_after(text: UInt8Array, at: int, end: int, specials: SpecialTokenTable, token: int) -> bool:
    """Return whether a token comes after the text at an offset in sorted order."""
    start, size = specials.starts[token], special_size(specials, token)
    for i in range(min(size, end - at)):
        if specials.text[start + i] != text[at + i]:
            return specials.text[start + i] > text[at + i]
    return size > end - at


@helper
def _matches_at(text: UInt8Array, at: int, end: int, specials: SpecialTokenTable, token: int) -> bool:
    start, size = specials.starts[token], special_size(specials, token)
    if at + size > end:
        return False
    for i in range(size):  # noqa: SIM110 - numba compiles no generators here
        if specials.text[start + i] != text[at + i]:
            return False
    return True


@kernel
def has_any(text: UInt8Array, end: int, members: UInt8Array) -> bool:
    """Return whether a padded text up to `end` has a character whose entry in `members`, by code point, is nonzero."""
    at = 0
    while at < end:
        byte = text[at]
        if byte < 0x80:
            if members[byte]:
                return True
            at += 1
        else:
            if members[code_point_at(text, at)]:
                return True
            at += size_at(text, at)
    return False
