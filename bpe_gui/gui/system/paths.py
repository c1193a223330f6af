"""What the system tells of a path. Where it tells nothing, the answer is no."""

import stat
from collections.abc import Callable
from pathlib import Path


def is_folder(path: Path) -> bool:
    """Whether it is a folder."""
    return _mode(path, stat.S_ISDIR)


def exists(path: Path) -> bool:
    """Whether anything is there."""
    return _mode(path, lambda _mode: True)


def is_endless(path: Path) -> bool:
    """Whether it is a pipe, a device or a socket: reading one could take forever."""
    return _mode(path, lambda mode: not stat.S_ISREG(mode) and not stat.S_ISDIR(mode))


def _mode(path: Path, test: Callable[[int], bool]) -> bool:
    try:
        return test(path.stat().st_mode)
    except (OSError, ValueError):
        return False
