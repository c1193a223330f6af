"""The height of a line of text in any language of the window."""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetrics

_SAMPLE = "Ag词元"  # where a font lacks one of these scripts, Qt takes it from another font, which may be higher


def line_height(font: QFont) -> int:
    """Return how many pixels high a line in `font` is, whether it has Latin letters, Chinese characters or both.

    Qt measures a line by the fonts of the characters in it, so that it would be higher as soon as there is a Chinese
    one. What should not move reserves this height from the beginning.
    """
    return _height(font.key())


@lru_cache(maxsize=64)
def _height(key: str) -> int:
    font = QFont()
    font.fromString(key)
    metrics = QFontMetrics(font)
    return max(metrics.lineSpacing(), metrics.size(0, _SAMPLE).height())
