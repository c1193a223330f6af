"""Find the pair of symbols that makes each token of a vocabulary, or check that merging uses the given pairs."""

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .merge_table import MergeTable, insert_pair, pair_number, prefetch_pair
from .word_merging import (
    WORD_COUNT,
    MergeScratch,
    PendingWords,
    add_pending,
    can_be_pending,
    clear_pending,
    compact_pending,
    merge_pending,
    merge_word,
    next_pending_index,
    pending_is_full,
)


@kernel
def recover_pairs(
    units: Int32Array,
    starts: Int64Array,
    ranks: Int64Array,
    tokens: Int64Array,
    table: MergeTable,
    scratch: MergeScratch,
    pending: PendingWords,
    lefts: Int64Array,
    rights: Int64Array,
) -> None:
    """Write to `lefts` and `rights` the two symbols from which each token is merged, if merging makes it.

    Tokens are symbols. Token t has the units, also symbols, from `starts[t]` up to `starts[t + 1]`. The table has the
    pairs that make shorter tokens, each under the number of its token plus 1; new pairs are added to it. So `tokens`
    must be in order of length. Both arrays are filled with -1; ranks are below the number of all tokens.
    """
    limit = len(ranks)
    for i in range(len(tokens)):
        token = tokens[i]
        start, size = starts[token], starts[token + 1] - starts[token]
        # Tokens of equal length are merged together, since none is part of another.
        if pending_is_full(pending) or (i > 0 and size > starts[tokens[i - 1] + 1] - starts[tokens[i - 1]]):
            _finish_pending(ranks, limit, table, pending, lefts, rights)
        if can_be_pending(size, limit):
            first = next_pending_index(pending)
            for unit in range(size):
                pending.symbols[first + unit] = units[start + unit]
            add_pending(pending, first + size, token)
        else:
            for unit in range(size):
                scratch.symbols[unit] = units[start + unit]
            if merge_word(table, scratch, size, limit, 1) == 2:
                lefts[token], rights[token] = scratch.symbols[0], scratch.symbols[1]
                insert_pair(table, token + 1, lefts[token], rights[token], token, ranks[token])
    _finish_pending(ranks, limit, table, pending, lefts, rights)


@helper
def _finish_pending(
    ranks: Int64Array, limit: int, table: MergeTable, pending: PendingWords, lefts: Int64Array, rights: Int64Array
) -> None:
    """Merge the pending tokens, and add the pairs that make them."""
    merge_pending(table, pending, limit)
    for word in range(pending.state[WORD_COUNT]):
        token, first = pending.slots[word], pending.bases[word] + 1
        if compact_pending(pending, word) == 2:
            lefts[token], rights[token] = pending.symbols[first], pending.symbols[first + 1]
            prefetch_pair(table, lefts[token], rights[token])
    for word in range(pending.state[WORD_COUNT]):
        token = pending.slots[word]
        if lefts[token] >= 0:
            insert_pair(table, token + 1, lefts[token], rights[token], token, ranks[token])
    clear_pending(pending)


@kernel
def count_reproducible(
    lefts: Int64Array, rights: Int64Array, units: int, first: int, last: int, table: MergeTable
) -> int:
    """Return the first rank at or above `first` whose token is not what encoding its text gives, or `last` if none is.

    Symbols are the units followed by the products of merges, by rank. The table has the merges below rank `first`;
    checked merges are added to it.
    """
    for rank in range(first, last):
        symbol, left, right = units + rank, lefts[rank], rights[rank]
        if max(left, right) >= symbol or not _stay_apart(lefts, rights, units, symbol, left, right, table):
            return rank
        insert_pair(table, rank + 1, left, right, symbol, rank)
    return last


@helper
def _stay_apart(
    lefts: Int64Array, rights: Int64Array, units: int, limit: int, left: int, right: int, table: MergeTable
) -> bool:
    """Return whether encoding the concatenated text of two symbols below `limit` gives these two symbols.

    Encoding is undone step by step, but only at the boundary between them: the newer of the two symbols there is split
    into its parts. If the symbols at the boundary ever form a pair whose merge comes before the one just undone, that
    merge would have been applied instead.
    """
    while True:
        number = pair_number(table, left, right)
        if number > 0 and table.products[number] < limit:
            return False
        newest = max(left, right)
        if newest < units:
            return True  # both are units: encoding starts here
        # Equal pairs merge from left to right. So a pair at the boundary with the same merge as `newest` comes first if
        # `newest` is the right symbol, and second if it is the left one.
        if newest == right:
            limit = newest + 1
            right = lefts[newest - units]
        else:
            limit = newest
            left = rights[newest - units]
