"""Text whose marks would stick out of a row is drawn smaller, so that it fits; all other text as it is."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.views.editor.segment_layout import RowMetrics, SegmentLayout
from bpe_gui.gui.views.editor.segment_text import SegmentText
from bpe_gui.gui.views.fitted_text import FittedText, tall_words

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


def test_measuring_emoji_does_not_change_how_they_are_drawn(font: QFont) -> None:
    text = "❤\ufe0f👍👨\u200d👩\u200d👧\u200d👦"  # the first has a mark
    before = QFontMetricsF(font).horizontalAdvance(text)
    FittedText.of(text, font, QFontMetricsF(font))
    assert QFontMetricsF(font).horizontalAdvance(text) == before


STACK = "བསྒྲུབས"
ACCENTS = "a\u0301\u0302\u0303b"


@pytest.fixture
def low_rows(font: QFont) -> RowMetrics:
    """Return rows that are too short for any letter."""
    return replace(RowMetrics.of(font), height=6.0, baseline=4.0)


@pytest.mark.parametrize("text", ["low", "שלום", "词元 👍", "นมสต नमस्ते", "e\u0301"])
def test_words_with_few_marks_are_left_alone(font: QFont, text: str) -> None:
    assert tall_words(text, font, 4.0, 6.0) == []


def test_words_that_do_not_fit_get_a_smaller_font(font: QFont) -> None:
    ranges = tall_words(f"😀 {STACK}་x {ACCENTS}", font, 4.0, 6.0)
    assert [(word.start, word.length) for word in ranges] == [(3, len(STACK)), (13, len(ACCENTS))]
    assert all(word.format.fontPointSize() < font.pointSizeF() for word in ranges)


def test_words_that_fit_are_left_alone(font: QFont) -> None:
    assert tall_words(f"{STACK} {ACCENTS}", font, 200.0, 400.0) == []


@pytest.mark.parametrize("text", [STACK, ACCENTS * 3, f"{STACK} {STACK}"])
def test_carets_and_cells_keep_their_order_in_a_smaller_word(font: QFont, low_rows: RowMetrics, text: str) -> None:
    segment = SegmentText(text.encode())
    layout = SegmentLayout(segment, font, low_rows, 1_000.0)
    boundaries = [position for position in range(segment.length + 1) if layout.is_boundary(position)]
    xs = [layout.x(position, 0) for position in boundaries]
    assert xs == sorted(xs)
    assert [layout.position_at(x, 0) for x in xs] == boundaries
