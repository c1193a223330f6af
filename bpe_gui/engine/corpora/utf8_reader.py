"""Read documents, or slices of them, as UTF-8 into a buffer of the caller.

Files are read, not mapped into memory: if a mapped file is truncated by another program, the system kills the process
that reads it with SIGBUS, instead of raising an error.
"""

import codecs
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from itertools import pairwise
from typing import Final, Protocol

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid, whole_characters
from bpe_gui.engine.kernels.text.scanning import SPACE
from bpe_gui.engine.kernels.text.splitting import find_boundary
from bpe_gui.engine.runtime.arrays import UInt8Array
from bpe_gui.engine.text.character_classes import unicode_classes
from bpe_gui.engine.text.text_stream import iter_chunks
from bpe_gui.engine.text.utf8 import encode_chunks

from .documents import Document, FileDocument, FileState, TextDocument, file_state, unreadable_file_error

_HEAD: Final = 1 << 16
"""Bytes at the start of a file that are examined to see whether it is text."""

_WINDOW: Final = 1 << 20
"""Bytes in which a boundary is searched for where a document is to be sliced."""

_logger: Final = logging.getLogger(__name__)


class Utf8Reader(Protocol):
    """A source of UTF-8 that is read once, from start to end."""

    def read_into(self, buffer: memoryview) -> int:
        """Fill the buffer and return the number of bytes read, which is less than its size only at the end."""

    def check(self, buffer: UInt8Array, start: int, stop: int, is_last: bool) -> int:
        """Check that `buffer[start:stop]` is valid and return the offset up to which that is certain.

        `stop` is the end of what was read so far. Unless `is_last`, the last character may be incomplete.
        Raise UndecodableFileError.
        """

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""


@dataclass(frozen=True, slots=True)
class DocumentSlice:
    """A part of a document: from `start` up to `stop`, or to the end if `stop` is None.

    Offsets are bytes of a file or characters of a text. `state` is the expected state of a file, if known. Each of its
    words counts `factor` times.
    """

    document: Document
    start: int = 0
    stop: int | None = None
    state: FileState | None = None
    factor: int = 1

    def relative_start(self, size: int) -> float:
        """Return where in the document it starts, from 0 to 1. `size` is the size of the document in bytes."""
        document = self.document
        return self.start / (len(document.text) if isinstance(document, TextDocument) else size)

    @contextmanager
    def open(self) -> Iterator[Utf8Reader]:
        """Open it for reading. Raise CorpusError."""
        document = self.document
        if isinstance(document, TextDocument):
            yield _StringReader(iter_chunks(document.text, self.start, self.stop), self.start)
        elif document.is_utf8:
            with _open(document) as file:
                yield _FileReader(document, file, self)
        else:
            yield _StringReader(document.chunks())


class _StringReader:
    """A reader of chunks of text, which it encodes."""

    def __init__(self, chunks: Iterator[str], offset: int = 0) -> None:
        self._chunks = (data for _chunk, data in encode_chunks(chunks, offset))
        self._rest = memoryview(b"")

    def read_into(self, buffer: memoryview) -> int:
        filled = 0
        while filled < len(buffer):
            if not self._rest:
                chunk = next(self._chunks, None)
                if chunk is None:
                    break
                self._rest = memoryview(chunk)
            piece = self._rest[: len(buffer) - filled]
            buffer[filled : filled + len(piece)] = piece
            self._rest = self._rest[len(piece) :]
            filled += len(piece)
        return filled

    def check(self, buffer: UInt8Array, start: int, stop: int, is_last: bool) -> int:
        del buffer, start, is_last
        return stop

    def finish(self) -> None:
        pass


class _FileReader:
    """A reader of a file that is UTF-8."""

    def __init__(self, document: FileDocument, file: FileIO, part: DocumentSlice) -> None:
        self._document = document
        self._file = file
        with _as_corpus_error(document):
            self._before = part.state or file_state(file)
        # Stop at the present size: a file that keeps growing would never end. A pipe has no size.
        self._remaining = self._before.size
        self._offset = 0  # of the next read
        self._head = memoryview(b"")
        _logger.debug("Reading %s: %s bytes, %s to %s", document.path.name, self._remaining, part.start, part.stop)
        if part.start == 0:
            self._read_head()
        self._seek(part)

    def _read_head(self) -> None:
        """Examine the start of the file, even if the slice is shorter."""
        head = bytearray(_HEAD)
        head = head[: self._read(memoryview(head))]
        self._document.check_is_text(bytes(head))
        mark = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
        self._head = memoryview(head)[mark:]

    def _seek(self, part: DocumentSlice) -> None:
        """Continue where the slice starts, or after the head, and stop where the slice does."""
        if part.stop is not None and part.stop < self._offset:
            self._head = self._head[: len(self._head) - (self._offset - part.stop)]
            self._offset = part.stop
        self._offset = max(self._offset, part.start)
        if self._remaining is not None:
            with _as_corpus_error(self._document):
                self._file.seek(self._offset)
            self._remaining = (self._before.size or 0 if part.stop is None else part.stop) - self._offset

    def read_into(self, buffer: memoryview) -> int:
        piece = self._head[: len(buffer)]
        buffer[: len(piece)] = piece
        self._head = self._head[len(piece) :]
        return len(piece) + self._read(buffer[len(piece) :])

    def _read(self, buffer: memoryview) -> int:
        size = len(buffer) if self._remaining is None else min(len(buffer), self._remaining)
        filled = 0
        with _as_corpus_error(self._document):
            while filled < size:
                count = self._file.readinto(buffer[filled:size])
                if not count:
                    break
                filled += count
        self._offset += filled
        if self._remaining is not None:
            self._remaining -= filled
        return filled

    def check(self, buffer: UInt8Array, start: int, stop: int, is_last: bool) -> int:
        checked = stop if is_last else whole_characters(buffer, start, stop)
        invalid = first_invalid(buffer, start, checked)
        if invalid >= 0:
            self._check_unchanged(missing=0)
            raise self._document.undecodable_error(
                self._offset - len(self._head) - stop + invalid, int(buffer[invalid])
            )
        return checked

    def finish(self) -> None:
        self._check_unchanged(missing=self._remaining or 0)

    def _check_unchanged(self, missing: int) -> None:
        with _as_corpus_error(self._document):
            after = file_state(self._file)
        self._document.check_unchanged(self._before, after, (self._before.size or 0) - missing)


@contextmanager
def _as_corpus_error(document: FileDocument) -> Iterator[None]:
    """Turn an error of the system into a CorpusError."""
    try:
        yield
    except OSError as error:
        raise unreadable_file_error(document.path, error) from error


def _open(document: FileDocument) -> FileIO:
    with _as_corpus_error(document):
        return document.path.open("rb", buffering=0)


# -- slicing ------------------------------------------------------------------------------------------------------


def slice_document(document: Document, positions: Sequence[float]) -> list[DocumentSlice]:
    """Slice a document near these positions, from 0 to 1 in rising order, so that its words stay the same.

    There are fewer slices if a position has no boundary nearby. The special tokens must not contain boundaries.

    >>> [(part.start, part.stop) for part in slice_document(TextDocument("low lower lowest"), [0.4, 0.5])]
    [(0, 9), (9, None)]
    """
    if isinstance(document, TextDocument):
        state, offsets = None, [_boundary_in_text(document.text, position) for position in positions]
    elif document.is_utf8:
        state, offsets = _boundaries_in_file(document, positions)
    else:
        return [DocumentSlice(document)]
    stops = [*sorted({offset for offset in offsets if offset}), None]
    return [DocumentSlice(document, start or 0, stop, state) for start, stop in pairwise([0, *stops])]


def _boundary_in_text(text: str, position: float) -> int:
    start = int(position * len(text))
    try:
        window = text[start : start + _WINDOW].encode()
    except UnicodeEncodeError:  # raised again when the text is read
        return 0
    boundary = _last_boundary(window)
    return start + len(window[:boundary].decode()) if boundary else 0


def _boundaries_in_file(document: FileDocument, positions: Sequence[float]) -> tuple[FileState, list[int]]:
    with _open(document) as file, _as_corpus_error(document):
        state = file_state(file)
        offsets = []
        for position in positions if state.size else ():
            start = int(position * (state.size or 0))
            file.seek(start)
            boundary = _last_boundary(file.read(_WINDOW))
            offsets.append(start + boundary if boundary else 0)
        return state, offsets


def _last_boundary(window: bytes) -> int:
    """Return the last offset in a part of a text where it can be sliced, or 0.

    The part may begin and end inside a character.
    """
    start = next((i for i, byte in enumerate(window[:4]) if byte & 0xC0 != 0x80), len(window))
    buffer = np.frombuffer(bytearray(window + bytes(PADDING)), np.uint8)
    stop = whole_characters(buffer, start, len(window))
    if start >= stop or first_invalid(buffer, start, stop) >= 0:  # raised when the document is read
        return 0
    boundary = find_boundary(buffer, start, stop, unicode_classes(), SPACE)
    return boundary if boundary > start else 0
