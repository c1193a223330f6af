"""OpenAI's files of ranks give the same ids as in tiktoken: `r50k_base.tiktoken`, `cl100k_base.tiktoken`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Tokenizer, TokenizerSource, load, save
from bpe_gui.engine.formats.tiktoken import PUBLISHED
from tests.engine.comparison.test_compare_against_tiktoken import check_differences
from tests.engine.encoding.test_encoding_differential import PLAIN_CHARACTERS, check
from tests.engine.support.every_code_point import Both, alone, among_neighbours
from tests.engine.support.general_categories import all_characters
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.published import published_encoding, ranks_in
from tests.gui.support.widgets import child
from tests.gui.support.windows import open_window

NAMES = ("r50k_base", "cl100k_base")
TEXTS = (
    "tinyshakespeare.txt",
    "taylorswift.txt",
    "corpus.en",
    "corpus.en.subword-nmt.segmented",
    "naughty-strings.txt",
)


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


@pytest.fixture(params=NAMES, scope="module")
def file(data: Path, request: pytest.FixtureRequest) -> Path:
    return data / f"{request.param}.tiktoken"


@pytest.fixture(scope="module")
def both(file: Path, mode: str) -> tuple[Tokenizer, tiktoken.Encoding]:
    return load(file), published_encoding(file)


def test_they_are_read_and_written_unchanged(file: Path, tmp_path: Path) -> None:
    ours, theirs, published = load(file), published_encoding(file), PUBLISHED[file.stem]
    assert (ours.recipe.splitter, ours.special_tokens) == (published.splitter, published.special_tokens)
    assert ours.special_tokens == {token: theirs.encode_single_token(token) for token in theirs.special_tokens_set}
    assert len(ours.merges) == len(ranks_in(file)) - 256
    assert load(file, pattern="o200k").recipe.splitter == "o200k"
    (again,) = save(ours, tmp_path, "tiktoken")
    assert again.read_bytes() == file.read_bytes()


def test_other_line_ends_are_recognised_by_the_name(file: Path, tmp_path: Path) -> None:
    other = tmp_path / file.name
    other.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert load(other).special_tokens == PUBLISHED[file.stem].special_tokens


@pytest.mark.parametrize("name", TEXTS)
def test_texts(both: tuple[Tokenizer, tiktoken.Encoding], data: Path, name: str, mode: str) -> None:
    text = (data / name).read_bytes().decode()
    check(both, text if mode == "compiled" else text[:PLAIN_CHARACTERS])


@pytest.mark.parametrize("name", TEXTS)
def test_each_line(both: tuple[Tokenizer, tiktoken.Encoding], data: Path, name: str, mode: str) -> None:
    ours, theirs = both
    special = list(ours.special_tokens)
    lines = (data / name).read_bytes().decode().splitlines(keepends=True)[: None if mode == "compiled" else 500]
    lines += [special[0].join(lines[:50]), *(line + special[-1] for line in lines[:200])]
    assert ours.encode_batch(lines) == theirs.encode_batch(lines, num_threads=1, allowed_special="all")


def test_every_code_point(both: tuple[Tokenizer, tiktoken.Encoding], mode: str) -> None:
    characters = all_characters()[:: 1 if mode == "compiled" else 97]
    for text in (alone(characters), among_neighbours(characters)):
        assert Both(*both).agree(text)


@pytest.mark.parametrize("name", TEXTS)
def test_their_differences(data: Path, name: str, mode: str) -> None:
    files = [data / f"{each}.tiktoken" for each in NAMES]
    text = (data / name).read_bytes().decode()[: None if mode == "compiled" else PLAIN_CHARACTERS]
    check_differences(list(map(load, files)), list(map(published_encoding, files)), text)


def test_opening_the_tokenizer_of_gpt2_in_the_window(data: Path, qtbot: QtBot) -> None:
    file, text = data / "r50k_base.tiktoken", "The machine reads words<|endoftext|>"
    window = open_window(qtbot)
    session = window.session
    session.text.set_content(text)
    session.opened.open(TokenizerSource(file))
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None)
    session.cursor.seek(5_000)
    assert child(window, QLabel, "stepLabel").text() == "step 5,000 of 50,000"
    assert child(window, QLabel, "vocabularySummary").text() == "5,257 entries"
    assert session.text.live.encoding is not None
    assert session.text.live.encoding.ids == load(file).at(5_000).encode(text)
    window.close()
