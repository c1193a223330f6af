"""Find words that a counts file has twice, in little memory."""

from typing import Final, Self

import numpy as np

from bpe_gui.engine.corpora.word_arrays import WordArrays
from bpe_gui.engine.runtime.arrays import Int64Array

from .spilling import SpillFolder

_SHARE: Final = 8
"""Hashes take at most this part of the memory of words; more of them go to disk."""

_BLOCK: Final = 1 << 20  # hashes that are read from disk at a time


class WordHashes:
    """The hashes of the words of one file, which are added in batches, until the context is left."""

    def __init__(self, folder: SpillFolder) -> None:
        from tempfile import SpooledTemporaryFile

        self._folder = folder
        self._memory = folder.memory // _SHARE
        self._file = SpooledTemporaryFile(self._memory, dir=str(folder.path))  # noqa: SIM115 (closed on exit)
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, words: WordArrays) -> None:
        """Add the hashes of words. Raise CorpusError if the disk is full."""
        with self._folder.errors():
            self._file.write(words.hashes().data)
        self._count += len(words)

    def repeated(self) -> Int64Array:
        """Return the hashes that occur more than once. Raise CorpusError if the disk cannot be read.

        Equal words have equal hashes; others may have them too, but that is very rare.
        """
        passes = 1 + 8 * self._count // self._memory
        with self._folder.errors():
            return np.concatenate([repeated_numbers(self._part(number, passes)) for number in range(passes)])

    def _part(self, number: int, passes: int) -> Int64Array:
        """Return the hashes that leave the remainder `number` when they are divided by `passes`."""
        self._file.seek(0)
        parts = [np.empty(0, np.int64)]
        while block := self._file.read(8 * _BLOCK):
            hashes = np.frombuffer(block, np.int64)
            parts.append(hashes[hashes % passes == number] if passes > 1 else hashes)
        return np.concatenate(parts)


def repeated_numbers(numbers: Int64Array) -> Int64Array:
    """Return the numbers that occur more than once, in ascending order.

    >>> repeated_numbers(np.array([7, 3, 9, 3])).tolist()
    [3]
    """
    ascending = np.sort(numbers)  # several times as fast as finding out where they are
    return np.unique(ascending[1:][ascending[1:] == ascending[:-1]])
