"""Spell the text of a token with the tokens of another tokenizer."""

from typing import Final

from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.tracing import merged_symbols

_SPACE_SYMBOL: Final = "▁".encode()


class Speller:
    """Spells texts by the merges of a tokenizer, each as one word.

    >>> from bpe_gui.engine import train
    >>> tokenizer = train("low low lower", num_merges=2)
    >>> Speller(tokenizer).ids(b"lowest") == tokenizer.encode("lowest")
    True
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        recipe, model = tokenizer.recipe, tokenizer.pipeline.model if tokenizer.pipeline else None
        self._is_byte_level = model.is_byte_level if model else recipe.units == "bytes"
        self.names_bytes: Final = model is not None and model.falls_back_to_bytes
        """Whether characters without a token are spelled with the names of their bytes."""
        self._prefix = model.prefix.encode() if model else b""
        self._begins = b"" if model or recipe.boundary != "prefix" else END_OF_WORD
        self._ends = b"" if model or recipe.boundary != "suffix" else END_OF_WORD
        attached = END_OF_WORD if recipe.boundary == "suffix-attached" else b""
        self._attached = model.suffix.encode() if model else attached
        self._marks_spaces = not self._is_byte_level and _SPACE_SYMBOL in tokenizer.vocab.values()

    @property
    def symbols_described(self) -> tuple[object, ...]:
        """What tokens are made of: equal for two tokenizers whose tokens can be merged."""
        marks = (self._prefix, self._begins, self._ends, self._attached)
        return (self._is_byte_level, self.names_bytes, self._marks_spaces, *marks)

    def text(self, token: bytes) -> bytes:
        """Return the bytes that a token of this tokenizer stands for, without the marks of words.

        >>> from bpe_gui.engine import Tokenizer
        >>> Speller(Tokenizer({0: "▁".encode(), 1: "▁l".encode()}, [], recipe="cs336-toy")).text("▁l".encode())
        b' l'
        """
        token = self._tokenizer.stands_for(token)
        token = token.removeprefix(self._prefix).removesuffix(self._ends or self._attached)
        if self._begins and token.startswith(self._begins):
            token = b" " + token[len(self._begins) :]
        return token.replace(_SPACE_SYMBOL, b" ") if self._marks_spaces else token

    def ids(self, word: bytes) -> list[int]:
        """Return the ids that spell a word, with its marks; none if a part of it is unknown."""
        return [token_id for token_id in map(self._tokenizer.token_id, self.symbols(word)) if token_id is not None]

    def symbols(self, word: bytes) -> list[bytes]:
        """Return the tokens that spell a word, with its marks; none if a part of it is unknown."""
        symbols = self._initial_symbols(word)
        if any(self._tokenizer.token_id(symbol) is None for symbol in symbols):
            return []
        store = self._tokenizer.store
        return merged_symbols(symbols, store.ranks, self._tokenizer.position, store.prefix_size)

    def _initial_symbols(self, word: bytes) -> list[bytes]:
        """Return the symbols of a word before any merge."""
        begins = [self._begins] if self._begins and word.startswith(self._begins) else []
        mark = self._ends or self._attached
        body = word.removeprefix(b"".join(begins)).removesuffix(mark)
        ends = [mark] if mark and word.endswith(mark) else []
        units = self._units(body)
        if ends and units and self._attached:
            units[-1] += mark
            ends = []
        return begins + units + ends

    def _units(self, text: bytes) -> list[bytes]:
        """Return the bytes or characters of a text, and the names of bytes for characters without a token."""
        if self._is_byte_level:
            return [text[index : index + 1] for index in range(len(text))]
        if self._marks_spaces:
            text = text.replace(b" ", _SPACE_SYMBOL)
        continues = self._prefix if text.startswith(self._prefix) else b""
        # Bytes that are no character become surrogates, which only the names of bytes can spell.
        characters = text.removeprefix(continues).decode(errors="surrogateescape")
        units: list[bytes] = []
        for index, character in enumerate(characters):
            unit = (self._prefix if index else continues) + character.encode(errors="surrogateescape")
            is_known = not self.names_bytes or self._tokenizer.token_id(unit) is not None
            units += [unit] if is_known else [b"<0x%02X>" % byte for byte in unit]
        return units
