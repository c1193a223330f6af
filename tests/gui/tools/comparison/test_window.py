"""The page that compares, in its workspace: its action, its language, and its end."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QListWidget,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, DownloadError, TextDocument, TokenizerError, TokenizerSource, save, train
from bpe_gui.engine.formats import downloads
from bpe_gui.engine.formats.downloads import Download
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.comparison import adding
from bpe_gui.gui.tools.comparison.compare_page import ComparePage
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.splitter_views import SplitterPreview
from tests.gui.support.project_windows import offers
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import editor, notices


def test_it_follows_the_editor_and_outlives_a_change_of_the_language(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["compare"].trigger()
    compared = child(window, ComparePage, "compareWindow")
    compared.findChildren(QAction, "addAllRecipesAction")[0].trigger()
    rows = child(compared, QListWidget, "comparedList")
    qtbot.waitUntil(lambda: rows.count() == 1 + len(PRESETS))
    window.actions_by_name["explore"].trigger()
    QTest.keyClicks(editor(window), "new ")
    window.actions_by_name["compare"].trigger()
    text = window.session.text.content
    assert text.startswith("new ")
    assert child(compared, TokenEdit, "comparedTextB").toPlainText() == text
    window.choose_language("zh_CN")
    again = child(window, ComparePage, "compareWindow")
    assert child(again, QListWidget, "comparedList").count() == 1 + len(PRESETS)
    QTest.keyClicks(child(again, TokenEdit, "comparedTextB"), "x")
    assert editor(window).toPlainText() == window.session.text.content == "x" + text


def test_a_dropped_file_is_added_and_tables_have_menus(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    save(train("low lower lowest " * 3, recipe="cs336", num_merges=12), tmp_path, "gpt2")
    window.actions_by_name["compare"].trigger()
    compared = child(window, ComparePage, "compareWindow")
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "vocab.json"))])
    modifiers, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    compared.dropEvent(QDropEvent(QPointF(), Qt.DropAction.CopyAction, files, buttons, modifiers))
    qtbot.waitUntil(lambda: child(compared, QListWidget, "comparedList").count() == 2)
    table = child(compared, Table, "onlyInSecondTable")
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)
    table.menu_requested.emit(table.model().index(0, 1), QPointF(), QPoint())
    menu = child(table, QMenu, "tableMenu")
    assert {"followToken", "copyRow"} <= {action.objectName() for action in menu.actions()}
    menu.close()


def test_a_splitter_is_tried_on_the_corpus(window: MainWindow, qtbot: QtBot) -> None:
    window.session.corpus.set_documents([CorpusDocument("a.txt", TextDocument("the words of this corpus"))])
    window.actions_by_name["compare"].trigger()
    window.findChildren(QAction, "addCustomRecipeAction")[0].trigger()
    dialog = child(window, RecipeDialog, "recipeDialog")
    child(dialog, QPushButton, "splitterTrialButton").click()
    preview = child(dialog, SplitterPreview, "splitterPreview")
    qtbot.waitUntil(lambda: preview.toPlainText() == "the words of this corpus")
    dialog.reject()


def test_a_file_becomes_the_text(window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("newest")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "a.txt"), ""))
    window.actions_by_name["compare"].trigger()
    child(window, QToolButton, "openComparedTextButton").click()
    assert window.session.text.content == child(window, TokenEdit, "comparedTextA").toPlainText() == "newest"


def test_the_main_window_closes_it_in_the_middle_of_its_work(window: MainWindow) -> None:
    window.actions_by_name["compare"].trigger()
    child(window, ComparePage, "compareWindow").findChildren(QAction, "addAllRecipesAction")[0].trigger()
    window.close()
    assert window.findChild(ComparePage) is None


def test_escape_closes_lists_and_leaves_the_page_open(window: MainWindow, qtbot: QtBot) -> None:
    window.show()
    window.actions_by_name["compare"].trigger()
    boxes = [box for box in window.findChildren(QComboBox) if box.isVisible() and box.isEnabled()]
    assert boxes
    for box in boxes:
        box.showPopup()
        qtbot.waitUntil(box.view().isVisible)
        QTest.keyClick(box.view(), Qt.Key.Key_Escape)
        assert not box.view().isVisible()
        assert window.actions_by_name["compare"].isChecked(), box.objectName()
    for name in ("comparisonTable", "candidateTable", "comparedList", "comparedTextA"):
        QTest.keyClick(child(window, QWidget, name), Qt.Key.Key_Escape)
        assert window.actions_by_name["compare"].isChecked(), name


def test_the_run_is_stepped_through_beside_it(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["first"].trigger()
    window.actions_by_name["compare"].trigger()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert window.session.cursor.position == 1
    rows = child(window, QListWidget, "comparedList")
    qtbot.waitUntil(lambda: rows.item(0).text() == "A  Current: Main run, step 1")
    rows.setFocus()
    rows.setCurrentRow(0)
    QTest.keyClick(rows, Qt.Key.Key_Space)
    assert rows.item(0).checkState() is Qt.CheckState.Unchecked
    assert not window.session.cursor.playing


def test_typing_in_it_and_in_the_main_window_is_undone_in_either(window: MainWindow) -> None:
    window.show()
    window.session.text.set_content("")
    undo = window.actions_by_name["undo"]
    main = child(window, TokenEdit, "encodeInput")
    QTest.keyClicks(main, "low")
    window.actions_by_name["compare"].trigger()
    column = child(window, TokenEdit, "comparedTextA")
    column.setFocus()
    column.set_caret(3)
    QTest.keyClicks(column, "er")
    assert window.session.text.content == "lower"
    undo.trigger()
    assert window.session.text.content == "low"
    undo.trigger()
    assert window.session.text.content == column.toPlainText() == ""
    QTest.keyClicks(column, "new")  # into a text that is empty
    assert window.session.text.content == main.toPlainText() == "new"
    window.actions_by_name["explore"].trigger()
    main.setFocus()
    undo.trigger()
    assert window.session.text.content == main.toPlainText() == ""


def test_a_failed_download_offers_to_open_a_file_beside_the_run(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(_name: str, _progress: object) -> Download:
        raise DownloadError("No network.")

    save(train("low lower", recipe="tiktoken", num_merges=3), tmp_path / "cl100k_base.tiktoken", "tiktoken")
    save(train("low lower", num_merges=3), tmp_path / "other.json", "huggingface")
    monkeypatch.setattr(downloads, "fetch_published", fail)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "cl100k_base.tiktoken"), ""))
    opened = window.session.opened
    opened.open_beside(TokenizerSource.named("tiktoken:cl100k_base"), TokenizerSource(tmp_path / "other.json"))
    qtbot.waitUntil(lambda: "No network." in notices(window))  # though another one was read
    offers(window)["Open tokenizer…"].click()
    qtbot.waitUntil(lambda: len(opened.tokenizers) == 2)
    assert opened.tokenizer is None
    opened.open_beside(TokenizerSource.named("tiktoken:cl100k_base"))
    qtbot.waitUntil(lambda: "Open tokenizer…" in offers(window))
    opened.open_beside(TokenizerSource(tmp_path / "other.json"))
    qtbot.waitUntil(lambda: "Open tokenizer…" not in offers(window))


def test_the_first_line_fetches_gpt_4_and_says_so_without_a_network(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fetch(_name: str, _progress: object) -> Download:
        if not cached:
            raise TokenizerError("no network")
        return cached[0]

    save(train("low lower", recipe="tiktoken", num_merges=3), tmp_path / "ranks.tiktoken", "tiktoken")
    cached: list[Download] = []
    monkeypatch.setattr(adding, "gets_encodings", lambda: True)
    monkeypatch.setattr(downloads, "cached_tokenizers", lambda: [])
    monkeypatch.setattr(downloads, "fetch_published", fetch)
    window.session.cursor.first()
    window.show()
    line = child(window, QLabel, "statusLine")
    line.linkActivated.emit("compare")
    assert window.actions_by_name["compare"].isChecked()
    rows = child(window, QListWidget, "comparedList")
    assert window.focusWidget() is rows
    failure = "GPT-4’s tokenizer cannot be fetched now. “Add” has what is on this computer."
    qtbot.waitUntil(lambda: label_text(window, "compareMessage") == failure)
    assert rows.count() == 1
    cached = [Download("tiktoken:cl100k_base", tmp_path / "ranks.tiktoken", "cl100k", {})]
    shutil.copy(tmp_path / "ranks.tiktoken", tmp_path / "cl100k_base.tiktoken")
    window.session.opened.open(TokenizerSource(tmp_path / "cl100k_base.tiktoken"))
    qtbot.waitUntil(child(window, QLabel, "compareMessage").isHidden)
    window.session.opened.close()
    qtbot.waitUntil(lambda: rows.count() == 1)
    window.actions_by_name["explore"].trigger()
    line.linkActivated.emit("compare")
    qtbot.waitUntil(lambda: rows.count() == 2)
    assert rows.item(1).text() == "B  tiktoken:cl100k_base"
