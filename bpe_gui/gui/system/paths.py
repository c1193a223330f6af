"""Check paths given by the user, and suggest names for files."""

import logging
import re
import stat
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Final

_logger: Final = logging.getLogger(__name__)


def is_folder(path: Path) -> bool:
    return _has_mode(path, stat.S_ISDIR)


def exists(path: Path) -> bool:
    return _has_mode(path, lambda _mode: True)


def is_endless(path: Path) -> bool:
    """Return whether a path is a pipe, a device or a socket, which might never end."""
    return _has_mode(path, lambda mode: not stat.S_ISREG(mode) and not stat.S_ISDIR(mode))


def _has_mode(path: Path, test: Callable[[int], bool]) -> bool:
    try:
        return test(path.stat().st_mode)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        _logger.debug("%r cannot be looked up: %s", str(path), error)
        return False


def unused_path(folder: Path, name: str, suffixes: Iterable[str]) -> Path:
    """Return a path in `folder` with a name like this one that exists neither as it is nor with any of the suffixes."""
    names = (f"{name}-{number}" if number > 1 else name for number in count(1))
    endings = ("", *suffixes)
    return folder / next(name for name in names if not any(exists(folder / (name + ending)) for ending in endings))


# Characters that Windows forbids are allowed elsewhere, but then the file could not be copied to Windows.
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?=\.|$)", re.IGNORECASE)
_MAX: Final = 80  # characters


def portable_name(title: str) -> str:
    """Return `title` as a file name without suffix that is valid on Windows too; empty if nothing is left.

    >>> portable_name("CS336: low, lower?"), portable_name("aux"), portable_name(" . ")
    ('CS336 low, lower', 'aux_', '')
    """
    name = " ".join(_FORBIDDEN.sub(" ", title).split())[:_MAX].strip(" .")
    return _DEVICE.sub(r"\1_", name) if _DEVICE.match(name) else name
