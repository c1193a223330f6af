"""Find what never occurs in the corpus of a run: merges that a plan gives, whatever their counts, and their tokens."""

from collections.abc import Sequence

import numpy as np

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.runtime import BoolArray


def never_merged(tokenizer: Tokenizer) -> BoolArray:
    """Return for each merge, by rank, whether its pair never occurred; for none if the counts are not known."""
    counts = tokenizer.store.merge_counts
    return np.zeros(len(tokenizer.store.merges), np.bool_) if counts is None else np.array(counts, np.int64) == 0


def never_made(tokenizer: Tokenizer, tokens: Sequence[bytes]) -> BoolArray:
    """Return for each token whether only merges make it whose pairs never occurred."""
    never, merges = never_merged(tokenizer).tolist(), tokenizer.store.merges
    occurring, absent = set[bytes](), set[bytes]()
    for is_absent, (left, right) in zip(never, merges, strict=True):
        (absent if is_absent else occurring).add(left + right)
    absent -= occurring
    return np.fromiter(map(absent.__contains__, tokens), np.bool_, len(tokens))
