"""The tokens of a text as counts that add up over texts, and the field's measures of them."""

from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np

from bpe_gui.engine.runtime.types import Int64Array

from .statistics import renyi_efficiency


@dataclass(frozen=True, slots=True)
class TextMeasures:
    """The measures of a text by a tokenizer.

    `words` are pre-tokens, what the splitter makes of the text. `special` tokens are in no word, and `unknown` tokens
    stand for symbols without an id. `whole_words` are a single token, and `single_byte` tokens stand for one byte.
    """

    bytes: int
    characters: int
    words: int
    tokens: int
    unknown: int
    special: int
    whole_words: int
    single_byte: int
    renyi_efficiency: float
    """Of order 2.5, where all symbols without an id are the same; NaN for fewer than two different tokens."""

    @property
    def bytes_per_token(self) -> float:
        """The compression; NaN if there are no tokens."""
        return ratio(self.bytes, self.tokens)

    @property
    def characters_per_token(self) -> float:
        """The compression in code points; NaN if there are no tokens."""
        return ratio(self.characters, self.tokens)

    @property
    def fertility(self) -> float:
        """The tokens per word; NaN if there are no words. Special tokens are left out.

        Source: Rust, Pfeiffer, Vulić, Ruder and Gurevych, “How Good is Your Tokenizer?” (ACL 2021).
        """
        return ratio(self.tokens - self.special, self.words)

    @property
    def whole_word_share(self) -> float:
        """The share of words that are a single token, from 0 to 1; NaN if there are no words."""
        return ratio(self.whole_words, self.words)

    @property
    def single_byte_share(self) -> float:
        """The share of tokens that stand for a single byte, from 0 to 1; NaN if there are no tokens."""
        return ratio(self.single_byte, self.tokens)

    @property
    def unknown_share(self) -> float:
        """The share of tokens that stand for symbols without an id, from 0 to 1; NaN if there are no tokens."""
        return ratio(self.unknown, self.tokens)


@dataclass(frozen=True, eq=False)
class TokenCounts:
    """How often each token stands in a text, and the size of the text. The counts of several texts add up.

    Tokens are numbered as in `MergeParts`: the first `entries` have an id. `words` are pre-tokens, what the splitter
    makes of the text; special tokens are not among them.
    """

    entries: int
    bytes: int
    characters: int
    words: int
    occurrences: Int64Array
    """By token: how often it stands in the text."""
    whole: Int64Array
    """By token: how many words are this token alone."""
    unnumbered: int
    """How many symbols of the text are not even tokens without an id."""
    special: int
    """How many of the tokens are in no word: special tokens, and ids that are put around a text."""
    single_byte: int
    """How many of the tokens stand for a single byte."""

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        """Return the counts of both texts together."""
        return TokenCounts(
            self.entries,
            self.bytes + other.bytes,
            self.characters + other.characters,
            self.words + other.words,
            self.occurrences + other.occurrences,
            self.whole + other.whole,
            self.unnumbered + other.unnumbered,
            self.special + other.special,
            self.single_byte + other.single_byte,
        )

    @classmethod
    def nothing(cls, entries: int, tokens: int) -> "TokenCounts":
        """Return the counts of an empty text by a tokenizer of so many tokens, of which so many have an id.

        >>> TokenCounts.nothing(3, 3).tokens
        0
        """
        return cls(entries, 0, 0, 0, np.zeros(tokens, np.int64), np.zeros(tokens, np.int64), 0, 0, 0)

    @cached_property
    def tokens(self) -> int:
        """The number of tokens, special tokens and symbols without an id included."""
        return int(self.occurrences.sum()) + self.unnumbered

    @cached_property
    def unknown(self) -> int:
        """The number of tokens that stand for symbols without an id."""
        return int(self.occurrences[self.entries :].sum()) + self.unnumbered

    @cached_property
    def whole_words(self) -> int:
        """The number of words that are a single token with an id."""
        return int(self.whole[: self.entries].sum())

    @cached_property
    def measures(self) -> TextMeasures:
        """The measures of the text, without the counts by token."""
        return TextMeasures(
            self.bytes,
            self.characters,
            self.words,
            self.tokens,
            self.unknown,
            self.special,
            self.whole_words,
            self.single_byte,
            token_efficiency(self.occurrences, self.entries, self.unnumbered),
        )


def token_efficiency(occurrences: Int64Array, entries: int, unnumbered: int) -> float:
    """Return the Rényi efficiency of tokens, of which the first `entries` have an id; all others are the same."""
    unknown = int(occurrences[entries:].sum()) + unnumbered
    return renyi_efficiency(np.append(occurrences[:entries], unknown))


def ratio(numerator: float, denominator: float) -> float:
    """Return a ratio; NaN for nothing.

    >>> ratio(3, 2), ratio(3, 0)
    (1.5, nan)
    """
    return numerator / denominator if denominator else nan
