"""Read the vocabulary and the merges of a model from JSON, without making an object for each string.

Strings are written one after another, without quotes and escapes. The input ends with zeros, where reading stops. The
output is never longer than the input.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

NOT_PLAIN: Final = -1
"""Returned instead of an offset for JSON that the kernels cannot read."""

_TAB, _LINE_END, _RETURN, _SPACE, _QUOTE, _BACKSLASH, _COLON, _COMMA, _ZERO = b'\t\n\r "\\:,0'
_OPEN_BRACE, _CLOSE_BRACE, _OPEN_BRACKET, _CLOSE_BRACKET = b"{}[]"
_MOST_DIGITS: Final = 10


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
        while _ZERO <= data[at] <= _ZERO + 9 and at - first_digit < _MOST_DIGITS:
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
    """Return the offset of the first byte from `at` on that is not white space."""
    while data[at] == _SPACE or data[at] == _LINE_END or data[at] == _RETURN or data[at] == _TAB:
        at += 1
    return at


@helper
def _read_string(data: UInt8Array, at: int, escapes: UInt8Array, text: UInt8Array, size: int) -> tuple[int, int]:
    """Write the string at offset `at` from `text[size]` on. Return the offset after it, and the new size.

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
