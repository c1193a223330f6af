"""The merges behind tokens of which only the ranks are known."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import AnyStr

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import FormatError, TokenizerError
from bpe_gui.engine.formats.sentencepiece import merges_from_scores
from bpe_gui.engine.vocabulary import encoding_tables
from bpe_gui.engine.vocabulary.merge_recovery import recover_parts
from tests.engine.support.modes import USUAL_MODES, running


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param):
        yield


def naive_parts(token: AnyStr, ranks: dict[AnyStr, int]) -> list[AnyStr]:
    """Return what merging the units of a token leaves, before the last merge if that makes the token."""
    symbols = [token[index : index + 1] for index in range(len(token))]
    while len(symbols) > 2:
        pairs = [left + right for left, right in pairwise(symbols)]
        best = min(range(len(pairs)), key=lambda index: ranks.get(pairs[index], 1 << 30))
        if pairs[best] not in ranks:
            break
        symbols[best : best + 2] = [pairs[best]]
    return symbols


@st.composite
def ranked_tokens(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    """Draw different tokens, most of them joined from others, in the order of their ranks, which they may share."""
    tokens = draw(st.lists(st.sampled_from("abé中"), unique=True))
    for _number in range(draw(st.integers(0, 14))):
        part = st.sampled_from(tokens or ["a"]) | st.text("abé中", min_size=1, max_size=3)
        token = draw(part) + draw(part)
        if token not in tokens and len(token) <= 200:
            tokens.insert(draw(st.integers(0, len(tokens))), token)
    steps = [draw(st.integers(0, 1)) for _token in tokens]
    ranks = [0, *np.cumsum(steps[1:]).tolist()][: len(tokens)]
    return tokens, ranks


@given(ranked_tokens())
def test_parts_are_those_of_naive_merging(drawn: tuple[list[str], list[int]]) -> None:
    tokens, ranks = drawn
    parts = recover_parts(tokens, np.array(ranks, np.int64))
    by_token = dict(zip(tokens, ranks, strict=True))
    for token, left, right in zip(tokens, parts.lefts.tolist(), parts.rights.tolist(), strict=True):
        expected = naive_parts(token, by_token)
        if len(expected) != 2:
            assert (left, right) == (-1, -1)
        for number, part in zip((left, right), expected, strict=False) if len(expected) == 2 else ():
            assert number >= len(tokens) if part not in by_token else tokens[number] == part


@given(ranked_tokens())
def test_bytes_are_as_characters(drawn: tuple[list[str], list[int]]) -> None:
    tokens, ranks = [token.replace("é", "c").replace("中", "d") for token in drawn[0]], np.array(drawn[1], np.int64)
    of_text, of_bytes = recover_parts(tokens, ranks), recover_parts([token.encode() for token in tokens], ranks)
    assert of_text.lefts.tolist() == of_bytes.lefts.tolist()
    assert of_text.rights.tolist() == of_bytes.rights.tolist()


def test_more_tokens_than_a_tokenizer_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding_tables, "MAX_SYMBOLS", 3)
    assert recover_parts([b"a", b"ab", b"b"], np.arange(3)).lefts.tolist() == [-1, 0, -1]
    with pytest.raises(TokenizerError, match="at most 3 tokens"):
        recover_parts([b"a", b"ab", b"ac"], np.arange(3))  # the bytes b and c are symbols, too


def test_merges_of_the_same_score_share_the_last_rank() -> None:
    scored = merges_from_scores(Path(), {"a": -9.0, "b": -9.0, "ab": -1.0, "ba": -1.0, "aba": -2.0})
    assert list(scored.merges) == [(b"a", b"b"), (b"b", b"a"), (b"ab", b"a")]
    assert scored.shared_ranks == {(b"a", b"b"): 1, (b"b", b"a"): 1}
    assert scored.pieces == ["ab", "ba", "aba"]


def test_a_character_that_is_not_a_piece_is_named() -> None:
    with pytest.raises(FormatError, match="the piece 'abc' contains the character 'c', which is not a piece itself"):
        merges_from_scores(Path(), {"a": -3.0, "b": -3.0, "ab": -1.0, "abc": -2.0, "xyz": -1.5})
