"""The words of a corpus as arrays of bytes or code points, and the initial symbols of the words."""

from collections.abc import Set
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.arrays import AnyArray, BoolArray, Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.alphabet import order_alphabet
from bpe_gui.engine.text.recipe import Boundary, Recipe
from bpe_gui.engine.text.splitters import takes_suffix

NO_SYMBOL: Final = -1


class WordUnits:
    """The units of all words, concatenated, and the alphabet of their initial symbols.

    It finds with arrays what `text.alphabet` finds word by word. `symbols` are in the alphabet in any case.
    """

    def __init__(self, word_counts: WordCounts, recipe: Recipe, symbols: Set[bytes] = frozenset()) -> None:
        self._recipe = recipe
        self.frequencies: Final = word_counts.frequencies
        self.units: AnyArray = word_counts.text
        """The bytes or code points of all words."""
        self.starts = word_counts.starts
        """The offset of each word in `units`, and the end of the last one."""
        first_units: AnyArray = self.units[self.starts[:-1]]
        if recipe.units == "characters" or recipe.splitter == "zh-en":
            codes, starts = _code_points(self.units, self.starts)
            first_units = codes[starts[:-1]]
            if recipe.units == "characters":
                self.units, self.starts = codes, starts
        self.marked: Final = _marked_words(first_units, recipe)
        """By word: 1 if it gets an end-of-word marker, attached to its last unit or after it."""
        self.alphabet, self.symbols_before_specials = order_alphabet(self._initial_symbols() | symbols, recipe)
        """The initial symbols, and how many of them precede the special tokens, as `alphabet_of` returns them."""
        self._symbols = {token: symbol for symbol, token in enumerate(self.alphabet)}

    @property
    def positions(self) -> int:
        """The length of the symbol array: all symbols, and a separator before and after each word."""
        suffixes = int(self.marked.sum()) if self._recipe.boundary == "suffix" else 0
        return len(self.units) + suffixes + len(self.frequencies) + 1

    def _initial_symbols(self) -> set[bytes]:
        """Return the initial symbols of the words; none for bytes, which are all in the alphabet anyway."""
        if self._recipe.units == "bytes":
            return set()
        is_last, is_prefix = self._attached_units(), self._prefix_units()
        symbols = {chr(code).encode() for code in _distinct(self.units[~is_last & ~is_prefix])}
        symbols.update(chr(code).encode() + END_OF_WORD for code in _distinct(self.units[is_last]))
        if is_prefix.any() or (self._recipe.boundary == "suffix" and self.marked.any()):
            symbols.add(END_OF_WORD)
        return symbols

    def _attached_units(self) -> BoolArray:
        """Return which units have an end-of-word marker attached."""
        is_last = np.zeros(len(self.units), np.bool_)
        if self._recipe.boundary == "suffix-attached":
            is_last[self.starts[1:][self.marked != 0] - 1] = True
        return is_last

    def _prefix_units(self) -> BoolArray:
        """Return which units are spaces that become an end-of-word marker in front of the word."""
        is_prefix = np.zeros(len(self.units), np.bool_)
        if self._recipe.boundary == "prefix":
            is_prefix[self.starts[:-1]] = self.units[self.starts[:-1]] == ord(" ")
        return is_prefix

    def unit_symbols(self) -> Int32Array:
        """Return the symbol of each byte or code point, or -1."""
        return self._symbols_with(b"")

    def last_unit_symbols(self) -> Int32Array:
        """Return the symbol of each byte or code point at the end of a marked word, or -1."""
        return self._symbols_with(END_OF_WORD if self._recipe.boundary == "suffix-attached" else b"")

    def _symbols_with(self, suffix: bytes) -> Int32Array:
        size = 256 if self._recipe.units == "bytes" else int(self.units.max(initial=0)) + 1
        symbols = np.full(size, NO_SYMBOL, np.int32)
        for token, symbol in self._symbols.items():
            unit = self._unit_of(token.removesuffix(suffix)) if token.endswith(suffix) else None
            if unit is not None and unit < size:
                symbols[unit] = symbol
        return symbols

    def _unit_of(self, token: bytes) -> int | None:
        """Return the byte or code point that a token consists of, or None if it has several."""
        text = token if self._recipe.units == "bytes" else token.decode()
        return ord(text) if len(text) == 1 else None

    def marker_symbol(self, boundary: Boundary) -> int:
        """Return the symbol of the end-of-word marker, or -1 if the recipe has another boundary or no word has one."""
        return self._symbols.get(END_OF_WORD, NO_SYMBOL) if self._recipe.boundary == boundary else NO_SYMBOL


def initial_symbols(word_counts: WordCounts, recipe: Recipe) -> frozenset[bytes]:
    """Return the symbols of the alphabet that these words make necessary."""
    return frozenset(WordUnits(word_counts, recipe).alphabet)


def _code_points(text: UInt8Array, starts: Int64Array) -> tuple[AnyArray, Int64Array]:
    """Return the code points of UTF-8, and offsets in it as offsets in them."""
    codes = np.frombuffer(text.tobytes().decode().encode("utf-32-le"), dtype=np.uint32)
    is_first_byte = (text & 0xC0) != 0x80
    preceding = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_first_byte, dtype=np.int64)])
    return codes, preceding[starts]


def _marked_words(first_units: AnyArray, recipe: Recipe) -> UInt8Array:
    if recipe.boundary not in ("suffix", "suffix-attached"):
        return np.zeros(len(first_units), np.uint8)
    if recipe.splitter != "zh-en":
        return np.ones(len(first_units), np.uint8)
    taking = [code for code in _distinct(first_units) if takes_suffix(recipe.splitter, chr(code))]
    return np.isin(first_units, np.array(taking, np.uint32)).astype(np.uint8)


def _distinct(codes: AnyArray) -> list[int]:
    is_present = np.zeros(int(codes.max(initial=0)) + 1, np.bool_)
    is_present[codes] = True
    return np.flatnonzero(is_present).tolist()
