"""Turn keys and the context menu into edits, moves of the caret and use of the clipboard."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QClipboard, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.gui.look.overlays import local_files
from bpe_gui.gui.look.qt_constants import CLIPBOARD, CONTROL, KEYPAD, NATIVE_TEXT, PRIMARY_SELECTION, SHIFT
from bpe_gui.gui.system.exact_text import mime_of, on_clipboard, text_in, utf8_of
from bpe_gui.gui.views.editor.edited_text import EditedText, EditKind, Selection
from bpe_gui.gui.views.editor.text_rows import TextNavigation
from bpe_gui.gui.views.editor.visible_rows import VisibleRows


class ClipboardAccess(QObject):
    """The editor's access to the clipboard, and to the primary selection where the system has one (X11)."""

    files_offered = Signal(list)
    """Paths of local files that were pasted or dropped; their names are not inserted."""

    def __init__(self, text: EditedText, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text

    def copy(self) -> None:
        """Put the selected text, if there is any, on the clipboard."""
        self._put(CLIPBOARD)

    def cut(self) -> None:
        """Move the selected text, if there is any, to the clipboard."""
        self.copy()
        self._text.insert(b"")

    def paste(self) -> None:
        """Insert the text on the clipboard, or offer its files."""
        self.insert(on_clipboard())

    def offer_selection(self) -> None:
        """Make the selected text the primary selection, for the middle mouse button of any program."""
        if QGuiApplication.clipboard().supportsSelection():
            self._put(PRIMARY_SELECTION)

    def paste_primary(self, offset: int) -> None:
        """Insert the primary selection at `offset`, where the system has one."""
        if QGuiApplication.clipboard().supportsSelection():
            data = on_clipboard(PRIMARY_SELECTION)
            self._text.set_caret(offset)
            self.insert(data)

    def insert(self, data: QMimeData) -> None:
        """Insert the text of something pasted or dropped, or offer its files."""
        if files := local_files(data):
            self.files_offered.emit(files)
        elif utf8 := text_in(data):
            self._text.insert(utf8)

    def accepts(self, data: QMimeData) -> bool:
        """Return whether `data` can be pasted or dropped here."""
        return not self._text.read_only and (data.hasText() or data.hasUrls())

    def _put(self, mode: QClipboard.Mode) -> None:
        if not self._text.selection.is_empty:
            QGuiApplication.clipboard().setMimeData(mime_of(self._text.selected_utf8()), mode)


_LINE_BREAKS: Final = (b"\r\n", b"\n", b"\r")


class EditCommands:
    """The commands that edit the text at its caret, or select and copy.

    Where text is selected, a command that deletes removes the selected text instead; `delete_line` always removes the
    line of the caret.
    """

    def __init__(self, text: EditedText, rows: VisibleRows, clipboard: ClipboardAccess) -> None:
        self._text = text
        self._rows = rows
        self._clipboard = clipboard
        self.undo = text.undo
        self.redo = text.redo
        self.cut = clipboard.cut
        self.copy = clipboard.copy
        self.paste = clipboard.paste

    def type_text(self, utf8: bytes) -> None:
        """Insert what was typed; successive keys are undone together."""
        self._text.insert(utf8, EditKind.TYPING)

    def break_line(self) -> None:
        """Insert the same line break as at the end of the caret's line, else of the line before, else a line feed."""
        start, stop = self._rows.navigation.line_at(self._text.caret)
        read = self._text.text.read
        ends = read(max(0, stop - 2), stop), read(max(0, start - 2), start)
        breaks = (line_break for end in ends for line_break in _LINE_BREAKS if end.endswith(line_break))
        self.type_text(next(breaks, b"\n"))

    def delete(self) -> None:
        """Remove the grapheme cluster after the caret."""
        caret = self._text.caret
        self._text.remove(caret, self._rows.navigation.next_character(caret), EditKind.DELETE)

    def backspace(self) -> None:
        """Remove the code point before the caret, so that an accent can be corrected.

        Emoji and line breaks are removed as a whole.
        """
        caret = self._text.caret
        start = self._rows.navigation.previous_character(caret)
        utf8 = self._text.text.read(start, caret)
        cluster = utf8.decode()
        if utf8 != b"\r\n" and len(cluster) > 1 and unicodedata.category(cluster[0]) != "So":
            start = caret - len(cluster[-1].encode())
        self._text.remove(start, caret, EditKind.BACKSPACE)

    def delete_to_word_start(self) -> None:
        """Remove from the start of the word to the caret."""
        caret = self._text.caret
        self._text.remove(self._rows.navigation.previous_word(caret), caret)

    def delete_to_word_end(self) -> None:
        """Remove from the caret to the start of the next word."""
        caret = self._text.caret
        self._text.remove(caret, self._rows.navigation.next_word(caret))

    def delete_to_line_end(self) -> None:
        """Remove from the caret to the end of the line; at the end, the line break."""
        caret = self._text.caret
        stop = self._rows.navigation.line_body(caret)[1]
        self._text.remove(caret, stop if stop > caret else self._rows.navigation.next_character(caret))

    def delete_line(self) -> None:
        """Remove the text of the line, but not its line break."""
        self._text.select(Selection(*self._rows.navigation.line_body(self._text.caret)))
        self.delete_selection()

    def delete_selection(self) -> None:
        """Remove the selected text."""
        self._text.insert(b"")

    def select_all(self) -> None:
        """Select the whole text."""
        self._text.select_all()
        self._clipboard.offer_selection()

    def deselect(self) -> None:
        """Select nothing; the caret stays."""
        self._text.set_caret(self._text.caret)


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


_Destination = Callable[[TextNavigation, int], int]
"""Returns the offset to which a key moves the caret from another."""


def _next_word(navigation: TextNavigation, caret: int) -> int:
    """Return the next word to the right, which in right-to-left text is the previous one."""
    is_backward = navigation.right_of(caret) < caret
    return navigation.previous_word(caret) if is_backward else navigation.next_word(caret)


def _previous_word(navigation: TextNavigation, caret: int) -> int:
    """Return the next word to the left, which in right-to-left text is the following one."""
    is_forward = navigation.left_of(caret) > caret
    return navigation.next_word(caret) if is_forward else navigation.previous_word(caret)


_DESTINATIONS: Final[dict[str, _Destination]] = {
    "NextChar": lambda navigation, caret: navigation.right_of(caret),
    "PreviousChar": lambda navigation, caret: navigation.left_of(caret),
    "NextWord": _next_word,
    "PreviousWord": _previous_word,
    "StartOfLine": lambda navigation, caret: navigation.row_start(caret),
    "EndOfLine": lambda navigation, caret: navigation.row_end(caret),
    "StartOfBlock": lambda navigation, caret: navigation.line_body(caret)[0],
    "EndOfBlock": lambda navigation, caret: navigation.line_body(caret)[1],
    "StartOfDocument": lambda _navigation, _caret: 0,
    "EndOfDocument": lambda navigation, _caret: navigation.text_end(),
}
"""By the names of Qt's standard keys, in which a row is a line and a line is a block."""

_ROWS: Final = {"NextLine": 1, "PreviousLine": -1}
_PAGES: Final = {"NextPage": 1, "PreviousPage": -1}

MOVES: Final = {
    QKeySequence.StandardKey[f"{verb}{name}"]: (name, verb == "Select")
    for name in (*_DESTINATIONS, *_ROWS, *_PAGES)
    for verb in ("MoveTo", "Select")
}
"""The name of a key's move, and whether it selects."""


class CaretKeys:
    """The keys that move the caret or extend the selection.

    Moves up and down keep the x at which they began, even through shorter rows.
    """

    def __init__(self, text: EditedText, rows: VisibleRows) -> None:
        self._text = text
        self._rows = rows
        self._kept_x: float | None = None
        text.selected.connect(self._forget_x)

    def handles(self, event: QKeyEvent) -> bool:
        """Return whether `press` would do something."""
        return _move_of(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Make the move that a key is bound to; return whether it is bound to one."""
        move = _move_of(event)
        if move is None:
            return False
        name, selects = move
        if name in _DESTINATIONS:
            self._move(name, selects=selects)
        else:
            self._move_vertically(name, selects=selects)
        return True

    def _move(self, name: str, *, selects: bool) -> None:
        selection = self._text.selection
        target = _DESTINATIONS[name](self._rows.navigation, selection.caret)
        if name in ("NextChar", "PreviousChar") and not selection.is_empty and not selects:
            # The caret goes to that end of the selection.
            is_forward = target > selection.caret or (target == selection.caret and name == "NextChar")
            target = selection.stop if is_forward else selection.start
        self._select(target, selects=selects)

    def _move_vertically(self, name: str, *, selects: bool) -> None:
        caret = self._text.caret
        x = self._rows.caret_x(caret) if self._kept_x is None else self._kept_x
        rows = _ROWS[name] if name in _ROWS else _PAGES[name] * self._rows.rows_per_page()
        target = self._rows.navigation.below(caret, x, rows)
        if name in _PAGES:
            self._rows.scroll_page(down=rows > 0)
        self._select(target, selects=selects)
        self._kept_x = x

    def _select(self, target: int, *, selects: bool) -> None:
        self._text.select(self._text.selection.extended_to(target) if selects else Selection.at(target))

    def _forget_x(self) -> None:
        self._kept_x = None


def _move_of(event: QKeyEvent) -> tuple[str, bool] | None:
    """Return the name of a key's move, and whether it selects; None for other keys.

    Ctrl with a letter, which moves the caret on some platforms, is left to the menus.
    """
    if event.modifiers() & CONTROL and Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
        return None
    return next((move for key, move in MOVES.items() if event.matches(key)), None)


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
