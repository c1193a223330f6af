"""Encode the sections of texts between added tokens with kernels, for pipelines whose steps kernels can follow."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.pipeline.levels import splitter_of_levels
from bpe_gui.engine.pipeline.merge_boundaries import level_between_merges
from bpe_gui.engine.pipeline.pipeline import Pipeline, growth_error
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceNormalizer, safe_splits
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import TEXT_END
from bpe_gui.engine.text.splitter_tables import Level

from .encoding_worker import EncodingWorker
from .merge_store import MergeStore
from .recipe_encoder import RecipeEncoder, Word
from .text_encoder import EncodingOptions, UnknownSymbolError

_NO_TOKEN: Final = -2  # an id

_VALID_BYTES: Final = [*range(0xC0), *range(0xC2, 0xF5)]
"""The bytes that can occur in UTF-8."""


class SectionEncoder(RecipeEncoder):
    """Encodes sections that levels split into words. It knows only the special tokens given to it.

    A `normalizer` normalizes each text of a batch.
    """

    def __init__(
        self,
        store: MergeStore,
        levels: tuple[Level, ...],
        special_ids: Mapping[str, int],
        normalizer: SentencePieceNormalizer | None = None,
    ) -> None:
        super().__init__(store)
        self._special_ids = special_ids
        self._levels = levels
        self._normalizer = normalizer

    @cached_property
    def _splitter(self) -> Splitter:
        return splitter_of_levels(self._levels)

    def chunker_avoiding(self, avoided: BoolArray | None) -> Chunker:
        """Return a chunker whose boundaries are never next to an avoided character."""
        touches_any = avoided is not None and bool(np.any(avoided))
        return Chunker(self._splitter, list(self._special_ids), avoided if touches_any else None)

    def listed_ids(self, text: str, options: EncodingOptions) -> list[int]:
        """See `TextEncoder`."""
        if self._normalizer is None:
            return super().listed_ids(text, options)
        ids: list[int] = self.ids(self.normalized(text), options).tolist()
        return ids

    def normalized(self, *texts: str, marks: int = 0) -> bytes:
        """Return the normalized texts, joined, with a number of marks after each."""
        assert self._normalizer is not None
        encoded = list(map(str.encode, texts))
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))
        normalized = self._normalizer.normalize_joined(b"".join(encoded), ends, marks)
        if normalized is None:
            raise growth_error()
        return normalized

    def _scan_joined(self, worker: EncodingWorker, texts: Sequence[str]) -> None:
        if self._normalizer is None:
            super()._scan_joined(worker, texts)
        else:
            worker.add(self.normalized(*texts, marks=len(TEXT_END)))
            self._scan_added(worker)

    def _unknown_symbol(self, words: Iterable[Word], position: int) -> UnknownSymbolError:
        return UnknownSymbolError("The text has a symbol without an id.")


class SectionModel(NamedTuple):
    """How kernels follow a pipeline: the levels that split text, and facts that limit the options."""

    levels: tuple[Level, ...]
    word_levels: tuple[Level, ...]
    """The levels of the pipeline's steps, which may split less."""
    merged_tokens: frozenset[bytes]
    """The tokens that merge with others. Kernels do not merge the unknown token."""
    has_all_bytes: bool
    """Whether each byte has a symbol, or symbols are characters."""

    def can_encode(self, store: MergeStore, options: EncodingOptions) -> bool:
        """Return whether kernels give the right ids with these options."""
        model = None if store.pipeline is None else store.pipeline.model
        if model is not None and model.ignores_merges and options.position < store.merge_count:
            return False
        is_all_known = model is not None and model.is_byte_level and self.has_all_bytes
        if options.unknown_id is None or is_all_known:
            return True
        unknown = store.tables().symbol_with_id(options.unknown_id)
        return self.has_all_bytes and unknown is not None and store.tables().token_of(unknown) not in self.merged_tokens


def section_model(store: MergeStore, pipeline: Pipeline) -> SectionModel | None:
    """Return how kernels follow a pipeline; None if they cannot."""
    model, steps, tables = pipeline.model, pipeline.pre_tokenizers, store.tables()
    of_bytes = tables.symbols_of_bytes()
    is_printed = [isinstance(step, ByteLevel) for step in steps]
    if (
        any(is_printed[:-1])
        or model.is_byte_level != any(is_printed)
        or any(step.changes_text for step in steps[1:])
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
        levels = tuple(level for step in steps for level in step.levels)
    except RecipeError:  # words of a large fixed length
        return None
    needs_whole_words = model.is_byte_level or model.ignores_merges or model.suffix
    finer = levels if needs_whole_words else _with_boundaries(store, pipeline, levels)
    return SectionModel(finer, levels, merged, has_all_bytes)


def _with_boundaries(store: MergeStore, pipeline: Pipeline, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Return levels that split text where no merge crosses, unless the pipeline splits it differently."""
    tokens = [token.decode(errors="replace") for token in store.token_ranks]
    if pipeline.pre_tokenizers and pipeline.pre_tokenizers != safe_splits(tokens) and levels:
        return levels
    is_unknown = store.tables().are_unknown() if pipeline.model.fuses_unknown else None
    return (level_between_merges(tokens, is_unknown),)


def whole_tokens(encoder: RecipeEncoder, store: MergeStore) -> list[bytes]:
    """Return the tokens that merging their own symbols does not produce."""
    words, ids = store.tables().tokens_with_ids()
    starts = np.cumsum([0, *map(len, words)])
    options = EncodingOptions(position=store.merge_count, unknown_id=_NO_TOKEN)
    found, firsts = encoder.word_ids(b"".join(words), starts, options)
    are_reached = (np.diff(firsts) == 1) & (found[firsts[:-1]] == ids)
    return [words[index] for index in np.flatnonzero(~are_reached).tolist()]
