"""Say how two tokenizers differ, in the language of the window.

Every function looks up its texts when called, because the language may change.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bpe_gui.engine import CHOICES, SPLITTERS, AddedToken, Plan, token_in_sentence
from bpe_gui.engine.comparison import MergeDifference, StepDifference

from .file_texts import MAX_CHARACTERS, shortened
from .phrases import counted, joined_sentences, listed, number, translate
from .recipe_texts import choice_label, field_label
from .run_texts import plan_summary
from .sentences import said

_MAX_SHOWN: Final = 3  # special tokens that a sentence names
_KEPT: Final = 8  # characters of the part that two expressions share at their beginning
_LONGEST: Final = 40  # characters of a pattern or a special token


def overlap_text(names: tuple[str, str], shared: int, only: tuple[int, int], ids_that_differ: int) -> str:
    """Return how many tokens two tokenizers share, and how many only one of them has."""
    text = translate("Comparison", "Tokens in both: {shared}, only in {A}: {first}, only in {B}: {second}.").format(
        shared=number(shared), first=number(only[0]), second=number(only[1]), A=names[0], B=names[1]
    )
    if not shared:
        return text
    if not ids_that_differ:
        return joined_sentences([text, translate("Comparison", "The shared tokens have the same ids.")])
    one = translate("Comparison", "Of the shared tokens, 1 has a different id.")
    many = translate("Comparison", "Of the shared tokens, {count} have different ids.")
    return joined_sentences([text, counted(ids_that_differ, one, many)])


def steps_text(names: tuple[str, str], steps: Sequence[StepDifference]) -> str:
    """Return in which steps two tokenizers differ, what each has there, and a text that shows it."""
    if not steps:
        return translate("Comparison", "They do the same in all steps.")
    becomes = translate("Comparison", "“{text}” becomes {first} in {A}, and {second} in {B}.")
    clauses, shown = [], []
    for each in steps:
        label = switch_label(each.step)
        if each.step not in ("merges", "vocabulary"):  # these are said below
            label = _step_clause(names, each)
        clauses.append(label)
        if each.text is not None:
            example = each.text.told_apart()
            text, *sides = (
                " | ".join(token_in_sentence(word.encode(), _LONGEST) for word in words)
                or translate("Comparison", "none")
                for words in ((example.text,), example.first, example.second)
            )
            shown.append(becomes.format(text=text, first=sides[0], second=sides[1], A=names[0], B=names[1]))
    return joined_sentences([translate("Comparison", "They differ in: {steps}.").format(steps=listed(clauses)), *shown])


def _step_clause(names: tuple[str, str], difference: StepDifference) -> str:
    """Return the name of a step with what each of two tokenizers has there; of a token that both have, its ids."""
    same = difference.other_ids
    if not same:
        return _switch_clause(names, difference.step, difference.first, difference.second)
    tokens = {token for token, _first, _second in same}
    first, second = (
        tuple(each for each in values if _token_of(each) not in tokens)
        for values in (difference.first, difference.second)
    )
    other_id = translate("Comparison", "same token {token}, id {first} and {second}")
    parts = [_values_text(names, difference.step, first, second)] if first or second else []
    parts += [
        other_id.format(token=token_in_sentence(token.encode(), _LONGEST), first=one, second=other)
        for token, one, other in same[:_MAX_SHOWN]
    ]
    if (more := len(same) - _MAX_SHOWN) > 0:
        one_more = translate("Comparison", "1 more token with other ids")
        many_more = translate("Comparison", "{count} more tokens with other ids")
        parts.append(counted(more, one_more, many_more))
    template = translate("Comparison", "{switch} ({values})")
    return template.format(switch=switch_label(difference.step), values=listed(parts))


def _token_of(part: Any) -> str:
    """Return the token of an added token, or of a pair of an id and a token."""
    return str(part.content if isinstance(part, AddedToken) else part[1])


def languages_text(names: tuple[str, str], tokens: Mapping[str, tuple[int, int]]) -> str:
    """Return how many tokens two tokenizers make of each language."""
    costs = listed(f"{language} {number(first)} / {number(second)}" for language, (first, second) in tokens.items())
    text = translate("Comparison", "Tokens of the corpus by language, {A} / {B}: {costs}.")
    return text.format(A=names[0], B=names[1], costs=costs)


def merge_text(
    names: tuple[str, str],
    difference: MergeDifference | None,
    counts: tuple[int | None, int | None],
    plans: tuple[Plan | None, Plan | None] = (None, None),
    *,
    are_of_other_corpora: bool = False,
) -> str:
    """Return where the merges of two tokenizers diverge, and why, as far as that is known.

    `plans` are given for tokenizers that were trained on the window's corpus. `are_of_other_corpora`: they are known to
    have been trained on different corpora.
    """
    if difference is None:
        return translate("Comparison", "Their merges are the same.")
    ended = [name for name, merge in zip(names, (difference.first, difference.second), strict=True) if merge is None]
    if ended and difference.rank == 0:
        where = translate("Comparison", "{name} has no merges.").format(name=ended[0])
    elif ended:
        text = translate("Comparison", "Their merges are the same up to merge {rank}, where {name} ends.")
        where = text.format(rank=number(difference.rank), name=ended[0])
    else:
        text = translate("Comparison", "Their merges differ from merge {rank} on.")
        where = text.format(rank=number(difference.rank + 1))
    why = reason_text(names, difference, counts, plans)
    if are_of_other_corpora:
        why = _other_corpora_text(names, difference)
    return joined_sentences(filter(None, [where, why]))


def _other_corpora_text(names: tuple[str, str], difference: MergeDifference) -> str:
    """Return that two tokenizers were trained on different corpora, and in which settings they differ as well."""
    if not difference.reasons:
        return translate("Comparison", "The reason: they were trained on different corpora.")
    text = translate("Comparison", "They were trained on different corpora, and with different settings: {settings}.")
    return text.format(settings=listed(_switch_clauses(names, difference)))


def reason_text(
    names: tuple[str, str],
    difference: MergeDifference,
    counts: tuple[int | None, int | None],
    plans: tuple[Plan | None, Plan | None],
) -> str:
    """Return why the merges of two tokenizers diverge, as far as that is known; see `merge_text`."""
    has_ended = None in (difference.first, difference.second)
    if None not in plans and plans[0] != plans[1] and not has_ended:
        return _plans_text(names, difference, plans)
    return _reason_text(names, difference, counts, has_ended=has_ended)


def _plans_text(names: tuple[str, str], difference: MergeDifference, plans: tuple[Plan | None, Plan | None]) -> str:
    """Return how the plans of two tokenizers differ, and any other possible reasons for the difference."""
    has, lacks = translate("Comparison", "{name} has a plan: {plan}"), translate("Comparison", "{name} has none")
    summaries = [plan_summary(plan or Plan()) for plan in plans]
    names_and_plans = zip(names, summaries, strict=True)
    first, second = ((has if plan else lacks).format(name=name, plan=plan) for name, plan in names_and_plans)
    texts = translate("Comparison", "{first}; {second}").format(first=first, second=second)
    if not difference.reasons:
        return translate("Comparison", "Their plans differ. {plans}.").format(plans=texts)
    clause = translate("Comparison", "different plans ({plans})").format(plans=texts)
    return _possible_reasons_text([clause, *_switch_clauses(names, difference)])


def _reason_text(
    names: tuple[str, str], difference: MergeDifference, counts: tuple[int | None, int | None], *, has_ended: bool
) -> str:
    first = difference.reason
    if first is None:
        if has_ended:
            return ""
        return translate(
            "Comparison", "Their settings do not explain this. They may have been trained on different texts."
        )
    if first.switch == "tie_break" and counts[0] is not None and counts[0] == counts[1]:
        return _tie_text(names, (first.first, first.second), counts[0])
    has_other_texts = None in counts and not has_ended  # then one of them was not trained here
    if len(difference.reasons) == 1 and not has_other_texts:
        template = translate("Comparison", "The reason: {switch} ({values}).")
        return _switch_clause(names, first.switch, first.first, first.second, template)
    other_texts = [translate("Comparison", "different training texts")] if has_other_texts else []
    return _possible_reasons_text([*other_texts, *_switch_clauses(names, difference)])


def _switch_clauses(names: tuple[str, str], difference: MergeDifference) -> list[str]:
    return [_switch_clause(names, each.switch, each.first, each.second) for each in difference.reasons]


def _switch_clause(names: tuple[str, str], switch: str, one: object, other: object, template: str = "") -> str:
    """Return the name of a setting with its two values, in a template if there is one."""
    template = template or translate("Comparison", "{switch} ({values})")
    return template.format(switch=switch_label(switch), values=_values_text(names, switch, one, other))


def _possible_reasons_text(clauses: Sequence[str]) -> str:
    return translate("Comparison", "Possible reasons: {reasons}.").format(reasons=listed(clauses))


def _tie_text(names: tuple[str, str], rules: tuple[object, object], count: int) -> str:
    """Return which of two equally frequent pairs each tokenizer chose."""
    takes = {
        "greatest": translate("Comparison", "{name} takes the pair that sorts last"),
        "first-seen": translate("Comparison", "{name} takes the pair seen first"),
        "smallest-id": translate("Comparison", "{name} takes the pair with the smallest ids"),
    }
    values = zip(names, rules, strict=True)
    first, second = (takes[str(value)].format(name=name) for name, value in values)
    one = translate("Comparison", "Both pairs occur once, so the tie rule decided: {first}, {second}.")
    many = translate("Comparison", "Both pairs occur {count} times, so the tie rule decided: {first}, {second}.")
    return (one if count == 1 else many).format(count=number(count), first=first, second=second)


def switch_label(switch: str) -> str:
    """Return the name of a setting that may make merges differ."""
    return {
        "special_tokens": translate("Comparison", "Special tokens"),
        "normalizer": translate("Comparison", "Normalization"),
        "pre_tokenizer": translate("Comparison", "Splitter"),
        "added_tokens": translate("Comparison", "Added tokens"),
        "roles": translate("Comparison", "Roles"),
        "chat_templates": translate("Comparison", "Chat templates"),
        "ids_before": translate("Comparison", "Tokens before each text"),
        "ids_after": translate("Comparison", "Tokens after each text"),
        "model": translate("Comparison", "Model"),
        "decoder": translate("Comparison", "Decoding"),
        "merges": translate("Comparison", "Merges"),
    }.get(switch) or field_label(switch)


def _values_text(names: tuple[str, str], switch: str, one: object, other: object) -> str:
    first, second = _value_text(switch, one), _value_text(switch, other)
    if switch == "splitter":  # long expressions often begin alike
        pairs = enumerate(zip(first, second, strict=False))
        start = max(0, next((at for at, (one, other) in pairs if one != other), 0) - _KEPT)
        first, second = ("…" * (start > 0) + shortened(text[start:], _LONGEST) for text in (first, second))
    return listed((f"{names[0]} {first}", f"{names[1]} {second}"))


def _value_text(switch: str, value: Any) -> str:
    if switch in CHOICES:
        return choice_label(switch, value)
    if isinstance(value, int):
        return number(value)
    if isinstance(value, str):
        return value if value in SPLITTERS else token_in_sentence(value.encode(), _LONGEST)
    return " · ".join(dict.fromkeys(_clauses(switch, value))) or translate("Comparison", "none")


def _clauses(switch: str, value: Sequence[Any]) -> list[str]:
    """Return the special tokens, or what the steps of a pipeline do."""
    if switch in ("normalizer", "pre_tokenizer"):
        return [said(each) for step in value for each in step.statements]
    if switch == "splitter":
        return [said(each, MAX_CHARACTERS) for step in value for each in step.expressions]
    if switch == "chat_templates":
        value = [name for name, _template in value]
    return [*map(_part_text, value[:_MAX_SHOWN])] + ["…"] * (len(value) > _MAX_SHOWN)


def _part_text(part: object) -> str:
    """Return one of the things that a tokenizer has as a step: a token, a name with its value, or a decoder."""
    match part:
        case str(token) | AddedToken(content=token) | (int(), str(token)):
            return token_in_sentence(token.encode(), _LONGEST)
        case (name, value):
            return f"{name} {token_in_sentence(str(value).encode(), _LONGEST)}"
    return type(part).__name__
