"""The window: the panels in their places, the menus, and what a person asks of the window as a whole."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QMainWindow,
    QWidget,
)

from bpe_gui.engine import EngineError
from bpe_gui.samples import Sample, default_sample

from bpe_gui.gui.window.actions import ACTIONS, make_actions
from bpe_gui.gui.window.widget_state import carry_over, size_kept
from bpe_gui.gui.window.panel_layout import Centre
from bpe_gui.gui.dialogs.export_dialog import ExportDialog
from bpe_gui.gui.session.tokenizer_exporter import Exporter, Samples
from bpe_gui.gui.window.help_boxes import show_about, show_keys
from bpe_gui.gui.wording.language import install_language, language_in_force
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.window.menus import Menus
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.window.file_opener import Opener, is_untouched
from bpe_gui.gui.panels.bars.activity_bar import ActivityBar
from bpe_gui.gui.panels.corpus.corpus_panel import CorpusPanel
from bpe_gui.gui.panels.encode.encode_panel import EncodePanel
from bpe_gui.gui.panels.bars.status_labels import MemoryLabel
from bpe_gui.gui.panels.merges_panel import MergesPanel
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.panels.bars.opened_bar import OpenedBar
from bpe_gui.gui.panels.preparation_label import PreparationLabel
from bpe_gui.gui.panels.timeline_panel import TimelinePanel
from bpe_gui.gui.panels.bars.transport_bar import TransportBar
from bpe_gui.gui.panels.vocabulary_panel import VocabularyPanel
from bpe_gui.gui.background.engine_preparation import Preparation
from bpe_gui.gui.projects.project_controller import ProjectKeeper
from bpe_gui.gui.projects.recovery_files import Recovery
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import FONT_SIZES, Settings
from bpe_gui.gui.look.theme import USUAL_TOKEN_SIZE, Theme, ThemeChoice
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit

_SIZE: Final = QSize(1280, 800)
_FRAME: Final = QSize(8, 40)  # what the system puts around a window, about


class MainWindow(QMainWindow):
    """The whole window; it is built, and not shown, by `MainWindow()`.

    It opens on a sample. What is not given is made: a session, the user's settings, a theme. Without a `recovery`,
    work is not saved for safety, and closing asks nothing.
    """

    def __init__(
        self,
        *,
        session: Session | None = None,
        settings: Settings | None = None,
        theme: Theme | None = None,
        preparation: Preparation | None = None,
        recovery: Recovery | None = None,
    ) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self._settings = settings or Settings()
        self._preparation = preparation or Preparation(self)
        self.session = session or Session(self)
        self._theme = theme or self._own_theme()
        self._notice = NoticeBar(self._theme, self)
        self._opener = Opener(self.session, self._settings, self._notice, self)
        self.projects = ProjectKeeper(self.session, self._settings, self._notice, self, self._flush, recovery)
        self._exporter = Exporter(self)
        self._build()
        self.session.failed.connect(self._say_error)
        self.session.documents_changed.connect(self._show_title)
        self.session.tokenizer_opened.connect(self._show_title)
        self.projects.title_changed.connect(self._show_title)
        self._opener.project_found.connect(self.projects.open)
        self.session.activity_changed.connect(self._show_activity)
        self._theme.changed.connect(self._icons)
        self._restore()
        if not self.session.documents:
            self.open_sample(default_sample())
        self._merges.setFocus()  # where the keys of the player mean what they say

    def _own_theme(self) -> Theme:
        theme = Theme(self._settings.theme, self, token_size=self._settings.font_size)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            theme.apply(application)
        return theme

    # -- building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        """Make all that is in the window, in the language of the moment."""
        self.actions_by_name = make_actions(self)
        self._icons()
        self._transport = TransportBar(self.session, self._theme, self._settings, self.actions_by_name)
        self._corpus = CorpusPanel(self.session, self._theme)
        self._vocabulary = VocabularyPanel(self.session, self._theme)
        self._merges = MergesPanel(self.session, self._theme)
        self._encode = EncodePanel(self.session, self._theme, self._settings)
        self._timeline = TimelinePanel(self.session, self._theme)
        self._connect_actions()
        self._corpus.open_requested.connect(self._opener.ask_for_files)
        self._corpus.sample_requested.connect(self.open_sample)
        self._corpus.files_dropped.connect(self.open_paths)
        self._transport.typed.connect(self._merges.setFocus)  # where the keys step again
        self._encode.files_dropped.connect(self._opener.open_to_encode)
        self._corpus.document_removed.connect(self._offer_to_put_back)
        self._centre = self._laid_out()
        self.setCentralWidget(self._centre)
        self._fill_menus()
        self._in_status_bar = (
            PreparationLabel(self._preparation),
            ActivityBar(self.session, self.actions_by_name["cancel"]),
            MemoryLabel(self._theme),
        )
        for widget in self._in_status_bar:
            self.statusBar().addPermanentWidget(widget)
        for editor in self._centre.findChildren(PlainTextEdit):
            editor.line_refused.connect(self._say_line_refused)
        self._show_activity()
        self._show_title()

    def _laid_out(self) -> Centre:
        opened = OpenedBar(self.session)
        opened.pattern_asked.connect(self._opener.ask_about_ranks)
        opened.closed.connect(self._merges.setFocus)
        return Centre(
            (self._transport, opened, self._notice),
            (self._corpus, self._vocabulary),
            (self._merges, self._encode),
            self._timeline,
        )

    def _connect_actions(self) -> None:
        session = self.session
        doings = {
            "open_files": self._opener.ask_for_files,
            "open_pattern": self._opener.ask_for_pattern,
            "add_text": self.add_text,
            "new_project": self.projects.new,
            "open_project": self.projects.ask_to_open,
            "save_project": self.projects.save,
            "save_project_as": self.projects.save_as,
            "open_tokenizer": self._opener.ask_for_tokenizer,
            "export": self.export,
            "quit": self.close,
            "recipe": self._corpus.edit_recipe,
            "train": self.train,
            "cancel": session.cancel,
            "first": session.first,
            "step_back": self.step_back,
            "play": self.play_or_pause,
            "step": self.step,
            "last": self.last,
            "go_to": self.go_to,
            "restart": self.restart,
            "larger": self.enlarge,
            "smaller": self.shrink,
            "usual_size": self.usual_size,
            "usual_layout": self.reset_layout,
            "full_screen": self.toggle_full_screen,
            "show_keys": self.show_keys,
            "about": self.show_about,
        }
        for name, doing in doings.items():
            self.actions_by_name[name].triggered.connect(doing)

    def _icons(self) -> None:
        for name, spec in ACTIONS.items():
            if spec.icon:
                self.actions_by_name[name].setIcon(self._theme.icon(spec.icon))

    def _fill_menus(self) -> None:
        self._menus = Menus(self.menuBar(), self.actions_by_name, self._settings)
        self._menus.add_panels(
            {
                "corpus": self._corpus,
                "vocabulary": self._vocabulary,
                "merges": self._merges,
                "encode": self._encode,
                "timeline": self._timeline,
            }
        )
        self._menus.sample_chosen.connect(self.open_sample)
        self._menus.project_chosen.connect(self.projects.open)
        self._menus.clear_chosen.connect(self.projects.clear_recent)
        self._menus.theme_chosen.connect(self.choose_theme)
        self._menus.language_chosen.connect(self.choose_language)

    # -- opening ----------------------------------------------------------------------------------------------------

    def open_sample(self, sample: Sample) -> None:
        """Replace corpus, recipe and text by those of a sample."""
        self._corpus.flush()
        self._notice.hide()
        put_back = self.session.way_back()
        lost = not all(map(is_untouched, self.session.documents))
        self.session.load_sample(sample, sample.title(language_in_force()))
        self.projects.begin()
        if lost:
            self._notice.say(self.tr("The corpus was replaced by the sample."), [(self.tr("Undo"), put_back)])

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open text files as documents of the corpus, and saved tokenizers to encode with."""
        self._corpus.flush()
        self._opener.open_paths(paths)

    def _flush(self) -> None:
        self._corpus.flush()

    def add_text(self) -> None:
        """Add an empty document to the corpus."""
        self._corpus.add_empty_document()

    def export(self) -> None:
        """Save the vocabulary and the merges as of the cursor."""
        self._corpus.flush()
        tokenizer = self.session.tokenizer
        if tokenizer is None:
            self._notice.say(self.tr("There is nothing to export yet: write or open a corpus and train on it."))
            return
        samples = Samples.of(self.session.live_text, self.session.documents)
        dialog = ExportDialog(tokenizer, samples, self._exporter, self._settings, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # -- training ---------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Merge the next pair."""
        self._corpus.flush()
        self.session.pause()
        self.session.step()

    def step_back(self) -> None:
        """Undo the last merge."""
        self.session.pause()
        self.session.step_back()

    def last(self) -> None:
        """Go to the end of the run, or on to the vocabulary size."""
        self._corpus.flush()
        self.session.pause()
        self.session.last()

    def play_or_pause(self) -> None:
        """Step forward by itself, or stop that."""
        self._corpus.flush()
        if self.session.playing:
            self.session.pause()
        else:
            self.session.play(self._transport.steps_per_second)

    def train(self) -> None:
        """Train to the vocabulary size in the background."""
        self._corpus.flush()
        self._notice.hide()
        self.session.train()
        self._merges.setFocus()  # the button that was pressed may be disabled now

    def restart(self) -> None:
        """Begin again from the present corpus and recipe."""
        self._corpus.flush()
        self.session.restart()
        self._merges.setFocus()

    def go_to(self) -> None:
        """Let the user type a step."""
        self._transport.focus_go_to()

    # -- view -------------------------------------------------------------------------------------------------------

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Follow the system's light or dark, or always show one of them."""
        self._settings.theme = choice
        self._theme.set_choice(choice)

    def choose_language(self, choice: str) -> None:
        """Speak another language; the empty choice is the system's."""
        self._settings.language = choice
        application = QApplication.instance()
        if application is not None:
            install_language(application, choice)
            self._rebuild()

    def _rebuild(self) -> None:
        """Make everything in the window anew, because the language has changed; what is half done stays."""
        self._corpus.flush()
        hidden = self._menus.hidden_panels()
        give_back = carry_over(self._centre)
        focused, notice_shown = self.focusWidget(), not self._notice.isHidden()
        focus_name = focused.objectName() if focused is not None else ""
        self._notice.setParent(self)  # it stays, for what it offers may be the only way to undo something
        self._encode.shut_down()
        # At once: whatever the session says from now on must not reach the old panels.
        for listening in (self._centre, *self._in_status_bar):
            shiboken6.delete(listening)
        for old in (self._menus, *self.actions_by_name.values()):
            old.deleteLater()
        with size_kept(self):
            self._build()
            self._notice.setVisible(notice_shown)
            self._menus.hide_panels(hidden)
            self._centre.show()  # or it would come to light only later, and could not take the focus
        give_back(self._centre)
        (self._centre.findChild(QWidget, focus_name or "none") or self._merges).setFocus()

    def enlarge(self) -> None:
        """Show tokens larger."""
        self._set_font_size(self._settings.font_size + 1)

    def shrink(self) -> None:
        """Show tokens smaller."""
        self._set_font_size(self._settings.font_size - 1)

    def usual_size(self) -> None:
        """Show tokens in the usual size."""
        self._set_font_size(USUAL_TOKEN_SIZE)

    def _set_font_size(self, size: int) -> None:
        self._settings.font_size = min(max(size, FONT_SIZES[0]), FONT_SIZES[-1])
        self._theme.set_token_size(self._settings.font_size)

    def reset_layout(self) -> None:
        """Put the panels back where they were at first."""
        self._centre.reset()
        self._menus.show_all_panels()

    def toggle_full_screen(self) -> None:
        """Use the whole screen, or a window again."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_keys(self) -> None:
        """Say which keys do what."""
        show_keys(self.actions_by_name.values(), self)

    def show_about(self) -> None:
        """Say what this program is."""
        show_about(self)

    # -- what is shown ----------------------------------------------------------------------------------------------

    def _say_error(self, error: EngineError) -> None:
        self._notice.say(sentence(error))

    def _say_line_refused(self, length: int) -> None:
        words = self.tr(
            "Nothing was inserted: a line of {count} characters is too long to be edited here. "
            "Break it into shorter lines; or to train on it, save it as a file and open that."
        )
        self._notice.say(words.format(count=number(length)))

    def _offer_to_put_back(self, title: str, put_back: Callable[[], None]) -> None:
        self._notice.say(self.tr("{title} was removed.").format(title=title), [(self.tr("Undo"), put_back)])

    def _show_activity(self) -> None:
        self.actions_by_name["cancel"].setEnabled(self.session.activity is not Activity.IDLE)

    def _show_title(self) -> None:
        titles = [self.projects.name] if self.projects.name else [each.title for each in self.session.documents]
        name = f"{titles[0]}{' …' if len(titles) > 1 else ''}" if titles else ""
        opened = self.session.opened
        name = " · ".join(filter(None, (opened.name if opened else "", name))).replace("[*]", "")
        self.setWindowTitle(f"{name}[*] — bpe-gui" if name else "bpe-gui[*]")
        self.setWindowModified(self.projects.is_modified)

    # -- events -----------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # Space plays, except where the focus is on something that Space presses or opens.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
            and isinstance(QApplication.focusWidget(), QAbstractButton | QComboBox)
        ):
            event.accept()
            return True
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.open_paths([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.projects.may_close():
            event.ignore()
            return
        self.projects.shut_down()
        self.session.shut_down()
        self._encode.shut_down()
        self._opener.shut_down()
        self._preparation.shut_down()
        self._exporter.shut_down()
        self._remember_layout()
        super().closeEvent(event)

    # -- what is remembered -----------------------------------------------------------------------------------------

    def _remember_layout(self) -> None:
        self._settings.window_geometry = self.saveGeometry()
        self._centre.remember(self._settings)

    def _restore(self) -> None:
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.restoreGeometry(self._settings.window_geometry)
        self._centre.restore(self._settings)
