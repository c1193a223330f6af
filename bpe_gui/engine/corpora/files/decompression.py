"""Open compressed files, whose content is read in pieces, so that no file takes more memory than another."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, Protocol, cast

from bpe_gui.engine.runtime.errors import CorpusError, EngineError
from bpe_gui.engine.runtime.errors import translatable as _

_ERRORS: Final = (OSError, EOFError, ValueError, zlib.error)  # ValueError: those of pyarrow


class ByteStream(Protocol):
    """A source of bytes."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read at most as many bytes as the buffer holds, and return their number: 0 at the end."""


class BinaryFile(ByteStream, Protocol):
    """A file that is open for reading."""

    def read(self, size: int = -1, /) -> bytes | None:
        """Return at most `size` bytes; none at the end."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Continue at an offset."""

    def tell(self) -> int:
        """Return the offset of the next byte."""

    def fileno(self) -> int:
        """Return the number by which the system knows the file."""


def byte_stream(file: BinaryFile, compression: str | None) -> ByteStream:
    """Return the content of an open file. Raise EngineError if a package is missing that is needed to decompress it."""
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
    """Return pyarrow. Raise EngineError, which says how to install it, for a `purpose` such as "Parquet"."""
    try:
        import pyarrow
    except ImportError as error:
        raise EngineError(
            _(
                "EngineError",
                'Reading {purpose} needs the package pyarrow, which is not installed: pip install "bpe-gui[counts]".',
            ),
            purpose=purpose,
        ) from error
    return pyarrow


@contextmanager
def reading(path: Path | str, form: str | None) -> Iterator[None]:
    """Turn what goes wrong while a file is read into a CorpusError.

    `form` is what the file should be, such as "gzip"; None if any bytes are right.
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
        _("EngineError", "{path} is damaged, incomplete or not {form}: {reason}. Get the file again."),
        path=path,
        form=form,
        reason=str(error).rstrip("."),
    )


def unreadable_file_error(path: Path | str, error: Exception) -> CorpusError:
    """Return the error for a file that the system cannot read."""
    reason = getattr(error, "strerror", None) or error
    return CorpusError(_("EngineError", "{path} cannot be read: {reason}."), path=path, reason=reason)
