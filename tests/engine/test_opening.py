"""Opening a tokenizer asks for what its files do not say, unless the person who opens it says so."""

from pathlib import Path

import pytest

from bpe_gui.engine import TokenizerSource, save, train


@pytest.fixture
def ranks(tmp_path: Path) -> Path:
    return save(train("low lower lowest", recipe="tiktoken", num_merges=4), tmp_path / "it.tiktoken", "tiktoken")[0]


@pytest.mark.parametrize(
    ("pattern", "special_tokens", "is_guessed"), [(None, None, True), ("cl100k", None, False), (None, {}, False)]
)
def test_ranks_lack_their_pattern_also_if_it_is_given(
    ranks: Path, pattern: str | None, special_tokens: dict[str, int] | None, is_guessed: bool
) -> None:
    read = TokenizerSource(ranks, pattern, special_tokens).read()
    assert (read.lacks, read.is_guessed) == ("pattern", is_guessed)


def test_published_ranks_lack_nothing_that_their_publisher_says(ranks: Path) -> None:
    published = TokenizerSource(ranks, "cl100k", {"<end>": 400}, published_name="tiktoken:it")
    assert published.read().lacks == ""
