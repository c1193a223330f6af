"""How the vocabularies and merges of two tokenizers differ, and why, if that is known."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from bpe_gui.engine.pipeline.normalizers import Replace
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL, Metaspace
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceNormalizer
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair

from .steps import StepDifference, step_differences

_ENCODING_SWITCHES: Final = ("splitter", "units", "boundary")
"""The switches of a recipe that every tokenizer with a recipe has."""

_TRAINING_SWITCHES: Final = ("pair_counting", "min_count", "tie_break", "alphabet")
"""The switches of a recipe that are known if the counts of merges are, because files keep them together."""

_SWITCH_OF_STEP: Final = {"normalizer": "normalizer", "splitter": "pre_tokenizer"}
"""The names of the steps of pipelines that determine words."""

_NOT_IN_RANKS: Final = ("splitter", "pre_tokenizer", "special_tokens")
"""The properties that files of ranks do not record."""


@dataclass(frozen=True, slots=True)
class SwitchDifference:
    """A difference between two tokenizers that affects the merges of training: its name and the two values.

    `switch` is the name of a recipe's switch, or `special_tokens`, `normalizer` or `pre_tokenizer`.
    """

    switch: str
    first: object
    second: object


@dataclass(frozen=True, slots=True)
class MergeDifference:
    """The first rank at which two tokenizers have different merges; None for one without a merge of this rank.

    `reasons` are possible reasons in the recipes and pipelines, the most likely first. There are none if, for example,
    only the corpora were different.
    """

    rank: int
    first: TokenPair | None
    second: TokenPair | None
    reasons: tuple[SwitchDifference, ...]

    def without_guesses(self) -> "MergeDifference":
        """Return this difference without reasons that are guesses, because a file of ranks does not record them.

        >>> MergeDifference(0, None, None, (SwitchDifference("splitter", "gpt2", "qwen2"),)).without_guesses().reasons
        ()
        """
        return replace(self, reasons=tuple(each for each in self.reasons if each.switch not in _NOT_IN_RANKS))

    @property
    def reason(self) -> SwitchDifference | None:
        """The first of the reasons.

        >>> MergeDifference(0, None, None, ()).reason
        """
        return self.reasons[0] if self.reasons else None


class PairComparison:
    """The vocabularies and merges of two tokenizers, compared on first use.

    Tokens are compared by the bytes that they stand for in text: a `▁` that stands for a space is a space. A special
    token stands for its name.

    >>> tokenizers = Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy"), Tokenizer({1: b"l"}, [], recipe="cs336-toy")
    >>> pair = PairComparison(*tokenizers)
    >>> pair.shared, list(pair.only_in_first()), list(pair.only_in_second()), pair.ids_that_differ
    (1, [(1, b'o')], [], 1)
    """

    def __init__(self, first: Tokenizer, second: Tokenizer) -> None:
        self._tokenizers = first, second

    @cached_property
    def _ids(self) -> tuple[dict[bytes, int], dict[bytes, int]]:
        first, second = self._tokenizers
        return ids_by_text(first), ids_by_text(second)

    @cached_property
    def shared(self) -> int:
        """The number of tokens that both have."""
        first, second = self._ids
        return len(first.keys() & second.keys())

    @property
    def only_first(self) -> int:
        """The number of tokens that only the first has."""
        return len(self._ids[0]) - self.shared

    @property
    def only_second(self) -> int:
        """The number of tokens that only the second has."""
        return len(self._ids[1]) - self.shared

    def only_in_first(self) -> Iterator[tuple[int, bytes]]:
        """Yield the tokens that only the first has, each with its id, in the order of the ids."""
        first, second = self._ids
        return ((token_id, token) for token, token_id in first.items() if token not in second)

    def only_in_second(self) -> Iterator[tuple[int, bytes]]:
        """Yield the tokens that only the second has, each with its id, in the order of the ids."""
        first, second = self._ids
        return ((token_id, token) for token, token_id in second.items() if token not in first)

    @cached_property
    def ids_that_differ(self) -> int:
        """The number of tokens that both have, but with different ids."""
        first, second = self._ids
        return sum(second.get(token, token_id) != token_id for token, token_id in first.items())

    @property
    def ids_agree(self) -> bool:
        """Whether the tokens that both have also have the same ids."""
        return self.ids_that_differ == 0

    @cached_property
    def first_merge(self) -> MergeDifference | None:
        """The first merge that differs; None if all are the same."""
        first, second = (tokenizer.merges for tokenizer in self._tokenizers)
        shorter = min(len(first), len(second))
        if first[:shorter] == second[:shorter]:
            rank = shorter
        else:
            rank = next(rank for rank in range(shorter) if first[rank] != second[rank])
        if rank == len(first) == len(second):
            return None
        return MergeDifference(
            rank,
            first[rank] if rank < len(first) else None,
            second[rank] if rank < len(second) else None,
            tuple(self._reasons(rank)),
        )

    def steps(self, texts: Iterable[str] = ()) -> tuple[StepDifference, ...]:
        """Return the steps in which the two differ, in the order of `StepDifference`.

        A text on which splitters or normalizers part is looked for in `texts` first.
        """
        found = step_differences(*self._tokenizers, texts)
        first, second = self._tokenizers
        if self.first_merge is not None:
            found += (StepDifference("merges", (len(first.merges),), (len(second.merges),)),)
        special = {name.encode() for name in (*first.special_tokens, *second.special_tokens)}
        if any(token not in special for token, _id in self._ids[0].items() ^ self._ids[1].items()):
            found += (StepDifference("vocabulary", (len(first.vocab),), (len(second.vocab),)),)
        return found

    def _reasons(self, rank: int) -> Iterator[SwitchDifference]:
        """Yield the possible reasons why the merges of a rank differ, the most likely first."""
        differences = list(self._differences())
        tie = next((difference for difference in differences if difference.switch == "tie_break"), None)
        if tie is not None:
            differences.remove(tie)
            first, second = (tokenizer.merge_counts or [] for tokenizer in self._tokenizers)
            # Different counts at this rank mean that no tie was broken; equal counts up to here mean equal words.
            if first[rank : rank + 1] == second[rank : rank + 1] != []:
                if first[:rank] == second[:rank]:
                    differences.insert(0, tie)
                elif differences:  # otherwise only the texts can have made the earlier counts differ
                    differences.append(tie)
        yield from differences

    def _differences(self) -> Iterator[SwitchDifference]:
        """Yield the differences in how the two split text and, if known, in how they were trained."""
        first, second = self._tokenizers
        if first.pipeline is None and second.pipeline is None:
            yield from self._different_switches(_ENCODING_SWITCHES)
        else:
            for each in step_differences(first, second):
                if each.step in _SWITCH_OF_STEP:
                    yield SwitchDifference(_SWITCH_OF_STEP[each.step], each.first, each.second)
        if first.merge_counts is not None and second.merge_counts is not None:
            yield from self._different_switches(_TRAINING_SWITCHES)
        specials = [tuple(tokenizer.special_tokens) for tokenizer in self._tokenizers]
        if set(specials[0]) != set(specials[1]):
            yield SwitchDifference("special_tokens", *specials)

    def _different_switches(self, names: tuple[str, ...]) -> Iterator[SwitchDifference]:
        first, second = (tokenizer.recipe for tokenizer in self._tokenizers)
        for name in names:
            # The order of the alphabet only matters to one tie rule.
            is_idle = name == "alphabet" and "smallest-id" not in (first.tie_break, second.tie_break)
            if getattr(first, name) != getattr(second, name) and not is_idle:
                yield SwitchDifference(name, getattr(first, name), getattr(second, name))


def ids_by_text(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Return the ids of the tokens by the bytes that they stand for; the smallest if several stand for the same.

    >>> ids_by_text(Tokenizer({0: b"l", 1: b"o", 2: b"<e>"}, [], ["<e>"], recipe="cs336-toy"))
    {b'l': 0, b'o': 1, b'<e>': 2}
    """
    special = set(tokenizer.special_tokens.values())
    escapes, symbol = _escapes_spaces(tokenizer.as_pipeline), SPACE_SYMBOL.encode()
    ids: dict[bytes, int] = {}
    for token_id, token in sorted(tokenizer.vocab.items()):
        text = token if token_id in special else tokenizer.stands_for(token)
        ids.setdefault(text.replace(symbol, b" ") if escapes and token_id not in special else text, token_id)
    return ids


def _escapes_spaces(pipeline: Pipeline) -> bool:
    """Return whether a pipeline writes spaces as `▁`."""
    return any(
        (isinstance(step, Metaspace) and step.replacement == SPACE_SYMBOL)
        or (isinstance(step, SentencePieceNormalizer) and step.escapes_whitespaces)
        or (isinstance(step, Replace) and (step.pattern, step.content) == (" ", SPACE_SYMBOL))
        for step in (*pipeline.normalizers, *pipeline.pre_tokenizers)
    )
