"""Getting the engine's compiled code while the window is in use already."""

import os
import sys
from pathlib import Path
from threading import Event
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

import bpe_gui
from bpe_gui.engine.runtime import compiled

from bpe_gui.gui.background.jobs import OneJob, Report

_LOOK_EVERY: Final = 0.05  # seconds
_PACKAGE_FOLDER: Final = Path(bpe_gui.__file__).parents[1]


class Preparation(QObject):
    """Compiles in another process, if that was never done here, so that this one stays quick; then loads in a thread.

    `changed` says that `compiling` or `problem` is another.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.compiling = False
        self.problem = ""
        self._over = Event()
        self._process = QProcess(self)
        self._process.finished.connect(self._take_compiled)
        self._process.errorOccurred.connect(self._take_failure)
        self._loading = OneJob(self)

    def start(self) -> None:
        """Begin."""
        try:
            is_cached = compiled.is_cached()
        except ImportError as error:  # without a compiler the engine works as well, slower
            self._end(str(error))
            return
        if is_cached:
            self._load()
        else:
            self._compile()

    def _compile(self) -> None:
        environment = QProcessEnvironment.systemEnvironment()
        paths = [str(_PACKAGE_FOLDER), environment.value("PYTHONPATH")]
        environment.insert("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        self._process.setProcessEnvironment(environment)
        self._process.start(sys.executable, ["-m", "bpe_gui.engine.runtime.prepare"])
        self.compiling = True
        self.changed.emit()

    def _take_compiled(self, status: int) -> None:
        if status:
            lines = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip().splitlines()
            self._end(lines[-1] if lines else str(status))
        else:
            self._load()

    def _take_failure(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:  # anything else ends with `finished`
            self._end(self._process.errorString())

    def _load(self) -> None:
        def work(report: Report) -> None:
            compiled.load()

        self._loading.start(work, lambda job: self._end(str(job.error or "")))

    def _end(self, problem: str) -> None:
        self.problem = problem
        self.compiling = False
        self._over.set()
        self.changed.emit()

    def wait(self, report: Report) -> None:
        """In a thread with much work: wait until it is over, one way or the other. `report` may stop the waiting."""
        while not self._over.wait(_LOOK_EVERY):
            report(0, 0)

    def shut_down(self) -> None:
        """Stop, because the window closes."""
        self._over.set()
        self._process.finished.disconnect(self._take_compiled)
        self._process.kill()
        self._process.waitForFinished()
        self._loading.abandon()
        self._loading.wait()
