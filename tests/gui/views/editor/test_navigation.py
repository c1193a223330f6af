"""The moves of a caret through a text: by characters, words, rows and lines."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFontDatabase
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText
from bpe_gui.gui.views.editor.text_rows import Row, TextRows
from tests.gui.support.clusters import boundaries

WIDTH = 400.0
DIFFICULT = (
    "low \tword\u00a0x\r\ne\u0301👨\u200d👩\u200d👧 自然\r\n\x1bz\ufeff\rمرحبا abc עולם\u2028\n"
    + "longword" * 12
    + "\n\nend"
)


class Laid:
    """A text laid out in rows."""

    def __init__(self, text: str) -> None:
        self.text = LiveText(text)
        self.rows = TextRows(self.text, QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), WIDTH)

    def caret(self, offset: int) -> tuple[float, Row]:
        """Return x and row of a caret."""
        segment, position = self.rows.position(offset)
        x, number = self.rows.layout(segment).caret(position)
        return x, Row(segment, number)


@pytest.fixture(autouse=True)
def _application(qtbot: QtBot) -> None:
    """Create an application, without which there are no fonts."""


def test_steps_go_over_whole_characters_and_back() -> None:
    laid = Laid(DIFFICULT)
    offsets = list(boundaries(laid.rows))
    whole = [laid.text.read(start, stop).decode() for start, stop in pairwise(offsets)]
    assert {"e\u0301", "👨\u200d👩\u200d👧", "\r\n", "\x1b", "\ufeff", "\r", "\u2028"} <= set(whole)
    assert [laid.rows.previous_character(offset) for offset in offsets[1:]] == offsets[:-1]


def test_every_offset_has_a_caret_on_its_row() -> None:
    laid = Laid(DIFFICULT)
    rows = laid.rows
    for offset in boundaries(rows):
        row = laid.caret(offset)[1]
        assert laid.caret(rows.row_start(offset))[1] == row
        assert laid.caret(rows.row_end(offset))[1] == row
        assert rows.row_start(offset) <= offset <= max(rows.row_end(offset), offset)


def test_rows_above_and_below_are_one_row_apart() -> None:
    laid = Laid("some words\n" * 3 + "longword" * 30 + "\nend")
    rows = laid.rows
    x = laid.caret(1)[0]
    passed = [rows.next_character(0)]
    while (below := rows.below(passed[-1], x)) != passed[-1]:
        assert laid.caret(below)[1] > laid.caret(passed[-1])[1]
        passed.append(below)
    assert rows.row_end(passed[-1]) == len(laid.text)
    for offset, below in pairwise(passed):
        assert rows.below(below, x, -1) == offset
    assert rows.below(passed[0], x, len(passed) - 1) == passed[-1]


def test_words() -> None:
    laid = Laid("low, lowest\n\nend")
    rows = laid.rows
    assert [rows.next_word(offset) for offset in (0, 3, 5, 11, 12, 13)] == [3, 5, 11, 12, 13, 16]
    assert [rows.previous_word(offset) for offset in (16, 13, 11, 5)] == [13, 12, 5, 3]
    words = [laid.text.read(*rows.word_at(offset)) for offset in (1, 3, 6, 11, 14)]
    assert words == [b"low", b",", b"lowest", b"lowest", b"end"]


def test_words_of_a_long_line_continue_across_its_segments() -> None:
    laid = Laid("some words " * 500)
    offset = 0
    for count in range(1000):
        offset = laid.rows.next_word(offset)
        assert laid.text.read(offset - 1, offset) == b" ", count
    assert offset == len(laid.text)


def test_left_and_right_are_directions_on_the_screen() -> None:
    rows = Laid("ab\nمرحبا\ncd").rows
    assert rows.right_of(0) == 1
    arabic = 3
    assert rows.left_of(arabic) == arabic + 2
    assert rows.right_of(arabic + 2) == arabic
    assert rows.right_of(2) == 3
    assert rows.left_of(rows.row_end(arabic)) == len("ab\nمرحبا\n".encode())


def test_the_line_around_an_offset() -> None:
    rows = Laid("a\r\n" + "words " * 2000 + "\nb").rows
    long_line = 3, 3 + 12_000 + 1
    assert rows.line_at(1) == (0, 3)
    assert rows.line_at(3) == rows.line_at(7000) == rows.line_at(12_003) == long_line
    assert rows.line_at(long_line[1]) == (12_004, 12_005)


@pytest.mark.parametrize(
    ("text", "offset", "body"),
    [("a\r\nbc\n", 1, (0, 1)), ("a\r\nbc\n", 3, (3, 5)), ("a\n", 2, (2, 2)), ("\n\n", 1, (1, 1)), ("ab", 2, (0, 2))],
)
def test_the_body_of_a_line_is_without_its_line_break(text: str, offset: int, body: tuple[int, int]) -> None:
    assert Laid(text).rows.line_body(offset) == body


@pytest.mark.parametrize("before", ["", "a ", "words 自然语言 ", "x" * 30 + "\t", "mid", "\x1b👩\u200d🚀 "])
def test_a_row_begins_before_a_special_token_that_does_not_fit(before: str) -> None:
    special = "<|end of 文本|>"
    laid = Laid((before + special) * 20 + special * 5 + "\n" + "<" + special)
    assert laid.rows.keep_whole([special, "<|e", "|>"])
    assert not laid.rows.keep_whole([special, "<|e", "|>"])
    starts, row = [0], Row(0, 0)
    while (below := laid.rows.moved(row, 1)) != row:
        starts, row = [*starts, laid.rows.start_of(below)], below
    rows = [laid.text.read(start, stop).decode() for start, stop in pairwise([*starts, len(laid.text)])]
    assert len(rows) > 5
    assert sum(each.count(special) for each in rows) == 26


def test_a_special_token_that_is_wider_than_a_row_is_wrapped() -> None:
    laid = Laid("a <|" + "wide" * 40 + "|> b")
    rows_before = len(laid.rows.layout(0))
    laid.rows.keep_whole(["<|" + "wide" * 40 + "|>"])
    assert rows_before <= len(laid.rows.layout(0)) <= rows_before + 1
