"""Transformers folders: AutoTokenizer opens ours with its special tokens; contradicting files are refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, decoders, models, pre_tokenizers
from tokenizers import Tokenizer as TheirTokenizer

from bpe_gui.engine import FormatError, Recipe, Tokenizer, load, save, train
from bpe_gui.engine.formats.gpt2 import CONFIG, SPECIAL_TOKENS
from tests.engine.support.transformers_folders import opened_by_transformers

TEXT = "low lower lowest 你好 newest don't , . ! n't\n\n  the"
SPECIALS = ["<|user|>", "<|endoftext|>", "<pad>", "<unk>", "<s>", "<|tool|>"]
WITH_SPECIALS = "<s>low <|user|>lower<|tool|> 你<pad><|endoftext|>"


def save_and_open(folder: Path, tokenizer: Tokenizer) -> Any:
    save(tokenizer, folder, "transformers")
    return opened_by_transformers(folder)


def test_auto_tokenizer_opens_the_same_tokenizer(tmp_path: Path) -> None:
    ours = train(TEXT, special_tokens=SPECIALS, num_merges=20)
    theirs = save_and_open(tmp_path, ours)
    assert len(theirs) == len(ours.vocab)
    assert theirs.get_vocab() == {theirs.convert_ids_to_tokens(i): i for i in ours.vocab}
    ids = theirs.encode(TEXT + WITH_SPECIALS)
    assert ids == ours.encode(TEXT + WITH_SPECIALS)
    assert theirs.decode(ids) == TEXT + WITH_SPECIALS  # spaces before punctuation included
    assert theirs.decode(ids, skip_special_tokens=True) == TEXT + "low lower 你"


def test_special_tokens_have_their_roles(tmp_path: Path) -> None:
    theirs = save_and_open(tmp_path, train(TEXT, special_tokens=SPECIALS, num_merges=20))
    assert (theirs.bos_token, theirs.eos_token) == ("<s>", "<|endoftext|>")
    assert (theirs.unk_token, theirs.pad_token) == ("<unk>", "<pad>")
    assert (theirs.cls_token, theirs.sep_token, theirs.mask_token) == (None, None, None)
    assert set(theirs.all_special_tokens) == set(SPECIALS)


def test_no_special_tokens_are_added(tmp_path: Path) -> None:
    theirs = save_and_open(tmp_path, train(TEXT, num_merges=20))
    assert theirs.all_special_tokens == []
    assert len(theirs) == 276


def test_the_token_for_unknown_symbols_may_have_any_name(tmp_path: Path) -> None:
    ours = Tokenizer({0: b"a"}, [], {"<?>": 1, "<unk>": 2}, recipe="cs336-toy", unknown_id=1)
    theirs = save_and_open(tmp_path, ours)
    assert theirs.unk_token == "<?>"
    assert theirs.encode("ab") == ours.encode("ab") == [0, 1]


@pytest.mark.parametrize("seeds", [(), ("ing",)])
def test_a_special_token_with_a_usual_name_stands_for_unknown_symbols(seeds: tuple[str, ...], tmp_path: Path) -> None:
    recipe = Recipe(units="characters", seeds=seeds)
    ours = train("low doing going", num_merges=0, recipe=recipe, special_tokens=["<unk>"])
    theirs = save_and_open(tmp_path, ours)
    assert theirs.encode("zing") == load(tmp_path).encode("zing")
    assert theirs.tokenize("zing")[0] == "<unk>"


def test_a_folder_saved_by_transformers_is_read(tmp_path: Path) -> None:
    alphabet = {token: number for number, token in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    theirs = TheirTokenizer(models.BPE(vocab=alphabet | {"Ġl": 256}, merges=[("Ġ", "l")]))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = decoders.ByteLevel()
    theirs.add_special_tokens([AddedToken("<|endoftext|>", normalized=True, special=True), "<x>"])
    from transformers import PreTrainedTokenizerFast

    saved = PreTrainedTokenizerFast(
        tokenizer_object=theirs, eos_token="<|endoftext|>", additional_special_tokens=["<x>"], chat_template="{{ x }}"
    )
    saved.save_pretrained(tmp_path)
    ours = load(tmp_path, "transformers")
    assert ours.special_tokens == {"<|endoftext|>": 257, "<x>": 258}
    assert ours.encode(TEXT + "<x><|endoftext|>") == saved.encode(TEXT + "<x><|endoftext|>")


# -- the files beside tokenizer.json ------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(train(TEXT, special_tokens=SPECIALS, num_merges=5), tmp_path, "transformers")
    return tmp_path


def change(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")


def test_a_folder_with_very_many_special_tokens_is_read_and_written(tmp_path: Path) -> None:
    """Which took hours when each of them was looked for among all others."""
    names = [f"<token {number}>" for number in range(40_000)]
    save(train(TEXT, special_tokens=names, num_merges=5), tmp_path, "transformers")
    ours = load(tmp_path, "transformers")
    assert [*ours.special_tokens] == names
    assert ours.encode("low<token 39999>") == [*ours.encode("low"), ours.special_tokens[names[-1]]]


def test_only_tokenizer_json_is_needed(folder: Path) -> None:
    (folder / CONFIG).unlink()
    (folder / SPECIAL_TOKENS).unlink()
    assert set(load(folder, "transformers").special_tokens) == set(SPECIALS)


@pytest.mark.parametrize(
    "config",
    [
        {"chat_template": "{{ x }}", "tokenizer_class": "GPT2Tokenizer", "model_max_length": 5, "cls_token": None},
        {"bos_token": {"content": "<s>", "lstrip": True, "__type": "AddedToken"}},
        {"added_tokens_decoder": {"261": {"content": "<|tool|>", "lstrip": False, "special": False}}},
        {"added_tokens_decoder": {"7": {"content": "<|tool|>", "normalized": True}}},  # the id there is ignored
        {"extra_special_tokens": {"image_token": "<|tool|>"}, "additional_special_tokens": None},
    ],
)
def test_irrelevant_values_are_ignored(config: dict[str, object], folder: Path) -> None:
    change(folder / CONFIG, **config)
    theirs = opened_by_transformers(folder)
    assert load(folder / CONFIG, "transformers").encode(TEXT + WITH_SPECIALS) == theirs.encode(TEXT + WITH_SPECIALS)


@pytest.mark.parametrize("file", [CONFIG, SPECIAL_TOKENS])
@pytest.mark.parametrize(
    "changes",
    [
        {"eos_token": "<new>"},
        {"pad_token": {"content": "low"}},
        {"additional_special_tokens": ["<s>", "<new>"]},
        {"extra_special_tokens": {"image_token": "<new>"}},
        {"added_tokens_decoder": {"267": {"content": "<new>", "rstrip": True}}},
        {"added_tokens_decoder": {"0": {"content": "<s>", "lstrip": True}}},
    ],
)
def test_tokens_that_only_a_config_declares_are_added_as_transformers_adds_them(
    file: str, changes: dict[str, object], folder: Path
) -> None:
    change(folder / file, **changes)
    theirs = opened_by_transformers(folder)
    ours = load(folder, "transformers")
    text = f"{TEXT}{WITH_SPECIALS} <new>  <s> low"
    assert ours.encode(text) == theirs.encode(text)
    assert ours.notes == ()


def test_an_id_that_transformers_does_not_obey_is_named(folder: Path) -> None:
    change(folder / CONFIG, added_tokens_decoder={"300": {"content": "<new>"}})
    theirs = opened_by_transformers(folder)
    ours = load(folder, "transformers")
    assert ours.encode("<new>") == theirs.encode("<new>") == [267]
    (note,) = ours.notes
    assert "'<new>' has the id 300. It has the id 267" in str(note)


@pytest.mark.parametrize(("content", "reason"), [("[]", "must contain a JSON object"), ("{", "is not valid JSON")])
def test_damage_is_reported(content: str, reason: str, folder: Path) -> None:
    (folder / CONFIG).write_text(content, "utf-8")
    with pytest.raises(FormatError, match=reason):
        load(folder, "transformers")
