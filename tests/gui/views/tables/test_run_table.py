"""Tables keep their current row in view when they become smaller."""

import pytest
from PySide6.QtCore import QStringListModel
from pytestqt.qtbot import QtBot

from bpe_gui.gui.views.tables.run_table import RunTable

ROWS = 40
ROW_HEIGHT = 20


@pytest.fixture
def table(qtbot: QtBot) -> RunTable:
    table = RunTable(QStringListModel([f"row {row}" for row in range(ROWS)]), "table", "Table")
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    qtbot.addWidget(table)
    table.resize(300, 20 * ROW_HEIGHT)
    table.show()
    qtbot.waitExposed(table)
    return table


def is_in_view(table: RunTable, row: int) -> bool:
    return table.viewport().rect().contains(table.visualRect(table.model().index(row, 0)))


def test_the_current_row_stays_in_view_in_a_smaller_table(qtbot: QtBot, table: RunTable) -> None:
    table.go_to(15)
    assert is_in_view(table, 15)
    table.resize(300, 8 * ROW_HEIGHT)
    qtbot.waitUntil(lambda: is_in_view(table, 15))


def test_a_row_that_the_user_scrolled_away_from_does_not_come_back(qtbot: QtBot, table: RunTable) -> None:
    table.go_to(30)
    table.scrollToTop()
    table.resize(300, 8 * ROW_HEIGHT)
    qtbot.waitUntil(lambda: is_in_view(table, 0))
    assert not is_in_view(table, 30)
