"""Work in threads, which reports back to the UI thread, shutting all of it down, and calls after a pause.

A part of the window with long work to do makes a `JobRunner` as its child, and that is all: when the part is deleted,
its work is cancelled without waiting for the thread. A part that is closed before it is deleted abandons its work
itself. When the window closes, `end_jobs` ends everything below it and waits for all threads.
"""

import logging
import threading
from collections.abc import Callable
from enum import Enum
from functools import partial
from threading import Event
from time import monotonic
from typing import Final, NoReturn, TypeVar

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from bpe_gui.engine import EngineError, Progress
from bpe_gui.gui.system.process import error_stack

_REPORT_EVERY: Final = 1 / 30  # seconds
_logger: Final = logging.getLogger(__name__)
T = TypeVar("T")


class Cancelled(Exception):
    """The user cancelled the work."""


class Activity(Enum):
    """The kinds of long work that the window shows."""

    IDLE = "idle"
    COUNTING = "counting"
    TRAINING = "training"
    MOVING = "moving"
    """The cursor is making a long move."""
    OPENING = "opening"
    """A tokenizer is being read."""
    BRANCHING = "branching"
    """The run of a branch is being made."""


def _do_nothing() -> None: ...


def _raise(error: Exception) -> NoReturn:
    raise error


class _Job(QThread):
    """A thread that runs one operation."""

    progressed = Signal(int, int)

    def __init__(self, name: str, work: Callable[[Progress], Callable[[], object]], runner_gone: Event) -> None:
        super().__init__()
        self._name = name
        self._work = work
        self._runner_gone = runner_gone
        self._next_report = 0.0
        self._is_cancelled = False
        self.callback: Callable[[], object] = _do_nothing
        """Called in the UI thread when the thread has ended."""

    def cancel(self) -> None:
        """Make the next report raise Cancelled."""
        self._is_cancelled = True

    @property
    def is_cancelled(self) -> bool:
        """Whether the next report raises Cancelled, which is also the case when the runner is gone."""
        return self._is_cancelled or self._runner_gone.is_set()

    def run(self) -> None:
        threading.current_thread().name = self._name  # shown in the log
        self.callback = self._work(self._report)

    def _report(self, done: int, total: int) -> None:
        if self.is_cancelled:
            raise Cancelled
        now = monotonic()
        if now >= self._next_report:
            self._next_report = now + _REPORT_EVERY
            # A Qt integer has 32 bits; a corpus may have more bytes.
            scale = max(1, total >> 30)
            self.progressed.emit(done // scale, total // scale)


class _Jobs(QObject):
    """The jobs whose threads are still running. Each is kept until its thread ends, even if its runner is gone, and
    released in the UI thread, since its operation may hold the last reference to a widget.
    """

    def __init__(self) -> None:
        super().__init__()
        self._running: set[_Job] = set()

    def begin(self, job: _Job) -> None:
        """Start the thread of a job."""
        self._running.add(job)
        job.finished.connect(self._let_go)
        job.start()

    def end(self, job: _Job) -> None:
        """Wait for the thread of a job."""
        job.wait()
        self._running.discard(job)

    def end_cancelled(self) -> None:
        """Wait for the threads of all jobs that are cancelled."""
        for job in [job for job in self._running if job.is_cancelled]:
            self.end(job)

    def end_all(self) -> None:
        """Cancel all jobs, wait for their threads, and discard their outcomes."""
        for job in self._running:
            job.cancel()
        for job in tuple(self._running):
            self.end(job)
            job.callback = _do_nothing

    def _let_go(self) -> None:
        for job in [job for job in self._running if job.isFinished()]:
            self.end(job)


_jobs: Final = _Jobs()


class JobRunner(QObject):
    """Runs one operation at a time in a thread, and calls back in its own thread. Only `wait` blocks.

    - `changed`: an operation began, or ended and its callback returned.
    - `progressed(done, total)`: the progress of the operation; (0, 0) if unknown.
    """

    changed = Signal()
    progressed = Signal(int, int)

    def __init__(self, parent: QObject, begin: Callable[[], object] = _do_nothing, pause: int = 0) -> None:
        """`begin` starts an operation; it is called so many milliseconds after the last `start_soon`."""
        super().__init__(parent)
        self._pause = pause_before(begin, pause, self)
        self._current: _Job | None = None
        self.activity = Activity.IDLE
        """The activity of the current operation; IDLE if there is none."""
        self._running: _Job | None = None
        self._waiting: _Job | None = None  # starts when the current one, which was abandoned, has ended
        self._is_closed = False
        self._gone = gone = Event()
        self.destroyed.connect(lambda: gone.set())  # a method would be called during its object's collection

    @property
    def busy(self) -> bool:
        """Whether there is an operation that was not abandoned."""
        return self._current is not None

    def start(
        self,
        name: str,
        work: Callable[[Progress], T],
        on_success: Callable[[T], object],
        on_error: Callable[[EngineError], object] = _raise,
        on_cancel: Callable[[], object] = _do_nothing,
        activity: Activity = Activity.IDLE,
    ) -> None:
        """Start an operation, once the thread of an abandoned one has ended. Raise RuntimeError while busy.

        `work` is called in a thread, and touches nothing that another thread may change. Every few milliseconds, it
        calls its `Progress` with the work done and in total, and that raises Cancelled once the user has cancelled.
        When it ends, one callback is called in the UI thread: `on_success` with the result, `on_error` with an
        EngineError, or `on_cancel` after Cancelled. Any other exception is a bug and is raised in the UI thread, as is
        an EngineError without an `on_error`. If the operation was abandoned, nothing is called.

        `name` identifies the operation in the log, and is never shown to the user; `activity` is what to show the user
        if it is long enough.
        """
        if self._is_closed:
            return
        if self.busy:
            raise RuntimeError("the previous operation has not ended")

        def run(progress: Progress) -> Callable[[], object]:
            begin = monotonic()
            level = logging.DEBUG if activity is Activity.IDLE else logging.INFO
            _logger.log(level, "%s: started", name)
            try:
                callback: Callable[[], object] = partial(on_success, work(progress))
            except Cancelled:
                callback, outcome = on_cancel, "cancelled"
            except EngineError as error:
                callback, outcome = partial(on_error, error), f"failed with {type(error).__name__}"
            except Exception as error:
                _logger.error("%s: failed\n%s", name, error_stack(error))
                callback, outcome = partial(_raise, error), f"failed with {type(error).__name__}"
            else:
                outcome = "finished"
            _logger.log(level, "%s: %s after %.3f s", name, outcome, monotonic() - begin)
            return callback

        self.activity = activity
        self._current = job = _Job(name, run, self._gone)
        if self._running is None:
            self._begin(job)
        else:
            self._waiting = job
        self.changed.emit()

    def start_soon(self) -> None:
        """Abandon the operation, and begin another after a pause."""
        self.abandon()
        self._pause.start()

    @property
    def is_due(self) -> bool:
        """Whether there is an operation, or soon will be."""
        return self.busy or self._pause.isActive()

    def _begin(self, job: _Job) -> None:
        self._running = job
        job.progressed.connect(self.progressed)
        job.finished.connect(self._end)
        _jobs.begin(job)

    def cancel(self) -> None:
        """Ask the operation to stop; its callback will be called."""
        if self._current is not None:
            self._current.cancel()

    def abandon(self) -> None:
        """Ask the operation to stop, or begin none after all; no callback will be called."""
        self._pause.stop()
        if self._current is None:
            return
        if self._current is self._running:
            self._current.progressed.disconnect(self.progressed)
            self._current.cancel()
        self._current = self._waiting = None
        self.activity = Activity.IDLE
        self.changed.emit()

    def wait(self) -> None:
        """Block until all threads have ended, calling back right away."""
        while self._running is not None:
            self._running.wait()
            self._end()

    def close(self) -> None:
        """Abandon the operation and refuse to start another, without emitting anything."""
        self._is_closed = True
        self.blockSignals(True)
        self.abandon()

    def _end(self) -> None:
        job = self._running
        if job is None or not job.isFinished():
            return  # `wait` has already dealt with it
        _jobs.end(job)  # `isFinished` becomes true a moment before the thread is gone
        self._running = None
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self._begin(waiting)
        elif job is self._current:
            self._current = None
            self.activity = Activity.IDLE
            try:
                job.callback()
            finally:
                self.changed.emit()


def pause_before(slot: Callable[[], object], milliseconds: int, parent: QObject) -> QTimer:
    """Return a timer that calls `slot` once, after so long without another start."""
    timer = QTimer(parent, singleShot=True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer


def end_jobs(*owners: QObject) -> None:
    """End all work below `owners`, which will be deleted, and wait for it and for whatever closed parts left running.

    Nothing is called back, and these objects can start no more work. Without `owners`, end all work.
    """
    runners = [runner for owner in owners for runner in owner.findChildren(JobRunner)]
    for runner in runners:
        runner.close()
    for runner in runners:
        runner.wait()
    if owners:
        _jobs.end_cancelled()
    else:
        _jobs.end_all()
