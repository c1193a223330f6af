"""Sentences on why a pair is merged next, or why none is, in Markdown with tokens in `code spans`."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import Merge, PairCount, Recipe, Trainer, visible

from .numbers import number
from .recipe_texts import tie_rule_clause

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MAX_CHARACTERS: Final = 24  # of a token, as there is space for two lines only


def step_reason(trainer: Trainer) -> str:
    """Return why the next pair is merged next, or why nothing is left to merge."""
    first, second = (*trainer.pairs(2), None, None)[:2]
    merge = trainer.peek()
    if merge is None:
        return _reason_for_none(first, trainer.recipe)
    if merge.ties:
        return _reason_among_ties(merge, second, trainer.recipe)
    return _reason_by_count(merge, second, trainer.recipe)


def reason_while_counting() -> str:
    """Return why there is no run yet."""
    return translate("Reason", "The words of the corpus are being counted…")


def reason_while_training() -> str:
    """Return why the tables are greyed while a thread trains."""
    return translate("Reason", "Training is going on; the tables follow. Cancel keeps the merges that are done.")


def reason_for_merges_only(*, from_project: bool, has_run: bool) -> str:
    """Return why only merges are shown: they come from an opened tokenizer, or from a project.

    With `has_run`, a second sentence says how to go back to the run.
    """
    if from_project:
        reason = translate("Reason", "These merges are as the project holds them, without pairs, words or reasons.")
    else:
        reason = translate(
            "Reason",
            "This tokenizer was opened from a file, without its corpus: it has no pairs, words or reasons to show.",
        )
    way_back = translate("Reason", "“Back to the run” shows those of your own corpus.")
    return f"{reason} {way_back}" if has_run else reason


def _reason_for_none(best: PairCount | None, recipe: Recipe) -> str:
    if best is None:
        return translate("Reason", "Nothing is left to merge: no two symbols stand side by side.")
    return translate(
        "Reason", "Nothing is left to merge: the best pair, {pair}, occurs {times}, and the recipe stops below {limit}."
    ).format(pair=_pair(best), times=_times(best.count, recipe), limit=number(recipe.min_count))


def _reason_among_ties(merge: Merge, second: PairCount | None, recipe: Recipe) -> str:
    if merge.ties == 1:
        text = translate("Reason", "{pair} is next: it occurs {times}, as does {other}; {rule}.")
    elif merge.ties == 2:
        text = translate("Reason", "{pair} is next: it occurs {times}, as do {other} and 1 other pair; {rule}.")
    else:
        text = translate("Reason", "{pair} is next: it occurs {times}, as do {other} and {more} other pairs; {rule}.")
    return text.format(
        pair=_pair(merge),
        times=_times(merge.count, recipe),
        other=_pair(second or merge),
        more=number(merge.ties - 1),
        rule=tie_rule_clause(recipe),
    )


def _reason_by_count(merge: Merge, second: PairCount | None, recipe: Recipe) -> str:
    pair, times = _pair(merge), _times(merge.count, recipe)
    if second is None:
        return translate("Reason", "{pair} is next: it occurs {times}, and there is no other pair.").format(
            pair=pair, times=times
        )
    return translate(
        "Reason", "{pair} is next: it occurs {times}, more often than any other pair. {other} follows with {count}."
    ).format(pair=pair, times=times, other=_pair(second), count=number(second.count))


def _times(count: int, recipe: Recipe) -> str:
    if recipe.pair_counting == "once-per-word":
        if count == 1:
            return translate("Reason", "in 1 word")
        return translate("Reason", "in {count} words").format(count=number(count))
    if count == 1:
        return translate("Reason", "once")
    return translate("Reason", "{count} times").format(count=number(count))


def _pair(pair: Merge | PairCount) -> str:
    return f"{_code(pair.left)} + {_code(pair.right)}"


def _code(token: bytes) -> str:
    """Return a token as a code span, whose fence has more backquotes than the token has in a row."""
    text = visible(token)
    if len(text) > _MAX_CHARACTERS:
        text = f"{text[: _MAX_CHARACTERS - 1]}…"
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"
