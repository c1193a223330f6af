"""Find the live entries of occurrence lists: positions where the pair still occurs."""

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .pair_table import left_of, right_of
from .records import SEPARATOR


@helper
def occurs_at(symbols: Int32Array, lengths: Int32Array, position: int, left: int, right: int) -> bool:
    """Return whether a pair still occurs at a position where it once occurred.

    A live symbol is stored at its first and last position. Once it has merged, one of the two has another symbol.
    """
    after = position + lengths[left]
    return symbols[position] == left and symbols[after - 1] == left and symbols[after] == right


@helper
def advance_first(
    symbols: Int32Array, lengths: Int32Array, pool: Int32Array, firsts: Int64Array, key: int, pair: int
) -> bool:
    """Move `firsts` of a pair, which must occur, to its first live occurrence. Return whether it moved."""
    left, right = left_of(key), right_of(key)
    at = firsts[pair]
    while not occurs_at(symbols, lengths, pool[at], left, right):
        at += 1
    moved = at != firsts[pair]
    firsts[pair] = at
    return moved


@helper
def occurs_in_word(
    symbols: Int32Array,
    lengths: Int32Array,
    pool: Int32Array,
    starts: Int64Array,
    key: int,
    pair: int,
    first: int,
    word_of: Int32Array,
) -> bool:
    """Return whether a pair occurs in the word that begins at position `first`, by binary search in its list."""
    left, right = left_of(key), right_of(key)
    low, end = starts[pair], starts[pair + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if pool[middle] < first:
            low = middle + 1
        else:
            high = middle
    while low < end and word_of[pool[low]] == word_of[first]:
        if occurs_at(symbols, lengths, pool[low], left, right):
            return True
        low += 1
    return False


@kernel
def first_positions(
    symbols: Int32Array,
    lengths: Int32Array,
    pool: Int32Array,
    keys: Int64Array,
    starts: Int64Array,
    chosen: Int32Array,
    positions: Int64Array,
) -> None:
    """Write the first position of each chosen pair to `positions`. The pairs must occur."""
    for i in range(len(chosen)):
        pair = chosen[i]
        left, right = left_of(keys[pair]), right_of(keys[pair])
        at = starts[pair]
        while not occurs_at(symbols, lengths, pool[at], left, right):
            at += 1
        positions[i] = pool[at]


@kernel
def count_in_words(
    symbols: Int32Array,
    lengths: Int32Array,
    starts: Int64Array,
    words: Int64Array,
    symbol: int,
    counts: Int64Array,
) -> None:
    """Add to `counts` how often a symbol occurs in each of some words, given by their numbers."""
    for i in range(len(words)):
        position = starts[words[i]]
        while symbols[position] != SEPARATOR:
            if symbols[position] == symbol:
                counts[i] += 1
            position += lengths[symbols[position]]


@kernel
def words_merged_in(
    symbols: Int32Array,
    word_of: Int32Array,
    positions: Int32Array,
    symbol: int,
    length: int,
    words: Int64Array,
) -> int:
    """Write the words in which an applied merge made `symbol` to `words`, each once, in order. Return their number.

    `positions` are the ordered positions of the merged pair, and `length` is the symbol's length. A symbol is stored at
    its first and last position. A later merge overwrites at most one of them: the first if the symbol is its left part,
    the last if the symbol is its right part. The other is then inside a longer symbol and keeps its value.
    """
    count, last = 0, -1
    for i in range(len(positions)):
        position = positions[i]
        # In `aaa`, the symbol may come from an overlapping occurrence, but in the same word.
        if symbols[position] == symbol or symbols[position + length - 1] == symbol:
            word = word_of[position]
            if word != last:
                words[count] = word
                count += 1
                last = word
    return count
