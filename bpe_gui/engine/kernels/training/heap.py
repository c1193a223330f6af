"""Find the pair to merge next: the most frequent one or, in a tie, the one that the tie rule prefers.

After the step that created a pair, its count only falls, and so does its preference by FIRST_SEEN, since its first
occurrence only moves right. So a stale entry of the heap is always too high, never too low, and it is enough to refresh
an entry when it reaches the top. Only pairs with a count of at least `HEAP_THRESHOLD` are in the heap; when it is
empty, it is rebuilt with a lower threshold.

If a plan may veto pairs, we only know the best pair once all equally frequent ones are judged. New pairs that enter the
heap are judged in bulk, once the best pair is no more frequent than the most frequent of them.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.training.pairs import (
    advance_first,
    compare_symbols,
    compare_tokens,
    is_vetoed,
    left_of,
    right_of,
)
from bpe_gui.engine.kernels.training.records import (
    FIRST_SEEN,
    GREATEST,
    HEAP_SIZE,
    HEAP_THRESHOLD,
    JUDGED_PAIRS,
    LEAST,
    NEW_VERDICT,
    PAIR_COUNT,
    SHORTEST,
    TIE_BREAK,
    UNJUDGED,
    UNJUDGED_COUNT,
    RunArrays,
)
from bpe_gui.engine.runtime.types import Int32Array

NO_PAIR: Final = -1
"""Returned instead of a pair if no pair is left."""

NEEDS_VERDICTS: Final = -2
"""Returned instead of a pair if the frequent pairs have to be judged first."""

_ANY_COUNT: Final = 2**62

_THRESHOLD_DIVISOR: Final = 8
"""A rebuilt heap gets the pairs that are at least an eighth as frequent as the most frequent one."""

_DIVISOR_WITH_VETOES: Final = 2
"""If pairs have to be judged, it only gets those at least half as frequent: judging costs more than rebuilding."""


@helper
def is_preferred(run: RunArrays, one: int, other: int) -> bool:
    """Return whether the tie rule prefers pair `one` to pair `other`, which has the same count."""
    symbols, pairs, pool, rule = run.symbols, run.pairs, run.pool, run.settings[TIE_BREAK]
    key, other_key = pairs.keys[one], pairs.keys[other]
    if rule == SHORTEST:
        order = compare_tokens(symbols, key, other_key)
        if order != 0:
            return order < 0
    if rule == FIRST_SEEN:
        return pool[pairs.firsts[one]] < pool[pairs.firsts[other]]
    if rule in (GREATEST, LEAST):
        order = compare_symbols(symbols, left_of(key), left_of(other_key))
        if order == 0:
            order = compare_symbols(symbols, right_of(key), right_of(other_key))
        if order != 0:
            return order > 0 if rule == GREATEST else order < 0
    return key < other_key


@helper
def _is_above(run: RunArrays, pair: int, count: int, node: int) -> bool:
    """Return whether a pair with this count belongs above a node of the heap."""
    node_count = run.heap.counts[node]
    return count > node_count or (count == node_count and is_preferred(run, pair, run.heap.pairs[node]))


@helper
def _sift_down(run: RunArrays, node: int, size: int, pair: int, count: int) -> None:
    """Store a pair where it belongs in the heap: in a node or below it."""
    heap_pairs, heap_counts = run.heap.pairs, run.heap.counts
    while 2 * node + 1 < size:
        child = 2 * node + 1
        if child + 1 < size and _is_above(run, heap_pairs[child + 1], heap_counts[child + 1], child):
            child += 1
        if _is_above(run, pair, count, child):
            break
        heap_pairs[node], heap_counts[node] = heap_pairs[child], heap_counts[child]
        node = child
    heap_pairs[node], heap_counts[node] = pair, count


@helper
def push(run: RunArrays, pair: int) -> None:
    """Push a new pair onto the heap."""
    state, heap = run.state, run.heap
    count = run.pairs.counts[pair]
    heap_pairs, heap_counts = heap.pairs, heap.counts
    node = state[HEAP_SIZE]
    state[HEAP_SIZE] += 1
    while node > 0:
        parent = (node - 1) >> 1
        if not _is_above(run, pair, count, parent):
            break
        heap_pairs[node], heap_counts[node] = heap_pairs[parent], heap_counts[parent]
        node = parent
    heap_pairs[node], heap_counts[node] = pair, count
    if run.settings[NEW_VERDICT] == UNJUDGED:
        state[UNJUDGED_COUNT] = max(state[UNJUDGED_COUNT], count)


@helper
def _rebuild(run: RunArrays, most: int) -> None:
    """Fill the heap with the pairs that are frequent now, including all with a count of `most`, in O(pairs)."""
    state, heap, pairs = run.state, run.heap, run.pairs
    highest = 0
    for pair in range(state[PAIR_COUNT]):
        if pairs.counts[pair] > highest and not is_vetoed(pairs, pair):
            highest = pairs.counts[pair]
    divisor = _DIVISOR_WITH_VETOES if run.settings[NEW_VERDICT] == UNJUDGED else _THRESHOLD_DIVISOR
    threshold = max(1, min(highest, most) // divisor)
    size = unjudged_count = 0
    for pair in range(state[PAIR_COUNT]):
        if pairs.counts[pair] >= threshold and not is_vetoed(pairs, pair):
            heap.pairs[size], heap.counts[size] = pair, pairs.counts[pair]
            size += 1
            if len(pairs.verdicts) > 0 and pairs.verdicts[pair] == UNJUDGED:
                unjudged_count = max(unjudged_count, pairs.counts[pair])
    for node in range((size >> 1) - 1, -1, -1):
        _sift_down(run, node, size, heap.pairs[node], heap.counts[node])
    state[HEAP_SIZE] = size
    state[HEAP_THRESHOLD] = threshold
    state[UNJUDGED_COUNT] = unjudged_count
    state[JUDGED_PAIRS] = 0


@helper
def best_pair(run: RunArrays) -> int:
    """Return the pair to merge next, which stays at the top of the heap, or NO_PAIR, or NEEDS_VERDICTS."""
    state, heap, pairs = run.state, run.heap, run.pairs
    if state[HEAP_THRESHOLD] == 0:
        _rebuild(run, _ANY_COUNT)
    while True:
        if state[HEAP_SIZE] == 0:
            if state[HEAP_THRESHOLD] <= 1:
                return NO_PAIR
            _rebuild(run, _ANY_COUNT)
            continue
        pair = heap.pairs[0]
        count = pairs.counts[pair]
        if count < state[HEAP_THRESHOLD] or is_vetoed(pairs, pair):
            last = state[HEAP_SIZE] - 1
            state[HEAP_SIZE] = last
            if last > 0:
                _sift_down(run, 0, last, heap.pairs[last], heap.counts[last])
            continue
        moved = run.settings[TIE_BREAK] == FIRST_SEEN and advance_first(run, pair)
        if count == heap.counts[0] and not moved:
            return NEEDS_VERDICTS if state[UNJUDGED_COUNT] >= count else pair
        _sift_down(run, 0, state[HEAP_SIZE], pair, count)


@helper
def count_ties(run: RunArrays, pair: int) -> int:
    """Return how many other pairs have the same count as a pair, not counting vetoed ones.

    All pairs with this count have to be in the heap, and judged.
    """
    heap, counts = run.heap, run.pairs.counts
    count = counts[pair]
    if count < len(heap.histogram):
        return heap.histogram[count] - (0 if is_vetoed(run.pairs, pair) else 1)
    ties = 0
    for node in range(run.state[HEAP_SIZE]):  # few pairs are so frequent
        other = heap.pairs[node]
        if other != pair and counts[other] == count and not is_vetoed(run.pairs, other):
            ties += 1
    return ties


@helper
def count_ties_of_given(run: RunArrays, pair: int) -> int:
    """Return how many other pairs have the same count as any given pair, not counting vetoed ones, or NEEDS_VERDICTS.

    Return 0 for a pair that does not occur.
    """
    state, count = run.state, run.pairs.counts[pair]
    if count == 0:
        return 0
    if len(run.pairs.verdicts) > 0 or count >= len(run.heap.histogram):
        if state[HEAP_THRESHOLD] == 0 or count < state[HEAP_THRESHOLD]:
            _rebuild(run, count)
        if state[UNJUDGED_COUNT] >= count:
            return NEEDS_VERDICTS
    return count_ties(run, pair)


@kernel
def most_frequent(run: RunArrays, chosen: Int32Array) -> int:
    """Write as many of the best pairs as fit to `chosen`, best first. Return how many were written.

    A heap of candidates has the worst at its top, where any better pair replaces it: O(n log k) for n pairs and k
    candidates.
    """
    counts, state = run.pairs.counts, run.state
    size = 0
    least = 1  # the lowest count of a candidate
    for pair in range(state[PAIR_COUNT] if len(chosen) else 0):
        if counts[pair] < least:
            continue
        _refresh_first(run, pair)
        if size < len(chosen):
            _raise_candidate(run, chosen, size, pair)
            size += 1
        elif _is_better(run, pair, chosen[0]):
            _lower_candidate(run, chosen, size, pair)
        if size == len(chosen):
            least = counts[chosen[0]]
    for end in range(size - 1, 0, -1):
        last = chosen[end]
        chosen[end] = chosen[0]
        _lower_candidate(run, chosen, end, last)
    return size


@helper
def _refresh_first(run: RunArrays, pair: int) -> None:
    if run.settings[TIE_BREAK] == FIRST_SEEN and advance_first(run, pair):
        # The pair's entry in the heap of all pairs is now stale without looking stale, so that heap must be rebuilt.
        run.state[HEAP_THRESHOLD] = 0


@helper
def _is_better(run: RunArrays, one: int, other: int) -> bool:
    counts = run.pairs.counts
    if counts[one] != counts[other]:
        return counts[one] > counts[other]
    return is_preferred(run, one, other)


@helper
def _raise_candidate(run: RunArrays, heap: Int32Array, node: int, pair: int) -> None:
    while node > 0 and _is_better(run, heap[(node - 1) >> 1], pair):
        heap[node] = heap[(node - 1) >> 1]
        node = (node - 1) >> 1
    heap[node] = pair


@helper
def _lower_candidate(run: RunArrays, heap: Int32Array, size: int, pair: int) -> None:
    node = 0
    while 2 * node + 1 < size:
        child = 2 * node + 1
        if child + 1 < size and _is_better(run, heap[child], heap[child + 1]):
            child += 1
        if not _is_better(run, pair, heap[child]):
            break
        heap[node] = heap[child]
        node = child
    heap[node] = pair
