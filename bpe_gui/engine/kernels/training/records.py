"""What the arrays of a run hold. Records of arrays, passed to kernels as they are.

A *place* is where a symbol of a word began: all unique words lie in one row of places, word by word, each between two
separators. A token of several symbols covers as many places; its number stands at the first and the last of them, and
what stands between is what stood there before. So the neighbours of a token are found from lengths alone, and undoing a
merge takes no more than writing its two parts back.

*Symbols* are numbered: the alphabet, then one for each merge of the run. *Pairs* are numbered as they come into being.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]

SEPARATOR: Final = -1
"""Stands in the row before the first word and after each."""

SYMBOL_BITS: Final = 32
SYMBOL_MASK: Final = 0xFFFF_FFFF
"""A pair as one number: its left symbol above these bits, its right one in them."""

# How ties are broken, and pairs counted.
GREATEST, FIRST_SEEN, SMALLEST_ID = range(3)
OCCURRENCES, ONCE_PER_WORD = range(2)

# What stands in `Run.state`.
PAIRS = 0  # how many pairs there are, those with a count of 0 included
POSITION = 1  # how many merges are applied
KNOWN = 2  # how many merges of the run are known
HEAP = 3  # how many pairs are in the heap
LEAST = 4  # the least count that puts a pair in the heap; 0 where the heap has to be built anew
CHOSEN = 5  # the pair that comes next, or -1
TIES = 6  # how many other pairs occur as often
STATE_SIZE: Final = 7


class Words(NamedTuple):
    """The unique words as split now."""

    symbols: Ints
    """By place: a symbol, or SEPARATOR."""
    word_of: Ints
    """By place: the number of its word."""
    starts: Longs
    """By word: its first place."""
    frequencies: Longs
    """By word: how often it occurs in the corpus."""


class Symbols(NamedTuple):
    """The symbols known so far; room for more."""

    lengths: Ints
    """In places."""
    starts: Longs
    """Where in `text` the bytes of a symbol begin; those of the next follow."""
    text: Bytes
    prefixes: Longs
    """The first seven bytes as a number, so that most comparisons need not look at the text."""
    living: Longs
    """How many places begin with the symbol now."""


class Pairs(NamedTuple):
    """The pairs, in the order in which they came into being; room for more."""

    keys: Longs
    """The two symbols as one number."""
    counts: Longs
    """As the recipe counts; 0 for a pair that is gone."""
    begins: Longs
    """Where in the pool the places of the pair begin; those of the next pair follow."""
    firsts: Longs
    """Where in the pool the first living place may be: none before it lives. Only kept for the tie rule that asks."""
    sources: Ints
    """The pair whose places became this one's when it came into being; -1 for the pairs of the start."""
    taken: Longs
    """By how much the source's count fell then. The same array as `counts`, where that is the same."""
    marks: Ints
    """The word in which the pair was last seen, in the middle of a step; -1 between steps."""
    slots: Ints
    """Hash table from key to number of pair, by linear probing; -1 where empty. Its size is a power of two."""


class Choice(NamedTuple):
    """What finds the next pair."""

    heap: Ints
    """Pairs with at least `LEAST` occurrences, the best at the top, by `heap_counts`."""
    heap_counts: Longs
    """What the count was when the pair was put here. It may have fallen since, never risen."""
    levels: Longs
    """By count, while it is below the length: how many pairs have it."""


class Run(NamedTuple):
    """What was merged, step by step."""

    pairs: Ints
    counts: Longs
    ties: Longs
    """How many other pairs occurred as often."""
    first_pairs: Longs
    """How many pairs there were before the step: those that it brought come after."""
    gone: Bytes
    """Which parts stand nowhere after the step: 1 the left, 2 the right."""


class Scratch(NamedTuple):
    """What a step writes down for its own use."""

    merged: Ints
    """The places where it merged, in order."""
    made_left: Ints
    """For each of these, the new pair that ends there; -1 where a word begins."""
    made_right: Ints
    """And the new pair that begins there; -1 where a word ends, or where the next symbol is new, too."""
    near_left: Ints
    """By symbol: the pair of that symbol and the new one; -1 where there is none, as between steps."""
    near_right: Ints
    """The same, with the new symbol on the left."""


class Machine(NamedTuple):
    """All of a run."""

    words: Words
    symbols: Symbols
    pairs: Pairs
    pool: Ints
    """The places where each pair came into being, pair by pair, in order. Some have died since."""
    choice: Choice
    run: Run
    scratch: Scratch
    state: Longs
    settings: Longs
    """The tie rule, the way of counting, the size of the alphabet, and the least count that is merged."""


TIE_BREAK, PAIR_COUNTING, ALPHABET, MIN_COUNT = range(4)
"""What stands in `Machine.settings`."""
