"""Offer to restore the recovery files of processes that ended without saving. They are never deleted unasked."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QDateTime, QLocale, QObject, QSize, Signal
from PySide6.QtWidgets import QDialog, QListWidgetItem, QWidget

from bpe_gui.engine import EngineError, Progress
from bpe_gui.engine.projects import Project, load_project
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.look.theme import ROW_HEIGHT
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget, push_button
from bpe_gui.gui.panels.notice_bar import NoticeBar, Offer
from bpe_gui.gui.wording.phrases import number, size_text
from bpe_gui.gui.wording.sentences import error_message

from .autosave import RecoveryFile, RecoveryFolder
from .project_contents import FileDigests, LoadedProject, read_recovery_file

_SIZE: Final = (560, 320)


class RecoveryChoice(NamedTuple):
    """A recovery file and its title; `problem` says why it cannot be read, and is empty if it can."""

    file: RecoveryFile
    title: str
    problem: str = ""


class RecoveryDialog(QDialog):
    """Lists recovery files. Restoring one closes the dialog; discarding one does not.

    - `chosen(file)`: restore the file.
    - `discarded(file)`: the user has discarded the file.
    """

    chosen = Signal(object)
    discarded = Signal(object)

    def __init__(self, choices: Sequence[RecoveryChoice], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recoveredDialog")
        self.setWindowTitle(self.tr("Restore work"))
        self._choices = list(choices)
        self._list = name_widget(ListWidget(), "recoveredList", self.tr("Unsaved work"))
        self._list.setUniformItemSizes(True)
        for choice in choices:
            QListWidgetItem(choice.title, self._list).setSizeHint(QSize(0, ROW_HEIGHT))
        self._problem = SentenceLabel(name="recoveredComplaint", role="warning", lines=2)
        self._restore_button = push_button("recoveredRestoreButton", self.tr("Restore"), self._restore, default=True)
        self._discard_button = push_button("recoveredDiscardButton", self.tr("Discard"), self._discard)
        text = SentenceLabel(self.tr("bpe-gui closed before this work was saved. Choose what to restore."))
        later = push_button("recoveredLaterButton", self.tr("Later"), self.reject)
        buttons = dialog_buttons(self._discard_button, accept=self._restore_button, reject=later)
        dialog_column(self, text, (self._list, 1), self._problem, buttons)
        self.resize(*_SIZE)
        self._list.currentItemChanged.connect(self._show_current)
        self._list.itemActivated.connect(self._restore)
        self._list.setCurrentRow(0)
        self._show_current()

    @property
    def undecided(self) -> list[RecoveryFile]:
        """The files neither restored nor discarded."""
        return [choice.file for choice in self._choices]

    def _current(self) -> RecoveryChoice | None:
        item = self._list.currentItem()
        return None if item is None else self._choices[self._list.row(item)]

    def _show_current(self) -> None:
        current = self._current()
        self._problem.setText(current.problem if current else "")
        self._restore_button.setEnabled(current is not None and not current.problem)
        self._discard_button.setEnabled(current is not None)

    def _restore(self) -> None:
        current = self._current()
        if current is not None and not current.problem:
            self._choices.remove(current)
            self.accept()
            self.chosen.emit(current.file)

    def _discard(self) -> None:
        current = self._current()
        if current is None:
            return
        self._list.takeItem(self._list.currentRow())  # shows another file, with its row from before
        self._choices.remove(current)
        self.discarded.emit(current.file)
        if not self._choices:
            self.reject()


_FileContent = tuple[RecoveryFile, Project | EngineError]
"""A recovery file with its project, or the error in reading it."""

_logger: Final = logging.getLogger(__name__)


class RecoveryOffers(QObject):
    """Offers to restore recovery files: a single one in the notice bar, several in a dialog opened from the bar."""

    _restore = WeakAttribute[Callable[[LoadedProject, RecoveryFile], object]]()
    _window = WeakAttribute[QWidget]()

    def __init__(
        self,
        folder: RecoveryFolder,
        digests: FileDigests,
        notice: NoticeBar,
        restore: Callable[[LoadedProject, RecoveryFile], object],
        window: QWidget,
        parent: QObject,
    ) -> None:
        """Offer the recovery files in `folder`; `window` is the parent of the dialog.

        `restore` is called with the project that the user wants back and its recovery file, and may ask the user first.
        The file stays on offer until `restore` calls `settle`, and whoever called that is then responsible for
        releasing it.
        """
        super().__init__(parent)
        self._folder = folder
        self._digests = digests
        self._notice = notice
        self._restore = restore
        self._window = window
        self._runner = JobRunner(self)
        self._undecided: list[RecoveryFile] = []  # locked by this process until the user has decided about them

    def offer(self) -> None:
        """Lock the recovery files left by dead processes, read them in a thread, and offer to restore them."""
        self._undecided = files = list(self._folder.left_behind())
        if files:
            _logger.info("found %d recovery files", len(files))
        if len(files) == 1:
            self._read(files[0], self._offer_one, self._offer_to_discard)
        elif files:
            self._read_all(files, self._offer_all)

    @property
    def exist(self) -> bool:
        """Whether there are recovery files of dead processes, including those the user postponed."""
        return bool(self._undecided) or self._folder.has_left_behind()

    def choose(self) -> None:
        """Ask which of all recovery files to restore or discard."""
        self._runner.abandon()
        self._notice.clear()
        self._undecided += self._folder.left_behind()
        files = tuple(self._undecided)
        self._read_all(files, lambda contents: self._ask([self._choice(*each) for each in contents]))

    def _read_all(self, files: Sequence[RecoveryFile], on_success: Callable[[Sequence[_FileContent]], object]) -> None:
        self._runner.start(
            name="read recovery files", work=lambda progress: _read_all(files, progress), on_success=on_success
        )

    def close(self) -> None:
        """Unlock the files that the user has not decided about, so that the next window offers them."""
        self._release(tuple(self._undecided))

    def _read(
        self,
        file: RecoveryFile,
        on_success: Callable[[RecoveryFile, LoadedProject], None],
        on_error: Callable[[RecoveryFile, EngineError], None],
    ) -> None:
        path = file.path
        self._runner.start(
            name="read recovery file",
            work=lambda progress: read_recovery_file(path, self._digests, progress),
            on_success=lambda loaded: on_success(file, loaded),
            on_error=lambda error: on_error(file, error),
        )

    def _offer_one(self, file: RecoveryFile, loaded: LoadedProject) -> None:
        time = _time_written(file.path)
        restore = lambda: self.tr("Restore"), lambda: self._hand_over(file, loaded)
        self._notice.show_message(
            lambda: self.tr("bpe-gui closed before your work was saved ({name}, {time}).").format(
                name=self._name(loaded.project), time=time
            ),
            [restore, self._offer_of_discarding(file)],
        )

    def _offer_of_discarding(self, file: RecoveryFile) -> Offer:
        return lambda: self.tr("Discard"), lambda: self._discard(file)

    def _offer_to_discard(self, file: RecoveryFile, error: EngineError) -> None:
        self._notice.show_error(error, [self._offer_of_discarding(file)])

    def _offer_all(self, contents: Sequence[_FileContent]) -> None:
        choices = [self._choice(file, content) for file, content in contents]
        choose = lambda: self.tr("Choose…"), lambda: self._ask(choices)
        self._notice.show_message(
            lambda: self.tr("bpe-gui closed {count} times before your work was saved.").format(
                count=number(len(choices))
            ),
            [choose],
        )

    def _choice(self, file: RecoveryFile, content: Project | EngineError) -> RecoveryChoice:
        time = _time_written(file.path)
        if isinstance(content, EngineError):
            return RecoveryChoice(file, f"{file.path.name} · {time}", error_message(content))
        return RecoveryChoice(file, " · ".join((self._name(content), time, *self._details(content))))

    def _details(self, project: Project) -> Iterator[str]:
        """Yield phrases that tell projects of the same name apart: the step of the run and the size of the text."""
        if project.run is not None:
            template = self.tr("step {step} of {count}")
            yield template.format(step=number(project.step), count=number(len(project.run.merges)))
        if project.text:
            yield self.tr("{size} of text").format(size=size_text(len(project.text.encode())))

    def _name(self, project: Project) -> str:
        """Return the name of the project's file, or else of its first document, or else a phrase for its text."""
        if project.saved_as is not None:
            return project.saved_as.name
        return project.documents[0].title if project.documents else self.tr("text to encode")

    def _ask(self, choices: Sequence[RecoveryChoice]) -> None:
        dialog = RecoveryDialog(choices, self._window)
        dialog.chosen.connect(lambda file: self._read(file, self._hand_over, self._show_error))
        dialog.discarded.connect(self._discard)
        dialog.finished.connect(lambda: self._release(dialog.undecided))
        open_once(dialog)

    def _show_error(self, _file: RecoveryFile, error: EngineError) -> None:
        self._notice.show_error(error)

    def settle(self, file: RecoveryFile) -> None:
        """Withdraw the offer of a file, because its project is being restored."""
        self._undecided.remove(file)
        self._notice.clear()

    def _hand_over(self, file: RecoveryFile, loaded: LoadedProject) -> None:
        self._restore(loaded, file)
        if file in self._undecided:  # the user is being asked about changes, and may cancel
            self._offer_one(file, loaded)

    def _discard(self, file: RecoveryFile) -> None:
        self._undecided.remove(file)
        file.discard()

    def _release(self, files: Sequence[RecoveryFile]) -> None:
        for file in files:
            self._undecided.remove(file)
            file.release()


def _read_all(files: Sequence[RecoveryFile], progress: Progress) -> list[_FileContent]:
    """Read each file; return it with its project or the error. `progress` gets the files read and their total."""
    contents: list[_FileContent] = []
    for done, file in enumerate(files):
        progress(done, len(files))
        try:
            contents.append((file, load_project(file.path)))
        except EngineError as error:
            _logger.warning("the recovery file %s cannot be read: %s", file.path, type(error).__name__)
            contents.append((file, error))
    return contents


def _time_written(path: Path) -> str:
    """Return when a file was written, in the local format, to the second because two windows may crash in one minute.

    Return a dash if the file is gone.
    """
    try:
        moment = QDateTime.fromSecsSinceEpoch(int(path.stat().st_mtime))
    except OSError:
        return "–"
    short = QLocale().dateTimeFormat(QLocale.FormatType.ShortFormat)
    return QLocale().toString(moment, re.sub(r"(\W)mm", r"\1mm\1ss", short))
