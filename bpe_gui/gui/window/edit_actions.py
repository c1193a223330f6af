"""The actions “cut”, “copy”, “paste” and “select all”, for the widget that has the focus."""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_id_view import TokenIdView

from .focused_widget import FocusedWidget

EDIT_ACTIONS: Final = ("cut", "copy", "paste", "select_all")
"""The names of the actions."""

_Commands = Mapping[str, Callable[[], object]]


class EditActions(QObject):
    """Has the actions do their work in the widget that had the focus before a menu was opened.

    Widgets take the keys themselves while they have the focus.
    """

    def __init__(self, actions: Mapping[str, QAction], focused: FocusedWidget) -> None:
        super().__init__(actions[EDIT_ACTIONS[0]])  # so as not to outlive the actions
        self._actions = {name: actions[name] for name in EDIT_ACTIONS}
        self._focused = focused
        for name, action in self._actions.items():
            action.triggered.connect(weakly(self._run, name))
        focused.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Enable the actions that the widget with the focus has."""
        commands = self._commands()
        for name, action in self._actions.items():
            action.setEnabled(name in commands)

    def _run(self, name: str) -> None:
        command = self._commands().get(name)
        if command is not None:
            command()

    def _commands(self) -> _Commands:
        """Return what the widget with the focus can do."""
        widget = self._focused.editor
        if isinstance(widget, TokenEdit | QPlainTextEdit | QLineEdit):
            reading: _Commands = {"copy": widget.copy, "select_all": widget.selectAll}
            return reading if widget.isReadOnly() else {**reading, "cut": widget.cut, "paste": widget.paste}
        if isinstance(widget, TokenIdView):
            return {"copy": widget.copy, "select_all": widget.select_all}
        return {"copy": widget.copy} if isinstance(widget, Table) else {}
