"""Words that were encoded before, with their symbols: a hash table in which most words are one line of memory.

A slot has the key of a word, and its symbols: up to three of them in the slot itself, with their number; else that is
0, and there is the place where they lie in a row of all others, and of a long word where its text is. In the row, how
many there are, and how many of them stand for what has none, come before them. The row begins with no symbols: those of
a word that is being merged.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.jit import inlined
from bpe_gui.engine.kernels.lowlevel.memory import copy_eight, store_two
from bpe_gui.engine.kernels.encoding.pending_words import LONGEST, MOST_WORDS
from bpe_gui.engine.kernels.training.records import SYMBOL_BITS, Bytes, Ints, Longs
from bpe_gui.engine.kernels.lowlevel.vectors import EIGHT
from bpe_gui.engine.kernels.text.word_keys import BATCH, HIGH, LOW, WIDTH, Batch, is_same

_TWO, _THIRD = 2, 3

_IN_SLOT: Final = 3  # symbols
MOST_SYMBOLS_OF_BATCH: Final = BATCH * (LONGEST + 1)
"""Symbols of the words that are kept of a batch, at most."""
_NEW_ROOM: Final = (BATCH + MOST_WORDS) * (LONGEST + 1)  # those, and those of new words that wait from before
_HEAD: Final = 2  # numbers before the symbols of a word in the row

# What stands in `WordCache.state`.
WORDS, TEXT, SYMBOLS, MOST = range(4)
"""How many words there are, bytes of text, numbers in the row of symbols; and how many words there may be."""

NO_WORDS: Final = 0, 0, _HEAD
"""The first three, where there are none."""

_UNMERGED: Final = 0  # the place in the row


class WordCache(NamedTuple):
    """Encoded words; room for more."""

    slots: Longs
    text: Bytes
    """The words that have more than 15 bytes."""
    symbols: Ints
    """Those of the words that have no room in a slot."""
    state: Longs


@inlined
def has_room_for_batch(cache: WordCache) -> bool:
    """Whether a batch of new words has room."""
    state = cache.state
    return (
        state[WORDS] + BATCH <= state[MOST]
        and state[TEXT] + MOST_SYMBOLS_OF_BATCH <= len(cache.text)
        and state[SYMBOLS] + 2 * _NEW_ROOM + EIGHT <= len(cache.symbols)
    )


@inlined
def is_found(slots: Longs, slot: int, low: int, high: int) -> bool:
    """Whether a slot has the word with this key, and no other word can have it."""
    return slots[slot + LOW] == low and slots[slot + HIGH] == high and high > 0


@inlined
def find_word(cache: WordCache, text: Bytes, batch: Batch, word: int) -> int:
    """The slot of a word of a batch, or the empty one where it belongs."""
    slots, begin = cache.slots, batch.begins[word]
    low, high, slot = batch.lows[word], batch.highs[word], batch.slots[word]
    while slots[slot + HIGH] != 0:
        if (
            slots[slot + LOW] == low
            and slots[slot + HIGH] == high
            and (high > 0 or is_same(text, begin, -high, cache.text, slots[slot + _THIRD]))
        ):
            return slot
        slot = (slot + WIDTH) & (len(slots) - 1)
    return slot


@inlined
def is_empty(slots: Longs, slot: int) -> bool:
    """Whether there is no word in a slot."""
    return slots[slot + HIGH] == 0


@inlined
def is_unmerged(slots: Longs, slot: int) -> bool:
    """Whether a word whose symbols are not in its slot has none yet."""
    return slots[slot + _TWO] == _UNMERGED


@inlined
def are_in_slot(slots: Longs, slot: int) -> bool:
    """Whether the symbols of a word are in its slot."""
    return slots[slot + _THIRD] >> SYMBOL_BITS > 0


@inlined
def copy_from_slot(slots: Longs, slot: int, out: Ints, made: int) -> int:
    """Write the symbols of the word in a slot. Returns how many there are then. There is room for four."""
    third = slots[slot + _THIRD]
    store_two(out, made, slots[slot + _TWO])
    store_two(out, made + 2, third)
    return made + (third >> SYMBOL_BITS)


@inlined
def copy_from_row(cache: WordCache, slot: int, out: Ints, made: int) -> tuple[int, int]:
    """The same where they are in the row, with room for seven more.

    Returns as well how many of them stand for what has none.
    """
    row = cache.symbols
    at = cache.slots[slot + _TWO]
    count = row[at]
    for i in range(0, count, EIGHT):
        copy_eight(row, at + _HEAD + i, out, made + i)
    return made + count, row[at + 1]


@inlined
def add_key(cache: WordCache, text: Bytes, batch: Batch, word: int, slot: int) -> None:
    """Put a word of a batch, which is not too long, into an empty slot. Its symbols are to follow."""
    slots, state = cache.slots, cache.state
    high = batch.highs[word]
    slots[slot + LOW], slots[slot + HIGH] = batch.lows[word], high
    slots[slot + _TWO], slots[slot + _THIRD] = _UNMERGED, 0
    state[WORDS] += 1
    if high < 0:
        begin, place = batch.begins[word], state[TEXT]
        for i in range(-high):
            cache.text[place + i] = text[begin + i]
        slots[slot + _THIRD] = place
        state[TEXT] = place - high


@inlined
def keep_symbols(cache: WordCache, slot: int, symbols: Ints, first: int, count: int, unknowns: int) -> None:
    """Keep the symbols of the word in a slot, which are `count` from `first` on, some of which stand for none."""
    slots, state = cache.slots, cache.state
    if slots[slot + HIGH] > 0 and count <= _IN_SLOT and unknowns == 0:
        second = symbols[first + 1] if count > 1 else 0
        third = symbols[first + 2] if count > 2 else 0
        slots[slot + _TWO] = (second << SYMBOL_BITS) | symbols[first]
        slots[slot + _THIRD] = (count << SYMBOL_BITS) | third
        return
    at = state[SYMBOLS]
    slots[slot + _TWO] = at
    cache.symbols[at], cache.symbols[at + 1] = count, unknowns
    for i in range(0, count, EIGHT):
        copy_eight(symbols, first + i, cache.symbols, at + _HEAD + i)
    state[SYMBOLS] = at + _HEAD + count
