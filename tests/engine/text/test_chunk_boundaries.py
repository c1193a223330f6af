"""Cutting: the parts have the words that the whole has, whatever follows, and no special token is cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import CHOICES, SPLITTERS, Recipe
from bpe_gui.engine.text.chunk_boundaries import Cutter

from tests.engine.support.definition import Part, parts_of
from tests.engine.support.strategies import CUSTOM_PATTERNS, any_text

NAMED = sorted(SPLITTERS)
CUTTING = sorted(set(NAMED) - {"none"})
SPECIALS = ("<a>", "<a><a>", "a b", "a #", "ab #a b", "b 'a", "#", " ", "你 ", "1\n1")
PIECES = (
    "a b",
    "a",
    "b",
    "A",
    "1",
    " ",
    "\n",
    "\r\n",
    "'s",
    "'",
    "!",
    "#",
    "é",
    "e\u0301",
    "你",
    "😀",
    "\u00a0",
    "\x1c",
    "/",
)

texts = st.lists(st.sampled_from([*PIECES, *SPECIALS]) | any_text, max_size=20).map("".join)
special_tokens = st.lists(st.sampled_from(SPECIALS) | st.text("ab #", min_size=1), unique=True, max_size=3)
boundaries = st.sampled_from(CHOICES["boundary"])


def parts(data: bytes, recipe: Recipe, specials: list[str], at: int = 0) -> list[Part]:
    """The words and special tokens of a part that begins at a byte of the whole."""
    found = parts_of(data.decode(), recipe, specials)
    return [(part, at + start, is_special) for part, start, is_special in found]


@given(texts, st.sampled_from(NAMED), special_tokens, boundaries, st.integers(1, 60))
@settings(max_examples=600)
def test_pieces_have_the_words_of_the_whole(
    text: str, splitter: str, specials: list[str], boundary: str, size: int
) -> None:
    recipe, data = Recipe(splitter=splitter).with_changes(boundary=boundary), text.encode()
    pieces = Cutter(splitter, specials).pieces(data, size)
    assert b"".join(pieces) == data
    assert all(pieces)
    found: list[Part] = []
    at = 0
    for piece in pieces:
        found += parts(piece, recipe, specials, at)
        at += len(piece)
    assert found == parts(data, recipe, specials)


@given(texts, texts, texts, st.sampled_from(CUTTING), special_tokens, boundaries)
@settings(max_examples=600)
def test_a_last_cut_holds_whatever_follows(
    before: str, text: str, after: str, splitter: str, specials: list[str], boundary: str
) -> None:
    """And whatever is before, where it is no nearer to the start than it reaches."""
    recipe, cutter = Recipe(splitter=splitter).with_changes(boundary=boundary), Cutter(splitter, specials)
    window = text.encode()
    cut = cutter.last_cut(window)
    assert 0 <= cut <= len(window)
    for start in (b"", before.encode()) if cut >= cutter.reach else (b"",) if cut else ():
        whole, place = start + window + after.encode(), len(start) + cut
        first, last = whole[:place], whole[place:]
        assert parts(first, recipe, specials) + parts(last, recipe, specials, place) == parts(whole, recipe, specials)


@pytest.mark.parametrize("splitter", CUTTING)
def test_words_are_cut_about_as_wanted(splitter: str) -> None:
    data = b"lower lowest\n" * 100
    cutter = Cutter(splitter, ["<|endoftext|>"])
    pieces = cutter.pieces(data, 50)
    assert all(30 < len(piece) <= 50 for piece in pieces[:-1])
    assert len(data) - cutter.reach - 10 < cutter.last_cut(data) < len(data)


@pytest.mark.parametrize("splitter", ["none", *CUSTOM_PATTERNS])
def test_what_may_look_anywhere_is_never_cut(splitter: str) -> None:
    cutter = Cutter(splitter, [])
    data = b"low lower " * 50
    assert cutter.pieces(data, 8) == [data]
    assert cutter.pieces(b"", 8) == []
    assert cutter.last_cut(data) == 0


@pytest.mark.parametrize("splitter", CUTTING)
def test_what_has_no_place_to_cut_stays_whole(splitter: str) -> None:
    cutter = Cutter(splitter, ["<a>"])
    for unit in ("a", " ", "é", "\n"):
        data = unit.encode() * 200
        assert cutter.pieces(data, 8) == [data]
        assert cutter.last_cut(data) == 0
        assert b"".join(cutter.pieces(data + b" low " + data, 8)) == data + b" low " + data


@pytest.mark.parametrize("longest", ["a", "你你", "<|endoftext|>"])
def test_what_is_within_reach_is_not_cut(longest: str) -> None:
    """A cut near the end could still come to be in a special token."""
    cutter = Cutter("gpt2", ["a", longest])
    assert cutter.last_cut(b"low" + b" lower"[: cutter.reach]) == 0
    assert cutter.last_cut(b"low " + b"w" * cutter.reach) == 3
