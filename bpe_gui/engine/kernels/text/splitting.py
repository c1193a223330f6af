"""Split text into words, some at a time."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array

from .gpt2_word_starts import StretchBitmaps, find_word_starts
from .scanning import GPT2, last_boundary, word_end

_WORDS_AT_ONCE: Final = 256  # that are split off at a time


@helper
def next_words(
    splitter: int,
    text: UInt8Array,
    at: int,
    end: int,
    classes: UInt8Array,
    bitmaps: StretchBitmaps,
    starts: Int64Array,
) -> int:
    """Write the offsets at which the next words start, from `at` on, and where the last one ends. Return their number.

    The text from `at`, where a word starts, to `end` is split as if nothing followed. `starts` has a capacity of
    `STRETCH` + 2.
    """
    if splitter == GPT2:
        return find_word_starts(text, at, end, classes, bitmaps, starts)
    words = 0
    while at < end and words < _WORDS_AT_ONCE:
        starts[words] = at
        at = word_end(splitter, text, at, end, classes)
        words += 1
    starts[words] = at
    return words


@kernel
def find_words(
    splitter: int,
    text: UInt8Array,
    at: int,
    end: int,
    classes: UInt8Array,
    bitmaps: StretchBitmaps,
    starts: Int64Array,
    ends: Int64Array,
) -> int:
    """Write the offsets at which the words of a text end to `ends`. Return their number."""
    found = 0
    while at < end:
        words = next_words(splitter, text, at, end, classes, bitmaps, starts)
        for i in range(words):
            ends[found + i] = starts[i + 1]
        at = starts[words]
        found += words
    return found


@kernel
def find_boundary(text: UInt8Array, at: int, end: int, classes: UInt8Array, after: int) -> int:
    """Return the last offset between `at` and `end` at which splitting changes no word, as `last_boundary`, or `at`."""
    return last_boundary(text, at, end - 1, classes, after)
