"""Words that reach out of their row are laid out smaller; no other word is looked at."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.views.editor.segment_layout import RowMetrics, SegmentLayout
from bpe_gui.gui.views.editor.segment_text import SegmentText
from bpe_gui.gui.views.fitted_text import tall_words

STACK = "བསྒྲུབས"
ACCENTS = "a\u0301\u0302\u0303b"


@pytest.fixture
def font(qapp: QApplication) -> QFont:
    return QFont("monospace", 12)


@pytest.fixture
def low_rows(font: QFont) -> RowMetrics:
    """Return rows that are too low for any letter."""
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
