"""The words that a token was made of are those that hold it right after the step that made it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, Recipe, Trainer, WordCounts
from bpe_gui.engine.training.reference import ReferenceTrainer
from bpe_gui.engine.training.token_words import words_with_token

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


def test_the_most_frequent_come_first(toy: Trainer) -> None:
    assert words_with_token(toy, b"est") == [("newest", 6), ("widest", 3)]
    assert words_with_token(toy, b"est", limit=1) == [("newest", 6)]


def test_equals_stay_as_they_were_first_seen() -> None:
    trainer = Trainer(WordCounts({"bab": 1, "ab": 2, "cab": 1, "abc": 2}, "whitespace"), "cs336-toy")
    trainer.step()
    assert [word for word, _count in words_with_token(trainer, b"ab")] == ["ab", "abc", "bab", "cab"]


def test_a_token_that_later_merges_took_up_keeps_its_words(toy: Trainer) -> None:
    assert toy.words()[0].symbols == (b"newest",)
    assert words_with_token(toy, b"ne") == [("newest", 6)]


def test_the_bytes_alone_do_not_make_the_token() -> None:
    """In `xab`, `xa` is merged before `ab` is."""
    trainer = Trainer(WordCounts({"xa": 9, "ab": 5, "xab": 1}, "whitespace"), "cs336-toy")
    trainer.seek(2)
    assert [merge.token for merge in trainer.merges] == [b"xa", b"ab"]
    assert words_with_token(trainer, b"ab") == [("ab", 5)]


def test_no_words_before_the_token_is_made_and_none_for_bytes_that_are_no_token(toy: Trainer) -> None:
    toy.seek(1)
    assert words_with_token(toy, b"est") == []
    assert words_with_token(toy, b"xyz") == []
    toy.seek(2)
    assert len(words_with_token(toy, b"est")) == 2


def test_a_letter_of_several_bytes_is_looked_for_inside_single_words() -> None:
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
def test_marks_of_words_are_symbols_too(preset: str, symbol: bytes, words: list[str]) -> None:
    trainer = Trainer(Corpus.from_text("low we").count(preset), preset)
    assert [word for word, _count in words_with_token(trainer, symbol)] == words


@pytest.mark.parametrize("mode", MODES)
def test_it_is_what_the_reference_says_of_every_token(mode: str) -> None:
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
    """For each token, the words that held it when it was made, by recounting."""
    reference = ReferenceTrainer(counts.items(), recipe)
    holding = {token: holders(reference, counts, number) for number, token in enumerate(reference.tokens)}
    alphabet = set(holding)
    while len(reference.merges) < MOST_STEPS and (merge := reference.step()):
        if merge.token not in alphabet:
            made = holders(reference, counts, len(reference.tokens) - 1)
            holding[merge.token] = holding.get(merge.token, {}) | made
    return holding


def holders(reference: ReferenceTrainer, counts: WordCounts, number: int) -> dict[str, int]:
    return {
        word: count
        for (word, count), (symbols, _count) in zip(counts.items(), reference.words, strict=True)
        if number in symbols
    }
