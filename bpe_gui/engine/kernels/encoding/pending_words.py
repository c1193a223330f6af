"""New words, merged side by side.

A step of merging a word waits for the one before it: for what the pair made, and for its new neighbours in the table.
So all new words of a batch take turns, a step each, and the processor waits for many at once. As with the table, a
step asks nothing of which the answer cannot be foreseen.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.jit import helper, inlined
from bpe_gui.engine.kernels.encoding.merge_table import PairTable, fetch_pair, number_at_first, number_of, rank_of
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.lowlevel.vectors import SIXTEEN, least_of_sixteen

MOST_WORDS: Final = 64

LONGEST: Final = 125
"""Bytes of a word, at most. It may have a symbol more, for a marker."""

ROOM: Final = MOST_WORDS * (LONGEST + 2) + 1 + SIXTEEN
"""Symbols for which there must be room."""

_PLACE_BITS: Final = 7
_PLACE_MASK: Final = (1 << _PLACE_BITS) - 1
_NO_RANK: Final = (1 << (31 - _PLACE_BITS)) - 1
_NOTHING: Final = _NO_RANK << _PLACE_BITS
_END: Final = 0x7FFF_FFFF  # is no symbol, and merges with none

# What stands in `NewWords.state`.
COUNT, FILLED = range(2)
"""How many words there are, and where the symbol is that ends the last."""


class NewWords(NamedTuple):
    """Words that are being merged. Their symbols lie one after another, an `_END` before each and after the last."""

    symbols: Ints
    """Where two symbols have merged, the new one is in the place of the left one."""
    previous: Ints
    """By symbol: where the one before it is."""
    following: Ints
    orders: Ints
    """By symbol: in which order it merges with the next: the rank, and in the lower bits its place in its word."""
    pairs: Ints
    """By symbol: the number of the pair that it is with the next, or 0."""
    bases: Longs
    """By word: where the `_END` before it is."""
    sizes: Longs
    """By word: how many symbols it had at first."""
    firsts: Longs
    """By word: the least of its orders."""
    slots: Longs
    """By word: for the caller."""
    active: Longs
    """The words that still merge."""
    state: Longs


@inlined
def is_short(length: int, limit: int) -> bool:
    """Whether words of so many bytes can be here."""
    return length <= LONGEST and limit <= _NO_RANK


@inlined
def is_full(words: NewWords) -> bool:
    """Whether there is no room for another word."""
    return words.state[COUNT] == MOST_WORDS


@inlined
def clear(words: NewWords) -> None:
    """Forget all words."""
    words.state[COUNT] = words.state[FILLED] = 0
    words.symbols[0] = _END


@inlined
def room_for_word(words: NewWords) -> int:
    """Where the symbols of another word are to be written."""
    return words.state[FILLED] + 1


@inlined
def add_word(words: NewWords, end: int, slot: int) -> None:
    """Add the word whose symbols were written, up to `end`."""
    word, base = words.state[COUNT], words.state[FILLED]
    words.bases[word], words.sizes[word], words.slots[word] = base, end - base - 1, slot
    words.symbols[end] = _END
    words.state[COUNT], words.state[FILLED] = word + 1, end


@helper
def merge_new_words(pairs: PairTable, words: NewWords, limit: int) -> None:
    """Merge all words, by the merges below rank `limit`."""
    _note_pairs(pairs, words)
    active = _find_firsts(words, words.state[COUNT], limit)
    while active > 0:
        _take_steps(pairs, words, active)
        _note_new_pairs(pairs, words, active)
        active = _find_firsts(words, active, limit)


@inlined
def _note_pairs(pairs: PairTable, words: NewWords) -> None:
    """Note all pairs."""
    for word in range(words.state[COUNT]):
        words.active[word] = word
        base = words.bases[word]
        for place in range(base + 1, base + 1 + words.sizes[word]):
            words.previous[place], words.following[place] = place - 1, place + 1
            number = number_at_first(pairs, words.symbols[place], words.symbols[place + 1])
            _note_pair(pairs, words, base, place, number)


@inlined
def _find_firsts(words: NewWords, count: int, limit: int) -> int:
    """Find what merges first in each active word. Returns in how many anything does; these stay active.

    This is a loop of its own, because a processor cannot read many numbers at once before those that it has written
    one by one are where they belong.
    """
    orders, active = words.orders, 0
    for i in range(count):
        word = words.active[i]
        begin, size = words.bases[word] + 1, words.sizes[word]
        least = least_of_sixteen(orders, begin, size)
        for place in range(SIXTEEN, size, SIXTEEN):
            least = min(least, least_of_sixteen(orders, begin + place, size - place))
        words.firsts[word] = least
        words.active[active] = word
        active += least < limit << _PLACE_BITS
    return active


@inlined
def _take_steps(pairs: PairTable, words: NewWords, count: int) -> None:
    """Merge what merges first in each active word, and have its new pairs fetched, which the next loop looks up."""
    previous, following, symbols = words.previous, words.following, words.symbols
    for i in range(count):
        word = words.active[i]
        left = words.bases[word] + (words.firsts[word] & _PLACE_MASK)
        right = following[left]
        after = following[right]
        before = previous[left]
        following[left], previous[after] = after, left
        symbols[left] = pairs.makes[words.pairs[left]]
        words.orders[right] = _NOTHING
        fetch_pair(pairs, symbols[before], symbols[left])
        fetch_pair(pairs, symbols[left], symbols[after])


@inlined
def _note_new_pairs(pairs: PairTable, words: NewWords, count: int) -> None:
    """Note the pairs that the symbols that were just made are with their neighbours."""
    previous, following, symbols = words.previous, words.following, words.symbols
    for i in range(count):
        word = words.active[i]
        base = words.bases[word]
        left = base + (words.firsts[word] & _PLACE_MASK)
        before, after = previous[left], following[left]
        _note_pair(pairs, words, base, before, number_of(pairs, symbols[before], symbols[left]))
        _note_pair(pairs, words, base, left, number_of(pairs, symbols[left], symbols[after]))


@inlined
def _note_pair(pairs: PairTable, words: NewWords, base: int, left: int, number: int) -> None:
    """Note the pair that a symbol is with the next."""
    words.orders[left] = (rank_of(pairs, number, _NO_RANK) << _PLACE_BITS) | (left - base)
    words.pairs[left] = number


@inlined
def gather(words: NewWords, word: int) -> int:
    """Put what is left of a word into its first places. Returns how many symbols these are."""
    symbols, following = words.symbols, words.following
    begin, count = words.bases[word] + 1, 0
    place, end = begin, begin + words.sizes[word]
    while place < end:
        symbols[begin + count] = symbols[place]
        place = following[place]
        count += 1
    return count
