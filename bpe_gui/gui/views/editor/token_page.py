"""Lay out a page: the visible rows, with the cells of their tokens and the glyphs for their white space."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise, zip_longest
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QRegion

from bpe_gui.engine import BoolArray, EngineError, Int32Array, Int64Array, IntegerArray
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, LiveTokens, Tokens

from .segment_layout import LINE_END_GLYPHS, SegmentLayout
from .text_rows import Row, TextRows

_GAP: Final = 1.5  # between neighbouring cells, so that a boundary is visible even without colour
_BAR_PITCH: Final = 4.5  # the width given to a token without width
_MIN_WIDTH: Final = 1.0  # anything narrower counts as having no width
_GLYPHS: Final = {b" ": "·", b"\t": "→", "\u00a0".encode(): "⍽", "\u3000".encode(): "□"} | LINE_END_GLYPHS
_WHITE_SPACE: Final = re.compile(rb"\r\n|[ \t\r\n]|\xc2\xa0|\xe3\x80\x80")
_BAR_SLOP: Final = 2.0  # pixels next to a bar where the mouse still hits it
_GAP_SLOP: Final = 1.0  # pixels next to any other cell
_WIDER_THAN_PAGE: Final = 1e6


class CellShape(Enum):
    FULL = auto()
    """At full height, behind whole characters."""
    STRIP = auto()
    """Below a character that is drawn once but whose bytes several tokens share."""
    BAR = auto()
    """For a token that covers nothing of any width."""


class Cell(NamedTuple):
    """The rectangle of one token on one row; `token` is an index into the segment's tokens."""

    token: int
    rect: QRectF
    shape: CellShape


class RowCells(NamedTuple):
    """The cells of a row, and a frame above the strips of each character that several tokens share."""

    cells: list[Cell]
    frames: list[QRectF]


class WhiteSpaceGlyph(NamedTuple):
    """A glyph that stands for white space, to draw centred in `rect`."""

    text: str
    rect: QRectF


def white_space_glyphs(layout: SegmentLayout, row: int) -> list[WhiteSpaceGlyph]:
    text, metrics = layout.text, layout.metrics
    top = row * metrics.height + metrics.cell_top
    glyphs = []
    for match in _WHITE_SPACE.finditer(text.utf8, text.offset(layout.starts[row]), text.offset(layout.stop(row))):
        position = text.position(match.start())
        left, right = sorted(layout.edges(position, position + 1, row))
        rect = QRectF(left, top, right - left, metrics.strip_top - metrics.cell_top)
        glyphs.append(WhiteSpaceGlyph(_GLYPHS[match.group()], rect))
    return glyphs


class _RowBuilder:
    """Builds the cells of one row: first for whole characters, then strips, then bars.

    Every token on the row gets at least one cell, and no two cells overlap. Token offsets count from the segment.
    """

    def __init__(self, layout: SegmentLayout, row: int, tokens: Tokens) -> None:
        self._layout = layout
        self._row = row
        self._tokens = tokens
        self._text = layout.text
        self._metrics = layout.metrics
        self._top = row * layout.metrics.height
        self._start = self._text.offset(layout.starts[row])
        self._stop = self._text.offset(layout.stop(row))
        self._spans: dict[int, tuple[int, int]] = {}  # by token, the offsets that it covers on this row
        self._cells: list[Cell] = []
        self._frames: list[QRectF] = []
        self._sharers: dict[tuple[int, int], list[int]] = {}  # by grapheme cluster, the tokens that cover parts of it
        self._bars: dict[float, list[int]] = {}  # by x, the zero-width tokens there
        self._boundaries: dict[int, tuple[int, bool]] = {}

    def build(self) -> RowCells:
        tokens = self._tokens.overlapping(self._start, self._stop)
        starts = np.maximum(self._tokens.starts[tokens.start : tokens.stop], self._start).tolist()
        stops = np.minimum(self._tokens.stops[tokens.start : tokens.stop], self._stop).tolist()
        if self._layout.is_simple:
            self._add_simple_tokens(tokens, starts, stops)
        else:
            self._spans = dict(zip(tokens, zip(starts, stops, strict=True), strict=True))
            for token in tokens:
                self._add_token(token)
        for cluster, sharers in self._sharers.items():
            self._add_strips(cluster, sharers)
        for x, together in self._bars.items():
            self._add_bars(x, together)
        if self._text.is_bidirectional:
            _separate([cell.rect for cell in self._cells])
        return RowCells(self._cells, self._frames)

    def _add_simple_tokens(self, tokens: range, starts: list[int], stops: list[int]) -> None:
        """Add a token faster than `_add_token`, if no character is shared or out of order."""
        xs = self._layout.xs(self._row)
        for token, start, stop in zip(tokens, starts, stops, strict=True):
            left, right = xs[start - self._start], xs[stop - self._start]
            if right - left >= _MIN_WIDTH:
                self._add_cell(token, left, right, CellShape.FULL)
            else:
                self._note_bar(right, token)

    def _add_token(self, token: int) -> None:
        start_offset, stop_offset = self._spans[token]
        if start_offset >= stop_offset:
            self._note_bar(self._layout.x(self._text.position(stop_offset), self._row), token)
            return
        start, is_inside = self._boundary(start_offset)
        if is_inside:
            start = self._note_sharer(start, token)
        stop, is_inside = self._boundary(stop_offset)
        if stop >= start and is_inside:
            stop = self._layout.cluster(stop)[0]
            self._note_sharer(stop, token)
        if start < stop:
            self._add_whole_characters(token, start, stop)

    def _boundary(self, offset: int) -> tuple[int, bool]:
        """Return the position of a token boundary, and whether it is inside a grapheme cluster."""
        boundary = self._boundaries.get(offset)
        if boundary is None:
            position = self._text.position(offset)
            is_inside = self._text.is_inside_character(offset) or not self._layout.is_boundary(position)
            self._boundaries[offset] = boundary = position, is_inside
        return boundary

    def _note_sharer(self, position: int, token: int) -> int:
        """Note that a token covers part of the cluster at `position`; return where that cluster stops."""
        cluster = self._layout.cluster(position)
        sharers = self._sharers.setdefault(cluster, [])
        if not sharers or sharers[-1] != token:
            sharers.append(token)
        return cluster[1]

    def _note_bar(self, x: float, token: int) -> None:
        self._bars.setdefault(round(x, 1), []).append(token)

    def _add_whole_characters(self, token: int, start: int, stop: int) -> None:
        has_width = False
        for left, right in self._layout.extents(start, stop, self._row):
            if right - left >= _MIN_WIDTH:
                self._add_cell(token, left, right, CellShape.FULL)
                has_width = True
        if not has_width:
            self._note_bar(self._layout.x(stop, self._row), token)

    def _add_strips(self, cluster: tuple[int, int], sharers: list[int]) -> None:
        leading, trailing = self._layout.edges(*cluster, self._row)
        if abs(trailing - leading) < _MIN_WIDTH:
            for token in sharers:
                self._note_bar(leading, token)
            return
        left, right = sorted((leading, trailing))
        bottom = self._top + self._metrics.strip_top - _GAP
        self._frames.append(_inset(left, self._top + self._metrics.cell_top, right, bottom))
        first, last = self._text.offset(cluster[0]), self._text.offset(cluster[1])
        per_byte = (trailing - leading) / (last - first)
        for token in sharers:
            start, stop = self._spans[token]
            ends = (
                (max(start, first) - first) * per_byte + leading,
                (min(stop, last) - first) * per_byte + leading,
            )
            self._add_cell(token, min(ends), max(ends), CellShape.STRIP)

    def _add_bars(self, x: float, tokens: list[int]) -> None:
        """Add bars side by side from `x`; the cell that starts there becomes narrower."""
        behind = (cell.rect for cell in self._cells if cell.rect.left() - _GAP <= x < cell.rect.right())
        neighbor = next(behind, None)
        pitch = _BAR_PITCH
        if neighbor is not None:
            width = neighbor.right() - max(x, neighbor.left())
            pitch = min(pitch, width * 0.6 / len(tokens))
            neighbor.setLeft(max(neighbor.left(), x + pitch * len(tokens) + min(_GAP / 2, width * 0.2)))
        for number, token in enumerate(tokens):
            self._add_cell(token, x + number * pitch, x + (number + 1) * pitch, CellShape.BAR)

    def _add_cell(self, token: int, left: float, right: float, shape: CellShape) -> None:
        top = self._metrics.strip_top if shape is CellShape.STRIP else self._metrics.cell_top
        rect = _inset(left, self._top + top, right, self._top + self._metrics.cell_bottom)
        self._cells.append(Cell(token, rect, shape))


def _separate(rects: list[QRectF]) -> None:
    """Trim overlapping rectangles: where scripts mix on a row, Qt may report two characters at the same x."""
    for left, right in pairwise(sorted(rects, key=lambda rect: (rect.left(), rect.right()))):
        if right.left() >= left.right():
            continue
        if right.left() - left.left() >= _MIN_WIDTH:
            left.setRight(right.left())
        elif right.right() - left.right() >= _MIN_WIDTH:
            right.setLeft(left.right())
        else:
            end = max(left.right(), right.right())
            left.setRight((left.left() + end) / 2)
            right.setLeft(left.right())
            right.setRight(end)


def _inset(left: float, top: float, right: float, bottom: float) -> QRectF:
    """Return the rectangle minus half a gap on either side; a narrow one gives up less."""
    margin = min(_GAP / 2, (right - left) * 0.15)
    return QRectF(left + margin, top, right - left - 2 * margin, bottom - top)


class SegmentCells:
    """The cells of a segment's tokens and the glyphs for its white space, laid out row by row on demand."""

    _layout = WeakAttribute[SegmentLayout]()  # by which the cells are kept, for as long as it lives

    def __init__(self, layout: SegmentLayout, tokens: Tokens) -> None:
        self._layout = layout
        self._tokens = tokens
        self._rows: dict[int, RowCells] = {}
        self._glyphs: dict[int, list[WhiteSpaceGlyph]] = {}

    def row(self, number: int) -> RowCells:
        row = self._rows.get(number)
        if row is None:
            self._rows[number] = row = _RowBuilder(self._layout, number, self._tokens).build()
        return row

    def glyphs(self, number: int) -> list[WhiteSpaceGlyph]:
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
    """The y coordinate of the segment's first row on the page; negative if that row is above the page."""
    rows: range
    tokens: Tokens
    """The segment's tokens; their starts and stops are offsets in the segment."""
    colors: Int32Array
    cells: SegmentCells
    first: int
    """The index of the segment's first token among the page's tokens."""

    @property
    def place(self) -> tuple[SegmentLayout, int, float, range]:
        """The segment's text and where it is, whatever its tokens are."""
        return self.layout, self.start, self.top, self.rows

    def row_area(self, row: int) -> QRectF:
        """Return the area of a row on the page, as wide as any page."""
        height = self.layout.metrics.height
        return QRectF(-_WIDER_THAN_PAGE, self.top + row * height, 2 * _WIDER_THAN_PAGE, height)

    def looks(self, marked: BoolArray) -> list[IntegerArray]:
        """Return for each row what its tokens look like, given which ones of the page are marked."""
        tokens, text, layout = self.tokens, self.layout.text, self.layout
        own = marked[self.first : self.first + len(tokens)]
        look: IntegerArray = np.column_stack(
            (tokens.starts, tokens.stops, self.colors, tokens.special, tokens.unknown, own)
        )
        spans = ((text.offset(layout.starts[row]), text.offset(layout.stop(row))) for row in self.rows)
        shown = (tokens.overlapping(*span) for span in spans)
        return [look[indices.start : indices.stop] for indices in shown]

    def rows_in(self, region: QRegion) -> range:
        """Return the rows from the first to the last that touch a region of the page."""
        height, whole = self.layout.metrics.height, region.boundingRect()
        top, bottom = self.top + self.rows.start * height, self.top + self.rows.stop * height
        own = QRectF(whole.left(), top, whole.width(), bottom - top).toAlignedRect()
        area = (region & own).boundingRect()
        if area.isEmpty():
            return range(0)
        first = int((area.top() - self.top) // height)
        last = int((area.bottom() - self.top) // height) + 1
        return range(max(first, self.rows.start), min(last, self.rows.stop))

    def bands(self, start: int, stop: int, rows: range) -> list[QRectF]:
        """Return the parts of some rows, in full height, that the bytes [start, stop) of the text cover."""
        layout, text = self.layout, self.layout.text
        first, last = max(0, start - self.start), min(stop - self.start, len(text.utf8))
        if first >= last:
            return []
        begin, end = text.position(first), text.position(last)
        covered = range(max(rows.start, layout.row_of(begin)), min(rows.stop, layout.row_of(end) + 1))
        return [band for row in covered for band in layout.bands(begin, end, row)]


@dataclass(frozen=True, slots=True)
class Page:
    """The visible rows, with all tokens of their segments; y counts from the top of the first row."""

    segments: list[PageSegment]
    tokens: Tokens
    """Their starts and stops are offsets in the text."""
    word_starts: Int64Array
    """The offsets where words (pre-tokens) begin; empty unless requested."""
    marked: BoolArray
    """Which tokens are marked."""

    @property
    def span(self) -> tuple[int, int]:
        """Start and stop in the text of the page's segments."""
        last = self.segments[-1]
        return self.segments[0].start, last.start + len(last.layout.text.utf8)

    def cells(self) -> Iterator[tuple[int, QRectF]]:
        """Yield every cell on the page, row by row: the index of its token in `tokens`, and its rectangle."""
        for segment in self.segments:
            for row in segment.rows:
                for cell in segment.cells.row(row).cells:
                    yield segment.first + cell.token, cell.rect.translated(0, segment.top)

    def token_at(self, point: QPointF) -> int | None:
        """Return the index of the token whose cell is within a pixel or two of a point; None in empty space."""
        for segment in self.segments:
            row = int((point.y() - segment.top) // segment.layout.metrics.height)
            if row in segment.rows:
                cell = _cell_near(point.x(), segment.cells.row(row).cells)
                return None if cell is None else segment.first + cell.token
        return None

    def spans(self) -> Int64Array:
        """Return a number for every token that tells its start and its stop."""
        starts = self.tokens.starts.astype(np.int64)
        return starts << 32 | (self.tokens.stops - starts)

    def indices_of(self, spans: Int64Array) -> set[int]:
        """Return the indices in `tokens` of those with these spans."""
        return set(np.flatnonzero(np.isin(self.spans(), spans)).tolist()) if len(spans) else set()

    def area_unlike(self, before: "Page") -> QRegion | None:
        """Return the rows that look otherwise than on the page `before`; None if that shows other rows."""
        if not np.array_equal(self.word_starts, before.word_starts):
            return None
        area = QRegion()
        for now, then in zip_longest(self.segments, before.segments):
            if now is None or then is None or now.place != then.place:
                return None
            looks = zip(now.rows, now.looks(self.marked), then.looks(before.marked), strict=True)
            for row, look, look_before in looks:
                if not np.array_equal(look, look_before):
                    area += now.row_area(row).toAlignedRect()
        return area


def _cell_near(x: float, cells: list[Cell]) -> Cell | None:
    small = [cell for cell in cells if cell.shape is not CellShape.FULL]
    bars = [cell for cell in small if cell.shape is CellShape.BAR]
    for candidates, slop in ((small, 0.0), (bars, _BAR_SLOP), (cells, _GAP_SLOP)):
        for cell in candidates:
            if cell.rect.left() - slop <= x <= cell.rect.right() + slop:
                return cell
    return None


class PageBuilder:
    """Builds pages of text, caching a segment's cells until its layout or its tokens change."""

    def __init__(self, rows: TextRows, source: LiveTokens) -> None:
        self._rows = rows
        self._source = source
        self._cells: WeakKeyDictionary[SegmentLayout, SegmentCells] = WeakKeyDictionary()

    def build(
        self, first: Row, height: float, hues: int, mode: ColorMode, *, words: bool, marked_ids: Sequence[int] = ()
    ) -> Page:
        """Return the rows from `first` that fit in `height` pixels, including a partial last one.

        Tokens get a shade from `hues` hues; `words` tells whether to find word starts. Those with one of `marked_ids`
        are marked, or with two, the pairs of them, which needs the word starts.
        """
        laid_out = self._laid_out(first, height)
        start, stop = self._rows.lines.span(first.segment)[0], self._rows.lines.span(laid_out[-1][0])[1]
        try:
            tokens, colors = self._source.colored(start, stop, hues, mode)
        except EngineError:  # reported by the code that encodes the whole text
            tokens, colors = NO_TOKENS, NO_TOKENS.ids
        word_starts = self._source.word_starts(start, stop) if words else np.empty(0, np.int64)
        segments = [self._segment(*placed, tokens, colors) for placed in laid_out]
        return Page(segments, tokens, word_starts, tokens.marked(marked_ids, word_starts))

    def _laid_out(self, first: Row, height: float) -> list[tuple[int, SegmentLayout, float, range]]:
        """Return segments, each with its layout, its y, and its rows on the page."""
        row_height = self._rows.metrics.height
        top = -first.number * row_height
        laid_out: list[tuple[int, SegmentLayout, float, range]] = []
        for segment in range(first.segment, len(self._rows.lines)):
            layout = self._rows.layout(segment)
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
