"""The view of text and its tokens that panels use."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from bpe_gui.gui.look.palette import TokenPalette
from bpe_gui.gui.look.qt_constants import FONT_CHANGE, LANGUAGE_CHANGE
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens

from .token_edit import TokenEdit
from .token_layer import SpansIn, TokenCells


class TokenView(QWidget):
    """Text and its tokens in an editor; the signals are those that `TokenEdit` and `VisibleRows` describe.

    Offsets are bytes of the text's UTF-8; a token is given as its index in the text, -1 for none.
    """

    text_edited = Signal(int, int, int)
    token_hovered = Signal(int)
    token_clicked = Signal(int)
    caret_moved = Signal(int)
    selection_changed = Signal(int, int)
    files_dropped = Signal(list)
    menu_opened = Signal(QMenu, int)
    scrolled = Signal()

    scrolled = Signal()
    """The text in view may be another."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        name: str = "tokenView",
        editor_name: str = "encodeInput",
        read_only: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._edit = TokenEdit(self, name=editor_name)
        self._edit.setReadOnly(read_only)
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
        self._edit.menu_opened.connect(self.menu_opened)
        self._edit.rows.changed.connect(self.scrolled)
        self._retranslate()

    # -- the text and its tokens ------------------------------------------------------------------------------------

    def text(self) -> str:
        """Return the text."""
        return self._edit.toPlainText()

    def set_source(self, source: LiveTokens, *, flash: bool = False, seam: int | None = None) -> None:
        """Show the text and tokens of `source`; scroll to the start if the text is another one.

        If it is the same text, `flash` makes the tokens flash that were not in view before, and `seam` their two parts
        draw together: the left one is so many bytes long.
        """
        self._edit.set_source(source, flash=flash, seam=seam)

    def tokens_changed(self) -> None:
        """Repaint, because the tokens of the text have changed."""
        self._edit.tokens.tokens_changed()

    def follow_edit(self, start: int, removed: int, added: int) -> None:
        """Show an edit of the text that another editor has made: `added` bytes replaced `removed` at `start`."""
        self._edit.follow_edit(start, removed, added)

    def replace_text(self, text: str) -> None:
        """Replace the whole text in one undoable step."""
        self._edit.selectAll()
        self._edit.insertPlainText(text)

    def visible_span(self) -> tuple[int, int]:
        """Return the start and stop offsets of the text in view."""
        return self._edit.rows.visible_span()

    def scroll_to(self, offset: int, rows_above: int = 0) -> None:
        """Make the row of `offset` the first in view, or show so many rows above it."""
        self._edit.rows.scroll_to(offset, rows_above)

    def rows_per_page(self) -> int:
        """Return how many whole rows are in view."""
        return self._edit.rows.rows_per_page()

    def token_at(self, point: QPoint) -> int:
        """Return the index of the token at a point of the editor's viewport; -1 if there is none."""
        return self._edit.tokens.token_at(QPointF(point))

    def cells(self) -> list[TokenCells]:
        """Return the cells of every token in view, in coordinates of the editor's viewport."""
        return self._edit.tokens.cells()

    # -- caret and selection ----------------------------------------------------------------------------------------

    @property
    def caret(self) -> int:
        """The offset of the caret."""
        return self._edit.selection.caret

    def set_caret(self, offset: int) -> None:
        """Move the caret and scroll to it."""
        self._edit.set_caret(offset)

    @property
    def selection(self) -> tuple[int, int]:
        """Start and stop of the selected text."""
        return self._edit.selection.span

    def set_selection(self, start: int, stop: int) -> None:
        """Select from `start` to `stop`, where the caret goes, and scroll to it."""
        self._edit.set_selection(start, stop)

    # -- appearance -------------------------------------------------------------------------------------------------

    def set_highlight(self, index: int) -> None:
        """Outline the token at an index, as hovering over it does; -1 for none."""
        self._edit.tokens.set_highlight(index)

    def set_marked_ids(self, ids: Sequence[int]) -> None:
        """Outline every token with one id, or every pair with two; nothing without any."""
        self._edit.tokens.set_marked_ids(ids)

    def set_found(self, spans_in: SpansIn | None) -> None:
        """Mark the matches of a search, given by a function that returns those in a part of the text; None for none."""
        self._edit.tokens.set_found(spans_in)

    def set_accessible_names(self, name: str) -> None:
        """Have screen readers announce a name."""
        self.setAccessibleName(name)
        self._edit.setAccessibleName(name)

    def set_whitespace_visible(self, visible: bool) -> None:
        """Show or hide glyphs for spaces, tabs and line breaks."""
        self._edit.tokens.set_whitespace_visible(visible)

    def set_word_boundaries_visible(self, visible: bool) -> None:
        """Show or hide marks where words (pre-tokens) begin."""
        self._edit.tokens.set_word_boundaries_visible(visible)

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour tokens by position, equal tokens alike, or words by the part of the splitter that took them."""
        self._edit.tokens.set_color_mode(mode)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Use the colours of a theme."""
        self._edit.set_palette_colors(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language, and pass the font on: under a style sheet Qt does not."""
        if event.type() == LANGUAGE_CHANGE:
            self._retranslate()
        elif event.type() == FONT_CHANGE:
            self._edit.setFont(self.font())
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Tokens in the text"))
