"""What windows have saved for safety: a file for each, with a lock that tells whether its process lives."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import platformdirs
from PySide6.QtCore import QLockFile

from bpe_gui.engine.projects.project_file import SUFFIX

_NEVER: Final = 0
"""Seconds after which a lock is old: however long a process lives, its lock is good."""


def recovery_folder() -> Path:
    """Where the user's files are kept for safety."""
    return platformdirs.user_data_path("bpe-gui", appauthor=False) / "recovery"


class Recovered:
    """A file that is ours alone, with whatever it holds; that of a process which is gone until it is decided upon."""

    def __init__(self, path: Path, lock: QLockFile) -> None:
        self.path: Final = path
        self._lock = lock

    def discard(self) -> None:
        """Delete the file, and what a process left that was killed while writing it."""
        for path in (self.path, *self.path.parent.glob(f".{self.path.name}.*")):
            with suppress(OSError):
                path.unlink()
        self.release()

    def release(self) -> None:
        """Leave it to whoever looks for it next."""
        self._lock.unlock()


class Recovery:
    """The files of a folder that are for safety. Nothing is read, and nothing written but locks."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder

    def new(self) -> Recovered | None:
        """A place for a file of our own; None where nothing can be written."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self._taken(self.folder / f"{secrets.token_hex(8)}{SUFFIX}")
        return None

    def left_behind(self) -> Iterator[Recovered]:
        """The files of processes that are gone, the newest first; they are ours from now on."""
        with suppress(OSError):
            for path in sorted(self.folder.glob(f"[!.]*{SUFFIX}"), key=_age):
                if recovered := self._taken(path):
                    yield recovered

    def _taken(self, path: Path) -> Recovered | None:
        lock = QLockFile(str(path.with_name(path.name.removesuffix(SUFFIX) + ".lock")))
        lock.setStaleLockTime(_NEVER)
        return Recovered(path, lock) if lock.tryLock(0) else None


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:  # somebody else has just decided upon it
        return 0.0
