"""The field above a table that finds tokens."""

from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.gui.tables.filter_field import FilterField


def test_a_narrow_field_has_a_short_placeholder(qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    field = FilterField(table, "filter", has_ids=True)
    qtbot.addWidget(field)
    field.show()
    for width, placeholder in ((200, "Token, id or hex"), (72, "Find"), (200, "Token, id or hex")):
        field.resize(width, 30)
        assert field.placeholderText() == placeholder
