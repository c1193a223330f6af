"""Offers what processes that are gone have saved for safety; nothing of it is deleted unasked."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.projects.project import Project
from bpe_gui.engine.projects.project_file import load_project

from bpe_gui.gui.background.jobs import Job, OneJob, Report
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import number, size_text
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.projects.loaded_project import ReadProject, read_recovered
from bpe_gui.gui.projects.recovery_dialog import Lost, RecoveredDialog
from bpe_gui.gui.projects.recovery_files import Recovered, Recovery
from bpe_gui.gui.projects.project_snapshot import Digests


class Recovering(QObject):
    """Offers one work in the notice bar, and several in a dialog; `restore` takes what a person wants back."""

    def __init__(
        self,
        recovery: Recovery,
        digests: Digests,
        notice: NoticeBar,
        restore: Callable[[ReadProject, Recovered], object],
        window: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._recovery = recovery
        self._digests = digests
        self._notice = notice
        self._restore = restore
        self._window = window
        self._reading = OneJob(self)
        self._held: list[Recovered] = []  # what nobody has decided upon

    def offer(self) -> None:
        """Offer what there is."""
        self._held = files = list(self._recovery.left_behind())
        if len(files) == 1:
            self._read(files[0], self._offer_one)
        elif files:
            self._reading.start(lambda report: _described(files, report), self._offer_all)

    def _read(self, file: Recovered, done: Callable[[Recovered, Job], None]) -> None:
        path = file.path
        self._reading.start(lambda report: read_recovered(path, self._digests, report), lambda job: done(file, job))

    def _offer_one(self, file: Recovered, job: Job) -> None:
        read = job.result
        discard = self.tr("Discard"), lambda: self._discard(file)
        if isinstance(read, ReadProject):
            words = self.tr("The program ended before your work was saved ({name}, {time}).")
            said = words.format(name=self._name(read.project), time=_time(file.path))
            self._notice.say(said, [(self.tr("Restore"), lambda: self._take(read, file)), discard])
        else:
            self._notice.say(_complaint(job), [discard])

    def _offer_all(self, job: Job) -> None:
        if job.error is not None:
            raise job.error
        found = job.result if isinstance(job.result, list) else []
        lost = [self._lost(file, described) for file, described in found]
        words = self.tr("The program ended before your work was saved, {count} times.").format(count=number(len(lost)))
        self._notice.say(words, [(self.tr("Choose…"), lambda: self._choose(lost))])

    def _lost(self, file: Recovered, described: "Project | EngineError") -> Lost:
        if isinstance(described, EngineError):
            return Lost(file, f"{file.path.name} · {_time(file.path)}", sentence(described))
        return Lost(file, " · ".join((self._name(described), _time(file.path), *self._contents(described))))

    def _contents(self, project: Project) -> Iterator[str]:
        """What tells works apart that are called the same."""
        if project.run is not None:
            words = self.tr("step {step} of {count}")
            yield words.format(step=number(project.step), count=number(len(project.run.merges)))
        if project.text:
            yield self.tr("text of {size}").format(size=size_text(len(project.text.encode())))

    def _name(self, project: Project) -> str:
        if project.saved_as is not None:
            return project.saved_as.name
        return project.documents[0].title if project.documents else self.tr("a text to encode")

    def _choose(self, lost: Sequence[Lost]) -> None:
        dialog = RecoveredDialog(lost, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda file: self._read(file, self._take_or_complain))
        dialog.discarded.connect(self._discard)
        dialog.finished.connect(lambda: self._leave([each.file for each in dialog.left]))
        dialog.open()

    def _take_or_complain(self, file: Recovered, job: Job) -> None:
        if isinstance(job.result, ReadProject):
            self._take(job.result, file)
        else:
            self._notice.say(_complaint(job))

    def _take(self, read: ReadProject, file: Recovered) -> None:
        self._held.remove(file)
        self._restore(read, file)

    def _discard(self, file: Recovered) -> None:
        self._held.remove(file)
        file.discard()

    def _leave(self, files: Sequence[Recovered]) -> None:
        """Leave files to the next window."""
        for file in files:
            self._held.remove(file)
            file.release()

    def shut_down(self) -> None:
        """Leave what was not decided upon to the next window."""
        self._reading.abandon()
        self._reading.wait()
        self._leave(tuple(self._held))


def _described(files: Sequence[Recovered], report: Report) -> "list[tuple[Recovered, Project | EngineError]]":
    """What is in the files, or why that cannot be read."""
    found: list[tuple[Recovered, Project | EngineError]] = []
    for done, file in enumerate(files):
        report(done, len(files))
        try:
            found.append((file, load_project(file.path)))
        except EngineError as error:
            found.append((file, error))
    return found


def _complaint(job: Job) -> str:
    if not isinstance(job.error, EngineError):
        raise job.error or RuntimeError("a job ended with nothing")
    return sentence(job.error)


def _time(path: Path) -> str:
    """When a file was written, to the second: two windows may have been lost in the same minute."""
    moment = QDateTime.fromSecsSinceEpoch(int(path.stat().st_mtime))
    short = QLocale().dateTimeFormat(QLocale.FormatType.ShortFormat)
    return QLocale().toString(moment, re.sub(r"(\W)mm", r"\1mm\1ss", short))
