"""Describe plans: which merges are prescribed or forbidden."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import Plan
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.engine.training import Veto

from .joining import listed
from .numbers import counted, number

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MOST_PAIRS = 2  # named at most
_MOST_SHOWN = 16  # characters shown of a token


@dataclass(frozen=True, slots=True)
class ReplayFacts:
    """The facts about the replay of a tokenizer on a corpus."""

    name: str
    merges: int
    absent: int
    """How many of the merges never occur in the corpus."""
    doubled: int
    """How many of the merges make a token that an earlier merge already made."""
    unmerged: int
    """How many of the tokenizer's tokens no merge makes."""


def replay_text(facts: ReplayFacts, size: int | None) -> Iterator[str]:
    """Yield sentences about a replay; `size` is the target vocabulary size if training is to continue."""
    none = translate("Plan", "{name} replayed on the corpus: every merge occurs in it.")
    one = translate("Plan", "{name} replayed on the corpus: 1 of {merges} merges never occurs in it.")
    many = translate("Plan", "{name} replayed on the corpus: {absent} of {merges} merges never occur in it.")
    text = {0: none, 1: one}.get(facts.absent, many)
    yield text.format(name=facts.name, absent=number(facts.absent), merges=number(facts.merges))
    if facts.doubled:
        yield counted(
            facts.doubled,
            translate("Plan", "1 merge makes a token that an earlier merge makes, and shares its id."),
            translate("Plan", "{count} merges make tokens that earlier merges make, and share their ids."),
        )
    if facts.unmerged:
        yield counted(
            facts.unmerged,
            translate("Plan", "1 token has no merge and is never made."),
            translate("Plan", "{count} tokens have no merge and are never made."),
        )
    if size is not None:
        text = translate("Plan", "Training continues from here to {size} entries.")
        yield text.format(size=number(size))


def pair_text(pair: TokenPair) -> str:
    """Return a pair as its two tokens with a plus sign between them."""
    return " + ".join(token_in_sentence(token, _MOST_SHOWN) for token in pair)


def plan_summary(plan: Plan) -> str:
    """Return a plan in a few clauses; empty if it asks for nothing."""
    return " · ".join(_clauses(plan))


def _clauses(plan: Plan) -> Iterator[str]:
    if count := len(plan.replay):
        yield counted(count, translate("Plan", "1 merge replayed"), translate("Plan", "{count} merges replayed"))
    if count := len(plan.ids) + len(plan.special_ids):
        yield counted(count, translate("Plan", "1 id kept"), translate("Plan", "{count} ids kept"))
    if count := len(plan.special_ids):
        yield counted(count, translate("Plan", "1 special token"), translate("Plan", "{count} special tokens"))
    if 0 < len(plan.banned) <= _MOST_PAIRS:
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
    if 0 < len(plan.forced) <= _MOST_PAIRS:
        for rank, pair in sorted(plan.forced.items()):
            yield translate("Plan", "{pair} at step {step}").format(pair=pair_text(pair), step=number(rank + 1))
    elif plan.forced:
        yield translate("Plan", "{count} steps chosen by you").format(count=number(len(plan.forced)))
    for rule in plan.rules:
        yield rule_text(str(rule))
    if count := len(plan.stages):
        yield counted(
            count, translate("Plan", "1 change of splitter"), translate("Plan", "{count} changes of splitter")
        )


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
    name, _, limit = veto.value.partition("=")
    texts = {
        "max-bytes": translate("Plan", "longer than {limit} bytes"),
        "max-characters": translate("Plan", "longer than {limit} characters"),
        "max-words": translate("Plan", "more than {limit} words"),
        "no-letters-with-digits": translate("Plan", "letters with digits"),
        "no-mixed-scripts": translate("Plan", "mixed scripts"),
        "no-leading-space": translate("Plan", "a leading space"),
    }
    if limit == "1":
        texts["max-characters"] = translate("Plan", "longer than 1 character")
        texts["max-words"] = translate("Plan", "more than 1 word")
    return texts.get(name, veto.value).format(limit=number(int(limit)) if limit else "")
