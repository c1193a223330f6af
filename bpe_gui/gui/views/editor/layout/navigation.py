"""From one place in a text to the next: by characters, words, rows, and in the direction that the eye follows.

Places are bytes of the UTF-8, between two grapheme clusters.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTextBoundaryFinder
from PySide6.QtGui import QTextLayout

from bpe_gui.gui.views.editor.layout.segment_layout import SegmentLayout
from bpe_gui.gui.views.editor.layout.text_rows import Row, TextRows

_WORDS: Final = QTextLayout.CursorMode.SkipWords
_WORD_ENDS: Final = QTextBoundaryFinder.BoundaryType.Word


class TextSteps:
    """The steps that a caret makes in a text."""

    def __init__(self, rows: TextRows) -> None:
        self._rows = rows

    def next_place(self, place: int) -> int:
        """Behind the grapheme cluster at a place; `\\r\\n` is one."""
        if place >= self._size():
            return self._size()
        segment, position = self._rows.position(place)
        return self._rows.place(segment, self._rows.layout(segment).cluster(position)[1])

    def previous_place(self, place: int) -> int:
        """Before the grapheme cluster that ends at a place."""
        if place <= 0:
            return 0
        segment, position = self._rows.position(place - 1)
        return self._rows.place(segment, self._rows.layout(segment).cluster(position)[0])

    def next_word(self, place: int) -> int:
        """Where the next word begins, or the line ends."""
        segment, position = self._rows.position(place)
        layout = self._rows.layout(segment)
        if position >= layout.text.length:
            return self._rows.index.span(segment)[1]
        return self._rows.place(segment, _outside(layout, layout.layout.nextCursorPosition(position, _WORDS)))

    def previous_word(self, place: int) -> int:
        """Where the word at or before a place begins, or the line before ends."""
        segment, position = self._rows.position(place)
        if position == 0:
            before = self.previous_place(place)
            if segment == 0 or self._rows.layout(segment - 1).text.line_end:
                return before
            segment, position = self._rows.position(before)
        layout = self._rows.layout(segment)
        target = layout.layout.previousCursorPosition(position, _WORDS)
        return self._rows.place(segment, layout.cluster(target)[0] if target < layout.text.length else target)

    def left_of(self, place: int) -> int:
        """The next place on the left, as the text is read by the eye."""
        return self._beside(place, is_left=True)

    def right_of(self, place: int) -> int:
        """The next place on the right, as the text is read by the eye."""
        return self._beside(place, is_left=False)

    def _beside(self, place: int, *, is_left: bool) -> int:
        segment, position = self._rows.position(place)
        layout = self._rows.layout(segment)
        step = layout.layout.leftCursorPosition if is_left else layout.layout.rightCursorPosition
        target = min(step(position), layout.text.length)
        while not layout.text.is_between_characters(target):
            target = step(target)
        if target != position:
            return self._rows.place(segment, target)
        return self.next_place(place) if is_left == layout.text.is_right_to_left else self.previous_place(place)

    def word_at(self, place: int) -> tuple[int, int]:
        """Start and stop of the word, or of what is between words, at a place; at the end of a line, of the last."""
        segment, position = self._rows.position(place)
        layout = self._rows.layout(segment)
        if not layout.text.length:
            return place, place
        finder = QTextBoundaryFinder(_WORD_ENDS, layout.text.shown)
        finder.setPosition(min(position, layout.text.length - 1) + 1)
        stop = finder.position() if finder.isAtBoundary() else finder.toNextBoundary()
        start = finder.toPreviousBoundary()
        return self._rows.place(segment, start), self._rows.place(segment, _outside(layout, stop))

    def line_at(self, place: int) -> tuple[int, int]:
        """Start and stop of the line around a place, with the line break that ends it."""
        return self._rows.index.line_at(place)

    def row_start(self, place: int) -> int:
        """Where the row of a place starts."""
        return self._rows.start_of(self._rows.row_of(place))

    def row_end(self, place: int) -> int:
        """The last place that is on the row of a place."""
        segment, number = self._rows.row_of(place)
        layout = self._rows.layout(segment)
        is_last = segment + 1 == len(self._rows.index) or layout.text.line_end
        if number + 1 == len(layout) and is_last:
            return self._rows.place(segment, layout.text.length)
        return self._rows.place(segment, layout.cluster(layout.stop(number) - 1)[0])

    def place_in(self, row: Row, x: float) -> int:
        """The place on a row that is nearest to `x`, which counts from the left edge of the text."""
        return self._rows.place(row.segment, self._rows.layout(row.segment).position_at(x, row.number))

    def _size(self) -> int:
        return self._rows.index.span(len(self._rows.index) - 1)[1]


def _outside(layout: SegmentLayout, position: int) -> int:
    """The position, or the one behind the character in which it is."""
    return position if layout.text.is_between_characters(position) else layout.cluster(position)[1]
