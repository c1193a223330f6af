"""The keys of words in hash tables, by which one line of memory tells a word from others.

A slot has four numbers, of which the first two are the key: a word of up to 15 bytes itself, with its size; of a longer
one a hash, and its bytes are to be compared. Slots are taken by open addressing with linear probing.

Words come in batches: first the keys of all, then their slots, so that waiting for the memory of one does not keep the
others from theirs.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.kernels.lowlevel.bits import folded_product, prefetch
from bpe_gui.engine.kernels.text.gpt2_word_starts import STRETCH
from bpe_gui.engine.runtime.jit import helper, inlined, kernel
from bpe_gui.engine.kernels.lowlevel.memory import load8
from bpe_gui.engine.kernels.training.records import Bytes, Longs

WIDTH: Final = 4
"""Numbers in a slot. Slots lie in pairs, a line of memory each; the number of pairs in a table is a power of two."""

LOW, HIGH = 0, 1
"""Where in a slot the key is. The second is 0 where there is no word."""

BATCH: Final = STRETCH
"""Words that are looked up together, at most."""

_IN_SLOT: Final = 15  # bytes; the sixteenth has the size, so that no word has a 0 for its second number
_MIX_LOW: Final = 0x2D35_8DCC_AA6C_78A5
_MIX_HIGH: Final = 0x0BB6_7AE8_584C_AA73  # odd bits without order, of which about half are set


class Batch(NamedTuple):
    """The words that are looked up next."""

    begins: Longs
    """Where they begin in the text they come from; those of the next follow."""
    lows: Longs
    highs: Longs
    slots: Longs
    """Where in the slots to look first."""
    amounts: Longs
    """What to add to their counts, where they are counted."""


@inlined
def note_keys(slots: Longs, text: Bytes, batch: Batch, size: int) -> None:
    """Write down the keys of the words that `begins` tells of, and where their slots are."""
    for i in range(size):
        begin = batch.begins[i]
        low, high = key_of(text, begin, batch.begins[i + 1] - begin)
        slot = first_slot(low, high, slots)
        batch.lows[i], batch.highs[i], batch.slots[i] = low, high, slot
        prefetch(slots, slot)


@inlined
def key_of(text: Bytes, at: int, size: int) -> tuple[int, int]:
    """Two numbers that tell a word from others: the second is negative if there may be others with the same."""
    if size > _IN_SLOT:
        return _hash_of(text, at, size), -size
    # No other question is asked: the processor guesses wrongly too often which words have more than eight bytes.
    low_bits, high_bits = 8 * min(size, 8), 8 * max(size - 8, 0)
    low = load8(text, at) & (-1 if low_bits == 64 else (1 << low_bits) - 1)
    return low, (load8(text, at + 8) & ((1 << high_bits) - 1)) | (size << 56)


@helper
def _hash_of(text: Bytes, at: int, size: int) -> int:
    hashed, last = 0, at + size - 16
    for place in range(at, last, 16):
        hashed = _mixed(load8(text, place) ^ hashed, load8(text, place + 8))
    return _mixed(load8(text, last) ^ hashed, load8(text, last + 8))


@inlined
def first_slot(low: int, high: int, slots: Longs) -> int:
    """Where to look for a word first: in the first slot of a pair, so that the next is in the same line of memory."""
    return _mixed(low, high) & (len(slots) - 2 * WIDTH)


@inlined
def _mixed(low: int, high: int) -> int:
    """A hash of 63 bits, all of which are good."""
    return folded_product(low ^ _MIX_LOW, high ^ _MIX_HIGH)


@helper
def is_same(text: Bytes, at: int, size: int, other: Bytes, begin: int) -> bool:
    """Whether the bytes at two places are the same, which are at least eight."""
    last = size - 8
    different = load8(text, at + last) ^ load8(other, begin + last)
    for i in range(0, last, 8):
        different |= load8(text, at + i) ^ load8(other, begin + i)
    return different == 0


@kernel
def move_slots(old: Longs, new: Longs) -> None:
    """Put all words into larger slots, which are empty."""
    last = len(new) - 1
    for place in range(0, len(old), WIDTH):
        if old[place + HIGH] != 0:
            slot = first_slot(old[place + LOW], old[place + HIGH], new)
            while new[slot + HIGH] != 0:
                slot = (slot + WIDTH) & last
            for i in range(WIDTH):
                new[slot + i] = old[place + i]
