"""Long work off the UI thread: a function that reports progress, may be cancelled, and ends with one outcome."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QThread, Signal

_REPORT_EVERY: Final = 1 / 30  # seconds

Report = Callable[[int, int], None]
"""Called by the work with what is done and what there is to do; raises `Cancelled` when the user wants to stop."""


class Cancelled(Exception):
    """The user cancelled the job."""


class Job(QThread):
    """Runs `work(report)` in a thread of its own. When `finished` arrives, `result` or `error` is set."""

    progressed = Signal(int, int)

    def __init__(self, work: Callable[[Report], object]) -> None:
        super().__init__()
        self._work = work
        self._next_report = 0.0
        self._cancelled = False
        self.result: object = None
        self.error: Exception | None = None

    def cancel(self) -> None:
        """Ask the work to stop at its next report."""
        self._cancelled = True

    def run(self) -> None:
        try:
            self.result = self._work(self._report)
        except Exception as error:  # whatever it is, the UI thread must hear of it
            self.error = error

    def _report(self, done: int, total: int) -> None:
        if self._cancelled:
            raise Cancelled
        now = monotonic()
        if now >= self._next_report:
            self._next_report = now + _REPORT_EVERY
            # A Qt integer has 32 bits; a corpus may have more bytes.
            scale = max(1, total >> 30)
            self.progressed.emit(done // scale, total // scale)


class OneJob(QObject):
    """Has one job at a time, and calls back in its own thread when it has ended."""

    progressed = Signal(int, int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._done: Callable[[Job], None] | None = None

    @property
    def running(self) -> bool:
        """Whether there is a job whose end has not been heard of."""
        return self._job is not None

    def start(self, work: Callable[[Report], object], done: Callable[[Job], None]) -> None:
        """Begin a job; `done` is called with it once it has ended. There must be none."""
        if self._job is not None:
            raise RuntimeError("the job before has not ended")
        # The thread belongs to this object alone: it is let go of only when it has ended.
        self._job = Job(work)
        self._done = done
        self._job.progressed.connect(self.progressed)
        self._job.finished.connect(self._end)
        self._job.start()

    def cancel(self) -> None:
        """Ask the job to stop."""
        if self._job is not None:
            self._job.cancel()

    def wait(self) -> None:
        """Wait for the job, and hear of its end now."""
        if self._job is not None:
            self._job.wait()
            self._end()

    def _end(self) -> None:
        job, done = self._job, self._done
        if job is None or done is None or not job.isFinished():
            return  # its end was heard of while waiting for it
        self._job = self._done = None
        job.wait()  # `isFinished` comes a moment before the thread is gone
        done(job)
