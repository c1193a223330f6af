"""Find the pair of symbols that makes each token of a vocabulary, where only tokens and their ranks are known."""

from bpe_gui.engine.compilation.kernel import kernel
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array

from .merge_table import NO_RANK, MergeTable, insert_pair
from .word_merging import MergeScratch, merge_word


@kernel
def recover_pairs(
    units: Int32Array,
    starts: Int64Array,
    ranks: Int64Array,
    tokens: Int64Array,
    known: int,
    table: MergeTable,
    scratch: MergeScratch,
    lefts: Int64Array,
    rights: Int64Array,
) -> None:
    """Write to `lefts` and `rights`, by token, the two symbols that a token is merged from, if merging makes it.

    Tokens are symbols. Token t has the units, symbols as well, from `starts[t]` up to `starts[t + 1]`. The pairs that
    make shorter tokens are in the table, which has capacity for more and `known` numbers in use; those that are found
    are added. So `tokens` are in the order of their lengths.
    """
    for i in range(len(tokens)):
        token = tokens[i]
        start, size = starts[token], starts[token + 1] - starts[token]
        for unit in range(size):
            scratch.symbols[unit] = units[start + unit]
        if merge_word(table, scratch, size, NO_RANK) == 2:
            left, right = scratch.symbols[0], scratch.symbols[1]
            lefts[token], rights[token] = left, right
            insert_pair(table, known + i + 1, left, right, token, ranks[token])
