"""Select the most frequent pairs without sorting all of them."""

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.types import Int32Array

from .heap import is_preferred
from .occurrences import advance_first
from .records import FIRST_SEEN, HEAP_THRESHOLD, PAIR_COUNT, TIE_BREAK, RunArrays


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
