"""Unique words with their counts in a hash table that grows."""

from dataclasses import replace
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.text.word_table import (
    LATEST,
    ORIGIN,
    WIDTH,
    WORDS,
    WordTable,
    add_words,
    move_slots,
    write_frequencies,
)
from bpe_gui.engine.runtime.memory import zeros
from bpe_gui.engine.text.compiled_splitters import new_batch

from .word_arrays import WordArrays

_INITIAL_CAPACITY: Final = 1 << 13  # words

BYTES_A_WORD: Final = 8 * (2 * WIDTH + 2)
"""Bytes of memory that a table has for each word of its capacity, besides the text of the words."""


class WordTally:
    """Unique words with their counts and first positions, and the size of the text they were counted in."""

    def __init__(self) -> None:
        slots = zeros(2 * WIDTH * _INITIAL_CAPACITY, np.int64)
        starts, positions = np.zeros(_INITIAL_CAPACITY + 1, np.int64), np.zeros(_INITIAL_CAPACITY + 1, np.int64)
        self.table = WordTable(slots, np.empty(0, np.uint8), starts, positions, np.zeros(ORIGIN + 1, np.int64))
        self.characters = 0
        self.bytes = 0
        self.read = 0
        """The bytes of the texts that were read: each document once, whatever its weight."""
        self.skipped = 0

    @property
    def unique_words(self) -> int:
        """The number of unique words in the table."""
        return int(self.table.state[WORDS])

    def words(self) -> WordArrays:
        """Return the words, in the order in which they were added, in arrays that are valid until more are added."""
        count = self.unique_words
        frequencies = np.empty(count, np.int64)
        write_frequencies(self.table.slots, frequencies)
        return WordArrays(self.table.text, self.table.starts[: count + 1], frequencies, self.table.positions[:count])

    @property
    def origin(self) -> int:
        """The position in the corpus of the beginning of the text whose words a kernel is about to count."""
        return int(self.table.state[ORIGIN])

    @origin.setter
    def origin(self, position: int) -> None:
        self.table.state[ORIGIN] = position

    def double_capacity(self) -> None:
        """Grow the table to twice as many words."""
        table = self.table
        starts, positions = zeros(2 * len(table.starts), np.int64), zeros(2 * len(table.starts), np.int64)
        starts[: len(table.starts)] = table.starts
        positions[: len(table.starts)] = table.positions
        slots = zeros(2 * len(table.slots), np.int64, huge_pages=True)
        move_slots(table.slots, slots)
        self.table = replace(table, slots=slots, starts=starts, positions=positions)

    def reserve_text(self, size: int) -> None:
        """Grow the text so that words of `size` bytes can be added. Words are compared eight bytes at a time."""
        table = self.table
        used = int(table.starts[self.unique_words])
        if used + size + PADDING > len(table.text):
            text = zeros(2 * (used + size) + PADDING, np.uint8)
            text[:used] = table.text[:used]
            self.table = replace(table, text=text)

    def add(self, words: WordArrays) -> None:
        """Add the counts of words. One that is known was first seen at the lower of its positions."""
        self.reserve_text(words.text_size)
        self.origin = LATEST
        batch = new_batch()
        added = 0
        while added < len(words):
            added = add_words(self.table, batch, words.text, words.starts, words.frequencies, words.first_seen, added)
            if added < len(words):
                self.double_capacity()

    def add_following(self, other: "WordTally") -> None:
        """Add the counts of the text that follows."""
        self.add(other.words().moved(self.read))
        self.characters += other.characters
        self.bytes += other.bytes
        self.read += other.read
        self.skipped += other.skipped
