"""Compare the words of two splitters: mark where the words of each begin and end, then read both at once."""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import PADDING, load8, trailing_zeros
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, size_at
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

from .automaton import Splitter, begin_text, is_stuck, next_words, text_is_split
from .special_search import SpecialTokenTable, find_special, special_size
from .word_table import BATCH, ORIGIN, LookupBatch, WordTable, count_batch, table_has_capacity

# The bits of a mark: bits for the words before, the same for the words after, shifted by `AFTER`, and others.
_BEGINS: Final = 1
_ENDS: Final = 2
AFTER: Final = 2
_SPECIAL_BEGINS: Final = 16  # only in the text after
_SPECIAL_ENDS: Final = 32
_BLOCK_ENDS: Final = 64

# Indices into `Changes.state`.
(
    BLOCK,  # the position of the block in the corpus
    AT,  # where to go on in the block
    BEGIN,  # where the open stretch begins
    OLD,  # its words before
    NEW,  # its words after
    DIFFERS,  # whether they differ so far
    INSIDE,  # bits: which of the two splitters is inside a word
    COVERED,  # how far the words after, and the text they leave out, are counted
    FIRST,  # where the first stretch of the batch begins
    STRETCHES,  # the stretches of the batch
    FILLED,  # the bytes of `Changes.text` that are in use
    GAP_START,  # the first stretch of the block that is left out and is not white space
    GAP_END,
    CHANGED,  # the words before that are not words afterwards
    SPECIAL,  # the characters in special tokens
    LEFT_OUT,  # the characters in neither words nor special tokens
    LEFT_OUT_SPACES,
    CHANGES_STATE,
) = range(18)

_MAX_BYTES: Final = 1024  # longer stretches are not counted
_MAX_WORDS: Final = 128  # before or after
_MAX_WRITTEN: Final = 2 * _MAX_BYTES + 2 * _MAX_WORDS
CHANGES_SIZE: Final = (1 << 15) + _MAX_WRITTEN + PADDING
POSITION_FACTOR: Final = 4
"""The most bytes written per byte of a stretch; positions times this number are the positions of stretches."""

WORD_END: Final = 0xC0
"""The byte between two words of a stretch, which never occurs in UTF-8."""

BEFORE_END: Final = 0xC1
"""The byte between the words before and those after."""


class Changes(Record):
    """The stretches of text whose words differ, each as the bytes of its words before and after."""

    stretches: WordTable
    batch: LookupBatch
    text: UInt8Array
    """The stretches of the batch."""
    state: Int64Array


@kernel
def mark_words(
    splitter: Splitter,
    specials: SpecialTokenTable,
    words: WordTable,
    batch: LookupBatch,
    text: UInt8Array,
    at: int,
    size: int,
    side: int,
    marks: UInt8Array,
) -> int:
    """Count the words of a block, beginning at `at`, and mark where each begins and ends. `side` is 0 or `AFTER`.

    Return `size` or, if the table is full or splitting is stuck, -1 minus the offset from which to go on with a larger
    table.
    """
    while True:
        stop, token = find_special(text, at, size, size, specials)
        if text_is_split(splitter):  # otherwise, the table was full last time
            begin_text(splitter, at, stop)
        while not text_is_split(splitter):
            if is_stuck(splitter) or not table_has_capacity(words):
                return -1 - at
            found = next_words(splitter, text, batch.starts, batch.ends)
            count_batch(words, text, batch, found)
            for i in range(found):
                marks[batch.starts[i]] |= _BEGINS << side
                marks[batch.ends[i]] |= _ENDS << side
        if token < 0:
            return size
        at = stop + special_size(specials, token)
        if side == AFTER:
            marks[stop] |= _SPECIAL_BEGINS
            marks[at] |= _SPECIAL_ENDS


@kernel
def compare_block(changes: Changes, text: UInt8Array, size: int, marks: UInt8Array) -> bool:
    """Compare the words of a marked block, continuing where the last call stopped. Return False if the table is full.

    Overlapping words that differ before and after form a stretch.
    """
    state = changes.state
    marks[size] |= _BLOCK_ENDS
    at = state[AT]
    while at <= size:
        while load8(marks, at) == 0:
            at += 8
        at += trailing_zeros(load8(marks, at)) >> 3
        if state[STRETCHES] == BATCH or state[FILLED] > CHANGES_SIZE - PADDING - _MAX_WRITTEN:
            state[AT] = at
            if not table_has_capacity(changes.stretches):
                return False
            _count_stretches(changes)
        mark = marks[at]
        ends, begins = (mark >> 1) & 5, mark & 5  # bit 0: before, bit 2: after
        if ends != 0:
            state[DIFFERS] |= ends != 1 + (1 << AFTER)
            state[INSIDE] &= ~ends
            if state[INSIDE] == 0:
                _close_stretch(changes, text, at, marks)
        if mark & ((_ENDS << AFTER) | _SPECIAL_ENDS):
            if mark & _SPECIAL_ENDS:
                for i in range(state[COVERED], at):
                    state[SPECIAL] += text[i] & 0xC0 != 0x80
            state[COVERED] = at
        if mark & ((_BEGINS << AFTER) | _SPECIAL_BEGINS | _BLOCK_ENDS) and state[COVERED] < at:
            _leave_out(state, text, state[COVERED], at)
            state[COVERED] = at
        if begins != 0:
            if state[INSIDE] == 0:
                state[BEGIN] = at
            state[DIFFERS] |= begins != 1 + (1 << AFTER)
            state[INSIDE] |= begins
            state[OLD] += begins & 1
            state[NEW] += begins >> AFTER
        at += 1
    state[AT] = at
    if not table_has_capacity(changes.stretches):
        return False
    _count_stretches(changes)
    return True


@helper
def _leave_out(state: Int64Array, text: UInt8Array, start: int, end: int) -> None:
    """Count the characters of a stretch that is in no word after."""
    at, characters, spaces = start, 0, 0
    while at < end:
        spaces += _is_space(code_point_at(text, at))
        characters += 1
        at += size_at(text, at)
    state[LEFT_OUT] += characters
    state[LEFT_OUT_SPACES] += spaces
    if spaces < characters and state[GAP_END] == 0:
        state[GAP_START], state[GAP_END] = start, end


@helper
def _is_space(code: int) -> bool:
    """Return whether Python takes a character for white space."""
    if code < 0x80:
        return code == 0x20 or 0x09 <= code <= 0x0D or 0x1C <= code <= 0x1F
    return code in (0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


@helper
def _close_stretch(changes: Changes, text: UInt8Array, end: int, marks: UInt8Array) -> None:
    """Add the open stretch to the batch if its words differ and it is not too long."""
    state, batch = changes.state, changes.batch
    if state[DIFFERS] != 0:
        state[CHANGED] += state[OLD]
        if end - state[BEGIN] <= _MAX_BYTES and max(state[OLD], state[NEW]) <= _MAX_WORDS:
            stretch = state[STRETCHES]
            if stretch == 0:
                state[FIRST] = state[BEGIN]
            batch.starts[stretch] = state[FILLED]
            at = _write_words(changes, text, state[BEGIN], end, marks, 0, state[FILLED])
            changes.text[at] = BEFORE_END
            state[FILLED] = _write_words(changes, text, state[BEGIN], end, marks, AFTER, at + 1)
            batch.ends[stretch] = state[FILLED]
            state[STRETCHES] = stretch + 1
    state[OLD] = state[NEW] = state[DIFFERS] = 0


@helper
def _write_words(
    changes: Changes, text: UInt8Array, start: int, end: int, marks: UInt8Array, side: int, first: int
) -> int:
    """Write the words of a stretch before or after, from offset `first`. Return the offset reached."""
    at, is_inside = first, False
    for i in range(start, end):
        mark = marks[i] >> side
        if mark & _BEGINS:
            if at > first:
                changes.text[at] = WORD_END
                at += 1
            is_inside = True
        elif mark & _ENDS:
            is_inside = False
        if is_inside:
            changes.text[at] = text[i]
            at += 1
    return at


@helper
def _count_stretches(changes: Changes) -> None:
    """Count the stretches of the batch, and empty it."""
    state = changes.state
    changes.stretches.state[ORIGIN] = POSITION_FACTOR * (state[BLOCK] + state[FIRST])
    count_batch(changes.stretches, changes.text, changes.batch, state[STRETCHES])
    state[STRETCHES] = state[FILLED] = 0
