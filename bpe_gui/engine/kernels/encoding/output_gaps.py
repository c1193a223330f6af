"""Leave gaps in the output for words that are still pending, and close them once their symbols are known.

New words are merged in bulk, and become rare later in a text. To let pending words accumulate over several batches, the
output continues after each of them as if it had no symbols, and is shifted once they are known.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper
from bpe_gui.engine.kernels.lowlevel.memory import COPY_LANES, copy8
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .word_cache import MAX_BATCH_SYMBOLS, WordCache, copy_inline, copy_result, has_inline_symbols

MAX_GAPS: Final = 256

_MAX_DISTANCE: Final = 1 << 14
"""Gaps are closed when this many symbols follow the first one: until then, they are in the processor's cache."""

MOVED_CAPACITY: Final = _MAX_DISTANCE + MAX_BATCH_SYMBOLS + COPY_LANES
"""The length of `OutputGaps.moved`."""

GAP_COUNT: Final = 0
"""Index into `OutputGaps.state`."""


class OutputGaps(Record):
    """The gaps in the output, in order."""

    indices: Int64Array
    """The index of the symbol after each gap."""
    slots: Int64Array
    """The slot of each gap's word in the word cache."""
    moved: Int32Array
    """A scratch buffer for the output after the first gap while the gaps are being closed."""
    state: Int64Array


@helper
def add_gap(gaps: OutputGaps, index: int, slot: int) -> None:
    """Add a gap at the end of the output, for the word in a slot."""
    count = gaps.state[GAP_COUNT]
    gaps.indices[count], gaps.slots[count] = index, slot
    gaps.state[GAP_COUNT] = count + 1


@helper
def has_gaps(gaps: OutputGaps) -> bool:
    """Return whether there are gaps."""
    return gaps.state[GAP_COUNT] > 0


@helper
def gaps_are_full(gaps: OutputGaps) -> bool:
    """Return whether no more gaps can be added."""
    return gaps.state[GAP_COUNT] == MAX_GAPS


@helper
def should_close(gaps: OutputGaps, count: int) -> bool:
    """Return whether the gaps should be closed now, because many of the `count` symbols follow the first one."""
    return gaps.state[GAP_COUNT] > 0 and count - gaps.indices[0] > _MAX_DISTANCE


@helper
def close_gaps(gaps: OutputGaps, cache: WordCache, out: Int32Array, count: int) -> tuple[int, int]:
    """Insert the symbols of all gaps' words into the `count` symbols in `out`.

    Return the new count, and how many of the inserted symbols are unknown.
    """
    slots, moved, first, unknowns = cache.slots, gaps.moved, gaps.indices[0], 0
    _copy(out, first, moved, 0, count - first)
    written, copied = first, first
    for gap in range(gaps.state[GAP_COUNT]):
        size, slot = gaps.indices[gap] - copied, gaps.slots[gap]
        _copy(moved, copied - first, out, written, size)
        written, copied = written + size, copied + size
        if has_inline_symbols(slots, slot):
            written = copy_inline(slots, slot, out, written)
        else:
            written, unknown = copy_result(cache, slot, out, written)
            unknowns += unknown
    _copy(moved, copied - first, out, written, count - copied)
    gaps.state[GAP_COUNT] = 0
    return written + count - copied, unknowns


@helper
def _copy(source: Int32Array, at: int, target: Int32Array, to: int, size: int) -> None:
    """Copy `size` numbers, and up to seven more."""
    for i in range(0, size, COPY_LANES):
        copy8(source, at + i, target, to + i)
