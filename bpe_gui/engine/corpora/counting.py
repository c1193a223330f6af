"""Counting the words of documents by kernels, in a block of UTF-8 at a time, and in several threads.

Each thread has documents, or parts of them, that follow one another, and a table of its own. The tables are put
together in the order of the documents, so that words are first seen where one thread would have seen them first.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.corpora.documents import Document, FileDocument, TextDocument
from bpe_gui.engine.kernels.text.gpt2_word_starts import GROUPS, STRETCH, Stretch
from bpe_gui.engine.kernels.text.counting import count_block
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.kernels.text.scanning import CL100K, GPT2, O200K, SPACE
from bpe_gui.engine.kernels.text.splitting import find_boundary, find_words
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters
from bpe_gui.engine.kernels.text.word_keys import BATCH, WIDTH, Batch, move_slots
from bpe_gui.engine.kernels.text.word_table import WORDS, WordTable, add_words, note_frequencies
from bpe_gui.engine.runtime.memory import zeros
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.corpora.utf8_reader import Part, Source, parts_of
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.runtime.threads import threads_worth
from bpe_gui.engine.text.character_classes import unicode_classes

SCANNERS: Final = {"gpt2": GPT2, "cl100k": CL100K, "o200k": O200K}
"""The splitters that kernels know."""

BLOCK = 1 << 18
"""Bytes that are read at a time: few enough to stay near the processor."""

THREAD_WORK = 1 << 21
"""Bytes that are worth a thread of their own."""

_PAUSE: Final = 0.02  # seconds between two reports
_FIRST_WORDS: Final = 1 << 13  # that a table has room for at first


class Counted:
    """Unique words with their counts, in arrays as `WordCounts` has them, and the size of what was counted."""

    def __init__(self) -> None:
        slots = zeros(2 * WIDTH * _FIRST_WORDS, np.int64)
        starts = np.zeros(_FIRST_WORDS + 1, np.int64)
        self.table = WordTable(slots, np.empty(0, np.uint8), starts, np.zeros(WORDS + 1, np.int64))
        self.characters = 0
        self.bytes = 0

    @property
    def words(self) -> int:
        """How many there are."""
        return int(self.table.state[WORDS])

    def arrays(self) -> tuple[npt.NDArray[np.uint8], Longs, Longs]:
        """The text of the words, where they start in it, and their counts."""
        starts = self.table.starts[: self.words + 1].copy()
        frequencies = np.empty(self.words, np.int64)
        note_frequencies(self.table.slots, frequencies)
        return self.table.text[: starts[-1]].copy(), starts, frequencies

    def grow(self) -> None:
        """Make room for twice as many words."""
        table = self.table
        starts = zeros(2 * len(table.starts), np.int64)
        starts[: len(table.starts)] = table.starts
        slots = zeros(2 * len(table.slots), np.int64, is_scattered=True)
        move_slots(table.slots, slots)
        self.table = table._replace(slots=slots, starts=starts)

    def make_room_for_text(self, size: int) -> None:
        """Make sure that so many bytes of words can be added; what is compared may be read in eights."""
        table = self.table
        used = int(table.starts[self.words])
        if used + size + PADDING > len(table.text):
            text = zeros(2 * (used + size) + PADDING, np.uint8)
            text[:used] = table.text[:used]
            self.table = table._replace(text=text)

    def add(self, other: "Counted") -> None:
        """Add what was counted in what follows."""
        text, starts, frequencies = *other.table[1:3], np.empty(other.words, np.int64)
        note_frequencies(other.table.slots, frequencies)
        self.make_room_for_text(int(starts[other.words]))
        batch = new_batch()
        done = 0
        while (done := add_words(self.table, batch, text, starts, frequencies, done)) < other.words:
            self.grow()
        self.characters += other.characters
        self.bytes += other.bytes


def new_batch() -> Batch:
    """A batch in which each word counts once."""
    begins, lows, highs, slots = np.empty((4, BATCH + 2), np.int64)
    return Batch(begins, lows, highs, slots, amounts=np.ones(BATCH, np.int64))


def new_stretch() -> Stretch:
    """Room for what is known of a stretch of text."""
    letters, numbers, spaces, blanks, flags = np.zeros((5, GROUPS + 2), np.int64)
    return Stretch(letters, numbers, spaces, blanks, flags)


def count_words(
    documents: Sequence[Document], splitter: str, specials: SpecialTokens, progress: Progress | None
) -> Counted:
    """Count the words of all documents. Raises CorpusError, and whatever `progress` raises."""
    sizes = [document.size() for document in documents]
    total = sum(sizes)
    workers = [_Worker(parts, splitter, specials) for parts in _shared_out(documents, sizes, specials)]

    def report() -> None:
        if progress:
            progress(min(sum(worker.done for worker in workers), total), total)

    if len(workers) == 1:
        workers[0].work(report)
    else:
        _work_together(workers, report)
    counted = workers[0].counted
    for worker in workers[1:]:
        counted.add(worker.counted)
        del worker.counted  # makes room for the next
    return counted


class _Stopped(Exception):
    """Somebody else ended the work."""


class _Worker:
    """Counts some parts, one after another."""

    def __init__(self, parts: Sequence[Part], splitter: str, specials: SpecialTokens) -> None:
        self.counted = Counted()
        self.done = 0  # bytes
        self.is_stopped = False
        self._parts = parts
        self._scanner = SCANNERS[splitter]
        self._specials = specials.as_bytes()
        self._batch = new_batch()
        self._stretch = new_stretch()
        self._block = np.empty(BLOCK + PADDING, np.uint8)

    def work(self, report: Callable[[], None]) -> None:
        """Count all; `report` is called after each block."""
        for part in self._parts:
            with part.opened() as source:
                self._count(source, report)
                source.finish()

    def work_beside_others(self) -> None:
        """Count all, unless stopped."""
        self.work(self._heed)

    def _heed(self) -> None:
        if self.is_stopped:
            raise _Stopped

    def _count(self, source: Source, report: Callable[[], None]) -> None:
        filled = checked = 0
        is_last = False
        while not is_last:
            room = len(self._block) - PADDING
            before, filled = filled, filled + source.read_into(self._block.data[filled:room])
            is_last = filled < room
            self._block[filled : filled + PADDING] = 0
            checked = source.check(self._block, checked, filled, is_last)
            self.counted.characters += count_characters(self._block, before, filled)
            self.counted.bytes += filled - before
            done = self._count_block(filled, is_last)
            self._carry_on(done, filled)
            filled, checked = filled - done, checked - done
            self.done += done
            report()

    def _count_block(self, filled: int, is_last: bool) -> int:
        """Count what is decided; gives how much that is."""
        counted = self.counted
        counted.make_room_for_text(filled)
        classes = unicode_classes()
        at = 0
        while True:
            at = count_block(
                self._scanner,
                self._block,
                at,
                filled,
                is_last,
                classes,
                self._specials,
                counted.table,
                self._batch,
                self._stretch,
            )
            if at >= 0:
                return at
            at = -1 - at
            counted.grow()

    def _carry_on(self, done: int, filled: int) -> None:
        """Move what is not decided to the front; make the block larger if that is all of it."""
        block = self._block
        if done:
            block[: filled - done] = block[done:filled]
        elif filled + PADDING == len(block):
            self._block = np.empty(2 * filled + PADDING, np.uint8)
            self._block[:filled] = block[:filled]


def _work_together(workers: Sequence[_Worker], report: Callable[[], None]) -> None:
    """Run workers in threads. Raises what the first raised, in the order of the documents, or what `report` raises."""
    with ThreadPoolExecutor(len(workers), "count") as pool:
        futures = [pool.submit(worker.work_beside_others) for worker in workers]
        try:
            while wait(futures, timeout=_PAUSE).not_done:
                _stop(workers[_failed(futures) + 1 :])
                report()
            report()
        finally:
            _stop(workers)
    for future in futures:
        future.result()


def _failed(futures: Sequence[Future[None]]) -> int:
    """The first that failed: what comes after it is not needed. If none did, a number beyond all."""
    failed = (i for i, future in enumerate(futures) if future.done() and future.exception())
    return next(failed, len(futures))


def _stop(workers: Iterable[_Worker]) -> None:
    for worker in workers:
        worker.is_stopped = True


# -- sharing the work out -----------------------------------------------------------------------------------------


def _shared_out(documents: Sequence[Document], sizes: Sequence[int], specials: SpecialTokens) -> list[list[Part]]:
    """Parts that follow one another, for as many threads as are worth it, each about as large."""
    total = sum(sizes)
    threads = min(_threads(total), total)
    # Nobody could stop a thread that waits for what a pipe brings.
    if threads <= 1 or not all(isinstance(document, TextDocument) or document.has_end for document in documents):
        return [[Part(document) for document in documents]]
    can_cut = not any(map(_has_boundary, specials.tokens))
    shares: list[list[Part]] = [[] for _ in range(threads)]
    start = 0
    for document, size in zip(documents, sizes, strict=True):
        ends = (total * i // threads for i in range(1, threads))
        cuts = [(end - start) / size for end in ends if start < end < start + size] if can_cut else []
        parts = parts_of(document, cuts) if cuts else [Part(document)]
        for part in parts:
            # What was cut begins where a share does, or soon after; what was not belongs where most of it is.
            place = start + size * (part.begins_at(size) if len(parts) > 1 else 0.5)
            shares[min(int(place * threads / total), threads - 1)].append(part)
        start += size
    return [share for share in shares if share]


def _threads(size: int) -> int:
    return threads_worth(size, THREAD_WORK)


def _has_boundary(token: str) -> bool:
    """Whether a special token may be where `parts_of` cuts."""
    block = np.frombuffer(bytearray(token.encode() + bytes(PADDING)), np.uint8)
    return find_boundary(block, 0, len(block) - PADDING, unicode_classes(), SPACE) > 0


def warm_up() -> None:
    """Have every kernel compiled that counting uses."""
    specials = SpecialTokens(["<e>"])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_text("Low lower'll, 12\n 你好<e>internationalization", "utf-8")
        for splitter in SCANNERS:
            counted = count_words([FileDocument(path)], splitter, specials, None)
        parts_of(FileDocument(path), [0.1])
    counted.grow()
    counted.add(counted)
    counted.arrays()
    _has_boundary(specials.tokens[0])
    text, begins = np.zeros(2 * PADDING, np.uint8), np.zeros(STRETCH + 2, np.int64)
    find_words(GPT2, text, 0, 1, unicode_classes(), new_stretch(), begins, begins.copy())
