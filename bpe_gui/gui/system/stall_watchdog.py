"""Writing where every thread is when the window stands still for ten seconds.

`faulthandler` does it in a thread that needs no interpreter's lock. So it also works where the UI thread waits for ever
and keeps that lock, as in a freeze between Python's lock and one of Qt's.
"""

import faulthandler
import logging
from pathlib import Path
from typing import BinaryIO, Final

from PySide6.QtCore import QObject, QTimer

LIMIT: Final = 10.0
"""Seconds without a turn of the event loop after which the stacks are written."""

_HEARTBEAT: Final = 1_000  # milliseconds
_logger: Final = logging.getLogger(__name__)


class StallWatchdog(QObject):
    """Watches the thread that it is made in while its event loop runs. A computer that wakes up may look like a stall.

    The stacks are written to a file of their own, since the log may be rotated meanwhile, and come into the log when
    the window goes on, or else when the program is next started.
    """

    def __init__(self, path: Path, parent: QObject | None = None, *, limit: float = LIMIT) -> None:
        """`path` is the file to write to; its folder is created."""
        super().__init__(parent)
        self._path = path
        self._limit = limit
        self._file: BinaryIO | None = None
        self._heartbeat = QTimer(self)
        self._heartbeat.setInterval(_HEARTBEAT)
        self._heartbeat.timeout.connect(self._beat)

    def start(self) -> None:
        """Begin to watch as soon as the event loop turns, unless the file cannot be written."""
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
        """Stop watching."""
        self._heartbeat.stop()
        faulthandler.cancel_dump_traceback_later()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _beat(self) -> None:
        """Have the stacks written unless the next beat comes in time."""
        if self._file is not None:
            faulthandler.cancel_dump_traceback_later()
            self._log_stacks(f"for more than {self._limit:g} s")
            faulthandler.dump_traceback_later(self._limit, file=self._file)

    def _log_stacks(self, when: str) -> None:
        """Move what has been written from the file to the log."""
        if self._file is not None and self._file.seek(0, 2):
            self._file.seek(0)
            stacks = self._file.read().decode(errors="replace")
            self._file.truncate(0)
            _logger.warning("the window stood still %s:\n%s", when, stacks)
