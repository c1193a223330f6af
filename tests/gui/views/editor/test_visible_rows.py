"""The rows in view of text of any size: scrolling, and where offsets are on the screen."""

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QScrollBar
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText
from bpe_gui.gui.views.editor.visible_rows import VisibleRows
from tests.gui.support.clusters import boundaries

SIZE = QSize(420, 300)


class Screen:
    """A view of rows with a scroll bar, but without a widget that paints them."""

    def __init__(self, bar: QScrollBar) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.bar = bar
        self.text = LiveText()
        self.rows = VisibleRows(self.text, bar, font, SIZE)

    def show(self, text: str) -> LiveText:
        self.text = LiveText(text)
        self.rows.set_text(self.text)
        return self.text

    def edit(self, start: int, stop: int, new: bytes) -> None:
        self.text.replace(start, stop, new)
        self.rows.replaced(start, stop - start, len(new))

    def first_row(self) -> bytes:
        start = self.rows.visible_span()[0]
        return self.text.read(start, self.rows.all_rows.row_end(start))


@pytest.fixture
def screen(qtbot: QtBot) -> Screen:
    bar = QScrollBar()
    qtbot.addWidget(bar)
    return Screen(bar)


def lines(count: int, width: int = 100) -> str:
    return "".join(f"line {number} ".ljust(width, "x") + "\n" for number in range(count))


# -- scrolling --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [lines(20_000), "some words of one line " * 60_000, "x" * 1_500_000, "自然语言处理" * 100_000, "\n" * 1_000_000],
    ids=["lines", "one line", "one word", "one word in Chinese", "empty lines"],
)
def test_any_text_can_be_scrolled_from_start_to_end(screen: Screen, text: str) -> None:
    live = screen.show(text)
    rows, bar = screen.rows, screen.bar
    assert rows.visible_span()[0] == 0
    before = rows.visible_span()
    for _ in range(5):
        rows.scroll_page(down=True)
        start, stop = rows.visible_span()
        assert before[0] < start <= before[1], "no row is skipped"
        before = start, stop
    bar.setValue(bar.maximum() // 2)
    assert 0.4 * len(live) < rows.visible_span()[0] < 0.6 * len(live)
    bar.setValue(bar.maximum())
    assert rows.visible_span()[1] == len(live)
    bar.setValue(0)
    assert rows.visible_span()[0] == 0


def test_paging_down_and_up_returns_to_the_same_rows(screen: Screen) -> None:
    screen.show("a\n" + "words in a long line " * 3000 + lines(300, 250))
    spans = []
    for _ in range(20):
        spans.append(screen.rows.visible_span())
        screen.rows.scroll_page(down=True)
    for span in reversed(spans):
        screen.rows.scroll_page(down=False)
        assert screen.rows.visible_span() == span


def test_scrolling_by_rows_moves_the_scroll_bar(screen: Screen) -> None:
    screen.show(lines(100, 20))
    screen.rows.scroll_rows(3)
    assert screen.bar.value() == 3
    assert screen.first_row().startswith(b"line 3 ")
    screen.rows.scroll_rows(-2)
    assert screen.first_row().startswith(b"line 1 ")


def test_an_offset_out_of_view_is_scrolled_into_view(screen: Screen) -> None:
    live = screen.show(lines(500, 200))
    area = QRectF(0, 0, SIZE.width(), SIZE.height())
    for offset in (0, len(live), 20_000, 20_500, 60_000, 100):
        screen.rows.ensure_visible(offset)
        assert area.contains(screen.rows.caret_rect(offset).center())
        before = screen.rows.visible_span()
        screen.rows.ensure_visible(offset)
        assert screen.rows.visible_span() == before


def test_the_row_of_an_offset_is_scrolled_to_the_top_or_below_some_rows(screen: Screen) -> None:
    live = screen.show(lines(500, 200))
    for offset in (20_000, 60_000, 5_000):
        screen.rows.scroll_to(offset)
        top = screen.rows.top_row()
        assert top == screen.rows.all_rows.row_of(offset)
        screen.rows.scroll_to(offset, 3)
        assert screen.rows.all_rows.moved(screen.rows.top_row(), 3) == top
    screen.rows.scroll_to(100, 10)
    assert screen.rows.visible_span()[0] == 0
    screen.rows.scroll_to(len(live))
    assert screen.rows.visible_span()[1] == len(live)


# -- nothing jumps ----------------------------------------------------------------------------------------------------


def scrolled(screen: Screen) -> bytes:
    """Scroll to the start of a line in the first half of a text; return the first row in view."""
    screen.show(lines(2000, 150))
    screen.bar.setValue(screen.bar.maximum() // 3)
    while not screen.first_row().startswith(b"line"):
        screen.rows.scroll_rows(1)
    return screen.first_row()


@pytest.mark.parametrize("new", [b"", b"two\nlines\n", b"x" * 5000, b"y\n" * 500])
def test_an_edit_above_moves_nothing_in_view(screen: Screen, new: bytes) -> None:
    row = scrolled(screen)
    screen.edit(300, 700, new)
    assert screen.first_row() == row


def test_an_edit_below_moves_nothing_in_view(screen: Screen) -> None:
    row, bottom = scrolled(screen), screen.rows.visible_span()[1]
    screen.edit(bottom + 10, bottom + 900, b"z" * 7000)
    assert screen.first_row() == row


def test_after_removing_everything_in_view_the_text_around_is_shown(screen: Screen) -> None:
    scrolled(screen)
    start, stop = screen.rows.visible_span()
    screen.edit(start - 20, stop + 20, b"")
    assert screen.rows.visible_span()[0] <= start - 20 <= screen.rows.visible_span()[1]


def test_the_first_row_stays_in_view_in_another_width(screen: Screen) -> None:
    scrolled(screen)
    start = screen.rows.visible_span()[0]
    for width in (200, 800, SIZE.width()):
        screen.rows.set_size(QSize(width, SIZE.height()))
        first, stop = screen.rows.visible_span()
        assert first <= start < screen.rows.all_rows.row_end(first) + 1 <= stop
    assert screen.rows.visible_span()[0] == start


def test_another_text_is_shown_from_its_start(screen: Screen) -> None:
    scrolled(screen)
    screen.show(lines(50))
    assert screen.first_row().startswith(b"line 0")


# -- offsets and points -----------------------------------------------------------------------------------------------


def test_the_offset_at_a_caret_is_the_caret_itself(screen: Screen) -> None:
    live = screen.show(
        "low word\u00a0x\r\ne\u0301👨\u200d👩\u200d👧 自然\r\n\x1bz\ufeff\rend\u2028\n" + "longword" * 12
    )
    for offset in boundaries(screen.rows.all_rows):
        rect = screen.rows.caret_rect(offset)
        assert screen.rows.offset_at(QPointF(rect.x(), rect.center().y())) == offset, live.read(0, offset)


def test_the_nearest_point_inside_the_viewport(screen: Screen) -> None:
    assert screen.rows.inside(QPointF(-5, 20)) == QPointF(0, 20)
    assert screen.rows.inside(QPointF(1000, 1000)) == QPointF(SIZE.width() - 1, SIZE.height() - 1)


def test_composed_text_moves_what_follows_and_has_a_caret_of_its_own(screen: Screen) -> None:
    screen.show("abcdefgh")
    rows = screen.rows
    before = rows.caret_rect(4)
    rows.set_preedit("nihao", 5, 4)
    assert rows.caret_rect(4).x() > before.x()
    assert rows.caret_rect(5).x() > rows.caret_rect(4).x()
    rows.set_preedit("wo" * 60, 120, 4)
    assert rows.caret_rect(4).top() > before.top()
    rows.set_preedit("", 0, 4)
    assert rows.caret_rect(4) == before
