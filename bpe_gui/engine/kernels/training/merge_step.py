"""One step of training, forward and back.

A step visits the places of its pair, merges, and finds from the state after it which pairs came into being. Each of
these took its places from another: where `x` stood before `left right`, the pair (x, new) is there now instead of
(x, left). So the counts of what is lost follow from what is new, and both are undone by the same account.
"""

from bpe_gui.engine.runtime.jit import helper
from bpe_gui.engine.kernels.training.heap import push
from bpe_gui.engine.kernels.training.occurrences import lives_in_word
from bpe_gui.engine.kernels.training.pair_table import find, insert, key_of, left_of, remove_last, right_of, set_count
from bpe_gui.engine.kernels.training.records import (
    ALPHABET,
    FIRST_SEEN,
    LEAST,
    ONCE_PER_WORD,
    PAIR_COUNTING,
    PAIRS,
    POSITION,
    TIE_BREAK,
    Ints,
    Machine,
)


@helper
def apply(machine: Machine, pair: int) -> int:
    """Merge a pair everywhere. The new symbol has to be known. Returns which parts stand nowhere now."""
    state, pairs = machine.state, machine.pairs
    left, right = left_of(pairs.keys[pair]), right_of(pairs.keys[pair])
    new = machine.settings[ALPHABET] + state[POSITION]
    merged = _merge(
        machine.words.symbols,
        machine.symbols.lengths,
        machine.pool,
        pairs.begins[pair],
        pairs.begins[pair + 1],
        left,
        right,
        new,
        machine.scratch.merged,
    )
    first = state[PAIRS]
    _find_new_pairs(machine, pair, left, right, new, merged)
    _note_places(machine, first, merged)
    set_count(pairs.counts, machine.choice.levels, pair, 0)
    _settle(machine, pair, first, new)
    state[POSITION] += 1
    living = machine.symbols.living
    living[left] -= merged
    living[right] -= merged
    living[new] = merged
    return (1 if living[left] == 0 else 0) | (2 if living[right] == 0 and right != left else 0)


@helper
def _merge(
    symbols: Ints, lengths: Ints, pool: Ints, begin: int, end: int, left: int, right: int, new: int, merged: Ints
) -> int:
    """Merge from left to right where the pair stands; writes the places down, and returns how many these are."""
    size = 0
    over_left, length = lengths[left], lengths[left] + lengths[right]
    for i in range(begin, end):
        place = pool[i]
        after = place + over_left
        if symbols[place] == left and symbols[after - 1] == left and symbols[after] == right:
            symbols[place] = new
            symbols[place + length - 1] = new
            merged[size] = place
            size += 1
    return size


@helper
def _find_new_pairs(machine: Machine, pair: int, left: int, right: int, new: int, merged: int) -> None:
    """Count the pairs that the new symbol makes with its neighbours, at every place where it was made."""
    symbols, word_of, frequencies = machine.words.symbols, machine.words.word_of, machine.words.frequencies
    begins, counts, scratch = machine.pairs.begins, machine.pairs.counts, machine.scratch
    once = machine.settings[PAIR_COUNTING] == ONCE_PER_WORD
    length = machine.symbols.lengths[new]
    for i in range(merged):
        place = scratch.merged[i]
        word = word_of[place]
        before, after = symbols[place - 1], symbols[place + length]
        made_left = made_right = -1
        if before >= 0:
            made_left = scratch.near_left[before]
            if made_left < 0:
                # What is new itself now was the right part a moment ago.
                made_left = _add(machine, key_of(before, new), key_of(right if before == new else before, left))
                scratch.near_left[before] = made_left
            begins[made_left + 1] += 1
            counts[made_left] += 0 if once else frequencies[word]
        if after >= 0 and after != new:
            made_right = scratch.near_right[after]
            if made_right < 0:
                made_right = _add(machine, key_of(new, after), key_of(right, after))
                scratch.near_right[after] = made_right
            begins[made_right + 1] += 1
            counts[made_right] += 0 if once else frequencies[word]
        scratch.made_left[i], scratch.made_right[i] = made_left, made_right
        if once:
            _count_once(machine, pair, made_left, word)
            _count_once(machine, pair, made_right, word)


@helper
def _add(machine: Machine, key: int, source_key: int) -> int:
    """Add a pair that counts nothing yet; `begins` of the pair after it counts its places."""
    pairs, state = machine.pairs, machine.state
    made = state[PAIRS]
    state[PAIRS] = made + 1
    pairs.keys[made] = key
    pairs.sources[made] = find(pairs.keys, pairs.slots, source_key)
    pairs.counts[made] = 0
    pairs.taken[made] = 0
    pairs.begins[made + 1] = 0
    insert(pairs.keys, pairs.slots, made)
    return made


@helper
def _count_once(machine: Machine, pair: int, made: int, word: int) -> None:
    """Count a new pair in a word if it is the first there, and take its source from the word if it was the last."""
    if made < 0:
        return
    words, pairs = machine.words, machine.pairs
    frequency = words.frequencies[word]
    if pairs.marks[made] != word:
        pairs.marks[made] = word
        pairs.counts[made] += frequency
    source = pairs.sources[made]
    if source != pair and pairs.marks[source] != word:
        pairs.marks[source] = word
        if not lives_in_word(
            words.symbols,
            machine.symbols.lengths,
            machine.pool,
            pairs.begins,
            pairs.keys[source],
            source,
            words.starts[word],
            words.word_of,
        ):
            pairs.taken[made] += frequency


@helper
def _note_places(machine: Machine, first: int, merged: int) -> None:
    """Write the places of the new pairs to the pool, each pair's in order."""
    pool, begins, keys = machine.pool, machine.pairs.begins, machine.pairs.keys
    lengths, scratch = machine.symbols.lengths, machine.scratch
    last, top = machine.state[PAIRS], begins[first]
    for made in range(first, last):
        begins[made + 1] += begins[made]
    for i in range(merged):
        place = scratch.merged[i]
        made = scratch.made_left[i]
        if made >= 0:
            pool[begins[made]] = place - lengths[left_of(keys[made])]
            begins[made] += 1
        made = scratch.made_right[i]
        if made >= 0:
            pool[begins[made]] = place
            begins[made] += 1
    # Every beginning has moved to where the next pair begins.
    for made in range(last, first, -1):
        begins[made] = begins[made - 1]
    begins[first] = top


@helper
def _settle(machine: Machine, pair: int, first: int, new: int) -> None:
    """Take from the sources what the new pairs have, and have the heap know the new pairs."""
    pairs, levels, least = machine.pairs, machine.choice.levels, machine.state[LEAST]
    for made in range(first, machine.state[PAIRS]):
        count = pairs.counts[made]
        if count < len(levels):
            levels[count] += 1
        source = pairs.sources[made]
        if source != pair:
            set_count(pairs.counts, levels, source, pairs.counts[source] - pairs.taken[made])
        if machine.settings[TIE_BREAK] == FIRST_SEEN:
            pairs.firsts[made] = pairs.begins[made]
        if machine.settings[PAIR_COUNTING] == ONCE_PER_WORD:
            pairs.marks[made] = pairs.marks[source] = -1
        if left_of(pairs.keys[made]) == new:
            machine.scratch.near_right[right_of(pairs.keys[made])] = -1
        if right_of(pairs.keys[made]) == new:
            machine.scratch.near_left[left_of(pairs.keys[made])] = -1
        if 0 < least <= count:
            push(machine, made)


@helper
def undo(machine: Machine) -> None:
    """Undo the last step."""
    state, symbols, pairs, run = machine.state, machine.symbols, machine.pairs, machine.run
    position = state[POSITION] - 1
    pair = run.pairs[position]
    left, right = left_of(pairs.keys[pair]), right_of(pairs.keys[pair])
    new = machine.settings[ALPHABET] + position
    _give_back(machine, pair, run.first_pairs[position])
    merged = _split(
        machine.words.symbols,
        symbols.lengths,
        machine.pool,
        pairs.begins[pair],
        pairs.begins[pair + 1],
        left,
        right,
        new,
    )
    set_count(pairs.counts, machine.choice.levels, pair, run.counts[position])
    state[POSITION] = position
    state[LEAST] = 0  # counts rose, so the heap has to be built anew
    living = symbols.living
    living[left] += merged
    living[right] += merged
    living[new] = 0


@helper
def _give_back(machine: Machine, pair: int, first: int) -> None:
    """Remove the pairs that the step brought, and give what they took to their sources again."""
    state, pairs, levels = machine.state, machine.pairs, machine.choice.levels
    for made in range(state[PAIRS] - 1, first - 1, -1):
        count = pairs.counts[made]
        if count < len(levels):
            levels[count] -= 1
        source = pairs.sources[made]
        if source != pair:
            set_count(pairs.counts, levels, source, pairs.counts[source] + pairs.taken[made])
        remove_last(pairs.keys, pairs.slots, made)
        if machine.settings[TIE_BREAK] == FIRST_SEEN:
            pairs.firsts[source] = pairs.begins[source]  # places further left live again
    state[PAIRS] = first
    if machine.settings[TIE_BREAK] == FIRST_SEEN:
        pairs.firsts[pair] = pairs.begins[pair]


@helper
def _split(symbols: Ints, lengths: Ints, pool: Ints, begin: int, end: int, left: int, right: int, new: int) -> int:
    """Write the two parts back wherever they were merged; returns how often that was."""
    split = 0
    length = lengths[new]
    for i in range(begin, end):
        place = pool[i]
        last = place + length - 1
        # From left to right: where two new symbols touch, the first one's last place is no longer new when it comes up.
        if symbols[place] == new and symbols[last] == new:
            symbols[place] = left
            symbols[last] = right
            split += 1
    return split
