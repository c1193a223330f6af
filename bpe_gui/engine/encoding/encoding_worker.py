"""The state of one encoding thread: its word cache, its scratch buffers, which grow on demand, and its output."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from bpe_gui.engine.kernels.encoding.text_encoding import (
    COMPLETE,
    GENERATION,
    LONGEST_TEXT,
    SCRATCH_TOO_SMALL,
    SPARE_IDS,
    STATUS,
    STUCK,
    TOKEN_COUNT,
    UNKNOWN_COUNT,
    EncoderArrays,
    EncoderOutput,
    ShortTextArrays,
    encode_block,
    encode_short_text,
    encode_words,
)
from bpe_gui.engine.kernels.encoding.word_cache import (
    EMPTY_STATE,
    MAX_GAPS,
    MOVED_CAPACITY,
    WORD_LIMIT,
    OutputGaps,
    WordCache,
)
from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.kernels.text.word_table import BATCH, WIDTH, move_slots
from bpe_gui.engine.runtime.memory import result_array, zeros
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array
from bpe_gui.engine.text.compiled_splitters import can_split, new_batch, stuck_error, with_own_state
from bpe_gui.engine.text.splitters import unicode_classes
from bpe_gui.engine.vocabulary.encoding_tables import EncodingTables
from bpe_gui.engine.vocabulary.merge_scratch import new_pending, new_scratch

from .results import TokenArrays
from .text_encoder import EncodingOptions, ScannerSettings, ShortTextFunctions

_MIN_SLOTS: Final = 1 << 12
_MAX_SLOTS: Final = 1 << 20
_CACHED_TEXT: Final = 1 << 24  # bytes of words that do not fit in their slots
_CACHED_SYMBOLS: Final = 1 << 24  # symbols of words that do not fit in their slots
_FIRST_SCRATCH: Final = 1 << 8  # symbols
_FIRST_BUFFER: Final = 1 << 14  # bytes
_TEXT_PER_SLOT: Final = 128
"""Bytes of a large text per initial slot; about a quarter of the slots will be filled."""

_SMALL_OUTPUT: Final = 1 << 20  # tokens

_DTYPE: Final = np.dtype(np.int32)


class EncodingWorker:
    """Encodes text that is added to its buffer, or words. Only one thread may use it at a time.

    Its cache is initially large enough for a text of `text_size` bytes, because enlarging it takes new memory.
    """

    def __init__(self, text_size: int = 0) -> None:
        self.output = new_output(0)
        self.options = EncodingOptions(position=0, unknown_id=None)
        self.filled = 0
        """The number of bytes in the buffer that are still to be encoded."""
        self._cached_for: tuple[int, ...] | None = None
        """The options that the cached words were encoded with, and the size of the tables."""
        self._made_for: tuple[int, ...] | None = None
        """The part of them that the arrays depend on."""
        self._buffer = np.empty(_FIRST_BUFFER + PADDING, np.uint8)
        slots = min(max(_MIN_SLOTS, 1 << (text_size // _TEXT_PER_SLOT).bit_length()), _MAX_SLOTS)
        self._cache = WordCache(
            slots=_new_slots(slots),
            text=zeros(_CACHED_TEXT + PADDING, np.uint8),
            symbols=zeros(_CACHED_SYMBOLS, np.int32, huge_pages=True),
            state=np.array([*EMPTY_STATE, _max_words(slots)], np.int64),
        )
        self._scratch = new_scratch(_FIRST_SCRATCH)
        self._pending = new_pending()
        gap_indices, gap_slots = np.zeros((2, MAX_GAPS), np.int64)
        self._gaps = OutputGaps(
            gap_indices, gap_slots, moved=zeros(MOVED_CAPACITY, np.int32), state=np.zeros(1, np.int64)
        )
        self._batch = new_batch()
        self._splitters: tuple[Splitter, Splitter] | None = None
        """The splitter used last, and a copy with the worker's own state."""
        self._arrays: EncoderArrays
        self._short_state = np.array([0, COMPLETE, 0, id(_DTYPE), object.__basicsize__], np.int64)
        """See `ShortTextArrays`."""

    def begin(self, tables: EncodingTables, options: EncodingOptions, output: EncoderOutput) -> None:
        """Begin to encode a text with the tables, and write to `output`."""
        no_id = -1 if options.unknown_id is None else options.unknown_id
        made_for = no_id, *tables.size
        cached_for = options.position, *made_for, len(output.starts) > 0
        if cached_for != self._cached_for:
            self._clear_cache()
            self._cached_for = cached_for
        self.options = options
        self.output = output
        self.filled = 0
        if made_for == self._made_for:
            return
        self._made_for = made_for
        self._arrays = EncoderArrays(
            tables.for_kernels(options.unknown_id),
            self._cache,
            self._scratch,
            self._pending,
            self._gaps,
            self._batch,
            unicode_classes(),
        )

    # -- text -------------------------------------------------------------------------------------------------------

    def add(self, text: bytes) -> None:
        """Append text to the buffer."""
        end = self.filled + len(text)
        if end + PADDING > len(self._buffer):
            buffer = np.empty(2 * end + PADDING, np.uint8)
            buffer[: self.filled] = self._buffer[: self.filled]
            self._buffer = buffer
        self._buffer.data[self.filled : end] = text
        self._buffer[end : end + PADDING] = 0
        self.filled = end

    def scan_buffer(self, scanner: ScannerSettings, *, is_last: bool) -> int:
        """Encode the beginning of the buffer, up to where following text may change the tokens.

        Return how many bytes that is; the caller must drop them.
        """
        return self.scan(scanner, self._buffer, 0, self.filled, is_last=is_last)

    def scan(self, scanner: ScannerSettings, text: UInt8Array, begin: int, end: int, *, is_last: bool) -> int:
        """Encode the bytes [begin, end) of a padded text. Unless they are the last, stop where tokens are uncertain.

        Return the offset up to which they are encoded.
        """
        splitter = self._own(scanner.splitter, end - begin)
        while True:
            begin, status = encode_block(
                splitter,
                text,
                begin,
                end,
                is_last,
                scanner.specials,
                scanner.special_ids,
                self._arrays,
                self.options.position,
                self.output,
            )
            if status == COMPLETE:
                return begin
            if status == STUCK:
                raise stuck_error(splitter, text)
            self._enlarge(status, end - begin)

    def short_texts(
        self, scanner: ScannerSettings, appended: tuple[Int64Array, int], integers: Int64Array
    ) -> ShortTextFunctions:
        """Return functions that encode short texts as told by `begin`, and write to its output.

        From now on, nothing else may use the worker, except to make more of them. `appended` is how often merges were
        appended to the store, as a number and as what will be.
        """
        if self._short_state[STATUS] != COMPLETE:
            self._enlarge(int(self._short_state[STATUS]), 4 * LONGEST_TEXT)
            self._short_state[STATUS] = COMPLETE
        generation = int(self._short_state[GENERATION])
        buffer = np.empty(4 * LONGEST_TEXT + PADDING, np.uint8)
        shared = ShortTextArrays(buffer, self._short_state, appended[0], integers)

        def function(*, is_bytes: bool = False, makes_list: bool = False) -> Callable[[Any], Any]:
            return encode_short_text.bound(
                is_bytes,
                makes_list,
                generation,
                appended[1],
                shared,
                self._own(scanner.splitter, 4 * LONGEST_TEXT),
                scanner.specials,
                scanner.special_ids,
                self._arrays,
                self.options.position,
                self.options.unknown_id is not None,
                self.options.refuses_special,
                self.output,
            )

        def is_made() -> bool:
            return bool(self._short_state[GENERATION] == generation and appended[0][0] == appended[1])

        return ShortTextFunctions(function(makes_list=True), function(), function(is_bytes=True), self.options, is_made)

    def _own(self, splitter: Splitter, size: int) -> Splitter:
        """Return a splitter with the worker's own state, for texts of up to `size` bytes."""
        if self._splitters is None or self._splitters[0] is not splitter or not can_split(self._splitters[1], size):
            self._splitters = splitter, with_own_state(splitter, size)
        return self._splitters[1]

    def text(self) -> str:
        """Return the buffered text."""
        return self._buffer[: self.filled].tobytes().decode()

    def drop(self, size: int) -> None:
        """Remove `size` bytes from the start of the buffer."""
        self._buffer[: self.filled - size] = self._buffer[size : self.filled]
        self.filled -= size

    # -- words ------------------------------------------------------------------------------------------------------

    def encode_words(self, words: bytes, starts: Int64Array, word_starts: Int64Array) -> None:
        """Encode joined words; word w is the bytes from `starts[w]` up to `starts[w + 1]`.

        `word_starts` has the byte offsets of the words in the text they come from, if the output takes spans.
        """
        self.filled = 0
        self.add(words)
        first = 0
        while True:
            first, status = encode_words(
                self._buffer, starts, word_starts, first, self._arrays, self.options.position, self.output
            )
            if status == COMPLETE:
                return
            self._enlarge(status, len(words))

    @property
    def has_failed(self) -> bool:
        """Whether a symbol had no id and there is no id for unknown symbols."""
        return self.options.unknown_id is None and bool(self.output.state[UNKNOWN_COUNT])

    # -- capacity ---------------------------------------------------------------------------------------------------

    def _enlarge(self, status: int, longest: int) -> None:
        """Enlarge the arrays that were too small for a kernel; no word is longer than `longest` bytes.

        A cache that already has its largest size is cleared instead.
        """
        self._short_state[GENERATION] += 1
        if status == SCRATCH_TOO_SMALL:
            self._scratch = new_scratch(longest + SPARE_SYMBOLS)
        elif len(self._cache.slots) < WIDTH * _MAX_SLOTS:
            slots = _new_slots(2 * len(self._cache.slots) // WIDTH)
            move_slots(self._cache.slots, slots)
            self._cache = replace(self._cache, slots=slots)
            self._cache.state[WORD_LIMIT] = _max_words(len(slots) // WIDTH)
        else:
            self._clear_cache()
        self._arrays = replace(self._arrays, cache=self._cache, scratch=self._scratch)

    def _clear_cache(self) -> None:
        self._short_state[GENERATION] += 1
        self._cache.slots[:] = 0
        self._cache.state[: len(EMPTY_STATE)] = EMPTY_STATE


def _new_slots(slots: int) -> Int64Array:
    """Return empty slots of a cache."""
    return zeros(WIDTH * slots, np.int64, huge_pages=True)


def _max_words(slots: int) -> int:
    """Return the most words for a number of slots: a load factor of a half is fast.

    A table that cannot grow any more is filled to two thirds.
    """
    return slots // 2 if slots < _MAX_SLOTS else slots * 2 // 3


# -- output -------------------------------------------------------------------------------------------------------


def new_output(tokens: int, *, with_spans: bool = False) -> EncoderOutput:
    """Return empty output with the capacity for `tokens` tokens, and for their spans if these are wanted."""
    size = tokens + SPARE_IDS
    # numpy asks for huge pages, which are slow to get in a virtual machine that has not used the memory before.
    ids = np.empty(size, np.int32) if size < _SMALL_OUTPUT else result_array(size)
    starts, stops = np.empty((2, size if with_spans else 0), np.int64)
    first_tokens, word_starts = np.empty((2, BATCH + 1), np.int64)
    return EncoderOutput(ids, starts, stops, first_tokens, word_starts, state=np.zeros(3, np.int64))


def tokens_in(output: EncoderOutput) -> TokenArrays:
    """Return the tokens that were written to an output, which must not be used again."""
    count = int(output.state[TOKEN_COUNT])
    ids = output.ids[:count]
    if len(output.ids) < _SMALL_OUTPUT:
        ids = ids.copy()  # frees the rest; in a large output, untouched pages take no memory
    return TokenArrays(ids, output.starts[:count].copy(), output.stops[:count].copy())
