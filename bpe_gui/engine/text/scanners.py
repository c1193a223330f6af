"""The splitters that kernels implement, and the scratch arrays that they need."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.text.gpt2_word_starts import BLOCKS, StretchBitmaps
from bpe_gui.engine.kernels.text.scanning import CL100K, GPT2, O200K
from bpe_gui.engine.kernels.text.word_keys import BATCH, LookupBatch

SCANNERS: Final[Mapping[str, int]] = MappingProxyType({"gpt2": GPT2, "cl100k": CL100K, "o200k": O200K})
"""By name: the numbers by which kernels know the splitters they implement."""


def new_batch() -> LookupBatch:
    """Return an empty batch in which each word counts once."""
    begins, lows, highs, slots = np.empty((4, BATCH + 2), np.int64)
    return LookupBatch(begins, lows, highs, slots, counts=np.ones(BATCH, np.int64))


def new_stretch() -> StretchBitmaps:
    """Return zeroed arrays for the character classes of one stretch of text."""
    letters, numbers, spaces, blanks, flags = np.zeros((5, BLOCKS + 2), np.int64)
    return StretchBitmaps(letters, numbers, spaces, blanks, flags)
