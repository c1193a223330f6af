"""A user's mistake: exit status 2, one line that says what was wrong and what would be right, and nothing lost."""

import errno
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from bpe_gui.cli.main import main
from bpe_gui.engine import load

from .conftest import Result, Run


def mistake(result: Result) -> str:
    """Return the message of a command that failed, and assert that it is one line."""
    assert result.status == 2
    assert result.messages.startswith("bpe-gui: ")
    assert result.messages.count("\n") == 1
    return result.messages.removeprefix("bpe-gui: ").rstrip("\n")


def train_on(run: Run, tmp_path: Path, content: bytes, *more: object) -> str:
    """Return the message of training on a corpus with this content, and assert that nothing was written."""
    (tmp_path / "corpus").write_bytes(content)
    size = () if {"--vocab-size", "--num-merges"}.intersection(map(str, more)) else ("--num-merges", 5)
    message = mistake(run("train", tmp_path / "corpus", "--output", tmp_path / "out", *size, *more))
    assert not (tmp_path / "out").exists()
    return message


def test_a_warning_is_a_line(run: Run, monkeypatch: pytest.MonkeyPatch, byte_tokenizer: Path) -> None:
    def warn(_arguments: object) -> int:
        warnings.warn("Large corpora will be slow.", stacklevel=1)
        return 0

    monkeypatch.setattr("bpe_gui.cli.inspect.run", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert run("inspect", byte_tokenizer).messages == "bpe-gui: Large corpora will be slow.\n"


# -- the corpus --------------------------------------------------------------------------------------------------------


def test_an_empty_corpus(run: Run, tmp_path: Path) -> None:
    assert train_on(run, tmp_path, b"").startswith("The corpus is empty")


@pytest.mark.parametrize(
    "command", [["train", "", "--num-merges", "1", "--output", "out"], ["encode", "--tokenizer", "", "corpus"]]
)
def test_an_empty_path_is_not_this_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (tmp_path / "corpus").write_text("low low")
    monkeypatch.chdir(tmp_path)
    assert "empty" in mistake(run(*command))


def test_an_empty_folder_to_write_to_is_not_this_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corpus").write_text("low low")
    monkeypatch.chdir(tmp_path)
    message = mistake(run("train", tmp_path / "corpus", "--num-merges", 1, "--output", ""))
    assert message.startswith("argument -o/--output: a path is empty")


def test_there_is_not_enough_memory(run: Run, monkeypatch: pytest.MonkeyPatch, byte_tokenizer: Path) -> None:
    def exhaust(_arguments: object) -> int:
        raise MemoryError

    monkeypatch.setattr("bpe_gui.cli.inspect.run", exhaust)
    assert mistake(run("inspect", byte_tokenizer)).startswith("there is not enough memory")


def test_a_negative_size_extends_nothing(run: Run, tmp_path: Path) -> None:
    message = train_on(run, tmp_path, b"low", "--vocab-size", -5)
    assert "extends" not in message
    assert "at least 256" in message


def test_a_corpus_with_nothing_to_merge(run: Run, tmp_path: Path) -> None:
    assert train_on(run, tmp_path, b"a") == (
        "There is nothing to merge in this corpus: no two symbols are adjacent in a word."
    )
    assert "adjacent in a word at least 2 times." in train_on(run, tmp_path, b"ab", "--recipe", "char-eow")


def test_a_binary_file(run: Run, tmp_path: Path) -> None:
    message = train_on(run, tmp_path, b"\x7fELF\0\0")
    assert "corpus looks like a binary file: there is a null byte at offset 4." in message


@pytest.mark.parametrize("before", [b"low ", b"x" * 300_000])
def test_invalid_utf8_names_the_offset_and_the_options(run: Run, tmp_path: Path, before: bytes) -> None:
    message = train_on(run, tmp_path, before + b"\xff low")
    assert f"corpus is not valid UTF-8: the byte at offset {len(before):,} (0xFF) cannot be decoded." in message
    assert message.endswith("Use --encoding NAME or --replace-invalid.")


def test_invalid_utf8_on_standard_input(run: Run, byte_tokenizer: Path) -> None:
    message = mistake(run("encode", "--tokenizer", byte_tokenizer, stdin="你".encode() + b"\xe4\xbd"))
    assert message.startswith("standard input is not valid UTF-8: the byte at offset 3 (0xE4) cannot be decoded.")


def test_utf16_without_saying_so(run: Run, tmp_path: Path) -> None:
    assert "looks like UTF-16 text" in train_on(run, tmp_path, "low".encode("utf-16"))


def test_an_encoding_that_does_not_exist(run: Run, tmp_path: Path) -> None:
    assert "Unknown encoding 'utf-9'" in train_on(run, tmp_path, b"low", "--encoding", "utf-9")


def test_a_file_that_does_not_exist(run: Run, corpus: Path, tmp_path: Path, byte_tokenizer: Path) -> None:
    missing = tmp_path / "missing"
    expected = f"{missing} cannot be read: No such file or directory."
    assert mistake(run("train", corpus, missing, "--num-merges", 1, "--output", tmp_path / "out")) == expected
    assert mistake(run("decode", "--tokenizer", byte_tokenizer, missing)) == expected
    # If the second file does not exist, not even the first one is encoded.
    result = run("encode", "--tokenizer", byte_tokenizer, corpus, missing)
    assert (mistake(result), result.output) == (expected, b"")


def test_no_files(run: Run, tmp_path: Path) -> None:
    options = ["--num-merges", 1, "--output", tmp_path / "out"]
    empty = f"{tmp_path} has no files. Name a folder with text, or a file."
    assert mistake(run("train", tmp_path, *options)) == empty
    assert mistake(run("train", tmp_path / "*.txt", *options)) == f"No file matches {tmp_path / '*.txt'}."


def test_standard_input_that_is_closed(
    byte_tokenizer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["encode", "--tokenizer", str(byte_tokenizer)]) == 2
    assert "standard input is closed" in capsys.readouterr().err


# -- the options -------------------------------------------------------------------------------------------------------


def test_a_vocabulary_below_the_alphabet(run: Run, tmp_path: Path) -> None:
    message = train_on(run, tmp_path, b"low", "--vocab-size", 100, "--special-token", "<s>")
    assert message.startswith("The vocabulary size 100 is too small. It must be at least 257 ")
    assert message.endswith("the symbols of the alphabet (256) and the special tokens (1).")


@pytest.mark.parametrize("number", ["ten", "1.5", "10k", ""])
def test_a_size_that_is_not_a_number(run: Run, tmp_path: Path, number: str) -> None:
    message = train_on(run, tmp_path, b"low", "--vocab-size", number)
    assert f"--vocab-size: {number!r} is not an integer" in message


def test_a_negative_number_of_merges(run: Run, tmp_path: Path) -> None:
    assert train_on(run, tmp_path, b"low", "--num-merges", -1) == ("The number of merges must be 0 or more, not -1.")


def test_no_size(run: Run, corpus: Path, tmp_path: Path) -> None:
    assert "--vocab-size N, --num-merges N or --until CONDITION" in mistake(
        run("train", corpus, "--output", tmp_path / "out")
    )


def test_a_recipe_that_does_not_exist(run: Run, tmp_path: Path) -> None:
    message = train_on(run, tmp_path, b"low", "--recipe", "cs337")
    assert message.startswith("Unknown recipe 'cs337'. The presets are cs336, ")
    assert "No such file" in train_on(run, tmp_path, b"low", "--recipe", tmp_path / "mine.json")


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ({"splitter": "(a"}, "regular expression is not valid at position 2"),
        ({"splitter": 5}, "splitter"),
        (
            {"tie_break": "luck"},
            "The recipe's tie_break cannot be 'luck'. The choices are greatest, first-seen, smallest-id, shortest.",
        ),
        ({"tiebreak": "greatest"}, "Unknown recipe setting 'tiebreak'"),
        ([], "A recipe must be a JSON object"),
    ],
)
def test_a_recipe_file_with_a_mistake(run: Run, tmp_path: Path, recipe: Any, reason: str) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(json.dumps(recipe), encoding="utf-8")
    message = train_on(run, tmp_path, b"low", "--recipe", path)
    assert message.startswith(f"{path}: ")
    assert reason in message


def test_a_recipe_file_that_is_not_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text("{\n'a'", encoding="utf-8", newline="\n")
    assert "recipe.json, line 2, column 1: this is not valid JSON" in train_on(
        run, tmp_path, b"low", "--recipe", tmp_path / "recipe.json"
    )


def test_special_tokens_that_are_empty_or_repeated(run: Run, tmp_path: Path) -> None:
    assert "Special token number 1 is empty" in train_on(run, tmp_path, b"low", "--special-token", "")
    twice = ["--special-token", "<s>", "--special-token", "<s>"]
    assert "The special token '<s>' occurs twice" in train_on(run, tmp_path, b"low", *twice)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["train", "--output", "x"], "the following arguments are required: FILE (see bpe-gui train --help)"),
        (["train", "x"], "required: -o/--output"),
        (["encode"], "required: -t/--tokenizer"),
        (["decode", "--token", "x"], "required: -t/--tokenizer"),
        (["inspect"], "required: PATH"),
        (["train", "x", "--output", "x", "--merges", "3"], "unrecognized arguments: --merges 3"),
        (["frain"], "invalid choice: 'frain'"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["count", "x", "-o", "x", "--memory", "9" * 5_000 + "GB"], "is not a size such as 2GB or 500MB"),
        (["count", "x", "-o", "x", "--start", "9" * 5_000], "is not a number of bytes"),
        (["encode", "x", "-t", "x", "--special-token", "a=" + "9" * 5_000], "does not have the form TOKEN=ID"),
        ([""], "''"),
    ],
)
def test_arguments_that_are_not_a_command(run: Run, arguments: list[str], reason: str) -> None:
    assert reason in mistake(run(*arguments))


# -- the output --------------------------------------------------------------------------------------------------------


def test_an_output_folder_that_is_a_file(run: Run, corpus: Path, tmp_path: Path) -> None:
    message = mistake(run("train", corpus, "--num-merges", 1, "--output", corpus))
    assert message.endswith(f" cannot be written: {corpus} is a file, not a folder.")
    assert f"{corpus} is a file, not a folder" in mistake(
        run("train", corpus, "--num-merges", 1, "--output", corpus / "deeper")
    )
    assert corpus.is_file()


def test_an_output_folder_that_may_not_be_written(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # since the tests may run as root, who may write anywhere
    message = mistake(run("train", corpus, "--num-merges", 1, "--output", tmp_path / "out"))
    assert message == f"{tmp_path / 'out'} cannot be written: Permission denied."


@pytest.mark.parametrize(
    ("name", "format", "expected"),
    [
        ("x.txt", "huggingface", "use a file name that ends in .json, or a folder name without an extension."),
        ("my.model", "gpt2", "is written to a folder. Use a name without an extension."),
    ],
)
def test_an_output_that_is_named_like_another_file(
    run: Run, corpus: Path, tmp_path: Path, name: str, format: str, expected: str
) -> None:
    arguments = ["train", corpus, "--num-merges", 1, "--format", format, "--output", tmp_path / name]
    message = mistake(run(*arguments))
    assert str(tmp_path / name) in message
    assert f"the format {format}" in message
    assert message.endswith(expected)
    assert not (tmp_path / name).exists()
    (tmp_path / name).mkdir()
    assert run(*arguments).status == 0, "an existing folder is taken as a folder"


def test_a_version_number_in_a_folders_name_is_not_an_ending(run: Run, corpus: Path, tmp_path: Path) -> None:
    assert run("train", corpus, "--num-merges", 1, "--output", tmp_path / "v1.5").status == 0


def test_output_to_standard_output(run: Run, corpus: Path, tmp_path: Path) -> None:
    assert "A tokenizer cannot be written to '-'" in mistake(run("train", corpus, "--num-merges", 1, "--output", "-"))


def test_a_full_disk_leaves_the_old_tokenizer_alone(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    run("train", corpus, "--num-merges", 1, "--output", folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    message = mistake(run("train", corpus, "--num-merges", 3, "--output", folder))
    assert "cannot be written: No space left on device" in message
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


# -- tokenizers and ids ------------------------------------------------------------------------------------------------

COMMANDS_THAT_LOAD = (("encode", "--tokenizer"), ("decode", "--tokenizer"), ("inspect",))


@pytest.mark.parametrize("command", COMMANDS_THAT_LOAD)
def test_a_tokenizer_that_does_not_exist(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    message = mistake(run(*command, tmp_path / "missing"))
    assert message == f"{tmp_path / 'missing'} does not exist."


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gpt2", " For the published tokenizer, write tiktoken:gpt2."),
        ("gpt-4o", " For the published tokenizer, write tiktoken:o200k_base."),
        ("me/mine", " For the published tokenizer, write hf:me/mine."),
        ("out/tokenizer.json", ""),
        ("./gpt9", ""),
    ],
)
def test_the_name_of_a_published_tokenizer_without_its_prefix(run: Run, name: str, meant: str) -> None:
    assert mistake(run("encode", "--tokenizer", name)) == f"{Path(name)} does not exist.{meant}"


@pytest.mark.parametrize("command", COMMANDS_THAT_LOAD)
@pytest.mark.parametrize(
    ("name", "content", "location"),
    [
        ("vocab.json", '{"a": 1,\n"b" 2}', "vocab.json, line 2, column 5"),
        ("vocab.json", '{"a": 1,\n"b": "two"}', "vocab.json, line 2"),
        ("vocab.json", '{"a": 1,\n"b": 1}', "vocab.json, line 2"),
        ("merges.txt", "#version: 0.2\no w\nlow", "merges.txt, line 3"),
        ("merges.txt", "#version: 0.2\no w x", "merges.txt, line 2"),
        ("training.json", "[", "training.json, line 1"),
    ],
)
def test_a_damaged_tokenizer_names_the_line(
    run: Run, corpus: Path, tmp_path: Path, command: tuple[str, ...], name: str, content: str, location: str
) -> None:
    run("train", corpus, "--num-merges", 2, "--output", tmp_path / "out")
    (tmp_path / "out" / name).write_text(content, encoding="utf-8", newline="\n")
    result = run(*command, tmp_path / "out", stdin=b"1")
    assert location in mistake(result)
    assert result.output == b""


def test_ids_that_do_not_exist(run: Run, byte_tokenizer: Path) -> None:
    message = mistake(run("decode", "--tokenizer", byte_tokenizer, stdin=b"104 262"))
    assert message == "standard input: No token has the id 262. The ids of this vocabulary range from 0 to 261."
    assert "9999999999" in mistake(run("decode", "--tokenizer", byte_tokenizer, stdin=b"9999999999"))


@pytest.mark.parametrize("lines", [[], ["--lines"]])
@pytest.mark.parametrize("word", ["low", "-1", "1.0", "[104,", "1_0", "９", "²", "0x10", "+1"])
def test_ids_that_are_not_numbers(run: Run, byte_tokenizer: Path, word: str, lines: list[str]) -> None:
    message = mistake(run("decode", "--tokenizer", byte_tokenizer, *lines, stdin=f"104 105 {word}\n".encode()))
    assert message.startswith(f"standard input: {word!r} is not a valid id (number 3 in the input)")


def test_an_endless_id(run: Run, byte_tokenizer: Path) -> None:
    message = mistake(run("decode", "--tokenizer", byte_tokenizer, stdin=b"1" * 1_000_000))
    assert message.startswith("standard input: '11111111111111111111...' is not a valid id")


def test_ids_in_a_binary_file(run: Run, byte_tokenizer: Path) -> None:
    assert "looks like a binary file" in mistake(run("decode", "--tokenizer", byte_tokenizer, stdin=b"1 \0"))


def test_a_symbol_without_an_id_names_the_file(run: Run, word_tokenizer: Path, tmp_path: Path) -> None:
    assert load(word_tokenizer).unknown_id is None
    (tmp_path / "text").write_text("low\nQ", encoding="utf-8", newline="\n")
    message = mistake(run("encode", "--tokenizer", word_tokenizer, tmp_path / "text"))
    assert message.startswith(f"{tmp_path / 'text'}: The symbol 'Q' (number 1 of the word 'Q'")


# -- what is in the way ---------------------------------------------------------------------------------------------


def test_nothing_of_another_kind_is_replaced(run: Run, corpus: Path, byte_tokenizer: Path, tmp_path: Path) -> None:
    mine = {name: tmp_path / name for name in ("mine.json", "mine.parquet", "folder/vocab.json")}
    (tmp_path / "folder").mkdir()
    for path in mine.values():
        path.write_text("{}")
    json, folder = ("--format", "huggingface"), tmp_path / "folder"
    commands: list[tuple[tuple[object, ...], str]] = [
        (("train", corpus, "--num-merges", 1, *json, "-o", mine["mine.json"]), "is not a tokenizer"),
        (("train", corpus, "--num-merges", 1, "-o", folder), "is not a tokenizer"),
        (("convert", byte_tokenizer, mine["mine.json"], *json), "is not a tokenizer"),
        (("count", corpus, "-o", mine["mine.parquet"]), "has no word counts"),
    ]
    for command, message in commands:
        result = run(*command)
        assert result.status == 2
        assert f"{message}. Choose another name, or use --force." in result.messages
        assert {path.read_text() for path in mine.values()} == {"{}"}
    for command, _message in commands:
        assert run(*command, "--force").status == 0
        assert run(*command).status == 0, "it may replace its own"


def test_inputs_are_never_replaced(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    text, json = tmp_path / "x.json", ("--format", "huggingface")
    text.write_text("low lower", encoding="utf-8")
    result = run("train", text, "--num-merges", 1, *json, "-o", text, "--force")
    assert (result.status, text.read_text()) == (2, "low lower")
    assert f"{text} is one of the inputs. Write the result to another place." in result.messages
    assert run("convert", byte_tokenizer, tmp_path / "tokenizer.json", *json).status == 0
    for source in (tmp_path, tmp_path / "tokenizer.json"):
        result = run("convert", source, tmp_path / "tokenizer.json", *json, "--force")
        assert "is one of the inputs" in result.messages
