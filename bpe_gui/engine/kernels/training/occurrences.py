"""Find the live entries of occurrence lists: positions where the pair still occurs."""

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .pair_table import left_of, right_of
from .records import SEPARATOR, RunArrays


@helper
def occurs_at(run: RunArrays, position: int, left: int, right: int) -> bool:
    """Return whether a pair still occurs at a position where it once occurred.

    A live symbol is stored at its first and last position. Once it has merged, one of the two has another symbol.
    """
    symbols = run.words.symbols
    after = position + run.symbols.lengths[left]
    return symbols[position] == left and symbols[after - 1] == left and symbols[after] == right


@helper
def first_live(run: RunArrays, pair: int, at: int) -> int:
    """Return the offset in the pool of the first live occurrence of a pair, which must occur, from an offset on."""
    key = run.pairs.keys[pair]
    left, right = left_of(key), right_of(key)
    while not occurs_at(run, run.pool[at], left, right):
        at += 1
    return at


@helper
def advance_first(run: RunArrays, pair: int) -> bool:
    """Move `firsts` of a pair, which must occur, to its first live occurrence. Return whether it moved."""
    firsts = run.pairs.firsts
    before = firsts[pair]
    firsts[pair] = first_live(run, pair, before)
    return firsts[pair] != before


@helper
def occurs_in_word(run: RunArrays, pair: int, word: int) -> bool:
    """Return whether a pair occurs in a word, by binary search in its list."""
    pool, word_of, first = run.pool, run.words.word_of, run.words.starts[word]
    left, right = left_of(run.pairs.keys[pair]), right_of(run.pairs.keys[pair])
    low, end = run.pairs.starts[pair], run.pairs.starts[pair + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if pool[middle] < first:
            low = middle + 1
        else:
            high = middle
    while low < end and word_of[pool[low]] == word:
        if occurs_at(run, pool[low], left, right):
            return True
        low += 1
    return False


@kernel
def first_positions(run: RunArrays, chosen: Int32Array, positions: Int64Array) -> None:
    """Write the first position of each chosen pair to `positions`. The pairs must occur."""
    for i in range(len(chosen)):
        positions[i] = run.pool[first_live(run, chosen[i], run.pairs.starts[chosen[i]])]


@kernel
def count_in_words(run: RunArrays, words: Int64Array, symbol: int, counts: Int64Array) -> None:
    """Add to `counts` how often a symbol occurs in each of some words, given by their numbers."""
    symbols = run.words.symbols
    for i in range(len(words)):
        position = run.words.starts[words[i]]
        while symbols[position] != SEPARATOR:
            if symbols[position] == symbol:
                counts[i] += 1
            position += run.symbols.lengths[symbols[position]]


@kernel
def words_merged_in(run: RunArrays, positions: Int32Array, symbol: int, words: Int64Array) -> int:
    """Write the words in which an applied merge made `symbol` to `words`, each once, in order. Return their number.

    `positions` are the ordered positions of the merged pair. A symbol is stored at its first and last position. A later
    merge overwrites at most one of them: the first if the symbol is its left part, the last if it is its right part.
    The other is then inside a longer symbol and keeps its value.
    """
    symbols, length = run.words.symbols, run.symbols.lengths[symbol]
    count, last = 0, -1
    for i in range(len(positions)):
        position = positions[i]
        # In `aaa`, the symbol may come from an overlapping occurrence, but in the same word.
        if symbols[position] == symbol or symbols[position + length - 1] == symbol:
            word = run.words.word_of[position]
            if word != last:
                words[count] = word
                count += 1
                last = word
    return count
