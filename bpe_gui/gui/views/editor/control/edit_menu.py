"""The context menu of the editor."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.gui.look.qt_constants import NATIVE_TEXT
from bpe_gui.gui.system.exact_text import on_clipboard
from bpe_gui.gui.views.editor.edited_text import EditedText

from .clipboard import ClipboardAccess
from .commands import EditCommands

_Key = QKeySequence.StandardKey


class EditMenu(QMenu):
    """The commands of the editor, enabled as far as they can be used when the menu is made."""

    def __init__(
        self, text: EditedText, commands: EditCommands, clipboard: ClipboardAccess, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        editable, selected = not text.read_only, not text.selection.is_empty
        self._add(self.tr("&Undo"), _Key.Undo, commands.undo, editable and text.can_undo)
        self._add(self.tr("&Redo"), _Key.Redo, commands.redo, editable and text.can_redo)
        self.addSeparator()
        self._add(self.tr("Cu&t"), _Key.Cut, commands.cut, editable and selected)
        self._add(self.tr("&Copy"), _Key.Copy, commands.copy, selected)
        self._add(self.tr("&Paste"), _Key.Paste, commands.paste, clipboard.accepts(on_clipboard()))
        self._add(self.tr("&Delete"), _Key.Delete, commands.delete_selection, editable and selected)
        self.addSeparator()
        self._add(self.tr("Select &all"), _Key.SelectAll, commands.select_all, len(text.text) > 0)

    def _add(self, text: str, key: QKeySequence.StandardKey, command: Callable[[], object], enabled: bool) -> None:
        # A key that is part of the text is shown, but does not compete with the editor's own keys.
        action = self.addAction(f"{text}\t{QKeySequence(key).toString(NATIVE_TEXT)}")
        action.triggered.connect(command)
        action.setEnabled(enabled)
