"""The window fits small screens, and its panels fold away and come back."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS
from bpe_gui.gui.look.layouts import MARGIN, SectionTitle
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.corpus_parts import StartCard
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.panels.transport_bar import TransportBar
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn
from bpe_gui.gui.views.splitter_views import SplitterLegend
from tests.gui.support.widgets import child
from tests.gui.support.windows import notices

_SAMPLE = "The quick brown fox"
_WIDE_SAMPLE = 151  # pixels of it in a wide font


@pytest.fixture
def font(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    """Have the default font, spread if the test says so to the widest that is usual: DejaVu Sans at 11 points."""
    before = qapp.font()
    if request.param == "wide":
        font = QFont(before)
        missing = max(0, _WIDE_SAMPLE - QFontMetrics(font).horizontalAdvance(_SAMPLE))
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, missing / len(_SAMPLE))
        qapp.setFont(font)
    yield
    qapp.setFont(before)


@pytest.mark.parametrize("font", ["default", "wide"], indirect=True)
def test_the_window_fits_960_by_720(font: None, window: MainWindow) -> None:
    for language in ("zh_CN", "en"):
        window.choose_language(language)
        window.resize(960, 720)
        assert (window.width(), window.height()) == (960, 720)


@pytest.mark.parametrize("font", ["wide"], indirect=True)
def test_captions_of_the_bar_are_left_out_where_they_do_not_fit(font: None, window: MainWindow, qtbot: QtBot) -> None:
    captions = [label for label in child(window, TransportBar, "transportBar").findChildren(QLabel) if label.buddy()]
    assert [label.text() for label in captions] == ["Recipe", "Vocabulary", "Go to"]
    for width, is_shown in ((960, False), (1280, True), (960, False)):
        window.resize(width, 720)
        qtbot.waitUntil(lambda: all(label.isVisible() is is_shown for label in captions))  # noqa: B023
        assert window.width() == width


def test_the_window_fits_with_the_parts_of_the_splitter_and_a_notice(window: MainWindow, qtbot: QtBot) -> None:
    window.session.corpus.set_recipe(PRESETS["minbpe"])
    window.session.restart()
    child(window, QToolButton, "splitterColorsButton").click()
    legend = child(window, SplitterLegend, "splitterLegend")
    qtbot.waitUntil(lambda: legend.sizeHint().height() > 100)
    window.copy_diagnostics()
    assert notices(window)
    window.resize(960, 720)
    assert window.minimumSizeHint().height() <= 720
    assert window.height() == 720


def test_everything_to_begin_with_is_whole_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 720)
    window.projects.new()
    card = child(window, StartCard, "startCard")
    qtbot.waitUntil(card.isVisible)
    for button in card.findChildren(QPushButton):
        assert button.width() >= button.sizeHint().width(), button.text()
        assert card.rect().contains(button.geometry()), button.text()
    assert child(window, QPlainTextEdit, "corpusEditor").height() >= card.height() - MARGIN


@pytest.mark.parametrize("font", ["default", "wide"], indirect=True)
def test_short_titles_are_whole_in_a_small_window(font: None, window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 720)
    window.last()
    qtbot.waitUntil(lambda: window.session.cursor.position > 0)
    titles = {"Corpus", "Pairs", "Merges", "Encode", "Ids", "Vocabulary"}
    shown = [title for title in window.findChildren(SectionTitle) if title.text() in titles]
    assert {title.text() for title in shown} == titles
    for title in shown:
        assert title.elided(title.width()) == title.text()


def test_the_last_merge_stays_in_view_in_a_lower_window(window: MainWindow, qtbot: QtBot) -> None:
    window.last()
    qtbot.waitUntil(lambda: window.session.cursor.position > 0)
    merges = child(window, QTableView, "mergeTable")
    window.resize(1280, 660)
    qtbot.waitUntil(lambda: window.height() == 660)
    row = merges.visualRect(merges.currentIndex())
    assert merges.viewport().rect().contains(row.center())


def test_notices_do_not_make_a_small_window_grow(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 720)
    least = window.minimumSizeHint()
    words = "What has happened, in a sentence that is long enough to need a second line in a small window. " * 2
    for name in ("recoveryBar", "noticeBar"):
        bar = child(window, NoticeBar, name)
        bar.show_message(words, [("Undo", list)])
        bar.show_message("Something else.")
        qtbot.waitUntil(lambda bar=bar: bar.isVisible() and bar.height() == bar.sizeHint().height() > 80)  # type: ignore[misc]
        assert window.minimumSizeHint() == least
    assert window.height() == 720


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_what_an_empty_corpus_offers_is_not_cut(window: MainWindow, qtbot: QtBot, language: str) -> None:
    window.choose_language(language)
    window.resize(960, 720)
    window.actions_by_name["new_project"].trigger()
    window.session.corpus.set_documents([])
    for name in ("startOpenButton", "startSampleButton", "startPasteButton"):
        button = child(window, QPushButton, name)
        qtbot.waitUntil(button.isVisible)
        assert button.width() >= button.minimumSizeHint().width(), name
    window.choose_language("en")


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
