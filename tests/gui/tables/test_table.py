"""Tables keep their current row in view when they become smaller."""

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import ROW_HEIGHT, Theme
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, TableModel

ROWS = 40


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    model = TableModel(Theme("light"), [Column[int](title="", text=str)])
    model.show(range(ROWS))
    table = Table(model, "table", "Table")
    qtbot.addWidget(table)
    table.resize(300, 20 * ROW_HEIGHT)
    table.show()
    qtbot.waitExposed(table)
    return table


def is_in_view(table: Table, row: int) -> bool:
    return table.viewport().rect().contains(table.visualRect(table.model().index(row, 0)))


def test_the_current_row_stays_in_view_in_a_smaller_table(qtbot: QtBot, table: Table) -> None:
    table.go_to(15)
    assert is_in_view(table, 15)
    table.resize(300, 8 * ROW_HEIGHT)
    qtbot.waitUntil(lambda: is_in_view(table, 15))


def test_a_row_that_the_user_scrolled_away_from_does_not_come_back(qtbot: QtBot, table: Table) -> None:
    table.go_to(30)
    table.scrollToTop()
    table.resize(300, 8 * ROW_HEIGHT)
    qtbot.waitUntil(lambda: is_in_view(table, 0))
    assert not is_in_view(table, 30)


def test_rows_have_24_pixels_and_more_for_a_tall_font(qtbot: QtBot) -> None:
    theme = Theme("light", token_size=9)
    model = TableModel(theme, [Column[int](title="", text=str, font="tokens")])
    model.show(range(3))
    table = Table(model, "table", "Table")
    qtbot.addWidget(table)
    assert table.rowHeight(0) == ROW_HEIGHT
    theme.set_token_size(24)
    assert table.rowHeight(0) > ROW_HEIGHT


def test_the_bars_follow_the_theme(qtbot: QtBot) -> None:
    theme = Theme("light")
    model = TableModel(theme, [Column[float](title="", text=lambda share: "", bar=lambda share: share)])
    model.show([1.0])
    table = Table(model, "table", "Table")
    qtbot.addWidget(table)
    before = table.grab().toImage()
    theme.set_choice("dark")
    assert table.grab().toImage() != before
    theme.set_choice("light")
