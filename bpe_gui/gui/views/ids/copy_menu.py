"""The ways in which ids can be copied, as a menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.gui.dialogs.decoded_ids import IdStyle
from bpe_gui.gui.wording.numbers import number


class CopyMenu(QMenu):
    """Says which ids are meant, and offers them as a list, JSON, Python or NumPy."""

    chosen = Signal(IdStyle)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("copyIdsMenu")
        self._meant = self._add("copiedIds", "")
        self._meant.setEnabled(False)
        self._ways = [
            self._add_way(IdStyle.LIST, "copyIdsAsList", self.tr("Copy as &list")),
            self._add_way(IdStyle.JSON, "copyIdsAsJson", self.tr("Copy as &JSON")),
            self._add_way(IdStyle.PYTHON, "copyIdsAsPython", self.tr("Copy as &Python")),
            self._add_way(IdStyle.NUMPY, "copyIdsAsNumpy", self.tr("Copy as &NumPy")),
        ]

    def _add(self, name: str, words: str) -> QAction:
        action = QAction(words, self)
        action.setObjectName(name)
        self.addAction(action)
        return action

    def _add_way(self, style: IdStyle, name: str, words: str) -> QAction:
        action = self._add(name, words)
        action.triggered.connect(lambda: self.chosen.emit(style))
        return action

    def announce(self, selected: int, count: int, *, complete: bool) -> None:
        """Say how many ids are copied: those selected, or else all that are known."""
        self._meant.setText(self._meant_text(selected, count, complete))
        for action in self._ways:
            action.setEnabled(count > 0)

    def _meant_text(self, selected: int, count: int, complete: bool) -> str:
        if selected == 1:
            return self.tr("1 selected id")
        if selected:
            return self.tr("{count} selected ids").format(count=number(selected))
        if complete:
            return self.tr("All ids: {count}").format(count=number(count))
        return self.tr("The ids known so far: {count}").format(count=number(count))
