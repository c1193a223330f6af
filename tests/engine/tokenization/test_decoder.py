"""Decoding many ids by kernels: as the vocabulary says, whatever the capacities and the way kernels run."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Tokenizer, TokenizerError
from bpe_gui.engine.tokenization import decoder
from tests.engine.support.modes import MODES, running
from tests.engine.support.strange_tokenizers import BYTES

LONG = b"a" * 100
VOCAB = {**BYTES, 300: b"ab", 301: LONG, 302: LONG + b"b", 310: b"<end>"}
TOKENIZER = Tokenizer(VOCAB, [(b"a", b"b"), (LONG, b"b")], ["<end>"])
MANY = 1_000
"""So many ids are decoded by kernels."""


@pytest.fixture(autouse=True, scope="module", params=MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param), pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "_CONVERTED_TOGETHER", 5)
        patch.setattr(decoder, "_DECODED_TOGETHER", 20)  # less than the longest token has
        yield


def decode(ids: Any, position: int = 2) -> bytes | None:
    return TOKENIZER.store.decoder().decode(ids, position)


@given(st.lists(st.sampled_from(sorted(VOCAB)), max_size=40))
def test_ids_give_their_tokens(ids: list[int]) -> None:
    expected = b"".join(VOCAB[token_id] for token_id in ids)
    assert decode(ids) == decode(tuple(ids)) == expected
    for array in (np.array(ids, np.int32), np.array(ids, np.int64), np.array([ids, ids], np.int32, order="F")[0]):
        assert decode(array) == expected


@pytest.mark.parametrize("before", [0, 4, 5, 17])
@pytest.mark.parametrize(
    "bad",
    [-1, -(2**31), -(2**40), 256, 303, 311, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 97, 10**30],
)
def test_an_id_that_does_not_exist_among_others(bad: int, before: int) -> None:
    ids = [97] * before + [bad] + [98] * 9
    assert decode(ids) is None
    with pytest.raises(
        TokenizerError, match=r"No token has the id .*\. The ids of this vocabulary range from 0 to 310"
    ):
        TOKENIZER.decode_bytes(ids * MANY)


@pytest.mark.parametrize("before", [0, 4, 5, 17])
@pytest.mark.parametrize("bad", [None, "a", 1.5])
def test_what_is_not_an_integer_among_ids(bad: Any, before: int) -> None:
    ids = [97] * before + [bad] + [98] * 9
    assert decode(ids) is None
    with pytest.raises(TokenizerError, match=rf"Id number {before + 1:,} is {bad!r}\. An id must be an integer"):
        TOKENIZER.decode_bytes(ids * MANY)


def test_what_stands_for_an_integer_is_an_id() -> None:
    ids: list[Any] = [True, np.int64(98), np.uint8(99), 300]
    assert decode(ids) == b"\x01bcab"
    assert TOKENIZER.decode_bytes(ids * MANY) == b"\x01bcab" * MANY


def test_no_ids() -> None:
    assert decode([]) == decode(np.array([], np.int32)) == b""
    assert Tokenizer({}, [], recipe="cs336-toy").store.decoder().decode([0], 0) is None


def test_the_tokens_of_an_earlier_step() -> None:
    assert decode([97, 310, 301], 0) == b"a<end>" + LONG
    assert decode([97, 300], 0) is None
    assert decode([97, 300], 1) == b"aab"
    assert decode([97, 302], 1) is None
    with pytest.raises(TokenizerError, match="No token has the id 302"):
        TOKENIZER.at(1).decode_bytes([97, 302] * MANY)


def test_an_array_that_is_not_written_to_or_not_contiguous() -> None:
    ids = np.array([97, 300, 98, 310] * 10, np.int32)
    ids.flags.writeable = False
    assert decode(ids) == b"aabb<end>" * 10
    assert decode(ids[::2]) == b"ab" * 10
    assert decode(ids[::-2]) == b"<end>ab" * 10
