"""Tokens and pairs are counted as the slow reference counts them, and a step's change is the difference it makes."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, Recipe, SplitWord, Trainer
from bpe_gui.engine.training import (
    ChangedWord,
    CorpusCount,
    changed_word,
    count_pair,
    count_token,
    last_change,
    words_with_token_now,
)
from bpe_gui.engine.training.reference import ReferenceTrainer
from tests.engine.support.modes import MODES, running
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, recipes

MOST_STEPS = 12
NOTHING = CorpusCount(0, 0)


@pytest.fixture
def toy() -> Trainer:
    text = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
    return Trainer(Corpus.from_text(text).count("cs336-toy"), "cs336-toy")


def test_a_token_that_a_later_merge_absorbed_is_not_counted(toy: Trainer) -> None:
    toy.seek(1)
    assert [merge.token for merge in toy.merges] == [b"st"]
    assert count_token(toy, b"st") == CorpusCount(9, 2)
    toy.seek(2)
    assert count_token(toy, b"st") == NOTHING
    assert count_token(toy, b"est") == CorpusCount(9, 2)


def test_what_does_not_exist_is_counted_as_nothing(toy: Trainer) -> None:
    assert count_token(toy, b"est") == NOTHING
    assert not len(words_with_token_now(toy, b"est"))
    assert count_pair(toy, b"est", b"x") == NOTHING


def test_overlapping_repetitions_are_counted_as_they_are_split() -> None:
    trainer = Trainer(Corpus.from_text("aaaaaa baaaaa").count("cs336-toy"), "cs336-toy")
    trainer.step()
    assert count_token(trainer, b"aa") == CorpusCount(5, 2)
    trainer.step()
    assert trainer.words() == [SplitWord((b"aaaa", b"aa"), 1), SplitWord((b"b", b"aaaa", b"a"), 1)]
    assert count_token(trainer, b"aa") == CorpusCount(1, 1)


def test_no_step_has_changed_anything_at_the_start(toy: Trainer) -> None:
    assert last_change(toy) is None


def test_the_most_frequent_changed_words_come_first(toy: Trainer) -> None:
    toy.seek(2)
    change = last_change(toy, limit=1)
    assert change is not None
    assert change.total == CorpusCount(9, 2)
    words = [changed_word(toy, change.merge, word) for word in change.words]
    assert words == [ChangedWord((b"n", b"e", b"w", b"e", b"st"), (b"n", b"e", b"w", b"est"), 6)]


@pytest.mark.parametrize("mode", MODES)
def test_tokens_and_changes_are_those_of_the_reference(mode: str) -> None:
    @given(text=corpora, recipe=recipes(), position=st.integers(0, MOST_STEPS))
    def compare(text: str, recipe: Recipe, position: int) -> None:
        counts = counted(text, recipe, [])
        trainer, reference = Trainer(counts, recipe), ReferenceTrainer(counts, recipe)
        trainer.seek(MOST_STEPS)
        trainer.seek(position)
        before = list(reference.split_words())
        for _step in range(trainer.position):
            before = list(reference.split_words())
            reference.step()
        words = list(reference.split_words())
        for token in trainer.tokens:
            holding = [(symbols, count) for symbols, count in words if token in symbols]
            found = trainer.split_words(words_with_token_now(trainer, token))
            assert sorted((each.symbols, each.count) for each in found) == sorted(holding)
            assert trainer.split_words(words_with_token_now(trainer, token, 2)) == found[:2]
            occurrences = sum(symbols.count(token) * count for symbols, count in holding)
            assert count_token(trainer, token) == CorpusCount(occurrences, len(holding))
        for pair in {pair for symbols, _count in words for pair in pairwise(symbols)}:
            holding_pair = sum(pair in pairwise(symbols) for symbols, _count in words)
            assert count_pair(trainer, *pair) == CorpusCount(trainer.count_of_pair(*pair), holding_pair)
        check_change(trainer, before, words)

    with running(mode):
        compare()


def check_change(
    trainer: Trainer, before: list[tuple[tuple[bytes, ...], int]], after: list[tuple[tuple[bytes, ...], int]]
) -> None:
    change = last_change(trainer)
    if change is None:
        assert trainer.position == 0
        return
    expected = [(old, new, count) for (old, count), (new, _count) in zip(before, after, strict=True) if old != new]
    words = [changed_word(trainer, change.merge, word) for word in change.words.tolist()]
    assert Counter((word.before, word.after, word.count) for word in words) == Counter(expected)
    assert [word.count for word in words] == sorted((count for *_words, count in expected), reverse=True)
    merged = sum((len(old) - len(new)) * count for old, new, count in expected)
    assert change.total == CorpusCount(merged, len(expected))
