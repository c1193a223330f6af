"""The heap that finds the next pair, and the rule that breaks ties.

A count only falls once its step is over, and so does a preference: the first place where a pair stands moves right. So
a pair may stand too high in the heap, never too low. It is looked at again when it comes to the top.
"""

from bpe_gui.engine.runtime.jit import helper
from bpe_gui.engine.kernels.training.occurrences import settle_first
from bpe_gui.engine.kernels.training.pair_table import left_of, right_of
from bpe_gui.engine.kernels.training.records import FIRST_SEEN, GREATEST, HEAP, LEAST, PAIRS, TIE_BREAK, Choice, Ints, Machine, Pairs, Symbols

_DEPTH = 8
"""A heap that is built anew takes the pairs that occur at least an eighth as often as the most frequent."""


@helper
def compare_symbols(symbols: Symbols, one: int, other: int) -> int:
    """Above 0 if the bytes of one symbol are greater, below 0 if those of the other are, 0 if they are the same."""
    if one == other:
        return 0
    if symbols.prefixes[one] != symbols.prefixes[other]:
        return 1 if symbols.prefixes[one] > symbols.prefixes[other] else -1
    text, starts = symbols.text, symbols.starts
    here, there = starts[one], starts[other]
    length, other_length = starts[one + 1] - here, starts[other + 1] - there
    for i in range(min(length, other_length)):
        if text[here + i] != text[there + i]:
            return 1 if text[here + i] > text[there + i] else -1
    return length - other_length


@helper
def is_preferred(symbols: Symbols, pairs: Pairs, pool: Ints, rule: int, one: int, other: int) -> bool:
    """Whether the tie rule prefers one of two pairs that occur equally often."""
    key, other_key = pairs.keys[one], pairs.keys[other]
    if rule == FIRST_SEEN:
        return pool[pairs.firsts[one]] < pool[pairs.firsts[other]]
    if rule == GREATEST:
        order = compare_symbols(symbols, left_of(key), left_of(other_key))
        if order == 0:
            order = compare_symbols(symbols, right_of(key), right_of(other_key))
        if order != 0:
            return order > 0
    return key < other_key


@helper
def _is_above(
    choice: Choice, symbols: Symbols, pairs: Pairs, pool: Ints, rule: int, pair: int, count: int, node: int
) -> bool:
    """Whether a pair with that count belongs above a node of the heap."""
    there = choice.heap_counts[node]
    return count > there or (count == there and is_preferred(symbols, pairs, pool, rule, pair, choice.heap[node]))


@helper
def _sink(
    choice: Choice, symbols: Symbols, pairs: Pairs, pool: Ints, rule: int, node: int, size: int, pair: int, count: int
) -> None:
    """Put a pair into a node, or below."""
    heap, counts = choice.heap, choice.heap_counts
    while 2 * node + 1 < size:
        child = 2 * node + 1
        if child + 1 < size and _is_above(
            choice, symbols, pairs, pool, rule, heap[child + 1], counts[child + 1], child
        ):
            child += 1
        if _is_above(choice, symbols, pairs, pool, rule, pair, count, child):
            break
        heap[node], counts[node] = heap[child], counts[child]
        node = child
    heap[node], counts[node] = pair, count


@helper
def push(machine: Machine, pair: int) -> None:
    """Put a new pair into the heap."""
    state, choice = machine.state, machine.choice
    count = machine.pairs.counts[pair]
    rule = machine.settings[TIE_BREAK]
    heap, counts = choice.heap, choice.heap_counts
    node = state[HEAP]
    state[HEAP] += 1
    while node > 0:
        parent = (node - 1) >> 1
        if not _is_above(choice, machine.symbols, machine.pairs, machine.pool, rule, pair, count, parent):
            break
        heap[node], counts[node] = heap[parent], counts[parent]
        node = parent
    heap[node], counts[node] = pair, count


@helper
def _build(machine: Machine) -> None:
    """Fill the heap with the pairs that are frequent now."""
    state, choice, pairs = machine.state, machine.choice, machine.pairs
    highest = 0
    for pair in range(state[PAIRS]):
        highest = max(highest, pairs.counts[pair])
    least = max(1, highest // _DEPTH)
    size = 0
    for pair in range(state[PAIRS]):
        if pairs.counts[pair] >= least:
            choice.heap[size], choice.heap_counts[size] = pair, pairs.counts[pair]
            size += 1
    rule = machine.settings[TIE_BREAK]
    for node in range((size >> 1) - 1, -1, -1):
        _sink(
            choice,
            machine.symbols,
            pairs,
            machine.pool,
            rule,
            node,
            size,
            choice.heap[node],
            choice.heap_counts[node],
        )
    state[HEAP] = size
    state[LEAST] = least


@helper
def best(machine: Machine) -> int:
    """The pair that comes next, or -1. It stays at the top of the heap."""
    state, choice, pairs = machine.state, machine.choice, machine.pairs
    rule = machine.settings[TIE_BREAK]
    if state[LEAST] == 0:
        _build(machine)
    while True:
        if state[HEAP] == 0:
            if state[LEAST] <= 1:
                return -1
            _build(machine)
            continue
        pair = choice.heap[0]
        count = pairs.counts[pair]
        if count < state[LEAST]:
            last = state[HEAP] - 1
            state[HEAP] = last
            if last > 0:
                _sink(
                    choice,
                    machine.symbols,
                    pairs,
                    machine.pool,
                    rule,
                    0,
                    last,
                    choice.heap[last],
                    choice.heap_counts[last],
                )
            continue
        moved = rule == FIRST_SEEN and settle_first(
            machine.words.symbols, machine.symbols.lengths, machine.pool, pairs.firsts, pairs.keys[pair], pair
        )
        if count == choice.heap_counts[0] and not moved:
            return pair
        _sink(choice, machine.symbols, pairs, machine.pool, rule, 0, state[HEAP], pair, count)


@helper
def ties_of(machine: Machine, pair: int) -> int:
    """How many other pairs occur as often as the best."""
    choice, counts = machine.choice, machine.pairs.counts
    count = counts[pair]
    if count < len(choice.levels):
        return choice.levels[count] - 1
    ties = -1
    for node in range(machine.state[HEAP]):  # few occur so often
        if counts[choice.heap[node]] == count:
            ties += 1
    return ties
