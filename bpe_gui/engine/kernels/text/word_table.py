"""Compute the keys and home slots of words in the hash tables that count and cache them.

A slot has four 64-bit numbers; the first two are the key. The key of a word of up to 15 bytes is the word itself with
its size. The key of a longer word is a hash and the size, so its bytes have to be compared. Slots are found by open
addressing with linear probing. A home slot is the first of two that share a cache line, so most lookups touch one line.

Words are looked up in batches: first, all keys are computed and their slots prefetched; then the slots are read. So
cache misses overlap.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import folded_product, load8, prefetch
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

from .gpt2_word_starts import STRETCH

WIDTH: Final = 4
"""Numbers in a slot. The number of slots in a table is a power of two."""

LOW, HIGH = 0, 1
"""Offsets of the key in a slot. The second number is 0 in an empty slot."""

BATCH: Final = STRETCH
"""The most words to look up together."""

_MAX_INLINE_BYTES: Final = 15  # bytes; the sixteenth holds the size, so that the second number of a key is never 0
# Arbitrary constants with about half their bits set.
_LOW_SECRET: Final = 0x2D35_8DCC_AA6C_78A5
_HIGH_SECRET: Final = 0x0BB6_7AE8_584C_AA73

NEXT, SIZE = range(2)
"""Indices into `LookupBatch.state`."""


class LookupBatch(Record):
    """Words that are looked up together."""

    starts: Int64Array
    """The offset of each word in the text."""
    ends: Int64Array
    lows: Int64Array
    highs: Int64Array
    slots: Int64Array
    """The offset of each word's home slot."""
    counts: Int64Array
    """The number to add to the count of each word, when counting."""
    state: Int64Array
    """The first word that has yet to be encoded, and the number of words."""


@helper
def compute_keys(slots: Int64Array, text: UInt8Array, batch: LookupBatch, size: int) -> None:
    """Compute the keys and home slots of the first `size` words of a batch, and prefetch the slots."""
    for i in range(size):
        start = batch.starts[i]
        low, high = word_key(text, start, batch.ends[i] - start)
        slot = home_slot(low, high, slots)
        batch.lows[i], batch.highs[i], batch.slots[i] = low, high, slot
        prefetch(slots, slot)


@helper
def word_key(text: UInt8Array, at: int, size: int) -> tuple[int, int]:
    """Return the key of a word: two numbers, the second of which is negative if other words may have the same key."""
    if size > _MAX_INLINE_BYTES:
        return _hash_of(text, at, size), -size
    # Branch-free from here on: a branch on whether a word has more than eight bytes is mispredicted too often.
    low_bits, high_bits = 8 * min(size, 8), 8 * max(size - 8, 0)
    low = load8(text, at) & (-1 if low_bits == 64 else (1 << low_bits) - 1)
    return low, (load8(text, at + 8) & ((1 << high_bits) - 1)) | (size << 56)


@helper
def _hash_of(text: UInt8Array, at: int, size: int) -> int:
    hashed, last = 0, at + size - 16
    for offset in range(at, last, 16):
        hashed = mix(load8(text, offset) ^ hashed, load8(text, offset + 8))
    return mix(load8(text, last) ^ hashed, load8(text, last + 8))


@helper
def home_slot(low: int, high: int, slots: Int64Array) -> int:
    """Return the offset of the slot at which probing for a key begins: the first of the two in a cache line."""
    return mix(low, high) & (len(slots) - 2 * WIDTH)


@helper
def mix(low: int, high: int) -> int:
    """Return a hash of two numbers with 63 well-mixed bits."""
    return folded_product(low ^ _LOW_SECRET, high ^ _HIGH_SECRET)


@helper
def is_same(text: UInt8Array, at: int, size: int, other: UInt8Array, start: int) -> bool:
    """Return whether `size` bytes, at least eight, are the same at two offsets."""
    last = size - 8
    difference = load8(text, at + last) ^ load8(other, start + last)
    for i in range(0, last, 8):
        difference |= load8(text, at + i) ^ load8(other, start + i)
    return difference == 0


@kernel
def move_slots(old: Int64Array, new: Int64Array) -> None:
    """Rehash all words into a larger, empty table."""
    last = len(new) - 1
    for old_slot in range(0, len(old), WIDTH):
        if old[old_slot + HIGH] != 0:
            slot = home_slot(old[old_slot + LOW], old[old_slot + HIGH], new)
            while new[slot + HIGH] != 0:
                slot = (slot + WIDTH) & last
            for i in range(WIDTH):
                new[slot + i] = old[old_slot + i]


_COUNT, _INDEX = 2, 3  # offsets in a slot

WORDS: Final = 0
"""Index into `WordTable.state`: the number of words."""

ORIGIN: Final = 1
"""Index into `WordTable.state`: the position in the corpus where the counted text begins."""

LATEST: Final = 1 << 62
"""An origin after all positions, so that each added word takes the position given for it."""


class WordTable(Record):
    """Unique words with their counts, with spare capacity."""

    slots: Int64Array
    text: UInt8Array
    """The bytes of the words in first-seen order."""
    starts: Int64Array
    """The offset of each word in `text`, followed by the end of the last word."""
    positions: Int64Array
    """The position in the corpus, in bytes of UTF-8, at which each word was first seen."""
    state: Int64Array


@helper
def table_has_capacity(table: WordTable) -> bool:
    """Return whether a batch of new words fits with a load factor of at most three quarters."""
    words = table.state[WORDS] + BATCH
    return words < len(table.starts) and 4 * WIDTH * words <= 3 * len(table.slots)


@helper
def count_batch(table: WordTable, text: UInt8Array, batch: LookupBatch, size: int) -> None:
    """Add the counts of the first `size` words of a batch."""
    slots = table.slots
    compute_keys(slots, text, batch, size)
    for i in range(size):
        low, high = batch.lows[i], batch.highs[i]
        slot = batch.slots[i]
        if slots[slot + LOW] != low or slots[slot + HIGH] != high or high < 0:
            slot = _find_or_add(table, text, batch.starts[i], batch.ends[i], low, high, slot)
            batch.slots[i] = slot
        slots[slot + _COUNT] += batch.counts[i]


class FoundWords(Record):
    """The words of a text, with capacity for all."""

    starts: Int64Array
    """The offset of each word in the text."""
    ends: Int64Array
    numbers: Int64Array
    """The number of each word in a table, or -1 if it is not there."""
    state: Int64Array
    """How many words there are."""


@helper
def find_batch(table: WordTable, text: UInt8Array, batch: LookupBatch, size: int, found: FoundWords) -> None:
    """Append the first `size` words of a batch to the found ones."""
    slots, count = table.slots, found.state[0]
    compute_keys(slots, text, batch, size)
    for i in range(size):
        start, end, low, high, slot = batch.starts[i], batch.ends[i], batch.lows[i], batch.highs[i], batch.slots[i]
        while slots[slot + HIGH] != 0 and not _is_word(table, text, start, end, low, high, slot):
            slot = (slot + WIDTH) & (len(slots) - 1)
        found.starts[count + i], found.ends[count + i] = start, end
        found.numbers[count + i] = slots[slot + _INDEX] if slots[slot + HIGH] != 0 else -1
    found.state[0] = count + size


@helper
def _is_word(table: WordTable, text: UInt8Array, start: int, end: int, low: int, high: int, slot: int) -> bool:
    """Return whether a slot has a word, whose key is `low` and `high`."""
    if table.slots[slot + LOW] != low or table.slots[slot + HIGH] != high:
        return False
    return high > 0 or is_same(text, start, end - start, table.text, table.starts[table.slots[slot + _INDEX]])


@helper
def _find_or_add(table: WordTable, text: UInt8Array, start: int, end: int, low: int, high: int, slot: int) -> int:
    """Return the slot of a word, adding it if it is new, by probing from `slot`."""
    slots = table.slots
    while slots[slot + HIGH] != 0:
        if _is_word(table, text, start, end, low, high, slot):
            return slot
        slot = (slot + WIDTH) & (len(slots) - 1)
    slots[slot + LOW], slots[slot + HIGH] = low, high
    slots[slot + _INDEX] = _append_word(table, text, start, end)
    return slot


@helper
def _append_word(table: WordTable, text: UInt8Array, start: int, end: int) -> int:
    """Append the bytes of a new word. Return its index."""
    index = table.state[WORDS]
    offset = table.starts[index]
    for i in range(end - start):
        table.text[offset + i] = text[start + i]
    table.starts[index + 1] = offset + end - start
    table.positions[index] = table.state[ORIGIN] + start
    table.state[WORDS] = index + 1
    return index


@kernel
def write_frequencies(slots: Int64Array, frequencies: Int64Array) -> None:
    """Write the counts of all words to `frequencies`, in first-seen order."""
    for slot in range(0, len(slots), WIDTH):
        if slots[slot + HIGH] != 0:
            frequencies[slots[slot + _INDEX]] = slots[slot + _COUNT]


@kernel
def add_words(
    table: WordTable,
    batch: LookupBatch,
    text: UInt8Array,
    starts: Int64Array,
    frequencies: Int64Array,
    positions: Int64Array,
    first: int,
) -> int:
    """Add words that another table has counted, from word `first`. Return the first word that did not fit.

    A word is first seen at the lowest of its positions. The origin is `LATEST`.
    """
    words = len(frequencies)
    while first < words and table_has_capacity(table):
        size = min(BATCH, words - first)
        for i in range(size):
            batch.starts[i], batch.ends[i] = starts[first + i], starts[first + i + 1]
            batch.counts[i] = frequencies[first + i]
        count_batch(table, text, batch, size)
        for i in range(size):
            index = table.slots[batch.slots[i] + _INDEX]
            table.positions[index] = min(table.positions[index], positions[first + i])
        first += size
    return first


@kernel
def hash_words(text: UInt8Array, starts: Int64Array, hashes: Int64Array) -> None:
    """Write a hash of each word to `hashes`: 63 well-mixed bits, never negative. `text` is padded."""
    for i in range(len(hashes)):
        low, high = word_key(text, starts[i], starts[i + 1] - starts[i])
        hashes[i] = mix(low, high)


@kernel
def gather_words(
    text: UInt8Array, starts: Int64Array, order: Int64Array, gathered: UInt8Array, gathered_starts: Int64Array
) -> None:
    """Copy the words with the numbers in `order`, concatenated, and write where each starts and the last ends."""
    at = 0
    gathered_starts[0] = 0
    for i in range(len(order)):
        start = starts[order[i]]
        size = starts[order[i] + 1] - start
        for j in range(size):
            gathered[at + j] = text[start + j]
        at += size
        gathered_starts[i + 1] = at
