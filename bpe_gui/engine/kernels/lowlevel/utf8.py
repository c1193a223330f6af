"""Decode, validate and count the characters of UTF-8 text."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.types import UInt8Array

from .machine import BYTE_LANES, HIGH_BITS, byte_range, bytes_in_range, count_high_bits, load8, prefetch

_BLOCK: Final = 1024  # bytes to validate at once
_PREFETCH_DISTANCE: Final = 1024  # how many bytes ahead to prefetch
_NON_ASCII: Final = byte_range("\x80", "\xff")


@helper
def code_point_at(text: UInt8Array, at: int) -> int:
    """Return the code point of the character that begins at offset `at`."""
    first = text[at] & 0xFF
    if first < 0x80:
        return first
    if first < 0xE0:
        return ((first & 0x1F) << 6) | (text[at + 1] & 0x3F)
    if first < 0xF0:
        return ((first & 0x0F) << 12) | ((text[at + 1] & 0x3F) << 6) | (text[at + 2] & 0x3F)
    return ((first & 0x07) << 18) | ((text[at + 1] & 0x3F) << 12) | ((text[at + 2] & 0x3F) << 6) | (text[at + 3] & 0x3F)


@helper
def size_at(text: UInt8Array, at: int) -> int:
    """Return the number of bytes of the character that begins at offset `at`."""
    first = text[at]
    return 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


@helper
def previous_character(text: UInt8Array, at: int) -> int:
    """Return the start of the character that ends at offset `at`."""
    at -= 1
    while text[at] & 0xC0 == 0x80:
        at -= 1
    return at


@helper
def end_of_whole_characters(text: UInt8Array, start: int, end: int) -> int:
    """Return `end`, or where the last character begins if it goes on beyond `end`."""
    for back in range(1, min(4, end - start + 1)):
        if text[end - back] >= 0xC0:
            return end - back if size_at(text, end - back) > back else end
        if text[end - back] < 0x80:
            return end
    return end


@kernel
def whole_characters(text: UInt8Array, start: int, end: int) -> int:
    """Return `end`, or where the last character begins if it goes on beyond `end`."""
    return end_of_whole_characters(text, start, end)


@kernel
def first_invalid(text: UInt8Array, start: int, end: int) -> int:
    """Return the offset of the first sequence that Python's own decoder rejects, or -1.

    A character that extends beyond `end` is also invalid.
    """
    at = start
    while at < end:
        if bytes_in_range(text, at, _NON_ASCII) == 0:  # the padding lets us look beyond the end
            prefetch(text, at + _PREFETCH_DISTANCE)
            at += BYTE_LANES
            continue
        stop = min(at + _BLOCK, end)
        if at - start >= 3 and not _has_invalid(text, at, stop):
            stop = end_of_whole_characters(text, at, stop)
            if stop > at:
                at = stop
                continue
        size = 1 if text[at] < 0x80 else _valid_size(text, at, end)
        if size == 0:
            return at
        at += size
    return -1


@helper
def _has_invalid(text: UInt8Array, start: int, end: int) -> bool:
    """Return whether any byte cannot follow the three before it. The last character may extend beyond `end`.

    The three bytes before `start` are valid. The loop is branch-free, so the compiler vectorises it.
    """
    thirds, seconds, lasts = text[start - 3 : end - 3], text[start - 2 : end - 2], text[start - 1 : end - 1]
    block = text[start:end]
    is_invalid = False
    for i in range(end - start):
        byte, last = block[i], lasts[i]
        continues = (byte >= 0x80) & (byte < 0xC0)
        must_continue = (last >= 0xC0) | (seconds[i] >= 0xE0) | (thirds[i] >= 0xF0)
        out_of_range = ((last == 0xE0) & (byte < 0xA0)) | ((last == 0xED) & (byte > 0x9F))
        out_of_range |= ((last == 0xF0) & (byte < 0x90)) | ((last == 0xF4) & (byte > 0x8F))
        is_invalid |= (continues != must_continue) | out_of_range | (byte == 0xC0) | (byte == 0xC1) | (byte > 0xF4)
    return is_invalid


@helper
def _valid_size(text: UInt8Array, at: int, end: int) -> int:
    """Return the number of bytes of the non-ASCII character that begins at offset `at`, or 0 if it is invalid."""
    first = text[at] & 0xFF
    if first < 0xC2 or first > 0xF4:
        return 0
    size = size_at(text, at)
    if at + size > end:
        return 0
    second = text[at + 1] & 0xFF
    # These bounds reject overlong forms, surrogates, and code points above U+10FFFF.
    least = 0xA0 if first == 0xE0 else 0x90 if first == 0xF0 else 0x80
    most = 0x9F if first == 0xED else 0x8F if first == 0xF4 else 0xBF
    if second < least or second > most:
        return 0
    for i in range(at + 2, at + size):
        if text[i] & 0xC0 != 0x80:
            return 0
    return size


@kernel
def count_characters(text: UInt8Array, start: int, end: int) -> int:
    """Return how many characters begin between two offsets."""
    count = end - start
    while start + 8 <= end:
        eight = load8(text, start)
        count -= count_high_bits(eight & ~(eight << 1) & HIGH_BITS)  # continuation bytes are 10xxxxxx
        start += 8
    for i in range(start, end):
        count -= text[i] & 0xC0 == 0x80
    return count
