"""Count words into a file, or merge counts files, within a memory limit."""

import logging
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, Self

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.kernels.text.word_table import WORDS
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.files import reason_of
from bpe_gui.engine.runtime.types import Int64Array, Progress
from bpe_gui.engine.text.compiled_splitters import splitter_of
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens

from .corpus import Amounts, Corpus, check_not_all_skipped
from .counting import count_parts
from .counts_facts import CountsFacts, distances_in_corpus, merged_facts
from .counts_file import Written, check_can_write, open_counts, repeated_numbers, write_counts
from .documents import FileDocument
from .word_arrays import BYTES_A_WORD, WordArrays, WordTally, concatenated

LEAST_MEMORY: Final = 270_000_000
"""The lowest memory limit in bytes, because the program needs some memory for itself."""

_WORK: Final = 1 << 26
"""The least memory for tallies, in bytes."""

_WRITING: Final = 1 << 26
"""Bytes of memory that writing a file takes."""

_logger: Final = logging.getLogger(__name__)

_TABLE_SHARE: Final = 0.6
"""The share of a tally's memory for its table; sorting its words takes the rest."""

_MAX_SEGMENTS: Final = 1 << 10
_DEFAULT_SEGMENTS: Final = 1 << 6  # if the size of the text is not known
_MEMORY_PER_BYTE: Final = 60
"""The most memory that merging takes per byte of text, if its words are all different and of the usual length."""

_SEGMENT_BITS: Final = 32
"""The lowest bit of a hash that chooses its segment; tables use the bits below."""

_MERGING: Final = 3 * BYTES_A_WORD + 40
"""Bytes of memory for each word that is merged: a table, before and after it has grown, and the result in order."""

_COPIES: Final = 8
"""How many copies of a stretch's words are in memory while they are sorted and written, doubled because a stretch may
turn out larger than expected."""

_SAMPLES: Final = 1 << 12  # positions kept for each spill, evenly spaced in memory

_SHARE: Final = 8
"""Of the memory for words, hashes take at most one part in this many; the rest of them go to disk."""

_BLOCK: Final = 1 << 20  # hashes read from disk at a time

_NUMBERS = 3  # for each word: its size in bytes, its count and its position
_ITEM = 8  # bytes of a number
_BUFFER = 1 << 20  # bytes


@dataclass(slots=True)
class SpillFolder:
    """The folder that tallies spill to, and the `memory` in bytes that they share."""

    path: Path
    memory: int
    segments: int
    """The number of segments of a spill."""
    _numbers: "count[int]" = field(default_factory=count)

    @classmethod
    def for_text(cls, path: Path, memory: int, size: int) -> "SpillFolder":
        """Return a folder for the words of `size` bytes of text; 0 means unknown."""
        segments = -(-_MEMORY_PER_BYTE * size // memory) if size else _DEFAULT_SEGMENTS
        return cls(path, memory, max(1, min(segments, _MAX_SEGMENTS)))

    def new_path(self) -> Path:
        """Return the path of a new temporary file."""
        return self.path / f"{next(self._numbers)}.words"

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn a system error into a CorpusError."""
        try:
            yield
        except OSError as error:
            raise CorpusError(
                "The words need more memory than allowed, but they cannot be written to the folder {path}: {reason}.",
                path=self.path,
                reason=reason_of(error),
            ) from error


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A temporary file of words in segments: first the numbers of a segment's words, by kind, and then their text."""

    path: Path
    words: Int64Array
    """The number of words in each segment."""
    starts: Int64Array
    """The offset of each segment in the file, followed by the size of the file."""

    @classmethod
    def write(cls, path: Path, words: WordArrays, stops: Int64Array) -> "SegmentFile":
        """Write words, with a segment ending before each index in `stops`. Raise OSError."""
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
        """Return the size of the text in a segment, in bytes."""
        size = int(self.starts[segment + 1] - self.starts[segment])
        return size - _NUMBERS * _ITEM * int(self.words[segment])


@dataclass(frozen=True, slots=True)
class _Spill:
    """Words that a tally moved to disk, and a sample of their positions, evenly spaced by memory."""

    file: SegmentFile
    samples: Int64Array


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
        """Make room for `size` more bytes of text; spill first if that would take too much memory."""
        table = self.table
        used = int(table.starts[self.unique_words])
        grown = BYTES_A_WORD * len(table.starts) + len(table.text) + 2 * (used + size)
        if self.unique_words and used + size + PADDING > len(table.text) and grown > self._most:
            self.spill()
        super().reserve_text(size)

    def spill(self) -> None:
        """Move the words to a file. Raise CorpusError."""
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
    """The words of tallies that counted consecutive parts of the corpus."""

    def __init__(self, folder: SpillFolder, tallies: Sequence[SpillingTally]) -> None:
        """Spill the words that are still in the tallies."""
        self._folder = folder
        self._spills: list[tuple[_Spill, int]] = []
        at = 0
        for tally in tallies:
            tally.spill()
            self._spills += [(spill, at) for spill in tally.spills]
            at += tally.read

    def pieces(self, progress: Progress | None = None) -> Iterator[WordArrays]:
        """Yield all words in pieces, in first-seen order. Raise CorpusError.

        `progress` is called with the number of steps done and in total.
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
                spill.file.path.unlink()
            for index in range(len(limits)):
                yield concatenated([file.read(index) for file in files]).as_first_seen()
                if progress:
                    progress(self._folder.segments + index + 1, steps)

    def _limits(self) -> Int64Array:
        """Return positions that divide the corpus into stretches with few enough new words each."""
        samples = np.sort(np.concatenate([spill.samples + distance for spill, distance in self._spills]))
        memory = sum(int(spill.file.starts[-1]) for spill, _distance in self._spills)  # that the words take, in bytes
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


class WordHashes:
    """The hashes of one file's words, added in batches within a `with` statement."""

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

        Equal words have equal hashes; different words very rarely do.
        """
        passes = 1 + 8 * self._count // self._memory
        with self._folder.errors():
            return np.concatenate([repeated_numbers(self._part(number, passes)) for number in range(passes)])

    def _part(self, number: int, passes: int) -> Int64Array:
        """Return the hashes that equal `number` modulo `passes`."""
        self._file.seek(0)
        parts = [np.empty(0, np.int64)]
        while block := self._file.read(8 * _BLOCK):
            hashes = np.frombuffer(block, np.int64)
            parts.append(hashes[hashes % passes == number] if passes > 1 else hashes)
        return np.concatenate(parts)


def count_to_file(
    corpus: Corpus,
    path: Path,
    recipe: Recipe,
    special_tokens: Iterable[str],
    *,
    memory_limit: int,
    start: int = 0,
    progress: Progress | None = None,
    sorting: Progress | None = None,
) -> Written:
    """Count the words of a corpus into a file, and return how many there are. The counts equal those of `Corpus.count`.

    The program takes at most `memory_limit` bytes of memory: words that do not fit go to a temporary folder next to the
    file. `start` is where in a larger corpus this part begins. `progress` is called with the bytes read and in total,
    and `sorting` while words on disk are sorted. Raise EngineError without changing anything.
    """
    specials = SpecialTokens(special_tokens)
    check_can_write(path, (each.path for each in corpus.documents if isinstance(each, FileDocument)))
    if corpus.weights:
        raise CorpusError(
            "A counts file contains unweighted counts. Leave the weights out, and give the file a weight when you "
            "train on it."
        )
    with _folder_beside(path, memory_limit, corpus.size()) as folder:
        tallies, sizes = _count(corpus, splitter_of(recipe), specials.removed_from_corpus(recipe), folder, progress)
        if not sizes.bytes:
            check_not_all_skipped(sizes.skipped)
            raise CorpusError("The corpus is empty, so there are no words to count. Add some text.")
        facts = corpus.facts(corpus.part_sizes(), recipe, specials, sizes).moved(start)
        pieces = _pieces(folder, tallies, sorting)
        return write_counts(path, facts, (piece.moved(start) for piece in pieces))


def merge_files(
    paths: Sequence[Path],
    path: Path,
    *,
    memory_limit: int,
    progress: Progress | None = None,
    sorting: Progress | None = None,
) -> Written:
    """Merge counts files into another, as `WordCounts.merge` does, and return how many words there are.

    `progress` is called with the words read and in total; the rest is as for `count_to_file`. Raise CorpusError with
    the row if a file has a word twice.
    """
    check_can_write(path, paths)
    facts: list[CountsFacts] = []
    total = 0
    for each in paths:
        with open_counts(each) as file:
            facts.append(file.facts)
            total += file.words
    distances = distances_in_corpus(facts)
    merged = merged_facts([each.moved(distance) for each, distance in zip(facts, distances, strict=True)])
    with _folder_beside(path, memory_limit, merged.bytes) as folder:
        tally = SpillingTally(folder, folder.memory)
        done = 0
        for each, distance in zip(paths, distances, strict=True):
            with open_counts(each) as file, WordHashes(folder) as hashes:
                for words in file.batches():
                    tally.add(words.moved(distance))
                    hashes.add(words)
                    done += len(words)
                    if progress:
                        progress(done, total)
                file.check_different(hashes.repeated())
        return write_counts(path, merged, _pieces(folder, [tally], sorting))


@contextmanager
def _folder_beside(path: Path, memory_limit: int, size: int) -> Iterator[SpillFolder]:
    """Make a folder for words that do not fit in memory, and remove it afterwards. Raise EngineError."""
    if memory_limit < LEAST_MEMORY:
        raise CorpusError(
            "Counting takes at least {least:,} MB of memory. It cannot be limited to {limit:,} MB.",
            least=LEAST_MEMORY // 1_000_000,
            limit=memory_limit // 1_000_000,
        )
    with tempfile.TemporaryDirectory(prefix=".bpe-gui-", dir=path.absolute().parent) as folder:
        words_memory = _memory_for_words(memory_limit)
        _logger.info("%d MB of memory for words", words_memory // 1_000_000)
        yield SpillFolder.for_text(Path(folder), words_memory, size)


def _memory_for_words(memory_limit: int) -> int:
    """Return how many bytes of the program's memory limit tallies may take."""
    return max(_WORK, memory_limit - memory.in_use() - _WRITING)


def _count(
    corpus: Corpus, splitter: Splitter, specials: SpecialTokens, folder: SpillFolder, progress: Progress | None
) -> tuple[list[SpillingTally], Amounts]:
    """Return the tallies of consecutive parts of the corpus, and its sizes."""
    tallies: list[SpillingTally] = []

    def new_tally(parts: int) -> WordTally:
        tallies.append(SpillingTally(folder, folder.memory // parts))
        return tallies[-1]

    count_parts(corpus.parts(), corpus.part_sizes(), splitter, specials, progress, (), new_tally)
    sizes = [(tally.characters, tally.bytes, tally.read, tally.skipped) for tally in tallies]
    return tallies, Amounts(*map(sum, zip(*sizes, strict=True)))


def _pieces(folder: SpillFolder, tallies: list[SpillingTally], sorting: Progress | None) -> Iterable[WordArrays]:
    """Return all words in first-seen order. Raise CorpusError."""
    if not any(tally.spills for tally in tallies):
        while len(tallies) > 1:
            tallies[0].add_following(tallies.pop(1))  # may spill
    if any(tally.spills for tally in tallies):
        return SpilledWords(folder, tallies).pieces(sorting)
    return [tallies[0].words().as_first_seen()]
