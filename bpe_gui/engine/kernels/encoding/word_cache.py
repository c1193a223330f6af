"""A cache of the symbols, or ids, of encoded words: a hash table whose slots are half a cache line.

A slot has the key of a word (see `word_table`) and two more numbers:

- Up to three symbols are packed into them, with their count above the third.
- Longer results are in a separate array, each preceded by its count and its number of unknown symbols. Then the first
  number is the offset of the result, and the second is the offset of the word's bytes if the word has more than 15; its
  upper half is 0. The array starts with an empty result, for words that are not merged yet.

New words are merged in bulk, and become rare later in a text. To let pending words accumulate over several batches, the
output continues after each of them as if it had no symbols. These gaps are closed once the symbols are known.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper
from bpe_gui.engine.kernels.encoding.word_merging import MAX_BYTES, MAX_WORDS
from bpe_gui.engine.kernels.lowlevel.machine import COPY_LANES, SYMBOL_BITS, copy8, store_packed_pair
from bpe_gui.engine.kernels.text.word_table import BATCH, HIGH, LOW, WIDTH, LookupBatch, is_same
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

# Offsets in a slot: the packed first two symbols or the offset of the symbols; the packed third symbol and the count,
# or the offset of the word's bytes.
_FIRST_TWO, _THIRD = 2, 3

_MAX_INLINE_SYMBOLS: Final = 3  # symbols in a slot

MAX_BATCH_SYMBOLS: Final = BATCH * (MAX_BYTES + 1)
"""The most symbols, and bytes, that caching the words of a batch can take."""

_MAX_NEW_SYMBOLS: Final = (BATCH + MAX_WORDS) * (MAX_BYTES + 1)  # including those of pending words of earlier batches
_HEADER: Final = 2  # numbers before the symbols of a result

# Indices into `WordCache.state`.
CACHED_WORDS, TEXT_SIZE, SYMBOLS_SIZE, WORD_LIMIT = range(4)
"""The number of words, the sizes of `text` and `symbols`, and the most words that the load factor allows."""

EMPTY_STATE: Final = 0, 0, _HEADER
"""The first three of these when the cache is empty."""

_UNMERGED: Final = 0  # the offset of the empty result


class WordCache(Record):
    """Encoded words, with spare capacity."""

    slots: Int64Array
    text: UInt8Array
    """The bytes of words with more than 15."""
    symbols: Int32Array
    """Results that do not fit into slots."""
    state: Int64Array


@helper
def cache_has_capacity(cache: WordCache) -> bool:
    """Return whether a batch of new words fits."""
    state = cache.state
    return (
        state[CACHED_WORDS] + BATCH <= state[WORD_LIMIT]
        and state[TEXT_SIZE] + MAX_BATCH_SYMBOLS <= len(cache.text)
        and state[SYMBOLS_SIZE] + 2 * _MAX_NEW_SYMBOLS + COPY_LANES <= len(cache.symbols)
    )


@helper
def is_found(slots: Int64Array, slot: int, low: int, high: int) -> bool:
    """Return whether a slot has the word with this key, which no other word can have."""
    return slots[slot + LOW] == low and slots[slot + HIGH] == high and high > 0


@helper
def find_word(cache: WordCache, text: UInt8Array, batch: LookupBatch, word: int) -> int:
    """Return the slot of a word of a batch, or the empty slot for adding it."""
    slots, start = cache.slots, batch.starts[word]
    low, high, slot = batch.lows[word], batch.highs[word], batch.slots[word]
    while slots[slot + HIGH] != 0:
        if (
            slots[slot + LOW] == low
            and slots[slot + HIGH] == high
            and (high > 0 or is_same(text, start, -high, cache.text, slots[slot + _THIRD]))
        ):
            return slot
        slot = (slot + WIDTH) & (len(slots) - 1)
    return slot


@helper
def is_empty(slots: Int64Array, slot: int) -> bool:
    """Return whether a slot has no word."""
    return slots[slot + HIGH] == 0


@helper
def is_unmerged(slots: Int64Array, slot: int) -> bool:
    """Return whether a word has no symbols yet, given that they are not in its slot."""
    return slots[slot + _FIRST_TWO] == _UNMERGED


@helper
def has_inline_symbols(slots: Int64Array, slot: int) -> bool:
    """Return whether the symbols of a word are in its slot."""
    return slots[slot + _THIRD] >> SYMBOL_BITS > 0


@helper
def copy_inline(slots: Int64Array, slot: int, out: Int32Array, count: int) -> int:
    """Append the symbols in a slot to the `count` symbols in `out`. Return the new count.

    Four numbers are always written, so that no branch depends on how many there are.
    """
    third = slots[slot + _THIRD]
    store_packed_pair(out, count, slots[slot + _FIRST_TWO])
    store_packed_pair(out, count + 2, third)
    return count + (third >> SYMBOL_BITS)


@helper
def copy_result(cache: WordCache, slot: int, out: Int32Array, count: int) -> tuple[int, int]:
    """Append the symbols of a word that are not in its slot to the `count` symbols in `out`, and up to seven more.

    Return the new count, and how many of the symbols are unknown.
    """
    symbols = cache.symbols
    at = cache.slots[slot + _FIRST_TWO]
    size = symbols[at]
    for i in range(0, size, COPY_LANES):
        copy8(symbols, at + _HEADER + i, out, count + i)
    return count + size, symbols[at + 1]


@helper
def add_key(cache: WordCache, text: UInt8Array, batch: LookupBatch, word: int, slot: int) -> None:
    """Put a word of a batch into an empty slot, marked as not merged yet."""
    slots, state = cache.slots, cache.state
    high = batch.highs[word]
    slots[slot + LOW], slots[slot + HIGH] = batch.lows[word], high
    slots[slot + _FIRST_TWO], slots[slot + _THIRD] = _UNMERGED, 0
    state[CACHED_WORDS] += 1
    if high < 0:
        start, offset = batch.starts[word], state[TEXT_SIZE]
        for i in range(-high):
            cache.text[offset + i] = text[start + i]
        slots[slot + _THIRD] = offset
        state[TEXT_SIZE] = offset - high


@helper
def store_result(cache: WordCache, slot: int, symbols: Int32Array, first: int, count: int, unknowns: int) -> None:
    """Store the symbols of the word in a slot: `count` of them from index `first`, `unknowns` of them unknown."""
    slots, state = cache.slots, cache.state
    if slots[slot + HIGH] > 0 and count <= _MAX_INLINE_SYMBOLS and unknowns == 0:
        second = symbols[first + 1] if count > 1 else 0
        third = symbols[first + 2] if count > 2 else 0
        slots[slot + _FIRST_TWO] = (second << SYMBOL_BITS) | symbols[first]
        slots[slot + _THIRD] = (count << SYMBOL_BITS) | third
        return
    at = state[SYMBOLS_SIZE]
    slots[slot + _FIRST_TWO] = at
    cache.symbols[at], cache.symbols[at + 1] = count, unknowns
    for i in range(0, count, COPY_LANES):
        copy8(symbols, first + i, cache.symbols, at + _HEADER + i)
    state[SYMBOLS_SIZE] = at + _HEADER + count


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
