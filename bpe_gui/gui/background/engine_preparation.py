"""Get the engine's compiled code ready while the window is already in use."""

import logging
from threading import Event
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine.compilation import compiled

from .jobs import Cancelled, JobRunner, Operation, Report

_REPORT_EVERY: Final = 0.05  # seconds
_logger: Final = logging.getLogger(__name__)


class EnginePreparation(QObject):
    """Loads the engine's compiled code in a thread. On the first start, other processes compile it before that.

    `changed`: `compiling`, `percent` or `problem` changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_compiling = False
        self._percent = 0
        self._problem = ""
        self._ended = Event()
        self._runner = JobRunner(self)
        self._runner.progressed.connect(self._take_progress)

    @property
    def compiling(self) -> bool:
        """Whether other processes are compiling."""
        return self._is_compiling

    @property
    def percent(self) -> int:
        """The share that is compiled, from 0 to 100."""
        return self._percent

    @property
    def problem(self) -> str:
        """The reason why there is no compiled code; empty if nothing went wrong."""
        return self._problem

    def start(self) -> None:
        """Begin."""
        self._runner.start(Operation(name="load compiled code", work=_load, on_success=self._end))

    def wait(self, report: Report) -> None:
        """Block a worker thread until the preparation has ended, well or badly. `report` may raise Cancelled."""
        while not self._ended.wait(_REPORT_EVERY):
            report(0, 0)

    def shut_down(self) -> None:
        """Stop, because the window closes."""
        self._ended.set()
        self._runner.shut_down()

    def _take_progress(self, done: int, total: int) -> None:
        """Show that there is something to compile, which is the only work that reports progress."""
        percent = 100 * done // total
        if not self._is_compiling or percent != self._percent:
            self._is_compiling, self._percent = True, percent
            self.changed.emit()

    def _end(self, problem: str) -> None:
        if problem:
            _logger.warning("the compiled engine is not available: %s", problem)
        self._problem = problem
        self._is_compiling = False
        self._ended.set()
        self.changed.emit()


def _load(report: Report) -> str:
    """Load compiled code. Return why that is not possible, or an empty string."""
    try:
        compiled.load(report)
    except Cancelled:
        raise
    except Exception as error:  # the engine does without compiled code
        _logger.debug("no compiled code", exc_info=True)
        return str(error) or type(error).__name__
    return ""
