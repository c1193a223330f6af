"""An editor whose words have the colours of the parts of an expression that took them."""

import numpy as np
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QTextEdit, QWidget

from bpe_gui.engine.runtime import Int64Array
from bpe_gui.engine.text import SplitWords
from bpe_gui.gui.look.palette import TokenPalette, plain_token_palette
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit


class SplitterPreview(PlainTextEdit):
    """A few lines of text to try an expression on. What no word covers has no colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, object_name="splitterPreview")
        self.setAccessibleName(self.tr("Text to try the splitter on"))
        self._palette = plain_token_palette(self.palette())
        self._words: SplitWords | None = None
        self._spans: list[tuple[tuple[int, int], int]] = []  # of the coloured words in UTF-16, each with its part
        option = self.document().defaultTextOption()
        option.setFlags(option.flags() | QTextOption.Flag.ShowTabsAndSpaces)
        self.document().setDefaultTextOption(option)

    def set_looks(self, palette: TokenPalette, token_font: QFont) -> None:
        """Use the colours of a theme, and `token_font` for the text."""
        self._palette = palette
        self.setFont(token_font)
        self.show_words(self._words)

    def show_words(self, words: SplitWords | None) -> None:
        """Colour the words of the text, whose offsets are characters; None for none."""
        self._words = words
        self._spans = []
        self.setExtraSelections([] if words is None else self._selections(words))

    def select_next(self, part: int) -> None:
        """Select the next word that a part took, after the last one the first."""
        caret = self.textCursor().position()
        spans = [span for span, its_part in self._spans if its_part == part]
        if spans:
            start, stop = next((span for span in spans if span[1] > caret), spans[0])
            self.setTextCursor(self._cursor(start, stop))
            self.setFocus()

    def _selections(self, words: SplitWords) -> list[QTextEdit.ExtraSelection]:
        """Return the words as Qt paints them, in the second shade beside a word of the same part."""
        positions = _utf16_positions(self.text())
        spans = zip(positions[words.starts].tolist(), positions[words.stops].tolist(), strict=True)
        self._spans = list(zip(spans, words.parts.tolist(), strict=True))
        found: list[QTextEdit.ExtraSelection] = []
        before, is_second = -1, False
        for span, part in self._spans:
            is_second = part == before and not is_second
            found.append(self._selection(span, self._color(part, is_second)))
            before = part
        return found

    def _color(self, part: int, is_second: bool) -> QColor:
        palette = self._palette
        return (palette.second_shades if is_second else palette.backgrounds)[part % palette.hues]

    def _selection(self, span: tuple[int, int], color: QColor) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(*span)
        selection.format = QTextCharFormat()
        selection.format.setBackground(color)
        selection.format.setForeground(self._palette.text)
        return selection

    def _cursor(self, start: int, stop: int) -> QTextCursor:
        """Return a cursor that selects the text between two UTF-16 offsets."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        return cursor


def _utf16_positions(text: str) -> Int64Array:
    """Return the UTF-16 offset of each character, and of the end."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF)))).astype(np.int64)
