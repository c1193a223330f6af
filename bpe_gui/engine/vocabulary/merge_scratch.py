"""The arrays in which kernels merge the symbols of words: one word at a time, or many side by side."""

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import (
    MAX_WORDS,
    SYMBOL_CAPACITY,
    MergeScratch,
    PendingWords,
    clear_pending,
)
from bpe_gui.engine.runtime.memory import zeros


def new_scratch(symbols: int) -> MergeScratch:
    """Return scratch buffers for merging words of up to `symbols` symbols."""
    return MergeScratch(
        symbols=zeros(symbols, np.int32),
        merges=zeros(2 * symbols, np.int64),
        previous=zeros(symbols, np.int32),
        following=zeros(symbols, np.int32),
    )


def new_pending() -> PendingWords:
    """Return empty arrays for words that are merged side by side."""
    symbols, previous, following, priorities, pairs = zeros(5 * SYMBOL_CAPACITY, np.int32).reshape(5, SYMBOL_CAPACITY)
    bases, sizes, minima, slots, active = np.zeros((5, MAX_WORDS), np.int64)
    state = np.zeros(2, np.int64)
    words = PendingWords(symbols, previous, following, priorities, pairs, bases, sizes, minima, slots, active, state)
    clear_pending(words)
    return words
