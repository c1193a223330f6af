"""The text with the tokens of up to four tokenizers, side by side or one below the other."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import LiveText
from bpe_gui.gui.edit_history import EditHistory
from bpe_gui.gui.look.layouts import HeaderCount, PanelHeader, SectionTitle, gapless_column
from bpe_gui.gui.look.lifetime import Updating, weakly
from bpe_gui.gui.look.qt_constants import HORIZONTAL, VERTICAL
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import MarkLabel, name_widget, splitter
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.session.selection import Selected, ids_of
from bpe_gui.gui.views.editor.token_edit import TokenEdit, token_view
from bpe_gui.gui.views.editor.token_layer import SpansIn
from bpe_gui.gui.views.token_id_view import TokenIdView
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens

from .compared import Compared

_HEIGHTS = (300, 140)  # pixels, of the text and its ids
_MIN_HEIGHT = 30  # pixels of each, so that four texts above one another fit in a short window

SpansOf = Callable[[Compared, int, int], list[tuple[int, int]]]
"""Returns the marked spans in the text of a tokenizer, near a range of bytes."""


class TextColumn(QWidget):
    """A title with statistics, the text, and optionally the ids. `letter` identifies the tokenizer in the window.

    - `token_chosen(token)`: the user clicked a token, given as `Selected`.
    - `edited(item, start, removed, added)`: the user has edited the text of `item`; in bytes.
    - `files_dropped(paths)`: files were dropped on the text.
    - `warned(words)`: the user should know something about what was copied.
    """

    token_chosen = Signal(Selected)
    edited = Signal(object, int, int, int)
    files_dropped = Signal(list)
    warned = Signal(str)
    scrolled = Signal()

    def __init__(self, item: Compared, letter: str, theme: Theme, spans_of: SpansOf, history: EditHistory) -> None:
        super().__init__()
        self.setObjectName(f"comparedColumn{letter}")
        self.item = item
        self._spans_in: SpansIn = partial(spans_of, item)
        self._mark = MarkLabel(theme, f"comparedMark{letter}", self)
        self._title = SectionTitle("", f"comparedTitle{letter}")
        self._numbers = name_widget(HeaderCount(elides=True), f"comparedNumbers{letter}")
        self.edit = TokenEdit(name=f"comparedText{letter}")
        self._view = token_view(self.edit, f"comparedTokens{letter}")
        self.edit.tokens.set_color_mode(ColorMode.BY_TOKEN)
        self.ids = name_widget(TokenIdView(), f"comparedIds{letter}")
        self.ids.set_color_mode(ColorMode.BY_TOKEN)
        for part in (self._view, self.ids):
            part.setMinimumHeight(_MIN_HEIGHT)
        self._source: LiveTokens | None = None
        parts = splitter(VERTICAL, f"comparedSplitter{letter}", self._view, self.ids, sizes=_HEIGHTS)
        gapless_column(self, PanelHeader(self._title, count=self._numbers, mark=self._mark), (parts, 1))
        self.edit.rows.changed.connect(self.scrolled)
        self.edit.text_edited.connect(self._pass_edit)
        self.edit.files_dropped.connect(self.files_dropped)
        self.ids.warned.connect(self.warned)
        self.edit.token_clicked.connect(self._choose)
        self.ids.token_clicked.connect(self._choose)
        self.edit.token_hovered.connect(self.ids.set_highlight)
        self.ids.token_hovered.connect(self.edit.tokens.set_highlight)
        theme.keep_font(theme.token_font, self.edit, self.ids)
        theme.keep_font(theme.number_font, self._numbers)
        theme.keep(lambda edit: edit.set_palette_colors(theme.token_palette()), self.edit)
        theme.keep(lambda ids: ids.set_palette_colors(theme.token_palette()), self.ids)
        self.show_tokenizer(history)

    # -- the text ---------------------------------------------------------------------------------------------------

    def show_tokenizer(self, history: EditHistory) -> None:
        """Show the current text, whose edits are in `history`, and its tokens."""
        text = LiveText() if self.item.text is None else self.item.text
        tokenizer = self.item.tokenizer
        if tokenizer is None:
            self._source = LiveTokens(text)
        else:
            self._source = LiveTokens.of(text, tokenizer, UNKNOWN_ID, self.tr("unknown symbol"))
            self.ids.set_largest_id(tokenizer.largest_id)
        self.ids.set_source(self._source)
        self.edit.set_source(self._source, history)
        self.edit.tokens.set_found(self._spans_in)

    def follow_edit(self, start: int, removed: int, added: int) -> None:
        """Show an edit already made in the text."""
        with QSignalBlocker(self):
            self.edit.follow_edit(start, removed, added)
        self.ids.tokens_changed()

    def _pass_edit(self, start: int, removed: int, added: int) -> None:
        self.edited.emit(self.item, start, removed, added)

    def tokens_changed(self) -> None:
        """Show that more tokens are known, or differ from others."""
        self.edit.tokens.tokens_changed()
        self.ids.tokens_changed()

    # -- highlights -------------------------------------------------------------------------------------------------

    def mark(self, selected: Selected | None) -> None:
        """Mark every occurrence of the selected token or pair."""
        tokenizer = self.item.tokenizer
        ids = ids_of(selected, tokenizer) if selected is not None and tokenizer is not None else ()
        self.edit.tokens.set_marked_ids(ids)
        self.ids.set_marked_ids(ids)

    def select(self, start: int, stop: int) -> None:
        """Select a span and its ids, without emitting scroll signals."""
        with QSignalBlocker(self):
            self.edit.set_selection(start, stop)
        if self._source is not None:
            first, count = self._source.text.count_in(start, stop)
            if first is not None and count:
                self.ids.set_current(first)
                self.ids.set_selection(first, first + count)

    def scroll_to(self, offset: int, rows_above: int = 0) -> None:
        """Scroll the row of an offset to the top, or to `rows_above` rows below it, without emitting signals."""
        with QSignalBlocker(self):
            self.edit.rows.scroll_to(offset, rows_above)

    def show_title(self, title: str, numbers: str, mark: int | None) -> None:
        """Show the tokenizer's name, its statistics and its mark."""
        self._mark.show_mark(mark)
        self._title.setText(title)
        for part in (self._view, self.edit):
            part.setAccessibleName(self.tr("Text by {name}").format(name=title))
        self.ids.setAccessibleName(self.tr("Ids by {name}").format(name=title))
        self._numbers.setText(numbers)

    def _choose(self, index: int) -> None:
        tokenizer = self.item.tokenizer
        if self._source is None or tokenizer is None or not 0 <= index < len(self._source):
            return
        token = self._source.slice(index, index + 1)[0]
        if not token.unknown:
            self.token_chosen.emit(Selected(tokenizer.token(token.id), token.special))


_NARROWEST = 170  # minimum pixels for a column
_SHARE_ABOVE = 3  # a difference that was out of view is shown with a third of the page above it


class TextsPanel(QWidget):
    """The columns, which scroll together. The signals are those of the columns."""

    token_chosen = Signal(Selected)
    edited = Signal(object, int, int, int)
    files_dropped = Signal(list)
    warned = Signal(str)

    def __init__(self, theme: Theme, spans_of: SpansOf) -> None:
        super().__init__()
        self._theme = theme
        self._spans_of = spans_of
        self._scrolling = Updating()
        self._splitter = splitter(HORIZONTAL, "comparedTexts")
        gapless_column(self, self._splitter)
        self.columns: list[TextColumn] = []
        self._shows_ids = False

    def show_items(self, items: Sequence[Compared], letters: Sequence[str], history: EditHistory) -> None:
        """Show these tokenizers, each with its letter; columns already shown are kept."""
        if [column.item for column in self.columns] == list(items):
            for column in self.columns:
                column.show_tokenizer(history)
            return
        top = self.top
        for column in self.columns:
            column.blockSignals(True)  # it scrolls as it goes
            column.setParent(None)
            column.deleteLater()
        pairs = zip(items, letters, strict=True)
        self.columns = [TextColumn(*pair, self._theme, self._spans_of, history) for pair in pairs]
        for place, column in enumerate(self.columns):
            self._splitter.addWidget(column)
            column.ids.setVisible(self._shows_ids)
            column.scrolled.connect(weakly(self._follow, place))
            column.token_chosen.connect(self.token_chosen)
            column.edited.connect(self.edited)
            column.files_dropped.connect(self.files_dropped)
            column.warned.connect(self.warned)
        self._arrange()
        self._splitter.setSizes([1_000] * len(self.columns))
        for column in self.columns:
            column.scroll_to(top)

    def set_ids_visible(self, visible: bool) -> None:
        self._shows_ids = visible
        for column in self.columns:
            column.ids.setVisible(visible)

    def tokens_changed(self) -> None:
        """Show that more tokens are known, or differ from others."""
        for column in self.columns:
            column.tokens_changed()

    def follow_edit(self, edited: Compared | None, start: int, removed: int, added: int) -> None:
        """Show an edit already made in all texts; that of `edited`, where the user made it, shows it."""
        for column in self.columns:
            if column.item is edited:
                column.ids.tokens_changed()
            else:
                column.follow_edit(start, removed, added)

    def mark(self, selected: Selected | None) -> None:
        """Mark every occurrence of the selected token or pair."""
        for column in self.columns:
            column.mark(selected)

    def go_to(self, start: int, stop: int) -> None:
        """Select a span in all texts, and scroll to it unless it is visible."""
        if not self.columns:
            return
        with self._scrolling:
            top, bottom = self.columns[0].edit.rows.visible_span()
            is_in_view = top <= start and stop <= bottom
            for column in self.columns:
                column.select(start, stop)
                if is_in_view:
                    column.scroll_to(top)
                else:
                    column.scroll_to(start, column.edit.rows.rows_per_page() // _SHARE_ABOVE)

    @property
    def top(self) -> int:
        """The first visible offset; 0 without columns."""
        return self.columns[0].edit.rows.visible_span()[0] if self.columns else 0

    def _follow(self, scrolled: int) -> None:
        """Scroll the other columns to the position of this one."""
        if self._scrolling:
            return
        with self._scrolling:
            top = self.columns[scrolled].edit.rows.visible_span()[0]
            for place, column in enumerate(self.columns):
                if place != scrolled:
                    column.scroll_to(top)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the columns if they would be too narrow side by side."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        fits = self.width() >= _NARROWEST * len(self.columns)
        orientation = HORIZONTAL if fits else VERTICAL
        if orientation != self._splitter.orientation():
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes([1_000] * len(self.columns))
