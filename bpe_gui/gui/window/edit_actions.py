"""Cut, copy, paste and select all for the widget with the focus."""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QWidget,
)

from bpe_gui.gui.look.lifetime import WeakAttribute, weakly
from bpe_gui.gui.tables.table import MANY_SELECTED, Table
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_id_view import TokenIdView


class FocusedWidget(QObject):
    """Tracks the focus in a window, ignoring menus, whose actions apply to the widget that had the focus before.

    `changed(before, now)`: the focus moved to another widget, or left the window.
    """

    _window = WeakAttribute[QWidget]()

    changed = Signal(object, object)

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self.widget: QWidget | None = None
        """The widget with the focus; None if it is outside the window."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)
        self._follow(None, QApplication.focusWidget())

    @property
    def editor(self) -> QWidget | None:
        """The widget with the focus, or the edit field inside it if it has one."""
        widget = self.widget
        return widget.lineEdit() if isinstance(widget, QAbstractSpinBox | QComboBox) else widget

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QMenuBar | QMenu):
            return
        before, self.widget = self.widget, new if new is not None and new.window() is self._window else None
        if before is not None:
            before.destroyed.disconnect(self._forget)
        if self.widget is not None:
            self.widget.destroyed.connect(self._forget)
        self.changed.emit(before, self.widget)

    def _forget(self) -> None:
        self.widget = None


EDIT_ACTIONS: Final = ("cut", "copy", "paste", "select_all")
"""The names of the actions."""

_Commands = Mapping[str, Callable[[], object]]


class EditActions(QObject):
    """Makes the actions work on the widget that had the focus before a menu was opened.

    While a widget has the focus, it handles the keys itself.
    """

    def __init__(self, actions: Mapping[str, QAction], focused: FocusedWidget) -> None:
        super().__init__(actions[EDIT_ACTIONS[0]])  # deleted with the actions
        self._actions = {name: actions[name] for name in EDIT_ACTIONS}
        self._focused = focused
        for name, action in self._actions.items():
            action.triggered.connect(weakly(self._run, name))
        focused.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Enable the actions that the widget with the focus supports."""
        commands = self._commands()
        for name, action in self._actions.items():
            action.setEnabled(name in commands)

    def _run(self, name: str) -> None:
        command = self._commands().get(name)
        if command is not None:
            command()

    def _commands(self) -> _Commands:
        """Return the commands that the widget with the focus supports."""
        widget = self._focused.editor
        if isinstance(widget, TokenEdit | QPlainTextEdit | QLineEdit):
            reading: _Commands = {"copy": widget.copy, "select_all": widget.selectAll}
            return reading if widget.isReadOnly() else {**reading, "cut": widget.cut, "paste": widget.paste}
        if isinstance(widget, TokenIdView):
            return {"copy": widget.copy, "select_all": widget.select_all}
        if not isinstance(widget, Table):
            return {}
        has_many = widget.selectionMode() == MANY_SELECTED
        return {"copy": widget.copy, "select_all": widget.selectAll} if has_many else {"copy": widget.copy}
