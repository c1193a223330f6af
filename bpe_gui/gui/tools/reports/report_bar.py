"""The bar above a report: what to measure, the button that does it, its progress, and saving."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from bpe_gui.gui.look.layouts import BAR_PADDING, MARGIN, keep_space, row_of
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import ComboBox, label_of, name_widget, push_button
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import JobProgress
from bpe_gui.gui.wording.phrases import number

from .report_maker import ChosenTexts, ReportMaker, TextChoice

_CHOICE_CHARACTERS = 14


_ASKED = TextChoice.FILES, TextChoice.FOLDER


class TextChoiceBox(ComboBox):
    """Offers several kinds of texts. `chosen_changed`: the choice has changed."""

    chosen_changed = Signal()

    def __init__(self, choices: Sequence[TextChoice], chosen: ChosenTexts, settings: Settings) -> None:
        super().__init__()
        self._choices = choices
        self._settings = settings
        self.chosen = chosen
        """The user's choice."""
        self.addItems([""] * len(choices))
        self._show()
        self.activated.connect(self._take)

    def _take(self, index: int) -> None:
        choice = self._choices[index]
        paths = self._ask(choice) if choice in _ASKED else ()
        if choice not in _ASKED or paths:
            self.choose(ChosenTexts(choice, tuple(paths)))
        self._show()

    def choose(self, chosen: ChosenTexts) -> None:
        self.chosen = chosen
        self._show()
        self.chosen_changed.emit()

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
        self.setCurrentIndex(self._choices.index(self.chosen.choice))

    def _label(self, choice: TextChoice) -> str:
        paths = self.chosen.paths if choice is self.chosen.choice else ()
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
            TextChoice.TENTH: self.tr("10% of the corpus"),
        }[choice]


class ReportBar(QWidget):
    """The bar with the user's choices, and buttons to make a report and save it.

    `chosen_changed`: different texts were chosen.
    """

    chosen_changed = Signal()

    def __init__(
        self, maker: ReportMaker, theme: Theme, settings: Settings, chosen: ChosenTexts, held_out: ChosenTexts
    ) -> None:
        super().__init__()
        self.maker = maker
        kinds = [TextChoice.CORPUS, TextChoice.TEXT, TextChoice.FILES, TextChoice.FOLDER]
        self.texts = name_widget(
            TextChoiceBox(kinds, chosen, settings), "reportTextChoice", self.tr("Texts to measure")
        )
        kinds = [TextChoice.NOTHING, TextChoice.TENTH, TextChoice.TEXT, TextChoice.FILES, TextChoice.FOLDER]
        self.held_out = name_widget(TextChoiceBox(kinds, held_out, settings), "reportHeldOut", self.tr("Held-out text"))
        self.held_out.setToolTip(
            self.tr(
                "Text that was not trained on. It shows how large the vocabulary should be, and what pruning costs."
            )
        )
        self.make = push_button("reportButton", self.tr("Measure"))
        self._progress = JobProgress(maker, theme, "report", self.tr("Stop and keep the previous report"))
        self.html = self._save_button(
            "reportSaveHtml", self.tr("Save page…"), self.tr("Save the report as one HTML page with its charts")
        )
        self.csv = self._save_button(
            "reportSaveCsv", self.tr("Save tables…"), self.tr("Save the tables of the report as CSV files in a folder")
        )
        self._lay_out()
        self._connect()
        self._show_work()

    def _save_button(self, name: str, text: str, tip: str) -> QPushButton:
        button = push_button(name, text, tool_tip=tip)
        button.setAccessibleName(tip)
        set_role(button, "quiet")
        return button

    def _lay_out(self) -> None:
        parts: list[QWidget] = []
        for text, box in ((self.tr("Texts"), self.texts), (self.tr("Held out"), self.held_out)):
            box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_CHOICE_CHARACTERS)
            parts += [label_of(box, text), box]
        for widget in (self.make, self._progress):
            keep_space(widget)
            parts.append(widget)
        row_of(*parts, None, self.html, self.csv, of=self, margins=(MARGIN, BAR_PADDING, MARGIN, BAR_PADDING))

    def _connect(self) -> None:
        for box in (self.texts, self.held_out):
            box.chosen_changed.connect(self.chosen_changed)
        self.maker.changed.connect(self._show_work)
        self.maker.made.connect(self._show_work)

    def _show_work(self) -> None:
        is_busy = self.maker.busy
        self.make.setEnabled(not is_busy)
        for button in (self.html, self.csv):
            button.setEnabled(not is_busy and self.maker.result is not None)
