"""A word in a narrow cell: as many symbols as fit are shown around its mark."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QRect
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables.symbols_delegate import SymbolsDelegate
from bpe_gui.gui.tables.table_model import MAX_SYMBOLS, Column, MarkedSymbols, TableModel

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
