"""Tables keep their current row in view, show as many symbols of a word as fit, and are filtered by a field."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import ROW_HEIGHT, Theme
from bpe_gui.gui.tables.filter_field import FilterField
from bpe_gui.gui.tables.symbols_delegate import SymbolsDelegate
from bpe_gui.gui.tables.table import MANY_SELECTED, Table
from bpe_gui.gui.tables.table_model import MAX_SYMBOLS, Column, Index, MarkedSymbols, TableModel

ROWS = 40


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    model = TableModel(Theme("light"), [Column[int](title="", text=str)])
    model.show(range(ROWS))
    table = Table(model, "table", "Table")
    qtbot.addWidget(table)
    table.resize(300, 20 * ROW_HEIGHT)
    with qtbot.waitExposed(table):
        table.show()
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


def test_a_typed_letter_asks_for_no_cell(qtbot: QtBot) -> None:
    asked: list[int] = []

    def text(row: int) -> str:
        asked.append(row)
        return "x"

    model = TableModel(Theme("light"), [Column[int](title="", text=text)])
    model.show(range(300_000))
    table = Table(model, "table", "Table")  # not shown, so that nothing is painted
    qtbot.addWidget(table)
    table.selectRow(5)
    asked.clear()
    QTest.keyClick(table, Qt.Key.Key_Z)
    assert (asked, table.currentIndex().row()) == ([], 5)


def test_all_of_very_many_rows_can_be_selected(qtbot: QtBot) -> None:
    asked: list[int] = []

    class Model(TableModel[int]):
        def flags(self, index: Index) -> Qt.ItemFlag:
            asked.append(index.row())
            return super().flags(index)

    model = Model(Theme("light"), [Column(title="", text=str), Column(title="", text=str)])
    model.show(range(300_000))
    table = Table(model, "table", "Table", MANY_SELECTED)
    qtbot.addWidget(table)
    with qtbot.waitExposed(table):
        table.show()
    table.selectAll()
    table.grab()
    assert len(table.chosen_rows) == 300_000
    assert len(asked) < 1_000  # Qt asks for each row whether it can be selected, to paint the titles
    table.clearSelection()
    table.setCurrentIndex(model.index(7, 0))
    QTest.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "6\t6\n7\t7\n"


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


def test_a_narrow_field_has_a_short_placeholder(qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    field = FilterField(table, "filter", has_ids=True)
    qtbot.addWidget(field)
    field.show()
    for width, placeholder in ((200, "Token, id or hex"), (72, "Find"), (200, "Token, id or hex")):
        field.resize(width, 30)
        assert field.placeholderText() == placeholder


Shown = Callable[[MarkedSymbols, float], str]


@pytest.fixture
def shown(qapp: QApplication) -> Shown:
    """Return a function that returns the symbols of a word that are shown in a cell of a width."""
    parent = QObject()

    def shown(word: MarkedSymbols, width: float) -> str:
        column = Column[MarkedSymbols](title="", text=str, symbols=lambda word: word)
        model = TableModel(Theme("light"), [column], parent)
        model.show([word])
        delegate = SymbolsDelegate(model)
        cell = QRect(0, 0, int(delegate.needed_width(0, 0) * width), 24)
        found = (delegate.symbol_at(cell, x, 0, 0) for x in range(cell.width()))
        return b"".join(dict.fromkeys(symbol for symbol in found if symbol)).decode()

    return shown


def word(symbols: str, token: bytes) -> MarkedSymbols:
    return MarkedSymbols(tuple(symbol.encode() for symbol in symbols.split()), None, has_marker=False, token=token)


def test_what_a_side_does_not_need_is_left_to_the_other(shown: Shown) -> None:
    assert shown(word("a b c d e f g h th", b"th"), 1) == "abcdefghth"
    assert shown(word("a b c d e f g h th", b"th"), 0.7) in ("defghth", "efghth", "cdefghth")
    assert shown(word("a b c d e f g h th i", b"th"), 0.7).endswith("hthi")


def test_symbols_on_both_sides_are_shown(shown: Shown) -> None:
    middle = shown(word("a b c d e f th g h i j k l", b"th"), 0.6)
    assert middle.find("th") >= 2
    assert len(middle.partition("th")[2]) >= 2


@pytest.mark.parametrize("width", [0.02, 0.06, 0.8])
@pytest.mark.parametrize("index", [0, 50, 198])
def test_the_marked_pair_of_a_long_word_is_in_view(shown: Shown, index: int, width: float) -> None:
    symbols = [b"x"] * 200
    symbols[index : index + 2] = [b"a", b"b"]
    found = shown(MarkedSymbols(tuple(symbols), (b"a", b"b"), False), width)
    assert "a" in found
    assert "b" in found or width < 0.05


def test_a_very_long_word_is_shown_in_part(shown: Shown) -> None:
    symbols = tuple(chr(0x4E00 + number).encode() for number in range(MAX_SYMBOLS + 50))
    assert shown(MarkedSymbols(symbols, None, False), 1) == b"".join(symbols[:MAX_SYMBOLS]).decode()
