"""The stages of a run: the words as one splitter splits them, and the steps taken on them."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import pairwise
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.compilation.library import is_compiled
from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.word_arrays import WordArrays, padded
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.encoding.superwords import phrase_finder
from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.heap import NEEDS_VERDICTS, NO_PAIR
from bpe_gui.engine.kernels.training.navigation import (
    ARRIVED,
    NEEDS_CAPACITY,
    NEEDS_SYMBOLS,
    PAUSED,
    back,
    choose_next,
    forward,
    next_pair,
)
from bpe_gui.engine.kernels.training.pairs import find_pair, first_positions
from bpe_gui.engine.kernels.training.records import RunArrays
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.printable import END_OF_WORD, visible
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, Progress, no_progress
from bpe_gui.engine.text.alphabet import seed_symbols, symbols_of
from bpe_gui.engine.text.phrases import PhraseFinder
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import JOIN
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair

from .continuation import continued_units
from .parity import LanguageTurns
from .plan import Plan, StageCounts
from .plan_rules import PlanStepError
from .run_arrays import (
    SymbolUnits,
    begun_at,
    create_run,
    initial_symbols,
    run_of,
    with_capacity_for_pair,
    with_capacity_to_merge,
)
from .run_vocabulary import RunVocabulary
from .sentencepiece import training_words

_BUDGET: Final = 1 << 17
"""Positions visited at a time, for a few milliseconds, before other threads get a turn."""

_PLAIN_BUDGET: Final = 1 << 13
"""Positions visited at a time without compiled kernels."""

_SECONDS: Final = 0.005
"""Seconds for which a move goes on answering kernels. With a plan that vetoes, they may ask something at each step."""

_STEPS_AHEAD: Final = 64
"""Steps for which a language's pairs are chosen at a time: a few milliseconds."""

_SPARE_TURNS: Final = 1 << 10
"""Turns for which the list of given pairs is made longer at first."""

_NEEDS: Final = (NEEDS_CAPACITY, NEEDS_SYMBOLS, NEEDS_VERDICTS)


class PlanGuide:
    """Answers the kernels' questions about the plan of a run.

    It has its own list of tokens, because runs continue in threads while others read the vocabulary.
    """

    def __init__(self, plan: Plan, recipe: Recipe, alphabet: list[bytes], turns: LanguageTurns | None = None) -> None:
        self._plan = plan
        self._turns = turns
        """What chooses instead of the kernels, in a parity-aware run."""
        self._is_first_seen = recipe.tie_break == "first-seen" and not recipe.superwords_from
        self._alphabet_size = len(alphabet)
        self._makes_each_once = recipe.superwords_from > 0 or plan.base is not None
        """Whether training skips a pair that spells a token that exists already."""
        self._tokens = list(alphabet)
        """The bytes of each symbol, as of the last time they were needed."""
        self._symbols: dict[bytes, list[int]] = {}
        """The symbols of each token, as of the last time they were needed."""
        self._symbols_known = 0
        """The number of symbols in `_symbols`."""

    def begin(self, run: RunArrays) -> RunArrays:
        """Return the run at step 0 with the merges that the plan gives.

        Raise TrainingError if a replayed merge needs a token that is not in the alphabet and that no earlier one makes.
        """
        plan = self._plan
        steps = max(len(plan.replay), max(plan.forced, default=-1) + 1)
        given = np.full(steps, records.CHOSEN, np.int64)
        symbol_of = {token: symbol for symbol, token in reversed(list(enumerate(self._tokens)))}
        made_twice: set[bytes] = set()
        for rank, (left, right) in enumerate(plan.replay):
            for part in (left, right):
                if part not in symbol_of and rank >= plan.merges_before:
                    raise _missing_part(rank, left, right, part)
            if left in made_twice or right in made_twice or rank < plan.merges_before:
                given[rank] = records.UNRESOLVED
            else:
                given[rank] = symbol_of[left] << SYMBOL_BITS | symbol_of[right]
            token = left + right
            if token in symbol_of:
                made_twice.add(token)
            else:
                symbol_of[token] = len(self._tokens) + rank
        for step in plan.forced:
            given[step] = records.UNRESOLVED
        if self._turns:
            given[given == records.CHOSEN] = records.UNRESOLVED
            given = np.append(given, np.full(_SPARE_TURNS, records.UNRESOLVED, np.int64))
        return replace(run, given=given)

    def resolve(self, run: RunArrays) -> RunArrays:
        """Find the symbols of the pair that the plan gives, or a language chooses, for the next step.

        If several merges made the same token, take the pair that training would prefer. Return the run, with a longer
        list of given pairs if need be. Raise TrainingError if a part is not a token at this step.
        """
        rank = int(run.state[records.POSITION])
        self._update(run, rank)
        self._update_symbols()
        if rank + 1 == len(run.given) and self._turns:
            run = replace(run, given=np.append(run.given, np.full(len(run.given), records.UNRESOLVED, np.int64)))
        merge = self._given_at(rank)
        if merge is None:
            run.given[rank] = records.OVER
            return run
        left, right = merge
        for part in (left, right):
            if part not in self._symbols:
                raise _missing_part(rank, left, right, part)
        keys = [a << SYMBOL_BITS | b for a in self._symbols[left] for b in self._symbols[right]]
        run.given[rank] = min(keys) if len(keys) == 1 else self._most_frequent(run, keys)
        if self._turns:
            self._resolve_ahead(run, rank)
        return run

    def _resolve_ahead(self, run: RunArrays, rank: int) -> None:
        """Find the symbols of the pairs of some steps after a rank, so that kernels need not ask at each.

        This ends before a pair whose parts several merges make: they have to be counted at its step.
        """
        made: dict[bytes, list[int]] = {}
        for step in range(rank, min(rank + _STEPS_AHEAD, len(run.given) - 1)):
            merge = self._given_at(step)
            if merge is None:
                break
            lefts, rights = ([*self._symbols.get(part, ()), *made.get(part, ())] for part in merge)
            if step > rank and (len(lefts) != 1 or len(rights) != 1):
                break
            if run.given[step] == records.UNRESOLVED:
                run.given[step] = lefts[0] << SYMBOL_BITS | rights[0]
            made.setdefault(merge[0] + merge[1], []).append(int(run.settings[records.ALPHABET_SIZE]) + step)

    def _given_at(self, rank: int) -> TokenPair | None:
        """Return the pair that the plan gives for a step, or a language chooses; None if there is none to choose."""
        plan = self._plan
        given = plan.replay[rank] if rank < len(plan.replay) else plan.forced.get(rank)
        return given if given is not None or self._turns is None else self._turns.merge_at(rank)

    def _most_frequent(self, run: RunArrays, keys: list[int]) -> int:
        """Return the one of these keys whose pair training would prefer."""
        pairs = run.pairs
        number_of = {key: find_pair(pairs.keys, pairs.slots, key) for key in keys}
        count_of = {key: int(pairs.counts[number]) for key, number in number_of.items() if number >= 0}
        highest = max(count_of.values(), default=0)
        if not highest:
            return min(keys)
        best = sorted(key for key, count in count_of.items() if count == highest)
        if len(best) == 1 or not self._is_first_seen:
            return best[0]
        positions = np.empty(len(best), np.int64)
        numbers = np.array([number_of[key] for key in best], np.int32)
        first_positions(run, numbers, positions)
        return best[int(positions.argmin())]

    def judge(self, run: RunArrays) -> None:
        """Decide for the new pairs in the heap whether the plan vetoes them."""
        state, pairs = run.state, run.pairs
        first, stop = int(state[records.JUDGED_PAIRS]), int(state[records.PAIR_COUNT])
        is_frequent = pairs.counts[first:stop] >= state[records.HEAP_THRESHOLD]
        numbers = first + np.flatnonzero(is_frequent & (pairs.verdicts[first:stop] == records.UNJUDGED))
        self._update(run, int(state[records.POSITION]))
        self._update_symbols()
        tokens, stop_symbol = self._tokens, self._alphabet_size + int(state[records.POSITION])
        is_vetoed = []
        for key in pairs.keys[numbers].tolist():
            left, right = tokens[key >> SYMBOL_BITS], tokens[key & SYMBOL_MASK]
            is_made = self._makes_each_once and self._symbols.get(left + right, (stop_symbol,))[0] < stop_symbol
            is_vetoed.append(is_made or self._plan.veto_of(left, right) is not None)
        pairs.verdicts[numbers] = records.ALLOWED
        self._set_verdicts(run, numbers[np.array(is_vetoed, np.bool_)], records.VETOED, -1)
        state[records.JUDGED_PAIRS], state[records.UNJUDGED_COUNT] = stop, 0

    def forbid_repetition(self, run: RunArrays) -> None:
        """Veto the other pairs that spell the last merge's token."""
        position = int(run.state[records.POSITION])
        self._update(run, position)
        self._update_symbols()
        token, pairs = self._tokens[self._alphabet_size + position - 1], run.pairs
        for middle in range(1, len(token)):
            for left in self._symbols.get(token[:middle], ()):
                for right in self._symbols.get(token[middle:], ()):
                    number = find_pair(pairs.keys, pairs.slots, left << SYMBOL_BITS | right)
                    if number >= 0 and pairs.verdicts[number] != records.VETOED:
                        self._set_verdicts(run, np.array([number]), records.VETOED, -1)

    def forget_vetoes(self, run: RunArrays) -> None:
        """Leave all pairs to be judged again, because tokens they spell may not exist any more."""
        verdicts = run.pairs.verdicts[: int(run.state[records.PAIR_COUNT])]
        self._set_verdicts(run, np.flatnonzero(verdicts == records.VETOED), records.UNJUDGED, 1)
        verdicts[:] = records.UNJUDGED
        run.state[records.HEAP_THRESHOLD] = 0  # so that they are put into the heap again

    def _set_verdicts(self, run: RunArrays, numbers: Int64Array, verdict: int, change: int) -> None:
        """Give pairs a verdict, and add `change` to the histogram for each."""
        run.pairs.verdicts[numbers] = verdict
        counts, histogram = run.pairs.counts[numbers], run.heap.histogram
        np.add.at(histogram, counts[(counts > 0) & (counts < len(histogram))], change)

    def _update(self, run: RunArrays, position: int) -> None:
        """Add the tokens of new symbols, up to a position, to the list."""
        alphabet_size, first = int(run.settings[records.ALPHABET_SIZE]), len(self._tokens)
        if first < alphabet_size + position:
            starts = run.symbols.starts[first : alphabet_size + position + 1]
            text, offsets = run.symbols.text[starts[0] : starts[-1]].tobytes(), (starts - starts[0]).tolist()
            self._tokens.extend([text[start:stop] for start, stop in pairwise(offsets)])

    def _update_symbols(self) -> None:
        """Add the symbols of new tokens to the dictionary."""
        for symbol in range(self._symbols_known, len(self._tokens)):
            self._symbols.setdefault(self._tokens[symbol], []).append(symbol)
        self._symbols_known = len(self._tokens)


class Stage:
    """The arrays of a run over the words of one splitter, with their own cursor.

    All stages of a run number symbols alike: the alphabet, then one symbol per merge. So a stage that begins at a later
    step catches up by applying the merges of earlier stages.
    """

    def __init__(
        self, start: int, word_counts: WordCounts, recipe: Recipe, arrays: RunArrays, guide: PlanGuide
    ) -> None:
        self.start = start
        """The first position of the stage."""
        self.word_counts = word_counts
        self.recipe = recipe
        """The recipe of the run, with the splitter of this stage."""
        self.arrays = arrays
        """Replaced when they grow."""
        self._guide = guide

    @property
    def position(self) -> int:
        """The number of merges applied to the words of this stage."""
        return int(self.arrays.state[records.POSITION])

    @property
    def known_merges(self) -> int:
        """The number of merges of the run that this stage knows."""
        return int(self.arrays.state[records.KNOWN_MERGES])

    @cached_property
    def words_by_frequency(self) -> Int64Array:
        """The numbers of all words, the most frequent first, equally frequent ones in first-seen order."""
        order = np.argsort(-self.arrays.words.frequencies, kind="stable")
        order.flags.writeable = False
        return order

    @cached_property
    def _tokens_at_start(self) -> int:
        words = self.arrays.words
        lengths = np.diff(words.starts, append=len(words.symbols)) - 1  # in initial symbols, without the separators
        return int(lengths @ words.frequencies)

    def tokens_before(self, stop: int) -> Int64Array:
        """Return how many tokens the words have before each merge below rank `stop`; all of these must be known."""
        saved = self.arrays.history.saved[:stop]
        return self._tokens_at_start - np.cumsum(saved) + saved

    def forward(self, target: int) -> int:
        """Step towards a position for a few milliseconds. Return how the move ended, as the kernel `forward` does.

        Raise TrainingError if the plan merges a token that does not exist.
        """
        end = monotonic() + _SECONDS
        while (outcome := forward(self.arrays, target, _budget())) in _NEEDS:
            pair = self.next_pair()
            if pair != NO_PAIR:
                self.arrays = with_capacity_to_merge(self.arrays, pair)
            if monotonic() >= end:
                break
        return outcome

    def back(self, target: int) -> bool:
        """Undo steps towards a position for a few milliseconds. Return whether it is reached."""
        return back(self.arrays, target, _budget()) == ARRIVED

    def next_pair(self) -> int:
        """Return the number of the pair that the next step merges, or NO_PAIR. NEXT_TIES has its ties if it is new.

        Raise TrainingError as `forward` does.
        """
        while (pair := next_pair(self.arrays)) < NO_PAIR:
            if pair == NEEDS_SYMBOLS:
                self.arrays = self._guide.resolve(self.arrays)
            elif pair == NEEDS_VERDICTS:
                self._guide.judge(self.arrays)
            else:
                self.arrays = with_capacity_for_pair(self.arrays)
        return pair

    def choose_next(self) -> int:
        """Return the number of the pair that training would choose now, or NO_PAIR. NEXT_TIES has its ties."""
        while (pair := choose_next(self.arrays)) == NEEDS_VERDICTS:
            self._guide.judge(self.arrays)
        return pair

    def initial_symbols(self, word: int) -> list[bytes]:
        """Return the symbols of a word, by its number, before the first merge that applies to this stage."""
        start, stop = self.word_counts.starts[word : word + 2].tolist()
        return symbols_of(self.word_counts.text[start:stop].tobytes().decode(), self.recipe)

    def catch_up(self, before: "Stage", vocabulary: Callable[[], RunVocabulary]) -> bool:
        """Apply the merges of the previous stage for a few milliseconds. Return whether all are applied.

        `vocabulary` returns the tokens and merges up to now.
        """
        if len(self.arrays.given) < self.start or not self.position:
            keys = before.arrays.pairs.keys[before.arrays.history.pairs[: self.start]]
            given = np.concatenate([keys, self.arrays.given[self.start :]])
            self.arrays = replace(self.arrays, given=given)
        return self.forward(self.start) == ARRIVED


class SymbolStage(Stage):
    """A stage whose words are tokens of earlier merges. It cannot go back before its start.

    Training makes each token once. So the words are what encoding makes of them.
    """

    _units: SymbolUnits

    def initial_symbols(self, word: int) -> list[bytes]:
        """Return the tokens of a word at the start of the stage."""
        start, stop = self._units.starts[word : word + 2].tolist()
        return [self._units.alphabet[symbol] for symbol in self._units.units[start:stop].tolist()]

    def forward(self, target: int) -> int:
        """Step towards a position as any stage does, but pass over pairs that spell a token that exists already."""
        end, outcome = monotonic() + _SECONDS, ARRIVED
        while self.position < target and outcome == ARRIVED:
            outcome = super().forward(self.position + 1)
            if outcome == ARRIVED:
                self._guide.forbid_repetition(self.arrays)
                outcome = PAUSED if monotonic() >= end and self.position < target else ARRIVED
        return outcome

    def back(self, target: int) -> bool:
        """Undo steps towards a position as any stage does."""
        has_arrived = super().back(target)
        self._guide.forget_vetoes(self.arrays)
        return has_arrived


class ContinuedStage(SymbolStage):
    """The only stage of a run that continues a tokenizer: its words are tokens of that tokenizer."""

    def __init__(
        self,
        word_counts: WordCounts,
        recipe: Recipe,
        units: SymbolUnits,
        alphabet: list[bytes],
        plan: Plan,
        report: Progress,
    ) -> None:
        self._units = units
        start = len(units.alphabet) - len(alphabet)
        run = begun_at(run_of(units, recipe, report, vetoes=True), start)
        guide = PlanGuide(plan, recipe, alphabet)
        super().__init__(start, word_counts, recipe, guide.begin(run), guide)


class SuperwordStage(SymbolStage):
    """The stage in which whole words join. Its words are phrases, whose initial symbols are the tokens of their words.

    Which words are one token is only known when the stage is reached. A thread then counts the phrases in the corpus.
    """

    def __init__(self, start: int, word_counts: WordCounts, recipe: Recipe, corpus: Corpus, guide: PlanGuide) -> None:
        self.start = start
        self.recipe = recipe
        self._guide = guide
        self._corpus = corpus
        self._counted = word_counts
        self._making: Future[None] | None = None

    def catch_up(self, before: Stage, vocabulary: Callable[[], RunVocabulary]) -> bool:
        """Wait a few milliseconds for the phrases. Return whether they are counted. Raise EngineError."""
        if self._making is None:
            known, saved = vocabulary(), before.arrays.history.saved[: self.start].copy()
            tokens = known.tokens[: int(before.arrays.settings[records.ALPHABET_SIZE]) + self.start]
            finder = phrase_finder(known.tokenizer(self.start).store)
            symbols = np.array([known.symbols_of(word)[0] for word in finder.words], np.int32)
            self._tokens_at_start = before._tokens_at_start
            pool = ThreadPoolExecutor(1)
            self._making = pool.submit(self._make, finder, tokens, symbols, saved)
            pool.shutdown(wait=False)
        if not wait([self._making], _SECONDS).done:
            return False
        try:
            self._making.result()
        except BaseException:
            self._making = None
            raise
        return True

    def _make(self, finder: PhraseFinder, tokens: list[bytes], symbols: Int32Array, saved: Int64Array) -> None:
        """Count the phrases and make the arrays. `tokens` are those of the run, and `symbols` those of the words."""
        special_tokens, size = self._counted.special_tokens, self._counted.bytes
        counts = self._corpus.count(self.recipe, special_tokens, may_be_empty=True, finder=finder)
        if counts.bytes != size:
            raise TrainingError(
                "Counting phrases reads the corpus once more, but it had {before:,} bytes and now has {now:,}. It may "
                "have changed, or come from a pipe: save it as a file.",
                before=size,
                now=counts.bytes,
            )
        self._units = units = SymbolUnits.of_phrases(counts, self.recipe, tokens, symbols)
        run = run_of(units, self.recipe, no_progress, vetoes=True)
        self.arrays = self._guide.begin(begun_at(run, self.start, saved))
        sizes = np.array(list(map(len, tokens)), np.int64)
        all_tokens = WordArrays(padded(b"".join(tokens)), np.append(0, np.cumsum(sizes)), sizes, sizes)
        words = all_tokens.in_order(units.units.astype(np.int64))
        phrases = WordArrays(words.text, words.starts[units.starts], counts.frequencies, counts.first_seen)
        self.word_counts = WordCounts.of_words(phrases, counts.facts)


def _budget() -> int:
    return _BUDGET if is_compiled() else _PLAIN_BUDGET


def _missing_part(rank: int, left: bytes, right: bytes, part: bytes) -> PlanStepError:
    return PlanStepError(
        "The plan merges {left!r} and {right!r} at step {step:,}, but {part!r} is not a token there: it is not a "
        "symbol of the alphabet, and no earlier merge makes it.",
        left=visible(left),
        right=visible(right),
        step=rank + 1,
        part=visible(part),
    )


def base_symbols(plan: Plan, recipe: Recipe) -> frozenset[bytes]:
    """Return the parts of replayed merges that are single characters, which must be in the alphabet of the run."""
    if recipe.units == "bytes":
        return frozenset()  # all bytes are in the alphabet anyway
    parts = {part for pair in plan.replay for part in pair}
    return frozenset(part for part in parts if _is_single(part, recipe))


def _is_single(part: bytes, recipe: Recipe) -> bool:
    if recipe.boundary == "suffix-attached":
        part = part.removesuffix(END_OF_WORD) or part
    elif recipe.boundary != "none" and part == END_OF_WORD:
        return True
    try:
        return len(part.decode()) == 1
    except UnicodeDecodeError:
        return False


class LeftOut(NamedTuple):
    """A merge that cannot be replayed, because a part of it is not a token at its step.

    `made_at` is the rank of a later merge that makes the part, or of an earlier one that is itself left out; None if
    none makes it.
    """

    rank: int
    pair: TokenPair
    part: bytes
    made_at: int | None

    @property
    def statement(self) -> Statement:
        """Why the merge cannot be replayed."""
        if self.made_at is None:
            text = _("Plan", "no merge makes {part}, and it is not in the alphabet")
        elif self.made_at > self.rank:
            text = _("Plan", "{part} is not made until step {step}")
        else:
            text = _("Plan", "step {step}, which makes {part}, is left out")
        return text.format(part=self.part, step=0 if self.made_at is None else self.made_at + 1)


def replayable(merges: Sequence[TokenPair], recipe: Recipe) -> tuple[list[TokenPair], list[LeftOut]]:
    """Return the merges that a run with a recipe can replay in this order, and the others.

    >>> replayable([(b"a", b"bc"), (b"b", b"c"), (b"a", b"bc")], Recipe())
    ([(b'b', b'c'), (b'a', b'bc')], [LeftOut(rank=0, pair=(b'a', b'bc'), part=b'bc', made_at=1)])
    >>> replayable([("é".encode(), b"t")], Recipe())[0]
    []
    """
    made_at: dict[bytes, int] = {}
    for rank, (left, right) in enumerate(merges):
        made_at.setdefault(left + right, rank)
    tokens: set[bytes] = set()
    kept: list[TokenPair] = []
    left_out: list[LeftOut] = []
    for rank, pair in enumerate(merges):
        lacking = next((part for part in pair if part not in tokens and not _is_symbol(part, recipe)), None)
        if lacking is None:
            kept.append(pair)
            tokens.add(pair[0] + pair[1])
        else:
            left_out.append(LeftOut(rank, pair, lacking, made_at.get(lacking)))
    return kept, left_out


def _is_symbol(part: bytes, recipe: Recipe) -> bool:
    """Return whether a part of a merge is a symbol of the alphabet of any run that replays it."""
    if part in seed_symbols(recipe):
        return True
    if recipe.units == "bytes":
        return len(part.removesuffix(END_OF_WORD)) <= 1 if recipe.boundary != "none" else len(part) == 1
    return _is_single(part, recipe)


def create_stages(
    word_counts: WordCounts,
    recipe: Recipe,
    plan: Plan,
    stage_counts: StageCounts,
    report: Progress,
    turns: LanguageTurns | None = None,
) -> tuple[list[Stage], list[bytes], int]:
    """Return the stages at step 0, the alphabet, and how many of its symbols precede the special tokens.

    `stage_counts` is as `Plan.count_stages` returns it. Raise TrainingError as `Trainer` does.
    """
    if plan.base is not None:
        units, alphabet = continued_units(word_counts, plan.base, recipe)
        return [ContinuedStage(word_counts, recipe, units, alphabet, plan, report)], alphabet, len(alphabet)
    if recipe.sentencepiece is not None:
        if plan.stages or plan.ids or plan.seeds or turns is not None:
            raise TrainingError(
                "With SentencePiece's options, a run cannot have seed tokens, another splitter at a later step or "
                "languages in turn, and a plan cannot keep ids."
            )
        word_counts = training_words(word_counts, recipe.sentencepiece)
    parts = [
        (start, _counts_for(start, stage_recipe, word_counts, stage_counts) if start else word_counts, stage_recipe)
        for start, stage_recipe in plan.stage_recipes(recipe).items()
        if not stage_recipe.superwords_from
    ]
    # The stages share an alphabet, so that they number symbols alike.
    symbols = base_symbols(plan, recipe)
    if len(parts) > 1:
        symbols = symbols.union(*(initial_symbols(counts, stage_recipe) for _start, counts, stage_recipe in parts))
    stages: list[Stage] = []
    for start, counts, stage_recipe in parts:
        run, alphabet, before_specials = create_run(
            counts, stage_recipe, report, symbols=symbols, vetoes=plan.has_vetoes
        )
        guide = PlanGuide(plan, stage_recipe, alphabet, turns)
        stages.append(Stage(start, counts, stage_recipe, guide.begin(run), guide))
    for start, stage_recipe in plan.stage_recipes(recipe).items():
        if stage_recipe.superwords_from:
            corpus = stage_counts.get(JOIN)
            if not isinstance(corpus, Corpus):
                raise TrainingError("After step {step:,}, whole words join, so training needs the corpus.", step=start)
            guide = PlanGuide(plan, stage_recipe, alphabet)
            stages.append(SuperwordStage(start, word_counts, stage_recipe, corpus, guide))
    return stages, alphabet, before_specials


def _counts_for(start: int, recipe: Recipe, word_counts: WordCounts, stage_counts: StageCounts) -> WordCounts:
    counts = stage_counts.get(recipe.splitter)
    if (
        not isinstance(counts, WordCounts)
        or not counts.fits(recipe)
        or counts.special_tokens != word_counts.special_tokens
    ):
        raise TrainingError(
            "After step {step:,}, the plan splits text with {splitter!r}. Count the corpus with this splitter, too, "
            "and with the same special tokens.",
            splitter=recipe.splitter,
            step=start,
        )
    return counts
