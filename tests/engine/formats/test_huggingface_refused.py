"""A `tokenizer.json` that would not give the ids of `tokenizers` is refused, and damage is reported by its location."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from bpe_gui.engine import EngineError, FormatError
from tests.engine.support.huggingface_samples import changed, read, read_json, sample_json

SEQUENCE_KEYS = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "decoder": "decoders",
    "post_processor": "processors",
}


@pytest.mark.parametrize("in_sequence", [False, True])
@pytest.mark.parametrize("part", SEQUENCE_KEYS)
def test_an_unknown_step_is_refused_by_name(part: str, in_sequence: bool, tmp_path: Path) -> None:
    root = json.loads(sample_json("split by Digits"))
    key = SEQUENCE_KEYS[part]
    root[part] = {"type": "Sequence", key: [{"type": "Upper"}]} if in_sequence else {"type": "Upper"}
    location = f"{part}.{key}[0]" if in_sequence else part
    with pytest.raises(FormatError, match=rf"tokenizer\.json: {re.escape(location)} .*Upper"):
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
    (_set("truncation")({"max_length": -5}), "truncation.max_length must be an integer from 0"),
    (_set("truncation")({"max_length": 5, "strategy": "All"}), "truncation.strategy cannot be 'All'"),
    (_set("padding")({"strategy": "Fixed"}), "padding.strategy must be a JSON object, not 'Fixed'"),
    (_set("padding")({"strategy": "BatchLongest"}), "padding.pad_id must be an integer from 0"),
    (_set("chat")(1), "'chat'"),
    (_set("model")(None), "is not a tokenizer.json file: it has no model"),
    (_set("model", "type")("WordPiece"), "model.type is 'WordPiece'"),
    (_set("model", "type")("Unigram"), "model.type is 'Unigram'"),
    (_set("model", "type")("WordLevel"), "model.type is 'WordLevel'"),
    (_set("model", "dropout")(1.1), "model.dropout must be a number from 0 to 1, not 1.1"),
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
    (_set("added_tokens")([_ADDED_TOKEN, _ADDED_TOKEN]), "'<s>' is a duplicate"),
    (_set("normalizer")("NFC"), "normalizer must be a JSON object"),
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
    (_set("pre_tokenizer")({"type": "FixedLength", "length": 0}), "pre_tokenizer.length must be an integer from 1"),
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
        "more than one step that adds ids",
    ),
    (
        _set("post_processor")({"type": "BertProcessing", "sep": ["l", 0], "cls": ["l"]}),
        "post_processor.cls must be a ",
    ),
    (_set("post_processor")({"type": "BertProcessing", "sep": ["l", 99999], "cls": ["l", 0]}), "the id 99999"),
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
