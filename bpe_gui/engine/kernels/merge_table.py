"""The merges of a tokenizer: which symbols a word starts as, and which pairs of them merge into what, and when."""

from typing import Final, NamedTuple

from .bits import multiply
from .compiling import inlined, kernel
from .records import SYMBOL_BITS, SYMBOL_MASK, Bytes, Ints, Longs
from .scanning import LETTER, NUMBER
from .utf8 import code_at, size_at

UNKNOWN: Final = 1 << 30
"""A unit that is no symbol is written as this and its size in bytes."""

NEVER: Final = 0x7FFF_FFFF_FFFF_FFFF
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


class Merges(NamedTuple):
    """What a tokenizer does to words, with symbols as numbers. Room for more."""

    pairs: Longs
    """Hash table by linear probing, of two numbers a slot: a pair, and its merge: rank above the symbol it makes."""
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
def merge_of(pairs: Longs, left: int, right: int, limit: int) -> int:
    """What a pair merges into, rank above symbol, or `NEVER`. Merges from rank `limit` on do not count."""
    key = (left << SYMBOL_BITS) | right
    last = (len(pairs) >> 1) - 1
    slot = _home(key, last)
    while pairs[2 * slot] != key:
        if pairs[2 * slot] == EMPTY:
            return NEVER
        slot = (slot + 1) & last
    merge = pairs[2 * slot + 1]
    return merge if merge >> SYMBOL_BITS < limit else NEVER


@inlined
def _home(key: int, last: int) -> int:
    product = multiply(key, _SPREAD)
    return (product ^ (product >> 32)) & last


@kernel
def add_pairs(pairs: Longs, keys: Longs, merges: Longs) -> None:
    """Put pairs with their merges into the hash table, which has room; of equal pairs, the first stays."""
    last = (len(pairs) >> 1) - 1
    for i in range(len(keys)):
        slot = _home(keys[i], last)
        while pairs[2 * slot] != EMPTY and pairs[2 * slot] != keys[i]:
            slot = (slot + 1) & last
        if pairs[2 * slot] == EMPTY:
            pairs[2 * slot], pairs[2 * slot + 1] = keys[i], merges[i]


@inlined
def start_of_word(merges: Merges, text: Bytes, at: int, end: int, classes: Bytes, symbols: Ints) -> int:
    """Write the symbols that a word starts as. Returns how many these are: a marker more than units, at most."""
    settings = merges.settings
    boundary = settings[BOUNDARY]
    if boundary == NO_BOUNDARY:
        return _units(merges, text, at, end, symbols, 0)
    marker = settings[MARKER] - 1
    if boundary == PREFIX:
        if text[at] != _SPACE_BYTE:
            return _units(merges, text, at, end, symbols, 0)
        symbols[0] = marker if marker >= 0 else UNKNOWN + MARKER_SIZE
        return _units(merges, text, at + 1, end, symbols, 1)
    if settings[SPLITS_IDEOGRAPHS] and not _is_of_letters(text, at, classes):
        return _units(merges, text, at, end, symbols, 0)
    count = _units(merges, text, at, end, symbols, 0)
    if boundary == SUFFIX:
        symbols[count] = marker if marker >= 0 else UNKNOWN + MARKER_SIZE
        return count + 1
    return _attach(merges, text, end, symbols, count)


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
