"""Moving through a run: forward, choosing where it is not known yet, and back."""

from typing import Final

from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.heap import best, ties_of
from bpe_gui.engine.kernels.lowlevel.memory import copy_bytes
from bpe_gui.engine.kernels.training.pair_table import left_of, right_of
from bpe_gui.engine.kernels.training.records import ALPHABET, CHOSEN, KNOWN, MIN_COUNT, PAIRS, POSITION, TIES, Machine, Symbols
from bpe_gui.engine.kernels.training.merge_step import apply, undo

ARRIVED, EXHAUSTED, NEEDS_ROOM, PAUSED = range(4)
"""How a move ends: where it should, with nothing left to merge, for want of room, or because it took long enough."""

_STEP_COST: Final = 128  # a step of few places takes about as long as visiting so many
_PREFIX: Final = 7  # bytes: as many as make a number that is never negative


@kernel
def forward(machine: Machine, target: int, budget: int) -> int:
    """Step until `target` merges are applied, or about `budget` places were visited. Returns how it ended."""
    state, run, begins = machine.state, machine.run, machine.pairs.begins
    while state[POSITION] < target:
        if budget <= 0:
            return PAUSED
        position = state[POSITION]
        pair = run.pairs[position] if position < state[KNOWN] else choose(machine)
        if pair < 0:
            return EXHAUSTED
        places = begins[pair + 1] - begins[pair]
        if not _has_room(machine, pair, places):
            return NEEDS_ROOM
        budget -= places + _STEP_COST
        if position == state[KNOWN]:
            _learn(machine, pair)
        run.gone[position] = apply(machine, pair)
    return ARRIVED


@kernel
def back(machine: Machine, target: int, budget: int) -> int:
    """Undo steps until `target` merges are applied, or about `budget` places were visited. Returns how it ended."""
    state, run, begins = machine.state, machine.run, machine.pairs.begins
    while state[POSITION] > target:
        if budget <= 0:
            return PAUSED
        pair = run.pairs[state[POSITION] - 1]
        budget -= begins[pair + 1] - begins[pair] + _STEP_COST
        undo(machine)
        state[CHOSEN] = -1
    return ARRIVED


@kernel
def choose_next(machine: Machine) -> int:
    """The pair that comes next at the end of the known run, or -1."""
    return choose(machine)


@helper
def choose(machine: Machine) -> int:
    """The pair that comes next at the end of the known run, or -1; its ties are in the state."""
    state, counts = machine.state, machine.pairs.counts
    if state[CHOSEN] < 0:
        pair = best(machine)
        if pair < 0 or counts[pair] < machine.settings[MIN_COUNT]:
            return -1
        state[TIES] = ties_of(machine, pair)
        state[CHOSEN] = pair
    return state[CHOSEN]


@helper
def _has_room(machine: Machine, pair: int, places: int) -> bool:
    """Whether the arrays have room for another step: for its symbol, and for as many pairs as it could bring."""
    symbols, pairs, state = machine.symbols, machine.pairs, machine.state
    new = machine.settings[ALPHABET] + state[POSITION]
    if new + 1 >= len(symbols.lengths) or state[POSITION] >= len(machine.run.pairs):
        return False
    text_end = symbols.starts[new] + 2 * _longest_part(symbols, pairs.keys[pair])
    most_pairs = state[PAIRS] + 2 * min(places, new + 1)
    return text_end <= len(symbols.text) and most_pairs < len(pairs.keys) and 2 * most_pairs <= len(pairs.slots)


@helper
def _longest_part(symbols: Symbols, key: int) -> int:
    left, right = left_of(key), right_of(key)
    return max(symbols.starts[left + 1] - symbols.starts[left], symbols.starts[right + 1] - symbols.starts[right])


@helper
def _learn(machine: Machine, pair: int) -> None:
    """Write the next step of the run down, and what its symbol is."""
    state, run, pairs = machine.state, machine.run, machine.pairs
    position = state[POSITION]
    run.pairs[position] = pair
    run.counts[position] = pairs.counts[pair]
    run.ties[position] = state[TIES]
    run.first_pairs[position] = state[PAIRS]
    state[KNOWN] = position + 1
    state[CHOSEN] = -1
    symbols, new = machine.symbols, machine.settings[ALPHABET] + position
    left, right = left_of(pairs.keys[pair]), right_of(pairs.keys[pair])
    symbols.lengths[new] = symbols.lengths[left] + symbols.lengths[right]
    at = symbols.starts[new]
    for part in (left, right):
        begin, end = symbols.starts[part], symbols.starts[part + 1]
        copy_bytes(symbols.text, begin, end, at)
        at += end - begin
    symbols.starts[new + 1] = at
    note_prefix(symbols, new)


@helper
def note_prefix(symbols: Symbols, symbol: int) -> None:
    """Keep the first bytes of a symbol as a number."""
    prefix = 0
    begin, end = symbols.starts[symbol], symbols.starts[symbol + 1]
    for i in range(_PREFIX):
        prefix = (prefix << 8) | (symbols.text[begin + i] if begin + i < end else 0)
    symbols.prefixes[symbol] = prefix
