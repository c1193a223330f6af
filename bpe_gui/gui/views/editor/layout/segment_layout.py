"""A segment of text laid out in rows of one height, and where its characters are on them.

Geometry is in the coordinates of the segment: x from the left edge of the text, y from the top of its first row.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextLine, QTextOption

from bpe_gui.gui.views.editor.layout.segment_text import BEFORE_ESCAPE, SegmentText

_TRAILING: Final = QTextLine.Edge.Trailing
_RIGHT_TO_LEFT: Final = Qt.LayoutDirection.RightToLeft
_LEFT_TO_RIGHT: Final = Qt.LayoutDirection.LeftToRight
_LEFT: Final = Qt.AlignmentFlag.AlignLeft
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_WRAP: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_TAB_COLUMNS: Final = 4
_FEWEST_COLUMNS: Final = 12  # the longest escape has ten

LINE_END_SIGNS: Final = {b"": "", b"\n": "↵", b"\r": "\\r", b"\r\n": "\\r↵"}
"""How line breaks are spelled where white space is shown; their cells are as wide in any case."""


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Measures of a row of text, in pixels; y from its top. They are the same for every row, whatever it holds."""

    height: float
    baseline: float
    cell_top: float
    cell_bottom: float
    strip_top: float
    column: float
    line_end_widths: dict[bytes, float]

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
            column=metrics.horizontalAdvance(" "),
            line_end_widths={end: metrics.horizontalAdvance(sign) for end, sign in LINE_END_SIGNS.items()},
        )


@dataclass(frozen=True, slots=True)
class Preedit:
    """What an input method composes at the offset `byte` of a segment; `cursor` is a UTF-16 position in it."""

    text: str
    cursor: int
    byte: int


class SegmentLayout:
    """A segment in rows; positions are those of its `SegmentText`.

    While an input method composes, Qt's layout holds the composed text as well; `_inner` and `_outer` translate
    between our positions and those of the layout.
    """

    def __init__(
        self, text: SegmentText, font: QFont, metrics: RowMetrics, width: float, preedit: Preedit | None = None
    ) -> None:
        self.text = text
        self.metrics = metrics
        self.layout = QTextLayout(text.shown, font)
        self.layout.setCacheEnabled(True)
        self.layout.setTextOption(_text_option(text, metrics))
        self._composed_at = self._composed = self._composing_cursor = 0
        self._clusters: dict[int, tuple[int, int]] = {}
        if preedit is not None:
            self._composed_at = text.position(preedit.byte)
            self._composed = len(preedit.text.encode("utf-16-le")) // 2
            self._composing_cursor = preedit.cursor
            self.layout.setPreeditArea(self._composed_at, preedit.text)
        self._inner_length = text.length + self._composed
        self._line_end_width = metrics.line_end_widths[text.line_end]
        self._lines = self._wrapped(width)
        self._hanging: dict[int, bool] = {}
        self._xs: list[dict[int, float]] = [{} for _ in self._lines]
        # Qt begins a row behind the first of the two unseen characters before an escape.
        self.starts = [text.position(text.byte(self._outer(line.textStart()))) for line in self._lines]
        """The position at which each row starts."""

    def _wrapped(self, width: float) -> list[QTextLine]:
        """Rows that leave room for the line break, or for the space that hangs out of a row."""
        room = max(self.metrics.column, self._line_end_width)
        left = room if self.text.is_right_to_left else 0.0
        lines: list[QTextLine] = []
        self.layout.beginLayout()
        while (line := self.layout.createLine()).isValid():
            line.setLineWidth(max(_FEWEST_COLUMNS * self.metrics.column, width - room))
            top = len(lines) * self.metrics.height
            line.setPosition(QPointF(left, top + self.metrics.baseline - line.ascent()))
            lines.append(line)
        self.layout.endLayout()
        return lines

    def __len__(self) -> int:
        """How many rows there are; at least one."""
        return len(self._lines)

    @property
    def is_simple(self) -> bool:
        """Whether each byte has a position of its own, one behind the other."""
        return self.text.is_plain and self.text.line_end != b"\r\n" and not self._composed

    # -- positions --------------------------------------------------------------------------------------------------

    def stop(self, row: int) -> int:
        """The position at which a row stops; that of the last row counts the line break."""
        if row + 1 < len(self.starts):
            return self.starts[row + 1]
        return self.text.length + bool(self.text.line_end)

    def row_of(self, position: int) -> int:
        """The row on which the character at `position` is."""
        return max(0, bisect_right(self.starts, position) - 1)

    def is_boundary(self, position: int) -> bool:
        """Whether `position` is between two grapheme clusters; an escape is one."""
        if self.text.is_plain:
            return True
        if not self.text.is_between_characters(position):
            return False  # of a few scripts Qt counts the units wrongly
        inner = self._inner(position, after_composed=True)
        return inner >= self._inner_length or self.layout.isValidCursorPosition(inner)

    def cluster(self, position: int) -> tuple[int, int]:
        """Start and stop of the grapheme cluster that holds the character at `position`."""
        found = self._clusters.get(position)
        if found is None:
            start, stop = position, position + 1
            while start > 0 and not self.is_boundary(start):
                start -= 1
            while stop < self.text.length and not self.is_boundary(stop):
                stop += 1
            found = start, stop
            # A letter with a thousand marks has as many tokens, all of which ask.
            self._clusters.update(dict.fromkeys(range(start, stop), found))
        return found

    def _inner(self, position: int, *, after_composed: bool) -> int:
        behind = position > self._composed_at or (after_composed and position == self._composed_at)
        return position + self._composed if behind else position

    def _outer(self, inner: int) -> int:
        if inner > self._composed_at:
            return max(self._composed_at, inner - self._composed)
        return inner

    def escapes(self) -> list[tuple[int, int]]:
        """Where Qt's layout has escapes: starts and stops."""
        found: list[tuple[int, int]] = []
        for start, stop in self.text.escapes:
            first, last = self._inner(start, after_composed=True), self._inner(stop, after_composed=False)
            if found and found[-1][1] == first:  # Qt would leave out the second of two that touch
                first = found.pop()[0]
            found.append((first, last))
        return found

    def composed(self) -> list[tuple[int, int]]:
        """Where Qt's layout has what is being composed, if there is any: its start and stop."""
        return [(self._composed_at, self._composed_at + self._composed)] if self._composed else []

    # -- where characters are ---------------------------------------------------------------------------------------

    def x(self, position: int, row: int) -> float:
        """Where a caret behind the character before `position` stands."""
        if position > self.text.length:
            return self._line_end_edges()[1]
        if position == self._row_end(row):
            return self._row_end_x(row)
        return self._cursor_x(self._inner(position, after_composed=False), row)

    def xs(self, row: int) -> list[float]:
        """`x` for each position of a row, from its start to its stop, where each byte has a position of its own."""
        found = [self._cursor_x(position, row) for position in range(self.starts[row], self._row_end(row))]
        return [*found, *(self.x(position, row) for position in range(self._row_end(row), self.stop(row) + 1))]

    def _cursor_x(self, inner: int, row: int) -> float:
        """What Qt says, remembered: the cells of one token end where those of the next begin."""
        known = self._xs[row]
        if inner not in known:
            line = self._lines[row]
            known[inner] = self._drawn(_x(line.cursorToX(max(inner, line.textStart()))), row)
        return known[inner]

    def _drawn(self, x: float, row: int) -> float:
        """Where that is drawn which Qt has its caret at `x` for.

        A space that hangs out of a row is drawn at the end of the row, but among letters that are read in the other
        direction Qt's caret leaves room for it beside them.
        """
        if not self.text.is_bidirectional or not self._has_hanging_space(row):
            return x
        line, end, width = self._lines[row], self._inner(self._row_end(row), after_composed=False), self.metrics.column
        behind, before = _x(line.cursorToX(end)), _x(line.cursorToX(end - 1))
        if (behind < before) == self.text.is_right_to_left:
            return x
        if self.text.is_right_to_left:
            return x + width if x < behind - width / 2 else x
        return x - width if x > behind + width / 2 else x

    def caret(self, position: int) -> tuple[float, int]:
        """x and row of the caret at `position`, or of that of the input method which composes there."""
        if self._composed and position == self._composed_at:
            inner = position + self._composing_cursor
            row = self.layout.lineForTextPosition(inner).lineNumber()
            return self._cursor_x(inner, row), row
        row = self.row_of(position)
        if position >= self._row_end(row):
            return self._row_end_x(row), row
        return self._cursor_x(self._inner(position, after_composed=False), row), row

    def position_at(self, x: float, row: int) -> int:
        """The boundary between grapheme clusters that is nearest to `x` on a row."""
        if self.text.is_bidirectional:
            position = self._nearest(x, row)
        else:
            position = min(self._outer(self._lines[row].xToCursor(x)), self.text.length)
            start, stop = self.cluster(position) if position < self.text.length else (position, position)
            if start < position:
                position = min((start, stop), key=lambda place: abs(self.x(place, row) - x))
        if position >= self.stop(row) and row + 1 < len(self):
            position = self.cluster(self.stop(row) - 1)[0]  # there, a caret would be on the next row
        return position

    def _nearest(self, x: float, row: int) -> int:
        """The end of a grapheme cluster that is nearest to `x`, of the cluster at `x`."""
        found: list[tuple[float, float, int]] = []
        start = self.starts[row]
        while start < self._row_end(row):
            stop = self.cluster(start)[1]
            leading, trailing = self.edges(start, stop, row)
            outside = max(0.0, min(leading, trailing) - x, x - max(leading, trailing))
            found += [(outside, abs(leading - x), start), (outside, abs(trailing - x), stop)]
            start = stop
        return min(found)[2] if found else start

    def edges(self, start: int, stop: int, row: int) -> tuple[float, float]:
        """x of the leading and of the trailing edge of the grapheme cluster [start, stop).

        In segments of one direction [start, stop) may be longer than a cluster.
        """
        if start >= self.text.length:
            return self._line_end_edges()
        first = self._inner(start, after_composed=True)
        line = self._lines[row]
        leading = self._cursor_x(first, row)
        if not self.text.is_bidirectional:
            return leading, self.x(stop, row)
        if self.text.is_inside_escape(start + 1):
            around = len(BEFORE_ESCAPE)  # what is not seen has a glyph and a width all the same
            return self._glyph_edges(first + around, stop - start - 2 * around, leading, line)
        if self.text.is_unseen(start):
            return leading, leading
        if stop == self._row_end(row) and self._has_hanging_space(row):
            outer = self._row_end_x(row)
            return (outer + self.metrics.column if self.text.is_right_to_left else outer - self.metrics.column), outer
        trailing = self._drawn(_x(line.cursorToX(first, _TRAILING)), row)
        if leading == trailing or self.text.is_beside_other_direction(start, stop):
            glyph = self._glyph_edges(first, 1, leading, line)
            if not _agree((leading, trailing), glyph):
                return glyph
        following = self.x(stop, row)
        is_in_ligature = min(leading, trailing) < following < max(leading, trailing)
        return leading, following if is_in_ligature else trailing

    def extents(self, start: int, stop: int, row: int) -> list[tuple[float, float]]:
        """Left and right of the stretches of a row that [start, stop) covers: several where directions mix."""
        if not self.text.is_bidirectional:
            return [self.edges(start, stop, row)]
        found: list[tuple[float, float]] = []
        while start < stop:
            following = self.cluster(start)[1]
            left, right = sorted(self.edges(start, following, row))
            found.append((left, right))
            start = following
        return _joined(found)

    def bands(self, start: int, stop: int, row: int) -> list[QRectF]:
        """The parts of a row, over its whole height, that the positions [start, stop) cover."""
        start, stop = max(start, self.starts[row]), min(stop, self.stop(row))
        if start >= stop:
            return []
        top, height = row * self.metrics.height, self.metrics.height
        stretches = [sorted(extent) for extent in self.extents(start, stop, row)]
        return [QRectF(left, top, right - left, height) for left, right in stretches]

    def _row_end(self, row: int) -> int:
        """The position behind the last character of a row that is no line break."""
        return min(self.stop(row), self.text.length)

    def _row_end_x(self, row: int) -> float:
        """The outer edge of the last character; for Qt, a space at the end of a row has no width."""
        end = self._row_end(row)
        hanging = self.metrics.column if self._has_hanging_space(row) else 0.0
        line = self._lines[row]
        if self.text.is_right_to_left:
            return line.naturalTextRect().left() - hanging
        if hanging or self.text.is_bidirectional:
            return line.naturalTextRect().right() + hanging
        return self._cursor_x(self._inner(end, after_composed=False), row)

    def _has_hanging_space(self, row: int) -> bool:
        """Whether a row ends with a space for which Qt has no room; it may have some on the last row."""
        known = self._hanging.get(row)
        if known is None:
            end = self._row_end(row)
            known = end > self.starts[row] and self.text.is_hanging_space(end - 1)
            if known:
                known = not self._lines[row].glyphRuns(self._inner(end - 1, after_composed=True), 1)
            self._hanging[row] = known
        return known

    def _line_end_edges(self) -> tuple[float, float]:
        end = self._row_end_x(len(self) - 1)
        if self.text.is_right_to_left:
            return end, end - self._line_end_width
        return end, end + self._line_end_width

    @staticmethod
    def _glyph_edges(first: int, count: int, caret: float, line: QTextLine) -> tuple[float, float]:
        """Edges of what is drawn for some characters of one run.

        At the ends of a run against the paragraph's direction the caret has two places, and Qt may answer with the
        one at the far side of the run.
        """
        runs = line.glyphRuns(first, count)
        if not runs:
            return caret, caret
        left = min(point.x() for run in runs for point in run.positions())
        advances = (run.rawFont().advancesForGlyphIndexes(run.glyphIndexes()) for run in runs)
        right = left + sum(point.x() for run in advances for point in run)
        return (right, left) if runs[0].isRightToLeft() else (left, right)


def _text_option(text: SegmentText, metrics: RowMetrics) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(_WRAP)
    option.setTabStopDistance(_TAB_COLUMNS * metrics.column)
    option.setTextDirection(_RIGHT_TO_LEFT if text.is_right_to_left else _LEFT_TO_RIGHT)
    option.setAlignment(_RIGHT if text.is_right_to_left else _LEFT)
    return option


def _agree(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two stretches have more than half of the smaller in common."""
    (left, right), (low, high) = sorted(one), sorted(other)
    return min(right, high) - max(left, low) > min(right - left, high - low) / 2


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
