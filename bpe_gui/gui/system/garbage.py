"""Collecting cyclic garbage in the UI thread alone.

Python collects in whichever thread allocates next. If that is a job's, it destroys the Qt objects of closed windows
there: `~QObject` holds one of Qt's locks while it waits for Python's, the UI thread waits for Qt's while it holds
Python's, and the program stands still for ever.
"""

import gc
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer

_CHECK_EVERY: Final = 200  # milliseconds
_REST: Final = 50  # times the duration of a full collection until the next one: they take at most 2 % of the time
_LONG: Final = 0.05  # seconds of a full collection that a user may notice


class GarbageCollector(QObject):
    """Collects in the thread that it is made in, between two events, when Python's own thresholds are exceeded.

    What exists when it is made, mostly imported modules, is not looked at any more. Neither is what survives a full
    collection that took long: a large heap stops the window for a moment once, and not again and again.
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
        gc.disable()  # whatever a package has done meanwhile
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
