"""Reading and writing whole small files: clear errors, and never half a file."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import FormatError
from .errors import translatable as _


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte-order mark. Raises FormatError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            _("EngineError", "{path} is not UTF-8 text: the byte at offset {offset} cannot be read."),
            path=path,
            offset=error.start,
        ) from error
    except OSError as error:
        raise FormatError(
            _("EngineError", "{path} cannot be read: {reason}."), path=path, reason=error.strerror or error
        ) from error


def parse_json(path: Path, text: str) -> Any:
    """The JSON value in `text`, which was read from `path`. Raises FormatError with the line and column."""
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _without_duplicates(path, pairs))
    except json.JSONDecodeError as error:
        raise FormatError(
            _("EngineError", "{path}, line {line}, column {column}: this is not JSON ({reason})."),
            path=path,
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from error
    except RecursionError as error:
        raise FormatError(_("EngineError", "{path} is nested too deeply to be read."), path=path) from error


def _without_duplicates(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise FormatError(_("EngineError", "{path} holds the key {key!r} twice."), path=path, key=key)
        result[key] = value
    return result


def write_files(contents: Mapping[Path, str]) -> None:
    """Write every file or, where one cannot be written, leave all of them as they were. Raises FormatError.

    Each is written beside its place first; only when all are complete on disk are they renamed.
    """
    beside: dict[Path, Path] = {}
    try:
        for path, text in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            beside[path] = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
            _write_through(beside[path], text)
        for path, part in beside.items():
            part.replace(path)
    except OSError as error:
        raise FormatError(
            _("EngineError", "{path} cannot be written: {reason}. Nothing was changed."),
            path=error.filename or next(iter(contents)),
            reason=error.strerror or error,
        ) from error
    finally:
        for part in beside.values():
            part.unlink(missing_ok=True)


def _write_through(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
