"""Count words in a hash table whose slots hold short words themselves.

A slot has the key of a word (see `word_keys`), its count, and its index in first-seen order. The bytes of all words lie
one after another in that order; only those of words longer than 15 bytes are ever compared. Each word also has the
position in the corpus at which it was first seen.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.compilation.record import Record
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array

from .word_keys import BATCH, HIGH, LOW, WIDTH, LookupBatch, compute_keys, is_same

_COUNT, _INDEX = 2, 3  # offsets in a slot

WORDS: Final = 0
"""Index into `WordTable.state`: the number of words."""

ORIGIN: Final = 1
"""Index into `WordTable.state`: the position in the corpus of the beginning of the text that is counted."""

LATEST: Final = 1 << 62
"""An origin after all positions: each word that is added then takes the position that is given for it."""


class WordTable(Record):
    """Unique words with their counts, with spare capacity."""

    slots: Int64Array
    text: UInt8Array
    """The bytes of the words in first-seen order."""
    starts: Int64Array
    """By word: its offset in `text`; and once more, the end of the last word."""
    positions: Int64Array
    """By word: the position in the corpus, in bytes of UTF-8, at which it was first seen."""
    state: Int64Array


@helper
def table_has_capacity(table: WordTable) -> bool:
    """Return whether a batch of new words fits and leaves the load factor at three quarters or less."""
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


@helper
def _find_or_add(table: WordTable, text: UInt8Array, start: int, end: int, low: int, high: int, slot: int) -> int:
    """Return the slot of a word, which is added if it is new, probing from `slot` on."""
    slots = table.slots
    while slots[slot + HIGH] != 0:
        if (
            slots[slot + LOW] == low
            and slots[slot + HIGH] == high
            and (high > 0 or is_same(text, start, end - start, table.text, table.starts[slots[slot + _INDEX]]))
        ):
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
    """Add words that another table has counted, from word `first` on. Return the first word that did not fit.

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
