"""Merge many words that are not in the cache yet, interleaved.

Each step of merging a word depends on the step before: on the new symbol, and on the lookup of its new pairs. So all
pending words take turns, one step each: their lookups are prefetched, and cache misses and dependency chains overlap.
As in `merge_table`, the steps have no unpredictable branches.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper
from bpe_gui.engine.kernels.lowlevel.vectors import MIN_LANES, min_of_lanes
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .merge_table import MergeTable, initial_pair_number, pair_number, prefetch_pair, rank_of

MAX_WORDS: Final = 64

MAX_BYTES: Final = 125
"""The longest word that can be pending. It may have one more symbol, for a marker."""

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
    """Words that are being merged; their symbols are concatenated, with a sentinel before and after each word."""

    symbols: Int32Array
    """After a merge, the left index has the new symbol; the right one drops out of the linked list."""
    previous: Int32Array
    """The index of the symbol before each one."""
    following: Int32Array
    """The index of the symbol after each one."""
    priorities: Int32Array
    """When each symbol merges with the next one; the lowest merges first."""
    pairs: Int32Array
    """The number of the pair that each symbol forms with the next one, or 0."""
    bases: Int64Array
    """The index of the sentinel before each word."""
    sizes: Int64Array
    """How many symbols each word had at first."""
    minima: Int64Array
    """The lowest priority in each word."""
    slots: Int64Array
    """The slot of each word in the word cache, for the caller."""
    active: Int64Array
    """The words in which a pair still merges."""
    state: Int64Array


@helper
def can_be_pending(size: int, limit: int) -> bool:
    """Return whether a word of `size` bytes can be merged here with the merges below rank `limit`."""
    return size <= MAX_BYTES and limit <= _NO_RANK


@helper
def pending_is_full(words: PendingWords) -> bool:
    """Return whether no more words can be added."""
    return words.state[WORD_COUNT] == MAX_WORDS


@helper
def clear_pending(words: PendingWords) -> None:
    """Remove all words."""
    words.state[WORD_COUNT] = words.state[LAST_SENTINEL] = 0
    words.symbols[0] = _SENTINEL


@helper
def next_pending_index(words: PendingWords) -> int:
    """Return the index at which to write the symbols of the next word."""
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
    """Merge all pending words with the merges below rank `limit`."""
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
    """Find the pair that merges next in each active word. Return how many words have one; these stay active.

    This is a separate loop, because a vector load that spans recent scalar stores cannot be forwarded from the store
    buffer, and stalls.
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
    """Move the remaining symbols of a word to its first indices. Return their number."""
    symbols, following = words.symbols, words.following
    start, count = words.bases[word] + 1, 0
    index, end = start, start + words.sizes[word]
    while index < end:
        symbols[start + count] = symbols[index]
        index = following[index]
        count += 1
    return count
