"""Finding text in the editor of the corpus."""

from typing import Final

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from bpe_gui.engine.runtime import Int32Array
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.text_finder import TextFinder
from bpe_gui.gui.search.text_search import Finder, PatternFinder, Span
from bpe_gui.gui.search.token_filter import plain_pattern
from bpe_gui.gui.views.find_bar import FindBar
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit

_KEEP_ANCHOR: Final = QTextCursor.MoveMode.KeepAnchor
_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80
_FOUR_BYTES: Final = 0xF0  # and above: the first byte of a character of two UTF-16 code units


class CorpusFind(TextFinder):
    """Finds text in an editor, which counts UTF-16 code units."""

    def __init__(self, theme: Theme, editor: PlainTextEdit, parent: QObject) -> None:
        super().__init__(FindBar(theme), parent)
        self._editor = editor
        self._text: _Utf8Text | None = None  # the text of the editor, once it is needed
        editor.document().contentsChanged.connect(self._forget_text)
        editor.selectionChanged.connect(self.show_position)
        editor.cursorPositionChanged.connect(self.show_position)

    def _forget_text(self) -> None:
        self._text = None
        self.outdate()

    def _utf8(self) -> "_Utf8Text":
        if self._text is None:
            self._text = _Utf8Text(self._editor.text())
        return self._text

    def _make_finder(self) -> Finder | str:
        return PatternFinder([self._utf8().data], plain_pattern(self.bar.text)) if self.bar.text else ""

    def _selection(self) -> Span:
        cursor, text = self._editor.textCursor(), self._utf8()
        return text.offset(cursor.selectionStart()), text.offset(cursor.selectionEnd())

    def _selected_text(self) -> str:
        return self._editor.textCursor().selectedText()

    def _select(self, span: Span) -> None:
        cursor, text = self._editor.textCursor(), self._utf8()
        cursor.setPosition(text.position(span[0]))
        cursor.setPosition(text.position(span[1]), _KEEP_ANCHOR)
        self._editor.setTextCursor(cursor)

    def _take_focus(self) -> None:
        self._editor.setFocus()


class _Utf8Text:
    """A text in UTF-8, whose offsets and positions in UTF-16 code units are converted into each other."""

    def __init__(self, text: str) -> None:
        self.data: Final = text.encode("utf-8", "surrogatepass")
        self._positions = None if text.isascii() else _utf16_positions(self.data)

    def position(self, offset: int) -> int:
        """Return the number of UTF-16 code units before an offset, which is between two characters."""
        return offset if self._positions is None else int(self._positions[offset])

    def offset(self, position: int) -> int:
        """Return the number of bytes before a position."""
        if self._positions is None:
            return position
        return int(np.searchsorted(self._positions, np.int32(position), "right")) - 1


def _utf16_positions(data: bytes) -> Int32Array:
    """Return for each offset the number of UTF-16 code units that begin before it."""
    octets = np.frombuffer(data, np.uint8)
    begins = (octets & _CONTINUATION_MASK) != _CONTINUATION
    return np.concatenate([[0], np.cumsum(begins.astype(np.int32) + (octets >= _FOUR_BYTES))], dtype=np.int32)
