"""The pairs by their symbols, and their counts."""

from typing import Final

from bpe_gui.engine.kernels.lowlevel.bits import multiply
from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.records import SYMBOL_BITS, SYMBOL_MASK, Ints, Longs

_SPREAD: Final = 0x1E37_79B9_7F4A_7C15  # odd, and about the golden ratio: spreads neighbouring keys


@helper
def key_of(left: int, right: int) -> int:
    """A pair as one number."""
    return (left << SYMBOL_BITS) | right


@helper
def left_of(key: int) -> int:
    """The left symbol of a pair."""
    return key >> SYMBOL_BITS


@helper
def right_of(key: int) -> int:
    """The right symbol of a pair."""
    return key & SYMBOL_MASK


@helper
def _home(key: int, mask: int) -> int:
    """The slot in which a pair is looked for first."""
    product = multiply(key, _SPREAD)
    return (product ^ (product >> 29)) & mask


@helper
def find(keys: Longs, slots: Ints, key: int) -> int:
    """The number of a pair, or -1."""
    mask = len(slots) - 1
    slot = _home(key, mask)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slots[slot]


@helper
def insert(keys: Longs, slots: Ints, pair: int) -> None:
    """Put a pair that is not there into the hash table."""
    mask = len(slots) - 1
    slot = _home(keys[pair], mask)
    while slots[slot] >= 0:
        slot = (slot + 1) & mask
    slots[slot] = pair


@helper
def remove_last(keys: Longs, slots: Ints, pair: int) -> None:
    """Take the pair that was put in last out of the hash table: then it is as it was before."""
    mask = len(slots) - 1
    slot = _home(keys[pair], mask)
    while slots[slot] != pair:
        slot = (slot + 1) & mask
    slots[slot] = -1


@helper
def set_count(counts: Longs, levels: Longs, pair: int, count: int) -> None:
    """Change the count of a pair, and how many pairs have the one and the other."""
    before = counts[pair]
    if 0 < before < len(levels):
        levels[before] -= 1
    if 0 < count < len(levels):
        levels[count] += 1
    counts[pair] = count


@kernel
def fill_slots(keys: Longs, slots: Ints, pairs: int) -> None:
    """Put all pairs into an empty hash table, in their order."""
    for pair in range(pairs):
        insert(keys, slots, pair)


@kernel
def find_pair(keys: Longs, slots: Ints, key: int) -> int:
    """The number of a pair, or -1."""
    return find(keys, slots, key)
