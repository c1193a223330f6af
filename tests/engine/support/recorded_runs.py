"""The states of the slow reference trainer at every step of a run."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from hypothesis import assume

from bpe_gui.engine import Corpus, EngineError, Merge, PairCount, Plan, Recipe, SplitWord, WordCounts
from bpe_gui.engine.text.alphabet import order_alphabet
from bpe_gui.engine.training.reference import ReferenceTrainer
from tests.engine.support.definition import parts_of

MAX_STEPS = 40


@dataclass(frozen=True)
class State:
    """The pairs and words of the reference at one step."""

    pairs: list[PairCount]
    words: list[SplitWord]


def reference_run(
    counts: WordCounts,
    recipe: Recipe,
    plan: Plan | None = None,
    stage_counts: Mapping[str, Any] = MappingProxyType({}),
    text: str = "",
) -> tuple[list[State], list[Merge]]:
    trainer = ReferenceTrainer(counts, recipe, plan, stage_counts, neighbours(text, recipe, counts.special_tokens))
    states = [state_of(trainer)]
    while len(states) <= MAX_STEPS and trainer.step():
        states.append(state_of(trainer))
    return states, with_ids(trainer, counts.special_tokens)


def state_of(trainer: ReferenceTrainer) -> State:
    seen = list(trainer.count_pairs().items())
    tokens = trainer.tokens
    match "least" if trainer.joins_words else trainer.recipe.tie_break:
        case "least":
            seen.sort(key=lambda item: (tokens[item[0][0]], tokens[item[0][1]], item[0]))
        case "greatest":
            seen.sort(key=lambda item: (tokens[item[0][0]], tokens[item[0][1]]), reverse=True)
        case "smallest-id":
            seen.sort(key=lambda item: item[0])
        case "shortest":
            seen.sort(key=lambda item: trainer.tokens_made(item[0]))
    seen.sort(key=lambda item: -item[1])
    pairs = [PairCount(tokens[left], tokens[right], count) for (left, right), count in seen]
    words = [SplitWord(symbols, count) for symbols, count in trainer.split_words()]
    return State(pairs, sorted(words, key=lambda word: -word.count))


def neighbours(text: str, recipe: Recipe, special_tokens: Collection[str]) -> list[list[str]]:
    """Return the words of a text, in stretches between special tokens and characters that the splitter drops."""
    stretches: list[list[str]] = []
    end = -1
    removed = special_tokens if recipe.special_text == "apart" else ()
    for word, start, is_special in parts_of(text, recipe, removed):
        if is_special:
            end = -1
            continue
        if start != end:
            stretches.append([])
        stretches[-1].append(word)
        end = start + len(word.encode())
    return stretches


def counted(text: str, recipe: Recipe, specials: Sequence[str] = ()) -> WordCounts:
    """Return the word counts of a corpus. If it has no words, make hypothesis draw another one."""
    try:
        return Corpus.from_text(text).count(recipe, specials)
    except EngineError:
        assume(False)
        raise


def with_ids(trainer: ReferenceTrainer, special_tokens: Sequence[str]) -> list[Merge]:
    """Return the merges of a run with their ids in merge order; the reference numbers symbols without special tokens.

    A token that was made before, or whose id the plan keeps, has that id.
    """
    plan, merges = trainer.plan, trainer.merges
    if trainer.recipe.sentencepiece is not None:  # the alphabet comes last
        first_id = len(trainer.recipe.sentencepiece.fixed_pieces(tuple(special_tokens)))
        return [replace(merge, token_id=first_id + merge.rank) for merge in merges]
    alphabet = trainer.tokens[: len(trainer.tokens) - len(merges)]
    new_specials = [token for token in special_tokens if token not in plan.special_ids]
    order: list[bytes | None] = [token for token in alphabet if token not in plan.ids]
    first = {"first": 0, "after-alphabet": order_alphabet(set(alphabet), trainer.recipe)[1], "last": len(order)}
    at = len(order) if plan.ids else first[trainer.recipe.special_ids]
    order[at:at] = [None] * len(new_specials) if plan.ids or trainer.recipe.special_ids != "last" else []
    first_id = 1 + max((*plan.ids.values(), *plan.special_ids.values()), default=-1)
    ids = {token: first_id + place for place, token in enumerate(order) if token is not None} | dict(plan.ids)
    next_id, numbered = first_id + len(order), []
    for merge in merges:
        if merge.token not in ids:
            ids[merge.token] = next_id
            next_id += 1
        numbered.append(replace(merge, token_id=ids[merge.token]))
    return numbered
