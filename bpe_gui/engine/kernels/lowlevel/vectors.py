"""Test several numbers of an array at once with a few vector instructions.

All lanes must be inside the array. numba's bounds checking, if switched on, checks this.
"""

from typing import Final

from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

LINE_LANES: Final = 8
"""The numbers that `index_in_line` searches: a cache line of 64-bit numbers."""

MIN_LANES: Final = 16
"""The numbers that `min_of_lanes` looks at: a cache line of 32-bit numbers."""

BYTE_LANES: Final = 32
"""The bytes that `bytes_in_range` tests."""

FIELD_BITS: Final = 21
"""The lowest bits of a number that `index_in_line` ignores."""


def index_in_line(numbers: Int64Array, at: int, wanted: int) -> int:
    """Return which of eight numbers from `at` on is the first to equal `wanted`, ignoring its lowest FIELD_BITS.

    Return LINE_LANES if none does. The lowest FIELD_BITS of `wanted` are 0.
    """
    for i in range(LINE_LANES):
        if 0 <= numbers[at + i] - wanted < 1 << FIELD_BITS:
            return i
    return LINE_LANES


def min_of_lanes(numbers: Int32Array, at: int, count: int) -> int:
    """Return the minimum of sixteen numbers from `at` on, or of the first `count` if fewer; `count` is at least 1."""
    return min(numbers[at : at + min(count, MIN_LANES)])


def byte_range(first: str, last: str) -> int:
    """Return the range from one byte to another, inclusive, for `bytes_in_range`."""
    return ord(first) | ord(last) << 8


def bytes_in_range(text: UInt8Array, at: int, wanted: int) -> int:
    """Return a mask of which of the 32 bytes from `at` on are in a range; the lowest bit is for the first byte."""
    first, last = wanted & 0xFF, wanted >> 8
    return sum((first <= text[at + i] <= last) << i for i in range(BYTE_LANES))
