"""Merging the symbols of a word: again and again the pair of the lowest rank, of equal ones the leftmost."""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.jit import helper, inlined
from bpe_gui.engine.kernels.encoding.merge_table import NEVER, PairTable, made_by, merge_below
from bpe_gui.engine.kernels.training.records import SYMBOL_BITS, SYMBOL_MASK, Ints, Longs

_SHORT: Final = 48
"""Symbols up to which looking at all is quicker than keeping a heap."""

NEIGHBORS: Final = 2
"""Symbols more than a word has, for which there must be room."""


class Bench(NamedTuple):
    """Where a word is merged; room for the longest."""

    symbols: Ints
    merges: Longs
    """By symbol: what it merges into with the next. In the heap of a long word: rank above place."""
    previous: Ints
    following: Ints


@inlined
def merge_word(pairs: PairTable, bench: Bench, count: int, limit: int) -> int:
    """Merge the symbols on the bench, by the merges below rank `limit`. Returns how many are left."""
    if count <= _SHORT:
        return _merge_short(pairs, bench.symbols, bench.merges, count, limit)
    return _merge_long(pairs, bench, count, limit)


@inlined
def _merge_short(pairs: PairTable, symbols: Ints, merges: Longs, count: int, limit: int) -> int:
    for i in range(count - 1):
        merges[i] = merge_below(pairs, symbols[i], symbols[i + 1], limit)
    while count > 1:
        best = NEVER
        for i in range(count - 1):  # nothing but the least is asked for, which the compiler finds among many at once
            best = min(best, merges[i])
        if best == NEVER:
            break
        at = 0
        while merges[at] >> SYMBOL_BITS != best >> SYMBOL_BITS:  # merges that make other tokens may share a rank
            at += 1
        symbols[at] = made_by(merges[at])
        count -= 1
        for i in range(at + 1, count):
            symbols[i] = symbols[i + 1]
            merges[i - 1] = merges[i]
        if at > 0:
            merges[at - 1] = merge_below(pairs, symbols[at - 1], symbols[at], limit)
        if at < count - 1:
            merges[at] = merge_below(pairs, symbols[at], symbols[at + 1], limit)
    return count


@helper
def _merge_long(pairs: PairTable, bench: Bench, count: int, limit: int) -> int:
    """The same by a heap, in O(n log n). A symbol that was merged into the one on its left is -1."""
    symbols, heap, previous, following = bench.symbols, bench.merges, bench.previous, bench.following
    size = 0
    for i in range(count):
        previous[i], following[i] = i - 1, i + 1
        if i + 1 < count:
            size = _push(heap, size, _entry(pairs, symbols, i, i + 1, limit))
    while size > 0:
        entry = heap[0]
        size = _pop(heap, size)
        left = entry & SYMBOL_MASK
        right = following[left]
        # The pair may have gone since it was put there.
        if symbols[left] < 0 or right == count or _entry(pairs, symbols, left, right, limit) != entry:
            continue
        symbols[left] = made_by(merge_below(pairs, symbols[left], symbols[right], limit))
        symbols[right] = -1
        after = following[left] = following[right]
        if after < count:
            previous[after] = left
            size = _push(heap, size, _entry(pairs, symbols, left, after, limit))
        if previous[left] >= 0:
            size = _push(heap, size, _entry(pairs, symbols, previous[left], left, limit))
    left = 0
    for i in range(count):
        if symbols[i] >= 0:
            symbols[left] = symbols[i]
            left += 1
    return left


@helper
def _entry(pairs: PairTable, symbols: Ints, left: int, right: int, limit: int) -> int:
    """The pair at a place as the heap has it: the lowest rank is the least number, and of equal ones the leftmost."""
    merge = merge_below(pairs, symbols[left], symbols[right], limit)
    return NEVER if merge == NEVER else (merge >> SYMBOL_BITS << SYMBOL_BITS) | left


@helper
def _push(heap: Longs, size: int, entry: int) -> int:
    """Put a pair into the heap, if it merges. Returns how many are in it."""
    if entry == NEVER:
        return size
    node = size
    while node > 0 and heap[(node - 1) >> 1] > entry:
        heap[node] = heap[(node - 1) >> 1]
        node = (node - 1) >> 1
    heap[node] = entry
    return size + 1


@helper
def _pop(heap: Longs, size: int) -> int:
    """Take the first out of the heap. Returns how many are left."""
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
