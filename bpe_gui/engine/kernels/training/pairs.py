"""Look pairs up by their two symbols, change their counts, and find where they still occur.

The hash table uses multiplicative (Fibonacci) hashing and linear probing; see Knuth, “The Art of Computer Programming”,
volume 3, section 6.4. Pairs are removed in reverse order of insertion, so no tombstones are needed."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK, wrapping_multiply
from bpe_gui.engine.kernels.text.sentences import DROPPED
from bpe_gui.engine.kernels.training.records import (
    MAX_LENGTH,
    NEVER_LEFT,
    NEVER_RIGHT,
    NEW_VERDICT,
    PAIR_COUNT,
    SEPARATOR,
    VETOED,
    PairTable,
    RunArrays,
    SymbolTable,
)
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

_MULTIPLIER: Final = 0x1E37_79B9_7F4A_7C15  # odd and close to the golden ratio, so that neighbouring keys spread


@helper
def pair_key(left: int, right: int) -> int:
    """Return a pair of symbols packed into one number."""
    return (left << SYMBOL_BITS) | right


@helper
def left_of(key: int) -> int:
    """Return the left symbol of a packed pair."""
    return key >> SYMBOL_BITS


@helper
def right_of(key: int) -> int:
    """Return the right symbol of a packed pair."""
    return key & SYMBOL_MASK


@helper
def home_slot(slots: Int32Array, key: int) -> int:
    """Return the slot at which probing for a key begins."""
    product = wrapping_multiply(key, _MULTIPLIER)
    return (product ^ (product >> 29)) & (len(slots) - 1)


@helper
def lookup(keys: Int64Array, slots: Int32Array, key: int) -> int:
    """Return the number of the pair with that key, or -1."""
    mask = len(slots) - 1
    slot = home_slot(slots, key)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slots[slot]


@helper
def insert(keys: Int64Array, slots: Int32Array, pair: int) -> None:
    """Insert a pair that is not in the hash table yet."""
    mask = len(slots) - 1
    slot = home_slot(slots, keys[pair])
    while slots[slot] >= 0:
        slot = (slot + 1) & mask
    slots[slot] = pair


@helper
def remove_last(keys: Int64Array, slots: Int32Array, pair: int) -> None:
    """Remove the pair that was inserted last, leaving the hash table exactly as it was before."""
    mask = len(slots) - 1
    slot = home_slot(slots, keys[pair])
    while slots[slot] != pair:
        slot = (slot + 1) & mask
    slots[slot] = -1


@helper
def is_vetoed(pairs: PairTable, pair: int) -> bool:
    """Return whether the plan is known to veto a pair."""
    return len(pairs.verdicts) > 0 and pairs.verdicts[pair] == VETOED


@helper
def verdict_on_new(run: RunArrays, key: int) -> int:
    """Return the verdict on a new pair: VETOED if the recipe forbids it. Symbols of two scripts never merge."""
    symbols, settings = run.symbols, run.settings
    left, right = left_of(key), right_of(key)
    if len(symbols.first_classes) > 0:
        last, first = symbols.last_classes[left], symbols.first_classes[right]
        if symbols.lengths[left] + symbols.lengths[right] > settings[MAX_LENGTH] or (
            last > DROPPED and first > DROPPED and last != first
        ):
            return VETOED
        if left == settings[NEVER_LEFT] or right == settings[NEVER_RIGHT]:
            return VETOED
    return settings[NEW_VERDICT]


@helper
def set_count(pairs: PairTable, histogram: Int64Array, pair: int, count: int) -> None:
    """Change the count of a pair and update the histogram."""
    before = pairs.counts[pair]
    pairs.counts[pair] = count
    if is_vetoed(pairs, pair):
        return
    if 0 < before < len(histogram):
        histogram[before] -= 1
    if 0 < count < len(histogram):
        histogram[count] += 1


@helper
def has_pair_capacity(pairs: PairTable, size: int) -> bool:
    """Return whether the table has capacity for `size` pairs."""
    return size < len(pairs.keys) and 2 * size <= len(pairs.slots)


@helper
def find_or_add(run: RunArrays, key: int) -> int:
    """Return the number of the pair with this key, added without occurrences if it is new. There must be capacity.

    Undoing the previous step removes the pair again, like any pair with a higher number than that step's.
    """
    pairs, state = run.pairs, run.state
    pair = lookup(pairs.keys, pairs.slots, key)
    if pair < 0:
        pair = state[PAIR_COUNT]
        state[PAIR_COUNT] = pair + 1
        pairs.keys[pair] = key
        pairs.counts[pair] = 0
        pairs.taken[pair] = 0
        pairs.sources[pair] = pair  # it took nothing from any other
        pairs.starts[pair + 1] = pairs.starts[pair]
        if len(pairs.firsts) > 0:
            pairs.firsts[pair] = pairs.starts[pair]
        if len(pairs.last_words) > 0:
            pairs.last_words[pair] = -1
        if len(pairs.verdicts) > 0:
            pairs.verdicts[pair] = verdict_on_new(run, key)
        insert(pairs.keys, pairs.slots, pair)
    return pair


@kernel
def insert_all(keys: Int64Array, slots: Int32Array, pairs: int) -> None:
    """Insert the first `pairs` pairs into an empty hash table, in order."""
    for pair in range(pairs):
        insert(keys, slots, pair)


@kernel
def find_pair(keys: Int64Array, slots: Int32Array, key: int) -> int:
    """Return the number of the pair with this key, or -1."""
    return lookup(keys, slots, key)


_PREFIX_BYTES: Final = 7  # as many as fit into 64 bits without the sign bit


@helper
def store_prefix(symbols: SymbolTable, symbol: int) -> None:
    """Store the first bytes of a symbol as a number."""
    prefix = 0
    start, end = symbols.starts[symbol], symbols.starts[symbol + 1]
    for i in range(_PREFIX_BYTES):
        prefix = (prefix << 8) | (symbols.text[start + i] if start + i < end else 0)
    symbols.prefixes[symbol] = prefix


@helper
def compare_symbols(symbols: SymbolTable, one: int, other: int) -> int:
    """Compare the bytes of two symbols. Return a number above 0 if `one` is greater, below 0 if `other` is, else 0."""
    if one == other:
        return 0
    if symbols.prefixes[one] != symbols.prefixes[other]:
        return 1 if symbols.prefixes[one] > symbols.prefixes[other] else -1
    text, starts = symbols.text, symbols.starts
    start, other_start = starts[one], starts[other]
    length, other_length = starts[one + 1] - start, starts[other + 1] - other_start
    for i in range(min(length, other_length)):
        if text[start + i] != text[other_start + i]:
            return 1 if text[start + i] > text[other_start + i] else -1
    return length - other_length


@helper
def compare_tokens(symbols: SymbolTable, key: int, other: int) -> int:
    """Compare the tokens that two pairs would make by their lengths in positions, then by their bytes.

    Return a number above 0 if the first one is greater, below 0 if the other is, else 0.
    """
    text, starts, lengths = symbols.text, symbols.starts, symbols.lengths
    left, right, other_left, other_right = left_of(key), right_of(key), left_of(other), right_of(other)
    longer = lengths[left] + lengths[right] - lengths[other_left] - lengths[other_right]
    if longer != 0:
        return longer
    at, stop, other_at, other_stop = starts[left], starts[left + 1], starts[other_left], starts[other_left + 1]
    for _part in range(3):
        while at < stop and other_at < other_stop:
            if text[at] != text[other_at]:
                return 1 if text[at] > text[other_at] else -1
            at += 1
            other_at += 1
        if at == stop and left >= 0:
            at, stop, left = starts[right], starts[right + 1], -1
        if other_at == other_stop and other_left >= 0:
            other_at, other_stop, other_left = starts[other_right], starts[other_right + 1], -1
    return (stop - at) - (other_stop - other_at)


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
    """Return the offset in the pool of a pair's first live occurrence at or after an offset; there must be one."""
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
