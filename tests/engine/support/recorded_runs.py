"""The states of the slow reference trainer at every step of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from hypothesis import assume

from bpe_gui.engine import Corpus, EngineError, Merge, PairCount, Plan, Recipe, SplitWord, WordCounts
from bpe_gui.engine.training.reference import ReferenceTrainer

MOST_STEPS = 40


@dataclass(frozen=True)
class State:
    """The pairs and words of the reference at one step."""

    pairs: list[PairCount]
    words: list[SplitWord]


def reference_run(
    counts: WordCounts,
    recipe: Recipe,
    plan: Plan | None = None,
    stage_counts: Mapping[str, WordCounts] = MappingProxyType({}),
) -> tuple[list[State], list[Merge]]:
    trainer = ReferenceTrainer(counts, recipe, plan, stage_counts)
    states = [state_of(trainer)]
    while len(states) <= MOST_STEPS and trainer.step():
        states.append(state_of(trainer))
    return states, trainer.merges


def state_of(trainer: ReferenceTrainer) -> State:
    seen = list(trainer.count_pairs().items())
    tokens = trainer.tokens
    match trainer.recipe.tie_break:
        case "greatest":
            seen.sort(key=lambda item: (tokens[item[0][0]], tokens[item[0][1]]), reverse=True)
        case "smallest-id":
            seen.sort(key=lambda item: item[0])
    seen.sort(key=lambda item: -item[1])
    pairs = [PairCount(tokens[left], tokens[right], count) for (left, right), count in seen]
    words = [SplitWord(symbols, count) for symbols, count in trainer.split_words()]
    return State(pairs, sorted(words, key=lambda word: -word.count))


def counted(text: str, recipe: Recipe, specials: Sequence[str] = ()) -> WordCounts:
    """Return the word counts of a corpus; without words, have hypothesis draw another one."""
    try:
        return Corpus.from_text(text).count(recipe, specials)
    except EngineError:
        assume(False)
        raise


def without_ids(merges: Sequence[Merge]) -> list[Merge]:
    """Return merges without their ids, which the reference numbers differently."""
    return [replace(merge, token_id=0) for merge in merges]
