"""Turn keys, the context menu and the clipboard into edits of the text and moves of the caret."""

import sys
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QClipboard, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.gui.edit_history import EditKind, TextSelection
from bpe_gui.gui.look.overlays import local_files
from bpe_gui.gui.look.qt_constants import CLIPBOARD, CONTROL, KEYPAD, NATIVE_TEXT, PRIMARY_SELECTION, SHIFT
from bpe_gui.gui.system.exact_text import mime_of, on_clipboard, text_in, utf8_of

from .edited_text import EditedText
from .text_rows import TextRows
from .visible_rows import VisibleRows

_Key = QKeySequence.StandardKey
_LINE_BREAKS: Final = (b"\r\n", b"\n", b"\r")
_PLAIN_MODIFIERS: Final = SHIFT | KEYPAD
_COMMAND_MODIFIERS: Final = (CONTROL, CONTROL | SHIFT)  # with Alt as well, it is AltGr, which types characters
_ALT: Final = Qt.KeyboardModifier.AltModifier
_BACKSPACE: Final = Qt.Key.Key_Backspace

_Destination = Callable[[TextRows, int], int]
"""Returns the offset that a key moves the caret to from a given one."""


def _word_to_the_right(rows: TextRows, caret: int) -> int:
    return rows.previous_word(caret) if rows.right_of(caret) < caret else rows.next_word(caret)


def _word_to_the_left(rows: TextRows, caret: int) -> int:
    return rows.next_word(caret) if rows.left_of(caret) > caret else rows.previous_word(caret)


_DESTINATIONS: Final[dict[str, _Destination]] = {
    "NextChar": TextRows.right_of,
    "PreviousChar": TextRows.left_of,
    "NextWord": _word_to_the_right,
    "PreviousWord": _word_to_the_left,
    "StartOfLine": TextRows.row_start,
    "EndOfLine": TextRows.row_end,
    "StartOfBlock": lambda rows, caret: rows.line_body(caret)[0],
    "EndOfBlock": lambda rows, caret: rows.line_body(caret)[1],
    "StartOfDocument": lambda _rows, _caret: 0,
    "EndOfDocument": lambda rows, _caret: rows.text_end(),
}
"""Keyed by the names of Qt's standard keys, in which a line means a row and a block means a line."""

_ROWS: Final = {"NextLine": 1, "PreviousLine": -1}
_PAGES: Final = {"NextPage": 1, "PreviousPage": -1}

MOVES: Final = {
    QKeySequence.StandardKey[f"{verb}{name}"]: (name, verb == "Select")
    for name in (*_DESTINATIONS, *_ROWS, *_PAGES)
    for verb in ("MoveTo", "Select")
}
"""The name of a key's move, and whether it selects."""


class TextCommands(QObject):
    """The commands of keys and the context menu.

    With a selection, deleting commands remove the selected text instead, except `delete_line`, which always removes the
    caret's line. Vertical moves remember the x coordinate where they began, even through shorter rows.
    """

    files_offered = Signal(list)
    """Paths of local files that were pasted or dropped; their names are not inserted."""

    def __init__(self, text: EditedText, rows: VisibleRows, parent: QObject) -> None:
        super().__init__(parent)
        self._text = text
        self._rows = rows
        self._kept_x: float | None = None
        text.selected.connect(self._forget_x)

    def of_key(self, event: QKeyEvent) -> Callable[[], None] | None:
        """Return the command a key is bound to, or one that types its character; None for other keys."""
        if not self._text.read_only:
            # Qt has a standard key for this only on some platforms.
            if event.key() == _BACKSPACE and not event.modifiers() & ~_PLAIN_MODIFIERS:
                return self.backspace
            for key, command in _EDITING.items():
                if event.matches(key):
                    return partial(command, self)
            if _types(event):
                return partial(self.type_text, utf8_of(event.text()))
        for key, command in _READING.items():
            if event.matches(key):
                return partial(command, self)
        move = _move_of(event)
        return None if move is None else partial(self._move, *move)

    # -- moves ------------------------------------------------------------------------------------------------------

    def _move(self, name: str, selects: bool) -> None:
        if name not in _DESTINATIONS:
            self._move_vertically(name, selects)
            return
        selection = self._text.selection
        target = _DESTINATIONS[name](self._rows.all_rows, selection.caret)
        if name in ("NextChar", "PreviousChar") and not selection.is_empty and not selects:
            # The caret goes to the corresponding end of the selection.
            is_forward = target > selection.caret or (target == selection.caret and name == "NextChar")
            target = selection.stop if is_forward else selection.start
        self._select(target, selects)

    def _move_vertically(self, name: str, selects: bool) -> None:
        caret = self._text.caret
        x = self._rows.caret_x(caret) if self._kept_x is None else self._kept_x
        rows = _ROWS[name] if name in _ROWS else _PAGES[name] * self._rows.rows_per_page()
        target = self._rows.all_rows.below(caret, x, rows)
        if name in _PAGES:
            self._rows.scroll_page(down=rows > 0)
        self._select(target, selects)
        self._kept_x = x

    def _select(self, target: int, selects: bool) -> None:
        self._text.select(self._text.selection.extended_to(target) if selects else TextSelection.at(target))

    def _forget_x(self) -> None:
        self._kept_x = None

    def select_all(self) -> None:
        self._text.select(TextSelection(0, len(self._text.text)))
        self.offer_selection()

    def deselect(self) -> None:
        """Select nothing; the caret stays."""
        self._text.set_caret(self._text.caret)

    # -- edits ------------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        self._text.undo()

    def redo(self) -> None:
        """Redo the edit undone last."""
        self._text.redo()

    def type_text(self, utf8: bytes) -> None:
        """Insert what was typed; successive keys are undone together."""
        self._text.insert(utf8, EditKind.TYPING)

    def break_line(self) -> None:
        """Insert the same line break as at the end of the caret's line, or of the line before, or else a line feed."""
        start, stop = self._rows.all_rows.line_at(self._text.caret)
        read = self._text.text.read
        ends = read(max(0, stop - 2), stop), read(max(0, start - 2), start)
        breaks = (line_break for end in ends for line_break in _LINE_BREAKS if end.endswith(line_break))
        self.type_text(next(breaks, b"\n"))

    def delete(self) -> None:
        """Remove the grapheme cluster after the caret."""
        caret = self._text.caret
        self._text.remove(caret, self._rows.all_rows.next_character(caret), EditKind.DELETE)

    def backspace(self) -> None:
        """Remove the code point before the caret, so that an accent can be corrected.

        Emoji and line breaks are removed as a whole.
        """
        caret = self._text.caret
        start = self._rows.all_rows.previous_character(caret)
        utf8 = self._text.text.read(start, caret)
        cluster = utf8.decode()
        if utf8 != b"\r\n" and len(cluster) > 1 and unicodedata.category(cluster[0]) != "So":
            start = caret - len(cluster[-1].encode())
        self._text.remove(start, caret, EditKind.BACKSPACE)

    def delete_to_word_start(self) -> None:
        """Remove from the start of the word to the caret."""
        caret = self._text.caret
        self._text.remove(self._rows.all_rows.previous_word(caret), caret)

    def delete_to_word_end(self) -> None:
        """Remove from the caret to the start of the next word."""
        caret = self._text.caret
        self._text.remove(caret, self._rows.all_rows.next_word(caret))

    def delete_to_line_end(self) -> None:
        """Remove from the caret to the end of the line; at the end, the line break."""
        caret, rows = self._text.caret, self._rows.all_rows
        stop = rows.line_body(caret)[1]
        self._text.remove(caret, stop if stop > caret else rows.next_character(caret))

    def delete_line(self) -> None:
        """Remove the text of the line, but not its line break."""
        self._text.select(TextSelection(*self._rows.all_rows.line_body(self._text.caret)))
        self.delete_selection()

    def delete_selection(self) -> None:
        self._text.insert(b"")

    # -- the clipboard, and on X11 the primary selection ------------------------------------------------------------

    def copy(self) -> None:
        """Copy the selected text, if any, to the clipboard."""
        self._put(CLIPBOARD)

    def cut(self) -> None:
        """Move the selected text, if any, to the clipboard."""
        self.copy()
        self.delete_selection()

    def paste(self) -> None:
        """Insert the text on the clipboard, or offer its files."""
        self.insert(on_clipboard())

    def offer_selection(self) -> None:
        """Make the selected text the primary selection, for the middle mouse button of any program."""
        if QGuiApplication.clipboard().supportsSelection():
            self._put(PRIMARY_SELECTION)

    def paste_primary(self, offset: int) -> None:
        """Insert the primary selection at `offset`."""
        if QGuiApplication.clipboard().supportsSelection() and not self._text.read_only:
            data = on_clipboard(PRIMARY_SELECTION)
            self._text.set_caret(offset)
            self.insert(data)

    def insert(self, data: QMimeData) -> None:
        """Insert pasted or dropped text, or offer its files."""
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

    # -- the menu ---------------------------------------------------------------------------------------------------

    def menu(self, parent: QWidget) -> QMenu:
        """Return a new menu of the commands, with those enabled that apply now."""
        menu = QMenu(parent)
        editable, selected = not self._text.read_only, not self._text.selection.is_empty
        _add(menu, self.tr("&Undo"), _Key.Undo, self.undo, editable and self._text.history.can_undo)
        _add(menu, self.tr("&Redo"), _Key.Redo, self.redo, editable and self._text.history.can_redo)
        menu.addSeparator()
        _add(menu, self.tr("Cu&t"), _Key.Cut, self.cut, editable and selected)
        _add(menu, self.tr("&Copy"), _Key.Copy, self.copy, selected)
        _add(menu, self.tr("&Paste"), _Key.Paste, self.paste, self.accepts(on_clipboard()))
        _add(menu, self.tr("&Delete"), _Key.Delete, self.delete_selection, editable and selected)
        menu.addSeparator()
        _add(menu, self.tr("Select &all"), _Key.SelectAll, self.select_all, len(self._text.text) > 0)
        return menu


_READING: Final[dict[QKeySequence.StandardKey, Callable[[TextCommands], None]]] = {
    _Key.Copy: TextCommands.copy,
    _Key.SelectAll: TextCommands.select_all,
    _Key.Deselect: TextCommands.deselect,
}
_EDITING: Final[dict[QKeySequence.StandardKey, Callable[[TextCommands], None]]] = {
    _Key.Undo: TextCommands.undo,
    _Key.Redo: TextCommands.redo,
    _Key.Cut: TextCommands.cut,
    _Key.Paste: TextCommands.paste,
    _Key.InsertParagraphSeparator: TextCommands.break_line,
    _Key.InsertLineSeparator: TextCommands.break_line,
    _Key.Delete: TextCommands.delete,
    _Key.DeleteStartOfWord: TextCommands.delete_to_word_start,
    _Key.DeleteEndOfWord: TextCommands.delete_to_word_end,
    _Key.DeleteEndOfLine: TextCommands.delete_to_line_end,
    _Key.DeleteCompleteLine: TextCommands.delete_line,
}


def _types(event: QKeyEvent) -> bool:
    text = event.text()
    if not text:
        return False
    category = unicodedata.category(text[0])
    if category == "Cf":
        return True  # some keyboards type joiners and direction marks with Ctrl and Shift
    modifiers = event.modifiers() & ~_PLAIN_MODIFIERS
    opens_menu = modifiers == _ALT and sys.platform != "darwin"  # where Alt types characters
    return not opens_menu and event.modifiers() not in _COMMAND_MODIFIERS and category not in ("Cc", "Cs")


def _move_of(event: QKeyEvent) -> tuple[str, bool] | None:
    """Return the name of a key's move, and whether it selects; None for other keys.

    Ctrl with a letter, which moves the caret on some platforms, is left to the menus.
    """
    if event.modifiers() & CONTROL and Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
        return None
    return next((move for key, move in MOVES.items() if event.matches(key)), None)


def _add(menu: QMenu, text: str, key: QKeySequence.StandardKey, command: Callable[[], object], enabled: bool) -> None:
    # A key that is part of the text is shown, but does not compete with the editor's own keys.
    action = menu.addAction(f"{text}\t{QKeySequence(key).toString(NATIVE_TEXT)}")
    action.triggered.connect(command)
    action.setEnabled(enabled)
