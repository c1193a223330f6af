"""Lay out a page: the rows in view, with the cells of their tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from bpe_gui.engine import EngineError
from bpe_gui.engine.runtime import Int32Array, Int64Array
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, LiveTokens, Token, Tokens

from .segment_layout import SegmentLayout
from .text_rows import Row, TextRows
from .token_cells import Cell, CellShape, RowCells, WhiteSpaceGlyph, lay_out_cells, white_space_glyphs

_BAR_SLOP: Final = 2.0  # pixels beside a bar at which the mouse still hits it
_GAP_SLOP: Final = 1.0  # pixels beside any cell


class SegmentCells:
    """The cells of a segment's tokens and the glyphs for its white space, laid out on demand row by row."""

    def __init__(self, layout: SegmentLayout, tokens: Tokens) -> None:
        self._layout = layout
        self._tokens = tokens
        self._rows: dict[int, RowCells] = {}
        self._glyphs: dict[int, list[WhiteSpaceGlyph]] = {}

    def row(self, number: int) -> RowCells:
        """Return the cells of a row."""
        row = self._rows.get(number)
        if row is None:
            self._rows[number] = row = lay_out_cells(self._layout, number, self._tokens)
        return row

    def glyphs(self, number: int) -> list[WhiteSpaceGlyph]:
        """Return the glyphs for the white space of a row."""
        glyphs = self._glyphs.get(number)
        if glyphs is None:
            self._glyphs[number] = glyphs = white_space_glyphs(self._layout, number)
        return glyphs

    def fit(self, tokens: Tokens) -> bool:
        """Return whether these tokens have the same cells."""
        return np.array_equal(self._tokens.starts, tokens.starts) and np.array_equal(self._tokens.stops, tokens.stops)


@dataclass(frozen=True, slots=True)
class PageSegment:
    """A segment with some rows on a page."""

    layout: SegmentLayout
    start: int
    """The offset of the segment in the text."""
    top: float
    """y of the segment's first row on the page; negative if that row is above it."""
    rows: range
    tokens: Tokens
    """The segment's tokens; their starts and stops are offsets in the segment."""
    colors: Int32Array
    cells: SegmentCells
    first: int
    """The index of the segment's first token among the tokens of the page."""

    def spans(self) -> list[tuple[int, int]]:
        """Return start and stop of each token as offsets in the text."""
        tokens = self.tokens
        starts, stops = (tokens.starts + self.start).tolist(), (tokens.stops + self.start).tolist()
        return list(zip(starts, stops, strict=True))

    def bands(self, start: int, stop: int, row: int) -> list[QRectF]:
        """Return the parts of a row, over its whole height, that the bytes [start, stop) of the text cover."""
        positions = self.positions(start, stop)
        return [] if positions is None else self.layout.bands(*positions, row)

    def positions(self, start: int, stop: int) -> tuple[int, int] | None:
        """Return the positions in the layout of the bytes [start, stop) of the text; None if it has none of them."""
        text = self.layout.text
        first, last = max(0, start - self.start), min(stop - self.start, len(text.utf8))
        return (text.position(first), text.position(last)) if first < last else None


@dataclass(frozen=True, slots=True)
class PageCell:
    """A cell, in the coordinates of its segment."""

    segment: PageSegment
    cell: Cell

    @property
    def index(self) -> int:
        """The index of its token among the tokens of the page."""
        return self.segment.first + self.cell.token


@dataclass(frozen=True, slots=True)
class Page:
    """The rows in view, with all tokens of their segments; y counts from the top of the first row."""

    segments: list[PageSegment]
    tokens: Tokens
    """Their starts and stops are offsets in the text."""
    word_starts: Int64Array
    """The offsets at which words (pre-tokens) begin; empty unless they were requested."""

    @property
    def span(self) -> tuple[int, int]:
        """Start and stop in the text of the segments on the page."""
        last = self.segments[-1]
        return self.segments[0].start, last.start + len(last.layout.text.utf8)

    def cells(self) -> Iterator[PageCell]:
        """Yield every cell on the page, row by row."""
        for segment in self.segments:
            for row in segment.rows:
                for cell in segment.cells.row(row).cells:
                    yield PageCell(segment, cell)

    def cell_at(self, point: QPointF) -> PageCell | None:
        """Return the cell at a point of the page, or one that is a pixel or two beside it; None in empty space."""
        for segment in self.segments:
            row = int((point.y() - segment.top) // segment.layout.metrics.height)
            if row in segment.rows:
                cell = _cell_near(point.x(), segment.cells.row(row).cells)
                return None if cell is None else PageCell(segment, cell)
        return None

    def token(self, cell: PageCell) -> Token:
        """Return the token of a cell."""
        return self.tokens[cell.index]

    def spans(self) -> set[tuple[int, int]]:
        """Return start and stop of every token."""
        return set(zip(self.tokens.starts.tolist(), self.tokens.stops.tolist(), strict=True))


def _cell_near(x: float, cells: list[Cell]) -> Cell | None:
    small = [cell for cell in cells if cell.shape is not CellShape.FULL]
    bars = [cell for cell in small if cell.shape is CellShape.BAR]
    for candidates, slop in ((small, 0.0), (bars, _BAR_SLOP), (cells, _GAP_SLOP)):
        for cell in candidates:
            if cell.rect.left() - slop <= x <= cell.rect.right() + slop:
                return cell
    return None


class PageBuilder:
    """A builder of pages of text, which caches a segment's cells until its layout or its tokens change."""

    def __init__(self, rows: TextRows, source: LiveTokens) -> None:
        self._rows = rows
        self._source = source
        self._cells: WeakKeyDictionary[SegmentLayout, SegmentCells] = WeakKeyDictionary()

    def build(self, first: Row, height: float, hues: int, mode: ColorMode, *, words: bool) -> Page:
        """Return the rows from `first` on that fit `height` pixels, a last one in part.

        Tokens get a shade of one of `hues` hues; `words` says whether to find where words begin.
        """
        laid_out = self._laid_out(first, height)
        start, stop = self._rows.lines.span(first.segment)[0], self._rows.lines.span(laid_out[-1][0])[1]
        try:
            tokens, colors = self._source.colored(start, stop, hues, mode)
        except EngineError:  # reported by the code that encodes the whole text
            tokens, colors = NO_TOKENS, NO_TOKENS.ids
        word_starts = self._source.word_starts(start, stop) if words else np.empty(0, np.int64)
        segments = [self._segment(*placed, tokens, colors) for placed in laid_out]
        return Page(segments, tokens, word_starts)

    def _laid_out(self, first: Row, height: float) -> list[tuple[int, SegmentLayout, float, range]]:
        """Return segments, each with its layout, its y, and its rows on the page."""
        row_height = self._rows.metrics.height
        top = -first.number * row_height
        laid_out: list[tuple[int, SegmentLayout, float, range]] = []
        for segment, layout in self._rows.layouts_from(first):
            last = min(len(layout), int((height - top) // row_height) + 1)
            laid_out.append((segment, layout, top, range(0 if laid_out else first.number, last)))
            top += len(layout) * row_height
            if top >= height:
                break
        return laid_out

    def _segment(
        self, segment: int, layout: SegmentLayout, top: float, rows: range, tokens: Tokens, colors: Int32Array
    ) -> PageSegment:
        start, stop = self._rows.lines.span(segment)
        shown = tokens.overlapping(start, stop)
        own_tokens = tokens.slice(shown.start, shown.stop, shift=-start)
        cells = self._cells.get(layout)
        if cells is None or not cells.fit(own_tokens):
            self._cells[layout] = cells = SegmentCells(layout, own_tokens)
        own_colors = colors[shown.start : shown.stop]
        return PageSegment(layout, start, top, rows, own_tokens, own_colors, cells, shown.start)
