"""Lay out a segment of text in rows of equal height, and find its characters there."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from bpe_gui.gui.system.exact_text import utf16_size
from bpe_gui.gui.views.fitted_text import format_range, tall_words

from .segment_text import BEFORE_ESCAPE, SegmentText

LINE_END_GLYPHS: Final = {b"": "", b"\n": "↵", b"\r": "\\r", b"\r\n": "\\r↵"}
"""The glyphs for line breaks when white space is shown; their cells are equally wide when it is not."""
_TRAILING: Final = QTextLine.Edge.Trailing
_RIGHT_TO_LEFT: Final = Qt.LayoutDirection.RightToLeft
_LEFT_TO_RIGHT: Final = Qt.LayoutDirection.LeftToRight
_LEFT: Final = Qt.AlignmentFlag.AlignLeft
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_WRAP: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_WRAP_ANYWHERE: Final = QTextOption.WrapMode.WrapAnywhere
_ABSOLUTE: Final = QFont.SpacingType.AbsoluteSpacing
_TAB_COLUMNS: Final = 4
_MIN_COLUMNS: Final = 12  # the longest escape has ten
_JOINER: Final = "\u200d"
_BYTE_WIDTH: Final = 2.0  # pixels per byte of an emoji joined from several, since each byte may be a token
_SYMBOL: Final = "[\u2190-\u3300\U0001f000-\U0001faff]\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_JOINED_EMOJI: Final = re.compile(f"{_SYMBOL}(?:\u200d{_SYMBOL})+")
_TOUCHING: Final = 0.1  # pixels between two stretches that count as touching


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """The measurements of a row in pixels, vertically from its top."""

    height: float
    baseline: float
    cell_top: float
    cell_bottom: float
    strip_top: float
    """The top of the strips below a character whose bytes several tokens share."""
    column: float
    """The width of a space."""
    line_end_widths: dict[bytes, float]

    @classmethod
    def of(cls, font: QFont) -> RowMetrics:
        """Return the measurements for a font, with space for strips below the descenders."""
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
            line_end_widths={end: metrics.horizontalAdvance(glyph) for end, glyph in LINE_END_GLYPHS.items()},
        )


@dataclass(frozen=True, slots=True)
class Preedit:
    """The text that an input method is composing at `offset` of a segment; `cursor` is a UTF-16 index into it."""

    text: str
    cursor: int
    offset: int


class SegmentLayout:
    """A segment wrapped into rows; positions are those of its `SegmentText`.

    While an input method composes, Qt's layout also contains the preedit text. Its positions are called *inner*;
    `_inner` and `_outer` convert between them and ours.
    """

    def __init__(
        self,
        text: SegmentText,
        font: QFont,
        metrics: RowMetrics,
        width: float,
        preedit: Preedit | None = None,
        whole: re.Pattern[bytes] | None = None,
    ) -> None:
        """Wrap the text at `width` pixels, but not inside a match of `whole` that fits in a row."""
        self.text = text
        self.metrics = metrics
        self.layout = QTextLayout(text.shown, font)
        self.layout.setCacheEnabled(True)
        self.layout.setTextOption(_text_option(text, metrics))
        formats = _wide_emoji(text.shown, font)
        self._preedit_at = self._preedit_length = self._preedit_cursor = 0
        if preedit is not None:
            self._preedit_at = text.position(preedit.offset)
            self._preedit_length = utf16_size(preedit.text)
            self._preedit_cursor = preedit.cursor
            self.layout.setPreeditArea(self._preedit_at, preedit.text)
        else:
            formats += tall_words(text.shown, font, metrics.baseline, metrics.height)
        self.layout.setFormats(formats)
        self._inner_length = text.length + self._preedit_length
        self._line_end_width = metrics.line_end_widths[text.line_end]
        self._lines = self._wrapped(width, whole)
        self._clusters: dict[int, tuple[int, int]] = {}
        self._hanging: dict[int, bool] = {}
        self._cursor_xs: list[dict[int, float]] = [{} for _ in self._lines]
        # Qt starts a row after the first of the two invisible characters before an escape.
        self.starts = [text.position(text.offset(self._outer(line.textStart()))) for line in self._lines]
        """The position where each row starts."""

    def _wrapped(self, width: float, whole: re.Pattern[bytes] | None) -> list[QTextLine]:
        """Wrap at `width` minus the width of the line break, or of a space that hangs off the end of its row."""
        reserve = max(self.metrics.column, self._line_end_width)
        left = reserve if self.text.is_right_to_left else 0.0
        matches = [] if whole is None or self.text.is_bidirectional else list(whole.finditer(self.text.utf8))
        unbroken = [
            [self._inner(self.text.position(offset), after_preedit=True) for offset in match.span()]
            for match in matches
        ]
        lines: list[QTextLine] = []
        self.layout.beginLayout()
        while (line := self.layout.createLine()).isValid():
            line.setLineWidth(max(_MIN_COLUMNS * self.metrics.column, width - reserve))
            first, stop = line.textStart(), line.textStart() + line.textLength()
            for start, end in unbroken:
                if first < start < stop < end:
                    self.layout.setTextOption(_text_option(self.text, self.metrics, _WRAP_ANYWHERE))
                    line.setLineWidth(_x(line.cursorToX(start)) - _x(line.cursorToX(first)) + _TOUCHING)
                    self.layout.setTextOption(_text_option(self.text, self.metrics))
            top = len(lines) * self.metrics.height
            line.setPosition(QPointF(left, top + self.metrics.baseline - line.ascent()))
            lines.append(line)
        self.layout.endLayout()
        return lines

    def __len__(self) -> int:
        """Return the number of rows, at least one."""
        return len(self._lines)

    @property
    def is_simple(self) -> bool:
        """Whether every byte has its own position, from left to right."""
        return self.text.is_plain and self.text.line_end != b"\r\n" and not self._preedit_length

    # -- positions --------------------------------------------------------------------------------------------------

    def stop(self, row: int) -> int:
        """Return the position where a row stops; for the last row, after the line break."""
        if row + 1 < len(self.starts):
            return self.starts[row + 1]
        return self.text.length + bool(self.text.line_end)

    def row_of(self, position: int) -> int:
        return max(0, bisect_right(self.starts, position) - 1)

    def is_boundary(self, position: int) -> bool:
        """Return whether `position` is between two grapheme clusters; an escape is one cluster."""
        if self.text.is_plain:
            return True
        if not self.text.is_between_characters(position):
            return False  # in a few scripts, Qt would allow it
        inner = self._inner(position, after_preedit=True)
        return inner >= self._inner_length or self.layout.isValidCursorPosition(inner)

    def cluster(self, position: int) -> tuple[int, int]:
        """Return start and stop of the grapheme cluster around the character at `position`."""
        cluster = self._clusters.get(position)
        if cluster is None:
            start, stop = position, position + 1
            while start > 0 and not self.is_boundary(start):
                start -= 1
            while stop < self.text.length and not self.is_boundary(stop):
                stop += 1
            cluster = start, stop
            # A letter with a thousand combining marks may have as many tokens, all sharing this cluster.
            self._clusters.update(dict.fromkeys(range(start, stop), cluster))
        return cluster

    def _inner(self, position: int, *, after_preedit: bool) -> int:
        is_after = position > self._preedit_at or (after_preedit and position == self._preedit_at)
        return position + self._preedit_length if is_after else position

    def _outer(self, inner: int) -> int:
        if inner > self._preedit_at:
            return max(self._preedit_at, inner - self._preedit_length)
        return inner

    def inner_escapes(self) -> list[tuple[int, int]]:
        """Return start and stop of each escape, as positions in Qt's layout."""
        spans: list[tuple[int, int]] = []
        for start, stop in self.text.escapes:
            first, last = self._inner(start, after_preedit=True), self._inner(stop, after_preedit=False)
            if spans and spans[-1][1] == first:  # Qt would not format the second of two adjacent ones
                first = spans.pop()[0]
            spans.append((first, last))
        return spans

    def inner_preedit(self) -> list[tuple[int, int]]:
        """Return start and stop of the preedit text, if any, as positions in Qt's layout."""
        return [(self._preedit_at, self._preedit_at + self._preedit_length)] if self._preedit_length else []

    # -- geometry ---------------------------------------------------------------------------------------------------

    def x(self, position: int, row: int) -> float:
        """Return the x coordinate of a caret after the character before `position`."""
        if position > self.text.length:
            return self._line_end_edges()[1]
        if position == self._row_end(row):
            return self._row_end_x(row)
        return self._cursor_x(self._inner(position, after_preedit=False), row)

    def xs(self, row: int) -> list[float]:
        """Return `x` for each position of a row from start to stop; only for a simple layout."""
        line, end = self._lines[row], self._row_end(row)
        cursor_to_x: Any = line.cursorToX  # see `_x`; called for every visible character
        before_end = [cursor_to_x(position)[0] for position in range(self.starts[row], end)]
        return [*before_end, *(self.x(position, row) for position in range(end, self.stop(row) + 1))]

    def _cursor_x(self, inner: int, row: int) -> float:
        """Return Qt's x coordinate of a cursor, cached because one token's cell ends where the next one begins."""
        xs = self._cursor_xs[row]
        if inner not in xs:
            line = self._lines[row]
            xs[inner] = self._as_drawn(_x(line.cursorToX(max(inner, line.textStart()))), row)
        return xs[inner]

    def _as_drawn(self, x: float, row: int) -> float:
        """Return where Qt draws the character whose cursor it places at `x`.

        Qt draws a space that hangs off a row at the end of the row, but among letters of the other direction, its
        cursor positions leave a gap for the space.
        """
        if not self.text.is_bidirectional or not self._has_hanging_space(row):
            return x
        line, end, width = self._lines[row], self._inner(self._row_end(row), after_preedit=False), self.metrics.column
        after, before = _x(line.cursorToX(end)), _x(line.cursorToX(end - 1))
        if (after < before) == self.text.is_right_to_left:
            return x
        if self.text.is_right_to_left:
            return x + width if x < after - width / 2 else x
        return x - width if x > after + width / 2 else x

    def caret(self, position: int) -> tuple[float, int]:
        """Return x and row of a caret at `position`, or of the input method's own caret if it is composing there."""
        if self._preedit_length and position == self._preedit_at:
            inner = position + self._preedit_cursor
            row = self.layout.lineForTextPosition(inner).lineNumber()
            return self._cursor_x(inner, row), row
        row = self.row_of(position)
        if position >= self._row_end(row):
            return self._row_end_x(row), row
        return self._cursor_x(self._inner(position, after_preedit=False), row), row

    def position_at(self, x: float, row: int) -> int:
        """Return the grapheme cluster boundary on a row that is nearest to `x`."""
        if self.text.is_plain:
            position = min(self._outer(self._lines[row].xToCursor(x)), self.text.length)
        else:  # after a letter with three marks, Qt finds the end of the text
            position = self._nearest(x, row)
        if position >= self.stop(row) and row + 1 < len(self):
            position = self.cluster(self.stop(row) - 1)[0]  # a caret at the stop would be on the next row
        return position

    def _nearest(self, x: float, row: int) -> int:
        """Return the nearer end of the grapheme cluster at `x`."""
        candidates: list[tuple[float, float, int]] = []
        start = self.starts[row]
        while start < self._row_end(row):
            stop = self.cluster(start)[1]
            leading, trailing = self.edges(start, stop, row)
            distance = max(0.0, min(leading, trailing) - x, x - max(leading, trailing))
            candidates += [(distance, abs(leading - x), start), (distance, abs(trailing - x), stop)]
            start = stop
        return min(candidates)[2] if candidates else start

    def edges(self, start: int, stop: int, row: int) -> tuple[float, float]:
        """Return the x coordinates of the leading and the trailing edge of the grapheme cluster [start, stop).

        In unidirectional segments, [start, stop) may be longer than a cluster.
        """
        if start >= self.text.length:
            return self._line_end_edges()
        first = self._inner(start, after_preedit=True)
        line = self._lines[row]
        leading = self._cursor_x(first, row)
        if not self.text.is_bidirectional:
            return leading, self.x(stop, row)
        if self.text.is_inside_escape(start + 1):
            around = len(BEFORE_ESCAPE)  # characters whose glyphs have a width but are not drawn
            return self._glyph_edges(first + around, stop - start - 2 * around, leading, line)
        if self.text.is_invisible(start):
            return leading, leading
        if stop == self._row_end(row) and self._has_hanging_space(row):
            outer = self._row_end_x(row)
            return (outer + self.metrics.column if self.text.is_right_to_left else outer - self.metrics.column), outer
        trailing = self._as_drawn(_x(line.cursorToX(first, _TRAILING)), row)
        if leading == trailing or self.text.is_beside_other_direction(start, stop):
            glyph = self._glyph_edges(first, 1, leading, line)
            if not _overlap_mostly((leading, trailing), glyph):
                return glyph
        following = self.x(stop, row)
        is_in_ligature = min(leading, trailing) < following < max(leading, trailing)
        return leading, following if is_in_ligature else trailing

    def extents(self, start: int, stop: int, row: int) -> list[tuple[float, float]]:
        """Return left and right of each stretch of a row covered by [start, stop): several in mixed directions."""
        if not self.text.is_bidirectional:
            return [self.edges(start, stop, row)]
        stretches: list[tuple[float, float]] = []
        while start < stop:
            following = self.cluster(start)[1]
            left, right = sorted(self.edges(start, following, row))
            stretches.append((left, right))
            start = following
        return _joined(stretches)

    def bands(self, start: int, stop: int, row: int) -> list[QRectF]:
        """Return the parts of a row, in full height, that the positions [start, stop) cover."""
        start, stop = max(start, self.starts[row]), min(stop, self.stop(row))
        if start >= stop:
            return []
        top, height = row * self.metrics.height, self.metrics.height
        stretches = [sorted(extent) for extent in self.extents(start, stop, row)]
        return [QRectF(left, top, right - left, height) for left, right in stretches]

    def _row_end(self, row: int) -> int:
        """Return the position after the last character of a row, not counting a line break."""
        return min(self.stop(row), self.text.length)

    def _row_end_x(self, row: int) -> float:
        """Return x of the last character's outer edge; Qt considers a space at the end of a row to have no width."""
        end = self._row_end(row)
        hanging = self.metrics.column if self._has_hanging_space(row) else 0.0
        line = self._lines[row]
        if self.text.is_right_to_left:
            return line.naturalTextRect().left() - hanging
        if hanging or self.text.is_bidirectional:
            return line.naturalTextRect().right() + hanging
        return self._cursor_x(self._inner(end, after_preedit=False), row)

    def _has_hanging_space(self, row: int) -> bool:
        """Return whether a row ends with a space that Qt lets hang off it; on the last row, it may fit."""
        is_hanging = self._hanging.get(row)
        if is_hanging is None:
            end = self._row_end(row)
            is_hanging = end > self.starts[row] and self.text.is_hanging_space(end - 1)
            if is_hanging:
                is_hanging = not self._lines[row].glyphRuns(self._inner(end - 1, after_preedit=True), 1)
            self._hanging[row] = is_hanging
        return is_hanging

    def _line_end_edges(self) -> tuple[float, float]:
        end = self._row_end_x(len(self) - 1)
        if self.text.is_right_to_left:
            return end, end - self._line_end_width
        return end, end + self._line_end_width

    @staticmethod
    def _glyph_edges(first: int, count: int, caret_x: float, line: QTextLine) -> tuple[float, float]:
        """Return the leading and trailing edge of what is drawn for `count` characters of one run.

        At the ends of a run against the paragraph's direction there are two caret positions, and Qt may return the one
        on the far side of the run.
        """
        runs = line.glyphRuns(first, count)
        if not runs:
            return caret_x, caret_x
        left = min(point.x() for run in runs for point in run.positions())
        advances = (run.rawFont().advancesForGlyphIndexes(run.glyphIndexes()) for run in runs)
        right = left + sum(point.x() for run in advances for point in run)
        return (right, left) if runs[0].isRightToLeft() else (left, right)


def _wide_emoji(text: str, font: QFont) -> list[QTextLayout.FormatRange]:
    """Return formats that widen emoji joined from several, so that the cells of single bytes can be told apart."""
    if _JOINER not in text:
        return []
    spaced = QFont(font)
    spaced.setLetterSpacing(_ABSOLUTE, 1.0)
    metrics, spaced_metrics = QFontMetricsF(font), QFontMetricsF(spaced)
    ranges: list[QTextLayout.FormatRange] = []
    for emoji in _JOINED_EMOJI.finditer(text):
        width = metrics.horizontalAdvance(emoji[0])
        # With fonts that lack the joined emoji, Qt adds the spacing after each glyph; with others, after the last.
        places = spaced_metrics.horizontalAdvance(emoji[0]) - width
        missing = len(emoji[0].encode()) * _BYTE_WIDTH - width
        if missing > 0 and places > 0:
            char_format = QTextCharFormat()
            char_format.setFontLetterSpacingType(_ABSOLUTE)
            char_format.setFontLetterSpacing(missing / places)
            start = utf16_size(text[: emoji.start()])
            ranges.append(format_range(start, start + utf16_size(emoji[0]), char_format))
    return ranges


def _text_option(text: SegmentText, metrics: RowMetrics, wrap: QTextOption.WrapMode = _WRAP) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(wrap)
    option.setTabStopDistance(_TAB_COLUMNS * metrics.column)
    option.setTextDirection(_RIGHT_TO_LEFT if text.is_right_to_left else _LEFT_TO_RIGHT)
    option.setAlignment(_RIGHT if text.is_right_to_left else _LEFT)
    return option


def _overlap_mostly(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two stretches share more than half of the smaller."""
    (left, right), (low, high) = sorted(one), sorted(other)
    return min(right, high) - max(left, low) > min(right - left, high - low) / 2


def _joined(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the stretches from left to right, joining those that touch."""
    joined: list[tuple[float, float]] = []
    for left, right in sorted(stretches):
        if joined and left - joined[-1][1] < _TOUCHING:
            joined[-1] = (joined[-1][0], max(right, joined[-1][1]))
        else:
            joined.append((left, right))
    return joined


def _x(cursor: object) -> float:
    """Return x from the result of `cursorToX`, which is (x, position), although PySide's type hints say a float."""
    if isinstance(cursor, tuple):
        return float(cursor[0])
    raise TypeError(f"cursorToX returned {cursor!r}")
