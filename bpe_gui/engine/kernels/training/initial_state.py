"""The start of a run: the words laid out in a row of places, and the pairs in them."""

from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.pair_table import find, insert, key_of
from bpe_gui.engine.kernels.training.records import (
    ALPHABET,
    FIRST_SEEN,
    ONCE_PER_WORD,
    PAIR_COUNTING,
    PAIRS,
    SEPARATOR,
    TIE_BREAK,
    Bytes,
    Ints,
    Longs,
    Machine,
    Numbers,
    Words,
)
from bpe_gui.engine.kernels.training.navigation import note_prefix


@kernel
def lay_out(
    units: Numbers,
    starts: Longs,
    marked: Bytes,
    symbol_of: Ints,
    symbol_of_last: Ints,
    before: int,
    after: int,
    words: Words,
    living: Longs,
) -> None:
    """Write the words into the row of places, and count how often each symbol stands there.

    `units` are the bytes or code points of all words, word w from `starts[w]` on. `symbol_of` has the symbol of each
    unit and `symbol_of_last` that of the last one of a word that is `marked`. The symbol `before` stands for the space
    at the beginning of a word, the symbol `after` follows a marked word; either is -1 if the recipe has none.
    """
    symbols, word_of = words.symbols, words.word_of
    place = 0
    symbols[place] = SEPARATOR
    for word in range(len(starts) - 1):
        place += 1
        words.starts[word] = place
        at, end = starts[word], starts[word + 1]
        if before >= 0 and units[at] == 32:
            symbols[place] = before
            word_of[place] = word
            place += 1
            at += 1
        last = end - 1 if marked[word] else end
        while at < end:
            symbols[place] = symbol_of[units[at]] if at < last else symbol_of_last[units[at]]
            word_of[place] = word
            place += 1
            at += 1
        if after >= 0 and marked[word]:
            symbols[place] = after
            word_of[place] = word
            place += 1
        symbols[place] = SEPARATOR
        word_of[place] = word
        for i in range(words.starts[word], place):
            living[symbols[i]] += 1


@kernel
def note_alphabet(machine: Machine) -> None:
    """Work out what is known of the symbols of the alphabet from their bytes."""
    for symbol in range(machine.settings[ALPHABET]):
        machine.symbols.lengths[symbol] = 1
        note_prefix(machine.symbols, symbol)


@kernel
def count_pairs(machine: Machine, place: int, stop: int) -> int:
    """Count the pairs from `place` on, up to `stop`. Returns where it ended: earlier for want of room.

    `begins` of the pair after a pair counts its places.
    """
    symbols, word_of, frequencies = machine.words.symbols, machine.words.word_of, machine.words.frequencies
    pairs, state = machine.pairs, machine.state
    once = machine.settings[PAIR_COUNTING] == ONCE_PER_WORD
    while place < stop:
        left, right = symbols[place], symbols[place + 1]
        if left >= 0 and right >= 0:
            pair = find(pairs.keys, pairs.slots, key_of(left, right))
            if pair < 0:
                pair = state[PAIRS]
                if pair + 1 >= len(pairs.keys) or 2 * pair + 2 > len(pairs.slots):
                    return place
                state[PAIRS] = pair + 1
                pairs.keys[pair] = key_of(left, right)
                pairs.sources[pair] = -1
                pairs.counts[pair] = 0
                pairs.begins[pair + 1] = 0
                insert(pairs.keys, pairs.slots, pair)
            word = word_of[place]
            pairs.begins[pair + 1] += 1
            if not once:
                pairs.counts[pair] += frequencies[word]
            elif pairs.marks[pair] != word:
                pairs.marks[pair] = word
                pairs.counts[pair] += frequencies[word]
        place += 1
    return place


@kernel
def note_places(machine: Machine, place: int, stop: int) -> None:
    """Write the places of the pairs from `place` on, up to `stop`, to the pool; `begins` moves on with them."""
    symbols, pairs = machine.words.symbols, machine.pairs
    for at in range(place, stop):
        left, right = symbols[at], symbols[at + 1]
        if left >= 0 and right >= 0:
            pair = find(pairs.keys, pairs.slots, key_of(left, right))
            machine.pool[pairs.begins[pair]] = at
            pairs.begins[pair] += 1


@kernel
def open_pairs(machine: Machine) -> None:
    """Turn the numbers of places in `begins` into where these begin, before they are noted."""
    begins = machine.pairs.begins
    begins[0] = 0
    for pair in range(machine.state[PAIRS]):
        begins[pair + 1] += begins[pair]


@kernel
def close_pairs(machine: Machine) -> None:
    """Put `begins` back after the places were noted, and fill in what else there is of a pair."""
    pairs = machine.pairs
    for pair in range(machine.state[PAIRS], 0, -1):
        pairs.begins[pair] = pairs.begins[pair - 1]
    pairs.begins[0] = 0
    for pair in range(machine.state[PAIRS]):
        _note_level(machine.choice.levels, pairs.counts[pair])
        if machine.settings[PAIR_COUNTING] == ONCE_PER_WORD:
            pairs.marks[pair] = -1
        if machine.settings[TIE_BREAK] == FIRST_SEEN:
            pairs.firsts[pair] = pairs.begins[pair]


@helper
def _note_level(levels: Longs, count: int) -> None:
    if count < len(levels):
        levels[count] += 1
