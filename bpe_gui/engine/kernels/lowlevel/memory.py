"""Load, store, copy and prefetch several bytes at once; all other memory access is item by item.

A buffer that is loaded from in this way is padded: `PADDING` bytes follow the last byte of its content, so that no load
reads beyond its end. With numba's bounds checking switched on, that is checked.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.runtime.types import AnyArray, Int32Array, UInt8Array

from .packing import SYMBOL_BITS, SYMBOL_MASK

PADDING: Final = 32
"""Bytes that have to follow the content of a buffer from which several bytes are loaded at once."""

COPY_LANES: Final = 8
"""The numbers that `copy8` copies."""


def load8(buffer: AnyArray, at: int) -> int:
    """Return the eight bytes from offset `at` on as a signed little-endian number, by one unaligned load."""
    return int.from_bytes(buffer[at : at + 8], "little", signed=True)


def store8(buffer: AnyArray, at: int, value: int) -> None:
    """Store eight bytes that `load8` returned at offset `at`, by one unaligned store."""
    buffer[at : at + 8] = value.to_bytes(8, "little", signed=True)


def store_packed_pair(numbers: Int32Array, at: int, pair: int) -> None:
    """Store the lower half of `pair` at index `at` and the upper half after it, neither of which is negative."""
    numbers[at], numbers[at + 1] = pair & SYMBOL_MASK, pair >> SYMBOL_BITS


def copy8(source: Int32Array, at: int, target: Int32Array, to: int) -> None:
    """Copy eight numbers from index `at` of an array to index `to` of another, by one vector load and store."""
    target[to : to + COPY_LANES] = source[at : at + COPY_LANES]


@helper
def copy_bytes(text: UInt8Array, start: int, end: int, to: int) -> None:
    """Copy the bytes between two offsets of a buffer to a later offset; source and target do not overlap."""
    for i in range(end - start):
        text[to + i] = text[start + i]


def prefetch(numbers: AnyArray, at: int) -> None:
    """Have the processor fetch the cache line of an item that will be needed soon, even beyond the end of the array."""
