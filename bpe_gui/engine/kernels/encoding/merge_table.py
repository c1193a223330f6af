"""Look up which symbol a pair of symbols merges into, and with which rank.

Whether a pair merges at all is unpredictable, and a mispredicted branch costs more than the lookup. So the hash table
has buckets of eight slots, which share a cache line and are compared at once with vector instructions, and all branches
of a lookup nearly always go the same way. A pair that does not fit into its bucket is in a later one. Pairs of initial
symbols, which are mostly bytes, are looked up in a matrix instead.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import (
    FIELD_BITS,
    LINE_LANES,
    SYMBOL_BITS,
    SYMBOL_MASK,
    index_in_line,
    prefetch,
    wrapping_multiply,
)
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

BUCKET: Final = LINE_LANES
"""Slots in a bucket."""

NO_RANK: Final = 0x7FFF_FFFF
NO_MERGE: Final = NO_RANK << SYMBOL_BITS
"""Stands for a packed merge if a pair does not merge; greater than any merge."""

# A slot has the left symbol, the right symbol and the number of the pair, in FIELD_BITS each.
_FIELD_MASK: Final = (1 << FIELD_BITS) - 1

MAX_SYMBOLS: Final = _FIELD_MASK
"""The most symbols, and the most pairs, in a table; one more number marks what is not a symbol."""

MATRIX_SYMBOLS: Final = 256
"""The number of symbols whose pairs are in the matrix."""

IN_ORDER: Final = 0
"""Index into `MergeTable.settings`."""

_MULTIPLIER: Final = 0x1E37_79B9_7F4A_7C15  # odd and close to the golden ratio, so that neighbouring keys spread


class MergeTable(Record):
    """Pairs, numbered from 1, and the symbols they merge into, with spare capacity."""

    slots: Int64Array
    """The hash table of the pairs; empty slots are 0. Buckets are aligned to cache lines; there are 2ⁿ slots."""
    products: Int32Array
    """The symbol that each pair merges into. Pairs of low ranks, which are looked up most, are next to each other."""
    ranks: Int32Array
    """The rank of each pair's merge; NO_RANK for number 0."""
    matrix: Int32Array
    """The number of each pair of the first MATRIX_SYMBOLS symbols, row by row, or 0 if it does not merge."""
    settings: Int64Array
    """Whether the rank of every pair is its number minus 1, so that `ranks` need not be read."""


@helper
def pair_number(table: MergeTable, left: int, right: int) -> int:
    """Return the number of a pair, or 0 if it does not merge."""
    slots = table.slots
    is_outside = (left | right) >> FIELD_BITS  # nonzero if one is not a symbol; then the key must match no slot
    key = _slot_key(left, right) | -(is_outside != 0)
    first = _home_bucket(key, slots)
    found = index_in_line(slots, first, key << FIELD_BITS)
    if slots[first + BUCKET - 1] != 0 and found == BUCKET:
        return _probe(slots, key, first)
    is_found = (found >> 3) - 1  # all bits set, or none
    return slots[first + (found & 7)] & _FIELD_MASK & is_found


@helper
def prefetch_pair(table: MergeTable, left: int, right: int) -> None:
    """Prefetch the bucket of a pair."""
    prefetch(table.slots, _home_bucket(_slot_key(left, right), table.slots))


@helper
def initial_pair_number(table: MergeTable, left: int, right: int) -> int:
    """Return the number of a pair, or 0 if it does not merge; faster than `pair_number` for two initial symbols."""
    if (left | right) < MATRIX_SYMBOLS:
        return table.matrix[left * MATRIX_SYMBOLS + right]
    return pair_number(table, left, right)


@helper
def rank_of(table: MergeTable, number: int, no_rank: int) -> int:
    """Return the rank at which a numbered pair merges, or `no_rank`, which has all bits set, for number 0."""
    if table.settings[IN_ORDER]:
        return (number - 1) & no_rank
    return min(table.ranks[number], no_rank)


@helper
def merge_below(table: MergeTable, left: int, right: int, limit: int) -> int:
    """Return the merge of a pair, packed as rank above symbol, if its rank is below `limit`, or NO_MERGE."""
    number = pair_number(table, left, right)
    merge = (table.ranks[number] << SYMBOL_BITS) | table.products[number]
    return merge if merge >> SYMBOL_BITS < limit else NO_MERGE


@helper
def product_of(merge: int) -> int:
    """Return the symbol that a packed merge makes."""
    return merge & SYMBOL_MASK


@helper
def _probe(slots: Int64Array, key: int, slot: int) -> int:
    """Return the number of a pair by linear probing from a slot, or 0."""
    while slots[slot] != 0:
        if slots[slot] >> FIELD_BITS == key:
            return slots[slot] & _FIELD_MASK
        slot = (slot + 1) & (len(slots) - 1)
    return 0


@helper
def _slot_key(left: int, right: int) -> int:
    return (left << FIELD_BITS) | right


@helper
def _home_bucket(key: int, slots: Int64Array) -> int:
    """Return the first slot of the bucket at which probing for a key begins."""
    return (wrapping_multiply(key, _MULTIPLIER) >> 31) & (len(slots) - BUCKET)


@kernel
def add_pairs(
    table: MergeTable, known: int, lefts: Int64Array, rights: Int64Array, products: Int64Array, ranks: Int64Array
) -> None:
    """Add pairs to a table that has capacity for them and already has `known` pairs. Of equal pairs, keep the first."""
    for i in range(len(lefts)):
        left, right, number = lefts[i], rights[i], known + i + 1
        key = _slot_key(left, right)
        if _probe(table.slots, key, _home_bucket(key, table.slots)) == 0:
            insert_pair(table, number, left, right, products[i], ranks[i])


@helper
def insert_pair(table: MergeTable, number: int, left: int, right: int, product: int, rank: int) -> None:
    """Add a pair that is not in the table, under an unused number that fits."""
    table.products[number], table.ranks[number] = product, rank
    _insert_key(table.slots, _slot_key(left, right), number)  # last, because other threads may be reading
    if (left | right) < MATRIX_SYMBOLS:
        table.matrix[left * MATRIX_SYMBOLS + right] = number


@kernel
def move_pairs(old: MergeTable, new: MergeTable) -> None:
    """Rehash all pairs into a larger, empty table."""
    for number in range(len(old.products)):
        new.products[number], new.ranks[number] = old.products[number], old.ranks[number]
    for slot in range(len(old.slots)):
        if old.slots[slot] != 0:
            _insert_key(new.slots, old.slots[slot] >> FIELD_BITS, old.slots[slot] & _FIELD_MASK)
    for pair in range(len(old.matrix)):
        new.matrix[pair] = old.matrix[pair]
    new.settings[IN_ORDER] = old.settings[IN_ORDER]


@helper
def _insert_key(slots: Int64Array, key: int, number: int) -> None:
    slot = _home_bucket(key, slots)
    while slots[slot] != 0:
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = (key << FIELD_BITS) | number
