"""Offers what processes that are gone have saved for safety; nothing of it is deleted unasked."""

from collections.abc import Callable

from PySide6.QtCore import QDateTime, QLocale, QObject

from bpe_gui.engine import EngineError

from ..jobs import Job, OneJob
from ..messages import sentence
from ..numbers import number
from ..panels.notice_bar import NoticeBar
from .reading import ReadProject, read_project
from .recovery import Recovered, Recovery
from .snapshot import Digests


class Recovering(QObject):
    """Reads one file after another, and has `restore` take what a person wants back."""

    def __init__(
        self,
        recovery: Recovery,
        digests: Digests,
        notice: NoticeBar,
        restore: Callable[[ReadProject, Recovered], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._recovery = recovery
        self._digests = digests
        self._notice = notice
        self._restore = restore
        self._reading = OneJob(self)
        self._offered: Recovered | None = None
        self._more = 0  # that will be offered after it

    def offer(self) -> None:
        """Offer the newest of the files, if there is one. The others are not taken: another window may want them."""
        files = list(self._recovery.left_behind())
        for other in files[1:]:
            other.release()
        file = self._offered = files[0] if files else None
        self._more = max(0, len(files) - 1)
        if file is not None:
            path = file.path
            self._reading.start(lambda report: read_project(path, self._digests, report), self._read)

    def _read(self, job: Job) -> None:
        read, file = job.result, self._offered
        discard = self.tr("Discard"), self._discard
        if isinstance(read, ReadProject) and file is not None:
            restore = self.tr("Restore"), lambda: self._take(read, file)
            self._notice.say(self._words(read), [restore, discard])
        elif isinstance(job.error, EngineError):
            self._notice.say(sentence(job.error), [discard])
        elif job.error is not None:
            raise job.error

    def _words(self, read: ReadProject) -> str:
        saved_as, documents = read.project.saved_as, read.documents
        name = saved_as.name if saved_as else documents[0].title if documents else self.tr("a text to encode")
        seconds = round(read.path.stat().st_mtime)
        time = QLocale().toString(QDateTime.fromSecsSinceEpoch(seconds), QLocale.FormatType.ShortFormat)
        words = [self.tr("The program ended before your work was saved ({name}, {time}).")]
        if self._more:
            words.append(self.tr("… and {count} more, which will be offered next."))
        return " ".join(words).format(name=name, time=time, count=number(self._more))

    def _take(self, read: ReadProject, file: Recovered) -> None:
        self._offered = None
        self._restore(read, file)

    def _discard(self) -> None:
        if self._offered is not None:
            self._offered.discard()
        self.offer()

    def shut_down(self) -> None:
        """Leave what was not decided upon to the next window."""
        self._reading.abandon()
        self._reading.wait()
        if self._offered is not None:
            self._offered.release()
            self._offered = None
