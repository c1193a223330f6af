"""Count the words of documents with kernels, in several threads.

Each thread counts a contiguous part of the corpus into a tally of its own. These are then merged in the order of the
documents, so that words come in the order in which a single thread would have seen them first.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters
from bpe_gui.engine.kernels.text.automaton import READ_AHEAD, Splitter
from bpe_gui.engine.kernels.text.counting import count_block
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.runtime.threads import threads_worth
from bpe_gui.engine.text.compiled_splitters import Chunker, can_split, new_batch, stuck_error, with_own_state
from bpe_gui.engine.text.special_tokens import SpecialTokens

from .documents import Document, FileDocument
from .files.records import RECORD_END
from .files.utf8_reader import Utf8Reader
from .short_documents import FileList, TextList, Together, put_together
from .slices import DocumentSlice, slice_document, slice_list
from .word_tally import WordTally

BUFFER_SIZE = 1 << 18
"""Bytes read at a time: few enough to stay in the processor's cache."""

THREAD_WORK = 1 << 21
"""The number of bytes of text for which another thread pays off."""

_REPORT_INTERVAL: Final = 0.02  # seconds

_logger: Final = logging.getLogger(__name__)


def count_words(
    documents: Sequence[Document | TextList],
    sizes: Sequence[int],
    splitter: Splitter,
    specials: SpecialTokens,
    progress: Progress | None,
    factors: Sequence[int] = (),
) -> WordTally:
    """Count the words of all documents, of which `sizes` has the bytes. Raise CorpusError, and what `progress` raises.

    `factors` says for each document how often its words and its text count; without them, once.
    """
    tally, *following = count_parts(documents, sizes, splitter, specials, progress, factors)
    following.reverse()
    while following:
        tally.add_following(following.pop())  # its memory is free for the next
    return tally


def count_parts(
    documents: Sequence[Document | TextList],
    sizes: Sequence[int],
    splitter: Splitter,
    specials: SpecialTokens,
    progress: Progress | None,
    factors: Sequence[int] = (),
    new_tally: Callable[[int], WordTally] = lambda _parts: WordTally(),
) -> list[WordTally]:
    """Count the words of contiguous parts of the corpus, each in a thread and a tally of its own.

    `new_tally` gets the number of parts. The rest is as in `count_words`.
    """
    total = sum(sizes)
    parts = list(put_together(documents, sizes, factors or [1] * len(documents)))
    shares = _divide(parts, total, specials, splitter)
    workers = [_Worker(share, splitter, specials, new_tally(len(shares))) for share in shares]

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


class _Worker:
    """A counter of contiguous slices of the documents, one after another."""

    def __init__(
        self, slices: Sequence[DocumentSlice], splitter: Splitter, specials: SpecialTokens, tally: WordTally
    ) -> None:
        self.tally = tally
        self.bytes_done = 0
        self.is_stopped = False
        self._slices = slices
        self._splitter = with_own_state(splitter, BUFFER_SIZE)
        self._specials = specials.for_kernels(RECORD_END if any(each.document.has_records for each in slices) else None)
        self._batch = new_batch()
        self._buffer = np.empty(BUFFER_SIZE + PADDING, np.uint8)

    def count(self, report: Callable[[], None]) -> None:
        """Count all slices. `report` is called after each read."""
        for each in self._slices:
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
            counted = self._count_buffer(filled, is_last)
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
            )
            if offset >= 0:
                return offset
            if self._splitter.state[READ_AHEAD] < 0:
                raise stuck_error(self._splitter, self._buffer)
            offset = -1 - offset  # the table is full
            tally.double_capacity()

    def _keep_rest(self, counted: int, filled: int) -> None:
        """Move what was not counted to the start of the buffer, or enlarge the buffer if nothing was."""
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
                _stop(workers[_first_failed(futures) + 1 :])  # whose results are not needed
                report()
            report()
        finally:
            _stop(workers)
    for future in futures:
        future.result()


def _first_failed(futures: Sequence[Future[None]]) -> int:
    """Return the index of the first future that failed, or the number of futures."""
    failed = (i for i, future in enumerate(futures) if future.done() and future.exception())
    return next(failed, len(futures))


def _stop(workers: Iterable[_Worker]) -> None:
    for worker in workers:
        worker.is_stopped = True


# -- dividing the work --------------------------------------------------------------------------------------------


def _divide(
    parts: Sequence[Together], total: int, specials: SpecialTokens, splitter: Splitter
) -> list[list[DocumentSlice]]:
    """Return contiguous slices of documents for as many threads as pay off, of about the same size for each.

    `total` is the size of all of them.
    """
    threads = min(_threads(total), total)
    # A thread that waits for a pipe could not be stopped.
    if threads <= 1 or any(may_be_pipe(part.document, part.size) for part in parts):
        return [[DocumentSlice(part.document, factor=part.factor) for part in parts]]
    chunker = Chunker(splitter, specials.tokens)
    shares: list[list[DocumentSlice]] = [[] for _ in range(threads)]
    offset = 0
    for part in parts:
        limits = (total * i // threads for i in range(1, threads))
        positions = [(limit - offset) / part.size for limit in limits if offset < limit < offset + part.size]
        slices = _slices(part.document, positions, chunker)
        for each in slices:
            # A slice starts at the limit of a share or soon after; a whole document goes to the share of its middle.
            middle = offset + part.size * (each.relative_start if len(slices) > 1 else 0.5)
            shares[min(int(middle * threads / total), threads - 1)].append(replace(each, factor=part.factor))
        offset += part.size
    return [share for share in shares if share]


def _slices(
    document: Document | TextList | FileList, positions: Sequence[float], chunker: Chunker
) -> list[DocumentSlice]:
    """Return slices of a document near these positions, from 0 to 1."""
    if positions and isinstance(document, TextList | FileList):
        return slice_list(document, positions)
    if positions and not isinstance(document, TextList | FileList):
        return slice_document(document, positions, chunker)
    return [DocumentSlice(document)]


def may_be_pipe(document: Document | TextList | FileList, size: int) -> bool:
    """Return whether a document, for which the system gives this size, is a pipe or another file that has none."""
    return isinstance(document, FileDocument) and not size and not document.is_regular_file


def _threads(size: int) -> int:
    return threads_worth(size, THREAD_WORK)
