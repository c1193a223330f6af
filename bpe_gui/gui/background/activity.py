"""The long work of a session: one thing at a time, in a thread, and what it is."""

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError

from bpe_gui.gui.background.jobs import Cancelled, Job, OneJob, Report


class Activity(Enum):
    """What long work is going on."""

    IDLE = "idle"
    COUNTING = "counting"
    TRAINING = "training"
    MOVING = "moving"
    """The cursor is on a long way."""
    OPENING = "opening"
    """A tokenizer is being read."""


class LongWork(QObject):
    """Does one thing at a time in a thread. `changed` says that `activity` is another."""

    changed = Signal()
    progressed = Signal(int, int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.activity = Activity.IDLE
        self._jobs = OneJob(self)
        self._jobs.progressed.connect(self.progressed)

    def start(self, activity: Activity, work: Callable[[Report], object], done: Callable[[Job], None]) -> None:
        """Begin while there is nothing else; when it has ended, `done` may begin the next."""

        def ended(job: Job) -> None:
            self.activity = Activity.IDLE
            try:
                done(job)
            finally:
                self.changed.emit()

        self._jobs.start(work, ended)
        self.activity = activity
        self.changed.emit()

    def cancel(self) -> None:
        """Stop it; its end will be heard of."""
        self._jobs.cancel()

    def abandon(self) -> None:
        """Stop it, and throw away what comes of it."""
        self._jobs.abandon()
        if self.activity is not Activity.IDLE:
            self.activity = Activity.IDLE
            self.changed.emit()

    def wait(self) -> None:
        """Wait for its end."""
        self._jobs.wait()


def mistake(job: Job) -> EngineError | None:
    """The user's mistake, or None; a cancelled job is no mistake, and anything else is ours."""
    if job.error is None or isinstance(job.error, Cancelled):
        return None
    if isinstance(job.error, EngineError):
        return job.error
    raise job.error
