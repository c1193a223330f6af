"""The values training speaks in: merges, pairs and words as they are split."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Merge:
    """One step of training.

    `rank` counts from 0. `count` is how often the pair occurred when it was chosen, `ties` how many *other* pairs
    occurred as often. `token_id` is the id the token has in a vocabulary in merge order; where the recipe sorts ids or
    puts special tokens last, the tokenizer of the finished run says which ids are final.
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
    """A pair of symbols that stand side by side, and how often they do."""

    left: bytes
    right: bytes
    count: int


@dataclass(frozen=True, slots=True)
class SplitWord:
    """A word as it is split now, and how often it occurs in the corpus."""

    symbols: tuple[bytes, ...]
    count: int
