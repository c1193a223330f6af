"""The lineage of a token: its tree as rows, keys and clicks in it, and the words that made the token frequent."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QSplitter, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Lineage, Tokenizer, train
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables.lineage_view import MAX_NODES, LineageColumn, LineageView, lineage_rows
from bpe_gui.gui.tables.table import Table
from tests.gui.support.widgets import child

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
ROWS = ["newest", "ne", "n", "e", "west", "w", "est", "e", "st", "s", "t"]
TOOL_TIP = Qt.ItemDataRole.ToolTipRole


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train(TOY, recipe="cs336-toy", num_merges=8)


@pytest.fixture
def view(qtbot: QtBot, tokenizer: Tokenizer) -> Iterator[LineageView]:
    view = LineageView(Theme("light"))
    qtbot.addWidget(view)
    testers = [
        QAbstractItemModelTester(table.model(), QAbstractItemModelTester.FailureReportingMode.Warning)
        for table in (tree(view), words(view))
    ]
    view.resize(380, 400)
    show(view, tokenizer, b"newest")
    with qtbot.waitExposed(view):
        view.show()
    yield view
    for tester in testers:
        tester.deleteLater()


def show(view: LineageView, tokenizer: Tokenizer, token: bytes) -> None:
    view.show_lineage(tokenizer.lineage(id_of(tokenizer, token)), tokenizer.merge_counts)


def id_of(tokenizer: Tokenizer, token: bytes) -> int:
    return next(token_id for token_id, known in tokenizer.vocab.items() if known == token)


def tree(view: LineageView) -> QTableView:
    return child(view, QTableView, "lineageTree")


def words(view: LineageView) -> Table:
    return child(view, Table, "lineageWordTable")


def texts(table: QTableView, column: int) -> list[str]:
    model = table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def chosen_by(view: LineageView) -> list[int]:
    chosen: list[int] = []
    view.token_chosen.connect(chosen.append)
    return chosen


def test_each_part_is_below_the_token_that_it_makes(view: LineageView) -> None:
    assert texts(tree(view), LineageColumn.TOKEN) == ROWS
    assert texts(tree(view), LineageColumn.STEP)[:5] == ["7", "6", "", "", "5"]
    assert texts(tree(view), LineageColumn.COUNT)[:5] == ["×6", "×6", "", "", "×6"]
    assert texts(tree(view), LineageColumn.ID)[2] == str(ord("n"))


def test_lines_have_a_bit_for_the_node_and_each_ancestor_with_a_sibling_below(tokenizer: Tokenizer) -> None:
    rows = lineage_rows(tokenizer.lineage(id_of(tokenizer, b"west")))
    assert [(row.token.bytes, row.depth, row.parent, bin(row.lines)) for row in rows] == [
        (b"west", 0, -1, "0b0"),
        (b"w", 1, 0, "0b1"),
        (b"est", 1, 0, "0b0"),
        (b"e", 2, 2, "0b1"),
        (b"st", 2, 2, "0b0"),
        (b"s", 3, 4, "0b1"),
        (b"t", 3, 4, "0b0"),
    ]


@pytest.mark.parametrize(
    ("row", "key", "destination"),
    [
        (4, Qt.Key.Key_Down, 5),
        (4, Qt.Key.Key_Up, 3),
        (4, Qt.Key.Key_Left, 0),
        (10, Qt.Key.Key_Left, 8),
        (0, Qt.Key.Key_Left, 0),
        (4, Qt.Key.Key_Right, 5),
        (3, Qt.Key.Key_Right, 3),
        (10, Qt.Key.Key_Right, 10),
        (4, Qt.Key.Key_Home, 0),
        (4, Qt.Key.Key_End, 10),
    ],
)
def test_the_keys_move_in_the_tree(view: LineageView, row: int, key: Qt.Key, destination: int) -> None:
    tree(view).setCurrentIndex(tree(view).model().index(row, 0))
    QTest.keyClick(tree(view), key)
    assert tree(view).currentIndex().row() == destination


def test_the_keys_are_not_the_shortcuts_of_the_window(qtbot: QtBot, view: LineageView) -> None:
    triggered: list[bool] = []
    action = QAction("step the run", view)
    action.setShortcut(QKeySequence(Qt.Key.Key_Right))
    action.triggered.connect(triggered.append)
    view.addAction(action)
    with qtbot.waitActive(view):
        view.activateWindow()
    tree(view).setFocus()
    QTest.keyClick(tree(view), Qt.Key.Key_Right)
    assert (tree(view).currentIndex().row(), triggered) == (1, [])


def test_enter_and_a_click_choose_a_token(view: LineageView, tokenizer: Tokenizer) -> None:
    chosen = chosen_by(view)
    tree(view).setCurrentIndex(tree(view).model().index(4, 0))
    QTest.keyClick(tree(view), Qt.Key.Key_Return)
    target = tree(view).visualRect(tree(view).model().index(1, LineageColumn.TOKEN)).center()
    QTest.mouseClick(tree(view).viewport(), Qt.MouseButton.LeftButton, pos=target)
    assert chosen == [id_of(tokenizer, b"west"), id_of(tokenizer, b"ne")]


def test_a_token_without_an_id_cannot_be_chosen(view: LineageView) -> None:
    chosen = chosen_by(view)
    view.show_lineage(Lineage(None, b"u", None, ()))
    QTest.keyClick(tree(view), Qt.Key.Key_Return)
    assert (texts(tree(view), LineageColumn.ID), chosen) == ([""], [])


def test_tooltips_show_bytes_and_origin(view: LineageView) -> None:
    tips = [tree(view).model().index(row, 0).data(TOOL_TIP) for row in (8, 9)]
    assert "st\n73 74\nstep 1: s + t, ×9" in tips[0]
    assert "s\n73\nno parts" in tips[1]


def test_a_token_that_looks_like_markup_is_escaped(view: LineageView) -> None:
    view.show_lineage(Lineage(7, b"<p>", None, ()))
    assert "&lt;p&gt;\n3c 70 3e" in tree(view).model().index(0, 0).data(TOOL_TIP)


def test_the_column_of_counts_is_hidden_if_they_are_not_known(view: LineageView, tokenizer: Tokenizer) -> None:
    view.show_lineage(tokenizer.lineage(id_of(tokenizer, b"st")))
    assert tree(view).isColumnHidden(LineageColumn.COUNT)
    assert tree(view).model().index(0, 0).data(TOOL_TIP).endswith("step 1: s + t</span>")
    show(view, tokenizer, b"st")
    assert not tree(view).isColumnHidden(LineageColumn.COUNT)


def test_a_tree_of_any_depth_is_shown(view: LineageView) -> None:
    letter = Lineage(0, b"a", None, ())
    token = letter
    for rank in range(MAX_NODES):
        token = Lineage(rank + 1, token.bytes + b"a", rank, (token, letter))
    view.show_lineage(token, range(MAX_NODES))
    assert tree(view).model().rowCount() == MAX_NODES
    before = view.grab().toImage()
    QTest.keyClick(tree(view), Qt.Key.Key_End)
    assert tree(view).currentIndex().row() == MAX_NODES - 1
    assert view.grab().toImage() != before


def test_without_a_token_the_tree_is_empty(view: LineageView) -> None:
    chosen = chosen_by(view)
    view.show_lineage(None)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Left, Qt.Key.Key_End):
        QTest.keyClick(tree(view), key)
    assert (tree(view).model().rowCount(), chosen) == (0, [])


def test_words_are_shown_with_counts_and_bars(view: LineageView, tokenizer: Tokenizer) -> None:
    view.set_words([(" newest", 400), (b"wid\xe4", 100)])
    assert texts(words(view), 0) == ["·newest", r"wid\xe4"]
    assert texts(words(view), 1) == ["400", "100"]
    assert [words(view).table_model.rows[row].share for row in (0, 1)] == [1.0, 0.25]
    show(view, tokenizer, b"st")
    assert words(view).model().rowCount() == 0


def test_no_words_and_an_unknown_corpus_have_different_hints(view: LineageView) -> None:
    view.set_words([])
    assert words(view).hint == "No words in the corpus contain it."
    view.set_words(None)
    assert words(view).hint == "Only a training run has corpus words."


@pytest.mark.parametrize(("width", "orientation"), [(300, Qt.Orientation.Vertical), (700, Qt.Orientation.Horizontal)])
def test_the_words_are_beside_the_tree_or_below_it_by_the_width(
    view: LineageView, width: int, orientation: Qt.Orientation
) -> None:
    view.resize(width, 260)
    splitter = child(view, QSplitter, "lineageSplitter")
    assert splitter.orientation() == orientation
    assert tree(view).horizontalHeader().length() <= tree(view).viewport().width()


def test_the_view_follows_the_theme(qtbot: QtBot, tokenizer: Tokenizer) -> None:
    theme = Theme("light")
    view = LineageView(theme)
    qtbot.addWidget(view)
    show(view, tokenizer, b"newest")
    before = tree(view).grab().toImage()
    theme.set_choice("dark")
    assert tree(view).grab().toImage() != before


def test_the_tree_gets_the_height_that_the_words_do_not_need(view: LineageView, qtbot: QtBot) -> None:
    view.resize(400, 400)
    view.show()
    view.set_words([(f"word{index}", 1) for index in range(50)])
    height = tree(view).height()
    view.set_words([("word", 1)])
    qtbot.waitUntil(lambda: tree(view).height() > height)
    assert words(view).viewport().height() >= words(view).rowHeight(0)
