"""Tokens in bulk: a hash table that finds them by their bytes, and reading them from files without an object for each.

Tokens are concatenated in a padded buffer: token t is the bytes from `starts[t]` up to `starts[t + 1]`. A slot of the
table has the upper bits of a token's hash above its number plus 1, so the bytes of two tokens are compared only if they
are almost certainly the same. Slots are found by open addressing with linear probing, and at least half of them are
empty.

Files are lines of ranks, and the vocabulary and merges of a `tokenizer.json`. Strings are written one after another,
without quotes and escapes. JSON ends with zeros, where reading stops, and its output is never longer than the input.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import PADDING, prefetch
from bpe_gui.engine.kernels.text.word_table import is_same, mix, word_key
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

_NUMBER_BITS: Final = 32
_NUMBER_MASK: Final = (1 << _NUMBER_BITS) - 1

_BATCH: Final = 64
"""How many spans' slots are prefetched together, so that cache misses overlap."""


class TokenTable(Record):
    """Tokens, and the hash table of their numbers."""

    text: UInt8Array
    starts: Int64Array
    slots: Int64Array
    """2ⁿ slots; empty ones are 0."""


@kernel
def add_tokens(table: TokenTable) -> int:
    """Add all tokens to an empty table, except repeated ones. Return how many it has."""
    different = 0
    for token in range(len(table.starts) - 1):
        start, end = table.starts[token], table.starts[token + 1]
        hashed = _hash_of(table.text, start, end)
        slot = _slot_of(table, table.text, start, end, hashed)
        if table.slots[slot] == 0:
            table.slots[slot] = (hashed >> _NUMBER_BITS << _NUMBER_BITS) | (token + 1)
            different += 1
    return different


@kernel
def find_tokens(table: TokenTable, text: UInt8Array, starts: Int64Array, ends: Int64Array, found: Int64Array) -> None:
    """Write the number of the token in each span of a padded text, or -1 if it is not a token."""
    for first in range(0, len(starts), _BATCH):
        batch = range(first, min(first + _BATCH, len(starts)))
        for i in batch:
            found[i] = _hash_of(text, starts[i], ends[i])
            prefetch(table.slots, found[i] & (len(table.slots) - 1))
        for i in batch:
            slot = _slot_of(table, text, starts[i], ends[i], found[i])
            found[i] = (table.slots[slot] & _NUMBER_MASK) - 1


@helper
def _hash_of(text: UInt8Array, start: int, end: int) -> int:
    low, high = word_key(text, start, end - start)
    return mix(low, high)


@helper
def _slot_of(table: TokenTable, text: UInt8Array, start: int, end: int, hashed: int) -> int:
    """Return the slot of the token between two offsets of a text, or the empty slot for adding it."""
    slots = table.slots
    slot = hashed & (len(slots) - 1)
    while slots[slot] != 0 and not (
        slots[slot] >> _NUMBER_BITS == hashed >> _NUMBER_BITS
        and _has_bytes(table, (slots[slot] & _NUMBER_MASK) - 1, text, start, end)
    ):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@helper
def _has_bytes(table: TokenTable, token: int, text: UInt8Array, start: int, end: int) -> bool:
    """Return whether a token has the bytes between two offsets of a text."""
    other, size = table.starts[token], end - start
    if table.starts[token + 1] - other != size:
        return False
    low, high = word_key(text, start, size)
    other_low, other_high = word_key(table.text, other, size)
    return low == other_low and high == other_high and (high >= 0 or is_same(text, start, size, table.text, other))


NOT_PLAIN: Final = -1
"""Returned for input that only a slower reader can read."""

NO_DIGIT: Final = 64
"""The value of a byte that is not a digit of Base64."""

_TAB, _LINE_END, _RETURN, _SPACE, _QUOTE, _BACKSLASH, _COLON, _COMMA, _ZERO, _EQUALS = b'\t\n\r "\\:,0='
_OPEN_BRACE, _CLOSE_BRACE, _OPEN_BRACKET, _CLOSE_BRACKET = b"{}[]"
_MAX_DIGITS: Final = 10


@kernel
def read_rank_lines(
    data: UInt8Array,
    values: UInt8Array,
    max_size: int,
    max_rank: int,
    text: UInt8Array,
    starts: Int64Array,
    ranks: Int64Array,
) -> int:
    """Write the tokens to `text`, concatenated; where each starts and the last one ends; and their ranks.

    Return how many there are, or NOT_PLAIN unless each line is exactly a token of at most `max_size` bytes and a rank
    that is above that of the previous line and at most `max_rank`. The last line ends with a line end, and padding
    follows. `values` has the value of each byte as a digit of Base64, or NO_DIGIT. A lone `=` is a token without bytes.
    """
    at, end = 0, len(data) - PADDING
    count, size, last = 0, 0, -1
    while at < end:
        starts[count] = start = size
        while True:
            first, second = values[data[at]], values[data[at + 1]]
            third, fourth = values[data[at + 2]], values[data[at + 3]]
            if (first | second | third | fourth) >= NO_DIGIT:
                break
            text[size] = (first << 2) | (second >> 4)
            text[size + 1] = ((second & 15) << 4) | (third >> 2)
            text[size + 2] = ((third & 3) << 6) | fourth
            size += 3
            at += 4
        if data[at + 3] == _EQUALS and (first | second) < NO_DIGIT:
            text[size] = (first << 2) | (second >> 4)
            size += 1
            if third < NO_DIGIT and third & 3 == 0:
                text[size] = ((second & 15) << 4) | (third >> 2)
                size += 1
            elif data[at + 2] != _EQUALS or second & 15 != 0:
                return NOT_PLAIN
            at += 4
        elif size == start:
            if data[at] != _EQUALS:
                return NOT_PLAIN
            at += 1
        if data[at] != _SPACE or size - start > max_size:
            return NOT_PLAIN
        at += 1
        rank, first_digit = 0, at
        while _ZERO <= data[at] <= _ZERO + 9 and at - first_digit < _MAX_DIGITS:
            rank = 10 * rank + data[at] - _ZERO
            at += 1
        if at == first_digit or rank <= last or rank > max_rank:
            return NOT_PLAIN
        at += data[at] == _RETURN
        if data[at] != _LINE_END:
            return NOT_PLAIN
        at += 1
        ranks[count] = last = rank
        count += 1
    starts[count] = size
    return count


"""Returned instead of an offset for JSON that the kernels cannot read."""


@kernel
def read_json_vocabulary(
    data: UInt8Array, at: int, escapes: UInt8Array, text: UInt8Array, starts: Int64Array, ids: Int64Array
) -> tuple[int, int]:
    """Read an object of tokens and ids: write where each token starts in `text` and the last one ends, and the ids.

    Return the number of tokens and the offset after the object, or NOT_PLAIN. `escapes` has the byte for each character
    after a backslash, or 0 if it does not stand for a single byte.
    """
    count = size = 0
    expected = _OPEN_BRACE
    while data[at] == expected:
        starts[count] = size
        at, size = _read_string(data, _after_space(data, at + 1), escapes, text, size)
        if data[at] != _COLON:
            return count, NOT_PLAIN
        at = first_digit = _after_space(data, at + 1)
        ids[count] = 0
        while _ZERO <= data[at] <= _ZERO + 9 and at - first_digit < _MAX_DIGITS:
            ids[count] = 10 * ids[count] + data[at] - _ZERO
            at += 1
        if at == first_digit or (data[first_digit] == _ZERO and at - first_digit > 1):
            return count, NOT_PLAIN
        count += 1
        at = _after_space(data, at)
        expected = _COMMA
    starts[count] = size
    return count, at + 1 if data[at] == _CLOSE_BRACE else NOT_PLAIN


@kernel
def read_json_merges(
    data: UInt8Array, at: int, escapes: UInt8Array, text: UInt8Array, starts: Int64Array
) -> tuple[int, int]:
    """Read a list of merges: write where the two tokens of each start in `text`, and where the last one ends.

    All merges are lists of two strings, or all are strings with one space. Return the number of merges and the offset
    after the list, or NOT_PLAIN.
    """
    count = size = 0
    are_lists = data[_after_space(data, at + 1)] == _OPEN_BRACKET
    expected = _OPEN_BRACKET
    while data[at] == expected:
        starts[2 * count] = start = size
        at = _after_space(data, at + 1)
        if are_lists:
            if data[at] != _OPEN_BRACKET:
                return count, NOT_PLAIN
            at, size = _read_string(data, _after_space(data, at + 1), escapes, text, size)
            if data[at] != _COMMA:
                return count, NOT_PLAIN
            starts[2 * count + 1] = size
            at, size = _read_string(data, _after_space(data, at + 1), escapes, text, size)
            if data[at] != _CLOSE_BRACKET:
                return count, NOT_PLAIN
            at = _after_space(data, at + 1)
        else:
            at, size = _read_string(data, at, escapes, text, size)
            space = start
            while space < size and text[space] != _SPACE:
                space += 1
            if space == size:
                return count, NOT_PLAIN
            starts[2 * count + 1] = space
            size -= 1
            for i in range(space, size):
                text[i] = text[i + 1]
                if text[i] == _SPACE:
                    return count, NOT_PLAIN
        count += 1
        expected = _COMMA
    starts[2 * count] = size
    return count, at + 1 if data[at] == _CLOSE_BRACKET else NOT_PLAIN


@helper
def _after_space(data: UInt8Array, at: int) -> int:
    """Return the offset of the first byte at or after `at` that is not white space."""
    while data[at] == _SPACE or data[at] == _LINE_END or data[at] == _RETURN or data[at] == _TAB:
        at += 1
    return at


@helper
def _read_string(data: UInt8Array, at: int, escapes: UInt8Array, text: UInt8Array, size: int) -> tuple[int, int]:
    """Write the string at offset `at` to `text[size]` and after. Return the offset after it, and the new size.

    If there is no string, or it has other escapes, return the offset of the zeros at the end.
    """
    if data[at] != _QUOTE:
        return len(data) - 1, size
    at += 1
    while data[at] != _QUOTE:
        byte = data[at]
        if byte == _BACKSLASH:
            at += 1
            byte = escapes[data[at]]
        if byte == 0 or (byte < _SPACE and data[at] < _SPACE):
            return len(data) - 1, size
        text[size] = byte
        size += 1
        at += 1
    return _after_space(data, at + 1), size
