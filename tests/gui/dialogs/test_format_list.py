"""The list of formats shows every reason in full, however long."""

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from bpe_gui.gui.dialogs.format_list import FormatList

LONG = "a reason that says at some length what was wrong, where it was wrong, and what would be right instead " * 2


def test_a_long_reason_gets_the_lines_that_it_needs(qtbot: QtBot) -> None:
    formats = FormatList()
    qtbot.addWidget(formats)
    formats.add("minbpe", "minbpe model", "for minbpe")
    formats.add("gpt2", "GPT-2 files", "for older code")
    formats.resize(400, 300)
    formats.show()
    first, second = (formats.item(row) for row in range(2))
    assert formats.visualItemRect(first).height() == formats.visualItemRect(second).height()
    formats.mark_impossible("minbpe", LONG)
    lines = QFontMetrics(formats.font()).horizontalAdvance(LONG) // 400 + 1
    least = (1 + lines) * formats.fontMetrics().height()
    qtbot.waitUntil(lambda: formats.visualItemRect(first).height() >= least)
    assert formats.sizeHint().height() >= formats.visualItemRect(second).bottom()
    formats.resize(900, 300)
    qtbot.waitUntil(lambda: formats.visualItemRect(first).height() < least)
