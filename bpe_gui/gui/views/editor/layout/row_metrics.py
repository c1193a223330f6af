"""Measure the rows of text: all are equally high, whatever characters they contain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QFont, QFontMetricsF

LINE_END_GLYPHS: Final = {b"": "", b"\n": "↵", b"\r": "\\r", b"\r\n": "\\r↵"}
"""The glyphs of line breaks where white space is shown; their cells are as wide where it is not."""


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """The measures of a row in pixels, vertical ones from its top."""

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
        """Return the measures for a font, with space for strips below the descenders."""
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
