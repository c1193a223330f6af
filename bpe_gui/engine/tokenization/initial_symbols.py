"""Find the symbols of words before any merge, for tokenizers with a pipeline."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.pipeline.aligned_text import byte_sizes, code_points
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array

from .merge_store import MergeStore

_CODE_POINT_COUNT: Final = 0x110000
_NO_SYMBOL: Final = -1


class InitialSymbol(NamedTuple):
    """A symbol of a word before any merge.

    It stands for the characters of the word from index `first` to index `last`, inclusive. If it is a single byte of a
    character, `bytes_before` and `bytes_after` count the other bytes of that character on either side.
    """

    symbol: int
    first: int
    last: int
    bytes_before: int = 0
    bytes_after: int = 0


class InitialSymbols(NamedTuple):
    """The initial symbols of several words, one word after another.

    `columns[f, i]` is field `f` of `InitialSymbol` for symbol `i`. Word `w` has the symbols from `begins[w]` up to
    `begins[w + 1]`.
    """

    columns: Int64Array
    begins: Int64Array


class InitialSymbolFinder:
    """Finds the initial symbols of words for a tokenizer with the merges below rank `position`.

    A word is *plain* if each of its characters becomes one symbol, or the symbols of its bytes, independent of the
    other characters. Nearly all words are plain, and numpy finds the symbols of many at once. A word is not plain if it
    gets a prefix or suffix, stays whole, or has an unknown character.

    An unknown character becomes the symbol of `unknown_id`, or is left out if that is None.
    """

    def __init__(self, store: MergeStore, model: ModelOptions, position: int, unknown_id: int | None) -> None:
        self._store = store
        self._model = model
        self._tables = store.tables()
        self._position = position
        self._unknown_symbol = None if unknown_id is None else self._tables.symbol_with_id(unknown_id)
        self._symbols_by_spelling: dict[str, int | None] = {}  # a cache
        # By code point: the symbol plus 2, 1 for a character without a symbol, 0 for one not looked up yet. Zeros take
        # no memory until they are written to, so a few code points cost little.
        self._symbols_by_code_point = np.zeros(_CODE_POINT_COUNT, np.int32)

    # -- plain words ------------------------------------------------------------------------------------------------

    def are_plain(self, words: Sequence[str]) -> BoolArray:
        """Return for each word whether it is plain."""
        if self._model.prefix or self._model.suffix:
            return np.zeros(len(words), np.bool_)
        plain = np.ones(len(words), np.bool_)
        if self._model.ignores_merges:
            plain &= np.fromiter((self._symbol_of_whole(word) is None for word in words), np.bool_, len(words))
        if np.any(self._byte_symbols == _NO_SYMBOL):
            word_of_character = np.repeat(np.arange(len(words)), _lengths(words))
            plain[word_of_character[self._character_symbols("".join(words)) == _NO_SYMBOL]] = False
        return plain

    def find_in_plain_words(self, words: Sequence[str]) -> InitialSymbols:
        """Return the initial symbols of plain words."""
        text, lengths = "".join(words), _lengths(words)
        by_character, sizes = self._character_symbols(text), byte_sizes(text)
        counts = np.where(by_character == _NO_SYMBOL, sizes, 1)  # how many symbols each character becomes
        characters = np.repeat(np.arange(len(text)), counts)  # for each symbol, its character
        bytes_before = np.arange(len(characters)) - np.repeat(np.cumsum(counts) - counts, counts)
        symbols = by_character[characters]
        if np.any(symbols == _NO_SYMBOL):
            utf8 = np.frombuffer(text.encode(), np.uint8)
            offsets = (np.cumsum(sizes) - sizes)[characters] + bytes_before
            symbols = np.where(symbols == _NO_SYMBOL, self._byte_symbols[utf8[offsets]], symbols)
        index_in_word = np.arange(len(text)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        firsts = index_in_word[characters]
        bytes_after = counts[characters] - 1 - bytes_before
        columns = np.stack([symbols.astype(np.int64), firsts, firsts, bytes_before, bytes_after])
        begins = np.append(np.int64(0), np.cumsum(counts))
        return InitialSymbols(columns, begins[np.append(np.int64(0), np.cumsum(lengths))])

    @cached_property
    def _byte_symbols(self) -> Int32Array:
        """Return for each byte its fallback symbol, for characters without a symbol, or -1."""
        if not self._model.falls_back_to_bytes:
            return np.full(256, _NO_SYMBOL, np.int32)
        return np.array([_array_item(self._symbol_spelled(f"<0x{byte:02X}>")) for byte in range(256)], np.int32)

    def _character_symbols(self, text: str) -> Int32Array:
        """Return the symbol of each character, or -1 if it has none."""
        codes = code_points(text)
        symbols = self._symbols_by_code_point[codes]
        new = np.unique(codes[symbols == 0])
        if len(new):
            self._symbols_by_code_point[new] = [
                _array_item(self._symbol_spelled(chr(code))) + 2 for code in new.tolist()
            ]
            symbols = self._symbols_by_code_point[codes]
        return symbols - np.int32(2)

    # -- any words --------------------------------------------------------------------------------------------------

    def find_in_words(self, words: Sequence[str]) -> InitialSymbols:
        """Return the initial symbols of any words."""
        found = [self.find(word) for word in words]
        flat = np.array([symbol for each in found for symbol in each], np.int64)
        columns = flat.reshape(-1, len(InitialSymbol._fields)).T.copy()
        return InitialSymbols(columns, np.cumsum([0, *map(len, found)]).astype(np.int64))

    def find(self, word: str) -> list[InitialSymbol]:
        """Return the initial symbols of a word: the word itself if it is a token and such words stay whole."""
        symbol = self._symbol_of_whole(word) if self._model.ignores_merges else None
        return self._find_by_character(word) if symbol is None else [InitialSymbol(symbol, 0, len(word) - 1)]

    def _symbol_of_whole(self, word: str) -> int | None:
        """Return the symbol whose token is the whole word, or None if there is none at this position."""
        symbol = self._symbol_spelled(word)
        if symbol is None or not self._store.exists(self._tables.token_of(symbol), self._position):
            return None
        return symbol

    def _find_by_character(self, word: str) -> list[InitialSymbol]:
        """Return the initial symbols of a word that does not stay whole, in the order of `tokenizers`.

        That library holds an unknown character back, because the next one may be fused with it. So it comes after the
        bytes of characters that follow it.
        """
        found: list[InitialSymbol] = []
        unknown: list[InitialSymbol] = []  # held back; one at most
        last = len(word) - 1
        for index, character in enumerate(word):
            spelling = self._spelling(character, is_first=index == 0, is_last=index == last)
            symbol = self._symbol_spelled(spelling)
            if symbol is not None:
                found += [*unknown, InitialSymbol(symbol, index, index)]
                unknown = []
            elif byte_symbols := self._symbols_of_bytes(spelling, index):
                found += byte_symbols
            elif self._unknown_symbol is not None:
                if unknown and self._model.fuses_unknown:
                    unknown = [unknown[0]._replace(last=index)]
                else:
                    found += unknown
                    unknown = [InitialSymbol(self._unknown_symbol, index, index)]
        return found + unknown

    def _spelling(self, character: str, *, is_first: bool, is_last: bool) -> str:
        """Return how the vocabulary spells a character at this position in a word."""
        prefix = "" if is_first else self._model.prefix
        return prefix + character + (self._model.suffix if is_last else "")

    def _symbol_spelled(self, spelling: str) -> int | None:
        """Return the symbol that the vocabulary spells as `spelling`, or None if there is none."""
        try:
            return self._symbols_by_spelling[spelling]
        except KeyError:
            symbol = self._tables.symbol_with_token(self._token_spelled(spelling))
            self._symbols_by_spelling[spelling] = symbol
            return symbol

    def _token_spelled(self, spelling: str) -> bytes:
        """Return the bytes of a token from its spelling; empty, as no token is, if the spelling is not valid."""
        if not self._model.is_byte_level:
            return spelling.encode()
        try:
            return from_printable(spelling)
        except KeyError:
            return b""

    def _symbols_of_bytes(self, spelling: str, index: int) -> list[InitialSymbol]:
        """Return a symbol for each byte of the character at `index`; empty unless every byte has one."""
        utf8 = spelling.encode()
        symbols = self._byte_symbols[list(utf8)].tolist()
        if _NO_SYMBOL in symbols:
            return []
        last = len(utf8) - 1
        return [InitialSymbol(symbol, index, index, i, last - i) for i, symbol in enumerate(symbols)]


def _array_item(symbol: int | None) -> int:
    """Return a symbol as an array item: -1 for None."""
    return _NO_SYMBOL if symbol is None else symbol


def _lengths(words: Sequence[str]) -> Int64Array:
    """Return the length of each word in characters."""
    return np.fromiter(map(len, words), np.int64, len(words))
