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
    """Runs `work(report)` in a thread of its own. When `finished` arrives, `result` or `error` is set.

    The owner keeps a reference until `finished`; nobody else deletes it.
    """

    progressed = Signal(int, int)

    def __init__(self, work: Callable[[Report], object], parent: QObject) -> None:
        super().__init__(parent)
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
