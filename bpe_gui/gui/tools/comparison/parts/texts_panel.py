"""The text with the tokens of up to four tokenizers, side by side or one below the other."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.lifetime import Updating, weakly
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import splitter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tools.comparison.compared import Compared
from bpe_gui.gui.views.editor.token_layer import SpansIn

from .text_column import TextColumn

_NARROWEST = 170  # pixels that a column needs
_SHARE_ABOVE = 3  # a difference that was out of view is shown with a third of the page above it


class TextsPanel(QWidget):
    """The columns, which scroll together. `token_chosen(token)`: the user clicked on a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, theme: Theme, spans_in: SpansIn) -> None:
        super().__init__()
        self._theme = theme
        self._spans_in = spans_in
        self._scrolling = Updating()
        self._splitter = splitter(Qt.Orientation.Horizontal, "comparedTexts")
        gapless_column(self).addWidget(self._splitter)
        self.columns: list[TextColumn] = []
        self._shows_ids = False

    def show_items(self, items: Sequence[Compared], letters: Sequence[str]) -> None:
        """Show these, each with its letter; columns that were shown stay as they are."""
        if [column.item for column in self.columns] == list(items):
            for column in self.columns:
                column.show_tokenizer()
            return
        top = self.columns[0].edit.rows.visible_span()[0] if self.columns else 0
        for column in self.columns:
            column.setParent(None)
            column.deleteLater()
        self.columns = [TextColumn(*pair, self._theme, self._spans_in) for pair in zip(items, letters, strict=True)]
        for place, column in enumerate(self.columns):
            self._splitter.addWidget(column)
            column.ids.setVisible(self._shows_ids)
            column.scrolled.connect(weakly(self._follow, place))
            column.token_chosen.connect(self.token_chosen)
        self._arrange()
        self._splitter.setSizes([1_000] * len(self.columns))
        for column in self.columns:
            column.scroll_to(top)

    def set_ids_visible(self, visible: bool) -> None:
        """Show the ids below each text, or hide them."""
        self._shows_ids = visible
        for column in self.columns:
            column.ids.setVisible(visible)

    def tokens_changed(self) -> None:
        """Show that more tokens are known, or differ from others."""
        for column in self.columns:
            column.tokens_changed()

    def follow_edit(self, start: int, removed: int, added: int) -> None:
        """Show an edit that all texts have seen."""
        for column in self.columns:
            column.follow_edit(start, removed, added)

    def mark(self, selected: Selected | None) -> None:
        """Mark every occurrence of the selected token or pair."""
        for column in self.columns:
            column.mark(selected)

    def go_to(self, start: int, stop: int) -> None:
        """Select a span in all texts, and scroll there unless it is in view."""
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
        """The first offset in view; 0 without a column."""
        return self.columns[0].edit.rows.visible_span()[0] if self.columns else 0

    def _follow(self, scrolled: int) -> None:
        """Scroll the other columns to where the one at this place is."""
        if self._scrolling:
            return
        with self._scrolling:
            top = self.columns[scrolled].edit.rows.visible_span()[0]
            for place, column in enumerate(self.columns):
                if place != scrolled:
                    column.scroll_to(top)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the columns below each other where they would be too narrow."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        fits = self.width() >= _NARROWEST * len(self.columns)
        orientation = Qt.Orientation.Horizontal if fits else Qt.Orientation.Vertical
        if orientation != self._splitter.orientation():
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes([1_000] * len(self.columns))
