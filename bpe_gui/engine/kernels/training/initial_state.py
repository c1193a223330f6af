"""Fill the arrays of a run for step 0: the words, the alphabet, and the pairs with their occurrence lists.

Two passes over the symbol array find the pairs. The first counts them and their occurrences; a prefix sum turns these
numbers into the offsets of the occurrence lists; the second writes the lists. Both passes work in slices, so the caller
can report progress and enlarge arrays in between.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.runtime.types import AnyArray, Int32Array, Int64Array, UInt8Array, UInt32Array

from .pairs import insert, is_vetoed, lookup, pair_key, store_prefix, verdict_on_new
from .records import (
    ALPHABET_SIZE,
    FIRST_SEEN,
    ONCE_PER_WORD,
    PAIR_COUNT,
    PAIR_COUNTING,
    SEPARATOR,
    TIE_BREAK,
    WITHOUT_OVERLAP,
    CorpusWords,
    RunArrays,
)

_SPACE_BYTE: Final = 0x20

# Indices into `UnitSymbols.markers`.
PREFIX, SUFFIX = range(2)


class UnitSymbols(Record):
    """Where words start among their units, and the symbols of these, which are bytes or code points."""

    starts: Int64Array
    """The index of each word's first unit, followed by the number of units."""
    marked: UInt8Array
    """1 for each word that gets an end-of-word marker after it, or attached to its last unit."""
    symbol_of: Int32Array
    """The symbol of each unit."""
    symbol_of_last: Int32Array
    """The symbol of each unit at the end of a marked word."""
    markers: Int64Array
    """The symbol in place of a space at the beginning of a word, and the one after a marked word; or -1."""


@kernel
def lay_out_bytes(units: UInt8Array, of_units: UnitSymbols, words: CorpusWords, occurrences: Int64Array) -> None:
    """Write words of bytes into the symbol array; see `_lay_out`."""
    _lay_out(units, of_units, words, occurrences)


@kernel
def lay_out_characters(units: UInt32Array, of_units: UnitSymbols, words: CorpusWords, occurrences: Int64Array) -> None:
    """Write words of code points into the symbol array; see `_lay_out`."""
    _lay_out(units, of_units, words, occurrences)


@helper
def _lay_out(units: AnyArray, of_units: UnitSymbols, words: CorpusWords, occurrences: Int64Array) -> None:
    """Write the words into the symbol array, and count the occurrences of each symbol."""
    starts, marked, symbol_of = of_units.starts, of_units.marked, of_units.symbol_of
    prefix, suffix = of_units.markers[PREFIX], of_units.markers[SUFFIX]
    symbols, word_of = words.symbols, words.word_of
    position = 0
    symbols[position] = SEPARATOR
    for word in range(len(starts) - 1):
        position += 1
        words.starts[word] = position
        at, end = starts[word], starts[word + 1]
        if prefix >= 0 and units[at] == _SPACE_BYTE:
            symbols[position] = prefix
            word_of[position] = word
            position += 1
            at += 1
        last = end - 1 if marked[word] else end
        while at < end:
            symbols[position] = symbol_of[units[at]] if at < last else of_units.symbol_of_last[units[at]]
            word_of[position] = word
            position += 1
            at += 1
        if suffix >= 0 and marked[word]:
            symbols[position] = suffix
            word_of[position] = word
            position += 1
        symbols[position] = SEPARATOR
        word_of[position] = word
        for i in range(words.starts[word], position):
            occurrences[symbols[i]] += 1


@kernel
def describe_alphabet(run: RunArrays) -> None:
    """Fill in the lengths and prefixes of the alphabet's symbols, given their bytes."""
    for symbol in range(run.settings[ALPHABET_SIZE]):
        run.symbols.lengths[symbol] = 1
        store_prefix(run.symbols, symbol)


@kernel
def count_pairs(run: RunArrays, position: int, stop: int) -> int:
    """Count the pairs from `position` up to `stop`. Return the position reached: less than `stop` if arrays are full.

    Meanwhile, `starts[pair + 1]` counts the occurrences of a pair.
    """
    symbols, word_of, frequencies = run.words.symbols, run.words.word_of, run.words.frequencies
    pairs, state = run.pairs, run.state
    once = run.settings[PAIR_COUNTING] == ONCE_PER_WORD
    overlaps = run.settings[PAIR_COUNTING] != WITHOUT_OVERLAP
    first = position  # of the equal symbols that end here
    while first > 0 and symbols[first - 1] == symbols[position]:
        first -= 1
    while position < stop:
        left, right = symbols[position], symbols[position + 1]
        if left != symbols[first]:
            first = position
        if left >= 0 and right >= 0:
            pair = lookup(pairs.keys, pairs.slots, pair_key(left, right))
            if pair < 0:
                pair = state[PAIR_COUNT]
                if pair + 1 >= len(pairs.keys) or 2 * pair + 2 > len(pairs.slots):
                    return position
                state[PAIR_COUNT] = pair + 1
                pairs.keys[pair] = pair_key(left, right)
                pairs.sources[pair] = -1
                pairs.counts[pair] = 0
                pairs.starts[pair + 1] = 0
                insert(pairs.keys, pairs.slots, pair)
            word = word_of[position]
            pairs.starts[pair + 1] += 1
            if not once and (overlaps or left != right or (position - first) & 1 == 0):
                pairs.counts[pair] += frequencies[word]
            elif once and pairs.last_words[pair] != word:
                pairs.last_words[pair] = word
                pairs.counts[pair] += frequencies[word]
        position += 1
    return position


@kernel
def reserve_occurrences(run: RunArrays) -> None:
    """Turn the numbers of occurrences in `starts` into the offsets of the lists in the pool, by a prefix sum."""
    starts = run.pairs.starts
    starts[0] = 0
    for pair in range(run.state[PAIR_COUNT]):
        starts[pair + 1] += starts[pair]


@kernel
def store_occurrences(run: RunArrays, position: int, stop: int) -> None:
    """Write the occurrences from `position` up to `stop` to the pool; `starts` of each pair advances with its list."""
    symbols, pairs = run.words.symbols, run.pairs
    for at in range(position, stop):
        left, right = symbols[at], symbols[at + 1]
        if left >= 0 and right >= 0:
            pair = lookup(pairs.keys, pairs.slots, pair_key(left, right))
            run.pool[pairs.starts[pair]] = at
            pairs.starts[pair] += 1


@kernel
def finish_pairs(run: RunArrays) -> None:
    """Move `starts` back to where the lists start, and fill in the histogram and the remaining columns of the pairs."""
    pairs = run.pairs
    for pair in range(run.state[PAIR_COUNT], 0, -1):
        pairs.starts[pair] = pairs.starts[pair - 1]
    pairs.starts[0] = 0
    for pair in range(run.state[PAIR_COUNT]):
        if len(pairs.verdicts) > 0:
            pairs.verdicts[pair] = verdict_on_new(run, pairs.keys[pair])
        if not is_vetoed(pairs, pair):
            count = pairs.counts[pair]
            if count < len(run.heap.histogram):
                run.heap.histogram[count] += 1
        if run.settings[PAIR_COUNTING] == ONCE_PER_WORD:
            pairs.last_words[pair] = -1
        if run.settings[TIE_BREAK] == FIRST_SEEN:
            pairs.firsts[pair] = pairs.starts[pair]
