"""The words of a token are those that contain it right after the step that created it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, Recipe, Trainer, WordCounts
from bpe_gui.engine.training.places import words_with_token
from bpe_gui.engine.training.reference import ReferenceTrainer
from tests.engine.support.modes import MODES, running
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, recipes

MOST_STEPS = 12
TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6


@pytest.fixture
def toy() -> Trainer:
    trainer = Trainer(Corpus.from_text(TOY).count("cs336-toy"), "cs336-toy")
    trainer.seek(100)
    return trainer


def test_the_most_frequent_words_come_first(toy: Trainer) -> None:
    assert words_with_token(toy, b"est") == [("newest", 6), ("widest", 3)]
    assert words_with_token(toy, b"est", limit=1) == [("newest", 6)]


def test_equally_frequent_words_are_in_first_seen_order() -> None:
    trainer = Trainer(WordCounts({"bab": 1, "ab": 2, "cab": 1, "abc": 2}, "whitespace"), "cs336-toy")
    trainer.step()
    assert [word for word, _count in words_with_token(trainer, b"ab")] == ["ab", "abc", "bab", "cab"]


def test_a_token_absorbed_by_later_merges_keeps_its_words(toy: Trainer) -> None:
    assert toy.words()[0].symbols == (b"newest",)
    assert words_with_token(toy, b"ne") == [("newest", 6)]


def test_words_with_the_bytes_but_not_the_token_are_left_out() -> None:
    """In `xab`, `xa` is merged before `ab` is."""
    trainer = Trainer(WordCounts({"xa": 9, "ab": 5, "xab": 1}, "whitespace"), "cs336-toy")
    trainer.seek(2)
    assert [merge.token for merge in trainer.merges] == [b"xa", b"ab"]
    assert words_with_token(trainer, b"ab") == [("ab", 5)]


def test_there_are_no_words_before_the_token_exists_or_for_other_bytes(toy: Trainer) -> None:
    toy.seek(1)
    assert words_with_token(toy, b"est") == []
    assert words_with_token(toy, b"xyz") == []
    toy.seek(2)
    assert len(words_with_token(toy, b"est")) == 2


def test_a_letter_of_several_bytes_is_not_found_across_words() -> None:
    trainer = Trainer(Corpus.from_text("你好 好 a你 \u4f61").count("cs336-toy"), "cs336-toy")
    assert words_with_token(trainer, "你".encode()) == [("你好", 1), ("a你", 1)]


@pytest.mark.parametrize(
    ("preset", "symbol", "words"),
    [
        ("char-eow", b"</w>", ["low", "we"]),
        ("subword-nmt", b"w</w>", ["low"]),
        ("subword-nmt", b"w", ["we"]),
        ("worked-example", b"</w>", [" we"]),
    ],
)
def test_end_of_word_markers_are_symbols_too(preset: str, symbol: bytes, words: list[str]) -> None:
    trainer = Trainer(Corpus.from_text("low we").count(preset), preset)
    assert [word for word, _count in words_with_token(trainer, symbol)] == words


@pytest.mark.parametrize("mode", MODES)
def test_every_token_has_the_words_of_the_reference(mode: str) -> None:
    @given(text=corpora, recipe=recipes(), back=st.integers(0, MOST_STEPS))
    def compare(text: str, recipe: Recipe, back: int) -> None:
        counts = counted(text, recipe, [])
        expected = words_by_token(counts, recipe)
        trainer = Trainer(counts, recipe)
        trainer.seek(MOST_STEPS)
        trainer.seek(back)
        trainer.seek(MOST_STEPS)
        assert {token: dict(words_with_token(trainer, token)) for token in trainer.tokens} == expected

    with running(mode):
        compare()


def words_by_token(counts: WordCounts, recipe: Recipe) -> dict[bytes, dict[str, int]]:
    """Return for each token the words that contained it when it was created, from the slow reference."""
    reference = ReferenceTrainer(counts, recipe)
    words = {token: words_containing(reference, counts, symbol) for symbol, token in enumerate(reference.tokens)}
    alphabet = set(words)
    while len(reference.merges) < MOST_STEPS and (merge := reference.step()):
        if merge.token not in alphabet:
            new_words = words_containing(reference, counts, len(reference.tokens) - 1)
            words[merge.token] = words.get(merge.token, {}) | new_words
    return words


def words_containing(reference: ReferenceTrainer, counts: WordCounts, symbol: int) -> dict[str, int]:
    return {
        word: count
        for (word, count), (symbols, _count) in zip(counts.items(), reference.words, strict=True)
        if symbol in symbols
    }
