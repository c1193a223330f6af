"""A search in pieces finds what a search of the whole text finds."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import LiveText, train
from bpe_gui.gui.search import text_search
from bpe_gui.gui.search.text_search import PatternFinder, Span, TextPattern, TextSearch, TokenFinder
from bpe_gui.gui.search.token_filter import plain_pattern, quick_pattern

ALPHABET = st.sampled_from("aabAßéÉ 你🙂")
TEXTS = st.text(ALPHABET, max_size=60)


def blocks_of(data: bytes, cuts: list[int]) -> list[bytes]:
    """Cut text into blocks, some of them empty, as `LiveText` never does, and not only between characters."""
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:stop] for start, stop in pairwise(edges)]


def all_spans(search: TextSearch) -> list[Span]:
    while not search.advance():
        pass
    return [search.span(index) for index in range(search.total)]


@given(TEXTS, st.text(ALPHABET, min_size=1, max_size=4), st.lists(st.integers(0, 200), max_size=5), st.integers(1, 9))
def test_the_matches_are_those_of_the_whole_text(text: str, part: str, cuts: list[int], piece: int) -> None:
    data, wanted = text.encode(), plain_pattern(part)
    expected = [match.span() for match in wanted.pattern.finditer(data)]
    assert all(stop - start <= wanted.longest for start, stop in expected)
    search = TextSearch(PatternFinder(blocks_of(data, cuts), wanted, piece))
    assert all_spans(search) == expected
    for offset in range(len(data) + 2):
        assert search.index_from(offset) == sum(start < offset for start, _stop in expected)
        inside = [span for span in expected if span[0] < offset + 5 and span[1] > offset]
        assert search.spans_in(offset, offset + 5) == inside


@given(TEXTS, st.text(st.sampled_from("aAbÉ"), min_size=1, max_size=3))
def test_upper_case_is_found_as_it_is(text: str, part: str) -> None:
    search = TextSearch(PatternFinder([text.encode()], plain_pattern(part), 4))
    found = [start for start, _stop in all_spans(search)]
    if part != part.lower():
        first = text.encode().find(part.encode())
        assert found[:1] == ([] if first < 0 else [first])
        assert len(found) == text.count(part)
    else:
        assert len(found) == len(re.findall(re.escape(part), text, re.IGNORECASE))


@given(TEXTS, st.integers(0, 3))
def test_tokens_are_found_by_their_id(text: str, choice: int) -> None:
    tokenizer = train("aab aab aé aé", num_merges=6)
    live = LiveText(text * 3)
    live.encode_with(tokenizer)
    live.encode_near(0, len(live))
    ids, starts, stops = live.tokens(0, live.known_tokens)
    token_id = int(ids[choice % len(ids)]) if len(ids) else 97
    search = TextSearch(TokenFinder(live.snapshot(), token_id))
    expected = [
        span
        for span, each in zip(zip(starts.tolist(), stops.tolist(), strict=True), ids, strict=True)
        if each == token_id
    ]
    assert all_spans(search) == expected


def test_a_search_goes_on_slice_by_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "_SLICE", 0)
    search = TextSearch(PatternFinder([b"ab" * 10], TextPattern(re.compile(b"ab"), 2), 4))
    assert not search.advance()
    assert (search.total, search.index_from(19)) == (2, 2)
    assert [search.advance() for _slice in range(4)] == [False, False, False, True]
    assert search.total == 10


def test_an_empty_text_has_no_match() -> None:
    search = TextSearch(PatternFinder([], TextPattern(re.compile(b"a"), 1)))
    assert search.is_complete
    assert search.index_from(0) == search.total == 0
    assert search.spans_in(0, 10) == []


@given(
    st.text(st.sampled_from("asSßkKſﬁfiéÉ 你"), max_size=60),
    st.text(st.sampled_from("asßkſﬁéSÉ"), min_size=1, max_size=3),
)
def test_the_quick_pattern_has_the_same_matches(text: str, part: str) -> None:
    pattern, fold = quick_pattern(part)
    spans = [match.span() for match in pattern.pattern.finditer(fold(text.encode()))]
    assert spans == [match.span() for match in plain_pattern(part).pattern.finditer(text.encode())]
    assert pattern.longest == plain_pattern(part).longest
