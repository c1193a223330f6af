"""A hash table that finds tokens by their bytes, and whether they are all different.

The tokens are concatenated in a padded buffer: token t is the bytes from `starts[t]` up to `starts[t + 1]`. A slot has
the upper bits of a token's hash above its number plus 1, so the bytes of two tokens are compared only if they are
almost certainly the same. Slots are found by open addressing with linear probing, and at least half of them are empty.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.memory import prefetch
from bpe_gui.engine.kernels.text.word_table import is_same, mix, word_key
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

_NUMBER_BITS: Final = 32
_NUMBER_MASK: Final = (1 << _NUMBER_BITS) - 1

_BATCH: Final = 64
"""How many spans' slots are prefetched together, so that cache misses overlap."""


class TokenTable(Record):
    """Tokens, and the hash table of their numbers."""

    text: UInt8Array
    starts: Int64Array
    slots: Int64Array
    """2ⁿ slots; empty ones are 0."""


@kernel
def add_tokens(table: TokenTable) -> int:
    """Add all tokens to an empty table, except repeated ones. Return how many it has."""
    different = 0
    for token in range(len(table.starts) - 1):
        start, end = table.starts[token], table.starts[token + 1]
        hashed = _hash_of(table.text, start, end)
        slot = _slot_of(table, table.text, start, end, hashed)
        if table.slots[slot] == 0:
            table.slots[slot] = (hashed >> _NUMBER_BITS << _NUMBER_BITS) | (token + 1)
            different += 1
    return different


@kernel
def find_tokens(table: TokenTable, text: UInt8Array, starts: Int64Array, ends: Int64Array, found: Int64Array) -> None:
    """Write the number of the token in each span of a padded text, or -1 if it is not a token."""
    for first in range(0, len(starts), _BATCH):
        batch = range(first, min(first + _BATCH, len(starts)))
        for i in batch:
            found[i] = _hash_of(text, starts[i], ends[i])
            prefetch(table.slots, found[i] & (len(table.slots) - 1))
        for i in batch:
            slot = _slot_of(table, text, starts[i], ends[i], found[i])
            found[i] = (table.slots[slot] & _NUMBER_MASK) - 1


@helper
def _hash_of(text: UInt8Array, start: int, end: int) -> int:
    low, high = word_key(text, start, end - start)
    return mix(low, high)


@helper
def _slot_of(table: TokenTable, text: UInt8Array, start: int, end: int, hashed: int) -> int:
    """Return the slot of the token between two offsets of a text, or the empty slot for adding it."""
    slots = table.slots
    slot = hashed & (len(slots) - 1)
    while slots[slot] != 0 and not (
        slots[slot] >> _NUMBER_BITS == hashed >> _NUMBER_BITS
        and _has_bytes(table, (slots[slot] & _NUMBER_MASK) - 1, text, start, end)
    ):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@helper
def _has_bytes(table: TokenTable, token: int, text: UInt8Array, start: int, end: int) -> bool:
    """Return whether a token has the bytes between two offsets of a text."""
    other, size = table.starts[token], end - start
    if table.starts[token + 1] - other != size:
        return False
    low, high = word_key(text, start, size)
    other_low, other_high = word_key(table.text, other, size)
    return low == other_low and high == other_high and (high >= 0 or is_same(text, start, size, table.text, other))
