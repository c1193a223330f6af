"""Find merges by text in their tokens."""

from dataclasses import dataclass

import numpy as np

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.search.token_filter import TokenFilter, never_merged
from bpe_gui.gui.session.cursor import Steps


@dataclass(frozen=True, slots=True)
class MergeFilter:
    """The merges that are wanted: those that match a text, as `token_filter` describes, and those that never occur."""

    text: str = ""
    only_never: bool = False
    """Only merges whose pairs never occurred in the corpus."""

    def __bool__(self) -> bool:
        return self != MergeFilter()

    def ranks(self, tokenizer: Tokenizer, first: int = 0) -> list[int]:
        """Return the ranks, from `first` on, of the merges that are wanted."""
        if not self.only_never:
            return matching_ranks(tokenizer, self.text, first)
        never = never_merged(tokenizer)
        ranks = matching_ranks(tokenizer, self.text, first) if self.text else range(first, len(never))
        return [rank for rank in ranks if never[rank]]


def has_never(steps: Steps | None) -> bool:
    """Return whether there are merges whose pairs never occurred in the corpus."""
    return steps is not None and steps.counts is not None and bool(np.any(steps.counts == 0))


def matching_ranks(tokenizer: Tokenizer, text: str, first: int = 0) -> list[int]:
    r"""Return the ranks, from `first` on, of the merges that match `text`, as `token_filter` describes.

    The text is found in the left, the right or the merged token; an id is that of the merged token.
    """
    wanted, merges = TokenFilter.of(text), tokenizer.merges[first:]
    if wanted.pair is not None:
        return (np.flatnonzero(wanted.in_pairs(merges)) + first).tolist()
    prefix_size = tokenizer.store.prefix_size
    found = wanted.in_tokens([left + right[prefix_size:] for left, right in merges])
    if prefix_size:  # else the right token is a part of the merged one
        found |= wanted.in_tokens([right for _left, right in merges])
    rank = None if wanted.number is None else tokenizer.rank(wanted.number)
    if rank is not None and rank >= first:
        found[rank - first] = True
    return (np.flatnonzero(found) + first).tolist()
