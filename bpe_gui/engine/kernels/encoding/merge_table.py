"""The merges of a tokenizer: which symbols a word starts as, and which pairs of them merge into what, and when."""

from typing import Final, NamedTuple

from bpe_gui.engine.kernels.lowlevel.bits import multiply, prefetch
from bpe_gui.engine.runtime.jit import helper, inlined, kernel
from bpe_gui.engine.kernels.training.records import SYMBOL_BITS, SYMBOL_MASK, Bytes, Ints, Longs
from bpe_gui.engine.kernels.text.scanning import LETTER, NUMBER
from bpe_gui.engine.kernels.lowlevel.utf8 import code_at, size_at
from bpe_gui.engine.kernels.lowlevel.vectors import EIGHT, NUMBER_BITS, find_in_eight

UNKNOWN: Final = 1 << 30
"""A unit that is no symbol is written as this and its size in bytes."""

NO_RANK: Final = 0x7FFF_FFFF
NEVER: Final = NO_RANK << SYMBOL_BITS
"""Stands for the merge of a pair that does not merge: greater than any."""

# A slot has the number of a pair in `NUMBER_BITS`, and above it the two symbols in as many each.
_NUMBER_MASK: Final = (1 << NUMBER_BITS) - 1

MOST_SYMBOLS: Final = _NUMBER_MASK
"""Symbols, and pairs as well, that a table can tell apart; there is one number more, for what is no symbol."""

FIRST_SYMBOLS: Final = 256

IN_ORDER: Final = 0  # in `PairTable.settings`

_SPREAD: Final = 0x1E37_79B9_7F4A_7C15  # odd, and about the golden ratio: spreads neighbouring keys

# What stands in `Merges.settings`.
UNITS, BOUNDARY, MARKER, NO_ID, SPLITS_IDEOGRAPHS = range(5)
# What words start as.
BYTES, CHARACTERS = range(2)
# Where the marker of the end of words is.
NO_BOUNDARY, SUFFIX, ATTACHED, PREFIX = range(4)

_SPACE_BYTE: Final = 0x20
MARKER_SIZE: Final = 4


class PairTable(NamedTuple):
    """Pairs and what they merge into: a hash table in which eight slots, a line of memory, are asked at once.

    Whether a pair merges cannot be foreseen, and a processor that guessed wrong starts anew. So where a pair is looked
    up, nothing is asked of which the answer is not nearly always the same.
    """

    slots: Longs
    """Pairs, each with its number below it, or 0 where there is none. Those that have no room in their eight slots are
    in the next."""
    makes: Ints
    """By number, from 1 on: the symbol a pair makes. Those of low ranks, which are looked up most, lie together."""
    ranks: Ints
    """By number: the rank of the merge, and `NO_RANK` for 0."""
    of_first: Ints
    """By pair of the first `FIRST_SYMBOLS` symbols: its number, or 0 if it does not merge. These are bytes, for the
    most part, which words start as."""
    settings: Longs
    """Whether the rank of each pair is its number less 1, so that nothing else need be looked at to know it."""


class Merges(NamedTuple):
    """What a tokenizer does to words, with symbols as numbers. Room for more."""

    pairs: PairTable
    firsts: Ints
    """By unit, a byte or a code point: its symbol and 1, or 0 if it is none."""
    lasts: Ints
    """The same for a unit with the marker of the end of words attached."""
    widths: Ints
    """By symbol: its bytes."""
    ids: Ints
    """By symbol: its id, or -1 if it has none."""
    settings: Longs
    """What words start as, where the marker is, its symbol and 1, what is written for symbols without an id."""


@inlined
def number_of(pairs: PairTable, left: int, right: int) -> int:
    """The number of a pair, or 0 if it does not merge."""
    slots = pairs.slots
    outside = (left | right) >> NUMBER_BITS  # for what is no symbol
    key = _key(left, right) | -(outside != 0)
    first = _first_slot(key, slots)
    found = find_in_eight(slots, first, key << NUMBER_BITS)
    if slots[first + EIGHT - 1] != 0 and found == EIGHT:
        return _search(slots, key, first)
    is_there = (found >> 3) - 1  # all bits
    return slots[first + (found & 7)] & _NUMBER_MASK & is_there


@inlined
def fetch_pair(pairs: PairTable, left: int, right: int) -> None:
    """Have the processor fetch where a pair is in the table."""
    prefetch(pairs.slots, _first_slot(_key(left, right), pairs.slots))


@inlined
def number_at_first(pairs: PairTable, left: int, right: int) -> int:
    """The same, and quicker for two of the first symbols."""
    if (left | right) < FIRST_SYMBOLS:
        return pairs.of_first[left * FIRST_SYMBOLS + right]
    return number_of(pairs, left, right)


@inlined
def rank_of(pairs: PairTable, number: int, never: int) -> int:
    """The rank of the merge of the pair with this number, or `never` for 0; that has all its bits set."""
    if pairs.settings[IN_ORDER]:
        return (number - 1) & never
    return min(pairs.ranks[number], never)


@inlined
def merge_of(pairs: PairTable, left: int, right: int) -> int:
    """What a pair merges into, rank above symbol, or `NEVER`."""
    number = number_of(pairs, left, right)
    return (pairs.ranks[number] << SYMBOL_BITS) | pairs.makes[number]


@inlined
def merge_below(pairs: PairTable, left: int, right: int, limit: int) -> int:
    """The same, where merges from rank `limit` on do not count."""
    merge = merge_of(pairs, left, right)
    return merge if merge >> SYMBOL_BITS < limit else NEVER


@inlined
def made_by(merge: int) -> int:
    """The symbol that a merge makes."""
    return merge & SYMBOL_MASK


@helper
def _search(slots: Longs, key: int, slot: int) -> int:
    """The number of a pair that may be in any slot from the first on, or 0."""
    while slots[slot] != 0:
        if slots[slot] >> NUMBER_BITS == key:
            return slots[slot] & _NUMBER_MASK
        slot = (slot + 1) & (len(slots) - 1)
    return 0


@inlined
def _key(left: int, right: int) -> int:
    return (left << NUMBER_BITS) | right


@inlined
def _first_slot(key: int, slots: Longs) -> int:
    return (multiply(key, _SPREAD) >> 31) & (len(slots) - EIGHT)


@kernel
def add_pairs(pairs: PairTable, known: int, lefts: Longs, rights: Longs, makes: Longs, ranks: Longs) -> None:
    """Add pairs to the table, which has room; of equal pairs, the first stays. So many are known."""
    for i in range(len(lefts)):
        left, right, number = lefts[i], rights[i], known + i + 1
        if _search(pairs.slots, _key(left, right), _first_slot(_key(left, right), pairs.slots)) == 0:
            pairs.makes[number], pairs.ranks[number] = makes[i], ranks[i]
            _add(pairs.slots, _key(left, right), number)  # the last, because other threads may look
            if (left | right) < FIRST_SYMBOLS:
                pairs.of_first[left * FIRST_SYMBOLS + right] = number


@kernel
def move_pairs(old: PairTable, new: PairTable) -> None:
    """Put all pairs into a larger table, which is empty."""
    for number in range(len(old.makes)):
        new.makes[number], new.ranks[number] = old.makes[number], old.ranks[number]
    for slot in range(len(old.slots)):
        if old.slots[slot] != 0:
            _add(new.slots, old.slots[slot] >> NUMBER_BITS, old.slots[slot] & _NUMBER_MASK)
    for pair in range(len(old.of_first)):
        new.of_first[pair] = old.of_first[pair]
    new.settings[IN_ORDER] = old.settings[IN_ORDER]


@helper
def _add(slots: Longs, key: int, number: int) -> None:
    slot = _first_slot(key, slots)
    while slots[slot] != 0:
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = (key << NUMBER_BITS) | number


@inlined
def start_of_word(merges: Merges, text: Bytes, at: int, end: int, classes: Bytes, symbols: Ints, first: int) -> int:
    """Write the symbols that a word starts as, from place `first` on. Returns where they end.

    They are a marker more than units, at most.
    """
    settings = merges.settings
    boundary = settings[BOUNDARY]
    if boundary == NO_BOUNDARY:
        return _units(merges, text, at, end, symbols, first)
    marker = settings[MARKER] - 1
    if boundary == PREFIX:
        if text[at] != _SPACE_BYTE:
            return _units(merges, text, at, end, symbols, first)
        symbols[first] = marker if marker >= 0 else UNKNOWN + MARKER_SIZE
        return _units(merges, text, at + 1, end, symbols, first + 1)
    if settings[SPLITS_IDEOGRAPHS] and not _is_of_letters(text, at, classes):
        return _units(merges, text, at, end, symbols, first)
    last = _units(merges, text, at, end, symbols, first)
    if boundary == SUFFIX:
        symbols[last] = marker if marker >= 0 else UNKNOWN + MARKER_SIZE
        return last + 1
    return _attach(merges, text, end, symbols, last)


@inlined
def has_marker(settings: Longs, text: Bytes, at: int, classes: Bytes) -> bool:
    """Whether a word gets the marker."""
    if settings[BOUNDARY] == PREFIX:
        return text[at] == _SPACE_BYTE
    return not settings[SPLITS_IDEOGRAPHS] or _is_of_letters(text, at, classes)


@inlined
def _units(merges: Merges, text: Bytes, at: int, end: int, symbols: Ints, count: int) -> int:
    firsts = merges.firsts
    if merges.settings[UNITS] == BYTES:
        for place in range(at, end):
            symbol = firsts[text[place]] - 1
            symbols[count] = symbol if symbol >= 0 else UNKNOWN + 1
            count += 1
        return count
    while at < end:
        size = size_at(text, at)
        symbol = firsts[code_at(text, at)] - 1
        symbols[count] = symbol if symbol >= 0 else UNKNOWN + size
        count += 1
        at += size
    return count


@inlined
def _attach(merges: Merges, text: Bytes, end: int, symbols: Ints, count: int) -> int:
    """Put the symbol with the marker in the place of the last."""
    place = end - 1
    if merges.settings[UNITS] == CHARACTERS:
        while text[place] & 0xC0 == 0x80:
            place -= 1
        symbol = merges.lasts[code_at(text, place)] - 1
    else:
        symbol = merges.lasts[text[place]] - 1
    symbols[count - 1] = symbol if symbol >= 0 else UNKNOWN + end - place + MARKER_SIZE
    return count


@inlined
def _is_of_letters(text: Bytes, at: int, classes: Bytes) -> bool:
    """Whether a word begins with a letter or number that is no ideograph from U+4E00 to U+9FFF."""
    code = code_at(text, at)
    return classes[code] & (LETTER | NUMBER) != 0 and not (0x4E00 <= code <= 0x9FFF)
