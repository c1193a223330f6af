"""Panel headers: the title, a field or actions share the width; a title that does not fit is elided."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.layouts import PanelHeader, SectionTitle


def shown(qtbot: QtBot, header: PanelHeader) -> PanelHeader:
    qtbot.addWidget(header)
    header.resize(400, 33)
    with qtbot.waitExposed(header):
        header.show()
    return header


def test_actions_are_at_the_right_edge(qtbot: QtBot) -> None:
    title, count, button = SectionTitle("Pairs"), QLabel("12 pairs"), QToolButton()
    header = shown(qtbot, PanelHeader(title, count, button))
    margin = title.x()
    assert margin > 0
    assert button.geometry().right() == header.width() - margin - 1
    assert count.width() == count.sizeHint().width()
    assert title.geometry().right() < count.x() < button.x()


def test_a_field_takes_the_width_that_the_title_leaves(qtbot: QtBot) -> None:
    title, field = SectionTitle("Vocabulary"), QLineEdit()
    header = shown(qtbot, PanelHeader(title, field=field))
    assert title.width() == title.sizeHint().width()
    assert field.geometry().right() == header.width() - title.x() - 1


def test_a_number_at_the_end_of_a_title_is_elided_last(qtbot: QtBot) -> None:
    title = SectionTitle("Words at this step · 13 words")
    qtbot.addWidget(title)
    full = title.fontMetrics().horizontalAdvance(title.text())
    assert title.elided(full) == title.text()
    assert title.elided(full - 1).startswith("Words")
    assert title.elided(full - 1).endswith("… · 13 words")
    assert title.elided(20).endswith("…")


@pytest.mark.parametrize("text", ["Pairs", "Words that hold " + "x" * 500])
def test_a_title_needs_little_width_and_is_complete_in_its_tooltip(qtbot: QtBot, text: str) -> None:
    title = SectionTitle(text, "wordTitle")
    header = shown(qtbot, PanelHeader(title))
    assert header.minimumSizeHint().width() < 100
    assert title.toolTip() == title.text() == text
    title.setText("another")
    assert title.toolTip() == "another"
    assert not header.grab().isNull()


def test_a_short_title_is_never_elided(qtbot: QtBot) -> None:
    short, long = SectionTitle("合并"), SectionTitle("Words with a long token")
    for title in (short, long):
        qtbot.addWidget(title)
    assert short.minimumSizeHint().width() == short.sizeHint().width()
    assert 0 < long.minimumSizeHint().width() < long.sizeHint().width()
