"""Asking the system about paths. A question it cannot answer is answered with no."""

import logging
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

_logger: Final = logging.getLogger(__name__)


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder."""
    return _has_mode(path, stat.S_ISDIR)


def exists(path: Path) -> bool:
    """Return whether there is something at a path."""
    return _has_mode(path, lambda _mode: True)


def is_endless(path: Path) -> bool:
    """Return whether a path is a pipe, a device or a socket: reading one could take forever."""
    return _has_mode(path, lambda mode: not stat.S_ISREG(mode) and not stat.S_ISDIR(mode))


def _has_mode(path: Path, test: Callable[[int], bool]) -> bool:
    try:
        return test(path.stat().st_mode)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        _logger.debug("%r cannot be looked up: %s", str(path), error)
        return False
