"""Folders of models, generated: read as AutoTokenizer reads them, and what it does is the same after saving."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as Steps
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits

from bpe_gui.engine import Tokenizer, load, save
from bpe_gui.engine.formats.transformers_classes import _CLASSES
from bpe_gui.engine.reports.pruning import prune
from bpe_gui.engine.surgery import with_special_tokens
from bpe_gui.engine.tokenization.config import ROLES
from tests.engine.support.transformers_folders import opened_by_transformers
from tests.examples import is_thorough

_BYTES = sorted(ByteLevel.alphabet())
_ROLE_NAMES = ("<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>", "<|startoftext|>", "[CLS]", "[SEP]")
_MERGES = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("a", "t</w>"), ("th", "e</w>"), ("▁", "the")]
_TEXTS = (
    *("the That a photo, at THE  1234 don't\n\n the", " <new> the<|x|> at", "<|X|>ﬁ é e\u0301 你好", "", "<s>the</s>"),
    *("<pad> <mask> the", "[CLS]a[SEP] <|endoftext|>\u3000the<|endoftext|> ", "\t<｜x｜> THE", "<unk>x"),
)
_KEYS = st.fixed_dictionaries(
    {},
    optional={
        "model_max_length": st.sampled_from([77, 131_072]),
        "padding_side": st.sampled_from(["left", "right"]),
        "truncation_side": st.sampled_from(["left", "right"]),
        "clean_up_tokenization_spaces": st.booleans(),
        "chat_template": st.sampled_from(["{{ bos_token }}{{ messages }}", [{"name": "rag", "template": "R"}]]),
        "model_input_names": st.just(["input_ids"]),
        "a_key_of_its_own": st.just({"deep": [1, None]}),
        "add_prefix_space": st.booleans(),
        "add_bos_token": st.booleans(),
        "add_eos_token": st.booleans(),
        "bos_token": st.sampled_from(["<s>", "<new>"]),
        "eos_token": st.sampled_from(["</s>", "<|x|>", {"content": "<|x|>", "lstrip": True, "__type": "AddedToken"}]),
        "pad_token": st.sampled_from(["<pad>", None]),
        "additional_special_tokens": st.just(["<new>", "<|x|>"]),
        "extra_special_tokens": st.sampled_from([["<new>"], {"image_token": "<img>"}]),
        "image_token": st.just("<img>"),
    },
)
_FILES = {
    "chat_template.jinja": "J{{ messages }}",
    "additional_chat_templates/tool_use.jinja": "T",
    "generation_config.json": '{"eos_token_id": [1, 2]}',
}


def _vocab(name: str) -> dict[str, int]:
    ends = [f"{letter}</w>" for letter in _BYTES] if "</w>" in str(_CLASSES[name].model) else ["▁"]
    merged = [left + right for left, right in _MERGES if right.endswith("</w>") == (len(ends) > 1)]
    return {token: number for number, token in enumerate(dict.fromkeys([*_ROLE_NAMES, *_BYTES, *ends, *merged]))}


def _write_slow(
    folder: Path, name: str, values: dict[str, Any], files: dict[str, str], *, is_old: bool, only_in_map: bool = False
) -> None:
    vocab = _vocab(name)
    merges = [pair for pair in _MERGES if "".join(pair) in vocab and {*pair} <= vocab.keys()]
    (folder / "vocab.json").write_text(json.dumps(vocab), "utf-8")
    (folder / "merges.txt").write_text("".join(f"{left} {right}\n" for left, right in merges), "utf-8")
    declared = {"<new>": len(vocab), "<|x|>": len(vocab) + 1}
    values = {"tokenizer_class": name, **values}
    if is_old:
        (folder / "added_tokens.json").write_text(json.dumps(declared), "utf-8")
        roles = {key: value for key, value in values.items() if key in {"eos_token", "additional_special_tokens"}}
        (folder / "special_tokens_map.json").write_text(json.dumps(roles), "utf-8")
        if only_in_map:
            values = {key: value for key, value in values.items() if key not in roles}
    else:
        values["added_tokens_decoder"] = {
            str(token_id): {"content": token, "special": token != "<new>", "normalized": token == "<new>"}
            for token, token_id in declared.items()
        }
    (folder / "tokenizer_config.json").write_text(json.dumps(values), "utf-8")
    for path, text in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def _opened(folder: Path) -> Any:
    return opened_by_transformers(folder)


def _facts(theirs: Any) -> dict[str, Any]:
    """Return what a program can see of a tokenizer of transformers, apart from its vocabulary."""
    names = ("padding_side", "truncation_side", "model_max_length", "chat_template", "clean_up_tokenization_spaces")
    own = {key: theirs.init_kwargs.get(key) for key in ("a_key_of_its_own", "model_input_names", "image_token")}
    roles = {key: str(value) for key, value in theirs.special_tokens_map.items()}
    return {name: getattr(theirs, name) for name in names} | own | {"roles": roles, "all": theirs.all_special_tokens}


def _ids(theirs: Any) -> list[list[int]]:
    return [theirs(text)["input_ids"] for text in _TEXTS]


@pytest.mark.parametrize("name", sorted(name for name, known in _CLASSES.items() if known.reads_pairs))
@settings(max_examples=30 if is_thorough() else 3)
@given(
    values=_KEYS,
    files=st.sets(st.sampled_from(sorted(_FILES))),
    age=st.sampled_from(["new", "old", "old, roles in the map alone"]),
    in_place=st.booleans(),
)
def test_a_folder_without_tokenizer_json(
    name: str, values: dict[str, Any], files: set[str], age: str, *, in_place: bool
) -> None:
    with TemporaryDirectory() as given, TemporaryDirectory() as other:
        folder = Path(given)
        texts, is_old = {path: _FILES[path] for path in files}, age != "new"
        _write_slow(folder, name, values, texts, is_old=is_old, only_in_map=age.endswith("alone"))
        theirs = _opened(folder)
        ours = load(folder)
        assert [ours.encode(text) for text in _TEXTS] == _ids(theirs)
        decoded = [theirs.decode(ids, clean_up_tokenization_spaces=False) for ids in _ids(theirs)]
        assert ours.decode_batch(_ids(theirs)) == decoded
        facts = _facts(theirs)
        saved = folder if in_place else Path(other)
        save(ours, saved, "transformers")
        again = _opened(saved)
        assert _ids(again) == _ids(theirs)
        assert _facts(again) == facts
        assert {path: (saved / path).read_text("utf-8") for path in files} == texts
        if not is_old:  # otherwise the old files are still beside the new one, and so they are read
            assert load(saved).encode(_TEXTS[0]) == ours.encode(_TEXTS[0])


def test_a_class_puts_tokens_around_whose_roles_only_the_config_gives(tmp_path: Path) -> None:
    values = {"add_bos_token": True, "bos_token": "<s>"}
    _write_slow(tmp_path, "Qwen2Tokenizer", values, {}, is_old=False)
    ids = _opened(tmp_path)("the")["input_ids"]
    assert ids[0] == _vocab("Qwen2Tokenizer")["<s>"]
    assert load(tmp_path).encode("the") == ids


def test_a_class_that_forgets_tokens_around_a_text_is_replaced(tmp_path: Path) -> None:
    given, saved = tmp_path / "given", tmp_path / "saved"
    given.mkdir()
    _write_slow(given, "GPTNeoXTokenizer", {"add_bos_token": True}, {}, is_old=False)
    save(load(given), saved, "transformers")
    assert _ids(_opened(saved)) == _ids(_opened(given))


@pytest.mark.parametrize("name", ["CLIPTokenizer", "GPT2Tokenizer"])
@pytest.mark.parametrize(("special", "normalized"), [(True, False), (False, True), (False, False)])
@pytest.mark.parametrize("values", [{}, {"additional_special_tokens": ["<new>", "<|x|>"]}, {"eos_token": "<|x|>"}])
def test_tokenizer_json_of_an_old_folder_decides_how_tokens_are_found(
    name: str, values: dict[str, Any], tmp_path: Path, *, special: bool, normalized: bool
) -> None:
    _write_slow(tmp_path, name, values, {}, is_old=True, only_in_map=True)
    file = tmp_path / "tokenizer.json"
    _opened(tmp_path)._tokenizer.save(str(file))
    root = json.loads(file.read_text("utf-8"))
    for token in root["added_tokens"]:
        token |= {"special": special, "normalized": normalized} if token["content"] in ("<new>", "<|x|>") else {}
    file.write_text(json.dumps(root), "utf-8")
    texts = [*_TEXTS, "<|X|> <NEW><new>"]
    theirs, ours = _opened(tmp_path), load(tmp_path)
    ids = [theirs(text)["input_ids"] for text in texts]
    assert [ours.encode(text) for text in texts] == ids
    plain = [theirs._tokenizer.decode(each, skip_special_tokens=True) for each in ids]
    if name != "CLIPTokenizer":  # which replaces </w> outside of `tokenizers`
        assert ours.decode_batch(ids, skip_special_tokens=True) == plain


@settings(max_examples=100 if is_thorough() else 5)
@given(values=_KEYS, steps=st.sampled_from(["renamed", "added", "pruned", "as it is"]), in_place=st.booleans())
def test_a_folder_with_tokenizer_json(values: dict[str, Any], steps: str, *, in_place: bool) -> None:
    with TemporaryDirectory() as given, TemporaryDirectory() as other:
        folder = Path(given)
        _write_slow(folder, "GPT2Tokenizer", values, _FILES, is_old=False)
        theirs = _opened(folder)
        (folder / "vocab.json").unlink()
        (folder / "merges.txt").unlink()
        theirs.save_pretrained(folder)
        theirs = _opened(folder)
        ours = load(folder)
        assert [ours.encode(text) for text in _TEXTS] == _ids(theirs)
        changed = _changed(ours, steps)
        saved = folder if in_place else Path(other)
        save(changed, saved, "transformers")
        again = _opened(saved)
        assert _ids(again) == [changed.encode(text) for text in _TEXTS]
        expected = json.loads(json.dumps(_facts(theirs)).replace("<|x|>", "<|X|>" if steps == "renamed" else "<|x|>"))
        assert _facts(again) == expected | ({"all": _facts(again)["all"]} if steps == "added" else {})


@pytest.mark.parametrize("name", sorted(_CLASSES))
def test_a_class_that_is_replaced_leaves_roles_and_padding(name: str, tmp_path: Path) -> None:
    """Where a class has other steps than `tokenizer.json`, those are saved; all else is as the class would have it."""
    vocab = dict(_vocab(name))
    steps = Steps(BPE(vocab, [pair for pair in _MERGES if "".join(pair) in vocab and {*pair} <= vocab.keys()]))
    steps.pre_tokenizer = Digits()
    given = {"tokenizer_class": name, "eos_token": "</s>", "bos_token": "<s>", "unk_token": "<unk>"}
    folder, saved = tmp_path / "given", tmp_path / "saved"
    folder.mkdir()
    steps.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(given), "utf-8")
    save(load(folder), saved, "transformers")
    facts, again = _facts(_opened(folder)), _facts(_opened(saved))
    assert json.loads((saved / "tokenizer_config.json").read_text("utf-8"))["tokenizer_class"] != name
    assert again["padding_side"] == facts["padding_side"]
    roles = {role: token for role, token in facts["roles"].items() if role in ROLES}  # the rest needs CodeLlama's class
    assert again["roles"] == roles


def _changed(tokenizer: Tokenizer, steps: str) -> Tokenizer:
    match steps:
        case "renamed":
            return with_special_tokens(tokenizer, renamed={"<|x|>": "<|X|>"})
        case "added":
            return with_special_tokens(tokenizer, {"<added>": None})
        case "pruned":
            return prune(tokenizer, tokenizer.encode("at the")).tokenizer
    return tokenizer
