"""Every code point of Unicode, assigned or not, gets the ids that tiktoken gives it, alone and beside other characters.

Published merges rarely join the last byte of one character with the first of another, so their ids show few
boundaries. In the vocabularies made here every byte merges with every neighbour, so their ids show all of them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, cycle, product
from pathlib import Path

import numpy as np
import pytest
import tiktoken

from bpe_gui.engine import Recipe, Tokenizer, load
from bpe_gui.engine.text.character_classes import CATEGORIES, general_categories
from bpe_gui.engine.text.regex_stand_ins import with_stand_ins
from bpe_gui.engine.text.stream_splitter import StreamSplitter
from tests.engine.support.general_categories import all_characters
from tests.engine.support.modes import running
from tests.engine.support.published import pattern_of, published_encoding

SPLITTERS = ("gpt2", "cl100k", "o200k")  # p50k has the pattern of r50k, which is that of GPT-2
NEIGHBOURS = "a 1("

UNUSED_PLANES = (*range(4, 14), 15, 16)
"""Planes without any assigned character but those for private use."""

Both = tuple[Tokenizer, tiktoken.Encoding]


@pytest.fixture(scope="module", params=["r50k_base", "cl100k_base"])
def published(request: pytest.FixtureRequest, shared_data: Callable[[str], Path]) -> Both:
    file = shared_data(f"{request.param}.tiktoken")
    return load(file), published_encoding(file)


@pytest.fixture(scope="module", params=SPLITTERS)
def showing_boundaries(request: pytest.FixtureRequest) -> Both:
    """Return our tokenizer and tiktoken's for a vocabulary in which every byte merges with every neighbour."""
    single = [bytes([byte]) for byte in range(256)]
    neighbours = [character.encode() for character in NEIGHBOURS]
    merges = list(dict.fromkeys([*product(neighbours, single), *product(single, neighbours)]))
    tokens = [*single, *(left + right for left, right in merges)]
    recipe = Recipe.of("tiktoken").with_changes(splitter=request.param)
    ranks = {token: rank for rank, token in enumerate(tokens)}
    pattern = pattern_of(request.param)
    theirs = tiktoken.Encoding(request.param, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return Tokenizer(dict(enumerate(tokens)), merges, recipe=recipe), theirs


@cache
def used_and_unused() -> tuple[list[str], list[str]]:
    """Return the characters of the planes that are used, and those of the others."""
    used: list[str] = []
    unused: list[str] = []
    for character in all_characters():
        (unused if ord(character) >> 16 in UNUSED_PLANES else used).append(character)
    return used, unused


def between_neighbours(characters: Iterable[str]) -> str:
    """Return a text with each character between two letters, two spaces, two digits and two marks."""
    return "".join(f"a{c}a {c} 1{c}1({c}(" for c in characters)


def among_neighbours(characters: Iterable[str]) -> str:
    """Return a shorter text, with neighbours taking turns between the characters."""
    return "".join(chain.from_iterable(zip(characters, cycle(NEIGHBOURS))))


def check_ids(both: Both, text: str) -> None:
    ours, theirs = both
    assert np.array_equal(ours.encode_array(text), theirs.encode_to_numpy(text, allowed_special="all"))


# -- by kernels ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    with running("compiled"):
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_every_code_point_alone(published: Both) -> None:
    check_ids(published, "<|endoftext|>".join(all_characters()))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_published_ids_between_neighbours(published: Both) -> None:
    used, _unused = used_and_unused()
    check_ids(published, between_neighbours(used))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_boundaries_between_neighbours(showing_boundaries: Both) -> None:
    used, unused = used_and_unused()
    check_ids(showing_boundaries, between_neighbours(used) + among_neighbours(unused))


def test_unused_planes_have_no_assigned_character() -> None:
    _used, unused = used_and_unused()
    categories = general_categories()[list(map(ord, unused))]
    assert {CATEGORIES[category] for category in np.unique(categories).tolist()} == {"Cn", "Co"}


# -- by patterns of `regex` ---------------------------------------------------------------------------------------


def edge_characters() -> list[str]:
    """Return the first and last character of each run of one category, and of each run that `regex` misclassifies."""
    characters = all_characters()
    categories = general_categories()[list(map(ord, characters))]
    is_misclassified = [
        character != shown for character, shown in zip(characters, with_stand_ins(characters), strict=True)
    ]
    is_start = (np.diff(categories, prepend=255) != 0) | (np.diff(is_misclassified, prepend=False) != 0)
    is_edge = is_start | np.append(is_start[1:], True)
    return [characters[index] for index in np.flatnonzero(is_edge).tolist()]


@pytest.mark.slow
def test_words_by_patterns(showing_boundaries: Both) -> None:
    ours, theirs = showing_boundaries
    text = between_neighbours(edge_characters())
    stream = StreamSplitter(ours.recipe.splitter)
    words = [word.text.encode() for word in stream.feed(text) + stream.finish()]
    ids_of_words = [theirs._encode_single_piece(word) for word in words]
    assert list(chain.from_iterable(ids_of_words)) == theirs.encode_ordinary(text)


@pytest.mark.slow
def test_ids_by_patterns(showing_boundaries: Both) -> None:
    with running("plain"):
        check_ids(showing_boundaries, between_neighbours(edge_characters()[::20]))
