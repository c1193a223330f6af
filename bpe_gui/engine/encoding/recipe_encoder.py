"""Text to ids by a recipe: a symbol without an id is an error, which says where it is."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Final, NamedTuple, Self

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.compiled_splitters import Chunker, split_text, splitter_of
from bpe_gui.engine.text.special_tokens import MARK_ID, SpecialTokens
from bpe_gui.engine.text.utf8 import decode_utf8
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.tracing import WordTrace, merged_symbols, trace_word

from .kernel_encoder import JoinedTexts, KernelEncoder
from .results import ModelWords, TextIds, TokenArrays
from .text_encoder import (
    EncodingOptions,
    ShortTextFunctions,
    UnknownSymbolError,
    UnknownSymbolIn,
    one_by_one,
    text_ids_one_by_one,
)

_FEW_IDS: Final = 1 << 10
"""Up to this many ids are checked without numpy."""

_LONGEST_QUOTED_WORD: Final = 40  # characters
_UNKNOWN: Final = _(
    "",
    "The symbol {symbol!r} (number {index} of the word {word!r} at character {start:,}) has no id in this vocabulary. "
    "Train on text that contains it, or give an id for unknown symbols ({where}).",
)
_PRUNED: Final = _(
    "",
    "The symbol {symbol!r} (number {index} of the word {word!r} at character {start:,}) has no id: it left the "
    "vocabulary in training, where it no longer stood alone. Give an id for unknown symbols ({where}), or train with a "
    "recipe that keeps all tokens.",
)
_WHERE_TO_GIVE_ID: Final = "--unknown-id; --unk-token in train and convert; unknown_id in Python"
"""The window puts the name of its field in place of this."""


class PlacedWord(NamedTuple):
    """A word, and the index of the character at which it starts in the text."""

    text: str
    start: int


class RecipeEncoder:
    """The `TextEncoder` of tokenizers with a recipe."""

    pipeline: Final = None

    def __init__(self, store: MergeStore, kernels: KernelEncoder | None = None) -> None:
        self._store = store
        self._recipe = store.recipe
        self._kernels = kernels or KernelEncoder(store, splitter_of(store.recipe), store.special_ids)

    def obeying(self, tokens: frozenset[str]) -> Self:
        """See `TextEncoder`."""
        obeyed = {token: i for token, i in self._store.special_ids.items() if token in tokens}
        return type(self)(self._store, self._kernels.with_special(obeyed))

    def without_ids_around(self) -> Self:
        """See `TextEncoder`. A recipe has none."""
        return self

    @property
    def _specials(self) -> SpecialTokens:
        return self._kernels.specials

    def chunker_for(self, options: EncodingOptions) -> Chunker:
        """See `TextEncoder`."""
        return self.chunker

    @cached_property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one."""
        return self._kernels.chunker()

    # -- ids --------------------------------------------------------------------------------------------------------

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        with self._explaining(text, options):
            ids = self._kernels.ids(text, options)
        self._check_refused(ids, text, options)
        return ids

    def short_texts(self, options: EncodingOptions) -> ShortTextFunctions:
        """See `TextEncoder`."""
        return self._kernels.short_texts(options)

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """See `TextEncoder`."""
        rows: list[list[int]] = []
        for group, ids in self._kernels.listed_groups(list(texts), options, JoinedTexts.of):
            rows += one_by_one(self, group, options, len(rows)) if ids is None else ids
        return rows

    def text_ids(self, texts: bytes, options: EncodingOptions) -> TextIds:
        """See `TextEncoder`."""
        if not options.refuses_special and options.unknown_id != MARK_ID:
            with suppress(UnknownSymbolIn):
                return TextIds.between(MARK_ID, self._kernels.marked_ids(texts, options))
        return text_ids_one_by_one(self, texts, options)

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        with self._explaining(text, options):
            tokens = self._kernels.token_arrays(text, options)
        self._check_refused(tokens.ids, text, options)
        return tokens

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """See `TextEncoder`. The memory needed is bounded by the longest chunk and word."""
        if options.refuses_special:
            chunks = self._specials.refused_in(chunks)
        with self._explaining("", options):
            yield from self._kernels.stream(chunks, options)

    def _check_refused(self, ids: Int32Array, text: str | bytes, options: EncodingOptions) -> None:
        """Raise TokenizerError for a special token in the text, if the options refuse them.

        The text is searched only if the ids include that of a special token, which ordinary or unknown symbols may also
        have.
        """
        special = self._kernels.special_ids.values()
        if not options.refuses_special or not special:
            return
        if len(ids) > _FEW_IDS:
            ids = ids[(ids >= min(special)) & (ids <= max(special))]
        if not set(ids.tolist()).isdisjoint(special):
            for _chunk in self._specials.refused_in([text if isinstance(text, str) else text.decode()]):
                pass

    # -- words -------------------------------------------------------------------------------------------------------

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        try:
            return self._kernels.word_ids(words, starts, options)
        except UnknownSymbolIn:
            each = (words[start:stop].decode() for start, stop in pairwise(starts.tolist()))
            raise self._unknown_symbol((PlacedWord(word, 0) for word in each), options.position) from None

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

    def _words(self, text: str, before: int = 0) -> Iterator[PlacedWord]:
        """Yield the words of a text that follows `before` characters of the whole."""
        for section in split_text(text, self._recipe, self._specials):
            at, done = before, 0
            for start, stop in zip(section.starts.tolist(), section.stops.tolist(), strict=True):
                at, done = at + len(section.text[done:start].decode()), start
                yield PlacedWord(section.text[start:stop].decode(), at)
            before = at + len(section.text[done:].decode())

    # -- a symbol without an id ---------------------------------------------------------------------------------------

    @contextmanager
    def _explaining(self, text: str | bytes, options: EncodingOptions) -> Iterator[None]:
        """Raise UnknownSymbolError, with its place in characters, for a symbol that kernels find in part of a text."""
        try:
            yield
        except UnknownSymbolIn as found:
            before = len(text[: found.before].decode(errors="replace")) if isinstance(text, bytes) else found.before
            raise self._unknown_symbol(self._words(found.part, before), options.position) from None

    def _unknown_symbol(self, words: Iterable[PlacedWord], position: int) -> UnknownSymbolError:
        """Return the error for the first symbol that has no id once the words are merged, as of step `position`."""
        ranks, ids = self._store.ranks, self._store.ids
        for word in words:
            symbols = merged_symbols(symbols_of(word.text, self._recipe), ranks, position)
            index = next((i for i, symbol in enumerate(symbols) if symbol not in ids), None)
            if index is not None:
                symbol, text = symbols[index], word.text
                return UnknownSymbolError(
                    _PRUNED if any(symbol in pair for pair in ranks) else _UNKNOWN,
                    symbol=visible(symbol),
                    index=index + 1,
                    word=text if len(text) <= _LONGEST_QUOTED_WORD else text[:_LONGEST_QUOTED_WORD] + "…",
                    start=word.start,
                    where=_WHERE_TO_GIVE_ID,
                )
        raise AssertionError("kernels found a symbol without an id, but every symbol has one")
