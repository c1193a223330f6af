"""Fit words into their row that would reach into the next one: stacked letters, and letters with many marks."""

from functools import lru_cache
from typing import Final

import regex
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout

from bpe_gui.gui.views.fitted_text import FittedText

from .row_metrics import RowMetrics

_EDGE: Final = 1.0  # pixels of the row's height that stay free above and below
_CACHED_WORDS: Final = 4_096
# Tibetan's subjoined letters, the stacking signs of Khmer and Burmese, or three marks on a letter. A tsheg ends a word.
_TALL: Final = regex.compile(r"[^\s\u0f0b]*(?:[\u0f90-\u0fbc\u17d2\u1039]|\p{M}{3})[^\s\u0f0b]*")


def tall_words(text: str, font: QFont, metrics: RowMetrics) -> list[QTextLayout.FormatRange]:
    """Return a smaller size or a higher baseline for each word of `text` that does not fit into a row."""
    ranges: list[QTextLayout.FormatRange] = []
    if text.isascii():
        return ranges
    top, bottom = _EDGE - metrics.baseline, metrics.height - metrics.baseline - _EDGE
    for match in _TALL.finditer(text):
        scale, drop = _fit(match[0], font.toString(), top, bottom)
        if scale < 1.0 or drop:
            word = QTextLayout.FormatRange()
            word.start, word.length = _units(text[: match.start()]), _units(match[0])
            word.format = _format(font, scale, drop)
            ranges.append(word)
    return ranges


@lru_cache(_CACHED_WORDS)
def _fit(word: str, font_name: str, top: float, bottom: float) -> tuple[float, float]:
    """Return by how much to scale the font of a word, and by how many pixels to lower the word then."""
    font = QFont()
    font.fromString(font_name)
    fitted = FittedText.between(word, font, top, bottom)
    return fitted.font.pointSizeF() / font.pointSizeF(), fitted.drop


def _format(font: QFont, scale: float, drop: float) -> QTextCharFormat:
    smaller = QFont(font)
    smaller.setPointSizeF(font.pointSizeF() * scale)
    metrics = QFontMetricsF(smaller)
    word_format = QTextCharFormat()
    word_format.setFontPointSize(smaller.pointSizeF())
    word_format.setBaselineOffset(-100.0 * drop / (metrics.ascent() + metrics.descent()))
    return word_format


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
