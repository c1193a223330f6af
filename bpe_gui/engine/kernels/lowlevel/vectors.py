"""Ask one question about several numbers of an array at once, each answered by a few vector instructions.

All lanes have to be inside the array. With numba's bounds checking switched on, that is checked.
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
    """Return the index, from `at` on, of the first of eight numbers that equals `wanted` but for its lowest FIELD_BITS.

    Return LINE_LANES if none does. The lowest FIELD_BITS of `wanted` are 0.
    """
    for i in range(LINE_LANES):
        if 0 <= numbers[at + i] - wanted < 1 << FIELD_BITS:
            return i
    return LINE_LANES


def min_of_lanes(numbers: Int32Array, at: int, count: int) -> int:
    """Return the least of the first `count` of sixteen numbers from `at` on; `count` is at least 1, and may be more."""
    return min(numbers[at : at + min(count, MIN_LANES)])


def byte_range(first: str, last: str) -> int:
    """Return the range from one byte to another, both included, in the form that `bytes_in_range` takes."""
    return ord(first) | ord(last) << 8


def bytes_in_range(text: UInt8Array, at: int, wanted: int) -> int:
    """Return a mask of which of the 32 bytes from `at` on are in a range; the lowest bit is the first byte's."""
    first, last = wanted & 0xFF, wanted >> 8
    return sum((first <= text[at + i] <= last) << i for i in range(BYTE_LANES))
