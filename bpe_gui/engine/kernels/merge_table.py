"""The merges of a tokenizer: which symbols a word starts as, and which pairs of them merge into what, and when."""

from typing import Final, NamedTuple

from .bits import multiply
from .compiling import helper, inlined, kernel
from .records import SYMBOL_BITS, SYMBOL_MASK, Bytes, Ints, Longs, Shorts
from .scanning import LETTER, NUMBER
from .utf8 import code_at, size_at
from .vectors import EIGHT, find_in_eight

UNKNOWN: Final = 1 << 30
"""A unit that is no symbol is written as this and its size in bytes."""

NEVER: Final = 0x7FFF_FFFF_0000_0000
"""Stands for the merge of a pair that does not merge: greater than any."""

EMPTY: Final = -1
"""In place of a pair: nothing is there."""

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
    """Pairs and what they merge into: a hash table in which eight slots are asked at once.

    Whether a pair merges cannot be foreseen, and a processor that guessed wrong starts anew. So where a pair is looked
    up, nothing is asked of which the answer is not nearly always the same.
    """

    tags: Shorts
    """By slot: a part of the pair's hash, or 0 where there is none. Pairs that have no room in their eight slots are in
    the next."""
    numbers: Ints
    """By slot, from 1 on: the number of its pair."""
    entries: Longs
    """By number, from 1 on: a pair, and its merge: rank above the symbol it makes. The first is no pair, and `NEVER`
    merges. Pairs with low ranks, which are looked up most, lie together."""


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
def merge_of(pairs: PairTable, left: int, right: int) -> int:
    """What a pair merges into, rank above symbol, or `NEVER`."""
    tags, entries = pairs.tags, pairs.entries
    key = (left << SYMBOL_BITS) | right
    hashed = _hashed(key)
    first, tag = _first_slot(hashed, tags), _tag(hashed)
    found = find_in_eight(tags, first, tag)
    number = pairs.numbers[first + found + 1 if found < EIGHT else 0]
    if tags[first + EIGHT - 1] != 0 or entries[2 * number] != (key if found < EIGHT else EMPTY):
        number = _search(pairs, key, first, tag)
    return entries[2 * number + 1]


@inlined
def merge_below(pairs: PairTable, left: int, right: int, limit: int) -> int:
    """The same, where merges from rank `limit` on do not count."""
    merge = merge_of(pairs, left, right)
    return merge if merge >> SYMBOL_BITS < limit else NEVER


@helper
def _search(pairs: PairTable, key: int, slot: int, tag: int) -> int:
    """The number of a pair that may be in any slot from the first on, or 0."""
    tags = pairs.tags
    while tags[slot] != 0:
        number = pairs.numbers[slot + 1]
        if tags[slot] == tag and pairs.entries[2 * number] == key:
            return number
        slot = (slot + 1) & (len(tags) - 1)
    return 0


@inlined
def _hashed(key: int) -> int:
    """A hash of 32 bits."""
    return multiply(key, _SPREAD) >> 31


@inlined
def _first_slot(hashed: int, tags: Shorts) -> int:
    return (hashed & (len(tags) // EIGHT - 1)) * EIGHT


@inlined
def _tag(hashed: int) -> int:
    return (hashed >> 17) | 1


@kernel
def add_pairs(pairs: PairTable, known: int, keys: Longs, merges: Longs) -> None:
    """Add pairs with their merges to the table, which has room; of equal pairs, the first stays. So many are known."""
    tags, entries = pairs.tags, pairs.entries
    for i in range(len(keys)):
        hashed = _hashed(keys[i])
        slot, tag = _first_slot(hashed, tags), _tag(hashed)
        if keys[i] != EMPTY and _search(pairs, keys[i], slot, tag) == 0:
            while tags[slot] != 0:
                slot = (slot + 1) & (len(tags) - 1)
            number = known + i + 1
            entries[2 * number], entries[2 * number + 1] = keys[i], merges[i]
            pairs.numbers[slot + 1] = number
            tags[slot] = tag  # the last, because other threads may look


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


@inlined
def made_by(merge: int) -> int:
    """The symbol that a merge makes."""
    return merge & SYMBOL_MASK
