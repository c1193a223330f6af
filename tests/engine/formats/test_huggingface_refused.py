"""A `tokenizer.json` that would not give the ids of `tokenizers` is refused, and damage is reported by its location."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

from bpe_gui.engine import EngineError, FormatError
from tests.engine.support.huggingface_samples import changed, read, read_json, sample_json

# Both by part of the file, then by the type of step.
REFUSED: dict[str, dict[str, Any]] = {
    "normalizer": {
        "BertNormalizer": normalizers.BertNormalizer(),
        "ByteLevel": normalizers.ByteLevel(),
        "Nmt": normalizers.Nmt(),
        "StripAccents": normalizers.StripAccents(),
    },
    "pre_tokenizer": {
        "BertPreTokenizer": pre_tokenizers.BertPreTokenizer(),
        "CharDelimiterSplit": pre_tokenizers.CharDelimiterSplit("-"),
        "FixedLength": pre_tokenizers.FixedLength(5),
        "UnicodeScripts": pre_tokenizers.UnicodeScripts(),
    },
    "decoder": {"CTC": decoders.CTC(), "WordPiece": decoders.WordPiece()},
    "post_processor": {
        "BertProcessing": processors.BertProcessing(("a", 0), ("a", 0)),
        "RobertaProcessing": processors.RobertaProcessing(("a", 0), ("a", 0)),
    },
}
SUPPORTED = {
    "normalizer": {"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Replace", "Prepend", "Strip", "Precompiled", "Sequence"},
    "pre_tokenizer": {
        "ByteLevel",
        "Split",
        "Digits",
        "Punctuation",
        "Whitespace",
        "WhitespaceSplit",
        "Metaspace",
        "Sequence",
    },
    "decoder": {"ByteLevel", "Metaspace", "BPEDecoder", "Replace", "ByteFallback", "Fuse", "Strip", "Sequence"},
    "post_processor": {"ByteLevel", "TemplateProcessing", "Sequence"},
}
KINDS = [(part, kind) for part, kinds in REFUSED.items() for kind in kinds]


@pytest.mark.parametrize(
    ("part", "module", "base"),
    [
        ("normalizer", normalizers, normalizers.Normalizer),
        ("pre_tokenizer", pre_tokenizers, pre_tokenizers.PreTokenizer),
        ("decoder", decoders, decoders.Decoder),
        ("post_processor", processors, processors.PostProcessor),
    ],
)
def test_every_step_of_tokenizers_is_supported_or_refused(part: str, module: Any, base: type) -> None:
    names = {name for name, kind in vars(module).items() if isinstance(kind, type) and issubclass(kind, base)}
    assert names - {base.__name__} - SUPPORTED[part] <= REFUSED[part].keys()


@pytest.mark.parametrize("in_sequence", [False, True])
@pytest.mark.parametrize(("part", "kind"), KINDS)
def test_an_unsupported_step_is_refused_by_name(part: str, kind: str, in_sequence: bool, tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer(models.BPE())
    setattr(theirs, part, REFUSED[part][kind])
    root = json.loads(sample_json("split by Digits"))
    root[part] = json.loads(theirs.to_str())[part]
    key = {"pre_tokenizer": "pretokenizers", "post_processor": "processors"}.get(part, f"{part}s")
    if in_sequence:
        root[part] = {"type": "Sequence", key: [root[part]]}
    location = f"{part}.{key}[0]" if in_sequence else part
    with pytest.raises(FormatError, match=rf"tokenizer\.json: {re.escape(location)} .*{kind}"):
        read_json(tmp_path, root)


def _set(*path: str | int) -> Callable[[object], Callable[[dict[str, Any]], None]]:
    """Return a function that makes changes: `_set("a", 0)(value)` sets `root["a"][0]` to `value`."""

    def change_to(value: object) -> Callable[[dict[str, Any]], None]:
        def change(root: dict[str, Any]) -> None:
            target: Any = root
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = value

        return change

    return change_to


def _nested_normalizers(steps: int) -> dict[str, Any]:
    """Return a normalizer inside a sequence inside a sequence, and so on: `steps` sequences."""
    normalizer: dict[str, Any] = {"type": "NFC"}
    for _ in range(steps):
        normalizer = {"type": "Sequence", "normalizers": [normalizer]}
    return normalizer


_SPLIT = {"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolated", "invert": False}
_ADDED_TOKEN = {
    "id": 0,
    "content": "<s>",
    "single_word": False,
    "lstrip": False,
    "rstrip": False,
    "normalized": False,
    "special": True,
}
_TEMPLATE_TEXT = {"Sequence": {"id": "A", "type_id": 0}}
_TEMPLATE = {"type": "TemplateProcessing", "single": [_TEMPLATE_TEXT], "pair": [_TEMPLATE_TEXT], "special_tokens": {}}
DAMAGE: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (_set("version")("2.0"), "version"),
    (_set("truncation")({"max_length": 5}), "truncation must be null"),
    (_set("padding")({"strategy": "BatchLongest"}), "padding must be null"),
    (_set("chat")(1), "'chat'"),
    (_set("model")(None), "is not a tokenizer.json file: it has no model"),
    (_set("model", "type")("WordPiece"), "model.type is 'WordPiece'"),
    (_set("model", "type")("Unigram"), "model.type is 'Unigram'"),
    (_set("model", "type")("WordLevel"), "model.type is 'WordLevel'"),
    (_set("model", "dropout")(0.1), "model.dropout is 0.1"),
    (_set("model", "seed")(1), "'seed'"),
    (_set("model", "fuse_unk")(1), "model.fuse_unk must be true or false"),
    (_set("model", "unk_token")("none"), "model.unk_token is 'none'"),
    (_set("model", "end_of_word_suffix")("x" * 2_000), "model.end_of_word_suffix is longer"),
    (_set("model", "vocab")([]), "model.vocab must be a JSON object"),
    (_set("model", "vocab", "l")(-1), "model.vocab.l must be an integer"),
    (_set("model", "vocab", "l")(1 << 40), "model.vocab.l must be an integer"),
    (_set("model", "vocab", "l")(True), "model.vocab.l must be an integer"),
    (_set("model", "vocab", "l")(0), "in model.vocab, .* has the id 0, which already belongs to "),
    (_set("model", "merges")(None), "model.merges must be a list"),
    (_set("model", "merges", 2)(["a"]), r"model.merges\[2\] must be a pair"),
    (_set("model", "merges", 2)("a b"), r"model.merges\[2\] must be a pair"),
    (_set("model", "merges")(["a b c"]), r"model.merges\[0\] must be two tokens"),
    (_set("model", "merges", 12)(["no such", "token"]), r"model.merges\[12\] needs the token 'no such'"),
    (_set("model", "merges", 12)(["t", "你"]), r"model.merges\[12\] needs the token 't你'"),
    (_set("added_tokens")([{**_ADDED_TOKEN, "id": 9999}]), "'<s>' has the id 9999, but `tokenizers` would give it"),
    (_set("added_tokens")([{**_ADDED_TOKEN, "content": ""}]), r"added_tokens\[0\].content"),
    (_set("added_tokens")([{**_ADDED_TOKEN, "lstrip": None}]), r"added_tokens\[0\].lstrip must be true or false"),
    (_set("added_tokens")([{**_ADDED_TOKEN, "role": 1}]), "'role'"),
    (_set("added_tokens")([_ADDED_TOKEN, _ADDED_TOKEN]), "'<s>' is a duplicate"),
    (_set("normalizer")("NFC"), "normalizer must be a JSON object"),
    (_set("normalizer")({"type": "NFC", "form": 1}), "normalizer has the unknown key 'form'"),
    (_set("normalizer")({"prepend": "x"}), "normalizer.type must be a string"),
    (_set("normalizer")(_nested_normalizers(200)), "normalizer has more than 100 steps"),
    (_set("normalizer")({"type": "Strip", "strip_left": True}), "normalizer.strip_right must be true or false"),
    (_set("normalizer")({"type": "Prepend", "prepend": ""}), "normalizer.prepend has 0 characters"),
    (
        _set("normalizer")({"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1000}),
        "normalizer.content has 1,000 characters",
    ),
    (_set("normalizer")({"type": "Replace", "pattern": "a", "content": "b"}), "normalizer.pattern must be"),
    (_set("normalizer")({"type": "Replace", "pattern": {"Regex": "^"}, "content": "b"}), "empty matches"),
    *(
        (_set("normalizer")({"type": "Precompiled", "precompiled_charsmap": table}), message)
        for table, message in [
            (None, "normalizer.precompiled_charsmap must be a string"),
            ("", "must be a character map, encoded in Base64"),
            ("AAA", "must be a character map, encoded in Base64"),
            ("AAA!AAAA", "must be a character map, encoded in Base64"),
            ("AAAAAB==", "must be a character map, encoded in Base64"),
            ("AAAAAA==", "its trie has an invalid size"),
        ]
    ),
    (
        _set("pre_tokenizer")({**_SPLIT, "behavior": "Split"}),
        "pre_tokenizer.behavior cannot be 'Split'. The choices are ",
    ),
    (_set("pre_tokenizer")({**_SPLIT, "pattern": {"Glob": "a"}}), "'Glob'"),
    (_set("pre_tokenizer")({**_SPLIT, "pattern": {"Regex": "("}}), "pre_tokenizer.pattern.Regex: "),
    (_set("pre_tokenizer")({**_SPLIT, "pattern": {"Regex": r"\X"}}), r"pre_tokenizer.pattern.Regex: .*X"),
    (_set("pre_tokenizer")({**_SPLIT, "pattern": {"Regex": "a{9999}{9999}"}}), "pre_tokenizer.pattern.Regex: "),
    (_set("pre_tokenizer")({**_SPLIT, "limit": 2}), "pre_tokenizer has the unknown key 'limit'"),
    (_set("pre_tokenizer")({"type": "Metaspace", "replacement": "ab"}), "pre_tokenizer.replacement has 2"),
    (
        _set("pre_tokenizer")({"type": "Metaspace", "replacement": "a", "add_prefix_space": False}),
        "pre_tokenizer.add_prefix_space contradicts",
    ),
    (_set("decoder")({"type": "Strip", "content": "a", "start": -1, "stop": 0}), "decoder.start must be an integer"),
    (_set("post_processor")({**_TEMPLATE, "single": []}), "does not contain the text"),
    (
        _set("post_processor")({**_TEMPLATE, "single": [_TEMPLATE_TEXT, _TEMPLATE_TEXT]}),
        r"post_processor.single\[1\]: ",
    ),
    (_set("post_processor")({**_TEMPLATE, "single": [{"SpecialToken": {"id": "q", "type_id": 0}}]}), "single"),
    (
        _set("post_processor")(
            {
                **_TEMPLATE,
                "single": [{"SpecialToken": {"id": "q", "type_id": 0}}, _TEMPLATE_TEXT],
                "special_tokens": {"q": {"id": "q", "ids": [99999], "tokens": ["q"]}},
            }
        ),
        "the id 99999",
    ),
    (
        _set("post_processor")({"type": "Sequence", "processors": [_TEMPLATE, _TEMPLATE]}),
        "more than one TemplateProcessing",
    ),
]


@pytest.mark.parametrize(("change", "message"), DAMAGE)
def test_damage_and_unknown_values_are_reported_by_location(
    change: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=message) as raised:
        read_json(tmp_path, changed("split by Digits", change))
    assert "tokenizer.json" in str(raised.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "1", "null", "[" * 5_000, '{"model": {}}', '{"model": {"vocab": {"\\ud800": 1}, "merges": []}}'],
)
def test_a_file_that_is_not_a_tokenizer_json_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"tokenizer\.json"):
        read(tmp_path, text)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    text = sample_json("split by Digits")
    for length in range(0, len(text) - 1, 997):
        with pytest.raises(EngineError):
            read(tmp_path, text[:length])


def test_added_tokens_that_are_equal_after_normalizing_are_refused(tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json("Lowercase"))
    theirs.add_tokens(["LOW", "Low"])
    with pytest.raises(FormatError, match="'Low' and 'LOW' are identical"):
        read(tmp_path, theirs.to_str())


def test_text_that_would_grow_exponentially_is_refused(tmp_path: Path) -> None:
    double = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
    root = changed("split by Digits", _set("normalizer")({"type": "Sequence", "normalizers": [double] * 40}))
    with pytest.raises(EngineError, match="100 times as long"):
        read_json(tmp_path, root).encode("a" * 100)
