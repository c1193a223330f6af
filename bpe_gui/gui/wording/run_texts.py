"""A run in words: why a merge is next, and what a plan asks for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bpe_gui.engine import (
    EngineError,
    LanguageTurns,
    Merge,
    PairCount,
    Plan,
    Recipe,
    TokenPair,
    Trainer,
    Veto,
    token_in_sentence,
)
from bpe_gui.gui.wording.phrases import counted, joined_sentences, listed, number, share, translate
from bpe_gui.gui.wording.recipe_texts import tie_rule_clause

_MAX_TOKEN_CHARACTERS: Final = 24  # the sentence has to fit on two lines


_OTHER: Final = "{other}"
_MAX_PASSED_OVER: Final = 64  # pairs that are checked


@dataclass(frozen=True, slots=True)
class NextMerge:
    """The reason for the next merge, in parts to paint: a title, the merge, how often it occurs, and a phrase.

    The first of `titles` that leaves space for the tokens is shown. The phrase is `before`, then the pair `other` if
    there is one, then `after`. Where that does not fit, `shorter` has the same two parts of shorter phrases.
    """

    tokens: tuple[bytes, bytes, bytes]
    has_marker: bool
    titles: Sequence[str]
    frequency: str
    before: str
    other: TokenPair | None
    after: str
    shorter: tuple[tuple[str, str], ...] = ()


def next_merge(trainer: Trainer, *, is_full: bool = False) -> NextMerge | None:
    """Return the next merge with its reason in parts; None if nothing is left to merge.

    `is_full`: the vocabulary has the size that was asked for.
    """
    merge = trainer.peek()
    if merge is None:
        return None
    titles = [translate("Reason", "Next")]
    if is_full:
        titles = [translate("Reason", "Size reached; next would be"), translate("Reason", "Next would be")]
    planned = _plan_phrase(trainer, merge)
    other, phrase = planned or _chosen_phrase(trainer, merge)
    before, _, after = phrase.partition(_OTHER)
    shorter = _shorter_phrases(merge, other, is_planned=planned is not None) if other else ()
    return NextMerge(
        (merge.left, merge.right, merge.token),
        trainer.recipe.boundary != "none",
        titles,
        frequency_text(merge.count, trainer.recipe),
        before,
        (other.left, other.right) if other else None,
        after,
        tuple((start, end) for start, _, end in (each.partition(_OTHER) for each in shorter)),
    )


def _shorter_phrases(merge: Merge, other: PairCount | Merge, *, is_planned: bool) -> tuple[str, ...]:
    """Return shorter forms of the phrase about the next merge, each with `{other}`."""
    if is_planned:
        return (
            translate("Reason", "Instead of {other} with {count}.").format(other=_OTHER, count=number(other.count)),
        )
    if not merge.ties:
        text = translate("Reason", "{other} follows with {count}.")
        return (text.format(other=_OTHER, count=number(other.count)),)
    return (_tied_texts(merge.ties)[1].format(other=_OTHER, more=number(merge.ties - 1)),)


def _plan_phrase(trainer: Trainer, merge: Merge) -> tuple[PairCount | Merge | None, str] | None:
    """Return how the plan affects the next merge: a phrase, and the pair that stands for `{other}` in it, if any.

    Return None if the plan plays no part.
    """
    if trainer.is_given(merge.rank):
        return _given_phrase(trainer, merge)
    if trainer.turns is not None:
        return None, turn_text(trainer.turns, merge.rank)
    passed_over = _passed_over(trainer, merge) if trainer.has_vetoes else []
    if not passed_over:
        return None
    first, veto = passed_over[0]
    if len(passed_over) == 1:
        text = translate("Reason", "Passed over: {other} with {count} ({reason}).")
    else:
        text = translate("Reason", "Passed over: {other} with {count} ({reason}), and {more} more.")
    more = f"{number(len(passed_over) - 1)}{'+' if len(passed_over) == _MAX_PASSED_OVER else ''}"
    return first, text.format(other=_OTHER, count=number(first.count), reason=veto_text(veto), more=more)


def turn_text(turns: LanguageTurns, rank: int) -> str:
    """Return whose turn the merge of a rank is, why, and what each language costs there."""
    turn, scores = turns.turn_at(rank), turns.scores_at(rank)
    if turn is None:
        return translate("Reason", "It is the most frequent pair of all languages together.")
    lengths, first = turns.lengths_at(rank).tolist(), turns.lengths_at(0).tolist()
    in_order = sorted(range(len(scores)), key=lambda index: -scores[index])
    costs = [
        f"{turns.languages[index]} {share(lengths[index] / first[index]) if turns.ratios else number(lengths[index])}"
        for index in in_order[:_MAX_LANGUAGES]
    ]
    if turns.ratios:
        text = translate("Reason", "Turn of {language}: most of its symbols are left ({costs}).")
    else:
        text = translate("Reason", "Turn of {language}: its text is the longest ({costs}).")
    if turns.languages[in_order[0]] != turn:
        text = translate("Reason", "Turn of {language}: those before it had their share, or have no pairs ({costs}).")
    there = translate("Reason", "There, the pair has {count}.").format(count=number(turns.count_at(rank)))
    return joined_sentences([text.format(language=turn, costs=", ".join(costs)), there])


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
    """Return the phrase for a merge replayed from a tokenizer, and the pair that stands for `{other}` in it."""
    if other is None:
        return None, translate("Reason", "Given by the tokenizer; training would end here.")
    if (other.left, other.right) == (merge.left, merge.right):
        return None, translate("Reason", "Given by the tokenizer; training would choose it, too.")
    text = translate("Reason", "Given by the tokenizer; training would choose {other} with {count}.")
    return other, text.format(other=_OTHER, count=number(other.count))


def _passed_over(trainer: Trainer, merge: Merge) -> list[tuple[PairCount, Veto]]:
    """Return the first pairs that would come before the next merge if they were not vetoed."""
    found = []
    for pair in trainer.pairs(_MAX_PASSED_OVER):
        veto = trainer.veto_of(pair.left, pair.right)
        if veto is None or (pair.left, pair.right) == (merge.left, merge.right):
            break
        found.append((pair, veto))
    return found


def _chosen_phrase(trainer: Trainer, merge: Merge) -> tuple[PairCount | None, str]:
    """Return why training chooses `merge`, and the runner-up, which stands for `{other}` in the phrase."""
    other = _runner_up(trainer, merge)
    if other is None:
        return None, translate("Reason", "It is the only pair that can be merged.")
    if not merge.ties:
        text = translate("Reason", "It is the most frequent pair; {other} follows with {count}.")
    else:
        text = _tied_texts(merge.ties)[0]
    count, more, rule = number(other.count), number(merge.ties - 1), tie_rule_clause(trainer.stage_recipe)
    return other, text.format(other=_OTHER, count=count, more=more, rule=rule)


def _tied_texts(ties: int) -> tuple[str, str]:
    """Return how to say that so many pairs tie with the next merge, with the rule and without."""
    if ties == 1:
        return translate("Reason", "Tied with {other} ({rule})."), translate("Reason", "Tied with {other}.")
    text = translate("Reason", "Tied with {other} and {more} other pairs ({rule}).")
    if ties == 2:
        text = translate("Reason", "Tied with {other} and 1 other pair ({rule}).")
    return text, translate("Reason", "Tied with {other} and {more} more.")


def _runner_up(trainer: Trainer, merge: Merge) -> PairCount | None:
    """Return the pair that training would choose if the pair of `merge`, which comes next, did not exist."""
    if not trainer.has_vetoes:
        pairs = trainer.pairs(2)
        return pairs[1] if len(pairs) == 2 else None
    others = (pair for pair in trainer.pairs(_MAX_PASSED_OVER) if (pair.left, pair.right) != (merge.left, merge.right))
    return next((pair for pair in others if trainer.veto_of(pair.left, pair.right) is None), None)


def step_reason(trainer: Trainer, *, is_full: bool = False, target: int = 0) -> str:
    """Return why the next pair is next, or why nothing is left below the `target` size; see `next_merge`."""
    merge = trainer.peek()
    if merge is None:
        text = translate("Reason", "Stopped at {size} of {target} entries.")
        stopped = text.format(size=number(trainer.vocab_size), target=number(target))
        return joined_sentences([*([stopped] if trainer.vocab_size < target else []), _reason_for_end(trainer)])
    if is_full:
        reached = translate("Reason", "The vocabulary has reached its target size.")
        return joined_sentences([reached, step_reason(trainer)])
    other, phrase = _plan_phrase(trainer, merge) or _chosen_phrase(trainer, merge)
    text = translate("Reason", "{pair} is next: it occurs {times}.")
    sentence = text.format(pair=_pair_text(merge), times=frequency_text(merge.count, trainer.recipe))
    return joined_sentences([sentence, phrase.replace(_OTHER, _pair_text(other) if other else "")])


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
    recipe, pairs = trainer.recipe, trainer.pairs(_MAX_PASSED_OVER if trainer.has_vetoes else 1)
    best = next((pair for pair in pairs if trainer.veto_of(pair.left, pair.right) is None), None)
    if best is None and pairs:
        if len(pairs) == 1:
            return translate("Reason", "There is nothing left to merge: you banned the only pair left.")
        return translate("Reason", "There is nothing left to merge: your plan bans every pair that is left.")
    if best is None:
        return translate("Reason", "There is nothing left to merge: no pairs remain.")
    return translate(
        "Reason",
        "There is nothing left to merge: the best pair, {pair}, occurs {times}, and the minimum count is {limit}.",
    ).format(pair=_pair_text(best), times=frequency_text(best.count, recipe), limit=number(recipe.min_count))


def frequency_text(count: int, recipe: Recipe) -> str:
    """Return how often a pair occurs, such as “3 times”, or “in 3 words” if the recipe counts words."""
    if recipe.pair_counting == "once-per-word":
        if count == 1:
            return translate("Reason", "in 1 word")
        return translate("Reason", "in {count} words").format(count=number(count))
    if count == 1:
        return translate("Reason", "once")
    return translate("Reason", "{count} times").format(count=number(count))


def pruned_text(token: bytes, step: int) -> str:
    """Return why a token is not in the vocabulary any more."""
    text = translate("Reason", "{token} left the vocabulary at step {step}, because it no longer stood alone")
    return text.format(token=token_in_sentence(token, _MAX_TOKEN_CHARACTERS), step=number(step))


def pruned_texts(pruned: Mapping[bytes, int], step: int) -> list[str]:
    """Return why tokens left the vocabulary at a step."""
    return [pruned_text(token, left) for token, left in pruned.items() if left == step]


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


_MAX_LANGUAGES = 4
_MAX_PAIRS = 2  # named at most
_MAX_SHOWN = 16  # characters shown of a token


def replay_text(
    name: str, merges: int, *, absent: int, doubled: int, unmerged: int, left_out: int, adds_ids: bool, size: int | None
) -> Iterator[str]:
    """Yield sentences about the replay of a tokenizer on a corpus.

    Of its merges, `absent` never occur in the corpus, and `doubled` make a token that an earlier one made; `left_out`
    others cannot be replayed. No merge makes `unmerged` of its tokens. `adds_ids`: it adds tokens to each text.
    `size` is the target vocabulary size if training is to continue.
    """
    none = translate("Plan", "{name} replayed on the corpus: every merge occurs in it.")
    one = translate("Plan", "{name} replayed on the corpus: 1 of {merges} merges never occurs in it.")
    many = translate("Plan", "{name} replayed on the corpus: {absent} of {merges} merges never occur in it.")
    text = {0: none, 1: one}.get(absent, many)
    yield text.format(name=name, absent=number(absent), merges=number(merges))
    if doubled:
        yield counted(
            doubled,
            translate("Plan", "1 merge makes a token that an earlier merge makes, and shares its id."),
            translate("Plan", "{count} merges make tokens that earlier merges make, and share their ids."),
        )
    if left_out:
        yield counted(
            left_out,
            translate("Plan", "1 merge is left out, because a part of it is not a token at its step."),
            translate("Plan", "{count} merges are left out, because a part of each is not a token at its step."),
        )
    if unmerged:
        yield counted(
            unmerged,
            translate("Plan", "1 token has no merge and is never made."),
            translate("Plan", "{count} tokens have no merge and are never made."),
        )
    if adds_ids:
        yield translate("Plan", "The tokens that the tokenizer adds to each text are left out.")
    if size is not None:
        yield translate("Plan", "Training continues from here to {size} entries.").format(size=number(size))


def extension_text(name: str, size: int) -> Iterator[str]:
    """Yield sentences about a run that continues a tokenizer to a vocabulary size."""
    text = translate("Plan", "{name} splits the corpus by its own steps, and keeps these and its ids.")
    yield text.format(name=name)
    yield translate("Plan", "Training continues from here to {size} entries.").format(size=number(size))


def pair_text(pair: TokenPair) -> str:
    """Return a pair as its two tokens with a plus sign between them."""
    return " + ".join(token_in_sentence(token, _MAX_SHOWN) for token in pair)


def plan_summary(plan: Plan, name: str = "") -> str:
    """Return a plan in a few clauses, except one that is its `name`; empty if it asks for nothing."""
    return " · ".join(clause for clause in _clauses(plan) if clause != name)


def _clauses(plan: Plan) -> Iterator[str]:
    if count := len(plan.replay):
        yield counted(count, translate("Plan", "1 merge replayed"), translate("Plan", "{count} merges replayed"))
    if count := len(plan.ids) + len(plan.special_ids):
        yield counted(count, translate("Plan", "1 id kept"), translate("Plan", "{count} ids kept"))
    if count := len(plan.special_ids):
        yield counted(count, translate("Plan", "1 special token"), translate("Plan", "{count} special tokens"))
    if 0 < len(plan.banned) <= _MAX_PAIRS:
        pairs = listed(sorted(map(pair_text, plan.banned)))
        yield translate("Plan", "without {pairs}").format(pairs=pairs)
    elif plan.banned:
        yield translate("Plan", "without {count} pairs").format(count=number(len(plan.banned)))
    if count := len(plan.banned_tokens):
        yield counted(
            count,
            translate("Plan", "1 pattern of banned tokens"),
            translate("Plan", "{count} patterns of banned tokens"),
        )
    if 0 < len(plan.forced) <= _MAX_PAIRS:
        for rank, pair in sorted(plan.forced.items()):
            yield translate("Plan", "{pair} at step {step}").format(pair=pair_text(pair), step=number(rank + 1))
    elif plan.forced:
        yield translate("Plan", "{count} steps chosen by you").format(count=number(len(plan.forced)))
    for rule in plan.rules:
        yield rule_text(str(rule))
    if plan.parity is not None:
        yield translate("Plan", "languages take turns")
    if count := len(plan.seeds):
        yield counted(count, translate("Plan", "1 seed token"), translate("Plan", "{count} seed tokens"))
    if count := len(plan.splitters):
        yield counted(
            count, translate("Plan", "1 change of splitter"), translate("Plan", "{count} changes of splitter")
        )
    if plan.joins_words:
        yield translate("Plan", "whole words join")


def rule_text(rule: str) -> str:
    """Return a rule in words, such as “tokens of at most 16 bytes”."""
    name, _, limit = rule.partition("=")
    texts = {
        "max-bytes": translate("Plan", "tokens of at most {count} bytes"),
        "max-characters": translate("Plan", "tokens of at most {count} characters"),
        "max-words": translate("Plan", "tokens of at most {count} words"),
        "no-letters-with-digits": translate("Plan", "no letters with digits"),
        "no-mixed-scripts": translate("Plan", "no mixed scripts"),
        "no-leading-space": translate("Plan", "no leading space"),
        "character-boundaries": translate("Plan", "no token across character boundaries"),
    }
    if limit == "1":
        texts["max-characters"] = translate("Plan", "tokens of at most 1 character")
        texts["max-words"] = translate("Plan", "tokens of at most 1 word")
    return texts.get(name, rule).format(count=number(int(limit)) if limit else "")


def veto_text(veto: Veto) -> str:
    """Return why training does not choose a pair, such as “banned by you”."""
    if veto.kind == "pair":
        return translate("Plan", "banned by you")
    if veto.kind == "token":
        return translate("Plan", "banned by the pattern {pattern}").format(pattern=veto.value)
    if veto.kind == "made":
        return translate("Plan", "a token already")
    if veto.kind == "byte":
        return translate("Plan", "the name of a byte")
    name, _, limit = veto.value.partition("=")
    texts = {
        "max-bytes": translate("Plan", "longer than {limit} bytes"),
        "max-characters": translate("Plan", "longer than {limit} characters"),
        "max-words": translate("Plan", "more than {limit} words"),
        "no-letters-with-digits": translate("Plan", "letters with digits"),
        "no-mixed-scripts": translate("Plan", "mixed scripts"),
        "no-leading-space": translate("Plan", "a leading space"),
        "character-boundaries": translate("Plan", "across a character boundary"),
    }
    if limit == "1":
        texts["max-characters"] = translate("Plan", "longer than 1 character")
        texts["max-words"] = translate("Plan", "more than 1 word")
    return texts.get(name, veto.value).format(limit=number(int(limit)) if limit else "")
