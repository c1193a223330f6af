"""The metrics of a text: of the whole text at two steps, and of every line in any order."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LineMetrics, Metrics, measure_lines
from bpe_gui.engine.reports import Contents
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables.numbers_view import LineColumn, LineMetricsModel, MetricsTable, NumbersView
from tests.gui.support.widgets import child, label_text

TEXT = "one\nthree\n\ttwo\x1b two\n\nfour"
NOW = Metrics(tokens=12_000, bytes=24_000, characters=18_000, words=6_000, single_byte_tokens=6_000)
FINAL = Metrics(tokens=8_000, bytes=24_000, characters=18_000, words=6_000, single_byte_tokens=1_000)
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
TOOL_TIP = Qt.ItemDataRole.ToolTipRole
LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light")


@pytest.fixture
def model(theme: Theme) -> Iterator[LineMetricsModel]:
    """Yield a model that is checked against Qt's rules for models."""
    model = LineMetricsModel(theme)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_lines(lines_of(TEXT, 1, 3, 2, 4, 0), line_of(TEXT))
    yield model
    tester.deleteLater()


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> NumbersView:
    view = NumbersView(theme)
    qtbot.addWidget(view)
    view.resize(380, 260)
    with qtbot.waitExposed(view):
        view.show()
    return view


def lines_of(text: str, *tokens: int) -> LineMetrics:
    """Return the metrics of the lines of a text, given the number of tokens in each."""
    lines = text.splitlines(keepends=True)
    sizes = np.array([len(line) for line in lines])
    token_starts: list[int] = []
    for start, size, count in zip(np.cumsum(sizes) - sizes, sizes, tokens, strict=True):
        token_starts += [int(start) + min(index, int(size) - 1) for index in range(count)]
    starts = np.array(token_starts, np.int64)
    return measure_lines(text.encode(), starts, starts + 1)


def line_of(text: str) -> Callable[[int], str]:
    return lambda line: dict(enumerate(text.splitlines(keepends=True))).get(line, "")


def column(model: LineMetricsModel, number: int) -> list[str]:
    return [model.index(row, number).data() for row in range(model.rowCount())]


def order(model: LineMetricsModel) -> list[int | None]:
    return [model.line_at(row) for row in range(model.rowCount())]


def row_of(view: NumbersView, name: str) -> list[str]:
    return [label_text(view, name + column) for column in ("Now", "Final", "Difference")]


def table(view: NumbersView) -> QTableView:
    return child(view, QTableView, "lineNumbersTable")


# -- the whole text -------------------------------------------------------------------------------------------------


def _is_whole(label: QLabel) -> bool:
    return label.height() >= label.heightForWidth(label.width()) > label.fontMetrics().lineSpacing() + 4


def test_captions_wrap_where_large_numbers_leave_little_space(view: NumbersView, qtbot: QtBot) -> None:
    view.resize(250, 400)
    large = Metrics(tokens=12_000_000, bytes=24_000_000, characters=18_000_000, words=6_000_000, single_byte_tokens=6)
    view.set_metrics(large, large, 12_000, 12_000)
    captions = [view.findChild(QLabel, f"{name}Caption") for name in ("charactersPerToken", "singleByteShare")]
    for caption in captions:
        assert isinstance(caption, QLabel)
        one_line = caption.fontMetrics().horizontalAdvance(caption.text())
        qtbot.waitUntil(partial(_is_whole, caption))
        assert caption.width() < one_line, "it does not fit in one line"


def test_without_merges_there_is_no_final_step_to_compare_with(view: NumbersView) -> None:
    view.set_metrics(NOW, NOW, 0, 0)
    assert child(view, QLabel, "numbersHint").isVisible()
    assert not child(view, QLabel, "finalHead").isVisible()
    view.set_metrics(NOW, FINAL, 0, 9_743)
    assert not child(view, QLabel, "numbersHint").isVisible()
    assert child(view, QLabel, "finalHead").isVisible()


def test_metrics_are_compared_with_those_of_the_final_step(view: NumbersView) -> None:
    view.set_metrics(NOW, FINAL, 128, 9743)
    assert [label_text(view, name) for name in ("nowHead", "finalHead")] == ["step 128", "latest 9,743"]
    assert row_of(view, "tokens") == ["12,000", "8,000", "+50%"]
    assert row_of(view, "bytesPerToken") == ["2.00", "3.00", "−33%"]
    assert row_of(view, "charactersPerToken") == ["1.50", "2.25", "−33%"]
    assert row_of(view, "tokensPerWord") == ["2.00", "1.33", "+50%"]
    assert row_of(view, "singleByteShare") == ["50.0%", "12.5%", "+38 pp"]


def test_small_differences_have_a_decimal_and_zero_has_no_sign(view: NumbersView) -> None:
    view.set_metrics(Metrics(tokens=1004, bytes=9), Metrics(tokens=1000, bytes=9), 1, 2)
    assert row_of(view, "tokens")[2] == "+0.4%"
    view.set_metrics(FINAL, FINAL, 2, 2)
    assert row_of(view, "tokens")[2] == "0.0%"
    assert row_of(view, "singleByteShare")[2] == "0.0 pp"


def test_metrics_not_known_yet_are_dots_and_undefined_ones_dashes(view: NumbersView) -> None:
    assert row_of(view, "tokens") == ["…", "…", "…"]
    view.set_metrics(None, FINAL, 128, 9743)
    assert row_of(view, "tokens") == ["…", "8,000", "…"]
    view.set_metrics(Metrics(), Metrics(), 0, 0)
    assert row_of(view, "tokens") == ["0", "0", "–"]
    assert row_of(view, "singleByteShare") == ["–", "–", "–"]


def test_nothing_moves_when_metrics_change(view: NumbersView) -> None:
    def geometries() -> list[QRect]:
        QApplication.processEvents()
        return [label.geometry() for label in view.findChildren(QLabel)]

    view.set_metrics(NOW, FINAL, 9743, 9743)
    before = geometries()
    for now, step in ((None, 0), (FINAL, 7), (NOW, 128)):
        view.set_metrics(now, FINAL, step, 9743)
        assert geometries() == before


def test_every_number_has_a_tooltip_and_fits_a_narrow_panel(view: NumbersView) -> None:
    view.set_metrics(NOW, FINAL, 128, 9743)
    assert all(label.toolTip() for label in view.findChildren(QLabel) if not label.isHidden())
    assert view.minimumSizeHint().width() <= 300


# -- the lines ------------------------------------------------------------------------------------------------------


def test_lines_are_rows(model: LineMetricsModel) -> None:
    assert column(model, LineColumn.LINE) == ["1", "2", "3", "4", "5"]
    assert column(model, LineColumn.TEXT) == ["one", "three", "two  two", "", "four"]
    assert column(model, LineColumn.TOKENS) == ["1", "3", "2", "4", "0"]
    assert column(model, LineColumn.BYTES_PER_TOKEN) == ["4.00", "2.00", "5.00", "0.25", "–"]
    bars = [model.rows[row].share for row in range(5)]
    assert bars == [0.8, 0.4, 1.0, 0.05, 0.0]


def test_lines_can_be_sorted_by_any_column_with_undefined_metrics_last(model: LineMetricsModel) -> None:
    model.sort(LineColumn.BYTES_PER_TOKEN, ASCENDING)
    assert order(model) == [3, 1, 0, 2, 4]
    model.sort(LineColumn.BYTES_PER_TOKEN, DESCENDING)
    assert order(model) == [2, 0, 1, 3, 4]
    model.sort(LineColumn.TOKENS, DESCENDING)
    assert order(model) == [3, 1, 2, 0, 4]
    model.sort(LineColumn.TEXT, DESCENDING)
    assert order(model) == [2, 1, 0, 4, 3]
    model.sort(LineColumn.LINE, DESCENDING)
    assert order(model) == [4, 3, 2, 1, 0]


def test_new_metrics_keep_the_chosen_order(model: LineMetricsModel) -> None:
    model.sort(LineColumn.TOKENS, DESCENDING)
    model.set_lines(lines_of(TEXT + "\nfive", 5, 1, 1, 4, 2, 3), line_of(TEXT + "\nfive"))
    assert order(model) == [0, 3, 5, 4, 1, 2]
    model.set_lines(lines_of("one\ntwo", 0, 3), line_of("one\ntwo"))
    assert column(model, LineColumn.TEXT) == ["two", "one"]


def test_a_text_without_lines_has_no_rows(model: LineMetricsModel) -> None:
    model.sort(LineColumn.BYTES_PER_TOKEN, ASCENDING)
    model.set_lines(lines_of(""), line_of(""))
    assert model.rowCount() == 0
    assert model.line_at(0) is None


def test_a_long_line_is_shown_in_part(model: LineMetricsModel) -> None:
    model.set_lines(lines_of("a" * 1_000, 1), line_of("a" * 1_000))
    assert 100 < len(model.index(0, LineColumn.TEXT).data(TOOL_TIP)) < 1_000


def test_clicks_and_keys_choose_a_line(view: NumbersView) -> None:
    view.set_lines(lines_of(TEXT, 1, 3, 2, 4, 0), line_of(TEXT))
    chosen: list[int] = []
    view.line_chosen.connect(chosen.append)
    header = table(view).horizontalHeader()
    section = QPoint(header.sectionViewportPosition(LineColumn.TOKENS) + 20, 10)
    QTest.mouseClick(header.viewport(), LEFT_BUTTON, pos=section)
    assert header.sortIndicatorOrder() == DESCENDING
    table(view).setFocus()
    assert chosen == []
    first = table(view).visualRect(table(view).model().index(0, LineColumn.TEXT))
    QTest.mouseClick(table(view).viewport(), LEFT_BUTTON, pos=first.center())
    assert set(chosen) == {3}
    QTest.keyClick(table(view), Qt.Key.Key_Down)
    assert chosen[-1] == 1


def test_the_chosen_line_stays_selected_without_a_signal_when_rows_move(view: NumbersView) -> None:
    view.set_lines(lines_of(TEXT, 1, 3, 2, 4, 0), line_of(TEXT))
    table(view).selectRow(2)
    chosen: list[int] = []
    view.line_chosen.connect(chosen.append)
    table(view).sortByColumn(LineColumn.TOKENS, DESCENDING)
    model = table(view).model()
    assert isinstance(model, LineMetricsModel)
    for tokens in ((1, 3, 2, 4, 0), (9, 9, 1, 4, 5)):
        view.set_lines(lines_of(TEXT, *tokens), line_of(TEXT))
        rows = table(view).selectionModel().selectedRows()
        assert [model.line_at(row.row()) for row in rows] == [2]
    view.set_lines(lines_of("one", 1), line_of("one"))
    assert chosen == []


def test_lines_whose_metrics_are_being_computed_are_grey_and_do_not_scroll(view: NumbersView) -> None:
    view.set_lines(lines_of("a\n" * 100, *[1] * 100), line_of("a\n" * 100))
    QApplication.processEvents()  # before that, nothing can be scrolled
    table(view).verticalScrollBar().setValue(20)
    view.set_lines(None, line_of(""))
    assert not table(view).model().flags(table(view).model().index(30, 0)) & Qt.ItemFlag.ItemIsEnabled
    view.set_lines(lines_of("b\n" * 100, *[2] * 100), line_of("b\n" * 100))
    assert table(view).verticalScrollBar().value() == 20
    assert table(view).model().index(30, LineColumn.TEXT).data() == "b"


def test_hundreds_of_thousands_of_lines_are_rows(view: NumbersView) -> None:
    text = b"line\n" * 300_000
    starts = np.arange(0, len(text), 5)
    view.set_lines(measure_lines(text, starts, starts + 5), lambda line: "line")
    assert table(view).model().rowCount() == 300_000
    table(view).sortByColumn(LineColumn.LINE, DESCENDING)
    assert table(view).model().index(0, LineColumn.LINE).data() == "300,000"
    width = table(view).fontMetrics().horizontalAdvance("300,000")
    assert table(view).columnWidth(LineColumn.LINE) > width


def test_the_words_between_spaces_are_not_called_as_those_of_the_splitter(theme: Theme, qtbot: QtBot) -> None:
    table = MetricsTable(theme)
    qtbot.addWidget(table)
    captions = {label_text(table, f"{name}Caption") for name in ("tokensPerWord", "bytesPerToken")}
    assert captions & {measure.title for measure in Contents.measures} == {"bytes per token"}
