"""Merge words that the cache does not have yet, many of them side by side.

A step of merging a word depends on the step before it: on the symbol that was made, and on the lookup of its new pairs.
So all pending words take turns, a step each: their lookups are prefetched, and cache misses and dependency chains
overlap. As in `merge_table`, the steps are free of branches that cannot be predicted.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper
from bpe_gui.engine.kernels.lowlevel.vectors import MIN_LANES, min_of_lanes
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .merge_table import MergeTable, initial_pair_number, pair_number, prefetch_pair, rank_of

MAX_WORDS: Final = 64

MAX_BYTES: Final = 125
"""The longest word that can be pending. It may have one symbol more, for a marker."""

SYMBOL_CAPACITY: Final = MAX_WORDS * (MAX_BYTES + 2) + 1 + MIN_LANES
"""The length of the arrays that have an item for each symbol."""

# The priority of a pair is its rank above its index in the word, in 31 bits.
_INDEX_BITS: Final = 7
_INDEX_MASK: Final = (1 << _INDEX_BITS) - 1
_NO_RANK: Final = (1 << (31 - _INDEX_BITS)) - 1
_NO_PRIORITY: Final = _NO_RANK << _INDEX_BITS

_SENTINEL: Final = 0x7FFF_FFFF  # is not a symbol, and merges with none

# Indices into `PendingWords.state`.
WORD_COUNT, LAST_SENTINEL = range(2)
"""The number of words, and the index of the sentinel after the last one."""


class PendingWords(Record):
    """Words that are being merged; their symbols lie one after another, each word between two sentinels."""

    symbols: Int32Array
    """After a merge, the left index has the new symbol; the right one drops out of the linked list."""
    previous: Int32Array
    """By index of a symbol: the index of the one before it."""
    following: Int32Array
    """By index of a symbol: the index of the one after it."""
    priorities: Int32Array
    """By index of a symbol: when it merges with the next one, the least first."""
    pairs: Int32Array
    """By index of a symbol: the number of the pair that it forms with the next one, or 0."""
    bases: Int64Array
    """By word: the index of the sentinel before it."""
    sizes: Int64Array
    """By word: how many symbols it had at first."""
    minima: Int64Array
    """By word: the least of its priorities."""
    slots: Int64Array
    """By word: its slot in the word cache, for the caller."""
    active: Int64Array
    """The words in which a pair still merges."""
    state: Int64Array


@helper
def can_be_pending(size: int, limit: int) -> bool:
    """Return whether a word of `size` bytes can be merged here by the merges below rank `limit`."""
    return size <= MAX_BYTES and limit <= _NO_RANK


@helper
def pending_is_full(words: PendingWords) -> bool:
    """Return whether no other word can be added."""
    return words.state[WORD_COUNT] == MAX_WORDS


@helper
def clear_pending(words: PendingWords) -> None:
    """Remove all words."""
    words.state[WORD_COUNT] = words.state[LAST_SENTINEL] = 0
    words.symbols[0] = _SENTINEL


@helper
def next_pending_index(words: PendingWords) -> int:
    """Return the index from which on the symbols of another word are to be written."""
    return words.state[LAST_SENTINEL] + 1


@helper
def add_pending(words: PendingWords, end: int, slot: int) -> None:
    """Add the word whose symbols were written from `next_pending_index` up to `end`."""
    word, base = words.state[WORD_COUNT], words.state[LAST_SENTINEL]
    words.bases[word], words.sizes[word], words.slots[word] = base, end - base - 1, slot
    words.symbols[end] = _SENTINEL
    words.state[WORD_COUNT], words.state[LAST_SENTINEL] = word + 1, end


@helper
def merge_pending(table: MergeTable, words: PendingWords, limit: int) -> None:
    """Merge all pending words, by the merges below rank `limit`."""
    _look_up_pairs(table, words)
    active = _find_minima(words, words.state[WORD_COUNT], limit)
    while active > 0:
        _take_steps(table, words, active)
        _look_up_new_pairs(table, words, active)
        active = _find_minima(words, active, limit)


@helper
def _look_up_pairs(table: MergeTable, words: PendingWords) -> None:
    """Look up all initial pairs."""
    for word in range(words.state[WORD_COUNT]):
        words.active[word] = word
        base = words.bases[word]
        for index in range(base + 1, base + 1 + words.sizes[word]):
            words.previous[index], words.following[index] = index - 1, index + 1
            number = initial_pair_number(table, words.symbols[index], words.symbols[index + 1])
            _store_pair(table, words, base, index, number)


@helper
def _find_minima(words: PendingWords, count: int, limit: int) -> int:
    """Find the pair that merges next in each active word. Return in how many words there is one; these stay active.

    This is a loop of its own: a vector load that spans recent scalar stores cannot be forwarded from the store buffer,
    and stalls.
    """
    priorities, active = words.priorities, 0
    for i in range(count):
        word = words.active[i]
        start, size = words.bases[word] + 1, words.sizes[word]
        least = min_of_lanes(priorities, start, size)
        for offset in range(MIN_LANES, size, MIN_LANES):
            least = min(least, min_of_lanes(priorities, start + offset, size - offset))
        words.minima[word] = least
        words.active[active] = word
        active += least < limit << _INDEX_BITS
    return active


@helper
def _take_steps(table: MergeTable, words: PendingWords, count: int) -> None:
    """Merge the next pair of each active word, and prefetch its new pairs, which the next loop looks up."""
    previous, following, symbols = words.previous, words.following, words.symbols
    for i in range(count):
        word = words.active[i]
        left = words.bases[word] + (words.minima[word] & _INDEX_MASK)
        right = following[left]
        after = following[right]
        before = previous[left]
        following[left], previous[after] = after, left
        symbols[left] = table.products[words.pairs[left]]
        words.priorities[right] = _NO_PRIORITY
        prefetch_pair(table, symbols[before], symbols[left])
        prefetch_pair(table, symbols[left], symbols[after])


@helper
def _look_up_new_pairs(table: MergeTable, words: PendingWords, count: int) -> None:
    """Look up the pairs that the symbols just made form with their neighbours."""
    previous, following, symbols = words.previous, words.following, words.symbols
    for i in range(count):
        word = words.active[i]
        base = words.bases[word]
        left = base + (words.minima[word] & _INDEX_MASK)
        before, after = previous[left], following[left]
        _store_pair(table, words, base, before, pair_number(table, symbols[before], symbols[left]))
        _store_pair(table, words, base, left, pair_number(table, symbols[left], symbols[after]))


@helper
def _store_pair(table: MergeTable, words: PendingWords, base: int, left: int, number: int) -> None:
    """Store the numbered pair that the symbol at index `left` forms with the next one, and its priority."""
    words.priorities[left] = (rank_of(table, number, _NO_RANK) << _INDEX_BITS) | (left - base)
    words.pairs[left] = number


@helper
def compact_pending(words: PendingWords, word: int) -> int:
    """Move the symbols that are left of a word to its first indices. Return their number."""
    symbols, following = words.symbols, words.following
    start, count = words.bases[word] + 1, 0
    index, end = start, start + words.sizes[word]
    while index < end:
        symbols[start + count] = symbols[index]
        index = following[index]
        count += 1
    return count
