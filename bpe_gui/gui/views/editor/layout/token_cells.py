"""Find the cells of tokens on the rows of a segment, and the glyphs for its white space.

Rectangles are in the coordinates of the segment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from bpe_gui.gui.views.tokens import Tokens

from .row_metrics import LINE_END_GLYPHS
from .segment_layout import SegmentLayout

_GAP: Final = 1.5  # between neighbouring cells: a boundary that can be seen without colour
_BAR_PITCH: Final = 4.5  # the width that a token without any width is given
_MIN_WIDTH: Final = 1.0  # anything narrower counts as without width
_GLYPHS: Final = {b" ": "·", b"\t": "→", "\u00a0".encode(): "⍽", "\u3000".encode(): "□"} | LINE_END_GLYPHS
_WHITE_SPACE: Final = re.compile(rb"\r\n|[ \t\r\n]|\xc2\xa0|\xe3\x80\x80")


class CellShape(Enum):
    """The three shapes of a cell."""

    FULL = auto()
    """Of full height, behind whole characters."""
    STRIP = auto()
    """Below a character that is drawn once but whose bytes several tokens share."""
    BAR = auto()
    """For a token that covers nothing with a width."""


class Cell(NamedTuple):
    """The rectangle of one token on one row; `token` is an index into the segment's tokens."""

    token: int
    rect: QRectF
    shape: CellShape


@dataclass(frozen=True, slots=True)
class RowCells:
    """The cells of one row, and a frame above the strips of each character that several tokens share."""

    cells: list[Cell]
    frames: list[QRectF]


@dataclass(frozen=True, slots=True)
class WhiteSpaceGlyph:
    """A glyph that stands for white space, to be drawn centred in `rect`."""

    text: str
    rect: QRectF


def white_space_glyphs(layout: SegmentLayout, row: int) -> list[WhiteSpaceGlyph]:
    """Return the glyphs for the white space on one row, each where its character is."""
    text, metrics = layout.text, layout.metrics
    top = row * metrics.height + metrics.cell_top
    glyphs = []
    for match in _WHITE_SPACE.finditer(text.utf8, text.offset(layout.starts[row]), text.offset(layout.stop(row))):
        position = text.position(match.start())
        left, right = sorted(layout.edges(position, position + 1, row))
        rect = QRectF(left, top, right - left, metrics.strip_top - metrics.cell_top)
        glyphs.append(WhiteSpaceGlyph(_GLYPHS[match.group()], rect))
    return glyphs


def lay_out_cells(layout: SegmentLayout, row: int, tokens: Tokens) -> RowCells:
    """Return the cells on one row of a segment: every token there has at least one, and no two overlap.

    The tokens' starts and stops are offsets in the segment.
    """
    return _RowBuilder(layout, row, tokens).build()


class _RowBuilder:
    """A builder of the cells of one row: first for whole characters, then strips, then bars."""

    def __init__(self, layout: SegmentLayout, row: int, tokens: Tokens) -> None:
        self._layout = layout
        self._row = row
        self._tokens = tokens
        self._text = layout.text
        self._metrics = layout.metrics
        self._top = row * layout.metrics.height
        self._start = self._text.offset(layout.starts[row])
        self._stop = self._text.offset(layout.stop(row))
        self._spans: dict[int, tuple[int, int]] = {}  # of each token, the offsets that it covers on this row
        self._cells: list[Cell] = []
        self._frames: list[QRectF] = []
        self._sharers: dict[tuple[int, int], list[int]] = {}  # by grapheme cluster, the tokens that cover parts of it
        self._bars: dict[float, list[int]] = {}  # by x, the tokens without width there
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
        """Do what `_add_token` does, but faster, where no character is shared or out of order."""
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
        """Return the position of a boundary between tokens, and whether it is inside a grapheme cluster."""
        boundary = self._boundaries.get(offset)
        if boundary is None:
            position = self._text.position(offset)
            is_inside = self._text.is_inside_character(offset) or not self._layout.is_boundary(position)
            self._boundaries[offset] = boundary = position, is_inside
        return boundary

    def _note_sharer(self, position: int, token: int) -> int:
        """Note that a token covers a part of the cluster at `position`; return where that cluster stops."""
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
        """Add bars side by side from `x` on; the cell that starts there becomes narrower."""
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
    """Trim rectangles that overlap: where scripts mix on a row, Qt may report two characters at one x."""
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
    """Return the rectangle less half a gap at either side; a narrow one gives up less."""
    margin = min(_GAP / 2, (right - left) * 0.15)
    return QRectF(left + margin, top, right - left - 2 * margin, bottom - top)
