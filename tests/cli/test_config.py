"""Options that change what files beside a tokenizer say, and how commands show that and what is left open."""

import json
from pathlib import Path

import pytest

from bpe_gui.engine import KNOWN_SPLITTERS, EngineError, Tokenizer, load, save, train
from bpe_gui.engine.tokenization.config import TokenizerConfig

from .conftest import CORPUS, Run
from .test_mistakes import mistake

SPECIAL = ["<s>", "</s>", "<|eot|>"]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return the folder of a tokenizer with roles, a chat template and a key of its own."""
    config = TokenizerConfig(
        {"eos_token": "</s>", "padding_side": "left", "chat_template": "{{ bos_token }}", "tokenizer_class": "Mine"},
        {"generation_config.json": "{}\n"},
    )
    save(train(CORPUS, num_merges=5, special_tokens=SPECIAL).with_config(config), tmp_path / "model", "transformers")
    return tmp_path / "model"


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """Return a folder with nothing but `vocab.json` and `merges.txt`."""
    save(train(CORPUS, num_merges=5), tmp_path / "pair")
    (tmp_path / "pair" / "training.json").unlink()
    return tmp_path / "pair"


def test_roles_keys_and_the_template_are_changed_by_name(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "new.jinja").write_text("{{ messages }}\n", encoding="utf-8", newline="\n")
    changes = ["--eos-token", "<|eot|>", "--bos-token", "<s>", "--chat-template", tmp_path / "new.jinja"]
    changes += ["--set", "model_max_length=8192", "--set", "padding_side=null", "--set", "name=my model=1"]
    status, _output, _messages = run("convert", model, tmp_path / "out", "--format", "transformers", *changes)
    assert status == 0
    config = load(tmp_path / "out").config
    assert config.roles == {"bos_token": "<s>", "eos_token": "<|eot|>"}
    assert config.chat_templates == {"default": "{{ messages }}\n"}
    assert (config.values["model_max_length"], config.values["name"]) == (8192, "my model=1")
    assert "padding_side" not in config.values
    assert config.files["generation_config.json"] == "{}\n"


def test_a_new_special_token_can_get_a_role_at_once(run: Run, model: Path, tmp_path: Path) -> None:
    more = ["--add-special", "<pad>", "--pad-token", "<pad>", "--rename-special", "</s>", "<end>"]
    assert run("convert", model, tmp_path / "out", "--format", "transformers", *more).status == 0
    assert load(tmp_path / "out").config.roles == {"eos_token": "<end>", "pad_token": "<pad>"}


@pytest.mark.parametrize("given", [("--pad-token", "<pad>"), ("--set", "pad_token=<pad>")])
def test_a_role_needs_a_special_token(run: Run, model: Path, tmp_path: Path, given: tuple[str, str]) -> None:
    message = mistake(run("convert", model, tmp_path / "out", "--format", "transformers", *given))
    assert message == (
        "The pad_token '<pad>' is not a special token. The special tokens are <s>, </s>, <|eot|>. Add it with "
        "--add-special."
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("given", ["=1", "padding_side"])
def test_a_key_needs_a_name_and_a_value(run: Run, model: Path, tmp_path: Path, given: str) -> None:
    message = mistake(run("convert", model, tmp_path / "out", "--format", "transformers", "--set", given))
    assert "does not have the form KEY=VALUE" in message


def test_training_takes_roles_as_well(run: Run, corpus: Path, tmp_path: Path) -> None:
    train_ = ["train", corpus, "--num-merges", 3, "--format", "transformers", "-o", tmp_path / "out"]
    message = mistake(run(*train_, "--eos-token", "<e>"))
    assert message == (
        "The eos_token '<e>' is not a special token. The special tokens are none. Add it with --special-token."
    )
    status, _output, _messages = run(*train_, "--special-token", "<e>", "--eos-token", "<e>", "--set", "self=1")
    config = load(tmp_path / "out").config
    assert (status, config.roles, config.values["self"]) == (0, {"eos_token": "<e>"}, 1)


def test_what_a_format_does_not_keep_is_said(run: Run, model: Path, tmp_path: Path) -> None:
    status, _output, messages = run("convert", model, tmp_path / "out.json", "--format", "huggingface")
    names = "eos_token, padding_side, chat_template, generation_config.json"
    lost = (
        f"The format huggingface does not keep these settings of the model: {names}. Save as transformers to keep them."
    )
    assert (status, messages.count("keep these"), lost in messages) == (0, 1, True)
    assert "keep" not in run("convert", model, tmp_path / "out", "--format", "transformers").messages


def test_inspect_lists_what_is_kept(run: Run, model: Path) -> None:
    lines = run("inspect", model).output.decode().splitlines()
    assert "roles:          eos_token </s>" in lines
    assert "chat templates: default (15 characters)" in lines
    assert 'other keys:     padding_side "left", tokenizer_class "Mine"' in lines
    assert "other files:    generation_config.json" in lines


def test_inspect_shows_the_name_by_which_a_gguf_says_how_to_split(
    run: Run, byte_tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = load(byte_tokenizer).with_config(TokenizerConfig({"tokenizer.ggml.pre": "llama-bpe"}))
    monkeypatch.setattr("bpe_gui.engine.opening.load_files", lambda *_arguments, **_options: named)
    lines = run("inspect", byte_tokenizer).output.decode().splitlines()
    assert "pre:            llama-bpe" in lines
    assert not any(line.startswith("other keys") for line in lines)


# -- what files leave open ---------------------------------------------------------------------------------------------


def commands(path: Path, corpus: Path, out: Path) -> list[list[object]]:
    """Return a call of each command that opens a tokenizer to split text."""
    return [
        ["inspect", path],
        ["audit", path],
        ["encode", "--tokenizer", path, corpus],
        ["compare", path, path],
        ["report", path, "--text", corpus],
        ["convert", path, out / "converted", "--format", "gpt2"],
        ["convert", path, out / "merged", "--format", "gpt2", "--merge-with", path],
        ["train", corpus, "--extend", path, "--num-merges", 6, "-o", out / "extended"],
    ]


def test_a_guessed_splitter_is_said_once_by_every_command(run: Run, pair: Path, corpus: Path, tmp_path: Path) -> None:
    for command in commands(pair, corpus, tmp_path):
        status, _output, messages = run(*command)
        said = 2 if "--merge-with" in command else 1  # of each of two files
        assert (status, messages.count(f"{pair}: No file says how text is split")) == (0, said), command
    assert run("decode", "--tokenizer", pair, stdin=b"108").messages == ""
    assert b"note:           No file says how text is split" in run("inspect", pair).output


def test_all_notes_are_said(run: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = load(model).with_notes([EngineError("It pads."), EngineError("It cuts.")])
    monkeypatch.setattr("bpe_gui.engine.opening.load_files", lambda *_arguments, **_options: noted)
    assert run("compare", model, model).messages == f"{model}: It pads.\n{model}: It cuts.\n"


@pytest.mark.parametrize(
    ("given", "splitter"), [("llama3", KNOWN_SPLITTERS["llama3"]), ("cl100k", "cl100k"), ("a+|.", "a+|.")]
)
def test_a_pattern_sets_what_is_left_open(run: Run, pair: Path, tmp_path: Path, given: str, splitter: str) -> None:
    status, _output, messages = run(
        "convert", pair, tmp_path / "out", "--format", "gpt2", "--pattern", given, "--force"
    )
    assert (status, "No file says" in messages) == (0, False)
    assert load(tmp_path / "out").recipe.splitter == splitter
    status, output, messages = run("compare", pair, tmp_path / "out", "--pattern", given)
    assert (status, messages) == (0, "")
    assert b"A and B do the same in all steps\n" in output


def test_a_pattern_that_is_wrong_is_refused(run: Run, pair: Path, tmp_path: Path) -> None:
    message = mistake(run("convert", pair, tmp_path / "out", "--format", "gpt2", "--pattern", "(a"))
    assert "regular expression" in message


def test_special_tokens_of_a_pair_are_in_its_files(run: Run, pair: Path) -> None:
    message = mistake(run("inspect", pair, "--pattern", "cl100k", "--special-token", "<a>=300"))
    assert message.startswith("--pattern and --special-token are only for files that do not say this themselves")


# -- comparing ---------------------------------------------------------------------------------------------------------


def in_steps(output: bytes) -> list[str]:
    """Return the lines of a comparison's output about steps."""
    lines = output.decode().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("A and B d"))
    last = next(number for number, line in enumerate(lines) if line.startswith("A and B:"))
    return lines[first:last]


def test_a_splitter_that_differs_alone_is_shown(run: Run, pair: Path, tmp_path: Path) -> None:
    for name in ("llama3", "qwen2"):
        run("convert", pair, tmp_path / name, "--format", "gpt2", "--pattern", name, "--force")
    text = b"low lower, since 1999 no digits"
    output = run("compare", tmp_path / "llama3", tmp_path / "qwen2", "--text", "-", stdin=text).output
    assert in_steps(output) == [
        "A and B differ in: splitter",
        "  splitter:",
        f"    A  Split “{KNOWN_SPLITTERS['llama3']}”",
        f"    B  Split “{KNOWN_SPLITTERS['qwen2']}”",
        "    “19” becomes: A 19, B 1 | 9",
    ]
    assert b"  the tokens in both have the same ids\n  the merges are the same\n" in output
    found = json.loads(run("compare", tmp_path / "llama3", tmp_path / "qwen2", "--json").output)
    (step,) = found["pairs"][0]["steps"]
    assert (step["step"], step["text"]["text"]) == ("splitter", "12")


def test_roles_and_ids_around_are_shown(run: Run, model: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    from bpe_gui.engine.formats.recipe_pipelines import pipeline_of

    tokenizer: Tokenizer = load(model)
    begin, end = tokenizer.special_tokens["<s>"], tokenizer.special_tokens["</s>"]
    pipeline = replace(pipeline_of(tokenizer), ids_before=(begin,), ids_after=(end, end))
    other = tokenizer.changed(pipeline=pipeline, config=tokenizer.config.with_changes(eos_token="<|eot|>"))
    save(other, tmp_path / "other", "transformers")
    output = run("compare", model, tmp_path / "other", "--text", "-", stdin=b"low").output
    assert in_steps(output) == [
        "A and B differ in: roles, ids before, ids after",
        "  roles:",
        "    A  eos_token </s>",
        "    B  eos_token <|eot|>",
        "  ids before:",
        "    A  none",
        f"    B  <s> = {begin}",
        "  ids after:",
        "    A  none",
        f"    B  </s> = {end}, </s> = {end}",
    ]
    assert (
        "A and B split the text in the same way.\n"
        f"B adds <s> = {begin} before each text.\n"
        f"B adds </s> = {end}, </s> = {end} after each text.\n"
    ).encode() in output


def test_a_token_with_another_id_is_named_with_both(run: Run, model: Path, tmp_path: Path) -> None:
    tokenizer: Tokenizer = load(model)
    names = list(tokenizer.special_tokens)
    first = tokenizer.special_tokens[names[0]]
    for number, special in enumerate(({names[0]: 900}, {names[0]: 900, names[1]: 901})):
        vocab = {i: token for i, token in tokenizer.vocab.items() if token.decode(errors="replace") not in special}
        ids = {**tokenizer.special_tokens, **special}
        other = Tokenizer(vocab, tokenizer.merges, ids, recipe=tokenizer.recipe, config=tokenizer.config)
        save(other, tmp_path / str(number), "transformers")
    lines = in_steps(run("compare", model, tmp_path / "0").output)
    assert lines[0] == "A and B differ in: added tokens"
    assert lines[1:] == [
        "  added tokens:",
        f"    A  {names[0]} = {first}",
        f"    B  {names[0]} = 900",
        f"    same token, id {first} and 900: {names[0]}",
    ]
    lines = in_steps(run("compare", model, tmp_path / "1").output)
    assert lines[-1] == f"    same tokens, different ids: {names[0]}, {names[1]}"


def test_texts_that_look_alike_are_told_apart(run: Run, tmp_path: Path) -> None:
    from tokenizers import Tokenizer as TheirTokenizer
    from tokenizers import models, normalizers

    for form in ("NFC", "NFD"):
        theirs = TheirTokenizer(models.BPE({"a": 0, "e": 1}, []))
        theirs.normalizer = getattr(normalizers, form)()
        theirs.save(str(tmp_path / f"{form}.json"))
    output = run("compare", tmp_path / "NFC.json", tmp_path / "NFD.json", "--text", "-", stdin="é".encode()).output
    assert in_steps(output) == [
        "A and B differ in: normalizer",
        "  normalizer:",
        "    A  NFC",
        "    B  NFD",
        r"    “\xe9” becomes: A \xe9, B e\u0301",
    ]
