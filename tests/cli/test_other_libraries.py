"""Files that `bpe-gui train` writes give the same ids in the libraries that people use."""

import json
from pathlib import Path

import pytest
import tiktoken
from tokenizers import ByteLevelBPETokenizer

from bpe_gui.cli.main import main
from bpe_gui.engine import SPLITTERS, load

from .conftest import DATA, Run

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="no shared data beside this checkout")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tokenizer of 10,000 entries, trained on all of Shakespeare."""
    folder = tmp_path_factory.mktemp("shakespeare")
    corpus = str(DATA / "tinyshakespeare.txt")
    assert main(["train", corpus, "--recipe", "cs336", "--vocab-size", "10000", "--output", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def naughty_lines() -> list[str]:
    """Return strings that are known to break programs, and lines of ordinary text."""
    naughty = (DATA / "naughty-strings.txt").read_bytes().decode().split("\n")
    return naughty + (DATA / "corpus.en").read_text(encoding="utf-8").split("\n")[:200]


@pytest.mark.slow
def test_ids_in_hugging_face_tokenizers(folder: Path, naughty_lines: list[str]) -> None:
    theirs = ByteLevelBPETokenizer.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
    ours = load(folder)
    assert theirs.get_vocab_size() == len(ours.vocab) == 10_000
    assert [theirs.encode(line).ids for line in naughty_lines] == ours.encode_batch(naughty_lines)


def test_ids_in_tiktoken(folder: Path, naughty_lines: list[str]) -> None:
    ours = load(folder)
    ranks = {token: token_id for token_id, token in ours.vocab.items()}
    theirs = tiktoken.Encoding("ours", pat_str=SPLITTERS["gpt2"], mergeable_ranks=ranks, special_tokens={})
    assert [theirs.encode(line) for line in naughty_lines] == ours.encode_batch(naughty_lines)


@pytest.mark.slow
def test_the_command_gives_those_ids(run: Run, folder: Path) -> None:
    status, output, _ = run("encode", "--lines", "--tokenizer", folder, DATA / "naughty-strings.txt")
    lines = (DATA / "naughty-strings.txt").read_bytes().decode().removesuffix("\n").split("\n")
    assert status == 0
    assert [list(map(int, line.split())) for line in output.splitlines()] == load(folder).encode_batch(lines)


def test_the_vocabulary_is_written_readably(folder: Path) -> None:
    vocab = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    assert "Ġthe" in vocab
    assert "Ġthe" in (folder / "vocab.json").read_text(encoding="utf-8")
