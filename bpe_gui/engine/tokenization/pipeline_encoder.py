"""Text to ids by a pipeline: each unique word is merged once, and tokens have offsets in the original text."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS, merge_words
from bpe_gui.engine.kernels.text.special_search import has_any
from bpe_gui.engine.pipeline.aligned_text import AlignedText, byte_sizes
from bpe_gui.engine.pipeline.levels import utf8_words
from bpe_gui.engine.pipeline.pipeline import Pipeline, Segment
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceNormalizer, safe_splits
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import Chunker, padded
from bpe_gui.engine.text.special_tokens import special_token_error
from bpe_gui.engine.text.utf8 import check_surrogates, decode_utf8

from .encoding_worker import new_scratch
from .initial_symbols import InitialSymbolFinder
from .merge_store import MergeStore
from .results import TokenArrays, WordTrace, joined
from .section_encoder import SectionEncoder, SectionModel, section_model, whole_tokens
from .text_encoder import WORTH_JOINING, EncodingOptions, UnknownSymbolError, one_by_one
from .tracing import trace_word

_MAX_CACHED: Final = 1 << 18  # words
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
        self._sections: tuple[int, _Sections | None] | None = None

    @property
    def chunker(self) -> Chunker:
        """See `TextEncoder`. A text is a single chunk if a step may treat its ends differently."""
        sections = self._current_sections()
        has_ids_around = self.pipeline.ids_before or self.pipeline.ids_after
        return _NO_CHUNKS if sections is None or has_ids_around else sections.chunker

    def obeying(self, tokens: frozenset[str]) -> "PipelineEncoder":
        """See `TextEncoder`. Added tokens that are not special are always found, as in `tokenizers`."""
        added = (replace(t, is_obeyed=not t.special or t.content in tokens) for t in self.pipeline.added_tokens)
        encoder = PipelineEncoder(self._store, replace(self.pipeline, added_tokens=tuple(added)))
        encoder._idle_caches = self._idle_caches
        return encoder

    def without_ids_around(self) -> "PipelineEncoder":
        """See `TextEncoder`."""
        encoder = PipelineEncoder(self._store, replace(self.pipeline, ids_before=(), ids_after=()))
        encoder._idle_caches, encoder._sections = self._idle_caches, self._sections
        return encoder

    # -- by kernels -------------------------------------------------------------------------------------------------

    def _current_sections(self) -> "_Sections | None":
        """Return the encoder of sections of texts; None if kernels cannot follow the steps."""
        merges = self._store.merge_count
        if self._sections is None or self._sections[0] != merges:
            model = section_model(self._store, self.pipeline)
            self._sections = merges, None if model is None else _Sections(self._store, self.pipeline, model)
        return self._sections[1]

    def _sections_for(self, options: EncodingOptions) -> "_Sections | None":
        """Return the encoder of sections of texts for these options; None if words must be encoded one by one."""
        sections = self._current_sections()
        return sections if sections is not None and sections.model.can_encode(self._store, options) else None

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        if (ids := self._ids(text, options)) is None:
            return self._tokens_of_words(_decoded(text), options).ids
        before, after = (np.array(each, np.int32) for each in (self.pipeline.ids_before, self.pipeline.ids_after))
        return np.concatenate([before, ids, after]) if len(before) + len(after) else ids

    def _ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array | None:
        """Return the ids of a text without those around it; None if kernels cannot find them."""
        sections = self._sections_for(options)
        if sections is None:
            return None
        options = self._allowed(text, options)
        try:
            return sections.ids(text, options)
        except UnknownSymbolError:
            return None

    def listed_ids(self, text: str, options: EncodingOptions) -> list[int]:
        """See `TextEncoder`."""
        ids: list[int] = self.ids(text, options).tolist()
        return ids

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """See `TextEncoder`."""
        texts = list(texts)
        sections = None if options.refuses_special else self._sections_for(options)
        try:
            listed = None if sections is None or len(texts) < WORTH_JOINING else sections.listed_batch(texts, options)
        except UnknownSymbolError:
            listed = None
        if listed is None:
            return list(one_by_one(self, texts, options))
        before, after = list(self.pipeline.ids_before), list(self.pipeline.ids_after)
        return [[*before, *ids, *after] for ids in listed] if before or after else listed

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        sections = self._sections_for(options)
        try:
            tokens = None if sections is None else sections.tokens(text, self._allowed(text, options))
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
        if (sections := self._current_sections()) is not None:
            return sections.word_starts(decode_utf8(text))
        segments = self.pipeline.segments(decode_utf8(text))
        return np.array([int(segment.text.starts[0]) for segment in segments], np.int64)

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`. A text that no step splits is split into words wherever no merge crosses."""
        if (sections := self._sections_for(options)) is not None:
            try:
                return sections.ids_by_word(decode_utf8(text), options)
            except UnknownSymbolError:
                pass
        ids, firsts = list[int](), [0]
        with self._cache(options) as cache:
            for segment in self._finer_pipeline().segments(decode_utf8(text)):
                if segment.token_id is None:
                    ids += [token.id for token in cache.tokens_of(segment.text.text)]
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


class _Sections:
    """Encodes the sections of texts by kernels."""

    def __init__(self, store: MergeStore, pipeline: Pipeline, model: SectionModel) -> None:
        self._pipeline = pipeline
        self.model: Final = model
        steps = pipeline.pre_tokenizers
        self._change = steps[0].change if steps and steps[0].changes_text else None
        self._is_native = self._change is None and pipeline.has_plain_tokens
        specials = {pipeline.search_form(t): t.id for t in pipeline.added_tokens if t.is_obeyed}
        self.encoder: Final = SectionEncoder(store, model.levels, specials if self._is_native else {})
        self._of_joined: SectionEncoder | None = None
        match pipeline.normalizers:
            case (SentencePieceNormalizer() as normalizer,) if self._is_native:
                if all(token.normalized for token in pipeline.added_tokens):
                    self._of_joined = SectionEncoder(store, model.levels, specials, normalizer)
        if pipeline.model.ignores_merges:
            store.tables().keep_whole(())
            store.tables().keep_whole(whole_tokens(self.encoder, store))

    @cached_property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one; none if steps may change the ends of a text."""
        touched = self._pipeline.touched
        is_split = self._is_native and touched is not None
        return self.encoder.chunker_avoiding(touched) if is_split else _NO_CHUNKS

    def word_starts(self, text: str) -> Int64Array:
        """Return the byte offsets at which the words and the added tokens of a text begin."""
        starts = [np.zeros(0, np.int64)]
        for section, token_id in self._changed_sections(text):
            if token_id is None:
                words = utf8_words(section.text.encode(), self.model.word_levels)
                characters = np.cumsum(words.text & 0xC0 != 0x80) - 1
                starts.append(section.starts[characters[words.starts]])
            else:
                starts.append(section.starts[:1])
        return np.concatenate(starts)

    def are_native(self, text: str | bytes) -> bool:
        """Return whether a text can be encoded unchanged: no step changes it, and kernels find its added tokens."""
        touched = self._pipeline.touched
        if not self._is_native or touched is None:
            return False
        if text.isascii() and not np.any(touched[:0x80]):
            return True
        data = text if isinstance(text, bytes) else text.encode(errors="replace")
        return not has_any(padded(data), len(data), touched.view(np.uint8))

    def listed_batch(self, texts: list[str], options: EncodingOptions) -> list[list[int]] | None:
        """Return the ids of each text; None if one of them has an added token that kernels do not find."""
        if self._of_joined is not None:
            return self._of_joined.listed_batch(texts, options)
        if self.are_native("".join(texts)):
            return self.encoder.listed_batch(texts, options)
        changed = [list(self.changed(text)) or [""] for text in texts]
        whole = [first for first, *more in changed if not more and isinstance(first, str)]
        return self.encoder.listed_batch(whole, options) if len(whole) == len(texts) else None

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of a text."""
        if self._of_joined is not None:
            whole = _decoded(text)
            check_surrogates(whole, error=TokenizerError)
            text = self._of_joined.normalized(whole)
        elif not self.are_native(text):
            parts = [
                self.encoder.ids(part, options) if isinstance(part, str) else np.array([part], np.int32)
                for part in self.changed(_decoded(text))
            ]
            return parts[0] if len(parts) == 1 else np.concatenate([*parts, _NO_IDS])
        return self.encoder.ids(text, options)

    def changed(self, text: str) -> Iterator[str | int]:
        """Yield the sections of a text after the steps, and the ids of the added tokens between them."""
        for section in self._changed_sections(text):
            yield section.text.text if section.token_id is None else section.token_id

    def _changed_sections(self, text: str) -> Iterator[Segment]:
        check_surrogates(text, error=TokenizerError)
        for section in self._pipeline.sections(text):
            change = self._change if section.token_id is None else None
            yield section if change is None else Segment(change(section.text))

    def tokens(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """Return the tokens of a text."""
        if self.are_native(text):
            return self.encoder.token_arrays(text, options)
        parts: list[TokenArrays] = []
        for section, token_id in self._changed_sections(decode_utf8(text)):
            if token_id is None:
                tokens = self.encoder.token_arrays(section.text.encode(), options)
                parts.append(_as_given(tokens, section))
            else:
                parts.append(TokenArrays(np.array([token_id], np.int32), section.starts[:1], section.stops[-1:]))
        return joined(parts)

    def ids_by_word(self, text: str, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of a text's words, and the index of each word's first id followed by the number of ids."""
        ids, sizes = [_NO_IDS], [np.zeros(1, np.int64)]
        for section, token_id in self._changed_sections(text):
            if token_id is None:
                words = utf8_words(section.text.encode(), self.model.levels)
                of_words, firsts = self.encoder.word_ids(*words.joined(), options)
                ids.append(of_words)
                sizes.append(np.diff(firsts))
        return np.concatenate(ids), np.cumsum(np.concatenate(sizes))


def _as_given(tokens: TokenArrays, text: AlignedText) -> TokenArrays:
    """Return tokens of a changed text with their offsets in the original.

    If a character has several bytes but stands for another character of the original, its first byte stands for all of
    that character.
    """
    sizes = byte_sizes(text.text)
    if not len(tokens.ids) or not len(sizes):
        return tokens
    ends = np.cumsum(sizes)
    firsts, lasts = np.searchsorted(ends, tokens.starts, "right"), np.searchsorted(ends, tokens.stops)
    before, after = tokens.starts - (ends - sizes)[firsts], ends[lasts] - tokens.stops
    starts, stops = text.offsets
    are_kept = stops - starts == sizes
    first_starts = np.where(before > 0, stops[firsts], starts[firsts])
    return TokenArrays(
        tokens.ids,
        np.where(are_kept[firsts], starts[firsts] + before, first_starts),
        np.where(are_kept[lasts], stops[lasts] - after, stops[lasts]),
    )


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
        count = merge_words(symbols, bounds, self._merges, scratch, self._limit, counts)
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
