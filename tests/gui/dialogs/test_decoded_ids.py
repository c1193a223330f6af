"""Decoding ids that may be wrong: the text, the mistakes, and the difference to the ids that encoding gives."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_gui.engine import PRESETS, Tokenizer, train
from bpe_gui.gui.dialogs.decode_dialog import BrokenBytes, IdDifference, decode_ids, first_difference
from tests.engine.support.huggingface_samples import read, sample_json


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower widest newest", num_merges=6, special_tokens=["<s>"])


@cache
def tokenizer_of(preset: str) -> Tokenizer:
    return train("low low lower naïve naïve 你好 你好", num_merges=8, recipe=preset)


def difference(ids: Sequence[int], tokenizer: Tokenizer) -> IdDifference | None:
    return first_difference(decode_ids(list(ids), tokenizer), tokenizer, lambda _done, _total: None)


def test_unknown_ids_are_written_in_the_text(tokenizer: Tokenizer) -> None:
    decoded = decode_ids([108, 9999, 0xE4, 7777], tokenizer)
    assert decoded.text == "l⟨9999⟩�⟨7777⟩"
    assert decoded.missing == [1, 3]
    assert decoded.broken == [BrokenBytes(2, 2, b"\xe4")]
    assert not decoded.is_valid


def test_ids_of_later_steps_do_not_exist_yet(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("low")
    assert decode_ids(ids, tokenizer).is_valid
    assert decode_ids(ids, tokenizer.at(0)).missing == [0]


def test_broken_bytes_are_found_with_their_ids(tokenizer: Tokenizer) -> None:
    low = tokenizer.encode("low")
    smile = list("😀".encode())
    ids = [*low, *smile[:2], *low, *smile, smile[3], *low, smile[0]]
    decoded = decode_ids(ids, tokenizer)
    assert decoded.text == "low�low😀�low�"
    assert decoded.broken == [
        BrokenBytes(1, 2, b"\xf0\x9f"),
        BrokenBytes(8, 8, b"\x80"),
        BrokenBytes(10, 10, b"\xf0"),
    ]


def test_a_difference_ends_where_both_have_covered_the_same_bytes(tokenizer: Tokenizer) -> None:
    low = tokenizer.encode("low")
    assert len(low) == 1
    assert difference([*low, 32, 108, 111, 119, 33], tokenizer) == IdDifference(
        1, [32, 108, 111, 119], tokenizer.encode(" low")
    )


@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_any_ids_are_decoded_as_by_the_tokenizer(preset: str, data: st.DataObject) -> None:
    tokenizer = tokenizer_of(preset)
    ids = data.draw(st.lists(st.sampled_from(list(tokenizer.vocab)), max_size=8))
    decoded = decode_ids(ids, tokenizer)
    expected = tokenizer.decode_bytes(ids)
    assert decoded.text == expected.decode("utf-8", "replace")
    assert decoded.size == len(expected)
    assert bool(decoded.broken) == ("\ufffd" in expected.decode("utf-8", "replace"))


@given(st.lists(st.sampled_from([*b"low e", *range(256, 264)]), max_size=12))
def test_a_difference_covers_the_same_text_on_both_sides(ids: list[int]) -> None:
    tokenizer = tokenizer_of("cs336")
    assume(decode_ids(ids, tokenizer).is_valid)
    encoded = tokenizer.encode(tokenizer.decode(ids))
    found = difference(ids, tokenizer)
    if found is None:
        assert encoded == ids
        return
    index = found.index
    assert ids[:index] == encoded[:index]
    assert found.given[:1] != found.encoded[:1]
    assert ids[index : index + len(found.given)] == found.given
    assert encoded[index : index + len(found.encoded)] == found.encoded
    assert tokenizer.decode_bytes(found.given) == tokenizer.decode_bytes(found.encoded)


@pytest.mark.parametrize("name", ["llama2", "decoded by list", "decoded by Metaspace", "suffix"])
def test_tokens_that_are_decoded_together_are_shown_together(name: str, tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json(name))
    ids = tokenizer.encode("lower ᚠ low")
    decoded = decode_ids(ids, tokenizer)
    assert (decoded.text, decoded.is_valid) == (tokenizer.decode(ids), True)
    decoded = decode_ids([*ids, 9999, *ids], tokenizer)
    assert (decoded.text, decoded.missing) == (f"{tokenizer.decode(ids)}⟨9999⟩{tokenizer.decode(ids)}", [len(ids)])
