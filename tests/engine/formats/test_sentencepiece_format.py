"""Models of SentencePiece: the ids, pieces, places and texts are those of its package; damage is named."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import EngineError, FormatError, Tokenizer, load
from bpe_gui.engine.formats.sentencepiece import model_file as sentencepiece

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


def loaded(folder: Path, data: bytes) -> Tokenizer:
    path = folder / "some.model"
    path.write_bytes(data)
    return load(path)


class _Both:
    """Ours and the package's tokenizer of a model."""

    def __init__(self, folder: Path, data: bytes) -> None:
        self.ours = loaded(folder, data)
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
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Both:
    data = trained(vocab_size=900, hard_vocab_limit=False, **MODELS[request.param])
    return _Both(tmp_path_factory.mktemp("model"), data)


def test_tricky_texts(both: _Both) -> None:
    for text in TRICKY:
        both.check(text)
    both.check(" ".join(TRICKY))


PARTS = [" ", "  ", "▁", "lo", "a b", "<sep>", "x", "ﬁ", "e", "\u0301", "¨", "\t", "é", "你", "ZZ"]


@given(st.one_of(any_text, st.lists(st.sampled_from(PARTS)).map("".join)))
@settings(max_examples=60)
def test_any_text(both: _Both, text: str) -> None:
    both.check(text)


def test_texts_as_they_are(both: _Both, shared_data: Callable[[str], Path]) -> None:
    for line in shared_data("naughty-strings.txt").read_text("utf-8").splitlines():
        both.check(line)


def test_tokens_stand_where_the_package_says(tmp_path: Path) -> None:
    data = trained(vocab_size=900, hard_vocab_limit=False)
    ours, theirs = loaded(tmp_path, data), processor(data)
    for text in ("low  lower", " ﬁne ①②", "don't you"):
        raw = text.encode()
        expected = [piece.surface for piece in theirs.encode(text, return_type="proto").pieces]
        assert [raw[start:stop].decode() for start, stop in ours.encoding(text).byte_spans] == expected


# -- merges -------------------------------------------------------------------------------------------------------


def test_a_piece_has_the_merge_that_its_characters_come_to(tmp_path: Path) -> None:
    pieces = [UNK, *((character, -9.0, NORMAL) for character in "▁low"), ("ow", -1, NORMAL), ("low", -2, NORMAL)]
    tokenizer = loaded(tmp_path, by_hand([*pieces, ("lo", -3, NORMAL), ("▁lo", -4, NORMAL)]))
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


@given(_models(), st.lists(st.text("aabbc▁ x", max_size=70), max_size=8))
@settings(max_examples=150)
def test_models_that_nobody_would_train(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, texts: list[str]
) -> None:
    """With equal scores, with pieces that no merge leads to, and with symbols inside one another."""
    both = _Both(tmp_path_factory.mktemp("model"), data)
    for text in texts:
        both.check(text)


def test_a_piece_that_is_not_used_and_not_merged_is_harmless(tmp_path: Path) -> None:
    data = by_hand([UNK, *SINGLES, ("<unused1>", 0.0, UNUSED), ("ba", -2.0, NORMAL)])
    for text in ("<unused1>", "aba", "b<unused1>a"):
        assert loaded(tmp_path, data).encode(text) == processor(data).encode(text)


# -- what cannot be opened ----------------------------------------------------------------------------------------

SINGLES = [("▁", -9.0, NORMAL), ("a", -9.0, NORMAL), ("b", -9.0, NORMAL)]
REFUSED = {
    "type unigram": by_hand([UNK, *SINGLES], model_type=1),
    "type word": by_hand([UNK, *SINGLES], model_type=3),
    "0 pieces for what is unknown": by_hand([]),
    "2 pieces for what is unknown": by_hand([UNK, ("<u>", 0.0, UNKNOWN)]),
    "'a', is there already, as piece 2": by_hand([UNK, *SINGLES, ("a", -9.0, NORMAL)]),
    "piece 1 must have 1 to": by_hand([UNK, ("", 0.0, NORMAL)]),
    "piece 2 must have 1 to": by_hand([UNK, ("a", 0.0, NORMAL), ("a\0", 0.0, NORMAL)]),
    "'a', has no score": by_hand([UNK, ("a", float("nan"), NORMAL)]),
    "'b', which is no piece itself": by_hand([UNK, ("a", -1.0, NORMAL), ("ab", -2.0, NORMAL)]),
    "'ab', is marked as not used": by_hand([UNK, *SINGLES, ("ab", -2.0, UNUSED)]),
    "'a', is marked as not used": by_hand([UNK, SINGLES[0], ("a", -9.0, UNUSED), SINGLES[2]]),
    "1 pieces for bytes": by_hand([UNK, ("<0x41>", 0.0, BYTE)]),
    "more than 3,000,000 characters": by_hand([UNK, *(("a" * 7990 + str(n), -1.0, NORMAL) for n in range(380))]),
    "no model of SentencePiece": b"\n\xff\xff\xff",
    "larger than": b"\n\x00" * (1 << 22) + b"\n\x00",
    "is not UTF-8": b"\n\x04\n\x02\xff\xfe\x12\x02\x18\x02",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_wrong_is_named(tmp_path: Path, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        loaded(tmp_path, REFUSED[reason])


def test_without_the_package_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(FormatError, match=r'pip install "bpe-gui\[sentencepiece\]"'):
        loaded(tmp_path, REFUSED["type word"])


def _with_table(table: bytes) -> bytes:
    message = parsed(by_hand([UNK, *SINGLES]))
    message.normalizer_spec.precompiled_charsmap = table
    data: bytes = message.SerializeToString()
    return data


def _table(*units: int, texts: bytes = b"x\0") -> bytes:
    return (4 * len(units)).to_bytes(4, "little") + b"".join(unit.to_bytes(4, "little") for unit in units) + texts


def _table_of_a(value: int, texts: bytes = b"x\0") -> bytes:
    """A table in which `a` becomes the text at that place."""
    units = [1 << 31] * 256
    units[0] = 1 << 10  # children are from 1 on
    units[1 ^ ord("a")] = ord("a") | 1 << 8 | 2 << 10  # the value is 2 from here
    units[1 ^ ord("a") ^ 2] = 1 << 31 | value
    return _table(*units, texts=texts)


TABLES = {
    "its trie has no such size": [b"\1", b"\xff\xff\xff\xff", b"\3\0\0\0abcdefg", _table()],
    # The offset of the root leads to a child `a` whose children are where the root's are.
    "leads out of itself, or back into itself": [_table(1 << 20), _table(*[ord("a") | 1 << 10] * 256, texts=b"\0")],
    "a text in it has no end": [_table_of_a(5), _table_of_a(0, b"x" * 2000 + b"\0")],
    "a text in it is not UTF-8": [_table_of_a(0, b"\xff\0")],
}


def test_a_table_of_characters_is_read(tmp_path: Path) -> None:
    data = _with_table(_table_of_a(0, b"bb\0"))
    assert loaded(tmp_path, data).encode("a") == processor(data).encode("a") == [1, 3, 3]


@pytest.mark.parametrize("reason", TABLES)
def test_a_damaged_table_of_characters_is_named(tmp_path: Path, reason: str) -> None:
    for table in TABLES[reason]:
        with pytest.raises(FormatError, match=reason):
            loaded(tmp_path, _with_table(table))


@given(st.data())
@settings(max_examples=200)
def test_damage_is_an_error_or_harmless(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    model = bytearray(trained(vocab_size=900, hard_vocab_limit=False, **IDENTITY))
    for _change in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(model) - 1))
        model[place] = data.draw(st.integers(0, 255))
    del model[data.draw(st.sampled_from([len(model), data.draw(st.integers(0, len(model)))])) :]
    with suppress(EngineError):
        loaded(tmp_path_factory.mktemp("damaged"), bytes(model)).encode("low lower 你好")


def test_a_model_of_minbpe_is_none(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    path.write_text("minbpe v1\n\n0\n", "utf-8")
    assert not sentencepiece.is_model(path)
    assert load(path).encode("a") == [97]
