"""Read small files whole, and write files, with clear errors and never half a file."""

import errno
import gc
import logging
import ntpath
import os
import re
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final

from .errors import EngineError, FormatError

MAX_BYTES: Final = 1 << 28
"""The largest file that is read whole."""

_PIECE: Final = 1 << 16
"""Bytes read at a time beyond the size that a file should have."""

_LONGEST_NAME: Final = 200
"""The longest file name, in bytes, to which a suffix can be added; file systems allow about 255."""

_CAN_REPLACE_READ_ONLY: Final = sys.platform != "win32"
"""Whether renaming a file over a read-only one works. On Unix, the permissions of the folder decide."""

_RETRY_DELAYS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4) if sys.platform == "win32" else ()
"""Seconds to wait between attempts. On Windows, a virus scanner or indexer may briefly have a file open."""

_SAID_IN_C: Final = frozenset({2, 3, 5, 80, 112, 183})
"""Windows' numbers for: no file, no folder, no access, a file that exists (two of them), and no space."""

_REFUSES_FOLDERS: Final = sys.platform == "win32"
"""Whether opening a folder fails as if for want of permission."""

_LEFT_AFTER: Final = 3600  # seconds after which no process, even on another computer, still uses a temporary file

_MARKED: Final = re.compile(r"[0-9a-f]{8}\.(?:part|old)" if sys.platform != "win32" else r"[0-9a-f]{8}\.part")
"""The end of a temporary file's name. On Windows, the times of a file do not show when it got a second name."""

_COLON: Final = re.compile(r"\s*:")

_logger: Final = logging.getLogger(__name__)


@contextmanager
def open_file(path: Path) -> Iterator[BufferedReader]:
    """Open a file to read its bytes. Raise FormatError if it cannot be opened or read.

    Every file that a user names or has in a folder is opened here, unless a pipe is allowed. Pipes and devices are
    refused, without waiting for a pipe that nobody writes to, because reading them might never end.
    """
    try:
        with _opened(path) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FormatError("{path} is a device or a pipe, not a file.", path=path)
            yield file
    except OSError as error:
        raise unreadable(path, error) from error


def _opened(path: Path) -> BufferedReader:
    try:
        return open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))
    except ValueError as error:  # a path with a null character
        raise FormatError("{path} cannot be read: {reason}.", path=path, reason=error) from error


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """Return the content of a file of at most `most` bytes. Raise FormatError."""
    with open_file(path) as file:
        data = file.read(min(os.fstat(file.fileno()).st_size, most) + 1)  # Python allocates as much as is requested
        while len(data) <= most and (more := file.read(_PIECE)):
            data += more  # the file has grown, or is in /proc and has a size of 0
    if len(data) > most:
        raise FormatError(
            "{path} is larger than {most:,} bytes, which is too large for this kind of file.", path=path, most=most
        )
    return data


def read_text(path: Path, most: int = MAX_BYTES) -> str:
    """Return the text of a UTF-8 file of at most `most` bytes, without a byte-order mark. Raise FormatError."""
    data = read_bytes(path, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            "{path}, line {line} is not valid UTF-8: the byte at offset {offset} cannot be decoded.",
            path=path,
            line=error.object.count(b"\n", 0, error.start) + 1,
            # The codec's offset does not count the byte-order mark.
            offset=len(data) - len(error.object) + error.start,
        ) from error


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder. Unlike `Path.is_dir`, this does not raise OSError for an impossible path."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: Path) -> bool:
    """Return whether a path is a file, without raising OSError, like `is_folder`."""
    return os.path.isfile(path)  # noqa: PTH113


def is_there(path: Path) -> bool:
    """Return whether a path exists, without raising OSError, like `is_folder`."""
    return os.path.exists(path)  # noqa: PTH110


def unreadable(path: Path, error: OSError) -> FormatError:
    """Return the error for a file that the system cannot read."""
    return FormatError("{path} cannot be read: {reason}.", path=path, reason=reason_of(error))


def reason_of(error: Exception) -> object:
    """Return what the system says about an error, in the words of C where Windows has others in its own language.

    These are the same for every function, and the window translates them. A file in use has no words in C.
    """
    if isinstance(error, OSError) and error.errno is not None:
        if getattr(error, "winerror", None) in _SAID_IN_C:
            return os.strerror(error.errno)
        if _REFUSES_FOLDERS and error.errno == errno.EACCES and error.filename and is_folder(error.filename):
            return os.strerror(errno.EISDIR)
    return getattr(error, "strerror", None) or error


def parse_json(path: Path, text: str) -> Any:
    """Return the JSON value in `text`, which was read from `path`. Raise FormatError with the line of a mistake."""
    import json

    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            key = next(key for key, count in Counter(key for key, _value in pairs).items() if count > 1)
            raise FormatError(
                "{path}, line {line}: the key {key!r} occurs twice.", path=path, line=line_of_key(text, key), key=key
            )
        return result

    try:
        with _without_collecting_garbage():
            return json.loads(text, object_pairs_hook=without_duplicates)
    except json.JSONDecodeError as error:
        raise FormatError(
            "{path}, line {line}, column {column}: this is not valid JSON ({reason}).",
            path=path,
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from error
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets thousands deep
        raise FormatError("{path} is not valid JSON: {reason}.", path=path, reason=error) from error


@contextmanager
def _without_collecting_garbage() -> Iterator[None]:
    """Switch the garbage collector off: it would take a third of the time and find nothing among many new lists."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def line_of_key(text: str, key: str) -> int:
    """Return the line, from 1, of the last occurrence of `key` as a key in JSON text.

    >>> line_of_key('{"a": 1,\\n"b": 2}', "b")
    2
    """
    import json

    last = 0
    for quoted in {json.dumps(key, ensure_ascii=ascii) for ascii in (False, True)}:
        offset = text.find(quoted)
        while offset >= 0:
            if _COLON.match(text, offset + len(quoted)):
                last = max(last, offset)
            offset = text.find(quoted, offset + 1)
    return text.count("\n", 0, last) + 1


Content = str | bytes | Callable[[BinaryIO], object]
"""The content to write to a file: text, bytes, or a function that writes to it."""


def write_files(contents: Mapping[Path, Content]) -> None:
    """Write all files, text as UTF-8, or leave all of them unchanged and raise FormatError, as when the disk is full.

    Each file is first written to a temporary file next to it. These are renamed only when all of them are complete on
    disk. A symbolic link is kept, and its target is replaced. Permissions are kept. Temporary files that a killed
    process left next to a file are removed, once no process can still be using them.
    """
    for path in contents:
        if not path.name:
            raise FormatError("{path} is a folder. Name a file to write.", path=path)
        try:  # `os.fsencode` allows half a surrogate pair on Windows, and so do its file systems, but nothing else does
            str(path).encode(sys.getfilesystemencoding(), "surrogateescape")
        except UnicodeEncodeError as error:
            raise FormatError(
                "{path} cannot be written: {reason}. Nothing was changed.", path=path, reason=error
            ) from error
    mark = os.urandom(4).hex()
    contents = {_target(path): content for path, content in contents.items()}
    current = next(iter(contents))
    replaced: list[Path] = []
    unrestored: set[Path] = set()
    new_folders: list[Path] = []
    try:
        new_folders += _missing_folders(contents)
        for current, content in contents.items():
            current.parent.mkdir(parents=True, exist_ok=True)
            _refuse_read_only(current)
            _write_through(_beside(current, mark, "part"), content)
            if current.exists():
                _beside(current, mark, "part").chmod(stat.S_IMODE(current.stat().st_mode))
        for current in contents:
            _keep_old(current, _beside(current, mark, "old"))
        for current in contents:
            _retry(partial(_beside(current, mark, "part").replace, current))
            replaced.append(current)
            _remove_leftovers(current)
    except EngineError:  # from a function that writes; nothing was renamed yet
        raise
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        _logger.warning("%s cannot be written; %d files are rolled back", current, len(replaced), exc_info=True)
        unrestored.update(path for path in replaced if not _put_back(path, _beside(path, mark, "old")))
        raise FormatError(
            "{path} cannot be written: {reason}. Nothing was changed.",
            path=current,
            reason=reason_of(error),
        ) from error
    finally:
        for path in contents:
            _remove(_beside(path, mark, "part"))
            if path not in unrestored:
                _remove(_beside(path, mark, "old"))
        for folder in new_folders:
            with suppress(OSError, ValueError):  # it contains the new files, or was never created
                folder.rmdir()


def _missing_folders(paths: Iterable[Path]) -> list[Path]:
    """Return the parent folders that do not exist yet, innermost first."""
    folders = {folder for path in paths for folder in path.parents if not folder.exists()}
    return sorted(folders, key=lambda folder: len(folder.parts), reverse=True)


def _target(path: Path) -> Path:
    """Return the file to replace for `path`. Raise FormatError for a device or a pipe, which must not be replaced."""
    try:
        target = path.resolve() if path.is_symlink() else path
        is_special = target.exists() and not (target.is_file() or target.is_dir())
    except (
        OSError,
        ValueError,
        RuntimeError,
    ):  # no permission, an invalid name, circular links: writing will fail
        return path
    if is_special:
        raise FormatError("{path} is a device or a pipe. Write to a regular file instead.", path=path)
    return target


def _refuse_read_only(path: Path) -> None:
    """Raise PermissionError if a read-only file cannot be replaced, before anything is written."""
    if not _CAN_REPLACE_READ_ONLY and path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _beside(path: Path, mark: str, ending: str) -> Path:
    """Return the path of a temporary file, in a form that may be longer than that of the file itself may be."""
    beside = path.with_name(f"{_beginning(path)}{mark}.{ending}")
    return Path(extended(ntpath.abspath(beside))) if sys.platform == "win32" else beside


def extended(path: str) -> str:
    r"""Return an absolute path of Windows in the form that may have more than 259 characters.

    >>> print(extended(r"C:\a.txt"), extended(r"\\server\share\a.txt"))
    \\?\C:\a.txt \\?\UNC\server\share\a.txt
    """
    if path.startswith("\\\\?\\"):
        return path
    return rf"\\?\UNC\{path[2:]}" if path.startswith("\\\\") else rf"\\?\{path}"


def _beginning(path: Path) -> str:
    """Return the beginning of the names of a file's temporary files."""
    name = path.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        from hashlib import sha256  # loads all of OpenSSL

        name = sha256(os.fsencode(name)).hexdigest()
    return f".{name}."


def _remove_leftovers(path: Path) -> None:
    """Remove temporary files that killed processes left next to a file."""
    beginning = _beginning(path)
    with suppress(OSError):  # the folder cannot be listed
        for entry in os.scandir(path.parent):
            if entry.name.startswith(beginning) and _MARKED.fullmatch(entry.name, len(beginning)):
                times = entry.stat(follow_symlinks=False)  # a second name changes only st_ctime
                if time.time() - max(times.st_mtime, times.st_ctime) > _LEFT_AFTER:
                    _logger.info("removing %s, which a killed process left", entry.path)
                    _remove(Path(entry.path))


def _write_through(path: Path, content: Content) -> None:
    with path.open("wb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())


def _keep_old(path: Path, old: Path) -> None:
    """Give the file at `path`, if it exists, a second name. Copy it if the file system has no hard links."""
    if not path.exists():
        return
    try:
        old.hardlink_to(path)
    except (OSError, NotImplementedError):
        _logger.debug("no hard link to %s; copying it", path, exc_info=True)
        import shutil  # imports modules for archives

        shutil.copy2(path, old)


def _put_back(path: Path, old: Path) -> bool:
    """Restore the file that was at `path`. Return whether that succeeded."""
    try:
        _retry(partial(old.replace, path) if old.exists() else path.unlink)
    except OSError:
        _logger.exception("%s cannot be restored; its former content is in %s", path, old)
        return False
    return True


def _remove(path: Path) -> None:
    try:
        _retry(path.unlink)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # it was never written
        pass
    except OSError:
        _logger.warning("%s is left behind", path, exc_info=True)


def _retry(operation: Callable[[], object]) -> None:
    """Run a file operation, and repeat it if Windows refuses it because another process has the file open."""
    for delay in _RETRY_DELAYS:
        try:
            operation()
        except PermissionError:
            time.sleep(delay)
        else:
            return
    operation()
