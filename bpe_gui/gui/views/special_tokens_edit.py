"""A field for special tokens, one on a line because they may contain spaces."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.qt_constants import ELIDE_RIGHT, FONT_CHANGE, STYLE_CHANGE

from .plain_text_edit import PlainTextEdit

_MAX_LINES: Final = 4  # shown without scrolling
_DOCUMENT_MARGIN: Final = 4


class SpecialTokensEdit(PlainTextEdit):
    """An editor of special tokens, one on a line, that is as high as its lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, object_name="specialTokensEdit")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(_DOCUMENT_MARGIN)
        self.setLineWrapMode(PlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would cover a line
        self._hint = ""
        self.blockCountChanged.connect(self._fit_height)
        self._fit_height()

    def set_hint(self, hint: str) -> None:
        """Show `hint` while there are no tokens, elided to the one line that it has."""
        self._hint = hint
        space = self.viewport().width() - 2 * self.document().documentMargin()
        self.setPlaceholderText(self.fontMetrics().elidedText(hint, ELIDE_RIGHT, int(space)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the hint to the new width."""
        super().resizeEvent(event)
        self.set_hint(self._hint)

    def tokens(self) -> tuple[str, ...]:
        """Return the tokens that are typed, valid or not; a final line break does not add an empty one."""
        text = self.text().removesuffix("\n")
        return tuple(text.split("\n")) if text else ()

    def set_tokens(self, tokens: Iterable[str]) -> None:
        """Replace the tokens."""
        self.setPlainText("\n".join(tokens))
        self._fit_height()  # also while signals are blocked

    def changeEvent(self, event: QEvent) -> None:
        """Fit the height to the new font or style."""
        super().changeEvent(event)
        if event.type() in (FONT_CHANGE, STYLE_CHANGE):
            self._fit_height()

    def _fit_height(self) -> None:
        lines = min(max(1, self.blockCount()), _MAX_LINES)
        frame = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 1
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + frame)
