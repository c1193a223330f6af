"""Operations that stand for a few instructions: on all 64 bits of a number, on several bytes at once, and on vectors.

numba's own sums and products are undefined if they overflow a signed 64-bit integer: LLVM assumes that this never
happens, and may even drop a mask that would truncate the result. So use these functions for whatever may overflow.

Some functions test eight bytes, loaded by `load8`, at once (SWAR), and mark a byte by its highest bit. In plain Python,
such a number may have more bits than in compiled code, or a different sign; only its lowest 64 bits count.

Buffers for loads of several bytes are padded: `PADDING` bytes follow the content, so that no load reads beyond the end.
All lanes of a vector must be inside the array. numba's bounds checking, if switched on, checks both.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.runtime.types import AnyArray, Int32Array, Int64Array, UInt8Array

HIGH_BITS: Final = -0x7F7F_7F7F_7F7F_7F80  # 0x80 in every byte

INT63_MASK: Final = 0x7FFF_FFFF_FFFF_FFFF
_INT64_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
_LOW_BITS: Final = 0x7F7F_7F7F_7F7F_7F7F
_CASE_BITS: Final = 0x2020_2020_2020_2020
_EVERY_BYTE: Final = 0x0101_0101_0101_0101
# Added to bytes below 0x80, these set the highest bit of those that are at least `a` or `A`, or above `z` or `Z`.
_FROM_LOWER_A: Final = (0x80 - 0x61) * _EVERY_BYTE
_ABOVE_LOWER_Z: Final = (0x80 - 0x7B) * _EVERY_BYTE


def trailing_zeros(number: int) -> int:
    """Return how many zero bits are below the lowest one bit, or 64 for zero."""
    return (number & -number).bit_length() - 1 if number else 64


def wrapping_add(one: int, other: int) -> int:
    """Return a sum with correct lowest 64 bits."""
    return one + other


def wrapping_multiply(one: int, other: int) -> int:
    """Return the lowest 63 bits of a product."""
    return (one * other) & INT63_MASK


def folded_product(one: int, other: int) -> int:
    """Return the two halves of a 128-bit product combined by xor: 63 bits that depend on all bits of both factors.

    This is the mixing step of Wang Yi's hash function wyhash.
    """
    product = (one & _INT64_MASK) * (other & _INT64_MASK)
    return (product ^ (product >> 64)) & INT63_MASK


@helper
def leading_letters(eight: int) -> int:
    """Return how many of eight bytes come before the first that is not an ASCII letter."""
    folded = (eight & _LOW_BITS) | _CASE_BITS
    not_letters = ~wrapping_add(folded, _FROM_LOWER_A) | wrapping_add(folded, _ABOVE_LOWER_Z) | eight
    return trailing_zeros(not_letters & HIGH_BITS) >> 3


@helper
def count_high_bits(eight: int) -> int:
    """Return how many bytes have their highest bit set, in a number without other bits set."""
    return wrapping_multiply((eight >> 7) & _EVERY_BYTE, _EVERY_BYTE) >> 56


PADDING: Final = 32
"""Bytes that must follow the content of a buffer from which several bytes are loaded at once."""

COPY_LANES: Final = 8
"""The numbers that `copy8` copies."""

SYMBOL_BITS: Final = 32
"""A pair of symbols is packed into a 64-bit number: the left symbol in the upper half, the right one in the lower."""
SYMBOL_MASK: Final = 0xFFFF_FFFF


def load8(buffer: AnyArray, at: int) -> int:
    """Load the eight bytes at offset `at` as a signed little-endian number, with one unaligned load."""
    return int.from_bytes(buffer[at : at + 8], "little", signed=True)


def store8(buffer: AnyArray, at: int, value: int) -> None:
    """Store eight bytes from `load8` at offset `at`, with one unaligned store."""
    buffer[at : at + 8] = value.to_bytes(8, "little", signed=True)


def store_packed_pair(numbers: Int32Array, at: int, pair: int) -> None:
    """Store the lower half of `pair` at index `at` and the upper half after it. Neither half is negative."""
    numbers[at], numbers[at + 1] = pair & SYMBOL_MASK, pair >> SYMBOL_BITS


def copy8(source: Int32Array, at: int, target: Int32Array, to: int) -> None:
    """Copy eight numbers from index `at` of an array to index `to` of another, with one vector load and store."""
    target[to : to + COPY_LANES] = source[at : at + COPY_LANES]


@helper
def copy_bytes(text: UInt8Array, start: int, end: int, to: int) -> None:
    """Copy the bytes between two offsets of a buffer to a later offset. Source and target must not overlap."""
    for i in range(end - start):
        text[to + i] = text[start + i]


def prefetch(numbers: AnyArray, at: int) -> None:
    """Prefetch the cache line of an item that will be needed soon, even beyond the end of the array."""


LINE_LANES: Final = 8
"""The numbers that `index_in_line` searches: a cache line of 64-bit numbers."""

MIN_LANES: Final = 16
"""The numbers that `min_of_lanes` looks at: a cache line of 32-bit numbers."""

BYTE_LANES: Final = 32
"""The bytes that `bytes_in_range` tests."""

FIELD_BITS: Final = 21
"""The lowest bits of a number that `index_in_line` ignores."""


def index_in_line(numbers: Int64Array, at: int, wanted: int) -> int:
    """Return which of the eight numbers at `at` is the first to equal `wanted`, ignoring its lowest FIELD_BITS.

    Return LINE_LANES if none does. The lowest FIELD_BITS of `wanted` are 0.
    """
    for i in range(LINE_LANES):
        if 0 <= numbers[at + i] - wanted < 1 << FIELD_BITS:
            return i
    return LINE_LANES


def min_of_lanes(numbers: Int32Array, at: int, count: int) -> int:
    """Return the minimum of the sixteen numbers at `at`, or of the first `count` if fewer; `count` is at least 1."""
    return min(numbers[at : at + min(count, MIN_LANES)])


def byte_range(first: str, last: str) -> int:
    """Return the range from one byte to another, inclusive, for `bytes_in_range`."""
    return ord(first) | ord(last) << 8


def bytes_in_range(text: UInt8Array, at: int, wanted: int) -> int:
    """Return a mask of which of the 32 bytes at `at` are in a range; the lowest bit is for the first byte."""
    first, last = wanted & 0xFF, wanted >> 8
    return sum((first <= text[at + i] <= last) << i for i in range(BYTE_LANES))
