"""Where tokens are on the lines of a text document: even lines, and the cells of each line.

Geometry is in the coordinates of the block (paragraph): x as in its QTextLayout, y from the block's top.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlock, QTextDocument, QTextLine
from PySide6.QtWidgets import QPlainTextDocumentLayout

from .tokens import TextMap, Tokens

_TRAILING = QTextLine.Edge.Trailing
_DIRECTION_RTL = Qt.LayoutDirection.RightToLeft

_GAP = 1.5  # between neighbouring cells: the boundary that needs no colour
_MARK_PITCH = 4.5  # room for one token that has no width of its own
_THIN = 1.0  # narrower than this is no width
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_SIGNS = {b" ": "·", b"\t": "→", b"\n": "↵", "\u00a0".encode(): "°", "\u3000".encode(): "□"}
_WHITE_SPACE = re.compile(b"|".join(_SIGNS))


class Shape(Enum):
    """How a token takes part in a line."""

    FULL = auto()  # it covers whole characters
    PART = auto()  # it covers some bytes of a character that is drawn once: a cell below that character
    MARK = auto()  # it covers nothing that has width: a bar


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of token `index` that is on one line."""

    index: int
    rect: QRectF
    shape: Shape


@dataclass(frozen=True, slots=True)
class LineCells:
    """What to paint on one line; `split` holds the space above the byte cells of each split character."""

    pieces: list[Piece]
    split: list[QRectF]


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Vertical measures of a row of text, in pixels from its top; the same for every row whatever it holds."""

    height: float
    baseline: float
    cell_top: float
    cell_bottom: float
    strip_top: float
    newline_width: float

    @classmethod
    def of(cls, font: QFont) -> RowMetrics:
        """Measures that leave room below the descenders for the byte cells of split characters."""
        metrics = QFontMetricsF(font)
        size = metrics.ascent() + metrics.descent()
        strip = max(5.0, round(size * 0.34))
        cell_top = 2.0
        baseline = round(cell_top + 1.5 + metrics.ascent())
        cell_bottom = baseline + round(metrics.descent() + strip * 0.7)
        return cls(
            height=cell_bottom + 2,
            baseline=baseline,
            cell_top=cell_top,
            cell_bottom=cell_bottom,
            strip_top=cell_bottom - strip,
            newline_width=metrics.horizontalAdvance("↵"),
        )


class EvenRowLayout(QPlainTextDocumentLayout):
    """Lays every line out on rows of one height, with one baseline.

    QPlainTextDocumentLayout takes a line's height from the fonts that happen to be in it, so a line grows
    when the first Chinese character or emoji is typed, and there is no room for cells below the text. Qt asks
    `blockBoundingRect` for every block before it uses its lines, so this is the one place to move them.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.metrics = RowMetrics.of(document.defaultFont())

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:  # noqa: N802 (Qt's name)
        """The block's rectangle, all of its lines moved onto their rows."""
        rect = super().blockBoundingRect(block)
        layout = block.layout()
        count = layout.lineCount()
        if not count or not block.isVisible():
            return rect
        # Qt resets all lines of a block together, so the ends tell whether any has to move.
        if not all(self._is_on_row(layout.lineAt(number), number) for number in (0, count - 1)):
            for number in range(count):
                line = layout.lineAt(number)
                line.setPosition(QPointF(line.x(), self._line_top(line, number)))
        bottom_margin = 0.0 if block.next().isValid() else self.document().documentMargin()
        rect.setHeight(count * self.metrics.height + bottom_margin)
        return rect

    def _line_top(self, line: QTextLine, number: int) -> float:
        return number * self.metrics.height + self.metrics.baseline - line.ascent()

    def _is_on_row(self, line: QTextLine, number: int) -> bool:
        return abs(line.y() - self._line_top(line, number)) < 0.05  # Qt keeps positions in 1/64 pixel


class _Ruler:
    """Measures one line of a block; positions are UTF-16 positions in the document.

    While an input method composes, Qt's layout holds the composed text as well; `_inner` and `_outer`
    translate between positions in the document and in the layout.
    """

    def __init__(self, block: QTextBlock, line_number: int, metrics: RowMetrics, *, bidirectional: bool) -> None:
        self._layout = block.layout()
        self._line = self._layout.lineAt(line_number)
        self._base = block.position()
        self._composed_at = self._layout.preeditAreaPosition()
        self._composed = len(self._layout.preeditAreaText().encode("utf-16-le")) // 2
        self._inner_length = block.length() - 1 + self._composed
        self._newline_width = metrics.newline_width
        self._bidirectional = bidirectional
        self._paragraph_is_rtl = block.textDirection() == _DIRECTION_RTL
        self.start = self._outer(self._line.textStart())
        self.stop = self._outer(self._line.textStart() + self._line.textLength())
        if line_number == self._layout.lineCount() - 1 and block.next().isValid():
            self.stop += 1  # the line break is a character too

    def _inner(self, position: int, *, after_composed: bool) -> int:
        offset = position - self._base
        behind = offset > self._composed_at or (after_composed and offset == self._composed_at)
        return offset + self._composed if behind else offset

    def _outer(self, offset: int) -> int:
        if offset > self._composed_at:
            offset = max(self._composed_at, offset - self._composed)
        return self._base + offset

    def is_boundary(self, position: int) -> bool:
        """Whether `position` is between two grapheme clusters."""
        offset = self._inner(position, after_composed=True)
        return offset >= self._inner_length or self._layout.isValidCursorPosition(offset)

    def cluster(self, position: int) -> tuple[int, int]:
        """Start and stop of the grapheme cluster that holds the UTF-16 unit at `position`."""
        start = self._inner(position, after_composed=True)
        stop = max(self._layout.nextCursorPosition(start), start + 1)  # no position follows the line break
        if not self.is_boundary(position):
            start = self._layout.previousCursorPosition(start)
        return self._outer(start), self._outer(stop)

    def x(self, position: int) -> float:
        """Where a caret behind the character before `position` stands."""
        offset = self._inner(position, after_composed=False)
        if offset <= self._inner_length:
            return _x(self._line.cursorToX(offset))
        return self._newline_edges()[1]

    def edges(self, start: int, stop: int) -> tuple[float, float]:
        """x of the leading and of the trailing edge of the grapheme cluster [start, stop).

        In lines of one direction [start, stop) may be longer than a cluster.
        """
        first = self._inner(start, after_composed=True)
        if first >= self._inner_length:
            return self._newline_edges()
        leading = _x(self._line.cursorToX(first))
        if not self._bidirectional:
            return leading, self.x(stop)
        trailing = _x(self._line.cursorToX(first, _TRAILING))
        if leading == trailing:
            return self._glyph_edges(first, leading)
        following = self.x(stop)
        is_in_ligature = min(leading, trailing) < following < max(leading, trailing)
        return leading, following if is_in_ligature else trailing

    def extents(self, start: int, stop: int) -> list[tuple[float, float]]:
        """Left and right of the stretches of line that [start, stop) covers: several where directions mix."""
        if not self._bidirectional:
            return [self.edges(start, stop)]
        found: list[tuple[float, float]] = []
        while start < stop:
            _, following = self.cluster(start)
            left, right = sorted(self.edges(start, following))
            found.append((left, right))
            start = following
        return _joined(found)

    def _newline_edges(self) -> tuple[float, float]:
        if not self._bidirectional:
            end = _x(self._line.cursorToX(self._inner_length))
            return end, end + self._newline_width
        text = self._line.naturalTextRect()
        if self._paragraph_is_rtl:
            return text.left(), max(0.0, text.left() - self._newline_width)
        return text.right(), text.right() + self._newline_width

    def _glyph_edges(self, offset: int, caret: float) -> tuple[float, float]:
        """Edges of the first character of a run against the paragraph's direction.

        There the caret has two places, and for both edges Qt answers with the one at the far side of the run.
        """
        for run in self._line.glyphRuns(offset, 1):
            left = min(point.x() for point in run.positions())
            width = sum(point.x() for point in run.rawFont().advancesForGlyphIndexes(run.glyphIndexes()))
            return (left + width, left) if run.isRightToLeft() else (left, left + width)
        return caret, caret


def is_bidirectional(block: QTextBlock) -> bool:
    """Whether characters of the block may stand in another order than they were typed."""
    return block.textDirection() == _DIRECTION_RTL or _RIGHT_TO_LEFT.search(block.text()) is not None


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign for white space, to be drawn centred in `rect`."""

    text: str
    rect: QRectF


def white_space_glyphs(
    block: QTextBlock, line_number: int, text_map: TextMap, metrics: RowMetrics, *, bidirectional: bool
) -> list[Glyph]:
    """Signs for the white space of one line, each in the space that the character takes."""
    ruler = _Ruler(block, line_number, metrics, bidirectional=bidirectional)
    row = line_number * metrics.height
    start = text_map.byte(ruler.start)
    found = []
    for match in _WHITE_SPACE.finditer(text_map.utf8, start, text_map.byte(ruler.stop)):
        position = text_map.position(match.start())
        left, right = sorted(ruler.edges(position, position + 1))
        rect = QRectF(left, row + metrics.cell_top, right - left, metrics.strip_top - metrics.cell_top)
        found.append(Glyph(_SIGNS[match.group()], rect))
    return found


def lay_out_line(
    block: QTextBlock,
    line_number: int,
    tokens: Tokens,
    text_map: TextMap,
    metrics: RowMetrics,
    *,
    bidirectional: bool,
) -> LineCells:
    """The cells of the tokens on one line of the block: they do not overlap, and every token has one."""
    ruler = _Ruler(block, line_number, metrics, bidirectional=bidirectional)
    return _LineBuilder(ruler, line_number, tokens, text_map, metrics).build()


class _LineBuilder:
    """Collects the cells of one line: whole characters, then shared characters, then what has no width."""

    def __init__(self, ruler: _Ruler, line_number: int, tokens: Tokens, text_map: TextMap, metrics: RowMetrics) -> None:
        self._ruler = ruler
        self._tokens = tokens
        self._map = text_map
        self._metrics = metrics
        self._row = line_number * metrics.height
        self._start = text_map.byte(ruler.start)
        self._stop = text_map.byte(ruler.stop)
        self._pieces: list[Piece] = []
        self._split: list[QRectF] = []
        self._shared: dict[tuple[int, int], list[int]] = {}
        self._marks: dict[float, list[int]] = {}

    def build(self) -> LineCells:
        for index in self._tokens.overlapping(self._start, self._stop):
            self._add_token(index)
        for cluster, indices in self._shared.items():
            self._add_shared(cluster, indices)
        for x, indices in self._marks.items():
            self._add_marks(x, indices)
        return LineCells(self._pieces, self._split)

    def _bytes(self, index: int) -> tuple[int, int]:
        start = max(int(self._tokens.starts[index]), self._start)
        return start, min(int(self._tokens.stops[index]), self._stop)

    def _add_token(self, index: int) -> None:
        start_byte, stop_byte = self._bytes(index)
        if start_byte >= stop_byte:
            self._mark(self._ruler.x(self._map.position(stop_byte)), index)
            return
        start, stop = self._map.position(start_byte), self._map.position(stop_byte)
        if self._is_split(start_byte, start):
            start = self._share(start, index)
        if stop >= start and self._is_split(stop_byte, stop):
            stop = self._ruler.cluster(stop)[0]
            self._share(stop, index)
        if start < stop:
            self._add_whole(index, start, stop)

    def _is_split(self, byte: int, position: int) -> bool:
        return self._map.is_inside_character(byte) or not self._ruler.is_boundary(position)

    def _share(self, position: int, index: int) -> int:
        """Note that the token has a part of the character at `position`; returns where the character stops."""
        cluster = self._ruler.cluster(position)
        indices = self._shared.setdefault(cluster, [])
        if not indices or indices[-1] != index:
            indices.append(index)
        return cluster[1]

    def _mark(self, x: float, index: int) -> None:
        self._marks.setdefault(round(x, 1), []).append(index)

    def _add_whole(self, index: int, start: int, stop: int) -> None:
        wide = [(left, right) for left, right in self._ruler.extents(start, stop) if right - left >= _THIN]
        for left, right in wide:
            self._add_piece(index, left, right, Shape.FULL)
        if not wide:
            self._mark(self._ruler.x(stop), index)

    def _add_shared(self, cluster: tuple[int, int], indices: list[int]) -> None:
        leading, trailing = self._ruler.edges(*cluster)
        if abs(trailing - leading) < _THIN:
            for index in indices:
                self._mark(leading, index)
            return
        left, right = sorted((leading, trailing))
        height = self._metrics.strip_top - self._metrics.cell_top - _GAP
        self._split.append(_inset(QRectF(left, self._row + self._metrics.cell_top, right - left, height)))
        first, last = self._map.byte(cluster[0]), self._map.byte(cluster[1])
        # No bytes at all, where Qt lays out a text that is newer than the map.
        per_byte = (trailing - leading) / max(1, last - first)
        for index in indices:
            start, stop = self._bytes(index)
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
            pitch = min(pitch, neighbor.width() * 0.6 / len(indices))
            neighbor.setLeft(max(neighbor.left(), x + pitch * len(indices) + _GAP / 2))
        for number, index in enumerate(indices):
            self._add_piece(index, x + number * pitch, x + (number + 1) * pitch, Shape.MARK)

    def _add_piece(self, index: int, left: float, right: float, shape: Shape) -> None:
        top = self._metrics.strip_top if shape is Shape.PART else self._metrics.cell_top
        rect = QRectF(left, self._row + top, right - left, self._metrics.cell_bottom - top)
        self._pieces.append(Piece(index, _inset(rect), shape))


def _inset(rect: QRectF) -> QRectF:
    """The rectangle less half a gap at either side; narrow ones give up less."""
    margin = min(_GAP / 2, rect.width() * 0.15)
    return rect.adjusted(margin, 0, -margin, 0)


def _joined(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Stretches that touch, joined; from left to right."""
    joined: list[tuple[float, float]] = []
    for left, right in sorted(stretches):
        if joined and left - joined[-1][1] < 0.1:
            joined[-1] = (joined[-1][0], max(right, joined[-1][1]))
        else:
            joined.append((left, right))
    return joined


def _x(cursor: object) -> float:
    """PySide answers `cursorToX` with (x, position), whatever its type hints say."""
    if isinstance(cursor, tuple):
        return float(cursor[0])
    raise TypeError(f"cursorToX answered {cursor!r}")
