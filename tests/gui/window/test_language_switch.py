"""Changing the language keeps everything that the user has arranged or half typed."""

import gc
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Metrics, ReadTokenizer, TextDocument, Tokenizer, TokenizerSource, measure
from bpe_gui.engine import metrics as text_metrics
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.samples import samples
from tests.gui.support.widgets import child


def switch(window: MainWindow) -> None:
    window.choose_language("zh_CN")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()


def test_signals_of_the_session_reach_no_deleted_widget(window: MainWindow) -> None:
    actions = list(window.actions_by_name.values())
    window.choose_language("zh_CN")
    for action in actions:
        QCoreApplication.sendPostedEvents(action, QEvent.Type.DeferredDelete.value)
    window.session.work.changed.emit()  # as if a job had just ended
    window.session.cursor.moved.emit()


def test_invalid_special_tokens_stay_as_typed(window: MainWindow) -> None:
    child(window, QPlainTextEdit, "specialTokensEdit").setPlainText("<a>\n<a>\nhalf")
    before = window.session.corpus.special_tokens
    switch(window)
    assert child(window, QPlainTextEdit, "specialTokensEdit").toPlainText() == "<a>\n<a>\nhalf"
    assert child(window, QLabel, "specialTokensError").isVisible()
    assert window.session.corpus.special_tokens == before


def test_the_caret_and_the_focus_stay(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    editor = child(window, TokenEdit, "encodeInput")
    editor.setFocus()
    editor.set_selection(7, 3)
    switch(window)
    editor = child(window, TokenEdit, "encodeInput")
    assert (editor.selection.anchor, editor.selection.caret) == (7, 3)
    qtbot.waitUntil(editor.hasFocus)


def test_the_page_and_the_toggles_of_the_encode_panel_stay(window: MainWindow) -> None:
    toggles = ("whitespaceButton", "wordBoundariesButton", "colorModeButton", "plainSpecialTokensButton")
    for name in toggles:
        child(window, QToolButton, name).click()
    before = [child(window, QToolButton, name).isChecked() for name in toggles]
    child(window, QTabWidget, "tokenFacts").setCurrentIndex(2)
    switch(window)
    assert [child(window, QToolButton, name).isChecked() for name in toggles] == before == [True, True, False, True]
    assert window.session.text.allowed_special == "none"
    assert child(window, QTabWidget, "tokenFacts").currentIndex() == 2


def test_changing_the_language_while_the_text_is_measured(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring, go_on = threading.Event(), threading.Event()

    def delayed(*arguments: Any) -> Metrics:
        measuring.set()
        go_on.wait()
        return measure(*arguments)

    monkeypatch.setattr(text_metrics, "measure", delayed)
    child(window, QTabWidget, "tokenFacts").setCurrentIndex(3)
    qtbot.waitUntil(measuring.is_set)
    threading.Timer(0.2, go_on.set).start()
    switch(window)  # waits for the thread: destroying a running QThread aborts the program
    qtbot.waitUntil(lambda: child(window, QLabel, "tokensNow").text().isdigit())


def test_filters_and_sort_orders_stay(window: MainWindow) -> None:
    child(window, QLineEdit, "pairFilter").setText("es")
    child(window, QLineEdit, "vocabularyFilter").setText("a")
    child(window, QTableView, "pairTable").sortByColumn(1, Qt.SortOrder.DescendingOrder)
    rows = [child(window, QTableView, name).model().rowCount() for name in ("pairTable", "vocabularyTable")]
    switch(window)
    assert child(window, QLineEdit, "pairFilter").text() == "es"
    assert child(window, QLineEdit, "vocabularyFilter").text() == "a"
    assert [child(window, QTableView, name).model().rowCount() for name in ("pairTable", "vocabularyTable")] == rows
    header = child(window, QTableView, "pairTable").horizontalHeader()
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (1, Qt.SortOrder.DescendingOrder)


def test_the_sizes_of_splitters_stay(window: MainWindow) -> None:
    names = ("columnSplitter", "encodeSplitter", "mergesSplitter", "mergesLowerSplitter")

    def all_sizes() -> dict[str, list[int]]:
        return {name: child(window, QSplitter, name).sizes() for name in names}

    for name, sizes in all_sizes().items():
        child(window, QSplitter, name).setSizes([sizes[0] + 40, sizes[1] - 40, *sizes[2:]])
        assert child(window, QSplitter, name).sizes() != sizes, name
    before = all_sizes()
    switch(window)
    assert all_sizes() == before


def test_the_selected_document_stays(window: MainWindow) -> None:
    documents = [CorpusDocument(title, TextDocument(title)) for title in ("one", "two")]
    window.session.corpus.add_documents(documents)
    child(window, QTableView, "documentList").selectRow(2)
    switch(window)
    assert child(window, QTableView, "documentList").currentIndex().row() == 2
    assert child(window, QPlainTextEdit, "corpusEditor").toPlainText() == "two"


def test_a_notice_stays_and_its_offer_still_works(window: MainWindow) -> None:
    window.session.corpus.add_documents([CorpusDocument("mine", TextDocument("mine"))])
    recipe, size = window.session.corpus.recipe, window.session.corpus.vocab_size
    child(window, QToolButton, "removeDocumentButton").click()
    assert len(window.session.corpus.documents) == 1
    switch(window)
    bar = child(window, QWidget, "noticeBar")
    assert bar.isVisible()
    bar.findChildren(QPushButton)[0].click()
    assert [document.title for document in window.session.corpus.documents][1:] == ["mine"]
    assert (window.session.corpus.recipe, window.session.corpus.vocab_size) == (recipe, size)


def test_the_window_does_not_grow(window: MainWindow, qtbot: QtBot) -> None:
    tokenizer = Tokenizer({i: bytes([i]) for i in range(256)}, [], {f"<{name}>": 256 + name for name in range(9)})
    window.session.load((), window.session.corpus.recipe, (), 300, LiveText("text"))
    window.session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "tiktoken")))
    window.projects._notice.show_message("The saved merges are shown.", [("Retrain", window.close)])
    qtbot.waitUntil(child(window, QWidget, "noticeBar").isVisible)
    QCoreApplication.processEvents()
    height = window.minimumSizeHint().height() + 16
    window.resize(1280, height)
    for language in ("zh_CN", "en"):
        window.choose_language(language)
        QCoreApplication.processEvents()
        assert window.height() == height


def test_the_title_of_a_sample_follows_the_language(window: MainWindow) -> None:
    sample = samples()[1]
    window.open_sample(sample)
    window.session.replace_documents([CorpusDocument("mine", TextDocument("low lower"))])
    switch(window)
    window.session.undo()
    assert window.windowTitle().startswith(sample.title("zh_CN"))
    window.session.corpus.add_documents([CorpusDocument("mine", TextDocument("low lower"))])
    titles = child(window, QTableView, "documentList").model()
    assert [titles.index(row, 0).data() for row in range(2)] == [sample.title("zh_CN"), "mine"]


def test_nothing_is_left_of_the_window_in_the_former_language(window: MainWindow) -> None:
    counts = []
    for language in ("zh_CN", "en", "zh_CN", "en"):
        window.choose_language(language)
        window.activateWindow()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QCoreApplication.processEvents()
        counts.append(sum(isinstance(each, QObject) for each in gc.get_objects()))
    assert all(later <= before for before, later in zip(counts, counts[2:], strict=False)), counts


def test_typing_can_still_be_undone(window: MainWindow) -> None:
    before = window.session.text.content
    QTest.keyClicks(child(window, TokenEdit, "encodeInput"), "xyz")
    assert window.session.text.content != before
    switch(window)
    QTest.keyClick(child(window, TokenEdit, "encodeInput"), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.text.content == before


def test_nothing_describes_itself_because_of_where_the_mouse_is(window: MainWindow) -> None:
    QCursor.setPos(window.mapToGlobal(QPoint(10, 10)))  # where the menus are, from which the language is chosen
    QCoreApplication.processEvents()
    window.choose_language("zh_CN")
    assert window.statusBar().currentMessage() == ""
