"""Encode the sections of texts between added tokens with kernels, for pipelines whose steps kernels can follow."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.text_encoding import TOKEN_COUNT
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.kernels.text.special_search import MARK
from bpe_gui.engine.pipeline.levels import Utf8Words, printed_words, splitter_of_levels, utf8_words
from bpe_gui.engine.pipeline.merge_boundaries import level_between_merges
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Metaspace, PreTokenizer
from bpe_gui.engine.pipeline.sentencepiece import safe_splits
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import MARK_ID, bounds_between_marks
from bpe_gui.engine.text.splitter_tables import Level

from .encoding_worker import LONGEST_TEXT, EncodingWorker, new_output, tokens_in
from .merge_store import MergeStore
from .recipe_encoder import RecipeEncoder, Word, utf8_chunk
from .results import TokenArrays
from .sections import Sections
from .text_encoder import EncodingOptions, ScannerSettings, UnknownSymbolError

_NO_TOKEN: Final = -2  # an id

_MARK_WINDOW: Final = 1 << 16
"""How many bytes are searched for a mark."""

_END_OF_MARKS: Final = re.compile(b"%c[^%c]" % (MARK, MARK), re.DOTALL)

_VALID_BYTES: Final = [*range(0xC0), *range(0xC2, 0xF5)]
"""The bytes that can occur in UTF-8."""


class SectionEncoder(RecipeEncoder):
    """Encodes sections that levels split into words. It knows only the special tokens given to it."""

    def __init__(self, store: MergeStore, levels: tuple[Level, ...], special_ids: Mapping[str, int]) -> None:
        super().__init__(store)
        self._special_ids = special_ids
        self._levels = levels

    @cached_property
    def _splitter(self) -> Splitter:
        return splitter_of_levels(self._levels)

    def chunker_avoiding(self, avoided: BoolArray | None) -> Chunker:
        """Return a chunker whose boundaries are never next to an avoided character."""
        touches_any = avoided is not None and bool(np.any(avoided))
        return Chunker(self._splitter, list(self._special_ids), avoided if touches_any else None)

    def _unknown_symbol(self, words: Iterable[Word], position: int) -> UnknownSymbolError:
        return UnknownSymbolError("The text has a symbol without an id.")


class JoinedEncoder(SectionEncoder):
    """Encodes texts whose sections are found and changed first. Marks are the only special tokens that it looks for."""

    def __init__(self, store: MergeStore, levels: tuple[Level, ...], sections: Sections) -> None:
        super().__init__(store, levels, {})
        self._sections = sections

    @cached_property
    def _scanner(self) -> ScannerSettings:
        return self._scanner_of_joined

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        joined = self._sections.of(text)
        data = joined.data
        short = self._short_ids(data, options, np.ndarray.copy) if len(data) <= LONGEST_TEXT else None
        return joined.put_ids(self._ids(data, options) if short is None else short)

    def listed_ids(self, text: str, options: EncodingOptions) -> list[int]:
        """See `TextEncoder`."""
        ids: list[int] = self.ids(text, options).tolist()
        return ids

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        joined = self._sections.of(text, has_offsets=True)
        tokens = joined.as_given(super().token_arrays(joined.data, options))
        return tokens._replace(ids=joined.put_ids(tokens.ids))

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        joined = self._sections.of(text)
        words = utf8_words(joined.data, self._levels, joined.bounds())
        return self.word_ids(*words.joined(), options)

    def _scan_joined(self, worker: EncodingWorker, texts: Sequence[str]) -> Int32Array | None:
        joined = self._sections.of_all(texts)
        ids = self._scan_marked(worker, joined.data)
        return None if ids is None else joined.put_ids(ids)

    def _utf8_of(self, text: str | bytes) -> bytes:
        assert isinstance(text, bytes)  # with marks
        return text

    def _scan_chunk(self, worker: EncodingWorker, text: bytes, begin: int, end: int) -> None:
        self._reserve(worker, end - begin)
        worker.scan(self._scanner, *utf8_chunk(text, begin, end), is_last=True)
        if worker.has_failed:
            raise self._unknown_symbol((), worker.options.position)

    def _boundary_after(self, text: str | bytes, offset: int) -> int:
        """See `RecipeEncoder`. The end of a mark is a boundary."""
        assert isinstance(text, bytes)
        mark = _END_OF_MARKS.search(text, offset, offset + _MARK_WINDOW)
        return mark.start() + 1 if mark else super()._boundary_after(text, offset)


class PrintedEncoder(JoinedEncoder):
    """Encodes texts whose words are split once more after their bytes are printed, as Falcon's are.

    So kernels do not find the words while they encode; they get them.
    """

    def __init__(self, store: MergeStore, model: "SectionModel", sections: Sections) -> None:
        super().__init__(store, model.levels, sections)
        self._model = model

    def _prepared(self, worker: EncodingWorker, options: EncodingOptions) -> None:
        """Return None: kernels do not split even short texts."""

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        joined = self._sections.of(text)
        return self.word_ids(*self._model.words(joined.data, joined.bounds()).joined(), options)

    def _scan_marked(self, worker: EncodingWorker, data: bytes) -> Int32Array | None:
        self._scan_chunk(worker, data, 0, len(data))
        return tokens_in(worker.output).ids

    def _scan_chunk(self, worker: EncodingWorker, text: bytes, begin: int, end: int) -> None:
        part = text[begin:end]
        bounds = bounds_between_marks(part)
        words = self._model.words(part, bounds)
        data, begins = words.joined()
        self._reserve(worker, len(part))
        output = worker.output
        # With the spans of tokens, marks find their places. So the cache has symbols, never ids, in all its workers.
        worker.output = new_output(self._max_tokens_per_byte * len(data), with_spans=True)
        worker.encode_words(data, begins, words.starts)
        if worker.has_failed:
            raise self._unknown_symbol((), worker.options.position)
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


class SectionModel(NamedTuple):
    """How kernels follow a pipeline: the levels that split text, and facts that limit the options."""

    levels: tuple[Level, ...]
    word_levels: tuple[Level, ...]
    """The levels of the pipeline's steps, which may split less."""
    merged_tokens: frozenset[bytes]
    """The tokens that merge with others. Kernels do not merge the unknown token."""
    has_all_bytes: bool
    """Whether each byte has a symbol, or symbols are characters."""
    printed_levels: tuple[Level, ...] = ()
    """The levels that split words once more, after their bytes are printed."""

    def words(self, text: bytes, bounds: Int64Array, levels: tuple[Level, ...] | None = None) -> Utf8Words:
        """Return the words of sections, given by where they begin and end, by the steps' levels or others."""
        words = utf8_words(text, self.word_levels if levels is None else levels, bounds)
        return printed_words(words, self.printed_levels) if self.printed_levels else words

    def can_encode(self, store: MergeStore, options: EncodingOptions) -> bool:
        """Return whether kernels give the right ids with these options."""
        if options.unknown_id == MARK_ID:
            return False
        is_all_known = store.model.is_byte_level and self.has_all_bytes
        if options.unknown_id is None or is_all_known:
            return True
        unknown = store.tables().symbol_with_id(options.unknown_id)
        return self.has_all_bytes and unknown is not None and store.tables().token_of(unknown) not in self.merged_tokens


def section_model(store: MergeStore, pipeline: Pipeline) -> SectionModel | None:
    """Return how kernels follow a pipeline; None if they cannot."""
    model, steps, tables = pipeline.model, pipeline.pre_tokenizers, store.tables()
    of_bytes = tables.symbols_of_bytes()
    is_printed = [isinstance(step, ByteLevel) for step in steps]
    first_printed = is_printed.index(True) + 1 if any(is_printed) else len(steps)
    if (
        sum(is_printed) > 1
        or (first_printed < len(steps) and model.suffix)
        or model.is_byte_level != any(is_printed)
        or any(step.changes_text for step in steps[1:])
        or (pipeline.normalizers and pipeline.tokens_in_normalized_text.tokens and any(map(_asks_for_start, steps)))
        or model.prefix
        or model.suffix not in ("", END_OF_WORD.decode())
        or (model.suffix and (model.fuses_unknown or model.falls_back_to_bytes))
        or tables.has_units_without_id()
    ):
        return None
    has_all_bytes = True
    merged: frozenset[bytes] = frozenset()
    if model.is_byte_level:
        has_all_bytes = all(tables.symbol_with_token(bytes([byte])) is not None for byte in _VALID_BYTES)
        if model.falls_back_to_bytes and not has_all_bytes:
            return None
    else:
        merged = frozenset(part for pair in (*store.merges, *store.other_merges) for part in pair)
        byte_tokens = {b"<0x%02X>" % byte for byte in range(256)} if model.falls_back_to_bytes else set[bytes]()
        has_some = any(tables.symbol_with_token(token) is not None for token in byte_tokens)
        if not byte_tokens.isdisjoint(merged) or has_some != bool(len(of_bytes)):
            return None
    try:
        levels = tuple(level for step in steps[:first_printed] for level in step.levels)
        printed_levels = tuple(level for step in steps[first_printed:] for level in step.levels)
    except RecipeError:  # words of a large fixed length
        return None
    needs_whole_words = model.is_byte_level or model.ignores_merges or model.suffix
    finer = levels if needs_whole_words else _with_boundaries(store, pipeline, levels)
    return SectionModel(finer, levels, merged, has_all_bytes, printed_levels)


def _asks_for_start(step: PreTokenizer) -> bool:
    """Return whether a step asks whether a section is at the start of a text, which tokens in normalized text hide."""
    return isinstance(step, Metaspace) and step.prepend_scheme == "first"


def _with_boundaries(store: MergeStore, pipeline: Pipeline, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Return levels that split text where no merge crosses, unless the pipeline splits it differently."""
    tokens = [token.decode(errors="replace") for token in store.token_ranks]
    if pipeline.pre_tokenizers and pipeline.pre_tokenizers != safe_splits(tokens) and levels:
        return levels
    is_unknown = store.tables().are_unknown() if pipeline.model.fuses_unknown else None
    return (level_between_merges(tokens, is_unknown),)


def whole_tokens(encoder: RecipeEncoder, store: MergeStore) -> list[bytes]:
    """Return the tokens that merging their own symbols by all merges does not produce."""
    words, ids = store.tables().tokens_with_ids()
    starts = np.cumsum([0, *map(len, words)])
    options = EncodingOptions(position=store.merge_count, unknown_id=_NO_TOKEN)
    found, firsts = encoder.word_ids(b"".join(words), starts, options)
    are_reached = (np.diff(firsts) == 1) & (found[firsts[:-1]] == ids)
    return [words[index] for index in np.flatnonzero(~are_reached).tolist()]
