"""Documents count as often as the user says: one, several or those of a folder; it is undone, and typing is kept."""

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QMenu, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument
from bpe_gui.gui.panels.corpus_panel import CorpusPanel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from tests.gui.support.widgets import child, label_text

FILES = ("/corpus/en/a.txt", "/corpus/en/b.txt", "/corpus/zh/a.txt")


@pytest.fixture
def session(session: Session) -> Session:
    with session.history.start_over():
        session.corpus.add_documents(
            CorpusDocument(Path(name).name, TextDocument("low lower "), Path(name)) for name in FILES
        )
    return session


def rows(panel: CorpusPanel) -> QTableView:
    return child(panel, QTableView, "documentList")


def menu_of(panel: CorpusPanel, row: int) -> dict[str, str]:
    """Return the texts of the actions that a document's menu has about weights."""
    actions = _menu(panel, row).actions()
    return {each.objectName(): each.text() for each in actions if each.objectName().endswith("Weight")}


def _menu(panel: CorpusPanel, row: int) -> QMenu:
    table = rows(panel)
    assert isinstance(table, Table)
    menu = QMenu(table)
    table.menu_opened.emit(menu, table.model().index(row, 0))
    return menu


def ask(panel: CorpusPanel, row: int, action: str = "setWeight") -> QDialog:
    next(each for each in _menu(panel, row).actions() if each.objectName() == action).trigger()
    return child(panel, QDialog, "weightDialog")


def set_weight(panel: CorpusPanel, row: int, weight: str, action: str = "setWeight") -> None:
    dialog = ask(panel, row, action)
    child(dialog, QComboBox, "weightBox").setEditText(weight)
    child(dialog, QPushButton, "weightButton").click()
    dialog.deleteLater()
    dialog.setObjectName("closed")


def test_a_weight_stays_as_it_is_typed(panel: CorpusPanel, session: Session) -> None:
    dialog = ask(panel, 0)
    QTest.keyClicks(child(dialog, QComboBox, "weightBox"), "0.2")
    child(dialog, QPushButton, "weightButton").click()
    assert weights(session) == ["1/5", "1", "1"]


def weights(session: Session) -> list[str]:
    return [str(document.weight) for document in session.corpus.documents]


def shown_weights(panel: CorpusPanel) -> list[str]:
    if rows(panel).isColumnHidden(2):
        return []
    return [rows(panel).model().index(row, 2).data() for row in range(3)]


def test_a_weight_is_set_shown_counted_and_undone(panel: CorpusPanel, session: Session) -> None:
    assert shown_weights(panel) == []
    assert (label_text(panel, "corpusWords"), child(panel, QLabel, "corpusWeights").isVisibleTo(panel)) == ("9", False)
    set_weight(panel, 2, "3")
    assert shown_weights(panel) == ["", "", "×3"]
    assert (label_text(panel, "corpusWords"), label_text(panel, "corpusBytes")) == ("15", "50")
    assert label_text(panel, "corpusWeights") == "Document weights: ×1 to ×3."
    assert rows(panel).model().index(2, 0).data(Qt.ItemDataRole.ToolTipRole).endswith("\nCounts 3 times")
    trainer = session.run.trainer
    assert trainer is not None and trainer.word_counts.weighted and trainer.word_counts["low"] == 5
    session.undo()
    assert (weights(session), shown_weights(panel)) == (["1", "1", "1"], [])
    assert (label_text(panel, "corpusWords"), child(panel, QLabel, "corpusWeights").isVisibleTo(panel)) == ("9", False)
    session.redo()
    assert weights(session) == ["1", "1", "3"]


def test_a_run_with_steps_becomes_stale(panel: CorpusPanel, session: Session) -> None:
    session.cursor.step()
    set_weight(panel, 0, "0.5")
    assert session.run.is_stale
    session.undo()
    assert not session.run.is_stale


def test_all_selected_documents_get_the_weight_and_stay_selected(panel: CorpusPanel, session: Session) -> None:
    rows(panel).selectRow(0)
    rows(panel).selectAll()
    assert menu_of(panel, 1)["setWeight"] == "&Weight of 3 documents…"
    set_weight(panel, 1, "0.1")
    assert weights(session) == ["1/10"] * 3
    assert len(rows(panel).selectionModel().selectedRows()) == 3
    assert label_text(panel, "corpusMessage").startswith("With these weights, the count")


def test_the_menu_beside_the_title_asks_for_the_weight_of_the_selected_document(panel: CorpusPanel) -> None:
    rows(panel).selectRow(1)
    action = panel.findChild(QAction, "weightOfSelected")
    assert action is not None and action.isEnabled()
    action.trigger()
    assert child(panel, QComboBox, "weightBox").accessibleName() == "Weight of b.txt"


def test_a_folder_gets_a_weight_whatever_is_selected(panel: CorpusPanel, session: Session) -> None:
    rows(panel).selectRow(2)
    assert menu_of(panel, 0) == {"setWeight": "&Weight of a.txt…", "setFolderWeight": "W&eight of folder en…"}
    assert list(menu_of(panel, 2)) == ["setWeight"]
    set_weight(panel, 0, "1/3", "setFolderWeight")
    assert weights(session) == ["1/3", "1/3", "1"]
    assert shown_weights(panel) == ["×1/3", "×1/3", ""]


@pytest.mark.parametrize("wrong", ["0", "-1", "nan", "1000000000", "x"])
def test_what_is_not_a_weight_is_explained(panel: CorpusPanel, wrong: str) -> None:
    dialog = ask(panel, 0)
    box, button = child(dialog, QComboBox, "weightBox"), child(dialog, QPushButton, "weightButton")
    assert box.currentText() == "1" and button.isEnabled()
    box.setEditText(wrong)
    assert "is not a number from 0.001 to 1,000" in text_of(dialog) and not button.isEnabled()
    box.setEditText("")
    assert not text_of(dialog) and not button.isEnabled()
    box.setEditText(" 0.25 ")
    assert not text_of(dialog) and button.isEnabled()
    dialog.reject()


def text_of(dialog: QDialog) -> str:
    return child(dialog, QLabel, "weightError").text()


def test_typing_and_its_history_survive_a_weight_and_undoing_it(panel: CorpusPanel, session: Session) -> None:
    editor = child(panel, PlainTextEdit, "corpusEditor")
    rows(panel).selectRow(1)
    QTest.keyClicks(editor, "x")
    set_weight(panel, 1, "3")
    QTest.keyClicks(editor, "y")
    assert (editor.text(), weights(session)) == ("xylow lower ", ["1", "3", "1"])
    session.undo()
    assert (editor.text(), weights(session)) == ("xylow lower ", ["1", "1", "1"])
    assert editor.textCursor().position() == 2
    editor.undo()
    documents = session.corpus.documents
    assert [document.content for document in documents] == [TextDocument("low lower ")] * 3


def test_several_documents_are_removed_together(panel: CorpusPanel, session: Session, qtbot: QtBot) -> None:
    rows(panel).selectRow(0)
    rows(panel).selectAll()
    with qtbot.waitSignal(panel.document_removed) as emitted:
        panel.remove_selected_document()
    assert (emitted.args, session.corpus.documents) == (["3 documents"], ())
    session.undo()
    assert len(session.corpus.documents) == 3


def test_a_new_document_is_the_only_selected_one(panel: CorpusPanel, session: Session) -> None:
    rows(panel).selectAll()
    session.corpus.add_documents([CorpusDocument("new", TextDocument("new"))])
    assert [index.row() for index in rows(panel).selectionModel().selectedRows()] == [3]


def test_undoing_goes_through_weights_to_what_was_added(session: Session) -> None:
    session.corpus.add_documents([CorpusDocument("new", TextDocument("new"))])
    adding = session.history.last
    session.corpus.set_weights([3], Fraction(3))
    session.corpus.set_weights([3], Fraction(2))
    session.undo()
    assert weights(session)[3] == "3"
    session.undo()
    session.undo()
    assert len(session.corpus.documents) == 3
    session.redo()
    session.redo()
    assert adding is not None and weights(session)[3] == "3"
