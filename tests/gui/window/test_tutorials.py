"""A student who has only the tutorial finds its numbers in the window, by the words of the tutorial."""

from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QMenu, QSpinBox
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument, save
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.timeline_panel import TimelinePanel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.window.find_boxes import SearchBox
from tests.gui.support.widgets import child, label_text
from tests.tutorials import TUTORIALS, Tutorial

WORDS = {
    "worked-example": "low low lower newest newest",
    "cs336": "手把手 BPE",
    "bbpe": "octopusmind BBPE",
    "char-eow": "international </w>",
    "zh-en": "自然语言处理是人工智能 中英文",
    "cs336-toy": "CS336 讲义",
}
"""Words of each tutorial, by its sample."""
TOOL_TIP = Qt.ItemDataRole.ToolTipRole


def open_by_search(window: MainWindow, words: str, qtbot: QtBot) -> None:
    window.actions_by_name["search"].trigger()
    field = child(window, QLineEdit, "searchField")
    field.setText(words)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.cursor.trainer is not None and not window.session.run.is_stale)


def train(window: MainWindow, merges: int, qtbot: QtBot) -> None:
    field = child(window, QSpinBox, "vocabSizeSpin").lineEdit()
    field.setText(f"{merges} merges")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.cursor.run_length >= merges and not window.session.run.is_training)


def text_of(table: Table, row: int, column: int) -> str:
    return str(table.table_model.index(row, column).data() or "")


def pairs_of(window: MainWindow) -> str:
    table = child(window, Table, "pairTable")
    columns = PairColumn.LEFT, PairColumn.RIGHT, PairColumn.COUNT
    rows = ([text_of(table, row, column) for column in columns] for row in range(table.table_model.rowCount()))
    return ", ".join(f"{left}+{right} {count}" for left, right, count in rows)


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.sample)
def test_a_tutorial(tutorial: Tutorial, window: MainWindow, qtbot: QtBot) -> None:
    cursor, merges = window.session.cursor, child(window, Table, "mergeTable")
    window.choose_workspace("explore")
    open_by_search(window, WORDS[tutorial.sample], qtbot)
    assert window.session.corpus.recipe.preset == tutorial.recipe
    train(window, len(tutorial.sizes) - 1, qtbot)
    assert child(window, QSpinBox, "vocabSizeSpin").value() == tutorial.sizes[-1]
    assert label_text(window, "mergesOfSize") == f"= {len(tutorial.sizes) - 1} merges"
    done = tutorial.merges.split(", ")
    shown = [(text_of(merges, row, MergeColumn.MERGE), text_of(merges, row, MergeColumn.COUNT)) for row in range(50)]
    assert [f"{pair.partition(' → ')[0].replace(' + ', '+')} {n[1:]}" for pair, n in shown[: len(done)]] == done
    for step, size in enumerate(tutorial.sizes):
        cursor.seek(step)
        qtbot.waitUntil(lambda: label_text(window, "vocabularySummary") == f"{size:,} entries")  # noqa: B023
    for step, pairs in tutorial.pairs.items():
        cursor.seek(step)
        qtbot.waitUntil(lambda: set(pairs.split(", ")) <= set(pairs_of(window).split(", ")))  # noqa: B023
        assert pairs_of(window).startswith(done[step])
    cursor.seek(len(tutorial.sizes) - 1)
    menu = child(window, QMenu, "copyIdsMenu")
    for text, tokens in tutorial.tokens.items():
        child(window, TokenEdit, "encodeInput").setPlainText(text)
        qtbot.waitUntil(lambda: window.session.text.live.is_encoded and window.session.text.content == text)  # noqa: B023
        next(action for action in menu.actions() if action.objectName() == "copyTokensAsList").trigger()
        assert QGuiApplication.clipboard().text() == str(tokens)


def test_six_merges_of_the_handout(window: MainWindow, qtbot: QtBot) -> None:
    open_by_search(window, WORDS["cs336-toy"], qtbot)
    train(window, 6, qtbot)
    child(window, TokenEdit, "encodeInput").setPlainText("newest")
    qtbot.waitUntil(lambda: window.session.text.live.is_encoded and window.session.text.content == "newest")
    actions = {action.objectName(): action for action in child(window, QMenu, "copyIdsMenu").actions()}
    actions["copyTokensAsText"].trigger()
    assert QGuiApplication.clipboard().text() == "ne west"


def test_a_pruned_token_says_when_it_left(window: MainWindow, qtbot: QtBot) -> None:
    left = "u left the vocabulary at step 3, because it no longer stood alone"
    window.choose_workspace("explore")
    open_by_search(window, WORDS["char-eow"], qtbot)
    train(window, 7, qtbot)
    window.session.cursor.seek(7)
    child(window, QLineEdit, "vocabularyFilter").setText("u")
    vocabulary = child(window, Table, "vocabularyTable")
    rows = [
        (text_of(vocabulary, r, VocabularyColumn.ID), text_of(vocabulary, r, VocabularyColumn.TOKEN)) for r in (0, 1)
    ]
    assert rows == [("20", "un"), ("–", "u")]
    assert vocabulary.table_model.index(1, VocabularyColumn.TOKEN).data(TOOL_TIP) == left
    assert label_text(window, "vocabularySummary") == "2 of 25 entries · 3 bytes · 15.4% of your text"
    assert label_text(window, "vocabularyFutureLabel") == left
    window.session.selection.select_token(b"u")
    qtbot.waitUntil(lambda: label_text(window, "inspectorOrigin") == left)
    merges = child(window, Table, "mergeTable")
    assert str(merges.table_model.index(2, MergeColumn.MERGE).data(TOOL_TIP)).splitlines()[-1] == left
    assert left not in str(merges.table_model.index(3, MergeColumn.MERGE).data(TOOL_TIP))
    assert left in window.findChildren(TimelinePanel)[0]._describe(3)
    window.session.cursor.seek(2)  # it still stands alone here
    qtbot.waitUntil(lambda: not child(window, QLabel, "vocabularyFutureLabel").isVisible())
    assert label_text(window, "inspectorOrigin") == "alphabet"


def test_every_search_knows_the_spelling_of_files(window: MainWindow, qtbot: QtBot) -> None:
    window.choose_workspace("explore")
    open_by_search(window, WORDS["bbpe"], qtbot)
    train(window, 14, qtbot)
    window.session.cursor.seek(14)
    for name in ("vocabularyFilter", "mergeFilter"):
        child(window, QLineEdit, name).setText("Ġä½ł")
    assert child(window, Table, "vocabularyTable").table_model.rowCount() == 1
    assert child(window, Table, "mergeTable").table_model.rowCount() == 1
    window.session.selection.select_token(" 你".encode())
    qtbot.waitUntil(lambda: label_text(window, "inspectorSpelling") == "Ġä½ł")
    child(window, QLineEdit, "vocabularyFilter").setText("ä½ł")
    assert child(window, Table, "vocabularyTable").table_model.rowCount() == 1
    child(window, QLineEdit, "vocabularyFilter").setText("é")  # the letter, not the byte
    assert child(window, Table, "vocabularyTable").table_model.rowCount() == 0


@pytest.mark.parametrize("typed", ["8 merges", "8 次合并", "19 entries", "19"])
def test_the_size_is_typed_in_either_way(window: MainWindow, qtbot: QtBot, typed: str) -> None:
    open_by_search(window, WORDS["worked-example"], qtbot)
    spin = child(window, QSpinBox, "vocabSizeSpin")
    spin.lineEdit().setText(typed)
    spin.interpretText()
    assert spin.value() == 19
    qtbot.waitUntil(lambda: label_text(window, "mergesOfSize") == "= 8 merges")


@pytest.mark.parametrize("typed", ["19 entries", "19 tokens", "19 个", "8 merges", "8 steps", "8"])
def test_a_step_is_typed_as_a_size_too(window: MainWindow, qtbot: QtBot, tmp_path: Path, typed: str) -> None:
    open_by_search(window, WORDS["worked-example"], qtbot)
    spin = child(window, QSpinBox, "goToSpin")
    for position in (0, 3, 8):
        window.session.cursor.seek(position)
        spin.lineEdit().setText(typed)
        QTest.keyClick(spin.lineEdit(), Qt.Key.Key_Return)
        assert (window.session.cursor.position, spin.text()) == (8, "8")

    tokenizer = window.session.cursor.tokenizer
    assert tokenizer is not None
    save(tokenizer, tmp_path / "it.json", format="huggingface")
    window.open_paths([tmp_path / "it.json"])
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    window.session.cursor.seek(1)
    spin.lineEdit().setText(typed)
    spin.interpretText()
    assert window.session.cursor.position == 8


def test_a_size_may_be_typed_with_separators_and_trains_if_need_be(window: MainWindow, qtbot: QtBot) -> None:
    words = " ".join(map("".join, product("abcdefghijklmnop", repeat=3)))
    window.session.replace_documents([CorpusDocument("words", TextDocument(words))])
    spin = child(window, QSpinBox, "goToSpin")
    qtbot.waitUntil(lambda: window.session.cursor.trainer is not None)
    for typed, size in (("300 tokens", 300), ("500 entries", 500), ("1,000 tokens", 1_000)):
        spin.lineEdit().setText(typed)
        spin.interpretText()
        qtbot.waitUntil(lambda: not window.session.cursor.is_on_long_move)
        tokenizer = window.session.cursor.tokenizer
        assert tokenizer is not None
        assert tokenizer.vocab_size == size


def test_the_search_finds_commands(window: MainWindow) -> None:
    window.actions_by_name["search"].trigger()
    box = child(window, SearchBox, "searchBox")
    field, found = child(box, QLineEdit, "searchField"), child(box, QListWidget, "searchResults")
    field.setText("close tokenizer")
    assert label_text(window, "searchNote") == "No tokenizer file is shown."
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert box.isVisible()
    field.setText("languages")
    found.setCurrentItem(found.findItems("Command: Report (Ctrl+4)", Qt.MatchFlag.MatchExactly)[0])
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not box.isVisible()
    assert window.actions_by_name["report"].isChecked()


def test_the_search_lists_what_has_the_words_in_its_title_first(window: MainWindow) -> None:
    window.actions_by_name["search"].trigger()
    field, found = child(window, QLineEdit, "searchField"), child(window, QListWidget, "searchResults")
    field.setText("bbpe")
    assert [found.item(row).text() for row in range(2)] == [
        "Sample: Byte-level BPE (BBPE): English and 你好",
        "Recipe: bbpe",
    ]
    field.setText("BPE zzz")
    assert (found.count(), label_text(window, "searchNote")) == (0, "Nothing has these words.")
    field.clear()
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert found.currentRow() == 1
