"""Short texts, whose encoding and decoding is prepared once: as any other text, whatever came between."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Recipe, Tokenizer, TokenizerError, train
from bpe_gui.engine.kernels.encoding.text_encoding import LONGEST_TEXT
from bpe_gui.engine.pipeline.decoders import ByteFallback
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.tokenization import tokenizer as tokenizer_module
from bpe_gui.engine.vocabulary import decoder
from tests.engine.support.definition import ids_of
from tests.engine.support.exercise import small_encoding_arrays
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strange_tokenizers import BYTES, texts, tokenizers

LONG = b"a" * 100
VOCAB = {**BYTES, 300: b"ab", 301: LONG, 302: LONG + b"b", 310: b"<end>"}
MERGES = [(b"a", b"b"), (LONG, b"b")]


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer_module, "_WORTH_DECODER", 0)
        yield


def prepared(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer that has a worker, and has prepared it."""
    assert tokenizer.encode("") == tokenizer.encode("") == []
    return tokenizer


# -- encoding -----------------------------------------------------------------------------------------------------


@given(tokenizers(), st.lists(st.tuples(texts, st.integers(0, 25), st.sampled_from([-1, 5, -(2**31)])), max_size=6))
def test_texts_in_any_order(tokenizer: Tokenizer, calls: list[tuple[str, int, int]]) -> None:
    for text, position, unknown_id in calls * 2:
        view = tokenizer.at(min(position, len(tokenizer.merges)))
        expected = ids_of(view, text)
        assert view.with_unknown_id(unknown_id).encode(text) == [unknown_id if i == -1 else i for i in expected]


@given(tokenizers(), st.lists(texts, max_size=6))
def test_texts_for_which_an_array_is_too_small(tokenizer: Tokenizer, several: list[str]) -> None:
    with small_encoding_arrays():
        for text in several:
            expected = ids_of(tokenizer, text)
            assert tokenizer.encode(text) == expected
            arrays = [tokenizer.encode_array(text), tokenizer.encode_array(text.encode())]
            assert [array.tolist() for array in arrays] == [expected] * 2


@given(tokenizers(), texts)
def test_every_choice_of_special_tokens(tokenizer: Tokenizer, text: str) -> None:
    choices = ["all", "none", frozenset(list(tokenizer.special_tokens)[:1])]
    for _time in range(2):
        for choice in choices:
            assert tokenizer.encode(text, choice) == tokenizer.encode_array(text, allowed_special=choice).tolist()


def test_a_symbol_without_an_id_is_an_error_each_time() -> None:
    tokenizer = prepared(Tokenizer({0: b"a"}, []))
    for text in ("ab", "aab", "ab"):
        with pytest.raises(TokenizerError, match=rf"The symbol 'b' \(number {len(text)} of the word"):
            tokenizer.encode(text)
        assert tokenizer.with_unknown_id(-1).encode(text) == [*[0] * (len(text) - 1), -1]
    assert tokenizer.encode("aa") == [0, 0]


def test_a_lone_surrogate_is_an_error_each_time() -> None:
    tokenizer = prepared(Tokenizer(BYTES, []))
    for _time in range(2):
        with pytest.raises(TokenizerError, match=r"lone surrogate \(U\+D800\) at index 2"):
            tokenizer.encode("aa\ud800")
        assert tokenizer.encode("aa") == [97, 97]


def test_bytes_that_are_not_utf8_are_an_error_each_time() -> None:
    tokenizer = prepared(Tokenizer(BYTES, []))
    for _time in range(2):
        with pytest.raises(TokenizerError, match="0xFF at offset 2 is not part of a character"):
            tokenizer.encode_array(b"aa\xff")
        assert tokenizer.encode_array(b"aa").tolist() == [97, 97]


def test_special_tokens_are_refused_each_time() -> None:
    tokenizer = prepared(Tokenizer(BYTES, [], ["<e>"]))
    for _time in range(2):
        with pytest.raises(TokenizerError, match="The text has the special token '<e>' at character 1"):
            tokenizer.encode("a<e>", "none_raise")
        assert tokenizer.encode("a<e>") == [97, 256]


def test_merges_that_are_appended_are_known() -> None:
    tokenizer = prepared(Tokenizer(BYTES, []))
    assert tokenizer.encode("abab") == [97, 98, 97, 98]
    tokenizer.store.append([(b"a", b"b")], {256: b"ab"})
    assert tokenizer.at(1).encode("abab") == [256, 256]
    assert tokenizer.encode("abab") == [97, 98, 97, 98]


@pytest.mark.parametrize("splitter", ["gpt2", "o200k", "whitespace"])
def test_a_text_of_every_length_around_the_longest(splitter: str) -> None:
    tokenizer = train("é low lower 你好", recipe=Recipe.of("cs336").with_changes(splitter=splitter), num_merges=9)
    for size in range(LONGEST_TEXT - 3, LONGEST_TEXT + 3):
        text = ("é low" * LONGEST_TEXT)[:size]
        assert tokenizer.encode(text) == ids_of(tokenizer, text)


def test_a_text_of_the_longest_words_and_most_ids() -> None:
    tokenizer = prepared(Tokenizer(BYTES, []))
    text = "😀" * LONGEST_TEXT
    assert bytes(tokenizer.encode(text)) == bytes(tokenizer.encode(text)) == text.encode()


def test_several_threads_at_once() -> None:
    tokenizer = train("low lower lowest 你好 " * 9, num_merges=9, special_tokens=["<e>"])
    several = [f"low{number} <e>lowest 你{number}" * (number % 7) for number in range(300)]
    expected = [ids_of(tokenizer, text) for text in several]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(tokenizer.encode, several)) == expected
            assert list(pool.map(tokenizer.decode, expected)) == several
    finally:
        sys.setswitchinterval(interval)


# -- decoding -----------------------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.sampled_from(sorted(VOCAB)), max_size=40), max_size=3))
def test_ids_give_their_tokens(several: list[list[int]]) -> None:
    tokenizer = Tokenizer(VOCAB, MERGES, ["<end>"])
    for ids in several:
        expected = b"".join(VOCAB[token_id] for token_id in ids)
        assert tokenizer.decode_bytes(ids) == tokenizer.decode_bytes(tuple(ids)) == expected
        assert tokenizer.decode_bytes(np.array(ids, np.int32)) == expected
        assert tokenizer.decode(ids) == expected.decode(errors="replace")
        skipped = b"".join(VOCAB[token_id] for token_id in ids if token_id != 310)
        assert tokenizer.decode_bytes(ids, skip_special_tokens=True) == skipped


def test_steps_after_decoding_are_taken() -> None:
    tokens = dict(enumerate([b"a", b"<0xE4>", b"<0xBD>", b"<0xA0>"]))
    tokenizer = Tokenizer(tokens, [], pipeline=Pipeline(decoders=(ByteFallback(),)))
    for _time in range(2):
        assert tokenizer.decode([0, 1, 2, 3]) == "a你"
        assert tokenizer.decode_bytes([0, 1, 2, 3]) == "a你".encode()


@pytest.mark.parametrize("bad", [-1, -(2**70), 256, 311, 2**31, 2**32 + 97, 2**70, None, "a", 1.5])
def test_what_is_no_id_is_an_error(bad: Any) -> None:
    tokenizer = Tokenizer(VOCAB, MERGES, ["<end>"])
    for before in (0, 3):
        with pytest.raises(TokenizerError, match=r"No token has the id|An id must be an integer"):
            tokenizer.decode([97] * before + [bad])
        assert tokenizer.decode([97]) == "a"


def test_what_stands_for_an_integer_is_an_id() -> None:
    ids: list[Any] = [True, np.int64(98), np.uint8(99), 300]
    assert Tokenizer(VOCAB, MERGES, ["<end>"]).decode_bytes(ids) == b"\x01bcab"


def test_a_list_that_becomes_shorter_meanwhile_is_not_read_beyond_its_end() -> None:
    class Clearing:
        def __index__(self) -> int:
            ids.clear()
            return 97

    ids: list[Any] = [97, Clearing(), 97, 97]
    tokenizer = Tokenizer(VOCAB, MERGES)
    with pytest.raises(TokenizerError, match=r"Id number 2|The list of ids became shorter"):
        tokenizer.decode(ids)
    assert tokenizer.decode([97]) == "a"


def test_tokens_of_other_steps() -> None:
    tokenizer = Tokenizer(VOCAB, MERGES, ["<end>"])
    for _time in range(2):
        assert tokenizer.decode([300, 302]) == "ab" + "a" * 100 + "b"
        assert tokenizer.at(0).decode([310, 301]) == "<end>" + "a" * 100
        for position, token_id in ((0, 300), (1, 302)):
            with pytest.raises(TokenizerError, match=f"No token has the id {token_id}"):
                tokenizer.at(position).decode([97, token_id])


def test_tokens_that_are_appended() -> None:
    tokenizer = Tokenizer(BYTES, [])
    assert tokenizer.decode([97]) == "a"
    tokenizer.store.append([(b"a", b"b")], {256: b"ab"})
    assert tokenizer.at(1).decode([97, 256]) == "aab"
    with pytest.raises(TokenizerError, match="No token has the id 256"):
        tokenizer.decode([97, 256])


def test_a_text_that_is_larger_than_its_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder, "_DECODED_SIZE", 250)
    tokenizer = Tokenizer(VOCAB, MERGES, ["<end>"])
    for count in range(5):
        assert tokenizer.decode_bytes([301] * count) == LONG * count
