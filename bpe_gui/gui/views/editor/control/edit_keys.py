"""Turn keys into edits."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from bpe_gui.gui.look.qt_constants import CONTROL, KEYPAD, SHIFT
from bpe_gui.gui.system.exact_text import utf8_of
from bpe_gui.gui.views.editor.edited_text import EditedText

from .commands import EditCommands

_Key = QKeySequence.StandardKey
_PLAIN_MODIFIERS: Final = SHIFT | KEYPAD
_COMMAND_MODIFIERS: Final = (CONTROL, CONTROL | SHIFT)  # with Alt as well it is AltGr, which types
_ALT: Final = Qt.KeyboardModifier.AltModifier
_BACKSPACE: Final = Qt.Key.Key_Backspace


class EditKeys:
    """The keys that execute commands or type characters."""

    def __init__(self, text: EditedText, commands: EditCommands) -> None:
        self._text = text
        self._commands = commands
        self._reading: dict[QKeySequence.StandardKey, Callable[[], None]] = {
            _Key.Copy: commands.copy,
            _Key.SelectAll: commands.select_all,
            _Key.Deselect: commands.deselect,
        }
        self._editing: dict[QKeySequence.StandardKey, Callable[[], None]] = {
            _Key.Undo: commands.undo,
            _Key.Redo: commands.redo,
            _Key.Cut: commands.cut,
            _Key.Paste: commands.paste,
            _Key.InsertParagraphSeparator: commands.break_line,
            _Key.InsertLineSeparator: commands.break_line,
            _Key.Delete: commands.delete,
            _Key.DeleteStartOfWord: commands.delete_to_word_start,
            _Key.DeleteEndOfWord: commands.delete_to_word_end,
            _Key.DeleteEndOfLine: commands.delete_to_line_end,
            _Key.DeleteCompleteLine: commands.delete_line,
        }

    def handles(self, event: QKeyEvent) -> bool:
        """Return whether `press` would do something."""
        return self._command(event) is not None or self._types(event)

    def press(self, event: QKeyEvent) -> bool:
        """Execute the command that a key is bound to, or type its character; return whether it did either."""
        if command := self._command(event):
            command()
        elif self._types(event):
            self._commands.type_text(utf8_of(event.text()))
        else:
            return False
        return True

    def _types(self, event: QKeyEvent) -> bool:
        """Return whether a key types a character."""
        text = event.text()
        if self._text.read_only or not text:
            return False
        category = unicodedata.category(text[0])
        if category == "Cf":
            return True  # some keyboards type joiners and direction marks with Ctrl and Shift
        modifiers = event.modifiers() & ~_PLAIN_MODIFIERS
        opens_menu = modifiers == _ALT and sys.platform != "darwin"  # where Alt types characters
        return not opens_menu and event.modifiers() not in _COMMAND_MODIFIERS and category not in ("Cc", "Cs")

    def _command(self, event: QKeyEvent) -> Callable[[], None] | None:
        if not self._text.read_only:
            # Qt has a standard key for this on some platforms only.
            if event.key() == _BACKSPACE and not event.modifiers() & ~_PLAIN_MODIFIERS:
                return self._commands.backspace
            for key, command in self._editing.items():
                if event.matches(key):
                    return command
        return next((command for key, command in self._reading.items() if event.matches(key)), None)
