"""Text to ids for tokenizers with a pipeline: each word once, and the places of tokens in the text as it was given."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import compress
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.tokenization.recipe_encoder import Step
from bpe_gui.engine.tokenization.results import TokenArrays, joined
from bpe_gui.engine.tokenization.encoding_worker import new_bench
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.encoding.initial_symbols import merge_each
from bpe_gui.engine.kernels.encoding.word_merging import NEIGHBORS
from bpe_gui.engine.tokenization.encoding_tables import MergeTables, empty_table
from bpe_gui.engine.pipeline import Group, Pipeline
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.fast_splits import SPACE
from bpe_gui.engine.pipeline.sentencepiece import word_cuts
from bpe_gui.engine.pipeline_units import Starts, Units
from bpe_gui.engine.text.utf8 import check_surrogates, decoded

Number = TypeVar("Number", np.int32, np.int64)

_BATCH: Final = 1 << 13  # words that are looked up together
_MOST_KEPT: Final = 1 << 20  # tokens of words that are remembered
_FIRST_KEPT: Final = 1 << 10  # that there is room for at first


class PipelineEncoder:
    """Encodes as of any merge: tokenizers of all steps share one, also in several threads at once.

    `making` says which merge makes a token.
    """

    def __init__(self, pipeline: Pipeline, making: Mapping[bytes, int]) -> None:
        self.tables: Final = MergeTables(pipeline.nearest_recipe, len(pipeline.model.prefix.encode()))
        self._pipeline = pipeline
        self._making = making
        self._idle: list[_WordMemory] = []

    def ids(self, text: str | bytes, step: Step, threads: int | None = None) -> Ints:
        """The ids of a text, always by one thread. Raises TokenizerError for a lone surrogate, and for no UTF-8."""
        del threads
        return self._arrays(text if isinstance(text, str) else decoded(text), step).ids

    def arrays(self, text: bytes, step: Step) -> TokenArrays:
        """The ids of a text in UTF-8 and where their tokens stand."""
        return self._arrays(text.decode(), step)

    def stream(self, chunks: Iterable[str], step: Step) -> Iterator[Ints]:
        """The ids of the text that the chunks make up: normalizing may need to see all of it, so all is held."""
        yield self._arrays("".join(chunks), step).ids

    def word_starts(self, text: bytes) -> Longs:
        """Where the words of a text in UTF-8 begin, and its added tokens."""
        starts = [np.empty(0, np.int64)]
        for group in self._pipeline.groups(text.decode()):
            of_words = group.words.text.starts[group.words.begins]
            starts.append(np.insert(of_words, group.before, [token.starts[0] for token in group.added]))
        return np.concatenate(starts)

    def words(self, text: str, step: Step) -> Iterator[tuple[str, list[bytes]]]:
        """The words of a text as the merges get them, and the symbols that they start as; no added tokens."""
        with self._memory(step) as memory:
            for piece in self._pipeline.pieces(text):
                if piece.token_id is None:
                    word = piece.text.text
                    units = memory.units.start(word)
                    yield self._pipeline.read(word), [self.tables.token_of(unit.symbol) for unit in units]

    def _arrays(self, text: str, step: Step) -> TokenArrays:
        check_surrogates(text, error=TokenizerError)
        size = len(text.encode())
        with self._memory(step) as memory:
            parts = [memory.tokens_of(group) for group in self._cut_further.groups(text)]
        return _in_order(joined([_around(self._pipeline.before, 0), *parts, _around(self._pipeline.after, size)]))

    @cached_property
    def _cut_further(self) -> Pipeline:
        """The steps, and more cuts where no merge goes over them: a text that is not cut at all is a very long word."""
        model = self._pipeline.model
        sees_whole_words = model.is_byte_level or model.ignores_merges or model.prefix or model.suffix
        if sees_whole_words or self.tables.symbol_with_token(SPACE.encode()) < 0:
            return self._pipeline
        steps = self._pipeline.pre_tokenizers
        cuts = word_cuts(token.decode(errors="replace") for token in self._making)
        return replace(self._pipeline, pre_tokenizers=(*steps, *(cut for cut in cuts if cut not in steps)))

    @contextmanager
    def _memory(self, step: Step) -> Iterator["_WordMemory"]:
        """A memory of one's own, for a while."""
        memory = self._idle.pop() if self._idle else None
        if memory is None or not memory.is_for(step, self.tables.known):
            memory = _WordMemory(self._pipeline, self.tables, self._making, step)
        yield memory
        self._idle.append(memory)


def warm_up() -> None:
    """Have every kernel compiled that only this way of encoding uses."""
    counts = np.zeros(1, np.int64)
    merge_each(np.zeros(1, np.int32), np.array([0, 1]), empty_table(1), new_bench(3), 0, counts)


def _around(ids: Sequence[int], place: int) -> TokenArrays:
    places = np.full(len(ids), place, np.int64)
    return TokenArrays(np.array(ids, np.int32), places, places)


def _in_order(tokens: TokenArrays) -> TokenArrays:
    """The same tokens, none of which begins before the one in front of it ends."""
    stops = np.maximum.accumulate(tokens.stops)
    starts = np.maximum(tokens.starts, np.append(np.int64(0), stops[:-1])[: len(stops)])
    return TokenArrays(tokens.ids, starts, np.maximum(stops, starts))


# -- what words end as --------------------------------------------------------------------------------------------


class _Tokens(NamedTuple):
    """The tokens of words, one after another: their ids, and what of the word they stand for, as a unit says it."""

    ids: Ints
    firsts: Longs
    lasts: Longs
    before: Longs
    after: Longs

    def with_more(self, size: int, new: "_Tokens") -> "_Tokens":
        """So many of them, and others after them."""
        return _Tokens(
            _with(self.ids, size, new.ids),
            _with(self.firsts, size, new.firsts),
            _with(self.lasts, size, new.lasts),
            _with(self.before, size, new.before),
            _with(self.after, size, new.after),
        )


class _WordMemory:
    """The tokens of words as of a step, each found once. Used by one thread at a time."""

    def __init__(self, pipeline: Pipeline, tables: MergeTables, making: Mapping[bytes, int], step: Step) -> None:
        self._made_for = step, tables.known
        self._model = pipeline.model
        self._tables = tables
        self._limit = step.merges
        self.units: Final = Units(pipeline.model, tables, making, step.merges, step.unknown_id)
        self._merges = tables.merges(-1)
        self._forget()

    def is_for(self, step: Step, symbols: int) -> bool:
        """Whether it holds for a step, so many symbols being known by now."""
        return self._made_for == (step, symbols)

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        """By word: its number."""
        self._begins = np.zeros(_FIRST_KEPT, np.int64)
        """By number: where its tokens begin; those of the next follow."""
        self._tokens = _Tokens(np.empty(_FIRST_KEPT, np.int32), *np.empty((4, _FIRST_KEPT), np.int64))

    def tokens_of(self, group: Group) -> TokenArrays:
        """The tokens of words and added tokens of a text, in order."""
        parts: list[TokenArrays] = []
        counts = [np.zeros(1, np.int64)]
        for first in range(0, len(group.words.begins), _BATCH):
            part, of_words = self._tokens_of_words(group.words.chosen(slice(first, first + _BATCH)))
            parts.append(part)
            counts.append(of_words)
        tokens = joined(parts)
        if not group.added:
            return tokens
        at = np.cumsum(np.concatenate(counts))[group.before]
        return TokenArrays(
            np.insert(tokens.ids, at, group.ids),
            np.insert(tokens.starts, at, [token.starts[0] for token in group.added]),
            np.insert(tokens.stops, at, [token.stops[-1] for token in group.added]),
        )

    def _tokens_of_words(self, words: CutText) -> tuple[TokenArrays, Longs]:
        """The tokens of words, and how many each has."""
        numbers = self._numbers_of(words.words())
        begins = self._begins[numbers]
        counts = self._begins[numbers + 1] - begins
        rows = np.arange(counts.sum()) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
        ids, firsts, lasts, before, after = (column[rows] for column in self._tokens)
        offsets = np.repeat(words.begins, counts)
        firsts, lasts = firsts + offsets, lasts + offsets
        _text, starts, stops, _opening = words.text
        return _placed(ids, starts[firsts], stops[firsts], starts[lasts], stops[lasts], before, after), counts

    def _numbers_of(self, words: list[str]) -> Longs:
        """The numbers of words, whose tokens are known then."""
        if set(words).difference(self._numbers):
            if self._begins[len(self._numbers)] > _MOST_KEPT:
                self._forget()
            new = list(set(words).difference(self._numbers))
            are_plain = self.units.are_plain(new)
            plain, others = list(compress(new, are_plain)), list(compress(new, ~are_plain))
            self._keep(plain, self.units.of_plain(plain))
            self._keep(others, self.units.of_words(others))
        return np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))

    def _keep(self, words: Sequence[str], starts: Starts) -> None:
        """Find the tokens of words and remember them."""
        counts, tokens = self._merged(*starts)
        first = len(self._numbers)
        self._numbers.update(zip(words, range(first, first + len(words)), strict=True))
        begin = self._begins[first]
        self._begins = _with(self._begins, first + 1, begin + np.cumsum(counts))
        self._tokens = self._tokens.with_more(int(begin), tokens)

    def _merged(self, columns: Longs, begins: Longs) -> tuple[Longs, _Tokens]:
        """How many tokens each word has, and the tokens of all of them."""
        units, firsts, lasts, before, after = columns
        symbols = units.astype(np.int32)
        counts = np.zeros(len(begins) - 1, np.int64)
        bench = new_bench(int(np.diff(begins).max(initial=0)) + NEIGHBORS)
        made = symbols[: merge_each(symbols, begins, self._merges.pairs, bench, self._limit, counts)]
        last_units = self._last_units(units, begins, made, counts)
        first_units = np.append(np.int64(0), np.minimum(last_units[:-1] + 1, len(units) - 1))[: len(last_units)]
        ids = np.where(made < 0, -1 - made, self._tables.ids_of(np.maximum(made, 0)))
        tokens = _Tokens(
            ids.astype(np.int32), firsts[first_units], lasts[last_units], before[first_units], after[last_units]
        )
        return counts, tokens

    def _last_units(self, units: Longs, begins: Longs, made: Ints, counts: Longs) -> Longs:
        """By token: the last of the units that it was merged of. Its bytes are theirs, one after another."""
        ends = np.cumsum(counts)
        of_units = np.cumsum(self._sizes(units, begins[:-1][np.diff(begins) > 0]))
        of_tokens = np.cumsum(self._sizes(made, (ends - counts)[counts > 0]))
        # Merges of parts without the prefix that they ought to have may seem to end after the last unit.
        return np.minimum(np.searchsorted(of_units, of_tokens), len(units) - 1).astype(np.int64)

    def _sizes(self, symbols: Ints | Longs, first_of_words: Longs) -> Longs:
        """How many bytes each symbol brings; a prefix is there only while nothing is before it."""
        prefix = self._model.prefix.encode()
        sizes = np.where(symbols < 0, 1, self._tables.sizes_of(np.maximum(symbols, 0))).astype(np.int64)
        if prefix:
            is_first = np.zeros(len(sizes), bool)
            is_first[first_of_words] = True
            sizes -= np.where(is_first | ~self._have_prefix(symbols), 0, len(prefix))
        return sizes

    def _have_prefix(self, symbols: Ints | Longs) -> npt.NDArray[np.bool_]:
        """Whether symbols have the prefix: the unknown token and those for bytes are without it anywhere."""
        prefix = self._model.prefix.encode()
        different, which = np.unique(symbols, return_inverse=True)
        have = [symbol >= 0 and self._tables.token_of(symbol).startswith(prefix) for symbol in different.tolist()]
        return np.array(have, bool)[which]


def _with(row: npt.NDArray[Number], size: int, new: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """A row of which so many are there, and new ones after them: the same one if it has room."""
    needed = size + len(new)
    if needed > len(row):
        larger = np.empty(2 * needed, row.dtype)
        larger[:size] = row[:size]
        row = larger
    row[size:needed] = new
    return row


def _placed(
    ids: Ints,
    first_starts: Longs,
    first_stops: Longs,
    last_starts: Longs,
    last_stops: Longs,
    before: Longs,
    after: Longs,
) -> TokenArrays:
    """The tokens with their places in the text, from those of their first and last characters.

    Of a character that is written in several bytes, but is another in the text, the first byte stands for all of it.
    """
    splits = before + after > 0
    is_itself = ~splits | (first_stops - first_starts == before + after + 1)
    starts = np.where(is_itself, first_starts + before, np.where(before == 0, first_starts, first_stops))
    stops = np.where(is_itself & (last_stops - last_starts > after), last_stops - after, last_stops)
    return TokenArrays(ids, starts, stops)
