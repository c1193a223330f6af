"""Cutting text into words, some at a time."""

from typing import Final

from bpe_gui.engine.kernels.text.gpt2_word_starts import Stretch, find_begins
from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.records import Bytes, Longs
from bpe_gui.engine.kernels.text.scanning import GPT2, last_boundary, word_end

_WORDS_AHEAD: Final = 256


@helper
def next_words(splitter: int, text: Bytes, at: int, end: int, classes: Bytes, stretch: Stretch, begins: Longs) -> int:
    """Write where some words begin from `at` on, and where the last of these ends. Returns how many these are.

    What is between `at` and `end` is a text of its own, from where a word begins. `begins` has room for `STRETCH` + 2.
    """
    if splitter == GPT2:
        return find_begins(text, at, end, classes, stretch, begins)
    words = 0
    while at < end and words < _WORDS_AHEAD:
        begins[words] = at
        at = word_end(splitter, text, at, end, classes)
        words += 1
    begins[words] = at
    return words


@kernel
def find_words(
    splitter: int, text: Bytes, at: int, end: int, classes: Bytes, stretch: Stretch, begins: Longs, ends: Longs
) -> int:
    """Write where each word of a text ends. Returns how many these are."""
    found = 0
    while at < end:
        words = next_words(splitter, text, at, end, classes, stretch, begins)
        for i in range(words):
            ends[found + i] = begins[i + 1]
        at = begins[words]
        found += words
    return found


@kernel
def find_boundary(text: Bytes, at: int, end: int, classes: Bytes, after: int) -> int:
    """The last place between `at` and `end` where a text can be cut, before a kind in `after`, or `at`."""
    return last_boundary(text, at, end - 1, classes, after)
