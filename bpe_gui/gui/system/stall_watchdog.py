"""Logging where the UI thread is stuck when its event loop does not turn for a second."""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Final

from PySide6.QtCore import QObject, QTimer

LIMIT: Final = 1.0
"""Seconds without a heartbeat that make a stall."""

_HEARTBEAT: Final = 250  # milliseconds
_CHECK_EVERY: Final = 0.5  # seconds
_DEBUGGERS: Final = frozenset({"bdb", "pdb", "debugpy", "pydevd", "_pydevd_bundle", "_pydevd_frame_eval"})
_logger: Final = logging.getLogger(__name__)


class StallMonitor:
    """Decides from heartbeats and checks when the UI thread stalls, and logs each stall once, and its end.

    Checks that come late are told apart by the processor time that passed meanwhile: with little of it the computer was
    asleep or busy with other programs, which is not the fault of the UI thread; with much of it the UI thread kept the
    interpreter's lock.
    """

    def __init__(
        self,
        stack: Callable[[], str | None],
        *,
        clock: Callable[[], float] = time.monotonic,
        process_time: Callable[[], float] = time.process_time,
    ) -> None:
        """`stack` returns the UI thread's stack, or None if the thread is in a debugger."""
        self._stack = stack
        self._clock = clock
        self._process_time = process_time
        self._lock = threading.Lock()
        self._last_beat: float | None = None
        self._last_check = clock(), process_time()
        self._is_stalled = False

    def beat(self) -> None:
        """Record that the event loop turns."""
        with self._lock:
            now = self._clock()
            if self._is_stalled and self._last_beat is not None:
                _logger.warning("the UI thread recovered after %.1f s", now - self._last_beat)
            self._is_stalled = False
            self._last_beat = now

    def check(self) -> None:
        """Log the UI thread's stack if it stalls and that was not logged yet; called every half a second."""
        with self._lock:
            now, used = self._clock(), self._process_time()
            (last, last_used), self._last_check = self._last_check, (now, used)
            if self._last_beat is None or self._is_stalled:
                return
            was_suspended = now - last > 2 * _CHECK_EVERY and used - last_used < (now - last) / 2
            if was_suspended:
                self._last_beat = now
            elif now - self._last_beat >= LIMIT and (stack := self._stack()) is not None:
                self._is_stalled = True
                _logger.warning("the UI thread has not responded for %.1f s:\n%s", now - self._last_beat, stack)


class StallWatchdog(QObject):
    """Watches the thread that it is made in, from another one, while its event loop runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        ui_thread = threading.get_ident()
        self._monitor = StallMonitor(lambda: _stack_of(sys._current_frames().get(ui_thread)))
        self._heartbeat = QTimer(self, interval=_HEARTBEAT)
        self._heartbeat.timeout.connect(self._monitor.beat)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stall watchdog", daemon=True)

    def start(self) -> None:
        """Begin to watch as soon as the event loop turns."""
        self._heartbeat.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and wait for the thread."""
        self._heartbeat.stop()
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.wait(_CHECK_EVERY):
            self._monitor.check()


def _stack_of(frame: FrameType | None) -> str | None:
    """Return the lines of code that a thread is at, innermost last; None if it is gone or stopped in a debugger."""
    if frame is None or any(_is_debugger(each) for each, _line in traceback.walk_stack(frame)):
        return None
    return "".join(traceback.format_stack(frame))


def _is_debugger(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in _DEBUGGERS
