"""Text to ids for tokenizers with a pipeline: each word once, and the places of tokens in the text as it was given."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .encoder import Step
from .encoding import TokenArrays, joined
from .encoding_worker import new_bench
from .errors import TokenizerError
from .kernels.records import Ints, Longs
from .kernels.symbol_merging import merge_each
from .kernels.word_merging import NEIGHBORS
from .merge_tables import MergeTables, empty_table
from .pipeline import Piece, Pipeline
from .spelling import from_printable
from .streams import check_surrogates

_BATCH: Final = 1 << 13  # pieces of a text that are looked up together
_MOST_KEPT: Final = 1 << 20  # tokens of words that are remembered


class PipelineEncoder:
    """Encodes as of any merge: tokenizers of all steps share one, also in several threads at once.

    `making` says which merge makes a token.
    """

    def __init__(self, pipeline: Pipeline, making: Mapping[bytes, int]) -> None:
        self.tables: Final = MergeTables(pipeline.nearest_recipe, len(pipeline.model.prefix.encode()))
        self._pipeline = pipeline
        self._making = making
        self._idle: list[_WordMemory] = []

    def ids(self, text: str, step: Step, threads: int | None = None) -> Ints:
        """The ids of a text, always by one thread. Raises TokenizerError for a lone surrogate."""
        del threads
        return self._arrays(text, step).ids

    def arrays(self, text: bytes, step: Step) -> TokenArrays:
        """The ids of a text in UTF-8 and where their tokens stand."""
        return self._arrays(text.decode(), step)

    def stream(self, chunks: Iterable[str], step: Step) -> Iterator[Ints]:
        """The ids of the text that the chunks make up: normalizing may need to see all of it, so all is held."""
        yield self._arrays("".join(chunks), step).ids

    def word_starts(self, text: bytes) -> Longs:
        """Where the words of a text in UTF-8 begin, and its added tokens."""
        starts = [piece.text.starts[0] for piece in self._pipeline.pieces(text.decode())]
        return np.array(starts, np.int64)

    def words(self, text: str, step: Step) -> Iterator[tuple[str, list[bytes]]]:
        """The words of a text as the merges get them, and the symbols that they start as; no added tokens."""
        with self._memory(step) as memory:
            for piece in self._pipeline.pieces(text):
                if piece.token_id is None:
                    word = piece.text.text
                    units = memory.units.of_word(word)
                    yield self._pipeline.read(word), [self.tables.token_of(unit.symbol) for unit in units]

    def _arrays(self, text: str, step: Step) -> TokenArrays:
        check_surrogates(text, error=TokenizerError)
        size = len(text.encode())
        pieces = self._pipeline.pieces(text)
        parts = [_around(self._pipeline.before, 0)]
        with self._memory(step) as memory:
            while batch := list(islice(pieces, _BATCH)):
                parts.append(memory.tokens_of(batch))
        parts.append(_around(self._pipeline.after, size))
        return _in_order(joined(parts))

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


# -- what words start as ------------------------------------------------------------------------------------------


class _Unit(NamedTuple):
    """What a word starts as: a symbol, the first and last character that it stands for; of one that is written in
    several bytes, how many bytes are before it, and after it."""

    symbol: int
    first: int
    last: int
    before: int = 0
    after: int = 0


class _Units:
    """Finds what words start as."""

    def __init__(self, pipeline: Pipeline, tables: MergeTables, unknown_id: int | None) -> None:
        self._model = pipeline.model
        self._tables = tables
        self._unknown = -1 if unknown_id is None else tables.symbol_with_id(unknown_id)
        self._symbols: dict[str, int] = {}  # by character, of those that are known

    def plain(self, word: str) -> list[int]:
        """The symbols of a word if each of its characters is just one, as they are nearly always; else nothing."""
        if self._model.prefix or self._model.suffix:
            return []
        for character in set(word):
            if self.symbol(character) < 0:
                return []
        return list(map(self._symbols.__getitem__, word))

    def of_word(self, word: str) -> list[_Unit]:
        """The symbols of a word. An unknown character without a symbol to write for it is left out."""
        units: list[_Unit] = []
        pending: _Unit | None = None  # an unknown character that may not be alone
        last = len(word) - 1
        for place, character in enumerate(word):
            spelled = self._spelled(character, is_first=place == 0, is_last=place == last)
            symbol = self.symbol(spelled)
            if symbol >= 0:
                units += filter(None, (pending, _Unit(symbol, place, place)))
                pending = None
            elif found := self._bytes(spelled, place):
                units += found
            elif self._unknown >= 0:
                if pending is not None and self._model.fuses_unknown:
                    pending = pending._replace(last=place)
                else:
                    units += filter(None, (pending,))
                    pending = _Unit(self._unknown, place, place)
        units += filter(None, (pending,))
        return units

    def _spelled(self, character: str, *, is_first: bool, is_last: bool) -> str:
        before = "" if is_first else self._model.prefix
        return before + character + (self._model.suffix if is_last else "")

    def symbol(self, spelled: str) -> int:
        """The symbol that is spelled so, or -1."""
        symbol = self._symbols.get(spelled)
        if symbol is None:
            symbol = self._symbols[spelled] = self._tables.symbol_with_token(self._token(spelled))
        return symbol

    def _token(self, spelled: str) -> bytes:
        if not self._model.is_byte_level:
            return spelled.encode()
        try:
            return from_printable(spelled)
        except KeyError:
            return b""

    def _bytes(self, spelled: str, place: int) -> list[_Unit]:
        """What stands for the bytes of a character, if the tokenizer has it for all of them."""
        if not self._model.falls_back_to_bytes:
            return []
        data = spelled.encode()
        symbols = [self.symbol(f"<0x{byte:02X}>") for byte in data]
        if min(symbols) < 0:
            return []
        return [_Unit(symbol, place, place, i, len(data) - 1 - i) for i, symbol in enumerate(symbols)]


# -- what words end as --------------------------------------------------------------------------------------------


class _Starts:
    """What words start as, one after another: by part of a unit a list of that part."""

    def __init__(self) -> None:
        self._columns: tuple[list[int], ...] = tuple([] for _part in _Unit._fields)
        self._sizes: list[int] = []

    def add(self, units: Sequence[_Unit]) -> None:
        """Add a word."""
        for column, part in zip(self._columns, zip(*units, strict=True), strict=False):
            column += part
        self._sizes.append(len(units))

    def add_plain(self, symbols: Sequence[int]) -> None:
        """Add a word of which each character is a symbol."""
        places, nothing = range(len(symbols)), [0] * len(symbols)
        for column, part in zip(self._columns, (symbols, places, places, nothing, nothing), strict=True):
            column += part
        self._sizes.append(len(symbols))

    def arrays(self) -> tuple[Longs, Longs]:
        """The units, a row for each of their parts; and where each word begins among them, and the last ends."""
        units = np.array(self._columns, np.int64)
        return units, np.concatenate([[0], np.cumsum(self._sizes)]).astype(np.int64)


class _Tokens(NamedTuple):
    """The tokens of words, one after another: their ids, and what of the word they stand for, as a unit says it."""

    ids: Ints
    firsts: Longs
    lasts: Longs
    before: Longs
    after: Longs


_NO_TOKENS: Final = _Tokens(np.empty(0, np.int32), *(np.empty(0, np.int64) for _column in range(4)))


class _WordMemory:
    """The tokens of words as of a step, each found once. Used by one thread at a time."""

    def __init__(self, pipeline: Pipeline, tables: MergeTables, making: Mapping[bytes, int], step: Step) -> None:
        self._made_for = step, tables.known
        self._model = pipeline.model
        self._tables = tables
        self._making = making
        self._limit = step.merges
        self.units: Final = _Units(pipeline, tables, step.unknown_id)
        self._merges = tables.merges(-1)
        self._forget()

    def is_for(self, step: Step, symbols: int) -> bool:
        """Whether it holds for a step, so many symbols being known by now."""
        return self._made_for == (step, symbols)

    def _forget(self) -> None:
        self._numbers: dict[str | tuple[int, int], int] = {}
        """By word, or id and length of an added token: its number."""
        self._begins = np.zeros(1, np.int64)
        """By number: where its tokens begin; those of the next follow."""
        self._tokens = _NO_TOKENS

    def tokens_of(self, pieces: Sequence[Piece]) -> TokenArrays:
        """The tokens of pieces of a text."""
        if len(self._tokens.ids) > _MOST_KEPT:
            self._forget()
        self._learn({_name(piece): None for piece in pieces})
        numbers = np.array([self._numbers[_name(piece)] for piece in pieces], np.int64)
        begins, ends = self._begins[numbers], self._begins[numbers + 1]
        counts = ends - begins
        # The rows of each piece's tokens, and of the character with which the piece begins among those of all.
        total = int(counts.sum())
        rows = np.arange(total) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
        sizes = np.array([len(piece.text.text) for piece in pieces], np.int64)
        offsets = np.repeat(np.cumsum(sizes) - sizes, counts)
        ids, firsts, lasts, before, after = (column[rows] for column in self._tokens)
        starts = np.concatenate([piece.text.starts for piece in pieces])
        stops = np.concatenate([piece.text.stops for piece in pieces])
        firsts, lasts = firsts + offsets, lasts + offsets
        return _placed(ids, starts[firsts], stops[firsts], starts[lasts], stops[lasts], before, after)

    def _learn(self, names: Iterable[str | tuple[int, int]]) -> None:
        """Find the tokens of what is not known yet."""
        new = [name for name in names if name not in self._numbers]
        if not new:
            return
        starts = _Starts()
        for name in new:
            self._numbers[name] = len(self._numbers)
            self._start(name, starts)
        counts, tokens = self._merged(*starts.arrays())
        self._begins = np.append(self._begins, self._begins[-1] + np.cumsum(counts))
        known = self._tokens
        self._tokens = _Tokens(
            np.concatenate([known.ids, tokens.ids]),
            np.concatenate([known.firsts, tokens.firsts]),
            np.concatenate([known.lasts, tokens.lasts]),
            np.concatenate([known.before, tokens.before]),
            np.concatenate([known.after, tokens.after]),
        )

    def _start(self, name: str | tuple[int, int], starts: "_Starts") -> None:
        if isinstance(name, tuple):
            token_id, size = name
            starts.add([_Unit(-1 - token_id, 0, size - 1)])  # no symbol: nothing merges with it
        elif self._model.ignores_merges and (symbol := self._whole(name)) >= 0:
            starts.add([_Unit(symbol, 0, len(name) - 1)])
        elif symbols := self.units.plain(name):
            starts.add_plain(symbols)
        else:
            starts.add(self.units.of_word(name))

    def _whole(self, word: str) -> int:
        """The symbol that a word is as a whole, or -1."""
        symbol = self.units.symbol(word)
        made = symbol >= 0 and self._making.get(self._tables.token_of(symbol), -1) < self._limit
        return symbol if made else -1

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


def _name(piece: Piece) -> str | tuple[int, int]:
    return piece.text.text if piece.token_id is None else (piece.token_id, len(piece.text.text))


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
