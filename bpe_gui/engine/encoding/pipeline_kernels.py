"""How kernels follow the steps of a pipeline, if they can: sections with marks, whose words levels split."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.pipeline.levels import Utf8Words, printed_words, splitter_of_levels, utf8_words
from bpe_gui.engine.pipeline.merge_boundaries import level_between_merges
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL, ByteLevel, Metaspace
from bpe_gui.engine.pipeline.sentencepiece import safe_splits
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import MARK_ID
from bpe_gui.engine.text.splitter_tables import Level
from bpe_gui.engine.vocabulary.merge_store import MergeStore

from .kernel_encoder import JoinedTexts, KernelEncoder
from .results import ModelWords, TokenArrays
from .sections import Joined, Sections
from .text_encoder import EncodingOptions

NO_CHUNKS: Final = Chunker(None, ())

_CHUNK: Final = 1 << 20  # bytes
_NO_TOKEN: Final = -2  # an id

_VALID_BYTES: Final = [*range(0xC0), *range(0xC2, 0xF5)]
"""The bytes that can occur in UTF-8."""


class PipelineKernels:
    """Encodes texts by kernels: as they are if no step changes them, otherwise by their sections, with marks.

    All methods that encode raise UnknownSymbolIn for a symbol without an id.
    """

    def __init__(self, store: MergeStore, pipeline: Pipeline, model: "SectionModel") -> None:
        self._store = store
        self._touched = pipeline.touched
        self.model: Final = model
        self._keeps_all = False  # whether every token stays whole, rather than those that merging does not produce
        self._sections = Sections(pipeline)
        self._is_native = self._sections.may_keep_text and pipeline.has_plain_tokens and not model.printed_levels
        specials = {pipeline.search_form(t): t.id for t in pipeline.added_tokens if t.is_obeyed}
        splitter = splitter_of_levels(model.levels)
        self._native = KernelEncoder(store, splitter, specials if self._is_native else {})
        find_words = model.words if model.printed_levels else None
        self._marked = KernelEncoder(store, splitter, {}, has_marks=True, find_words=find_words)
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

    # -- chunks -----------------------------------------------------------------------------------------------------

    @cached_property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one; none if steps may change the ends of a text."""
        return self._native.chunker(_if_any(self._touched)) if self._is_native else NO_CHUNKS

    @cached_property
    def chunker_beside_dropped(self) -> Chunker:
        """Finds such chunks where symbols without an id are dropped: what stands beside one merges across it."""
        has_dropped = self.model.levels != self.model.word_levels and not self._store.model.falls_back_to_bytes
        if not self._is_native or not has_dropped:
            return self.chunker
        unknown = self._store.tables().are_unknown()
        return self._native.chunker(_if_any(unknown if self._touched is None else self._touched | unknown))

    # -- ids --------------------------------------------------------------------------------------------------------

    def _keeps(self, text: str | bytes) -> bool:
        """Return whether a text can be encoded as it is."""
        return self._is_native and self._sections.keep(text)

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of a text, without those around it."""
        if self._keeps(text):
            return self._native.ids(text, options)
        joined = self._sections.of(text, is_kept=False if self._is_native else None)
        return joined.put_ids(self._marked.ids(joined.data, options))

    def listed_groups(
        self, texts: Sequence[str], options: EncodingOptions
    ) -> Iterator[tuple[Sequence[str], list[list[int]] | None]]:
        """See `KernelEncoder`."""
        if self._keeps("".join(texts)):
            return self._native.listed_groups(texts, options, JoinedTexts.of)
        return self._marked.listed_groups(texts, options, self._joined_texts)

    def marked_ids(self, texts: bytes, options: EncodingOptions) -> Int32Array:
        """See `KernelEncoder`."""
        if self._keeps(texts):
            return self._native.marked_ids(texts, options)
        joined = self._sections.of_marked(texts)
        return joined.put_ids(self._marked.marked_ids(joined.data, options))

    def _joined_texts(self, texts: Sequence[str]) -> JoinedTexts:
        joined = self._sections.of_all(texts)
        return JoinedTexts(joined.data, joined.put_ids)

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """Return the ids of a text, without those around it, with the byte offsets of their tokens."""
        if self._keeps(text):
            return self._native.token_arrays(text, options)
        joined = self._sections.of(text, has_offsets=True)
        tokens = joined.as_given(self._marked.token_arrays(joined.data, options))
        return tokens._replace(ids=joined.put_ids(tokens.ids))

    # -- words ------------------------------------------------------------------------------------------------------

    def word_starts(self, text: bytes) -> Int64Array:
        """Return the byte offsets at which the words and the added tokens of a text begin."""
        joined = self._sections.of(text, has_offsets=True)
        bounds = joined.bounds()
        words = self.model.words(joined.data, bounds).starts
        return _given_starts(joined, np.sort(np.concatenate([words, bounds[1:-1:2]])))

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of a text's words, and the index of each word's first id followed by the number of ids."""
        joined = self._sections.of(text)
        levels = None if self.model.printed_levels else self.model.levels
        return self.word_ids(*self.model.words(joined.data, joined.bounds(), levels).joined(), options)

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        return self._marked.word_ids(words, starts, options)

    def model_words(self, text: bytes) -> Iterable[ModelWords]:
        """Yield the words of a text, some at a time."""
        at = 0
        for chunk in self.chunker.chunks(text, _CHUNK):
            joined = self._sections.of(chunk, has_offsets=True)
            words = self.model.words(joined.data, joined.bounds(), self._training_levels)
            yield ModelWords(*words.joined(), _given_starts(joined, words.starts) + at)
            at += len(chunk)

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


def _if_any(avoided: BoolArray | None) -> BoolArray | None:
    """Return the avoided characters; None if there are none, which chunkers take as quickly."""
    return avoided if avoided is not None and np.any(avoided) else None


def _given_starts(joined: Joined, starts: Int64Array) -> Int64Array:
    """Return where words that start at these places of joined sections start in the text."""
    no_ids = np.zeros(len(starts), np.int32)
    return joined.as_given(TokenArrays(no_ids, starts, starts + 1)).starts.astype(np.int64)


# -- what kernels can follow ---------------------------------------------------------------------------------------


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
    # Some steps ask whether a section is at the start of a text, which tokens in normalized text hide.
    asks_for_start = any(isinstance(step, Metaspace) and step.prepend_scheme == "first" for step in steps)
    first_printed = is_printed.index(True) + 1 if any(is_printed) else len(steps)
    if (
        sum(is_printed) > 1
        or (first_printed < len(steps) and model.suffix)
        or model.is_byte_level != any(is_printed)
        or any(step.changes_text for step in steps[1:])
        or (pipeline.normalizers and pipeline.tokens_in_normalized_text.tokens and asks_for_start)
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


def _with_boundaries(store: MergeStore, pipeline: Pipeline, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Return levels that split text where no merge crosses, unless the pipeline splits it differently."""
    tokens = [token.decode(errors="replace") for token in store.token_ranks]
    if pipeline.pre_tokenizers and pipeline.pre_tokenizers != safe_splits(tokens) and levels:
        return levels
    is_unknown = store.tables().are_unknown() if pipeline.model.fuses_unknown else None
    return (level_between_merges(tokens, is_unknown),)


def whole_tokens(encoder: KernelEncoder, store: MergeStore) -> list[bytes]:
    """Return the tokens that merging their own symbols by all merges does not produce."""
    words, ids = store.tables().tokens_with_ids()
    starts = np.cumsum([0, *map(len, words)])
    options = EncodingOptions(position=store.merge_count, unknown_id=_NO_TOKEN)
    found, firsts = encoder.word_ids(b"".join(words), starts, options)
    are_reached = (np.diff(firsts) == 1) & (found[firsts[:-1]] == ids)
    return [words[index] for index in np.flatnonzero(~are_reached).tolist()]
