"""Real texts are split, trained on and encoded as other programs do it."""

from pathlib import Path

import pytest
from tokenizers import ByteLevelBPETokenizer

from bpe_gui.engine import PRESETS, Corpus, load, save, train
from tests.engine.formats.test_subword_nmt_format import segment
from tests.engine.support.modes import running
from tests.engine.text.test_scanning import check as check_scanning
from tests.engine.text.test_splitters import TIKTOKEN_SPLITTERS, TiktokenWords
from tests.engine.training.test_training_differential import (
    MERGES,
    as_pairs,
    check_against_huggingface,
    chunks_of,
    codes_of,
    recount_train,
    segmented,
)

TEXTS = ("tinyshakespeare.txt", "taylorswift.txt", "corpus.en", "naughty-strings.txt")


@pytest.mark.parametrize("name", TEXTS)
def test_kernels_split_as_patterns_do(data: Path, name: str) -> None:
    with running("compiled"):
        check_scanning((data / name).read_bytes().decode())


@pytest.mark.parametrize("splitter", TIKTOKEN_SPLITTERS)
@pytest.mark.parametrize("name", TEXTS)
def test_words_are_those_of_tiktoken(data: Path, name: str, splitter: str) -> None:
    assert TiktokenWords(splitter).equals_ours((data / name).read_bytes().decode()[:200_000])


def test_subword_nmt_on_its_own_corpus(data: Path, tmp_path: Path) -> None:
    corpus, codes = data / "corpus.en", data / "corpus.en.subword-nmt.codes"
    ours = train(corpus, recipe="subword-nmt", num_merges=1000)
    assert codes_of(ours) == codes.read_text("utf-8")
    lines = corpus.read_text("utf-8").splitlines()
    expected = (data / "corpus.en.subword-nmt.segmented").read_text("utf-8").splitlines()
    assert [segmented(ours, line) for line in lines] == [line.strip() for line in expected]
    assert [segment(load(codes), line) for line in lines] == [line.strip() for line in expected]
    (again,) = save(load(codes), tmp_path, "subword-nmt")
    assert again.read_bytes() == codes.read_bytes()


@pytest.mark.parametrize("name", ["minbpe", "tiktoken"])
def test_first_seen(name: str, data: Path) -> None:
    path, recipe = data / "taylorswift.txt", PRESETS[name]
    ours = train(Corpus.from_files([path]).count(recipe), recipe=recipe, num_merges=500)
    assert as_pairs(ours) == recount_train(chunks_of(path.read_text("utf-8"), recipe.splitter), 500)


def test_huggingface(data: Path) -> None:
    path = data / "tinyshakespeare.txt"
    theirs = ByteLevelBPETokenizer()
    theirs.train([str(path)], 256 + MERGES, min_frequency=2, show_progress=False)
    text = path.read_text("utf-8")
    ours = train(text.splitlines(keepends=True), recipe="huggingface", num_merges=MERGES)
    check_against_huggingface(text, ours, theirs)
