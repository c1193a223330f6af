"""Paint one frame of the editor from plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QPainter

from bpe_gui.engine.runtime import BoolArray
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.views.editor.layout.row_metrics import RowMetrics
from bpe_gui.gui.views.editor.layout.token_page import Page, PageSegment

from .token_painter import TokenPainter

_HINT_FLAGS: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True, slots=True)
class Frame:
    """The values that are painted at one moment; offsets are bytes of the text's UTF-8."""

    page: Page
    metrics: RowMetrics
    font: QFont
    selection: tuple[int, int]
    caret: QPointF | None
    """The top of the caret's row at the caret's x, in page coordinates; None while it is hidden."""
    pointed: frozenset[int]
    """Indices, among the tokens of the page, of those outlined because the user points at them."""
    marked: BoolArray
    """Which tokens of the page are outlined because they are selected."""
    flashing: frozenset[tuple[int, int]]
    """The spans of new tokens."""
    flash_strength: float
    seam: int | None
    """The length in bytes of the left part of each new token, whose two parts draw together; None for no parts."""
    gap: float
    """The pixels between these parts now."""
    background: QBrush
    shows_white_space: bool
    shows_word_starts: bool
    hint: str
    """Text to show instead of the page; empty for none."""
    found: Sequence[tuple[int, int]] = ()
    """The spans of the matches of a search."""


def paint_frame(painter: QPainter, tools: TokenPainter, frame: Frame, area: QRectF, width: float) -> None:
    """Paint those rows of a frame that touch `area`; `width` is the text's, at which the hint wraps."""
    painter.setFont(frame.font)
    painter.setRenderHint(ANTIALIASING)
    for segment in frame.page.segments:
        rows = _rows_in(segment, area)
        if rows:
            painter.translate(0, segment.top)
            _paint_segment(painter, tools, frame, segment, rows)
            painter.translate(0, -segment.top)
    if frame.caret is not None:
        top = frame.caret.y()
        tools.paint_caret(painter, frame.caret.x(), top + frame.metrics.cell_top, top + frame.metrics.cell_bottom)
    if frame.hint:
        first_row = frame.metrics.baseline - painter.fontMetrics().ascent()
        painter.setPen(tools.quiet_color)
        painter.drawText(QRectF(0, first_row, width, area.bottom()), _HINT_FLAGS, frame.hint)


def _rows_in(segment: PageSegment, area: QRectF) -> range:
    height = segment.layout.metrics.height
    first = int((area.top() - segment.top) // height)
    last = int((area.bottom() - segment.top) // height) + 1
    return range(max(first, segment.rows.start), min(last, segment.rows.stop))


def _paint_segment(painter: QPainter, tools: TokenPainter, frame: Frame, segment: PageSegment, rows: range) -> None:
    tools.paint_cells(painter, segment, rows)
    _paint_found(painter, tools, frame, segment, rows)
    for row in rows:
        tools.paint_selection(painter, segment.bands(*frame.selection, row))
    _paint_attention(painter, tools, frame, segment, rows)
    tools.paint_text(painter, segment, rows)
    if frame.shows_white_space:
        tools.paint_white_space(painter, segment, rows)
    if frame.shows_word_starts:
        tools.paint_word_starts(painter, segment, rows, frame.page.word_starts)


def _paint_found(painter: QPainter, tools: TokenPainter, frame: Frame, segment: PageSegment, rows: range) -> None:
    positions = [found for span in frame.found if (found := segment.positions(*span)) is not None]
    for row in rows:
        for start, stop in positions:
            tools.paint_found(painter, segment.layout.bands(start, stop, row))


def _paint_attention(painter: QPainter, tools: TokenPainter, frame: Frame, segment: PageSegment, rows: range) -> None:
    """Let tokens that are new flash, and outline those that are marked or pointed at."""
    pointed = {index - segment.first for index in frame.pointed}
    own = frame.marked[segment.first : segment.first + len(segment.tokens)]
    marked = set(np.flatnonzero(own).tolist())
    new: set[int] = set()
    if frame.flashing:
        new = {index for index, span in enumerate(segment.spans()) if span in frame.flashing}
    if not (pointed or marked or new):
        return
    for cell in (cell for row in rows for cell in segment.cells.row(row).cells):
        if cell.token in new:
            tools.paint_flash(painter, cell, frame.flash_strength)
            if frame.seam is not None and frame.gap:
                start, stop = segment.spans()[cell.token]
                tools.paint_gap(painter, cell, frame.seam / max(stop - start, 1), frame.gap, frame.background)
        if cell.token in pointed or cell.token in marked:
            tools.paint_outline(painter, cell, is_pointed=cell.token in pointed)
