"""Whatever is asked of a run, in whatever order, it answers as if it had just come to that step."""

import random
from contextlib import ExitStack
from itertools import pairwise

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bpe_gui.engine import CHOICES, PairCount, Recipe, Tokenizer, Trainer, train

from tests.engine.support.modes import MODES, little_room, running, switch
from tests.engine.support.recorded_runs import MOST_STEPS, State, counted, reference_run, without_ids
from tests.engine.support.strategies import corpora, recipes, special_tokens

limits = st.integers(0, 30)
few = st.none() | st.integers(1, 4)
# Most of what a run remembers between two questions is where pairs are first seen.
any_recipes = recipes() | st.builds(
    Recipe.with_changes,
    recipes(),
    tie_break=st.just("first-seen"),
    pair_counting=st.sampled_from(CHOICES["pair_counting"]),
)
# Of its own accord hypothesis draws texts in which little happens.
busy = st.integers(0, 10_000).map(lambda seed: "".join(random.Random(seed).choices("aaabbc ", k=50)))


class Walk(RuleBasedStateMachine):
    """A run, and beside it what the reference says of each of its steps."""

    def __init__(self) -> None:
        super().__init__()
        self._ending = ExitStack()

    @initialize(text=corpora | busy, recipe=any_recipes, specials=special_tokens, is_narrow=st.booleans())
    def begin(self, text: str, recipe: Recipe, specials: list[str], is_narrow: bool) -> None:
        if is_narrow:
            self._ending.enter_context(little_room())
        counts = counted(text, recipe, specials)
        self.states, merges = reference_run(counts, recipe)
        self.merges = without_ids(merges)
        self.trainer = Trainer(counts, recipe)
        self.tokenizers: dict[int, Tokenizer] = {}
        self.position = self.farthest = 0

    def teardown(self) -> None:
        self._ending.close()

    @property
    def state(self) -> State:
        return self.states[self.position]

    def arrive(self, position: int) -> None:
        self.position = min(max(0, position), len(self.merges))
        self.farthest = max(self.farthest, self.position)

    def look(self, limit: int | None) -> None:
        if limit is not None:
            self.best_pairs(limit)

    # -- moving, with or without a look right after ------------------------------------------------------------------

    @rule(limit=few)
    def step(self, limit: int | None) -> None:
        if self.position < MOST_STEPS:
            merge = self.trainer.step()
            assert without_ids([merge] if merge else []) == self.merges[self.position : self.position + 1]
            self.arrive(self.position + 1)
            self.look(limit)

    @rule(limit=few)
    def step_back(self, limit: int | None) -> None:
        merge = self.trainer.step_back()
        expected = self.merges[self.position - 1 : self.position] if self.position else []
        assert without_ids([merge] if merge else []) == expected
        self.arrive(self.position - 1)
        self.look(limit)

    @rule(position=st.integers(0, MOST_STEPS), limit=few)
    def seek(self, position: int, limit: int | None) -> None:
        self.arrive(position)
        assert self.trainer.seek(position) == self.position
        self.look(limit)

    @rule(positions=st.lists(st.integers(0, MOST_STEPS), min_size=2, max_size=5), limit=few)
    def wander(self, positions: list[int], limit: int | None) -> None:
        for position in positions:
            self.seek(position, limit)

    @rule(more=st.integers(1, 8), limit=few)
    def go_beyond_the_end(self, more: int, limit: int | None) -> None:
        self.seek(min(self.farthest + more, MOST_STEPS), limit)

    # -- looking ----------------------------------------------------------------------------------------------------

    @rule()
    def peek(self) -> None:
        if self.position < MOST_STEPS:
            merge = self.trainer.peek()
            assert without_ids([merge] if merge else []) == self.merges[self.position : self.position + 1]

    @rule()
    def all_pairs(self) -> None:
        assert self.trainer.pairs() == self.state.pairs

    @rule(limit=limits)
    def best_pairs(self, limit: int) -> None:
        assert self.trainer.pairs(limit) == self.state.pairs[:limit]

    @rule()
    def changes(self) -> None:
        before = counts_of(self.states[self.position - 1].pairs) if self.position else counts_of(self.state.pairs)
        after = counts_of(self.state.pairs)
        difference = {pair: after.get(pair, 0) - before.get(pair, 0) for pair in before | after}
        assert self.trainer.changes() == {pair: change for pair, change in difference.items() if change}

    @rule(number=st.integers(0, 100), limit=st.none() | limits)
    def occurrences(self, number: int, limit: int | None) -> None:
        if self.state.pairs:
            pair = self.state.pairs[number % len(self.state.pairs)]
            holding = [word for word in self.state.words if (pair.left, pair.right) in pairwise(word.symbols)]
            assert self.trainer.occurrences(pair.left, pair.right, limit) == holding[:limit]

    @rule()
    def words(self) -> None:
        assert self.trainer.words() == self.state.words

    @rule(number=st.integers(0, MOST_STEPS))
    def tokenizer(self, number: int) -> None:
        position = number % (self.farthest + 1)
        expected = self._tokenizer_trained(position)
        found = self.trainer.tokenizer(position)
        assert found.merges == [(merge.left, merge.right) for merge in self.merges[:position]]
        assert (found.vocab, found.special_tokens) == (expected.vocab, expected.special_tokens)
        assert (found.merges, found.merge_counts) == (expected.merges, expected.merge_counts)

    def _tokenizer_trained(self, position: int) -> Tokenizer:
        if position not in self.tokenizers:
            counts, recipe = self.trainer.word_counts, self.trainer.recipe
            self.tokenizers[position] = train(counts, recipe=recipe, num_merges=position)
        return self.tokenizers[position]

    @invariant()
    def knows_where_it_is(self) -> None:
        assert self.trainer.position == self.position
        assert self.trainer.run_length == self.farthest
        assert without_ids(self.trainer.run) == self.merges[: self.farthest]
        assert self.trainer.pair_count == len(self.state.pairs)


class WalkInBothModes(Walk):
    """The same, going over to compiled code and back at any time."""

    @rule(mode=st.sampled_from(MODES))
    def go_over(self, mode: str) -> None:
        switch(mode)


def counts_of(pairs: list[PairCount]) -> dict[tuple[bytes, bytes], int]:
    return {(pair.left, pair.right): pair.count for pair in pairs}


@pytest.mark.parametrize("mode", MODES)
def test_any_order_of_questions_and_moves(mode: str) -> None:
    with running(mode):
        run_state_machine_as_test(Walk, settings=settings(max_examples=150, stateful_step_count=30))


def test_any_order_with_either_code() -> None:
    with running("plain"):
        run_state_machine_as_test(WalkInBothModes, settings=settings(max_examples=150, stateful_step_count=30))
