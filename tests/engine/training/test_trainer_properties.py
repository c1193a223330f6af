"""The trainer equals the slow reference, forward, back and in jumps, with every switch of a recipe.

This is tested in plain Python and compiled, and with changes from one to the other in the middle of a run.
"""

import pickle
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from itertools import cycle, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    PRESETS,
    Corpus,
    PairCount,
    Recipe,
    SplitWord,
    Tokenizer,
    Trainer,
    TrainingError,
    to_printable,
    train,
)
from bpe_gui.engine.text.alphabet import order_alphabet, symbols_of
from tests.engine.support.modes import MODES, USUAL_MODES, running, small_training_arrays, switch_mode
from tests.engine.support.recorded_runs import MAX_STEPS, State, counted, reference_run
from tests.engine.support.strategies import corpora, recipes, special_tokens
from tests.examples import examples


@pytest.fixture(scope="module", params=USUAL_MODES, autouse=True)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


def check(trainer: Trainer, states: list[State]) -> None:
    state = states[trainer.position]
    assert trainer.pairs() == state.pairs
    assert trainer.pair_count == len(state.pairs)
    assert trainer.words() == state.words


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(corpora, recipes(), st.data())
def test_any_walk_equals_the_reference(text: str, recipe: Recipe, data: st.DataObject) -> None:
    counts = counted(text, recipe)
    states, merges = reference_run(counts, recipe)
    trainer = Trainer(counts, recipe)
    check(trainer, states)
    for move in data.draw(st.lists(st.integers(-1, MAX_STEPS), max_size=12)):
        if move == 0:
            before = trainer.position
            assert (trainer.step_back() is None) == (before == 0)
        elif move == -1 and trainer.position < MAX_STEPS:
            trainer.step()
        else:
            assert trainer.seek(max(0, move)) == min(max(0, move), len(merges))
        check(trainer, states)
        assert list(trainer.merges) == merges[: trainer.position]


# The merge of (c, a) removes the first (a, b), whose count stays the same; then (x, a) is seen first.
FIRST_SEEN_ANEW = {
    "text": "cabxab ca ab xa",
    "recipe": Recipe(splitter="whitespace", tie_break="first-seen", pair_counting="once-per-word"),
}


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(text=corpora, recipe=recipes(), limit=st.none() | st.integers(1, 3))
@example(**FIRST_SEEN_ANEW, limit=None)
@example(**FIRST_SEEN_ANEW, limit=1)
def test_forward_equals_the_reference(text: str, recipe: Recipe, limit: int | None) -> None:
    counts = counted(text, recipe)
    states, merges = reference_run(counts, recipe)
    trainer = Trainer(counts, recipe)
    for expected in merges:
        ahead = trainer.peek()
        merge = trainer.step()
        assert merge is not None and merge == ahead
        assert merge == expected
        check(trainer, states)
        if limit:
            assert trainer.pairs(limit) == states[trainer.position].pairs[:limit]
    if len(merges) < MAX_STEPS:
        assert trainer.step() is None
        assert trainer.peek() is None


@pytest.mark.parametrize("recipe", PRESETS.values(), ids=PRESETS)
def test_merges_are_right_if_nothing_else_is_asked_for(recipe: Recipe) -> None:
    """Whatever brings the trainer up to date, no other question was asked before the merge was returned."""
    text = 2 * "low low lower<e> lowest newest 低低 widest<f> "
    counts = counted(text, recipe, ["<e>", "<f>"])
    _states, merges = reference_run(counts, recipe)
    stepping, jumping = Trainer(counts, recipe), Trainer(counts, recipe)
    assert [stepping.step() for _merge in merges] == merges
    assert [stepping.step_back() for _merge in merges] == merges[::-1]
    for position in (2, 1, 7, 3, 9):
        assert jumping.seek(position) == position
        assert jumping.merge_at(position - 1) == merges[position - 1]
        assert jumping.peek() == merges[position]
        assert jumping.would_choose() == merges[position]
        assert jumping.run[-1] == merges[jumping.run_length - 1]
        assert jumping.merges == tuple(merges[:position])


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(text=corpora, recipe=recipes(), moves=st.lists(st.integers(0, MAX_STEPS), min_size=1, max_size=6))
def test_a_run_may_switch_to_compiled_code_and_back(mode: str, text: str, recipe: Recipe, moves: list[int]) -> None:
    counts = counted(text, recipe)
    states, merges = reference_run(counts, recipe)
    trainer = Trainer(counts, recipe)
    other = next(each for each in MODES if each != mode)
    try:
        for move, now in zip(moves, cycle((other, mode)), strict=False):
            switch_mode(now)
            check(trainer, states)
            trainer.peek()
            trainer.seek(move)
            check(trainer, states)
        assert list(trainer.run) == merges[: trainer.run_length]
    finally:
        switch_mode(mode)


@given(text=corpora, recipe=recipes(), moves=st.lists(st.integers(0, MAX_STEPS), min_size=1, max_size=6))
def test_a_run_may_outgrow_its_arrays_at_any_step(text: str, recipe: Recipe, moves: list[int]) -> None:
    counts = counted(text, recipe)
    states, merges = reference_run(counts, recipe)
    with small_training_arrays():
        trainer = Trainer(counts, recipe)
        check(trainer, states)
        for move in moves:
            assert trainer.seek(move) == min(move, len(merges))
            check(trainer, states)
    assert list(trainer.run) == merges[: trainer.run_length]


@given(corpora, recipes(), special_tokens)
def test_stepping_back_restores_everything(text: str, recipe: Recipe, specials: list[str]) -> None:
    trainer = Trainer(counted(text, recipe, specials), recipe)

    def everything() -> tuple[object, ...]:
        return (
            trainer.pairs(),
            trainer.words(),
            trainer.merges,
            trainer.vocab_size,
            trainer.changes(),
            trainer.pair_count,
            trainer.peek(),
        )

    seen = [everything()]
    while len(seen) <= MAX_STEPS and trainer.step():
        seen.append(everything())
    for known in reversed(seen[:-1]):
        undone = trainer.step_back()
        assert undone == trainer.run[trainer.position]
        assert everything() == known
    assert trainer.step_back() is None
    for known in seen[1:]:
        trainer.step()
        assert everything() == known


@given(corpora, recipes())
def test_changes_are_the_difference_of_two_pair_tables(text: str, recipe: Recipe) -> None:
    trainer = Trainer(counted(text, recipe), recipe)
    assert trainer.changes() == {}
    before = counts_of(trainer)
    while trainer.position < MAX_STEPS and trainer.step():
        after = counts_of(trainer)
        difference = {pair: after.get(pair, 0) - before.get(pair, 0) for pair in before | after}
        assert trainer.changes() == {pair: change for pair, change in difference.items() if change}
        before = after


def counts_of(trainer: Trainer) -> dict[tuple[bytes, bytes], int]:
    return {(pair.left, pair.right): pair.count for pair in trainer.pairs()}


@given(corpora, recipes(), st.integers(0, 20))
def test_occurrences_are_the_words_that_contain_the_pair(text: str, recipe: Recipe, position: int) -> None:
    trainer = Trainer(counted(text, recipe), recipe)
    trainer.seek(position)
    for pair in trainer.pairs():
        containing = [word for word in trainer.words() if (pair.left, pair.right) in pairwise(word.symbols)]
        assert trainer.occurrences(pair.left, pair.right) == containing
        assert trainer.occurrences(pair.left, pair.right, limit=1) == containing[:1]
    assert trainer.occurrences(b"no such", b"pair") == []


@given(corpora, recipes(), special_tokens, st.integers(0, 20))
def test_the_tokenizer_of_a_step_equals_one_trained_up_to_it(
    text: str, recipe: Recipe, specials: list[str], position: int
) -> None:
    counts = counted(text, recipe, specials)
    trainer = Trainer(counts, recipe)
    trainer.seek(MAX_STEPS)
    position = min(position, trainer.run_length)
    trained = train(counts, recipe=recipe, num_merges=position)
    for tokenizer in (trainer.tokenizer(position), at(trainer, position).tokenizer()):
        assert everything_of(tokenizer) == everything_of(trained)
    assert len(trained.vocab) == trainer.vocab_size
    assert trained.vocab == expected_vocab(trainer, trained)


def at(trainer: Trainer, position: int) -> Trainer:
    trainer.seek(position)
    return trainer


def everything_of(tokenizer: Tokenizer) -> tuple[object, ...]:
    return tokenizer.vocab, tokenizer.merges, tokenizer.special_tokens, tokenizer.merge_counts, tokenizer.recipe


def initial_symbols(trainer: Trainer) -> set[bytes]:
    return {symbol for word in trainer.word_counts for symbol in symbols_of(word, trainer.recipe)}


def expected_vocab(trainer: Trainer, tokenizer: Tokenizer) -> dict[int, bytes]:
    """Return the vocabulary, built in another way: all tokens in the order of the recipe, without those pruned."""
    recipe = trainer.recipe
    alphabet, symbols_before_specials = order_alphabet(initial_symbols(trainer), recipe)
    specials = [token.encode() for token in trainer.word_counts.special_tokens]
    merged = [left + right for left, right in tokenizer.merges]
    pruned = pruned_of(trainer) if recipe.vocabulary == "prune" else set()
    if recipe.id_order == "sorted":
        spell = to_printable if recipe.token_spelling == "gpt2-printable" else bytes
        ordinary = sorted({*alphabet, *merged} - pruned, key=spell)
        return dict(enumerate(specials + ordinary if recipe.special_ids == "first" else ordinary + specials))
    match recipe.special_ids:
        case "first":
            order, first = [*specials, *alphabet, *merged], 0
        case "after-alphabet":
            order = [*alphabet[:symbols_before_specials], *specials, *alphabet[symbols_before_specials:], *merged]
            first = symbols_before_specials
        case "last":
            order, first = [*alphabet, *merged, *specials], len(alphabet) + len(merged)
    places = range(first, first + len(specials))
    left = [token for place, token in enumerate(order) if place in places or token not in pruned]
    return dict(enumerate(left))


def pruned_of(trainer: Trainer) -> set[bytes]:
    """Return the parts of merges that no longer occurred on their own after one of the merges that used them."""
    fresh = Trainer(trainer.word_counts, trainer.recipe)
    pruned: set[bytes] = set()
    for merge in trainer.merges:
        fresh.step()
        occurring = {symbol for word in fresh.words() for symbol in word.symbols}
        pruned |= {merge.left, merge.right} - occurring
    return pruned


@given(corpora, recipes(), special_tokens, st.integers(0, 20))
def test_the_tokenizer_splits_the_corpus_as_the_trainer_does(
    text: str, recipe: Recipe, specials: list[str], position: int
) -> None:
    recipe = recipe.with_changes(special_text="apart")  # as encoding always has it
    trainer = Trainer(counted(text, recipe, specials), recipe)
    trainer.seek(position)
    by_frequency = sorted(trainer.word_counts, key=lambda word: -trainer.word_counts[word])
    splits = dict(zip(by_frequency, (word.symbols for word in trainer.words()), strict=True))
    tokenizer = trainer.tokenizer()
    traces = tokenizer.trace(text)
    for trace in traces:
        assert (trace.steps[-1].symbols if trace.steps else trace.symbols) == splits[trace.word]
    ordinary = set(tokenizer.special_tokens.values())
    tokens = [tokenizer.vocab[i] for i in tokenizer.encode(text) if i not in ordinary]
    assert tokens == [symbol for trace in traces for symbol in splits[trace.word]]


@settings(max_examples=30)
@given(corpora, recipes())
def test_no_two_symbols_have_the_same_bytes(text: str, recipe: Recipe) -> None:
    """This lets tokens be bytes in the public API: how a token is merged never depends on what surrounds it."""
    trainer = Trainer(counted(text, recipe), recipe)
    trainer.seek(200)
    alphabet, _fixed = order_alphabet(initial_symbols(trainer), recipe)
    tokens = [*alphabet, *(merge.token for merge in trainer.merges)]
    assert len(set(tokens)) == len(tokens)


def test_words_counted_for_another_recipe_are_refused() -> None:
    counts = Corpus.from_text("low lower").count("cs336")
    with pytest.raises(TrainingError, match="splitter 'gpt2'"):
        Trainer(counts, "minbpe")


@pytest.mark.parametrize("position", [-1, 3])
def test_a_tokenizer_beyond_the_run_is_refused(position: int) -> None:
    trainer = Trainer(Corpus.from_text("low lower").count("cs336"), "cs336")
    trainer.seek(2)
    with pytest.raises(TrainingError, match="not in the run"):
        trainer.tokenizer(position)


def test_a_step_before_the_first_is_refused() -> None:
    with pytest.raises(TrainingError, match="Step -1 does not exist"):
        Trainer(Corpus.from_text("low").count("cs336")).seek(-1)


@pytest.mark.parametrize("position", [2**31, 2**62, 2**63, 2**64, 10**30])
def test_any_large_step_is_accepted(position: int) -> None:
    trainer = Trainer(Corpus.from_text("low lower").count("cs336"))
    assert trainer.seek(position) == trainer.seek(position) == 5
    assert len(train("low lower", num_merges=position).merges) == 5
    assert len(train("low lower", vocab_size=position).merges) == 5


@pytest.mark.slow
def test_a_long_run_of_one_letter_is_trained_quickly() -> None:
    trainer = Trainer(Corpus.from_text("a" * (1 << 17)).count("cs336"))
    assert trainer.seek(100) == 17
    assert trainer.words() == [SplitWord((b"a" * (1 << 17),), 1)]
    trainer.seek(0)
    assert trainer.pairs() == [PairCount(b"a", b"a", (1 << 17) - 1)]


@pytest.mark.parametrize("take", [copy, deepcopy, pickle.dumps])
def test_a_trainer_refuses_to_be_copied(take: Callable[[Trainer], object]) -> None:
    trainer = Trainer(counted("low low", Recipe()), Recipe())
    with pytest.raises(TrainingError, match="cannot be copied or pickled"):
        take(trainer)
