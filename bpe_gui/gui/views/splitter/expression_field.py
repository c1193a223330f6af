"""A field for a splitter's expression, whose parts have the colours of the words they take."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from bpe_gui.gui.look.palette import TokenPalette, faded, plain_token_palette

_ERROR_SHARE: Final = 0.35  # of the colour of warnings behind the character of an error


class ExpressionField(QLineEdit):
    """A line of text in which parts are coloured, or the character is marked at which it is not valid."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._palette = plain_token_palette(self.palette())

    def set_colors(self, palette: TokenPalette) -> None:
        """Use the colours of a theme."""
        self._palette = palette

    def show_parts(self, spans: Iterable[tuple[int, int, int]]) -> None:
        """Colour parts of the text, each from a character up to another one, in the hue of its number."""
        self._set_formats((start, stop, self._part_format(part)) for start, stop, part in spans)

    def show_error(self, position: int) -> None:
        """Mark the character at which the text is not valid, at its end the last one."""
        start = max(0, min(position, len(self.text()) - 1))
        self._set_formats([(start, start + 1, self._error_format())])

    def _part_format(self, part: int) -> QTextCharFormat:
        text_format = QTextCharFormat()
        text_format.setBackground(self._palette.backgrounds[part % self._palette.hues])
        text_format.setForeground(self._palette.text)
        return text_format

    def _error_format(self) -> QTextCharFormat:
        text_format = QTextCharFormat()
        text_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        text_format.setUnderlineColor(self._palette.warning)
        text_format.setBackground(faded(self._palette.warning, _ERROR_SHARE))
        return text_format

    def _set_formats(self, spans: Iterable[tuple[int, int, QTextCharFormat]]) -> None:
        """Format stretches of the text, and nothing else, as an input method does: there is no other way."""
        text, caret = self.text(), self.cursorPosition()
        attributes = [
            QInputMethodEvent.Attribute(
                QInputMethodEvent.AttributeType.TextFormat,
                _utf16_size(text[:start]) - caret,
                _utf16_size(text[start:stop]),
                text_format,
            )
            for start, stop, text_format in spans
        ]
        QApplication.sendEvent(self, QInputMethodEvent("", attributes))


def _utf16_size(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
