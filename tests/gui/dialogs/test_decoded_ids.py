"""Lists of ids: every style that is written is read again, what is no id is named, and what ids stand for."""

import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_gui.engine import PRESETS, EngineError, Tokenizer, train
from bpe_gui.gui.dialogs.decoded_ids import (
    Broken,
    Difference,
    IdStyle,
    decode_ids,
    first_difference,
    parse_ids,
    write_ids,
)

IDS = st.lists(st.integers(0, 200_000), max_size=60)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower widest newest", num_merges=6, special_tokens=["<s>"])


def no_progress(_done: int, _total: int) -> None:
    pass


def difference(ids: Sequence[int], tokenizer: Tokenizer) -> Difference | None:
    return first_difference(decode_ids(list(ids), tokenizer), tokenizer, no_progress)


@pytest.mark.parametrize("style", IdStyle)
@given(ids=IDS)
def test_what_is_written_is_read_again(style: IdStyle, ids: list[int]) -> None:
    assert parse_ids(write_ids(ids, style)) == ids
    assert write_ids(np.array(ids, np.int32), style) == write_ids(ids, style)


@given(IDS)
def test_json_is_json_and_code_is_code(ids: list[int]) -> None:
    assert json.loads(write_ids(ids, IdStyle.JSON)) == ids
    names: dict[str, object] = {"np": np}
    exec(write_ids(ids, IdStyle.PYTHON), names)
    assert names["ids"] == ids
    array = eval(write_ids(ids, IdStyle.NUMPY), names)
    assert array.dtype == np.int32
    assert array.tolist() == ids


def test_short_lists_take_one_line_and_long_ones_lines_of_code() -> None:
    assert write_ids([1, 2, 3], IdStyle.LIST) == "[1, 2, 3]"
    assert write_ids([1, 2, 3], IdStyle.JSON) == "[1,2,3]"
    assert write_ids([1, 2, 3], IdStyle.PYTHON) == "ids = [1, 2, 3]"
    assert write_ids([1, 2, 3], IdStyle.NUMPY) == "np.array([1, 2, 3], dtype=np.int32)"
    lines = write_ids(range(50_000, 50_100), IdStyle.NUMPY).splitlines()
    assert (lines[0], lines[-1]) == ("np.array([", "], dtype=np.int32)")
    assert len(lines) > 3
    assert 80 < max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3",
        "1,2,3",
        "1\n2\r\n3\n",
        "(1, 2, 3)",
        "[1, 2, 3,]",
        "x = [\n  1, 2,\n  3,\n]",
        "array([1, 2, 3])",
        "array([1, 2, 3], dtype='<i4')",
        "tensor([1, 2, 3], device='cuda:0', dtype=torch.int32)",
        "input_ids = torch.tensor([[1, 2, 3]])",
    ],
)
def test_lists_are_read_as_people_have_them(text: str) -> None:
    assert parse_ids(text) == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "wrong", "place"),
    [
        ("1, 2, 12a", "12a", 3),
        ("[1, -2]", "-2", 2),
        ("[1, 2.5]", "2.5", 2),
        ("0x10", "0x10", 1),
        ("1_000", "1_000", 1),
        ("[1, 2] and 3", "and", 3),
        ("x 1", "x", 1),
        ("٣", "٣", 1),
        ("[1, ..., 3]", "...", 2),
    ],
)
def test_what_is_no_id_is_named_with_its_place(text: str, wrong: str, place: int) -> None:
    with pytest.raises(EngineError) as caught:
        parse_ids(text)
    assert str(caught.value) == f"“{wrong}” at place {place} is no id."


def test_an_endless_number_is_quoted_from_its_beginning() -> None:
    with pytest.raises(EngineError) as caught:
        parse_ids("1 " + "9" * 100_000)
    assert len(str(caught.value)) < 100


def test_ids_that_encode_the_text_are_without_fault(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("low lowest 你 <s>")
    decoded = decode_ids(ids, tokenizer)
    assert decoded.text == "low lowest 你 <s>"
    assert decoded.size == len(decoded.text.encode())
    assert decoded.is_valid
    assert difference(ids, tokenizer) is None


def test_ids_that_do_not_exist_are_spelt_out(tokenizer: Tokenizer) -> None:
    decoded = decode_ids([108, 9999, 0xE4, 7777], tokenizer)
    assert decoded.text == "l⟨9999⟩\\xe4⟨7777⟩"
    assert decoded.missing == [1, 3]
    assert decoded.broken == [Broken(2, 2, b"\xe4")]
    assert not decoded.is_valid


def test_ids_that_a_later_step_brings_do_not_exist_yet(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("low")
    assert decode_ids(ids, tokenizer).is_valid
    assert decode_ids(ids, tokenizer.at(0)).missing == [0]


def test_bytes_of_no_whole_character_are_found_in_their_ids(tokenizer: Tokenizer) -> None:
    low = tokenizer.encode("low")
    smile = list("😀".encode())
    ids = [*low, *smile[:2], *low, *smile, smile[3], *low, smile[0]]
    decoded = decode_ids(ids, tokenizer)
    assert decoded.text == "low\\xf0\\x9flow😀\\x80low\\xf0"
    assert decoded.broken == [Broken(1, 2, b"\xf0\x9f"), Broken(8, 8, b"\x80"), Broken(10, 10, b"\xf0")]


def test_other_ids_for_the_same_text_are_told_up_to_where_they_agree_again(tokenizer: Tokenizer) -> None:
    low = tokenizer.encode("low")
    assert len(low) == 1
    assert difference([*low, 32, 108, 111, 119, 33], tokenizer) == Difference(
        1, [32, 108, 111, 119], tokenizer.encode(" low")
    )


@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_any_ids_are_decoded_as_the_tokenizer_does(preset: str, data: st.DataObject) -> None:
    tokenizer = made_by(preset)
    ids = data.draw(st.lists(st.sampled_from(list(tokenizer.vocab)), max_size=8))
    decoded = decode_ids(ids, tokenizer)
    octets = tokenizer.decode_bytes(ids)
    assert decoded.text == octets.decode("utf-8", "backslashreplace")
    assert decoded.size == len(octets)
    assert bool(decoded.broken) == ("\ufffd" in octets.decode("utf-8", "replace"))


_TOKENIZERS: dict[str, Tokenizer] = {}


def made_by(preset: str) -> Tokenizer:
    if preset not in _TOKENIZERS:
        _TOKENIZERS[preset] = train("low low lower naïve naïve 你好 你好", num_merges=8, recipe=preset)
    return _TOKENIZERS[preset]


@given(st.lists(st.sampled_from([*b"low e", *range(256, 264)]), max_size=12))
def test_a_difference_covers_the_same_text_on_both_sides(ids: list[int]) -> None:
    tokenizer = made_by("cs336")
    assume(decode_ids(ids, tokenizer).is_valid)
    encoded = tokenizer.encode(tokenizer.decode(ids))
    found = difference(ids, tokenizer)
    if found is None:
        assert encoded == ids
        return
    place = found.place
    assert ids[:place] == encoded[:place]
    assert found.given[:1] != found.encoded[:1]
    assert ids[place : place + len(found.given)] == found.given
    assert encoded[place : place + len(found.encoded)] == found.encoded
    assert tokenizer.decode_bytes(found.given) == tokenizer.decode_bytes(found.encoded)
