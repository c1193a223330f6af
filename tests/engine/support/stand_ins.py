"""The splitters in `regex`, which finds words independently of the automata.

`regex` follows each new version of Unicode. So before a search, each character whose general category there differs
from our tables is replaced with a stand-in: the nearest character with the right category in both. Offsets do not
change. Only patterns with such characters, or ranges that contain them, are misled.
"""

from functools import lru_cache
from typing import Final

import numpy as np
import regex

from bpe_gui.engine import SPLITTERS
from bpe_gui.engine.runtime.types import UInt8Array, UInt32Array

from .general_categories import CATEGORIES, general_categories

_CODE_POINT: Final = np.dtype("<u4")


def with_stand_ins(text: str) -> str:
    """Return `text` with stand-ins for the characters that `regex` would misclassify. Most texts have none."""
    if text.isascii():
        return text
    stand_ins = _stand_ins()
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), _CODE_POINT)
    replaced = stand_ins[codes]
    return text if np.array_equal(replaced, codes) else replaced.tobytes().decode("utf-32-le", "surrogatepass")


@lru_cache(maxsize=64)
def compile_pattern(splitter: str) -> "regex.Pattern[str]":
    """Compile the expression of a named splitter, or an expression, to be searched for in `with_stand_ins(text)`."""
    return regex.compile(SPLITTERS.get(splitter, splitter))


def words_of(splitter: str, text: str) -> list[str]:
    """Return the words that `regex` finds in a text."""
    words = (text[slice(*match.span())] for match in compile_pattern(splitter).finditer(with_stand_ins(text)))
    return list(filter(None, words))


@lru_cache(maxsize=1)
def _stand_ins() -> UInt32Array:
    """Return the code point that replaces each code point."""
    ours, theirs = general_categories(), _categories_of_regex()
    stand_ins = np.arange(len(ours), dtype=_CODE_POINT)
    differing = np.flatnonzero(ours != theirs)
    for category in np.unique(ours[differing]):
        codes = differing[ours[differing] == category]
        agreed = np.flatnonzero((ours == category) & (theirs == category))
        above = np.searchsorted(agreed, codes).clip(max=len(agreed) - 1)
        below = (above - 1).clip(min=0)
        is_below_nearer = codes - agreed[below] <= agreed[above] - codes
        stand_ins[codes] = agreed[np.where(is_below_nearer, below, above)]
    return stand_ins


def _categories_of_regex() -> UInt8Array:
    """Return the general category that `regex` has for each code point, as an index into `CATEGORIES`."""
    categories = np.empty(len(general_categories()), np.uint8)
    everything = np.arange(len(categories), dtype=_CODE_POINT).tobytes().decode("utf-32-le", "surrogatepass")
    runs = regex.compile("|".join(rf"(\p{{{category}}}+)" for category in CATEGORIES))
    for run in runs.finditer(everything):
        assert run.lastindex is not None
        categories[run.start() : run.end()] = run.lastindex - 1
    return categories
