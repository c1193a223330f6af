"""The values that training returns: merges, pairs with their counts, and split words."""

from dataclasses import dataclass

from bpe_gui.engine.runtime.types import Int64Array


@dataclass(frozen=True, slots=True)
class Merge:
    """One step of training: the pair `left`, `right` becomes `token`.

    `rank` counts from 0. `count` is how often the pair occurred when it was chosen, and `ties` how many *other* pairs
    occurred equally often. `token_id` is the token's id in a vocabulary in merge order. If the recipe sorts ids, prunes
    or puts special tokens last, ids are only final in the tokenizer of the finished run.
    """

    rank: int
    left: bytes
    right: bytes
    token: bytes
    token_id: int
    count: int
    ties: int


@dataclass(frozen=True, slots=True)
class PairCount:
    """A pair of adjacent symbols and how often it occurs."""

    left: bytes
    right: bytes
    count: int


@dataclass(frozen=True, slots=True)
class SplitWord:
    """A word as it is split now, and how often it occurs in the corpus."""

    symbols: tuple[bytes, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ChangedWord:
    """A word in which a step merged a pair: how it was split before and after, and how often it occurs."""

    before: tuple[bytes, ...]
    after: tuple[bytes, ...]
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class StepChange:
    """The merge of a step, and the numbers of the words that it changed, the most frequent first.

    `words` may have only the first of them; `total` counts all of them, and the occurrences merged in them.
    """

    merge: Merge
    words: Int64Array
    total: "CorpusCount"


@dataclass(frozen=True, slots=True)
class CorpusCount:
    """How often something occurs in the corpus, and in how many unique words."""

    occurrences: int = 0
    words: int = 0
