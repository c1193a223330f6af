"""Words in temporary files, in segments that are read one by one."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bpe_gui.engine.corpora.word_arrays import WordArrays
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.runtime.arrays import Int64Array

_NUMBERS = 3  # for each word: its size in bytes, its count and its position
_ITEM = 8  # bytes of a number
_BUFFER = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A temporary file of words. A segment is the numbers of its words, each kind together, and then their text."""

    path: Path
    words: Int64Array
    """By segment: the number of words."""
    starts: Int64Array
    """By segment: its offset in the file; and at last the size of the file."""

    @classmethod
    def write(cls, path: Path, words: WordArrays, stops: Int64Array) -> "SegmentFile":
        """Write words, of which a segment ends before each of the numbers in `stops`. Raise OSError."""
        bounds = np.concatenate([np.zeros(1, np.int64), stops.astype(np.int64)])
        counts, text = np.diff(bounds), np.diff(words.starts[bounds])
        starts = np.zeros(len(bounds), np.int64)
        np.cumsum(_NUMBERS * _ITEM * counts + text, out=starts[1:])
        sizes = np.diff(words.starts)
        with path.open("wb", buffering=_BUFFER) as file:
            for first, stop in zip(bounds[:-1].tolist(), stops.tolist(), strict=True):
                for numbers in (sizes, words.frequencies, words.first_seen):
                    file.write(numbers[first:stop].data)
                file.write(words.text[int(words.starts[first]) : int(words.starts[stop])].data)
        return cls(path, counts, starts)

    def read(self, segment: int) -> WordArrays:
        """Return the words of a segment. Raise OSError."""
        count, start = int(self.words[segment]), int(self.starts[segment])
        size = int(self.starts[segment + 1]) - start
        data = np.zeros(size + PADDING, np.uint8)
        if size:
            with self.path.open("rb", buffering=0) as file:
                file.seek(start)
                if file.readinto(data.data[:size]) != size:
                    raise OSError(f"{self.path} was truncated")
        numbers = data[: _NUMBERS * _ITEM * count].view(np.int64).reshape(_NUMBERS, count)
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(numbers[0], out=starts[1:])
        return WordArrays(data[_NUMBERS * _ITEM * count :], starts, numbers[1], numbers[2])

    def text_size(self, segment: int) -> int:
        """Return the bytes of text in a segment."""
        size = int(self.starts[segment + 1] - self.starts[segment])
        return size - _NUMBERS * _ITEM * int(self.words[segment])

    def remove(self) -> None:
        """Remove the file. Raise OSError."""
        self.path.unlink()
