"""Choosing among the works that were left behind."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QPushButton, QWidget

from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.theme import ROW_HEIGHT, set_role
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named
from bpe_gui.gui.projects.recovery_files import Recovered

_GRID: Final = 8
_SIZE: Final = (560, 320)


class Lost(NamedTuple):
    """A work that a process left behind: what it is called, or why it cannot be read."""

    file: Recovered
    title: str
    complaint: str = ""


class RecoveredDialog(QDialog):
    """Lists works. Discarding one leaves the dialog open; what is neither restored nor discarded is left alone."""

    chosen = Signal(object)
    """The file of the work that is to be restored."""

    discarded = Signal(object)
    """The file of a work that nobody wants."""

    def __init__(self, lost: Sequence[Lost], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recoveredDialog")
        self.setWindowTitle(self.tr("Restore work"))
        self.left = list(lost)
        self._list = named(QListWidget(), "recoveredList", self.tr("Work that was not saved"))
        self._list.setUniformItemSizes(True)
        for each in lost:
            QListWidgetItem(each.title, self._list).setSizeHint(QSize(0, ROW_HEIGHT))
        self._complaint = SentenceLabel(name="recoveredComplaint")
        self._complaint.keep_room(2)
        set_role(self._complaint, "warning")
        self._restore = self._button("recoveredRestoreButton", self.tr("Restore"))
        self._discard = self._button("recoveredDiscardButton", self.tr("Discard"))
        self._later = self._button("recoveredLaterButton", self.tr("Later"))
        self._restore.setDefault(True)
        self._lay_out()
        self._list.currentItemChanged.connect(self._show_current)
        self._list.itemActivated.connect(self._take)
        self._restore.clicked.connect(self._take)
        self._discard.clicked.connect(self._throw_away)
        self._later.clicked.connect(self.reject)
        self._list.setCurrentRow(0)

    def _button(self, name: str, words: str) -> QPushButton:
        return named(QPushButton(words, autoDefault=False), name, words)

    def _lay_out(self) -> None:
        column = dialog_column(self)
        column.addWidget(SentenceLabel(self.tr("The program ended before these were saved. Which one do you want?")))
        column.addWidget(self._list, 1)
        column.addWidget(self._complaint)
        column.addWidget(dialog_buttons(self._discard, accept=self._restore, reject=self._later))
        self.resize(*_SIZE)

    def _current(self) -> Lost | None:
        item = self._list.currentItem()
        return None if item is None else self.left[self._list.row(item)]

    def _show_current(self) -> None:
        current = self._current()
        self._complaint.setText(current.complaint if current else "")
        self._restore.setEnabled(current is not None and not current.complaint)

    def _take(self) -> None:
        current = self._current()
        if current is not None and not current.complaint:
            self.left.remove(current)
            self.accept()
            self.chosen.emit(current.file)

    def _throw_away(self) -> None:
        row = self._list.currentRow()
        unwanted = self.left.pop(row)
        self._list.takeItem(row)
        self.discarded.emit(unwanted.file)
        if not self.left:
            self.reject()
