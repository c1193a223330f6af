"""Text to ids by a pipeline: by kernels if they can follow its steps, otherwise word by word; with the ids around."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import MARK_ID
from bpe_gui.engine.text.utf8 import decode_utf8
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.tracing import WordTrace

from .pipeline_kernels import NO_CHUNKS, PipelineKernels, section_model
from .results import ModelWords, TextIds, TokenArrays, joined
from .text_encoder import (
    NO_SHORT_TEXTS,
    WORTH_JOINING,
    EncodingOptions,
    ShortTextFunctions,
    UnknownSymbolIn,
    one_by_one,
    pieces_of_stream,
    text_ids_one_by_one,
)
from .word_by_word import WordByWord


class PipelineEncoder:
    """The `TextEncoder` of tokenizers with a pipeline. A symbol without an id is left out, as in `tokenizers`."""

    def __init__(self, store: MergeStore, pipeline: Pipeline, like: "PipelineEncoder | None" = None) -> None:
        """With `like`, share the caches of an encoder whose pipeline has the same model."""
        self._store = store
        self.pipeline: Final = pipeline
        self._words: WordByWord = WordByWord(store, pipeline, None if like is None else like._words)
        self._kernels: tuple[int, PipelineKernels | None] | None = None
        self._latest: tuple[EncodingOptions, int, tuple[PipelineKernels | None, EncodingOptions]] | None = None
        """The latest options, the number of merges, and the way for them."""

    def chunker_for(self, options: EncodingOptions) -> Chunker:
        """See `TextEncoder`. A text is a single chunk if a step may treat its ends differently."""
        kernels = self._current_kernels()
        if kernels is None or self.pipeline.ids_before or self.pipeline.ids_after:
            return NO_CHUNKS
        return kernels.chunker_beside_dropped if self._way(options)[1].unknown_id is None else kernels.chunker

    def obeying(self, tokens: frozenset[str]) -> "PipelineEncoder":
        """See `TextEncoder`. Added tokens that are not special are always found, as in `tokenizers`."""
        added = (replace(t, is_obeyed=not t.special or t.content in tokens) for t in self.pipeline.added_tokens)
        return PipelineEncoder(self._store, replace(self.pipeline, added_tokens=tuple(added)), self)

    def without_ids_around(self) -> "PipelineEncoder":
        """See `TextEncoder`."""
        encoder = PipelineEncoder(self._store, replace(self.pipeline, ids_before=(), ids_after=()), self)
        encoder._kernels = self._kernels
        return encoder

    # -- the way that a text goes -----------------------------------------------------------------------------------

    def _current_kernels(self) -> PipelineKernels | None:
        """Return what encodes by kernels; None if they cannot follow the steps."""
        merges = self._store.merge_count
        if self._kernels is None or self._kernels[0] != merges:
            model = section_model(self._store, self.pipeline)
            self._kernels = merges, None if model is None else PipelineKernels(self._store, self.pipeline, model)
        return self._kernels[1]

    def _way(self, options: EncodingOptions) -> tuple[PipelineKernels | None, EncodingOptions]:
        """Return what encodes by kernels, or None if words must be encoded one by one, and options for either.

        An id that no symbol has becomes None: both leave out symbols without an id.
        """
        merges = self._store.merge_count
        if self._latest is not None and self._latest[0] is options and self._latest[1] == merges:
            return self._latest[2]
        given, tables, kernels = options, self._store.tables(), self._current_kernels()
        if options.unknown_id is not None and tables.symbol_with_id(options.unknown_id) is None:
            options = options._replace(unknown_id=None)
        if kernels is not None and not kernels.model.can_encode(self._store, options):
            kernels = None
        if kernels is not None and options.position < merges:
            kernels.prepare_step()
        self._latest = given, merges, (kernels, options)
        return kernels, options

    def _allowed(self, text: str | bytes, options: EncodingOptions) -> EncodingOptions:
        """Return the options without refusing special tokens. Raise TokenizerError if the text has a refused one."""
        if options.refuses_special:
            self._words.check_refused(_decoded(text))
            options = options._replace(refuses_special=False)
        return options

    # -- ids --------------------------------------------------------------------------------------------------------

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        ids = self._ids(text, options)
        if not self.pipeline.ids_before and not self.pipeline.ids_after:
            return ids
        before, after = (np.array(each, np.int32) for each in (self.pipeline.ids_before, self.pipeline.ids_after))
        return np.concatenate([before, ids, after])

    def _ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        kernels, options = self._way(options)
        if kernels is not None:
            with suppress(UnknownSymbolIn):
                return kernels.ids(text, self._allowed(text, options))
        return self._words.tokens(_decoded(text), options).ids

    def short_texts(self, options: EncodingOptions) -> ShortTextFunctions:
        """See `TextEncoder`. Steps around the merges change most texts, or put ids around them."""
        return NO_SHORT_TEXTS

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """See `TextEncoder`."""
        texts, before, after = list(texts), list(self.pipeline.ids_before), list(self.pipeline.ids_after)
        kernels, options = self._way(options)
        if kernels is None or len(texts) < WORTH_JOINING:
            return list(one_by_one(self, texts, options))
        rows: list[list[int]] = []
        for group, ids in kernels.listed_groups(texts, options):
            if ids is None:
                rows += one_by_one(self, group, options, len(rows))
            else:
                rows += [[*before, *row, *after] for row in ids] if before or after else ids
        return rows

    def text_ids(self, texts: bytes, options: EncodingOptions) -> TextIds:
        """See `TextEncoder`."""
        kernels, known = self._way(options)
        if kernels is not None and not options.refuses_special:
            with suppress(UnknownSymbolIn):
                return TextIds.between(MARK_ID, kernels.marked_ids(texts, known))
        return text_ids_one_by_one(self, texts, options)

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        tokens = self._token_arrays(text, options)
        before, after = _tokens_at(self.pipeline.ids_before, 0), _tokens_at(self.pipeline.ids_after, len(text))
        return _in_order(joined([before, tokens, after]))

    def _token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        kernels, options = self._way(options)
        if kernels is not None:
            with suppress(UnknownSymbolIn):
                return kernels.token_arrays(text, self._allowed(text, options))
        return self._words.tokens(decode_utf8(text), options)

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """See `TextEncoder`. The whole text is kept in memory if a step may treat its ends differently."""
        if options.refuses_special or self._way(options)[0] is None:
            yield self.ids("".join(chunks), options)
            return
        inner = self.without_ids_around()
        yield np.array(self.pipeline.ids_before, np.int32)
        for piece in pieces_of_stream(chunks, inner.chunker_for(options)):
            yield inner.ids(piece, options)
        yield np.array(self.pipeline.ids_after, np.int32)

    # -- words ------------------------------------------------------------------------------------------------------

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`. A text that no step splits is split into words wherever no merge crosses."""
        kernels, options = self._way(options)
        if kernels is not None:
            with suppress(UnknownSymbolIn):
                return kernels.ids_by_word(text, options)
        return self._words.ids_by_word(decode_utf8(text), options)

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        kernels, options = self._way(options)
        if kernels is not None:
            with suppress(UnknownSymbolIn):
                return kernels.word_ids(words, starts, options)
        are_bytes = self.pipeline.model.is_byte_level and self._current_kernels() is not None
        each = (words[start:stop] for start, stop in pairwise(starts.tolist()))
        return self._words.ids_of_words(map(to_printable if are_bytes else bytes.decode, each), options)

    def model_words(self, text: bytes) -> Iterator[ModelWords]:
        """See `TextEncoder`."""
        kernels = self._current_kernels()
        yield from [self._words.model_words(decode_utf8(text))] if kernels is None else kernels.model_words(text)

    def word_starts(self, text: bytes) -> Int64Array:
        """See `TextEncoder`."""
        kernels = self._current_kernels()
        return self._words.word_starts(decode_utf8(text)) if kernels is None else kernels.word_starts(text)

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """See `TextEncoder`. Words are as the model gets them, after normalization."""
        return self._words.traces(text, options)


def _in_order(tokens: TokenArrays) -> TokenArrays:
    """Return the tokens without overlaps: no token starts before the end of the previous one."""
    stops = np.maximum.accumulate(tokens.stops)
    starts = np.maximum(tokens.starts, np.append(np.int64(0), stops[:-1])[: len(stops)])
    return TokenArrays(tokens.ids, starts, np.maximum(stops, starts))


def _tokens_at(ids: Sequence[int], offset: int) -> TokenArrays:
    """Return empty tokens at one offset."""
    offsets = np.full(len(ids), offset, np.int64)
    return TokenArrays(np.array(ids, np.int32), offsets, offsets)


def _decoded(text: str | bytes) -> str:
    return text if isinstance(text, str) else decode_utf8(text)
