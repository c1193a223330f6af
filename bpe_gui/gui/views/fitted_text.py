"""Fit text whose marks would stick out of its row, such as stacked Tibetan letters or a letter with many accents."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout

from bpe_gui.gui.look.theme import scaled_font
from bpe_gui.gui.system.exact_text import utf16_size

_LEEWAY: Final = 1.0  # pixels of a row above the ascent and below the descent
_SMALLEST: Final = 0.4  # of the font size; anything that still does not fit is clipped
_EDGE: Final = 1.0  # pixels at the top and bottom of a row to leave free
_CACHED_WORDS: Final = 4_096
# Tibetan's subjoined letters, the stacking signs of Khmer and Burmese, or three marks on a letter. A tsheg ends a word.
_TALL: Final = regex.compile(r"[\u0f90-\u0fbc\u17d2\u1039]|\p{M}{3}")
_WORD: Final = regex.compile(r"[^\s\u0f0b]+")


@dataclass(frozen=True, slots=True)
class FittedText:
    """How to draw text: in `font`, starting `left` pixels right of its origin, and `drop` pixels below its baseline.

    `width` is the width of everything drawn, in pixels.
    """

    font: QFont
    width: float
    left: float = 0.0
    drop: float = 0.0

    @classmethod
    def of(cls, text: str, font: QFont, metrics: QFontMetricsF) -> "FittedText":
        """Fit text between the ascent and the descent of a font, in a smaller size if necessary.

        Only text with marks is measured closely; any other text fits, and is as wide as its advance.
        """
        if not _has_marks(text):
            return cls(font, metrics.horizontalAdvance(text))
        return cls.between(text, font, -metrics.ascent() - _LEEWAY, metrics.descent() + _LEEWAY)

    @classmethod
    def between(cls, text: str, font: QFont, top: float, bottom: float) -> "FittedText":
        """Fit text between two edges, given in pixels below the baseline."""
        ink, advance = _ink(text, font), QFontMetricsF(font).horizontalAdvance(text)
        scale = (bottom - top) / max(ink.height(), 1.0)
        if scale < 1.0:
            font = scaled_font(font, max(_SMALLEST, scale))
            ink, advance = _ink(text, font), QFontMetricsF(font).horizontalAdvance(text)
        drop = max(0.0, top - ink.top()) or min(0.0, bottom - ink.bottom())
        left = max(0.0, -ink.left())
        return cls(font, left + max(advance, ink.right()), left, drop)


def _ink(text: str, font: QFont) -> QRectF:
    """Return the bounding rectangle of the glyphs of text starting at (0, 0).

    Outlines are avoided: once Qt has made one of an emoji, it draws the font's emoji in wrong sizes or not at all.
    """
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    ink, baseline = QRectF(), line.ascent()
    for run in layout.glyphRuns():
        for glyph, origin in zip(run.glyphIndexes(), run.positions(), strict=True):
            ink = ink.united(run.rawFont().boundingRect(glyph).translated(origin.x(), origin.y() - baseline))
    return ink


def _has_marks(text: str) -> bool:
    return not text.isascii() and any(unicodedata.category(character)[0] == "M" for character in text)


def tall_words(text: str, font: QFont, baseline: float, height: float) -> list[QTextLayout.FormatRange]:
    """Return a smaller size or a higher baseline for each word that does not fit in a row of this height."""
    ranges: list[QTextLayout.FormatRange] = []
    if text.isascii() or not _TALL.search(text):
        return ranges
    font_name = font.toString()
    for match in _WORD.finditer(text):
        if not _TALL.search(match[0]):
            continue
        size, lift = _fit(match[0], font_name, _EDGE - baseline, height - baseline - _EDGE)
        if size < font.pointSizeF() or lift:
            word_format = QTextCharFormat()
            word_format.setFontPointSize(size)
            word_format.setBaselineOffset(lift)
            start = utf16_size(text[: match.start()])
            ranges.append(format_range(start, start + utf16_size(match[0]), word_format))
    return ranges


def format_range(start: int, stop: int, char_format: QTextCharFormat) -> QTextLayout.FormatRange:
    """Return a format for what is between two positions of a layout, in UTF-16 code units."""
    result = QTextLayout.FormatRange()
    result.start, result.length, result.format = start, stop - start, char_format
    return result


@lru_cache(_CACHED_WORDS)
def _fit(word: str, font_name: str, top: float, bottom: float) -> tuple[float, float]:
    """Return the font size of a word in points, and how far to raise it, in percent of the height of that font."""
    font = QFont()
    font.fromString(font_name)
    fitted = FittedText.between(word, font, top, bottom)
    metrics = QFontMetricsF(fitted.font)
    return fitted.font.pointSizeF(), -100.0 * fitted.drop / (metrics.ascent() + metrics.descent())
