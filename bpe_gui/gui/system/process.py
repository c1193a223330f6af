"""The process: collect garbage in the UI thread, and report errors, signals and stalls."""

import faulthandler
import gc
import logging
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import BinaryIO, Final

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMessageBox


def error_stack(error: BaseException) -> str:
    """Return the types of an error and its causes, and where they were raised.

    The messages are left out because they may quote the user's text.
    """
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = "".join(traceback.format_tb(current.__traceback__))
        parts.append(f"{frames}{type(current).__name__}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\nafter:\n".join(parts)


_CHECK_EVERY: Final = 200  # milliseconds
_REST: Final = 50  # full collections rest this many times as long as they took: at most 2% of the time
_LONG: Final = 0.05  # seconds of a full collection that a user may notice


class GarbageCollector(QObject):
    """Collects garbage in its own thread, between two events, when Python's own thresholds are exceeded.

    Objects that exist when it is created, mostly imported modules, are never collected, nor is anything that survives a
    slow full collection: that way a large heap stalls the window once, and not again and again.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._next_full_collection = 0.0
        gc.disable()
        gc.freeze()
        self._timer = QTimer(self)
        self._timer.setInterval(_CHECK_EVERY)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def close(self) -> None:
        """Let Python collect again, which it does in any thread."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def collect(self) -> None:
        """Collect what is due, as Python would; full collections only now and then."""
        gc.disable()  # a package may have enabled it
        is_due = [count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if not is_due[0]:
            return
        if is_due[2] and perf_counter() >= self._next_full_collection:
            self._collect_all()
        else:
            gc.collect(1 if any(is_due[1:]) else 0)

    def _collect_all(self) -> None:
        begin = perf_counter()
        gc.collect()
        end = perf_counter()
        self._next_full_collection = end + _REST * (end - begin)
        if end - begin > _LONG:
            gc.freeze()


LIMIT: Final = 10.0
"""Seconds without a turn of the event loop after which the stacks are written."""

_HEARTBEAT: Final = 1_000  # milliseconds
_LATER: Final = 1.5  # times the limit, after which the stacks are written even if no Python can run
_logger: Final = logging.getLogger(__name__)


class StallWatchdog(QObject):
    """Watches its own thread while the event loop runs. A computer waking from sleep may look like a stall.

    A thread writes them, because faulthandler's own, which does not wait for the interpreter's lock, can crash on
    frames that change meanwhile. That one is for a window that keeps the lock, so that no thread runs.

    The stacks go to a separate file, since the log may be rotated meanwhile, and are moved to the log when the window
    responds again, or else when the program is next started.
    """

    def __init__(self, path: Path, parent: QObject | None = None, *, limit: float = LIMIT) -> None:
        """`path` is the file to write to; its folder is created if necessary."""
        super().__init__(parent)
        self._path = path
        self._limit = limit
        self._file: BinaryIO | None = None
        self._responds = threading.Event()
        self._thread: threading.Thread | None = None
        self._heartbeat = QTimer(self)
        self._heartbeat.setInterval(_HEARTBEAT)
        self._heartbeat.timeout.connect(self._beat)

    def start(self) -> None:
        """Start watching once the event loop runs, unless the file cannot be written."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b", buffering=0)
        except OSError as error:
            _logger.warning("the window is not watched: %s", error)
            return
        self._log_stacks("when the program last ran")
        self._heartbeat.start()
        QTimer.singleShot(0, self, self._beat)

    def stop(self) -> None:
        self._heartbeat.stop()
        faulthandler.cancel_dump_traceback_later()
        file, self._file = self._file, None
        self._responds.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if file is not None:
            file.close()

    def _beat(self) -> None:
        """Have the stacks written unless the next beat comes in time."""
        if self._file is not None:
            faulthandler.cancel_dump_traceback_later()
            self._log_stacks(f"for more than {self._limit:g} s")
            faulthandler.dump_traceback_later(_LATER * self._limit, file=self._file)
            self._responds.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="stall watchdog", daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        """Write the stacks, in a thread, whenever no beat comes in time."""
        while (file := self._file) is not None:
            self._responds.clear()
            if not self._responds.wait(self._limit) and self._file is not None:
                faulthandler.cancel_dump_traceback_later()
                faulthandler.dump_traceback(file)
                self._responds.wait()

    def _log_stacks(self, when: str) -> None:
        """Move what was written from the file to the log."""
        if self._file is not None and self._file.seek(0, 2):
            self._file.seek(0)
            stacks = self._file.read().decode(errors="replace")
            self._file.truncate(0)
            _logger.warning("the window stood still %s:\n%s", when, stacks)


_TERMINATING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class ErrorReporter(QObject):
    """Shows uncaught errors in a dialog and logs them; Python only prints them to a terminal, if there is one."""

    _happened = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialog: QMessageBox | None = None
        # Errors may come from worker threads; the signal brings them to the UI thread.
        self._happened.connect(self._show)
        self._previous_hooks = sys.excepthook, threading.excepthook
        sys.excepthook = self._report
        threading.excepthook = self._report_from_thread

    def close(self) -> None:
        """Restore the hooks for uncaught errors."""
        sys.excepthook, threading.excepthook = self._previous_hooks

    def _report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _logger.error("uncaught error\n%s", error_stack(error))
        details = "".join(traceback.format_exception(kind, error, trace))
        if sys.stderr is not None:  # None in a program without a console on Windows
            print(details, end="", file=sys.stderr)
        self._happened.emit(details)

    def _report_from_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self._report(args.exc_type, args.exc_value, args.exc_traceback)

    def _show(self, details: str) -> None:
        # An error in a paint event recurs on every repaint, so show one dialog at a time.
        if self._dialog is not None:
            return
        self._dialog = QMessageBox(
            QMessageBox.Icon.Warning,
            QCoreApplication.applicationName(),
            self.tr("Something went wrong. Your text is still there."),
            QMessageBox.StandardButton.Close,
            QApplication.activeWindow(),
        )
        self._dialog.setDefaultButton(QMessageBox.StandardButton.Close)
        self._dialog.setDetailedText(details)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None


class InterruptListener(QObject):
    """Quits the application on Ctrl+C in the terminal, and emits a signal when the system ends it.

    Python runs signal handlers between two bytecode instructions, and none run while Qt waits for events. So the signal
    numbers are also written to a socket, which wakes Qt. On Windows, the keyboard can send only SIGINT and SIGBREAK,
    and Python handles both this way.

    `terminated`: the program has to end now, because of a logout, a closed terminal or a request to end the process.
    """

    terminated = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sender, self._receiver = socket.socketpair()
        self._sender.setblocking(False)
        self._receiver.setblocking(False)
        self._notifier = QSocketNotifier(self._receiver.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        self._previous_fd = signal.set_wakeup_fd(self._sender.fileno())
        self._previous_handlers = {signal.SIGINT: signal.signal(signal.SIGINT, self._quit)}
        for number in _TERMINATING:
            if signal.getsignal(number) is not signal.SIG_IGN:  # ignored in a program started by `nohup`
                self._previous_handlers[number] = signal.signal(number, _leave_to_event_loop)

    def close(self) -> None:
        """Restore the signal handlers."""
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._previous_fd)
        self._notifier.setEnabled(False)
        self._sender.close()
        self._receiver.close()

    def _quit(self, *_args: object) -> None:
        _logger.info("interrupted from the terminal")
        QCoreApplication.quit()

    def _read(self) -> None:
        """Emit `terminated` for a signal that ends the program.

        The signal handler does not, since it may run in the middle of a change.
        """
        received = self._receiver.recv(64)
        if any(number in received for number in _TERMINATING):
            _logger.info("ended by the system")
            self.terminated.emit()


def _leave_to_event_loop(*_args: object) -> None: ...
