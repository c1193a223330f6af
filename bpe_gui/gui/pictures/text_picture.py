"""A part of a text with the cells of its tokens, laid out for a picture: in rows of some width, strip by strip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter

from bpe_gui.engine import EngineError
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.look.palette import TokenPalette
from bpe_gui.gui.views.editor.layout.text_rows import Row, TextRows
from bpe_gui.gui.views.editor.layout.token_page import Pages, PageSegment
from bpe_gui.gui.views.editor.painting.token_painter import TokenPainter
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, IntArray, LiveTokens, LongArray, Tokens

Span = tuple[int, int]
"""Start and stop of a part of a text, in bytes."""

STRIP: Final = 64
"""Rows that are painted between two reports."""

_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_LAST_LINE: Final = 4_000  # bytes in which the end of a line is looked for, so that a text is cut there
_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80


@dataclass(frozen=True, slots=True)
class Look:
    """How tokens look in a picture; `paper` is the colour behind them."""

    paper: QColor
    palette: TokenPalette
    font: QFont
    color_mode: ColorMode
    white_space: bool

    @property
    def family(self) -> str:
        """The family that draws most of the text."""
        return QFontInfo(self.font).family()


class Excerpt(LiveTokens):
    """A part of a text as a text of its own, with the tokens that it has there and their colours."""

    def __init__(self, source: LiveTokens, span: Span) -> None:
        start, stop = span
        super().__init__(LiveText(source.text.read(start, stop).decode()), label=source.label)
        self._source = source
        self._start = start

    def overlapping(self, start: int, stop: int) -> Tokens:
        """The tokens that the bytes [start, stop) of the part have to show; the first may begin before the part."""
        tokens = self._source.overlapping(self._start + start, self._start + stop)
        return tokens.part(0, len(tokens), -self._start)

    def colored(self, start: int, stop: int, count: int, mode: ColorMode) -> tuple[Tokens, IntArray]:
        """These tokens, each with one of `count` colours: none where the text cannot be encoded."""
        try:
            tokens, colors = self._source.colored(self._start + start, self._start + stop, count, mode)
        except EngineError:  # which whoever encodes the text tells the user
            return NO_TOKENS, NO_TOKENS.ids
        return tokens.part(0, len(tokens), -self._start), colors

    def word_starts(self, start: int, stop: int) -> LongArray:
        """Where words begin among the bytes [start, stop) of the part."""
        return self._source.word_starts(self._start + start, self._start + stop) - self._start


def beginning(text: LiveText, span: Span, most: int) -> Span:
    """No more than so many bytes of a part of a text: whole lines, or at least whole characters."""
    start, stop = span
    if stop - start <= most:
        return span
    end = start + most
    window = text.read(end - min(most, _LAST_LINE), end + 1)
    line_end = window.rfind(b"\n", 0, -1)
    if line_end >= 0:
        return start, end + 2 + line_end - len(window)
    at = len(window) - 1
    while window[at] & _CONTINUATION_MASK == _CONTINUATION:
        at -= 1
    return start, end + 1 + at - len(window)


class TextPicture:
    """A part of a text in rows; `width` and `margin` are those of the whole picture, in pixels."""

    def __init__(self, source: LiveTokens, span: Span, look: Look, width: float, margin: float) -> None:
        self.look = look
        self.width = width
        self.margin = margin
        excerpt = Excerpt(source, span)
        self.size = len(excerpt.text)
        """Bytes of the text."""
        self.font = QFont(look.font)
        self.font.setPixelSize(QFontInfo(look.font).pixelSize())  # of one size on paper, in files and on screen
        self.rows = TextRows(excerpt.text, self.font, width - 2 * margin)
        self._pages = Pages(self.rows, excerpt)
        self._painter = TokenPainter(look.palette)
        segments = len(self.rows.index)
        # Behind the last line break nothing is seen.
        self._segments = (
            segments - 1 if segments > 1 and self.rows.index.span(segments - 1)[0] == self.size else segments
        )

    def fit(self, most: int | None = None) -> tuple[int, int]:
        """How many rows there are, but no more than `most`, and how many bytes of the text these show."""
        count = 0
        for segment in range(self._segments):
            layout = self.rows.layout(segment)
            if most is not None and count + len(layout) > most:
                return most, self.rows.place(segment, layout.starts[most - count])
            count += len(layout)
        return count, self.size

    def extent(self, rows: int) -> QSizeF:
        """The size of a picture with so many rows."""
        return QSizeF(self.width, rows * self.rows.metrics.height + 2 * self.margin)

    def strips(self, height: int = STRIP, most: int | None = None) -> Iterator[list[PageSegment]]:
        """All rows, so many at a time, but no more than `most`. The y of a strip counts from its top."""
        first, left = Row(0, 0), most
        while first.segment < self._segments and left != 0:
            wanted = height if left is None else min(height, left)
            room = (wanted - 0.5) * self.rows.metrics.height
            page = self._pages.page(first, room, len(self.look.palette.backgrounds), self.look.color_mode, words=False)
            segments = page.segments[: self._segments - first.segment]
            yield segments
            left = None if left is None else left - wanted
            last, number = segments[-1], first.segment + len(segments) - 1
            first = Row(number + 1, 0) if last.rows.stop == len(last.layout) else Row(number, last.rows.stop)

    def paint(self, painter: QPainter, strip: list[PageSegment]) -> None:
        """A strip, with the top left corner of its first row at the origin."""
        painter.setRenderHint(_ANTIALIASING)
        for segment in strip:
            painter.translate(0, segment.top)
            self._painter.paint_cells(painter, segment, segment.rows)
            self._painter.paint_text(painter, segment, segment.rows)
            if self.look.white_space:
                painter.setFont(self.font)
                self._painter.paint_white_space(painter, segment, segment.rows)
            painter.translate(0, -segment.top)


def end_of(strip: list[PageSegment]) -> int:
    """The place in the text behind a strip."""
    last = strip[-1]
    return last.start + last.layout.text.byte(last.layout.stop(last.rows.stop - 1))
