"""Move along a run: forward, choosing pairs that are not known yet, and back."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import copy_bytes

from .heap import NEEDS_VERDICTS, NO_PAIR, best_pair, count_ties, count_ties_of_given
from .merge_step import apply_merge, undo_merge
from .pairs import find_or_add, has_pair_capacity, left_of, lookup, right_of, store_prefix
from .records import (
    ALPHABET_SIZE,
    CHOSEN,
    KNOWN_MERGES,
    MIN_COUNT,
    NEXT_PAIR,
    NEXT_TIES,
    OVER,
    PAIR_COUNT,
    POSITION,
    UNRESOLVED,
    RunArrays,
    SymbolTable,
)

NEEDS_SYMBOLS: Final = -3
"""Returned instead of a pair if the plan gives the pair, but its symbols are not resolved yet."""

NEEDS_CAPACITY: Final = -4
"""Returned instead of a pair if arrays are too small. Like the three above, it can also end a move."""

ARRIVED, PAUSED = range(2)
"""Other ways a move ends: at its target, or with its budget used up. NO_PAIR means that it reached the run's end."""

_STEP_COST: Final = 128  # the fixed cost of a step, in visited positions


@kernel
def forward(run: RunArrays, target: int, budget: int) -> int:
    """Step until `target` merges are applied or about `budget` positions were visited. Return how the move ended."""
    state, history, starts = run.state, run.history, run.pairs.starts
    while state[POSITION] < target:
        if budget <= 0:
            return PAUSED
        rank = state[POSITION]
        pair = _pair_at(run, rank)
        if pair < 0:
            return pair
        occurrences = starts[pair + 1] - starts[pair]
        if not _has_step_capacity(run, pair, occurrences):
            return NEEDS_CAPACITY
        budget -= occurrences + _STEP_COST
        if rank == state[KNOWN_MERGES]:
            _record_merge(run, pair)
        history.vanished[rank] = apply_merge(run, pair)
        state[NEXT_PAIR] = -1
    return ARRIVED


@kernel
def back(run: RunArrays, target: int, budget: int) -> int:
    """Undo steps until `target` merges are applied or about `budget` positions were visited.

    Return how the move ended.
    """
    state, history, starts = run.state, run.history, run.pairs.starts
    while state[POSITION] > target:
        if budget <= 0:
            return PAUSED
        pair = history.pairs[state[POSITION] - 1]
        budget -= starts[pair + 1] - starts[pair] + _STEP_COST
        undo_merge(run)
        state[NEXT_PAIR] = -1
    return ARRIVED


@kernel
def next_pair(run: RunArrays) -> int:
    """Return the pair that the next step merges, or one of the negative numbers above.

    At the end of the known run, this sets NEXT_TIES of the state.
    """
    return _pair_at(run, run.state[POSITION])


@kernel
def choose_next(run: RunArrays) -> int:
    """Return the pair that training would choose if the plan gave none, or NO_PAIR, or NEEDS_VERDICTS.

    This sets NEXT_TIES of the state.
    """
    return _choose_pair(run)


@helper
def _pair_at(run: RunArrays, rank: int) -> int:
    """Return the pair to merge at `rank`, the current position, or one of the negative numbers above."""
    key = run.given[rank] if rank < len(run.given) else CHOSEN
    if key == CHOSEN:
        return run.history.pairs[rank] if rank < run.state[KNOWN_MERGES] else _choose_pair(run)
    if key == OVER:
        return NO_PAIR
    return NEEDS_SYMBOLS if key == UNRESOLVED else _given_pair(run, key, rank)


@helper
def _given_pair(run: RunArrays, key: int, rank: int) -> int:
    """Return the pair with this key, added if it is new, or NEEDS_VERDICTS or NEEDS_CAPACITY."""
    pairs, state = run.pairs, run.state
    if lookup(pairs.keys, pairs.slots, key) < 0 and not has_pair_capacity(pairs, state[PAIR_COUNT] + 1):
        return NEEDS_CAPACITY
    pair = find_or_add(run, key)
    if rank == state[KNOWN_MERGES]:
        ties = count_ties_of_given(run, pair)
        if ties == NEEDS_VERDICTS:
            return NEEDS_VERDICTS
        state[NEXT_TIES] = ties
    return pair


@helper
def _choose_pair(run: RunArrays) -> int:
    """Return the pair that training chooses, or NO_PAIR, or NEEDS_VERDICTS."""
    state, counts = run.state, run.pairs.counts
    if state[NEXT_PAIR] < 0:
        pair = best_pair(run)
        if pair < 0:
            return pair
        if counts[pair] < run.settings[MIN_COUNT]:
            return NO_PAIR
        state[NEXT_TIES] = count_ties(run, pair)
        state[NEXT_PAIR] = pair
    return state[NEXT_PAIR]


@helper
def _has_step_capacity(run: RunArrays, pair: int, occurrences: int) -> bool:
    """Return whether the arrays have capacity for another step: its symbol, and all pairs that it could create."""
    symbols, pairs, state = run.symbols, run.pairs, run.state
    new = run.settings[ALPHABET_SIZE] + state[POSITION]
    if new + 1 >= len(symbols.lengths) or state[POSITION] >= len(run.history.pairs):
        return False
    text_end = symbols.starts[new] + 2 * _longest_part(symbols, pairs.keys[pair])
    most_pairs = state[PAIR_COUNT] + 2 * min(occurrences, new + 1)
    return text_end <= len(symbols.text) and has_pair_capacity(pairs, most_pairs)


@helper
def _longest_part(symbols: SymbolTable, key: int) -> int:
    left, right = left_of(key), right_of(key)
    return max(symbols.starts[left + 1] - symbols.starts[left], symbols.starts[right + 1] - symbols.starts[right])


@helper
def _record_merge(run: RunArrays, pair: int) -> None:
    """Append the next merge to the history, and its symbol to the symbol table."""
    state, history, pairs = run.state, run.history, run.pairs
    rank = state[POSITION]
    history.pairs[rank] = pair
    history.counts[rank] = pairs.counts[pair]
    history.ties[rank] = state[NEXT_TIES]
    history.first_new_pairs[rank] = state[PAIR_COUNT]
    state[KNOWN_MERGES] = rank + 1
    state[NEXT_PAIR] = -1
    symbols, new = run.symbols, run.settings[ALPHABET_SIZE] + rank
    left, right = left_of(pairs.keys[pair]), right_of(pairs.keys[pair])
    symbols.lengths[new] = symbols.lengths[left] + symbols.lengths[right]
    offset = symbols.starts[new]
    for part in (left, right):
        start, end = symbols.starts[part], symbols.starts[part + 1]
        copy_bytes(symbols.text, start, end, offset)
        offset += end - start
    symbols.starts[new + 1] = offset
    store_prefix(symbols, new)
