"""Look pairs up by their two symbols, and change their counts.

The hash table uses multiplicative (Fibonacci) hashing and linear probing; see Knuth, “The Art of Computer Programming”,
volume 3, section 6.4. Pairs are removed in the reverse order of their insertion, so that no tombstones are needed.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.bits import wrapping_multiply
from bpe_gui.engine.kernels.lowlevel.packing import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array

_MULTIPLIER: Final = 0x1E37_79B9_7F4A_7C15  # odd and close to the golden ratio, so that neighbouring keys spread


@helper
def pair_key(left: int, right: int) -> int:
    """Return a pair of symbols packed into one number."""
    return (left << SYMBOL_BITS) | right


@helper
def left_of(key: int) -> int:
    """Return the left symbol of a packed pair."""
    return key >> SYMBOL_BITS


@helper
def right_of(key: int) -> int:
    """Return the right symbol of a packed pair."""
    return key & SYMBOL_MASK


@helper
def _home_of_pair(key: int, mask: int) -> int:
    """Return the slot at which probing for a key begins."""
    product = wrapping_multiply(key, _MULTIPLIER)
    return (product ^ (product >> 29)) & mask


@helper
def lookup(keys: Int64Array, slots: Int32Array, key: int) -> int:
    """Return the number of the pair with that key, or -1."""
    mask = len(slots) - 1
    slot = _home_of_pair(key, mask)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slots[slot]


@helper
def insert(keys: Int64Array, slots: Int32Array, pair: int) -> None:
    """Insert a pair that is not in the hash table yet."""
    mask = len(slots) - 1
    slot = _home_of_pair(keys[pair], mask)
    while slots[slot] >= 0:
        slot = (slot + 1) & mask
    slots[slot] = pair


@helper
def remove_last(keys: Int64Array, slots: Int32Array, pair: int) -> None:
    """Remove the pair that was inserted last, which leaves the hash table exactly as it was before."""
    mask = len(slots) - 1
    slot = _home_of_pair(keys[pair], mask)
    while slots[slot] != pair:
        slot = (slot + 1) & mask
    slots[slot] = -1


@helper
def set_count(counts: Int64Array, histogram: Int64Array, pair: int, count: int) -> None:
    """Change the count of a pair, and the histogram with it."""
    before = counts[pair]
    if 0 < before < len(histogram):
        histogram[before] -= 1
    if 0 < count < len(histogram):
        histogram[count] += 1
    counts[pair] = count


@kernel
def insert_all(keys: Int64Array, slots: Int32Array, pairs: int) -> None:
    """Insert the first `pairs` pairs into an empty hash table, in order."""
    for pair in range(pairs):
        insert(keys, slots, pair)


@kernel
def find_pair(keys: Int64Array, slots: Int32Array, key: int) -> int:
    """Return the number of the pair with that key, or -1."""
    return lookup(keys, slots, key)
