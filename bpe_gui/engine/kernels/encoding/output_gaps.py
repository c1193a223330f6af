"""Gaps in what was written: where the symbols of words belong that are not merged yet.

New words are merged many at once, and are rare once a text has gone on for a while. So that none has to wait for others
in its own batch alone, what follows it is written as if it had no symbols, and makes room when it has some.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.jit import helper, inlined
from bpe_gui.engine.kernels.lowlevel.memory import copy_eight
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.lowlevel.vectors import EIGHT
from bpe_gui.engine.kernels.encoding.word_cache import MOST_SYMBOLS_OF_BATCH, WordCache, are_in_slot, copy_from_row, copy_from_slot

MOST_GAPS: Final = 256

_FAR: Final = 1 << 14
"""Symbols that are written after the first gap, at most, before the gaps are filled: they lie near the processor."""

ROOM_ASIDE: Final = _FAR + MOST_SYMBOLS_OF_BATCH + EIGHT
"""Symbols for which there must be room while the gaps are filled."""

COUNT: Final = 0  # in `Gaps.state`


class Gaps(NamedTuple):
    """Where words are left out."""

    places: Longs
    """By gap: before which symbol it is."""
    slots: Longs
    """By gap: where in the cache of words its symbols will be."""
    aside: Ints
    """What follows the first gap, while the gaps are filled."""
    state: Longs
    """How many there are."""


@inlined
def add_gap(gaps: Gaps, place: int, slot: int) -> None:
    """Leave out a word. There is room."""
    count = gaps.state[COUNT]
    gaps.places[count], gaps.slots[count] = place, slot
    gaps.state[COUNT] = count + 1


@inlined
def has_gaps(gaps: Gaps) -> bool:
    """Whether words are left out."""
    return gaps.state[COUNT] > 0


@inlined
def are_full(gaps: Gaps) -> bool:
    """Whether there is no room for another gap."""
    return gaps.state[COUNT] == MOST_GAPS


@inlined
def are_far(gaps: Gaps, made: int) -> bool:
    """Whether so many symbols were written after the first gap that the gaps are to be filled before the next batch."""
    return gaps.state[COUNT] > 0 and made - gaps.places[0] > _FAR


@helper
def fill(gaps: Gaps, cache: WordCache, out: Ints, made: int) -> tuple[int, int]:
    """Write the symbols of the words that were left out, and move what follows.

    Returns how many symbols there are then, and how many of those of the words stand for what has none.
    """
    slots, aside, begin, unknowns = cache.slots, gaps.aside, gaps.places[0], 0
    _copy(out, begin, aside, 0, made - begin)
    place, copied = begin, begin
    for gap in range(gaps.state[COUNT]):
        size, slot = gaps.places[gap] - copied, gaps.slots[gap]
        _copy(aside, copied - begin, out, place, size)
        place, copied = place + size, copied + size
        if are_in_slot(slots, slot):
            place = copy_from_slot(slots, slot, out, place)
        else:
            place, unknown = copy_from_row(cache, slot, out, place)
            unknowns += unknown
    _copy(aside, copied - begin, out, place, made - copied)
    gaps.state[COUNT] = 0
    return place + made - copied, unknowns


@inlined
def _copy(numbers: Ints, at: int, out: Ints, place: int, size: int) -> None:
    """Copy so many numbers, and up to seven more."""
    for i in range(0, size, EIGHT):
        copy_eight(numbers, at + i, out, place + i)
