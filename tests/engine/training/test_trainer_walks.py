"""A run gives the same answers whatever was asked of it before, and in whatever order it moved."""

import random
from contextlib import ExitStack
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bpe_gui.engine import CHOICES, Corpus, PairCount, Plan, Recipe, Tokenizer, Trainer, WordCounts
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.training.reference import ReferenceTrainer, merge
from tests.engine.support.modes import MODES, USUAL_MODES, running, small_training_arrays, switch_mode
from tests.engine.support.recorded_runs import MAX_STEPS, State, counted, reference_run
from tests.engine.support.strategies import corpora, recipes, special_tokens
from tests.examples import examples

pytestmark = pytest.mark.slow

limits = st.integers(0, 30)
few = st.none() | st.integers(1, 4)
# Most of what a run caches is where pairs are first seen.
any_recipes = recipes() | st.builds(
    Recipe.with_changes,
    recipes(),
    tie_break=st.just("first-seen"),
    pair_counting=st.sampled_from(CHOICES["pair_counting"]),
)
# Left to itself, hypothesis draws texts in which little happens.
busy = st.integers(0, 10_000).map(lambda seed: "".join(random.Random(seed).choices("aaabbc ", k=50)))


class Walk(RuleBasedStateMachine):
    """A run, and the states that the reference has at each step."""

    def __init__(self) -> None:
        super().__init__()
        self._exit_stack = ExitStack()

    @initialize(
        text=corpora | busy,
        recipe=any_recipes,
        specials=special_tokens,
        has_small_arrays=st.booleans(),
        plan_seed=st.none() | st.integers(0, 10_000),
        words_join_at=st.none() | st.integers(1, 6),
    )
    def begin(
        self,
        text: str,
        recipe: Recipe,
        specials: list[str],
        has_small_arrays: bool,
        plan_seed: int | None,
        words_join_at: int | None,
    ) -> None:
        if words_join_at:
            recipe = recipe.with_changes(boundary="none", vocabulary="grow")
        if has_small_arrays:
            self._exit_stack.enter_context(small_training_arrays())
        counts = counted(text, recipe, specials)
        plan = Plan() if plan_seed is None else random_plan(random.Random(plan_seed), counts, recipe)
        if words_join_at:
            plan = plan.with_changes(stages={words_join_at: "join"})
        self.counts = counts
        self.stage_counts = {
            splitter: counted(text, recipe.with_changes(splitter=splitter), specials)
            for splitter in plan.stages.values()
            if splitter != "join"
        } | {"join": Corpus.from_text(text)}
        self.states, merges = reference_run(counts, recipe, plan, self.stage_counts, text)
        self.merges = merges
        self.trainer = Trainer(counts, recipe, plan=plan, stage_counts=self.stage_counts)
        self.tokenizers: dict[int, Tokenizer] = {}
        self.position = self.known_merges = 0

    def teardown(self) -> None:
        self._exit_stack.close()

    @property
    def state(self) -> State:
        return self.states[self.position]

    def move_model(self, position: int) -> None:
        self.position = min(max(0, position), len(self.merges))
        self.known_merges = max(self.known_merges, self.position)

    def check_top_pairs(self, limit: int | None) -> None:
        if limit is not None:
            self.top_pairs(limit)

    # -- moving, with or without a query right after ------------------------------------------------------------------

    @rule(limit=few)
    def step(self, limit: int | None) -> None:
        if self.position < MAX_STEPS:
            merge = self.trainer.step()
            assert ([merge] if merge else []) == self.merges[self.position : self.position + 1]
            self.move_model(self.position + 1)
            self.check_top_pairs(limit)

    @rule(limit=few)
    def step_back(self, limit: int | None) -> None:
        merge = self.trainer.step_back()
        expected = self.merges[self.position - 1 : self.position] if self.position else []
        assert ([merge] if merge else []) == expected
        self.move_model(self.position - 1)
        self.check_top_pairs(limit)

    @rule(position=st.integers(0, MAX_STEPS), limit=few)
    def seek(self, position: int, limit: int | None) -> None:
        self.move_model(position)
        assert self.trainer.seek(position) == self.position
        self.check_top_pairs(limit)

    @rule(positions=st.lists(st.integers(0, MAX_STEPS), min_size=2, max_size=5), limit=few)
    def wander(self, positions: list[int], limit: int | None) -> None:
        for position in positions:
            self.seek(position, limit)

    @rule(more=st.integers(1, 8), limit=few)
    def go_beyond_the_end(self, more: int, limit: int | None) -> None:
        self.seek(min(self.known_merges + more, MAX_STEPS), limit)

    # -- queries ----------------------------------------------------------------------------------------------------

    @rule()
    def peek(self) -> None:
        if self.position < MAX_STEPS:
            merge = self.trainer.peek()
            assert ([merge] if merge else []) == self.merges[self.position : self.position + 1]

    @rule()
    def would_choose(self) -> None:
        merge = self.trainer.would_choose()
        if merge and self.position < len(self.merges) and not self.trainer.is_given(self.position):
            assert merge == self.merges[self.position]
        elif merge:
            allowed = [pair for pair in self.state.pairs if not self.trainer.veto_of(pair.left, pair.right)]
            assert PairCount(merge.left, merge.right, merge.count) == allowed[0]
            if self.known_new_ids() or not self.trainer.plan.ids:
                assert merge.token_id == self.id_if_made(merge.token)

    def known_new_ids(self) -> list[int]:
        """Return the ids of the tokens that the run adds to those of the plan."""
        return [merge.token_id for merge in self.merges if merge.token not in self.trainer.plan.ids]

    def id_if_made(self, token: bytes) -> int:
        """Return the id that a token gets if the next merge makes it, whatever the run did later."""
        plan, made = self.trainer.plan, {merge.token: merge.token_id for merge in self.merges[: self.position]}
        known = plan.ids.get(token, made.get(token))
        if known is not None:
            return known
        new = [token_id for token_id in self.known_new_ids() if token_id not in made.values()]
        return min(new, default=1 + max((self.trainer.initial_size - 1, *made.values())))

    @rule()
    def all_pairs(self) -> None:
        assert self.trainer.pairs() == self.state.pairs

    @rule(limit=limits)
    def top_pairs(self, limit: int) -> None:
        assert self.trainer.pairs(limit) == self.state.pairs[:limit]

    @rule()
    def changes(self) -> None:
        if self.position in self.trainer.plan.stages:
            return  # the words have changed
        before = counts_of(self.states[self.position - 1].pairs) if self.position else counts_of(self.state.pairs)
        after = counts_of(self.state.pairs)
        difference = {pair: after.get(pair, 0) - before.get(pair, 0) for pair in before | after}
        assert self.trainer.changes() == {pair: change for pair, change in difference.items() if change}

    @rule(number=st.integers(0, 100), limit=st.none() | limits)
    def occurrences(self, number: int, limit: int | None) -> None:
        if self.state.pairs:
            pair = self.state.pairs[number % len(self.state.pairs)]
            containing = [word for word in self.state.words if (pair.left, pair.right) in pairwise(word.symbols)]
            assert self.trainer.occurrences(pair.left, pair.right, limit) == containing[:limit]

    @rule()
    def words(self) -> None:
        assert self.trainer.words() == self.state.words

    @rule(number=st.integers(0, MAX_STEPS))
    def tokenizer(self, number: int) -> None:
        position = number % (self.known_merges + 1)
        expected = self._trained_tokenizer(position)
        actual = self.trainer.tokenizer(position)
        assert actual.merges == [(merge.left, merge.right) for merge in self.merges[:position]]
        assert (actual.vocab, actual.special_tokens) == (expected.vocab, expected.special_tokens)
        assert (actual.merges, actual.merge_counts) == (expected.merges, expected.merge_counts)

    def _trained_tokenizer(self, position: int) -> Tokenizer:
        if position not in self.tokenizers:
            self.tokenizers[position] = self._train(position)
        return self.tokenizers[position]

    def _train(self, position: int) -> Tokenizer:
        trainer = Trainer(self.counts, self.trainer.recipe, plan=self.trainer.plan, stage_counts=self.stage_counts)
        trainer.seek(position)
        return trainer.tokenizer()

    @invariant()
    def position_and_merges_agree(self) -> None:
        assert self.trainer.position == self.position
        assert self.trainer.run_length == self.known_merges
        assert list(self.trainer.run) == self.merges[: self.known_merges]
        assert self.trainer.pair_count == len(self.state.pairs)


class WalkInBothModes(Walk):
    """A walk that switches to compiled code and back at any time."""

    @rule(mode=st.sampled_from(MODES))
    def switch(self, mode: str) -> None:
        switch_mode(mode)


def random_plan(rng: random.Random, counts: WordCounts, recipe: Recipe) -> Plan:
    """Return a plan with some of everything, whose merges exist."""
    seeds = rng.choice(((), (), ("ab", "b ", "你好"), ("aab",)))
    recipe = recipe.with_changes(seeds=seeds)
    tokens = sorted({symbol for word in counts for symbol in symbols_of(word, recipe)})
    replay = []
    for _rank in range(rng.choice((0, 0, 3, 12))):
        pair = rng.choice(tokens), rng.choice(tokens)
        replay.append(pair)
        tokens.append(pair[0] + pair[1])
    banned = {(rng.choice(tokens), rng.choice(tokens)) for _ in range(rng.choice((0, 3)))} - set(replay)
    pairs = {step: (rng.choice(tokens), rng.choice(tokens)) for step in rng.sample(range(len(replay), 40), 3)}
    return Plan(
        replay=replay,
        banned=banned,
        banned_tokens=rng.choice(((), (r"[ab ]{3}",), (r"(?:aa|bb).*", r"\s+"))),
        forced={step: pair for step, pair in pairs.items() if pair not in banned and rng.random() < 0.5},
        stages=rng.choice(({}, {}, {2: "none"}, {1: r"\S+", 5: "none"})),
        ids=rng.choice(({}, dict(zip(tokens, rng.sample(range(400), len(tokens)), strict=True)))),
        rules=rng.choice(((), ("max-bytes=3",), ("max-characters=2", "no-leading-space"), ("character-boundaries",))),
        seeds=seeds,
    )


@settings(max_examples=examples(40))
@given(text=corpora | busy, recipe=any_recipes, plan_seed=st.integers(0, 10_000))
def test_a_token_leaves_the_vocabulary_while_no_word_has_it(text: str, recipe: Recipe, plan_seed: int) -> None:
    """Pruning depends on the words as split at the step: a later stage may have a token again."""
    recipe = recipe.with_changes(vocabulary="prune")
    counts = counted(text, recipe)
    plan = random_plan(random.Random(plan_seed), counts, recipe)
    stage_counts = {s: counted(text, recipe.with_changes(splitter=s)) for s in plan.stages.values()}
    reference = ReferenceTrainer(counts, recipe, plan, stage_counts)
    while len(reference.merged) < MAX_STEPS and reference.step():
        pass
    trainer = Trainer(counts, recipe, plan=plan, stage_counts=stage_counts)
    for step in range(len(reference.merged) + 1):
        trainer.seek(step)
        made = {*reference.tokens[: len(reference.tokens) - len(reference.merged) + step]}
        assert set(trainer.tokenizer().vocab.values()) == made - gone(reference, step)
        assert trainer.vocab_size == len(trainer.tokenizer().vocab)


def gone(reference: ReferenceTrainer, step: int) -> set[bytes]:
    """Return the tokens that were in the words of a step's stage at that step or an earlier one, and no longer are."""
    words = reference.stages[max(start for start in reference.stages if start <= step)]
    alphabet_size = len(reference.tokens) - len(reference.merged)
    seen = present = {symbol for symbols, _count in words for symbol in symbols}
    for new, pair in enumerate(reference.merged[:step], alphabet_size):
        words = [(merge(symbols, pair, new), count) for symbols, count in words]
        present = {symbol for symbols, _count in words for symbol in symbols}
        seen = seen | present
    tokens = reference.tokens
    return {tokens[symbol] for symbol in seen} - {tokens[symbol] for symbol in present}


def counts_of(pairs: list[PairCount]) -> dict[tuple[bytes, bytes], int]:
    return {(pair.left, pair.right): pair.count for pair in pairs}


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_any_order_of_moves_and_queries(mode: str) -> None:
    with running(mode):
        run_state_machine_as_test(Walk, settings=settings(max_examples=examples(150), stateful_step_count=30))


def test_any_order_while_switching_modes() -> None:
    with running("plain"):
        run_state_machine_as_test(
            WalkInBothModes, settings=settings(max_examples=examples(150), stateful_step_count=30)
        )
