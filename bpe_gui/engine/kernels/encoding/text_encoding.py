"""Encode text: split it into words, look them up in the word cache, and write their ids.

A word is merged once; after that, its ids are in the cache. If byte spans are requested, the cache has symbols instead
of ids, since spans follow from the sizes of symbols, and ids are written at the end of each batch.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, builtin, helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import COPY_LANES, PADDING
from bpe_gui.engine.kernels.lowlevel.python_objects import (
    address_in,
    bytes_of,
    bytes_size,
    character_count,
    clear_error,
    copy_memory,
    new_none,
    utf8_of,
)
from bpe_gui.engine.kernels.text.automaton import (
    Splitter,
    begin_text,
    is_stuck,
    last_boundary,
    next_words,
    text_is_split,
)
from bpe_gui.engine.kernels.text.special_search import LONGEST, SpecialTokenTable, find_special, special_size
from bpe_gui.engine.kernels.text.word_table import BATCH, NEXT, SIZE, LookupBatch, compute_keys
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

from .ids import array_of, list_of
from .initial_symbols import (
    BOUNDARY,
    MARKER_SIZE,
    NO_BOUNDARY,
    NO_ID,
    PREFIX,
    UNKNOWN,
    TokenizerTables,
    has_marker,
    write_initial_symbols,
)
from .word_cache import (
    OutputGaps,
    WordCache,
    add_gap,
    add_key,
    cache_has_capacity,
    close_gaps,
    copy_inline,
    copy_result,
    find_word,
    gaps_are_full,
    has_gaps,
    has_inline_symbols,
    is_empty,
    is_found,
    is_unmerged,
    should_close,
    store_result,
)
from .word_merging import (
    SPARE_SYMBOLS,
    WORD_COUNT,
    MergeScratch,
    PendingWords,
    add_pending,
    can_be_pending,
    clear_pending,
    compact_pending,
    merge_pending,
    merge_word,
    next_pending_index,
    pending_is_full,
)

# Indices into `EncoderOutput.state`.
TOKEN_COUNT, UNKNOWN_COUNT, SPECIAL_COUNT = range(3)
"""The number of ids, how many of them stand for symbols without an id, and how many for special tokens."""

# Why encoding stopped early.
COMPLETE: Final = 0
CACHE_FULL: Final = -1
SCRATCH_TOO_SMALL: Final = -2
STUCK: Final = -3

SPARE_IDS: Final = COPY_LANES
"""Capacity that the output needs beyond the most tokens that a text can have."""


class EncoderOutput(Record):
    """The ids of a text, perhaps only some so far, with capacity for as many as the text can have."""

    ids: Int32Array
    starts: Int64Array
    """The start of each token in the text, in bytes; empty if spans are not requested."""
    stops: Int64Array
    """The end of each token in the text, in bytes; empty if spans are not requested."""
    first_tokens: Int64Array
    """The index of the first token of each word of a batch."""
    word_starts: Int64Array
    """The start of each word of a batch in the text, in bytes, if spans are requested."""
    state: Int64Array


class EncoderArrays(Record):
    """The arrays with which one thread encodes."""

    tables: TokenizerTables
    cache: WordCache
    scratch: MergeScratch
    pending: PendingWords
    gaps: OutputGaps
    batch: LookupBatch
    classes: UInt8Array


@kernel
def encode_block(
    splitter: Splitter,
    text: UInt8Array,
    at: int,
    end: int,
    is_last: bool,
    specials: SpecialTokenTable,
    special_ids: Int32Array,
    arrays: EncoderArrays,
    limit: int,
    output: EncoderOutput,
) -> tuple[int, int]:
    """Encode from `at` up to `end`, or up to a boundary after which the next block may change the tokens.

    A block has whole characters; if spans are requested, it is the whole text. Only merges below rank `limit` apply.
    Return the offset reached and COMPLETE, or the offset from which to go on and CACHE_FULL, SCRATCH_TOO_SMALL or
    STUCK.
    """
    return _encode_block(splitter, text, at, end, is_last, specials, special_ids, arrays, limit, output)


LONGEST_TEXT: Final = 1 << 14
"""The most characters of a short text."""

# Indices into `ShortTexts.state`.
GENERATION, STATUS, UTF8_SIZE, DTYPE, BEFORE_ADDRESS = range(5)


class ShortTextArrays(Record):
    """The arrays shared by the functions that encode short texts with one worker."""

    buffer: UInt8Array
    """Room for a text in UTF-8, and padding."""
    state: Int64Array
    """Which functions may run: those made for this GENERATION; the STATUS for which the last one of these gave up, or
    COMPLETE; a size; and what `array_of` needs.
    """
    appended: Int64Array
    """How often merges were appended to the store."""
    integers: Int64Array
    """See `list_of`."""


@builtin
def encode_short_text(
    text: int,
    is_bytes: bool,
    makes_list: bool,
    generation: int,
    appended: int,
    shared: ShortTextArrays,
    splitter: Splitter,
    specials: SpecialTokenTable,
    special_ids: Int32Array,
    arrays: EncoderArrays,
    limit: int,
    takes_unknown: bool,
    refuses_special: bool,
    output: EncoderOutput,
) -> int:
    """Return the ids of a string, or of a text in UTF-8, as a list or as an array.

    Return None if that is for the general way: for other objects, longer texts and lone surrogates, if a symbol has no
    id, unless `takes_unknown` allows that, for special tokens if they are refused, or if the function has to be made
    again. No Python code runs meanwhile, so nothing else uses the arrays.
    """
    if shared.state[GENERATION] != generation or shared.appended[0] != appended:
        return new_none()
    size = _copy_utf8(text, is_bytes, shared)
    if size < 0:
        clear_error()
        return new_none()
    state = output.state
    state[TOKEN_COUNT] = state[UNKNOWN_COUNT] = state[SPECIAL_COUNT] = 0
    _at, status = _encode_block(splitter, shared.buffer, 0, size, True, specials, special_ids, arrays, limit, output)
    if status != COMPLETE:
        begin_text(splitter, 0, 0)
        arrays.batch.state[NEXT] = arrays.batch.state[SIZE]
        if status != STUCK:
            shared.state[GENERATION], shared.state[STATUS] = generation + 1, status
        return new_none()
    if (state[UNKNOWN_COUNT] != 0 and not takes_unknown) or (state[SPECIAL_COUNT] != 0 and refuses_special):
        return new_none()
    if makes_list:
        return list_of(output.ids, 0, state[TOKEN_COUNT], shared.integers)
    return array_of(output.ids, state[TOKEN_COUNT : TOKEN_COUNT + 1], shared.state[DTYPE], shared.state[BEFORE_ADDRESS])


@helper
def _copy_utf8(text: int, is_bytes: bool, shared: ShortTextArrays) -> int:
    """Copy a text to the buffer, followed by padding, and return its size.

    Return -1 for a text that is too long or, perhaps with an error set, for an object that is not a text.
    """
    buffer, size = shared.buffer, -1
    if is_bytes:
        size = bytes_size(text)
        address = bytes_of(text) if size >= 0 else 0
    else:
        address = 0
        if 0 <= character_count(text) <= LONGEST_TEXT:
            address = utf8_of(text, address_in(shared.state[UTF8_SIZE : UTF8_SIZE + 1]))
            size = shared.state[UTF8_SIZE]
    if address == 0 or size > len(buffer) - PADDING:
        return -1
    copy_memory(address, size, buffer)
    for i in range(size, size + PADDING):
        buffer[i] = 0
    return size


@helper
def _encode_block(
    splitter: Splitter,
    text: UInt8Array,
    at: int,
    end: int,
    is_last: bool,
    specials: SpecialTokenTable,
    special_ids: Int32Array,
    arrays: EncoderArrays,
    limit: int,
    output: EncoderOutput,
) -> tuple[int, int]:
    """Encode as `encode_block` does."""
    batch, status = arrays.batch, COMPLETE
    # A special token that begins after this may be incomplete, or the beginning of a longer one.
    decided = end if is_last else end - specials.sizes[LONGEST] + 1
    while at < decided:
        stop, token = find_special(text, at, decided, end, specials)
        if token < 0:
            stop = end if is_last else last_boundary(splitter, text, at, min(decided, end - 1))
        if text_is_split(splitter) and batch.state[NEXT] == batch.state[SIZE]:  # otherwise, it was stopped last time
            begin_text(splitter, at, stop)
        status = _encode_section(splitter, text, arrays, limit, output)
        if status != COMPLETE:
            break
        at = stop
        if token < 0:
            break
        _write_special(at, special_ids[token], special_size(specials, token), output)
        if should_close(arrays.gaps, output.state[TOKEN_COUNT]):
            _finish_pending(arrays, limit, output)
        at += special_size(specials, token)
    if has_gaps(arrays.gaps):
        _finish_pending(arrays, limit, output)
    return at, status


@helper
def _encode_section(
    splitter: Splitter, text: UInt8Array, arrays: EncoderArrays, limit: int, output: EncoderOutput
) -> int:
    """Encode the rest of the splitter's current text. Return COMPLETE, or why encoding stopped."""
    batch = arrays.batch
    while batch.state[NEXT] < batch.state[SIZE] or not text_is_split(splitter):
        if batch.state[NEXT] == batch.state[SIZE]:
            if not cache_has_capacity(arrays.cache):
                return CACHE_FULL
            size = next_words(splitter, text, batch.starts, batch.ends)
            if is_stuck(splitter):
                return STUCK
            batch.state[NEXT], batch.state[SIZE] = 0, size
            if len(output.starts) > 0:
                for i in range(size):
                    output.word_starts[i] = batch.starts[i]
        if not _encode_batch(text, arrays, limit, output):
            return SCRATCH_TOO_SMALL
    return COMPLETE


@kernel
def encode_words(
    text: UInt8Array,
    starts: Int64Array,
    word_starts: Int64Array,
    first: int,
    arrays: EncoderArrays,
    limit: int,
    output: EncoderOutput,
) -> tuple[int, int]:
    """Encode words that are concatenated in a buffer, from word `first`.

    Word w begins at `starts[w]` of the buffer and at `word_starts[w]` of the text. Return the word reached, and
    COMPLETE, CACHE_FULL or SCRATCH_TOO_SMALL.
    """
    words, batch, status = len(starts) - 1, arrays.batch, COMPLETE
    while first < words and status == COMPLETE:
        if not cache_has_capacity(arrays.cache):
            status = CACHE_FULL
            break
        size = min(BATCH, words - first)
        for i in range(size):
            batch.starts[i], batch.ends[i] = starts[first + i], starts[first + i + 1]
        if len(output.starts) > 0:
            for i in range(size):
                output.word_starts[i] = word_starts[first + i]
        batch.state[NEXT], batch.state[SIZE] = 0, size
        fits = _encode_batch(text, arrays, limit, output)
        first += batch.state[NEXT]
        if not fits:
            batch.state[NEXT] = size
            status = SCRATCH_TOO_SMALL
    if has_gaps(arrays.gaps):
        _finish_pending(arrays, limit, output)
    return first, status


@helper
def _write_special(at: int, token_id: int, size: int, output: EncoderOutput) -> None:
    count = output.state[TOKEN_COUNT]
    output.ids[count] = token_id
    if len(output.starts) > 0:
        output.starts[count] = at
        output.stops[count] = at + size
    output.state[TOKEN_COUNT] = count + 1
    output.state[SPECIAL_COUNT] += 1


@helper
def _encode_batch(text: UInt8Array, arrays: EncoderArrays, limit: int, output: EncoderOutput) -> bool:
    """Write the ids of the words of a batch that have yet to be encoded. Return False if one is too long."""
    first, has_spans = output.state[TOKEN_COUNT], len(output.starts) > 0
    begin, size = arrays.batch.state[NEXT], arrays.batch.state[SIZE]
    compute_keys(arrays.cache.slots, text, arrays.batch, size)
    done, fits = begin, True
    while fits:
        done = _write_known(text, done, size, arrays.cache, arrays.batch, output)
        if done == size:
            break
        fits = _take_new(text, done, arrays, limit, output)
        done += fits
    if should_close(arrays.gaps, output.state[TOKEN_COUNT]):
        _finish_pending(arrays, limit, output)
    if has_spans:
        _write_spans(text, begin, done, arrays.tables, arrays.batch, arrays.classes, output)
        output.state[UNKNOWN_COUNT] += _replace_by_ids(arrays.tables, output.ids, first, output.state[TOKEN_COUNT])
    arrays.batch.state[NEXT] = done
    return done == size


@helper
def _write_known(
    text: UInt8Array, first: int, size: int, cache: WordCache, batch: LookupBatch, output: EncoderOutput
) -> int:
    """Write the results of the words of a batch from `first` up to one that is not cached. Return its index."""
    slots, ids, count, has_spans = cache.slots, output.ids, output.state[TOKEN_COUNT], len(output.starts) > 0
    known = size
    for word in range(first, size):
        if has_spans:
            output.first_tokens[word] = count
        slot = batch.slots[word]
        if not is_found(slots, slot, batch.lows[word], batch.highs[word]):
            slot = find_word(cache, text, batch, word)
            if is_empty(slots, slot):
                known = word
                break
        if has_inline_symbols(slots, slot):
            count = copy_inline(slots, slot, ids, count)
        elif is_unmerged(slots, slot):
            known = word
            break
        else:
            count, unknowns = copy_result(cache, slot, ids, count)
            output.state[UNKNOWN_COUNT] += unknowns
    if has_spans:
        output.first_tokens[known] = count
    output.state[TOKEN_COUNT] = count
    return known


@helper
def _take_new(text: UInt8Array, word: int, arrays: EncoderArrays, limit: int, output: EncoderOutput) -> bool:
    """Leave a gap for a word of a batch that is not merged yet, or merge it right away if it is long.

    Return False if the word is too long for the scratch buffers.
    """
    cache, batch = arrays.cache, arrays.batch
    slot = find_word(cache, text, batch, word)
    if is_empty(cache.slots, slot):
        if not can_be_pending(batch.ends[word] - batch.starts[word], limit):
            return _write_long(text, word, arrays, limit, output)
        add_key(cache, text, batch, word, slot)
        _make_pending(text, word, slot, arrays, limit)
    add_gap(arrays.gaps, output.state[TOKEN_COUNT], slot)
    if len(output.starts) > 0 or pending_is_full(arrays.pending) or gaps_are_full(arrays.gaps):
        _finish_pending(arrays, limit, output)
    return True


@helper
def _make_pending(text: UInt8Array, word: int, slot: int, arrays: EncoderArrays, limit: int) -> None:
    """Add a word of a batch to the pending words."""
    batch, symbols = arrays.batch, arrays.pending.symbols
    first = next_pending_index(arrays.pending)
    start, stop = batch.starts[word], batch.ends[word]
    end = write_initial_symbols(arrays.tables, text, start, stop, arrays.classes, limit, symbols, first)
    add_pending(arrays.pending, end, slot)


@helper
def _finish_pending(arrays: EncoderArrays, limit: int, output: EncoderOutput) -> None:
    """Merge the pending words, cache their results, and close the gaps."""
    pending, tables, has_spans = arrays.pending, arrays.tables, len(output.starts) > 0
    merge_pending(tables.merges, pending, limit)
    for word in range(pending.state[WORD_COUNT]):
        first, count = pending.bases[word] + 1, compact_pending(pending, word)
        unknowns = 0 if has_spans else _replace_by_ids(tables, pending.symbols, first, first + count)
        store_result(arrays.cache, pending.slots[word], pending.symbols, first, count, unknowns)
    clear_pending(pending)
    output.state[TOKEN_COUNT], unknowns = close_gaps(arrays.gaps, arrays.cache, output.ids, output.state[TOKEN_COUNT])
    output.state[UNKNOWN_COUNT] += unknowns


@helper
def _write_long(text: UInt8Array, word: int, arrays: EncoderArrays, limit: int, output: EncoderOutput) -> bool:
    """Encode a long word by itself, without caching it. Return False if the scratch buffers are too small."""
    tables, scratch = arrays.tables, arrays.scratch
    start, stop = arrays.batch.starts[word], arrays.batch.ends[word]
    if stop - start + SPARE_SYMBOLS > len(scratch.symbols):
        return False
    if has_gaps(arrays.gaps):
        _finish_pending(arrays, limit, output)  # before much output follows the gaps
    count = write_initial_symbols(tables, text, start, stop, arrays.classes, limit, scratch.symbols, 0)
    count = merge_word(tables.merges, scratch, count, limit, 1)
    if len(output.starts) == 0:
        output.state[UNKNOWN_COUNT] += _replace_by_ids(tables, scratch.symbols, 0, count)
    total = output.state[TOKEN_COUNT]
    for i in range(count):
        output.ids[total + i] = scratch.symbols[i]
    output.state[TOKEN_COUNT] = total + count
    return True


@helper
def _write_spans(
    text: UInt8Array,
    first_word: int,
    last_word: int,
    tables: TokenizerTables,
    batch: LookupBatch,
    classes: UInt8Array,
    output: EncoderOutput,
) -> None:
    """Write the spans of the tokens of some words of a batch, whose symbols are in the output."""
    boundary = tables.settings[BOUNDARY]
    for word in range(first_word, last_word):
        offset = output.word_starts[word]
        first, last = output.first_tokens[word], output.first_tokens[word + 1]
        for token in range(first, last):
            symbol = output.ids[token]
            output.starts[token] = offset
            offset += tables.widths[symbol] if symbol < UNKNOWN else symbol - UNKNOWN
            output.stops[token] = offset
        if boundary != NO_BOUNDARY and has_marker(tables.settings, text, batch.starts[word], classes):
            if boundary == PREFIX:
                _lengthen_first(output, first, last, 1 - MARKER_SIZE)  # the marker replaces a space
            else:
                output.stops[last - 1] -= MARKER_SIZE


@helper
def _lengthen_first(output: EncoderOutput, first: int, last: int, distance: int) -> None:
    """Lengthen the first of some tokens by a number of bytes, perhaps negative, and shift the others."""
    output.stops[first] += distance
    for token in range(first + 1, last):
        output.starts[token] += distance
        output.stops[token] += distance


@helper
def _replace_by_ids(tables: TokenizerTables, symbols: Int32Array, first: int, last: int) -> int:
    """Replace symbols with their ids. Return how many have none."""
    ids, no_id = tables.ids, tables.settings[NO_ID]
    unknowns = 0
    for i in range(first, last):
        symbol = symbols[i]
        token_id = ids[symbol] if symbol < UNKNOWN else -1
        if token_id < 0:
            token_id = no_id
            unknowns += 1
        symbols[i] = token_id
    return unknowns
