"""Long work off the UI thread: a function that reports progress, may be cancelled, and ends with one outcome."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
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


class Turns:
    """Lets one thread work on a thing all the time, and another look at it now and then without waiting long."""

    def __init__(self) -> None:
        self._taken = Lock()
        self._nobody_looks = Event()
        self._nobody_looks.set()

    @contextmanager
    def work(self) -> Iterator[None]:
        """A short piece of work; it begins once nobody looks."""
        self._nobody_looks.wait()
        with self._taken:
            yield

    @contextmanager
    def look(self) -> Iterator[None]:
        """A look, after the piece of work that is going on; no other begins meanwhile."""
        self._nobody_looks.clear()
        try:
            with self._taken:
                yield
        finally:
            self._nobody_looks.set()


class OneJob(QObject):
    """Has one job at a time, and calls back in its own thread when it has ended. It never makes its thread wait."""

    progressed = Signal(int, int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # A thread belongs to this object alone: it is let go of only when it has ended.
        self._running: Job | None = None
        self._next: Job | None = None  # what begins when an abandoned job has ended
        self._done: Callable[[Job], None] | None = None

    @property
    def busy(self) -> bool:
        """Whether there is a job whose end somebody waits to hear of."""
        return self._done is not None

    def start(self, work: Callable[[Report], object], done: Callable[[Job], None]) -> None:
        """Begin a job, once one that was abandoned has ended; `done` is called with it when it has."""
        if self.busy:
            raise RuntimeError("the job before has not ended")
        self._done = done
        job = Job(work)
        if self._running is None:
            self._begin(job)
        else:
            self._next = job

    def _begin(self, job: Job) -> None:
        self._running = job
        job.progressed.connect(self.progressed)
        job.finished.connect(self._end)
        job.start()

    def cancel(self) -> None:
        """Ask the job to stop; its end will be heard of."""
        job = self._next or self._running
        if job is not None:
            job.cancel()

    def abandon(self) -> None:
        """Ask the job to stop, and never hear of it again."""
        if self.busy:
            if self._next is None and self._running is not None:
                self._running.progressed.disconnect(self.progressed)
                self._running.cancel()
            self._next = self._done = None

    def wait(self) -> None:
        """Wait for all there is, and hear of its end now."""
        while self._running is not None:
            self._running.wait()
            self._end()

    def _end(self) -> None:
        job = self._running
        if job is None or not job.isFinished():
            return  # its end was heard of while waiting for it
        job.wait()  # `isFinished` comes a moment before the thread is gone
        self._running = None
        if self._next is not None:
            waiting, self._next = self._next, None
            self._begin(waiting)
        elif self._done is not None:
            done, self._done = self._done, None
            done(job)
