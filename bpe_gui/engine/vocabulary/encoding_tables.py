"""The tables with which kernels encode: the symbols, ids and merges of a store as arrays."""

from collections.abc import Collection, Mapping, Sequence
from itertools import repeat
from operator import add
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.initial_symbols import (
    ATTACHED,
    BYTES,
    CHARACTERS,
    NO_BOUNDARY,
    PREFIX,
    SUFFIX,
    TokenizerTables,
)
from bpe_gui.engine.kernels.encoding.merge_table import (
    BUCKET,
    IN_ORDER,
    MATRIX_SYMBOLS,
    MAX_SYMBOLS,
    NO_RANK,
    MergeTable,
    add_pairs,
    move_pairs,
)
from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.forking import ForkLock
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import special_token_table

from .entries import last_items
from .numbered_tokens import NumberedMerges, NumberedTokens, TokenPair

_UNITS: Final = {"bytes": BYTES, "characters": CHARACTERS}
_BOUNDARIES: Final = {"none": NO_BOUNDARY, "suffix": SUFFIX, "suffix-attached": ATTACHED, "prefix": PREFIX}

_CODE_POINTS: Final = 0x110000
_INITIAL_CAPACITY: Final = 1 << 10  # symbols, and pairs
_SLOTS_PER_PAIR: Final = 2


class _Whole(NamedTuple):
    """Words that stay whole, their symbols, and the rank of the first merge that makes each, or -1."""

    table: SpecialTokenTable
    symbols: Int32Array
    ranks: Int64Array


class EncodingTables:
    """The symbols and merges of a store, as arrays that may grow while other threads encode with them.

    Every token, with or without an id, is a symbol; symbols are numbered in the order in which they become known. When
    two tokens merge, the model's prefix is removed from the right one.
    """

    def __init__(self, recipe: Recipe, model: ModelOptions) -> None:
        self._prefix_size = len(model.prefix.encode())
        self._falls_back_to_bytes = model.falls_back_to_bytes
        self._fuses_unknown = model.fuses_unknown
        self._whole = _Whole(special_token_table(()), np.empty(0, np.int32), np.empty(0, np.int64))
        self._first: Sequence[bytes] = ()
        """The tokens of the first symbols, if they were given as a `TokenList`."""
        self._more: list[bytes] = []
        """The tokens of later symbols."""
        self._symbol_of: dict[bytes, int] | None = None
        """The symbols by token, built on first use."""
        self._lock = ForkLock()
        self._units = _UNITS[recipe.units]
        self._boundary = _BOUNDARIES[recipe.boundary]
        self._max_unit_size = (1 if self._units == BYTES else 4) + len(END_OF_WORD) * (self._boundary == ATTACHED)
        self._seeds = sorted(seed.encode() for seed in recipe.seeds)
        self._seed_symbols = np.empty(0, np.int64)
        """The symbols of the seeds, followed by those with attached markers, once they are known."""
        self._splits_ideographs = recipe.splitter == "zh-en"
        units = 256 if self._units == BYTES else _CODE_POINTS
        # The symbol of each unit (byte or code point) plus 1, alone or with the end-of-word marker; 0 if it has none.
        self._unit_symbols = np.zeros(units, np.int32)
        self._marked_symbols = np.zeros(units if self._boundary == ATTACHED else 1, np.int32)
        self._sizes = np.zeros(_INITIAL_CAPACITY, np.int32)  # by symbol, in bytes
        self._ids = np.full(_INITIAL_CAPACITY, -1, np.int32)  # by symbol, -1 for none
        self._table = new_merge_table(_INITIAL_CAPACITY)
        self._asked_for = 0  # a symbol
        self._known_ids = 0
        self._known_merges = 0
        self._known_pairs = 0

    def add_vocabulary(self, vocab: NumberedTokens, known_ids: int) -> None:
        """Begin with unique tokens and their ids; the symbol of a token is its index.

        `known_ids` is how many of these ids come first in the ids that `update` gets, before appended ones.
        """
        self._first = vocab.tokens
        self._describe(vocab.tokens, vocab.tokens.sizes, 0)
        self._ids[: len(vocab)] = vocab.ids
        self._known_ids = known_ids

    def update(self, ids: dict[bytes, int] | None, merges: Sequence[TokenPair]) -> None:
        """Add the ids and merges that were appended since the last call. `ids` is None if there can be no new ones.

        Other threads may continue encoding with tables that they got from `for_kernels`.
        """
        if ids is not None and len(ids) > self._known_ids:
            self.add_ids(dict(last_items(ids, len(ids) - self._known_ids)) if self._known_ids else ids)
            self._known_ids = len(ids)
        if self._seeds and not len(self._seed_symbols):
            marked = [seed + END_OF_WORD for seed in self._seeds] if self._boundary == ATTACHED else []
            self._seed_symbols = self._symbols_of([*self._seeds, *marked])
        if len(merges) > self._known_merges:
            new = merges[self._known_merges :]
            self._add_merges(new, np.arange(self._known_merges, len(merges), dtype=np.int64))
            self._known_merges = len(merges)

    def add_other_merges(self, ranks: Mapping[TokenPair, int]) -> None:
        """Add further pairs, each with the rank of the merge that makes the same token."""
        if ranks:
            self._add_merges(list(ranks), np.fromiter(ranks.values(), np.int64, len(ranks)))

    def add_ids(self, ids: Mapping[bytes, int]) -> None:
        """Add or replace the ids of tokens."""
        symbols = self._symbols_of(ids)
        self._ids[symbols] = np.fromiter(ids.values(), np.int32, len(ids))

    def _add_merges(self, merges: Sequence[TokenPair], ranks: Int64Array) -> None:
        lefts, rights, products = self._symbols_in(merges)
        known = self._known_pairs
        self._reserve_pairs(known + len(merges))
        if not np.array_equal(ranks, np.arange(known, known + len(merges))):
            self._table.settings[IN_ORDER] = False
        add_pairs(self._table, known, lefts, rights, products, ranks)
        self._known_pairs += len(merges)

    def _symbols_in(self, merges: Sequence[TokenPair]) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Return the left symbols, the right symbols and the products of merges."""
        if isinstance(merges, NumberedMerges):
            if merges.tokens is self._first:
                return merges.lefts, merges.rights, merges.products
            symbols = self._symbols_of(merges.tokens)
            return symbols[merges.lefts], symbols[merges.rights], symbols[merges.products]
        lefts, rights = [left for left, _right in merges], [right for _left, right in merges]
        ends = [right[self._prefix_size :] for right in rights] if self._prefix_size else rights
        return self._symbols_of(lefts), self._symbols_of(rights), self._symbols_of(list(map(add, lefts, ends)))

    def _symbols_of(self, tokens: Collection[bytes]) -> Int64Array:
        """Return the symbols of tokens, and number those that are new."""
        found = self.find_symbols(tokens)
        if np.any(found < 0):
            before, known = self.known, self._symbols
            new = [token for token in dict.fromkeys(tokens) if token not in known]
            known.update(zip(new, range(before, before + len(new)), strict=True))
            self._more += new
            self._describe(new, np.fromiter(map(len, new), np.int64, len(new)), before)
            found = self.find_symbols(tokens)
        return found

    def find_symbols(self, tokens: Collection[bytes]) -> Int64Array:
        """Return the symbols of tokens, -1 for a token that has none."""
        if not tokens:
            return np.empty(0, np.int64)  # without building the dict of all symbols
        return np.fromiter(map(self._symbols.get, tokens, repeat(-1)), np.int64, len(tokens))

    @property
    def _symbols(self) -> dict[bytes, int]:
        """The symbols by token."""
        if self._symbol_of is None:
            with self._lock:
                if self._symbol_of is None:
                    self._symbol_of = dict(zip(self._first, range(len(self._first)), strict=True))
        return self._symbol_of

    def _describe(self, tokens: Sequence[bytes], sizes: Int64Array, before: int) -> None:
        """Fill in the tables for new symbols, the first of which is `before`."""
        known = before + len(tokens)
        if known > len(self._ids):
            self._sizes = _enlarged(self._sizes, 2 * known, 0)
            self._ids = _enlarged(self._ids, 2 * known, -1)
        self._sizes[before:known] = sizes
        single = np.flatnonzero(sizes == 1)
        units = np.frombuffer(b"".join(map(tokens.__getitem__, single.tolist())), np.uint8)
        is_unit = units < (256 if self._units == BYTES else 128)  # not the bytes of longer characters
        self._unit_symbols[units[is_unit]] = single[is_unit] + before + 1
        for index in np.flatnonzero((sizes > 1) & (sizes <= self._max_unit_size)).tolist():
            self._describe_unit(tokens[index], before + index)

    def _describe_unit(self, token: bytes, symbol: int) -> None:
        unit = self._unit_of(token)
        if unit is not None:
            self._unit_symbols[unit] = symbol + 1
        elif self._boundary == ATTACHED and token.endswith(END_OF_WORD):
            unit = self._unit_of(token.removesuffix(END_OF_WORD))
            if unit is not None:
                self._marked_symbols[unit] = symbol + 1

    def _unit_of(self, token: bytes) -> int | None:
        """Return the byte or code point that a token is, or None if it is not a single one."""
        if self._units == BYTES:
            return token[0] if len(token) == 1 else None
        text = token.decode("utf-8", "replace")
        return ord(text) if len(text) == 1 and text.encode() == token else None

    def _reserve_pairs(self, count: int) -> None:
        check_table_size(max(count, self.known))
        old = self._table
        if _SLOTS_PER_PAIR * count > len(old.slots):
            larger = new_merge_table(count)
            move_pairs(old, larger)
            self._table = larger

    @property
    def known(self) -> int:
        """The number of symbols."""
        return len(self._first) + len(self._more)

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers of symbols, of pairs, and of words that are kept whole.

        As long as these do not change, `for_kernels` returns the same tables.
        """
        return self.known, self._known_pairs, len(self._whole.ranks)

    def keep_whole(self, ranks: Mapping[bytes, int]) -> None:
        """Encode words that equal one of these tokens as that token, whatever merging would give, once it exists.

        `ranks` has the rank of the first merge that makes each, or -1.
        """
        whole = sorted(ranks)
        self._whole = _Whole(
            special_token_table(whole),
            self._symbols_of(whole).astype(np.int32),
            np.array([ranks[token] for token in whole], np.int64),
        )

    def symbol_with_token(self, token: bytes) -> int | None:
        """Return the symbol of a token, or None if the token has no id."""
        symbol = self._symbols.get(token)
        return symbol if symbol is not None and self._ids[symbol] >= 0 else None

    def symbol_with_id(self, token_id: int) -> int | None:
        """Return the symbol that has an id, or None."""
        if token_id < 0:
            return None
        symbol = self._asked_for  # the same is asked for with every text
        if self._ids[symbol] != token_id and self.known:
            self._asked_for = symbol = int(np.argmax(self._ids[: self.known] == np.int32(token_id)))
        return symbol if self._ids[symbol] == token_id else None

    def token_of(self, symbol: int) -> bytes:
        """Return the bytes of a symbol."""
        before = len(self._first)
        return self._first[symbol] if symbol < before else self._more[symbol - before]

    def tokens_with_ids(self) -> tuple[list[bytes], Int32Array]:
        """Return the tokens that have ids, and their ids."""
        symbols, tokens = np.flatnonzero(self._ids[: self.known] >= 0), [*self._first, *self._more]
        return [tokens[symbol] for symbol in symbols.tolist()], self._ids[symbols]

    def has_units_without_id(self) -> bool:
        """Return whether a byte or character is a symbol without an id."""
        return bool(np.any(self._ids[self._unit_symbols[self._unit_symbols > 0] - 1] < 0))

    def are_unknown(self) -> BoolArray:
        """Return for each unit (byte or code point) whether it has no symbol."""
        are_unknown: BoolArray = self._unit_symbols == 0
        return are_unknown

    def ids_of(self, symbols: Int32Array | Int64Array) -> Int32Array:
        """Return the ids of symbols, -1 for symbols that have none."""
        return self._ids[symbols]

    def symbols_of_bytes(self) -> Int32Array:
        """Return for each byte the symbol of its fallback token (`<0x0A>`); empty if unneeded or if one is missing.

        An ASCII character that is a token itself needs no fallback: Gemma has a tab in place of `<0x09>`.
        """
        if not self._falls_back_to_bytes:
            return np.empty(0, np.int32)
        found = [self.symbol_with_token(b"<0x%02X>" % byte) for byte in range(256)]
        for byte in range(0x80):
            if found[byte] is None:
                found[byte] = self.symbol_with_token(bytes([byte]))
        return np.array([] if None in found else found, np.int32)

    def for_kernels(self, unknown_id: int | None) -> TokenizerTables:
        """Return the tables for kernels, which write `unknown_id`, or -1, for a symbol without an id."""
        marker = 0 if self._boundary == NO_BOUNDARY else self._symbols.get(END_OF_WORD, -1) + 1
        no_id = -1 if unknown_id is None else unknown_id
        settings = [self._units, self._boundary, marker, no_id, self._splits_ideographs, self._fuses_unknown]
        of_bytes = self.symbols_of_bytes()
        widths = self._sizes
        if len(of_bytes):
            widths = widths.copy()
            widths[of_bytes] = 1
        return TokenizerTables(
            self._table,
            self._unit_symbols,
            self._marked_symbols,
            widths,
            self._ids,
            of_bytes,
            self._whole.table,
            whole_symbols=self._whole.symbols,
            whole_ranks=self._whole.ranks,
            seeds=special_token_table(self._seeds),
            seed_symbols=self._seed_symbols.astype(np.int32),
            settings=np.array(settings, np.int64),
        )


def check_table_size(count: int) -> None:
    """Raise TokenizerError for more symbols or pairs than a table can number."""
    if count > MAX_SYMBOLS:
        raise TokenizerError(
            "A tokenizer can have at most {most:,} tokens and as many merges. This one has more.", most=MAX_SYMBOLS
        )


def new_merge_table(capacity: int) -> MergeTable:
    """Return an empty hash table for `capacity` pairs, whose load factor never exceeds a half."""
    slots = max(BUCKET, 1 << (_SLOTS_PER_PAIR * capacity - 1).bit_length())
    size = slots // _SLOTS_PER_PAIR + 1
    products, ranks = np.zeros(size, np.int32), np.full(size, NO_RANK, np.int32)
    matrix = np.zeros(MATRIX_SYMBOLS * MATRIX_SYMBOLS, np.int32)
    buffer = np.zeros(slots + BUCKET, np.int64)
    aligned = -(buffer.ctypes.data // buffer.itemsize) % BUCKET  # at a cache line, which holds one bucket
    return MergeTable(buffer[aligned:][:slots], products, ranks, matrix, settings=np.ones(1, np.int64))


def _enlarged(array: Int32Array, size: int, filler: int) -> Int32Array:
    larger = np.full(size, filler, np.int32)
    larger[: len(array)] = array
    return larger
