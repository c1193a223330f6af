"""Sentences on why a pair is merged next, or why none is, in Markdown with tokens in `code spans`."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import Merge, PairCount, Recipe, Trainer
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.engine.tokenization import TokenPair

from .joining import joined_sentences
from .numbers import number
from .recipe_texts import tie_rule_clause

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MAX_TOKEN_CHARACTERS: Final = 24  # the sentence has to fit on two lines


_OTHER: Final = "{other}"


@dataclass(frozen=True, slots=True)
class NextMerge:
    """The reason for the next merge in parts, with tokens to be painted: the merge, how often it occurs, and a phrase.

    The phrase is `before`, the pair `other`, if there is one, and `after`.
    """

    tokens: tuple[bytes, bytes, bytes]
    has_marker: bool
    frequency: str
    before: str
    other: TokenPair | None
    after: str


def next_merge(trainer: Trainer) -> NextMerge | None:
    """Return the next merge with its reason in parts; None if nothing is left to merge."""
    pairs, merge = trainer.pairs(2), trainer.peek()
    if merge is None:
        return None
    other = pairs[1] if len(pairs) == 2 else None
    before, _, after = _phrase(merge, other, trainer.recipe).partition(_OTHER)
    return NextMerge(
        (merge.left, merge.right, merge.token),
        trainer.recipe.boundary != "none",
        frequency_text(merge.count, trainer.recipe),
        before,
        (other.left, other.right) if other else None,
        after,
    )


def _phrase(merge: Merge, other: PairCount | None, recipe: Recipe) -> str:
    """Return why `merge` is next and not `other`, with `{other}` for that pair."""
    if other is None:
        return translate("Reason", "It is the only pair.")
    if not merge.ties:
        text = translate("Reason", "The most frequent pair: {other} follows with {count}.")
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
    pairs, merge = trainer.pairs(2), trainer.peek()
    if merge is None:
        return _reason_for_end(pairs[0] if pairs else None, trainer.recipe)
    runner_up = pairs[1] if len(pairs) == 2 else None
    if merge.ties and runner_up is not None:
        return _reason_among_ties(merge, runner_up, trainer.recipe)
    return _reason_by_count(merge, runner_up, trainer.recipe)


def reason_while_counting() -> str:
    """Return why there is no run yet."""
    return translate("Reason", "Counting the words in the corpus…")


def reason_while_training() -> str:
    """Return why the tables are greyed while a thread trains."""
    return translate("Reason", "Training… Cancel keeps the merges made so far.")


def reason_for_merges_only(*, from_project: bool, has_run: bool) -> str:
    """Return why merges are shown without pairs and words: they come from a project, or from a tokenizer's file.

    `has_run`: the user's own corpus has a run, and a second sentence says how to go back to it.
    """
    if from_project:
        reason = translate("Reason", "These are the merges saved in the project, without pairs, words or reasons.")
    else:
        reason = translate(
            "Reason",
            "This tokenizer was opened from a file without its corpus, so it has no pairs, words or reasons to show.",
        )
    way_back = translate("Reason", "Choose “Training run” at the top to see your own.")
    return joined_sentences([reason, way_back]) if has_run else reason


def _reason_for_end(best: PairCount | None, recipe: Recipe) -> str:
    """Return why there is no next merge; `best` is the pair that the recipe would merge if it were frequent enough."""
    if best is None:
        return translate("Reason", "There is nothing left to merge: no pairs remain.")
    return translate(
        "Reason",
        "There is nothing left to merge: the best pair, {pair}, occurs {times}, and the minimum count is {limit}.",
    ).format(pair=_pair_text(best), times=frequency_text(best.count, recipe), limit=number(recipe.min_count))


def _reason_among_ties(merge: Merge, runner_up: PairCount, recipe: Recipe) -> str:
    """Return why `merge` is next although other pairs, of which `runner_up` is one, occur as often."""
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
    """Return that `merge` is next because it is the most frequent pair; without `runner_up`, it is the only one."""
    pair, times = _pair_text(merge), frequency_text(merge.count, recipe)
    if runner_up is None:
        return translate("Reason", "{pair} is next: it occurs {times} and is the only pair.").format(
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
    """Return the two tokens of a pair as code spans, with a plus sign between them."""
    return f"{_code_span(pair.left)} + {_code_span(pair.right)}"


def _code_span(token: bytes) -> str:
    """Return a token as a code span, cut to 24 characters.

    The span's fence has more backquotes than the token has in a row, which would end it otherwise.
    """
    text = token_in_sentence(token, _MAX_TOKEN_CHARACTERS)
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"
