"""Find the most frequent pair of one language, and merge a pair in the words of all languages.

Words have a count for each language. A pair has one, too, and another for all languages together, in the last column.
Unlike in `merge_step`, merges that make the same token make the same symbol, as in Hugging Face's `tokenizers`. So a
pair may get occurrences later, and its occurrence list is a chain of nodes; some of them are stale by now. Steps are
not undone here: the run that follows the choices does that.
"""

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

from .pairs import compare_symbols, insert, left_of, lookup, pair_key, right_of
from .records import SymbolTable

# Indices into `ParityArrays.state`.
PAIR_COUNT, NODE_COUNT, COLUMNS, TOUCHED_COUNT, HEAP_CAPACITY = range(5)


class ParityArrays(Record):
    """The words of all languages, and their pairs, with spare capacity.

    `COLUMNS` is the number of languages plus 1. `HEAP_CAPACITY` is the number of entries for which the heap of each
    column has space, kept because kernels do not divide by variables: that may raise an error.
    """

    symbols: Int32Array
    """The symbol at each position. Separators, and positions whose symbol was merged away, are negative."""
    nexts: Int32Array
    """The position of the next symbol; the last one of a word is followed by a separator."""
    previous: Int32Array
    """The position of the symbol before."""
    word_of: Int32Array
    """The number of the word at each position."""
    counts: Int64Array
    """How often each word occurs in each column."""
    weights: Int64Array
    """How often each word occurs in what the length of each language is measured in; 0 in the last column."""
    lengths: Int64Array
    """The number of symbols of each language's text now."""
    tokens: SymbolTable
    """The text of each symbol in the order of ties: greater bytes win."""
    keys: Int64Array
    """The two symbols of each pair, packed."""
    slots: Int32Array
    """A hash table from key to pair."""
    heads: Int32Array
    """The first node of each pair's chain, or -1."""
    occurrences: Int32Array
    """The length of each chain."""
    pair_counts: Int64Array
    """How often each pair occurs in each column."""
    banned: UInt8Array
    """1 for a pair that is never chosen."""
    touched: Int32Array
    """The pairs that got occurrences in the last step, some repeatedly."""
    positions: Int32Array
    """The position of each node."""
    following: Int32Array
    """The next node in the chain of each node, or -1."""
    heap_pairs: Int32Array
    """A max-heap of pairs for each column, one after another, with stale entries."""
    heap_counts: Int64Array
    """The count of each entry's pair when it was put there."""
    heap_sizes: Int64Array
    state: Int64Array


@kernel
def find_parity_pairs(run: ParityArrays, position: int, stop: int) -> int:
    """Count the pairs that begin from `position` up to `stop`. Return the position reached: less if arrays are full."""
    while position < stop:
        left, right = run.symbols[position], run.symbols[position + 1]
        if left >= 0 and right >= 0:
            if run.state[PAIR_COUNT] + 1 >= len(run.keys):
                return position
            _add(run, left, right, position)
        position += 1
    return position


@kernel
def make_parity_heaps(run: ParityArrays) -> None:
    """Fill the heap of each column. They must be large enough for all pairs."""
    for pair in range(run.state[PAIR_COUNT]):
        _push_everywhere(run, pair)


@helper
def _add(run: ParityArrays, left: int, right: int, position: int) -> None:
    """Add an occurrence of a pair, which may be new; there must be capacity."""
    state, keys = run.state, run.keys
    key = pair_key(left, right)
    pair = lookup(keys, run.slots, key)
    columns = state[COLUMNS]
    if pair < 0:
        pair = state[PAIR_COUNT]
        state[PAIR_COUNT] = pair + 1
        keys[pair] = key
        insert(keys, run.slots, pair)
        run.heads[pair] = -1
        run.occurrences[pair] = 0
        run.banned[pair] = 0
        for column in range(columns):
            run.pair_counts[pair * columns + column] = 0
    node = state[NODE_COUNT]
    state[NODE_COUNT] = node + 1
    run.positions[node], run.following[node] = position, run.heads[pair]
    run.heads[pair] = node
    run.occurrences[pair] += 1
    _count(run, pair, run.word_of[position], 1)
    if state[TOUCHED_COUNT] < len(run.touched):
        run.touched[state[TOUCHED_COUNT]] = pair
        state[TOUCHED_COUNT] += 1


@helper
def _count(run: ParityArrays, pair: int, word: int, sign: int) -> None:
    columns = run.state[COLUMNS]
    for column in range(columns):
        run.pair_counts[pair * columns + column] += sign * run.counts[word * columns + column]


@helper
def _remove(run: ParityArrays, left: int, right: int, word: int) -> None:
    """Count one occurrence of a pair less; its node goes stale."""
    _count(run, lookup(run.keys, run.slots, pair_key(left, right)), word, -1)


@kernel
def best_parity_pair(run: ParityArrays, column: int) -> int:
    """Return the most frequent pair of a column, and of several, the one with the greatest text; -1 if none is left."""
    columns, capacity = run.state[COLUMNS], run.state[HEAP_CAPACITY]
    base = column * capacity
    while run.heap_sizes[column] > 0:
        pair = run.heap_pairs[base]
        count = run.pair_counts[pair * columns + column]
        if count <= 0 or run.banned[pair]:
            last = run.heap_sizes[column] - 1
            run.heap_sizes[column] = last
            if last > 0:
                _sift_down(run, base, last, run.heap_pairs[base + last], run.heap_counts[base + last])
        elif count == run.heap_counts[base]:
            return pair
        else:
            _sift_down(run, base, run.heap_sizes[column], pair, count)
    return -1


@helper
def _is_above(run: ParityArrays, pair: int, count: int, node: int) -> bool:
    """Return whether a pair with this count belongs above a node of a heap."""
    if count != run.heap_counts[node]:
        return count > run.heap_counts[node]
    key, other = run.keys[pair], run.keys[run.heap_pairs[node]]
    order = compare_symbols(run.tokens, left_of(key), left_of(other))
    if order == 0:
        order = compare_symbols(run.tokens, right_of(key), right_of(other))
    return order > 0


@helper
def _sift_down(run: ParityArrays, base: int, size: int, pair: int, count: int) -> None:
    """Store a pair where it belongs in the heap of this size at `base`: in the first node or below it."""
    pairs, counts, node = run.heap_pairs, run.heap_counts, base
    while 2 * node + 1 - base < base + size:
        child = 2 * node + 1 - base
        if child + 1 < base + size and _is_above(run, pairs[child + 1], counts[child + 1], child):
            child += 1
        if _is_above(run, pair, count, child):
            break
        pairs[node], counts[node] = pairs[child], counts[child]
        node = child
    pairs[node], counts[node] = pair, count


@helper
def _push_everywhere(run: ParityArrays, pair: int) -> None:
    """Push a pair onto the heap of each column in which it occurs."""
    pairs, counts, columns = run.heap_pairs, run.heap_counts, run.state[COLUMNS]
    for column in range(columns):
        count = run.pair_counts[pair * columns + column]
        if count <= 0:
            continue
        base = column * run.state[HEAP_CAPACITY]
        node = base + run.heap_sizes[column]
        run.heap_sizes[column] += 1
        while node > base:
            parent = base + ((node - base - 1) >> 1)
            if not _is_above(run, pair, count, parent):
                break
            pairs[node], counts[node] = pairs[parent], counts[parent]
            node = parent
        pairs[node], counts[node] = pair, count


@kernel
def merge_in_all_languages(run: ParityArrays, pair: int, new: int) -> None:
    """Merge a pair everywhere; `new` is the symbol with its token. There must be capacity for the pairs it makes."""
    state, key, columns = run.state, run.keys[pair], run.state[COLUMNS]
    left, right = left_of(key), right_of(key)
    state[TOUCHED_COUNT] = 0
    node = run.heads[pair]
    run.heads[pair] = -1
    run.occurrences[pair] = 0
    while node >= 0:
        position = run.positions[node]
        node = run.following[node]
        if run.symbols[position] != left or run.symbols[run.nexts[position]] != right:
            continue
        if left == right:  # of overlapping occurrences, the first is merged
            while run.symbols[run.previous[position]] == left:
                position = run.previous[position]
        while run.symbols[position] == left and run.symbols[run.nexts[position]] == right:
            _merge_at(run, position, left, right, new)
            position = run.nexts[position]
    for column in range(columns):
        run.pair_counts[pair * columns + column] = 0
    for i in range(state[TOUCHED_COUNT]):
        other = run.touched[i]
        if other != pair and run.banned[other] < 2:
            run.banned[other] |= 2
            _push_everywhere(run, other)
    for i in range(state[TOUCHED_COUNT]):
        run.banned[run.touched[i]] &= 1


@helper
def _merge_at(run: ParityArrays, position: int, left: int, right: int, new: int) -> None:
    """Merge the symbols at a position and after it, and update the counts of the pairs around them."""
    symbols, word, columns = run.symbols, run.word_of[position], run.state[COLUMNS]
    absorbed = run.nexts[position]
    before, after = run.previous[position], run.nexts[absorbed]
    symbols[position], symbols[absorbed] = new, -2
    run.nexts[position] = after
    if symbols[after] >= 0:
        run.previous[after] = position
        _remove(run, right, symbols[after], word)
        _add(run, new, symbols[after], position)
    if symbols[before] >= 0:
        _remove(run, symbols[before], left, word)
        _add(run, symbols[before], new, before)
    for column in range(columns):
        run.lengths[column] -= run.weights[word * columns + column]
