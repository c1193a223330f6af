"""The most frequent pairs, without sorting all of them."""

from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.heap import is_preferred
from bpe_gui.engine.kernels.training.occurrences import settle_first
from bpe_gui.engine.kernels.training.records import FIRST_SEEN, LEAST, PAIRS, TIE_BREAK, Ints, Machine


@kernel
def most_frequent(machine: Machine, chosen: Ints) -> int:
    """Write the best pairs to `chosen`, best first, as many as there is room for. Returns how many there are.

    They are kept in a heap with the worst of them on top, which gives way to any that is better.
    """
    counts, state = machine.pairs.counts, machine.state
    size = 0
    for pair in range(state[PAIRS]):
        count = counts[pair]
        if count == 0 or (size == len(chosen) and (size == 0 or count < counts[chosen[0]])):
            continue
        _settle(machine, pair)
        if size < len(chosen):
            _rise(machine, chosen, size, pair)
            size += 1
        elif _is_better(machine, pair, chosen[0]):
            _sink(machine, chosen, size, pair)
    for end in range(size - 1, 0, -1):
        last = chosen[end]
        chosen[end] = chosen[0]
        _sink(machine, chosen, end, last)
    return size


@helper
def _settle(machine: Machine, pair: int) -> None:
    pairs = machine.pairs
    if machine.settings[TIE_BREAK] == FIRST_SEEN and settle_first(
        machine.words.symbols, machine.symbols.lengths, machine.pool, pairs.firsts, pairs.keys[pair], pair
    ):
        machine.state[LEAST] = 0  # in its heap, this pair stands too high now, and it could not tell


@helper
def _is_better(machine: Machine, one: int, other: int) -> bool:
    counts = machine.pairs.counts
    if counts[one] != counts[other]:
        return counts[one] > counts[other]
    return is_preferred(machine.symbols, machine.pairs, machine.pool, machine.settings[TIE_BREAK], one, other)


@helper
def _rise(machine: Machine, heap: Ints, node: int, pair: int) -> None:
    while node > 0 and _is_better(machine, heap[(node - 1) >> 1], pair):
        heap[node] = heap[(node - 1) >> 1]
        node = (node - 1) >> 1
    heap[node] = pair


@helper
def _sink(machine: Machine, heap: Ints, size: int, pair: int) -> None:
    node = 0
    while 2 * node + 1 < size:
        child = 2 * node + 1
        if child + 1 < size and _is_better(machine, heap[child], heap[child + 1]):
            child += 1
        if not _is_better(machine, pair, heap[child]):
            break
        heap[node] = heap[child]
        node = child
    heap[node] = pair
