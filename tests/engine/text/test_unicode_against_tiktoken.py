"""Every code point of Unicode, assigned or not, gets the ids that tiktoken gives it, alone and beside other characters.

Here, those of the planes that are used stand between equal neighbours, the others after one neighbour and before
another. `python -m tests.fuzzing.unicode` puts every one between every two neighbours.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

import numpy as np
import pytest

from tests.engine.support import every_code_point
from tests.engine.support.every_code_point import SPLITTERS, Both, alone, among_neighbours, between_neighbours, contexts
from tests.engine.support.general_categories import CATEGORIES, all_characters, general_categories
from tests.engine.support.modes import running
from tests.engine.support.published import pattern_of
from tests.engine.support.stand_ins import with_stand_ins
from tests.fuzzing import unicode

UNUSED_PLANES = (*range(4, 14), 15, 16)
"""Planes without any assigned character but those for private use."""


@pytest.fixture(scope="module", params=SPLITTERS)
def showing_boundaries(request: pytest.FixtureRequest) -> Both:
    return every_code_point.showing_boundaries(request.param)


@cache
def used_and_unused() -> tuple[list[str], list[str]]:
    """Return the characters of the planes that are used, and those of the others."""
    used: list[str] = []
    unused: list[str] = []
    for character in all_characters():
        (unused if ord(character) >> 16 in UNUSED_PLANES else used).append(character)
    return used, unused


# -- by kernels ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    with running("compiled"):
        yield


@pytest.mark.thorough
@pytest.mark.usefixtures("compiled")
def test_every_code_point_alone(showing_boundaries: Both) -> None:
    assert showing_boundaries.agree(alone(all_characters()))


@pytest.mark.thorough
@pytest.mark.usefixtures("compiled")
def test_boundaries_between_neighbours(showing_boundaries: Both) -> None:
    used, unused = used_and_unused()
    assert showing_boundaries.agree(between_neighbours(used) + among_neighbours(unused))


def test_unused_planes_have_no_assigned_character() -> None:
    _used, unused = used_and_unused()
    categories = general_categories()[list(map(ord, unused))]
    assert {CATEGORIES[category] for category in np.unique(categories).tolist()} == {"Cn", "Co"}


# -- the whole check ---------------------------------------------------------------------------------------------


def test_r50k_and_p50k_have_the_pattern_of_gpt2() -> None:
    assert pattern_of("gpt2") == pattern_of("r50k") == pattern_of("p50k")


def test_the_vocabulary_shows_every_boundary(showing_boundaries: Both) -> None:
    """Compare all ways to split a text by their ids: no two may be equal."""
    theirs = showing_boundaries.theirs
    for text in chain.from_iterable(map(contexts, "a1( \n~é中😀")):
        characters = [character.encode() for character in text]
        seen = set()
        for cuts in range(1 << (len(characters) - 1)):
            words = [characters[0]]
            for index, character in enumerate(characters[1:]):
                if cuts >> index & 1:
                    words.append(character)
                else:
                    words[-1] += character
            seen.add(tuple(chain.from_iterable(map(theirs._encode_single_piece, words))))
        assert len(seen) == 1 << (len(characters) - 1), text


def test_the_whole_check_names_the_texts_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, _theirs = every_code_point.showing_boundaries("gpt2")
    _ours, theirs = every_code_point.showing_boundaries("cl100k")
    monkeypatch.setattr(unicode, "all_characters", lambda: "xyz'\n")
    found = list(unicode.differences(Both(ours, theirs)))
    assert "(x(" in found
    assert "axa" not in found


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
    assert unicode.patterns_agree(showing_boundaries, between_neighbours(edge_characters()))


@pytest.mark.slow
def test_ids_by_patterns(showing_boundaries: Both) -> None:
    with running("plain"):
        assert showing_boundaries.agree(between_neighbours(edge_characters()[::20]))
