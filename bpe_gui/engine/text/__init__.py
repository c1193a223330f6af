"""Text and how it is split: recipes, splitters, special tokens, character classes and the alphabet."""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

from .recipe import CHOICES, PRESETS, Recipe
from .special_tokens import SpecialTokens, check_special_tokens
from .splitters import SPLITTERS, automaton_of, drops_spaces
from .utf8 import check_surrogates

if TYPE_CHECKING:
    from .alternatives import SplitWords, part_spans, parts_of, words_by_part

__all__ = [
    "CHOICES",
    "PRESETS",
    "SPLITTERS",
    "Recipe",
    "SpecialTokens",
    "SplitWords",
    "automaton_of",
    "check_special_tokens",
    "check_surrogates",
    "drops_spaces",
    "part_spans",
    "parts_of",
    "words_by_part",
]

__getattr__ = imported_when_used(__name__, __all__, ".alternatives")
