"""Tokens, pairs, letters and merges are found in the words in which the slow reference has them."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, CorpusCount, CorpusSearch, Recipe, SplitWord, Trainer, WordCounts
from bpe_gui.engine.training.corpus_search import count_places, letter_places, merge_positions
from bpe_gui.engine.training.reference import ReferenceTrainer
from bpe_gui.engine.training.results import ChangedWord
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, recipes

MAX_STEPS = 12
TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6


@pytest.fixture
def trained_toy() -> Trainer:
    trainer = Trainer(Corpus.from_text(TOY).count("cs336-toy"), "cs336-toy")
    trainer.seek(100)
    return trainer


def test_the_most_frequent_words_come_first(trained_toy: Trainer) -> None:
    assert CorpusSearch(trained_toy).words_with_token(b"est") == [("newest", 6), ("widest", 3)]
    assert CorpusSearch(trained_toy).words_with_token(b"est", limit=1) == [("newest", 6)]


def test_equally_frequent_words_are_in_first_seen_order() -> None:
    trainer = Trainer(WordCounts({"bab": 1, "ab": 2, "cab": 1, "abc": 2}, "whitespace"), "cs336-toy")
    trainer.step()
    assert [word for word, _count in CorpusSearch(trainer).words_with_token(b"ab")] == ["ab", "abc", "bab", "cab"]


def test_a_token_absorbed_by_later_merges_keeps_its_words(trained_toy: Trainer) -> None:
    assert trained_toy.words()[0].symbols == (b"newest",)
    assert CorpusSearch(trained_toy).words_with_token(b"ne") == [("newest", 6)]


def test_words_with_the_bytes_but_not_the_token_are_left_out() -> None:
    """In `xab`, `xa` is merged before `ab` is."""
    trainer = Trainer(WordCounts({"xa": 9, "ab": 5, "xab": 1}, "whitespace"), "cs336-toy")
    trainer.seek(2)
    assert [merge.token for merge in trainer.merges] == [b"xa", b"ab"]
    assert CorpusSearch(trainer).words_with_token(b"ab") == [("ab", 5)]


def test_there_are_no_words_before_the_token_exists_or_for_other_bytes(trained_toy: Trainer) -> None:
    trained_toy.seek(1)
    assert CorpusSearch(trained_toy).words_with_token(b"est") == []
    assert CorpusSearch(trained_toy).words_with_token(b"xyz") == []
    trained_toy.seek(2)
    assert len(CorpusSearch(trained_toy).words_with_token(b"est")) == 2


def test_a_letter_of_several_bytes_is_not_found_across_words() -> None:
    trainer = Trainer(Corpus.from_text("你好 好 a你 \u4f61").count("cs336-toy"), "cs336-toy")
    assert CorpusSearch(trainer).words_with_token("你".encode()) == [("你好", 1), ("a你", 1)]


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
    assert [word for word, _count in CorpusSearch(trainer).words_with_token(symbol)] == words


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_every_token_has_the_words_of_the_reference(mode: str) -> None:
    @given(text=corpora, recipe=recipes(), back=st.integers(0, MAX_STEPS))
    def compare(text: str, recipe: Recipe, back: int) -> None:
        counts = counted(text, recipe, [])
        expected = words_by_token(counts, recipe)
        trainer = Trainer(counts, recipe)
        trainer.seek(MAX_STEPS)
        trainer.seek(back)
        trainer.seek(MAX_STEPS)
        assert {token: dict(CorpusSearch(trainer).words_with_token(token)) for token in trainer.tokens} == expected

    with running(mode):
        compare()


def words_by_token(counts: WordCounts, recipe: Recipe) -> dict[bytes, dict[str, int]]:
    """Return for each token the words that contained it when it was created, from the slow reference."""
    reference = ReferenceTrainer(counts, recipe)
    words = {token: words_containing(reference, counts, symbol) for symbol, token in enumerate(reference.tokens)}
    alphabet = set(words)
    while len(reference.merges) < MAX_STEPS and (merge := reference.step()):
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


NOTHING = CorpusCount(0, 0)


@pytest.fixture
def toy() -> Trainer:
    text = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
    return Trainer(Corpus.from_text(text).count("cs336-toy"), "cs336-toy")


def test_a_token_that_a_later_merge_absorbed_is_not_counted(toy: Trainer) -> None:
    toy.seek(1)
    assert [merge.token for merge in toy.merges] == [b"st"]
    assert CorpusSearch(toy).count_token(b"st") == CorpusCount(9, 2)
    toy.seek(2)
    assert CorpusSearch(toy).count_token(b"st") == NOTHING
    assert CorpusSearch(toy).count_token(b"est") == CorpusCount(9, 2)


def test_what_does_not_exist_is_counted_as_nothing(toy: Trainer) -> None:
    assert CorpusSearch(toy).count_token(b"est") == NOTHING
    assert not len(CorpusSearch(toy).words_with_token_now(b"est"))
    assert CorpusSearch(toy).count_pair(b"est", b"x") == NOTHING


def test_overlapping_repetitions_are_counted_as_they_are_split() -> None:
    trainer = Trainer(Corpus.from_text("aaaaaa baaaaa").count("cs336-toy"), "cs336-toy")
    trainer.step()
    assert CorpusSearch(trainer).count_token(b"aa") == CorpusCount(5, 2)
    trainer.step()
    assert trainer.words() == [SplitWord((b"aaaa", b"aa"), 1), SplitWord((b"b", b"aaaa", b"a"), 1)]
    assert CorpusSearch(trainer).count_token(b"aa") == CorpusCount(1, 1)


def test_no_step_has_changed_anything_at_the_start(toy: Trainer) -> None:
    assert CorpusSearch(toy).last_change() is None


def test_the_most_frequent_changed_words_come_first(toy: Trainer) -> None:
    toy.seek(2)
    change = CorpusSearch(toy).last_change(limit=1)
    assert change is not None
    assert change.total == CorpusCount(9, 2)
    words = [CorpusSearch(toy).changed_word(change.merge, word) for word in change.words]
    assert words == [ChangedWord((b"n", b"e", b"w", b"e", b"st"), (b"n", b"e", b"w", b"est"), 6)]


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_tokens_and_changes_are_those_of_the_reference(mode: str) -> None:
    @given(text=corpora, recipe=recipes(), position=st.integers(0, MAX_STEPS))
    def compare(text: str, recipe: Recipe, position: int) -> None:
        counts = counted(text, recipe, [])
        trainer, reference = Trainer(counts, recipe), ReferenceTrainer(counts, recipe)
        trainer.seek(MAX_STEPS)
        trainer.seek(position)
        before = list(reference.split_words())
        for _step in range(trainer.position):
            before = list(reference.split_words())
            reference.step()
        words = list(reference.split_words())
        for token in trainer.tokens:
            holding = [(symbols, count) for symbols, count in words if token in symbols]
            found = trainer.split_words(CorpusSearch(trainer).words_with_token_now(token))
            assert sorted((each.symbols, each.count) for each in found) == sorted(holding)
            assert trainer.split_words(CorpusSearch(trainer).words_with_token_now(token, 2)) == found[:2]
            occurrences = sum(symbols.count(token) * count for symbols, count in holding)
            assert CorpusSearch(trainer).count_token(token) == CorpusCount(occurrences, len(holding))
        for pair in {pair for symbols, _count in words for pair in pairwise(symbols)}:
            holding_pair = sum(pair in pairwise(symbols) for symbols, _count in words)
            assert CorpusSearch(trainer).count_pair(*pair) == CorpusCount(trainer.count_of_pair(*pair), holding_pair)
        check_change(trainer, before, words)

    with running(mode):
        compare()


def check_change(
    trainer: Trainer, before: list[tuple[tuple[bytes, ...], int]], after: list[tuple[tuple[bytes, ...], int]]
) -> None:
    change = CorpusSearch(trainer).last_change()
    if change is None:
        assert trainer.position == 0
        return
    expected = [(old, new, count) for (old, count), (new, _count) in zip(before, after, strict=True) if old != new]
    words = [CorpusSearch(trainer).changed_word(change.merge, word) for word in change.words.tolist()]
    assert Counter((word.before, word.after, word.count) for word in words) == Counter(expected)
    assert [word.count for word in words] == sorted((count for *_words, count in expected), reverse=True)
    merged = sum((len(old) - len(new)) * count for old, new, count in expected)
    assert change.total == CorpusCount(merged, len(expected))


many_bytes = st.lists(st.text("a你好é😀b", max_size=24), min_size=1, max_size=5).map(" ".join)


@given(corpus=st.one_of(corpora, many_bytes), recipe=recipes(), data=st.data())
def test_letters_are_found_in_every_word(corpus: str, recipe: Recipe, data: st.DataObject) -> None:
    counts = counted(corpus, recipe)
    trainer = Trainer(counts, recipe)
    words = list(counts)
    word = data.draw(st.sampled_from(words))
    start = data.draw(st.integers(0, len(word) - 1))
    letters = word[start : data.draw(st.integers(start + 1, len(word)))]
    encode = str if recipe.units == "characters" else str.encode
    expected = [
        (number, at)
        for number, each in enumerate(map(encode, words))
        for at in range(len(each))
        if each[at : at + len(encode(letters))] == encode(letters)
    ]
    found = letter_places(trainer, letters.encode())
    assert list(zip(found.words.tolist(), found.offsets.tolist(), strict=True)) == expected
    assert count_places(trainer, found).words == len({number for number, _at in expected})


@given(corpus=corpora, recipe=recipes())
def test_merges_are_found_where_their_symbols_came_into_being(corpus: str, recipe: Recipe) -> None:
    trainer = Trainer(counted(corpus, recipe), recipe)
    expected = []
    while trainer.position < MAX_STEPS and trainer.step():
        symbol = trainer.alphabet_size + trainer.position - 1
        expected.append(positions_of(trainer, symbol))
        # Later merges take symbols away, but not what is known of them.
        assert [merge_positions(trainer, rank).tolist() for rank in range(trainer.position)] == expected


def positions_of(trainer: Trainer, symbol: int) -> list[int]:
    """Return the positions at which a symbol stands now."""
    found = []
    for word in range(len(trainer.word_counts)):
        position = int(trainer.arrays.words.starts[word])
        for each in trainer.symbols_of_word(word):
            if each == symbol:
                found.append(position)
            position += int(trainer.arrays.symbols.lengths[each])
    return found
