"""SentencePiece models: ids, pieces, spans and texts are those of its package; damage is reported."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import FormatError, Tokenizer, load
from bpe_gui.engine.formats import sentencepiece
from tests.engine.support.sentencepiece_models import (
    BYTE,
    CONTROL,
    NORMAL,
    TRICKY,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    by_hand,
    parsed,
    processor,
    trained,
)
from tests.engine.support.strategies import any_text
from tests.examples import examples

UNK = ("<unk>", 0.0, UNKNOWN)
IDENTITY = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
MODELS: dict[str, dict[str, object]] = {
    "plain": {},
    "bytes": {"byte_fallback": True},
    "identity": IDENTITY,
    "like Llama's": {**IDENTITY, "byte_fallback": True, "split_digits": True, "allow_whitespace_only_pieces": True},
    "no prefix": {**IDENTITY, "add_dummy_prefix": False},
    "suffix": {"treat_whitespace_as_suffix": True},
    "symbols": {"user_defined_symbols": ("<sep>", "lo", "▁▁", "a b", "é", "<sep>x"), "byte_fallback": True},
    "symbols alone": {"user_defined_symbols": ("<sep>", "▁"), **IDENTITY},
    "nfkc": {"normalization_rule_name": "nfkc"},
    "small letters": {"normalization_rule_name": "nmt_nfkc_cf"},
    "over spaces": {"split_by_whitespace": False, **IDENTITY},
    "few characters": {"character_coverage": 0.98},
}


def load_model(folder: Path, data: bytes) -> Tokenizer:
    path = folder / "some.model"
    path.write_bytes(data)
    return load(path)


class _Readers:
    """A model read by us and by the package."""

    def __init__(self, folder: Path, data: bytes) -> None:
        self.ours = load_model(folder, data)
        self.theirs = processor(data)

    def check(self, text: str) -> None:
        ids = self.theirs.encode(text)
        assert self.ours.encode(text) == ids
        pieces = list(map(self.theirs.id_to_piece, ids))
        assert [token.decode() for token in self.ours.tokenize(text)] == pieces
        assert self.ours.decode(ids) == self.theirs.decode(ids)
        spans = self.ours.encoding(text).byte_spans
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(edges)
        assert not edges or 0 <= edges[0] <= edges[-1] <= len(text.encode())


@pytest.fixture(scope="module", params=MODELS)
def readers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Readers:
    data = trained(vocab_size=900, hard_vocab_limit=False, **MODELS[request.param])
    return _Readers(tmp_path_factory.mktemp("model"), data)


@pytest.mark.slow
def test_tricky_texts_are_encoded_alike(readers: _Readers) -> None:
    for text in TRICKY:
        readers.check(text)
    readers.check(" ".join(TRICKY))


PARTS = [" ", "  ", "▁", "lo", "a b", "<sep>", "x", "ﬁ", "e", "\u0301", "¨", "\t", "é", "你", "ZZ"]


@pytest.mark.slow
@given(st.one_of(any_text, st.lists(st.sampled_from(PARTS)).map("".join)))
@settings(max_examples=examples(60))
def test_any_text_is_encoded_alike(readers: _Readers, text: str) -> None:
    readers.check(text)


@pytest.mark.slow
def test_the_spans_of_tokens_are_those_of_the_package(tmp_path: Path) -> None:
    data = trained(vocab_size=900, hard_vocab_limit=False)
    ours, theirs = load_model(tmp_path, data), processor(data)
    for text in ("low  lower", " ﬁne ①②", "don't you"):
        raw = text.encode()
        expected = [piece.surface for piece in theirs.encode(text, return_type="proto").pieces]
        assert [raw[start:stop].decode() for start, stop in ours.encoding(text).byte_spans] == expected


# -- merges -------------------------------------------------------------------------------------------------------


def test_the_merge_of_a_piece_is_how_its_characters_are_merged(tmp_path: Path) -> None:
    pieces = [UNK, *((character, -9.0, NORMAL) for character in "▁low"), ("ow", -1, NORMAL), ("low", -2, NORMAL)]
    tokenizer = load_model(tmp_path, by_hand([*pieces, ("lo", -3, NORMAL), ("▁lo", -4, NORMAL)]))
    assert tokenizer.merges == [(b"o", b"w"), (b"l", b"ow"), (b"l", b"o"), ("▁".encode(), b"lo")]
    assert tokenizer.at(1).tokenize("low") == ["▁".encode(), b"l", b"ow"]
    assert tokenizer.lineage(tokenizer.encode("low")[1]).rank == 1


@st.composite
def _models(draw: st.DrawFn) -> bytes:
    scores = draw(st.sampled_from([st.floats(-9, 0, width=32), st.integers(-3, 0).map(float)]))
    texts = draw(st.sets(st.text("abc▁", min_size=2, max_size=6), max_size=40))
    kinds = st.sampled_from([NORMAL] * 9 + [USER_DEFINED])
    pieces = [(text, draw(scores), draw(kinds)) for text in sorted(texts)]
    singles = [(character, draw(scores), NORMAL) for character in "abc▁"]
    return by_hand([UNK, ("<s>", 0.0, CONTROL), *singles, *pieces], white_space=draw(st.booleans()))


@pytest.mark.slow
@given(_models(), st.lists(st.text("aabbc▁ x", max_size=70), max_size=8))
@settings(max_examples=examples(150))
def test_odd_models_are_encoded_alike(tmp_path_factory: pytest.TempPathFactory, data: bytes, texts: list[str]) -> None:
    """The models have equal scores, pieces that no merge makes, and symbols inside one another."""
    readers = _Readers(tmp_path_factory.mktemp("model"), data)
    for text in texts:
        readers.check(text)


def test_an_unused_piece_that_no_merge_makes_is_harmless(tmp_path: Path) -> None:
    data = by_hand([UNK, *SINGLES, ("<unused1>", 0.0, UNUSED), ("ba", -2.0, NORMAL)])
    for text in ("<unused1>", "aba", "b<unused1>a"):
        assert load_model(tmp_path, data).encode(text) == processor(data).encode(text)


# -- models that are refused --------------------------------------------------------------------------------------

SINGLES = [("▁", -9.0, NORMAL), ("a", -9.0, NORMAL), ("b", -9.0, NORMAL)]
REFUSED = {
    "type unigram": by_hand([UNK, *SINGLES], model_type=1),
    "type word": by_hand([UNK, *SINGLES], model_type=3),
    "one unknown piece, not 0": by_hand([]),
    "one unknown piece, not 2": by_hand([UNK, ("<u>", 0.0, UNKNOWN)]),
    "'a', is the same as piece 2": by_hand([UNK, *SINGLES, ("a", -9.0, NORMAL)]),
    "piece 1 must have 1 to": by_hand([UNK, ("", 0.0, NORMAL)]),
    "piece 2 must have 1 to": by_hand([UNK, ("a", 0.0, NORMAL), ("a\0", 0.0, NORMAL)]),
    "'a', does not have a finite score": by_hand([UNK, ("a", float("nan"), NORMAL)]),
    "'b', which is not a piece itself": by_hand([UNK, ("a", -1.0, NORMAL), ("ab", -2.0, NORMAL)]),
    "'ab', is marked as unused": by_hand([UNK, *SINGLES, ("ab", -2.0, UNUSED)]),
    "'a', is marked as unused": by_hand([UNK, SINGLES[0], ("a", -9.0, UNUSED), SINGLES[2]]),
    "1 byte pieces": by_hand([UNK, ("<0x41>", 0.0, BYTE)]),
    "more than 3,000,000 characters": by_hand([UNK, *(("a" * 7990 + str(n), -1.0, NORMAL) for n in range(380))]),
    "is not a SentencePiece model": b"\n\xff\xff\xff",
    "larger than": b"\n\x00" * (1 << 22) + b"\n\x00",
    "is not valid UTF-8": b"\n\x04\n\x02\xff\xfe\x12\x02\x18\x02",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_an_error_names_what_is_wrong(tmp_path: Path, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        load_model(tmp_path, REFUSED[reason])


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(FormatError, match=r'pip install "bpe-gui\[sentencepiece\]"'):
        load_model(tmp_path, REFUSED["type word"])


def _with_charsmap(charsmap: bytes) -> bytes:
    message = parsed(by_hand([UNK, *SINGLES]))
    message.normalizer_spec.precompiled_charsmap = charsmap
    data: bytes = message.SerializeToString()
    return data


def _pack_trie(*units: int, texts: bytes = b"x\0") -> bytes:
    return (4 * len(units)).to_bytes(4, "little") + b"".join(unit.to_bytes(4, "little") for unit in units) + texts


def _replacing_a(value: int, texts: bytes = b"x\0") -> bytes:
    """Return a character map in which `a` is replaced by the text at offset `value`."""
    units = [1 << 31] * 256
    units[0] = 1 << 10  # the offset of its children is 1
    units[1 ^ ord("a")] = ord("a") | 1 << 8 | 2 << 10  # the offset of its value is 2
    units[1 ^ ord("a") ^ 2] = 1 << 31 | value
    return _pack_trie(*units, texts=texts)


DAMAGED_CHARSMAPS = {
    "its trie has an invalid size": [b"\1", b"\xff\xff\xff\xff", b"\3\0\0\0abcdefg", _pack_trie()],
    # In the second one, the root and its child `a` have the same children.
    "points outside itself or back into itself": [
        _pack_trie(1 << 20),
        _pack_trie(*[ord("a") | 1 << 10] * 256, texts=b"\0"),
    ],
    "a string in it is not terminated": [_replacing_a(5), _replacing_a(0, b"x" * 2000 + b"\0")],
    "a string in it is not valid UTF-8": [_replacing_a(0, b"\xff\0")],
}


def test_a_character_map_is_read(tmp_path: Path) -> None:
    data = _with_charsmap(_replacing_a(0, b"bb\0"))
    assert load_model(tmp_path, data).encode("a") == processor(data).encode("a") == [1, 3, 3]


@pytest.mark.parametrize("reason", DAMAGED_CHARSMAPS)
def test_a_damaged_character_map_is_reported(tmp_path: Path, reason: str) -> None:
    for charsmap in DAMAGED_CHARSMAPS[reason]:
        with pytest.raises(FormatError, match=reason):
            load_model(tmp_path, _with_charsmap(charsmap))


def test_a_model_of_minbpe_is_not_taken_for_one_of_sentencepiece(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    path.write_text("minbpe v1\n\n0\n", "utf-8")
    assert not sentencepiece.recognises(path)
    assert load(path).encode("a") == [97]
