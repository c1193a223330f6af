"""Text to ids by a recipe: kernels encode UTF-8 in chunks, each unique word once, in several threads."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple, Self, TypeVar

import numpy as np

from bpe_gui.engine.compilation import is_compiled
from bpe_gui.engine.kernels.encoding.text_encoding import SPARE_IDS, TOKEN_COUNT, EncoderOutput
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.runtime.threads import collect_in_order, threads_worth
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.compiled_splitters import Chunker, split_text, splitter_of
from bpe_gui.engine.text.special_tokens import MARK_ID, TEXT_END, SpecialTokens
from bpe_gui.engine.text.utf8 import decode_utf8, encode_chunks, invalid_utf8_error, is_utf8, iter_chunks

from .encoding_worker import LONGEST_TEXT, EncodingWorker, ShortTextEncoder, new_output, tokens_in
from .merge_store import MergeStore
from .results import ModelWords, TokenArrays, WordTrace
from .text_encoder import (
    GROUP_SIZE,
    WORTH_JOINING,
    EncodingOptions,
    IdLists,
    ScannerSettings,
    UnknownSymbolError,
    grouped,
    in_threads,
    one_by_one,
)
from .tracing import merged_symbols, trace_word

Ids = TypeVar("Ids", list[int], Int32Array)

_listed: Final[Callable[[Int32Array], list[int]]] = np.ndarray.tolist
_copied: Final[Callable[[Int32Array], Int32Array]] = np.ndarray.copy

_MAX_THREADS: Final = 256

_THREAD_WORK: Final = 1 << 21
"""How many characters (or bytes) make another thread worthwhile."""

_CHUNK: Final = 1 << 20
"""How many characters (or bytes) of a text are encoded at a time."""

_STREAM_BYTES: Final = 1 << 17
"""How many bytes are encoded at a time if text arrives in chunks."""

_SEARCH_WINDOWS: Final = 1 << 10, 1 << 16
"""How many characters (or bytes) are searched for a chunk boundary: first few, then many."""

_FEW_IDS: Final = 1 << 10
"""Up to this many ids are checked without numpy."""

_LONGEST_QUOTED_WORD: Final = 40  # characters
_UNKNOWN: Final = _(
    "",
    "The symbol {symbol!r} (number {index} of the word {word!r} at character {start:,}) has no id in this vocabulary. "
    "Train on text that contains it, or give an id for unknown symbols (--unknown-id; --unk-token in train and "
    "convert; unknown_id in Python).",
)
_PRUNED: Final = _(
    "",
    "The symbol {symbol!r} (number {index} of the word {word!r} at character {start:,}) has no id: it left the "
    "vocabulary in training, where it no longer stood alone. Give an id for unknown symbols (--unknown-id; --unk-token "
    "in train and convert; unknown_id in Python), or train with a recipe that keeps all tokens.",
)


class Word(NamedTuple):
    """A word, and the index of the character at which it starts in the text."""

    text: str
    start: int


class RecipeEncoder:
    """The `TextEncoder` of tokenizers with a recipe."""

    pipeline: Final = None

    def __init__(self, store: MergeStore) -> None:
        self._store = store
        self._recipe = store.recipe
        self._special_ids: Mapping[str, int] = store.special_ids
        # An end-of-word marker may be a token that covers no text.
        self._max_tokens_per_byte = 2 if store.recipe.boundary == "suffix" else 1
        self._idle_workers: list[EncodingWorker] = []

    def obeying(self, tokens: frozenset[str]) -> "RecipeEncoder":
        """See `TextEncoder`. Workers are shared, because special tokens do not affect their caches of words."""
        encoder = RecipeEncoder(self._store)
        encoder._special_ids = {token: i for token, i in self._store.special_ids.items() if token in tokens}
        encoder._idle_workers = self._idle_workers
        return encoder

    def without_ids_around(self) -> Self:
        """See `TextEncoder`. A recipe has none."""
        return self

    @cached_property
    def _specials(self) -> SpecialTokens:
        return SpecialTokens(self._special_ids)

    def chunker_for(self, options: EncodingOptions) -> Chunker:
        """See `TextEncoder`."""
        return self.chunker

    @cached_property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one."""
        return Chunker(self._splitter, list(self._special_ids))

    @cached_property
    def _scanner(self) -> ScannerSettings:
        ids = [self._special_ids[token] for token in self._specials.in_byte_order()]
        return ScannerSettings(self._splitter, self._specials.for_kernels(), np.array(ids, np.int32))

    @cached_property
    def _scanner_of_joined(self) -> ScannerSettings:
        """The settings for joined texts: `TEXT_END` is a special token, too."""
        ids = {token.encode(): token_id for token, token_id in self._special_ids.items()} | {TEXT_END: MARK_ID}
        in_order = np.array([ids[token] for token in sorted(ids)], np.int32)
        return ScannerSettings(self._splitter, self._specials.for_kernels(TEXT_END), in_order)

    @cached_property
    def _splitter(self) -> Splitter:
        return splitter_of(self._recipe)

    # -- whole texts ------------------------------------------------------------------------------------------------

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`. Large texts in bytes are encoded in place, without decoding them."""
        if len(text) <= LONGEST_TEXT and (short := self._short_ids(text, options, _copied)) is not None:
            return short
        return self._checked_ids(text, options)

    def _checked_ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of a text of any length. Raise errors as `TextEncoder` says."""
        try:
            ids = self._ids(text, options)
        except UnknownSymbolError:
            if isinstance(text, str):
                raise
            return self._ids(decode_utf8(text), options)  # raises an error with an index in characters
        self._check_refused(ids, text, options)
        return ids

    def listed_ids(self, text: str, options: EncodingOptions) -> list[int]:
        """See `TextEncoder`."""
        if len(text) <= LONGEST_TEXT and (short := self._short_ids(text, options, _listed)) is not None:
            return short
        return _listed(self._checked_ids(text, options))

    def _short_ids(
        self, text: str | bytes, options: EncodingOptions, converted: Callable[[Int32Array], Ids]
    ) -> Ids | None:
        """Return the ids of a short text, converted, or None if it must be encoded in the general way."""
        try:
            data = self._utf8_of(text)
            worker = self._idle_workers.pop()
        except (UnicodeError, IndexError):
            return None
        short = worker.short
        merges = self._store.merge_count
        if short is None or short.made_for != (self._scanner, options, merges):
            short = self._prepared(worker, options)
        found = None if short is None else short.ids(data)
        ids = None if found is None else converted(found)
        self._idle_workers.append(worker)
        return ids

    def _utf8_of(self, text: str | bytes) -> bytes:
        """Return a text in UTF-8. Raise UnicodeError if it is not valid."""
        if isinstance(text, str):
            return text.encode()
        text.decode()
        return text

    def _prepared(self, worker: EncodingWorker, options: EncodingOptions) -> ShortTextEncoder | None:
        """Return an encoder of short texts with a worker, or None if texts must be encoded in the general way."""
        if not is_compiled() or options.refuses_special:
            return None
        merges = self._store.merge_count  # if more are appended now, this is prepared again later
        worker.begin(self._store.tables(), options, new_output(self._max_tokens_per_byte * 4 * LONGEST_TEXT))
        return worker.prepare(self._scanner, merges)

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """See `TextEncoder`. Groups of texts are encoded while the ids of other groups are converted to lists."""
        groups = list(grouped(list(texts)))
        threads = min(options.threads or threads_worth(len(groups) * GROUP_SIZE, _THREAD_WORK), len(groups))
        text_size = len(groups) * GROUP_SIZE // max(threads, 1)
        listed: list[list[int]] = []
        with in_threads(threads, lambda group: self._marked_ids(group, options, text_size), groups) as encoded:
            for group, ids in zip(groups, encoded, strict=True):
                if ids is None:
                    listed += one_by_one(self, group, options, len(listed))
                else:
                    listed += self._id_lists.cut_at(MARK_ID, ids)
        return listed

    @cached_property
    def _id_lists(self) -> IdLists:
        return IdLists(self._store.largest_id)

    def _marked_ids(self, texts: Sequence[str], options: EncodingOptions, text_size: int) -> Int32Array | None:
        """Return the ids of texts, with a mark after each, or None if they must be encoded one by one.

        That is the case if there are few, or if there is an error to raise.
        """
        if len(texts) < WORTH_JOINING or options.refuses_special or options.unknown_id == MARK_ID:
            return None
        try:
            with self._worker(options, new_output(0), text_size) as worker:
                return self._scan_joined(worker, texts)
        except (TokenizerError, UnicodeEncodeError, TypeError):
            return None

    def _scan_joined(self, worker: EncodingWorker, texts: Sequence[str]) -> Int32Array | None:
        """Return the ids of texts, with a mark after each, or None if a symbol has no id."""
        return self._scan_marked(worker, TEXT_END.join([*map(str.encode, texts), b""]))

    def _scan_marked(self, worker: EncodingWorker, data: bytes) -> Int32Array | None:
        """Return the ids of text with marks, or None if a symbol has no id."""
        worker.add(data)
        self._reserve(worker, worker.filled)
        worker.scan_buffer(self._scanner_of_joined, is_last=True)
        return None if worker.has_failed else tokens_in(worker.output).ids

    def _check_refused(self, ids: Int32Array, text: str | bytes, options: EncodingOptions) -> None:
        """Raise TokenizerError for a special token in the text, if the options refuse them.

        The text is searched only if the ids include that of a special token, which ordinary or unknown symbols may also
        have.
        """
        if not options.refuses_special or not self._special_ids:
            return
        if len(ids) > _FEW_IDS:
            special = self._special_ids.values()
            ids = ids[(ids >= min(special)) & (ids <= max(special))]
        if not set(ids.tolist()).isdisjoint(self._special_ids.values()):
            for _chunk in self._specials.refused_in([text if isinstance(text, str) else text.decode()]):
                pass

    def _ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        threads = min(options.threads or threads_worth(len(text), _THREAD_WORK), _MAX_THREADS)
        chunks = list(pairwise(self._chunk_boundaries(text, max(threads, len(text) // _CHUNK))))
        if threads > 1 and len(chunks) > 1:
            return self._ids_by_threads(text, chunks, options, threads)
        with self._worker(options, new_output(self._max_tokens(text, len(text))), len(text)) as worker:
            for begin, end in chunks:
                self._encode_chunk(worker, text, begin, end)
            return tokens_in(worker.output).ids

    def _ids_by_threads(
        self, text: str | bytes, chunks: list[tuple[int, int]], options: EncodingOptions, threads: int
    ) -> Int32Array:
        def encode(chunks: Iterator[tuple[tuple[int, int], Int32Array]]) -> Iterator[int]:
            with self._worker(options, new_output(0), len(text) // threads) as worker:
                for (begin, end), ids in chunks:
                    worker.output = replace(worker.output, ids=ids)
                    worker.output.state[:] = 0
                    self._encode_chunk(worker, text, begin, end)
                    yield int(worker.output.state[TOKEN_COUNT])

        largest = self._max_tokens(text, max(end - begin for begin, end in chunks)) + SPARE_IDS
        return collect_in_order(encode, chunks, threads, largest, self._max_tokens(text, len(text)))

    def _encode_chunk(self, worker: EncodingWorker, text: str | bytes, begin: int, end: int) -> None:
        """Encode the chunk [begin, end) of a text."""
        if isinstance(text, bytes):
            self._scan_chunk(worker, text, begin, end)
        else:
            for _piece, data in encode_chunks(iter_chunks(text, begin, end), begin, TokenizerError):
                worker.add(data)
            self._scan_buffer(worker, is_last=True, characters=end)

    def _scan_chunk(self, worker: EncodingWorker, text: bytes, begin: int, end: int) -> None:
        """Have kernels split and encode the chunk [begin, end) of a text."""
        chunk = utf8_chunk(text, begin, end)
        if (invalid := first_invalid(*chunk)) >= 0:
            raise invalid_utf8_error(text, begin + invalid - chunk.begin)
        self._reserve(worker, chunk.end - chunk.begin)
        worker.scan(self._scanner, *chunk, is_last=True)
        if worker.has_failed:
            raise self._unknown_symbol(self._words(chunk.decode(), begin), worker.options.position)

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        output = new_output(self._max_tokens_per_byte * len(text), with_spans=True)
        with self._worker(options, output) as worker:
            self._scan_chunk(worker, text, 0, len(text))
            tokens = tokens_in(worker.output)
        self._check_refused(tokens.ids, text, options)
        return tokens

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of joined words, and the index of each word's first id followed by the number of ids.

        Word w is the bytes from `starts[w]` up to `starts[w + 1]`, and is encoded separately.
        """
        # One byte between words separates an empty marker at the end of a word from the next word.
        places = starts[:-1] + np.arange(len(starts) - 1)
        output = new_output(self._max_tokens_per_byte * len(words), with_spans=True)
        with self._worker(options, output, len(words)) as worker:
            worker.encode_words(words, starts, places)
            if worker.has_failed:
                each = (words[start:stop].decode() for start, stop in pairwise(starts.tolist()))
                raise self._unknown_symbol((Word(word, 0) for word in each), options.position)
            tokens = tokens_in(worker.output)
        return tokens.ids, np.append(np.searchsorted(tokens.starts, places), len(tokens.ids))

    def model_words(self, text: bytes) -> Iterator[ModelWords]:
        """See `TextEncoder`."""
        decoded = decode_utf8(text)
        words = list(self._words(decoded))
        begins = np.cumsum([0, *(len(word.text.encode()) for word in words)], dtype=np.int64)
        ends = np.cumsum([0, *(len(character.encode()) for character in decoded)], dtype=np.int64)
        starts = ends[np.array([word.start for word in words], np.int64)]
        yield ModelWords("".join(word.text for word in words).encode(), begins, starts)

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        (words,) = self.model_words(text)
        return self.word_ids(words.text, words.begins, options)

    # -- text that arrives in chunks --------------------------------------------------------------------------------

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """See `TextEncoder`. The memory needed is bounded by the longest chunk and word."""
        with self._worker(options, new_output(0)) as worker:
            if options.refuses_special:
                chunks = self._specials.refused_in(chunks)
            for _pause in self._each_scanned(worker, chunks):
                yield tokens_in(worker.output).ids
                worker.output = new_output(0)

    def _each_scanned(self, worker: EncodingWorker, chunks: Iterable[str]) -> Iterator[None]:
        """Encode text as its chunks arrive, and yield after each scan of the buffer."""
        wanted, characters = _STREAM_BYTES, 0
        for chunk, data in encode_chunks(chunks, error=TokenizerError):
            worker.add(data)
            characters += len(chunk)
            if worker.filled >= wanted:
                done = self._scan_buffer(worker, is_last=False, characters=characters)
                # Doubled if nothing was certain yet, so that a long word is scanned only a few times.
                wanted = max(_STREAM_BYTES, 0 if done else 2 * worker.filled)
                yield
        self._scan_buffer(worker, is_last=True, characters=characters)
        yield

    def _scan_buffer(self, worker: EncodingWorker, *, is_last: bool, characters: int) -> int:
        """Encode the worker's buffer as far as its tokens are certain, and return how many bytes that is.

        The buffer ends after `characters` characters of the text.
        """
        self._reserve(worker, worker.filled)
        done = worker.scan_buffer(self._scanner, is_last=is_last)
        if worker.has_failed:
            text = worker.text()
            raise self._unknown_symbol(self._words(text, characters - len(text)), worker.options.position)
        worker.drop(done)
        return done

    # -- words -------------------------------------------------------------------------------------------------------

    def _words(self, text: str, before: int = 0) -> Iterator[Word]:
        """Yield the words of a text that follows `before` characters of the whole."""
        for section in split_text(text, self._recipe, self._specials):
            at, done = before, 0
            for start, stop in zip(section.starts.tolist(), section.stops.tolist(), strict=True):
                at, done = at + len(section.text[done:start].decode()), start
                yield Word(section.text[start:stop].decode(), at)
            before = at + len(section.text[done:].decode())

    def word_starts(self, text: bytes) -> Int64Array:
        """See `TextEncoder`."""
        starts, at = [np.empty(0, np.int64)], 0
        for section in split_text(decode_utf8(text), self._recipe, self._specials):
            starts.append(np.array([at], np.int64) if section.is_special else section.starts + at)
            at += len(section.text)
        return np.concatenate(starts)

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """See `TextEncoder`."""
        for word in self._words(text):
            yield trace_word(word.text, symbols_of(word.text, self._recipe), self._store, options.position)

    def _unknown_symbol(self, words: Iterable[Word], position: int) -> UnknownSymbolError:
        """Return the error for the first symbol that has no id once the words are merged, as of step `position`."""
        ranks, ids = self._store.ranks, self._store.ids
        for word in words:
            symbols = merged_symbols(symbols_of(word.text, self._recipe), ranks, position)
            index = next((i for i, symbol in enumerate(symbols) if symbol not in ids), None)
            if index is not None:
                symbol = symbols[index]
                return UnknownSymbolError(
                    _PRUNED if any(symbol in pair for pair in ranks) else _UNKNOWN,
                    symbol=visible(symbol),
                    index=index + 1,
                    word=_abbreviated(word.text),
                    start=word.start,
                )
        raise AssertionError("kernels found a symbol without an id, but every symbol has one")

    # -- workers and the capacity of their output -------------------------------------------------------------------

    @contextmanager
    def _worker(self, options: EncodingOptions, output: EncoderOutput, text_size: int = 0) -> Iterator[EncodingWorker]:
        """Lend a worker that writes to `output`; a new worker is made for a text of `text_size` bytes.

        A worker that fails is not used again, because its caches may be half written.
        """
        try:
            worker = self._idle_workers.pop()
        except IndexError:
            worker = EncodingWorker(text_size)
        worker.begin(self._store.tables(), options, output)
        yield worker
        worker.output = new_output(0)
        self._idle_workers.append(worker)

    def _max_tokens(self, text: str | bytes, size: int) -> int:
        """Return the most tokens that `size` characters (or bytes) of a text can have."""
        max_bytes = size if isinstance(text, bytes) or text.isascii() else 4 * size
        return self._max_tokens_per_byte * max_bytes

    def _reserve(self, worker: EncodingWorker, size: int) -> None:
        """Enlarge the worker's output if the tokens of `size` more bytes might not fit."""
        output = worker.output
        count, more = int(output.state[TOKEN_COUNT]), self._max_tokens_per_byte * size
        if len(output.ids) < count + more + SPARE_IDS:
            with_spans = len(output.starts) > 0
            larger = new_output(2 * (count + more), with_spans=with_spans)
            larger.ids[:count], larger.state[:] = output.ids[:count], output.state
            if with_spans:
                larger.starts[:count], larger.stops[:count] = output.starts[:count], output.stops[:count]
            worker.output = larger

    # -- chunks of a large text -------------------------------------------------------------------------------------

    def _chunk_boundaries(self, text: str | bytes, chunks: int) -> list[int]:
        """Return offsets, from 0 to the length of a text, that split it into at most this number of chunks.

        Each chunk can be encoded by itself.
        """
        boundaries = [0]
        for chunk in range(1, chunks):
            boundary = self._boundary_after(text, len(text) * chunk // chunks)
            if boundary > boundaries[-1]:
                boundaries.append(boundary)
        return [*boundaries, len(text)]

    def _boundary_after(self, text: str | bytes, offset: int) -> int:
        """Return a chunk boundary soon after an offset, or 0 if there is none nearby."""
        begin = max(0, offset - self.chunker.context)  # a special token may begin before the offset
        found = (self._last_boundary(text, begin, offset + window) for window in _SEARCH_WINDOWS)
        return next((boundary for boundary in found if boundary >= offset), 0)

    def _last_boundary(self, text: str | bytes, begin: int, end: int) -> int:
        """Return the last chunk boundary in [begin, end), or `begin` if there is none."""
        if isinstance(text, str):
            data = text[begin:end].encode(errors="replace")
            return begin + len(data[: self.chunker.last_boundary(data)].decode())
        begin = _next_character(text, begin)
        data = text[begin : _next_character(text, end)]
        return begin + self.chunker.last_boundary(data) if is_utf8(data) else begin


def _next_character(text: bytes, offset: int) -> int:
    """Return the start of the first character at or after `offset`, or the end of the text.

    In invalid UTF-8, return some offset soon after.
    """
    last = min(offset + 3, len(text))
    return next((at for at in range(offset, last) if text[at] & 0xC0 != 0x80), last)


def _abbreviated(word: str) -> str:
    return word if len(word) <= _LONGEST_QUOTED_WORD else word[:_LONGEST_QUOTED_WORD] + "…"


class _Utf8Chunk(NamedTuple):
    """The bytes [begin, end) of a UTF-8 buffer that continues far enough for kernels to read past the end."""

    buffer: UInt8Array
    begin: int
    end: int

    def decode(self) -> str:
        """Return the chunk as a string."""
        return self.buffer[self.begin : self.end].tobytes().decode()


def utf8_chunk(text: bytes, begin: int, end: int) -> _Utf8Chunk:
    """Return the bytes [begin, end) of a text, copied only if unavoidable."""
    if end + PADDING <= len(text):
        return _Utf8Chunk(_as_array(text), begin, end)
    return _Utf8Chunk(_as_array(text[begin:end] + bytes(PADDING)), 0, end - begin)


class _WritableView:
    """Bytes as a writable array, for `np.asarray`. Kernels are compiled for writable arrays but do not write to it."""

    def __init__(self, text: bytes) -> None:
        self.text = text  # kept alive by the array
        interface = np.frombuffer(text, np.uint8).__array_interface__
        self.__array_interface__ = interface | {"data": (interface["data"][0], False)}


def _as_array(text: bytes) -> UInt8Array:
    return np.asarray(_WritableView(text))
