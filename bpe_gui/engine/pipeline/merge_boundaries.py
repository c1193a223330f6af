"""Boundaries that no merge crosses: text can be split there without changing its ids.

If no token has two characters next to each other, nothing merges across the boundary between them. So even text that no
step splits, such as SentencePiece's, has short words that can be looked up in the cache of words.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.types import BoolArray, Int32Array, UInt16Array
from bpe_gui.engine.text.automaton import DEAD, NO_MATCH, Automaton, CharacterClasses
from bpe_gui.engine.text.splitter_tables import Level

from .aligned_text import code_points

_CODE_POINTS: Final = 0x110000
_MAX_CLASSES: Final = 400
"""The most characters that are told apart: those that most tokens contain. Text is not split among all others."""


def level_between_merges(tokens: Iterable[str], unknown: BoolArray | None = None) -> Level:
    """Return the level that splits text between any two characters that no token has next to each other.

    `tokens` are those that merges make. Text is not split between two `unknown` characters, given by code point.

    >>> from .levels import word_spans
    >>> word_spans("▁low▁▁lowa", [level_between_merges(["lo", "low", "▁lo", "▁▁"])])
    [(0, 4), (4, 9), (9, 10)]
    """
    codes, is_first = _joined(tokens)
    lefts, rights = codes[:-1][~is_first[1:]], codes[1:][~is_first[1:]]
    inside, counts = np.unique(np.concatenate([lefts, rights]), return_counts=True)
    frequent = inside[np.argsort(-counts, kind="stable")][:_MAX_CLASSES]
    # Class 0 has the characters that are in no token, class 1 those that are rare in tokens.
    class_of = np.zeros(_CODE_POINTS, np.uint16)
    class_of[inside] = 1
    class_of[frequent] = np.arange(len(frequent)) + 2
    joins = np.zeros((len(frequent) + 3, len(frequent) + 3), np.bool_)
    joins[class_of[lefts], class_of[rights]] = True
    if unknown is not None:
        class_of[unknown & (class_of == 0)] = len(frequent) + 2
        joins[-1, -1] = True
    return Level(_BoundaryAutomaton(class_of, joins), "isolated", False)


def _joined(tokens: Iterable[str]) -> tuple[Int32Array, BoolArray]:
    """Return the code points of all tokens, and whether each is the first of its token."""
    several = [token for token in tokens if len(token) > 1]
    codes = code_points("".join(several)).astype(np.int32)
    is_first = np.zeros(len(codes) + 1, np.bool_)
    is_first[np.cumsum([0, *map(len, several)])] = True
    return codes, is_first[:-1]


class _BoundaryAutomaton(Automaton):
    """An automaton whose matches go on for as long as each character may follow the one before."""

    def __init__(self, class_of: UInt16Array, joins: BoolArray) -> None:
        self.classes = CharacterClasses.of_code_points(class_of)
        count = self.classes.size
        joins = joins[:count, :count]
        # The states: nothing can match any more; after a character of each class; before the first character.
        self.following: Int32Array = np.full((count + 2, count + 1), DEAD, np.int32)
        self.matched: Int32Array = np.full((count + 2, count + 1), NO_MATCH, np.int32)
        states = np.arange(1, count + 1, dtype=np.int32)
        self.following[1:-1, :count] = np.where(joins, states, DEAD)
        self.following[-1, :count] = states
        self.matched[1:-1] = np.where(np.pad(joins, ((0, 0), (0, 1))), NO_MATCH, 0)
        self.starts = np.full(count + 1, count + 1, np.int32)
        self.backward: Int32Array = np.empty((0, 0), np.int32)
        self.symbol_at_end = count
        self.class_of_symbol = np.arange(count + 1, dtype=np.int32)
        self.last_classes = np.zeros(count + 2, np.int32)
