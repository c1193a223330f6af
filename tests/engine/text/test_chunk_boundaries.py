"""Chunks of a text have the words of the whole text, and no boundary is inside a special token."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import CHOICES, SPLITTERS, Recipe
from bpe_gui.engine.text.compiled_splitters import Chunker, compiled, splitter_of
from bpe_gui.engine.text.splitters import DROPPING_SPLITTERS
from tests.engine.support.definition import Part, parts_of
from tests.engine.support.strategies import any_text
from tests.examples import examples

NAMED = sorted(SPLITTERS)
WITH_BOUNDARIES = sorted(set(NAMED) - {"none"})
SPECIALS = ("<a>", "<a><a>", "a b", "a #", "ab #a b", "b 'a", "#", " ", "你 ", "1\n1")
PIECES = ("a b", *"abA1 \n", *("\r\n", "'s"), *"'!#é", "e\u0301", *"你😀\u00a0\x1c/")

texts = st.lists(st.sampled_from([*PIECES, *SPECIALS]) | any_text, max_size=20).map("".join)
special_tokens = st.lists(st.sampled_from(SPECIALS) | st.text("ab #", min_size=1), unique=True, max_size=3)
boundaries = st.sampled_from(CHOICES["boundary"])


def parts(data: bytes, recipe: Recipe, specials: list[str], offset: int = 0) -> list[Part]:
    """Return the words and special tokens of a chunk that begins at a byte offset of the whole text."""
    return [(part, offset + start, is_special) for part, start, is_special in parts_of(data.decode(), recipe, specials)]


@pytest.mark.slow
@given(texts, st.sampled_from(NAMED), special_tokens, boundaries, st.integers(1, 60))
@settings(max_examples=examples(600))
def test_chunks_have_the_words_of_the_whole(
    text: str, splitter: str, specials: list[str], boundary: str, size: int
) -> None:
    recipe, data = Recipe(splitter=splitter).with_changes(boundary=boundary), text.encode()
    chunks = Chunker(splitter_of(recipe), specials).chunks(data, size)
    assert b"".join(chunks) == data
    assert all(chunks)
    parts_of_chunks: list[Part] = []
    offset = 0
    for chunk in chunks:
        parts_of_chunks += parts(chunk, recipe, specials, offset)
        offset += len(chunk)
    assert parts_of_chunks == parts(data, recipe, specials)


@pytest.mark.slow
@given(texts, texts, texts, st.sampled_from(WITH_BOUNDARIES), special_tokens, boundaries)
@settings(max_examples=examples(600))
def test_the_last_boundary_holds_whatever_surrounds_the_text(
    before: str, text: str, after: str, splitter: str, specials: list[str], boundary: str
) -> None:
    """The text before does not matter either, unless the boundary is within its context of the start."""
    recipe = Recipe(splitter=splitter).with_changes(boundary=boundary)
    chunker = Chunker(splitter_of(recipe), specials)
    window = text.encode()
    offset = chunker.last_boundary(window)
    assert 0 <= offset <= len(window)
    for start in (b"", before.encode()) if offset >= chunker.context else (b"",) if offset else ():
        whole, split_at = start + window + after.encode(), len(start) + offset
        left, right = whole[:split_at], whole[split_at:]
        assert parts(left, recipe, specials) + parts(right, recipe, specials, split_at) == parts(
            whole, recipe, specials
        )


@pytest.mark.parametrize("splitter", WITH_BOUNDARIES)
def test_chunks_have_about_the_requested_size(splitter: str) -> None:
    data = b"lower lowest\n" * 100
    chunker = Chunker(compiled(splitter), ["<|endoftext|>"])
    chunks = chunker.chunks(data, 50)
    assert all(30 < len(chunk) <= 50 for chunk in chunks[:-1])
    assert len(data) - chunker.context - 10 < chunker.last_boundary(data) < len(data)


@pytest.mark.parametrize("splitter", ["none", r"(?s).+"])
def test_an_expression_that_matches_or_looks_anywhere_has_no_boundaries(splitter: str) -> None:
    chunker = Chunker(compiled(splitter), [])
    data = b"low lower " * 50
    assert chunker.chunks(data, 8) == [data]
    assert chunker.chunks(b"", 8) == []
    assert chunker.last_boundary(data) == 0


@pytest.mark.parametrize("splitter", WITH_BOUNDARIES)
def test_text_without_a_boundary_stays_whole(splitter: str) -> None:
    chunker = Chunker(compiled(splitter), ["<a>"])
    for unit in ("a", " ", "é", "\n"):
        data = unit.encode() * 200
        is_dropped = unit in " \n" and splitter in DROPPING_SPLITTERS
        assert is_dropped or chunker.chunks(data, 8) == [data]
        assert is_dropped or chunker.last_boundary(data) == 0
        assert b"".join(chunker.chunks(data + b" low " + data, 8)) == data + b" low " + data


@pytest.mark.parametrize("longest", ["a", "你你", "<|endoftext|>"])
def test_a_boundary_within_its_context_of_the_end_is_not_certain(longest: str) -> None:
    chunker = Chunker(compiled("gpt2"), ["a", longest])
    assert chunker.last_boundary(b"low" + b" lower"[: chunker.context]) == 0
    assert chunker.last_boundary(b"low " + b"w" * chunker.context) == 3
