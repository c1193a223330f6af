"""Fit text into a row whose marks would reach out of it: stacked letters of Tibetan, or a letter with many accents."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath

_LEEWAY: Final = 1.0  # pixels above the ascent and below the descent that a row has
_SMALLEST: Final = 0.4  # of the font size; what does not fit then is clipped


@dataclass(frozen=True, slots=True)
class FittedText:
    """How to draw text: in `font`, from `left` pixels right of where it begins, and `drop` pixels below its baseline.

    `width` is that of everything which is drawn, in pixels.
    """

    font: QFont
    width: float
    left: float = 0.0
    drop: float = 0.0

    @classmethod
    def of(cls, text: str, font: QFont, metrics: QFontMetricsF) -> "FittedText":
        """Fit text between the ascent and the descent of a font, in a smaller size if it has to be.

        Only text with marks is looked at closely: other text is as wide as its letters advance, and fits.
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
            font = QFont(font)
            font.setPointSizeF(font.pointSizeF() * max(_SMALLEST, scale))
            ink, advance = _ink(text, font), QFontMetricsF(font).horizontalAdvance(text)
        drop = max(0.0, top - ink.top()) or min(0.0, bottom - ink.bottom())
        left = max(0.0, -ink.left())
        return cls(font, left + max(advance, ink.right()), left, drop)


def _ink(text: str, font: QFont) -> QRectF:
    """Return the rectangle of the outlines of text that begins at (0, 0)."""
    path = QPainterPath()
    path.addText(0, 0, font, text)
    return path.boundingRect()


def _has_marks(text: str) -> bool:
    return not text.isascii() and any(unicodedata.category(character)[0] == "M" for character in text)
