"""Files that `bpe-gui train` writes give the same ids in the libraries that people use."""

import json
from pathlib import Path

import pytest
import tiktoken
from tokenizers import ByteLevelBPETokenizer

from bpe_gui.cli.main import main
from bpe_gui.engine import SPLITTERS, load
from bpe_gui.engine.proof.proof import HARD_STRINGS
from tests.engine.support.mixed_text import mixed_text

from .conftest import Run

LINES = [line for text in HARD_STRINGS for line in text.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tokenizer of 5,000 entries, trained on mixed text."""
    folder = tmp_path_factory.mktemp("trained")
    corpus = folder / "corpus.txt"
    corpus.write_text(mixed_text(), encoding="utf-8", newline="")
    assert main(["train", str(corpus), "--recipe", "cs336", "--vocab-size", "5000", "--output", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_ids_in_hugging_face_tokenizers(folder: Path) -> None:
    theirs = ByteLevelBPETokenizer.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
    ours = load(folder)
    assert theirs.get_vocab_size() == len(ours.vocab) == 5_000
    assert [theirs.encode(text).ids for text in HARD_STRINGS] == ours.encode_batch(HARD_STRINGS)


def test_ids_in_tiktoken(folder: Path) -> None:
    ours = load(folder)
    ranks = {token: token_id for token_id, token in ours.vocab.items()}
    theirs = tiktoken.Encoding("ours", pat_str=SPLITTERS["gpt2"], mergeable_ranks=ranks, special_tokens={})
    assert [theirs.encode(text) for text in HARD_STRINGS] == ours.encode_batch(HARD_STRINGS)


@pytest.mark.slow
def test_the_command_gives_those_ids(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes("".join(f"{line}\n" for line in LINES).encode())
    status, output, _ = run("encode", "--lines", "--tokenizer", folder, tmp_path / "lines")
    assert status == 0
    assert [list(map(int, line.split())) for line in output.splitlines()] == load(folder).encode_batch(LINES)


def test_the_vocabulary_is_written_readably(folder: Path) -> None:
    vocab = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    assert "的" not in vocab and "çļĦ" in vocab
    assert "çļĦ" in (folder / "vocab.json").read_text(encoding="utf-8")
