"""Text to ids by a pipeline: each distinct word is merged once, and tokens get offsets in the text as it was given."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import compress
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS, merge_words
from bpe_gui.engine.pipeline.fast_splits import SPACE_SYMBOL
from bpe_gui.engine.pipeline.pipeline import Pipeline, WordBatch
from bpe_gui.engine.pipeline.sentencepiece import safe_splits
from bpe_gui.engine.pipeline.split_text import SplitText
from bpe_gui.engine.runtime.arrays import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.text.special_tokens import special_token_error
from bpe_gui.engine.text.utf8 import check_surrogates, decode_utf8

from .encoding_worker import new_scratch
from .initial_symbols import InitialSymbolFinder, InitialSymbols
from .merge_store import MergeStore
from .results import TokenArrays, WordTrace, joined
from .text_encoder import EncodingOptions
from .tracing import trace_word

Number = TypeVar("Number", np.int32, np.int64)
_Numbers = np.ndarray[Any, np.dtype[Number]]

_BATCH: Final = 1 << 13  # words that are looked up together
_MAX_CACHED: Final = 1 << 20  # tokens of words
_INITIAL_CAPACITY: Final = 1 << 10  # words, and tokens


class PipelineEncoder:
    """The `TextEncoder` of tokenizers with a pipeline. It uses one thread, whatever the options allow."""

    def __init__(self, store: MergeStore, pipeline: Pipeline) -> None:
        self._store = store
        self.pipeline: Final = pipeline
        self._idle_caches: list[_WordCache] = []
        self._finer: tuple[int, Pipeline] | None = None

    def obeying(self, tokens: frozenset[str]) -> "PipelineEncoder":
        """See `TextEncoder`. Added tokens that are not special are found in any case, as in `tokenizers`."""
        added = (replace(t, is_obeyed=not t.special or t.content in tokens) for t in self.pipeline.added_tokens)
        encoder = PipelineEncoder(self._store, replace(self.pipeline, added_tokens=tuple(added)))
        encoder._idle_caches = self._idle_caches
        return encoder

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        return self._token_arrays(text if isinstance(text, str) else decode_utf8(text), options).ids

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        return self._token_arrays(decode_utf8(text), options)

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """See `TextEncoder`. The whole text is held in memory, for a normalizer may need to see all of it."""
        yield self._token_arrays("".join(chunks), options).ids

    def word_starts(self, text: bytes) -> Int64Array:
        """See `TextEncoder`."""
        starts = [np.empty(0, np.int64)]
        for batch in self.pipeline.batches(decode_utf8(text)):
            of_words = batch.words.text.starts[batch.words.begins]
            starts.append(np.insert(of_words, batch.words_before, [token.starts[0] for token in batch.added_tokens]))
        return np.concatenate(starts)

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`. A text that no step splits has a word wherever no merge crosses."""
        ids, sizes = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
        with self._cache(options) as cache:
            for batch in self._finer_pipeline().batches(decode_utf8(text)):
                for of_words, counts in cache.words_of(batch):
                    ids.append(of_words.ids)
                    sizes.append(counts)
        return np.concatenate(ids), np.cumsum(np.concatenate(sizes))

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """See `TextEncoder`. Words are those that the model gets, after normalizing."""
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

    def _token_arrays(self, text: str, options: EncodingOptions) -> TokenArrays:
        check_surrogates(text, error=TokenizerError)
        size = len(text.encode())
        batches = self._finer_pipeline().batches(text)
        if options.refuses_special:
            batches = self._refused_in(batches, text)
        with self._cache(options) as cache:
            parts = [cache.tokens_of(batch) for batch in batches]
        before, after = _tokens_at(self.pipeline.ids_before, 0), _tokens_at(self.pipeline.ids_after, size)
        return _in_order(joined([before, *parts, after]))

    def _refused_in(self, batches: Iterable[WordBatch], text: str) -> Iterator[WordBatch]:
        """Yield the batches of a text. Raise TokenizerError for a special token in one."""
        special = {token.id: token for token in self.pipeline.added_tokens if token.special}
        for batch in batches:
            for found, token_id in zip(batch.added_tokens, batch.added_ids, strict=True):
                if token := special.get(token_id):
                    first = found.text.index(self.pipeline.search_form(token))  # white space may come before it
                    before = text.encode()[: int(found.starts[first])]
                    raise special_token_error(token.content, len(before.decode()))
            yield batch

    def _finer_pipeline(self) -> Pipeline:
        """Return the pipeline, made to split words also where no merge crosses, if merging allows that.

        A text that is not split at all would be a single very long word.
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


def _tokens_at(ids: Sequence[int], offset: int) -> TokenArrays:
    """Return empty tokens at one offset."""
    offsets = np.full(len(ids), offset, np.int64)
    return TokenArrays(np.array(ids, np.int32), offsets, offsets)


def _in_order(tokens: TokenArrays) -> TokenArrays:
    """Return the tokens with each start moved to where the token before it ends, if it was less."""
    stops = np.maximum.accumulate(tokens.stops)
    starts = np.maximum(tokens.starts, np.append(np.int64(0), stops[:-1])[: len(stops)])
    return TokenArrays(tokens.ids, starts, np.maximum(stops, starts))


# -- the tokens of words ------------------------------------------------------------------------------------------


class _WordTokens(NamedTuple):
    """The tokens of several words, one word after another.

    A token stands for the characters of its word from `firsts` to `lasts`, both included, without the leading
    `bytes_before` bytes of the first character and the trailing `bytes_after` bytes of the last.
    """

    ids: Int32Array
    firsts: Int64Array
    lasts: Int64Array
    bytes_before: Int64Array
    bytes_after: Int64Array

    def with_more(self, count: int, new: "_WordTokens") -> "_WordTokens":
        """Return the first `count` of these tokens, and after them the new ones."""
        return _WordTokens(
            _with_more(self.ids, count, new.ids),
            _with_more(self.firsts, count, new.firsts),
            _with_more(self.lasts, count, new.lasts),
            _with_more(self.bytes_before, count, new.bytes_before),
            _with_more(self.bytes_after, count, new.bytes_after),
        )


class _WordCache:
    """The tokens of the words seen so far, for some options. It serves one thread at a time."""

    def __init__(self, store: MergeStore, pipeline: Pipeline, options: EncodingOptions) -> None:
        self._tables = store.tables()
        self._made_for = options.position, options.unknown_id, self._tables.known
        self._prefix = pipeline.model.prefix.encode()
        self._limit = options.position
        self.finder: Final = InitialSymbolFinder(store, pipeline.model, options.position, options.unknown_id)
        self._merges = self._tables.for_kernels(None).merges
        self._clear()

    def is_for(self, options: EncodingOptions) -> bool:
        """Return whether the cache can be used with these options, and with the symbols known by now."""
        return self._made_for == (options.position, options.unknown_id, self._tables.known)

    def _clear(self) -> None:
        self._numbers: dict[str, int] = {}
        """The number of each word."""
        self._begins = np.zeros(_INITIAL_CAPACITY, np.int64)
        """By number of a word: the index of its first token. The tokens of the next word follow."""
        self._tokens = _WordTokens(np.empty(_INITIAL_CAPACITY, np.int32), *np.empty((4, _INITIAL_CAPACITY), np.int64))

    def tokens_of(self, batch: WordBatch) -> TokenArrays:
        """Return the tokens of a batch of words and added tokens, with their offsets in the text as it was given."""
        parts: list[TokenArrays] = []
        counts = [np.zeros(1, np.int64)]
        for part, of_words in self.words_of(batch):
            parts.append(part)
            counts.append(of_words)
        tokens = joined(parts)
        if not batch.added_tokens:
            return tokens
        at = np.cumsum(np.concatenate(counts))[batch.words_before]
        return TokenArrays(
            np.insert(tokens.ids, at, batch.added_ids),
            np.insert(tokens.starts, at, [token.starts[0] for token in batch.added_tokens]),
            np.insert(tokens.stops, at, [token.stops[-1] for token in batch.added_tokens]),
        )

    def words_of(self, batch: WordBatch) -> Iterator[tuple[TokenArrays, Int64Array]]:
        """Yield the tokens of some words of a batch at a time, and the number of tokens of each word."""
        for first in range(0, len(batch.words.begins), _BATCH):
            yield self._tokens_of_words(batch.words.select(slice(first, first + _BATCH)))

    def _tokens_of_words(self, words: SplitText) -> tuple[TokenArrays, Int64Array]:
        """Return the tokens of words, and the number of tokens of each word."""
        numbers = self._numbers_of(words.words())
        begins = self._begins[numbers]
        counts = self._begins[numbers + 1] - begins
        rows = np.arange(counts.sum()) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
        tokens = _WordTokens(*(column[rows] for column in self._tokens))
        return _with_offsets(tokens, words, np.repeat(words.begins, counts)), counts

    def _numbers_of(self, words: list[str]) -> Int64Array:
        """Return the numbers of words, having added those that were not in the cache."""
        if set(words).difference(self._numbers):
            if self._begins[len(self._numbers)] > _MAX_CACHED:
                self._clear()
            new = list(set(words).difference(self._numbers))
            are_plain = self.finder.are_plain(new)
            plain, others = list(compress(new, are_plain)), list(compress(new, ~are_plain))
            self._add(plain, self.finder.find_in_plain_words(plain))
            self._add(others, self.finder.find_in_words(others))
        return np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))

    def _add(self, words: Sequence[str], initial: InitialSymbols) -> None:
        counts, tokens = self._merge(initial)
        first = len(self._numbers)
        self._numbers.update(zip(words, range(first, first + len(words)), strict=True))
        begin = self._begins[first]
        self._begins = _with_more(self._begins, first + 1, begin + np.cumsum(counts))
        self._tokens = self._tokens.with_more(int(begin), tokens)

    def _merge(self, initial: InitialSymbols) -> tuple[Int64Array, _WordTokens]:
        """Return the number of tokens of each word, and the tokens of all words."""
        (initial_symbols, firsts, lasts, before, after), begins = initial
        symbols = initial_symbols.astype(np.int32)
        counts = np.zeros(len(begins) - 1, np.int64)
        scratch = new_scratch(int(np.diff(begins).max(initial=0)) + SPARE_SYMBOLS)
        merged = symbols[: merge_words(symbols, begins, self._merges, scratch, self._limit, counts)]
        last_of = self._last_initial_symbols(initial_symbols, begins, merged, counts)
        first_of = np.append(np.int64(0), np.minimum(last_of[:-1] + 1, len(initial_symbols) - 1))[: len(last_of)]
        ids = np.where(merged < 0, -1 - merged, self._tables.ids_of(np.maximum(merged, 0))).astype(np.int32)
        return counts, _WordTokens(ids, firsts[first_of], lasts[last_of], before[first_of], after[last_of])

    def _last_initial_symbols(
        self, initial: Int64Array, begins: Int64Array, merged: Int32Array, counts: Int64Array
    ) -> Int64Array:
        """Return the index of the last initial symbol of each token.

        The bytes of a token are those of its initial symbols, one after another, so the sizes tell.
        """
        ends = np.cumsum(counts)
        initial_ends = np.cumsum(self._sizes(initial, begins[:-1][np.diff(begins) > 0]))
        merged_ends = np.cumsum(self._sizes(merged, (ends - counts)[counts > 0]))
        # If right tokens lack the prefix that they should have, their tokens may seem to end after the last symbol.
        return np.minimum(np.searchsorted(initial_ends, merged_ends), len(initial) - 1).astype(np.int64)

    def _sizes(self, symbols: Int32Array | Int64Array, first_of_words: Int64Array) -> Int64Array:
        """Return the bytes that each symbol adds to its word: without the prefix, unless it is the word's first."""
        sizes = np.where(symbols < 0, 1, self._tables.sizes_of(np.maximum(symbols, 0))).astype(np.int64)
        if self._prefix:
            is_first = np.zeros(len(sizes), np.bool_)
            is_first[first_of_words] = True
            sizes -= np.where(is_first | ~self._have_prefix(symbols), 0, len(self._prefix))
        return sizes

    def _have_prefix(self, symbols: Int32Array | Int64Array) -> BoolArray:
        """Return whether each symbol has the prefix; the unknown token and tokens of single bytes never have it."""
        different, inverse = np.unique(symbols, return_inverse=True)
        have = [s >= 0 and self._tables.token_of(s).startswith(self._prefix) for s in different.tolist()]
        return np.array(have, np.bool_)[inverse]


def _with_more(array: _Numbers[Number], count: int, new: _Numbers[Number]) -> _Numbers[Number]:
    """Write new items after the first `count` of an array and return it, or a larger one if they do not fit."""
    needed = count + len(new)
    if needed > len(array):
        larger = np.empty(2 * needed, array.dtype)
        larger[:count] = array[:count]
        array = larger
    array[count:needed] = new
    return array


def _with_offsets(tokens: _WordTokens, words: SplitText, word_begins: Int64Array) -> TokenArrays:
    """Return tokens with their byte offsets in the text as it was given.

    `word_begins` has for each token the character at which its word begins. If a character is written in several
    bytes but stands for another character of the given text, the first byte stands for all of that.
    """
    firsts, lasts = word_begins + tokens.firsts, word_begins + tokens.lasts
    first_starts, first_stops = words.text.starts[firsts], words.text.stops[firsts]
    last_starts, last_stops = words.text.starts[lasts], words.text.stops[lasts]
    before, after = tokens.bytes_before, tokens.bytes_after
    splits_character = before + after > 0
    is_unchanged = ~splits_character | (first_stops - first_starts == before + after + 1)
    starts = np.where(is_unchanged, first_starts + before, np.where(before == 0, first_starts, first_stops))
    stops = np.where(is_unchanged & (last_stops - last_starts > after), last_stops - after, last_stops)
    return TokenArrays(tokens.ids, starts, stops)
