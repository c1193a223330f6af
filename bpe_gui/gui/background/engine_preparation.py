"""Getting the engine's compiled code ready while the window is already in use."""

import logging
import os
import sys
from pathlib import Path
from threading import Event
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

import bpe_gui
from bpe_gui.engine.runtime import compiled

from .jobs import JobRunner, Operation, Report

_REPORT_EVERY: Final = 0.05  # seconds
_PACKAGE_FOLDER: Final = Path(bpe_gui.__file__).parents[1]
_ARGUMENTS: Final = ("-m", "bpe_gui.engine.runtime.prepare")  # of Python, to compile
_logger: Final = logging.getLogger(__name__)


class EnginePreparation(QObject):
    """Compiles the engine in another process unless that was done before, so that the window stays responsive; then
    loads the compiled code in a thread.

    `changed`: `compiling` or `problem` changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_compiling = False
        self._problem = ""
        self._ended = Event()
        self._process = QProcess(self)
        self._process.finished.connect(self._take_exit_status)
        self._process.errorOccurred.connect(self._take_process_error)
        self._loading = JobRunner(self)

    @property
    def compiling(self) -> bool:
        """Whether the other process is compiling."""
        return self._is_compiling

    @property
    def problem(self) -> str:
        """The reason why there is no compiled code; empty if nothing went wrong."""
        return self._problem

    def start(self) -> None:
        """Begin."""
        try:
            is_cached = compiled.is_cached()
        except ImportError as error:  # the engine does without a compiler, but more slowly
            self._end(str(error))
            return
        if is_cached:
            self._load()
        else:
            self._compile()

    def wait(self, report: Report) -> None:
        """Block a worker thread until the preparation has ended, well or badly. `report` may raise Cancelled."""
        while not self._ended.wait(_REPORT_EVERY):
            report(0, 0)

    def shut_down(self) -> None:
        """Stop, because the window closes."""
        self._ended.set()
        self._process.finished.disconnect(self._take_exit_status)
        self._process.kill()
        self._process.waitForFinished()
        self._loading.shut_down()

    def _compile(self) -> None:
        environment = QProcessEnvironment.systemEnvironment()
        paths = [str(_PACKAGE_FOLDER), environment.value("PYTHONPATH")]
        environment.insert("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        self._process.setProcessEnvironment(environment)
        self._process.start(sys.executable, _ARGUMENTS)
        _logger.info("compiling the engine in another process")
        self._is_compiling = True
        self.changed.emit()

    def _take_exit_status(self, status: int) -> None:
        if status:
            lines = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip().splitlines()
            self._end(lines[-1] if lines else str(status))
        else:
            self._load()

    def _take_process_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:  # `finished` follows any other error
            self._end(self._process.errorString())

    def _load(self) -> None:
        def load(_report: Report) -> str:
            try:
                compiled.load()
            except Exception as error:  # the engine does without compiled code
                return str(error) or type(error).__name__
            return ""

        self._loading.start(Operation(name="load compiled code", work=load, on_success=self._end))

    def _end(self, problem: str) -> None:
        if problem:
            _logger.warning("the compiled engine is not available: %s", problem)
        else:
            _logger.info("the compiled engine is ready")
        self._problem = problem
        self._is_compiling = False
        self._ended.set()
        self.changed.emit()
