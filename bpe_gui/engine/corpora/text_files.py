"""Text files: recognised by name, decompressed, decoded, and read as UTF-8 into the caller's buffer.

Files are read in pieces, so that large ones take no more memory than small ones. They are not mapped into memory: if
another program truncates a mapped file, the system kills the reading process with SIGBUS instead of reporting an error.
"""

import codecs
import logging
import os
import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, Any, Final, NamedTuple, Protocol, cast

from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid, whole_characters
from bpe_gui.engine.runtime.errors import CorpusError, EngineError, UndecodableFileError, how_to_install
from bpe_gui.engine.runtime.files import open_file, reason_of
from bpe_gui.engine.runtime.types import UInt8Array
from bpe_gui.engine.text.utf8 import encode_chunks

TEXT: Final = "text"
JSON_LINES: Final = "JSON lines"
PARQUET: Final = "Parquet"

_COMPRESSIONS: Final = {".gz": "gzip", ".bz2": "bzip2", ".zst": "Zstandard", ".zstd": "Zstandard"}
_CONTENTS: Final = {".jsonl": JSON_LINES, ".ndjson": JSON_LINES, ".parquet": PARQUET}

_ERRORS: Final = (OSError, EOFError, ValueError, zlib.error)  # ValueError: from pyarrow

_CHUNK_BYTES: Final = 1 << 16  # bytes read at a time
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_HEAD: Final = 1 << 16
"""Bytes at the start of a file that are examined to see whether it is text."""

_logger: Final = logging.getLogger(__name__)


class FileKind(NamedTuple):
    """The content of a file, one of `TEXT`, `JSON_LINES` and `PARQUET`, and the name of its compression, if any."""

    content: str
    compression: str | None

    @property
    def has_records(self) -> bool:
        """Whether it contains records, each a separate text."""
        return self.content != TEXT

    @property
    def form(self) -> str | None:
        """The format that its bytes must have; None if any bytes are valid."""
        return PARQUET if self.content == PARQUET else self.compression


def kind_of(path: PurePath) -> FileKind:
    """Return the kind of a file.

    Compressed `.json` is read as JSON Lines, because data sets are published like that, while other JSON is rarely
    large enough to compress.

    >>> kind_of(PurePath("a.jsonl.zst")), kind_of(PurePath("a.txt.gz")).compression, kind_of(PurePath("a.json")).content
    (FileKind(content='JSON lines', compression='Zstandard'), 'gzip', 'text')
    """
    suffix = path.suffix.lower()
    compression = _COMPRESSIONS.get(suffix)
    if compression:
        inner = PurePath(path.stem).suffix.lower()
        return FileKind(JSON_LINES if inner == ".json" else _CONTENTS.get(inner, TEXT), compression)
    return FileKind(_CONTENTS.get(suffix, TEXT), None)


class ByteStream(Protocol):
    """A source of bytes."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read at most as many bytes as the buffer holds, and return their number: 0 at the end."""


class BinaryFile(ByteStream, Protocol):
    """A file that is open for reading."""

    def read(self, size: int = -1, /) -> bytes | None:
        """Return at most `size` bytes; none at the end."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to an offset."""

    def tell(self) -> int:
        """Return the offset of the next byte."""

    def fileno(self) -> int:
        """Return the file descriptor."""


def byte_stream(file: BinaryFile, compression: str | None) -> ByteStream:
    """Return the content of an open file. Raise EngineError if decompressing it needs a package that is missing."""
    match compression:
        case None:
            return file
        case "gzip":
            import gzip

            return gzip.GzipFile(fileobj=cast(IO[bytes], file), mode="rb")
        case "bzip2":
            import bz2

            return bz2.BZ2File(cast(IO[bytes], file))
    pyarrow = import_pyarrow(compression)
    stream: ByteStream = pyarrow.CompressedInputStream(pyarrow.PythonFile(file, "r"), "zstd")
    return stream


def import_pyarrow(purpose: str) -> Any:
    """Return pyarrow, for a `purpose` such as "Parquet". Raise CorpusError, saying how to install it, if missing."""
    try:
        import pyarrow
    except ImportError as error:
        raise CorpusError(
            "Support for {purpose} needs the package pyarrow, which is not installed. {remedy}",
            purpose=purpose,
            remedy=how_to_install("bpe-gui[counts]"),
        ) from error
    return pyarrow


@contextmanager
def reading(path: Path | str, form: str | None) -> Iterator[None]:
    """Turn errors of reading a file into a CorpusError.

    `form` is the expected format, such as "gzip"; None if any bytes are valid.
    """
    try:
        yield
    except EngineError:
        raise
    except _ERRORS as error:
        if form is None or (isinstance(error, OSError) and error.errno is not None):
            raise unreadable_file_error(path, error) from error
        raise damaged_file_error(path, form, error) from error


def damaged_file_error(path: Path | str, form: str, error: Exception) -> CorpusError:
    """Return the error for a file that cannot be decoded from its `form`, such as gzip."""
    return CorpusError(
        "{path} is damaged, incomplete or not {form}: {reason}. Get the file again.",
        path=path,
        form=form,
        reason=str(error).rstrip("."),
    )


def unreadable_file_error(path: Path | str, error: Exception) -> CorpusError:
    """Return the error for a file that the system cannot read."""
    return CorpusError("{path} cannot be read: {reason}.", path=path, reason=reason_of(error))


@dataclass
class ReadingState:
    """How far a document has been read."""

    done: int = 0
    """How many bytes of the file have been read."""
    skipped: int = 0
    """How many records were left out because they have no text."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file, whose content is read from disk on each use.

    An `encoding` of None means UTF-8, with or without a byte-order mark. With `replace_invalid`, invalid bytes are read
    as U+FFFD instead of being an error.
    """

    path: Path
    encoding: str | None = None
    replace_invalid: bool = False

    def size(self) -> int:
        """Return the current size of the file in bytes. Raise CorpusError if it is not known."""
        try:
            return self.path.stat().st_size
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise unreadable_file_error(self.name, error) from error

    @property
    def name(self) -> Path | str:
        """The name of the file in messages."""
        return self.path

    @property
    def kind(self) -> FileKind:
        """The kind of file, judging by its name."""
        return kind_of(self.path)

    @property
    def has_records(self) -> bool:
        """Whether it contains records, each a separate text."""
        return self.kind.has_records

    def leave_out(self, start: int, numbers: Sequence[int], blank: Sequence[int] = ()) -> None:
        """Do nothing. A subclass may note which records are left out, because they have no text.

        `numbers` are those of lines, counted from 1 at byte `start`, and `blank` those of lines without a record. In a
        Parquet file, they are those of rows, and `start` is the number of a row group. Several threads may call this.
        """

    def decoded(self, state: ReadingState) -> Iterator[str]:
        """Yield the content of the file in chunks, and keep `state` up to date.

        Raise CorpusError, or UndecodableFileError with the offset of the invalid byte.
        """
        with self.open_binary() as file, reading(self.name, self.kind.compression):
            before = self.state_of(file)
            _logger.debug("Reading %s: %s bytes, encoding %s", self.path.name, before.size, self.encoding)
            stream = byte_stream(file, self.kind.compression)  # some close the file when they are deleted
            yield from self._decode_all(self._read_chunks(file, stream, before.size, state))
            is_plain = before.size is not None and not self.kind.compression
            bytes_read = file.tell() if is_plain else before.size or 0
            self.check_unchanged(before, self.state_of(file), bytes_read)

    @contextmanager
    def open_binary(self) -> Iterator[BinaryFile]:
        """Open the file without decompressing or decoding it. Raise EngineError.

        Opening a pipe may block; a Parquet file must not be a pipe.
        """
        if self.kind.content == PARQUET:
            with open_file(self.path) as regular:
                yield regular
            return
        with reading(self.name, None):
            file = self.path.open("rb", buffering=0)
        with file:
            yield file

    def state_of(self, file: BinaryFile) -> "FileState":
        """Return the current state of the file, which is open.

        A size of 0 counts as unknown, because files that the system generates, as in /proc, also have it.
        """
        status = os.fstat(file.fileno())
        has_size = stat.S_ISREG(status.st_mode) and status.st_size
        return FileState(status.st_size, status.st_mtime_ns) if has_size else FileState(None, None)

    def _read_chunks(
        self, file: BinaryFile, stream: ByteStream, size: int | None, state: ReadingState
    ) -> Iterator[bytes]:
        """Yield the content in chunks. A plain file is read up to `size`, because a growing one would never end."""
        buffer = memoryview(bytearray(_CHUNK_BYTES))
        left = None if self.kind.compression else size  # a pipe has no size
        while count := stream.readinto(buffer if left is None else buffer[:left]):
            if left is not None:
                left -= count
            state.done = file.tell() if size is not None else 0
            yield bytes(buffer[:count])

    def _decode_all(self, chunks: Iterable[bytes]) -> Iterator[str]:
        decoder = self._decoder()
        offset = 0
        for chunk in chunks:
            if offset == 0:
                self.check_is_text(chunk)
            yield self._decode(decoder, chunk, offset)
            offset += len(chunk)
        yield self._decode(decoder, b"", offset, final=True)

    def _decoder(self) -> codecs.IncrementalDecoder:
        errors = "replace" if self.replace_invalid else "strict"
        name = self.encoding or "utf-8"
        try:
            "a".encode(name)  # fails for codecs that do not encode text, such as zlib
            if codecs.lookup(name).name == "utf-8":
                name = "utf-8-sig"
            return codecs.getincrementaldecoder(name)(errors)
        except (LookupError, ValueError) as error:
            raise CorpusError(
                "Unknown encoding {encoding!r}. Examples of encodings are utf-8, gb18030 and cp1252.",
                encoding=self.encoding,
            ) from error

    def _decode(self, decoder: codecs.IncrementalDecoder, chunk: bytes, offset: int, *, final: bool = False) -> str:
        try:
            return decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            # `error.object` is this chunk, preceded by bytes that the decoder kept from the previous chunk.
            start = offset + len(chunk) - len(error.object) + error.start
            raise self.undecodable_error(start, error.object[error.start]) from error
        except UnicodeError as error:  # UTF-16 or UTF-32 without a byte-order mark
            raise UndecodableFileError(
                "{path} cannot be read as {encoding}: {reason}. Choose another encoding.",
                path=self.name,
                encoding=self.encoding or "UTF-8",
                reason=error,
            ) from error

    def undecodable_error(self, offset: int, byte: int) -> UndecodableFileError:
        """Return the error for a byte that is not valid in the encoding, at a byte offset in the file."""
        return UndecodableFileError(
            "{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be decoded. Choose "
            "another encoding, or replace invalid bytes.",
            path=self.name,
            encoding=self.encoding or "UTF-8",
            offset=offset,
            byte=byte,
        )

    def check_is_text(self, head: bytes) -> None:
        """Raise UndecodableFileError if a file that begins with the bytes `head` is binary, UTF-16 or UTF-32.

        A file whose encoding was given, or whose invalid bytes are to be replaced, is not checked.
        """
        if self.encoding or self.replace_invalid:
            return
        for mark, encoding in _BYTE_ORDER_MARKS:
            if head.startswith(mark):
                _logger.info("%s looks like %s", self.path.name, encoding)
                raise UndecodableFileError(
                    "{path} looks like {encoding} text. Choose that encoding to read it.",
                    path=self.name,
                    encoding=encoding.upper(),
                )
        if b"\0" in head:
            raise UndecodableFileError(
                "{path} looks like a binary file: there is a null byte at offset {offset:,}. If it is text, choose its "
                "encoding.",
                path=self.name,
                offset=head.index(b"\0"),
            )

    def check_unchanged(self, before: "FileState", after: "FileState", bytes_read: int) -> None:
        """Raise CorpusError if the file changed while it was read, or if its size differs from `bytes_read`.

        Pipes are not checked.
        """
        if before.size is not None and not (before == after and before.size == bytes_read):
            raise CorpusError(
                "{path} changed while it was being read: it had {before:,} bytes and then {after:,}. Read it again.",
                path=self.name,
                before=before.size,
                after=after.size or 0,
            )

    @property
    def is_whole(self) -> bool:
        """Whether all of the file is read, so that several threads can share it."""
        return True

    @property
    def is_regular_file(self) -> bool:
        """Whether this is a regular file. A pipe, for example, has no size, and reading it may block."""
        return self.path.is_file()

    @property
    def is_utf8(self) -> bool:
        """Whether the file must be valid UTF-8, after a byte-order mark if it has one."""
        if self.replace_invalid:
            return False
        try:
            return codecs.lookup(self.encoding or "utf-8").name in ("utf-8", "utf-8-sig")
        except (LookupError, ValueError):
            return False


class FileState(NamedTuple):
    """The size of a file in bytes, and its version, such as when it was last modified; both are None for a pipe."""

    size: int | None
    version: int | str | None


class Part(NamedTuple):
    """A part of a document: from `start` up to `stop`, or to the end if that is None.

    Offsets are bytes of a file, row groups of a Parquet file, characters of a text, or texts of a list. `before` is the
    expected state of a file, if known.
    """

    start: int = 0
    stop: int | None = None
    before: FileState | None = None


WHOLE: Final = Part()


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
    """A reader of valid UTF-8 that comes in pieces."""

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


def string_reader(chunks: Iterator[str], state: ReadingState) -> PieceReader:
    """Return a reader that encodes chunks of text."""
    return PieceReader((data for _chunk, data in encode_chunks(chunks)), state)


class Utf8FileReader:
    """A reader of an open UTF-8 file or, if it is not compressed, of a part of it."""

    def __init__(self, document: TextFile, file: BinaryFile, part: Part = WHOLE) -> None:
        start, stop, before = part
        self.state = ReadingState()
        self._document = document
        self._file = file
        self._start = start
        self._is_plain = document.kind.compression is None
        with self._reading():
            self._before = before or document.state_of(file)
            self._stream: ByteStream = byte_stream(file, document.kind.compression)
        # Stop at the current size, because a growing file would never end. A pipe has no size.
        self._remaining = self._before.size if self._is_plain else None
        self._offset = 0  # of the next read
        self._head = memoryview(b"")
        _logger.debug("Reading %s: %s bytes, %s to %s", document.path.name, self._before.size, start, stop)
        if start == 0:  # examine the start of the file, even if the slice is shorter
            head = bytearray(_HEAD)
            head = head[: self._read(memoryview(head))]
            document.check_is_text(bytes(head))
            mark = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
            self._head = memoryview(head)[mark:]
        self._seek(start, stop)

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
