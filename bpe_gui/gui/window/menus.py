"""The menu bar: the order of the actions, and the choices of samples, projects, panels, theme and language."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import THEME_CHOICES, ThemeChoice, line_height
from bpe_gui.gui.projects.project_controller import is_project
from bpe_gui.gui.system.paths import exists
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.language import LANGUAGES, language_in_force
from bpe_gui.samples import samples
from bpe_gui.tours import tours


class Menus(QObject):
    """Fills a menu bar with the window's actions, in the current language.

    - `sample_chosen(sample)`, `recent_chosen(path)`: what to open.
    - `clear_chosen`: the list of recent files is to be cleared.
    - `file_opened`, `edit_opened`: that menu is about to be shown.
    - `tour_chosen(tour)`, `tour_file_wanted`: a tour to take, and one to be asked for.
    - `theme_chosen(choice)`, `language_chosen(choice)`: an item of THEME_CHOICES, and of LANGUAGES or "".
    """

    sample_chosen = Signal(object)
    recent_chosen = Signal(object)
    clear_chosen = Signal()
    file_opened = Signal()
    edit_opened = Signal()
    tour_chosen = Signal(object)
    tour_file_wanted = Signal()
    theme_chosen = Signal(str)
    language_chosen = Signal(str)

    def __init__(self, bar: QMenuBar, actions: Mapping[str, QAction], settings: Settings) -> None:
        super().__init__(bar)
        self._bar = bar
        self._actions = actions
        self._settings = settings
        self._panels: dict[str, QAction] = {}
        bar.clear()
        for old in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
            old.deleteLater()  # which clearing the bar does not do
        files = self._menu(self.tr("&File"), ("open_files", "add_files", "open_pattern", "add_text"))
        files.addMenu(self._samples(files))
        self._add(files, (None, "new_project", "open_project"))
        self._recent = QMenu(self.tr("Open &recent"), files)
        files.addMenu(self._recent)
        files.aboutToShow.connect(self._fill_recent)
        files.aboutToShow.connect(self.file_opened)
        self._add(files, ("recovered_work",))
        self._add(
            files,
            ("save_project", "save_project_as", None, "open_tokenizer", "open_published", "close_tokenizer", "export"),
        )
        self._add(files, (None, "quit"))
        edit = self._menu(
            self.tr("&Edit"),
            (
                "undo",
                "redo",
                None,
                "cut",
                "copy",
                "paste",
                "select_all",
                None,
                "find",
                "find_next",
                "find_previous",
            ),
        )
        edit.aboutToShow.connect(self.edit_opened)
        self._menu(
            self.tr("&Training"),
            (
                "recipe",
                "plan",
                None,
                "train",
                "cancel",
                None,
                "first",
                "step_back",
                "play",
                "step",
                "last",
                "run_until",
                "go_to",
                None,
                "restart",
                None,
                "ban_pair",
                "merge_instead",
                "try_recipe",
                None,
                "replay",
                "extend",
                None,
                "next_run",
                "compare_branch",
                "rename_branch",
                "drop_branch",
            ),
        )
        self._view = self._menu(self.tr("&View"), ())
        self._first_of_view = self._view.addSeparator()
        self._add(self._view, ("next_tokenizer", "previous_tokenizer", "compare", "report", None))
        self._add(self._view, ("larger", "smaller", "usual_size", None))
        self._view.addMenu(self._themes(settings.theme))
        self._view.addMenu(self._languages(settings.language))
        self._add(self._view, (None, "usual_layout", "full_screen"))
        help_menu = self._menu(self.tr("&Help"), ())
        help_menu.addMenu(self._tours(help_menu))
        self._add(help_menu, (None, "show_keys", "copy_diagnostics", "about"))
        _reserve_line(bar)

    def add_panels(self, panels: Mapping[str, QWidget]) -> None:
        """Add an item for each panel that shows and hides it."""
        titles = {
            "corpus": self.tr("&Corpus"),
            "vocabulary": self.tr("&Vocabulary"),
            "merges": self.tr("&Merges"),
            "encode": self.tr("&Encode"),
            "timeline": self.tr("T&imeline"),
        }
        self._widgets = panels
        for name, panel in panels.items():
            action = QAction(titles[name], self)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(panel.setVisible)
            self._view.insertAction(self._first_of_view, action)
            self._panels[name] = action

    def show_all_panels(self) -> None:
        """Show all panels."""
        for action in self._panels.values():
            action.setChecked(True)

    def hidden_panels(self) -> list[str]:
        """Return the names of the hidden panels."""
        return [name for name, action in self._panels.items() if not action.isChecked()]

    def hide_panels(self, names: Sequence[str]) -> None:
        """Hide the panels of these names."""
        for name in names:
            self._panels[name].setChecked(False)

    def show_panel(self, name: str) -> None:
        """Show the panel of this name."""
        self._panels[name].setChecked(True)

    def fold(self, panel: QWidget) -> None:
        """Hide a panel; its item shows it again."""
        name = next(name for name, each in self._widgets.items() if each is panel)
        self.hide_panels([name])

    def _menu(self, title: str, names: Sequence[str | None]) -> QMenu:
        menu = QMenu(title, self._bar)  # one that the bar made itself would stay in it when it is deleted
        self._bar.addMenu(menu)
        self._add(menu, names)
        return menu

    def _add(self, menu: QMenu, names: Sequence[str | None]) -> None:
        for name in names:
            if name is None:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[name])

    def _fill_recent(self) -> None:
        """List the recent projects and tokenizers by name and folder; on the right is what they are."""
        menu, paths = self._recent, self._settings.recent_files
        menu.clear()
        menu.setEnabled(bool(paths))
        for path in paths:
            label = self.tr("{name} in {folder}").format(name=path.name, folder=path.parent)
            action = menu.addAction(f"{label.replace('&', '&&')}\t{self._kind(path)}")
            action.triggered.connect(weakly(self.recent_chosen.emit, path))
        menu.addSeparator()
        menu.addAction(self.tr("&Clear list")).triggered.connect(self.clear_chosen)

    def _kind(self, path: Path) -> str:
        kind = self.tr("project") if is_project(path) else self.tr("tokenizer")
        return kind if exists(path) else self.tr("{kind}, missing").format(kind=kind)

    def _samples(self, parent: QWidget) -> QMenu:
        menu = QMenu(self.tr("Open sa&mple"), parent)
        menu.setToolTipsVisible(True)
        language = language_in_force()
        for sample in samples():
            action = menu.addAction(sample.title(language))
            action.setToolTip(sample.note(language))
            action.triggered.connect(weakly(self.sample_chosen.emit, sample))
        return menu

    def _tours(self, parent: QMenu) -> QMenu:
        menu = QMenu(self.tr("Guided &tours"), parent)
        menu.setObjectName("toursMenu")
        parent.aboutToShow.connect(weakly(self._fill_tours, menu))  # not before: the files of all tours are read
        return menu

    def _fill_tours(self, menu: QMenu) -> None:
        menu.clear()
        for tour in tours():
            action = menu.addAction(tour.title(language_in_force()))
            action.triggered.connect(weakly(self.tour_chosen.emit, tour))
        menu.addSeparator()
        menu.addAction(self.tr("&Open a tour…")).triggered.connect(self.tour_file_wanted)

    def _themes(self, chosen: ThemeChoice) -> QMenu:
        titles = {"system": self.tr("&System"), "light": self.tr("&Light"), "dark": self.tr("&Dark")}
        menu = QMenu(self.tr("&Theme"), self._view)
        group = QActionGroup(menu)
        for choice in THEME_CHOICES:
            action = _choice(group, menu, titles[choice], choice == chosen)
            action.triggered.connect(weakly(self.theme_chosen.emit, choice))
        return menu

    def _languages(self, chosen: str) -> QMenu:
        # Each language is named as its speakers name it, whatever the current language.
        titles = {"": self.tr("&System"), "en": "English", "zh_CN": "简体中文"}
        menu = QMenu(self.tr("&Language"), self._view)
        group = QActionGroup(menu)
        for choice in ("", *LANGUAGES):
            action = _choice(group, menu, titles[choice], choice == chosen)
            action.triggered.connect(weakly(self.language_chosen.emit, choice))
        return menu


def _choice(group: QActionGroup, menu: QMenu, title: str, chosen: bool) -> QAction:
    action = menu.addAction(title)
    action.setCheckable(True)
    action.setChecked(chosen)
    return group.addAction(action)


def _reserve_line(bar: QMenuBar) -> None:
    """Make a menu bar as high as it is in the language whose script is the highest."""
    bar.ensurePolished()
    titles = max(bar.fontMetrics().size(0, action.text()).height() for action in bar.actions())
    bar.setMinimumHeight(bar.sizeHint().height() - titles + line_height(bar.font()))
