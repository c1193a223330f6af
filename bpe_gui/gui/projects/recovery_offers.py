"""Offering what dead processes have left in recovery files. Nothing is deleted unless the user says so."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.projects import Project, load_project
from bpe_gui.gui.background.jobs import JobRunner, Operation, Report
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.numbers import number, size_text

from .file_digests import FileDigests
from .loaded_project import LoadedProject, read_recovery_file
from .recovery_dialog import RecoveryChoice, RecoveryDialog
from .recovery_files import RecoveryFile, RecoveryFolder

_ReadFile = tuple[RecoveryFile, Project | EngineError]
_logger: Final = logging.getLogger(__name__)


class RecoveryOffers(QObject):
    """Offers one recovery file in the notice bar, and several in a dialog."""

    def __init__(
        self,
        folder: RecoveryFolder,
        digests: FileDigests,
        notice: NoticeBar,
        restore: Callable[[LoadedProject, RecoveryFile], object],
        window: QWidget,
        parent: QObject,
    ) -> None:
        """`restore` is called with the project that the user wants back, and takes over its file."""
        super().__init__(parent)
        self._folder = folder
        self._digests = digests
        self._notice = notice
        self._restore = restore
        self._window = window
        self._job = JobRunner(self)
        self._undecided: list[RecoveryFile] = []

    def offer(self) -> None:
        """Offer what there is."""
        self._undecided = files = list(self._folder.left_behind())
        if files:
            _logger.info("found %d recovery files", len(files))
        if len(files) == 1:
            self._read(files[0], self._offer_one, self._offer_to_discard)
        elif files:
            self._job.start(
                Operation(
                    name="read recovery files",
                    work=lambda report: _read_all(files, report),
                    on_success=self._offer_all,
                )
            )

    def shut_down(self) -> None:
        """Leave the files that the user has not decided about to the next window."""
        self._job.shut_down()
        self._leave(tuple(self._undecided))

    def _read(
        self,
        file: RecoveryFile,
        on_success: Callable[[RecoveryFile, LoadedProject], None],
        on_error: Callable[[RecoveryFile, EngineError], None],
    ) -> None:
        path = file.path
        self._job.start(
            Operation(
                name="read recovery file",
                work=lambda report: read_recovery_file(path, self._digests, report),
                on_success=lambda loaded: on_success(file, loaded),
                on_error=lambda error: on_error(file, error),
            )
        )

    def _offer_one(self, file: RecoveryFile, loaded: LoadedProject) -> None:
        template = self.tr("The program ended before your work was saved ({name}, {time}).")
        message = template.format(name=self._name(loaded.project), time=_time_written(file.path))
        restore = self.tr("Restore"), lambda: self._take(file, loaded)
        self._notice.show_message(message, [restore, (self.tr("Discard"), lambda: self._discard(file))])

    def _offer_to_discard(self, file: RecoveryFile, error: EngineError) -> None:
        self._notice.show_message(error_message(error), [(self.tr("Discard"), lambda: self._discard(file))])

    def _offer_all(self, read: Sequence[_ReadFile]) -> None:
        choices = [self._choice(file, content) for file, content in read]
        template = self.tr("The program ended before your work was saved, {count} times.")
        choose = self.tr("Choose…"), lambda: self._ask(choices)
        self._notice.show_message(template.format(count=number(len(choices))), [choose])

    def _choice(self, file: RecoveryFile, content: Project | EngineError) -> RecoveryChoice:
        time = _time_written(file.path)
        if isinstance(content, EngineError):
            return RecoveryChoice(file, f"{file.path.name} · {time}", error_message(content))
        return RecoveryChoice(file, " · ".join((self._name(content), time, *self._contents(content))))

    def _contents(self, project: Project) -> Iterator[str]:
        """Yield what distinguishes projects of the same name."""
        if project.run is not None:
            template = self.tr("step {step} of {count}")
            yield template.format(step=number(project.step), count=number(len(project.run.merges)))
        if project.text:
            yield self.tr("text of {size}").format(size=size_text(len(project.text.encode())))

    def _name(self, project: Project) -> str:
        if project.saved_as is not None:
            return project.saved_as.name
        return project.documents[0].title if project.documents else self.tr("a text to encode")

    def _ask(self, choices: Sequence[RecoveryChoice]) -> None:
        dialog = RecoveryDialog(choices, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda file: self._read(file, self._take, self._show_error))
        dialog.discarded.connect(self._discard)
        dialog.finished.connect(lambda: self._leave(dialog.undecided))
        dialog.open()

    def _show_error(self, _file: RecoveryFile, error: EngineError) -> None:
        self._notice.show_message(error_message(error))

    def _take(self, file: RecoveryFile, loaded: LoadedProject) -> None:
        self._undecided.remove(file)
        self._restore(loaded, file)

    def _discard(self, file: RecoveryFile) -> None:
        self._undecided.remove(file)
        file.discard()

    def _leave(self, files: Sequence[RecoveryFile]) -> None:
        for file in files:
            self._undecided.remove(file)
            file.release()


def _read_all(files: Sequence[RecoveryFile], report: Report) -> list[_ReadFile]:
    """Read the project in each file, or the error that says why that is not possible."""
    read: list[_ReadFile] = []
    for done, file in enumerate(files):
        report(done, len(files))
        try:
            read.append((file, load_project(file.path)))
        except EngineError as error:
            _logger.warning("the recovery file %s cannot be read: %s", file.path, type(error).__name__)
            read.append((file, error))
    return read


def _time_written(path: Path) -> str:
    """Return when a file was written, to the second: two windows may have been lost in the same minute."""
    moment = QDateTime.fromSecsSinceEpoch(int(path.stat().st_mtime))
    short = QLocale().dateTimeFormat(QLocale.FormatType.ShortFormat)
    return QLocale().toString(moment, re.sub(r"(\W)mm", r"\1mm\1ss", short))
