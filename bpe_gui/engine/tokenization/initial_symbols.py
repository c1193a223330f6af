"""Find the symbols of words before any merge, for tokenizers with a pipeline."""

from typing import NamedTuple

from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.runtime.printable import from_printable

from .merge_store import MergeStore


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


class InitialSymbolFinder:
    """Finds the initial symbols of words for a tokenizer with the merges below rank `position`.

    An unknown character becomes the symbol of `unknown_id`, or is left out if that is None.
    """

    def __init__(self, store: MergeStore, model: ModelOptions, position: int, unknown_id: int | None) -> None:
        self._store = store
        self._model = model
        self._tables = store.tables()
        self._position = position
        self._unknown_symbol = None if unknown_id is None else self._tables.symbol_with_id(unknown_id)
        self._symbols_by_spelling: dict[str, int | None] = {}  # a cache

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
        utf8 = spelling.encode() if self._model.falls_back_to_bytes else b""
        symbols = [self._symbol_spelled(f"<0x{byte:02X}>") for byte in utf8]
        last = len(utf8) - 1
        found = [
            InitialSymbol(symbol, index, index, i, last - i) for i, symbol in enumerate(symbols) if symbol is not None
        ]
        return found if len(found) == len(utf8) else []
