"""The window fits small screens, and its panels fold away and come back."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFont, QImage, QPainter, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QSplitter,
    QTableView,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, TextDocument
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.panels.transport_bar import TransportBar
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn
from bpe_gui.gui.tables.word_model import WordColumn
from bpe_gui.gui.views.token_chips import Chips, TokenChips
from tests.gui.support.widgets import child
from tests.gui.support.windows import editor, ids


def test_captions_of_the_bar_are_left_out_where_they_do_not_fit(window: MainWindow, qtbot: QtBot) -> None:
    captions = [label for label in child(window, TransportBar, "transportBar").findChildren(QLabel) if label.buddy()]
    assert [label.text() for label in captions] == ["Recipe", "Vocabulary", "= 12 merges", "Go to"]
    least = window.minimumSizeHint().width()
    for width, is_shown in ((least, False), (1280, True), (least, False)):
        window.resize(width, 720)
        qtbot.waitUntil(lambda: all(label.isVisible() is is_shown for label in captions))  # noqa: B023
        assert window.width() == width


def test_a_run_that_ends_before_the_wanted_size_says_where(window: MainWindow, qtbot: QtBot) -> None:
    session, shown = window.session, child(window, QLabel, "mergesOfSize")
    session.corpus.set_vocab_size(10_000)
    assert shown.text() == f"≤ {session.cursor.last_step} merges"
    session.train()
    qtbot.waitUntil(lambda: session.run.trainer is not None and session.run.trainer.is_complete)
    assert session.run.trainer is not None
    end = session.run.trainer.vocab_size
    qtbot.waitUntil(lambda: shown.text() == f"ends at {end}")
    session.cursor.seek(2)
    assert shown.text() == f"ends at {end}"
    session.corpus.set_vocab_size(end)
    assert shown.text() == f"= {session.run.target_position} merges"


def test_no_button_moves_from_under_the_mouse_when_a_run_is_out_of_date(window: MainWindow) -> None:
    bar, words = child(window, TransportBar, "transportBar"), child(window, QLabel, "mergesOfSize")
    window.session.cursor.step()
    buttons = [button for button in bar.findChildren(QAbstractButton) if button.isVisible()]
    before = [button.mapTo(bar, QPoint()) for button in buttons]
    window.session.corpus.set_recipe(PRESETS["minbpe"])
    assert words.text() == ""
    QApplication.sendPostedEvents()
    assert [button.mapTo(bar, QPoint()) for button in buttons] == before


def test_all_recipes_are_shown_without_scrolling(window: MainWindow) -> None:
    recipes = child(window, QComboBox, "recipeCombo")
    window.session.corpus.set_recipe(replace(window.session.corpus.recipe, min_count=3))
    assert recipes.currentData() is None, "a recipe of one's own is listed as well"
    assert recipes.count() <= recipes.maxVisibleItems()


def test_the_name_of_every_recipe_is_whole_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 720)
    recipes = child(window, QComboBox, "recipeCombo")
    qtbot.waitUntil(lambda: window.width() == 960 and recipes.width() >= recipes.sizeHint().width())
    assert child(window, TransportBar, "transportBar").minimumSizeHint().width() <= 960


SIZES = ((960, 720), (1280, 800))


@pytest.mark.parametrize(("width", "boxes"), [(60, 1), (150, 1), (250, 3), (400, 3)])
def test_merges_are_shown_in_one_way_at_one_width(qtbot: QtBot, width: int, boxes: int) -> None:
    chips = TokenChips(Theme("light").token_palette())
    font = QFont()
    font.setPixelSize(14)
    chips.use_font(font)
    picture = QImage(500, 30, QImage.Format.Format_ARGB32)
    with QPainter(picture) as painter:
        for left, right in ((b"l", b"o"), (b" th", b"e"), (b" internation", b"alization")):
            area = QRectF(0, 0, width, 24)
            painted = chips.paint_row(painter, area, Chips((left, right, left + right)), in_table=True)
            assert len(painted) == boxes
            assert all(area.adjusted(-1, 0, 1, 0).contains(box) for box in painted)


def test_ids_of_a_pasted_text_begin_with_the_first(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 720)
    QApplication.clipboard().setText("The machine reads words. " * 40 + "Yes")
    editor(window).setFocus()
    for key in (Qt.Key.Key_A, Qt.Key.Key_V):
        QTest.keyClick(editor(window), key, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: ids(window).current > 100)
    assert ids(window).verticalScrollBar().maximum() > 0
    assert ids(window).verticalScrollBar().value() == 0
    QTest.keyClick(editor(window), Qt.Key.Key_Left)
    assert ids(window).verticalScrollBar().value() > 0


@pytest.mark.parametrize("size", SIZES)
def test_tabs_stay_where_they_are_when_pages_change(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    window.resize(*size)
    facts = child(window, QTabWidget, "tokenFacts")
    places = set()
    for page in range(facts.count()):
        facts.setCurrentIndex(page)
        qtbot.waitUntil(facts.currentWidget().isVisible)
        places.add(facts.mapTo(window, facts.tabBar().geometry().topLeft()).toTuple())
        assert facts.currentWidget().height() >= facts.currentWidget().minimumSizeHint().height()
    assert len(places) == 1
    assert editor(window).height() >= 4 * editor(window).rows.all_rows.metrics.height


@pytest.mark.parametrize(("size", "share"), [((1280, 800), 1 / 2), ((1920, 1080), 2 / 3)])
def test_the_text_to_encode_has_most_of_its_column(window: MainWindow, size: tuple[int, int], share: float) -> None:
    window.resize(*size)
    panel, parts = child(window, QWidget, "encodePanel"), child(window, QSplitter, "encodeSplitter")
    encode = parts.handle(1).mapTo(panel, QPoint(0, 0)).y()  # the header, the text and its numbers
    assert encode >= share * panel.height()
    before, few = editor(window).height(), ids(window).height()
    window.session.text.set_content("one two three\n" * 40)
    assert editor(window).height() > before and ids(window).height() < few
    window.session.text.set_content("one two three")
    assert (editor(window).height(), ids(window).height()) == (before, few)
    parts.setSizes([200, 200, 200])
    chosen = parts.sizes()
    window.session.text.set_content("one two three\n" * 40)
    assert parts.sizes() == chosen


def test_a_long_list_of_documents_has_its_share(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    documents = [CorpusDocument(str(number), TextDocument("low")) for number in range(300)]
    window.session.corpus.set_documents(documents)
    shown = child(window, Table, "documentList")
    qtbot.waitUntil(lambda: shown.viewport().height() >= 7 * shown.rowHeight(0))
    assert shown.height() >= child(window, QWidget, "corpusPanel").height() / 3
    assert child(window, Table, "vocabularyTable").rows_in_view >= 1


def test_a_word_of_eleven_letters_is_whole(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    session, words = window.session, child(window, Table, "wordTable")
    session.corpus.set_documents([CorpusDocument("one", TextDocument("mississippi"))])
    session.restart()
    qtbot.waitUntil(lambda: words.model().rowCount() == 1)
    assert words.symbols.needed_width(0, WordColumn.WORD) <= words.columnWidth(WordColumn.WORD)


def test_a_button_opens_a_text_to_encode(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.txt").write_text("lower and lower")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "text.txt"), ""))
    child(window, QToolButton, "openTextButton").click()
    qtbot.waitUntil(lambda: window.session.text.content == "lower and lower")


@pytest.mark.parametrize(
    ("screen", "size"), [((1920, 1080), (1536, 864)), ((3840, 2160), (1760, 1100)), ((1024, 768), (1016, 728))]
)
def test_a_first_window_is_as_large_as_the_screen_suggests(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], size: tuple[int, int]
) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(*screen))
    window = MainWindow()
    qtbot.addWidget(window)
    assert window.size() == QSize(*size)


def test_the_last_merge_stays_in_view_in_a_lower_window(window: MainWindow, qtbot: QtBot) -> None:
    window.last()
    qtbot.waitUntil(lambda: window.session.cursor.position > 0)
    merges = child(window, QTableView, "mergeTable")
    window.resize(1280, 660)
    qtbot.waitUntil(lambda: window.height() == 660)
    row = merges.visualRect(merges.currentIndex())
    assert merges.viewport().rect().contains(row.center())


def test_notices_move_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 720)
    least = window.minimumSizeHint()
    panels = [child(window, QWidget, name) for name in ("pairTable", "corpusEditor", "encodeInput", "timeline")]
    places = [panel.geometry() for panel in panels]
    words = "What has happened, in a sentence that is long enough to need a second line in a small window. " * 2
    for name in ("recoveryBar", "noticeBar"):
        bar = child(window, NoticeBar, name)
        notice = bar.show_message(words, [("Undo", list)])
        qtbot.waitUntil(lambda bar=bar: bar.isVisible() and bar.height() == bar.heightForWidth(bar.width()) > 40)  # type: ignore[misc]
        assert window.minimumSizeHint() == least
        assert [panel.geometry() for panel in panels] == places
        bar.dismiss(notice)
        assert [panel.geometry() for panel in panels] == places
    assert window.height() == 720


def test_a_narrow_window_leaves_the_space_to_the_tokens(window: MainWindow, qtbot: QtBot) -> None:
    merges, vocabulary = (child(window, QTableView, name) for name in ("mergeTable", "vocabularyTable"))
    assert not merges.isColumnHidden(MergeColumn.COUNT)
    assert vocabulary.isColumnHidden(VocabularyColumn.HEX)
    window.resize(960, 720)
    qtbot.waitUntil(lambda: merges.isColumnHidden(MergeColumn.TIE))
    assert vocabulary.isColumnHidden(VocabularyColumn.BYTES)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: not merges.isColumnHidden(MergeColumn.TIE))
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: not vocabulary.isColumnHidden(VocabularyColumn.HEX))


@pytest.mark.parametrize("size", SIZES)
def test_words_changes_and_counts_are_shown_in_a_small_window(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    merges, pairs, words = (child(window, Table, f"{name}Table") for name in ("merge", "pair", "word"))
    qtbot.waitUntil(lambda: not merges.isColumnHidden(MergeColumn.COUNT))
    assert not pairs.isColumnHidden(PairColumn.CHANGE)
    window.session.cursor.last()
    qtbot.waitUntil(lambda: child(window, QLabel, "mergeCountLabel").width() > 0)
    for step in range(window.session.cursor.run_length + 1):
        window.session.cursor.seek(step)
        for row in range(words.table_model.rowCount()):
            assert words.symbols.needed_width(row, WordColumn.WORD) <= words.columnWidth(WordColumn.WORD)


@pytest.mark.parametrize(
    ("name", "number", "panels"),
    [("columnSplitter", 2, ["Encode"]), ("leftSplitter", 1, ["Vocabulary"])],
)
def test_a_panel_folds_away_and_comes_back(
    window: MainWindow, qtbot: QtBot, name: str, number: int, panels: list[str]
) -> None:
    parts = child(window, QSplitter, name)
    part = parts.widget(number)
    assert isinstance(part, QWidget)
    handle = parts.handle(number)
    far = QPoint(5000, 2) if parts.orientation() is Qt.Orientation.Horizontal else QPoint(2, 5000)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    QTest.mouseMove(handle, far)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=far)
    qtbot.waitUntil(part.isHidden)
    items = [each for each in window.findChildren(QAction) if each.text().replace("&", "") in panels]
    shown = [each for each in items if each.isCheckable()]
    assert shown and not any(each.isChecked() for each in shown)
    for each in shown:
        each.trigger()
    assert part.isVisible()
    qtbot.waitUntil(lambda: min(part.width(), part.height()) > 80)
