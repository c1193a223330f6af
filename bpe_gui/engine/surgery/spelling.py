"""Spell the text of tokens with the tokens of another tokenizer."""

from collections.abc import Sequence
from typing import Final

from bpe_gui.engine.audits.merging import EntryMerges
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.reports.merge_parts import text_of
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.utf8 import check_surrogates
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

_SPACE: Final = SPACE_SYMBOL.encode()


class Speller:
    """Spells texts by the merges of a tokenizer, each as one word.

    >>> from bpe_gui.engine import train
    >>> tokenizer = train("low low lower", num_merges=2)
    >>> Speller(tokenizer).spell([b"lowest"])
    [(b'low', b'e', b's', b't')]
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        recipe, model = tokenizer.recipe, tokenizer.store.model
        self.names_bytes: Final = model.falls_back_to_bytes
        """Whether characters without a token are spelled with the names of their bytes."""
        self._prefix, self._suffix = model.prefix.encode(), model.suffix.encode()
        self._marks_spaces = recipe.units != "bytes" and _SPACE in tokenizer.vocab.values()
        self.symbols_described: Final = (
            *(recipe.units, recipe.boundary, self.names_bytes, self._marks_spaces, self._prefix, self._suffix),
        )
        """What tokens are made of: equal for two tokenizers whose tokens can be merged."""

    def text(self, token: bytes) -> bytes:
        """Return the bytes that a token of this tokenizer stands for, without the marks of words.

        >>> from bpe_gui.engine import Tokenizer
        >>> Speller(Tokenizer({0: "▁".encode(), 1: "▁l".encode()}, [], recipe="cs336-toy")).text("▁l".encode())
        b' l'
        """
        text = text_of(self._tokenizer, token).removeprefix(self._prefix).removesuffix(self._suffix)
        return text.replace(_SPACE, b" ") if self._marks_spaces else text

    def token(self, text: str) -> bytes:
        """Return the token for a text as a whole word, with the marks of its spaces and ends.

        Raise TokenizerError for a lone surrogate.
        """
        check_surrogates(text, error=TokenizerError)
        token = b"".join(symbols_of(text, self._tokenizer.recipe))
        token = token.replace(b" ", _SPACE) if self._marks_spaces else token
        return token if token.endswith(self._suffix) else token + self._suffix

    def spell(self, words: Sequence[bytes]) -> list[tuple[bytes, ...]]:
        """Return the tokens that spell each word, with its marks; none if a part of it is unknown."""
        if self._marks_spaces:
            words = [word.replace(b" ", _SPACE) for word in words]
        merges, ids = EntryMerges(self._tokenizer, words), self._tokenizer.store.ids
        spelled = (tuple(merges.tokens_of(index)) for index in range(len(words)))
        return [tokens if all(map(ids.__contains__, tokens)) else () for tokens in spelled]
