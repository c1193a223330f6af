"""Files of text: their bytes, decompressed, as text in their encoding."""

import codecs
import logging
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.errors import CorpusError, UndecodableFileError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import open_file

from .decompression import BinaryFile, ByteStream, byte_stream, reading, unreadable_file_error
from .kinds import PARQUET, FileKind, kind_of

_CHUNK_BYTES: Final = 1 << 16  # bytes read at a time
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_logger: Final = logging.getLogger(__name__)


@dataclass
class ReadingState:
    """How far a document is read."""

    done: int = 0
    """The bytes of the file that are read."""
    skipped: int = 0
    """The records that were left out because they have no text."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that contains text, which is read again each time.

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
        """Whether it contains records, each of which is a text of its own."""
        return self.kind.has_records

    def decoded(self, state: ReadingState) -> Iterator[str]:
        """Yield the content of the file in chunks, and keep `state` up to date.

        Raise CorpusError, or UndecodableFileError with the offset of the invalid byte.
        """
        with self.open_binary() as file, reading(self.name, self.kind.compression):
            before = self.state_of(file)
            _logger.debug("Reading %s: %s bytes, encoding %s", self.path.name, before.size, self.encoding)
            stream = byte_stream(file, self.kind.compression)  # some close the file when they are dropped
            yield from self._decode_all(self._read_chunks(file, stream, before.size, state))
            self.check_unchanged(before, self.state_of(file), self._bytes_read(file, before))

    @contextmanager
    def open_binary(self) -> Iterator[BinaryFile]:
        """Open the file as it is. Raise EngineError. A pipe is waited for, unless it should be a Parquet file."""
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

        A size of 0 counts as not known: files that the system makes when they are read, as in /proc, have it, too.
        """
        status = os.fstat(file.fileno())
        has_size = stat.S_ISREG(status.st_mode) and status.st_size
        return FileState(status.st_size, status.st_mtime_ns) if has_size else FileState(None, None)

    def _read_chunks(
        self, file: BinaryFile, stream: ByteStream, size: int | None, state: ReadingState
    ) -> Iterator[bytes]:
        """Yield the content in chunks: of a plain file the first `size` bytes, since one that grows would never end."""
        buffer = memoryview(bytearray(_CHUNK_BYTES))
        left = None if self.kind.compression else size  # a pipe has no size
        while count := stream.readinto(buffer if left is None else buffer[:left]):
            if left is not None:
                left -= count
            state.done = file.tell() if size is not None else 0
            yield bytes(buffer[:count])

    def _bytes_read(self, file: BinaryFile, before: "FileState") -> int:
        """Return the number of bytes that were read of a plain file; of any other its size."""
        return file.tell() if before.size is not None and not self.kind.compression else before.size or 0

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
                _("EngineError", "Unknown encoding {encoding!r}. Examples of encodings are utf-8, gb18030 and cp1252."),
                encoding=self.encoding,
            ) from error

    def _decode(self, decoder: codecs.IncrementalDecoder, chunk: bytes, offset: int, *, final: bool = False) -> str:
        try:
            return decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            # `error.object` is this chunk after the bytes that the decoder had kept of the chunk before.
            start = offset + len(chunk) - len(error.object) + error.start
            raise self.undecodable_error(start, error.object[error.start]) from error
        except UnicodeError as error:  # UTF-16 or UTF-32 without a byte-order mark
            raise UndecodableFileError(
                _("EngineError", "{path} cannot be read as {encoding}: {reason}. Choose another encoding."),
                path=self.name,
                encoding=self.encoding or "UTF-8",
                reason=error,
            ) from error

    def undecodable_error(self, offset: int, byte: int) -> UndecodableFileError:
        """Return the error for a byte that is not valid in the encoding, at a byte offset in the file."""
        return UndecodableFileError(
            _(
                "EngineError",
                "{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be decoded. "
                "Choose another encoding, or replace invalid bytes.",
            ),
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
                    _("EngineError", "{path} starts like {encoding} text. Choose that encoding to read it."),
                    path=self.name,
                    encoding=encoding.upper(),
                )
        if b"\0" in head:
            raise UndecodableFileError(
                _(
                    "EngineError",
                    "{path} looks like a binary file: there is a null byte at offset {offset:,}. If it is text, "
                    "choose its encoding.",
                ),
                path=self.name,
                offset=head.index(b"\0"),
            )

    def check_unchanged(self, before: "FileState", after: "FileState", bytes_read: int) -> None:
        """Raise CorpusError if the file changed while it was read, or if its size differs from `bytes_read`.

        Pipes are not checked.
        """
        if before.size is not None and not (before == after and before.size == bytes_read):
            raise CorpusError(
                _(
                    "EngineError",
                    "{path} changed while it was being read: it had {before:,} bytes and then {after:,}. Read it "
                    "again.",
                ),
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
        """Whether this is a regular file; a pipe, for example, has no size, and reading it may block."""
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
