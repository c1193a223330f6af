"""Handling what reaches the program from outside its event loop: uncaught errors, and signals from the system."""

import logging
import signal
import socket
import sys
import threading
import traceback
from types import TracebackType
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Qt, Signal
from PySide6.QtWidgets import QApplication, QMessageBox

from .error_stack import error_stack

_TERMINATING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_logger: Final = logging.getLogger(__name__)


class ErrorReporter(QObject):
    """Shows uncaught errors in a dialog and logs them; Python only prints them, to a terminal that may not exist."""

    _happened = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialog: QMessageBox | None = None
        # Errors come from worker threads, too; the signal brings them to the UI thread.
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
        if sys.stderr is not None:  # as for a program without a console on Windows
            print(details, end="", file=sys.stderr)
        self._happened.emit(f"{kind.__name__}: {error}", details)

    def _report_from_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self._report(args.exc_type, args.exc_value, args.exc_traceback)

    def _show(self, summary: str, details: str) -> None:
        # An error in a paint event is repeated by every repaint: one dialog at a time is enough.
        if self._dialog is not None:
            return
        self._dialog = QMessageBox(
            QMessageBox.Icon.Warning,
            QCoreApplication.applicationName(),
            self.tr("Something went wrong. Your text is still there."),
            QMessageBox.StandardButton.Close,
            QApplication.activeWindow(),
        )
        # An error may quote a special token, which looks like a tag.
        self._dialog.setTextFormat(Qt.TextFormat.PlainText)
        self._dialog.setInformativeText(summary)
        self._dialog.setDetailedText(details)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None


class InterruptListener(QObject):
    """Quits the application on Ctrl+C in the terminal, and tells when the system ends it.

    Python runs signal handlers between two bytecode instructions, and there are none while Qt waits for events. So the
    numbers of signals are also written to a socket, which wakes Qt. Windows has no other signal to send by the keyboard
    than SIGINT and SIGBREAK, and Python handles both in this way.

    `terminated`: the program has to end now, because somebody logs out, closes the terminal or ends the process.
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
            if signal.getsignal(number) is not signal.SIG_IGN:  # as in a program started by `nohup`
                self._previous_handlers[number] = signal.signal(number, _leave_to_event_loop)

    def close(self) -> None:
        """Restore the handlers of the signals."""
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

        The handler of the signal does not, since it may run in the middle of a change.
        """
        received = self._receiver.recv(64)
        if any(number in received for number in _TERMINATING):
            _logger.info("ended by the system")
            self.terminated.emit()


def _leave_to_event_loop(*_args: object) -> None: ...
