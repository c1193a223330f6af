"""UTF-8 to ids by kernels: in chunks, each unique word once, in several threads.

What is done to a text before, and what a symbol without an id means, is up to the encoders of recipes and pipelines.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.compilation.kernel import address_of, array_at, has_builtins
from bpe_gui.engine.compilation.library import is_compiled
from bpe_gui.engine.kernels.encoding.text_encoding import LONGEST_TEXT, SPARE_IDS, TOKEN_COUNT, EncoderOutput
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.kernels.text.special_search import MARK
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.threads import collect_in_order, threads_worth
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import MARK_ID, TEXT_END, SpecialTokens, bounds_between_marks
from bpe_gui.engine.text.utf8 import encode_chunks, invalid_utf8_error, is_utf8, iter_chunks
from bpe_gui.engine.vocabulary.merge_store import MergeStore

from .encoding_worker import EncodingWorker, new_output, tokens_in
from .results import TokenArrays
from .text_encoder import (
    GROUP_SIZE,
    NO_SHORT_TEXTS,
    STREAM_BYTES,
    WORTH_JOINING,
    EncodingOptions,
    IdLists,
    ScannerSettings,
    ShortTextFunctions,
    UnknownSymbolIn,
    WordFinder,
    grouped,
    in_threads,
)

_MAX_THREADS: Final = 256

_THREAD_WORK: Final = 1 << 21
"""How many characters (or bytes) make another thread worthwhile."""

_CHUNK: Final = 1 << 20
"""How many characters (or bytes) of a text are encoded at a time."""

_SEARCH_WINDOWS: Final = 1 << 10, 1 << 16
"""How many characters (or bytes) are searched for a chunk boundary: first few, then many."""

_END_OF_MARKS: Final = re.compile(b"%c[^%c]" % (MARK, MARK), re.DOTALL)


class _Shared:
    """The workers and id lists shared by all encoders of a store, whichever special tokens they obey."""

    def __init__(self, store: MergeStore) -> None:
        self._store = store
        self.idle_workers: Final[list[EncodingWorker]] = []
        self.short_workers: Final[list[EncodingWorker]] = []
        """Those that only encode short texts. One is not here while functions are made with it."""

    @cached_property
    def id_lists(self) -> IdLists:
        return IdLists(self._store.largest_id)


class KernelEncoder:
    """Encodes texts whose words a splitter finds, by the merges of a store. Threads may share it.

    A text is UTF-8 in which special tokens stand for themselves, or if `has_marks`, joined sections (see `sections`)
    with a mark between two of them, whose id is `MARK_ID`. With `find_words`, kernels do not split texts but get the
    words that it finds.
    """

    def __init__(
        self,
        store: MergeStore,
        splitter: Splitter,
        special_ids: Mapping[str, int],
        *,
        has_marks: bool = False,
        find_words: WordFinder | None = None,
    ) -> None:
        self._store = store
        self._splitter = splitter
        self.special_ids: Final = special_ids
        self._has_marks = has_marks
        self._find_words = find_words
        # An end-of-word marker may be a token that covers no text.
        self._max_tokens_per_byte = 2 if store.recipe.boundary == "suffix" else 1
        self._shared = _Shared(store)
        self._short = NO_SHORT_TEXTS

    def with_special(self, special_ids: Mapping[str, int]) -> "KernelEncoder":
        """Return an encoder for other special tokens. It shares the workers, whose caches have ordinary words."""
        encoder = KernelEncoder(self._store, self._splitter, special_ids)
        encoder._shared = self._shared
        return encoder

    def chunker(self, avoided: BoolArray | None = None, joined: BoolArray | None = None) -> Chunker:
        """Return what finds chunks of a text that can be encoded one by one; see `Chunker` for the characters."""
        return Chunker(self._splitter, list(self.special_ids), avoided, joined)

    @cached_property
    def specials(self) -> SpecialTokens:
        """The special tokens that texts are searched for."""
        return SpecialTokens(self.special_ids)

    @cached_property
    def _scanner(self) -> ScannerSettings:
        if self._has_marks:
            return self._scanner_of_marks
        ids = [self.special_ids[token] for token in sorted(self.special_ids)]  # in byte order, as kernels number them
        return ScannerSettings(self._splitter, self.specials.for_kernels(), np.array(ids, np.int32))

    @cached_property
    def _scanner_of_marks(self) -> ScannerSettings:
        """The settings for joined texts and sections: `TEXT_END` is a special token, too."""
        ids = {token.encode(): token_id for token, token_id in self.special_ids.items()} | {TEXT_END: MARK_ID}
        in_order = np.array([ids[token] for token in sorted(ids)], np.int32)
        return ScannerSettings(self._splitter, self.specials.for_kernels(TEXT_END), in_order)

    # -- whole texts ------------------------------------------------------------------------------------------------

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of a text. Large texts in bytes are encoded in place, without decoding them.

        Raise UnknownSymbolIn.
        """
        if len(text) <= LONGEST_TEXT:
            short = self.short_texts(options)
            if isinstance(text, str):
                ids = short.in_array(text)
            else:
                ids = short.of_utf8(text) if self._has_marks or is_utf8(text) else None
            if ids is not None:
                return ids
        threads = min(options.threads or threads_worth(len(text), _THREAD_WORK), _MAX_THREADS)
        chunks = list(pairwise(self._chunk_boundaries(text, max(threads, len(text) // _CHUNK))))
        if threads > 1 and len(chunks) > 1:
            return self._ids_by_threads(text, chunks, options, threads)
        with self._worker(options, new_output(self._max_tokens(text, len(text))), len(text)) as worker:
            for begin, end in chunks:
                self._encode_chunk(worker, text, begin, end)
            return tokens_in(worker.output).ids

    def short_texts(self, options: EncodingOptions) -> ShortTextFunctions:
        """See `TextEncoder`."""
        made = self._short  # which another thread may replace at any moment
        if made.options == options and made.is_made():
            return made
        if not is_compiled() or not has_builtins() or self._find_words is not None:
            return NO_SHORT_TEXTS
        try:
            worker = (self._shared.short_workers or self._shared.idle_workers).pop()
        except IndexError:
            return NO_SHORT_TEXTS
        appended = self._store.appended
        before = int(appended[0])  # if more are appended now, the functions are made again later
        worker.begin(self._store.tables(), options, new_output(self._max_tokens_per_byte * 4 * LONGEST_TEXT))
        made = worker.short_texts(self._scanner, (appended, before), self._shared.id_lists.integers)
        self._short = made
        self._shared.short_workers.append(worker)
        return made

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
        if self._find_words is not None:
            self._encode_words_found(worker, self._find_words, text[begin:end], begin)
            return
        chunk = utf8_chunk(text, begin, end)
        if not self._has_marks and (invalid := first_invalid(*chunk)) >= 0:
            raise invalid_utf8_error(text, begin + invalid - chunk.begin)
        self._reserve(worker, chunk.end - chunk.begin)
        worker.scan(self._scanner, *chunk, is_last=True)
        if worker.has_failed:
            raise UnknownSymbolIn("" if self._has_marks else chunk.decode(), begin)

    def _encode_words_found(self, worker: EncodingWorker, find_words: WordFinder, text: bytes, begin: int) -> None:
        """Encode the words found in a chunk with marks, which begins at `begin`."""
        bounds = bounds_between_marks(text)
        words = find_words(text, bounds)
        data, begins = words.joined()
        self._reserve(worker, len(text))
        output = worker.output
        # With the spans of tokens, marks find their places. So the cache has symbols, never ids, in all its workers.
        worker.output = new_output(self._max_tokens_per_byte * len(data), with_spans=True)
        worker.encode_words(data, begins, words.starts)
        if worker.has_failed:
            raise UnknownSymbolIn("", begin)
        tokens, worker.output = tokens_in(worker.output), output
        marks = bounds[1:-1].reshape(-1, 2).T
        places = np.searchsorted(tokens.starts, marks[0])
        first = int(output.state[TOKEN_COUNT])
        last = first + len(tokens.ids) + len(places)
        output.ids[first:last] = np.insert(tokens.ids, places, MARK_ID)
        if len(output.starts):
            output.starts[first:last] = np.insert(tokens.starts, places, marks[0]) + begin
            output.stops[first:last] = np.insert(tokens.stops, places, marks[1]) + begin
        output.state[TOKEN_COUNT] = last

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """Return the ids of a text with the byte offsets of their tokens. Raise UnknownSymbolIn."""
        output = new_output(self._max_tokens_per_byte * len(text), with_spans=True)
        with self._worker(options, output) as worker:
            self._scan_chunk(worker, text, 0, len(text))
            return tokens_in(worker.output)

    # -- many texts, words, and text that arrives in chunks ----------------------------------------------------------

    def listed_groups(
        self, texts: Sequence[str], options: EncodingOptions, joined: Callable[[Sequence[str]], "JoinedTexts"]
    ) -> Iterator[tuple[Sequence[str], list[list[int]] | None]]:
        """Yield groups of texts with the ids of each text, or None if these must be encoded one by one.

        That is the case if there are few, or if there is an error to raise. `joined` joins texts with a mark after
        each. Groups are encoded in threads while the ids of other groups are converted to lists.
        """
        groups = list(grouped(texts))
        threads = min(options.threads or threads_worth(len(groups) * GROUP_SIZE, _THREAD_WORK), len(groups))
        text_size = len(groups) * GROUP_SIZE // max(threads, 1)

        def encode(group: Sequence[str]) -> Int32Array | None:
            if len(group) < WORTH_JOINING or options.refuses_special or options.unknown_id == MARK_ID:
                return None
            try:
                data, finish = joined(group)
                with self._worker(options, new_output(0), text_size) as worker:
                    return finish(self._marked_ids(worker, data))
            except (TokenizerError, UnknownSymbolIn, UnicodeEncodeError, TypeError):
                return None

        with in_threads(threads, encode, groups) as encoded:
            for group, ids in zip(groups, encoded, strict=True):
                yield group, None if ids is None else self._shared.id_lists.cut_at(MARK_ID, ids)

    def marked_ids(self, texts: bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of texts in UTF-8, with `MARK_ID` for the mark after each. Raise UnknownSymbolIn."""
        with self._worker(options, new_output(0), len(texts)) as worker:
            return self._marked_ids(worker, texts)

    def _marked_ids(self, worker: EncodingWorker, data: bytes) -> Int32Array:
        """Return the ids of texts or sections with marks."""
        if self._find_words is not None:
            self._scan_chunk(worker, data, 0, len(data))
        else:
            worker.add(data)
            self._reserve(worker, worker.filled)
            worker.scan_buffer(self._scanner_of_marks, is_last=True)
        if worker.has_failed:
            raise UnknownSymbolIn("", 0)
        return tokens_in(worker.output).ids

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of joined words, and the index of each word's first id followed by the number of ids.

        Word w is the bytes from `starts[w]` up to `starts[w + 1]`, and is encoded separately. Raise UnknownSymbolIn.
        """
        # One byte between words separates an empty marker at the end of a word from the next word.
        places = starts[:-1] + np.arange(len(starts) - 1)
        output = new_output(self._max_tokens_per_byte * len(words), with_spans=True)
        with self._worker(options, output, len(words)) as worker:
            worker.encode_words(words, starts, places)
            if worker.has_failed:
                raise UnknownSymbolIn("", 0)
            tokens = tokens_in(worker.output)
        return tokens.ids, np.append(np.searchsorted(tokens.starts, places), len(tokens.ids))

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """Yield the ids of the text that the chunks form together; see `TextEncoder`. Raise UnknownSymbolIn.

        The memory needed is bounded by the longest chunk and word.
        """
        with self._worker(options, new_output(0)) as worker:
            wanted, characters = STREAM_BYTES, 0
            for chunk, data in encode_chunks(chunks, error=TokenizerError):
                worker.add(data)
                characters += len(chunk)
                if worker.filled >= wanted or (worker.filled and not chunk):
                    done = self._scan_buffer(worker, is_last=False, characters=characters)
                    # Doubled if nothing was certain yet, so that a long word is scanned only a few times.
                    wanted = max(STREAM_BYTES, 0 if done else 2 * worker.filled)
                    yield tokens_in(worker.output).ids
                    worker.output = new_output(0)
            self._scan_buffer(worker, is_last=True, characters=characters)
            yield tokens_in(worker.output).ids

    def _scan_buffer(self, worker: EncodingWorker, *, is_last: bool, characters: int) -> int:
        """Encode the worker's buffer as far as its tokens are certain, and return how many bytes that is.

        The buffer ends after `characters` characters of the text.
        """
        self._reserve(worker, worker.filled)
        done = worker.scan_buffer(self._scanner, is_last=is_last)
        if worker.has_failed:
            text = worker.text()
            raise UnknownSymbolIn(text, characters - len(text))
        worker.drop(done)
        return done

    # -- workers and the capacity of their output -------------------------------------------------------------------

    @contextmanager
    def _worker(self, options: EncodingOptions, output: EncoderOutput, text_size: int = 0) -> Iterator[EncodingWorker]:
        """Lend a worker that writes to `output`; a new worker is made for a text of `text_size` bytes.

        A worker that fails is not used again, because its caches may be half written.
        """
        try:
            worker = self._shared.idle_workers.pop()
        except IndexError:
            worker = EncodingWorker(text_size)
        worker.begin(self._store.tables(), options, output)
        yield worker
        worker.output = new_output(0)
        self._shared.idle_workers.append(worker)

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

    @cached_property
    def _own_chunker(self) -> Chunker:
        return self.chunker()

    def _boundary_after(self, text: str | bytes, offset: int) -> int:
        """Return a chunk boundary soon after an offset, or 0 if there is none nearby. The end of a mark is one."""
        if self._has_marks and isinstance(text, bytes):
            mark = _END_OF_MARKS.search(text, offset, offset + _SEARCH_WINDOWS[-1])
            if mark:
                return mark.start() + 1
        begin = max(0, offset - self._own_chunker.context)  # a special token may begin before the offset
        found = (self._last_boundary(text, begin, offset + window) for window in _SEARCH_WINDOWS)
        return next((boundary for boundary in found if boundary >= offset), 0)

    def _last_boundary(self, text: str | bytes, begin: int, end: int) -> int:
        """Return the last chunk boundary in [begin, end), or `begin` if there is none."""
        if isinstance(text, str):
            data = text[begin:end].encode(errors="replace")
            return begin + len(data[: self._own_chunker.last_boundary(data)].decode())
        begin = _next_character(text, begin)
        data = text[begin : _next_character(text, end)]
        return begin + self._own_chunker.last_boundary(data) if is_utf8(data) else begin


class JoinedTexts(NamedTuple):
    """Texts, or their sections, with marks, and what puts the ids of their added tokens into their ids."""

    data: bytes
    finish: Callable[[Int32Array], Int32Array]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "JoinedTexts":
        """Return texts as they are, with a mark after each."""
        return cls(TEXT_END.join([*map(str.encode, texts), b""]), lambda ids: ids)


def _next_character(text: bytes, offset: int) -> int:
    """Return the start of the first character at or after `offset`, or the end of the text.

    In invalid UTF-8, return some offset soon after.
    """
    last = min(offset + 3, len(text))
    return next((at for at in range(offset, last) if text[at] & 0xC0 != 0x80), last)


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


def _as_array(text: bytes) -> UInt8Array:
    """Return bytes as a writable array: kernels are compiled for writable arrays but do not write to it."""
    array: UInt8Array = array_at(address_of(text), len(text), np.uint8, owner=text)
    return array
