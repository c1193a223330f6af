"""What reaches a program from outside its event loop: errors that nobody caught, and Ctrl+C in the terminal."""

import signal
import socket
import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Qt, Signal
from PySide6.QtWidgets import QApplication, QMessageBox


class ErrorReporter(QObject):
    """Shows the errors that nobody has caught; Python would print them to a terminal that may not be there."""

    _happened = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialog: QMessageBox | None = None
        # Errors come from worker threads too; the signal brings them to the thread that may show a dialog.
        self._happened.connect(self._show)
        self._previous = sys.excepthook, threading.excepthook
        sys.excepthook = self._report
        threading.excepthook = self._report_thread

    def close(self) -> None:
        """Leave the errors to whoever had them before."""
        sys.excepthook, threading.excepthook = self._previous

    def _report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        details = "".join(traceback.format_exception(kind, error, trace))
        print(details, end="", file=sys.stderr)
        self._happened.emit(f"{kind.__name__}: {error}", details)

    def _report_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self._report(args.exc_type, args.exc_value, args.exc_traceback)

    def _show(self, summary: str, details: str) -> None:
        # An error in a paint event comes back with every repaint: one dialog at a time is enough.
        if self._dialog is not None:
            return
        self._dialog = QMessageBox(
            QMessageBox.Icon.Warning,
            QCoreApplication.applicationName(),
            self.tr("Something went wrong that should not have. What you typed is still there."),
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
    """Closes the window on Ctrl+C in the terminal.

    Python handles signals between two of its own instructions, and while Qt waits for events there are none.
    The signal is therefore written to a socket as well, and the socket wakes Qt.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wake, self._woken = socket.socketpair()
        self._wake.setblocking(False)
        self._woken.setblocking(False)
        self._notifier = QSocketNotifier(self._woken.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        self._previous_fd = signal.set_wakeup_fd(self._wake.fileno())
        self._previous_handler = signal.signal(signal.SIGINT, lambda *_: QCoreApplication.quit())

    def close(self) -> None:
        """Leave the signal to whoever had it before."""
        signal.signal(signal.SIGINT, self._previous_handler)
        signal.set_wakeup_fd(self._previous_fd)
        self._notifier.setEnabled(False)
        self._wake.close()
        self._woken.close()

    def _drain(self) -> None:
        self._woken.recv(64)
