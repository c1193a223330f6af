"""Find merges by text in their tokens."""

import numpy as np

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.search.token_filter import TokenFilter


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
