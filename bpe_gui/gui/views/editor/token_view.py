"""The view of a text and its tokens."""

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.gui.look.palette import TokenPalette
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_text import Cell
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens

_LANGUAGE_CHANGE = QEvent.Type.LanguageChange
_FONT_CHANGE = QEvent.Type.FontChange


class TokenView(QWidget):
    """Text and its tokens: the methods and signals are those of the editor inside (see `TokenEdit`)."""

    text_edited = Signal(int, int, int)
    token_hovered = Signal(int)
    token_clicked = Signal(int)
    caret_moved = Signal(int)
    selection_changed = Signal(int, int)
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
        self._edit.caret_moved.connect(self.caret_moved)
        self._edit.selection_changed.connect(self.selection_changed)
        self._edit.files_dropped.connect(self.files_dropped)
        self._retranslate()

    def text(self) -> str:
        """The text."""
        return self._edit.toPlainText()

    def set_source(self, source: LiveTokens, *, flash: bool = False) -> None:
        """Show another text from its start on, without marks; or the same with other tokens, which may flash."""
        self._edit.set_source(source, flash=flash)

    def tokens_changed(self) -> None:
        """The tokens of the text are others now."""
        self._edit.tokens_changed()

    def replace_text(self, text: str) -> None:
        """Put another text in place of the present one, which can be undone."""
        self._edit.selectAll()
        self._edit.insertPlainText(text)

    def set_highlight(self, number: int) -> None:
        """Outline one token, as hovering over it does; -1 for none."""
        self._edit.set_highlight(number)

    def set_marked_ids(self, token_id: int | None) -> None:
        """Outline every token of this id."""
        self._edit.set_marked_ids(token_id)

    def set_whitespace_visible(self, visible: bool) -> None:
        """Show signs for spaces, tabs and line breaks."""
        self._edit.set_whitespace_visible(visible)

    def set_word_boundaries_visible(self, visible: bool) -> None:
        """Mark where words (pre-tokens) begin."""
        self._edit.set_word_boundaries_visible(visible)

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour by position, or the same token in the same colour."""
        self._edit.set_color_mode(mode)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._edit.set_palette_colors(palette)

    @property
    def caret(self) -> int:
        """The place of the caret, in bytes."""
        return self._edit.place

    def set_caret(self, place: int) -> None:
        """Put the caret there, and scroll to it."""
        self._edit.set_caret(place)

    @property
    def selection(self) -> tuple[int, int]:
        """Start and stop of what is selected, in bytes."""
        return self._edit.selection

    def set_selection(self, start: int, stop: int) -> None:
        """Select a part of the text, and scroll to it."""
        self._edit.set_selection(start, stop)

    def visible_span(self) -> tuple[int, int]:
        """Start and stop of the text in view, in bytes."""
        return self._edit.visible_span()

    def token_at(self, point: QPoint) -> int:
        """Number of the token at a point of the editor's viewport, or -1."""
        return self._edit.token_at(point)

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
