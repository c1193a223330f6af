"""Rewrite text the way SentencePiece normalizes it: replace characters, and write spaces as a symbol.

Source: google/sentencepiece src/normalizer.cc.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, size_at
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

from .special_search import MARK, SpecialTokenTable, special_at, special_size

# The bits of `Rewriting.kinds`.
ALONE: Final = 1
BEGINS: Final = 2
IS_SECOND: Final = 4

# Indices into `Rewriting.settings`.
REMOVES_EXTRA, ESCAPES, PREFIX, SUFFIX = range(4)

SPACE_BYTES: Final = 3
_SPACE: Final = 0x20


class Rewriting(Record):
    """The texts to rewrite, with their replacements and settings."""

    kinds: UInt8Array
    """By code point, whether the character is a key or a symbol, or the first or second character of a longer one."""
    symbols: SpecialTokenTable
    """Strings that stay unchanged."""
    keys: SpecialTokenTable
    """Strings to replace."""
    outputs: UInt8Array
    """The outputs that replace keys, concatenated."""
    output_starts: Int64Array
    """Where the output of each key starts, followed by where the last one ends."""
    settings: Int64Array
    """Whether to remove spaces at both ends and collapse runs of them; whether spaces become `▁`; whether to add one
    before or after a text."""


@kernel
def rewrite(
    tables: Rewriting, text: UInt8Array, ends: Int64Array, marks: int, out: UInt8Array, sources: Int64Array
) -> int:
    """Rewrite concatenated texts, which end at `ends`, to `out`, each followed by a number of mark bytes.

    Unless `sources` is empty, write to it the offset that each byte comes from, and finally the end of the last text.
    Return the number of bytes, or -1 if they do not fit.
    """
    count, begin = 0, 0
    for section in range(len(ends)):
        end = ends[section]
        count = _rewrite_text(tables, text, begin, end, out, sources, count)
        if count < 0 or count + marks > len(out):
            return -1
        for i in range(marks):
            out[count + i] = MARK
        count += marks
        begin = end
    return count


@helper
def _rewrite_text(
    tables: Rewriting, text: UInt8Array, at: int, end: int, out: UInt8Array, sources: Int64Array, first: int
) -> int:
    settings, kinds = tables.settings, tables.kinds
    has_sources = len(sources) > 0
    count, removes = first, settings[REMOVES_EXTRA]
    while removes != 0 and at < end:
        size, key = _next_piece(tables, text, at, end)
        if not _is_space(tables, text, at, size, key):
            break
        at += size
    if at < end and settings[PREFIX] != 0:
        count = _write_byte(settings, _SPACE, at, out, sources, count)
    is_empty, after_space = at == end, removes
    while at < end:
        byte = text[at]
        if byte < 0x80 and byte != _SPACE and count < len(out) and _stays(kinds, byte, text[at + 1]):
            out[count] = byte
            if has_sources:
                sources[count] = at
            count, at, after_space = count + 1, at + 1, 0
            continue
        size, key = _next_piece(tables, text, at, end)
        start, stop = at, at + size
        if key >= 0:
            start, stop = tables.output_starts[key], tables.output_starts[key + 1]
        if count + SPACE_BYTES * (stop - start) + 2 * SPACE_BYTES > len(out):
            return -1
        last = _SPACE if after_space != 0 else 0
        for i in range(start, stop):
            byte = tables.outputs[i] if key >= 0 else text[i]
            if after_space != 0 and byte == _SPACE and last == _SPACE:
                continue
            count = _write_byte(settings, byte, at if key >= 0 else i, out, sources, count)
            last, after_space = byte, 0
        after_space = 1 if removes != 0 and last == _SPACE else 0
        at += size
    if removes != 0:
        size = SPACE_BYTES if settings[ESCAPES] != 0 else 1
        while count - size >= first and _ends_with_space(settings, out, count):
            count -= size
            end = sources[count] if has_sources else end
    if settings[SUFFIX] != 0 and not is_empty:
        count = _write_byte(settings, _SPACE, end, out, sources, count)
    if has_sources:
        sources[count] = end
    return count


@helper
def _stays(kinds: UInt8Array, byte: int, following: int) -> bool:
    """Return whether an ASCII character stays unchanged, given the byte after it."""
    if kinds[byte] & ALONE != 0:
        return False
    return kinds[byte] & BEGINS == 0 or (following < 0x80 and kinds[following] & IS_SECOND == 0)


@helper
def _next_piece(tables: Rewriting, text: UInt8Array, at: int, end: int) -> tuple[int, int]:
    """Return the size of the next piece, one or more characters, and its key, or -1 if it is not a key."""
    size = size_at(text, at)
    kind = tables.kinds[code_point_at(text, at)]
    is_key = kind & ALONE != 0
    if kind & BEGINS != 0 and at + size < end:
        is_key = is_key or tables.kinds[code_point_at(text, at + size)] & IS_SECOND != 0
    if is_key:
        symbol = special_at(text, at, end, tables.symbols)
        if symbol >= 0:
            return special_size(tables.symbols, symbol), -1
        key = special_at(text, at, end, tables.keys)
        if key >= 0:
            return special_size(tables.keys, key), key
    return size, -1


@helper
def _is_space(tables: Rewriting, text: UInt8Array, at: int, size: int, key: int) -> bool:
    if key < 0:
        return size == 1 and text[at] == _SPACE
    start = tables.output_starts[key]
    return tables.output_starts[key + 1] == start + 1 and tables.outputs[start] == _SPACE


@helper
def _write_byte(settings: Int64Array, byte: int, source: int, out: UInt8Array, sources: Int64Array, count: int) -> int:
    """Write a byte, or the symbol for a space. Return the new number of bytes."""
    size = 1
    if byte == _SPACE and settings[ESCAPES] != 0:
        out[count], out[count + 1], out[count + 2] = 0xE2, 0x96, 0x81
        size = SPACE_BYTES
    else:
        out[count] = byte
    if len(sources) > 0:
        for i in range(size):
            sources[count + i] = source
    return count + size


@helper
def _ends_with_space(settings: Int64Array, out: UInt8Array, count: int) -> bool:
    if settings[ESCAPES] != 0:
        return out[count - 3] == 0xE2 and out[count - 2] == 0x96 and out[count - 1] == 0x81
    return out[count - 1] == _SPACE
