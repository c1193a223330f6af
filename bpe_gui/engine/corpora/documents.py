"""Documents: texts and files, as characters or as blocks of UTF-8, so that a file is never held whole."""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from bpe_gui.engine.runtime.errors import CorpusError, UndecodableFileError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.utf8 import chunks_of

_CHUNK: Final = 1 << 16  # bytes read at a time
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class TextDocument:
    """A text in memory.

    >>> TextDocument("你好").size()
    6
    """

    text: str

    def size(self) -> int:
        """How large it is, in bytes of UTF-8."""
        return len(self.text) if self.text.isascii() else len(self.text.encode(errors="surrogatepass"))

    def chunks(self) -> Iterator[str]:
        """The text in pieces, in order."""
        return chunks_of(self.text)


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A file, read anew each time: `encoding` None is UTF-8 with or without a byte-order mark.

    With `replace_invalid`, bytes that are not valid become U+FFFD instead of an error.
    """

    path: Path
    encoding: str | None = None
    replace_invalid: bool = False

    def size(self) -> int:
        """How large it is now, in bytes. Raises CorpusError if it cannot be read."""
        try:
            return self.path.stat().st_size
        except (OSError, ValueError) as error:  # a path with a zero character is a ValueError
            raise unreadable(self.path, error) from error

    def chunks(self) -> Iterator[str]:
        """The text in pieces, in order. Raises CorpusError, or UndecodableFileError with the byte offset."""
        try:
            with self.path.open("rb") as file:
                before = state_of(file)
                # A file that grows faster than we read would have no end; a pipe has no size.
                yield from self._decoded(_blocks(file, before.size))
                self.check_unchanged(before, state_of(file), file.tell() if before.size is not None else 0)
        except OSError as error:
            raise unreadable(self.path, error) from error

    def _decoded(self, blocks: Iterable[bytes]) -> Iterator[str]:
        decoder = self._decoder()
        offset = 0
        for block in blocks:
            if offset == 0:
                self.check_text(block)
            yield self._decode(decoder, block, offset)
            offset += len(block)
        yield self._decode(decoder, b"", offset, final=True)

    def _decoder(self) -> codecs.IncrementalDecoder:
        errors = "replace" if self.replace_invalid else "strict"
        name = self.encoding or "utf-8"
        try:
            "a".encode(name)  # refuses what is a codec but no encoding of text, such as zlib
            if codecs.lookup(name).name == "utf-8":
                name = "utf-8-sig"
            return codecs.getincrementaldecoder(name)(errors)
        except (LookupError, ValueError) as error:
            raise CorpusError(
                _("EngineError", "There is no encoding named {encoding!r}; utf-8, gb18030 and cp1252 are examples."),
                encoding=self.encoding,
            ) from error

    def _decode(self, decoder: codecs.IncrementalDecoder, block: bytes, offset: int, *, final: bool = False) -> str:
        try:
            return decoder.decode(block, final)
        except UnicodeDecodeError as error:
            # The bytes the decoder looked at end where the block ends, but may begin before it.
            start = offset + len(block) - len(error.object) + error.start
            raise self.undecodable(start, error.object[error.start]) from error
        except UnicodeError as error:  # UTF-16 or UTF-32 without the mark that says which
            raise UndecodableFileError(
                _("EngineError", "{path} cannot be read as {encoding}: {reason}. Choose another encoding."),
                path=self.path,
                encoding=self.encoding or "UTF-8",
                reason=error,
            ) from error

    def undecodable(self, offset: int, byte: int) -> UndecodableFileError:
        """The error to raise for a byte that cannot be read."""
        return UndecodableFileError(
            _(
                "EngineError",
                "{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be read. "
                "Choose another encoding, or have invalid bytes replaced.",
            ),
            path=self.path,
            encoding=self.encoding or "UTF-8",
            offset=offset,
            byte=byte,
        )

    def check_text(self, block: bytes) -> None:
        """Raise UndecodableFileError if a file that begins so is no UTF-8, unless it was said what it is."""
        if self.encoding or self.replace_invalid:
            return
        for mark, encoding in _BYTE_ORDER_MARKS:
            if block.startswith(mark):
                raise UndecodableFileError(
                    _("EngineError", "{path} begins like {encoding} text; choose that encoding to read it."),
                    path=self.path,
                    encoding=encoding.upper(),
                )
        if b"\0" in block:
            raise UndecodableFileError(
                _(
                    "EngineError",
                    "{path} looks like a binary file: there is a zero byte at offset {offset:,}. "
                    "If it is text, choose its encoding.",
                ),
                path=self.path,
                offset=block.index(b"\0"),
            )

    def check_unchanged(self, before: "FileState", after: "FileState", read: int) -> None:
        """Raise CorpusError if the file is not what it was, or another number of bytes of it was read."""
        if before.size is not None and not (before == after and before.size == read):
            raise CorpusError(
                _(
                    "EngineError",
                    "{path} changed while it was read: it had {before:,} bytes and then {after:,}. Read it again.",
                ),
                path=self.path,
                before=before.size,
                after=after.size,
            )

    @property
    def has_end(self) -> bool:
        """Whether reading it never waits for somebody else, as it does from a pipe."""
        return self.path.is_file()

    @property
    def is_utf8(self) -> bool:
        """Whether its bytes can be read as UTF-8, but for a mark at the start, and are refused if they are not."""
        if self.replace_invalid:
            return False
        try:
            return codecs.lookup(self.encoding or "utf-8").name in ("utf-8", "utf-8-sig")
        except (LookupError, ValueError):
            return False


class FileState(NamedTuple):
    """What tells that a file changed. A pipe has no size and no time."""

    size: int | None
    time: int | None


def state_of(file: BinaryIO) -> FileState:
    """How an open file is now."""
    status = os.fstat(file.fileno())
    return FileState(status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else FileState(None, None)


def _blocks(file: BinaryIO, size: int | None) -> Iterator[bytes]:
    """The file in blocks, up to that many bytes."""
    left = size
    while block := file.read(_CHUNK if left is None else min(_CHUNK, left)):
        yield block
        if left is not None:
            left -= len(block)


Document = TextDocument | FileDocument


def unreadable(path: Path, error: OSError | ValueError) -> CorpusError:
    """The error to raise for a file that the system does not give."""
    reason = getattr(error, "strerror", None) or error
    return CorpusError(_("EngineError", "{path} cannot be read: {reason}."), path=path, reason=reason)
