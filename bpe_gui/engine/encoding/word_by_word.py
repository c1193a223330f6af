"""Text to ids word by word, for steps that kernels cannot follow: exact, and much slower.

Each unique word is merged once; its tokens have offsets in the original text, however the steps changed it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS, merge_words
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.pipeline import Pipeline, Segment
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.sentencepiece import safe_splits
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.special_tokens import special_token_error
from bpe_gui.engine.text.utf8 import check_surrogates
from bpe_gui.engine.vocabulary.merge_scratch import new_scratch
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.tracing import WordTrace, trace_word

from .results import ModelWords, TokenArrays
from .text_encoder import EncodingOptions

_MAX_CACHED: Final = 1 << 18  # words


class WordByWord:
    """Encodes texts by a pipeline, each word separately. Threads may share it."""

    def __init__(self, store: MergeStore, pipeline: Pipeline, like: "WordByWord | None" = None) -> None:
        """With `like`, share the caches of one with the same model."""
        self._store = store
        self._pipeline = pipeline
        self._idle_caches: list[_WordCache] = [] if like is None else like._idle_caches
        self._finer: tuple[int, Pipeline] | None = None

    def tokens(self, text: str, options: EncodingOptions) -> TokenArrays:
        """Return the ids of a text with the byte offsets of their tokens. Raise TokenizerError."""
        check_surrogates(text, error=TokenizerError)
        tokens: list[tuple[int, int, int]] = []
        segments = self._finer_pipeline().segments(text)
        with self._cache(options) as cache:
            for segment in self._refused_in(segments, text) if options.refuses_special else segments:
                starts, stops = segment.text.offsets
                if segment.token_id is not None:
                    tokens.append((segment.token_id, int(starts[0]), int(stops[-1])))
                else:
                    tokens += (token.aligned(starts, stops) for token in cache.tokens_of(segment.text.text))
        ids, firsts, lasts = np.array(tokens, np.int64).reshape(-1, 3).T.copy()
        return TokenArrays(ids.astype(np.int32), firsts, lasts)

    def check_refused(self, text: str) -> None:
        """Raise TokenizerError for a special token in a text."""
        check_surrogates(text, error=TokenizerError)
        for _segment in self._refused_in(self._pipeline.sections(text), text):
            pass

    def ids_by_word(self, text: str, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        words = (each.text.text for each in self._finer_pipeline().segments(text) if each.token_id is None)
        return self.ids_of_words(words, options)

    def ids_of_words(self, words: Iterable[str], options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of words, and the index of each word's first id followed by the number of ids."""
        ids, firsts = list[int](), [0]
        with self._cache(options) as cache:
            for word in words:
                ids += [token.id for token in cache.tokens_of(word)]
                firsts.append(len(ids))
        return np.array(ids, np.int32), np.array(firsts, np.int64)

    def model_words(self, text: str) -> ModelWords:
        """Return the words of a text."""
        texts = [each.text for each in self._pipeline.segments(text) if each.token_id is None and each.text.text]
        begins = np.cumsum([0, *(len(each.text.encode()) for each in texts)], dtype=np.int64)
        starts = np.array([int(each.starts[0]) for each in texts], np.int64)
        return ModelWords("".join(each.text for each in texts).encode(), begins, starts)

    def word_starts(self, text: str) -> Int64Array:
        """See `TextEncoder`."""
        return np.array([int(segment.text.starts[0]) for segment in self._pipeline.segments(text)], np.int64)

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """See `TextEncoder`. Words are as the model gets them, after normalization."""
        tables = self._store.tables()
        with self._cache(options) as cache:
            for segment in self._pipeline.segments(text):
                if segment.token_id is None:
                    word = segment.text.text
                    symbols = [tables.token_of(initial.symbol) for initial in cache.finder.find(word)]
                    trace = trace_word(self._pipeline.word_text(word), symbols, self._store, options.position)
                    yield replace(trace, is_whole=self._is_whole(trace))

    def _is_whole(self, trace: WordTrace) -> bool:
        ignores_merges = self._pipeline.model.ignores_merges
        return ignores_merges and trace.symbols == (trace.word.encode(),) and len(trace.symbols[0]) > 1

    def _refused_in(self, segments: Iterable[Segment], text: str) -> Iterator[Segment]:
        """Yield the segments of a text. Raise TokenizerError for a special token in one."""
        special = {token.id: token for token in self._pipeline.added_tokens if token.special}
        for segment in segments:
            if segment.token_id is not None and (token := special.get(segment.token_id)):
                found = segment.text
                first = found.text.index(self._pipeline.search_form(token))  # white space may come before it
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
        model = self._pipeline.model
        needs_whole_words = model.is_byte_level or model.ignores_merges or model.prefix or model.suffix
        if needs_whole_words or self._store.tables().symbol_with_token(SPACE_SYMBOL.encode()) is None:
            return self._pipeline
        steps = self._pipeline.pre_tokenizers
        splits = safe_splits(token.decode(errors="replace") for token in self._store.token_ranks)
        return replace(self._pipeline, pre_tokenizers=(*steps, *(split for split in splits if split not in steps)))

    @contextmanager
    def _cache(self, options: EncodingOptions) -> Iterator["_WordCache"]:
        """Lend a cache of words for these options."""
        try:
            cache = self._idle_caches.pop()
        except IndexError:
            cache = None
        if cache is None or not cache.is_for(options):
            cache = _WordCache(self._store, self._pipeline, options)
        yield cache
        self._idle_caches.append(cache)


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
        self.finder: Final = _SymbolFinder(store, pipeline.model, options.position, options.unknown_id)
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


# -- the symbols of words before any merge ----------------------------------------------------------------------


class _InitialSymbol(NamedTuple):
    """A symbol of a word before any merge.

    It stands for the characters of the word from index `first` to index `last`, inclusive. If it is a single byte of a
    character, `bytes_before` and `bytes_after` count the other bytes of that character on either side.
    """

    symbol: int
    first: int
    last: int
    bytes_before: int = 0
    bytes_after: int = 0


class _SymbolFinder:
    """Finds the initial symbols of words for a tokenizer with the merges below rank `position`.

    An unknown character becomes the symbol of `unknown_id`, or is left out if that is None.
    """

    def __init__(self, store: MergeStore, model: ModelOptions, position: int, unknown_id: int | None) -> None:
        self._store = store
        self._model = model
        self._tables = store.tables()
        self._position = position
        self._unknown_symbol = None if unknown_id is None else self._tables.symbol_with_id(unknown_id)
        self._symbols_by_spelling: dict[str, int | None] = {}  # a cache

    def find(self, word: str) -> list[_InitialSymbol]:
        """Return the initial symbols of a word: the word itself if it is a token and such words stay whole."""
        symbol = self._symbol_of_whole(word) if self._model.ignores_merges else None
        return self._find_by_character(word) if symbol is None else [_InitialSymbol(symbol, 0, len(word) - 1)]

    def _symbol_of_whole(self, word: str) -> int | None:
        """Return the symbol whose token is the whole word, or None if there is none at this position."""
        symbol = self._symbol_spelled(word)
        if symbol is None or not self._store.exists(self._tables.token_of(symbol), self._position):
            return None
        return symbol

    def _find_by_character(self, word: str) -> list[_InitialSymbol]:
        """Return the initial symbols of a word that does not stay whole, in the order of `tokenizers`.

        That library holds an unknown character back, because the next one may be fused with it. So it comes after the
        bytes of characters that follow it.
        """
        found: list[_InitialSymbol] = []
        unknown: list[_InitialSymbol] = []  # held back; one at most
        last = len(word) - 1
        for index, character in enumerate(word):
            spelling = self._spelling(character, is_first=index == 0, is_last=index == last)
            symbol = self._symbol_spelled(spelling)
            if symbol is not None:
                found += [*unknown, _InitialSymbol(symbol, index, index)]
                unknown = []
            elif byte_symbols := self._symbols_of_bytes(spelling, index):
                found += byte_symbols
            elif self._unknown_symbol is not None:
                if unknown and self._model.fuses_unknown:
                    unknown = [unknown[0]._replace(last=index)]
                else:
                    found += unknown
                    unknown = [_InitialSymbol(self._unknown_symbol, index, index)]
        return found + unknown

    def _spelling(self, character: str, *, is_first: bool, is_last: bool) -> str:
        """Return how the vocabulary spells a character at this position in a word."""
        prefix = "" if is_first else self._model.prefix
        return prefix + character + (self._model.suffix if is_last else "")

    def _symbol_spelled(self, spelling: str) -> int | None:
        """Return the symbol that the vocabulary spells as `spelling`, or None if there is none."""
        try:
            return self._symbols_by_spelling[spelling]
        except KeyError:
            symbol = self._tables.symbol_with_token(self._token_spelled(spelling))
            self._symbols_by_spelling[spelling] = symbol
            return symbol

    def _token_spelled(self, spelling: str) -> bytes:
        """Return the bytes of a token from its spelling; empty, as no token is, if the spelling is not valid."""
        if not self._model.is_byte_level:
            return spelling.encode()
        try:
            return from_printable(spelling)
        except KeyError:
            return b""

    def _symbols_of_bytes(self, spelling: str, index: int) -> list[_InitialSymbol]:
        """Return a symbol for each byte of the character at `index`; empty unless every byte has one."""
        utf8 = spelling.encode() if self._model.falls_back_to_bytes else b""
        symbols = [self._symbol_spelled(f"<0x{byte:02X}>") for byte in utf8]
        last = len(utf8) - 1
        found = [
            _InitialSymbol(symbol, index, index, i, last - i) for i, symbol in enumerate(symbols) if symbol is not None
        ]
        return found if len(found) == len(utf8) else []
