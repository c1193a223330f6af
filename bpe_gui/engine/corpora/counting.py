"""Count the words of documents with kernels, in several threads.

Each thread counts a contiguous part of the corpus into a tally of its own. These are then merged in the order of the
documents, so that words come in the order in which a single thread would have seen them first.
"""

import logging
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters, first_invalid, whole_characters
from bpe_gui.engine.kernels.text.automaton import READ_AHEAD, Splitter
from bpe_gui.engine.kernels.text.counting import count_block
from bpe_gui.engine.runtime.threads import threads_worth
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.compiled_splitters import Chunker, can_split, new_batch, padded, stuck_error, with_own_state
from bpe_gui.engine.text.phrases import NO_WORDS, UNIT_BYTES, PhraseFinder, phrase_characters
from bpe_gui.engine.text.special_tokens import SpecialTokens

from .documents import Document, DocumentGroup, FileDocument, FileList, TextDocument, TextList, group_documents
from .record_files import RECORD_END, open_parquet
from .text_files import PARQUET, FileState, Part, Utf8Reader, reading
from .word_arrays import WordArrays, WordTally

BUFFER_SIZE = 1 << 18
"""Bytes read at a time: few enough to stay in the processor's cache."""

THREAD_WORK = 1 << 21
"""The number of bytes of text for which another thread pays off."""

_REPORT_INTERVAL: Final = 0.02  # seconds

_logger: Final = logging.getLogger(__name__)

_WINDOW: Final = 1 << 20
"""Bytes searched for a boundary at which a document can be sliced."""

_Boundaries = tuple[FileState | None, int, list[int]]
"""The state of a file, the end of the document, and the boundaries near some positions; 0 if there is none."""


@dataclass(frozen=True, slots=True)
class DocumentSlice:
    """A part of a document, as in `Part`.

    `relative_start` is where in the document it starts, from 0 to 1. Each of its words counts `factor` times.
    """

    document: Document | TextList | FileList
    start: int = 0
    stop: int | None = None
    before: FileState | None = None
    relative_start: float = 0.0
    factor: int = 1

    def open(self) -> AbstractContextManager[Utf8Reader]:
        """Open it for reading. Raise CorpusError."""
        return self.document.open_utf8(Part(self.start, self.stop, self.before))


def count_words(
    documents: Sequence[Document | TextList],
    sizes: Sequence[int],
    splitter: Splitter,
    specials: SpecialTokens,
    progress: Progress | None,
    factors: Sequence[int] = (),
    finder: PhraseFinder | None = None,
) -> WordTally:
    """Count the words of all documents. Raise CorpusError, and any error that `progress` raises.

    `sizes` are the sizes of the documents in bytes. `factors` says how often each document counts, by default once.
    With a `finder`, count its phrases instead, with a character for each of their words; the splitter must be its own.
    """
    tally, *following = count_parts(documents, sizes, splitter, specials, progress, factors, finder=finder)
    following.reverse()
    while following:
        tally.add_following(following.pop())  # frees its memory for the next
    return tally


def count_parts(
    documents: Sequence[Document | TextList],
    sizes: Sequence[int],
    splitter: Splitter,
    specials: SpecialTokens,
    progress: Progress | None,
    factors: Sequence[int] = (),
    new_tally: Callable[[int], WordTally] = lambda _parts: WordTally(),
    finder: PhraseFinder | None = None,
) -> list[WordTally]:
    """Count the words of contiguous parts of the corpus, each in a thread and a tally of its own.

    `new_tally` gets the number of parts. The rest is as in `count_words`.
    """
    total = sum(sizes)
    parts = list(group_documents(documents, sizes, factors or [1] * len(documents)))
    chunker = Chunker(splitter, specials.tokens, joined=phrase_characters() if finder else None)
    shares = _divide(parts, total, chunker)
    workers = [_Worker(share, splitter, specials, new_tally(len(shares)), finder, chunker) for share in shares]

    def report() -> None:
        if progress:
            progress(min(sum(worker.bytes_done for worker in workers), total), total)

    if len(workers) == 1:
        workers[0].count(report)
    else:
        _logger.debug("Counting in %d threads", len(workers))
        _run_in_threads(workers, report)
    return [worker.tally for worker in workers]


class _StoppedError(Exception):
    """Raised in a worker that was stopped from outside."""


@dataclass(eq=False)
class _Worker:
    """A counter of contiguous slices of the documents, one after another."""

    slices: Sequence[DocumentSlice]
    splitter: Splitter
    specials: SpecialTokens
    tally: WordTally
    finder: PhraseFinder | None
    chunker: Chunker
    bytes_done: int = 0
    is_stopped: bool = False

    def __post_init__(self) -> None:
        has_records = any(each.document.has_records for each in self.slices)
        self._splitter = with_own_state(self.splitter, BUFFER_SIZE)
        self._specials = self.specials.for_kernels(RECORD_END if has_records else None)
        self._batch = new_batch()
        self._buffer = np.empty(BUFFER_SIZE + PADDING, np.uint8)

    def count(self, report: Callable[[], None]) -> None:
        """Count all slices. `report` is called after each read."""
        for each in self.slices:
            self._batch.counts.fill(each.factor)
            with each.open() as reader:
                self._count(reader, each.factor, report)
                reader.finish()
                self.tally.skipped += reader.state.skipped

    def count_until_stopped(self) -> None:
        """Count all slices, or raise _StoppedError once `is_stopped` is set by another thread."""
        self.count(self._raise_if_stopped)

    def _raise_if_stopped(self) -> None:
        if self.is_stopped:
            raise _StoppedError

    def _count(self, reader: Utf8Reader, factor: int, report: Callable[[], None]) -> None:
        tally = self.tally
        tally.origin = tally.read
        characters = size = filled = checked = 0
        is_last = False
        done = self.bytes_done
        while not is_last:
            capacity = len(self._buffer) - PADDING
            start, filled = filled, filled + reader.read_into(self._buffer.data[filled:capacity])
            is_last = filled < capacity
            self._buffer[filled : filled + PADDING] = 0
            checked = reader.check(self._buffer, checked, filled, is_last)
            characters += int(count_characters(self._buffer, start, filled))
            size += filled - start
            counted = self._count_phrases(filled, is_last) if self.finder else self._count_buffer(filled, is_last)
            tally.origin += counted
            self._keep_rest(counted, filled)
            filled, checked = filled - counted, checked - counted
            self.bytes_done = done + reader.state.done
            report()
        marks = size - (tally.origin - tally.read)
        tally.characters += factor * (characters - marks)
        tally.bytes += factor * (size - marks)
        tally.read = tally.origin

    def _count_buffer(self, filled: int, is_last: bool) -> int:
        """Count the buffered words that further text cannot change. Return the offset where they end."""
        tally = self.tally
        tally.reserve_text(filled)
        if not can_split(self._splitter, filled):
            self._splitter = with_own_state(self._splitter, len(self._buffer))
        offset = 0
        while True:
            offset = count_block(
                self._splitter,
                self._buffer,
                offset,
                filled,
                is_last,
                self._specials,
                tally.table,
                self._batch,
                NO_WORDS,
            )
            if offset >= 0:
                return offset
            if self._splitter.state[READ_AHEAD] < 0:
                raise stuck_error(self._splitter, self._buffer)
            offset = -1 - offset  # the table is full
            tally.double_capacity()

    def _count_phrases(self, filled: int, is_last: bool) -> int:
        """Count the buffered phrases that further text cannot change. Return the offset where they end."""
        assert self.finder is not None
        tally, origin = self.tally, self.tally.origin
        text = self._buffer[:filled].tobytes()
        size = filled
        if not is_last:  # no phrase crosses a mark, and the last mark may be incomplete
            size = text.rfind(RECORD_END) + len(RECORD_END)
            size = size if size >= len(RECORD_END) else self.chunker.last_boundary(text.rstrip(RECORD_END[:1]))
        phrases = self.finder.find(self._buffer, size, self._specials)
        counts = np.full(len(phrases.starts), self._batch.counts[0])
        tally.add(WordArrays(padded(phrases.text), phrases.firsts * UNIT_BYTES, counts, phrases.starts + origin))
        tally.origin = origin - len(RECORD_END) * text[:size].count(RECORD_END)
        return size

    def _keep_rest(self, counted: int, filled: int) -> None:
        """Move the uncounted bytes to the start of the buffer, or enlarge the buffer if nothing was counted."""
        buffer = self._buffer
        if counted:
            buffer[: filled - counted] = buffer[counted:filled]
        elif filled + PADDING == len(buffer):
            self._buffer = np.empty(2 * filled + PADDING, np.uint8)
            self._buffer[:filled] = buffer[:filled]


def _run_in_threads(workers: Sequence[_Worker], report: Callable[[], None]) -> None:
    """Run each worker in a thread of its own.

    Raise the error of the first worker that failed, in the order of the documents, or what `report` raises.
    """
    with ThreadPoolExecutor(len(workers), "count") as pool:
        futures = [pool.submit(worker.count_until_stopped) for worker in workers]
        try:
            while wait(futures, timeout=_REPORT_INTERVAL).not_done:
                failed = (i for i, future in enumerate(futures) if future.done() and future.exception())
                _stop(workers[next(failed, len(futures)) + 1 :])  # their results are not needed
                report()
            report()
        finally:
            _stop(workers)
    for future in futures:
        future.result()


def _stop(workers: Iterable[_Worker]) -> None:
    for worker in workers:
        worker.is_stopped = True


# -- dividing the work --------------------------------------------------------------------------------------------


def _divide(parts: Sequence[DocumentGroup], total: int, chunker: Chunker) -> list[list[DocumentSlice]]:
    """Return contiguous slices of documents for as many threads as pay off, about the same size for each thread.

    `total` is the size of all documents.
    """
    threads = min(_threads(total), total)
    # A thread that waits for a pipe could not be stopped.
    if threads <= 1 or any(may_be_pipe(part.document, part.size) for part in parts):
        return [[DocumentSlice(part.document, factor=part.factor) for part in parts]]
    shares: list[list[DocumentSlice]] = [[] for _ in range(threads)]
    offset = 0
    for part in parts:
        limits = (total * i // threads for i in range(1, threads))
        positions = [(limit - offset) / part.size for limit in limits if offset < limit < offset + part.size]
        slices = slice_document(part.document, positions, chunker)
        for each in slices:
            # A slice starts at or soon after the limit of a share; a whole document goes to the share with its middle.
            middle = offset + part.size * (each.relative_start if len(slices) > 1 else 0.5)
            shares[min(int(middle * threads / total), threads - 1)].append(replace(each, factor=part.factor))
        offset += part.size
    return [share for share in shares if share]


def may_be_pipe(document: Document | TextList | FileList, size: int) -> bool:
    """Return whether a document whose reported size is `size` may be a pipe or another file of unknown size."""
    return isinstance(document, FileDocument) and not size and not document.is_regular_file


def _threads(size: int) -> int:
    return threads_worth(size, THREAD_WORK)


def _slice_list(document: TextList | FileList, positions: Sequence[float]) -> list[DocumentSlice]:
    """Slice a list of texts soon after these positions, from 0 to 1 in ascending order.

    >>> [(part.start, part.stop) for part in _slice_list(TextList.of(["low", "lower", "lowest"]), [0.4, 0.5])]
    [(0, 2), (2, None)]
    """
    ends = np.cumsum(document.sizes)
    cuts = np.searchsorted(ends, np.multiply(positions, ends[-1]), "right") + 1
    starts = [0, *np.unique(cuts[cuts < len(ends)]).tolist()]
    return [
        DocumentSlice(document, start, stop, relative_start=float(ends[start - 1] / ends[-1]) if start else 0.0)
        for start, stop in zip(starts, [*starts[1:], None], strict=True)
    ]


def slice_document(
    document: Document | TextList | FileList, positions: Sequence[float], chunker: Chunker
) -> list[DocumentSlice]:
    """Slice a document near these positions, from 0 to 1 in ascending order, so that its words stay the same.

    There are fewer slices if a position has no boundary nearby.

    >>> from bpe_gui.engine.text.compiled_splitters import compiled
    >>> parts = slice_document(TextDocument("low lower " * 9), [0.5], Chunker(compiled("gpt2"), []))
    >>> [(part.start, part.stop) for part in parts]
    [(0, 83), (83, None)]
    """
    if not positions:
        return [DocumentSlice(document)]
    if isinstance(document, TextList | FileList):
        return _slice_list(document, positions)
    if isinstance(document, TextDocument):
        text = document.text
        before, size, offsets = None, len(text), [_boundary_in_text(text, each, chunker) for each in positions]
    elif document.is_whole and can_be_sliced(document):
        before, size, offsets = _boundaries_in_file(document, positions, chunker)
    else:
        return [DocumentSlice(document)]
    stops = [*sorted({offset for offset in offsets if offset}), None]
    return [
        DocumentSlice(document, start or 0, stop, before, (start or 0) / max(size, 1))
        for start, stop in pairwise([0, *stops])
    ]


def can_be_sliced(document: FileDocument) -> bool:
    """Return whether reading a file can begin in the middle."""
    kind = document.kind
    return kind.content == PARQUET or (document.is_utf8 and not kind.compression)


def boundary_near(document: FileDocument, position: float, chunker: Chunker | None) -> int:
    """Return the boundary near a position, from 0 to 1, in a file that can be sliced; 0 if there is none."""
    _before, _size, [offset] = _boundaries_in_file(document, [position], chunker)
    return offset


def _boundary_in_text(text: str, position: float, chunker: Chunker) -> int:
    start = int(position * len(text))
    try:
        window = text[start : start + _WINDOW].encode()
    except UnicodeEncodeError:  # raised again when the text is read
        return 0
    boundary = _last_boundary(window, chunker)
    return start + len(window[:boundary].decode()) if boundary else 0


def _boundaries_in_file(document: FileDocument, positions: Sequence[float], chunker: Chunker | None) -> _Boundaries:
    with document.open_binary() as file, reading(document.name, document.kind.form):
        before = document.state_of(file)
        if document.kind.content == PARQUET:
            metadata = open_parquet(file).metadata
            rows = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
            starts = [start / max(sum(rows), 1) for start in accumulate(rows, initial=0)][:-1]
            return before, len(rows), [bisect_left(starts, position) % max(len(rows), 1) for position in positions]
        size = before.size or 0
        boundaries: list[int] = []
        for position in positions if size else ():
            start = int(position * size)
            file.seek(start)
            window = file.read(_WINDOW) or b""
            boundary = window.rfind(b"\n") + 1 if document.kind.has_records else _last_boundary(window, chunker)
            boundaries.append(start + boundary if boundary else 0)
        return before, size, boundaries


def _last_boundary(window: bytes, chunker: Chunker | None) -> int:
    """Return the last offset in a part of a text where it can be sliced, or 0.

    The part may begin and end inside a character.
    """
    start = next((i for i, byte in enumerate(window[:4]) if byte & 0xC0 != 0x80), len(window))
    buffer = padded(window)
    stop = whole_characters(buffer, start, len(window))
    # Invalid text raises an error when the document is read.
    if chunker is None or start >= stop or first_invalid(buffer, start, stop) >= 0:
        return 0
    boundary = chunker.last_boundary(window[start:stop])
    return start + boundary if boundary >= chunker.context else 0
