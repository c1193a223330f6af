"""Read text as UTF-8 into a buffer of the caller.

Files are read, not mapped into memory: if a mapped file is truncated by another program, the system kills the process
that reads it with SIGBUS, instead of raising an error.
"""

import codecs
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final, Protocol

from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid, whole_characters
from bpe_gui.engine.runtime.arrays import UInt8Array
from bpe_gui.engine.text.utf8 import encode_chunks

from .decompression import BinaryFile, ByteStream, byte_stream, reading
from .text_file import FileState, ReadingState, TextFile

_HEAD: Final = 1 << 16
"""Bytes at the start of a file that are examined to see whether it is text."""

_logger: Final = logging.getLogger(__name__)


class Utf8Reader(Protocol):
    """A source of UTF-8 that is read once, from start to end. It keeps `state` up to date."""

    state: ReadingState

    def read_into(self, buffer: memoryview) -> int:
        """Fill the buffer and return the number of bytes read, which is less than its size only at the end."""

    def check(self, buffer: UInt8Array, start: int, stop: int, is_last: bool) -> int:
        """Check that `buffer[start:stop]` is valid and return the offset up to which that is certain.

        `stop` is the end of what was read so far. Unless `is_last`, the last character may be incomplete.
        Raise UndecodableFileError.
        """

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""


class PieceReader:
    """A reader of UTF-8 that comes in pieces, which are valid."""

    def __init__(self, pieces: Iterator[bytes | memoryview], state: ReadingState) -> None:
        self.state = state
        self._pieces = pieces
        self._rest = memoryview(b"")

    def read_into(self, buffer: memoryview) -> int:
        filled = 0
        while filled < len(buffer):
            if not self._rest:
                piece = next(self._pieces, None)
                if piece is None:
                    break
                self._rest = memoryview(piece)
            part = self._rest[: len(buffer) - filled]
            buffer[filled : filled + len(part)] = part
            self._rest = self._rest[len(part) :]
            filled += len(part)
        return filled

    def check(self, buffer: UInt8Array, start: int, stop: int, is_last: bool) -> int:
        del buffer, start, is_last
        return stop

    def finish(self) -> None:
        pass


def string_reader(chunks: Iterator[str], state: ReadingState, offset: int = 0) -> PieceReader:
    """Return a reader of chunks of text, which it encodes; the first begins at index `offset`."""
    return PieceReader((data for _chunk, data in encode_chunks(chunks, offset)), state)


class FileReader:
    """A reader of an open file that is UTF-8, or of the bytes from `start` up to `stop` of one that is not compressed.

    `before` is the expected state of the file, if known.
    """

    def __init__(
        self,
        document: TextFile,
        file: BinaryFile,
        start: int = 0,
        stop: int | None = None,
        before: FileState | None = None,
    ) -> None:
        self.state = ReadingState()
        self._document = document
        self._file = file
        self._start = start
        self._is_plain = document.kind.compression is None
        with self._reading():
            self._before = before or document.state_of(file)
            self._stream: ByteStream = byte_stream(file, document.kind.compression)
        # Stop at the present size: a file that keeps growing would never end. A pipe has no size.
        self._remaining = self._before.size if self._is_plain else None
        self._offset = 0  # of the next read
        self._head = memoryview(b"")
        _logger.debug("Reading %s: %s bytes, %s to %s", document.path.name, self._before.size, start, stop)
        if start == 0:
            self._read_head()
        self._seek(start, stop)

    def _read_head(self) -> None:
        """Examine the start of the file, even if the slice is shorter."""
        head = bytearray(_HEAD)
        head = head[: self._read(memoryview(head))]
        self._document.check_is_text(bytes(head))
        mark = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
        self._head = memoryview(head)[mark:]

    def _seek(self, start: int, stop: int | None) -> None:
        """Continue at `start`, or after the head, and stop at `stop`."""
        if stop is not None and stop < self._offset:
            self._head = self._head[: len(self._head) - (self._offset - stop)]
            self._offset = stop
        self._offset = max(self._offset, start)
        if self._remaining is not None:
            with self._reading():
                self._file.seek(self._offset)
            self._remaining = (self._before.size or 0 if stop is None else stop) - self._offset

    def read_into(self, buffer: memoryview) -> int:
        piece = self._head[: len(buffer)]
        buffer[: len(piece)] = piece
        self._head = self._head[len(piece) :]
        return len(piece) + self._read(buffer[len(piece) :])

    def _read(self, buffer: memoryview) -> int:
        size = len(buffer) if self._remaining is None else min(len(buffer), self._remaining)
        filled = 0
        with self._reading():
            while filled < size:
                count = self._stream.readinto(buffer[filled:size])
                if not count:
                    break
                filled += count
            if self._before.size is not None:
                self.state.done = self._file.tell() - self._start
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
        with self._reading():
            after = self._document.state_of(self._file)
        self._document.check_unchanged(self._before, after, (self._before.size or 0) - missing)

    def _reading(self) -> AbstractContextManager[None]:
        return reading(self._document.name, self._document.kind.compression)
