"""The trainer: byte-pair encoding step by step, forward and back, without ever recounting the pairs."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import pairwise
from types import MappingProxyType
from typing import Concatenate, Final, NoReturn, ParamSpec, Self, TypeVar

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.heap import NO_PAIR, most_frequent
from bpe_gui.engine.kernels.training.navigation import ARRIVED
from bpe_gui.engine.kernels.training.pairs import find_pair, first_positions
from bpe_gui.engine.kernels.training.records import RunArrays
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.forking import ForkLock
from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.runtime.shown_tokens import table_in_html
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, IntegerArray, Progress
from bpe_gui.engine.text.recipe import DEFAULT_RECIPE, Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .parity import LanguageTurns, turns_of
from .plan import Plan, StageCounts, Veto
from .results import Merge, PairCount, SplitWord
from .run_vocabulary import RunVocabulary
from .sentencepiece import veto_of
from .stages import Stage, SymbolStage, create_stages

P = ParamSpec("P")
R = TypeVar("R")

_MIN_TOP_PAIRS: Final = 256
"""The fewest pairs to select, the most frequent ones, even if fewer are requested."""

_MAX_POSITION: Final = 2**62
"""More merges than any run has, as a 64-bit number."""


def _in_turn(method: Callable[Concatenate["Trainer", P], R]) -> Callable[Concatenate["Trainer", P], R]:
    """Make a method wait while another thread is in one: kernels run without the GIL, and arrays are replaced."""

    @wraps(method)
    def waiting(self: "Trainer", /, *arguments: P.args, **named: P.kwargs) -> R:
        with self._lock:
            return method(self, *arguments, **named)

    return waiting


_SHOWN: Final = 20
"""How many of the last merges a notebook shows."""


class Trainer:
    """A run of BPE training with a cursor that moves forward and back. Threads that use it take turns.

    Source: Sennrich, Haddow and Birch, “Neural Machine Translation of Rare Words with Subword Units” (2016).

    `plan` may give merges in advance and veto others. `turns`, made with the same recipe and plan from languages whose
    words together are these, chooses merges by language. `progress` is called while the run is prepared, which takes a
    while for a large corpus. Raises TrainingError if the words were not counted for this recipe, if there are too many,
    or if the plan replays a merge of a token that does not exist at that step.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower").count("cs336-toy"), "cs336-toy")
    >>> trainer.step().token, trainer.step().token, trainer.step_back().token, trainer.position
    (b'ow', b'low', b'low', 1)
    """

    def __init__(
        self,
        word_counts: WordCounts,
        recipe: Recipe | str = DEFAULT_RECIPE,
        *,
        plan: Plan | None = None,
        stage_counts: StageCounts = MappingProxyType({}),
        turns: LanguageTurns | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.plan: Final = plan or Plan()
        self.recipe: Final = self.plan.recipe_of_run(Recipe.of(recipe))
        self.turns: Final = turns
        """What chooses the merges of a parity-aware run; None for any other."""
        if self.plan.parity and turns is None:
            raise TrainingError(
                "The plan says that languages take turns, so training needs their words: use train, train_fair or "
                "turns_of."
            )
        if not word_counts.fits(self.recipe):
            raise TrainingError(
                "The words were counted with the splitter {splitter!r} and special_text={special_text}. Count them "
                "again for this recipe.",
                splitter=word_counts.splitter,
                special_text=word_counts.facts.special_text,
            )
        try:
            self._stages, alphabet, symbols_before_specials = create_stages(
                word_counts, self.recipe, self.plan, stage_counts, progress or (lambda done, total: None), turns
            )
        except MemoryError as error:
            raise TrainingError(
                "There is not enough memory to train on {words:,} unique words: {reason}.",
                words=len(word_counts),
                reason=str(error).rstrip("."),
            ) from error
        self._lock = ForkLock()
        """Held by the thread that moves the cursor or reads the run."""
        self._current = 0
        """The index of the stage that the position is in."""
        self._stage = self._stages[0]
        """The stage that the position is in."""
        self._furthest = 0
        """The index of the last stage that was reached."""
        self._top_pairs: tuple[int, Int32Array] = (-1, np.empty(0, np.int32))
        """A position, and the numbers of the most frequent pairs there."""
        self._next: Merge | None = None
        """The last merge that `peek` found, which is the next one while the position is its rank."""
        self._is_complete = False
        self._vocabulary = RunVocabulary(
            alphabet, symbols_before_specials, word_counts.special_tokens, self.recipe, self.plan
        )
        self.alphabet_size = len(alphabet)
        """The number of symbols before the first merge."""
        self.initial_size = self._vocabulary.size(0)
        """The size of the vocabulary before the first merge, special tokens included."""

    @classmethod
    def of_corpus(
        cls,
        corpus: Corpus,
        words: WordCounts,
        recipe: Recipe | str = DEFAULT_RECIPE,
        *,
        plan: Plan,
        special_tokens: Sequence[str] = (),
        languages: Sequence[str] | None = None,
        counting: Progress | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Return a trainer on the words of a corpus, counted for the plan. What the plan needs besides is counted here.

        `languages` are those of the documents, by default those that their paths say. `counting` is called with the
        bytes counted and in total. Raise EngineError.
        """
        recipe = Recipe.of(recipe)
        turns = turns_of(corpus, recipe, plan, special_tokens, counting, names=languages)
        stages = plan.count_stages(corpus, recipe, special_tokens, counting)
        return cls(words, recipe, plan=plan, stage_counts=stages, turns=turns, progress=progress)

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied or pickled, because a copy would share the arrays of the run."""
        raise TrainingError("A trainer cannot be copied or pickled. Make another one from the same word counts.")

    @property
    def word_counts(self) -> WordCounts:
        """The words as split by the stage at the position, with their counts."""
        return self._stage.word_counts

    @property
    def stage_recipe(self) -> Recipe:
        """The recipe at the position: with the splitter of the stage, and the seeds of the plan."""
        return self._stage.recipe

    @property
    def merges_in_words(self) -> int:
        """How many merges the symbols of words consist of from the start, where these are tokens: see `phrases`."""
        return self.plan.merges_before or self.stage_recipe.superwords_from

    def initial_symbols(self, word: int) -> list[bytes]:
        """Return the symbols of the word with this number before any merge; of a phrase, the tokens of its words."""
        return self._stage.initial_symbols(word)

    # -- the run ----------------------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """The number of merges applied now."""
        return self._stage.position

    @property
    def merges(self) -> tuple[Merge, ...]:
        """The merges applied now, in order."""
        return tuple(map(self._merge_at, range(self.position)))

    def _repr_html_(self) -> str:
        """Return the last merges as a table, as a notebook shows them."""
        last = self.merges[-_SHOWN:]
        rows = ((m.rank + 1, visible(m.left), visible(m.right), visible(m.token), f"{m.count:,}") for m in last)
        return table_in_html([("step", "left", "right", "token", "count"), *rows])

    @property
    def run(self) -> tuple[Merge, ...]:
        """All merges known so far, including those after the position."""
        return tuple(map(self._merge_at, range(self.run_length)))

    @property
    def run_length(self) -> int:
        """The number of merges known so far."""
        return self._stages[self._furthest].known_merges

    @property
    def most_merges(self) -> int:
        """A number of merges that the run cannot exceed, however far it is trained.

        A merge that occurs makes a word shorter, so there are no more of these than bytes in the words. Those that the
        plan gives need not occur.

        >>> words = WordCounts({"low": 2, "lower": 1}, "whitespace")
        >>> Trainer(words, "cs336-toy").most_merges, len(words.text)
        (8, 8)
        """
        given = len(self.plan.replay) + len(self.plan.forced)
        occurring = int(np.count_nonzero(self.counts[: len(self.plan.replay)]))
        last, is_reached = self._stages[-1], self._furthest == len(self._stages) - 1
        # The words of a later stage may not have been counted yet, but they come from the same text.
        in_words = len(last.word_counts.text) if is_reached else self._stages[0].word_counts.bytes
        return last.start + given - occurring + in_words

    @property
    def is_complete(self) -> bool:
        """Whether the trainer has been at the end of the run, where nothing is left to merge, and so knows all merges.

        >>> trainer = Trainer(WordCounts({"low": 2}, "whitespace"), "cs336-toy")
        >>> trainer.is_complete, trainer.seek(1000), trainer.seek(1), trainer.is_complete
        (False, 2, 1, True)
        """
        return self._is_complete

    @property
    def counts(self) -> Int64Array:
        """The count of each known merge's pair when it was chosen; read-only."""
        return self._of_known_merges(lambda stage, stop: stage.arrays.history.counts[:stop])

    @property
    def ties(self) -> Int64Array:
        """The number of other pairs that had the same count, for each known merge; read-only.

        All are 0 where languages take turns, because their pairs do not compete.
        """
        ties = self._of_known_merges(lambda stage, stop: stage.arrays.history.ties[:stop])
        return ties if self.turns is None else np.zeros_like(ties)

    @property
    def tokens_saved(self) -> Int64Array:
        """The number of tokens by which each known merge made the corpus shorter; read-only.

        This is its pair's count, unless pairs overlap (`aaa` has two, but one merge) or count once per word.
        """
        return self._of_known_merges(lambda stage, stop: stage.arrays.history.saved[:stop])

    @property
    def tokens_before(self) -> Int64Array:
        """The number of tokens of the corpus before each known merge, without special tokens; read-only.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.seek(3), trainer.tokens_before.tolist(), trainer.tokens_saved.tolist()
        (3, [11, 8, 5], [3, 3, 1])
        """
        return self._of_known_merges(lambda stage, stop: stage.tokens_before(stop))

    @_in_turn
    def _of_known_merges(self, of: Callable[[Stage, int], Int64Array]) -> Int64Array:
        """Return numbers by rank; `of` returns the numbers of a stage for all ranks below a given one."""
        reached = self._stages[: self._furthest + 1]
        bounds = pairwise([0, *(stage.start for stage in reached[1:]), self.run_length])
        parts = [of(stage, stop)[start:] for stage, (start, stop) in zip(reached, bounds, strict=True)]
        numbers = parts[0] if len(parts) == 1 else np.concatenate(parts)
        numbers.flags.writeable = False
        return numbers

    def merge_at(self, index: int) -> Merge:
        """Return the known merge of rank `index`, applied or not. Raise TrainingError if there is none."""
        if not 0 <= index < self.run_length:
            raise TrainingError(
                "Merge {index} is not in the run. The number of merges so far is {merges}.",
                index=index,
                merges=self.run_length,
            )
        return self._merge_at(index)

    @_in_turn
    def _merge_at(self, index: int) -> Merge:
        stages = self._stages
        number = 0 if len(stages) == 1 else bisect_right(stages, index, key=lambda stage: stage.start) - 1
        arrays = stages[number].arrays
        history = arrays.history
        if index < self.plan.merges_before:
            left, right = self.plan.replay[index]
        else:
            left, right = self._tokens_of(int(arrays.pairs.keys[history.pairs[index]]))
        token, vocabulary = left + right, self._vocabulary_with(index + 1)
        ties = 0 if self.turns else int(history.ties[index])
        return Merge(index, left, right, token, vocabulary.id_of(token), int(history.counts[index]), ties)

    def _tokens_of(self, key: int) -> tuple[bytes, bytes]:
        """Return the tokens of a packed pair of symbols."""
        left, right = key >> SYMBOL_BITS, key & SYMBOL_MASK
        tokens = self._vocabulary_with(max(left, right) + 1 - self.alphabet_size).tokens
        return tokens[left], tokens[right]

    def _vocabulary_with(self, merges: int) -> RunVocabulary:
        """Return the vocabulary with at least this many merges."""
        # It is only updated if necessary, so that merges can be shown while a thread continues training.
        is_known = merges <= len(self._vocabulary.tokens) - self.alphabet_size
        return self._vocabulary if is_known else self.vocabulary()

    @_in_turn
    def vocabulary(self) -> RunVocabulary:
        """Return the vocabulary with all known merges. It stays valid without the trainer."""
        for index, stage in enumerate(self._stages[: self._furthest + 1]):
            is_last = index == self._furthest
            stop = stage.known_merges if is_last else self._stages[index + 1].start
            self._vocabulary.update(stage.arrays, stop, stage.start)
        return self._vocabulary

    @property
    def arrays(self) -> RunArrays:
        """The arrays of the run, for other modules of training. They are replaced when they grow."""
        return self._stage.arrays

    @property
    def vocab_size(self) -> int:
        """The number of entries in the vocabulary now, special tokens included."""
        return self.vocabulary().size(self.position)

    @_in_turn
    def peek(self) -> Merge | None:
        """Return the merge that `step` would apply next. If it is None, `obstacle` may say why.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.peek().token, trainer.position
        (b'ow', 0)
        """
        self._arrive()
        position = self.position
        if self._next is None or self._next.rank != position:
            self._next = self._merge_at(position) if position < self.run_length else self._find_next()
        return self._next

    def _find_next(self) -> Merge | None:
        try:
            pair = self._stage.next_pair()
        except TrainingError:
            return None
        if pair == NO_PAIR:
            self._is_complete = True
            return None
        return self._merge_now(pair)

    @_in_turn
    def obstacle(self) -> TrainingError | None:
        """Return the error that `step` would raise if the plan merges a token that does not exist, or None."""
        self._arrive()
        try:
            self._stage.next_pair()
        except TrainingError as error:
            return error
        return None

    @_in_turn
    def would_choose(self) -> Merge | None:
        """Return the merge that training would choose now if the plan gave none, or None if nothing is left to merge.

        >>> trainer = Trainer(WordCounts({"low": 2}, "whitespace"), "cs336-toy", plan=Plan(forced={0: (b"l", b"o")}))
        >>> trainer.peek().token, trainer.would_choose().token
        (b'lo', b'ow')
        """
        self._arrive()
        try:
            pair = self._stage.choose_next()
        except TrainingError:  # an expression of the plan takes too long
            return None
        return None if pair == NO_PAIR else self._merge_now(pair)

    def _merge_now(self, pair: int) -> Merge:
        """Return the merge of a pair at the position, with the ties that a kernel counted last."""
        pairs, position = self._stage.arrays.pairs, self.position
        left, right = self._tokens_of(int(pairs.keys[pair]))
        token_id = self.vocabulary().id_of(left + right, position)
        ties = 0 if self.turns else int(self._stage.arrays.state[records.NEXT_TIES])
        return Merge(position, left, right, left + right, token_id, int(pairs.counts[pair]), ties)

    # -- the plan ---------------------------------------------------------------------------------------------------

    def is_given(self, rank: int) -> bool:
        """Return whether the plan gives the merge of this rank, by replaying or forcing it."""
        return rank < len(self.plan.replay) or rank in self.plan.forced

    def veto_of(self, left: bytes, right: bytes) -> Veto | None:
        """Return why training may not choose a pair, or None if it may."""
        if isinstance(self._stage, SymbolStage):
            symbols = self.vocabulary().symbols_of(left + right)
            if symbols and symbols[0] < self.alphabet_size + self.position:
                return Veto("made")
        return veto_of(self.plan, self.recipe, left, right)

    @property
    def has_vetoes(self) -> bool:
        """Whether the plan or the recipe can forbid training to choose a pair."""
        return self.plan.has_vetoes or self.recipe.sentencepiece is not None or isinstance(self._stage, SymbolStage)

    # -- moving -----------------------------------------------------------------------------------------------------

    def step(self) -> Merge | None:
        """Apply the next merge and return it, or None if no pair occurs `min_count` times."""
        position = self.position
        return self._merge_at(position) if self.seek(position + 1) > position else None

    def step_back(self) -> Merge | None:
        """Undo the last merge and return it, or None at the start."""
        position = self.position
        return self._merge_at(self.seek(position - 1)) if position > self.plan.merges_before else None

    def seek(self, position: int) -> int:
        """Go to a step, and continue training if it is not known yet. Return the step reached; the run may end earlier.

        A run that continues a tokenizer begins with the last merge of that, and cannot go back before it.

        Raise TrainingError for a negative step.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").seek(1000)
        4
        """
        while not self.approach(position):
            pass
        return self.position

    @_in_turn
    def approach(self, position: int) -> bool:
        """Go towards a step for a few milliseconds. Return whether the step, or the end of the run, is reached.

        Raise TrainingError for a negative step.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").approach(2)
        True
        """
        if position < 0:
            raise TrainingError("Step {step} does not exist. The first step is 0.", step=position)
        return self._approach_back(position) if position < self.position else self._approach_ahead(position)

    def _approach_back(self, position: int) -> bool:
        stage = self._stage
        has_arrived = stage.back(max(position, stage.start))
        if has_arrived and position < stage.start and self._current:
            self._go_to_stage(self._current - 1)
            return self.position == position
        return has_arrived

    def _approach_ahead(self, position: int) -> bool:
        stage, following = self._stage, self._stages[self._current + 1 : self._current + 2]
        goal = min(position, _MAX_POSITION, *(later.start for later in following))
        if stage.position < goal:
            outcome = stage.forward(goal)
            if outcome == NO_PAIR:
                self._is_complete = True
                return True
            if outcome != ARRIVED:
                return False
        if not following or goal < following[0].start:
            return True
        if not following[0].catch_up(stage, self.vocabulary):
            return False
        self._go_to_stage(self._current + 1)
        self._furthest = max(self._furthest, self._current)
        return goal == position

    def _go_to_stage(self, number: int) -> None:
        self._current, self._stage = number, self._stages[number]

    def _arrive(self) -> None:
        """Finish an interrupted move into a new stage."""
        while self._stage is not self._stages[-1] and not self.approach(self.position):
            pass

    # -- pairs ------------------------------------------------------------------------------------------------------

    @_in_turn
    def pairs(self, limit: int | None = None) -> list[PairCount]:
        """Return the pairs with their counts, most frequent first, ties in the order that the tie rule prefers.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> [(pair.left + pair.right, pair.count) for pair in trainer.pairs(limit=3)]
        [(b'ow', 3), (b'lo', 3), (b'we', 1)]
        """
        return self._counted(self.pair_order() if limit is None else self._most_frequent(max(0, limit)))

    def _check_pairs(self, numbers: Int32Array, *, occur: bool = False) -> None:
        """Raise TrainingError unless pairs have these numbers and, with `occur`, occur now."""
        counts = self._pair_counts()
        if _are_below(numbers, len(counts)) and (not occur or np.all(counts[numbers])):
            return
        raise TrainingError("There is no pair with one of these numbers now. The pairs may have changed since.")

    @_in_turn
    def pairs_of(self, numbers: Int32Array) -> list[PairCount]:
        """Return the pairs with these numbers, which come from `pair_order`."""
        self._check_pairs(numbers)
        return self._counted(numbers)

    def _counted(self, numbers: Int32Array) -> list[PairCount]:
        tokens = self._vocabulary_with(self.run_length).tokens
        pairs = self._stage.arrays.pairs
        return [
            PairCount(tokens[key >> SYMBOL_BITS], tokens[key & SYMBOL_MASK], count)
            for key, count in zip(pairs.keys[numbers].tolist(), pairs.counts[numbers].tolist(), strict=True)
        ]

    @_in_turn
    def symbols_of_pairs(self, numbers: Int32Array) -> tuple[Int32Array, Int32Array]:
        """Return the left and the right symbols of the pairs with these numbers, as indices into `tokens`."""
        self._check_pairs(numbers)
        keys = self._stage.arrays.pairs.keys[numbers]
        return (keys >> SYMBOL_BITS).astype(np.int32), (keys & SYMBOL_MASK).astype(np.int32)

    @_in_turn
    def counts_of_pairs(self, numbers: Int32Array) -> Int64Array:
        """Return how often the pairs with these numbers occur."""
        self._check_pairs(numbers)
        return self._stage.arrays.pairs.counts[numbers]

    @_in_turn
    def pair_number(self, left: bytes, right: bytes) -> int:
        """Return the number of a pair, or -1 if it does not occur now."""
        return next(iter(self.pair_numbers(left, right)), -1)

    @_in_turn
    def rank_of_pair(self, number: int) -> int:
        """Return the rank, from 1, of the pair with this number in the order of `pairs`. The pair must occur now.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.rank_of_pair(trainer.pair_number(b"l", b"o"))
        2
        """
        self._check_pairs(np.array([number if 0 <= number < 2**31 else -1], np.int32), occur=True)
        counts = self._pair_counts()
        tied = np.flatnonzero(counts == counts[number]).astype(np.int32)
        own = int(np.searchsorted(tied, number))
        is_before, is_equal = np.zeros(len(tied), np.bool_), np.ones(len(tied), np.bool_)
        for key in reversed(self._tie_keys(tied)):
            is_before |= is_equal & (key < key[own])
            is_equal &= key == key[own]
        return int(np.count_nonzero(counts > counts[number]) + np.count_nonzero(is_before)) + 1

    def token_ranks(self) -> Int64Array:
        """Return the index of each symbol's bytes among all tokens in sorted order; equal bytes have the same index."""
        return self.vocabulary().token_ranks()

    @property
    def tokens(self) -> list[bytes]:
        """The bytes of all known symbols: the alphabet, then one token for each merge."""
        return self.vocabulary().tokens

    def _most_frequent(self, limit: int) -> Int32Array:
        """Return the numbers of the most frequent pairs. More are cached, because callers often ask for more."""
        position, numbers = self._top_pairs
        size = min(limit, int(self._stage.arrays.state[records.PAIR_COUNT]))
        if position != self.position or len(numbers) < size:
            buffer = np.empty(max(size, _MIN_TOP_PAIRS), np.int32)
            numbers = buffer[: most_frequent(self._stage.arrays, buffer)]
            self._top_pairs = self.position, numbers
        return numbers[:limit]

    @_in_turn
    def pair_order(self) -> Int32Array:
        """Return the numbers of all pairs, in the order of `pairs`. They are valid until the position changes.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.pairs_of(trainer.pair_order()[1:2])
        [PairCount(left=b'l', right=b'o', count=3)]
        """
        counts = self._pair_counts()
        return self.in_order(np.flatnonzero(counts).astype(np.int32))

    @_in_turn
    def in_order(self, numbers: Int32Array) -> Int32Array:
        """Return the numbers of these pairs, which must occur now, in the order of `pairs`."""
        self._check_pairs(numbers, occur=True)
        return numbers[np.lexsort((*self._tie_keys(numbers), -self._stage.arrays.pairs.counts[numbers]))]

    def _tie_keys(self, numbers: Int32Array) -> tuple[Int64Array, ...]:
        """Return the keys by which the tie rule sorts pairs of equal counts, the primary key last."""
        arrays = self._stage.arrays
        keys = arrays.pairs.keys[numbers]
        if self.stage_recipe.superwords_from:
            ranks = self.token_ranks()
            return keys, ranks[keys & SYMBOL_MASK], ranks[keys >> SYMBOL_BITS]
        match self.recipe.tie_break:
            case "smallest-id":
                return (keys,)
            case "shortest":
                tokens = self.tokens
                made = [tokens[key >> SYMBOL_BITS] + tokens[key & SYMBOL_MASK] for key in keys.tolist()]
                ranks = np.empty(len(made), np.int64)
                ranks[sorted(range(len(made)), key=made.__getitem__)] = np.arange(len(made))
                lengths = arrays.symbols.lengths
                return keys, ranks, lengths[keys >> SYMBOL_BITS] + lengths[keys & SYMBOL_MASK].astype(np.int64)
            case "first-seen":
                positions = np.empty(len(numbers), np.int64)
                first_positions(arrays, numbers, positions)
                return (positions,)
            case "greatest":
                ranks = self.token_ranks()
                return keys, -ranks[keys & SYMBOL_MASK], -ranks[keys >> SYMBOL_BITS]

    @property
    def pair_count(self) -> int:
        """The number of different pairs that occur now."""
        return int(np.count_nonzero(self._pair_counts()))

    def _pair_counts(self) -> Int64Array:
        """Return the number of occurrences of each pair of the run now, by the number of the pair."""
        arrays = self._stage.arrays
        return arrays.pairs.counts[: int(arrays.state[records.PAIR_COUNT])]

    @_in_turn
    def changes(self) -> dict[tuple[bytes, bytes], int]:
        """Return the change of each pair's count by the last merge, by (left, right); empty at the start.

        >>> trainer = Trainer(WordCounts({"low": 2}, "whitespace"), "cs336-toy")
        >>> merge = trainer.step()
        >>> sorted(trainer.changes().items())
        [((b'l', b'o'), -2), ((b'l', b'ow'), 2), ((b'o', b'w'), -2)]
        """
        keys = self._stage.arrays.pairs.keys
        return {self._tokens_of(int(keys[pair])): change for pair, change in self.changes_by_number().items()}

    @_in_turn
    def changes_by_number(self) -> dict[int, int]:
        """Return the change of each pair's count by the last merge, by the number of the pair."""
        position, arrays = self.position, self._stage.arrays
        pairs, history = arrays.pairs, arrays.history
        if not position:
            return {}
        merged = int(history.pairs[position - 1])
        new = slice(int(history.first_new_pairs[position - 1]), int(arrays.state[records.PAIR_COUNT]))
        changes = {merged: -int(history.counts[position - 1])}
        for source, taken in zip(pairs.sources[new].tolist(), pairs.taken[new].tolist(), strict=True):
            if source != merged and taken:
                changes[source] = changes.get(source, 0) - taken
        changes.update(enumerate(pairs.counts[new].tolist(), new.start))
        return {pair: change for pair, change in changes.items() if change}

    # -- words ------------------------------------------------------------------------------------------------------

    @_in_turn
    def occurrences(
        self, left: bytes, right: bytes, limit: int | None = None, *, max_symbols: int | None = None
    ) -> list[SplitWord]:
        """Return the words that contain a pair, as split now, each up to `max_symbols`.

        The most frequent words come first.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").occurrences(b"w", b"e")
        [SplitWord(symbols=(b'l', b'o', b'w', b'e', b'r'), count=1)]
        """
        words = self.words_with_pair(left, right)
        by_frequency = words[np.argsort(-self._stage.arrays.words.frequencies[words], kind="stable")]
        return self.split_words(by_frequency[: _at_least_0(limit)], max_symbols)

    @_in_turn
    def words_with_pair(self, left: bytes, right: bytes) -> Int64Array:
        """Return the numbers of the words that contain a pair, in first-seen order."""
        lists = [self._positions_of(pair) for pair in self.pair_numbers(left, right)]
        positions = lists[0] if len(lists) == 1 else np.sort(np.concatenate([np.empty(0, np.int32), *lists]))
        words: Int32Array = self._stage.arrays.words.word_of[positions]
        return np.compress(np.diff(words, prepend=-1) != 0, words).astype(np.int64)

    @_in_turn
    def count_of_pair(self, left: bytes, right: bytes) -> int:
        """Return how often a pair occurs now.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").count_of_pair(b"o", b"w")
        3
        """
        return int(sum(self._stage.arrays.pairs.counts[self.pair_numbers(left, right)]))

    def words(self, limit: int | None = None, *, max_symbols: int | None = None) -> list[SplitWord]:
        """Return the unique words as split now, each up to `max_symbols`.

        The most frequent words come first, equally frequent ones in first-seen order.
        """
        return self.split_words(self.words_by_frequency[: _at_least_0(limit)], max_symbols)

    @property
    def words_by_frequency(self) -> Int64Array:
        """The numbers of all words, the most frequent first, equally frequent ones in first-seen order."""
        return self._stage.words_by_frequency

    @_in_turn
    def split_words(self, words: Int64Array, max_symbols: int | None = None) -> list[SplitWord]:
        """Return the words with these numbers as split now, each up to `max_symbols`."""
        self._check_words(words)
        tokens = self.vocabulary().tokens
        symbols = (self._symbols_of_word(word, max_symbols) for word in words.tolist())
        split = (tuple(tokens[symbol] for symbol in word) for word in symbols)
        counts = self.arrays.words.frequencies[words].tolist()
        return [SplitWord(symbols, count) for symbols, count in zip(split, counts, strict=True)]

    def _check_words(self, words: Int64Array) -> None:
        """Raise TrainingError unless these are numbers of words."""
        if not _are_below(words, len(self.word_counts)):
            raise TrainingError(
                "There is no word with one of these numbers. Words are numbered from 0 to {last:,}.",
                last=len(self.word_counts) - 1,
            )

    @_in_turn
    def symbols_of_word(self, word: int, limit: int | None = None) -> list[int]:
        """Return the symbols of the word with this number, at most `limit`, as indices into `tokens`."""
        self._check_words(np.array([word if 0 <= word < len(self.word_counts) else -1]))
        return self._symbols_of_word(word, limit)

    def _symbols_of_word(self, word: int, limit: int | None) -> list[int]:
        arrays = self._stage.arrays
        array, lengths = arrays.words.symbols, arrays.symbols.lengths
        position = int(self._stage.arrays.words.starts[word])
        symbols: list[int] = []
        while (symbol := int(array[position])) != records.SEPARATOR and len(symbols) != limit:
            symbols.append(symbol)
            position += int(lengths[symbol])
        return symbols

    @_in_turn
    def pair_numbers(self, left: bytes, right: bytes) -> list[int]:
        """Return the numbers of the pairs that occur now with these bytes: several if several merges made a token."""
        vocabulary, pairs = self.vocabulary(), self._stage.arrays.pairs
        keys = [(a << SYMBOL_BITS) | b for a in vocabulary.symbols_of(left) for b in vocabulary.symbols_of(right)]
        numbers = (find_pair(pairs.keys, pairs.slots, key) for key in keys)
        return [number for number in numbers if number >= 0 and pairs.counts[number]]

    def _positions_of(self, pair: int) -> Int32Array:
        """Return the positions at which a pair occurs now, without the outdated ones in its list."""
        arrays = self._stage.arrays
        symbols, lengths = arrays.words.symbols, arrays.symbols.lengths
        key = int(arrays.pairs.keys[pair])
        left, right = key >> SYMBOL_BITS, key & SYMBOL_MASK
        positions: Int32Array = arrays.pool[int(arrays.pairs.starts[pair]) : int(arrays.pairs.starts[pair + 1])]
        middles = positions + lengths[left]
        occurs = (symbols[positions] == left) & (symbols[middles - 1] == left) & (symbols[middles] == right)
        return np.compress(occurs, positions)

    # -- tokenizers -------------------------------------------------------------------------------------------------

    @_in_turn
    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """Return the tokenizer as of a known step, by default the current one. Raise TrainingError for any other step.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.seek(2), trainer.tokenizer().tokenize("lower"), trainer.tokenizer(1).tokenize("low")
        (2, [b'low', b'e', b'r'], [b'l', b'ow'])
        """
        position = self.position if position is None else position
        if not 0 <= position <= self.run_length:
            raise TrainingError(
                "Step {step} is not in the run. The number of steps so far is {steps}.",
                step=position,
                steps=self.run_length,
            )
        return self.vocabulary().tokenizer(position)

    def pruned(self, position: int | None = None) -> dict[bytes, int]:
        """Return the tokens that have left the vocabulary by a known step, by default the current one.

        Each comes with the step at which it left, which only a recipe that prunes has.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "space"), "char-eow")
        >>> trainer.seek(1), trainer.pruned()
        (1, {b'l': 1, b'o': 1})
        """
        return self.vocabulary().pruned(self.position if position is None else position)


def _at_least_0(limit: int | None) -> int | None:
    return None if limit is None else max(0, limit)


def _are_below(numbers: IntegerArray, end: int) -> bool:
    """Return whether all numbers are from 0 up to, but not including, `end`."""
    return not len(numbers) or (int(numbers.min()) >= 0 and int(numbers.max()) < end)
