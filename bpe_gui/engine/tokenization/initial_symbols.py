"""The symbols that words start as before merging, for tokenizers with a pipeline."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.pipeline.aligned_text import byte_sizes, code_points
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.runtime.arrays import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.runtime.printable import from_printable

from .merge_store import MergeStore

_CODE_POINTS: Final = 0x110000


class InitialSymbol(NamedTuple):
    """A symbol of a word before merging, with the characters [first, last] of the word that it stands for.

    A symbol that is one byte of a character also has the numbers of that character's bytes before and after it.
    """

    symbol: int
    first: int
    last: int
    before: int = 0
    after: int = 0


class InitialSymbols(NamedTuple):
    """The initial symbols of several words, one word after another.

    `columns` has a row for each field of `InitialSymbol`. The symbols of word i are those from `begins[i]` up to
    `begins[i + 1]`.
    """

    columns: Int64Array
    begins: Int64Array


class InitialSymbolFinder:
    """Finds the initial symbols of words, as of a step.

    An unknown character becomes the symbol of `unknown_id`; without one it is left out.
    """

    def __init__(self, store: MergeStore, model: ModelOptions, position: int, unknown_id: int | None) -> None:
        self._store = store
        self._model = model
        self._tables = store.tables()
        self._position = position
        self._unknown = None if unknown_id is None else self._tables.symbol_with_id(unknown_id)
        self._symbols: dict[str, int | None] = {}  # by spelling: a cache
        # By code point: the symbol plus 2, 1 for a character without a symbol, 0 for one not looked up yet.
        self._known_characters = np.zeros(_CODE_POINTS, np.int32)

    # -- plain words, as nearly all are: each character is one symbol, or the symbols of its bytes ------------------

    def are_plain(self, words: Sequence[str]) -> BoolArray:
        """Return for each word whether it is plain."""
        if self._model.prefix or self._model.suffix:
            return np.zeros(len(words), np.bool_)
        plain = np.ones(len(words), np.bool_)
        if self._model.ignores_merges:
            plain &= np.fromiter((self._whole(word) is None for word in words), np.bool_, len(words))
        if np.any(self._byte_symbols < 0):
            word_of = np.repeat(np.arange(len(words)), _lengths(words))
            plain[word_of[self._character_symbols("".join(words)) < 0]] = False
        return plain

    def find_in_plain_words(self, words: Sequence[str]) -> InitialSymbols:
        """Return the initial symbols of plain words."""
        text, lengths = "".join(words), _lengths(words)
        by_character, sizes = self._character_symbols(text), byte_sizes(text)
        counts = np.where(by_character < 0, sizes, 1)  # of the symbols of each character
        characters = np.repeat(np.arange(len(text)), counts)
        before = np.arange(len(characters)) - np.repeat(np.cumsum(counts) - counts, counts)
        symbols = by_character[characters]
        if np.any(symbols < 0):
            octets = np.frombuffer(text.encode(), np.uint8)
            offsets = (np.cumsum(sizes) - sizes)[characters] + before
            symbols = np.where(symbols < 0, self._byte_symbols[octets[offsets]], symbols)
        index_in_word = np.arange(len(text)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        firsts = index_in_word[characters]
        columns = np.stack([symbols.astype(np.int64), firsts, firsts, before, counts[characters] - 1 - before])
        begins = np.append(np.int64(0), np.cumsum(counts))
        return InitialSymbols(columns, begins[np.append(np.int64(0), np.cumsum(lengths))])

    @cached_property
    def _byte_symbols(self) -> Int32Array:
        """By byte: the symbol that stands for it in a character that has no symbol itself, or -1."""
        if not self._model.falls_back_to_bytes:
            return np.full(256, -1, np.int32)
        return np.array([_or_minus_one(self._symbol(f"<0x{byte:02X}>")) for byte in range(256)], np.int32)

    def _character_symbols(self, text: str) -> Int32Array:
        """Return the symbol of each character, -1 for those that have none."""
        codes = code_points(text)
        symbols = self._known_characters[codes]
        new = np.unique(codes[symbols == 0])
        if len(new):
            self._known_characters[new] = [_or_minus_one(self._symbol(chr(code))) + 2 for code in new.tolist()]
            symbols = self._known_characters[codes]
        return symbols - np.int32(2)

    # -- any words --------------------------------------------------------------------------------------------------

    def find_in_words(self, words: Sequence[str]) -> InitialSymbols:
        """Return the initial symbols of any words."""
        found = [self.find(word) for word in words]
        flat = np.array([symbol for each in found for symbol in each], np.int64)
        columns = flat.reshape(-1, len(InitialSymbol._fields)).T.copy()
        return InitialSymbols(columns, np.cumsum([0, *map(len, found)]).astype(np.int64))

    def find(self, word: str) -> list[InitialSymbol]:
        """Return the initial symbols of a word: the word itself if it is a token and merges are ignored for such."""
        symbol = self._whole(word) if self._model.ignores_merges else None
        return self._find_by_character(word) if symbol is None else [InitialSymbol(symbol, 0, len(word) - 1)]

    def _whole(self, word: str) -> int | None:
        """Return the symbol that a whole word is, or None."""
        symbol = self._symbol(word)
        if symbol is None or not self._store.exists(self._tables.token_of(symbol), self._position):
            return None
        return symbol

    def _find_by_character(self, word: str) -> list[InitialSymbol]:
        found: list[InitialSymbol] = []
        pending: InitialSymbol | None = None  # an unknown character, which the next may be fused with
        last = len(word) - 1
        for index, character in enumerate(word):
            spelling = self._spelling(character, is_first=index == 0, is_last=index == last)
            symbol = self._symbol(spelling)
            if symbol is not None:
                found += filter(None, (pending, InitialSymbol(symbol, index, index)))
                pending = None
            elif octets := self._fallback(spelling, index):
                found += octets
            elif self._unknown is not None:
                if pending is not None and self._model.fuses_unknown:
                    pending = pending._replace(last=index)
                else:
                    found += filter(None, (pending,))
                    pending = InitialSymbol(self._unknown, index, index)
        found += filter(None, (pending,))
        return found

    def _spelling(self, character: str, *, is_first: bool, is_last: bool) -> str:
        prefix = "" if is_first else self._model.prefix
        return prefix + character + (self._model.suffix if is_last else "")

    def _symbol(self, spelling: str) -> int | None:
        """Return the symbol that is spelled so in the vocabulary, or None."""
        try:
            return self._symbols[spelling]
        except KeyError:
            symbol = self._symbols[spelling] = self._tables.symbol_with_token(self._token(spelling))
            return symbol

    def _token(self, spelling: str) -> bytes:
        if not self._model.is_byte_level:
            return spelling.encode()
        try:
            return from_printable(spelling)
        except KeyError:
            return b""

    def _fallback(self, spelling: str, index: int) -> list[InitialSymbol]:
        """Return the symbols that stand for the bytes of a character, or nothing unless every byte has one."""
        octets = spelling.encode()
        symbols = self._byte_symbols[list(octets)].tolist()
        if min(symbols) < 0:
            return []
        last = len(octets) - 1
        return [InitialSymbol(symbol, index, index, i, last - i) for i, symbol in enumerate(symbols)]


def _or_minus_one(symbol: int | None) -> int:
    """Return a symbol as arrays have it."""
    return -1 if symbol is None else symbol


def _lengths(words: Sequence[str]) -> Int64Array:
    return np.fromiter(map(len, words), np.int64, len(words))
