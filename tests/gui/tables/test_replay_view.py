"""The replay of a word: its merges as rows, and keys, buttons and clicks to step through them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Tokenizer, TraceStep, WordTrace, train
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables import replay_view
from bpe_gui.gui.tables.replay_view import ReplayColumn, ReplayView
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import MAX_SYMBOLS, MarkedSymbols
from tests.gui.support.widgets import button, child, label_text

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
RIGHT, LEFT, HOME, END = Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End
TOOL_TIP = Qt.ItemDataRole.ToolTipRole
BUTTONS = ("replayFirstButton", "replayBackButton", "replayStepButton", "replayLastButton")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train(TOY, recipe="cs336-toy", num_merges=9)


@pytest.fixture
def view(qtbot: QtBot, tokenizer: Tokenizer) -> Iterator[ReplayView]:
    view = ReplayView(Theme("light"))
    qtbot.addWidget(view)
    tester = QAbstractItemModelTester(table(view).model(), QAbstractItemModelTester.FailureReportingMode.Warning)
    view.resize(380, 260)
    view.show_word(traced(tokenizer, "widest"))
    with qtbot.waitExposed(view):
        view.show()
    yield view
    tester.deleteLater()


def traced(tokenizer: Tokenizer, word: str) -> WordTrace:
    return tokenizer.trace(word)[0]


def table(view: ReplayView) -> Table:
    return child(view, Table, "replayTable")


def press(view: ReplayView, name: str) -> None:
    QTest.mouseClick(button(view, name), Qt.MouseButton.LeftButton)


def texts(view: ReplayView, column: ReplayColumn) -> list[str]:
    model = table(view).model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def reason_text(view: ReplayView) -> str:
    return label_text(view, "replayReasonLabel")


def position_text(view: ReplayView) -> str:
    return label_text(view, "replayPositionLabel")


def test_each_merge_is_a_row(view: ReplayView) -> None:
    assert texts(view, ReplayColumn.NUMBER) == ["0", "1", "2", "3", "4"]
    assert texts(view, ReplayColumn.SYMBOLS) == ["w i d e s t", "w i d e st", "w i d est", "wi d est", "wid est"]
    assert texts(view, ReplayColumn.MERGE) == ["s + t", "e + st", "w + i", "wi + d", "done"]
    assert "e + st → est" in table(view).model().index(1, ReplayColumn.MERGE).data(TOOL_TIP)
    assert texts(view, ReplayColumn.STEP) == ["1", "2", "8", "9", ""]


def test_a_row_marks_the_pair_that_it_names(view: ReplayView) -> None:
    marked = [table(view).table_model.rows[row].marked.pair for row in range(5)]
    assert marked == [(b"s", b"t"), (b"e", b"st"), (b"w", b"i"), (b"wi", b"d"), None]


def test_a_word_is_shown_after_its_last_merge(view: ReplayView) -> None:
    assert (view.position, position_text(view)) == (4, "merge 4 of 4")
    assert table(view).currentIndex().row() == 4
    assert reason_text(view).startswith("Done: no merge so far applies")
    assert [button(view, name).isEnabled() for name in BUTTONS] == [True, True, False, False]


def test_the_buttons_step(view: ReplayView) -> None:
    positions = []
    for name in (BUTTONS[0], BUTTONS[2], BUTTONS[2], BUTTONS[1], BUTTONS[3]):
        press(view, name)
        positions.append(view.position)
    assert positions == [0, 1, 2, 1, 4]


def test_the_start_is_the_first_position(view: ReplayView) -> None:
    view.go_to(-3)
    assert [button(view, name).isEnabled() for name in BUTTONS] == [False, False, True, True]
    assert position_text(view) == "merge 0 of 4"


def test_the_next_merge_is_named_with_its_step(view: ReplayView) -> None:
    view.go_to(2)
    assert reason_text(view) == "Next: w + i, the earliest merge among the pairs in this word (step 8)."


@pytest.mark.parametrize(("key", "position"), [(RIGHT, 3), (LEFT, 1), (HOME, 0), (END, 4), (Qt.Key.Key_Up, 1)])
def test_the_keys_step(view: ReplayView, key: Qt.Key, position: int) -> None:
    view.go_to(2)
    QTest.keyClick(table(view), key)
    assert view.position == position


@pytest.mark.parametrize("focused", ["replayTable", "replayStepButton"])
def test_the_keys_are_not_the_shortcuts_of_the_window(qtbot: QtBot, view: ReplayView, focused: str) -> None:
    triggered: list[bool] = []
    for key in (RIGHT, LEFT, HOME, END):
        action = QAction("step the run", view)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(triggered.append)
        view.addAction(action)
    with qtbot.waitActive(view):
        view.activateWindow()
    view.go_to(2)
    widget = table(view) if focused == "replayTable" else button(view, focused)
    widget.setFocus()
    QTest.keyClick(widget, RIGHT)
    assert (view.position, triggered) == (3, [])
    QTest.keyClick(widget, RIGHT, Qt.KeyboardModifier.ControlModifier)
    assert view.position == 3


def test_a_click_on_a_row_goes_to_its_position(view: ReplayView) -> None:
    rows = table(view)
    target = rows.visualRect(rows.model().index(1, ReplayColumn.MERGE)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=target)
    assert (view.position, position_text(view)) == (1, "merge 1 of 4")


def test_the_next_row_stays_in_view(view: ReplayView) -> None:
    view.resize(380, 200)
    view.go_to(0)
    view.step()
    view.step()
    rows = table(view)
    assert rows.viewport().rect().contains(rows.visualRect(rows.model().index(3, 0)))


def test_the_same_word_with_fewer_merges_keeps_the_position(view: ReplayView, tokenizer: Tokenizer) -> None:
    view.go_to(1)
    view.show_word(traced(tokenizer.at(2), "widest"))
    assert (view.position, position_text(view)) == (1, "merge 1 of 2")
    view.show_word(traced(tokenizer, "lowest"))
    assert position_text(view) == "merge 4 of 4"
    view.show_word(traced(tokenizer.at(1), "lowest"))
    assert position_text(view) == "merge 1 of 1"


def test_without_a_word_there_is_nothing_to_step_through(view: ReplayView) -> None:
    view.show_word(None)
    assert table(view).model().rowCount() == 0
    assert not any(button(view, name).isEnabled() for name in BUTTONS)
    assert (position_text(view), reason_text(view)) == ("", "")
    view.step()
    assert view.position == 0


def test_a_word_of_one_token_has_no_further_merges(view: ReplayView, tokenizer: Tokenizer) -> None:
    view.show_word(traced(tokenizer, "low"))
    assert reason_text(view) == "Done: the word is a single token."
    view.show_word(traced(tokenizer, "e"))
    assert position_text(view) == "merge 0 of 0"
    assert reason_text(view) == "Done: the word is a single token."


def test_a_word_that_is_a_token_as_a_whole_is_shown_as_such(view: ReplayView) -> None:
    view.show_word(WordTrace("low", (b"low",), (), is_whole=True))
    assert table(view).model().index(0, ReplayColumn.MERGE).data() == "whole word"
    view.show_word(WordTrace("l", (b"l",), ()))
    assert table(view).model().index(0, ReplayColumn.MERGE).data() == "done"


def test_incomplete_characters_and_markup_are_shown_literally(view: ReplayView) -> None:
    tokenizer = train("自 👍 👍👍", num_merges=4)
    view.show_word(traced(tokenizer, "👍"))
    assert texts(view, ReplayColumn.SYMBOLS)[0] == r"\xf0 \x9f \x91 \x8d"
    assert texts(view, ReplayColumn.SYMBOLS)[-1] == "👍"
    view.show_word(WordTrace("<b>", (b"<", b"b", b">"), ()))
    label = child(view, QLabel, "replayWordLabel")
    assert label.text() == "<b>"
    assert "&lt;b&gt;" in label.toolTip()


def test_a_long_word_takes_the_width_of_the_merges_in_a_narrow_view(view: ReplayView) -> None:
    view.resize(425, 260)
    view.show_word(WordTrace("tokens", tuple(bytes([c]) for c in b"tokens"), ()))
    assert not table(view).isColumnHidden(ReplayColumn.MERGE)
    word = b"institutionalized"
    trace = WordTrace(word.decode(), tuple(bytes([c]) for c in word), ())
    view.show_word(trace)
    assert table(view).symbols.needed_width(0, ReplayColumn.SYMBOLS) <= table(view).columnWidth(ReplayColumn.SYMBOLS)
    assert table(view).isColumnHidden(ReplayColumn.MERGE)
    view.resize(900, 260)
    assert not table(view).isColumnHidden(ReplayColumn.MERGE)


def test_of_a_very_long_word_the_symbols_around_the_merge_are_shown(view: ReplayView) -> None:
    start = (*[b"a", b"b"] * 4_500, b"x", b"y")
    steps = (TraceStep(6, b"x", b"y", (*start[:-2], b"xy")),)
    view.show_word(WordTrace("ab" * 4_500 + "xy", start, steps))
    shown = table(view).table_model.rows[0].marked
    assert shown.symbols[-2:] == (b"x", b"y")
    assert len(shown.symbols) <= 2 * MAX_SYMBOLS


def test_only_rows_in_view_are_computed(qtbot: QtBot, view: ReplayView, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: set[tuple[bytes, ...]] = set()
    marked = replay_view._marked_symbols

    def note(symbols: tuple[bytes, ...], merge: TraceStep | None, has_marker: bool) -> MarkedSymbols:
        computed.add(symbols)
        return marked(symbols, merge, has_marker)

    monkeypatch.setattr(replay_view, "_marked_symbols", note)
    long = ReplayView(Theme("light"))
    qtbot.addWidget(long)
    long.resize(380, 260)
    states = [(b"a" * length, *[b"a"] * (400 - length)) for length in range(1, 400)]
    steps = [TraceStep(rank, symbols[0][1:], b"a", symbols) for rank, symbols in enumerate(states[1:])]
    long.show_word(WordTrace("a" * 400, states[0], tuple(steps)))
    with qtbot.waitExposed(long):
        long.show()
    long.grab()
    assert 0 < len(computed) < 30


def test_the_view_follows_the_theme(qtbot: QtBot, tokenizer: Tokenizer) -> None:
    theme = Theme("light")
    view = ReplayView(theme)
    qtbot.addWidget(view)
    view.show_word(traced(tokenizer, "widest"))
    before = table(view).grab().toImage()
    theme.set_choice("dark")
    assert table(view).grab().toImage() != before


def test_the_view_fits_the_narrowest_panel(view: ReplayView) -> None:
    assert view.minimumSizeHint().width() <= 300
    view.resize(300, 200)
    rows = table(view)
    header = rows.horizontalHeader()
    assert header.length() <= rows.viewport().width()
