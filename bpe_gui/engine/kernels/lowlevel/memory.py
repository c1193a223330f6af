"""Load, store, copy and prefetch several bytes at once; all other memory access is item by item.

Buffers for such loads are padded: `PADDING` bytes follow the content, so that no load reads beyond the end. numba's
bounds checking, if switched on, checks this.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.runtime.types import AnyArray, Int32Array, UInt8Array

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
