"""What the words of a tokenizer with a pipeline start as: the symbols that merging begins with."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.tokenization.encoding_tables import MergeTables
from bpe_gui.engine.pipeline import Model
from bpe_gui.engine.pipeline.aligned_text import byte_sizes, code_points
from bpe_gui.engine.runtime.printable import from_printable

_CODE_POINTS: Final = 0x110000


class Unit(NamedTuple):
    """What a word starts as: a symbol, the first and last character that it stands for; of one that is written in
    several bytes, how many bytes are before it, and after it."""

    symbol: int
    first: int
    last: int
    before: int = 0
    after: int = 0


class Starts(NamedTuple):
    """What words start as: the units, a row for each of their parts; and where each word begins among them, and the
    last ends."""

    columns: Longs
    begins: Longs


class Units:
    """Finds what words start as. `making` says which merge makes a token; only those below `limit` count."""

    def __init__(
        self, model: Model, tables: MergeTables, making: Mapping[bytes, int], limit: int, unknown_id: int | None
    ) -> None:
        self._model = model
        self._tables = tables
        self._making = making
        self._limit = limit
        self._unknown = -1 if unknown_id is None else tables.symbol_with_id(unknown_id)
        self._symbols: dict[str, int] = {}  # by what they are spelled as, of those that are known
        self._by_code = np.zeros(_CODE_POINTS, np.int32)  # by character: the symbol and 2, or 0 if it is not known

    # -- plain words: each character is a symbol, or those of its bytes; nearly all are such ---------------------------

    def are_plain(self, words: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which of the words are plain."""
        if self._model.prefix or self._model.suffix:
            return np.zeros(len(words), bool)
        plain = np.ones(len(words), bool)
        if self._model.ignores_merges:
            plain &= np.fromiter((self._whole(word) < 0 for word in words), bool, len(words))
        if np.any(self._of_bytes < 0):
            numbers = np.repeat(np.arange(len(words)), _sizes(words))
            plain[numbers[self._symbols_of("".join(words)) < 0]] = False
        return plain

    def of_plain(self, words: Sequence[str]) -> Starts:
        """What plain words start as."""
        text, sizes = "".join(words), _sizes(words)
        symbols, bytes_of = self._symbols_of(text), byte_sizes(text)
        counts = np.where(symbols < 0, bytes_of, 1)  # of the units of a character
        characters = np.repeat(np.arange(len(text)), counts)
        before = np.arange(len(characters)) - np.repeat(np.cumsum(counts) - counts, counts)
        units = symbols[characters]
        if np.any(units < 0):
            data = np.frombuffer(text.encode(), np.uint8)
            places = (np.cumsum(bytes_of) - bytes_of)[characters] + before
            units = np.where(units < 0, self._of_bytes[data[places]], units)
        in_words = np.arange(len(text)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        firsts = in_words[characters]
        columns = np.stack([units.astype(np.int64), firsts, firsts, before, counts[characters] - 1 - before])
        edges = np.append(np.int64(0), np.cumsum(counts))
        return Starts(columns, edges[np.append(np.int64(0), np.cumsum(sizes))])

    @cached_property
    def _of_bytes(self) -> Ints:
        """By byte: the symbol that stands for it in a character that is none itself, or -1."""
        known = [self.symbol(f"<0x{byte:02X}>") if self._model.falls_back_to_bytes else -1 for byte in range(256)]
        return np.array(known, np.int32)

    def _symbols_of(self, text: str) -> Ints:
        """The symbols that the characters are, -1 for what is none."""
        codes = code_points(text)
        symbols = self._by_code[codes]
        new = np.unique(codes[symbols == 0])
        if len(new):
            self._by_code[new] = [self.symbol(chr(code)) + 2 for code in new.tolist()]
            symbols = self._by_code[codes]
        return symbols - np.int32(2)

    # -- any words ----------------------------------------------------------------------------------------------------

    def of_words(self, words: Sequence[str]) -> Starts:
        """What words start as."""
        units = [self.start(word) for word in words]
        flat = np.array([unit for each in units for unit in each], np.int64).reshape(-1, len(Unit._fields))
        return Starts(flat.T.copy(), np.cumsum([0, *map(len, units)]).astype(np.int64))

    def start(self, word: str) -> list[Unit]:
        """What a word starts as: itself, where that is a token and merges are ignored for it, or else its symbols."""
        symbol = self._whole(word) if self._model.ignores_merges else -1
        return self.of_word(word) if symbol < 0 else [Unit(symbol, 0, len(word) - 1)]

    def _whole(self, word: str) -> int:
        """The symbol that a word is as a whole, or -1."""
        symbol = self.symbol(word)
        made = symbol >= 0 and self._making.get(self._tables.token_of(symbol), -1) < self._limit
        return symbol if made else -1

    def of_word(self, word: str) -> list[Unit]:
        """The symbols of a word. An unknown character without a symbol to write for it is left out."""
        units: list[Unit] = []
        pending: Unit | None = None  # an unknown character that may not be alone
        last = len(word) - 1
        for place, character in enumerate(word):
            spelled = self._spelled(character, is_first=place == 0, is_last=place == last)
            symbol = self.symbol(spelled)
            if symbol >= 0:
                units += filter(None, (pending, Unit(symbol, place, place)))
                pending = None
            elif found := self._bytes(spelled, place):
                units += found
            elif self._unknown >= 0:
                if pending is not None and self._model.fuses_unknown:
                    pending = pending._replace(last=place)
                else:
                    units += filter(None, (pending,))
                    pending = Unit(self._unknown, place, place)
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

    def _bytes(self, spelled: str, place: int) -> list[Unit]:
        """What stands for the bytes of a character, if the tokenizer has it for all of them."""
        if not self._model.falls_back_to_bytes:
            return []
        data = spelled.encode()
        symbols = self._of_bytes[list(data)].tolist()
        if min(symbols) < 0:
            return []
        return [Unit(symbol, place, place, i, len(data) - 1 - i) for i, symbol in enumerate(symbols)]


def _sizes(words: Sequence[str]) -> Longs:
    return np.fromiter(map(len, words), np.int64, len(words))
