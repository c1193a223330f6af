"""Merge the symbols of one word: repeatedly merge the pair with the lowest rank, the leftmost of equal ones."""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.memory import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .merge_table import NO_MERGE, MergeTable, merge_below, product_of

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
    symbols: Int32Array, starts: Int64Array, table: MergeTable, scratch: MergeScratch, limit: int, counts: Int64Array
) -> int:
    """Merge words whose symbols are concatenated, in place, without leaving gaps.

    Word w starts at `starts[w]`. Write to `counts` how many symbols remain of each word. Return the total. Only merges
    below rank `limit` apply.
    """
    total = 0
    for word in range(len(starts) - 1):
        start, size = starts[word], starts[word + 1] - starts[word]
        for i in range(size):
            scratch.symbols[i] = symbols[start + i]
        count = merge_word(table, scratch, size, limit)
        for i in range(count):
            symbols[total + i] = scratch.symbols[i]
        counts[word] = count
        total += count
    return total


@helper
def merge_word(table: MergeTable, scratch: MergeScratch, count: int, limit: int) -> int:
    """Merge the first `count` symbols of the scratch buffer with the merges below rank `limit`.

    Return how many remain.
    """
    if count <= _MAX_SHORT:
        return _merge_short(table, scratch.symbols, scratch.merges, count, limit)
    return _merge_long(table, scratch, count, limit)


@helper
def _merge_short(table: MergeTable, symbols: Int32Array, merges: Int64Array, count: int, limit: int) -> int:
    """Merge a short word in O(n²)."""
    for i in range(count - 1):
        merges[i] = merge_below(table, symbols[i], symbols[i + 1], limit)
    while count > 1:
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
def _merge_long(table: MergeTable, scratch: MergeScratch, count: int, limit: int) -> int:
    """Merge a long word in O(n log n), using a heap with lazy deletion.

    A symbol that was merged into its left neighbour is -1. An entry is stale if its pair no longer has that merge.
    """
    symbols, heap, previous, following = scratch.symbols, scratch.merges, scratch.previous, scratch.following
    size = 0
    for i in range(count):
        previous[i], following[i] = i - 1, i + 1
        if i + 1 < count:
            size = _push_entry(heap, size, _heap_entry(table, symbols, i, i + 1, limit))
    while size > 0:
        entry = heap[0]
        size = _pop_entry(heap, size)
        left = entry & SYMBOL_MASK
        right = following[left]
        if symbols[left] < 0 or right == count or _heap_entry(table, symbols, left, right, limit) != entry:
            continue  # stale
        symbols[left] = product_of(merge_below(table, symbols[left], symbols[right], limit))
        symbols[right] = -1
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
