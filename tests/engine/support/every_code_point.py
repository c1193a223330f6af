"""Vocabularies whose ids show how a text was split, and texts that contain every code point of Unicode.

Published merges rarely join the last byte of one character with the first of another, so their ids show few
boundaries. In the vocabularies made here every byte merges with every neighbour, so their ids show all of them.
"""

from collections.abc import Iterable
from itertools import chain, cycle, product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import tiktoken

from bpe_gui.engine import Recipe, Tokenizer, load

from .published import pattern_of, published_encoding

SPLITTERS: Final = ("gpt2", "cl100k", "o200k")  # r50k and p50k have the pattern of GPT-2
NEIGHBOURS: Final = "a 1("
SEPARATOR: Final = "<|endoftext|>"
"""A special token: text before it cannot change how the text after it is split."""

_ASCII: Final = 128


class Both(NamedTuple):
    """One vocabulary as our tokenizer and as tiktoken's."""

    ours: Tokenizer
    theirs: tiktoken.Encoding

    def agree(self, text: str) -> bool:
        """Return whether both give a text the same ids; special tokens are recognised."""
        theirs = self.theirs.encode_to_numpy(text, allowed_special="all")
        return np.array_equal(self.ours.encode_array(text), theirs)


def published(file: Path) -> Both:
    """Return the vocabulary in a file of ranks that OpenAI publishes."""
    return Both(load(file), published_encoding(file))


def showing_boundaries(splitter: str) -> Both:
    """Return a vocabulary in which a text of up to three characters has different ids if its boundaries differ.

    The outer two characters must be NEIGHBOURS. Longer texts show nearly all of their boundaries.
    """
    single = [bytes([byte]) for byte in range(256)]
    neighbours = [character.encode() for character in NEIGHBOURS]
    pairs = list(dict.fromkeys([*product(neighbours, single), *product(single, neighbours)]))
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    # Without these, `aba` in one piece would look like `ab` and `a`.
    triples = [
        (before + byte, after) if ranks[before, byte] <= ranks[byte, after] else (before, byte + after)
        for before, byte, after in product(neighbours, single[:_ASCII], neighbours)
    ]
    merges = pairs + triples
    tokens = [*single, *(left + right for left, right in merges)]
    special = {SEPARATOR: len(tokens)}
    ours = Tokenizer(
        dict(enumerate(tokens)), merges, special, recipe=Recipe.of("tiktoken").with_changes(splitter=splitter)
    )
    theirs = tiktoken.Encoding(
        splitter,
        pat_str=pattern_of(splitter),
        mergeable_ranks={token: rank for rank, token in enumerate(tokens)},
        special_tokens=special,
    )
    return Both(ours, theirs)


def contexts(character: str) -> list[str]:
    """Return a character alone, and between every two of the neighbours."""
    return [character, *(f"{before}{character}{after}" for before, after in product(NEIGHBOURS, repeat=2))]


def alone(characters: Iterable[str]) -> str:
    """Return a text in which each character is a separate piece."""
    return SEPARATOR.join(characters)


def between_neighbours(characters: Iterable[str]) -> str:
    """Return a text with each character between two letters, two spaces, two digits and two marks."""
    return "".join(f"a{c}a {c} 1{c}1({c}(" for c in characters)


def among_neighbours(characters: Iterable[str]) -> str:
    """Return a shorter text, with neighbours taking turns between the characters."""
    return "".join(chain.from_iterable(zip(characters, cycle(NEIGHBOURS))))
