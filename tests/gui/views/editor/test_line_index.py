"""The lines of a text and the segments of long lines, also after edits."""

import re
from weakref import ref

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import LiveText
from bpe_gui.gui.views.editor.line_index import MAX_SEGMENT_SIZE, LineIndex, index_of, prepare_index

PIECES = ["a", "\n", "\r", "\r\n", "自", "😀\u200d😀", "e\u0301", " ", "b" * 700, "word " * 500, "é" * 1600]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


class Text:
    """A text and its index, which follows its edits."""

    def __init__(self, text: str) -> None:
        self.utf8 = text.encode()
        self.index = LineIndex(self.read, len(self.utf8))

    def read(self, start: int, stop: int) -> bytes:
        return self.utf8[start:stop]

    def replace(self, start: int, stop: int, new: bytes) -> None:
        before = len(self.index)
        self.utf8 = self.utf8[:start] + new + self.utf8[stop:]
        change = self.index.replaced(start, stop - start, len(new))
        assert len(self.index) == before - change.removed + change.added

    def spans(self) -> list[tuple[int, int]]:
        return [self.index.span(segment) for segment in range(len(self.index))]

    def lines(self) -> set[tuple[int, int]]:
        return {self.index.line_at(start) for start, _stop in self.spans()}


def lines_of(utf8: bytes) -> set[tuple[int, int]]:
    ends = [match.end() for match in re.finditer(rb"\r\n|\r|\n", utf8)]
    return set(zip([0, *ends], [*ends, len(utf8)], strict=True))


def check(text: Text) -> None:
    """Check that segments cover the text, and that none crosses a line break, is too long or splits a character.

    Only the last one may be empty.
    """
    spans = text.spans()
    assert [start for start, _stop in spans] == [0, *(stop for _start, stop in spans[:-1])]
    assert spans[-1][1] == len(text.utf8)
    assert all(0 < stop - start <= MAX_SEGMENT_SIZE for start, stop in spans[:-1])
    assert text.lines() == lines_of(text.utf8)
    for start, stop in spans:
        text.utf8[start:stop].decode()
        assert text.index.segment_of(start) == text.index.segment_of(max(start, stop - 1))
    assert text.index.columns.sum() == Text(text.utf8.decode()).index.columns.sum()


@given(TEXTS)
def test_text_is_split_into_lines_and_segments_of_long_lines(text: str) -> None:
    check(Text(text))


@given(TEXTS, st.lists(st.tuples(st.integers(0, 9999), st.sampled_from([0, 0, 1, 3, 3000]), TEXTS), max_size=5))
def test_after_edits_the_lines_are_those_of_the_new_text(text: str, edits: list[tuple[int, int, str]]) -> None:
    edited = Text(text)
    for number, removed, new in edits:
        characters = edited.utf8.decode()
        first = number % (len(characters) + 1)
        start, stop = (len(characters[:at].encode()) for at in (first, first + removed))
        edited.replace(start, stop, new.encode())
        check(edited)


SHORT_PIECES = [piece for piece in PIECES if len(piece) < 9]


@given(st.lists(st.sampled_from(SHORT_PIECES)).map("".join), st.integers(0, 99), st.sampled_from(SHORT_PIECES))
def test_an_edit_of_short_lines_gives_the_index_of_the_new_text(text: str, index: int, new: str) -> None:
    index = min(index, len(text))
    edited = Text(text)
    offset = len(text[:index].encode())
    edited.replace(offset, offset, new.encode())
    fresh = Text(text[:index] + new + text[index:])
    assert edited.spans() == fresh.spans()
    assert np.array_equal(edited.index.columns, fresh.index.columns)


def test_a_long_line_is_split_after_white_space() -> None:
    text = Text("some words " * 1000)
    assert len(text.spans()) > 4
    assert all(text.utf8[stop - 1 : stop] == b" " for _start, stop in text.spans())


@pytest.mark.parametrize("cluster", ["e\u0301\u0302", "👩\u200d👩\u200d👧", "👍🏽", "🇩🇪", "각", "नि"])
def test_a_long_word_is_split_between_grapheme_clusters(cluster: str) -> None:
    text = Text(cluster * 1500)
    assert len(text.spans()) > 1
    for start, stop in text.spans():
        assert set(regex.findall(r"\X", text.utf8[start:stop].decode())) == set(regex.findall(r"\X", cluster))


def test_typing_in_a_long_line_leaves_its_other_segments_alone() -> None:
    text = Text("some words " * 1000)
    before = text.spans()
    text.replace(4500, 4500, b"x")
    moved = [(start + (start > 4500), stop + (stop > 4500)) for start, stop in before]
    assert text.spans() == moved


def test_wide_characters_take_two_columns() -> None:
    text = Text("abc\n自然\né😀")
    assert text.index.columns.tolist() == [4, 5, 3]


def test_lines_found_in_advance_are_used_once() -> None:
    text = LiveText("one\ntwo")
    prepare_index(text)
    index = index_of(text)
    assert [index.span(segment) for segment in range(len(index))] == [(0, 4), (4, 7)]
    text.replace(0, 4, b"")
    index.replaced(0, 4, 0)
    other = index_of(text)  # for another view
    assert len(other) == 1


def test_lines_found_in_advance_do_not_keep_their_text_alive() -> None:
    text = LiveText("one\ntwo")
    prepare_index(text)
    reference = ref(text)
    del text
    assert reference() is None
