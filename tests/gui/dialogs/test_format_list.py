"""The list of formats stands still: a reason takes the line of the purpose, and is told in full besides."""

from pytestqt.qtbot import QtBot

from bpe_gui.gui.dialogs.format_list import FormatList
from bpe_gui.gui.look.qt_constants import ACCESSIBLE_TEXT_ROLE

LONG = "a reason that says at some length what was wrong, where it was wrong, and what would be right instead " * 2


def test_a_long_reason_moves_nothing_and_is_told_in_full(qtbot: QtBot) -> None:
    formats = FormatList()
    qtbot.addWidget(formats)
    formats.add("minbpe", "minbpe model", "for minbpe")
    formats.add("gpt2", "GPT-2 files", "for older code")
    formats.resize(400, 300)
    formats.show()
    rows = [formats.item(row) for row in range(2)]
    before = [formats.visualItemRect(row) for row in rows], formats.sizeHint()
    formats.mark_impossible("minbpe", LONG)
    qtbot.wait(0)  # a layout that is due
    assert ([formats.visualItemRect(row) for row in rows], formats.sizeHint()) == before
    assert rows[0].toolTip() == LONG
    assert LONG in rows[0].data(ACCESSIBLE_TEXT_ROLE)
    formats.choose("minbpe")
    assert formats.reason() == LONG
