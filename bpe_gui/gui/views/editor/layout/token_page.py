"""What there is to paint of a part of a text: segments laid out, with the cells of their tokens."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QRectF

from bpe_gui.engine import EngineError

from bpe_gui.gui.views.editor.layout.segment_layout import SegmentLayout
from bpe_gui.gui.views.editor.layout.text_rows import Row, TextRows
from bpe_gui.gui.views.editor.layout.token_cells import Glyph, RowCells, lay_out_cells, white_space_glyphs
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, IntArray, LiveTokens, LongArray, Tokens


class SegmentCells:
    """The cells of a segment's tokens, and signs for its white space, laid out row by row when they are asked for."""

    def __init__(self, layout: SegmentLayout, tokens: Tokens) -> None:
        self._layout = layout
        self._tokens = tokens
        self._rows: dict[int, RowCells] = {}
        self._glyphs: dict[int, list[Glyph]] = {}

    def row(self, number: int) -> RowCells:
        """The cells of a row; their tokens count from the first of the segment."""
        known = self._rows.get(number)
        if known is None:
            self._rows[number] = known = lay_out_cells(self._layout, number, self._tokens)
        return known

    def glyphs(self, number: int) -> list[Glyph]:
        """Signs for the white space of a row."""
        known = self._glyphs.get(number)
        if known is None:
            self._glyphs[number] = known = white_space_glyphs(self._layout, number)
        return known

    def are_of(self, tokens: Tokens) -> bool:
        """Whether these tokens have the same cells."""
        ours = self._tokens
        return np.array_equal(ours.starts, tokens.starts) and np.array_equal(ours.stops, tokens.stops)


@dataclass(frozen=True, slots=True)
class PageSegment:
    """The rows of a segment that are on a page; `top` is where its first row would be, `start` its place in the text.

    The tokens' places are offsets in the segment; `first` is the index of the first of them on the page.
    """

    layout: SegmentLayout
    start: int
    top: float
    rows: range
    tokens: Tokens
    colors: IntArray
    cells: SegmentCells
    first: int

    def spans(self) -> list[tuple[int, int]]:
        """Start and stop of each token in the text."""
        tokens = self.tokens
        starts, stops = (tokens.starts + self.start).tolist(), (tokens.stops + self.start).tolist()
        return list(zip(starts, stops, strict=True))

    def bands(self, start: int, stop: int, row: int) -> list[QRectF]:
        """The parts of a row, over its whole height, that the bytes [start, stop) of the text cover."""
        text = self.layout.text
        size = len(text.utf8)
        first, last = max(0, start - self.start), min(stop - self.start, size)
        return self.layout.bands(text.position(first), text.position(last), row) if first < last else []


@dataclass(frozen=True, slots=True)
class Page:
    """Rows that follow one another, and all tokens of their segments, with their places in the text."""

    segments: list[PageSegment]
    tokens: Tokens
    word_starts: LongArray


class Pages:
    """Makes pages of a text. The cells of a segment are used again as long as its text and its tokens are the same."""

    def __init__(self, rows: TextRows, source: LiveTokens) -> None:
        self.rows = rows
        self._source = source
        self._cells: WeakKeyDictionary[SegmentLayout, SegmentCells] = WeakKeyDictionary()

    def page(self, first: Row, height: float, color_count: int, mode: ColorMode, *, words: bool) -> Page:
        """The rows from `first` on that have room in a height; y counts from the top of `first`.

        Where words begin is found out if `words` says so.
        """
        laid_out = self._laid_out(first, height)
        start, stop = self.rows.index.span(first.segment)[0], self.rows.index.span(laid_out[-1][0])[1]
        try:
            tokens, colors = self._source.colored(start, stop, color_count, mode)
        except EngineError:  # which whoever encodes the text tells the user
            tokens, colors = NO_TOKENS, NO_TOKENS.ids
        word_starts = self._source.word_starts(start, stop) if words else np.empty(0, np.int64)
        return Page([self._segment(*part, tokens, colors) for part in laid_out], tokens, word_starts)

    def _laid_out(self, first: Row, height: float) -> list[tuple[int, SegmentLayout, float, range]]:
        """Segments, each with its y and the rows in question."""
        row_height = self.rows.metrics.height
        top = -first.number * row_height
        found: list[tuple[int, SegmentLayout, float, range]] = []
        for segment, layout in self.rows.below(first):
            last = min(len(layout), int((height - top) // row_height) + 1)
            found.append((segment, layout, top, range(first.number if not found else 0, last)))
            top += len(layout) * row_height
            if top >= height:
                break
        return found

    def _segment(
        self, segment: int, layout: SegmentLayout, top: float, rows: range, tokens: Tokens, colors: IntArray
    ) -> PageSegment:
        start, stop = self.rows.index.span(segment)
        indices = tokens.overlapping(start, stop)
        ours = tokens.part(indices.start, indices.stop, -start)
        cells = self._cells.get(layout)
        if cells is None or not cells.are_of(ours):
            self._cells[layout] = cells = SegmentCells(layout, ours)
        return PageSegment(layout, start, top, rows, ours, colors[indices.start : indices.stop], cells, indices.start)
