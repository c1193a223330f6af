"""The cells of tokens on the rows of a segment of text.

Geometry is in the coordinates of the segment: x from the left edge of the text, y from the top of its first row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from bpe_gui.gui.views.editor.layout.segment_layout import LINE_END_SIGNS, SegmentLayout
from bpe_gui.gui.views.tokens import Tokens

_GAP: Final = 1.5  # between neighbouring cells: the boundary that needs no colour
_MARK_PITCH: Final = 4.5  # room for one token that has no width of its own
_THIN: Final = 1.0  # narrower than this is no width
_SIGNS: Final = {b" ": "·", b"\t": "→", "\u00a0".encode(): "⍽", "\u3000".encode(): "□"} | LINE_END_SIGNS
_WHITE_SPACE: Final = re.compile(rb"\r\n|[ \t\r\n]|\xc2\xa0|\xe3\x80\x80")


class Shape(Enum):
    """How a token takes part in a row."""

    FULL = auto()  # it covers whole characters
    PART = auto()  # it covers some bytes of a character that is drawn once: a cell below that character
    MARK = auto()  # it covers nothing that has width: a bar


class Piece(NamedTuple):
    """The part of a token that is on one row; `token` is the index of that token."""

    token: int
    rect: QRectF
    shape: Shape


@dataclass(frozen=True, slots=True)
class RowCells:
    """What to paint on one row; `split` holds the space above the byte cells of each split character."""

    pieces: list[Piece]
    split: list[QRectF]


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign for white space, to be drawn centred in `rect`."""

    text: str
    rect: QRectF


def white_space_glyphs(layout: SegmentLayout, row: int) -> list[Glyph]:
    """Signs for the white space of one row, each in the space that the character takes."""
    text, metrics = layout.text, layout.metrics
    top = row * metrics.height + metrics.cell_top
    found = []
    for match in _WHITE_SPACE.finditer(text.utf8, text.byte(layout.starts[row]), text.byte(layout.stop(row))):
        position = text.position(match.start())
        left, right = sorted(layout.edges(position, position + 1, row))
        rect = QRectF(left, top, right - left, metrics.strip_top - metrics.cell_top)
        found.append(Glyph(_SIGNS[match.group()], rect))
    return found


def lay_out_cells(layout: SegmentLayout, row: int, tokens: Tokens) -> RowCells:
    """The cells of the tokens on one row: they do not overlap, and every token has one.

    The tokens' places are offsets in the segment.
    """
    return _RowBuilder(layout, row, tokens).build()


class _RowBuilder:
    """Collects the cells of one row: whole characters, then shared characters, then what has no width."""

    def __init__(self, layout: SegmentLayout, row: int, tokens: Tokens) -> None:
        self._layout = layout
        self._row = row
        self._tokens = tokens
        self._text = layout.text
        self._metrics = layout.metrics
        self._top = row * layout.metrics.height
        self._start = self._text.byte(layout.starts[row])
        self._stop = self._text.byte(layout.stop(row))
        self._bytes: dict[int, tuple[int, int]] = {}  # what each token covers of the row
        self._pieces: list[Piece] = []
        self._split: list[QRectF] = []
        self._shared: dict[tuple[int, int], list[int]] = {}
        self._marks: dict[float, list[int]] = {}
        self._edges: dict[int, tuple[int, bool]] = {}

    def build(self) -> RowCells:
        indices = self._tokens.overlapping(self._start, self._stop)
        starts = np.maximum(self._tokens.starts[indices.start : indices.stop], self._start).tolist()
        stops = np.minimum(self._tokens.stops[indices.start : indices.stop], self._stop).tolist()
        if self._layout.is_simple:
            self._add_simple(indices, starts, stops)
        else:
            self._bytes = dict(zip(indices, zip(starts, stops, strict=True), strict=True))
            for index in indices:
                self._add_token(index)
        for cluster, sharing in self._shared.items():
            self._add_shared(cluster, sharing)
        for x, together in self._marks.items():
            self._add_marks(x, together)
        if self._text.is_bidirectional:
            _separate([piece.rect for piece in self._pieces])
        return RowCells(self._pieces, self._split)

    def _add_simple(self, indices: range, starts: list[int], stops: list[int]) -> None:
        """What `_add_token` does for each, but quicker, where no character can be split or stand elsewhere."""
        xs = self._layout.xs(self._row)
        for index, start, stop in zip(indices, starts, stops, strict=True):
            left, right = xs[start - self._start], xs[stop - self._start]
            if right - left >= _THIN:
                self._add_piece(index, left, right, Shape.FULL)
            else:
                self._mark(right, index)

    def _add_token(self, index: int) -> None:
        start_byte, stop_byte = self._bytes[index]
        if start_byte >= stop_byte:
            self._mark(self._layout.x(self._text.position(stop_byte), self._row), index)
            return
        start, is_split = self._edge(start_byte)
        if is_split:
            start = self._share(start, index)
        stop, is_split = self._edge(stop_byte)
        if stop >= start and is_split:
            stop = self._layout.cluster(stop)[0]
            self._share(stop, index)
        if start < stop:
            self._add_whole(index, start, stop)

    def _edge(self, byte: int) -> tuple[int, bool]:
        """The position of an edge between tokens, and whether that is inside a character."""
        known = self._edges.get(byte)
        if known is None:
            position = self._text.position(byte)
            is_split = self._text.is_inside_character(byte) or not self._layout.is_boundary(position)
            self._edges[byte] = known = position, is_split
        return known

    def _share(self, position: int, index: int) -> int:
        """Note that the token has a part of the character at `position`; returns where the character stops."""
        cluster = self._layout.cluster(position)
        indices = self._shared.setdefault(cluster, [])
        if not indices or indices[-1] != index:
            indices.append(index)
        return cluster[1]

    def _mark(self, x: float, index: int) -> None:
        self._marks.setdefault(round(x, 1), []).append(index)

    def _add_whole(self, index: int, start: int, stop: int) -> None:
        is_seen = False
        for left, right in self._layout.extents(start, stop, self._row):
            if right - left >= _THIN:
                self._add_piece(index, left, right, Shape.FULL)
                is_seen = True
        if not is_seen:
            self._mark(self._layout.x(stop, self._row), index)

    def _add_shared(self, cluster: tuple[int, int], indices: list[int]) -> None:
        leading, trailing = self._layout.edges(*cluster, self._row)
        if abs(trailing - leading) < _THIN:
            for index in indices:
                self._mark(leading, index)
            return
        left, right = sorted((leading, trailing))
        bottom = self._top + self._metrics.strip_top - _GAP
        self._split.append(_inset(left, self._top + self._metrics.cell_top, right, bottom))
        first, last = self._text.byte(cluster[0]), self._text.byte(cluster[1])
        per_byte = (trailing - leading) / (last - first)
        for index in indices:
            start, stop = self._bytes[index]
            ends = (
                (max(start, first) - first) * per_byte + leading,
                (min(stop, last) - first) * per_byte + leading,
            )
            self._add_piece(index, min(ends), max(ends), Shape.PART)

    def _add_marks(self, x: float, indices: list[int]) -> None:
        """Bars behind `x`, side by side; the cell that starts there makes room."""
        behind = (piece.rect for piece in self._pieces if piece.rect.left() - _GAP <= x < piece.rect.right())
        neighbor = next(behind, None)
        pitch = _MARK_PITCH
        if neighbor is not None:
            width = neighbor.right() - max(x, neighbor.left())
            pitch = min(pitch, width * 0.6 / len(indices))
            neighbor.setLeft(max(neighbor.left(), x + pitch * len(indices) + min(_GAP / 2, width * 0.2)))
        for number, index in enumerate(indices):
            self._add_piece(index, x + number * pitch, x + (number + 1) * pitch, Shape.MARK)

    def _add_piece(self, index: int, left: float, right: float, shape: Shape) -> None:
        top = self._metrics.strip_top if shape is Shape.PART else self._metrics.cell_top
        rect = _inset(left, self._top + top, right, self._top + self._metrics.cell_bottom)
        self._pieces.append(Piece(index, rect, shape))


def _separate(rects: list[QRectF]) -> None:
    """Trim what overlaps: with scripts of all kinds in one line, Qt may have two characters at one place."""
    for left, right in pairwise(sorted(rects, key=lambda rect: (rect.left(), rect.right()))):
        if right.left() >= left.right():
            continue
        if right.left() - left.left() >= _THIN:
            left.setRight(right.left())
        elif right.right() - left.right() >= _THIN:
            right.setLeft(left.right())
        else:
            end = max(left.right(), right.right())
            left.setRight((left.left() + end) / 2)
            right.setLeft(left.right())
            right.setRight(end)


def _inset(left: float, top: float, right: float, bottom: float) -> QRectF:
    """The rectangle less half a gap at either side; narrow ones give up less."""
    margin = min(_GAP / 2, (right - left) * 0.15)
    return QRectF(left + margin, top, right - left - 2 * margin, bottom - top)
