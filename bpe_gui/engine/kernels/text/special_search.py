"""Search UTF-8 text for special tokens: the leftmost one, and the longest of those that begin there.

Source: Horspool, “Practical fast searching in strings” (1980), extended to several tokens: the byte under the last byte
of the shortest token decides how far the search can skip without missing a token that contains it. In most tokenizers,
all tokens begin with the same two bytes, such as `<|`; the search then looks for these instead, 32 bytes at a time.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import BYTE_LANES, bytes_in_range, trailing_zeros
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, previous_character, size_at
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


class AddedTokenTable(Record):
    """Special tokens that have conditions."""

    tokens: SpecialTokenTable
    flags: UInt8Array
    """The conditions of each token, or none at all if no token has one."""
    classes: UInt8Array
    """The classes of characters by code point; empty if no condition asks for them."""


# The conditions of a token, as bits: its text stays text, and no other token is found in it; it counts only where it
# does not touch a word; it takes the white space before or after it.
IGNORED, SINGLE_WORD, STRIPS_LEFT, STRIPS_RIGHT = 1, 2, 4, 8

# The classes of characters, as bits.
WORD, SPACE = 1, 2

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


@kernel
def find_added(
    text: UInt8Array,
    at: int,
    done: int,
    end: int,
    table: AddedTokenTable,
    starts: Int64Array,
    stops: Int64Array,
    numbers: Int64Array,
) -> tuple[int, int, int]:
    """Write where the next tokens begin and end, as many as fit, and their numbers.

    Return how many these are, where to search for the next one, and the end of the last. White space that a token takes
    may itself be a token, which then begins before that end.
    """
    count, run_end = 0, 0
    while count < len(starts):
        start, token = find_special(text, at, end, end, table.tokens)
        if token < 0:
            return count, end, done
        at = stop = start + special_size(table.tokens, token)
        flags = table.flags[token] if len(table.flags) > 0 else 0
        if flags & IGNORED or (flags & SINGLE_WORD and _touches_word(text, start, stop, end, table.classes)):
            continue
        if flags & STRIPS_LEFT:
            start = _before_white_space(text, start, done, table.classes)
        if flags & STRIPS_RIGHT:
            stop = run_end = run_end if stop < run_end else _after_white_space(text, stop, end, table.classes)
        done = stop
        if start < stop:
            starts[count], stops[count], numbers[count] = start, stop, token
            count += 1
    return count, at, done


@helper
def _touches_word(text: UInt8Array, start: int, stop: int, end: int, classes: UInt8Array) -> bool:
    """Return whether the character before `start`, or the one at `stop`, can be in a word."""
    if start > 0 and _class_before(text, start, classes) & WORD:
        return True
    return stop < end and classes[code_point_at(text, stop)] & WORD != 0


@helper
def _before_white_space(text: UInt8Array, at: int, begin: int, classes: UInt8Array) -> int:
    """Return the start of the white space before an offset, but not less than `begin`."""
    while at > begin:
        if _class_before(text, at, classes) & SPACE == 0:
            return at
        at = previous_character(text, at)
    return begin


@helper
def _class_before(text: UInt8Array, at: int, classes: UInt8Array) -> int:
    """Return the class of the character that ends at an offset; a mark has none."""
    return classes[code_point_at(text, previous_character(text, at))] if text[at - 1] != MARK else 0


@helper
def _after_white_space(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Return the end of the white space at an offset."""
    while at < end and classes[code_point_at(text, at)] & SPACE != 0:
        at += size_at(text, at)
    return at


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
