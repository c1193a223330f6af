"""UTF-8: what stands where, and whether it is valid."""

from typing import Final

from bpe_gui.engine.kernels.lowlevel.bits import HIGH_BITS, count_marks, prefetch
from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.lowlevel.memory import load8
from bpe_gui.engine.kernels.training.records import Bytes
from bpe_gui.engine.kernels.lowlevel.vectors import THIRTY_TWO, bytes_between, span

_PIECE: Final = 1024  # bytes that are looked at together
_AHEAD: Final = 1024  # bytes from where a processor looks to what it should fetch
_WIDE: Final = span("\x80", "\xff")  # the bytes of characters above ASCII


@helper
def code_at(text: Bytes, at: int) -> int:
    """The code point that begins at `at`."""
    first = text[at] & 0xFF
    if first < 0x80:
        return first
    if first < 0xE0:
        return ((first & 0x1F) << 6) | (text[at + 1] & 0x3F)
    if first < 0xF0:
        return ((first & 0x0F) << 12) | ((text[at + 1] & 0x3F) << 6) | (text[at + 2] & 0x3F)
    return ((first & 0x07) << 18) | ((text[at + 1] & 0x3F) << 12) | ((text[at + 2] & 0x3F) << 6) | (text[at + 3] & 0x3F)


@helper
def size_at(text: Bytes, at: int) -> int:
    """How many bytes the character takes that begins at `at`."""
    first = text[at]
    return 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


@helper
def before(text: Bytes, at: int) -> int:
    """Where the character begins that ends at `at`."""
    at -= 1
    while text[at] & 0xC0 == 0x80:
        at -= 1
    return at


@helper
def whole_until(text: Bytes, begin: int, end: int) -> int:
    """`end`, or where the last character begins if `end` cuts it."""
    for back in range(1, min(4, end - begin + 1)):
        if text[end - back] >= 0xC0:
            return end - back if size_at(text, end - back) > back else end
        if text[end - back] < 0x80:
            return end
    return end


@kernel
def whole_characters(text: Bytes, begin: int, end: int) -> int:
    """`end`, or where the last character begins if `end` cuts it."""
    return whole_until(text, begin, end)


@kernel
def first_invalid(text: Bytes, begin: int, end: int) -> int:
    """Where the first sequence begins that Python's own decoder refuses, or -1. What `end` cuts is invalid, too."""
    at = begin
    while at < end:
        if bytes_between(text, at, _WIDE) == 0:  # the padding that follows allows to look over the end
            prefetch(text, at + _AHEAD)
            at += THIRTY_TWO
            continue
        stop = min(at + _PIECE, end)
        if at - begin >= 3 and not _is_wrong(text, at, stop):
            stop = whole_until(text, at, stop)
            if stop > at:
                at = stop
                continue
        size = 1 if text[at] < 0x80 else _valid_size(text, at, end)
        if size == 0:
            return at
        at += size
    return -1


@helper
def _is_wrong(text: Bytes, begin: int, end: int) -> bool:
    """Whether a byte cannot follow those before it, of which three are valid. A character may be cut at the end.

    That asks the same of every byte, whatever it is, which the compiler does for many at once.
    """
    thirds, seconds, lasts = text[begin - 3 : end - 3], text[begin - 2 : end - 2], text[begin - 1 : end - 1]
    bytes_here = text[begin:end]
    wrong = False
    for i in range(end - begin):
        here, last = bytes_here[i], lasts[i]
        continues = (here >= 0x80) & (here < 0xC0)
        must_continue = (last >= 0xC0) | (seconds[i] >= 0xE0) | (thirds[i] >= 0xF0)
        out_of_range = ((last == 0xE0) & (here < 0xA0)) | ((last == 0xED) & (here > 0x9F))
        out_of_range |= ((last == 0xF0) & (here < 0x90)) | ((last == 0xF4) & (here > 0x8F))
        wrong |= (continues != must_continue) | out_of_range | (here == 0xC0) | (here == 0xC1) | (here > 0xF4)
    return wrong


@helper
def _valid_size(text: Bytes, at: int, end: int) -> int:
    """How many bytes the character takes that begins at `at`, above ASCII, or 0 if it is none."""
    first = text[at] & 0xFF
    if first < 0xC2 or first > 0xF4:
        return 0
    size = size_at(text, at)
    if at + size > end:
        return 0
    second = text[at + 1] & 0xFF
    # What could be written shorter is refused, and halves of surrogate pairs, and what is beyond U+10FFFF.
    least = 0xA0 if first == 0xE0 else 0x90 if first == 0xF0 else 0x80
    most = 0x9F if first == 0xED else 0x8F if first == 0xF4 else 0xBF
    if second < least or second > most:
        return 0
    for i in range(at + 2, at + size):
        if text[i] & 0xC0 != 0x80:
            return 0
    return size


@kernel
def count_characters(text: Bytes, begin: int, end: int) -> int:
    """How many characters begin there."""
    count = end - begin
    while begin + 8 <= end:
        eight = load8(text, begin)
        count -= count_marks(eight & ~(eight << 1) & HIGH_BITS)  # every further byte of a character is 10......
        begin += 8
    for i in range(begin, end):
        count -= text[i] & 0xC0 == 0x80
    return count
