"""Write the symbols of a word before any merge: its bytes or characters, and an end-of-word marker."""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, size_at
from bpe_gui.engine.kernels.text.gpt2_word_starts import LETTER, NUMBER
from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable, find_special, special_at, special_size
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

from .merge_table import MergeTable

UNKNOWN: Final = 1 << 30
"""A byte or character without a symbol is written as this plus its size in bytes."""

# Indices into `TokenizerTables.settings`.
UNITS, BOUNDARY, MARKER, NO_ID, SPLITS_IDEOGRAPHS, FUSES_UNKNOWN = range(6)
# The initial units of words.
BYTES, CHARACTERS = range(2)
# Where the end-of-word marker is.
NO_BOUNDARY, SUFFIX, ATTACHED, PREFIX = range(4)

_SPACE_BYTE: Final = 0x20

MARKER_SIZE: Final = 4
"""The bytes of the end-of-word marker, `</w>`."""


class TokenizerTables(Record):
    """The tables of a tokenizer: its initial symbols, its merges and its ids, with spare capacity."""

    merges: MergeTable
    symbols: Int32Array
    """The symbol of each unit, a byte or a code point, plus 1, or 0 if it has none."""
    marked_symbols: Int32Array
    """The symbol of each unit with the end-of-word marker attached, plus 1, or 0."""
    widths: Int32Array
    """The size of each symbol in bytes."""
    ids: Int32Array
    """The id of each symbol, or -1."""
    of_bytes: Int32Array
    """The symbol for each byte of a character without a symbol; empty if there are none."""
    whole: SpecialTokenTable
    """The words that are never merged."""
    whole_symbols: Int32Array
    """The symbol of each of them."""
    whole_ranks: Int64Array
    """The rank of the first merge that makes each of them, or -1."""
    seeds: SpecialTokenTable
    """The seeds, which become one symbol wherever they are found."""
    seed_symbols: Int32Array
    """The symbol of each seed and, if markers are attached, the symbol of each with the marker."""
    settings: Int64Array
    """The units, where the marker is, the marker's symbol plus 1, what to write for symbols without an id, whether
    ideographs are words by themselves, and whether a run of unknown characters becomes one."""


@helper
def write_initial_symbols(
    tables: TokenizerTables,
    text: UInt8Array,
    at: int,
    end: int,
    classes: UInt8Array,
    limit: int,
    symbols: Int32Array,
    first: int,
) -> int:
    """Write the initial symbols of a word from index `first`. Return the index after the last.

    There is at most one more symbol than there are units, for the marker. Tokens that are first made by a merge of rank
    `limit` or later do not exist yet, so words that equal them are merged.
    """
    settings = tables.settings
    boundary = settings[BOUNDARY]
    if len(tables.whole_symbols) > 0:
        token = special_at(text, at, end, tables.whole)
        if token >= 0 and special_size(tables.whole, token) == end - at and tables.whole_ranks[token] < limit:
            symbols[first] = tables.whole_symbols[token]
            return first + 1
    if boundary == NO_BOUNDARY:
        return _write_units(tables, text, at, end, symbols, first)
    marker = settings[MARKER] - 1
    if boundary == PREFIX:
        if text[at] != _SPACE_BYTE:
            return _write_units(tables, text, at, end, symbols, first)
        symbols[first] = marker if marker >= 0 else UNKNOWN + MARKER_SIZE
        return _write_units(tables, text, at + 1, end, symbols, first + 1)
    if settings[SPLITS_IDEOGRAPHS] and not _takes_suffix(text, at, classes):
        return _write_units(tables, text, at, end, symbols, first)
    last = _write_units(tables, text, at, end, symbols, first)
    if boundary == SUFFIX:
        symbols[last] = marker if marker >= 0 else UNKNOWN + MARKER_SIZE
        return last + 1
    return _attach_marker(tables, text, end, symbols, last)


@helper
def has_marker(settings: Int64Array, text: UInt8Array, at: int, classes: UInt8Array) -> bool:
    """Return whether the word at offset `at` gets an end-of-word marker, if the recipe has one."""
    if settings[BOUNDARY] == PREFIX:
        return text[at] == _SPACE_BYTE
    return not settings[SPLITS_IDEOGRAPHS] or _takes_suffix(text, at, classes)


@helper
def _write_units(tables: TokenizerTables, text: UInt8Array, at: int, end: int, symbols: Int32Array, count: int) -> int:
    while len(tables.seed_symbols) > 0 and at < end:
        before = at
        at, seed = find_special(text, at, end, end, tables.seeds)
        count = _write_plain_units(tables, text, before, at, symbols, count)
        if seed >= 0:
            symbols[count] = tables.seed_symbols[seed]
            count += 1
            at += special_size(tables.seeds, seed)
    return _write_plain_units(tables, text, at, end, symbols, count)


@helper
def _write_plain_units(
    tables: TokenizerTables, text: UInt8Array, at: int, end: int, symbols: Int32Array, count: int
) -> int:
    of_units, first, fuses = tables.symbols, count, tables.settings[FUSES_UNKNOWN]
    if tables.settings[UNITS] == BYTES:
        for offset in range(at, end):
            symbol = of_units[text[offset]] - 1
            symbols[count] = symbol if symbol >= 0 else UNKNOWN + 1
            count += 1
        return count
    while at < end:
        size = size_at(text, at)
        symbol = of_units[code_point_at(text, at)] - 1
        if symbol < 0 and len(tables.of_bytes) > 0:
            for offset in range(at, at + size):
                symbols[count] = tables.of_bytes[text[offset]]
                count += 1
        elif symbol < 0 and fuses and count > first and symbols[count - 1] >= UNKNOWN:
            symbols[count - 1] += size
        else:
            symbols[count] = symbol if symbol >= 0 else UNKNOWN + size
            count += 1
        at += size
    return count


@helper
def _attach_marker(tables: TokenizerTables, text: UInt8Array, end: int, symbols: Int32Array, count: int) -> int:
    """Replace the last symbol with the one with the marker attached."""
    seeds = len(tables.seed_symbols) >> 1
    for seed in range(seeds):
        if tables.seed_symbols[seed] == symbols[count - 1]:
            symbols[count - 1] = tables.seed_symbols[seeds + seed]
            return count
    last = end - 1
    if tables.settings[UNITS] == CHARACTERS:
        while text[last] & 0xC0 == 0x80:
            last -= 1
        symbol = tables.marked_symbols[code_point_at(text, last)] - 1
    else:
        symbol = tables.marked_symbols[text[last]] - 1
    symbols[count - 1] = symbol if symbol >= 0 else UNKNOWN + end - last + MARKER_SIZE
    return count


@helper
def _takes_suffix(text: UInt8Array, at: int, classes: UInt8Array) -> bool:
    """Return whether a word begins with a letter or number that is not an ideograph from U+4E00 to U+9FFF."""
    code = code_point_at(text, at)
    return classes[code] & (LETTER | NUMBER) != 0 and not (0x4E00 <= code <= 0x9FFF)
