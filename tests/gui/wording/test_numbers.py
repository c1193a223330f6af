"""Numbers in words, and where they do not fit, in millions."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.panels.corpus_parts import FittedNumber
from bpe_gui.gui.wording.numbers import short_number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999_999, "999,999"),
        (1_000_000, "1.00M"),
        (16_453_210, "16.5M"),
        (164_532_100, "165M"),
        (1_645_321_000, "1,645M"),
    ],
)
def test_a_short_number_has_three_digits(value: int, text: str) -> None:
    assert short_number(value) == text


def test_a_number_that_does_not_fit_is_whole_in_its_tooltip(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = FittedNumber(parent)
    shown.explanation = "Bytes"
    shown.resize(200, 20)
    shown.show_number(16_453_210)
    parent.show()
    assert (shown.text(), shown.toolTip()) == ("16,453,210", "Bytes")
    shown.resize(shown.minimumWidth(), 20)
    assert (shown.text(), shown.toolTip()) == ("16.5M", "16,453,210: Bytes")
