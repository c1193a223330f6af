"""A token has the same colour in every panel, at every step, and neighbours in a text never share one."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTableView, QToolButton

from bpe_gui.engine import Recipe, TextDocument
from bpe_gui.gui.look.theme import background_and_tokens, hue_of
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.lineage_view import LineageView
from bpe_gui.gui.tables.table import Table
from tests.gui.support.widgets import child
from tests.gui.support.windows import editor, ids, open_page

CHIP_LEFT = 6  # pixels from the left edge of a cell to the inside of its first chip
WORD_LEFT = 10
SHADES = background_and_tokens("light")[1].shades
HUES = len(SHADES) // 2
CORPUS = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.choose_theme("light")
    window.session.corpus.set_recipe(Recipe.of("cs336-toy"))
    window.session.corpus.add_documents([CorpusDocument("text", TextDocument(CORPUS))], instead=True)
    window.session.cursor.seek(5)
    window.session.text.set_content("newest lowest low")
    return window


def shade_of(symbol: bytes) -> str:
    return SHADES[hue_of(symbol, HUES)].name()


def painted(window: MainWindow, name: str, row: int, column: int, left: int = CHIP_LEFT) -> str:
    """Return the colour that a cell of a table has at its left edge."""
    table = child(window, QTableView, name)
    cell = table.visualRect(table.model().index(row, column))
    image = table.viewport().grab(cell).toImage()
    return image.pixelColor(left, cell.height() // 2).name()


def first_symbol(window: MainWindow, name: str, row: int, column: int) -> bytes:
    model = child(window, Table, name).table_model
    described, shown = model.columns[column], model.rows[row]
    if described.symbols is not None:
        return described.symbols(shown).symbols[0]
    chips = described.chips(shown) if described.chips else None
    assert chips is not None
    return chips.tokens[0]


def test_tables_paint_a_symbol_in_its_colour(window: MainWindow) -> None:
    for name, row, column, left in (
        ("pairTable", 0, 1, CHIP_LEFT),
        ("pairTable", 1, 2, CHIP_LEFT),
        ("pairTable", 2, 3, CHIP_LEFT),
        ("mergeTable", 4, 1, CHIP_LEFT),
        ("wordTable", 0, 0, WORD_LEFT),
        ("wordTable", 2, 0, WORD_LEFT),
    ):
        wanted = shade_of(first_symbol(window, name, row, column))
        assert painted(window, name, row, column, left) == wanted, (name, row, column)


def test_vocabulary_ids_and_lineage_have_the_colours_of_the_tables(window: MainWindow) -> None:
    tokenizer = window.session.text.tokenizer
    assert tokenizer is not None
    vocabulary = child(window, QTableView, "vocabularyTable").model()
    top = tokenizer.token(int(vocabulary.index(0, 0).data()))
    assert painted(window, "vocabularyTable", 0, 1) == shade_of(top)
    token_id = tokenizer.encode("newest lowest low")[0]
    assert ids(window).color_of(0).name() == shade_of(tokenizer.token(token_id))
    editor(window).set_caret(0)
    open_page(window, "Lineage")
    tree = child(window, Table, "lineageTree").table_model
    child(window, LineageView, "lineageView").show_lineage(tokenizer.lineage(token_id))
    assert painted(window, "lineageTree", 0, 0, WORD_LEFT) == shade_of(tree.rows[0].token.bytes)


def test_a_step_changes_no_colour_of_a_token_that_stays(window: MainWindow) -> None:
    before = ids(window).color_of(0)
    window.session.cursor.seek(4)
    window.session.cursor.seek(5)
    assert ids(window).color_of(0) == before


def test_neighbours_never_share_a_colour_in_either_mode(window: MainWindow) -> None:
    window.session.text.set_content("newest newest aaaa eeee")
    for _mode in range(2):
        count = len(window.session.text.live)
        colors: list[QColor] = [ids(window).color_of(index) for index in range(count) if index < 12]
        assert all(one != other for one, other in pairwise(colors))
        child(window, QToolButton, "colorModeButton").click()
