"""A box that chooses what to report on; for files and a folder it asks for them."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog

from bpe_gui.gui.look.widgets import ComboBox
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.reports.chosen_texts import ChosenTexts, TextChoice
from bpe_gui.gui.wording.numbers import number

_ASKED = TextChoice.FILES, TextChoice.FOLDER


class TextChoiceBox(ComboBox):
    """Offers some kinds of texts. `chosen_changed`: something else was chosen."""

    chosen_changed = Signal()

    def __init__(self, choices: Sequence[TextChoice], chosen: ChosenTexts, settings: Settings) -> None:
        super().__init__()
        self._choices = choices
        self._settings = settings
        self._chosen = chosen
        for _choice in choices:
            self.addItem("")
        self._show()
        self.activated.connect(self._take)

    @property
    def chosen(self) -> ChosenTexts:
        """The choice of the user."""
        return self._chosen

    def _take(self, index: int) -> None:
        choice = self._choices[index]
        paths = self._ask(choice) if choice in _ASKED else ()
        if choice not in _ASKED or paths:
            self._chosen = ChosenTexts(choice, tuple(paths))
            self.chosen_changed.emit()
        self._show()

    def _ask(self, choice: TextChoice) -> list[Path]:
        folder = str(self._settings.recent_folder)
        if choice is TextChoice.FILES:
            names, _filter = QFileDialog.getOpenFileNames(self, self.tr("Choose the texts to measure"), folder)
        else:
            name = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder with texts to measure"), folder)
            names = [name] if name else []
        paths = list(map(Path, names))
        if paths:
            self._settings.recent_folder = paths[0].parent
        return paths

    def _show(self) -> None:
        for index, choice in enumerate(self._choices):
            self.setItemText(index, self._label(choice))
        self.setCurrentIndex(self._choices.index(self._chosen.choice))

    def _label(self, choice: TextChoice) -> str:
        paths = self._chosen.paths if choice is self._chosen.choice else ()
        if len(paths) == 1:
            return paths[0].name or str(paths[0])
        if paths:
            return self.tr("{count} files").format(count=number(len(paths)))
        return {
            TextChoice.NOTHING: self.tr("None"),
            TextChoice.CORPUS: self.tr("Corpus"),
            TextChoice.TEXT: self.tr("Text to encode"),
            TextChoice.FILES: self.tr("Files…"),
            TextChoice.FOLDER: self.tr("Folder…"),
        }[choice]
