"""A field for a splitter's expression, whose parts have the colours of the words they take."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from bpe_gui.gui.look.palette import faded
from bpe_gui.gui.look.theme import Theme

_ERROR_SHARE: Final = 0.35  # of the colour of warnings behind the character of an error


class ExpressionField(QLineEdit):
    """A line of text in which parts are coloured, or the character is marked at which it is not valid."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: list[tuple[int, int, int | None]] = []  # a part's number, or None for an error
        theme.changed.connect(self._mark)

    def show_parts(self, spans: Iterable[tuple[int, int, int]]) -> None:
        """Colour parts of the text, each from a character up to another one, in the hue of its number."""
        self._marks = list(spans)
        self._mark()

    def show_error(self, position: int) -> None:
        """Mark the character at which the text is not valid, at its end the last one."""
        start = max(0, min(position, len(self.text()) - 1))
        self._marks = [(start, start + 1, None)]
        self._mark()

    def _part_format(self, part: int) -> QTextCharFormat:
        text_format, palette = QTextCharFormat(), self._theme.token_palette()
        text_format.setBackground(palette.backgrounds[part % palette.hues])
        text_format.setForeground(palette.text)
        return text_format

    def _error_format(self) -> QTextCharFormat:
        text_format, warning = QTextCharFormat(), self._theme.token_palette().warning
        text_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        text_format.setUnderlineColor(warning)
        text_format.setBackground(faded(warning, _ERROR_SHARE))
        return text_format

    def _mark(self) -> None:
        """Format stretches of the text, and nothing else, as an input method does: there is no other way."""
        text, caret = self.text(), self.cursorPosition()
        attributes = [
            QInputMethodEvent.Attribute(
                QInputMethodEvent.AttributeType.TextFormat,
                _utf16_size(text[:start]) - caret,
                _utf16_size(text[start:stop]),
                self._error_format() if part is None else self._part_format(part),
            )
            for start, stop, part in self._marks
        ]
        QApplication.sendEvent(self, QInputMethodEvent("", attributes))


def _utf16_size(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
