"""`bpe-gui convert` writes a tokenizer in another format, and proves that it gives the same ids."""

from pathlib import Path
from typing import Any

import pytest

from bpe_gui.engine import FORMATS, PRESETS, load, save, train
from bpe_gui.engine.proof import proof_strings

from .conftest import CORPUS, Run
from .test_mistakes import mistake

SPECIAL = "<|endoftext|>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tokenizer that tiktoken and minbpe can express, too."""
    path = tmp_path_factory.mktemp("saved")
    save(train(CORPUS, recipe="tiktoken", num_merges=5, special_tokens=[SPECIAL]), path)
    return path


@pytest.mark.parametrize(
    ("format", "name", "package"),
    [
        ("gpt2", "out", "tokenizers"),
        ("tiktoken", "my.tiktoken", "tiktoken"),
        ("tiktoken", "out", "tiktoken"),
        ("minbpe", "my.model", None),
    ],
)
def test_it_writes_and_compares(
    run: Run, folder: Path, tmp_path: Path, format: str, name: str, package: str | None
) -> None:
    status, output, messages = run("convert", folder, tmp_path / name, "--format", format, "--check")
    assert (status, output) == (0, b"")
    wrote, *verdicts = messages.splitlines()
    caution = {"tiktoken": "The file contains only ranks.", "minbpe": "After RegexTokenizer.load, minbpe"}.get(format)
    assert caution is None or verdicts.pop(0).startswith(caution)
    assert wrote.startswith(f"Wrote {FORMATS[format].paths(tmp_path / name)[0]}")
    assert wrote.endswith(": 262 entries and 5 merges.")
    same = f" gives the same ids for {len(proof_strings([], [SPECIAL]))} test strings."
    assert verdicts[0] == "bpe-gui itself" + same
    assert len(verdicts) == (2 if package else 1)
    assert all(line.startswith(f"{package} ") and line.endswith(same) for line in verdicts[1:])
    pattern = "gpt2" if format == "tiktoken" else None
    assert load(tmp_path / name, pattern=pattern).merges == load(folder).merges


def test_without_check_it_only_writes(run: Run, folder: Path, tmp_path: Path) -> None:
    status, _output, messages = run("convert", folder, tmp_path, "--format", "csv")
    assert status == 0
    assert messages.count("\n") == 1
    assert (tmp_path / "vocabulary.csv").is_file()


def test_subword_nmt_compares_tokens(run: Run, corpus: Path, tmp_path: Path) -> None:
    run("train", corpus, "--recipe", "subword-nmt", "--num-merges", 5, "--output", tmp_path / "in")
    messages = run("convert", tmp_path / "in", tmp_path / "my.codes", "--format", "subword-nmt", "--check").messages
    assert "\nsubword-nmt 0." in messages
    assert " gives the same tokens for " in messages


@pytest.mark.slow
def test_texts_are_compared_too(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("first line\nsecond line\n" + "long " * 30_000, encoding="utf-8", newline="\n")
    (tmp_path / "b").write_bytes("你好".encode("utf-16"))
    messages = run(
        "convert", folder, tmp_path / "out", "--format", "minbpe", "--check", "--text", tmp_path / "a",
        "--text", tmp_path / "b", "--encoding", "utf-16",
    ).messages  # fmt: skip
    assert "bpe-gui: " in messages, "both files are read in this encoding"
    messages = run(
        "convert", folder, tmp_path / "out", "--format", "minbpe", "--check", "--text", tmp_path / "a"
    ).messages
    assert f"gives the same ids for {len(proof_strings([], [SPECIAL])) + 4} test strings" in messages


def test_a_difference_is_status_1(run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def save_and_damage(*arguments: Any, **options: Any) -> list[Path]:
        paths = save(*arguments, **options)
        lines = [line.split() for line in paths[0].read_text(encoding="utf-8").splitlines()]
        lines[256][1], lines[257][1] = lines[257][1], lines[256][1]
        paths[0].write_text("".join(f"{token} {rank}\n" for token, rank in lines), encoding="utf-8", newline="\n")
        return paths

    monkeypatch.setattr("bpe_gui.cli.convert.save", save_and_damage)
    status, output, messages = run("convert", folder, tmp_path / "my.tiktoken", "--format", "tiktoken", "--check")
    assert (status, output) == (1, b"")
    text = load(folder).token(256).decode()
    sides = [f"  text:     {text}", "  expected: 256", "  got:      257"]
    _wrote, _caution, *lines = messages.splitlines()
    assert lines[:4] == ["bpe-gui itself gives different ids:", *sides]
    assert lines[4].startswith("tiktoken ")
    assert lines[5:] == sides


def test_files_that_others_read_with_other_ids_are_refused(run: Run, tmp_path: Path) -> None:
    tokenizer = train("(low (low (lower", recipe="minbpe", num_merges=8)
    save(tokenizer, tmp_path / "in.tiktoken", "tiktoken")
    text = tmp_path / "text.txt"
    text.write_text("(lower (low", "utf-8")
    options = (
        "convert", tmp_path / "in.tiktoken", tmp_path / "out", "--format", "gpt2", "--pattern", "cl100k", "--check",
        "--text", text,
    )  # fmt: skip
    assert mistake(run(*options)) == (
        "The files do not say how text is split. Other programs split it as GPT-2 does, and give other ids. Choose "
        "another format, or use --force to write them for bpe-gui alone."
    )
    assert not (tmp_path / "out").exists()
    status, _output, messages = run(*options, "--force")
    assert status == 1
    assert " gives the same ids for " in messages.splitlines()[2]
    assert messages.splitlines()[3].startswith("tokenizers ")
    assert messages.splitlines()[3].endswith(" gives different ids:")
    assert load(tmp_path / "out").encode("(lower (low") == tokenizer.encode("(lower (low")


# -- ranks, which lack the pattern and the special tokens --------------------------------------------------------------


def test_the_user_gives_the_pattern_of_ranks(run: Run, tmp_path: Path) -> None:
    text = "low 12345 lower 12345"
    tokenizer = train(text, recipe="minbpe", num_merges=8, special_tokens=["<a=b>"])
    save(tokenizer, tmp_path / "in.tiktoken", "tiktoken")
    token_id = tokenizer.special_tokens["<a=b>"]
    assert run(
        "convert", tmp_path / "in.tiktoken", tmp_path / "out", "--format", "gpt2", "--pattern", "cl100k",
        "--special-token", f"<a=b>={token_id}", "--force",
    ).status == 0  # fmt: skip
    again = load(tmp_path / "out")
    assert again.encode(text + "<a=b>") == tokenizer.encode(text + "<a=b>")
    assert again.recipe.splitter == "cl100k"
    assert again.special_tokens == {"<a=b>": token_id}


def test_a_pattern_that_tiktoken_reads_otherwise_is_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    save(load(folder), tmp_path / "in.tiktoken", "tiktoken")
    message = mistake(
        run("convert", tmp_path / "in.tiktoken", tmp_path / "out", "--format", "gpt2", "--pattern", r"a\K")
    )
    assert "at position 1, which is not supported" in message
    assert not (tmp_path / "out").exists()


def test_the_guess_about_ranks_is_reported(run: Run, folder: Path, tmp_path: Path) -> None:
    ranks = tmp_path / "my.tiktoken"
    save(load(folder), ranks, "tiktoken")
    guess = (
        f"{ranks} does not say how text is split or which special tokens it has, so the GPT-2 pattern is used, "
        "without special tokens. Set them with --pattern and --special-token.\n"
    )
    status, _output, messages = run("convert", ranks, tmp_path / "out", "--format", "gpt2")
    assert status == 0
    assert messages.startswith(guess)
    status, ids, messages = run("encode", "--tokenizer", ranks, stdin=SPECIAL.encode())
    assert (status, messages) == (0, guess)
    assert len(ids.split()) == len(SPECIAL)
    token_id = load(folder).special_tokens[SPECIAL]
    known = ["--tokenizer", ranks, "--special-token", f"{SPECIAL}={token_id}"]
    assert run("encode", *known, stdin=SPECIAL.encode()) == (0, b"%d\n" % token_id, "")
    assert run("decode", *known, stdin=b"%d" % token_id) == (0, SPECIAL.encode(), "")
    guess = f"{ranks} does not say which special tokens it has, so none are used. Set them with --special-token.\n"
    assert run("decode", "--tokenizer", ranks, stdin=b"108") == (0, b"l", guess)


def test_decoding_takes_no_pattern(run: Run, folder: Path) -> None:
    message = mistake(run("decode", "--tokenizer", folder, "--pattern", "gpt2"))
    assert message.startswith("unrecognized arguments: --pattern ")
    message = mistake(run("decode", "--tokenizer", folder, "--special-token", "<a>=300"))
    assert message.startswith(
        "--special-token is only for files that do not say this themselves, such as tiktoken ranks. "
    )


@pytest.mark.parametrize("given", [("--pattern", "cl100k"), ("--special-token", "<a>=300")])
def test_a_pattern_for_a_file_that_has_one_is_refused(
    run: Run, folder: Path, tmp_path: Path, given: tuple[str, str]
) -> None:
    message = mistake(run("convert", folder, tmp_path / "out", "--format", "gpt2", *given))
    assert message.startswith(f"{given[0]} is only for files that do not say this themselves, such as tiktoken ranks. ")
    assert not (tmp_path / "out").exists()


# -- mistakes ----------------------------------------------------------------------------------------------------------


def test_a_format_that_cannot_express_it(run: Run, folder: Path, tmp_path: Path) -> None:
    message = mistake(run("convert", folder, tmp_path / "out", "--format", "subword-nmt"))
    assert message.startswith("subword-nmt merges characters, but this tokenizer starts from bytes.")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["in", "out"], "required: --format"),
        (["in", "--format", "gpt2"], "required: OUT"),
        (["in", "out", "--format", "gguf2"], "invalid choice: 'gguf2'"),
        (["in", "out", "--format", "gpt2", "--special-token", "<a>"], "'<a>' does not have the form TOKEN=ID"),
        (["in", "out", "--format", "gpt2", "--special-token", "<a>=x"], "does not have the form TOKEN=ID"),
        (["in", "out", "--format", "gpt2", "--text", "x"], "--text works only with --check"),
        (["in", "out", "--format", "gpt2"], "in does not exist"),
    ],
)
def test_mistakes(run: Run, arguments: list[str], reason: str) -> None:
    assert reason in mistake(run("convert", *arguments))


def test_nothing_is_written_to_an_impossible_output(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    for name, format in (("x", "gpt2"), ("x.model", "minbpe")):
        message = mistake(run("convert", folder, tmp_path / "file" / name, "--format", format))
        assert message.endswith("file is a file, not a folder.")
    assert "cannot be written to '-'" in mistake(run("convert", folder, "-", "--format", "minbpe"))
    arguments = ["convert", folder, tmp_path / "out", "--format", "gpt2", "--check"]
    assert "cannot be read" in mistake(run(*arguments, "--text", tmp_path / "none"))
    assert not (tmp_path / "out").exists()


# -- train in a format -------------------------------------------------------------------------------------------------


def test_training_in_another_format(run: Run, corpus: Path, tmp_path: Path) -> None:
    arguments = ["train", corpus, "--num-merges", 4, "--recipe", "minbpe", "--format", "minbpe"]
    assert run(*arguments, "--output", tmp_path / "my.model").status == 0
    assert load(tmp_path / "my.model").merges == train(CORPUS, recipe="minbpe", num_merges=4).merges
    assert run(*arguments, "--output", tmp_path / "my.model").status == 0, "an existing file is replaced"


@pytest.mark.parametrize("merges", [0, 4])
def test_training_for_a_format_that_cannot_express_it(run: Run, corpus: Path, tmp_path: Path, merges: int) -> None:
    arguments = ["train", corpus, "--recipe", "char-eow", "--format", "tiktoken", "--num-merges", merges]
    assert mistake(run(*arguments, "--output", tmp_path / "out")).startswith("tiktoken merges bytes,")
    assert not (tmp_path / "out").exists()


def test_training_for_a_format_that_cannot_express_it_stops_early(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.cli.train.train_until", lambda trainer, *_conditions, **_goals: _endless(trainer))
    (tmp_path / "corpus").write_text(CORPUS, encoding="utf-8")
    arguments = ["train", tmp_path / "corpus", "--recipe", "char-eow", "--format", "tiktoken", "--num-merges", 99]
    assert "tiktoken merges bytes" in mistake(run(*arguments, "--output", tmp_path / "out"))


def _endless(trainer: object) -> object:
    trainer.step()  # type: ignore[attr-defined]
    yield 1, 99
    pytest.fail("training continued")


@pytest.mark.parametrize("recipe", PRESETS)
def test_every_preset_can_be_converted_to_tables(run: Run, corpus: Path, tmp_path: Path, recipe: str) -> None:
    run("train", corpus, "--recipe", recipe, "--num-merges", 4, "--output", tmp_path / "in")
    assert run("convert", tmp_path / "in", tmp_path, "--format", "tsv", "--check").status == 0
    assert (tmp_path / "merges.tsv").read_text(encoding="utf-8").count("\n") == 5


def test_tokens_of_another_tokenizer_are_added(run: Run, folder: Path, tmp_path: Path) -> None:
    save(train("slowest slowest rows", recipe="tiktoken", num_merges=7), tmp_path / "other")
    status, _output, messages = run(
        *("convert", folder, tmp_path / "out", "--format", "gpt2", "--check"),
        *("--merge-with", tmp_path / "other", "--at-most", 3, "--map", tmp_path / "map.json"),
        *("--add-special", "<tool>", "--add-special", "<far>=999", "--rename-special", SPECIAL, "<end>"),
    )
    assert status == 0
    lines = messages.splitlines()
    assert lines[0].startswith(f"Added 3 tokens of {tmp_path / 'other'}. Left out ")
    assert lines[-1 - len(lines[2:])].startswith(f"Wrote {tmp_path / 'out' / 'vocab.json'}")
    assert f"Wrote {tmp_path / 'map.json'} for 267 tokens: 261 with the same id, 0 with another one, " in messages
    merged, base = load(tmp_path / "out"), load(folder)
    assert len(merged.vocab) == 267
    assert merged.merges[:5] == base.merges
    assert merged.special_tokens == {"<end>": base.special_tokens[SPECIAL], "<tool>": 265, "<far>": 999}


def test_at_most_needs_a_tokenizer_to_merge_with(run: Run, folder: Path, tmp_path: Path) -> None:
    assert mistake(run("convert", folder, tmp_path / "out", "--format", "gpt2", "--at-most", 3)) == (
        "--at-most works only with --merge-with. Add --merge-with."
    )


def test_the_token_for_unknown_symbols_is_chosen(run: Run, corpus: Path, tmp_path: Path) -> None:
    options = ("--recipe", "zh-en", "--num-merges", 4, "--output")
    assert (
        run("train", corpus, *options, tmp_path / "a", "--unk-token", "<unk>", "--format", "transformers").status == 0
    )
    trained = load(tmp_path / "a")
    assert trained.encode("x") == [trained.special_tokens["<unk>"], trained.token_id(b"</w>")]
    assert trained.config.roles["unk_token"] == "<unk>"
    assert run("train", corpus, *options, tmp_path / "b").status == 0
    converted = ("convert", tmp_path / "b", tmp_path / "c", "--format", "transformers", "--unk-token", "<unk>")
    assert "'<unk>' of --unk-token is not in the vocabulary. Add it with --add-special." in run(*converted).messages
    assert run(*converted, "--add-special", "<unk>", "--check").status == 0
    unknown = load(tmp_path / "c")
    assert unknown.unknown_id == unknown.special_tokens["<unk>"]
    assert unknown.config.roles["unk_token"] == "<unk>"
    assert "--unk-token" in run("encode", "--tokenizer", tmp_path / "b", stdin=b"x").messages
