"""Where pairs stand. A place in the pool lives while its pair still stands there."""

from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.pair_table import left_of, right_of
from bpe_gui.engine.kernels.training.records import Ints, Longs


@helper
def stands_at(symbols: Ints, lengths: Ints, place: int, left: int, right: int) -> bool:
    """Whether the pair stands at a place where it once did.

    A symbol that lives stands at its first and last place. Once it was merged, one of these has another.
    """
    after = place + lengths[left]
    return symbols[place] == left and symbols[after - 1] == left and symbols[after] == right


@helper
def settle_first(symbols: Ints, lengths: Ints, pool: Ints, firsts: Longs, key: int, pair: int) -> bool:
    """Move on to the first place of the pair that lives, and say whether that was another. The pair has to live."""
    left, right = left_of(key), right_of(key)
    at = firsts[pair]
    while not stands_at(symbols, lengths, pool[at], left, right):
        at += 1
    moved = at != firsts[pair]
    firsts[pair] = at
    return moved


@helper
def lives_in_word(
    symbols: Ints, lengths: Ints, pool: Ints, begins: Longs, key: int, pair: int, first: int, word_of: Ints
) -> bool:
    """Whether the pair stands anywhere in the word that begins at place `first`."""
    left, right = left_of(key), right_of(key)
    low, end = begins[pair], begins[pair + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if pool[middle] < first:
            low = middle + 1
        else:
            high = middle
    while low < end and word_of[pool[low]] == word_of[first]:
        if stands_at(symbols, lengths, pool[low], left, right):
            return True
        low += 1
    return False


@kernel
def first_places(
    symbols: Ints, lengths: Ints, pool: Ints, keys: Longs, begins: Longs, chosen: Ints, places: Longs
) -> None:
    """Write the first living place of each chosen pair to `places`. The pairs have to live."""
    for i in range(len(chosen)):
        pair = chosen[i]
        left, right = left_of(keys[pair]), right_of(keys[pair])
        at = begins[pair]
        while not stands_at(symbols, lengths, pool[at], left, right):
            at += 1
        places[i] = pool[at]
