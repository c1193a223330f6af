"""A field for special tokens, which may hold spaces: one a line, as tall as it needs to be."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.views.plain_text_edit import PlainTextEdit

_MOST_LINES: Final = 4  # shown without scrolling
_FONT_CHANGE: Final = QEvent.Type.FontChange
_STYLE_CHANGE: Final = QEvent.Type.StyleChange


class SpecialTokensEdit(PlainTextEdit):
    """Special tokens, one a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, object_name="specialTokensEdit")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(4)
        self.setLineWrapMode(PlainTextEdit.LineWrapMode.NoWrap)
        self.blockCountChanged.connect(self._fit)
        self._fit()

    def tokens(self) -> tuple[str, ...]:
        """What is typed, valid or not; a line end after the last token is not yet another token."""
        text = self.text().removesuffix("\n")
        return tuple(text.split("\n")) if text else ()

    def set_tokens(self, tokens: Iterable[str]) -> None:
        """Show other tokens."""
        self.setPlainText("\n".join(tokens))

    def changeEvent(self, event: QEvent) -> None:
        """Stays as tall as its lines."""
        super().changeEvent(event)
        if event.type() in (_FONT_CHANGE, _STYLE_CHANGE):
            self._fit()

    def _fit(self) -> None:
        lines = min(max(1, self.blockCount()), _MOST_LINES)
        around = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 1
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + around)
