"""Finding files by patterns in a thread."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine.corpora import FileSearch

from .jobs import JobRunner, Operation


class FileFinder(QObject):
    """Runs one search at a time. It lives as long as the window, so that closing a dialog need not wait for a disk
    that does not answer.

    - `progressed`: `search` has found more.
    - `finished`: `search` has ended.
    """

    progressed = Signal()
    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._search: FileSearch | None = None
        self._runner = JobRunner(self)
        self._runner.progressed.connect(self.progressed)

    @property
    def search(self) -> FileSearch | None:
        """The present search, which may have ended."""
        return self._search

    def start(self, folder: Path, patterns: str) -> None:
        """Begin a search; one that is going on stops."""
        self.stop()
        self._search = search = FileSearch(folder, patterns)
        self._runner.start(
            Operation(name="find files", work=search.run, on_success=lambda _result: self.finished.emit())
        )

    def stop(self) -> None:
        """Stop searching without another signal."""
        self._runner.abandon()
        self._search = None

    def shut_down(self) -> None:
        """Stop and wait for the thread, because the window closes."""
        self.stop()
        self._runner.shut_down()
