"""Count more words than fit in memory: what was counted goes to disk, and is merged there a part at a time.

A tally that is full spills: its words go to a file, in segments by a hash. Then the segments of one hash are merged at
a time, since the same words are in the same segments, and each result is written in segments by position. Reading those
of one stretch of the corpus at a time gives all words in the order in which they were first seen.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.word_arrays import WordArrays, concatenated
from bpe_gui.engine.corpora.word_tally import BYTES_A_WORD, WordTally
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.text.word_table import WORDS
from bpe_gui.engine.runtime.arrays import Int64Array
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress

from .segments import SegmentFile

_TABLE_SHARE: Final = 0.6
"""The share of the memory of a tally that its table gets; sorting its words takes the rest."""

_MOST_SEGMENTS: Final = 1 << 10
_SEGMENTS_OF_UNKNOWN: Final = 1 << 6
_MEMORY_PER_BYTE: Final = 60
"""The most memory that merging takes for a byte of text, all of whose words are different and of the usual length."""

_SEGMENT_BITS: Final = 32
"""The bits of a hash that tables use are below these."""

_MERGING: Final = 3 * BYTES_A_WORD + 40
"""Bytes of memory for each word that is merged: a table, before and after it has grown, and the result in order."""

_COPIES: Final = 8
"""How often the words of a stretch of the corpus are in memory while they are put in order and written, and as much
again for stretches that turn out larger."""

_SAMPLES: Final = 1 << 12  # of the positions in a spill, at equal distances in memory

_logger: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class SpillFolder:
    """Where tallies spill to, and how much memory they may take: `memory` bytes for all of them together."""

    path: Path
    memory: int
    segments: int
    """The number of segments of a spill."""
    _numbers: "count[int]" = field(default_factory=count)

    @classmethod
    def for_text(cls, path: Path, memory: int, size: int) -> "SpillFolder":
        """Return a folder for the words of `size` bytes of text; 0 if that is not known."""
        segments = -(-_MEMORY_PER_BYTE * size // memory) if size else _SEGMENTS_OF_UNKNOWN
        return cls(path, memory, max(1, min(segments, _MOST_SEGMENTS)))

    def new_path(self) -> Path:
        """Return the path of a new temporary file."""
        return self.path / f"{next(self._numbers)}.words"

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn an error of the system into a CorpusError."""
        try:
            yield
        except OSError as error:
            raise CorpusError(
                _(
                    "EngineError",
                    "The words need more memory than allowed, but they cannot be written to the folder {path}: "
                    "{reason}.",
                ),
                path=self.path,
                reason=error.strerror or error,
            ) from error


@dataclass(frozen=True, slots=True)
class _Spill:
    """The words that were in a tally, on disk, and some of their positions, between which equally much memory lies."""

    file: SegmentFile
    samples: Int64Array

    @property
    def memory(self) -> int:
        """The bytes of memory that the words take."""
        return int(self.file.starts[-1])


class SpillingTally(WordTally):
    """A tally that spills instead of growing beyond `memory` bytes."""

    def __init__(self, folder: SpillFolder, memory: int) -> None:
        super().__init__()
        self.spills: list[_Spill] = []
        self._folder = folder
        self._most = int(_TABLE_SHARE * memory)

    def double_capacity(self) -> None:
        """Grow the table to twice as many words, or spill."""
        capacity = len(self.table.starts)
        if self.unique_words and 3 * BYTES_A_WORD * capacity + len(self.table.text) > self._most:
            self.spill()
        else:
            super().double_capacity()

    def reserve_text(self, size: int) -> None:
        """Grow the text, or spill first."""
        table = self.table
        used = int(table.starts[self.unique_words])
        grown = BYTES_A_WORD * len(table.starts) + len(table.text) + 2 * (used + size)
        if self.unique_words and used + size + PADDING > len(table.text) and grown > self._most:
            self.spill()
        super().reserve_text(size)

    def spill(self) -> None:
        """Write the words to a file, and go on without them. Raise CorpusError."""
        words = self.words()
        if not len(words):
            return
        segments = self._folder.segments
        numbers = (words.hashes() >> _SEGMENT_BITS) % segments
        ordered = words.in_order(np.argsort(numbers, kind="stable"))
        stops = np.cumsum(np.bincount(numbers, minlength=segments))
        with self._folder.errors():
            file = SegmentFile.write(self._folder.new_path(), ordered, stops)
        self.spills.append(_Spill(file, _samples(words)))
        _logger.info("spilled %d words, %d bytes", len(words), file.starts[-1])
        self.table.slots[:] = 0
        self.table.state[WORDS] = 0


def _samples(words: WordArrays) -> Int64Array:
    words = words.as_first_seen()
    memory = words.starts[1:] + 24 * np.arange(1, len(words) + 1)
    marks = np.linspace(0, int(memory[-1]), _SAMPLES, endpoint=False)
    samples: Int64Array = words.first_seen[np.searchsorted(memory, marks, "right").clip(0, len(words) - 1)]
    return samples


class SpilledWords:
    """The words of several tallies, each of the part of the corpus that follows the one before."""

    def __init__(self, folder: SpillFolder, tallies: Sequence[SpillingTally]) -> None:
        """Spill what the tallies still have."""
        self._folder = folder
        self._spills: list[tuple[_Spill, int]] = []
        at = 0
        for tally in tallies:
            tally.spill()
            self._spills += [(spill, at) for spill in tally.spills]
            at += tally.read

    def pieces(self, progress: Progress | None = None) -> Iterator[WordArrays]:
        """Yield all words, a piece at a time, in the order in which they were first seen. Raise CorpusError.

        `progress` is called with the segments that are merged or read, and with all of them.
        """
        with self._folder.errors():
            limits = self._limits()
            steps = self._folder.segments + len(limits)
            files: list[SegmentFile] = []
            for segment in range(self._folder.segments):
                files += self._merge(segment, limits)
                if progress:
                    progress(segment + 1, steps)
            for spill, _distance in self._spills:
                spill.file.remove()
            for index in range(len(limits)):
                yield concatenated([file.read(index) for file in files]).as_first_seen()
                if progress:
                    progress(self._folder.segments + index + 1, steps)

    def _limits(self) -> Int64Array:
        """Return positions of the corpus between which few enough words were first seen."""
        samples = np.sort(np.concatenate([spill.samples + distance for spill, distance in self._spills]))
        memory = sum(spill.memory for spill, _distance in self._spills)
        stretches = max(1, -(-_COPIES * memory // self._folder.memory))
        inner = samples[np.linspace(0, len(samples), stretches, endpoint=False).astype(np.int64)[1:]]
        return np.append(np.unique(inner), np.int64(1 << 62))

    def _merge(self, segment: int, limits: Int64Array) -> Iterator[SegmentFile]:
        """Merge a segment of all spills, in several passes if it is large, and yield each result."""
        words = sum(int(spill.file.words[segment]) for spill, _distance in self._spills)
        text = sum(spill.file.text_size(segment) for spill, _distance in self._spills)
        passes = max(1, -(-(_MERGING * words + 5 * text) // self._folder.memory))
        for number in range(passes):
            tally = WordTally()
            for spill, distance in self._spills:
                piece = spill.file.read(segment)
                if passes > 1:
                    part = (piece.hashes() >> _SEGMENT_BITS) // self._folder.segments % passes
                    piece = piece.in_order(np.flatnonzero(part == number))
                tally.add(piece.moved(distance))
            merged = tally.words().as_first_seen()
            stops = np.searchsorted(merged.first_seen, limits)
            yield SegmentFile.write(self._folder.new_path(), merged, stops)
