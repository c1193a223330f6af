"""SentencePiece models saved as `tokenizer.json`: `tokenizers` gives SentencePiece's ids, or saving is refused."""

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers.normalizers import Precompiled

from bpe_gui.engine import FormatError, load, save
from tests.engine.support.gguf_files import of_pieces, write_gguf
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.sentencepiece_models import (
    CONTROL,
    NORMAL,
    TRICKY,
    UNKNOWN,
    USER_DEFINED,
    by_hand,
    parsed,
    processor,
    trained,
)
from tests.engine.support.strategies import any_text
from tests.engine.support.transformers_folders import opened_by_transformers
from tests.examples import examples

UNK = ("<unk>", 0.0, UNKNOWN)
IDENTITY = {"normalization_rule_name": "identity", "vocab_size": 900, "hard_vocab_limit": False}
SYMBOLS = ("<sep>", "lo", "a b", "é", "<sep>x", "你好")
PLAIN = {**IDENTITY, "remove_extra_whitespaces": False}
NO_PREFIX = {**PLAIN, "add_dummy_prefix": False}
MODELS: dict[str, dict[str, object]] = {
    "like Llama's": {**PLAIN, "byte_fallback": True, "split_digits": True, "allow_whitespace_only_pieces": True},
    "unknown characters": PLAIN,
    "no extra spaces": {**IDENTITY, "byte_fallback": True},
    "no extra spaces, unknown characters": IDENTITY,
    "no prefix": NO_PREFIX,
    "no prefix, no extra spaces": {**IDENTITY, "byte_fallback": True, "add_dummy_prefix": False},
    "like Gemma's": {**NO_PREFIX, "byte_fallback": True, "user_defined_symbols": (*SYMBOLS, "▁▁", "\n\n")},
    "symbols, unknown characters": {**NO_PREFIX, "user_defined_symbols": SYMBOLS},
    "symbols, no extra spaces": {**IDENTITY, "add_dummy_prefix": False, "user_defined_symbols": SYMBOLS},
    "symbols that no text has": {**PLAIN, "user_defined_symbols": ("a b",)},
    "over spaces": {**PLAIN, "split_by_whitespace": False},
    "a character map": {"vocab_size": 900, "hard_vocab_limit": False, "byte_fallback": True},
    "a character map, symbols": {**NO_PREFIX, "normalization_rule_name": "nfkc", "user_defined_symbols": ("<sep>",)},
    "spaces as they are": {**PLAIN, "byte_fallback": True},
    "spaces as they are, symbols": {**NO_PREFIX, "user_defined_symbols": (*SYMBOLS, "a  b", "  ")},
}
PARTS = [*("", " ", "  ", "▁", "lo", "a b", "<sep>", "x", "<s>", "<unk>", "<0x41>"), *"\t\n\u3000é", *("你好", "\0")]


class _Readers:
    """A model read by SentencePiece, and the `tokenizer.json` we write from it, read by `tokenizers` and by us."""

    def __init__(self, folder: Path, data: bytes) -> None:
        (folder / "some.model").write_bytes(data)
        saved = folder / "tokenizer.json"
        save(load(folder / "some.model"), saved, "huggingface")
        self.sentencepiece = processor(data)
        self.tokenizers = TheirTokenizer.from_file(str(saved))
        self.ours = load(saved)

    def check(self, text: str) -> None:
        ids = self.sentencepiece.encode(text)
        assert self.tokenizers.encode(text).ids == ids
        assert self.ours.encode(text) == ids
        if "▁" not in text:
            assert self.tokenizers.decode(ids) == self.sentencepiece.decode(ids)


@pytest.fixture(scope="module", params=MODELS)
def readers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Readers:
    data = trained(**MODELS[request.param])
    if request.param.startswith("spaces as they are"):
        message = parsed(data)
        message.normalizer_spec.escape_whitespaces = False
        data = message.SerializeToString()
    return _Readers(tmp_path_factory.mktemp("model"), data)


@pytest.mark.slow
def test_tricky_texts_have_the_same_ids(readers: _Readers) -> None:
    for text in [*TRICKY, " ".join(TRICKY), mixed_text(5_000)]:
        readers.check(text)


@pytest.mark.slow
@given(st.one_of(any_text, st.lists(st.sampled_from(PARTS)).map("".join)))
@settings(max_examples=examples(60))
def test_any_text_has_the_same_ids(readers: _Readers, text: str) -> None:
    """Unless it has a grapheme that `Precompiled` replaces otherwise."""
    normalizer = readers.tokenizers.normalizer
    if "Precompiled" in str(normalizer):
        assume(normalizer.normalize_str(text) == readers.sentencepiece.normalize(text))
    readers.check(text)


def test_decoding_skips_control_symbols(readers: _Readers) -> None:
    theirs = readers.sentencepiece
    ids = [theirs.bos_id(), *theirs.encode("low lower"), theirs.unk_id(), theirs.eos_id()]
    assert readers.tokenizers.decode(ids) == theirs.decode(ids)
    assert theirs.decode(ids).endswith("lower ⁇ ")


@st.composite
def _models(draw: st.DrawFn) -> bytes:
    """Draw a model that nobody would train: with pieces that no merge makes, and a symbol of one character."""
    texts = draw(st.sets(st.text("abc▁", min_size=2, max_size=6).filter("aab".__ne__), max_size=40))
    scores = draw(st.permutations(range(len(texts))))
    pieces = [(text, -float(score), NORMAL) for text, score in zip(sorted(texts), scores, strict=True)]
    singles = [(character, -100.0 - ord(character), NORMAL) for character in "abc▁"]
    others = [("aab", 0.0, CONTROL), (draw(st.sampled_from(["e", "ec", "▁e"])), 0.0, USER_DEFINED)]
    message = parsed(by_hand([UNK, *singles, *others, *pieces]))
    message.normalizer_spec.add_dummy_prefix = False
    message.normalizer_spec.remove_extra_whitespaces = draw(st.booleans())
    data: bytes = message.SerializeToString()
    return data


@pytest.mark.slow
@given(_models(), st.lists(st.text("aabbc▁ xde", max_size=50), max_size=8))
@settings(max_examples=examples(100))
def test_odd_models_have_the_same_ids(tmp_path_factory: pytest.TempPathFactory, data: bytes, texts: list[str]) -> None:
    readers = _Readers(tmp_path_factory.mktemp("model"), data)
    for text in texts:
        readers.check(text)


def test_many_control_symbols_are_skipped(tmp_path: Path) -> None:
    controls = [(f"[control_{number}]", 0.0, CONTROL) for number in range(250)]
    readers = _Readers(tmp_path, by_hand([UNK, ("▁", -1.0, NORMAL), ("a", -2.0, NORMAL), *controls]))
    assert readers.tokenizers.decode([*range(1, 253)]) == readers.ours.decode([*range(1, 253)]) == "a"


WORDS = [UNK, ("▁a", -1.0, NORMAL), ("ab", -2.0, NORMAL), ("a", -4.0, NORMAL), ("b", -5.0, NORMAL)]
WORST = -1e9
RUNS = {
    "like Mistral's": [(length, WORST) for length in (2, 4, 8, 5, 16, 6, 12, 13, 10, 14, 3, 9, 7, 11, 1)],
    "like Llama's": [*((2**k, -k / 9) for k in range(1, 5)), *((length, WORST) for length in (3, 5, 6, 7, 9, 12, 1))],
    "before words": [(1, -9.0), (3, -0.5), (4, -0.5), (2, -0.5)],
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("suffix", [".json", ".model"])
def test_runs_of_spaces_that_share_a_score_have_the_same_ids(tmp_path: Path, name: str, suffix: str) -> None:
    """As in published models, whose runs of `▁` all have the worst score."""
    data = by_hand([*WORDS, *(("▁" * length, score, NORMAL) for length, score in RUNS[name])], white_space=False)
    (tmp_path / "some.model").write_bytes(data)
    saved = tmp_path / f"saved{suffix}"
    save(load(tmp_path / "some.model"), saved, {".json": "huggingface", ".model": "sentencepiece"}[suffix])
    read = (lambda text: TheirTokenizer.from_file(str(saved)).encode(text).ids) if suffix == ".json" else None
    encode = read or processor(saved.read_bytes()).encode
    ours = load(saved)
    for count in range(70):
        for text in (" " * count, f"{' ' * count}ab{' ' * count}a", f"b{' ' * count}b"):
            assert encode(text) == ours.encode(text) == processor(data).encode(text)


def test_a_transformers_folder_gives_the_same_ids(tmp_path: Path) -> None:
    data = trained(**MODELS["like Llama's"])
    (tmp_path / "some.model").write_bytes(data)
    save(load(tmp_path / "some.model"), tmp_path, "transformers")
    theirs = opened_by_transformers(tmp_path)
    for text in TRICKY:
        assert theirs.encode(text) == processor(data).encode(text)


@pytest.mark.parametrize("name", ["like Llama's", "unknown characters", "no prefix"])
def test_a_model_from_gguf_gives_the_same_ids(tmp_path: Path, name: str) -> None:
    data = trained(**MODELS[name])
    values = of_pieces(data) | {"add_add_bos_token": True}
    ours = load(write_gguf(tmp_path / "some.gguf", values))
    save(ours, tmp_path / "tokenizer.json", "huggingface")
    theirs = TheirTokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in [*TRICKY, "low<s> lower</s></s>  low"]:
        ids = ours.encode(text)
        assert theirs.encode(text).ids == ids
        assert theirs.decode(ids, skip_special_tokens=False) == ours.decode(ids)
    assert theirs.encode("low").ids == [ours.special_tokens["<s>"], *processor(data).encode("low")]


# -- models that are refused --------------------------------------------------------------------------------------

A_AND_B = [UNK, ("▁", -9.0, NORMAL), ("a", -10.0, NORMAL), ("b", -11.0, NORMAL)]
REFUSED: dict[str, dict[str, object]] = {
    "the character map (nmt_nfkc_cf) of this SentencePiece model, which writes": {
        **IDENTITY,
        "normalization_rule_name": "nmt_nfkc_cf",
    },
    "puts whitespace after words (treat_whitespace_as_suffix)": {**PLAIN, "treat_whitespace_as_suffix": True},
    "symbol '<sep>' of this SentencePiece model, which puts": {**PLAIN, "user_defined_symbols": ("<sep>",)},
    "symbol 'x▁' of this SentencePiece model, because `tokenizers` would": {
        **IDENTITY,
        "add_dummy_prefix": False,
        "user_defined_symbols": ("y", "x▁"),
    },
    "symbol 'ﬁ' of this SentencePiece model, because `tokenizers` would change": {
        **NO_PREFIX,
        "normalization_rule_name": "nfkc",
        "user_defined_symbols": ("ﬁ",),
    },
    "symbol 'a  b' of this SentencePiece model, because `tokenizers` would": {
        **IDENTITY,
        "user_defined_symbols": ("y z", "a  b"),
    },
}


def assert_refused(folder: Path, data: bytes, reason: str) -> None:
    (folder / "some.model").write_bytes(data)
    ours = load(folder / "some.model")
    for kind in ("huggingface", "transformers"):
        with pytest.raises(FormatError, match=re.escape(reason)):
            save(ours, folder / kind, kind)


def test_precompiled_looks_up_other_characters_than_sentencepiece() -> None:
    """So a few texts get other ids from a model with a character map."""
    data = trained(vocab_size=900, hard_vocab_limit=False)
    step = Precompiled(parsed(data).normalizer_spec.precompiled_charsmap)
    assert processor(data).normalize("\u1100\u1161") == "▁가"
    assert step.normalize_str("\u1100\u1161") == "\u1100\u1161"


@pytest.mark.slow
@pytest.mark.parametrize("reason", REFUSED)
def test_the_error_names_what_cannot_be_represented(tmp_path: Path, reason: str) -> None:
    assert_refused(tmp_path, trained(**REFUSED[reason]), reason)


@pytest.mark.parametrize(
    "pieces",
    [
        [("▁▁", -3.0), ("▁▁▁", -3.0), ("▁▁▁▁", -7.0)],  # a run with a worse score
        [("▁▁", -3.0), ("▁▁▁", -3.0), ("▁▁b", -6.0)],  # pieces begin with several
        [("▁▁", -3.0), ("▁▁▁", -3.0), ("b▁", -6.0)],  # pieces end with one
        [("▁▁", -2.0), ("▁▁▁", -2.0), ("▁▁▁▁", -3.0), ("▁▁▁▁▁", -3.0)],
        [("▁▁", -3.0), ("bb", -3.0)],
    ],
)
def test_runs_of_spaces_that_might_be_merged_differently_are_refused(
    tmp_path: Path, pieces: list[tuple[str, float]]
) -> None:
    assert_refused(tmp_path, by_hand([*A_AND_B, *((*piece, NORMAL) for piece in pieces)]), "share a score, such as")


def test_pieces_that_share_a_score_are_refused(tmp_path: Path) -> None:
    data = by_hand([*A_AND_B, ("ab", -1.0, NORMAL), ("ba", -1.0, NORMAL)])
    assert_refused(tmp_path, data, "share a score, such as 'ab' and 'ba'")
    # No order of the two merges gives readers.
    assert processor(data).encode(["aba", "bab"], out_type=str) == [["▁", "ab", "a"], ["▁", "ba", "b"]]


def test_a_control_symbol_of_one_character_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, by_hand([*A_AND_B, ("x", 0.0, CONTROL)]), "the control symbol 'x'")


@pytest.mark.slow
def test_a_character_map_for_decoded_text_is_refused(tmp_path: Path) -> None:
    message = parsed(by_hand(A_AND_B))
    message.denormalizer_spec.CopyFrom(parsed(trained(vocab_size=900, hard_vocab_limit=False)).normalizer_spec)
    assert_refused(
        tmp_path, message.SerializeToString(), "(nmt_nfkc) that this SentencePiece model applies to decoded text"
    )
