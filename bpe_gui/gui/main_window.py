"""The main window: its panels and menus, and the actions that affect all of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QMainWindow,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from bpe_gui import __version__
from bpe_gui.engine import PRESETS, RunUntil, why_not_compiled
from bpe_gui.engine.runtime import memory
from bpe_gui.samples import Sample, default_sample, samples
from bpe_gui.tours import Tour, tours

from .dialogs.boxes import open_once, show_documentation, show_text
from .jobs import end_jobs
from .look.layouts import MARGIN, row_of
from .look.lifetime import weakly
from .look.overlays import local_files
from .look.qt_constants import END_KEYS
from .look.theme import DEFAULT_TOKEN_SIZE, Theme, ThemeChoice
from .look.widgets import FormerFocus, claims, name_widget, without_mnemonic
from .panels.corpus_panel import CorpusPanel
from .panels.encode_panel import EncodePanel
from .panels.finding import TextFinder
from .panels.merges_panel import MergesPanel
from .panels.notice_bar import NoticeBar
from .panels.state_bars import ActivityBar, OpenedBar, StatusLine
from .panels.timeline_panel import TimelinePanel
from .panels.transport_bar import TransportBar
from .panels.vocabulary_panel import VocabularyPanel
from .projects.autosave import RecoveryFolder
from .projects.project_controller import ProjectController
from .session.object_names import distinct_name, name_anew, shown_object
from .session.session import Session
from .system.diagnostics import diagnostics
from .system.settings import FONT_SIZES, Settings, Workspace
from .tools.comparison.comparing import Comparing
from .tools.reports.reporting import Reporting
from .tools.tool import Tool, ToolPage
from .views.plain_text_edit import PlainTextEdit
from .window.actions import ACTIONS, PossibleActions, make_actions
from .window.branch_actions import BranchActions, ReplayActions
from .window.edit_actions import EditActions, FocusedWidget, UndoActions, UndoOffers
from .window.exporting import Exporting
from .window.file_opener import FileOpener, is_untouched
from .window.find_boxes import KeysBox, SearchBox
from .window.menus import Menus
from .window.panel_layout import PanelLayout
from .window.part import Handlers, Surroundings
from .window.token_menus import TokenMenus
from .window.tokenizer_opener import TokenizerOpener
from .window.tour_guide import TourGuide, shows_all
from .window.training_notices import ChangeNotices, ErrorNotices, PauseNotices, StopNotices
from .window.widget_state import Restore, save_view, save_widget_state, size_kept
from .wording.language import install_language, language_in_force
from .wording.phrases import counted, number, size_text
from .wording.sentences import said

_SIZE: Final = QSize(1280, 800)
_WORKSPACES: Final[Sequence[Workspace]] = ("learn", "explore", "compare", "report")  # the names of actions, too
_HIDDEN: Final[Mapping[Workspace, list[str]]] = {
    "learn": ["corpus", "vocabulary", "timeline"],
    "explore": [],
    "compare": ["corpus", "vocabulary", "merges", "encode"],
    "report": ["corpus", "vocabulary", "merges", "encode", "timeline"],
}
_LEARN_LARGER: Final = 5  # points
_LARGEST: Final = QSize(1760, 1100)
_SHARE: Final = 0.8  # of a larger screen
_STATUS_HEIGHT: Final = 28  # pixels
_FRAME: Final = QSize(8, 40)  # roughly what the system adds around a window


def _has_focus(panel: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and panel.isAncestorOf(focused)


class MainWindow(QMainWindow):
    """The whole window. `MainWindow()` builds it without showing it, with a sample to step through."""

    def __init__(
        self,
        *,
        session: Session | None = None,
        settings: Settings | None = None,
        theme: Theme | None = None,
        recovery: RecoveryFolder | None = None,
        log_file: Path | None = None,
    ) -> None:
        """Create the parts that are not given. Without a `recovery` folder, nothing is autosaved or asked on close."""
        super().__init__()
        self.setAcceptDrops(True)
        self._former_focus = FormerFocus(self)
        self._settings = settings or Settings()
        self._log_file = log_file
        self.session = session or Session(self)
        is_new = not self.session.corpus.documents
        if is_new:  # before there are panels, which would have to show it a second time
            with self.session.history.start_over():
                self._load_sample(default_sample())
        self._theme = theme or Theme(self._settings.theme, self, token_size=self._settings.font_size)
        if theme is None and isinstance(application := QApplication.instance(), QApplication):
            self._theme.apply(application)
        self._theme.style(self)
        self._theme.changed.connect(self._follow_theme)  # before any other part, whose font a style sheet resets
        self._recovery_notice = NoticeBar(self._theme, self, "recovery")
        self._notice = NoticeBar(self._theme, self)
        self._hidden: dict[Workspace, list[str]] = dict(_HIDDEN)
        self._workspace_before: Workspace = "explore"
        self._before_tour = self._settings.workspace, self._hidden, False
        self._restore_view: Restore | None = None
        around = Surroundings(self.session, self._settings, self._theme, self._notice, self)
        self._tokenizers = TokenizerOpener(around)
        self._error_notices = ErrorNotices(around, self._tokenizers.ask_instead)
        self._undo_offers = UndoOffers(around)
        self._stop_notices = StopNotices(around)
        self._pause_notices = PauseNotices(around)
        self._replay_actions = ReplayActions(around)
        self._opener = FileOpener(around, self._undo_offers, self._tokenizers)
        self.projects = ProjectController(
            self.session, self._settings, self._notice, self._recovery_notice, self, self._flush, recovery
        )
        session = self.session
        for changed in (
            *(session.corpus.documents_changed, session.corpus.inputs_changed, self.projects.title_changed),
            *(session.opened.changed, session.opened.list_changed),
            *(session.branches.changed, session.branches.list_changed),
        ):
            changed.connect(self._show_title)
        self._exporting = Exporting(around, self._tokenizers.choose)
        self._comparing = Comparing(self.session, self._theme, self._settings, self._tokenizers.choose, self)
        self._change_notices = ChangeNotices(around, self._comparing.compare_with_earlier)
        self._branch_actions = BranchActions(around, self._undo_offers, self._comparing.compare_with)
        self._guide = TourGuide(
            around, self._tokenizers, self._load_sample, self._branch_actions.ban, self._show_everything
        )
        self._guide.ended.connect(self._end_tour)
        self._guide.wanted.connect(self.take_tour)
        self._comparing.open_requested.connect(self._opener.ask_for_text_to_encode)
        self._reporting = Reporting(self.session, self._theme, self._settings, self)
        self._reporting.export_wanted.connect(self._exporting.export_pruned)
        self._tools: dict[Workspace, Tool[Any]] = {"compare": self._comparing, "report": self._reporting}
        for name, tool in self._tools.items():
            tool.page_made.connect(self._put_page)
            tool.wanted.connect(weakly(self.choose_workspace, name))
        self._build()
        self.session.text.edited.connect(self._notice.clear_words)
        self._opener.project_found.connect(self.projects.open)
        for wanted in (self.session.selection.lineage_wanted, self.session.selection.why_not_wanted):
            wanted.connect(self._show_encode_panel)  # where the answer appears
        self.session.selection.occurrence_wanted.connect(self._leave_tools)
        available = self.screen().availableSize()
        size = (available * _SHARE).expandedTo(_SIZE).boundedTo(_LARGEST)
        self.resize(size.boundedTo(available - _FRAME))
        self.restoreGeometry(self._settings.window_geometry)
        self._layout.restore_sizes(self._settings)
        if is_new:
            self.projects.begin()
        if (reason := why_not_compiled()) is not None:
            self._notice.show_message(lambda: said(reason))
        self._merges.setFocus()  # where the arrow keys move the cursor

    # -- building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        """Create everything in the window, in the current language."""
        self.actions_by_name = make_actions(self)
        self._set_icons()
        self._transport = TransportBar(self.session, self._theme, self._settings, self.actions_by_name)
        self._corpus = CorpusPanel(self.session, self._theme)
        self._vocabulary = VocabularyPanel(self.session, self._theme)
        self._merges = MergesPanel(self.session, self._theme)
        self._encode = EncodePanel(self.session, self._theme, self._settings)
        self._timeline = TimelinePanel(self.session, self._theme)
        self._layout = self._lay_out()
        self.setCentralWidget(self._layout)
        self._connect_actions()
        self.actions_by_name["overlay"].setChecked(self.session.overlay.is_on)
        self._corpus.open_requested.connect(self._opener.ask_for_files)
        self._corpus.add_requested.connect(self._opener.ask_for_files_to_add)
        self._corpus.sample_requested.connect(self.open_sample)
        self._corpus.files_dropped.connect(self.drop_paths)
        self._corpus.list_lengthened.connect(self._layout.heighten_upper_left)
        self._transport.until_chosen.connect(self.run_until)
        self._transport.step_entered.connect(self._merges.setFocus)  # where keys step through the run again
        self._encode.files_dropped.connect(self._opener.open_to_encode)
        self._encode.open_requested.connect(self._opener.ask_for_text_to_encode)
        self._encode.warned.connect(self._notice.show_message)
        self._corpus.document_removed.connect(self._offer_to_undo_removal)
        self._fill_menus()
        self._merges.follow_step(self.actions_by_name["step"], self._menus.tours)
        self._merges.corpus_wanted.connect(weakly(self._menus.show_panel, "corpus"))
        self._token_menus = TokenMenus(self.session, self._layout)
        self._token_menus.add_to_tables(self._layout)
        self._branch_actions.add_to_tables(self._merges)
        self._encode.token_menu_opened.connect(self._token_menus.add_token)
        self._activity_bar = ActivityBar(self.session, self.actions_by_name["cancel"])
        self._status_line = StatusLine(self.session, self._settings, self.statusBar())
        self._status_line.tour_wanted.connect(self._take_first_tour)
        self._status_line.comparison_wanted.connect(self._comparing.compare_with_gpt_4)
        self.statusBar().addWidget(self._status_line, 1)
        self.statusBar().addPermanentWidget(self._activity_bar)
        self.statusBar().setFixedHeight(_STATUS_HEIGHT)  # whether or not anything is shown there
        for editor in self._layout.findChildren(PlainTextEdit):
            editor.line_refused.connect(self._explain_refused_line)
        self._add_workspaces()
        self._possible = PossibleActions(self.actions_by_name, self.session, self)
        self._show_title()

    def _lay_out(self) -> PanelLayout:
        opened = OpenedBar(self.session, self._theme, self.actions_by_name)
        opened.pattern_button.clicked.connect(self._tokenizers.ask_about_ranks)
        opened.splitter_chosen.connect(self._tokenizers.choose_splitter)
        self._tool_pages = QStackedWidget()
        return PanelLayout(
            (self._transport, opened),
            (self._corpus, self._vocabulary),
            (self._merges, self._encode, self._tool_pages),
            self._timeline,
            self._notices,
        )

    def _add_workspaces(self) -> None:
        """Show the workspaces at the end of the menu bar, and arrange the panels for the chosen one."""
        bar, group = self.menuBar(), QActionGroup(self._menus)
        if (old := bar.cornerWidget()) is not None:
            old.deleteLater()
        corner = name_widget(QWidget(bar), "workspaces", self.tr("Workspaces"))
        buttons = [QToolButton(autoRaise=True) for _name in _WORKSPACES]
        for name, button in zip(_WORKSPACES, buttons, strict=True):
            action = self.actions_by_name[name]
            action.setIconText(without_mnemonic(action.text()))
            button.setDefaultAction(group.addAction(action))
            name_widget(button, f"{name}Button")
        row_of(*buttons, of=corner, margins=(0, 0, MARGIN, 0), spacing=0)
        bar.setCornerWidget(corner)
        corner.move(bar.width(), 0)  # not below the mouse, where a button would describe itself in the status bar
        corner.show()
        self.actions_by_name[self._settings.workspace].setChecked(True)
        self._tool_pages.hide()
        if self._settings.workspace != "explore":
            self._arrange()

    def choose_workspace(self, workspace: Workspace) -> None:
        """Arrange the window for one kind of work; each arrangement keeps its sizes and hidden panels."""
        self.actions_by_name[workspace].setChecked(True)
        if workspace == self._settings.workspace:
            return
        self._notice.clear_words()
        self._undo_offers.withdraw()
        self._error_notices.dismiss_size()
        self._layout.save_sizes(self._settings)
        self._hidden[self._settings.workspace] = self._menus.hidden_panels()
        if self._settings.workspace not in self._tools:
            self._workspace_before = self._settings.workspace
        self._settings.workspace = workspace
        self._arrange()
        self._layout.restore_sizes(self._settings)
        (self._tool_page or self._merges).setFocus()

    def _arrange(self) -> None:
        is_learning = self._settings.workspace == "learn"
        self._merges.show_only_next(is_learning)
        self._encode.show_only_text(is_learning)
        self._menus.show_all_panels()
        self._menus.hide_panels(self._hidden[self._settings.workspace])
        self._theme.set_token_size(self._settings.font_size + (_LEARN_LARGER if is_learning else 0))
        self._tool_pages.setVisible(self._settings.workspace in self._tools)
        for name, tool in self._tools.items():
            if name == self._settings.workspace:
                self._corpus.flush()
                self._tool_pages.setCurrentWidget(tool.work())
            else:
                tool.rest()

    # -- tools ------------------------------------------------------------------------------------------------------

    def _put_page(self, page: ToolPage) -> None:
        self._tool_pages.addWidget(page)
        self._token_menus.add_to_tables(page)

    def _leave_tools(self) -> None:
        if self._settings.workspace in self._tools:
            self.choose_workspace(self._workspace_before)

    @property
    def _tool_page(self) -> ToolPage | None:
        tool = self._tools.get(self._settings.workspace)
        return tool.page if tool is not None else None

    def _take_first_tour(self) -> None:
        self.take_tour(next(tour for tour in tours() if tour.is_lesson))

    def _connect_actions(self) -> None:
        """Connect each action to the part that carries it out, and else to this window or the session."""
        session = self.session
        handlers: Handlers = {
            **self._opener.handlers(),
            **self._tokenizers.handlers(),
            **self._exporting.handlers(),
            **self._branch_actions.handlers(),
            **self._replay_actions.handlers(),
            "add_text": self._corpus.add_empty_document,
            "new_project": self.projects.new,
            "open_project": self.projects.ask_to_open,
            "recovered_work": self.projects.choose_recovered,
            "save_project": self.projects.save,
            "save_project_as": self.projects.save_as,
            "close_tokenizer": self.close_tokenizer,
            "compare": self._comparing.open,
            "report": self._reporting.open,
            "quit": self.close,
            "find": self.begin_search,
            "find_next": self.find_next,
            "find_previous": self.find_previous,
            "recipe": self._corpus.edit_recipe,
            "train": self.train,
            "cancel": session.work.cancel,
            "first": session.cursor.first,
            "step_back": self.step_back,
            "play": self.play_or_pause,
            "step": self.step,
            "last": self.last,
            "run_until": self.choose_until,
            "go_to": self._transport.focus_go_to,
            "restart": self.restart,
            "what_changed": self._change_notices.show,
            "overlay": session.overlay.set_on,
            "drop_branch": self.drop_branch,
            "learn": weakly(self.choose_workspace, "learn"),
            "explore": weakly(self.choose_workspace, "explore"),
            "larger": weakly(self._change_size, 1),
            "smaller": weakly(self._change_size, -1),
            "usual_size": weakly(self._change_size, None),
            "usual_layout": self.reset_layout,
            "full_screen": self.toggle_full_screen,
            "search": self.search,
            "documentation": self.show_documentation,
            "show_keys": self.show_keys,
            "copy_diagnostics": self.copy_diagnostics,
            "about": self.show_about,
        }
        for name, handler in handlers.items():
            triggered = self.actions_by_name[name].triggered
            for slot in (self._notice.clear_words, self._corpus.flush, handler):
                triggered.connect(slot)

    def _follow_theme(self) -> None:
        self._theme.style(self)
        self._set_icons()

    def _set_icons(self) -> None:
        for name, spec in ACTIONS.items():
            if spec.icon:
                self.actions_by_name[name].setIcon(self._theme.icon(spec.icon))

    def _fill_menus(self) -> None:
        panels = {
            "corpus": self._corpus,
            "vocabulary": self._vocabulary,
            "merges": self._merges,
            "encode": self._encode,
            "timeline": self._timeline,
        }
        self._menus = Menus(self.menuBar(), self.actions_by_name, self._settings, panels)
        self._layout.folded.connect(self._menus.fold)
        self._menus.sample_chosen.connect(self.open_sample)
        actions = self.actions_by_name
        focused = FocusedWidget(self, actions["undo"])
        focused.changed.connect(self._watch_space)
        self._watch_space(None, focused.widget)
        self._undo = UndoActions(actions["undo"], actions["redo"], self.session, focused)
        self._menus.edit_opened.connect(self._undo.refresh)
        self._editing = EditActions(actions, focused)
        self._menus.edit_opened.connect(self._editing.refresh)
        self._menus.file_opened.connect(self._show_recovered)
        self._menus.recent_chosen.connect(self._opener.open_recent)
        self._menus.tour_chosen.connect(self.take_tour)
        self._menus.tour_file_wanted.connect(self.ask_for_tour)
        self._menus.theme_chosen.connect(self.choose_theme)
        self._menus.language_chosen.connect(self.choose_language)

    def _show_encode_panel(self) -> None:
        self.choose_workspace("explore")
        self._menus.show_panel("encode")

    # -- opening ----------------------------------------------------------------------------------------------------

    def open_sample(self, sample: Sample) -> None:
        """Replace corpus, recipe and text with a sample's, and offer to undo that if it discards work."""
        self._corpus.flush()
        self._opener.begin()
        is_work_lost = not all(map(is_untouched, self.session.corpus.documents))
        is_text_lost = self.session.text.content not in {"", *(each.text for each in samples())}
        self._load_sample(sample)
        self._merges.setFocus()  # where the arrow keys step through it
        self.projects.begin()
        if is_work_lost or is_text_lost:
            self._undo_offers.show_message(lambda: self.tr("The sample replaced the corpus and the text."))

    def _load_sample(self, sample: Sample) -> None:
        self.session.load_sample(sample, sample.title(language_in_force()))

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open text files in place of the corpus, or open saved tokenizers and projects."""
        self._corpus.flush()
        self._opener.open_paths(paths)

    def _show_recovered(self) -> None:
        self.actions_by_name["recovered_work"].setVisible(self.projects.has_recovered)

    def drop_paths(self, paths: Sequence[Path]) -> None:
        """Ask whether text files should replace the corpus or be added to it; open tokenizers and projects."""
        self._corpus.flush()
        self._opener.drop_paths(paths)

    def _flush(self) -> None:
        self._guide.leave()  # a project holds what is the user's, not what a tour shows
        self._corpus.flush()

    def close_tokenizer(self) -> None:
        """Close the opened tokenizer, and go back to what was shown before it."""
        focused = self.focusWidget()
        self.session.opened.close()
        if focused is None or not focused.isVisible():
            self._merges.setFocus()

    def drop_branch(self) -> None:
        """Drop the branch on screen, and show the main run."""
        self._branch_actions.drop()
        self._merges.setFocus()  # the button that was pressed is hidden now

    # -- finding ----------------------------------------------------------------------------------------------------

    def begin_search(self) -> None:
        """Find in the text or filter the table that has the focus; by default, find in the text to encode."""
        for panel in (self._vocabulary, self._merges):
            if _has_focus(panel):
                panel.begin_search()
                return
        self._searched.begin_search()

    def find_next(self) -> None:
        """Go to the next match in the panel with the focus, by default in the text to encode."""
        self._searched.find_next()

    def find_previous(self) -> None:
        self._searched.find_previous()

    @property
    def _searched(self) -> TextFinder | ToolPage:
        if _has_focus(self._corpus):
            return self._corpus.finder
        if not _has_focus(self._encode) and (page := self._tool_page) is not None:
            return page
        self._encode.show_text()
        return self._encode.finder

    # -- training ---------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Merge the next pair."""
        self.session.begin_step()
        self.session.cursor.step()

    def step_back(self) -> None:
        """Undo the last merge."""
        self.session.cursor.pause()
        self.session.cursor.step_back()

    def last(self) -> None:
        """Move to the last step, or train to the target vocabulary size."""
        self.session.begin_step()
        self.session.cursor.last()

    def play_or_pause(self) -> None:
        """Start or stop playing, which moves the cursor forward at the chosen speed."""
        if self.session.cursor.playing:
            self.session.cursor.pause()
        else:
            self.session.begin_step()
            self.session.cursor.play(self._transport.steps_per_second)

    def train(self) -> None:
        """Train in a thread to the target vocabulary size."""
        self._error_notices.dismiss_size()
        self.session.train()
        self._merges.setFocus()  # the button that was pressed may now be disabled

    def choose_until(self) -> None:
        """Ask for the condition to train until."""
        self.session.cursor.pause()
        self._transport.choose_until()

    def run_until(self, condition: RunUntil) -> None:
        """Train in a thread until a condition holds."""
        self._notice.clear_words()
        self.session.run_until(condition)
        self._merges.setFocus()

    def restart(self) -> None:
        """Start a new run from the current corpus and recipe."""
        run = self.session.run
        merges = run.trainer.run_length if run.trainer else 0  # a thread that trains has the trainer
        self.session.restart()

        def message() -> str:
            had = counted(merges, self.tr("1 merge"), self.tr("{count} merges"))
            return self.tr("Started over. The run had {merges}.").format(merges=had)

        if merges:
            self._undo_offers.show_message(message)
        self._merges.setFocus()

    # -- view -------------------------------------------------------------------------------------------------------

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Follow the system's colours, or always use light or dark ones."""
        self._settings.theme = choice
        self._theme.set_choice(choice)

    def choose_language(self, choice: str) -> None:
        """Translate the window; an empty choice means the system's language."""
        self._settings.language = choice
        application = QApplication.instance()
        if application is not None:
            install_language(application, choice)
            name_anew(self.session.branches)
            self._rebuild()

    def _rebuild(self) -> None:
        """Replace everything in the window with widgets in the new language, in the same state."""
        self._corpus.flush()
        hidden = self._menus.hidden_panels()
        restore_state = save_widget_state(self._layout)
        focused = self.focusWidget()
        focus_name = focused.objectName() if focused is not None else ""
        if focused is not None:
            focused.clearFocus()  # while widgets that follow the focus can still react
        for notice in self._notices:
            notice.setParent(self)  # kept, because its offer may be the only way to undo something
            notice.translate()
        for tool in self._tools.values():
            tool.close()
        end_jobs(self._layout)
        # Deleted at once, so that no signal of the session reaches them.
        for listener in (self._layout, self._status_line, self._activity_bar, self._undo, self._possible):
            shiboken6.delete(listener)
        self.statusBar().clearMessage()  # it would be painted over the new line
        for action in self.actions_by_name.values():
            action.setShortcuts([])  # those of the new ones, too, until it is deleted
            action.deleteLater()
        self._menus.deleteLater()
        with size_kept(self):
            self.setStyleSheet("")  # with it goes what Qt would keep for ever of deleted spin boxes and combo boxes
            self._theme.changed.emit()
            self._build()
            for notice in self._notices:
                notice.setVisible(bool(notice.messages))
            self._menus.hide_panels(hidden)
            self._layout.show()  # Qt would show it later, too late to take the focus
        restore_state(self._layout)
        named = self._layout.findChildren(QWidget, focus_name) if focus_name else []
        next((widget for widget in named if widget.isVisibleTo(self._layout)), self._merges).setFocus()
        self._guide.point_again()

    def _change_size(self, points: int | None) -> None:
        """Show tokens larger or smaller by so many points, or in the usual size."""
        size = DEFAULT_TOKEN_SIZE if points is None else self._settings.font_size + points
        self._settings.font_size = min(max(size, FONT_SIZES[0]), FONT_SIZES[-1])
        larger = _LEARN_LARGER if self._settings.workspace == "learn" else 0
        self._theme.set_token_size(self._settings.font_size + larger)

    def reset_layout(self) -> None:
        """Show all panels in their default sizes."""
        self._hidden = dict(_HIDDEN)
        self._layout.reset()
        self._arrange()

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def search(self) -> None:
        """Ask for a command, a sample, a recipe or a tour, and open it."""
        box = SearchBox(self.actions_by_name, self)
        box.chosen.connect(self._open_found)
        open_once(box)

    def _open_found(self, thing: Sample | Tour | str | QAction) -> None:
        if isinstance(thing, QAction):
            thing.trigger()
        elif isinstance(thing, Sample):
            self.open_sample(thing)
        elif isinstance(thing, Tour):
            self.take_tour(thing)
        else:
            self.session.corpus.set_recipe(PRESETS[thing])

    def show_documentation(self) -> None:
        show_documentation(self)

    def show_keys(self) -> None:
        open_once(KeysBox(self.actions_by_name, self))

    def take_tour(self, tour: Tour) -> None:
        """Start a guided tour, in Learn if it points at nothing that is hidden there. Its end undoes all of it."""
        self._guide.leave()
        self._corpus.flush()
        workspace = self._settings.workspace
        hidden = {**self._hidden, workspace: self._menus.hidden_panels()}
        self._before_tour = workspace, hidden, self.projects.is_modified
        self._restore_view = save_view(self._layout)
        self.projects.begin_tour()
        if not shows_all(self, tour):
            self._show_everything()
        self._guide.start(tour)

    def _show_everything(self) -> None:
        self.choose_workspace("explore")
        self._menus.show_all_panels()

    def _end_tour(self, stays: bool) -> None:
        """Bring back the workspace and the panels from before the tour, unless the user keeps what it made."""
        workspace, hidden, was_modified = self._before_tour
        if stays and not was_modified and all(map(is_untouched, self.session.corpus.documents)):
            self.projects.begin()
        elif not stays:
            self.choose_workspace(workspace)
            self._hidden = hidden
            self._arrange()
            if self._restore_view is not None:
                self._restore_view(self._layout)
        self.projects.end_tour()

    def ask_for_tour(self) -> None:
        path, _filter = QFileDialog.getOpenFileName(self, self.tr("Open a tour"), "", self.tr("Tours (*.toml)"))
        if path:
            self.open_tour(Path(path))

    def open_tour(self, path: Path) -> None:
        """Take the tour in a file; if it is not a tour, say why."""
        self._guide.read(path, self.take_tour)

    def copy_diagnostics(self) -> None:
        """Copy a report on the program, the system and the end of the log to the clipboard."""
        fonts = {"interface": QApplication.font(), "token": self._theme.token_font()}
        QGuiApplication.clipboard().setText(diagnostics(self._log_file, fonts))
        self._notice.show_message(
            lambda: self.tr("Diagnostics copied. They name the opened files but contain none of their text.")
        )

    def show_about(self) -> None:
        """Show the program's version, purpose and memory use."""
        purpose = self.tr("A workbench for training byte-pair encoding step by step and exporting the tokenizer.")
        use = self.tr("Memory in use: {used}. Memory available: {free}.").format(
            used=size_text(memory.in_use()), free=size_text(memory.available())
        )
        show_text(self.tr("About bpe-gui"), f"<h3>bpe-gui {__version__}</h3><p>{purpose}</p><p>{use}</p>", self)

    # -- notices ----------------------------------------------------------------------------------------------------

    @property
    def _notices(self) -> tuple[NoticeBar, NoticeBar]:
        """The notice bars from the top: a later message never hides a recovery offer."""
        return self._recovery_notice, self._notice

    def _explain_refused_line(self, length: int) -> None:
        self._notice.show_message(
            lambda: self.tr(
                "Nothing was inserted: a line of {count} characters is too long to edit here. Break "
                "it into shorter lines, or save it as a file and open the file to train on it."
            ).format(count=number(length))
        )

    def _offer_to_undo_removal(self, title: str) -> None:
        self._undo_offers.show_message(lambda: self.tr("Removed {title}.").format(title=title))

    def _show_title(self) -> None:
        """Name the object on screen, and the project or the documents; mark a project that has changed."""
        session, projects = self.session, self.projects
        titles = [projects.name] if projects.name else [each.shown_title for each in session.corpus.documents[:2]]
        name = f"{titles[0]}{' …' if len(titles) > 1 else ''}" if titles else ""
        shown = shown_object(session)
        if shown is not session.branches.main:
            name = " · ".join(filter(None, (distinct_name(session, shown), name)))
        name = name.replace("[*]", "")
        self.setWindowTitle(f"{name}[*] — bpe-gui" if name else "bpe-gui[*]")
        self.setWindowModified(projects.is_modified)

    # -- events -----------------------------------------------------------------------------------------------------

    def _watch_space(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch the keys of a button or a combo box with the focus, and of no other widget."""
        if before is not None:
            before.removeEventFilter(self)
        if isinstance(now, QAbstractButton | QComboBox):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Leave Space to the button or combo box with the focus, and Home and End to a combo box."""
        keys = (Qt.Key.Key_Space, *END_KEYS) if isinstance(watched, QComboBox) else (Qt.Key.Key_Space,)
        return claims(event, lambda key: key.key() in keys) or super().eventFilter(watched, event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's names)
        """Move the focus on Tab. If the focused widget was hidden or disabled, move it back to where it was before."""
        return self._former_focus.give_back() or super().focusNextPrevChild(next)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_paths(local_files(event.mimeData()))

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.projects.may_close():
            event.ignore()
            return
        for tool in self._tools.values():
            tool.close()
        self.projects.finish_saving()
        end_jobs(self, self.session)
        self.projects.close()
        for notice in self._notices:
            notice.clear()  # their callbacks keep parts of the window alive
        self._settings.window_geometry = self.saveGeometry()
        self._layout.save_sizes(self._settings)
        super().closeEvent(event)
