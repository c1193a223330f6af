"""Words with their counts in arrays: the form in which they are merged, sorted, written and read."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.text.word_table import gather_words, hash_words
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array


@dataclass(frozen=True, slots=True, eq=False)
class WordArrays:
    """Words with their counts, and where in the corpus each was first seen."""

    text: UInt8Array
    """All words in UTF-8, one after another, and at least `PADDING` bytes more."""
    starts: Int64Array
    """The offset in `text` at which each word starts, and at last the end of the last word."""
    frequencies: Int64Array
    """The count of each word."""
    first_seen: Int64Array
    """By word: the position in the corpus, in bytes of UTF-8, at which it was first seen."""

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
        """The bytes of all words together."""
        return int(self.starts[-1])

    @property
    def bytes_counted(self) -> float:
        """The bytes of all words together, each as often as it was counted; about, for it may be a large number."""
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
        """Return the words with these numbers."""
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
