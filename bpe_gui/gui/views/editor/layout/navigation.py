"""Move from one offset in the text to another: by characters, words, rows and lines, and left or right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTextBoundaryFinder
from PySide6.QtGui import QTextLayout

from .segment_layout import SegmentLayout
from .text_rows import Row, TextRows

_WORDS: Final = QTextLayout.CursorMode.SkipWords
_WORD_BOUNDARIES: Final = QTextBoundaryFinder.BoundaryType.Word


class TextNavigation:
    """The moves of a caret through the text; every offset given and returned is between two grapheme clusters."""

    def __init__(self, rows: TextRows) -> None:
        self._rows = rows

    # -- characters -------------------------------------------------------------------------------------------------

    def next_character(self, offset: int) -> int:
        """Return the offset after the grapheme cluster at `offset`; `\\r\\n` is one cluster."""
        if offset >= self.text_end():
            return self.text_end()
        segment, position = self._rows.position(offset)
        return self._rows.offset(segment, self._rows.layout(segment).cluster(position)[1])

    def previous_character(self, offset: int) -> int:
        """Return the offset before the grapheme cluster that ends at `offset`."""
        if offset <= 0:
            return 0
        segment, position = self._rows.position(offset - 1)
        return self._rows.offset(segment, self._rows.layout(segment).cluster(position)[0])

    def left_of(self, offset: int) -> int:
        """Return the next offset to the left on the screen, whatever the direction of the text."""
        return self._beside(offset, is_left=True)

    def right_of(self, offset: int) -> int:
        """Return the next offset to the right on the screen, whatever the direction of the text."""
        return self._beside(offset, is_left=False)

    def _beside(self, offset: int, *, is_left: bool) -> int:
        segment, position = self._rows.position(offset)
        layout = self._rows.layout(segment)
        step = layout.layout.leftCursorPosition if is_left else layout.layout.rightCursorPosition
        target = min(step(position), layout.text.length)
        while not layout.text.is_between_characters(target):
            target = step(target)
        if target != position:
            return self._rows.offset(segment, target)
        is_forward = is_left == layout.text.is_right_to_left
        return self.next_character(offset) if is_forward else self.previous_character(offset)

    # -- words ------------------------------------------------------------------------------------------------------

    def next_word(self, offset: int) -> int:
        """Return where the next word begins, or where the line ends."""
        segment, position = self._rows.position(offset)
        layout = self._rows.layout(segment)
        if position >= layout.text.length:
            return self._rows.lines.span(segment)[1]
        return self._rows.offset(segment, _boundary_from(layout, layout.layout.nextCursorPosition(position, _WORDS)))

    def previous_word(self, offset: int) -> int:
        """Return where the word at or before `offset` begins, or where the line before ends."""
        segment, position = self._rows.position(offset)
        if position == 0:
            before = self.previous_character(offset)
            if segment == 0 or self._rows.layout(segment - 1).text.line_end:
                return before
            segment, position = self._rows.position(before)
        layout = self._rows.layout(segment)
        target = layout.layout.previousCursorPosition(position, _WORDS)
        return self._rows.offset(segment, layout.cluster(target)[0] if target < layout.text.length else target)

    def word_at(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the word, or the stretch between words, at `offset`; at a line's end, the last."""
        segment, position = self._rows.position(offset)
        layout = self._rows.layout(segment)
        if not layout.text.length:
            return offset, offset
        finder = QTextBoundaryFinder(_WORD_BOUNDARIES, layout.text.shown)
        finder.setPosition(min(position, layout.text.length - 1) + 1)
        stop = finder.position() if finder.isAtBoundary() else finder.toNextBoundary()
        start = finder.toPreviousBoundary()
        return self._rows.offset(segment, start), self._rows.offset(segment, _boundary_from(layout, stop))

    # -- lines and rows ---------------------------------------------------------------------------------------------

    def line_at(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the line around `offset`, including the line break that ends it."""
        return self._rows.lines.line_at(offset)

    def line_body(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the line around `offset`, without the line break that ends it."""
        start, stop = self.line_at(offset)
        segment = self._rows.lines.segment_of(max(start, stop - 1))
        return start, stop - len(self._rows.layout(segment).text.line_end)

    def row_start(self, offset: int) -> int:
        """Return the first offset on the row of `offset`."""
        return self._rows.start_of(self._rows.row_of(offset))

    def row_end(self, offset: int) -> int:
        """Return the last offset at which a caret is on the row of `offset`."""
        segment, number = self._rows.row_of(offset)
        layout = self._rows.layout(segment)
        is_end_of_line = segment + 1 == len(self._rows.lines) or layout.text.line_end
        if number + 1 == len(layout) and is_end_of_line:
            return self._rows.offset(segment, layout.text.length)
        return self._rows.offset(segment, layout.cluster(layout.stop(number) - 1)[0])

    def below(self, offset: int, x: float, rows: int = 1) -> int:
        """Return the offset nearest to `x` on another row, `rows` rows further down, or up if negative.

        The move is clamped to the text; if that leaves it on the same row, return `offset` itself.
        """
        row = self._rows.row_of(offset)
        target = self._rows.moved(row, rows)
        return offset if target == row else self.offset_in(target, x)

    def offset_in(self, row: Row, x: float) -> int:
        """Return the offset on a row that is nearest to `x`, in pixels from the left edge of the text."""
        return self._rows.offset(row.segment, self._rows.layout(row.segment).position_at(x, row.number))

    def text_end(self) -> int:
        """Return the offset at the end of the text."""
        return self._rows.lines.span(len(self._rows.lines) - 1)[1]


def _boundary_from(layout: SegmentLayout, position: int) -> int:
    """Return `position`, or the end of the cluster if it is inside a character."""
    return position if layout.text.is_between_characters(position) else layout.cluster(position)[1]
