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
_TALL: Final = regex.compile(r"[\u0f90-\u0fbc\u17d2\u1039]|\p{M}{3}")
_WORD: Final = regex.compile(r"[^\s\u0f0b]+")


def tall_words(text: str, font: QFont, metrics: RowMetrics) -> list[QTextLayout.FormatRange]:
    """Return a smaller size or a higher baseline for each word of `text` that does not fit into a row."""
    ranges: list[QTextLayout.FormatRange] = []
    if text.isascii() or not _TALL.search(text):
        return ranges
    font_name, baseline = font.toString(), metrics.baseline
    for match in _WORD.finditer(text):
        if not _TALL.search(match[0]):
            continue
        size, lift = _fit(match[0], font_name, _EDGE - baseline, metrics.height - baseline - _EDGE)
        if size < font.pointSizeF() or lift:
            word = QTextLayout.FormatRange()
            word.start, word.length = _units(text[: match.start()]), _units(match[0])
            word_format = QTextCharFormat()
            word_format.setFontPointSize(size)
            word_format.setBaselineOffset(lift)
            word.format = word_format
            ranges.append(word)
    return ranges


@lru_cache(_CACHED_WORDS)
def _fit(word: str, font_name: str, top: float, bottom: float) -> tuple[float, float]:
    """Return the font size of a word in points, and how far to lift it in percent of the height of that font."""
    font = QFont()
    font.fromString(font_name)
    fitted = FittedText.between(word, font, top, bottom)
    metrics = QFontMetricsF(fitted.font)
    return fitted.font.pointSizeF(), -100.0 * fitted.drop / (metrics.ascent() + metrics.descent())


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
