"""Merge the symbols of words: repeatedly merge the pair with the lowest rank, the leftmost of equal ones.

Long words are merged one by one. Many short words that are not in the cache yet are merged interleaved: each step of
merging a word depends on the previous step, on the new symbol and on the lookup of its new pairs. So all pending words
take turns, one step each: their lookups are prefetched, and cache misses and dependency chains overlap. As in
`merge_table`, the steps have no unpredictable branches.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.encoding.merge_table import (
    NO_MERGE,
    MergeTable,
    initial_pair_number,
    merge_below,
    pair_number,
    prefetch_pair,
    product_of,
    rank_of,
)
from bpe_gui.engine.kernels.lowlevel.machine import MIN_LANES, SYMBOL_BITS, SYMBOL_MASK, min_of_lanes
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

_MAX_SHORT: Final = 48
"""Up to this many symbols, searching all pairs for the lowest rank is faster than keeping a heap."""

SPARE_SYMBOLS: Final = 2
"""Capacity that the scratch buffers need beyond the bytes of a word."""


class MergeScratch(Record):
    """Scratch buffers for merging a word, with capacity for the longest one."""

    symbols: Int32Array
    merges: Int64Array
    """The merge of each symbol with the next one. For a long word, a heap of entries: rank above index."""
    previous: Int32Array
    following: Int32Array


@kernel
def merge_words(
    symbols: Int32Array,
    starts: Int64Array,
    table: MergeTable,
    scratch: MergeScratch,
    limit: int,
    least: int,
    counts: Int64Array,
) -> int:
    """Merge words whose symbols are concatenated, in place, without leaving gaps.

    Word w starts at `starts[w]`. Write to `counts` how many symbols remain of each word. Return the total. Only merges
    below rank `limit` apply, and none to a word of which only `least` symbols remain.
    """
    total = 0
    for word in range(len(starts) - 1):
        start, size = starts[word], starts[word + 1] - starts[word]
        for i in range(size):
            scratch.symbols[i] = symbols[start + i]
        count = merge_word(table, scratch, size, limit, least)
        for i in range(count):
            symbols[total + i] = scratch.symbols[i]
        counts[word] = count
        total += count
    return total


@helper
def merge_word(table: MergeTable, scratch: MergeScratch, count: int, limit: int, least: int) -> int:
    """Merge the first `count` symbols of the scratch buffer with the merges below rank `limit`.

    Stop when `least` symbols remain. Return how many do.
    """
    if count <= _MAX_SHORT:
        return _merge_short(table, scratch.symbols, scratch.merges, count, limit, least)
    return _merge_long(table, scratch, count, limit, least)


@helper
def _merge_short(table: MergeTable, symbols: Int32Array, merges: Int64Array, count: int, limit: int, least: int) -> int:
    """Merge a short word in O(n²)."""
    for i in range(count - 1):
        merges[i] = merge_below(table, symbols[i], symbols[i + 1], limit)
    while count > least:
        best = NO_MERGE
        for i in range(count - 1):  # only the minimum, not its index, so that the compiler vectorises the loop
            best = min(best, merges[i])
        if best == NO_MERGE:
            break
        at = 0
        while merges[at] >> SYMBOL_BITS != best >> SYMBOL_BITS:  # merges with different products may share a rank
            at += 1
        symbols[at] = product_of(merges[at])
        count -= 1
        for i in range(at + 1, count):
            symbols[i] = symbols[i + 1]
            merges[i - 1] = merges[i]
        if at > 0:
            merges[at - 1] = merge_below(table, symbols[at - 1], symbols[at], limit)
        if at < count - 1:
            merges[at] = merge_below(table, symbols[at], symbols[at + 1], limit)
    return count


@helper
def _merge_long(table: MergeTable, scratch: MergeScratch, count: int, limit: int, least: int) -> int:
    """Merge a long word in O(n log n), using a heap with lazy deletion.

    A symbol that was merged into its left neighbour is -1. An entry is stale if its pair no longer has that merge.
    """
    symbols, heap, previous, following = scratch.symbols, scratch.merges, scratch.previous, scratch.following
    size, remaining = 0, count
    for i in range(count):
        previous[i], following[i] = i - 1, i + 1
        if i + 1 < count:
            size = _push_entry(heap, size, _heap_entry(table, symbols, i, i + 1, limit))
    while size > 0 and remaining > least:
        entry = heap[0]
        size = _pop_entry(heap, size)
        left = entry & SYMBOL_MASK
        right = following[left]
        if symbols[left] < 0 or right == count or _heap_entry(table, symbols, left, right, limit) != entry:
            continue  # stale
        symbols[left] = product_of(merge_below(table, symbols[left], symbols[right], limit))
        symbols[right] = -1
        remaining -= 1
        after = following[left] = following[right]
        if after < count:
            previous[after] = left
            size = _push_entry(heap, size, _heap_entry(table, symbols, left, after, limit))
        if previous[left] >= 0:
            size = _push_entry(heap, size, _heap_entry(table, symbols, previous[left], left, limit))
    left = 0
    for i in range(count):
        if symbols[i] >= 0:
            symbols[left] = symbols[i]
            left += 1
    return left


@helper
def _heap_entry(table: MergeTable, symbols: Int32Array, left: int, right: int, limit: int) -> int:
    """Return the heap entry of two neighbours, which orders by rank and then from left to right, or NO_MERGE."""
    merge = merge_below(table, symbols[left], symbols[right], limit)
    return NO_MERGE if merge == NO_MERGE else (merge >> SYMBOL_BITS << SYMBOL_BITS) | left


@helper
def _push_entry(heap: Int64Array, size: int, entry: int) -> int:
    """Push an entry onto the min-heap, unless it is NO_MERGE. Return the size of the heap."""
    if entry == NO_MERGE:
        return size
    node = size
    while node > 0 and heap[(node - 1) >> 1] > entry:
        heap[node] = heap[(node - 1) >> 1]
        node = (node - 1) >> 1
    heap[node] = entry
    return size + 1


@helper
def _pop_entry(heap: Int64Array, size: int) -> int:
    """Remove the least entry from the heap. Return the size of the heap."""
    size -= 1
    entry, node, child = heap[size], 0, 1
    while child < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= entry:
            break
        heap[node] = heap[child]
        node, child = child, 2 * child + 1
    heap[node] = entry
    return size


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
