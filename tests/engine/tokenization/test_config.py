"""What the files beside a tokenizer say, and that it stays with the tokenizer."""

import json
import pickle

import pytest

from bpe_gui.engine import FormatError, Tokenizer
from bpe_gui.engine.surgery import with_special_tokens
from bpe_gui.engine.tokenization.config import TokenizerConfig

_TEMPLATE = "{{ bos_token }}{% for m in messages %}<a>{{ m.content }}<b>{% endfor %}"


@pytest.mark.parametrize(
    ("values", "files", "templates"),
    [
        ({"chat_template": _TEMPLATE}, {}, {"default": _TEMPLATE}),
        ({"chat_template": [{"name": "rag", "template": "R"}, {"name": "x"}]}, {}, {"rag": "R"}),
        ({"chat_template": {"default": "D", "tool_use": "T"}}, {}, {"default": "D", "tool_use": "T"}),
        ({"chat_template": "old"}, {"chat_template.jinja": "new"}, {"default": "new"}),
        ({}, {"chat_template.json": json.dumps({"chat_template": "J"})}, {"default": "J"}),
        ({}, {"chat_template.json": "{"}, {}),
        ({}, {"additional_chat_templates/tool_use.jinja": "T"}, {"tool_use": "T"}),
        ({"chat_template": 5}, {"generation_config.json": "{}"}, {}),
    ],
)
def test_chat_templates(values: dict[str, object], files: dict[str, str], templates: dict[str, str]) -> None:
    assert TokenizerConfig(values, files).chat_templates == templates


def test_roles_are_texts_or_objects_and_some_models_have_further_ones() -> None:
    config = TokenizerConfig(
        {
            "bos_token": None,
            "eos_token": {"content": "<b>", "__type": "AddedToken"},
            "extra_special_tokens": {"image_token": "<img>"},
            "pad_token": 7,
        }
    )
    assert config.roles == {"eos_token": "<b>", "image_token": "<img>"}
    assert TokenizerConfig({"extra_special_tokens": ["<a>"]}).roles == {}


def test_renamed_tokens_can_swap_their_names_everywhere() -> None:
    config = TokenizerConfig(
        {
            "eos_token": "<a>",
            "added_tokens_decoder": {"5": {"content": "<b>", "lstrip": False}},
            "additional_special_tokens": ["<a>", "<c>"],
            "chat_template": _TEMPLATE,
            "name_or_path": "a<a>",
        },
        {"chat_template.jinja": "<a>", "generation_config.json": '{"stop_strings": "<a>"}'},
    )
    renamed = config.renamed({"<a>": "<b>", "<b>": "<a>"})
    assert renamed.values == {
        "eos_token": "<b>",
        "added_tokens_decoder": {"5": {"content": "<a>", "lstrip": False}},
        "additional_special_tokens": ["<b>", "<c>"],
        "chat_template": _TEMPLATE.replace("<a>", "<").replace("<b>", "<a>").replace("}<{", "}<b>{"),
        "name_or_path": "a<a>",
    }
    assert renamed.files == {"chat_template.jinja": "<b>", "generation_config.json": '{"stop_strings": "<a>"}'}


def test_changes_replace_and_remove() -> None:
    config = TokenizerConfig({"eos_token": "<a>", "pad_token": "<b>"}, {"chat_template.jinja": "old"})
    changed = config.with_changes(eos_token=None, pad_token="<c>")
    assert changed == TokenizerConfig({"pad_token": "<c>"}, {"chat_template.jinja": "old"})
    assert changed.with_changes(chat_template="new").chat_templates == {"default": "new"}


def test_a_tokenizer_keeps_them_whatever_is_done_with_it() -> None:
    config = TokenizerConfig({"eos_token": "<a>"}, {"generation_config.json": "{}"})
    vocab = {0: b"l", 1: b"o", 2: b"lo"}
    note = FormatError("A note.")
    tokenizer = Tokenizer(vocab, [(b"l", b"o")], ["<a>"], recipe="cs336-toy", config=config, notes=[note])
    kept = [
        tokenizer.at(0),
        tokenizer.with_unknown_id(-1),
        tokenizer.obeying("none"),
        tokenizer.without_caches(),
        tokenizer.changed(merges=[]),
        with_special_tokens(tokenizer, {"<c>": None}),
    ]
    assert all((each.config, each.notes) == (config, (note,)) for each in kept)
    copied = pickle.loads(pickle.dumps(tokenizer))
    assert (copied.config, list(map(str, copied.notes))) == (config, ["A note."])
    assert copied.chat_templates == {}


def test_parts_that_are_not_changed_are_kept() -> None:
    tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], ["<a>"], recipe="cs336-toy", merge_counts=[7])
    tokenizer = tokenizer.with_unknown_id(1)
    changed = tokenizer.changed(special_tokens={"<z>": 3})
    assert (changed.merges, changed.merge_counts, changed.unknown_id) == ([(b"l", b"o")], [7], 1)
    assert changed.encode("lol<z>x") == [2, 0, 3, 1]
    assert tokenizer.changed(merges=[], unknown_id=None).merge_counts is None
    assert tokenizer.at(0).changed().merges == []
