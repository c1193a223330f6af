"""Apply one merge everywhere, and undo it.

A step visits the occurrences of its pair, merges them, and then looks at the result to find the new pairs. Each new
pair took its occurrences from one source: where `x` stood before `left right`, there is now (x, new) instead of
(x, left). So the counts of new pairs say how much their sources lose, and undoing a step gives the same amounts back.

Overlapping occurrences (`aaa`) are merged from left to right: an occurrence that overlaps a merged one is stale by the
time it is visited.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.kernels.lowlevel.machine import prefetch

from .heap import push
from .pairs import (
    home_slot,
    insert,
    is_vetoed,
    left_of,
    lookup,
    occurs_in_word,
    pair_key,
    remove_last,
    right_of,
    set_count,
    verdict_on_new,
)
from .records import (
    ALPHABET_SIZE,
    FIRST_SEEN,
    HEAP_THRESHOLD,
    ONCE_PER_WORD,
    PAIR_COUNT,
    PAIR_COUNTING,
    POSITION,
    TIE_BREAK,
    WITHOUT_OVERLAP,
    PairTable,
    RunArrays,
)

_AHEAD: Final = 16
"""How many occurrences ahead to prefetch symbols."""


@helper
def apply_merge(run: RunArrays, pair: int) -> int:
    """Merge a pair everywhere. The new symbol must be in the symbol table.

    Return which parts no longer occur: 1 for the left, 2 for the right, 3 for both, else 0.
    """
    state, pairs = run.state, run.pairs
    left, right = left_of(pairs.keys[pair]), right_of(pairs.keys[pair])
    new = run.settings[ALPHABET_SIZE] + state[POSITION]
    merged = _merge_occurrences(run, pair, left, right, new)
    first = state[PAIR_COUNT]
    run.history.saved[state[POSITION]] = _count_new_pairs(run, pair, left, right, new, merged)
    if run.settings[PAIR_COUNTING] != ONCE_PER_WORD:
        _link_new_pairs(run, first, left, right, new)
    _store_new_occurrences(run, first, merged)
    set_count(pairs, run.heap.histogram, pair, 0)
    _settle_new_pairs(run, pair, first, new)
    state[POSITION] += 1
    occurrences = run.symbols.occurrences
    occurrences[left] -= merged
    occurrences[right] -= merged
    occurrences[new] = merged
    if merged == 0:  # a merge of the plan that does not occur
        return 0
    return (1 if occurrences[left] == 0 else 0) | (2 if occurrences[right] == 0 and right != left else 0)


@helper
def _merge_occurrences(run: RunArrays, pair: int, left: int, right: int, new: int) -> int:
    """Merge the live occurrences from left to right and write their positions to `merged`. Return their number."""
    size = 0
    symbols, word_of, frequencies = run.words.symbols, run.words.word_of, run.words.frequencies
    pool, merged, start, end = run.pool, run.scratch.merged, run.pairs.starts[pair], run.pairs.starts[pair + 1]
    left_length, length = run.symbols.lengths[left], run.symbols.lengths[left] + run.symbols.lengths[right]
    for i in range(start, end):
        prefetch(symbols, pool[min(i + _AHEAD, end - 1)])
        position = pool[i]
        after = position + left_length
        if symbols[position] == left and symbols[after - 1] == left and symbols[after] == right:
            symbols[position] = new
            symbols[position + length - 1] = new
            prefetch(frequencies, word_of[position])  # to be added to counts next
            merged[size] = position
            size += 1
    return size


@helper
def _count_new_pairs(run: RunArrays, pair: int, left: int, right: int, new: int, merged: int) -> int:
    """Add and count the pairs that the new symbol forms with its neighbours, at every merged position.

    Return the number of merges in the corpus: each position counts as often as its word occurs.
    """
    symbols, word_of, frequencies = run.words.symbols, run.words.word_of, run.words.frequencies
    starts, counts, scratch = run.pairs.starts, run.pairs.counts, run.scratch
    once, overlaps = run.settings[PAIR_COUNTING] == ONCE_PER_WORD, run.settings[PAIR_COUNTING] != WITHOUT_OVERLAP
    length = run.symbols.lengths[new]
    saved = 0
    odd = False  # whether the new symbol follows itself for an odd number of times
    for i in range(merged):
        position = scratch.merged[i]
        word = word_of[position]
        saved += frequencies[word]
        before, after = symbols[position - 1], symbols[position + length]
        left_pair = right_pair = -1
        odd = before == new and not odd
        if before >= 0:
            left_pair = scratch.pair_of_left[before]
            if left_pair < 0:
                left_pair = _add_pair(run, pair_key(before, new), left, right, new)
                scratch.pair_of_left[before] = left_pair
            starts[left_pair + 1] += 1
            counts[left_pair] += 0 if once or not (overlaps or before != new or odd) else frequencies[word]
            if not overlaps and (before != left or _repeats(run, position - 1, left, -1) & 1):
                run.pairs.taken[left_pair] += frequencies[word]
        if after >= 0 and after != new:
            right_pair = scratch.pair_of_right[after]
            if right_pair < 0:
                right_pair = _add_pair(run, pair_key(new, after), left, right, new)
                scratch.pair_of_right[after] = right_pair
            starts[right_pair + 1] += 1
            counts[right_pair] += 0 if once else frequencies[word]
            if not overlaps and (after != right or _repeats(run, position + length, right, 1) & 1):
                run.pairs.taken[right_pair] += frequencies[word]
        scratch.left_pairs[i], scratch.right_pairs[i] = left_pair, right_pair
        if once:
            _count_once(run, pair, left_pair, word)
            _count_once(run, pair, right_pair, word)
    return saved


@helper
def _repeats(run: RunArrays, position: int, symbol: int, direction: int) -> int:
    """Return how often a symbol follows itself from a position, forwards (1) or backwards (-1).

    If n symbols `x` were a run of n // 2 pairs without overlap, and the merge took one, then the pair `x x` is one less
    frequent only if an odd number is left.
    """
    symbols, distance = run.words.symbols, direction * run.symbols.lengths[symbol]
    repeats = 0
    while symbols[position] == symbol:
        repeats += 1
        position += distance
    return repeats


@helper
def _add_pair(run: RunArrays, key: int, left: int, right: int, new: int) -> int:
    """Add a pair with a count of 0. Meanwhile, `starts[pair + 1]` counts its occurrences.

    It is linked right away only if counting needs its source.
    """
    pairs, state = run.pairs, run.state
    new_pair = state[PAIR_COUNT]
    state[PAIR_COUNT] = new_pair + 1
    pairs.keys[new_pair] = key
    pairs.counts[new_pair] = 0
    pairs.taken[new_pair] = 0
    pairs.starts[new_pair + 1] = 0
    if len(pairs.verdicts) > 0:
        pairs.verdicts[new_pair] = verdict_on_new(run, key)
    if run.settings[PAIR_COUNTING] == ONCE_PER_WORD:
        _link_pair(pairs, new_pair, left, right, new)
    return new_pair


@helper
def _link_new_pairs(run: RunArrays, first: int, left: int, right: int, new: int) -> None:
    """Link `first` and the pairs after it, after prefetching what all of them need, so that cache misses overlap."""
    pairs, last = run.pairs, run.state[PAIR_COUNT]
    keys, slots = pairs.keys, pairs.slots
    for new_pair in range(first, last):
        prefetch(slots, home_slot(slots, keys[new_pair]))
        prefetch(slots, home_slot(slots, _source_key(keys[new_pair], left, right, new)))
    for new_pair in range(first, last):
        prefetch(keys, slots[home_slot(slots, _source_key(keys[new_pair], left, right, new))])
    for new_pair in range(first, last):
        _link_pair(pairs, new_pair, left, right, new)
        prefetch(pairs.counts, pairs.sources[new_pair])


@helper
def _link_pair(pairs: PairTable, new_pair: int, left: int, right: int, new: int) -> None:
    """Find the source of a new pair, and insert it into the hash table."""
    source_key = _source_key(pairs.keys[new_pair], left, right, new)
    pairs.sources[new_pair] = lookup(pairs.keys, pairs.slots, source_key)
    insert(pairs.keys, pairs.slots, new_pair)


@helper
def _source_key(key: int, left: int, right: int, new: int) -> int:
    """Return the pair that a pair with the new symbol has replaced.

    If the left neighbour is also new, its right part was the neighbour before the step.
    """
    before, after = left_of(key), right_of(key)
    if after == new:
        return pair_key(right if before == new else before, left)
    return pair_key(right, after)


@helper
def _count_once(run: RunArrays, pair: int, new_pair: int, word: int) -> None:
    """Count a new pair once per word. If its source no longer occurs in the word, the source loses the word's count."""
    if new_pair < 0:
        return
    words, pairs = run.words, run.pairs
    frequency = words.frequencies[word]
    if pairs.last_words[new_pair] != word:
        pairs.last_words[new_pair] = word
        pairs.counts[new_pair] += frequency
    source = pairs.sources[new_pair]
    if source != pair and pairs.last_words[source] != word:
        pairs.last_words[source] = word
        if not occurs_in_word(run, source, word):
            pairs.taken[new_pair] += frequency


@helper
def _store_new_occurrences(run: RunArrays, first: int, merged: int) -> None:
    """Write the occurrence lists of the new pairs, beginning with `first`, to the pool."""
    pool, starts, keys = run.pool, run.pairs.starts, run.pairs.keys
    lengths, scratch = run.symbols.lengths, run.scratch
    last, first_start = run.state[PAIR_COUNT], starts[first]
    for new_pair in range(first, last):
        starts[new_pair + 1] += starts[new_pair]
    for i in range(merged):
        position = scratch.merged[i]
        new_pair = scratch.left_pairs[i]
        if new_pair >= 0:
            pool[starts[new_pair]] = position - lengths[left_of(keys[new_pair])]
            starts[new_pair] += 1
        new_pair = scratch.right_pairs[i]
        if new_pair >= 0:
            pool[starts[new_pair]] = position
            starts[new_pair] += 1
    # Every start has advanced to the start of the next list.
    for new_pair in range(last, first, -1):
        starts[new_pair] = starts[new_pair - 1]
    starts[first] = first_start


@helper
def _settle_new_pairs(run: RunArrays, pair: int, first: int, new: int) -> None:
    """Lower the counts of the sources, clear the scratch buffers, and push the frequent new pairs onto the heap."""
    pairs, histogram, threshold = run.pairs, run.heap.histogram, run.state[HEAP_THRESHOLD]
    for new_pair in range(first, run.state[PAIR_COUNT]):
        count = pairs.counts[new_pair]
        if count < len(histogram) and not is_vetoed(pairs, new_pair):
            histogram[count] += 1
        source = pairs.sources[new_pair]
        if source != pair:
            set_count(pairs, histogram, source, pairs.counts[source] - pairs.taken[new_pair])
        if run.settings[TIE_BREAK] == FIRST_SEEN:
            pairs.firsts[new_pair] = pairs.starts[new_pair]
        if run.settings[PAIR_COUNTING] == ONCE_PER_WORD:
            pairs.last_words[new_pair] = pairs.last_words[source] = -1
        if left_of(pairs.keys[new_pair]) == new:
            run.scratch.pair_of_right[right_of(pairs.keys[new_pair])] = -1
        if right_of(pairs.keys[new_pair]) == new:
            run.scratch.pair_of_left[left_of(pairs.keys[new_pair])] = -1
        if 0 < threshold <= count and not is_vetoed(pairs, new_pair):
            push(run, new_pair)


@helper
def undo_merge(run: RunArrays) -> None:
    """Undo the last merge."""
    state, symbols, pairs, history = run.state, run.symbols, run.pairs, run.history
    rank = state[POSITION] - 1
    pair = history.pairs[rank]
    left, right = left_of(pairs.keys[pair]), right_of(pairs.keys[pair])
    new = run.settings[ALPHABET_SIZE] + rank
    _remove_new_pairs(run, pair, history.first_new_pairs[rank])
    merged = _split_occurrences(run, pair, left, right, new)
    set_count(pairs, run.heap.histogram, pair, history.counts[rank])
    state[POSITION] = rank
    state[HEAP_THRESHOLD] = 0  # counts rose, so the heap has to be rebuilt
    occurrences = symbols.occurrences
    occurrences[left] += merged
    occurrences[right] += merged
    occurrences[new] = 0


@helper
def _remove_new_pairs(run: RunArrays, pair: int, first: int) -> None:
    """Remove the pairs that the step created, and give back what they took from their sources."""
    state, pairs, histogram = run.state, run.pairs, run.heap.histogram
    for new_pair in range(state[PAIR_COUNT] - 1, first - 1, -1):
        count = pairs.counts[new_pair]
        if 0 < count < len(histogram) and not is_vetoed(pairs, new_pair):
            histogram[count] -= 1
        source = pairs.sources[new_pair]
        if source != pair:
            set_count(pairs, histogram, source, pairs.counts[source] + pairs.taken[new_pair])
        remove_last(pairs.keys, pairs.slots, new_pair)
        if run.settings[TIE_BREAK] == FIRST_SEEN:
            pairs.firsts[source] = pairs.starts[source]  # earlier occurrences are live again
    state[PAIR_COUNT] = first
    if run.settings[TIE_BREAK] == FIRST_SEEN:
        pairs.firsts[pair] = pairs.starts[pair]


@helper
def _split_occurrences(run: RunArrays, pair: int, left: int, right: int, new: int) -> int:
    """Write the two parts back wherever they were merged. Return the number of places."""
    split = 0
    symbols, pool, length = run.words.symbols, run.pool, run.symbols.lengths[new]
    for i in range(run.pairs.starts[pair], run.pairs.starts[pair + 1]):
        position = pool[i]
        last = position + length - 1
        # Go from left to right: where two new symbols touch, the last position of the first one is restored before an
        # occurrence that begins there is visited.
        if symbols[position] == new and symbols[last] == new:
            symbols[position] = left
            symbols[last] = right
            split += 1
    return split
