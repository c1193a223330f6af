"""Decoding many ids by kernels: as the vocabulary says, whatever the capacities and the way kernels run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex
from tokenizers import decoders as theirs

from bpe_gui.engine import EngineError, Pipeline, Recipe, Tokenizer, TokenizerError, train
from bpe_gui.engine.pipeline.decoders import (
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    Fuse,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
)
from bpe_gui.engine.vocabulary import decoder
from tests.engine.support.huggingface_samples import read, sample_json
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strange_tokenizers import BYTES
from tests.engine.support.strategies import recipes

LONG = b"a" * 100
VOCAB = {**BYTES, 300: b"ab", 301: LONG, 302: LONG + b"b", 310: b"<end>"}
TOKENIZER = Tokenizer(VOCAB, [(b"a", b"b"), (LONG, b"b")], ["<end>"])
MANY = 1_000
"""Kernels decode lists of this many ids."""


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
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
    "bad", [-1, -(2**31), -(2**40), 256, 303, 311, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 97, 10**30]
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


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "<i2", ">i2", "u4", ">u4", "i8", "u8"])
def test_arrays_of_any_integers(dtype: str, tmp_path: Path) -> None:
    ids = np.array([97, 98, 99] * 1_000, dtype)
    ids.tofile(tmp_path / "ids.bin")
    for each in (ids, np.memmap(tmp_path / "ids.bin", ids.dtype, "r")):
        assert decode(each) == TOKENIZER.decode_bytes(each) == b"abc" * 1_000
        assert TOKENIZER.decode_batch([each[:3], each[3:4]]) == ["abc", "a"]
    for bad in (-1, 1 << 32, (1 << 32) + 97):
        if np.iinfo(dtype).min <= bad <= np.iinfo(dtype).max:
            ids[7] = bad
            assert decode(ids) is None
            with pytest.raises(TokenizerError, match=f"No token has the id {bad}"):
                TOKENIZER.decode_bytes(ids)


BYTES = {byte: bytes([byte]) for byte in range(256)}
some_bytes = st.lists(st.sampled_from([*b" ab\x00\x80\xa0\xbf\xc0\xc3\xe4\xed\xf0\xf4\xff\xbd\x9f\x98"]), max_size=12)


class Counted:
    """Ids that count how many of them were taken."""

    def __init__(self, ids: list[int]) -> None:
        self._ids = ids
        self.taken = 0

    def __iter__(self) -> Iterator[int]:
        for token_id in self._ids:
            self.taken += 1
            yield token_id


def arrivals(tokenizer: Tokenizer, ids: list[int]) -> list[tuple[int, str]]:
    """Return the pieces of text, each with the number of ids that had to be known."""
    counted = Counted(ids)
    return [(counted.taken, piece) for piece in tokenizer.decode_iterable(counted)]


# -- recipes ------------------------------------------------------------------------------------------------------


@given(some_bytes)
def test_pieces_of_bytes_join_to_the_whole(ids: list[int]) -> None:
    tokenizer = Tokenizer(BYTES, [])
    assert "".join(tokenizer.decode_iterable(ids)) == tokenizer.decode(ids) == bytes(ids).decode(errors="replace")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
def test_a_character_comes_with_its_last_byte(text: str) -> None:
    ends = np.cumsum([len(character.encode()) for character in text], dtype=np.int64).tolist()
    assert arrivals(Tokenizer(BYTES, []), list(text.encode())) == list(zip(ends, text, strict=True))


@given(recipes(), st.lists(st.integers(0, 40), max_size=12))
def test_pieces_of_every_recipe_join_to_the_whole(recipe: Recipe, numbers: list[int]) -> None:
    tokenizer = train("ab aab ba 你 好 ab aab", recipe=recipe.with_changes(min_count=1), num_merges=12)
    ids = sorted(tokenizer.vocab)
    chosen = [ids[number % len(ids)] for number in numbers]
    assert "".join(tokenizer.decode_iterable(chosen)) == tokenizer.decode(chosen)


def test_only_the_space_of_the_last_word_is_held_back() -> None:
    tokenizer = train("low lower", recipe="char-eow", num_merges=0)
    ids = tokenizer.encode("low lo")
    assert arrivals(tokenizer, ids) == [(1, "l"), (2, "o"), (3, "w"), (5, " l"), (6, "o")]


# -- pipelines ----------------------------------------------------------------------------------------------------

STEPS: list[tuple[Any, Any]] = [
    (theirs.ByteLevel(), ByteLevelDecoder()),
    (theirs.BPEDecoder("</w>"), BPEDecoder("</w>")),
    (theirs.Metaspace(), MetaspaceDecoder()),
    (theirs.Metaspace(prepend_scheme="never"), MetaspaceDecoder(prepend_scheme="never")),
    (theirs.ByteFallback(), ByteFallback()),
    (theirs.Fuse(), Fuse()),
    (theirs.Strip("▁", 1, 0), StripDecoder("▁", 1, 0)),
    (theirs.Strip("a", 2, 2), StripDecoder("a", 2, 2)),
    (theirs.Replace("▁", " "), ReplaceDecoder("▁", " ")),
    (theirs.Replace("aa", "b"), ReplaceDecoder("aa", "b")),
    (theirs.Replace(Regex("a*$"), "-"), ReplaceDecoder("a*$", "-", is_regex=True)),
]
TOKENS = ("a", "aa", "▁", "▁▁b", "a▁a", "</w>", "é</w>", "<0x41>", "<0xE4>", "<0xbd>", "<0xA0>", "ä", "½", "\u0142", "")


@given(st.lists(st.sampled_from(STEPS), max_size=4), st.lists(st.sampled_from(TOKENS), max_size=8))
def test_any_steps_decode_tokens_that_come_as_tokenizers_does_all(
    steps: list[tuple[Any, Any]], tokens: list[str]
) -> None:
    pieces = Pipeline(decoders=tuple(ours for _their, ours in steps) or (Fuse(),)).decode(iter(tokens))
    text = "".join(pieces)
    try:
        expected = theirs.Sequence([their for their, _ours in steps]).decode(tokens)
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # which Strip raises if it removes more than there is
            raise
    else:
        assert text == expected


@pytest.mark.parametrize(
    "name", ["llama2", "decoded by list", "decoded by Metaspace", "decoded by BPEDecoder", "suffix", "bytes, clip"]
)
@given(numbers=st.lists(st.integers(0, 500), max_size=9))
def test_pieces_are_those_of_tokenizers(name: str, numbers: list[int], tmp_path_factory: Any) -> None:
    reader = tokenizers.Tokenizer.from_str(sample_json(name))
    ours = _read_once(name, tmp_path_factory)
    ids = [number % reader.get_vocab_size() for number in numbers]
    assert "".join(ours.decode_iterable(ids)) == reader.decode(ids, skip_special_tokens=False) == ours.decode(ids)
    skipped = reader.decode(ids, skip_special_tokens=True)
    assert "".join(ours.decode_iterable(ids, skip_special_tokens=True)) == skipped
    assert ours.decode_batch([ids, []], skip_special_tokens=True) == [skipped, ""]


_READ: dict[str, Tokenizer] = {}


def _read_once(name: str, factory: Any) -> Tokenizer:
    if name not in _READ:
        _READ[name] = read(factory.mktemp("sample"), sample_json(name))
    return _READ[name]


def test_the_text_of_llama_comes_as_its_tokens_do(tmp_path: Path) -> None:
    """Its steps join all tokens and then strip the first space, which needs no more than the first token."""
    tokenizer = read(tmp_path, sample_json("llama2"))
    ids = tokenizer.encode("low lower ᚠ low")[1:]
    pieces = arrivals(tokenizer, ids)
    assert "".join(piece for _taken, piece in pieces) == "low lower ᚠ low"
    assert pieces[0][0] == 2  # after a first token that is only a space
    [runic] = [index for index, (_taken, piece) in enumerate(pieces) if "ᚠ" in piece]
    assert pieces[runic][0] - pieces[runic - 1][0] == 4  # three bytes, and the token that ends their run


# -- ids that are wrong, and ids that are skipped -----------------------------------------------------------------


def test_a_wrong_id_is_an_error_where_it_comes() -> None:
    tokenizer = Tokenizer(BYTES, [])
    pieces = tokenizer.decode_iterable([97, 300])
    assert next(pieces) == "a"
    with pytest.raises(EngineError, match="No token has the id 300"):
        next(pieces)
    wrong: Any = [97, "a"]
    with pytest.raises(EngineError, match="Id number 2 is 'a'"):
        list(tokenizer.decode_iterable(wrong))
    with pytest.raises(EngineError, match="Id number 2 is 'a'"):
        tokenizer.decode(wrong, skip_special_tokens=True)


@pytest.mark.parametrize("wrong", [None, 5, "low", b"low"])
def test_what_is_not_several_ids_is_an_error(wrong: Any) -> None:
    tokenizer = Tokenizer(BYTES, [])
    for decode in (tokenizer.decode_batch, tokenizer.decode_iterable, tokenizer.decode_bytes_iterable):
        with pytest.raises(TypeError, match="must be a list or another iterable"):
            decode(wrong)
    with pytest.raises(TypeError, match="ids must be a list or another iterable"):
        tokenizer.decode_batch([wrong])
    if not isinstance(wrong, str | bytes):
        with pytest.raises(TypeError, match="token must be bytes or str"):
            tokenizer.token_id(wrong)


@pytest.mark.parametrize("ids", [[97, 256, 98, 257], np.array([97, 256, 98, 257], np.int32), (97, 256, 98, 257)])
def test_special_tokens_are_skipped(ids: Any) -> None:
    tokenizer = Tokenizer(BYTES, [], ["<e>", "<p>"])
    assert tokenizer.decode(ids) == "a<e>b<p>"
    assert tokenizer.decode(ids, skip_special_tokens=True) == "ab"
    assert tokenizer.decode_bytes(ids, skip_special_tokens=True) == b"ab"
    assert tokenizer.decode_batch([ids, ids], skip_special_tokens=True) == ["ab", "ab"]
    assert list(tokenizer.decode_iterable(ids, skip_special_tokens=True)) == ["a", "b"]


def test_added_tokens_that_are_not_special_are_not_skipped(tmp_path: Path) -> None:
    reader = tokenizers.Tokenizer.from_str(sample_json("bytes"))
    reader.add_tokens([AddedToken("<p>", normalized=False)])
    reader.add_special_tokens([AddedToken("<e>", normalized=False)])
    ids = reader.encode("low<p> <e>low").ids
    ours = read(tmp_path, reader.to_str())
    assert ours.decode(ids, skip_special_tokens=True) == reader.decode(ids) == "low<p> low"


# -- the id of a token ----------------------------------------------------------------------------------------------


def test_the_id_of_every_token_is_found(tmp_path: Path) -> None:
    trained = train("low lower lowest é", num_merges=9, special_tokens=["<e>", "l"])
    for tokenizer in (trained, trained.at(3), read(tmp_path, sample_json("llama2"))):
        special = set(tokenizer.special_tokens.values())
        for token_id, token in tokenizer.vocab.items():
            assert tokenizer.token_id(token if token_id not in special else token.decode()) == token_id
    assert trained.token_id("l") == trained.special_tokens["l"] != trained.token_id(b"l")
    assert trained.token_id(b"<e>") == trained.special_tokens["<e>"]
    assert trained.at(0).token_id(b"lo") is None is trained.token_id("") is trained.token_id(b"\xff\xff")
    with pytest.raises(EngineError, match="lone surrogate"):
        trained.token_id("\ud800")
