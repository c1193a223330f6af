"""The dialog for choosing among several recovery files."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QDialog, QListWidgetItem, QPushButton, QWidget

from bpe_gui.gui.look.calm_widgets import ListWidget
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.theme import ROW_HEIGHT, set_role
from bpe_gui.gui.look.widgets import name_widget

from .recovery_files import RecoveryFile

_SIZE: Final = (560, 320)


class RecoveryChoice(NamedTuple):
    """A recovery file with its title; `problem` says why it cannot be read, and is empty if it can."""

    file: RecoveryFile
    title: str
    problem: str = ""


class RecoveryDialog(QDialog):
    """Lists recovery files. Restoring one closes the dialog; discarding one does not.

    - `chosen(file)`: the user wants to restore the file.
    - `discarded(file)`: the user does not want it any more.
    """

    chosen = Signal(object)
    discarded = Signal(object)

    def __init__(self, choices: Sequence[RecoveryChoice], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recoveredDialog")
        self.setWindowTitle(self.tr("Restore work"))
        self._choices = list(choices)
        self._list = name_widget(ListWidget(), "recoveredList", self.tr("Unsaved work"))
        self._list.setUniformItemSizes(True)
        for choice in choices:
            QListWidgetItem(choice.title, self._list).setSizeHint(QSize(0, ROW_HEIGHT))
        self._problem = SentenceLabel(name="recoveredComplaint")
        self._problem.reserve_lines(2)
        set_role(self._problem, "warning")
        self._restore_button = self._button("recoveredRestoreButton", self.tr("Restore"))
        self._discard_button = self._button("recoveredDiscardButton", self.tr("Discard"))
        self._later_button = self._button("recoveredLaterButton", self.tr("Later"))
        self._restore_button.setDefault(True)
        self._lay_out()
        self._list.currentItemChanged.connect(self._show_current)
        self._list.itemActivated.connect(self._restore)
        self._restore_button.clicked.connect(self._restore)
        self._discard_button.clicked.connect(self._discard)
        self._later_button.clicked.connect(self.reject)
        self._list.setCurrentRow(0)
        self._show_current()

    @property
    def undecided(self) -> list[RecoveryFile]:
        """The files that were neither restored nor discarded."""
        return [choice.file for choice in self._choices]

    def _button(self, name: str, words: str) -> QPushButton:
        return name_widget(QPushButton(words, autoDefault=False), name, words)

    def _lay_out(self) -> None:
        column = dialog_column(self)
        column.addWidget(SentenceLabel(self.tr("bpe-gui closed before this work was saved. Choose what to restore.")))
        column.addWidget(self._list, 1)
        column.addWidget(self._problem)
        column.addWidget(dialog_buttons(self._discard_button, accept=self._restore_button, reject=self._later_button))
        self.resize(*_SIZE)

    def _current(self) -> RecoveryChoice | None:
        item = self._list.currentItem()
        return None if item is None else self._choices[self._list.row(item)]

    def _show_current(self) -> None:
        current = self._current()
        self._problem.setText(current.problem if current else "")
        self._restore_button.setEnabled(current is not None and not current.problem)
        self._discard_button.setEnabled(current is not None)

    def _restore(self) -> None:
        current = self._current()
        if current is not None and not current.problem:
            self._choices.remove(current)
            self.accept()
            self.chosen.emit(current.file)

    def _discard(self) -> None:
        current = self._current()
        if current is None:
            return
        self._list.takeItem(self._list.currentRow())  # which shows another one, by its row before this
        self._choices.remove(current)
        self.discarded.emit(current.file)
        if not self._choices:
            self.reject()
