"""Batches of texts: as one text after another, whatever the groups, the threads and the way kernels run."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Recipe, Tokenizer, TokenizerError, train
from bpe_gui.engine.encoding import kernel_encoder, text_encoder
from bpe_gui.engine.encoding.text_encoder import IdLists
from tests.engine.support.definition import ids_of
from tests.engine.support.exercise import small_encoding_arrays
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strange_tokenizers import BYTES, texts, tokenizers

SENTENCES = ["low", "", "lower<e>low est", "你好 lowest" * 9, "\n", "'s", "é"]


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param), pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_encoder, "GROUP_SIZE", 30)
        patch.setattr(kernel_encoder, "GROUP_SIZE", 30)
        patch.setattr(kernel_encoder, "WORTH_JOINING", 2)
        patch.setattr(kernel_encoder, "_THREAD_WORK", 60)
        yield


@given(tokenizers(), st.lists(texts, max_size=12), st.booleans())
def test_any_texts_as_defined(tokenizer: Tokenizer, several: list[str], is_tight: bool) -> None:
    expected = [ids_of(tokenizer, text) for text in several]
    assert tokenizer.encode_batch(several) == tokenizer.encode_batch(iter(several)) == expected
    if is_tight:
        with small_encoding_arrays():
            assert tokenizer.encode_batch(several) == expected


@given(tokenizers(), st.lists(texts, max_size=6), st.integers(0, 25), st.sampled_from([None, -1, -(2**31), 2**31 - 1]))
def test_views_of_one_store(tokenizer: Tokenizer, several: list[str], position: int, unknown_id: int | None) -> None:
    view = tokenizer.at(min(position, len(tokenizer.merges))).with_unknown_id(unknown_id)
    try:
        expected = [view.encode(text) for text in several]
    except TokenizerError as error:
        with pytest.raises(TokenizerError, match=rf"^{re.escape(str(error))}\nThis is text number \d+\.$"):
            view.encode_batch(several)
    else:
        assert view.encode_batch(several) == expected


@pytest.mark.parametrize("choice", ["all", "none", {"<e>"}, {"<s>"}])
@pytest.mark.parametrize("splitter", ["gpt2", "cl100k", "o200k", "whitespace", "none"])
def test_special_tokens_and_splitters(splitter: str, choice: Any) -> None:
    recipe = Recipe.of("cs336").with_changes(splitter=splitter)
    tokenizer = train("low lower lowest 你好 ", recipe=recipe, num_merges=9, special_tokens=["<e>", "<s>", "你"])
    several = SENTENCES * 20
    assert tokenizer.encode_batch(several, choice) == [tokenizer.encode(text, choice) for text in several]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("a\ud800", r"lone surrogate \(U\+D800\) at index 1"),
        (5, "text must be str, not int"),
        (b"a", "text must be str, not bytes"),
        ("az", r"The symbol 'z' \(number 2 of the word 'az' at character 0\)"),
        ("a<e>", "The text has the special token '<e>' at character 1"),
    ],
    ids=["surrogate", "number", "bytes", "symbol", "special"],
)
@pytest.mark.parametrize("before", [0, 1, 15, 16, 100])
def test_an_error_is_that_of_the_first_bad_text(bad: Any, message: str, before: int) -> None:
    tokenizer = Tokenizer({0: b"a", 1: b" "}, [], ["<e>"])
    later: list[Any] = ["a a"] * 50 + ["\ud800", None, "z"]
    with pytest.raises((TokenizerError, TypeError), match=message) as caught:
        tokenizer.encode_batch(["a a"] * before + [bad, *later], allowed_special="none_raise")
    assert caught.value.__notes__ == [f"This is text number {before + 1}."]


def test_what_a_generator_raises_is_raised() -> None:
    def failing() -> Iterator[str]:
        yield "a"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Tokenizer(BYTES, []).encode_batch(failing())


def test_one_long_text_among_short_ones() -> None:
    tokenizer = train("low lower lowest 你好", num_merges=9, special_tokens=["<e>"])
    several = [*SENTENCES, "low lower" * 3_000, *SENTENCES]
    assert tokenizer.encode_batch(several) == [ids_of(tokenizer, text) for text in several]


def test_ids_that_lists_do_not_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_encoder, "_MAX_SHARED", 300)
    ids = [0, 5, 299, 300, 2**31 - 1, -1, -(2**31) + 1]
    for lists in (IdLists(2), IdLists(2**31 - 1)):
        assert lists.cut_at(-9, np.array([*ids, -9, -9, 300, -9], np.int32)) == [ids, [], [300]]
    assert IdLists(0).cut_at(-9, np.empty(0, np.int32)) == []


def test_references_are_counted() -> None:
    """Lists keep the integers alive after what made them is gone, and nothing is kept alive once they are gone."""
    lists = IdLists(1_000)
    ((number,),) = lists.cut_at(-9, np.array([1_000, -9], np.int32))
    before = sys.getrefcount(number)
    made = lists.cut_at(-9, np.array([1_000, 2_000, 1_000, -9, 1_000, -9], np.int32))
    assert made == [[1_000, 2_000, 1_000], [1_000]]
    assert sys.getrefcount(number) == before + 3
    of_list = sys.getrefcount(made[0])
    assert of_list == 2
    del lists
    assert made == [[1_000, 2_000, 1_000], [1_000]]
    del made
    assert sys.getrefcount(number) == before - 1
