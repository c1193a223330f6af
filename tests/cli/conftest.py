"""A fixture that runs commands in this process, and tokenizers to run them with."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from bpe_gui.cli.main import main
from bpe_gui.engine import save, train

CORPUS = "low low low lower lower widest widest newest"


class Result(NamedTuple):
    """The exit status of a command, the bytes on standard output, and the text on standard error."""

    status: int
    output: bytes
    messages: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Return a function that runs a command: `run("encode", "--tokenizer", folder, stdin=b"low")`."""

    def run_command(*arguments: object, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        status = main([str(argument) for argument in arguments])
        output, messages = capsysbinary.readouterr()
        return Result(status, output, messages.decode())

    return run_command


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a text file with the corpus of the CS336 assignment."""
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def byte_tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tokenizer of bytes with a special token."""
    folder = tmp_path_factory.mktemp("bytes")
    save(train(CORPUS, num_merges=5, special_tokens=["<|endoftext|>"]), folder)
    return folder


@pytest.fixture(scope="session")
def word_tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tokenizer of characters with `</w>`, which drops the spaces between words."""
    folder = tmp_path_factory.mktemp("words")
    save(train(CORPUS, recipe="char-eow", num_merges=5), folder)
    return folder
