"""Move along a run: forward, choosing the pairs that are not known yet, and back."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.memory import copy_bytes

from .heap import best_pair, count_ties
from .merge_step import apply_merge, undo_merge
from .pair_table import left_of, right_of
from .records import (
    ALPHABET_SIZE,
    KNOWN_MERGES,
    MIN_COUNT,
    NEXT_PAIR,
    NEXT_TIES,
    PAIR_COUNT,
    POSITION,
    RunArrays,
    SymbolTable,
)
from .symbol_table import store_prefix

ARRIVED, EXHAUSTED, NEEDS_CAPACITY, PAUSED = range(4)
"""The ways a move ends: at its target, with nothing left to merge, with arrays too small, with its budget used up."""

_STEP_COST: Final = 128  # the fixed cost of a step, in visited positions


@kernel
def forward(run: RunArrays, target: int, budget: int) -> int:
    """Step until `target` merges are applied or about `budget` positions were visited. Return how the move ended."""
    state, history, starts = run.state, run.history, run.pairs.starts
    while state[POSITION] < target:
        if budget <= 0:
            return PAUSED
        rank = state[POSITION]
        pair = history.pairs[rank] if rank < state[KNOWN_MERGES] else choose_pair(run)
        if pair < 0:
            return EXHAUSTED
        occurrences = starts[pair + 1] - starts[pair]
        if not _has_step_capacity(run, pair, occurrences):
            return NEEDS_CAPACITY
        budget -= occurrences + _STEP_COST
        if rank == state[KNOWN_MERGES]:
            _record_merge(run, pair)
        history.vanished[rank] = apply_merge(run, pair)
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
def choose_next(run: RunArrays) -> int:
    """Return the pair to merge next, at the end of the known run, or -1; NEXT_TIES of the state has its ties."""
    return choose_pair(run)


@helper
def choose_pair(run: RunArrays) -> int:
    """Return the pair to merge next, at the end of the known run, or -1; NEXT_TIES of the state has its ties."""
    state, counts = run.state, run.pairs.counts
    if state[NEXT_PAIR] < 0:
        pair = best_pair(run)
        if pair < 0 or counts[pair] < run.settings[MIN_COUNT]:
            return -1
        state[NEXT_TIES] = count_ties(run, pair)
        state[NEXT_PAIR] = pair
    return state[NEXT_PAIR]


@helper
def _has_step_capacity(run: RunArrays, pair: int, occurrences: int) -> bool:
    """Return whether the arrays can take another step: its symbol, and as many pairs as it could create."""
    symbols, pairs, state = run.symbols, run.pairs, run.state
    new = run.settings[ALPHABET_SIZE] + state[POSITION]
    if new + 1 >= len(symbols.lengths) or state[POSITION] >= len(run.history.pairs):
        return False
    text_end = symbols.starts[new] + 2 * _longest_part(symbols, pairs.keys[pair])
    most_pairs = state[PAIR_COUNT] + 2 * min(occurrences, new + 1)
    return text_end <= len(symbols.text) and most_pairs < len(pairs.keys) and 2 * most_pairs <= len(pairs.slots)


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
