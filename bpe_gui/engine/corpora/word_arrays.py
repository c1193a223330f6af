"""Words with their counts in arrays: the form in which they are merged, sorted, written and read."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.text.word_table import (
    LATEST,
    ORIGIN,
    WIDTH,
    WORDS,
    WordTable,
    add_words,
    gather_words,
    hash_words,
    move_slots,
    write_frequencies,
)
from bpe_gui.engine.runtime.memory import zeros
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array
from bpe_gui.engine.text.compiled_splitters import new_batch


@dataclass(frozen=True, slots=True, eq=False)
class WordArrays:
    """Words with their counts, and where in the corpus each was first seen."""

    text: UInt8Array
    """All words in UTF-8, one after another, and at least `PADDING` bytes more."""
    starts: Int64Array
    """The offset in `text` at which each word starts, followed by the end of the last word."""
    frequencies: Int64Array
    """The count of each word."""
    first_seen: Int64Array
    """The position in the corpus at which each word was first seen, in bytes of UTF-8."""

    @classmethod
    def of(cls, counts: Mapping[str, int], first_seen: Collection[int]) -> "WordArrays":
        """Return the arrays of these counts. `first_seen` has the positions in the same order.

        >>> WordArrays.of({"low": 2, "er": 1}, [0, 3]).starts.tolist()
        [0, 3, 5]
        """
        words = [word.encode() for word in counts]
        starts = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, words), np.int64, len(words)), out=starts[1:])
        numbers = np.fromiter(counts.values(), np.int64, len(words))
        return cls(padded(b"".join(words)), starts, numbers, np.fromiter(first_seen, np.int64, len(words)))

    def __len__(self) -> int:
        return len(self.frequencies)

    @property
    def text_size(self) -> int:
        """The size of all words together, in bytes."""
        return int(self.starts[-1])

    @property
    def bytes_counted(self) -> float:
        """The total size in bytes, each word times its count; approximate, because it may be very large."""
        return float(np.dot(self.frequencies.astype(np.float64), np.diff(self.starts).astype(np.float64)))

    def copy(self) -> "WordArrays":
        """Return the words in arrays of their own, without spare capacity."""
        text = padded(self.text[: self.text_size])
        return WordArrays(text, self.starts.copy(), self.frequencies.copy(), self.first_seen.copy())

    def hashes(self) -> Int64Array:
        """Return a hash of each word: 63 well mixed bits."""
        hashes = np.empty(len(self), np.int64)
        hash_words(self.text, self.starts, hashes)
        return hashes

    def in_order(self, order: Int64Array) -> "WordArrays":
        """Return the words with these indices, in this order."""
        sizes = np.diff(self.starts)[order]
        text, starts = np.zeros(int(sizes.sum()) + PADDING, np.uint8), np.empty(len(order) + 1, np.int64)
        gather_words(self.text, self.starts, order, text, starts)
        return WordArrays(text, starts, self.frequencies[order], self.first_seen[order])

    def as_first_seen(self) -> "WordArrays":
        """Return the words in the order in which they were first seen.

        >>> WordArrays.of({"low": 2, "er": 1}, [5, 0]).as_first_seen().frequencies.tolist()
        [1, 2]
        """
        is_sorted = bool(np.all(self.first_seen[1:] >= self.first_seen[:-1]))
        return self if is_sorted else self.in_order(np.argsort(self.first_seen, kind="stable"))

    def moved(self, distance: int) -> "WordArrays":
        """Return the words as seen `distance` bytes later in the corpus."""
        return WordArrays(self.text, self.starts, self.frequencies, self.first_seen + distance) if distance else self


def padded(data: bytes | UInt8Array) -> UInt8Array:
    """Return a copy of bytes with the padding that kernels need."""
    text = np.zeros(len(data) + PADDING, np.uint8)
    text[: len(data)] = np.frombuffer(data, np.uint8)
    return text


def concatenated(pieces: Iterable[WordArrays]) -> WordArrays:
    """Return the words of all pieces, one piece after another.

    >>> both = concatenated([WordArrays.of({"low": 2}, [0]), WordArrays.of({"er": 1}, [3])])
    >>> both.starts.tolist(), both.frequencies.tolist()
    ([0, 3, 5], [2, 1])
    """
    pieces = list(pieces)
    none = [np.empty(0, np.int64)]
    starts = np.zeros(sum(map(len, pieces)) + 1, np.int64)
    np.cumsum(np.concatenate([*none, *(np.diff(piece.starts) for piece in pieces)]), out=starts[1:])
    text = np.zeros(int(starts[-1]) + PADDING, np.uint8)
    at = 0
    for piece in pieces:
        text[at : at + piece.text_size] = piece.text[: piece.text_size]
        at += piece.text_size
    frequencies = np.concatenate([*none, *(piece.frequencies for piece in pieces)])
    return WordArrays(text, starts, frequencies, np.concatenate([*none, *(piece.first_seen for piece in pieces)]))


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
        """The size in bytes of the texts that were read: each document once, whatever its weight."""
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
        """Where in the corpus the text begins whose words a kernel is about to count."""
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
        """Add the counts of words. A word that is already there keeps the lower of its two first positions."""
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
