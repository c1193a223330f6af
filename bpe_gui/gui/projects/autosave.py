"""Saves work for safety: some seconds after a change, in a thread, beside the file of the user."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.projects.project import Project
from bpe_gui.engine.projects.project_file import save_project

from bpe_gui.gui.background.jobs import Job, OneJob, Report
from bpe_gui.gui.background.activity import mistake
from bpe_gui.gui.projects.recovery_files import Recovered, Recovery

_PAUSE: Final = 2_000  # milliseconds after the last change
_LONGEST_WAIT: Final = 10_000  # milliseconds after the first
_SHARE: Final = 20
"""Saving takes up to such a part of the time: what is large is saved less often."""


class Autosave(QObject):
    """Saves what `take` gives, which may be nothing yet. `failed(error)` says why that was not possible."""

    failed = Signal(object)

    def __init__(
        self, recovery: Recovery, take: Callable[[], Callable[[Report], Project] | None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._recovery = recovery
        self._take = take
        self._file: Recovered | None = None
        self._job = OneJob(self)
        self._is_due = False  # it can be saved when a thread gives a look at the run
        self._is_forgotten = False  # what is being saved is needed no more
        self._has_failed = False
        self._not_before = 0.0
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._wait = QTimer(self, singleShot=True, interval=_LONGEST_WAIT)
        self._pause.timeout.connect(self.save)
        self._wait.timeout.connect(self.save)

    def touch(self) -> None:
        """There is something to be saved, soon; or at once what could not be read before, but perhaps now."""
        if self._is_due:
            self.save()
            return
        self._pause.start()
        if not self._wait.isActive():
            self._wait.start()

    def save(self) -> None:
        """Save now, or as soon as that is possible."""
        self._stop_waiting()
        is_free = not self._job.busy and monotonic() >= self._not_before
        work = self._take() if is_free else None
        self._is_due = is_free and work is None
        if work is None:
            self._pause.start()
            return
        self._file = self._file or self._recovery.new()
        if self._file is None:
            self._fail(FormatError(_("EngineError", "{path} cannot be written."), path=self._recovery.folder))
        else:
            self._start(work, self._file)

    def _start(self, work: Callable[[Report], Project], file: Recovered) -> None:
        begin = monotonic()
        self._is_forgotten = False

        def done(job: Job) -> None:
            self._not_before = monotonic() + _SHARE * (monotonic() - begin)
            if self._is_forgotten:
                self._discard()
            if error := mistake(job):
                self._fail(error)
            else:
                self._has_failed = False

        self._job.start(lambda report: save_project(work(report), file.path), done)

    def _fail(self, error: EngineError) -> None:
        """Say it, but not every time."""
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(error)

    def go_on_with(self, file: Recovered) -> None:
        """What is in the file has been restored: it is where to save from now on."""
        self.forget()
        self._file = file

    def forget(self) -> None:
        """All work is where it should be: what was saved for safety is needed no more."""
        self._stop_waiting()
        self._is_due = False
        if self._job.busy:
            self._is_forgotten = True
        else:
            self._discard()

    def shut_down(self) -> None:
        """The same at once, because the window closes."""
        self._stop_waiting()
        self._job.abandon()
        self._job.wait()
        self._discard()

    def _discard(self) -> None:
        if self._file is not None:
            self._file.discard()
            self._file = None

    def _stop_waiting(self) -> None:
        self._pause.stop()
        self._wait.stop()
