"""Reading and writing whole small files: clear errors, and never half a file."""

import json
import os
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NoReturn

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _

MOST_BYTES: Final = 1 << 28
"""The most that is read of a file that is read whole."""

_LONGEST_NAME: Final = 200
"""Bytes of a name to which something can be added; file systems take about 255."""

_COLON: Final = re.compile(r"\s*:")


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a UTF-8 file of up to `most` bytes, with or without a byte-order mark. Raises FormatError."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # a path with a zero character
        raise FormatError(_("EngineError", "{path} cannot be read: {reason}."), path=path, reason=error) from error
    if len(data) > most:
        raise FormatError(
            _("EngineError", "{path} is larger than {most:,} bytes; no tokenizer file of this kind is that large."),
            path=path,
            most=most,
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            _("EngineError", "{path}, line {line} is not UTF-8 text: the byte at offset {offset} cannot be read."),
            path=path,
            line=error.object.count(b"\n", 0, error.start) + 1,
            # The codec does not count the byte-order mark.
            offset=len(data) - len(error.object) + error.start,
        ) from error


def unreadable(path: Path, error: OSError) -> FormatError:
    """What to raise where the system does not let us read `path`."""
    return FormatError(_("EngineError", "{path} cannot be read: {reason}."), path=path, reason=error.strerror or error)


def parse_json(path: Path, text: str) -> Any:
    """The JSON value in `text`, which was read from `path`. Raises FormatError with the line."""

    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            _refuse_duplicate(path, text, [key for key, _value in pairs])
        return result

    try:
        return json.loads(text, object_pairs_hook=without_duplicates)
    except json.JSONDecodeError as error:
        raise FormatError(
            _("EngineError", "{path}, line {line}, column {column}: this is not JSON ({reason})."),
            path=path,
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from error
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets thousands deep
        raise FormatError(
            _("EngineError", "{path} is no JSON that can be read: {reason}."), path=path, reason=error
        ) from error


def _refuse_duplicate(path: Path, text: str, keys: list[str]) -> NoReturn:
    key = next(key for key, count in Counter(keys).items() if count > 1)
    raise FormatError(
        _("EngineError", "{path}, line {line}: the key {key!r} is there twice."),
        path=path,
        line=line_of_key(text, key),
        key=key,
    )


def line_of_key(text: str, key: str) -> int:
    """The line of the last place in some JSON where `key` is a key.

    >>> line_of_key('{"a": 1,\\n"b": 2}', "b")
    2
    """
    place = 0
    for spelled in {json.dumps(key, ensure_ascii=ascii) for ascii in (False, True)}:
        found = text.find(spelled)
        while found >= 0:
            if _COLON.match(text, found + len(spelled)):
                place = max(place, found)
            found = text.find(spelled, found + 1)
    return text.count("\n", 0, place) + 1


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Write every file, text as UTF-8; where one cannot be written, leave all as they were. Raises FormatError.

    Each is written beside its place first; only when all are complete on disk are they renamed. A link stays one, and
    the file that it leads to is written.
    """
    mark = secrets.token_hex(4)
    contents = {_target(path): content for path, content in contents.items()}
    current = next(iter(contents))
    done: list[Path] = []
    new_folders: list[Path] = []
    try:
        new_folders += _missing_folders(contents)
        for current, text in contents.items():
            current.parent.mkdir(parents=True, exist_ok=True)
            _write_through(_beside(current, mark, "part"), text)
            if current.exists():
                shutil.copymode(current, _beside(current, mark, "part"))
        for current in contents:
            _keep_old(current, _beside(current, mark, "old"))
        for current in contents:
            _beside(current, mark, "part").replace(current)
            done.append(current)
    except (OSError, ValueError) as error:  # a path with a zero character is a ValueError
        for path in done:
            _put_back(path, _beside(path, mark, "old"))
        raise FormatError(
            _("EngineError", "{path} cannot be written: {reason}. Nothing was changed."),
            path=current,
            reason=getattr(error, "strerror", None) or error,
        ) from error
    finally:
        for path in contents:
            for ending in ("part", "old"):
                _remove(_beside(path, mark, ending))
        for folder in new_folders:
            with suppress(OSError, ValueError):  # it holds the files, as it should, or was not made
                folder.rmdir()


def _missing_folders(paths: Iterable[Path]) -> list[Path]:
    """The folders of the files that are not there yet, the deepest first."""
    folders = {folder for path in paths for folder in path.parents if not folder.exists()}
    return sorted(folders, key=lambda folder: len(folder.parts), reverse=True)


def _target(path: Path) -> Path:
    """What is to be replaced for `path`. Raises FormatError for a device or a pipe, which would be one no more."""
    try:
        target = path.resolve() if path.is_symlink() else path
        is_other = target.exists() and not (target.is_file() or target.is_dir())
    except (OSError, ValueError, RuntimeError):  # not allowed to ask, no name, links in a circle: writing will tell
        return path
    if is_other:
        raise FormatError(
            _("EngineError", "{path} is a device or a pipe; write to a file in a folder."),
            path=path,
        )
    return target


def _beside(path: Path, mark: str, ending: str) -> Path:
    name = path.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = sha256(os.fsencode(name)).hexdigest()
    return path.with_name(f".{name}.{mark}.{ending}")


def _write_through(path: Path, content: str | bytes) -> None:
    with path.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())


def _keep_old(path: Path, old: Path) -> None:
    """Give the file at `path`, if there is one, a second name; where links are not to be had, a copy."""
    if not path.exists():
        return
    try:
        old.hardlink_to(path)
    except OSError:
        shutil.copy2(path, old)


def _put_back(path: Path, old: Path) -> None:
    if old.exists():
        old.replace(path)
    else:
        path.unlink()


def _remove(path: Path) -> None:
    with suppress(OSError, ValueError):  # it was never written, or its folder is no folder
        path.unlink()
