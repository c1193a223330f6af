"""Words that were encoded before, with their symbols: a hash table in which most words are one line of memory.

A slot has the key of a word, and its symbols: up to three of them in the slot itself, with their number; else that is
0, and there is the place where they lie in a row of all others, after the word's place in the text and their number.
"""

from typing import Final, NamedTuple

from .compiling import inlined
from .records import SYMBOL_BITS, SYMBOL_MASK, Bytes, Ints, Longs
from .word_keys import BATCH, HIGH, LOW, WIDTH, Batch, is_same

_TWO, _THIRD = 2, 3

_IN_SLOT: Final = 3  # symbols
_LONGEST: Final = 128  # bytes of a word that is kept
_TEXT_ROOM: Final = BATCH * _LONGEST  # more than a batch brings
_HEAD: Final = 2  # numbers before the symbols of a word

# What stands in `WordCache.state`.
WORDS, TEXT, SYMBOLS = range(3)
"""How many words there are, bytes of text, and numbers in the row of symbols."""


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
    """Whether a batch of new words has room, and leaves a third of the slots empty."""
    state = cache.state
    return (
        3 * WIDTH * (state[WORDS] + BATCH) <= 2 * len(cache.slots)
        and state[TEXT] + _TEXT_ROOM <= len(cache.text)
        and state[SYMBOLS] + 2 * _TEXT_ROOM <= len(cache.symbols)
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
            and (high > 0 or is_same(text, begin, -high, cache.text, cache.symbols[slots[slot + _TWO]]))
        ):
            return slot
        slot = (slot + WIDTH) & (len(slots) - 1)
    return slot


@inlined
def is_empty(slots: Longs, slot: int) -> bool:
    """Whether there is no word in a slot."""
    return slots[slot + HIGH] == 0


@inlined
def write_symbols(slots: Longs, symbols: Ints, slot: int, out: Ints, made: int) -> int:
    """Write the symbols of the word in a slot. Returns how many there are then. There is room for three."""
    two, third = slots[slot + _TWO], slots[slot + _THIRD]
    count = third >> SYMBOL_BITS
    if count > 0:
        out[made] = two & SYMBOL_MASK
        out[made + 1] = two >> SYMBOL_BITS
        out[made + 2] = third & SYMBOL_MASK
        return made + count
    count = symbols[two + 1]
    for i in range(count):
        out[made + i] = symbols[two + _HEAD + i]
    return made + count


@inlined
def keep_word(cache: WordCache, text: Bytes, batch: Batch, word: int, slot: int, found: Ints, count: int) -> None:
    """Keep the symbols of a word of a batch in an empty slot, unless it is very long."""
    begin, end = batch.begins[word], batch.begins[word + 1]
    if end - begin > _LONGEST:
        return
    slots, state = cache.slots, cache.state
    high = batch.highs[word]
    slots[slot + LOW], slots[slot + HIGH] = batch.lows[word], high
    state[WORDS] += 1
    if high > 0 and count <= _IN_SLOT:
        second = found[1] if count > 1 else 0
        third = found[2] if count > 2 else 0
        slots[slot + _TWO] = (second << SYMBOL_BITS) | found[0]
        slots[slot + _THIRD] = (count << SYMBOL_BITS) | third
        return
    at = state[SYMBOLS]
    slots[slot + _TWO], slots[slot + _THIRD] = at, 0
    cache.symbols[at], cache.symbols[at + 1] = state[TEXT], count
    for i in range(count):
        cache.symbols[at + _HEAD + i] = found[i]
    state[SYMBOLS] = at + _HEAD + count
    if high < 0:
        for i in range(end - begin):
            cache.text[state[TEXT] + i] = text[begin + i]
        state[TEXT] += end - begin
