"""A corpus too large for memory is refused before it is read, and counting stops before memory runs out."""

from pathlib import Path

import pytest

from bpe_gui.engine import Corpus, CorpusError, FileDocument, Recipe, Trainer, TrainingError, WordCounts
from bpe_gui.engine.corpora.corpus import memory_needed
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.training import stages

CS336 = Recipe.of("cs336")


def pretend_available(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Make the system seem to have `size` bytes of memory available."""
    monkeypatch.setattr(memory, "available", lambda: size)


def test_a_corpus_that_is_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # 1 TiB that takes no space on disk
    pretend_available(monkeypatch, 8_000_000_000)
    monkeypatch.setattr(FileDocument, "chunks", lambda self: pytest.fail("the file was read"))
    message = r"is 1,099,512 MB, and training on it would take at least [\d,]+ MB of memory, but only 8,000 MB are free"
    with pytest.raises(CorpusError, match=message):
        Corpus.from_files([path]).count("cs336")


def test_corpora_split_into_words_need_little_memory() -> None:
    assert memory_needed(100_000_000, CS336) < 300_000_000
    assert memory_needed(10_000_000_000, CS336) < 8_000_000_000
    assert memory_needed(1_000, CS336) < 10_000


def test_unsplit_text_needs_more_memory() -> None:
    assert memory_needed(1_000_000, CS336.with_changes(splitter="none")) > 10 * memory_needed(1_000_000, CS336)


@pytest.mark.parametrize("splitter", ["gpt2", "whitespace"])
def test_counting_stops_before_memory_runs_out(monkeypatch: pytest.MonkeyPatch, splitter: str) -> None:
    pretend_available(monkeypatch, 150_000_000)
    with pytest.raises(CorpusError, match="only 150 MB are free after 0 MB of text"):
        Corpus.from_text("low lower " * 1_000).count(CS336.with_changes(splitter=splitter))


def test_training_that_does_not_fit_in_memory_is_an_engine_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise MemoryError("Unable to allocate 9.3 TiB.")

    monkeypatch.setattr(stages, "create_run", refuse)
    with pytest.raises(TrainingError, match=r"train on 1 unique words: Unable to allocate 9.3 TiB\."):
        Trainer(WordCounts({"low": 1}, "gpt2"))


def test_counting_that_runs_out_of_memory_is_an_engine_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bpe_gui.engine.corpora.corpus.count_words", refuse)
    with pytest.raises(CorpusError, match="not enough memory to count"):
        Corpus.from_text("low lower").count("cs336")
