"""A text of any size in rows: only what is asked for is laid out, the rest is estimated."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QFont

from bpe_gui.gui.views.editor.layout.line_index import IntArray, Readable, index_of
from bpe_gui.gui.views.editor.layout.segment_layout import Preedit, RowMetrics, SegmentLayout
from bpe_gui.gui.views.editor.layout.segment_text import SegmentText

_KEPT: Final = 256  # segments that stay laid out


class Row(NamedTuple):
    """A row of the text: the `number`-th of a segment."""

    segment: int
    number: int


class TextRows:
    """The rows of a text in some width. Places are bytes of the text's UTF-8."""

    def __init__(self, text: Readable, font: QFont, width: float) -> None:
        self._text = text
        self._font = font
        self._width = width
        self._preedit: tuple[int, Preedit] | None = None  # with its segment
        self._layouts: OrderedDict[int, SegmentLayout] = OrderedDict()
        self.index = index_of(text)
        self._refit()

    def _refit(self) -> None:
        self._layouts.clear()
        self.metrics = RowMetrics.of(self._font)
        self._counts = self._estimated(self.index.columns)

    def _estimated(self, columns: IntArray) -> IntArray:
        """Rows of segments that take so many columns, about."""
        per_row = max(1, int(self._width / self.metrics.column) - 1)
        return np.maximum(1, -(-columns // per_row)).astype(np.int32)

    def set_font(self, font: QFont) -> None:
        """Lay out in another font."""
        self._font = font
        self._refit()

    def set_width(self, width: float) -> None:
        """Lay out in another width."""
        if width != self._width:
            self._width = width
            self._refit()

    def replaced(self, start: int, removed: int, added: int) -> None:
        """Follow an edit of the text, which is made already: `removed` bytes at `start` gave way to `added` others.

        What was being composed is gone: it stood in the text of before.
        """
        self.set_preedit("", 0, 0)
        change = self.index.replaced(start, removed, added)
        stop = change.first + change.removed
        columns = self.index.columns[change.first : change.first + change.added]
        self._counts = np.concatenate((self._counts[: change.first], self._estimated(columns), self._counts[stop:]))
        moved = change.added - change.removed
        self._layouts = OrderedDict(
            (segment if segment < stop else segment + moved, layout)
            for segment, layout in self._layouts.items()
            if not change.first <= segment < stop
        )

    def set_preedit(self, text: str, cursor: int, place: int) -> None:
        """Make room at a place for what an input method composes there, with its caret at UTF-16 unit `cursor`."""
        if self._preedit is not None:
            self._layouts.pop(self._preedit[0], None)
            self._preedit = None
        if text:
            segment = self.index.segment_of(place)
            self._preedit = segment, Preedit(text, cursor, place - self.index.span(segment)[0])
            self._layouts.pop(segment, None)

    @property
    def is_composing(self) -> bool:
        """Whether there is room for what an input method composes."""
        return self._preedit is not None

    def layout(self, segment: int) -> SegmentLayout:
        """A segment laid out."""
        known = self._layouts.get(segment)
        if known is not None:
            self._layouts.move_to_end(segment)
            return known
        preedit = self._preedit[1] if self._preedit is not None and self._preedit[0] == segment else None
        text = SegmentText(self._text.read(*self.index.span(segment)))
        layout = SegmentLayout(text, self._font, self.metrics, self._width, preedit)
        self._layouts[segment] = layout
        if len(self._layouts) > _KEPT:
            self._layouts.popitem(last=False)
        self._counts[segment] = len(layout)
        return layout

    # -- rows -------------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many rows there are, about."""
        return int(self._counts.sum(dtype=np.int64))

    def number(self, row: Row) -> int:
        """How many rows stand before a row, about."""
        return int(self._counts[: row.segment].sum(dtype=np.int64)) + row.number

    def at_number(self, number: int) -> Row:
        """The row before which so many stand, about."""
        ends = np.cumsum(self._counts, dtype=np.int64)
        segment = min(int(np.searchsorted(ends, np.int64(number), "right")), len(ends) - 1)
        before = int(ends[segment]) - int(self._counts[segment])
        return Row(segment, min(max(0, number - before), len(self.layout(segment)) - 1))

    def last(self) -> Row:
        """The last row of the text."""
        segment = len(self.index) - 1
        return Row(segment, len(self.layout(segment)) - 1)

    def moved(self, row: Row, distance: int) -> Row:
        """The row so many rows further down, or up if negative, within the text."""
        segment, number = row.segment, row.number + distance
        while number < 0 and segment > 0:
            segment -= 1
            number += len(self.layout(segment))
        while number >= (size := len(self.layout(segment))) and segment + 1 < len(self.index):
            number -= size
            segment += 1
        return Row(segment, min(max(0, number), size - 1))

    def below(self, row: Row) -> Iterator[tuple[int, SegmentLayout]]:
        """The segments from that of a row on, laid out one by one."""
        for segment in range(row.segment, len(self.index)):
            yield segment, self.layout(segment)

    # -- places and rows --------------------------------------------------------------------------------------------

    def row_of(self, place: int) -> Row:
        """The row on which the character at a place is."""
        segment = self.index.segment_of(place)
        layout = self.layout(segment)
        return Row(segment, layout.row_of(layout.text.position(place - self.index.span(segment)[0])))

    def start_of(self, row: Row) -> int:
        """The place at which a row starts."""
        layout = self.layout(row.segment)
        return self.place(row.segment, layout.starts[row.number])

    def stop_of(self, row: Row) -> int:
        """The place behind a row, with the line break that ends it."""
        layout = self.layout(row.segment)
        return self.place(row.segment, layout.stop(row.number))

    def place(self, segment: int, position: int) -> int:
        """The place of a position in a segment."""
        return self.index.span(segment)[0] + self.layout(segment).text.byte(position)

    def position(self, place: int) -> tuple[int, int]:
        """The segment and the position in it of the character that holds the byte at `place`."""
        segment = self.index.segment_of(place)
        return segment, self.layout(segment).text.position(place - self.index.span(segment)[0])

    def cut_characters(self, start: int, stop: int) -> list[str]:
        """The characters of which the bytes [start, stop) hold some but not all."""
        found: dict[int, str] = {}
        for edge in (start, stop):
            segment = self.index.segment_of(edge)
            begin, text = self.index.span(segment)[0], self.layout(segment).text
            if text.is_inside_character(edge - begin):
                lead = begin + text.byte(text.position(edge - begin))
                found[lead] = text.character(lead - begin)
        return list(found.values())
