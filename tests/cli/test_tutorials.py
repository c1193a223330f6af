"""The commands print what tutorials do."""

import json
from pathlib import Path

import pytest

from bpe_gui.samples import samples
from tests.tutorials import TUTORIALS, Tutorial

from .conftest import Run


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.sample)
def test_a_tutorial(tutorial: Tutorial, run: Run, tmp_path: Path) -> None:
    sample = next(each for each in samples() if each.path.stem == tutorial.sample)
    count = len(tutorial.sizes) - 1
    special = [argument for token in tutorial.special_tokens for argument in ("--special-token", token)]
    recipe = tutorial.recipe.upper()  # in any case
    arguments = "train", sample.path, "--recipe", recipe, "--num-merges", count, *special, "--output", tmp_path
    assert f"{tutorial.sizes[-1]:,} entries and {count} merges" in run(*arguments).messages
    vocab = json.loads((tmp_path / "vocab.json").read_text("utf-8"))
    assert sorted(vocab.values()) == list(range(tutorial.sizes[-1]))
    counts = json.loads((tmp_path / "training.json").read_text("utf-8"))["merge_counts"]
    assert counts[: len(tutorial.merges.split(", "))] == [int(m.split()[1]) for m in tutorial.merges.split(", ")]
    for text, tokens in tutorial.tokens.items():
        result = run("encode", "--tokenizer", tmp_path, "--tokens", stdin=text.encode())
        assert result.output.decode() == f"{tokens}\n"


def test_the_ids_of_bbpe(run: Run, tmp_path: Path) -> None:
    sample = next(each for each in samples() if each.path.stem == "bbpe")
    run("train", sample.path, "--recipe", "bbpe", "--vocab-size", 270, "--output", tmp_path)
    ids = {"es": 69, "est": 70, "lo": 78, "low": 79, "Ġlow": 225, "Ġlowe": 226, "Ġlower": 227, "Ġw": 228, "Ġwi": 229}
    ids |= {"Ġwid": 230, "Ġwidest": 231, "Ġä": 232, "Ġä½": 233, "Ġä½ł": 234}
    vocab = json.loads((tmp_path / "vocab.json").read_text("utf-8"))
    assert {token: vocab[token] for token in ids} == ids
    assert (tmp_path / "merges.txt").read_text("utf-8").splitlines()[0] == "l o"  # without a header


def test_the_files_of_the_pruned_vocabulary(run: Run, tmp_path: Path) -> None:
    sample = next(each for each in samples() if each.path.stem == "char-eow")
    run("train", sample.path, "--recipe", "char-eow", "--vocab-size", 25, "--output", tmp_path)
    vocab = json.loads((tmp_path / "vocab.json").read_text("utf-8"))
    assert " ".join(sorted(vocab)) == "</w> a d e er er</w> g h i in l m n na o p pl r s st t un w y z"
    assert (tmp_path / "merges.txt").read_text("utf-8").startswith("#version: 0.2\ne r\ni n\n")
    result = run("encode", "--tokenizer", tmp_path, stdin=b"lup")
    assert "it left the vocabulary in training, where it no longer stood alone" in result.messages
    unknown = run("encode", "--tokenizer", tmp_path, "--unknown-id", 0, stdin=b"lup").output.split()
    assert unknown[1] == b"0"


def test_the_numbers_of_the_walk_through(run: Run, tmp_path: Path) -> None:
    sample = next(each for each in samples() if each.path.stem == "cs336")
    special = "--special-token", "<|endoftext|>", "--special-token", "<|sometoken|>"
    run("train", sample.path, "--num-merges", 5, *special, "--output", tmp_path)
    ids = "116 104 101 32 99 97 116 32 97 116 101 32 228 189 160 226 156 148"
    assert run("encode", "--tokenizer", tmp_path, stdin="the cat ate 你✔".encode()).output.decode() == f"{ids}\n"
    assert run("decode", "--tokenizer", tmp_path, stdin=ids.encode()).output.decode() == "the cat ate 你✔"
