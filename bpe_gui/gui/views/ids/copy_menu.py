"""The menu for copying ids."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.wording.numbers import number

from .id_lists import IdStyle


class CopyMenu(QMenu):
    """The styles in which ids can be copied, below a line that shows which ids those are."""

    chosen = Signal(IdStyle)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("copyIdsMenu")
        self._scope = self._add("copiedIds", "")
        self._scope.setEnabled(False)
        self._styles = [
            self._add_style(IdStyle.LIST, "copyIdsAsList", self.tr("Copy as &list")),
            self._add_style(IdStyle.JSON, "copyIdsAsJson", self.tr("Copy as &JSON")),
            self._add_style(IdStyle.PYTHON, "copyIdsAsPython", self.tr("Copy as &Python")),
            self._add_style(IdStyle.NUMPY, "copyIdsAsNumpy", self.tr("Copy as &NumPy")),
        ]

    def _add(self, name: str, text: str) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        self.addAction(action)
        return action

    def _add_style(self, style: IdStyle, name: str, text: str) -> QAction:
        action = self._add(name, text)
        action.triggered.connect(weakly(self.chosen.emit, style))
        return action

    def show_scope(self, selected: int, count: int, *, complete: bool) -> None:
        """Show which ids would be copied: the `selected` ones, or else all `count` that are known.

        `complete` says whether these are all ids of the text.
        """
        self._scope.setText(self._scope_text(selected, count, complete))
        for action in self._styles:
            action.setEnabled(count > 0)

    def _scope_text(self, selected: int, count: int, complete: bool) -> str:
        if selected == 1:
            return self.tr("1 selected id")
        if selected:
            return self.tr("{count} selected ids").format(count=number(selected))
        if complete:
            return self.tr("All ids: {count}").format(count=number(count))
        return self.tr("Ids known so far: {count}").format(count=number(count))
