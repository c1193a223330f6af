"""The view of a text of any size: what is in view stays there, and every place is found again."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, train
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.token_text import TokenText
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Tokens
from tests.gui.support.token_sources import PALETTE, source_of

WIDTH, HEIGHT = 420, 300
TOKENIZER = train("some words and some other words of a text, low lowest", num_merges=30)
PAGE_DOWN = QAbstractSlider.SliderAction.SliderPageStepAdd
PAGE_UP = QAbstractSlider.SliderAction.SliderPageStepSub


@pytest.fixture
def view(qtbot: QtBot) -> TokenText:
    view = TokenText()
    qtbot.addWidget(view)
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    view.set_palette_colors(PALETTE)
    view.resize(WIDTH, HEIGHT)
    with qtbot.waitExposed(view):
        view.show()
    return view


def show(view: TokenText, text: str) -> LiveText:
    live = LiveText(text)
    live.encode_with(TOKENIZER)
    view.set_source(LiveTokens(live))
    return live


def edit(view: TokenText, start: int, stop: int, new: bytes) -> None:
    view.source.text.replace(start, stop, new)
    view.text_replaced(start, stop - start, len(new))
    view.tokens_changed()


def first_row(view: TokenText) -> bytes:
    """The text of the first row in view."""
    start = view.visible_span()[0]
    return view.source.text.read(start, view.row_end(start))


def lines(count: int, width: int = 100) -> str:
    return "".join(f"line {number} ".ljust(width, "x") + "\n" for number in range(count))


class ThreeBytesEach(LiveTokens):
    """A text whose tokens have three bytes each."""

    def overlapping(self, start: int, stop: int) -> Tokens:
        first, last = start // 3, -(-min(stop, len(self.text)) // 3)
        starts = np.arange(first, last, dtype=np.int64) * 3
        spans = np.column_stack((starts, np.minimum(starts + 3, len(self.text))))
        return replace(Tokens.of(np.arange(first, last), spans), first=first)


# -- texts of any size ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [lines(20_000), "some words of one line " * 60_000, "x" * 1_500_000, "自然语言处理" * 100_000, "\n" * 1_000_000],
    ids=["lines", "one line", "one word", "one word in Chinese", "empty lines"],
)
def test_any_text_is_shown_from_its_start_to_its_end(view: TokenText, text: str) -> None:
    live = LiveText(text)
    view.set_source(ThreeBytesEach(live))
    bar = view.verticalScrollBar()
    assert view.visible_span()[0] == 0
    before = view.visible_span()
    for _ in range(5):
        bar.triggerAction(PAGE_DOWN)
        start, stop = view.visible_span()
        assert before[0] < start <= before[1], "no row is left out"
        shown = {cell.index for cell in view.cells()}
        assert shown >= set(range(start // 3, -(-stop // 3)))
        before = start, stop
    bar.setValue(bar.maximum() // 2)
    assert 0.4 * len(live) < view.visible_span()[0] < 0.6 * len(live)
    bar.setValue(bar.maximum())
    assert view.visible_span()[1] == len(live)
    bar.setValue(0)
    assert view.visible_span()[0] == 0


def test_paging_down_and_up_comes_back(view: TokenText) -> None:
    show(view, "a\n" + "words in a long line " * 3000 + lines(300, 250))
    bar = view.verticalScrollBar()
    there = []
    for _ in range(20):
        there.append(view.visible_span())
        bar.triggerAction(PAGE_DOWN)
    for span in reversed(there):
        bar.triggerAction(PAGE_UP)
        assert view.visible_span() == span


def test_only_what_is_in_view_is_asked_for(view: TokenText) -> None:
    class Counted(LiveTokens):
        asked = 0

        def overlapping(self, start: int, stop: int) -> Tokens:
            self.asked = max(self.asked, stop - start)
            return super().overlapping(start, stop)

    live = LiveText(lines(20_000))
    live.encode_with(TOKENIZER)
    source = Counted(live)
    view.set_source(source)
    for mode in ColorMode:
        view.set_color_mode(mode)
        view.grab()
    view.verticalScrollBar().triggerAction(PAGE_DOWN)
    view.grab()
    assert 0 < source.asked < 10_000


# -- nothing jumps --------------------------------------------------------------------------------------------------


def scrolled(view: TokenText) -> bytes:
    show(view, lines(2000, 150))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 3)
    row = first_row(view)
    assert row.startswith(b"line")
    return row


@pytest.mark.parametrize("new", [b"", b"two\nlines\n", b"x" * 5000, b"y\n" * 500])
def test_an_edit_above_moves_nothing_in_view(view: TokenText, new: bytes) -> None:
    row = scrolled(view)
    edit(view, 300, 700, new)
    assert first_row(view) == row


def test_an_edit_below_moves_nothing_in_view(view: TokenText) -> None:
    row, bottom = scrolled(view), view.visible_span()[1]
    edit(view, bottom + 10, bottom + 900, b"z" * 7000)
    assert first_row(view) == row


def test_removing_what_is_in_view_shows_what_follows(view: TokenText) -> None:
    scrolled(view)
    start, stop = view.visible_span()
    edit(view, start - 20, stop + 20, b"")
    assert view.visible_span()[0] <= start - 20 <= view.visible_span()[1]


def test_the_first_row_stays_in_view_in_another_width(view: TokenText, qtbot: QtBot) -> None:
    scrolled(view)
    start = view.visible_span()[0]
    for width in (200, 800, WIDTH):
        view.resize(width, HEIGHT)
        first, behind = view.visible_span()
        assert first <= start < view.row_end(first) + 1 <= behind
    assert view.visible_span()[0] == start


def test_other_tokens_move_nothing(view: TokenText) -> None:
    row = scrolled(view)
    view.source.text.encode_with(TOKENIZER.at(3))
    view.tokens_changed()
    assert first_row(view) == row
    view.set_source(LiveTokens(view.source.text))
    assert first_row(view) == row


def test_another_text_is_shown_from_its_start(view: TokenText) -> None:
    scrolled(view)
    show(view, lines(50))
    assert first_row(view).startswith(b"line 0")


# -- places ---------------------------------------------------------------------------------------------------------

PLACES = (
    "low \tword\u00a0x\r\ne\u0301👨\u200d👩\u200d👧 自然\r\n\x1bz\ufeff\rمرحبا abc עולם\u2028\n"
    + "longword" * 12
    + "\n\nend"
)


def clusters(view: TokenText) -> Iterator[int]:
    place, stop = 0, len(view.source.text)
    while True:
        yield place
        if place == stop:
            return
        place = view.next_place(place)


def test_steps_go_over_whole_characters_and_back(view: TokenText) -> None:
    live = show(view, PLACES)
    places = list(clusters(view))
    whole = [live.read(start, stop).decode() for start, stop in pairwise(places)]
    assert {"e\u0301", "👨\u200d👩\u200d👧", "\r\n", "\x1b", "\ufeff", "\r", "\u2028"} <= set(whole)
    assert [view.previous_place(place) for place in places[1:]] == places[:-1]


def test_a_caret_is_found_where_it_is_painted(view: TokenText) -> None:
    live = show(view, "low word\u00a0x\r\ne\u0301👨\u200d👩\u200d👧 自然\r\n\x1bz\ufeff\rend\u2028\n" + "longword" * 12)
    for place in clusters(view):
        rect = view.caret_rect(place)
        assert view.place_at(QPointF(rect.x(), rect.center().y())) == place, live.read(0, place)


def test_every_place_has_a_caret_in_its_row(view: TokenText) -> None:
    show(view, PLACES)
    for place in clusters(view):
        rect = view.caret_rect(place)
        assert view.caret_rect(view.row_start(place)).top() == rect.top()
        assert view.caret_rect(view.row_end(place)).top() == rect.top()
        assert view.row_start(place) <= place <= max(view.row_end(place), place)


def test_rows_above_and_below_are_one_row_apart(view: TokenText) -> None:
    show(view, "some words\n" * 3 + "longword" * 30 + "\nend")
    place, x = view.next_place(0), view.caret_rect(1).x()
    passed = [place]
    while (below := view.place_in_row_below(passed[-1], x)) != passed[-1]:
        assert view.caret_rect(below).top() > view.caret_rect(passed[-1]).top()
        passed.append(below)
    assert view.row_end(passed[-1]) == len(view.source.text)
    for place, below in pairwise(passed):
        assert view.place_in_row_above(below, x) == place
    assert view.place_in_row_below(passed[0], x, len(passed) - 1) == passed[-1]


def test_places_that_are_out_of_view_are_brought_there(view: TokenText) -> None:
    live = show(view, lines(500, 200))
    area = QRectF(view.viewport().rect())
    for place in (0, len(live), 20_000, 20_500, 60_000, 100):
        view.ensure_visible(place)
        assert area.contains(view.caret_rect(place).center())
        before = view.visible_span()
        view.ensure_visible(place)
        assert view.visible_span() == before


def test_words(view: TokenText) -> None:
    live = show(view, "low, lowest\n\nend")
    assert [view.next_word(place) for place in (0, 3, 5, 11, 12, 13)] == [3, 5, 11, 12, 13, 16]
    assert [view.previous_word(place) for place in (16, 13, 11, 5)] == [13, 12, 5, 3]
    words = [live.read(*view.word_at(place)) for place in (1, 3, 6, 11, 14)]
    assert words == [b"low", b",", b"lowest", b"lowest", b"end"]


def test_words_of_a_long_line_go_on_over_its_parts(view: TokenText) -> None:
    live = show(view, "some words " * 500)
    place = 0
    for count in range(1000):
        place = view.next_word(place)
        assert place == len(live.read(0, place))
        assert live.read(place - 1, place) == b" ", count
    assert place == len(live)


def test_left_and_right_follow_the_eye(view: TokenText) -> None:
    show(view, "ab\nمرحبا\ncd")
    assert view.right_of(0) == 1
    arabic = 3
    assert view.left_of(arabic) == arabic + 2
    assert view.right_of(arabic + 2) == arabic
    assert view.right_of(2) == 3
    assert view.left_of(view.row_end(arabic)) == len("ab\nمرحبا\n".encode())


def test_the_line_around_a_place(view: TokenText) -> None:
    show(view, "a\r\n" + "words " * 2000 + "\nb")
    long_line = 3, 3 + 12_000 + 1
    assert view.line_at(1) == (0, 3)
    assert view.line_at(3) == view.line_at(7000) == view.line_at(12_003) == long_line
    assert view.line_at(long_line[1]) == (12_004, 12_005)


# -- what is painted on request -------------------------------------------------------------------------------------


def test_word_boundaries_are_painted_on_request(view: TokenText) -> None:
    source = source_of(["ab", "cd", " ef"])
    source._word_starts = source.tokens.starts[[0, 2]]
    view.set_source(source)
    plain, cells = view.grab().toImage(), view.cells()
    view.set_word_boundaries_visible(True)
    assert view.grab().toImage() != plain
    assert view.cells() == cells
    view.set_word_boundaries_visible(False)
    assert view.grab().toImage() == plain


def test_a_selection_leaves_the_colours_of_tokens(view: TokenText) -> None:
    view.set_source(source_of(["abcd", "efgh"]))
    plain = view.grab().toImage()
    view.selection = 0, 4
    selected = view.grab().toImage()
    assert selected != plain
    view.selection = 0, 8
    assert view.grab().toImage() not in (plain, selected)
    one, other = ({view.grab().toImage().pixelColor(int(cell.rects[0].left()) + 2, 12).rgb()} for cell in view.cells())
    assert one != other
    view.selection = 0, 0
    assert view.grab().toImage() == plain


def test_a_caret_is_painted_while_it_is_visible(view: TokenText) -> None:
    view.set_source(source_of(["abcd", "efgh"]))
    plain = view.grab().toImage()
    view.caret = 4
    assert view.grab().toImage() == plain
    view.caret_visible = True
    assert view.grab().toImage() != plain


def test_new_tokens_flash_and_fade(view: TokenText, qtbot: QtBot) -> None:
    view.set_source(source_of(["ab", "cd", "ef"]))
    view.grab()
    changed = source_of(["abcd", "ef"])
    view.source.tokens = changed.tokens  # type: ignore[attr-defined]
    view.tokens_changed(flash=True)
    flashing = view.grab().toImage()
    new, old = (cell.rects[0].center().toPoint() for cell in view.cells())
    qtbot.waitUntil(lambda: view._flash.state() == view._flash.State.Stopped)
    still = view.grab().toImage()
    assert flashing.pixelColor(new) != still.pixelColor(new)
    assert flashing.pixelColor(old) == still.pixelColor(old)


def test_tokens_that_were_there_before_do_not_flash(view: TokenText) -> None:
    view.set_source(source_of(["ab", "cd"]))
    view.grab()
    view.tokens_changed(flash=True)
    assert view._flash.state() == view._flash.State.Stopped


def test_what_is_composed_takes_room_and_its_caret_follows(view: TokenText) -> None:
    view.set_source(source_of(["abcd", "efgh"]))
    before = view.caret_rect(4)
    view.set_preedit("nihao", 5, 4)
    assert view.caret_rect(4).x() > before.x()
    assert view.caret_rect(5).x() > view.caret_rect(4).x()
    view.set_preedit("wo" * 60, 120, 4)
    assert view.caret_rect(4).top() > before.top()
    view.set_preedit("", 0, 4)
    assert view.caret_rect(4) == before


def test_tokens_without_numbers_are_shown_but_not_told(view: TokenText, qtbot: QtBot) -> None:
    source = source_of(["ab", "cd"])
    source.tokens = replace(source.tokens, first=-1)
    view.set_source(source)
    first = view.cells()[0].rects[0].center().toPoint()
    plain = view.grab().toImage()
    view.set_highlight(0)
    assert view.grab().toImage() == plain
    with qtbot.assertNotEmitted(view.token_hovered):
        QTest.mouseMove(view.viewport(), first)
    assert view.token_at(first) == -1


def test_a_text_that_cannot_be_encoded_is_shown_without_tokens(view: TokenText) -> None:
    class Failing(LiveTokens):
        def overlapping(self, start: int, stop: int) -> Tokens:
            raise EngineError("no")

    view.set_source(Failing(LiveText("abc")))
    assert view.cells() == []
    assert view.place_at(QPointF(WIDTH, 20)) == 3


# -- colours --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ColorMode)
def test_a_stretch_has_the_colours_of_the_whole(mode: ColorMode) -> None:
    source = source_of(["a"] * 3000, [7] * 1000 + [8, 17, 7] * 300 + [5] * 1100)
    whole = source.tokens.color_indices(9, mode).tolist()
    for start in range(0, 2990, 97):
        tokens, colors = source.colored(start, start + 5, 9, mode)
        assert colors.tolist() == whole[tokens.first : tokens.first + len(tokens)]


@pytest.mark.parametrize("text", ["ab cd ", "ab cd  ", " ab\u00a0cd "])
def test_a_space_is_as_wide_at_the_end_as_elsewhere(view: TokenText, text: str) -> None:
    view.setFont(QFont("DejaVu Sans Mono"))
    view.set_source(source_of(list(text)))
    widths = [cell.rects[0].width() for cell in view.cells()]
    assert widths == pytest.approx([widths[0]] * len(text), abs=0.1)
