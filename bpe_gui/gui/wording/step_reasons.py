"""Say why a pair is merged next, or why none is, in Markdown with tokens in `code spans`."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError, Merge, PairCount, Recipe, Trainer
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.engine.training import Veto

from .joining import joined_sentences
from .numbers import number
from .plan_texts import veto_text
from .recipe_texts import tie_rule_clause

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MAX_TOKEN_CHARACTERS: Final = 24  # the sentence has to fit on two lines


_OTHER: Final = "{other}"
_MOST_PASSED_OVER: Final = 64  # pairs that are checked


@dataclass(frozen=True, slots=True)
class NextMerge:
    """The reason for the next merge, in parts with tokens to paint: the merge, how often it occurs, and a phrase.

    The phrase is `before`, then the pair `other` if there is one, then `after`.
    """

    tokens: tuple[bytes, bytes, bytes]
    has_marker: bool
    frequency: str
    before: str
    other: TokenPair | None
    after: str


def next_merge(trainer: Trainer) -> NextMerge | None:
    """Return the next merge with its reason in parts; None if nothing is left to merge."""
    merge = trainer.peek()
    if merge is None:
        return None
    other, phrase = _plan_phrase(trainer, merge) or _chosen_phrase(trainer, merge)
    before, _, after = phrase.partition(_OTHER)
    return NextMerge(
        (merge.left, merge.right, merge.token),
        trainer.recipe.boundary != "none",
        frequency_text(merge.count, trainer.recipe),
        before,
        (other.left, other.right) if other else None,
        after,
    )


def _plan_phrase(trainer: Trainer, merge: Merge) -> tuple[PairCount | Merge | None, str] | None:
    """Return another pair, and a phrase with `{other}` for it, about the plan's part in the next merge.

    Return None if the plan plays no part.
    """
    if trainer.is_given(merge.rank):
        return _given_phrase(trainer, merge)
    passed_over = _passed_over(trainer, merge) if trainer.plan.has_vetoes else []
    if not passed_over:
        return None
    first, veto = passed_over[0]
    if len(passed_over) == 1:
        text = translate("Reason", "Passed over: {other} with {count} ({reason}).")
    else:
        text = translate("Reason", "Passed over: {other} with {count} ({reason}), and {more} more.")
    more = f"{number(len(passed_over) - 1)}{'+' if len(passed_over) == _MOST_PASSED_OVER else ''}"
    return first, text.format(other=_OTHER, count=number(first.count), reason=veto_text(veto), more=more)


def _given_phrase(trainer: Trainer, merge: Merge) -> tuple[Merge | None, str]:
    is_repeated, other = merge.rank < len(trainer.plan.replay), trainer.would_choose()
    if is_repeated and trainer.plan.ids:
        return _tokenizer_phrase(merge, other)
    if other is None or (other.left, other.right) == (merge.left, merge.right):
        if is_repeated:
            return None, translate("Reason", "Replayed by the plan.")
        return None, translate("Reason", "Chosen by you for this step.")
    if is_repeated:
        text = translate("Reason", "Replayed by the plan; training would choose {other} with {count}.")
    else:
        text = translate("Reason", "Chosen by you; training would choose {other} with {count}.")
    return other, text.format(other=_OTHER, count=number(other.count))


def _tokenizer_phrase(merge: Merge, other: Merge | None) -> tuple[Merge | None, str]:
    """Return the same as `_given_phrase`, for a merge replayed from a tokenizer."""
    if other is None:
        return None, translate("Reason", "Given by the tokenizer; training would end here.")
    if (other.left, other.right) == (merge.left, merge.right):
        return None, translate("Reason", "Given by the tokenizer; training would choose it, too.")
    text = translate("Reason", "Given by the tokenizer; training would choose {other} with {count}.")
    return other, text.format(other=_OTHER, count=number(other.count))


def _passed_over(trainer: Trainer, merge: Merge) -> list[tuple[PairCount, Veto]]:
    """Return the first pairs that would come before the next merge if they were not vetoed."""
    found = []
    for pair in trainer.pairs(_MOST_PASSED_OVER):
        veto = trainer.veto_of(pair.left, pair.right)
        if veto is None or (pair.left, pair.right) == (merge.left, merge.right):
            break
        found.append((pair, veto))
    return found


def _chosen_phrase(trainer: Trainer, merge: Merge) -> tuple[PairCount | None, str]:
    other = _runner_up(trainer, merge)
    return other, _phrase(merge, other, trainer.recipe)


def _runner_up(trainer: Trainer, merge: Merge) -> PairCount | None:
    """Return the pair that training would choose if the pair of `merge`, which comes next, did not exist."""
    if not trainer.plan.has_vetoes:
        pairs = trainer.pairs(2)
        return pairs[1] if len(pairs) == 2 else None
    others = (pair for pair in trainer.pairs(_MOST_PASSED_OVER) if (pair.left, pair.right) != (merge.left, merge.right))
    return next((pair for pair in others if trainer.veto_of(pair.left, pair.right) is None), None)


def _phrase(merge: Merge, other: PairCount | None, recipe: Recipe) -> str:
    """Return why `merge` is next rather than `other`, with `{other}` in its place."""
    if other is None:
        return translate("Reason", "It is the only pair that can be merged.")
    if not merge.ties:
        text = translate("Reason", "It is the most frequent pair; {other} follows with {count}.")
        return text.format(other=_OTHER, count=number(other.count))
    if merge.ties == 1:
        text = translate("Reason", "Tied with {other} ({rule}).")
    elif merge.ties == 2:
        text = translate("Reason", "Tied with {other} and 1 other pair ({rule}).")
    else:
        text = translate("Reason", "Tied with {other} and {more} other pairs ({rule}).")
    return text.format(other=_OTHER, more=number(merge.ties - 1), rule=tie_rule_clause(recipe))


def step_reason(trainer: Trainer) -> str:
    """Return why the next pair is merged next, or why nothing is left to merge."""
    merge = trainer.peek()
    if merge is None:
        return _reason_for_end(trainer)
    if (planned := _plan_phrase(trainer, merge)) is not None:
        other, phrase = planned
        text = translate("Reason", "{pair} is next: it occurs {times}.")
        sentence = text.format(pair=_pair_text(merge), times=frequency_text(merge.count, trainer.recipe))
        return joined_sentences([sentence, phrase.replace(_OTHER, _pair_text(other) if other else "")])
    runner_up = _runner_up(trainer, merge)
    if merge.ties and runner_up is not None:
        return _reason_among_ties(merge, runner_up, trainer.recipe)
    return _reason_by_count(merge, runner_up, trainer.recipe)


def reason_while_counting() -> str:
    """Return why there is no run yet."""
    return translate("Reason", "Counting the words in the corpus…")


def reason_without_words(error: EngineError | None, *, is_empty: bool) -> str:
    """Return why there is no run; empty if the corpus is empty. `error`, which ended counting, is shown elsewhere."""
    if error is None:
        return reason_while_counting()
    return "" if is_empty else translate("Reason", "No words: the corpus was not counted.")


def reason_while_training() -> str:
    """Return why the tables are greyed out while a thread trains."""
    return translate("Reason", "Training… Cancel keeps the merges made so far.")


def reason_for_merges_only(*, from_project: bool, has_run: bool) -> str:
    """Return why merges are shown without pairs and words: they come from a project, or from a tokenizer's file.

    `has_run`: the user's own corpus has a run, and a second sentence says how to get back to it.
    """
    if from_project:
        reason = translate("Reason", "These are the merges saved in the project, without pairs, words or reasons.")
    else:
        reason = translate(
            "Reason",
            "This tokenizer was opened from a file without its corpus, so it has no pairs, words or reasons to show.",
        )
    way_back = translate("Reason", "Choose your own run at the top to see its pairs, words and reasons.")
    if not from_project:
        way_back = translate("Reason", "Replay it on the corpus to see them.")
    return joined_sentences([reason, way_back]) if has_run else reason


def _reason_for_end(trainer: Trainer) -> str:
    """Return why there is no next merge."""
    recipe, pairs = trainer.recipe, trainer.pairs(_MOST_PASSED_OVER if trainer.plan.has_vetoes else 1)
    best = next((pair for pair in pairs if trainer.veto_of(pair.left, pair.right) is None), None)
    if best is None and pairs:
        return translate("Reason", "There is nothing left to merge: the plan forbids the pairs that remain.")
    if best is None:
        return translate("Reason", "There is nothing left to merge: no pairs remain.")
    return translate(
        "Reason",
        "There is nothing left to merge: the best pair, {pair}, occurs {times}, and the minimum count is {limit}.",
    ).format(pair=_pair_text(best), times=frequency_text(best.count, recipe), limit=number(recipe.min_count))


def _reason_among_ties(merge: Merge, runner_up: PairCount, recipe: Recipe) -> str:
    """Return why `merge` is next although other pairs, such as `runner_up`, occur equally often."""
    if merge.ties == 1:
        text = translate("Reason", "{pair} is next: it occurs {times}, tied with {other} ({rule}).")
    elif merge.ties == 2:
        text = translate("Reason", "{pair} is next: it occurs {times}, tied with {other} and 1 other pair ({rule}).")
    else:
        text = translate(
            "Reason", "{pair} is next: it occurs {times}, tied with {other} and {more} other pairs ({rule})."
        )
    return text.format(
        pair=_pair_text(merge),
        times=frequency_text(merge.count, recipe),
        other=_pair_text(runner_up),
        more=number(merge.ties - 1),
        rule=tie_rule_clause(recipe),
    )


def _reason_by_count(merge: Merge, runner_up: PairCount | None, recipe: Recipe) -> str:
    """Return that `merge` is next as the most frequent pair; without `runner_up`, as the only one."""
    pair, times = _pair_text(merge), frequency_text(merge.count, recipe)
    if runner_up is None:
        return translate("Reason", "{pair} is next: it occurs {times} and is the only pair that can be merged.").format(
            pair=pair, times=times
        )
    return translate(
        "Reason", "{pair} is next: it occurs {times}, more often than any other pair. {other} follows with {count}."
    ).format(pair=pair, times=times, other=_pair_text(runner_up), count=number(runner_up.count))


def frequency_text(count: int, recipe: Recipe) -> str:
    """Return how often a pair occurs, such as “3 times”, or “in 3 words” if the recipe counts words."""
    if recipe.pair_counting == "once-per-word":
        if count == 1:
            return translate("Reason", "in 1 word")
        return translate("Reason", "in {count} words").format(count=number(count))
    if count == 1:
        return translate("Reason", "once")
    return translate("Reason", "{count} times").format(count=number(count))


def _pair_text(pair: Merge | PairCount) -> str:
    """Return the two tokens of a pair as code spans joined by a plus sign."""
    return f"{_code_span(pair.left)} + {_code_span(pair.right)}"


def _code_span(token: bytes) -> str:
    """Return a token as a code span, truncated to 24 characters.

    The fence has more backquotes than the token has in a row; otherwise the token would close the span.
    """
    text = token_in_sentence(token, _MAX_TOKEN_CHARACTERS)
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"
