"""The project that a window has open: its file, its safety, and what is asked before changes are lost."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import EngineError, Recipe
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.projects.project import Project
from bpe_gui.engine.projects.project_file import SUFFIX, save_project

from bpe_gui.gui.background.jobs import Job, OneJob, Report
from bpe_gui.gui.background.activity import mistake
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import RECENT_PROJECTS, Settings
from bpe_gui.gui.projects.autosave import Autosave
from bpe_gui.gui.projects.unsaved_changes import Changes, State
from bpe_gui.gui.projects.project_dialogs import ask_for_project, ask_to_replace, ask_to_save, ask_where_they_are, ask_where_to_save
from bpe_gui.gui.projects.loaded_project import ReadProject, read_found, read_project
from bpe_gui.gui.projects.recovery_offers import Recovering
from bpe_gui.gui.projects.recovery_files import Recovered, Recovery
from bpe_gui.gui.projects.project_restorer import Restoring
from bpe_gui.gui.projects.project_snapshot import Digests, Snapshot

_UNHURRIED: Final = 300  # milliseconds after which it is said that a file is being read
_RECIPE: Final = "cs336"  # what a new project begins with
_SIZE: Final = 1_000
_Then = Callable[[], object]


def is_project(path: Path) -> bool:
    """Whether it is called as a project is."""
    return path.name.lower().endswith(SUFFIX)


class ProjectKeeper(QObject):
    """Opens and saves projects. `title_changed` says that `path` or `is_modified` is another.

    `flush` is to hand on what was typed a moment ago. Without a `recovery`, for a window that nobody works in, nothing
    is saved for safety and nobody is asked.
    """

    title_changed = Signal()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        notice: NoticeBar,
        window: QWidget,
        flush: Callable[[], object],
        recovery: Recovery | None,
    ) -> None:
        super().__init__(window)
        self.path: Path | None = None
        self._session = session
        self._settings = settings
        self._notice = notice
        self._window = window
        self._flush = flush
        self._digests = Digests()
        self._restoring = Restoring(session, notice, self._find_missing, self)
        self._changes = Changes(session, self._restoring, self)
        self._reading = OneJob(self)
        self._being_read = ""  # the name of the project
        self._patience = QTimer(self, singleShot=True, interval=_UNHURRIED)
        self._patience.timeout.connect(self._say_opening)
        self._saving = OneJob(self)
        self._postponed: _Then | None = None  # what waits for a look at the run, or for the end of saving
        self._held = 0  # how many projects the window held before: what is saved late is of one of them
        self._is_closing = False
        self._autosave: Autosave | None = None
        self._recovering: Recovering | None = None
        self._restoring.ended.connect(self._changes.take_run)
        self._changes.happened.connect(self._something_happened)
        self._changes.modified_changed.connect(self._modified_changed)
        if recovery is not None:
            self._autosave = Autosave(recovery, self._work_to_keep_safe, self)
            self._autosave.failed.connect(self._say_not_safe)
            self._recovering = Recovering(recovery, self._digests, notice, self._ask_and_recover, window, self)

    @property
    def is_modified(self) -> bool:
        """Whether there is work that is in no file."""
        return self._changes.is_modified

    @property
    def name(self) -> str:
        """What the project is called; nothing while it has no file."""
        if self.path is None:
            return ""
        return self.path.name[: -len(SUFFIX)] if is_project(self.path) else self.path.name

    def begin(self) -> None:
        """What there is now is what one begins with, unless it is to go into a file: it is not worth saving."""
        self._restoring.forget()
        if self.path is None:
            self._changes.forget(is_in_file=False)

    # -- opening ----------------------------------------------------------------------------------------------------

    def new(self) -> None:
        """Begin with nothing."""
        self._settle(self._take_nothing)

    def ask_to_open(self) -> None:
        """Ask for a project and open it."""
        path = ask_for_project(self._window, self._settings.recent_folder)
        if path is not None:
            self.open(path)

    def open(self, path: Path) -> None:
        """Open a project in the place of what there is."""
        self._settle(lambda: self._read(path))

    def _settle(self, then: _Then) -> None:
        """Go on once nothing is lost by it."""
        self._flush()
        if self._autosave is None or not self.is_modified:
            then()
            return
        titles = [document.title for document in self._session.documents]
        name = self.name or (titles[0] if titles else self.tr("the text"))
        ask_to_save(self._window, name, lambda: self._save(then), then)

    def _hold_another(self) -> None:
        """The window is to hold another project: what waits to be saved of this one, is not wanted."""
        self._held += 1
        self._postponed = None

    def _take_nothing(self) -> None:
        self._notice.hide()
        self._hold_another()
        self._restoring.forget()
        self._session.load((), Recipe.of(_RECIPE), (), _SIZE, LiveText())
        self._take_path(None)

    def _read(self, path: Path) -> None:
        before = self._changes.state().work

        def done(job: Job) -> None:
            if not self._patience.isActive():
                self._notice.hide()
            self._patience.stop()
            self._flush()
            if isinstance(job.result, ReadProject):
                take = partial(self._take, job.result)
                # What was typed while the file was being read, nobody was asked about.
                take() if self._changes.state().work == before else self._settle(take)
            elif isinstance(job.error, EngineError):
                self._say_unreadable(path, job.error)
            elif job.error is not None:
                raise job.error

        self._notice.hide()
        self._being_read = path.name
        self._patience.start()
        self._reading.abandon()
        self._reading.start(lambda report: read_project(path, self._digests, report), done)

    def _say_opening(self) -> None:
        words = self.tr("Opening {name}…").format(name=self._being_read)
        self._notice.say(words, [(self.tr("Cancel"), self._reading.abandon)])

    def _say_unreadable(self, path: Path, error: EngineError) -> None:
        is_listed = path.absolute() in self._settings.recent_projects
        offer = self.tr("Remove from the list"), lambda: self._forget_recent(path)
        self._notice.say(sentence(error), [offer] if is_listed else [])

    def _take(self, read: ReadProject) -> None:
        self._hold_another()
        self._restoring.restore(read)
        self._take_path(read.path)

    def _find_missing(self, read: ReadProject) -> None:
        """Ask where files are that the project has lost, and go on with them."""
        places = ask_where_they_are(
            self._window, self._restoring.missing(read), (read.project.saved_as or read.path).parent
        )

        def done(job: Job) -> None:
            if isinstance(job.result, ReadProject):
                self._restoring.go_on_with(job.result)
            elif error := mistake(job):
                self._notice.say(sentence(error))

        if places:
            self._reading.abandon()
            self._reading.start(lambda report: read_found(read, places, self._digests, report), done)
        else:
            self._restoring.say_again()

    def _take_path(self, path: Path | None, state: State | None = None) -> None:
        """What there is, or was in that state, is in the file; without one, it is what one begins with."""
        self.path = path and path.absolute()
        self._changes.forget(state, is_in_file=path is not None)
        if self.path is not None:
            self._remember(self.path)
        self.title_changed.emit()

    # -- recent projects --------------------------------------------------------------------------------------------

    def _remember(self, path: Path) -> None:
        others = [other for other in self._settings.recent_projects if other != path]
        self._settings.recent_projects = (path, *others)[:RECENT_PROJECTS]
        self._settings.recent_folder = path.parent

    def _forget_recent(self, path: Path) -> None:
        listed = self._settings.recent_projects
        self._settings.recent_projects = tuple(other for other in listed if other != path.absolute())

    def clear_recent(self) -> None:
        """Forget which projects were open."""
        self._settings.recent_projects = ()

    # -- saving -----------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save to the project's file, or ask for one."""
        self._flush()
        self._save(None)

    def save_as(self) -> None:
        """Ask for a file and save to it."""
        self._flush()
        self._save_as(None)

    def _save(self, then: _Then | None) -> None:
        """The same; `then` is what to do when it is saved."""
        if self.path is None:
            self._save_as(then)
        else:
            self._save_to(self.path, then)

    def _save_as(self, then: _Then | None) -> None:
        titles = [Path(document.title).stem for document in self._session.documents]
        name = f"{titles[0] if titles else self.tr('project')}{SUFFIX}"
        path = ask_where_to_save(self._window, self.path or self._settings.recent_folder / name)
        if path is not None:
            self._save_to(path, then)

    def _save_to(self, path: Path, then: _Then | None, *, may_replace: bool = False) -> None:
        """Save, but ask first if a file would lose a longer run, unless it `may_replace` that."""
        snapshot = None if self._saving.busy else Snapshot.of(self._session, self._restoring.kept)
        if snapshot is None:
            self._postponed = partial(self._save_to, path, then, may_replace=may_replace)
            return
        merges = self._restoring.shortened_to(snapshot.run)
        if merges and not may_replace and path.absolute() == self.path:
            replace = partial(self._save_to, path, then, may_replace=True)
            ask_to_replace(self._window, merges, replace, partial(self._save_as, then))
            return
        state, held = self._changes.state(), self._held

        def done(job: Job) -> None:
            error = mistake(job)
            if error is not None:
                self._notice.say(sentence(error))
            elif held != self._held:
                self._remember(path)
                return
            else:
                self._restoring.take_saved(snapshot.run)
                self._take_path(path, state)
            self._something_happened()
            if error is None and then is not None:
                then()

        self._saving.start(lambda report: save_project(snapshot.project(self._digests, None, report), path), done)

    # -- safety -----------------------------------------------------------------------------------------------------

    def offer_recovered(self) -> None:
        """Offer what a process that was killed has saved for safety, if there is something."""
        if self._recovering is not None:
            self._recovering.offer()

    def _ask_and_recover(self, read: ReadProject, file: Recovered) -> None:
        self._settle(lambda: self._recover(read, file))

    def _recover(self, read: ReadProject, file: Recovered) -> None:
        if self._autosave is not None:
            self._autosave.go_on_with(file)
        self._hold_another()
        self.path = read.project.saved_as
        self._changes.forget(is_in_file=self.path is not None, is_recovered=True)
        self._restoring.restore(read)
        self.title_changed.emit()

    def _work_to_keep_safe(self) -> Callable[[Report], Project] | None:
        snapshot, path = Snapshot.of(self._session, self._restoring.kept), self.path
        return None if snapshot is None else lambda report: snapshot.project(self._digests, path, report)

    def _say_not_safe(self, error: EngineError) -> None:
        words = self.tr("Your work could not be saved for safety: {reason}").format(reason=sentence(error))
        self._notice.say(words, [(self.tr("Save project as…"), self.save_as)])

    def _something_happened(self) -> None:
        if self._postponed is not None and not self._saving.busy:
            act, self._postponed = self._postponed, None
            act()
        if self._autosave is not None and self.is_modified:
            self._autosave.touch()

    def _modified_changed(self) -> None:
        if self._autosave is not None and not self.is_modified:
            self._autosave.forget()
        self.title_changed.emit()

    # -- closing ----------------------------------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Whether the window may close now; if not, it is asked what is to become of changes, and closed then."""
        self._flush()
        if self._is_closing or self._autosave is None or not self.is_modified:
            return True
        self._settle(self._allow_to_close)
        return False

    def _allow_to_close(self) -> None:
        self._is_closing = True
        self._window.close()

    def shut_down(self) -> None:
        """Wait for what is being saved, and forget what was saved for safety."""
        self._patience.stop()
        self._reading.abandon()
        for job in (self._reading, self._saving):
            job.wait()
        if self._autosave is not None:
            self._autosave.shut_down()
        if self._recovering is not None:
            self._recovering.shut_down()
