"""A dialog with all keys, by what one wants to do."""

from collections.abc import Mapping
from html import escape
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QLabel, QLineEdit, QScrollArea, QWidget

from bpe_gui.gui.look.layouts import dialog_column
from bpe_gui.gui.look.qt_constants import UP_AND_DOWN_KEYS
from bpe_gui.gui.look.theme import line_height
from bpe_gui.gui.look.widgets import name_widget, offer_clearing, without_mnemonic
from bpe_gui.gui.wording.phrases import listed

from .actions import usual_text, usual_tip

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


class KeysBox(QDialog):
    """Lists keys in groups, of which words in the field leave those that have them all."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget) -> None:
        """`actions` are all actions of the window by name."""
        super().__init__(parent)
        self.setObjectName("keysBox")
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._actions = actions
        self._groups = self._make_groups()
        self._field = name_widget(QLineEdit(), "keysField", self.tr("Find a key"))
        self._field.setPlaceholderText(self.tr("Find by key or action"))
        offer_clearing(self._field, self.tr("Clear the filter"))
        self._field.textChanged.connect(self._show)
        self._table = QLabel(textFormat=Qt.TextFormat.RichText)
        self._area = name_widget(QScrollArea(), "keysList", self.tr("Keyboard shortcuts"))
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidget(self._table)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field scrolls it
        dialog_column(self, self._field, (self._area, 1))
        self._show()
        height = min(_LINES * line_height(self.font()), int(parent.window().height() * _SHARE))
        width = self._table.sizeHint().width() + self._area.verticalScrollBar().sizeHint().width()
        self._area.setMinimumSize(width, height)
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the keys that scroll do so while the field has the focus."""
        if event.key() in UP_AND_DOWN_KEYS:
            QApplication.sendEvent(self._area, event)
        else:
            super().keyPressEvent(event)
