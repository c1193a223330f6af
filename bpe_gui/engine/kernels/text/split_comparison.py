"""Split text in two ways at once, and count the words of both and those that differ."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.compilation.record import Record
from bpe_gui.engine.kernels.lowlevel.memory import PADDING, load8, store8
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, previous_character, size_at
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array

from .automaton import Splitter, begin_text, can_be_cut, is_stuck, next_words, text_is_split
from .special_search import LONGEST, MARK, SpecialTokenTable, find_special, special_size
from .word_table import BATCH, NEXT, ORIGIN, SIZE, LookupBatch, WordTable, count_batch, table_has_capacity

# Indices into `WaySplit.state`.
(
    AT,  # where to go on after the text that the splitter has begun
    TEXT_END,  # where that text ends
    COVERED,  # up to where its words, and what they leave out, are counted
    WORDS,
    SPECIAL,  # the characters in special tokens
    LEFT_OUT,  # the characters in neither words nor special tokens
    LEFT_OUT_SPACES,
    GAP_START,  # the first stretch of the block that is left out and is not white space
    GAP_END,
    WAY_STATE,
) = range(10)

# Indices into `Changes.state`.
(
    CHANGED,  # the words before that are not words afterwards
    OPEN_BEFORE,  # the words before in the stretch that is open: that may go on
    OPEN_AFTER,
    OPEN_START,
    OPEN_END,
    FIRST,  # where the first stretch of the batch begins
    FILLED,  # the bytes of `Changes.text` that are in use
    BLOCK,  # the position of the block in the corpus
    CHANGES_STATE,
) = range(9)

MOST_WORDS: Final = 128
"""The most words, before or after, of a stretch that is counted."""

_MOST_BYTES: Final = 1024  # of such a stretch
_MOST_WRITTEN: Final = 2 * _MOST_BYTES + 2 * MOST_WORDS
CHANGES_SIZE: Final = (1 << 15) + _MOST_WRITTEN + PADDING
POSITION_FACTOR: Final = 4
"""The most bytes that are written for a byte of a stretch, so that positions times that are those of stretches."""

WORD_END: Final = 0xC0
"""The byte between two words of a stretch: it is in no UTF-8."""

BEFORE_END: Final = 0xC1
"""The byte between the words before and those after."""


class WaySplit(Record):
    """A way to split text, and what was counted so far."""

    splitter: Splitter
    specials: SpecialTokenTable
    words: WordTable
    batch: LookupBatch
    state: Int64Array


class Changes(Record):
    """The stretches of text whose words differ, each as the bytes of its words before and after."""

    stretches: WordTable
    batch: LookupBatch
    text: UInt8Array
    """The stretches of the batch."""
    starts: Int64Array
    """Of the words of the open stretch: those before, and from `MOST_WORDS` on those after."""
    ends: Int64Array
    state: Int64Array


@kernel
def compare_block(before: WaySplit, after: WaySplit, changes: Changes, text: UInt8Array, size: int) -> bool:
    """Go on with a block. Return False if a table is full, or splitting is stuck.

    Words that overlap each other, and are not the same before and after, are a stretch.
    """
    while table_has_capacity(changes.stretches):
        _count_stretches(changes)
        if not _fill(before, text, size) or not _fill(after, text, size):
            return False
        if _has_words(before) and _has_words(after):
            _compare_batches(before, after, changes, text)
        elif _has_words(before):
            changes.state[CHANGED] += 1
            start, end = _take(before, text)
            _add_to_stretch(changes, text, 0, start, end)
        elif _has_words(after):
            start, end = _take(after, text)
            _add_to_stretch(changes, text, 1, start, end)
        elif changes.state[OPEN_BEFORE] + changes.state[OPEN_AFTER] > 0:
            _close_stretch(changes, text)
        else:
            return True
    return False


@helper
def _compare_batches(before: WaySplit, after: WaySplit, changes: Changes, text: UInt8Array) -> None:
    """Compare words until those of a batch are all taken, or the batch of stretches is full."""
    old, new = before.batch, after.batch
    i, j, changed, covered = old.state[NEXT], new.state[NEXT], 0, after.state[COVERED]
    while i < old.state[SIZE] and j < new.state[SIZE] and not _is_full(changes):
        start, end, other_start, other_end = old.starts[i], old.ends[i], new.starts[j], new.ends[j]
        if start < other_start or (start == other_start and end < other_end):
            changed += 1
            i += 1
            _add_to_stretch(changes, text, 0, start, end)
            continue
        if covered < other_start:
            _leave_out(after, text, covered, other_start)
        covered = other_end
        j += 1
        if start == other_start and end == other_end:
            i += 1
        else:
            _add_to_stretch(changes, text, 1, other_start, other_end)
    old.state[NEXT], new.state[NEXT] = i, j
    before.state[COVERED] = old.ends[i - 1] if i > 0 else before.state[COVERED]
    after.state[COVERED] = covered
    changes.state[CHANGED] += changed


@kernel
def common_cut(before: WaySplit, after: WaySplit, text: UInt8Array, size: int) -> int:
    """Return the last offset up to `size`, where more text may follow, at which a cut changes no word; or 0."""
    specials = before.specials if len(before.specials.starts) > len(after.specials.starts) else after.specials
    decided, at = size - specials.sizes[LONGEST] + 1, 0
    while at < decided:
        stop, token = find_special(text, at, decided, size, specials)
        if token < 0:
            break
        at = stop + special_size(specials, token)
    stop = min(decided, size - 1)
    while stop > at and text[stop] & 0xC0 == 0x80:
        stop -= 1
    while stop > at:
        last = previous_character(text, stop)
        if (
            last >= at
            and can_be_cut(before.splitter, text, last, stop)
            and can_be_cut(after.splitter, text, last, stop)
        ):
            return stop
        stop = last
    if at > 0 and (text[at - 1] == MARK or len(before.specials.starts) == len(after.specials.starts)):
        return at
    return 0


@helper
def _fill(way: WaySplit, text: UInt8Array, size: int) -> bool:
    """Find and count the next words if all of the batch are taken. Return False if that is not possible."""
    state, batch, specials = way.state, way.batch, way.specials
    while batch.state[NEXT] == batch.state[SIZE]:
        if text_is_split(way.splitter):
            _leave_out(way, text, state[COVERED], state[TEXT_END])
            state[COVERED] = state[TEXT_END]
            if state[AT] == size:
                return True
            stop, token = find_special(text, state[AT], size, size, specials)
            begin_text(way.splitter, state[AT], stop)
            state[COVERED], state[TEXT_END], state[AT] = state[AT], stop, stop
            if token >= 0:
                state[AT] += special_size(specials, token)
                for i in range(stop, state[AT]):
                    state[SPECIAL] += text[i] & 0xC0 != 0x80
        if not table_has_capacity(way.words):
            return False
        words = next_words(way.splitter, text, batch.starts, batch.ends)
        if is_stuck(way.splitter):
            return False
        count_batch(way.words, text, batch, words)
        state[WORDS] += words
        batch.state[NEXT], batch.state[SIZE] = 0, words
    return True


@helper
def _has_words(way: WaySplit) -> bool:
    return way.batch.state[NEXT] < way.batch.state[SIZE]


@helper
def _take(way: WaySplit, text: UInt8Array) -> tuple[int, int]:
    """Return where the next word starts and ends, and go on to the one after it."""
    word = way.batch.state[NEXT]
    start, end = way.batch.starts[word], way.batch.ends[word]
    _leave_out(way, text, way.state[COVERED], start)
    way.state[COVERED] = end
    way.batch.state[NEXT] = word + 1
    return start, end


@helper
def _leave_out(way: WaySplit, text: UInt8Array, start: int, end: int) -> None:
    """Count the characters of a stretch that no word covers."""
    at, characters, spaces = start, 0, 0
    while at < end:
        spaces += _is_space(code_point_at(text, at))
        characters += 1
        at += size_at(text, at)
    way.state[LEFT_OUT] += characters
    way.state[LEFT_OUT_SPACES] += spaces
    if spaces < characters and way.state[GAP_END] == 0:
        way.state[GAP_START], way.state[GAP_END] = start, end


@helper
def _is_space(code: int) -> bool:
    """Return whether Python takes a character for white space."""
    if code < 0x80:
        return code == 0x20 or 0x09 <= code <= 0x0D or 0x1C <= code <= 0x1F
    return code in (0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


@helper
def _add_to_stretch(changes: Changes, text: UInt8Array, side: int, start: int, end: int) -> None:
    """Add a word, with side 0 one before, to the open stretch if it overlaps it, or open another one with it."""
    state = changes.state
    if start >= state[OPEN_END]:
        _close_stretch(changes, text)
        state[OPEN_START] = start
    word = state[OPEN_BEFORE + side]
    if word < MOST_WORDS:
        changes.starts[side * MOST_WORDS + word] = start
        changes.ends[side * MOST_WORDS + word] = end
    state[OPEN_BEFORE + side] = word + 1
    state[OPEN_END] = max(state[OPEN_END], end)


@helper
def _close_stretch(changes: Changes, text: UInt8Array) -> None:
    """Add the open stretch to the batch, if there is one and it is not too long."""
    state, batch = changes.state, changes.batch
    words, others = state[OPEN_BEFORE], state[OPEN_AFTER]
    is_short = state[OPEN_END] - state[OPEN_START] <= _MOST_BYTES
    if words + others > 0 and words <= MOST_WORDS and others <= MOST_WORDS and is_short:
        stretch = batch.state[SIZE]
        if stretch == 0:
            state[FIRST] = state[OPEN_START]
        batch.starts[stretch] = state[FILLED]
        at = _write_words(changes, text, 0, words, state[FILLED])
        changes.text[at] = BEFORE_END
        state[FILLED] = _write_words(changes, text, MOST_WORDS, MOST_WORDS + others, at + 1)
        batch.ends[stretch] = state[FILLED]
        batch.state[SIZE] = stretch + 1
    state[OPEN_BEFORE] = state[OPEN_AFTER] = 0


@helper
def _write_words(changes: Changes, text: UInt8Array, word: int, last: int, at: int) -> int:
    """Write words from index `word` up to `last` to the stretches, from offset `at` on. Return the offset reached."""
    for i in range(word, last):
        if i > word:
            changes.text[at] = WORD_END
            at += 1
        start, size = changes.starts[i], changes.ends[i] - changes.starts[i]
        for offset in range(0, size, 8):
            store8(changes.text, at + offset, load8(text, start + offset))
        at += size
    return at


@helper
def _is_full(changes: Changes) -> bool:
    """Return whether another stretch may not fit into the batch."""
    return changes.batch.state[SIZE] == BATCH or changes.state[FILLED] > CHANGES_SIZE - PADDING - _MOST_WRITTEN


@helper
def _count_stretches(changes: Changes) -> None:
    """Count the stretches of the batch, and empty it."""
    state = changes.state
    changes.stretches.state[ORIGIN] = POSITION_FACTOR * (state[BLOCK] + state[FIRST])
    count_batch(changes.stretches, changes.text, changes.batch, changes.batch.state[SIZE])
    changes.batch.state[SIZE] = state[FILLED] = 0
