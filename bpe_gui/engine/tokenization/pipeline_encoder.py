"""Text to ids by a pipeline: each unique word is merged once, and tokens have offsets in the original text."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS, merge_words
from bpe_gui.engine.pipeline.pipeline import Pipeline, Segment
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.sentencepiece import safe_splits
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import special_token_error
from bpe_gui.engine.text.splitter_tables import Level
from bpe_gui.engine.text.utf8 import check_surrogates, decode_utf8

from .encoding_worker import new_scratch
from .initial_symbols import InitialSymbolFinder
from .merge_store import MergeStore
from .results import ModelWords, TokenArrays, WordTrace, joined
from .section_encoder import JoinedEncoder, PrintedEncoder, SectionEncoder, SectionModel, section_model, whole_tokens
from .sections import Joined, Sections
from .text_encoder import WORTH_JOINING, EncodingOptions, UnknownSymbolError, one_by_one
from .tracing import trace_word

_MAX_CACHED: Final = 1 << 18  # words
_CHUNK: Final = 1 << 20  # bytes
_NO_CHUNKS: Final = Chunker(None, ())
_NO_IDS: Final = np.empty(0, np.int32)


class PipelineEncoder:
    """The `TextEncoder` of tokenizers with a pipeline.

    Kernels encode the text after the steps if they can follow these; otherwise each word is encoded separately.
    """

    def __init__(self, store: MergeStore, pipeline: Pipeline) -> None:
        self._store = store
        self.pipeline: Final = pipeline
        self._idle_caches: list[_WordCache] = []
        self._finer: tuple[int, Pipeline] | None = None
        self._kernels: tuple[int, _Kernels | None] | None = None

    def chunker_for(self, options: EncodingOptions) -> Chunker:
        """See `TextEncoder`. A text is a single chunk if a step may treat its ends differently."""
        kernels = self._current_kernels()
        if kernels is None or self.pipeline.ids_before or self.pipeline.ids_after:
            return _NO_CHUNKS
        return kernels.chunker_beside_dropped if self._with_symbol(options).unknown_id is None else kernels.chunker

    def obeying(self, tokens: frozenset[str]) -> "PipelineEncoder":
        """See `TextEncoder`. Added tokens that are not special are always found, as in `tokenizers`."""
        added = (replace(t, is_obeyed=not t.special or t.content in tokens) for t in self.pipeline.added_tokens)
        encoder = PipelineEncoder(self._store, replace(self.pipeline, added_tokens=tuple(added)))
        encoder._idle_caches = self._idle_caches
        return encoder

    def without_ids_around(self) -> "PipelineEncoder":
        """See `TextEncoder`."""
        encoder = PipelineEncoder(self._store, replace(self.pipeline, ids_before=(), ids_after=()))
        encoder._idle_caches, encoder._kernels = self._idle_caches, self._kernels
        return encoder

    # -- by kernels -------------------------------------------------------------------------------------------------

    def _current_kernels(self) -> "_Kernels | None":
        """Return the encoder of sections of texts; None if kernels cannot follow the steps."""
        merges = self._store.merge_count
        if self._kernels is None or self._kernels[0] != merges:
            model = section_model(self._store, self.pipeline)
            self._kernels = merges, None if model is None else _Kernels(self._store, self.pipeline, model)
        return self._kernels[1]

    def _with_symbol(self, options: EncodingOptions) -> EncodingOptions:
        """Return the options with None for an id that no symbol has: both leave out symbols without an id."""
        if options.unknown_id is None or self._store.tables().symbol_with_id(options.unknown_id) is not None:
            return options
        return options._replace(unknown_id=None)

    def _kernels_for(self, options: EncodingOptions) -> "_Kernels | None":
        """Return the encoder of sections of texts for these options; None if words must be encoded one by one."""
        kernels = self._current_kernels()
        if kernels is None or not kernels.model.can_encode(self._store, options):
            return None
        if options.position < self._store.merge_count:
            kernels.prepare_step()
        return kernels

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        options = self._with_symbol(options)
        if (ids := self._ids(text, options)) is None:
            return self._tokens_of_words(_decoded(text), options).ids
        before, after = (np.array(each, np.int32) for each in (self.pipeline.ids_before, self.pipeline.ids_after))
        return np.concatenate([before, ids, after]) if len(before) + len(after) else ids

    def _ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array | None:
        """Return the ids of a text without those around it; None if kernels cannot find them."""
        kernels = self._kernels_for(options)
        if kernels is None:
            return None
        options = self._allowed(text, options)
        try:
            return kernels.encoder_of(text).ids(text, options)
        except UnknownSymbolError:
            return None

    def listed_ids(self, text: str, options: EncodingOptions) -> list[int]:
        """See `TextEncoder`."""
        ids: list[int] = self.ids(text, options).tolist()
        return ids

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """See `TextEncoder`."""
        texts, options = list(texts), self._with_symbol(options)
        kernels = None if options.refuses_special else self._kernels_for(options)
        try:
            encoder = None if kernels is None or len(texts) < WORTH_JOINING else kernels.encoder_of("".join(texts))
            listed = None if encoder is None else encoder.listed_batch(texts, options)
        except UnknownSymbolError:
            listed = None
        if listed is None:
            return list(one_by_one(self, texts, options))
        before, after = list(self.pipeline.ids_before), list(self.pipeline.ids_after)
        return [[*before, *ids, *after] for ids in listed] if before or after else listed

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        options = self._with_symbol(options)
        kernels = self._kernels_for(options)
        try:
            encoder = None if kernels is None else kernels.encoder_of(text)
            tokens = None if encoder is None else encoder.token_arrays(text, self._allowed(text, options))
        except UnknownSymbolError:
            tokens = None
        if tokens is None:
            return self._tokens_of_words(decode_utf8(text), options)
        before, after = _tokens_at(self.pipeline.ids_before, 0), _tokens_at(self.pipeline.ids_after, len(text))
        return _in_order(joined([before, tokens, after]))

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """See `TextEncoder`. The whole text is kept in memory, because a normalizer may need all of it."""
        yield self.ids("".join(chunks), options)

    def word_starts(self, text: bytes) -> Int64Array:
        """See `TextEncoder`."""
        if (kernels := self._current_kernels()) is not None:
            return kernels.word_starts(text)
        segments = self.pipeline.segments(decode_utf8(text))
        return np.array([int(segment.text.starts[0]) for segment in segments], np.int64)

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`. A text that no step splits is split into words wherever no merge crosses."""
        options = self._with_symbol(options)
        if (kernels := self._kernels_for(options)) is not None:
            try:
                return kernels.ids_by_word(text, options)
            except UnknownSymbolError:
                pass
        ids, firsts = list[int](), [0]
        with self._cache(options) as cache:
            for segment in self._finer_pipeline().segments(decode_utf8(text)):
                if segment.token_id is None:
                    ids += [token.id for token in cache.tokens_of(segment.text.text)]
                    firsts.append(len(ids))
        return np.array(ids, np.int32), np.array(firsts, np.int64)

    # -- words to train on ------------------------------------------------------------------------------------------

    def model_words(self, text: bytes) -> Iterator[ModelWords]:
        """See `TextEncoder`."""
        if (kernels := self._current_kernels()) is not None:
            at = 0
            for chunk in kernels.chunker.chunks(text, _CHUNK):
                words = kernels.model_words(chunk)
                yield words._replace(starts=words.starts + at)
                at += len(chunk)
            return
        segments = self.pipeline.segments(decode_utf8(text))
        texts = [each.text for each in segments if each.token_id is None and each.text.text]
        begins = np.cumsum([0, *(len(each.text.encode()) for each in texts)], dtype=np.int64)
        starts = np.array([int(each.starts[0]) for each in texts], np.int64)
        yield ModelWords("".join(each.text for each in texts).encode(), begins, starts)

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        options = self._with_symbol(options)
        if (kernels := self._kernels_for(options)) is not None:
            try:
                return kernels.word_ids(words, starts, options)
            except UnknownSymbolError:
                pass
        are_bytes = self.pipeline.model.is_byte_level and self._current_kernels() is not None
        ids, firsts = list[int](), [0]
        with self._cache(options) as cache:
            for start, stop in pairwise(starts.tolist()):
                word = words[start:stop]
                ids += [token.id for token in cache.tokens_of(to_printable(word) if are_bytes else word.decode())]
                firsts.append(len(ids))
        return np.array(ids, np.int32), np.array(firsts, np.int64)

    def _allowed(self, text: str | bytes, options: EncodingOptions) -> EncodingOptions:
        """Return the options without refusing special tokens. Raise TokenizerError if the text has a refused one."""
        if options.refuses_special:
            whole = _decoded(text)
            check_surrogates(whole, error=TokenizerError)
            for _segment in self._refused_in(self.pipeline.sections(whole), whole):
                pass
        return options._replace(refuses_special=False)

    # -- word by word -----------------------------------------------------------------------------------------------

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """See `TextEncoder`. Words are as the model gets them, after normalization."""
        tables = self._store.tables()
        with self._cache(options) as cache:
            for segment in self.pipeline.segments(text):
                if segment.token_id is None:
                    word = segment.text.text
                    symbols = [tables.token_of(initial.symbol) for initial in cache.finder.find(word)]
                    trace = trace_word(self.pipeline.word_text(word), symbols, self._store, options.position)
                    yield replace(trace, is_whole=self._is_whole(trace))

    def _is_whole(self, trace: WordTrace) -> bool:
        ignores_merges = self.pipeline.model.ignores_merges
        return ignores_merges and trace.symbols == (trace.word.encode(),) and len(trace.symbols[0]) > 1

    def _tokens_of_words(self, text: str, options: EncodingOptions) -> TokenArrays:
        check_surrogates(text, error=TokenizerError)
        tokens = [(token_id, 0, 0) for token_id in self.pipeline.ids_before]
        segments = self._finer_pipeline().segments(text)
        with self._cache(options) as cache:
            for segment in self._refused_in(segments, text) if options.refuses_special else segments:
                starts, stops = segment.text.offsets
                if segment.token_id is not None:
                    tokens.append((segment.token_id, int(starts[0]), int(stops[-1])))
                else:
                    tokens += (token.aligned(starts, stops) for token in cache.tokens_of(segment.text.text))
        size = len(text.encode())
        tokens += [(token_id, size, size) for token_id in self.pipeline.ids_after]
        ids, firsts, lasts = np.array(tokens, np.int64).reshape(-1, 3).T.copy()
        return _in_order(TokenArrays(ids.astype(np.int32), firsts, lasts))

    def _refused_in(self, segments: Iterable[Segment], text: str) -> Iterator[Segment]:
        """Yield the segments of a text. Raise TokenizerError for a special token in one."""
        special = {token.id: token for token in self.pipeline.added_tokens if token.special}
        for segment in segments:
            if segment.token_id is not None and (token := special.get(segment.token_id)):
                found = segment.text
                first = found.text.index(self.pipeline.search_form(token))  # white space may come before it
                before = text.encode()[: int(found.starts[first])]
                raise special_token_error(token.content, len(before.decode()))
            yield segment

    def _finer_pipeline(self) -> Pipeline:
        """Return the pipeline, modified to also split words where no merge crosses, if the model allows that.

        A text that is not split at all would be a single, very long word.
        """
        merges = self._store.merge_count
        if self._finer is None or self._finer[0] != merges:
            self._finer = merges, self._make_finer()
        return self._finer[1]

    def _make_finer(self) -> Pipeline:
        model = self.pipeline.model
        needs_whole_words = model.is_byte_level or model.ignores_merges or model.prefix or model.suffix
        if needs_whole_words or self._store.tables().symbol_with_token(SPACE_SYMBOL.encode()) is None:
            return self.pipeline
        steps = self.pipeline.pre_tokenizers
        splits = safe_splits(token.decode(errors="replace") for token in self._store.token_ranks)
        return replace(self.pipeline, pre_tokenizers=(*steps, *(split for split in splits if split not in steps)))

    @contextmanager
    def _cache(self, options: EncodingOptions) -> Iterator["_WordCache"]:
        """Lend a cache of words for these options."""
        try:
            cache = self._idle_caches.pop()
        except IndexError:
            cache = None
        if cache is None or not cache.is_for(options):
            cache = _WordCache(self._store, self.pipeline, options)
        yield cache
        self._idle_caches.append(cache)


def _in_order(tokens: TokenArrays) -> TokenArrays:
    """Return the tokens without overlaps: no token starts before the end of the previous one."""
    stops = np.maximum.accumulate(tokens.stops)
    starts = np.maximum(tokens.starts, np.append(np.int64(0), stops[:-1])[: len(stops)])
    return TokenArrays(tokens.ids, starts, np.maximum(stops, starts))


class _Kernels:
    """Encodes texts by kernels: at once if no step changes them, otherwise by their sections."""

    def __init__(self, store: MergeStore, pipeline: Pipeline, model: SectionModel) -> None:
        self._store = store
        self._touched = pipeline.touched
        self.model: Final = model
        self._keeps_all = False  # whether every token stays whole, rather than those that merging does not produce
        self._sections = Sections(pipeline)
        self._is_native = self._sections.may_keep_text and pipeline.has_plain_tokens and not model.printed_levels
        specials = {pipeline.search_form(t): t.id for t in pipeline.added_tokens if t.is_obeyed}
        self._native = SectionEncoder(store, model.levels, specials if self._is_native else {})
        self._joined = (
            PrintedEncoder(store, model, self._sections)
            if model.printed_levels
            else JoinedEncoder(store, model.levels, self._sections)
        )
        if pipeline.model.ignores_merges:
            store.tables().keep_whole({})
            self._keep_whole(whole_tokens(self._native, store))

    def _keep_whole(self, tokens: Iterable[bytes]) -> None:
        self._store.tables().keep_whole({token: self._store.first_rank(token) for token in tokens})

    def prepare_step(self) -> None:
        """Prepare for a step before the last, at which merging may not produce a token that exists."""
        if self._store.model.ignores_merges and not self._keeps_all:
            self._keep_whole(self._store.tables().tokens_with_ids()[0])
            self._keeps_all = True

    @cached_property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one; none if steps may change the ends of a text."""
        return self._native.chunker_avoiding(self._touched) if self._is_native else _NO_CHUNKS

    @cached_property
    def chunker_beside_dropped(self) -> Chunker:
        """Finds such chunks where symbols without an id are dropped: what stands beside one merges across it."""
        has_dropped = self.model.levels != self.model.word_levels and not self._store.model.falls_back_to_bytes
        if not self._is_native or not has_dropped:
            return self.chunker
        unknown = self._store.tables().are_unknown()
        return self._native.chunker_avoiding(unknown if self._touched is None else self._touched | unknown)

    def encoder_of(self, text: str | bytes) -> SectionEncoder:
        """Return the encoder for a text."""
        return self._native if self._is_native and self._sections.keep(text) else self._joined

    def word_starts(self, text: bytes) -> Int64Array:
        """Return the byte offsets at which the words and the added tokens of a text begin."""
        joined = self._sections.of(text, has_offsets=True)
        bounds = joined.bounds()
        words = self.model.words(joined.data, bounds).starts
        return _given_starts(joined, np.sort(np.concatenate([words, bounds[1:-1:2]])))

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of a text's words, and the index of each word's first id followed by the number of ids."""
        return self._joined.ids_by_word(text, options)

    def model_words(self, text: bytes) -> ModelWords:
        """Return the words of a text."""
        joined = self._sections.of(text, has_offsets=True)
        words = self.model.words(joined.data, joined.bounds(), self._training_levels)
        return ModelWords(*words.joined(), _given_starts(joined, words.starts))

    @cached_property
    def _training_levels(self) -> tuple[Level, ...]:
        """The levels that make words to train on: of a text that no step splits, each with the space before it.

        If only ends of tokens are spaces, each word has the space after it.
        """
        if self.model.word_levels or self._store.tables().symbol_with_token(SPACE_SYMBOL.encode()) is None:
            return self.model.word_levels
        steps = safe_splits(token.decode(errors="replace") for token in self._store.token_ranks)
        ends_at_spaces = bool(steps) and steps[0].behavior == "merged_with_previous"
        return (steps if ends_at_spaces else safe_splits([f"{SPACE_SYMBOL}a"]))[0].levels

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        return self._joined.word_ids(words, starts, options)


def _given_starts(joined: Joined, starts: Int64Array) -> Int64Array:
    """Return where words that start at these places of joined sections start in the text."""
    no_ids = np.zeros(len(starts), np.int32)
    return joined.as_given(TokenArrays(no_ids, starts, starts + 1)).starts.astype(np.int64)


def _tokens_at(ids: Sequence[int], offset: int) -> TokenArrays:
    """Return empty tokens at one offset."""
    offsets = np.full(len(ids), offset, np.int64)
    return TokenArrays(np.array(ids, np.int32), offsets, offsets)


def _decoded(text: str | bytes) -> str:
    return text if isinstance(text, str) else decode_utf8(text)


# -- the tokens of words ------------------------------------------------------------------------------------------


class _WordToken(NamedTuple):
    """A token of a word.

    It stands for the characters of its word from `first` to `last`, inclusive, without the leading `before` bytes of
    the first character and the trailing `after` bytes of the last.
    """

    id: int
    first: int
    last: int
    before: int
    after: int

    def aligned(self, starts: Int64Array, stops: Int64Array) -> tuple[int, int, int]:
        """Return the id and the start and stop in the original text, given those of the word's characters.

        If a character has several bytes but stands for another character of the original, its first byte stands for all
        of that character.
        """
        start, stop = int(starts[self.first]), int(stops[self.last])
        first_stop, last_start = int(stops[self.first]), int(starts[self.last])
        hidden = self.before + self.after
        is_unchanged = not hidden or first_stop - start == hidden + 1
        if is_unchanged and stop - last_start > self.after:
            stop -= self.after
        if is_unchanged:
            start += self.before
        elif self.before:
            start = first_stop
        return self.id, start, stop


class _WordCache:
    """The tokens of the words seen so far, for certain options. Only one thread may use it at a time."""

    def __init__(self, store: MergeStore, pipeline: Pipeline, options: EncodingOptions) -> None:
        self._tables = store.tables()
        self._made_for = options.position, options.unknown_id, self._tables.known
        self._prefix = pipeline.model.prefix.encode()
        self._limit = options.position
        self.finder: Final = InitialSymbolFinder(store, pipeline.model, options.position, options.unknown_id)
        self._merges = self._tables.for_kernels(None).merges
        self._tokens: dict[str, list[_WordToken]] = {}

    def is_for(self, options: EncodingOptions) -> bool:
        """Return whether the cache is valid for these options and the symbols known now."""
        return self._made_for == (options.position, options.unknown_id, self._tables.known)

    def tokens_of(self, word: str) -> list[_WordToken]:
        """Return the tokens of a word."""
        tokens = self._tokens.get(word)
        if tokens is None:
            if len(self._tokens) >= _MAX_CACHED:
                self._tokens.clear()
            self._tokens[word] = tokens = self._merged(word)
        return tokens

    def _merged(self, word: str) -> list[_WordToken]:
        initial = self.finder.find(word)
        symbols = np.array([each.symbol for each in initial], np.int32)
        bounds, counts = np.array([0, len(initial)]), np.zeros(1, np.int64)
        scratch = new_scratch(len(initial) + SPARE_SYMBOLS)
        count = merge_words(symbols, bounds, self._merges, scratch, self._limit, 1, counts)
        merged = symbols[:count].tolist()
        # A token consists of the bytes of consecutive initial symbols, so sizes tell which symbols these are.
        initial_ends = self._ends([each.symbol for each in initial])
        # If right tokens lack the prefix, their products may seem to end after the last symbol.
        lasts = [min(bisect_left(initial_ends, end), len(initial) - 1) for end in self._ends(merged)]
        firsts = [0, *(min(last + 1, len(initial) - 1) for last in lasts[:-1])]
        ids = self._tables.ids_of(symbols[:count]).tolist()
        return [
            _WordToken(token, initial[i].first, initial[k].last, initial[i].bytes_before, initial[k].bytes_after)
            for token, i, k in zip(ids, firsts, lasts, strict=False)
        ]

    def _ends(self, symbols: list[int]) -> list[int]:
        """Return the end of each symbol of a word in bytes, without the prefixes of all but the first."""
        tokens = map(self._tables.token_of, symbols)
        return list(accumulate(len(t.removeprefix(self._prefix) if index else t) for index, t in enumerate(tokens)))
