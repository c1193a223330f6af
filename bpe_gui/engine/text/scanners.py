"""The splitters that kernels implement, and the scratch arrays that they need."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.text.dropping_splitters import SPACE_AND_LINES, SPACE_BEFORE, WHITESPACE, ZH_EN
from bpe_gui.engine.kernels.text.gpt2_word_starts import BLOCKS, StretchBitmaps
from bpe_gui.engine.kernels.text.scanning import CL100K, GPT2, O200K
from bpe_gui.engine.kernels.text.word_keys import BATCH, LookupBatch

from .recipe import Recipe

SCANNERS: Final[Mapping[str, int]] = MappingProxyType({"gpt2": GPT2, "cl100k": CL100K, "o200k": O200K})
"""By name: the numbers by which kernels know the splitters they implement."""

_DROPPING: Final = {"whitespace": WHITESPACE, "space": SPACE_AND_LINES, "zh-en": ZH_EN}
"""By name: the numbers of the splitters that kernels implement for counting only."""

_BATCH_GAP: Final = 130
"""The spare items of each array of a batch; the arrays lie one after another in memory.

A load waits for an earlier store whose address is equal to its own modulo 4,096. With this gap, only items of words
that are far apart have such addresses.
"""


def counting_scanner(recipe: Recipe) -> int | None:
    """Return the number of the splitter of a recipe for kernels that count; None if they do not implement it."""
    if recipe.splitter in _DROPPING:
        return _DROPPING[recipe.splitter] + (SPACE_BEFORE if recipe.boundary == "prefix" else 0)
    return SCANNERS.get(recipe.splitter)


def new_batch() -> LookupBatch:
    """Return an empty batch in which each word counts once."""
    begins, lows, highs, slots = np.empty((4, BATCH + _BATCH_GAP), np.int64)
    return LookupBatch(begins, lows, highs, slots, counts=np.ones(BATCH, np.int64))


def new_stretch() -> StretchBitmaps:
    """Return zeroed arrays for the character classes of one stretch of text."""
    letters, numbers, spaces, blanks, flags = np.zeros((5, BLOCKS + 2), np.int64)
    return StretchBitmaps(letters, numbers, spaces, blanks, flags)
