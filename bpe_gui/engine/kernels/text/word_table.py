"""The unique words: a hash table in which a word is found, and counted, by looking at one line of memory.

A slot has four numbers: two for the word, its count, and its rank in first-seen order. A word of up to 15 bytes is in
its slot itself, with its size; of a longer one there is a hash, and its bytes are compared where all words lie one
after another. Slots are taken by open addressing with linear probing.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.records import Bytes, Longs
from bpe_gui.engine.kernels.text.word_keys import BATCH, HIGH, LOW, WIDTH, Batch, is_same, note_keys

_COUNT, _RANK = 2, 3

WORDS: Final = 0
"""In `WordTable.state`: how many words there are."""


class WordTable(NamedTuple):
    """Unique words with their counts; room for more."""

    slots: Longs
    """The slots, one after another; their number is a power of two."""
    text: Bytes
    """The words in first-seen order."""
    starts: Longs
    """Where in `text` each begins; those of the next follow."""
    state: Longs


@helper
def has_room(table: WordTable) -> bool:
    """Whether a batch of new words has room, and leaves a quarter of the slots empty."""
    words = table.state[WORDS] + BATCH
    return words < len(table.starts) and 4 * WIDTH * words <= 3 * len(table.slots)


@helper
def enter(table: WordTable, text: Bytes, batch: Batch, size: int) -> None:
    """Count the words that `begins` tells of."""
    slots = table.slots
    note_keys(slots, text, batch, size)
    for i in range(size):
        low, high = batch.lows[i], batch.highs[i]
        slot = batch.slots[i]
        if slots[slot + LOW] != low or slots[slot + HIGH] != high or high < 0:
            slot = _find_or_add(table, text, batch.begins[i], batch.begins[i + 1], low, high, slot)
        slots[slot + _COUNT] += batch.amounts[i]


@helper
def _find_or_add(table: WordTable, text: Bytes, begin: int, end: int, low: int, high: int, slot: int) -> int:
    """The slot of a word, which is added if it is new; `slot` is where to look first."""
    slots = table.slots
    while slots[slot + HIGH] != 0:
        if (
            slots[slot + LOW] == low
            and slots[slot + HIGH] == high
            and (high > 0 or is_same(text, begin, end - begin, table.text, table.starts[slots[slot + _RANK]]))
        ):
            return slot
        slot = (slot + WIDTH) & (len(slots) - 1)
    slots[slot + LOW], slots[slot + HIGH] = low, high
    slots[slot + _RANK] = _add(table, text, begin, end)
    return slot


@helper
def _add(table: WordTable, text: Bytes, begin: int, end: int) -> int:
    rank = table.state[WORDS]
    top = table.starts[rank]
    for i in range(end - begin):
        table.text[top + i] = text[begin + i]
    table.starts[rank + 1] = top + end - begin
    table.state[WORDS] = rank + 1
    return rank


@kernel
def note_frequencies(slots: Longs, frequencies: Longs) -> None:
    """Write down the counts in first-seen order."""
    for place in range(0, len(slots), WIDTH):
        if slots[place + HIGH] != 0:
            frequencies[slots[place + _RANK]] = slots[place + _COUNT]


@kernel
def add_words(table: WordTable, batch: Batch, text: Bytes, starts: Longs, frequencies: Longs, first: int) -> int:
    """Add words that were counted elsewhere, from `first` on. Returns the first for which there was no room."""
    words = len(frequencies)
    while first < words and has_room(table):
        size = min(BATCH, words - first)
        for i in range(size):
            batch.begins[i] = starts[first + i]
            batch.amounts[i] = frequencies[first + i]
        batch.begins[size] = starts[first + size]
        enter(table, text, batch, size)
        first += size
    return first
