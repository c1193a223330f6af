"""`bpe-gui train --language NAME=PATH`: languages take turns."""

from pathlib import Path

import pytest

from bpe_gui.engine import load, train_fair

from .conftest import Run

ENGLISH, MORE_ENGLISH, GERMAN = "low lower lowest " * 9, "slow slower ", "tief tiefer "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("en/a.txt", ENGLISH), ("en/b.txt", MORE_ENGLISH), ("de.txt", GERMAN), ("dev.txt", "tiefe")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


FILES = ("en/a.txt", "de.txt", "en/b.txt")
BY_LANGUAGE = (
    "--num-merges",
    8,
    "--output",
    "out",
    "--language",
    "en=en",
    "--language",
    "de=*.txt",
    "--language",
    "en=en",
)


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ((), {}),
        (("--window",), {"variant": "window"}),
        (("--global-merges", 3), {"global_merges": 3}),
        (("--ratio", "en=1", "--ratio", "de=2"), {"ratios": {"en": 1, "de": 2}}),
        (
            ("--development", "en=en/b.txt", "--development", "de=dev.txt"),
            {"development": {"en": Path("en/b.txt"), "de": Path("dev.txt")}},
        ),
    ],
)
def test_languages_by_folder_and_pattern(
    run: Run, folder: Path, options: tuple[str, ...], same: dict[str, object]
) -> None:
    status, _output, messages = run("train", *FILES, *BY_LANGUAGE, *options)
    assert status == 0, messages
    texts = {"en": [Path("en/a.txt"), Path("en/b.txt")], "de": Path("de.txt")}
    fair = train_fair(texts, num_merges=8, **same)  # type: ignore[arg-type]
    assert load(folder / "out").merges == fair.merges
    measured = [(ENGLISH, MORE_ENGLISH), (GERMAN,)] if "development" not in same else [(MORE_ENGLISH,), ("tiefe",)]
    english, german = (sum(len(fair.encode(text)) for text in parts) for parts in measured)
    assert f"Tokens by language: en {english}, de {german}.\n" in messages


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--language", "en=en"), "de.txt has no language. Name one with --language NAME=de.txt."),
        (("--language", "fr=fr"), "--language fr=fr matches none of the files."),
        (("--language", "en"), "'en' does not have the form NAME=PATH"),
        (("--language", "en=*", "--ratio", "en=much"), "'en=much' does not have the form NAME=NUMBER"),
        (("--language", "en=*", "--ratio", "de=2"), "Each language needs a ratio"),
    ],
)
def test_mistakes(run: Run, folder: Path, options: tuple[str, ...], message: str) -> None:
    status, _output, messages = run("train", *FILES, "--num-merges", 8, "--output", "out", *options)
    assert status and message in messages
