"""Recovery files, and saving to one in a thread a few seconds after each change."""

import logging
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Final

import platformdirs
from PySide6.QtCore import QLockFile, QObject, Signal

from bpe_gui.engine import EngineError, FormatError, Progress
from bpe_gui.engine.projects import PROJECT_SUFFIX, Project, save_project
from bpe_gui.gui.jobs import JobRunner, pause_before
from bpe_gui.gui.look.lifetime import WeakAttribute

_NEVER_STALE: Final = 0  # for QLockFile: a lock holds as long as its process runs
_logger: Final = logging.getLogger(__name__)


def default_recovery_folder() -> Path:
    """Return the folder of the user's recovery files."""
    return platformdirs.user_data_path("bpe-gui", appauthor=False) / "recovery"


class RecoveryFile:
    """A recovery file locked by this process: a new one, or one left behind by a dead process."""

    def __init__(self, path: Path, lock: QLockFile) -> None:
        self.path: Final = path
        self._lock = lock

    def discard(self) -> None:
        """Delete the file, and any temporary file left by a process killed while writing. May be called twice."""
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
    """A folder of recovery files. Reads none of them, and writes only locks."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path

    def new_file(self) -> RecoveryFile | None:
        """Lock a new file that does not exist yet; return None if the folder is not writable."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)  # on Windows the user's profile is private anyway
        except OSError as error:
            _logger.warning("the recovery folder cannot be made: %s", error)
            return None
        return self._locked(self.path / f"{secrets.token_hex(8)}{PROJECT_SUFFIX}")

    def left_behind(self) -> Iterator[RecoveryFile]:
        """Lock and yield the files of dead processes, newest first."""
        try:
            paths = sorted(self.path.glob(f"[!.]*{PROJECT_SUFFIX}"), key=_modification_time, reverse=True)
        except OSError as error:
            _logger.warning("the recovery folder cannot be read: %s", error)
            return
        for path in paths:
            if file := self._locked(path):
                yield file

    def has_left_behind(self) -> bool:
        """Return whether there is an unlocked file of a dead process."""
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


_PAUSE: Final = 2_000  # milliseconds after the last change
_MAX_DELAY: Final = 10_000  # milliseconds after the first change
_WAIT_PER_SAVE: Final = 20
"""The pause after saving, as a multiple of the time it took, so that large projects are saved less often."""


ProjectMaker = Callable[[Progress], Project]
"""Makes, in a thread, the project to save."""


class Autosave(QObject):
    """Saves the project from the maker that `prepare` returns; None means that it cannot be read yet.

    `failed(error)`: saving failed, for the first time since the last success.
    """

    _prepare = WeakAttribute[Callable[[], ProjectMaker | None]]()

    failed = Signal(object)

    def __init__(self, folder: RecoveryFolder, prepare: Callable[[], ProjectMaker | None], parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._prepare = prepare
        self._file: RecoveryFile | None = None
        self._times_forgotten = 0
        self._obsolete: list[RecoveryFile] = []  # to delete when nothing is being written
        self._runner = JobRunner(self)
        self._is_overdue = False  # `prepare` returned None
        self._has_failed = False
        self._next_save = 0.0
        self._pause = pause_before(self.save, _PAUSE, self)
        self._delay = pause_before(self.save, _MAX_DELAY, self)

    @property
    def is_due(self) -> bool:
        """Whether something will be saved soon."""
        return self._pause.isActive() or self._delay.isActive()

    @property
    def is_saving(self) -> bool:
        return self._runner.busy

    def touch(self) -> None:
        """Save soon, because something has changed; or at once if that was not possible when it was due."""
        if self._is_overdue:
            self.save()
            return
        self._pause.start()
        if not self._delay.isActive():
            self._delay.start()

    def save(self) -> None:
        """Save now, or as soon as possible."""
        self._stop_timers()
        may_save = not self._runner.busy and monotonic() >= self._next_save
        make_project = self._prepare() if may_save else None
        self._is_overdue = may_save and make_project is None
        if make_project is None:
            self._pause.start()
            return
        if self._file is None:
            self._make_file(make_project)
        else:
            self._start(make_project, self._file)

    def _make_file(self, make_project: ProjectMaker) -> None:
        """Lock a new file in a thread, because that waits for the disk, then save to it."""
        times_forgotten = self._times_forgotten

        def take(file: RecoveryFile | None) -> None:
            if file is None:
                self._fail(
                    FormatError(
                        "The folder {path} cannot be created or written to. Check its permissions.",
                        path=self._folder.path,
                    )
                )
            elif times_forgotten != self._times_forgotten:  # meanwhile, everything was saved elsewhere
                file.discard()
            else:
                self._file = file
                self._start(make_project, file)

        self._runner.start(name="make recovery file", work=lambda _report: self._folder.new_file(), on_success=take)

    def _start(self, make_project: ProjectMaker, file: RecoveryFile) -> None:
        begin = monotonic()

        def end(error: EngineError | None) -> None:
            self._next_save = monotonic() + _WAIT_PER_SAVE * (monotonic() - begin)
            self._delete_obsolete()
            if error is not None:
                self._fail(error)
            else:
                self._has_failed = False

        self._runner.start(
            name="autosave",
            work=lambda progress: save_project(make_project(progress), file.path),
            on_success=lambda _result: end(None),
            on_error=end,
        )

    def _fail(self, error: EngineError) -> None:
        _logger.warning("autosave failed: %s", type(error).__name__)
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(error)

    def continue_in(self, file: RecoveryFile) -> None:
        """Save to `file` from now on, because the session was restored from it."""
        self.forget()
        self._file = file

    def forget(self) -> None:
        """Delete the recovery file, because everything is saved elsewhere."""
        self._stop_timers()
        self._is_overdue = False
        self._times_forgotten += 1
        if self._file is not None:
            self._obsolete.append(self._file)
            self._file = None
        if not self._runner.busy:
            self._delete_obsolete()

    def leave_behind(self) -> None:
        """Save now, in this thread, and leave the file to the next window, because the process has to end."""
        self._stop_timers()
        self._runner.abandon()
        self._runner.wait()
        make_project = self._prepare()
        file, self._file = self._file or self._folder.new_file(), None
        if file is None:
            return
        try:
            if make_project is not None:  # otherwise the last autosave has to do
                save_project(make_project(lambda _done, _total: None), file.path)
        except EngineError as error:
            _logger.warning("the last autosave failed: %s", type(error).__name__)
        finally:
            file.release()

    def _delete_obsolete(self) -> None:
        while self._obsolete:
            self._obsolete.pop().discard()

    def _stop_timers(self) -> None:
        self._pause.stop()
        self._delay.stop()
