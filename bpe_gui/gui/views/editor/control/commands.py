"""The commands of the editor's keys and menu."""

from __future__ import annotations

import unicodedata
from typing import Final

from bpe_gui.gui.views.editor.edited_text import EditedText
from bpe_gui.gui.views.editor.selection import Selection
from bpe_gui.gui.views.editor.undo import EditKind
from bpe_gui.gui.views.editor.visible_rows import VisibleRows

from .clipboard import ClipboardAccess

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
