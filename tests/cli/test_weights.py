"""`bpe-gui train --weight PATH=WEIGHT`: files count as often as their weights say."""

from pathlib import Path

import pytest

from bpe_gui.engine import load, train

from .conftest import Run
from .test_mistakes import mistake

ENGLISH, CHINESE = "low lower ", "你好 你们 "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("en/a.txt", ENGLISH), ("en/b.txt", ENGLISH), ("zh/a.txt", CHINESE)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


FILES = ("en/a.txt", "en/b.txt", "zh/a.txt")
SIZE = ("--num-merges", 9, "--output", "out")


@pytest.mark.parametrize(
    ("weights", "repeats"),
    [
        (["zh/a.txt=3"], (1, 1, 3)),
        (["en=2"], (2, 2, 1)),
        (["en=2", "./en/b.txt=4"], (2, 4, 1)),
        (["*/a.txt=5", "zh=2"], (5, 1, 2)),
    ],
)
def test_files_folders_and_patterns(run: Run, folder: Path, weights: list[str], repeats: tuple[int, ...]) -> None:
    options = [part for weight in weights for part in ("--weight", weight)]
    status, _output, messages = run("train", *FILES, *SIZE, *options)
    texts = [text for text, times in zip((ENGLISH, ENGLISH, CHINESE), repeats, strict=True) for _ in range(times)]
    assert status == 0
    assert load(folder / "out").merge_counts == train(texts, num_merges=9).merge_counts
    assert " weighted words (" in messages


def test_standard_input_has_a_weight_too(run: Run, folder: Path) -> None:
    run("train", "-", "zh/a.txt", *SIZE, "--weight=-=2", stdin=ENGLISH.encode())
    assert load(folder / "out").merge_counts == train([ENGLISH, ENGLISH, CHINESE], num_merges=9).merge_counts


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ("zh=0", "--weight zh=0: The weight '0' is not a number from 0.001 to 1,000."),
        ("zh=", "--weight zh=: The weight '' is not"),
        ("zh=nan", "The weight 'nan' is not"),
        ("zh=1000000000", "is not a number from 0.001 to 1,000."),
        ("fr=3", "--weight fr=3 matches none of the files."),
        ("zh", "'zh' does not have the form PATH=WEIGHT"),
        ("=3", "'=3' does not have the form PATH=WEIGHT"),
    ],
)
def test_mistakes(run: Run, folder: Path, weight: str, message: str) -> None:
    assert message in mistake(run("train", *FILES, *SIZE, "--weight", weight))
    assert not (folder / "out").exists()


def test_weights_so_small_that_nothing_is_left(run: Run, folder: Path) -> None:
    options = ("--weight", "en=0.01", "--weight", "zh=0.01")
    assert "the count of every word rounds to 0" in mistake(run("train", *FILES, *SIZE, *options))
