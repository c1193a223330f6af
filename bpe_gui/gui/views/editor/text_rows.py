"""Lay out rows of a text of any size on demand, estimate the number of the others, and move between rows."""

import re
from collections import OrderedDict
from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QTextBoundaryFinder
from PySide6.QtGui import QFont, QTextLayout

from bpe_gui.engine import Int32Array
from bpe_gui.gui.system.exact_text import utf8_of

from .line_index import Utf8Text, index_of
from .segment_layout import Preedit, RowMetrics, SegmentLayout
from .segment_text import SegmentText

_CACHED_LAYOUTS: Final = 256
_WORDS: Final = QTextLayout.CursorMode.SkipWords
_WORD_BOUNDARIES: Final = QTextBoundaryFinder.BoundaryType.Word


class Row(NamedTuple):
    """The row with this `number`, from 0, in a segment."""

    segment: int
    number: int


class TextRows:
    """The rows of a text wrapped to some width in pixels, and caret movement through them.

    Moves return an offset between two grapheme clusters.
    """

    def __init__(self, text: Utf8Text, font: QFont, width: float) -> None:
        self._text = text
        self._font = font
        self._width = width
        self._preedit: tuple[int, Preedit] | None = None  # with its segment
        self._whole: re.Pattern[bytes] | None = None
        self._layouts: OrderedDict[int, SegmentLayout] = OrderedDict()  # by segment, most recently used last
        self.lines = index_of(text)
        self._measure()

    def _measure(self) -> None:
        self._layouts.clear()
        self.metrics = RowMetrics.of(self._font)
        self._counts = self._estimated_counts(self.lines.columns)

    def _estimated_counts(self, columns: Int32Array) -> Int32Array:
        """Return the approximate number of rows of segments with this many columns."""
        per_row = max(1, int(self._width / self.metrics.column) - 1)
        return np.maximum(1, -(-columns // per_row)).astype(np.int32)

    def set_font(self, font: QFont) -> None:
        """Lay out in another font."""
        self._font = font
        self._measure()

    def set_width(self, width: float) -> None:
        """Lay out in another width."""
        if width != self._width:
            self._width = width
            self._measure()

    def keep_whole(self, texts: Collection[str]) -> bool:
        """Wrap inside none of these texts that fits in a row, from now on; return whether that is a change."""
        longest_first = sorted(map(utf8_of, texts), key=len, reverse=True)
        whole = re.compile(b"|".join(map(re.escape, longest_first))) if texts else None
        is_new = whole != self._whole
        if is_new:
            self._whole = whole
            self._measure()
        return is_new

    def replaced(self, start: int, removed: int, added: int) -> None:
        """Follow an edit already made in the text: `added` bytes replaced `removed` bytes at `start`.

        This ends a composition, because its offset referred to the old text.
        """
        self.set_preedit("", 0, 0)
        change = self.lines.replaced(start, removed, added)
        stop = change.first + change.removed
        columns = self.lines.columns[change.first : change.first + change.added]
        new_counts = self._estimated_counts(columns)
        self._counts = np.concatenate((self._counts[: change.first], new_counts, self._counts[stop:]))
        shift = change.added - change.removed
        self._layouts = OrderedDict(
            (segment if segment < stop else segment + shift, layout)
            for segment, layout in self._layouts.items()
            if not change.first <= segment < stop
        )

    def set_preedit(self, text: str, cursor: int, offset: int) -> None:
        """Show the text that an input method is composing at `offset`, with its caret at the UTF-16 index `cursor`.

        An empty text ends the composition.
        """
        if self._preedit is not None:
            self._layouts.pop(self._preedit[0], None)
            self._preedit = None
        if text:
            segment = self.lines.segment_of(offset)
            self._preedit = segment, Preedit(text, cursor, offset - self.lines.span(segment)[0])
            self._layouts.pop(segment, None)

    @property
    def is_composing(self) -> bool:
        """Whether an input method is composing text here."""
        return self._preedit is not None

    def layout(self, segment: int) -> SegmentLayout:
        cached = self._layouts.get(segment)
        if cached is not None:
            self._layouts.move_to_end(segment)
            return cached
        preedit = self._preedit[1] if self._preedit is not None and self._preedit[0] == segment else None
        text = SegmentText(self._text.read(*self.lines.span(segment)))
        layout = SegmentLayout(text, self._font, self.metrics, self._width, preedit, self._whole)
        self._layouts[segment] = layout
        if len(self._layouts) > _CACHED_LAYOUTS:
            self._layouts.popitem(last=False)
        self._counts[segment] = len(layout)
        return layout

    # -- rows -------------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The approximate number of rows."""
        return int(self._counts.sum(dtype=np.int64))

    def index_of(self, row: Row) -> int:
        """Return the approximate index of a row in the text."""
        return int(self._counts[: row.segment].sum(dtype=np.int64)) + row.number

    def row_at(self, index: int) -> Row:
        """Return the row with this approximate index in the text."""
        ends = np.cumsum(self._counts, dtype=np.int64)
        segment = min(int(np.searchsorted(ends, np.int64(index), "right")), len(ends) - 1)
        before = int(ends[segment]) - int(self._counts[segment])
        return Row(segment, min(max(0, index - before), len(self.layout(segment)) - 1))

    def last(self) -> Row:
        segment = len(self.lines) - 1
        return Row(segment, len(self.layout(segment)) - 1)

    def moved(self, row: Row, distance: int) -> Row:
        """Return the row `distance` rows further down, or up if negative, limited to the text."""
        segment, number = row.segment, row.number + distance
        while number < 0 and segment > 0:
            segment -= 1
            number += len(self.layout(segment))
        while number >= (size := len(self.layout(segment))) and segment + 1 < len(self.lines):
            number -= size
            segment += 1
        return Row(segment, min(max(0, number), size - 1))

    # -- offsets and rows -------------------------------------------------------------------------------------------

    def row_of(self, offset: int) -> Row:
        segment, position = self.position(offset)
        return Row(segment, self.layout(segment).row_of(position))

    def start_of(self, row: Row) -> int:
        return self.offset(row.segment, self.layout(row.segment).starts[row.number])

    def stop_of(self, row: Row) -> int:
        """Return the offset where a row stops, after its line break if it has one."""
        return self.offset(row.segment, self.layout(row.segment).stop(row.number))

    def offset(self, segment: int, position: int) -> int:
        """Return the offset of a position in a segment."""
        return self.lines.span(segment)[0] + self.layout(segment).text.offset(position)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the segment and the position of the character that contains the byte at `offset`."""
        segment = self.lines.segment_of(offset)
        return segment, self.layout(segment).text.position(offset - self.lines.span(segment)[0])

    def split_characters(self, start: int, stop: int) -> list[str]:
        """Return the characters that the bytes [start, stop) contain only partly."""
        characters: dict[int, str] = {}
        for edge in (start, stop):
            segment = self.lines.segment_of(edge)
            begin, text = self.lines.span(segment)[0], self.layout(segment).text
            if text.is_inside_character(edge - begin):
                lead = text.offset(text.position(edge - begin))
                characters[begin + lead] = text.character(lead)
        return list(characters.values())

    # -- moves by characters ---------------------------------------------------------------------------------------

    def next_character(self, offset: int) -> int:
        """Return the offset after the grapheme cluster at `offset`; `\\r\\n` is one cluster."""
        if offset >= self.text_end():
            return self.text_end()
        segment, position = self.position(offset)
        return self.offset(segment, self.layout(segment).cluster(position)[1])

    def previous_character(self, offset: int) -> int:
        """Return the offset before the grapheme cluster that ends at `offset`."""
        if offset <= 0:
            return 0
        segment, position = self.position(offset - 1)
        return self.offset(segment, self.layout(segment).cluster(position)[0])

    def left_of(self, offset: int) -> int:
        """Return the next offset to the left on the screen, whatever the direction of the text."""
        return self._beside(offset, is_left=True)

    def right_of(self, offset: int) -> int:
        """Return the next offset to the right on the screen, whatever the direction of the text."""
        return self._beside(offset, is_left=False)

    def _beside(self, offset: int, *, is_left: bool) -> int:
        segment, position = self.position(offset)
        layout = self.layout(segment)
        step = layout.layout.leftCursorPosition if is_left else layout.layout.rightCursorPosition
        target = min(step(position), layout.text.length)
        while not layout.text.is_between_characters(target):
            target = step(target)
        if target != position:
            return self.offset(segment, target)
        is_forward = is_left == layout.text.is_right_to_left
        return self.next_character(offset) if is_forward else self.previous_character(offset)

    # -- words ------------------------------------------------------------------------------------------------------

    def next_word(self, offset: int) -> int:
        """Return the start of the next word, or the end of the line if that comes first."""
        segment, position = self.position(offset)
        layout = self.layout(segment)
        if position >= layout.text.length:
            return self.lines.span(segment)[1]
        return self.offset(segment, _boundary_from(layout, layout.layout.nextCursorPosition(position, _WORDS)))

    def previous_word(self, offset: int) -> int:
        """Return the start of the word at or before `offset`, or the end of the previous line."""
        segment, position = self.position(offset)
        if position == 0:
            before = self.previous_character(offset)
            if segment == 0 or self.layout(segment - 1).text.line_end:
                return before
            segment, position = self.position(before)
        layout = self.layout(segment)
        target = layout.layout.previousCursorPosition(position, _WORDS)
        return self.offset(segment, layout.cluster(target)[0] if target < layout.text.length else target)

    def word_at(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the word, or of the space between words, at `offset`; at a line's end, the last."""
        segment, position = self.position(offset)
        layout = self.layout(segment)
        if not layout.text.length:
            return offset, offset
        finder = QTextBoundaryFinder(_WORD_BOUNDARIES, layout.text.shown)
        finder.setPosition(min(position, layout.text.length - 1) + 1)
        stop = finder.position() if finder.isAtBoundary() else finder.toNextBoundary()
        start = finder.toPreviousBoundary()
        return self.offset(segment, start), self.offset(segment, _boundary_from(layout, stop))

    # -- lines and rows ---------------------------------------------------------------------------------------------

    def line_at(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the line around `offset`, including its line break."""
        return self.lines.line_at(offset)

    def line_body(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the line around `offset`, without its line break."""
        start, stop = self.line_at(offset)
        segment = self.lines.segment_of(max(start, stop - 1))
        return start, stop - len(self.layout(segment).text.line_end)

    def row_start(self, offset: int) -> int:
        """Return the first offset on the row of `offset`."""
        return self.start_of(self.row_of(offset))

    def row_end(self, offset: int) -> int:
        """Return the last offset where a caret is still on the row of `offset`."""
        segment, number = self.row_of(offset)
        layout = self.layout(segment)
        is_end_of_line = segment + 1 == len(self.lines) or layout.text.line_end
        if number + 1 == len(layout) and is_end_of_line:
            return self.offset(segment, layout.text.length)
        return self.offset(segment, layout.cluster(layout.stop(number) - 1)[0])

    def below(self, offset: int, x: float, rows: int = 1) -> int:
        """Return the offset nearest to `x` on the row `rows` rows further down, or up if negative.

        The move is limited to the text; if it would stay on the same row, return `offset` itself.
        """
        row = self.row_of(offset)
        target = self.moved(row, rows)
        return offset if target == row else self.offset_in(target, x)

    def offset_in(self, row: Row, x: float) -> int:
        """Return the offset on a row that is nearest to `x`, in pixels from the left edge of the text."""
        return self.offset(row.segment, self.layout(row.segment).position_at(x, row.number))

    def text_end(self) -> int:
        return self.lines.span(len(self.lines) - 1)[1]


def _boundary_from(layout: SegmentLayout, position: int) -> int:
    """Return `position`, or if it is inside a character, the end of the cluster."""
    return position if layout.text.is_between_characters(position) else layout.cluster(position)[1]
