"""The view of a text and its tokens."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QVBoxLayout, QWidget

from .palette import TokenPalette
from .token_edit import Cell, TokenEdit
from .tokens import NO_TOKENS, ColorMode, Tokens

_LANGUAGE_CHANGE = QEvent.Type.LanguageChange
_FONT_CHANGE = QEvent.Type.FontChange


class TokenView(QWidget):
    """Text and its tokens: the methods and signals are those of the editor inside (see `TokenEdit`).

    They are repeated here so that texts too large for an editor can get another view behind the same face.
    """

    text_edited = Signal()
    token_hovered = Signal(int)
    token_clicked = Signal(int)
    caret_token_changed = Signal(int)
    files_dropped = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenView")
        self._edit = TokenEdit(self)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setFocusProxy(self._edit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._edit)
        self._edit.text_edited.connect(self.text_edited)
        self._edit.token_hovered.connect(self.token_hovered)
        self._edit.token_clicked.connect(self.token_clicked)
        self._edit.caret_token_changed.connect(self.caret_token_changed)
        self._edit.files_dropped.connect(self.files_dropped)
        self._retranslate()

    def text(self) -> str:
        """The text as it was set or typed; lines that were set end as they did there."""
        return self._edit.text()

    def set_text(self, text: str) -> None:
        """Replace the text; its tokens go, and no `text_edited` is emitted."""
        self._edit.set_text(text)

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint these tokens of the present text."""
        self._edit.set_tokens(tokens)

    def clear_tokens(self) -> None:
        """Show the text without tokens."""
        self._edit.set_tokens(NO_TOKENS)

    def set_highlight(self, index: int) -> None:
        """Outline one token, as hovering over it does; -1 for none."""
        self._edit.set_highlight(index)

    def set_marked_ids(self, token_id: int | None) -> None:
        """Outline every token of this id."""
        self._edit.set_marked_ids(token_id)

    def set_whitespace_visible(self, visible: bool) -> None:
        """Show signs for spaces, tabs and line breaks."""
        self._edit.set_whitespace_visible(visible)

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour by position, or the same token in the same colour."""
        self._edit.set_color_mode(mode)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._edit.set_palette_colors(palette)

    def token_at(self, pos: QPoint) -> int:
        """Index of the token at `pos`, in coordinates of the editor's viewport, or -1."""
        return self._edit.token_at(pos)

    def cells(self) -> list[Cell]:
        """What is painted of every token in the visible lines, in coordinates of the editor's viewport."""
        return self._edit.cells()

    def changeEvent(self, event: QEvent) -> None:
        """Follows the language, and hands on the font: under a style sheet Qt does not."""
        if event.type() == _LANGUAGE_CHANGE:
            self._retranslate()
        elif event.type() == _FONT_CHANGE:
            self._edit.setFont(self.font())
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Tokens of the text"))
