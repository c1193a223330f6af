"""Recovery files: one for each window, with a lock that tells whether its process is still running."""

import logging
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import platformdirs
from PySide6.QtCore import QLockFile

from bpe_gui.engine.projects import PROJECT_SUFFIX

_NEVER_STALE: Final = 0  # for QLockFile: a lock holds as long as its process runs
_logger: Final = logging.getLogger(__name__)


def default_recovery_folder() -> Path:
    """Return the folder of the user's recovery files."""
    return platformdirs.user_data_path("bpe-gui", appauthor=False) / "recovery"


class RecoveryFile:
    """A recovery file that this process has locked: a new one, or one that a dead process has left behind."""

    def __init__(self, path: Path, lock: QLockFile) -> None:
        self.path: Final = path
        self._lock = lock

    def discard(self) -> None:
        """Delete the file, and any temporary file that its process was killed while writing. Does nothing twice."""
        for path in (self.path, *self.path.parent.glob(f".{self.path.name}.*")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _logger.warning("the recovery file %s cannot be deleted: %s", path, error)
        self.release()

    def release(self) -> None:
        """Unlock the file, so that the next window offers it."""
        self._lock.unlock()


class RecoveryFolder:
    """A folder of recovery files. It reads none of them and writes nothing but locks."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path

    def new_file(self) -> RecoveryFile | None:
        """Lock a new file, which does not exist yet; None if the folder cannot be written."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)  # on Windows the user's profile is private anyway
        except OSError as error:
            _logger.warning("the recovery folder cannot be made: %s", error)
            return None
        return self._locked(self.path / f"{secrets.token_hex(8)}{PROJECT_SUFFIX}")

    def left_behind(self) -> Iterator[RecoveryFile]:
        """Lock and yield the files of dead processes, the newest first."""
        try:
            paths = sorted(self.path.glob(f"[!.]*{PROJECT_SUFFIX}"), key=_modification_time, reverse=True)
        except OSError as error:
            _logger.warning("the recovery folder cannot be read: %s", error)
            return
        for path in paths:
            if file := self._locked(path):
                yield file

    def has_left_behind(self) -> bool:
        """Return whether there is a file of a dead process that nobody has locked."""
        file = next(self.left_behind(), None)
        if file is not None:
            file.release()
        return file is not None

    def _locked(self, path: Path) -> RecoveryFile | None:
        lock = QLockFile(str(path.with_name(path.name.removesuffix(PROJECT_SUFFIX) + ".lock")))
        lock.setStaleLockTime(_NEVER_STALE)
        if lock.tryLock(0):
            return RecoveryFile(path, lock)
        level = logging.DEBUG if lock.error() == QLockFile.LockError.LockFailedError else logging.WARNING
        _logger.log(level, "the recovery file %s cannot be locked: %s", path, lock.error().name)
        return None


def _modification_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process has just deleted it
        return 0.0
