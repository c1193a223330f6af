"""The menu bar: the menus in `MENUS`, with submenus for samples, files, panels, themes, languages and tours."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QHelpEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import line_height
from bpe_gui.gui.panels.corpus_parts import add_samples
from bpe_gui.gui.projects.project_controller import is_project
from bpe_gui.gui.system.paths import exists
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import number
from bpe_gui.tours import tours

from .actions import MENUS


class _Menu(QMenu):
    """A menu that says why a disabled item is not possible; the status bar describes the others."""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            action = self.actionAt(event.pos())
            self.setToolTipsVisible(action is not None and not action.isEnabled())
        return super().event(event)


class Menus(QObject):
    """Fills a menu bar with the window's actions, in the current language.

    - `sample_chosen(sample)`, `recent_chosen(path)`: what to open.
    - `file_opened`, `edit_opened`: that menu is about to be shown.
    - `tour_chosen(tour)`, `tour_file_wanted`: take this tour, or ask for a tour file.
    - `theme_chosen(choice)`, `language_chosen(choice)`: one of THEME_CHOICES; one of LANGUAGES, or "".
    """

    sample_chosen = Signal(object)
    recent_chosen = Signal(object)
    file_opened = Signal()
    edit_opened = Signal()
    tour_chosen = Signal(object)
    tour_file_wanted = Signal()
    theme_chosen = Signal(str)
    language_chosen = Signal(str)

    def __init__(
        self, bar: QMenuBar, actions: Mapping[str, QAction], settings: Settings, panels: Mapping[str, QWidget]
    ) -> None:
        """Fill the bar; each of `panels` gets an item that shows and hides it."""
        super().__init__(bar)
        self._bar = bar
        self._actions = actions
        self._settings = settings
        self._widgets = panels
        self._panels: dict[str, QAction] = {}
        bar.clear()
        for old in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
            old.deleteLater()  # clearing the bar does not do this
        titles = {
            "file": self.tr("&File"),
            "edit": self.tr("&Edit"),
            "training": self.tr("&Training"),
            "view": self.tr("&View"),
            "help": self.tr("&Help"),
        }
        choices: Mapping[str, Callable[[QMenu], object]] = {
            "samples": self._add_samples,
            "recent": self._add_recent,
            "panels": self._add_panels,
            "themes": self._add_themes,
            "languages": self._add_languages,
            "tours": self._add_tours,
        }
        menus = {name: self._menu(titles[name], names, choices) for name, names in MENUS.items()}
        menus["file"].aboutToShow.connect(self.file_opened)
        menus["edit"].aboutToShow.connect(self.edit_opened)
        # As tall as in the language with the tallest script, so that it never changes its height.
        bar.ensurePolished()
        highest = max(bar.fontMetrics().size(0, action.text()).height() for action in bar.actions())
        bar.setMinimumHeight(bar.sizeHint().height() - highest + line_height(bar.font()))

    def _menu(self, title: str, names: Sequence[str | None], choices: Mapping[str, Callable[[QMenu], object]]) -> QMenu:
        menu = _Menu(title, self._bar)  # a menu that the bar created would stay in it when deleted
        self._bar.addMenu(menu)
        for name in names:
            if name is None:
                menu.addSeparator()
            elif name in choices:
                choices[name](menu)
            else:
                menu.addAction(self._actions[name])
        return menu

    # -- panels -----------------------------------------------------------------------------------------------------

    def _add_panels(self, menu: QMenu) -> None:
        titles = {
            "corpus": self.tr("&Corpus"),
            "vocabulary": self.tr("&Vocabulary"),
            "merges": self.tr("&Merges"),
            "encode": self.tr("&Encode"),
            "timeline": self.tr("T&imeline"),
        }
        for name, panel in self._widgets.items():
            self._panels[name] = action = menu.addAction(titles[name])
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(panel.setVisible)

    def show_all_panels(self) -> None:
        for action in self._panels.values():
            action.setChecked(True)

    def hidden_panels(self) -> list[str]:
        return [name for name, action in self._panels.items() if not action.isChecked()]

    def hide_panels(self, names: Sequence[str]) -> None:
        for name in names:
            self._panels[name].setChecked(False)

    def show_panel(self, name: str) -> None:
        self._panels[name].setChecked(True)

    def fold(self, panel: QWidget) -> None:
        """Hide a panel; its menu item shows it again."""
        name = next(name for name, each in self._widgets.items() if each is panel)
        self.hide_panels([name])

    # -- choices ----------------------------------------------------------------------------------------------------

    def _add_recent(self, parent: QMenu) -> None:
        menu = parent.addMenu(self.tr("Open &recent"))
        parent.aboutToShow.connect(weakly(self._fill_recent, menu))

    def _fill_recent(self, menu: QMenu) -> None:
        """List recent projects and tokenizers by name and folder, with the kind on the right."""
        paths = self._settings.recent_files
        menu.clear()
        menu.setEnabled(bool(paths))
        for path in paths:
            label = self.tr("{name} in {folder}").format(name=path.name, folder=path.parent)
            kind = self.tr("project") if is_project(path) else self.tr("tokenizer")
            kind = kind if exists(path) else self.tr("{kind}, missing").format(kind=kind)
            action = menu.addAction(f"{label.replace('&', '&&')}\t{kind}")
            action.triggered.connect(weakly(self.recent_chosen.emit, path))
        menu.addSeparator()
        menu.addAction(self.tr("&Clear list")).triggered.connect(self._clear_recent)

    def _clear_recent(self) -> None:
        self._settings.recent_files = ()

    def _add_samples(self, parent: QMenu) -> None:
        add_samples(parent.addMenu(self.tr("Open sa&mple")), self.sample_chosen.emit)

    def _add_tours(self, parent: QMenu) -> None:
        self.tours = menu = parent.addMenu(self.tr("Guided &tours"))
        menu.setObjectName("toursMenu")
        for opened in (parent, menu):  # not earlier: this reads the files of all tours
            opened.aboutToShow.connect(self._fill_tours)

    def _fill_tours(self) -> None:
        """List the lessons first, then the tours that are only read, with the reader's progress on the right."""
        menu = self.tours
        menu.clear()
        was_lesson = True
        for tour in sorted(tours(), key=lambda tour: not tour.is_lesson):
            if was_lesson and not tour.is_lesson:
                menu.addSeparator()
            was_lesson = tour.is_lesson
            reached, count = self._settings.reached_stop(tour.name), len(tour.stops)
            place = self.tr("{place} of {count}").format(place=number(reached + 1), count=number(count))
            progress = "✓" if reached >= count else place if reached else ""
            action = menu.addAction(f"{tour.title(language_in_force())}\t{progress}")
            action.triggered.connect(weakly(self.tour_chosen.emit, tour))
        menu.addSeparator()
        menu.addAction(self.tr("&Open a tour…")).triggered.connect(self.tour_file_wanted)

    def _add_themes(self, parent: QMenu) -> None:
        titles = {"system": self.tr("&System"), "light": self.tr("&Light"), "dark": self.tr("&Dark")}
        _add_choices(parent.addMenu(self.tr("&Theme")), titles, self._settings.theme, self.theme_chosen)

    def _add_languages(self, parent: QMenu) -> None:
        # Each language's name is in that language, whatever the current one.
        titles = {"": self.tr("&System"), "en": "English", "zh_CN": "简体中文"}
        _add_choices(parent.addMenu(self.tr("&Language")), titles, self._settings.language, self.language_chosen)


def _add_choices(menu: QMenu, titles: Mapping[str, str], chosen: str, wanted: SignalInstance) -> None:
    """Add items of which one is checked; `wanted` is emitted with the choice of the one that the user takes."""
    group = QActionGroup(menu)
    for choice, title in titles.items():
        action = group.addAction(menu.addAction(title))
        action.setCheckable(True)
        action.setChecked(choice == chosen)
        action.triggered.connect(weakly(wanted.emit, choice))
