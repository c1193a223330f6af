"""A dialog that finds a sample, a recipe or a tour by any words about it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.look.layouts import dialog_column
from bpe_gui.gui.look.qt_constants import UP_AND_DOWN_KEYS
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.recipe_texts import preset_description
from bpe_gui.samples import Sample, samples
from bpe_gui.tours import Tour, tours

_SIZE: Final = 560, 440  # pixels
_LONGEST: Final = 2_000  # characters of a corpus that is searched


class _Found(NamedTuple):
    """Something to open: a sample, a tour or the name of a recipe; `words` is all that is searched, in lower case."""

    thing: Sample | Tour | str
    title: str
    note: str
    words: str


class SearchBox(QDialog):
    """`chosen(thing)`: the user wants this Sample or Tour, or the recipe of this name."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("searchBox")
        self.setWindowTitle(self.tr("Find a sample, recipe or tour"))
        self._all = list(self._things())
        self._field = name_widget(QLineEdit(clearButtonEnabled=True), "searchField", self.tr("Words to find"))
        self._field.setPlaceholderText(self.tr("Words, such as BBPE, CS336, </w> or 中英文"))
        self._list = name_widget(ListWidget(), "searchResults", self.tr("Found"))
        self._note = SentenceLabel(name="searchNote", role="quiet", lines=3)
        dialog_column(self, self._field, self._list, self._note)
        self.resize(*_SIZE)
        self._field.textChanged.connect(self._find)
        self._field.returnPressed.connect(self._choose)
        self._list.itemActivated.connect(self._choose)
        self._list.currentRowChanged.connect(self._show_note)
        self._found: list[_Found] = []
        self._find()

    def _things(self) -> Iterator[_Found]:
        language = language_in_force()
        for sample in samples():
            title = self.tr("Sample: {title}").format(title=sample.title(language))
            words = *sample.titles.values(), *sample.notes.values(), sample.recipe, sample.words, sample.text
            yield _Found(sample, title, sample.note(language), " ".join([*words, sample.read()[:_LONGEST]]).lower())
        for name in PRESETS:
            title, note = self.tr("Recipe: {name}").format(name=name), preset_description(name)
            yield _Found(name, title, note, f"{name} {note}".lower())
        for tour in tours():
            title = self.tr("Tour: {title}").format(title=tour.title(language))
            words = *tour.titles.values(), *(said for stop in tour.stops for said in stop.sentences.values())
            yield _Found(tour, title, tour.stops[0].sentence(language), " ".join(words).lower())

    def _find(self) -> None:
        """List what has all typed words, first what has them next to each other, or in its title."""
        typed = self._field.text().lower().strip()
        words = typed.split()
        found = [each for each in self._all if all(word in each.words for word in words)]
        found.sort(key=lambda each: (typed not in each.words, not all(word in each.title.lower() for word in words)))
        self._found = found
        self._list.clear()
        self._list.addItems([each.title for each in found])
        self._list.setCurrentRow(0 if found else -1)
        self._show_note()

    def _show_note(self) -> None:
        row = self._list.currentRow()
        self._note.setText(
            self._found[row].note if 0 <= row < len(self._found) else self.tr("Nothing has these words.")
        )

    def _choose(self) -> None:
        row = self._list.currentRow()
        if 0 <= row < len(self._found):
            self.accept()
            self.chosen.emit(self._found[row].thing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the arrow keys move in the list while the field has the focus."""
        if event.key() in UP_AND_DOWN_KEYS:
            QApplication.sendEvent(self._list, event)
        else:
            super().keyPressEvent(event)
