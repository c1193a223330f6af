"""A scroll area for a text of any size, of which only the rows in view are laid out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from bpe_gui.engine.live_text import LiveText

from bpe_gui.gui.views.editor.layout.line_index import Readable
from bpe_gui.gui.views.editor.layout.text_rows import Row, TextRows
from bpe_gui.gui.views.editor.layout.navigation import TextSteps

_FONT_CHANGE: Final = QEvent.Type.FontChange
_FEW_PAGES: Final = 4  # as far as this, scrolling goes row by row, so that no row is left out


class TextArea(QAbstractScrollArea):
    """Shows a text from some row on; where its places are in the viewport, and what place is where.

    Places are bytes of the text's UTF-8, points are in coordinates of the viewport. The scroll bar counts rows. What
    holds the view in its place is the place in the text at which the first row in view starts.
    """

    margin: Final = 8
    """Pixels between the viewport's edges and the text: the grid of the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = TextRows(LiveText(), self.font(), self._text_width())
        self._steps = TextSteps(self._rows)
        self._top = 0  # a place on the first row in view
        self._shown_value = 0  # what the scroll bar says of it
        self._is_syncing = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.verticalScrollBar().valueChanged.connect(self._follow_bar)
        self.verticalScrollBar().sliderReleased.connect(self._sync_bar)

    # -- the text ---------------------------------------------------------------------------------------------------

    def _set_text(self, text: Readable) -> None:
        """Show another text from its start on."""
        self._rows = TextRows(text, self.font(), self._text_width())
        self._steps = TextSteps(self._rows)
        self._top = 0
        self._lay_out()

    def text_replaced(self, start: int, removed: int, added: int) -> None:
        """The text was edited: `removed` bytes at `start` gave way to `added` others. What is in view stays there."""
        self._rows.replaced(start, removed, added)
        if start + removed <= self._top and start < self._top:
            self._top += added - removed
        elif start < self._top:
            self._top = start
        self._lay_out()

    def _lay_out(self) -> None:
        """Something changed that may move rows."""
        self._sync_bar()
        self.viewport().update()

    # -- scrolling --------------------------------------------------------------------------------------------------

    def rows_per_page(self) -> int:
        """How many whole rows are in view; at least one."""
        return max(1, int((self.viewport().height() - self.margin) / self._rows.metrics.height))

    def _top_row(self) -> Row:
        return min(self._rows.row_of(self._top), self._last_top_row())

    def _last_top_row(self) -> Row:
        """The first row in view when the last one is."""
        return self._rows.moved(self._rows.last(), 1 - self.rows_per_page())

    def _scroll_to(self, row: Row) -> None:
        self._top = self._rows.start_of(min(row, self._last_top_row()))
        self._lay_out()

    def _sync_bar(self) -> None:
        """Have the scroll bar say where the view is, unless somebody holds it."""
        bar = self.verticalScrollBar()
        if bar.isSliderDown():
            return
        page, top = self.rows_per_page(), self._top_row()
        self._rows.moved(top, page)  # so that these rows are counted, not estimated
        last = self._last_top_row()
        maximum = max(self._rows.number(last), int(last > Row(0, 0)))
        self._shown_value = maximum if top == last else min(self._rows.number(top), maximum - 1)
        self._is_syncing = True
        bar.setPageStep(page)
        bar.setRange(0, maximum)
        bar.setValue(self._shown_value)
        self._is_syncing = False

    def _follow_bar(self, value: int) -> None:
        if self._is_syncing:
            return
        distance = value - self._shown_value
        self._shown_value = value
        if value == self.verticalScrollBar().maximum():
            self._scroll_to(self._last_top_row())
        elif abs(distance) <= _FEW_PAGES * self.rows_per_page() and value:
            self._scroll_to(self._rows.moved(self._top_row(), distance))
        else:
            self._scroll_to(self._rows.at_number(value))

    def ensure_visible(self, place: int) -> None:
        """Scroll as little as it takes to have the row of a place in view."""
        row, top = self._rows.row_of(place), self._top_row()
        lowest_top = self._rows.moved(row, 1 - self.rows_per_page())
        if row < top:
            self._scroll_to(row)
        elif top < lowest_top:
            self._scroll_to(lowest_top)

    # -- where places are -------------------------------------------------------------------------------------------

    def place_at(self, point: QPointF) -> int:
        """The place between two grapheme clusters that is nearest to a point."""
        rows_down = max(0, int((point.y() - self.margin) // self._rows.metrics.height))
        row = self._rows.moved(self._top_row(), rows_down)
        return self._steps.place_in(row, point.x() - self.margin)

    def caret_rect(self, place: int) -> QRectF:
        """Where a caret at a place is; without width, and outside of the viewport if the place is not in view."""
        segment, position = self._rows.position(place)
        layout = self._rows.layout(segment)
        x, number = layout.caret(position)
        top = self._top_row()
        rows_down = self._rows.number(Row(segment, number)) - self._rows.number(top)
        height = self._rows.metrics.height
        return QRectF(self.margin + x, self.margin + rows_down * height, 0, height)

    def row_start(self, place: int) -> int:
        """Where the row of a place starts."""
        return self._steps.row_start(place)

    def row_end(self, place: int) -> int:
        """The last place that is on the row of a place."""
        return self._steps.row_end(place)

    def place_in_row_above(self, place: int, x: float, rows: int = 1) -> int:
        """The place so many rows above, nearest to `x`; on the first row the place itself."""
        return self._in_row(place, x, -rows)

    def place_in_row_below(self, place: int, x: float, rows: int = 1) -> int:
        """The place so many rows below, nearest to `x`; on the last row the place itself."""
        return self._in_row(place, x, rows)

    def _in_row(self, place: int, x: float, distance: int) -> int:
        row = self._rows.row_of(place)
        target = self._rows.moved(row, distance)
        return place if target == row else self._steps.place_in(target, x - self.margin)

    def next_place(self, place: int) -> int:
        """Behind the grapheme cluster at a place; `\\r\\n` is one."""
        return self._steps.next_place(place)

    def previous_place(self, place: int) -> int:
        """Before the grapheme cluster that ends at a place."""
        return self._steps.previous_place(place)

    def next_word(self, place: int) -> int:
        """Where the next word begins, or the line ends."""
        return self._steps.next_word(place)

    def previous_word(self, place: int) -> int:
        """Where the word at or before a place begins, or the line before ends."""
        return self._steps.previous_word(place)

    def left_of(self, place: int) -> int:
        """The next place on the left, as the text is read by the eye."""
        return self._steps.left_of(place)

    def right_of(self, place: int) -> int:
        """The next place on the right, as the text is read by the eye."""
        return self._steps.right_of(place)

    def word_at(self, place: int) -> tuple[int, int]:
        """Start and stop of the word, or of what is between words, at a place."""
        return self._steps.word_at(place)

    def line_at(self, place: int) -> tuple[int, int]:
        """Start and stop of the line around a place, with the line break that ends it."""
        return self._steps.line_at(place)

    # -- events -----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wraps anew; what is in view stays there."""
        super().resizeEvent(event)
        self._rows.set_width(self._text_width())
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Follows the font."""
        if event.type() == _FONT_CHANGE:
            self._rows.set_font(self.font())
            self._lay_out()
        super().changeEvent(event)

    def _text_width(self) -> float:
        return self.viewport().width() - 2.0 * self.margin
