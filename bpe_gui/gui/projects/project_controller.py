"""The controller of the window's project: open, save, autosave, recover, and ask before losing changes."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from bpe_gui.engine import DEFAULT_RECIPE, EngineError, FormatError, LiveText, Recipe
from bpe_gui.engine.projects import PROJECT_SUFFIX, Project, save_project
from bpe_gui.gui.dialogs.boxes import ask_where_to_save
from bpe_gui.gui.jobs import JobRunner, pause_before
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.panels.notice_bar import Notice, NoticeBar
from bpe_gui.gui.session.corpus import DEFAULT_VOCAB_SIZE
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.paths import portable_name
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.sentences import error_message

from .autosave import Autosave, ProjectMaker, RecoveryFile, RecoveryFolder
from .project_contents import FileDigests, LoadedProject, ProjectSnapshot, read_project, read_with_moved_files
from .project_restorer import ProjectRestorer
from .recovery_offers import RecoveryOffers
from .unsaved_changes import (
    ProjectState,
    UnsavedChanges,
    ask_for_missing_files,
    ask_to_replace_merges,
    ask_to_replace_saved_corpus,
    ask_to_save,
    project_files,
)

_NOTICE_DELAY: Final = 300  # milliseconds of reading before the notice bar mentions it
_Continuation = Callable[[], object]  # what to do once changes are saved or discarded
_logger: Final = logging.getLogger(__name__)


def is_project(path: Path) -> bool:
    """Return whether a file name has the suffix of project files."""
    return path.name.lower().endswith(PROJECT_SUFFIX)


class ProjectController(QObject):
    """Opens, saves and recovers the project in the session.

    `title_changed`: `path`, `name` or `is_modified` changed.
    """

    _flush = WeakAttribute[Callable[[], object]]()
    _window = WeakAttribute[QWidget]()

    title_changed = Signal()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        notice: NoticeBar,
        recovery_notice: NoticeBar,
        window: QWidget,
        flush: Callable[[], object],
        recovery: RecoveryFolder | None,
    ) -> None:
        """`flush` commits pending typing, and ends a tour; `recovery_notice` is for recovery offers only.

        Without a `recovery` folder, nothing is autosaved, and changes are dropped without asking.
        """
        super().__init__(window)
        self.path: Path | None = None
        self._session = session
        self._settings = settings
        self._notice = notice
        self._window = window
        self._flush = flush
        self._digests = FileDigests()
        self._restorer = ProjectRestorer(session, notice, self._ask_for_missing, self)
        self._changes = UnsavedChanges(session, self._restorer, self)
        self._reading = JobRunner(self)
        self._name_being_read = ""
        self._reading_notice: Notice | None = None
        self._autosave_notice: Notice | None = None
        self._notice_timer = pause_before(self._show_reading, _NOTICE_DELAY, self)
        self._saving = JobRunner(self)
        self._postponed_save: _Continuation | None = None  # until the run can be read, or the previous save has ended
        self._project_number = 0  # of projects opened so far: a late save may belong to an earlier one
        self._is_closing = False
        self._is_on_tour = False
        self.autosave: Autosave | None = None
        """The autosave; None without a recovery folder."""
        self._recovery_offers: RecoveryOffers | None = None
        self._restorer.ended.connect(self._changes.take_restored_run)
        self._changes.happened.connect(self._save_what_waits)
        self._changes.modified_changed.connect(self._modified_changed)
        if recovery is not None:
            self.autosave = Autosave(recovery, self._project_maker, self)
            self.autosave.failed.connect(self._show_autosave_failure)
            self._recovery_offers = RecoveryOffers(
                recovery, self._digests, recovery_notice, self._ask_and_recover, window, self
            )

    @property
    def is_modified(self) -> bool:
        return self._changes.is_modified

    @property
    def is_busy(self) -> bool:
        """Whether a project is being read, restored or saved."""
        return self._reading.busy or self._restorer.is_restoring or self.is_saving

    @property
    def is_saving(self) -> bool:
        """Whether a thread is saving the project, not counting autosave."""
        return self._saving.busy

    @property
    def name(self) -> str:
        """The file name of the project without its suffix; empty if it has no file."""
        if self.path is None:
            return ""
        return self.path.name[: -len(PROJECT_SUFFIX)] if is_project(self.path) else self.path.name

    def begin(self) -> None:
        """Treat the current contents as saved, because the user did not make them, unless the project has a file."""
        self._restorer.forget()
        if self.path is None:
            self._changes.mark_saved(is_in_file=False)

    def begin_tour(self) -> None:
        """Save what is unsaved to the recovery file, and leave that alone while a tour shows other things."""
        if self.autosave is not None and self.autosave.is_due:
            self.autosave.save()
        self._is_on_tour = True

    def end_tour(self) -> None:
        """Autosave again."""
        self._is_on_tour = False
        self._modified_changed()

    # -- opening ----------------------------------------------------------------------------------------------------

    def new(self) -> None:
        self._ask_about_changes(self._start_empty)

    def ask_to_open(self) -> None:
        title, folder = QCoreApplication.translate("ProjectDialogs", "Open project"), str(self._settings.recent_folder)
        name, _filter = QFileDialog.getOpenFileName(self._window, title, folder, project_files())
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        self._ask_about_changes(lambda: self._read(path))

    def _ask_about_changes(self, then: _Continuation) -> None:
        """Call `then` now, or if there are unsaved changes, after the user has saved or discarded them.

        If the user cancels, `then` is not called.
        """
        self._flush()
        if self.autosave is None or not self.is_modified:
            then()
            return
        titles = [document.shown_title for document in self._session.corpus.documents]
        name = self.name or (titles[0] if titles else self.tr("the text"))
        ask_to_save(self._window, name, lambda: self._save(then), then, is_new=not self.name)

    def _leave_project(self) -> None:
        """Drop a postponed save, because the session is about to hold another project."""
        self._project_number += 1
        self._postponed_save = None

    def _start_empty(self) -> None:
        """Replace the project with an empty one that has no file."""
        self._notice.clear()
        self._leave_project()
        self._restorer.forget()
        self._session.load((), Recipe.of(DEFAULT_RECIPE), (), DEFAULT_VOCAB_SIZE, LiveText())
        self._session.opened.close_all()
        self._set_path(None)

    def _read(self, path: Path) -> None:
        """Read a project in a thread, and put it in place of the current one."""
        user_input = self._changes.state().user_input

        def show(loaded: LoadedProject) -> None:
            self._finish_reading()
            replace_project = partial(self._replace_project, loaded)
            if self._changes.state().user_input == user_input:
                replace_project()
            else:  # the user has typed while the file was being read
                self._ask_about_changes(replace_project)

        def show_error(error: EngineError) -> None:
            self._finish_reading()
            is_listed = path.absolute() in self._settings.recent_files
            offer = lambda: self.tr("Remove from list"), lambda: self._settings.forget_recent(path)
            self._notice.show_error(error, [offer] if is_listed else [])

        _logger.info("opening the project %s", path)
        self._notice.clear_words()
        self._name_being_read = path.name
        self._notice_timer.start()
        self._reading.abandon()
        self._reading.start(
            name="read project",
            work=lambda report: read_project(path, self._digests, report),
            on_success=show,
            on_error=show_error,
        )

    def _finish_reading(self) -> None:
        """Dismiss the notice about reading, if shown, and commit pending typing."""
        self._notice.dismiss(self._reading_notice)
        self._notice_timer.stop()
        self._flush()

    def _show_reading(self) -> None:
        offer = lambda: self.tr("Cancel"), self._reading.abandon
        self._reading_notice = self._notice.show_message(
            lambda: self.tr("Opening {name}…").format(name=self._name_being_read), [offer]
        )

    def _replace_project(self, loaded: LoadedProject) -> None:
        self._leave_project()
        self._notice.clear()
        self._restorer.restore(loaded)
        self._set_path(loaded.path)

    def _ask_for_missing(self, loaded: LoadedProject) -> None:
        """Ask where the project's missing files are, and read those that the user finds."""
        folder = (loaded.project.saved_as or loaded.path).parent
        found = ask_for_missing_files(self._window, self._restorer.missing(loaded), folder)
        if not found:
            self._restorer.show_notice_again()
            return
        self._reading.abandon()
        self._reading.start(
            name="read found files",
            work=lambda report: read_with_moved_files(loaded, found, self._digests, report),
            on_success=self._restorer.restore_found,
            on_error=self._notice.show_error,
        )

    def _set_path(self, path: Path | None, state: ProjectState | None = None) -> None:
        """Set the project's file, and mark `state`, by default the current one, as saved in it."""
        self.path = path and path.absolute()
        self._changes.mark_saved(state, is_in_file=path is not None)
        if self.path is not None:
            self._settings.add_recent(self.path)
        self.title_changed.emit()

    # -- saving -----------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save to the project's file, or ask for one."""
        self._flush()
        self._save(None)

    def save_as(self) -> None:
        self._flush()
        self._save_as(None)

    def _save(self, then: _Continuation | None) -> None:
        """Save to the project's file, or ask for one, and call `then` once saved."""
        if self.path is None:
            self._save_as(then)
        else:
            self._save_to(self.path, then)

    def _save_as(self, then: _Continuation | None) -> None:
        suggestion = self.path or self._settings.output_folder / self._suggested_name
        title = QCoreApplication.translate("ProjectDialogs", "Save project")
        path = ask_where_to_save(self._window, title, suggestion, project_files(), PROJECT_SUFFIX)
        if path is not None:  # the dialog has already asked whether to replace an existing file
            self._save_to(path, then, may_replace=True)

    @property
    def _suggested_name(self) -> str:
        documents = self._session.corpus.documents
        # Only a file name has a suffix: a title may have a dot anywhere.
        titles = (document.path.stem if document.path else document.title for document in documents)
        return f"{portable_name(next(titles, '')) or self.tr('project')}{PROJECT_SUFFIX}"

    def _save_to(self, path: Path, then: _Continuation | None, *, may_replace: bool = False) -> None:
        """Save to a file, and call `then` once saved.

        Unless `may_replace`, ask first if the project's file would lose a different corpus or a longer run. While the
        run cannot be read, or another save is in progress, the save is postponed.
        """
        snapshot = None if self._saving.busy else ProjectSnapshot.of(self._session, self._restorer.saved_run)
        if snapshot is None:
            self._postponed_save = partial(self._save_to, path, then, may_replace=may_replace)
            return
        asks = not may_replace and path.absolute() == self.path
        replace, save_as = partial(self._save_to, path, then, may_replace=True), partial(self._save_as, then)
        if asks and self._changes.has_other_corpus:
            ask_to_replace_saved_corpus(self._window, self.name, replace, save_as)
        elif asks and (merges := self._restorer.lost_merges(snapshot.others.run)):
            ask_to_replace_merges(self._window, merges, replace, save_as)
        else:
            self._start_saving(snapshot, path, then)

    def _start_saving(self, snapshot: ProjectSnapshot, path: Path, then: _Continuation | None) -> None:
        """Save a snapshot to a file in a thread, and call `then` unless saving fails."""
        state, project_number = self._changes.state(), self._project_number

        def finish() -> None:
            if project_number != self._project_number:  # the session now holds another project
                self._settings.add_recent(path)
                self._save_what_waits()
                return
            self._restorer.run_saved(snapshot.others.run)
            self._set_path(path, state)
            self._save_what_waits()
            if then is not None:
                then()

        def fail(error: EngineError) -> None:
            self._notice.show_error(error)
            self._save_what_waits()

        _logger.info("saving the project %s", path)
        self._saving.start(
            name="save project",
            work=lambda report: _write(snapshot.project(self._digests, None, report), path),
            on_success=lambda _result: finish(),
            on_error=fail,
        )

    # -- autosave and recovery --------------------------------------------------------------------------------------

    def offer_recovered(self) -> None:
        """Offer to restore the recovery files left by crashed processes."""
        if self._recovery_offers is not None:
            self._recovery_offers.offer()

    @property
    def has_recovered(self) -> bool:
        """Whether crashed processes left recovery files that the user has not decided about."""
        return self._recovery_offers is not None and self._recovery_offers.exist

    def choose_recovered(self) -> None:
        """Ask which of these recovery files to restore or discard."""
        if self._recovery_offers is not None:
            self._recovery_offers.choose()

    def _ask_and_recover(self, loaded: LoadedProject, file: RecoveryFile) -> None:
        self._ask_about_changes(lambda: self._recover(loaded, file))

    def _recover(self, loaded: LoadedProject, file: RecoveryFile) -> None:
        _logger.info("restoring the recovery file %s", file.path)
        if self.autosave is not None:
            self.autosave.continue_in(file)
        if self._recovery_offers is not None:
            self._recovery_offers.settle(file)
        self._leave_project()
        self.path = loaded.project.saved_as
        self._changes.mark_saved(
            is_in_file=self.path is not None, is_recovered=True, has_other_corpus=loaded.has_other_corpus
        )
        self._notice.clear()
        self._restorer.restore(loaded)
        self.title_changed.emit()

    def _project_maker(self) -> ProjectMaker | None:
        """Return a function that makes the project to autosave; None on a tour, or while the run cannot be read."""
        if self._is_on_tour:
            return None
        snapshot, path = ProjectSnapshot.of(self._session, self._restorer.saved_run), self.path
        return None if snapshot is None else lambda report: snapshot.project(self._digests, path, report)

    def _show_autosave_failure(self, error: EngineError) -> None:
        offer = lambda: self.tr("Save project as…"), self.save_as
        self._autosave_notice = self._notice.show_message(
            lambda: self.tr("Autosave failed: {reason}").format(reason=error_message(error)),
            [offer],
        )

    def _save_what_waits(self) -> None:
        """Start the postponed save if that is possible now, and if there are changes, autosave soon."""
        if self._postponed_save is not None and not self._saving.busy:
            save, self._postponed_save = self._postponed_save, None
            save()
        if self.autosave is not None and self.is_modified:
            self.autosave.touch()

    def _modified_changed(self) -> None:
        if self.autosave is not None and not self.is_modified and not self._is_on_tour:
            self.autosave.forget()
            self._notice.dismiss(self._autosave_notice)
        self.title_changed.emit()

    # -- closing ----------------------------------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Return whether the window may close now; if not, ask about unsaved changes, and close it afterwards."""
        self._flush()
        if self._is_closing or self.autosave is None or not self.is_modified:
            return True
        self._ask_about_changes(self._close_window)
        return False

    def close_unasked(self) -> None:
        """Close the window because the process has to end. Unsaved changes stay in the recovery file."""
        self._flush()
        if self.autosave is not None and self.is_modified:
            with self._session.run.training.look():
                self.autosave.leave_behind()
        self._close_window()

    def _close_window(self) -> None:
        """Close the window without another question."""
        self._is_closing = True
        try:
            self._window.close()
        finally:
            self._is_closing = False

    def finish_saving(self) -> None:
        self._saving.wait()

    def close(self) -> None:
        """Delete the recovery file, and release those still on offer; all work must have ended."""
        self._notice_timer.stop()
        if self.autosave is not None:
            self.autosave.forget()
        if self._recovery_offers is not None:
            self._recovery_offers.close()


def _write(project: Project, path: Path) -> None:
    """Write a project to a file. Does not create its folder: a missing one was probably mistyped. Raise EngineError."""
    if _is_missing(path.parent):
        raise FormatError(
            "The folder {folder} does not exist. Create it first, or choose another one.", folder=path.parent
        )
    save_project(project, path)


def _is_missing(folder: Path) -> bool:
    try:
        folder.stat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):  # no permission, or an invalid name: writing will report it
        return False
    return False
