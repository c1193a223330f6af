"""Finding files by patterns off the UI thread: a new search takes the place of the one before."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine.corpora.file_search import FileSearch

from bpe_gui.gui.background.jobs import Job, OneJob


class Finder(QObject):
    """Has one search at a time. Whoever closes a dialog need not wait for a disk that does not answer: the thread
    belongs to this object, which lives as long as the window."""

    progressed = Signal()
    """`search` went on."""

    finished = Signal()
    """`search` is over."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.search: FileSearch | None = None
        self._work = OneJob(self)
        self._work.progressed.connect(self.progressed)

    def start(self, folder: Path, patterns: str) -> None:
        """Search, instead of whatever is searched for now."""
        self.stop()
        self.search = FileSearch(folder, patterns)
        self._work.start(self.search.run, self._end)

    def stop(self) -> None:
        """Search no more, and say nothing."""
        self._work.abandon()
        self.search = None

    def shut_down(self) -> None:
        """Stop and wait for it, because the window closes."""
        self.stop()
        self._work.wait()

    def _end(self, job: Job) -> None:
        if job.error is not None:
            raise job.error  # a search that was stopped is never heard of, so this is a mistake of ours
        self.finished.emit()
