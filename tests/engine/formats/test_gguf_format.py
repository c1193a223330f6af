"""GGUF files written by the package `gguf`: they give the ids of the tokenizers that they were written from."""

import struct
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gguf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import FormatError, Recipe, Tokenizer, load, save, train
from bpe_gui.engine.formats import gguf_metadata as our_gguf
from bpe_gui.engine.formats.llama_cpp_splitters import LLAMA_CPP_SPLITTERS
from bpe_gui.engine.pipeline.published_patterns import KNOWN_SPLITTERS
from bpe_gui.engine.proof import readers_for, save_caution
from bpe_gui.engine.proof.proof import HARD_STRINGS
from tests.engine.support.gguf_files import BYTE, CONTROL, NORMAL, UNUSED, USER_DEFINED, of_bytes, of_pieces, write_gguf
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.sentencepiece_models import TRICKY, processor, trained
from tests.engine.support.strategies import any_text

TEXT = mixed_text(20_000)
SPECIALS = ["<|e|>", "<|pad|>", "  "]
LLAMA = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "byte_fallback": True,
    "split_digits": True,
    "vocab_size": 900,
    "hard_vocab_limit": False,
}


@pytest.fixture(scope="module")
def ours() -> Tokenizer:
    return train(TEXT, recipe="huggingface", vocab_size=700, special_tokens=SPECIALS)


def load_gguf(folder: Path, values: dict[str, Any]) -> Tokenizer:
    return load(write_gguf(folder / "some.gguf", values))


# -- written ------------------------------------------------------------------------------------------------------


def saved_gguf(folder: Path, tokenizer: Tokenizer) -> Path:
    return save(tokenizer, folder / "ours.gguf", "gguf")[0]


def test_a_written_tokenizer_is_read_back(tmp_path: Path, ours: Tokenizer) -> None:
    template, templates = "{{ messages }}", [{"name": "tool", "template": "{{ tools }}"}]
    changes = {"eos_token": "<|e|>", "pad_token": "<|pad|>", "model_max_length": 2048}
    further = {"model_specific_special_tokens": {"fim_pre_token": "<|pad|>"}}
    for chat_template in (template, [{"name": "default", "template": template}, *templates]):
        config = ours.config.with_changes(**changes, **further, chat_template=chat_template)
        path = saved_gguf(tmp_path, ours.with_config(config))
        theirs = load(path)
        assert theirs == ours
        assert theirs.config.roles == config.roles
        assert theirs.chat_templates == config.chat_templates
        assert theirs.config.values["model_max_length"] == 2048
        assert save(theirs, tmp_path / "again.gguf", "gguf")[0].read_bytes() == path.read_bytes()


def test_the_package_reads_what_is_written(tmp_path: Path, ours: Tokenizer) -> None:
    config = ours.config.with_changes(eos_token="<|e|>", model_max_length=int(1e30))
    fields = gguf.GGUFReader(saved_gguf(tmp_path, ours.with_config(config))).fields
    values = {key: field.contents() for key, field in fields.items()}
    expected = gguf.GGUFReader(write_gguf(tmp_path / "theirs.gguf", of_bytes(ours), tensors=0)).fields
    for name in ("model", "pre", "tokens", "token_type", "merges"):
        assert values[f"tokenizer.ggml.{name}"] == expected[f"tokenizer.ggml.{name}"].contents()
        assert fields[f"tokenizer.ggml.{name}"].types == expected[f"tokenizer.ggml.{name}"].types
    assert values["tokenizer.ggml.eos_token_id"] == ours.special_tokens["<|e|>"]
    assert values["GGUF.tensor_count"] == 0
    assert "llama.context_length" not in values


@pytest.mark.parametrize("pre", [name for name, known in LLAMA_CPP_SPLITTERS.items() if known.is_byte_level])
def test_every_splitter_keeps_its_name(tmp_path: Path, ours: Tokenizer, pre: str) -> None:
    values = of_bytes(ours, pre) | {"add_bos_token_id": 0, "add_add_bos_token": True}
    theirs = load_gguf(tmp_path, values)
    again = load(saved_gguf(tmp_path, theirs))
    assert again == theirs
    assert again.config.values["tokenizer.ggml.pre"] == pre
    assert again.encode(TEXT[:3000]) == theirs.encode(TEXT[:3000])


@pytest.mark.parametrize(("splitter", "pre"), [("llama3", "llama3"), ("qwen2", "qwen2")])
def test_only_the_long_s_is_split_in_another_way(tmp_path: Path, splitter: str, pre: str) -> None:
    recipe = Recipe.of("huggingface").with_changes(splitter=KNOWN_SPLITTERS[splitter])
    ours = train(TEXT + "ſow " * 1000, recipe=recipe, vocab_size=700)
    theirs = load(saved_gguf(tmp_path, ours))
    assert theirs.config.values["tokenizer.ggml.pre"] == pre
    for text in [*TRICKY, *HARD_STRINGS, TEXT]:
        assert theirs.encode(text) == ours.encode(text)
    assert theirs.encode("'ſow") != ours.encode("'ſow")
    assert str(save_caution(ours, "gguf")).startswith("llama.cpp does not take 'ſ for a contraction")
    assert save_caution(theirs, "gguf") is None


@pytest.mark.parametrize("splitter", ["cl100k", "o200k", "none"])
def test_a_splitter_that_llama_cpp_does_not_have_is_refused(tmp_path: Path, splitter: str) -> None:
    ours = train(TEXT, recipe=Recipe.of("huggingface").with_changes(splitter=splitter), num_merges=20)
    with pytest.raises(FormatError, match="none of the ways it knows is this tokenizer"):
        saved_gguf(tmp_path, ours)
    assert not list(tmp_path.iterdir())


def test_ids_without_a_token_are_unused(tmp_path: Path, ours: Tokenizer) -> None:
    sparse = Tokenizer(
        ours.vocab | {800: b"<|x|>"}, ours.merges, {**ours.special_tokens, "<|x|>": 800}, recipe="huggingface"
    )
    theirs = load(saved_gguf(tmp_path, sparse))
    assert theirs.encode("low<|x|>er") == sparse.encode("low<|x|>er")
    assert len(theirs) == 801


def test_a_token_that_llama_cpp_takes_for_another_is_refused(tmp_path: Path) -> None:
    parts = [bytes([byte]) for byte in b"<|im_end|>"]
    merges = [(b"".join(parts[:size]), parts[size]) for size in range(1, len(parts))]
    tokens = [*(bytes([byte]) for byte in range(256)), *map(b"".join, merges)]
    by_name = Tokenizer(dict(enumerate(tokens)), merges, recipe="huggingface")
    written_alike = train("low low low", recipe="huggingface", num_merges=3, special_tokens=["Ġlow"])
    for tokenizer, error in ((by_name, r"the token '<\|im_end\|>' for another"), (written_alike, "Ġlow")):
        with pytest.raises(FormatError, match=error):
            saved_gguf(tmp_path, tokenizer)


def test_a_proof_asks_llama_cpp(tmp_path: Path, ours: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Llama:
        """A stand-in for llama-cpp-python's class, which encodes with our reader."""

        def __init__(self, *, model_path: str, vocab_only: bool, verbose: bool) -> None:
            assert (vocab_only, verbose) == (True, False)
            self._tokenizer = load(model_path)

        def tokenize(self, text: bytes, *, add_bos: bool, special: bool) -> list[int]:
            assert add_bos and special
            return self._tokenizer.encode(text.decode())

    paths = save(ours, tmp_path / "ours.gguf", "gguf")
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    _own, theirs = readers_for(ours, "gguf", paths)
    assert "pip install llama-cpp-python" in str(theirs.prove(["low"]).obstacle)
    monkeypatch.setitem(sys.modules, "llama_cpp", SimpleNamespace(Llama=Llama))
    own, theirs = readers_for(ours, "gguf", paths)
    assert not own.prove(HARD_STRINGS).fails
    assert theirs.prove(HARD_STRINGS).compared > 50


# -- gpt2: bytes --------------------------------------------------------------------------------------------------


def test_a_tokenizer_of_bytes_has_the_same_ids(tmp_path: Path, ours: Tokenizer) -> None:
    theirs = load_gguf(tmp_path, of_bytes(ours))
    assert (theirs.vocab, theirs.merges, theirs.special_tokens) == (ours.vocab, ours.merges, ours.special_tokens)
    for text in [*TRICKY, TEXT, "low<|e|>er <|pad|>\n   \n"]:
        assert theirs.encode(text) == ours.encode(text)
        assert theirs.decode(ours.encode(text)) == text
    assert theirs.pipeline is None  # a recipe, so kernels encode


@given(st.lists(st.one_of(any_text, st.sampled_from(["low", "<|e|>", "  ", "\n"]))).map("".join))
def test_any_text_has_the_same_ids(tmp_path_factory: pytest.TempPathFactory, ours: Tokenizer, text: str) -> None:
    theirs = load_gguf(tmp_path_factory.mktemp("gguf"), of_bytes(ours, user_defined=["  "]))
    assert theirs.encode(text) == ours.encode(text)
    spans = theirs.encoding(text).byte_spans
    assert b"".join(text.encode()[start:stop] for start, stop in spans) == text.encode()


UNUSUAL = "'ſa 'LL o\u0364AbC, ǅ12345٣\u3000é\u200c文かไ\ue000b\r\n\n     ～<=E-$x"
SPLIT_UNUSUAL = {
    "default": "'|ſa| |'|LL| o|\u0364|AbC|,| ǅ|123|45٣|\u3000|é|\u200c|文かไ|\ue000|b|\r\n\n    | ～|<=|E|-$|x",
    "llama3": "'ſa| '|LL| o|\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "jais-2": "'ſa| '|LL| o|\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "deepseek-llm": "'|ſ|a| '|LL| o|\u0364|AbC|,| ǅ|12345٣|\u3000é|\u200c文かไ|\ue000|b|\r|\n|\n|    | ～<=|E|-$|x",
    "deepseek-coder": (
        "'|ſa| '|LL| o|\u0364|AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c|文かไ|\ue000|b|\r|\n|\n|     ～<=|E|-|$|x"
    ),
    "deepseek-v3": "'|ſa| '|LL| o\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c|文か|ไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "spark2_5": "'|ſa| '|LL| o\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c|文か|ไ|\ue000b|\r|\n|\n|    | ～<=|E|-$|x",
    "youtu": "'ſa| '|LL| o\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c|文か|ไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "falcon": "'|ſa| |'|LL| o|\u0364|AbC|,| ǅ|123|45٣|\u3000|é|\u200c|文かไ|\ue000|b|\r\n\n    | ～|<=|E|-$|x",
    "starcoder": "'|ſa| '|LL| o|\u0364|AbC|,| ǅ|1|2|3|4|5|٣|\u3000|é|\u200c|文かไ|\ue000|b|\r\n\n    | ～<=|E|-$|x",
    "gpt-2": "'|ſa| '|LL| o|\u0364|AbC|,| ǅ|12345٣|\u3000|é|\u200c|文かไ|\ue000|b|\r\n\n    | ～<=|E|-$|x",
    "qwen2": "'ſa| '|LL| o|\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "laguna": "'ſa| '|LL| o|\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r|\n\n|    | ～<=|E|-$|x",
    "qwen35": "'ſa| '|LL| o\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "ufakzeka": "'ſa| '|LL| o|\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "k2-horizon": "'ſ|a| '|LL| o\u0364AbC|,| ǅ|123|45٣|\u3000é\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "poro-chat": "'ſa| 'LL| o\u0364AbC|,| ǅ12345٣|\u3000|é\u200c文かไ\ue000b|\r\n\n    | ～<=E-$x",
    "viking": "'ſa| 'LL| o\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000|é\u200c文かไ\ue000b|\r\n\n    | ～<=E-$x",
    "tekken": "'ſa| '|LL| o|\u0364Ab|C|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "chameleon": (
        "'|ſa| |'|LL| o|\u0364|AbC|,| ǅ|1|2|3|4|5|٣|\u3000|é|\u200c|文かไ|\ue000|b|\r|\n|\n|    | ～|<|=|E|-|$|x"
    ),
    "gpt-4o": "'ſa| '|LL| o|\u0364Ab|C|,| ǅ|123|45٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "granite-embed-multi-97m": (
        "'ſa| '|LL| o\u0364|Ab|C|,| ǅ|123|45٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x"
    ),
    "tiny_aya": "'ſa| '|LL| o\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "superbpe": "'ſa 'LL o\u0364AbC, ǅ|12|345٣|\u3000é\u200c文かไ\ue000b\r\n\n     ～<=E-$x",
    "bailingmoe": "'ſa| '|LL| o|\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "seed-coder": "'ſa| '|LL| o|\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "kimi-k2": "'ſa| '|LL| o|\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c|文|かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "exaone-moe": "'ſa| '|LL o\u0364AbC|,| ǅ|1|2|3|4|5|٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
    "afmoe": "'|ſa| '|LL| o\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c|文かไ|\ue000|b|\r\n\n|    | ～<=|E|-$|x",
    "minicpm5": "'ſa| '|LL| o|\u0364AbC|,| ǅ|123|45٣|\u3000é|\u200c文かไ|\ue000b|\r\n\n|    | ～<=|E|-$|x",
}
"""How the llama.cpp release of October 2026 splits this text. Several of its splitters may share a pattern."""


@pytest.mark.parametrize("pre", SPLIT_UNUSUAL)
def test_unusual_text_is_split_as_llama_cpp_does_rather_than_the_original_model(tmp_path: Path, pre: str) -> None:
    theirs = load_gguf(tmp_path, of_bytes(train("low low", recipe="huggingface", num_merges=1), pre))
    edges = [*theirs.word_starts(UNUSUAL.encode()).tolist(), len(UNUSUAL.encode())]
    assert "|".join(UNUSUAL.encode()[start:stop].decode() for start, stop in pairwise(edges)) == SPLIT_UNUSUAL[pre]


def test_every_splitter_of_bytes_was_compared_with_llama_cpp() -> None:
    compared = {LLAMA_CPP_SPLITTERS[pre].patterns for pre in SPLIT_UNUSUAL}
    assert compared == {splitter.patterns for splitter in LLAMA_CPP_SPLITTERS.values() if splitter.is_byte_level}


# -- gpt2 and gemma4: characters ----------------------------------------------------------------------------------

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
PIECES = ["<bos>", "<|e|>", *BYTES, "\u2581", "a", "b", "\n", "ab", "\n\n", "\u2581\u2581"]


def of_characters(pre: str) -> dict[str, Any]:
    return {
        "add_tokenizer_model": "gpt2",
        "add_tokenizer_pre": pre,
        "add_token_list": PIECES,
        "add_token_types": [CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 7],
        "add_token_merges": ["a b", "\n \n", "\u2581 \u2581"],
        "add_bos_token_id": 0,
        "add_add_bos_token": False,
    }


@pytest.mark.parametrize(("pre", "before"), [("gemma4", [0]), ("sarvam-moe", [])])
def test_characters_are_merged_across_spaces_but_not_line_breaks(tmp_path: Path, pre: str, before: list[int]) -> None:
    theirs = load_gguf(tmp_path, of_characters(pre))
    pieces = ["ab", "\u2581\u2581", "a", "\n\n", "\n", "b", "<0xC3>", "<0xA9>", "<|e|>", "\u2581"]
    text = "ab  a\n\n\nb\xe9<|e|> "
    assert theirs.encode(text) == [*before, *map(PIECES.index, pieces)]
    assert theirs.decode(theirs.encode(text)[len(before) :]) == text


def test_a_file_of_gemma_4_needs_no_name_of_a_splitter(tmp_path: Path) -> None:
    values = of_characters("gemma4") | {"add_tokenizer_model": "gemma4"}
    del values["add_tokenizer_pre"]
    assert load_gguf(tmp_path, values).encode("ab") == [0, PIECES.index("ab")]


@pytest.mark.parametrize("kind", [NORMAL, UNUSED])
def test_line_breaks_that_no_merge_makes_are_refused(tmp_path: Path, kind: int) -> None:
    kinds = [CONTROL, CONTROL, *[BYTE] * 256, *[kind] * 7]
    values = of_characters("gemma4") | {"add_token_merges": ["a b"], "add_token_types": kinds}
    with pytest.raises(FormatError, match=r"no merges that make the token '\\n\\n'"):
        load_gguf(tmp_path, values)


def test_tokens_are_added_around_a_text_as_in_llama_cpp(tmp_path: Path, ours: Tokenizer) -> None:
    ids, special = ours.encode("low"), ours.special_tokens["<|e|>"]
    values = of_bytes(ours) | {"add_bos_token_id": special, "add_eos_token_id": special}
    assert load_gguf(tmp_path, values).encode("low") == ids
    assert load_gguf(tmp_path, values | {"add_add_bos_token": True}).encode("low") == [special, *ids]
    assert load_gguf(tmp_path, values | {"add_add_eos_token": True}).encode("low") == [*ids, special]
    assert load_gguf(tmp_path, values | {"add_tokenizer_pre": "llama-bpe"}).encode("low") == [special, *ids]


def test_merges_never_give_an_unused_token_with_the_same_bytes(tmp_path: Path, ours: Tokenizer) -> None:
    values = of_bytes(ours) | {"add_tokenizer_pre": "qwen2"}
    space = next(i for i, token in ours.vocab.items() if token.startswith(b" ") and len(token) > 2 and ours.rank(i))
    values["add_token_list"] = [*values["add_token_list"], ours.vocab[space].decode()]
    values["add_token_types"] = [*values["add_token_types"], UNUSED]
    theirs = load_gguf(tmp_path, values)
    assert theirs.encode(ours.vocab[space].decode()) == [space]


def test_a_word_that_is_a_token_stays_whole_if_llama_cpp_ignores_merges(tmp_path: Path) -> None:
    bare = Tokenizer(
        {**{byte: bytes([byte]) for byte in range(256)}, 256: b"low", 257: b"ow"}, [(b"o", b"w")], recipe="huggingface"
    )
    assert load_gguf(tmp_path, of_bytes(bare)).encode("low") == [ord("l"), 257]
    values = of_bytes(bare, "llama-bpe") | {"add_add_bos_token": False}
    assert load_gguf(tmp_path, values).encode("low") == [256]


# -- llama: pieces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"add_dummy_prefix": False}, {"byte_fallback": False}])
def test_a_model_of_sentencepiece_has_its_ids(tmp_path: Path, options: dict[str, object]) -> None:
    model = trained(**(LLAMA | options))
    theirs, tokenizer = processor(model), load_gguf(tmp_path, of_pieces(model))
    for text in [*TRICKY, TEXT]:
        if "<s>" not in text:  # llama.cpp finds special tokens in a text, SentencePiece does not
            ids = theirs.encode(text)
            assert tokenizer.encode(text) == ids
            assert [token.decode() for token in tokenizer.tokenize(text)] == [theirs.id_to_piece(i) for i in ids]
            if theirs.unk_id() not in ids:
                assert tokenizer.decode(ids) == theirs.decode(ids)


def test_special_tokens_are_found_and_a_space_follows_them(tmp_path: Path) -> None:
    model = trained(**LLAMA)
    theirs, values = processor(model), of_pieces(model)
    tokenizer = load_gguf(tmp_path, values | {"add_add_bos_token": True, "add_add_eos_token": True})
    low = theirs.encode("low")
    assert tokenizer.encode("low<s>low") == [theirs.bos_id(), *low, theirs.bos_id(), *low, theirs.eos_id()]


# -- files that are refused ---------------------------------------------------------------------------------------


def test_an_error_names_what_is_wrong(tmp_path: Path, ours: Tokenizer) -> None:
    good = of_bytes(ours)
    pieces = of_pieces(trained(**LLAMA))
    changes: list[tuple[str, dict[str, Any]]] = [
        ("'bert'. Only gpt2, gemma4 and llama", {"add_tokenizer_model": "bert"}),
        ("'t5'. Only gpt2, gemma4 and llama", {"add_tokenizer_model": "t5"}),
        ("'some-new', which is not a supported", {"add_tokenizer_pre": "some-new"}),
        ("contains 'a' twice, with the ids 0 and 1", {"add_token_list": ["a", "a"], "add_token_types": [1, 1]}),
        ("must be a list of .* numbers", {"add_token_types": [1, 2]}),
        ("'ab', is not two tokens", {"add_token_merges": ["a b", "ab"]}),
        ("'a b c', is not two tokens", {"add_token_merges": ["a b c"]}),
        (
            "bos_token_id must be a non-negative integer less than",
            {"add_bos_token_id": 4000, "add_add_bos_token": True},
        ),
        (
            "scores must contain only finite numbers",
            {**pieces, "add_token_scores": [float("nan")] * len(pieces["add_token_list"])},
        ),
    ]
    for reason, change in changes:
        with pytest.raises(FormatError, match=reason):
            load_gguf(tmp_path, good | change)


def _pack_string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


def _pack_file(*values: bytes, version: int = 3, count: int | None = None) -> bytes:
    head = struct.pack("<4sIQQ", b"GGUF", version, 0, len(values) if count is None else count)
    return head + b"".join(values)


def _pack_value(kind: int, *parts: tuple[str, int], key: bytes = b"k") -> bytes:
    """Pack a key, the type of its value, and numbers, each with its format character."""
    return (
        _pack_string(key)
        + struct.pack("<I", kind)
        + b"".join(struct.pack("<" + width, number) for width, number in parts)
    )


MODEL = b"tokenizer.ggml.model"
HOSTILE = {
    "does not start with GGUF": [b"", b"GGU", b"GGML" + bytes(40)],
    "version 1": [_pack_file(version=1)],
    "version 50331648": [struct.pack(">4sIQQ", b"GGUF", 3, 0, 0)],
    "is truncated": [b"GGUF\3", _pack_file(count=9), _pack_file(_pack_value(8, ("Q", 1 << 20)))],
    "is over the limit of": [
        _pack_file(count=1 << 60),
        _pack_file(struct.pack("<Q", 1 << 62)),
        _pack_file(_pack_value(9, ("I", 8), ("Q", 1 << 61))),
    ],
    "exceed 67": [_pack_file(_pack_value(8, ("Q", 1 << 61)))],
    "unknown type 13": [_pack_file(_pack_value(13))],
    "unknown type 9": [_pack_file(_pack_value(9, ("I", 9), ("Q", 1)))],
    "occurs twice": [_pack_file(_pack_value(0, ("B", 1)), _pack_value(0, ("B", 1)))],
    "model must be a string": [_pack_file(), _pack_file(_pack_value(0, ("B", 1), key=MODEL))],
    "which is not valid UTF-8": [_pack_file(_pack_value(8, key=MODEL) + _pack_string(b"\xff"))],
}


@pytest.mark.parametrize("reason", HOSTILE)
def test_hostile_files_are_refused(tmp_path: Path, reason: str) -> None:
    for data in HOSTILE[reason]:
        path = tmp_path / "some.gguf"
        path.write_bytes(data)
        with pytest.raises(FormatError, match=reason):
            load(path)


def test_weights_are_not_read(tmp_path: Path, ours: Tokenizer) -> None:
    """Neither their description nor themselves: the file may even end where they begin."""
    path = write_gguf(tmp_path / "some.gguf", of_bytes(ours), tensors=0)
    data = path.read_bytes().rstrip(b"\0")
    path.write_bytes(data[:8] + struct.pack("<Q", 1 << 60) + data[16:])
    assert load(path).encode("low") == ours.encode("low")


def test_the_constants_are_those_of_the_package() -> None:
    types = gguf.GGUFValueType
    assert (types.STRING.value, types.ARRAY.value) == (our_gguf.STRING, our_gguf.ARRAY)
    numbers = {
        types[{"u": "UINT", "i": "INT", "f": "FLOAT"}[dtype[1]] + str(8 * int(dtype[2]))]: kind
        for kind, dtype in our_gguf.NUMBERS.items()
        if dtype != "?"
    }
    assert {**numbers, types.BOOL: 7} == {kind: kind.value for kind in types if kind not in (types.STRING, types.ARRAY)}
    assert int.from_bytes(our_gguf.MAGIC, "little") == gguf.GGUF_MAGIC
    assert our_gguf.VERSIONS[-1] == gguf.GGUF_VERSION
    assert (NORMAL, CONTROL, USER_DEFINED) == (
        gguf.TokenType.NORMAL,
        gguf.TokenType.CONTROL,
        gguf.TokenType.USER_DEFINED,
    )
