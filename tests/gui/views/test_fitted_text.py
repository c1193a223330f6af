"""Text whose marks would reach out of a row is drawn smaller, so that it fits; all other text as it is."""

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.views.fitted_text import FittedText

PIXEL = 1.0  # outlines of another size are rounded
SMALLEST = 0.4

STACKED = ("བསྒྲུབས", "ཧྐྵྨླྺྼྻྂ", "नमस्ते", "สวัสดี ก้ำ", "نِقُّ", "נִקּוּד", "◌\u0301", "a" + "\u0323" * 9, "a" + "\u0301" * 9)


@pytest.fixture
def font(qapp: QApplication) -> QFont:
    return QFont("monospace", 12)


@pytest.mark.parametrize("text", ["", "low", "שלום", "词元", "👍"])
def test_text_without_marks_is_drawn_as_it_is(font: QFont, text: str) -> None:
    metrics = QFontMetricsF(font)
    assert FittedText.of(text, font, metrics) == FittedText(font, metrics.horizontalAdvance(text))


@pytest.mark.parametrize("text", STACKED)
def test_text_with_marks_fits_its_row_and_its_width(font: QFont, text: str) -> None:
    metrics = QFontMetricsF(font)
    fitted = FittedText.of(text, font, metrics)
    path = QPainterPath()
    path.addText(fitted.left, fitted.drop, fitted.font, text)
    ink = path.boundingRect()
    assert ink.left() >= -PIXEL
    assert ink.right() <= fitted.width + PIXEL
    if fitted.font.pointSizeF() > SMALLEST * font.pointSizeF() + 0.1:
        assert ink.top() >= -metrics.ascent() - 3 * PIXEL
        assert ink.bottom() <= metrics.descent() + 3 * PIXEL
    assert fitted.font.pointSizeF() <= font.pointSizeF()
