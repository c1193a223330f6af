"""The boxes in which one finds by any words: keys by what they do, and commands, samples, recipes and tours."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QLabel, QLineEdit, QScrollArea, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.look.layouts import dialog_column
from bpe_gui.gui.look.qt_constants import UP_AND_DOWN_KEYS
from bpe_gui.gui.look.theme import line_height
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget, offer_clearing, without_mnemonic
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import listed, with_keys
from bpe_gui.gui.wording.recipe_texts import preset_description
from bpe_gui.samples import Sample, samples
from bpe_gui.tours import Tour, tours

from .actions import usual_text, usual_tip


class FindBox(QDialog):
    """A field, and what has the words in it in `_results`, which takes the keys that go up and down."""

    _results: QWidget

    def __init__(self, parent: QWidget, name: str) -> None:
        """`name` begins the object names of the box and the field."""
        super().__init__(parent)
        self.setObjectName(f"{name}Box")
        self._field = name_widget(QLineEdit(), f"{name}Field")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the keys that go up and down do so while the field has the focus."""
        if event.key() in UP_AND_DOWN_KEYS:
            QApplication.sendEvent(self._results, event)
        else:
            super().keyPressEvent(event)


_SHARE: Final = 0.7  # the most that the list may take of the window's height
_LINES: Final = 24  # that it shows
_TITLE: Final = "<tr><td colspan=2 style='padding-top: {}px'><b>{}</b></td></tr>"
_ROW: Final = "<tr><td>{}&nbsp;&nbsp;&nbsp;</td><td>{}</td></tr>"
_NATIVE: Final = QKeySequence.SequenceFormat.NativeText


class _Key(NamedTuple):
    """Keys as they are shown and what they do; `more` is searched, too."""

    keys: str
    does: str
    more: str = ""


class KeysBox(FindBox):
    """Lists keys in groups, of which words in the field leave those that have them all."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget) -> None:
        """`actions` are all actions of the window by name."""
        super().__init__(parent, "keys")
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._actions = actions
        self._groups = self._make_groups()
        self._field.setAccessibleName(self.tr("Find a key"))
        self._field.setPlaceholderText(self.tr("Find by key or action"))
        offer_clearing(self._field, self.tr("Clear the filter"))
        self._field.textChanged.connect(self._show)
        self._table = QLabel(textFormat=Qt.TextFormat.RichText)
        self._results = name_widget(QScrollArea(), "keysList", self.tr("Keyboard shortcuts"))
        self._results.setFrameShape(QFrame.Shape.NoFrame)
        self._results.setWidget(self._table)
        self._results.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field scrolls it
        dialog_column(self, self._field, (self._results, 1))
        self._show()
        height = min(_LINES * line_height(self.font()), int(parent.window().height() * _SHARE))
        width = self._table.sizeHint().width() + self._results.verticalScrollBar().sizeHint().width()
        self._results.setMinimumSize(width, height)
        self._field.setFocus()

    def _make_groups(self) -> dict[str, list[_Key]]:
        """Return for each purpose its keys and what they do."""
        of = self._keys_of
        return {
            self.tr("Move through the steps"): of("step", "step_back", "play", "first", "last", "go_to", "run_until"),
            self.tr("Train"): of("train", "cancel", "restart", "recipe", "plan"),
            self.tr("Try something else from here"): of(
                "ban_pair", "merge_instead", "try_recipe", "next_run", "overlay"
            ),
            self.tr("Find and look up"): [
                *of("find", "find_next", "find_previous", "search"),
                _Key(listed(("F3", "Shift+F3")), self.tr("Compare: next or previous difference")),
            ],
            self.tr("Work with tokens"): [
                _Key("← → ↑ ↓", self.tr("Ids, Encoding and Lineage: move between items")),
                _Key("Shift+→", self.tr("Ids: extend the selection")),
                _Key("Return", self.tr("Ids and Lineage: mark all equal tokens")),
            ],
            self.tr("Change the view"): [
                *of("learn", "explore", "compare", "report", "larger", "smaller", "usual_size", "full_screen"),
                _Key("Tab", self.tr("Go to the next part of the window")),
                _Key("Ctrl+Tab", self.tr("Go to the next detail page")),
            ],
            self.tr("Edit text"): of("undo", "redo", "cut", "copy", "paste", "select_all"),
            self.tr("Open, save and export"): of(
                *("open_files", "add_files", "open_pattern", "add_text", "new_project", "open_project", "save_project"),
                *("save_project_as", "open_tokenizer", "close_tokenizer", "next_tokenizer", "previous_tokenizer"),
                *("export", "quit"),
            ),
            self.tr("Get help"): of("show_keys"),
        }

    def _keys_of(self, *names: str) -> list[_Key]:
        """Return the keys of these actions and what they do; each may also be found by the words of its tip."""
        return [
            _Key(
                listed(keys.toString(_NATIVE) for keys in self._actions[name].shortcuts()),
                without_mnemonic(usual_text(name)),
                usual_tip(name),
            )
            for name in names
        ]

    def _show(self) -> None:
        """Show what has all typed words, in a key, what it does or the title of its group."""
        words = self._field.text().casefold().split()
        lines = ""
        for title, rows in self._groups.items():
            found = [row for row in rows if all(word in " ".join((title, *row)).casefold() for word in words)]
            if found:
                lines += _TITLE.format(line_height(self.font()) if lines else 0, escape(title))
                lines += "".join(_ROW.format(escape(row.keys), escape(row.does)) for row in found)
        nothing = self.tr("No key and no action has these words.")
        self._table.setText(f"<table cellspacing=4>{lines}</table>" if lines else nothing)
        self._table.adjustSize()


_SEARCH_SIZE: Final = 560, 440  # pixels
_LONGEST: Final = 2_000  # characters of a corpus that is searched


class _Found(NamedTuple):
    """Something to open: a sample, a tour, the name of a recipe or a command.

    `words` is all that is searched, in lower case.
    """

    thing: Sample | Tour | str | QAction
    title: str
    note: str
    words: str


class SearchBox(FindBox):
    """`chosen(thing)`: the user wants this Sample, Tour or QAction, or the recipe of this name."""

    chosen = Signal(object)

    _results: ListWidget

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget) -> None:
        """`actions` are all actions of the window by name."""
        super().__init__(parent, "search")
        self.setWindowTitle(self.tr("Find a command, sample, recipe or tour"))
        self._all = [*self._things(), *self._commands(actions)]
        self._field.setAccessibleName(self.tr("Words to find"))
        self._field.setClearButtonEnabled(True)
        self._field.setPlaceholderText(self.tr("Words, such as BBPE, CS336, </w> or 中英文"))
        self._results = name_widget(ListWidget(), "searchResults", self.tr("Found"))
        self._note = SentenceLabel(name="searchNote", role="quiet", lines=3)
        dialog_column(self, self._field, self._results, self._note)
        self.resize(*_SEARCH_SIZE)
        self._field.textChanged.connect(self._find)
        self._field.returnPressed.connect(self._choose)
        self._results.itemActivated.connect(self._choose)
        self._results.currentRowChanged.connect(self._show_note)
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

    def _commands(self, actions: Mapping[str, QAction]) -> Iterator[_Found]:
        for name, action in actions.items():
            if text := without_mnemonic(usual_text(name)):
                keys = action.shortcut().toString(_NATIVE)
                title = self.tr("Command: {title}").format(title=with_keys(text, keys) if keys else text)
                note = usual_tip(name) if action.isEnabled() else action.toolTip()
                yield _Found(action, title, note, f"{text} {usual_tip(name)}".lower())

    def _find(self) -> None:
        """List what has all typed words, first what has them next to each other, or in its title."""
        typed = self._field.text().lower().strip()
        words = typed.split()
        found = [each for each in self._all if all(word in each.words for word in words)]
        found.sort(key=lambda each: (typed not in each.words, not all(word in each.title.lower() for word in words)))
        self._found = found
        self._results.clear()
        self._results.addItems([each.title for each in found])
        self._results.setCurrentRow(0 if found else -1)
        self._show_note()

    def _show_note(self) -> None:
        row = self._results.currentRow()
        self._note.setText(
            self._found[row].note if 0 <= row < len(self._found) else self.tr("Nothing has these words.")
        )

    def _choose(self) -> None:
        row = self._results.currentRow()
        thing = self._found[row].thing if 0 <= row < len(self._found) else None
        if thing is not None and (not isinstance(thing, QAction) or thing.isEnabled()):
            self.accept()
            self.chosen.emit(thing)
