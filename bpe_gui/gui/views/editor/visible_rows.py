"""The visible rows of the text, and the scroll bar that moves them."""

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QScrollBar

from bpe_gui.gui.look.layouts import MARGIN
from bpe_gui.gui.look.lifetime import Updating

from .line_index import Utf8Text
from .text_rows import Row, TextRows

_EXACT_PAGES: Final = 4  # up to this distance, the bar scrolls by laid-out rows, beyond it by estimated ones


class VisibleRows(QObject):
    """The rows visible in a viewport of some size.

    Offsets are bytes of the text's UTF-8; points are in viewport coordinates. The scroll bar counts rows, most of them
    estimated, so the scroll position is kept as the offset of the first row, and the bar follows.
    """

    changed = Signal()
    """Rows were scrolled or laid out again."""

    margin: Final = MARGIN
    """Pixels between the edges of the viewport and the text."""

    def __init__(
        self, text: Utf8Text, bar: QScrollBar, font: QFont, size: QSize, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._font = font
        self.size = size
        """The size of the viewport."""
        self._top = 0  # an offset on the first visible row
        self._top_row: Row | None = None  # that row, until something changes
        self._carets: dict[int, QRectF] = {}  # `caret_rect` of each offset, until something changes
        self._value = 0  # of the bar, for that row
        self._syncing = Updating()
        self._show(text)
        bar.valueChanged.connect(self._follow_bar)
        bar.sliderReleased.connect(self._sync_bar)

    def _show(self, text: Utf8Text) -> None:
        self.all_rows = TextRows(text, self._font, self._text_width())

    # -- changes ----------------------------------------------------------------------------------------------------

    def set_text(self, text: Utf8Text) -> None:
        """Show another text from its start."""
        self._show(text)
        self._top = 0
        self._update()

    def replaced(self, start: int, removed: int, added: int) -> None:
        """Follow an edit: `added` bytes replaced `removed` bytes at `start`. The first visible row stays in place."""
        self.all_rows.replaced(start, removed, added)
        if start + removed <= self._top and start < self._top:
            self._top += added - removed
        elif start < self._top:
            self._top = start
        self._update()

    def set_preedit(self, text: str, cursor: int, offset: int) -> None:
        """Show the text that an input method is composing at `offset`, with its caret at the UTF-16 index `cursor`."""
        self.all_rows.set_preedit(text, cursor, offset)
        self._update()

    def set_font(self, font: QFont) -> None:
        """Show the text in another font; the first visible row stays in view."""
        self._font = font
        self.all_rows.set_font(font)
        self._update()

    def keep_whole(self, texts: Collection[str]) -> None:
        """Wrap inside none of these texts that fits in a row, from now on."""
        if self.all_rows.keep_whole(texts):
            self._update()

    def set_size(self, size: QSize) -> None:
        """Wrap the text for another viewport size; the first visible row stays in view."""
        self.size = size
        self.all_rows.set_width(self._text_width())
        self._update()

    def _text_width(self) -> float:
        return self.size.width() - 2.0 * self.margin

    def _update(self) -> None:
        self._top_row = None
        self._sync_bar()
        self._carets.clear()
        self.changed.emit()

    # -- scrolling --------------------------------------------------------------------------------------------------

    @property
    def height(self) -> float:
        """The pixels of the viewport from the top of the first row down."""
        return self.size.height() - self.margin

    def rows_per_page(self) -> int:
        """Return how many complete rows fit in the viewport, at least one."""
        return max(1, int(self.height / self.all_rows.metrics.height))

    def top_row(self) -> Row:
        if self._top_row is None:
            self._top_row = min(self.all_rows.row_of(self._top), self._last_top_row())
        return self._top_row

    def visible_span(self) -> tuple[int, int]:
        """Return start and stop of the visible text."""
        top = self.top_row()
        bottom = self.all_rows.moved(top, self.rows_per_page() - 1)
        return self.all_rows.start_of(top), self.all_rows.stop_of(bottom)

    def scroll_rows(self, count: int) -> None:
        """Scroll down by `count` rows, or up if negative."""
        self._bar.setValue(self._bar.value() + count)

    def scroll_page(self, *, down: bool) -> None:
        self.scroll_rows(self._bar.pageStep() if down else -self._bar.pageStep())

    def ensure_visible(self, offset: int) -> None:
        """Scroll as little as possible so that the row of `offset` is in view."""
        row, top = self.all_rows.row_of(offset), self.top_row()
        lowest_top = self.all_rows.moved(row, 1 - self.rows_per_page())
        if row < top:
            self._scroll_to(row)
        elif top < lowest_top:
            self._scroll_to(lowest_top)

    def scroll_to(self, offset: int, rows_above: int = 0) -> None:
        """Make the row of `offset` the first visible one, or show `rows_above` rows above it."""
        row = self.all_rows.moved(self.all_rows.row_of(offset), -rows_above)
        if row != self.top_row():
            self._scroll_to(row)

    def _last_top_row(self) -> Row:
        """Return the first visible row when the text is scrolled to its end."""
        return self.all_rows.moved(self.all_rows.last(), 1 - self.rows_per_page())

    def _scroll_to(self, row: Row) -> None:
        self._top = self.all_rows.start_of(min(row, self._last_top_row()))
        self._update()

    def _sync_bar(self) -> None:
        """Set the scroll bar to the first row in view, unless the user is dragging it."""
        if self._bar.isSliderDown():
            return
        page, top = self.rows_per_page(), self.top_row()
        self.all_rows.moved(top, page)  # lay out these rows, so that they are counted, not estimated
        last = self._last_top_row()
        maximum = max(self.all_rows.index_of(last), int(last > Row(0, 0)))
        self._value = maximum if top == last else min(self.all_rows.index_of(top), maximum - 1)
        with self._syncing:
            self._bar.setPageStep(page)
            self._bar.setRange(0, maximum)
            self._bar.setValue(self._value)

    def _follow_bar(self, value: int) -> None:
        if self._syncing:
            return
        distance = value - self._value
        self._value = value
        if value == self._bar.maximum():
            self._scroll_to(self._last_top_row())
        elif abs(distance) <= _EXACT_PAGES * self.rows_per_page() and value:
            self._scroll_to(self.all_rows.moved(self.top_row(), distance))
        else:
            self._scroll_to(self.all_rows.row_at(value))

    # -- offsets and points -----------------------------------------------------------------------------------------

    def offset_at(self, point: QPointF) -> int:
        """Return the grapheme cluster boundary nearest to a point."""
        rows_down = max(0, int((point.y() - self.margin) // self.all_rows.metrics.height))
        row = self.all_rows.moved(self.top_row(), rows_down)
        return self.all_rows.offset_in(row, point.x() - self.margin)

    def caret_rect(self, offset: int) -> QRectF:
        """Return the line of a caret at `offset`, one pixel wide; it may be outside the viewport.

        Qt tells input methods nothing of a rectangle without a width, so their candidates would be anywhere.
        """
        if offset not in self._carets:
            segment, position = self.all_rows.position(offset)
            x, number = self.all_rows.layout(segment).caret(position)
            rows_down = self.all_rows.index_of(Row(segment, number)) - self.all_rows.index_of(self.top_row())
            height = self.all_rows.metrics.height
            self._carets[offset] = QRectF(self.margin + x, self.margin + rows_down * height, 1, height)
        return self._carets[offset]

    def caret_x(self, offset: int) -> float:
        """Return the x coordinate of a caret at `offset`, from the left edge of the text."""
        return self.caret_rect(offset).x() - self.margin

    def inside(self, point: QPointF) -> QPointF:
        """Return the point in the viewport that is nearest to `point`."""
        return QPointF(
            min(max(point.x(), 0), self.size.width() - 1),
            min(max(point.y(), 0), self.size.height() - 1),
        )
