"""Kernels encode with pipelines as words are encoded one by one: the same ids, offsets and words."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import (
    AddedToken,
    ByteLevel,
    Digits,
    EngineError,
    LiveText,
    Lowercase,
    Metaspace,
    Pipeline,
    Prepend,
    Punctuation,
    Replace,
    SentencePieceNormalizer,
    Split,
    Tokenizer,
    UnicodeForm,
    WhitespaceSplit,
    live_text,
)
from bpe_gui.engine.encoding import pipeline_encoder, text_encoder, word_by_word
from bpe_gui.engine.encoding.pipeline_kernels import section_model
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.text.special_tokens import TEXT_END

BYTES = [bytes([byte]) for byte in range(256)]
CHARACTERS = [character.encode() for character in "ab▁ e\u0301ĠA1"]
BYTE_TOKENS = [b"<0x%02X>" % byte for byte in range(256)]
BYTE_MERGES = [(b"a", b"b"), (b" ", b"ab"), (b"\xc3", b"\xa9"), (b"\xcc", b"\x81"), (b"e", b"\xcc\x81"), (b"ab", b"1")]
MERGES = [(b"a", b"b"), ("▁".encode(), b"a"), ("▁".encode(), b"ab"), (b"ab", b"b"), (b"e", "\u0301".encode())]
ADDED = (AddedToken(id=900, content="<s>"), AddedToken(id=901, content="A b", normalized=True, special=False))
FLAGGED = (
    AddedToken(id=900, content="<s>", lstrip=True),
    AddedToken(id=901, content="ab", single_word=True, rstrip=True),
)

BYTE_LEVEL: dict[str, dict[str, Any]] = {
    "gpt2": {"pre_tokenizers": (ByteLevel(use_regex=True),)},
    "prefix": {"pre_tokenizers": (ByteLevel(add_prefix_space=True, use_regex=True),), "added_tokens": ADDED},
    "composed": {
        "normalizers": (UnicodeForm("NFC"),),
        "pre_tokenizers": (Split(r"\s+|\w+", "isolated"), Digits(individual=True), ByteLevel()),
        "added_tokens": ADDED[:1],
    },
    "no split": {"pre_tokenizers": (ByteLevel(),), "added_tokens": FLAGGED},
    "falcon": {
        "pre_tokenizers": (
            Punctuation("contiguous"),
            ByteLevel(use_regex=True),
            Digits(),
            Split("[0-9][0-9][0-9]", "isolated"),
        ),
        "added_tokens": ADDED,
        "ids_after": (7,),
    },
    "printed and dropped": {
        "normalizers": (Lowercase(), UnicodeForm("NFD")),
        "pre_tokenizers": (ByteLevel(add_prefix_space=True), Split("Ġ", "removed"), Digits(individual=True)),
        "added_tokens": FLAGGED,
    },
    "dropping": {"pre_tokenizers": (WhitespaceSplit(), ByteLevel()), "normalizers": (Lowercase(), UnicodeForm("NFD"))},
    "whole words": {"pre_tokenizers": (ByteLevel(use_regex=True),), "ignores_merges": True, "ids_before": (7,)},
}
BY_CHARACTER: dict[str, dict[str, Any]] = {
    "sentencepiece": {"normalizers": (SentencePieceNormalizer(),), "falls_back_to_bytes": True},
    "symbols": {"normalizers": (SentencePieceNormalizer(removes_extra_whitespaces=False),), "added_tokens": ADDED},
    "llama": {"normalizers": (Prepend("▁"), Replace(" ", "▁")), "falls_back_to_bytes": True, "added_tokens": ADDED[:1]},
    "gemma": {
        "normalizers": (Replace(" ", "▁"),),
        "pre_tokenizers": (Split(" ", "merged_with_previous", is_regex=False),),
        "falls_back_to_bytes": True,
        "fuses_unknown": True,
    },
    "metaspace": {"pre_tokenizers": (Metaspace(prepend_scheme="first"),), "fuses_unknown": True, "ids_after": (7,)},
    "plain": {"fuses_unknown": True},
    "unfused": {},
    "marked": {"pre_tokenizers": (WhitespaceSplit(),), "suffix": "</w>"},
}
Merges = list[tuple[bytes, bytes]]
TEXTS = st.lists(
    st.sampled_from(
        ["a", "b", "ab", " ", "  ", "\n", "e\u0301", "é", "é1", "A b", "<s>", "▁", "x", "xx", "你", "\t", "1234", "²"]
    ),
    max_size=12,
).map("".join)


def tokenizer(options: dict[str, Any], tokens: list[bytes], merges: Merges, **more: Any) -> Tokenizer:
    """Return a tokenizer with a pipeline."""
    model = {name: options[name] for name in options if name in ModelOptions.__dataclass_fields__}
    steps = {name: value for name, value in options.items() if name not in model}
    vocab = dict(enumerate(dict.fromkeys([*tokens, *(left + right for left, right in merges)])))
    vocab |= {token.id: token.content.encode() for token in steps.get("added_tokens", ())}
    is_byte_level = tokens[: len(BYTES)] == BYTES
    pipeline = Pipeline(**steps, model=ModelOptions(**model, is_byte_level=is_byte_level))
    return Tokenizer(vocab, merges, pipeline=pipeline, **more)


def answers(tokenizer: Tokenizer, text: str) -> list[Any]:
    """Return what the methods of a tokenizer that encode say of a text."""
    encoding = tokenizer.encoding(text)
    live = LiveText(text)
    live.encode_with(tokenizer)
    live.encode_near(0, len(text.encode()))
    return [
        tokenizer.encode(text),
        encoding.ids,
        encoding.byte_spans,
        tokenizer.ids_by_word(text.encode())[0].tolist(),
        tokenizer.word_starts(text.encode()).tolist(),
        [i for _text, tokens in live.snapshot() for i in tokens.ids.tolist()],
        tokenizer.encode_batch([text, "ab", ""] * 20),
        list(tokenizer.encode_iterable([text, " a", text])),
        [each.tolist() for each in tokenizer.text_ids(TEXT_END.join([text.encode(), b"", b" a", text.encode(), b""]))],
    ]


def check(
    options: dict[str, Any], tokens: list[bytes], merges: Merges, text: str, unknown_id: int | None = None
) -> None:
    """Assert that kernels encode a text as it is encoded word by word."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_text, "BLOCK", 8)
        patch.setattr(live_text, "_QUICK_BYTES_WITH_STEPS", 1 << 10)
        patch.setattr(text_encoder, "STREAM_BYTES", 4)
        by_kernels = tokenizer(options, tokens, merges).with_unknown_id(unknown_id)
        assert by_kernels.pipeline is not None
        assert section_model(by_kernels.store, by_kernels.pipeline) is not None
        found = answers(by_kernels, text)
        patch.setattr(pipeline_encoder, "section_model", lambda *_: None)
        assert found == answers(tokenizer(options, tokens, merges).with_unknown_id(unknown_id), text)


@pytest.mark.parametrize("name", BYTE_LEVEL)
@given(text=TEXTS)
def test_bytes_are_encoded_as_word_by_word(name: str, text: str) -> None:
    check(BYTE_LEVEL[name], BYTES, BYTE_MERGES, text)


@given(
    st.lists(st.sampled_from(["a", "b", "1", "ab", "b1", "ab1", "aab1", " ab1", "xx", " "]), max_size=9).map("".join)
)
def test_tokens_stay_whole_from_the_step_that_makes_them(text: str) -> None:
    merges = [(b"b", b"1"), (b"a", b"b"), (b"a", b"ab1"), (b"ab", b"1"), (b" ", b"a"), (b"a", b"b1"), (b" a", b"b1")]
    tokens = [*BYTES, b"xx"]  # which no merge makes
    made = tokenizer({**BYTE_LEVEL["whole words"], "ids_before": ()}, tokens, merges)
    for position in (3, *range(len(merges) + 1)):
        by_kernels = made.at(position)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pipeline_encoder, "section_model", lambda *_: None)
            one_by_one = tokenizer({**BYTE_LEVEL["whole words"], "ids_before": ()}, tokens, merges).at(position)
            assert by_kernels.encode(text) == one_by_one.encode(text), position


@pytest.mark.parametrize("name", BY_CHARACTER)
@given(unknown=st.sampled_from([None, -1, 3, 5]), text=TEXTS)
def test_characters_are_encoded_as_word_by_word(name: str, unknown: int | None, text: str) -> None:
    options = BY_CHARACTER[name]
    tokens = CHARACTERS + (BYTE_TOKENS if options.get("falls_back_to_bytes") else [])
    if name == "gemma":
        tokens = [b"\t" if token == b"<0x09>" else token for token in tokens]
    tokens = tokens + ([b"a</w>", b"b</w>"] if "suffix" in options else [])
    merges = [(b"a", b"b</w>")] if "suffix" in options else MERGES
    check(options, tokens, merges, text, unknown_id=unknown)


@pytest.mark.parametrize("name", [name for name in BY_CHARACTER if "falls_back_to_bytes" in BY_CHARACTER[name]])
def test_an_id_that_marks_unknown_symbols_changes_nothing_else(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_by_word, "_WordCache", None)
    plain = tokenizer(BY_CHARACTER[name], CHARACTERS + BYTE_TOKENS, MERGES, unknown_id=3)
    marked = plain.with_unknown_id(-1)
    assert marked.encode("ab 你é") == plain.encode("ab 你é")
    assert marked.ids_by_word("ab 你é".encode())[0].tolist() == plain.ids_by_word("ab 你é".encode())[0].tolist()
    assert marked.encode_batch(["ab", "你"] * 20) == plain.encode_batch(["ab", "你"] * 20)


def test_a_stream_yields_ids_before_it_is_read_to_the_end() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "ab 你 "

    for options in (BYTE_LEVEL["whole words"], BYTE_LEVEL["gpt2"]):
        ours = tokenizer(options, BYTES, BYTE_MERGES)
        found = list(islice(ours.encode_iterable(endless()), 1_000))
        assert found == ours.encode("ab 你 " * 500)[:1_000]


def test_lone_surrogates_are_refused() -> None:
    for name in ("sentencepiece", "plain"):
        ours = tokenizer(BY_CHARACTER[name], CHARACTERS, MERGES)
        with pytest.raises(EngineError, match="surrogate"):
            ours.encode("a\ud800")
