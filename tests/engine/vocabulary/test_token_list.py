"""Tokens in arrays are what the same tokens in a list and a dict are."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Pipeline, Recipe, Tokenizer
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, NumberedTokens, TokenList
from tests.engine.support.modes import USUAL_MODES, running

TOKENS = st.lists(
    st.one_of(st.binary(max_size=3), st.binary(min_size=12, max_size=40), st.text("ab", max_size=20).map(str.encode)),
    max_size=30,
)
"""Tokens around the size above which a key cannot hold all bytes; some of them are equal."""


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param):
        yield


@given(TOKENS, st.data())
def test_a_list_of_tokens_is_a_sequence(tokens: list[bytes], data: st.DataObject) -> None:
    listed = TokenList.of(tokens)
    for index in data.draw(st.lists(st.integers(-len(tokens), len(tokens) - 1))) if tokens else ():
        assert listed[index] == tokens[index]
    with pytest.raises(IndexError):
        listed[len(tokens)]
    assert (len(listed), list(listed), listed[1:3]) == (len(tokens), tokens, tokens[1:3])
    assert (listed[-1:], listed.sizes.tolist()) == (tokens[-1:], list(map(len, tokens)))


@given(TOKENS)
def test_equal_tokens_are_noticed(tokens: list[bytes]) -> None:
    assert TokenList.of(tokens).are_different == (len(set(tokens)) == len(tokens))


def test_one_of_many_tokens_that_equals_another_is_noticed() -> None:
    tokens = [b"%d" % number for number in range(3000)]
    assert TokenList.of(tokens).are_different
    assert not TokenList.of([*tokens, b"7"]).are_different


@given(st.dictionaries(st.integers(0, 50) | st.integers(0, 2**31 - 1), st.binary(max_size=4)))
def test_a_vocabulary_is_a_mapping(vocab: dict[int, bytes]) -> None:
    numbered = NumberedTokens.of(vocab)
    assert (dict(numbered), numbered.to_dict(), len(numbered)) == (vocab, vocab, len(vocab))
    for token_id in range(51):
        assert (token_id in numbered, numbered.get(token_id)) == (token_id in vocab, vocab.get(token_id))


@pytest.mark.parametrize("pipeline", [None, Pipeline()])
@pytest.mark.parametrize("special_tokens", [{}, {"<e>": 9}, {"<e>": 9, "o": 2, "lo": 11}, ["lo", "x"]])
@pytest.mark.parametrize("tokens", [(b"l", b"o", b"lo"), (b"l", b"o", b"lo", b"l", b"<e>")])
def test_a_store_of_arrays_is_one_of_dicts(
    tokens: tuple[bytes, ...], special_tokens: dict[str, int] | list[str], pipeline: Pipeline | None
) -> None:
    ids = np.array([7, 2, 11, 3, 9][: len(tokens)])
    vocab = dict(zip(ids.tolist(), tokens, strict=True))
    listed = TokenList.of(tokens)
    merges = NumberedMerges(listed, np.array([0]), np.array([1]), np.array([2]))

    def store(vocab: dict[int, bytes] | NumberedTokens) -> MergeStore:
        return MergeStore(vocab, merges, special_tokens, recipe=Recipe.of("cs336-toy"), pipeline=pipeline)

    ours, theirs = store(NumberedTokens(ids, listed)), store(vocab)
    assert (ours.largest_id, ours.special_ids) == (theirs.largest_id, theirs.special_ids)
    for _time in range(2):
        assert tokens_with_ids(ours) == tokens_with_ids(theirs)
        assert columns(ours) == columns(theirs)
        assert (ours.ids, ours.vocab) == (theirs.ids, theirs.vocab)
        for each in (ours, theirs):
            each.append([(b"lo", b"l")], {20: b"lol"})


def columns(store: MergeStore) -> tuple[list[int], list[int], list[bytes]]:
    """Return the entries of a store as lists."""
    entries = store.entries()
    return entries.ids.tolist(), entries.steps.tolist(), entries.tokens


def tokens_with_ids(store: MergeStore) -> dict[bytes, int]:
    """Return the ids that the tables for kernels have."""
    tables = store.tables()
    ids = tables.ids_of(np.arange(tables.known)).tolist()
    return {tables.token_of(symbol): token_id for symbol, token_id in enumerate(ids) if token_id >= 0}


def test_no_dict_of_tokens_is_made_to_encode() -> None:
    tokens = TokenList.of([b"l", b"o", b"lo"])
    merges = NumberedMerges(tokens, np.array([0]), np.array([1]), np.array([2]))
    tokenizer = Tokenizer(NumberedTokens(np.arange(3), tokens), merges, {"<e>": 3}, recipe="cs336-toy")
    assert tokenizer.encode("lol<e>") == [2, 0, 3]
    assert "_listed" not in vars(tokens)
