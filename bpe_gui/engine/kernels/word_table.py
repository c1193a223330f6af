"""The unique words: a hash table in which a word is found, and counted, by looking at one line of memory.

A slot has four numbers: two for the word, its count, and its rank in first-seen order. A word of up to 15 bytes is in
its slot itself, with its size; of a longer one there is a hash, and its bytes are compared where all words lie one
after another. Slots are taken by open addressing with linear probing.

Words come in batches: first the keys of all, then their slots, so that waiting for the memory of one does not keep the
others from theirs.
"""

from typing import Final, NamedTuple

from .bits import multiply, prefetch
from .boundaries import STRETCH
from .compiling import helper, kernel
from .memory import load8
from .records import Bytes, Longs

BATCH: Final = STRETCH
"""Words that are looked up together, at most."""

WIDTH: Final = 4
"""Numbers in a slot."""

_LOW, _HIGH, _COUNT, _RANK = range(WIDTH)

WORDS: Final = 0
"""In `WordTable.state`: how many words there are."""

_IN_SLOT: Final = 15  # bytes; the sixteenth has the size, so that no word has a 0 for its second number
_SPREAD: Final = 0x1E37_79B9_7F4A_7C15
_SPREAD_HIGH: Final = 0x5851_F42D_4C95_7F2D


class WordTable(NamedTuple):
    """Unique words with their counts; room for more."""

    slots: Longs
    """The slots, one after another; their number is a power of two."""
    text: Bytes
    """The words in first-seen order."""
    starts: Longs
    """Where in `text` each begins; those of the next follow."""
    state: Longs


class Batch(NamedTuple):
    """The words that are looked up next."""

    begins: Longs
    """Where they begin in the text they come from; those of the next follow."""
    lows: Longs
    highs: Longs
    slots: Longs
    """Where in the slots to look first."""
    amounts: Longs
    """What to add to their counts."""


@helper
def has_room(table: WordTable) -> bool:
    """Whether a batch of new words has room, and leaves a quarter of the slots empty."""
    words = table.state[WORDS] + BATCH
    return words < len(table.starts) and 4 * WIDTH * words <= 3 * len(table.slots)


@helper
def enter(table: WordTable, text: Bytes, batch: Batch, size: int) -> None:
    """Count the words that `begins` tells of."""
    slots = table.slots
    _note_keys(slots, text, batch, size)
    for i in range(size):
        low, high = batch.lows[i], batch.highs[i]
        slot = batch.slots[i]
        if slots[slot + _LOW] != low or slots[slot + _HIGH] != high or high < 0:
            slot = _find_or_add(table, text, batch.begins[i], batch.begins[i + 1], low, high, slot)
        slots[slot + _COUNT] += batch.amounts[i]


@helper
def _note_keys(slots: Longs, text: Bytes, batch: Batch, size: int) -> None:
    shift = _shift_of(len(slots))
    for i in range(size):
        begin = batch.begins[i]
        low, high = _key_of(text, begin, batch.begins[i + 1] - begin)
        slot = _first_slot(low, high, shift)
        batch.lows[i], batch.highs[i], batch.slots[i] = low, high, slot
        prefetch(slots, slot)


@helper
def _key_of(text: Bytes, at: int, size: int) -> tuple[int, int]:
    """Two numbers that tell a word from others: the second is negative if there may be others with the same."""
    if size > _IN_SLOT:
        return _hash_of(text, at, size), -size
    # No other question is asked: the processor guesses wrongly too often which words have more than eight bytes.
    low_bits, high_bits = 8 * min(size, 8), 8 * max(size - 8, 0)
    low = load8(text, at) & (-1 if low_bits == 64 else (1 << low_bits) - 1)
    return low, (load8(text, at + 8) & ((1 << high_bits) - 1)) | (size << 56)


@helper
def _hash_of(text: Bytes, at: int, size: int) -> int:
    hashed = load8(text, at + size - 8)
    for place in range(at, at + size - 8, 8):
        hashed = _mixed(load8(text, place), hashed)
    return hashed


@helper
def _find_or_add(table: WordTable, text: Bytes, begin: int, end: int, low: int, high: int, slot: int) -> int:
    """The slot of a word, which is added if it is new; `slot` is where to look first."""
    slots = table.slots
    while slots[slot + _HIGH] != 0:
        if (
            slots[slot + _LOW] == low
            and slots[slot + _HIGH] == high
            and (high > 0 or _is_same(text, begin, end - begin, table, slots[slot + _RANK]))
        ):
            return slot
        slot = (slot + WIDTH) & (len(slots) - 1)
    slots[slot + _LOW], slots[slot + _HIGH] = low, high
    slots[slot + _RANK] = _add(table, text, begin, end)
    return slot


@helper
def _shift_of(numbers: int) -> int:
    """By how much a hash of 63 bits is to be shifted to be the number of a slot."""
    shift = 63
    while numbers > WIDTH:
        numbers >>= 1
        shift -= 1
    return shift


@helper
def _first_slot(low: int, high: int, shift: int) -> int:
    """Where to look for a word first. The upper bits of a product depend on all bits of its factors."""
    return (_mixed(low, high) >> shift) * WIDTH


@helper
def _mixed(low: int, high: int) -> int:
    """A hash of 63 bits, of which the upper ones are the better."""
    product = multiply(low ^ multiply(high, _SPREAD_HIGH), _SPREAD)
    return multiply(product ^ (product >> 32), _SPREAD)


@helper
def _is_same(text: Bytes, at: int, size: int, table: WordTable, rank: int) -> bool:
    begin = table.starts[rank]
    for i in range(size):  # noqa: SIM110  # no kernel has generators
        if text[at + i] != table.text[begin + i]:
            return False
    return True


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
def move_slots(old: Longs, new: Longs) -> None:
    """Put all words into larger slots, which are empty."""
    last = len(new) - 1
    shift = _shift_of(len(new))
    for place in range(0, len(old), WIDTH):
        if old[place + _HIGH] != 0:
            slot = _first_slot(old[place + _LOW], old[place + _HIGH], shift)
            while new[slot + _HIGH] != 0:
                slot = (slot + WIDTH) & last
            for i in range(WIDTH):
                new[slot + i] = old[place + i]


@kernel
def note_frequencies(slots: Longs, frequencies: Longs) -> None:
    """Write down the counts in first-seen order."""
    for place in range(0, len(slots), WIDTH):
        if slots[place + _HIGH] != 0:
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
