"""Boundaries that no merge crosses."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine.pipeline import merge_boundaries
from bpe_gui.engine.pipeline.levels import word_spans
from bpe_gui.engine.pipeline.merge_boundaries import level_between_merges

TEXTS = st.text("ab▁é你x", max_size=12)


@given(st.lists(st.text("ab▁é你", min_size=1, max_size=4), max_size=6), TEXTS)
def test_text_is_cut_wherever_no_token_goes_on(tokens: list[str], text: str) -> None:
    joined = {token[i : i + 2] for token in tokens for i in range(len(token) - 1)}
    cuts = [0, *(i for i in range(1, len(text)) if text[i - 1 : i + 1] not in joined), len(text)]
    expected = [(start, stop) for start, stop in pairwise(cuts) if start < stop]
    assert word_spans(text, [level_between_merges(tokens)]) == expected


@given(st.lists(st.text("ab▁é你", min_size=1, max_size=4), max_size=6), TEXTS)
def test_rare_characters_are_not_told_apart(tokens: list[str], text: str) -> None:
    every = {stop for _start, stop in word_spans(text, [level_between_merges(tokens)])}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge_boundaries, "_MAX_CLASSES", 2)
        assert {stop for _start, stop in word_spans(text, [level_between_merges(tokens)])} <= every


def test_unknown_characters_stay_together() -> None:
    unknown = np.zeros(0x110000, np.bool_)
    unknown[[ord("x"), ord("你")]] = True
    assert word_spans("abx你a", [level_between_merges(["ab"], unknown)]) == [(0, 2), (2, 4), (4, 5)]
