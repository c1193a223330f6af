"""Write tokenized text as SVG: text stays text, and the cells are rectangles with the ids as titles.

Qt's own generator would write half a kilobyte per byte of text.
"""

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF

from bpe_gui.engine import Progress
from bpe_gui.gui.look.theme import TokenPalette
from bpe_gui.gui.views.editor.segment_layout import SegmentLayout
from bpe_gui.gui.views.editor.segment_text import SegmentText
from bpe_gui.gui.views.editor.token_page import Cell, CellShape, PageSegment

from .text_picture import TextPicture, end_of

MAX_SVG_BYTES: Final = 300_000
"""The most bytes of text to convert: each token takes two hundred bytes of SVG, which other programs have to handle."""

_CORNER: Final = 3
_SMALL_CORNER: Final = 1.5
_OUTLINE: Final = 1.5
_TAB: Final = 0x09


def svg_of(picture: TextPicture, progress: Progress) -> bytes:
    parts = [_head(picture)]
    top = picture.margin
    for strip in picture.strips():
        for segment in strip:
            parts.append(f'<g transform="translate({picture.margin:g} {top + segment.top:g})">')
            parts += _cells(segment, picture.look.palette)
            parts += _texts(segment, picture)
            parts.append("</g>")
        top += sum(len(segment.rows) for segment in strip) * picture.rows.metrics.height
        progress(end_of(strip), picture.size)
    parts.append("</svg>\n")
    return "\n".join(parts).encode()


def _head(picture: TextPicture) -> str:
    rows, _bytes = picture.fit()
    size, look = picture.extent(rows), picture.look
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width():g}" height="{size.height():g}"'
        f' viewBox="0 0 {size.width():g} {size.height():g}" xml:space="preserve"'
        f' font-family="{escape(look.family)}, monospace" font-size="{picture.font.pixelSize()}"'
        f' fill="{look.palette.text.name()}">\n'
        f'<rect width="{size.width():g}" height="{size.height():g}" fill="{look.paper.name()}"/>'
    )


# -- cells ----------------------------------------------------------------------------------------------------------


def _cells(segment: PageSegment, palette: TokenPalette) -> Iterator[str]:
    frame = f'rx="{_CORNER}" fill="none" stroke="{palette.quiet.name()}" stroke-opacity=".45"'
    for row in segment.rows:
        row_cells = segment.cells.row(row)
        for rect in row_cells.frames:
            yield f"<rect {_box(rect, 0.5)} {frame}/>"
        for cell in row_cells.cells:
            attributes, inset = _cell_attributes(segment, cell, palette)
            token_id = int(segment.tokens.ids[cell.token])
            yield f"<rect {_box(cell.rect, inset)} {attributes}><title>{token_id}</title></rect>"


def _box(rect: QRectF, inset: float) -> str:
    rect = rect.adjusted(inset, inset, -inset, -inset)
    return f'x="{rect.x():.2f}" y="{rect.y():.2f}" width="{rect.width():.2f}" height="{rect.height():.2f}"'


def _cell_attributes(segment: PageSegment, cell: Cell, palette: TokenPalette) -> tuple[str, float]:
    """Return a cell's SVG attributes, and how far inside its edges to draw it."""
    is_full = cell.shape is CellShape.FULL
    corner = f'rx="{_CORNER if is_full else _SMALL_CORNER}"'
    special, unknown = segment.tokens.special[cell.token], segment.tokens.unknown[cell.token]
    if not (special or unknown):
        return f'{corner} fill="{palette.shades[segment.colors[cell.token]].name()}"', 0
    color = (palette.special if special else palette.warning).name()
    if not is_full:
        return f'{corner} fill="{color}"', 0
    stroke = f'stroke="{color}" stroke-width="{_OUTLINE}"'
    if special:
        return f'{corner} fill="{color}" fill-opacity=".2" {stroke}', _OUTLINE / 2
    return f'{corner} fill="none" {stroke} stroke-dasharray="1.5 3"', _OUTLINE / 2


# -- text -----------------------------------------------------------------------------------------------------------


def _texts(segment: PageSegment, picture: TextPicture) -> Iterator[str]:
    """Yield the text in runs, each placed on its cell, whatever font the reader has."""
    layout, metrics, quiet = segment.layout, picture.rows.metrics, picture.look.palette.quiet.name()
    is_mixed = layout.text.is_bidirectional
    boundaries = [] if is_mixed else _run_boundaries(segment)
    for row in segment.rows:
        y = row * metrics.height + metrics.baseline
        start, stop = layout.starts[row], min(layout.stop(row), layout.text.length)
        edges = [start, *(boundary for boundary in boundaries if start < boundary < stop), stop]
        for first, last in pairwise(edges):
            if first < last:
                yield _mixed_run(layout, row, y, first, last) if is_mixed else _run(layout, row, y, first, last, quiet)
        if picture.look.white_space:
            for glyph in segment.cells.glyphs(row):
                x = glyph.rect.center().x()
                yield f'<text x="{x:.2f}" y="{y:g}" text-anchor="middle" fill="{quiet}">{glyph.text}</text>'


def _run_boundaries(segment: PageSegment) -> list[int]:
    """Return, in order, the positions between characters where tokens, tabs or escapes begin or end."""
    layout, text, tokens = segment.layout, segment.layout.text, segment.tokens
    edges = np.unique(np.concatenate((tokens.starts, tokens.stops)))
    inside = edges[(edges > 0) & (edges < len(text.utf8))].tolist()
    positions = {text.position(edge) for edge in inside if not text.is_inside_character(edge)}
    boundaries = {position for position in positions if layout.is_boundary(position)}
    boundaries.update(position for escape_span in text.escapes for position in escape_span)
    for offset, octet in enumerate(text.utf8):
        if octet == _TAB:
            boundaries.update((text.position(offset), text.position(offset) + 1))
    return sorted(boundaries)


def _run(layout: SegmentLayout, row: int, y: float, start: int, stop: int, quiet: str) -> str:
    """Return left-to-right text between two boundaries."""
    left, right = layout.edges(start, stop, row)
    color = f' fill="{quiet}"' if layout.text.is_inside_escape(start + 1) else ""
    width = f' textLength="{right - left:.2f}" lengthAdjust="spacingAndGlyphs"' if right > left else ""
    return f'<text x="{left:.2f}" y="{y:g}"{width}{color}>{escape(_shown(layout.text, start, stop))}</text>'


def _mixed_run(layout: SegmentLayout, row: int, y: float, start: int, stop: int) -> str:
    """Return a row that may contain right-to-left text, which the viewer has to reorder and shape."""
    extents = layout.extents(start, stop, row)
    left, right = extents[0][0], extents[-1][1]
    inside = (edge for span in layout.text.escapes for edge in span if start < edge < stop)
    shown = "".join(_shown(layout.text, first, last) for first, last in pairwise((start, *inside, stop)))
    direction = ' direction="rtl"' if layout.text.is_right_to_left else ""
    return (
        f'<text x="{(left + right) / 2:.2f}" y="{y:g}"{direction} text-anchor="middle"'
        f' textLength="{right - left:.2f}">{escape(shown)}</text>'
    )


def _shown(text: SegmentText, start: int, stop: int) -> str:
    """Return the text shown between two positions, with the original spaces."""
    if text.is_inside_escape(start + 1):
        return text.shown.encode("utf-16-le")[2 * start : 2 * stop].decode("utf-16-le")
    return text.utf8[text.offset(start) : text.offset(stop)].decode()
