"""The tables by which kernels encode: the symbols, ids and merges of a tokenizer as arrays, which grow with a run."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.encoding.merge_table import (
    ATTACHED,
    BYTES,
    CHARACTERS,
    FIRST_SYMBOLS,
    IN_ORDER,
    MOST_SYMBOLS,
    NO_BOUNDARY,
    NO_RANK,
    PREFIX,
    SUFFIX,
    Merges,
    PairTable,
    add_pairs,
    move_pairs,
)
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.lowlevel.vectors import EIGHT
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD

_UNITS: Final = {"bytes": BYTES, "characters": CHARACTERS}
_BOUNDARIES: Final = {"none": NO_BOUNDARY, "suffix": SUFFIX, "suffix-attached": ATTACHED, "prefix": PREFIX}
Merge = tuple[bytes, bytes]
"""What is merged: the left and the right token."""

_CODE_POINTS: Final = 0x110000
_FIRST_SYMBOLS: Final = 1 << 10  # that there is room for at first
_SLOTS_PER_PAIR: Final = 2


class MergeTables:
    """What a tokenizer does to words. Symbols are numbered as they become known.

    A merged token is its two parts; of the right one, so many bytes of `prefix` are left out.
    """

    def __init__(self, recipe: Recipe, prefix: int = 0) -> None:
        self._prefix = prefix
        self._symbols: dict[bytes, int] = {}
        self._tokens: list[bytes] = []  # by symbol
        self._units = _UNITS[recipe.units]
        self._boundary = _BOUNDARIES[recipe.boundary]
        self._splits_ideographs = recipe.splitter == "zh-en"
        units = 256 if self._units == BYTES else _CODE_POINTS
        self._firsts = np.zeros(units, np.int32)
        self._lasts = np.zeros(units if self._boundary == ATTACHED else 1, np.int32)
        self._widths = np.zeros(_FIRST_SYMBOLS, np.int32)
        self._ids = np.full(_FIRST_SYMBOLS, -1, np.int32)
        self._pairs = empty_table(_FIRST_SYMBOLS)
        self._known_ids = 0
        self._known_merges = 0
        self._known_pairs = 0

    def is_outdated(self, ids: Mapping[bytes, int], merges: Sequence[Merge]) -> bool:
        """Whether there are more tokens or merges by now."""
        return (len(ids), len(merges)) != (self._known_ids, self._known_merges)

    def update(self, ids: Mapping[bytes, int], merges: Sequence[Merge]) -> None:
        """Take the tokens and merges that came after those there are. What was given before stays as it is.

        Other threads may go on with what they have.
        """
        self._add_ids(dict(islice(ids.items(), self._known_ids, None)))
        new = merges[self._known_merges :]
        self._add_merges(new, np.arange(self._known_merges, len(merges), dtype=np.int64))
        self._known_merges = len(merges)

    def add_other_merges(self, ranks: Mapping[Merge, int]) -> None:
        """Have further pairs merge, each with the rank of the merge that makes the same token."""
        self._add_merges(list(ranks), np.fromiter(ranks.values(), np.int64, len(ranks)))

    def _add_ids(self, ids: Mapping[bytes, int]) -> None:
        numbers = self._numbers(ids)
        self._ids[numbers] = np.fromiter(ids.values(), np.int32, len(ids))
        self._known_ids += len(ids)

    def _add_merges(self, merges: Sequence[Merge], ranks: Longs) -> None:
        lefts = self._numbers(left for left, _right in merges)
        rights = self._numbers(right for _left, right in merges)
        prefix = self._prefix
        made = self._numbers(left + right[prefix:] for left, right in merges)
        known = self._known_pairs
        self._make_room_for_pairs(known + len(merges))
        if not np.array_equal(ranks, np.arange(known, known + len(merges))):
            self._pairs.settings[IN_ORDER] = False
        add_pairs(self._pairs, known, lefts, rights, made, ranks)
        self._known_pairs += len(merges)

    def _numbers(self, tokens: Iterable[bytes]) -> Longs:
        """The symbols with these bytes, new ones where there are none."""
        symbols, before = self._symbols, len(self._symbols)
        numbers = np.array([symbols.setdefault(token, len(symbols)) for token in tokens], np.int64)
        self._learn(list(islice(symbols, before, None)), before)
        return numbers

    def _learn(self, tokens: list[bytes], before: int) -> None:
        known = before + len(tokens)
        if known > len(self._ids):
            self._widths = _enlarged(self._widths, 2 * known, 0)
            self._ids = _enlarged(self._ids, 2 * known, -1)
        self._tokens += tokens
        self._widths[before:known] = list(map(len, tokens))
        for symbol, token in enumerate(tokens, before):
            if len(token) <= 4 + len(END_OF_WORD):
                self._learn_unit(token, symbol)

    def _learn_unit(self, token: bytes, symbol: int) -> None:
        unit = self._unit_of(token)
        if unit is not None:
            self._firsts[unit] = symbol + 1
        elif self._boundary == ATTACHED and token.endswith(END_OF_WORD):
            unit = self._unit_of(token.removesuffix(END_OF_WORD))
            if unit is not None:
                self._lasts[unit] = symbol + 1

    def _unit_of(self, token: bytes) -> int | None:
        """The byte or code point that a token is, if it is just one."""
        if self._units == BYTES:
            return token[0] if len(token) == 1 else None
        text = token.decode("utf-8", "replace")
        return ord(text) if len(text) == 1 and text.encode() == token else None

    def _make_room_for_pairs(self, count: int) -> None:
        if max(count, self.known) > MOST_SYMBOLS:
            raise TokenizerError(
                _("EngineError", "A tokenizer can have {most:,} tokens and as many merges; this one has more."),
                most=MOST_SYMBOLS,
            )
        old = self._pairs
        if _SLOTS_PER_PAIR * count > len(old.slots):
            self._pairs = empty_table(count)
            move_pairs(old, self._pairs)

    @property
    def known(self) -> int:
        """How many symbols there are."""
        return len(self._symbols)

    def symbol_with_token(self, token: bytes) -> int:
        """The symbol with these bytes if it has an id, or -1."""
        symbol = self._symbols.get(token, -1)
        return symbol if symbol >= 0 and self._ids[symbol] >= 0 else -1

    def symbol_with_id(self, token_id: int) -> int:
        """The symbol that has an id, or -1."""
        found = np.flatnonzero(self._ids[: self.known] == np.int32(token_id))
        return int(found[0]) if token_id >= 0 and len(found) else -1

    def token_of(self, symbol: int) -> bytes:
        """The bytes of a symbol."""
        return self._tokens[symbol]

    def ids_of(self, symbols: Ints | Longs) -> Ints:
        """The ids of symbols, -1 for what has none."""
        return self._ids[symbols]

    def sizes_of(self, symbols: Ints | Longs) -> Ints:
        """How many bytes symbols have."""
        return self._widths[symbols]

    def merges(self, no_id: int) -> Merges:
        """The tables for kernels, which write `no_id` for what has no id."""
        marker = self._symbols.get(END_OF_WORD, -1) + 1
        settings = [self._units, self._boundary, marker, no_id, self._splits_ideographs]
        return Merges(
            self._pairs,
            self._firsts,
            self._lasts,
            self._widths,
            self._ids,
            settings=np.array(settings, np.int64),
        )


def empty_table(pairs: int) -> PairTable:
    """A hash table with room for so many pairs."""
    slots = max(EIGHT, 1 << (_SLOTS_PER_PAIR * pairs - 1).bit_length())
    size = slots // _SLOTS_PER_PAIR + 1
    makes, ranks = np.zeros(size, np.int32), np.full(size, NO_RANK, np.int32)
    of_first = np.zeros(FIRST_SYMBOLS * FIRST_SYMBOLS, np.int32)
    return PairTable(_in_lines(slots), makes, ranks, of_first, settings=np.ones(1, np.int64))


def _in_lines(length: int) -> Longs:
    """Zeros of which eight are a line of the processor's memory."""
    room = np.zeros(length + EIGHT, np.int64)
    return room[-(room.ctypes.data // room.itemsize) % EIGHT :][:length]


def _enlarged(array: Ints, size: int, filler: int) -> Ints:
    larger = np.full(size, filler, np.int32)
    larger[: len(array)] = array
    return larger
