"""The context menus of tables and tokens, and what they copy."""

import pytest
from PySide6.QtCore import QModelIndex, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.table import RowStyle, Table
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.gui.support.widgets import child

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6 + "好|好"


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.corpus.add_documents([CorpusDocument("toy", TextDocument(TOY))], instead=True)
    window.session.cursor.seek(4)
    window.session.text.set_content("lowest 好")
    return window


def cell_menu(window: MainWindow, name: str, row: int, column: int) -> dict[str, QAction]:
    """Open the menu of a cell as a right click does, close it again, and return its actions by name."""
    table = child(window, Table, name)
    index = table.model().index(row, column)
    table.scrollTo(index)
    point = table.visualRect(index).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, table.viewport().mapToGlobal(point))
    QApplication.sendEvent(table.viewport(), event)
    return popup_actions(table)


def popup_actions(parent: QWidget) -> dict[str, QAction]:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {action.objectName(): action for action in menu.actions() if action.objectName()}


def choose(actions: dict[str, QAction], name: str) -> None:
    actions[name].trigger()
    menu = QApplication.activePopupWidget()
    if menu is not None:
        menu.close()


def row_of_id(window: MainWindow, token_id: int) -> int:
    """Return the row of the vocabulary that shows an id."""
    model = child(window, Table, "vocabularyTable").model()
    return next(row for row in range(model.rowCount()) if model.index(row, 0).data() == str(token_id))


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_a_token_of_a_table_can_be_followed_and_its_step_reached(window: MainWindow) -> None:
    session = window.session
    session.cursor.seek(1)
    choose(cell_menu(window, "mergeTable", 2, MergeColumn.MERGE), "followToken")
    assert session.selection.selected == Selected(b"ow")
    assert session.cursor.position == 1  # a right click moves nothing
    choose(cell_menu(window, "mergeTable", 2, MergeColumn.MERGE), "goToToken")
    assert session.cursor.position == 3


def test_the_menu_of_a_merge_copies_its_token_and_its_row(window: MainWindow) -> None:
    choose(cell_menu(window, "mergeTable", 1, MergeColumn.MERGE), "copyToken")
    assert clipboard() == "est"
    choose(cell_menu(window, "mergeTable", 1, MergeColumn.MERGE), "copyPython")
    assert clipboard() == "b'est'"
    choose(cell_menu(window, "mergeTable", 1, MergeColumn.MERGE), "copyRow")
    assert clipboard() == "2\te + st → est\t×9\t"


def test_a_byte_of_a_character_has_no_text_to_copy(window: MainWindow) -> None:
    actions = cell_menu(window, "vocabularyTable", row_of_id(window, 0xE5), VocabularyColumn.TOKEN)
    assert not actions["copyToken"].isEnabled()
    choose(actions, "copyPython")
    assert clipboard() == "b'\\xe5'"


def test_all_rows_are_copied_with_titles(window: MainWindow) -> None:
    choose(cell_menu(window, "pairTable", 0, 1), "copyTsv")
    lines = clipboard().splitlines()
    table = child(window, Table, "pairTable")
    assert lines[0] == "#\tLeft\tRight\tMerged\tCount\tΔ\tTie"
    assert len(lines) == table.model().rowCount() + 1
    choose(cell_menu(window, "pairTable", 0, 1), "copyMarkdown")
    lines = clipboard().splitlines()
    assert lines[0] == "| # | Left | Right | Merged | Count | Δ | Tie |"
    assert lines[1] == "| --- | --- | --- | --- | --- | --- | --- |"
    assert len(lines) == table.model().rowCount() + 2


def test_a_bar_in_a_token_does_not_end_a_markdown_cell(window: MainWindow) -> None:
    table = child(window, Table, "vocabularyTable")
    row = table.rows_as_text([row_of_id(window, ord("|"))], RowStyle.MARKDOWN, titles=True).splitlines()[-1]
    assert row == "| 124 | \\| | alphabet |"  # in a narrow panel, without bytes and length


def test_hidden_columns_are_not_copied(window: MainWindow) -> None:
    table = child(window, Table, "pairTable")
    table.setColumnHidden(0, True)
    assert table.rows_as_text([], RowStyle.TSV, titles=True) == "Left\tRight\tMerged\tCount\tΔ\tTie\n"


def test_ctrl_c_copies_the_current_row(window: MainWindow) -> None:
    table = child(window, Table, "vocabularyTable")
    table.setFocus()
    table.setCurrentIndex(table.model().index(row_of_id(window, ord("w")), 0))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard().split("\t")[:3] == ["119", "w", "alphabet"]


def test_a_symbol_of_a_word_has_a_menu_of_its_own(window: MainWindow) -> None:
    window.session.selection.select_pair(b"d", b"est")
    table = child(window, Table, "wordTable")
    area = table.visualRect(table.model().index(0, 0))
    found: set[str] = set()
    for x in range(area.left(), area.right(), 3):
        point = QPointF(x, area.center().y())
        menu = window._token_menus.table_menu(table, table.model().index(0, 0), point)
        found.update(action.text() for action in menu.actions() if action.objectName() == "followToken")
    assert {"&Follow “w” in all panels", "&Follow “est” in all panels"} <= found
    choose(cell_menu(window, "wordTable", 0, 1), "copyRow")
    assert clipboard().endswith("w i d est\t3")


def test_the_lineage_of_a_token_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    choose(cell_menu(window, "mergeTable", 1, MergeColumn.MERGE), "showLineage")
    facts = child(window, QTabWidget, "tokenFacts")
    assert facts.tabText(facts.currentIndex()) == "Lineage"
    tree = child(window, Table, "lineageTree")
    qtbot.waitUntil(lambda: tree.model().rowCount() == 5)
    choose(cell_menu(window, "lineageTree", 2, 0), "followToken")
    assert window.session.selection.token == b"st"


def test_a_menu_of_no_cell_copies_the_table_only(window: MainWindow) -> None:
    table = child(window, Table, "wordTable")
    menu = window._token_menus.table_menu(table, QModelIndex(), QPointF(0, 0))
    assert [action.objectName() for action in menu.actions() if action.objectName()] == ["copyTsv", "copyMarkdown"]


@pytest.mark.parametrize("name", ["encodeInput", "tokenIdView"])
def test_a_token_of_the_text_can_be_followed_from_its_menu(window: MainWindow, name: str) -> None:
    view = child(window, QWidget, name)
    edit = child(window, TokenEdit, "encodeInput")
    edit.set_caret(0)
    view.setFocus()
    middle = view.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, view.mapToGlobal(middle))
    QApplication.sendEvent(child(view, QWidget, "qt_scrollarea_viewport"), event)
    choose(popup_actions(view), "followToken")
    assert window.session.selection.token == b"low"


def test_the_next_occurrence_of_a_token_is_found(qtbot: QtBot, window: MainWindow) -> None:
    window.session.text.set_content("lowest newest lowest")
    view = child(window, TokenEdit, "encodeInput")
    view.set_caret(0)
    choose(cell_menu(window, "mergeTable", 1, MergeColumn.MERGE), "findToken")
    qtbot.waitUntil(lambda: view.selection.span == (3, 6))
    choose(cell_menu(window, "mergeTable", 1, MergeColumn.MERGE), "findToken")
    qtbot.waitUntil(lambda: view.selection.span == (10, 13))
    QTest.keyClick(window, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: view.selection.span == (17, 20))


def test_the_edit_menu_acts_where_the_focus_is(window: MainWindow) -> None:
    editor = child(window, TokenEdit, "encodeInput")
    child(window, QWidget, "encodeInput").setFocus()
    editor.set_selection(0, 3)
    actions = window.actions_by_name
    actions["copy"].trigger()
    assert clipboard() == "low"
    actions["cut"].trigger()
    assert editor.toPlainText() == "est 好"
    actions["paste"].trigger()
    assert editor.toPlainText() == "lowest 好"
    actions["select_all"].trigger()
    assert editor.selection.span == (0, len("lowest 好".encode()))
    table = child(window, Table, "mergeTable")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    actions["copy"].trigger()
    assert clipboard().startswith("1\ts + t → st")
    assert not actions["cut"].isEnabled()


def test_why_the_selection_is_not_one_token_is_asked_from_the_menus(qtbot: QtBot, window: MainWindow) -> None:
    facts, page = child(window, QTabWidget, "tokenFacts"), child(window, QWidget, "whyNotPage")
    edit = child(window, TokenEdit, "encodeInput")
    edit.set_selection(3, 5)
    choose(menu_of(window, "encodeInput"), "whyNotSelection")
    assert facts.currentWidget() is page
    answer = child(window, QLabel, "whyNotAnswer")
    qtbot.waitUntil(lambda: answer.text().startswith("No: s was merged with the t after it at step 1"))
    corpus = child(window, QPlainTextEdit, "corpusEditor")
    cursor = corpus.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(5, cursor.MoveMode.KeepAnchor)  # the space and the l
    assert "whyNotCorpus" not in menu_of(window, "corpusEditor")
    corpus.setTextCursor(cursor)
    choose(menu_of(window, "corpusEditor"), "whyNotCorpus")
    assert child(window, QLineEdit, "whyNotInput").text() == " l"
    qtbot.waitUntil(lambda: answer.text().startswith("No: l was merged with the ow after it at step 4"))


def test_why_a_pair_has_not_merged_is_asked_from_its_row(qtbot: QtBot, window: MainWindow) -> None:
    window.session.cursor.seek(1)
    actions = cell_menu(window, "pairTable", 0, PairColumn.MERGED)
    assert "whyNotToken" not in cell_menu(window, "pairTable", 0, PairColumn.LEFT)  # it is a token
    choose(actions, "whyNotToken")
    assert child(window, QLineEdit, "whyNotInput").text() == "est"
    answer = child(window, QLabel, "whyNotAnswer")
    qtbot.waitUntil(lambda: answer.text().startswith("Not yet: step 2 makes it one token."))


def test_a_hidden_panel_is_shown_to_answer(qtbot: QtBot, window: MainWindow) -> None:
    encode = child(window, QWidget, "encodePanel")
    window._menus.hide_panels(["encode"])
    assert not encode.isVisible()
    child(window, QLineEdit, "pairFilter").setText("zebra")
    child(window, QPushButton, "pairFutureWhy").click()
    assert encode.isVisible()
    answer = child(window, QLabel, "whyNotAnswer")
    qtbot.waitUntil(lambda: answer.text().startswith("No: no word in the corpus contains zebra"))


def menu_of(window: MainWindow, name: str) -> dict[str, QAction]:
    """Open the menu of a view of text, and return its actions by name."""
    view = child(window, QWidget, name)
    middle = view.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, view.mapToGlobal(middle))
    QApplication.sendEvent(child(view, QWidget, "qt_scrollarea_viewport"), event)
    actions = popup_actions(view)
    menu = QApplication.activePopupWidget()
    if menu is not None:
        menu.hide()
    return actions
