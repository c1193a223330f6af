"""Find where the words of GPT-2's pattern start, for a whole stretch of text at once, using bitmaps.

Most corpora are counted with this pattern, and scanning word by word cannot begin a word before it has found the end of
the previous one. Here, every 32 bytes form a block. A block has a number for each class of characters, with a bit for
each byte (the lowest bit is for the first byte): one number says which bytes are letters, another which are white
space, and a few bit operations on them say where words start. Every byte of a character has the character's class.

Source of the idea, for JSON: Langdale and Lemire, “Parsing Gigabytes of JSON per Second” (2019).
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper
from bpe_gui.engine.kernels.lowlevel.machine import (
    BYTE_LANES,
    byte_range,
    bytes_in_range,
    leading_letters,
    load8,
    prefetch,
    trailing_zeros,
    wrapping_add,
)
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, end_of_whole_characters, previous_character, size_at
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

STRETCH: Final = 1024
"""Bytes to scan at once."""

BLOCKS: Final = STRETCH // BYTE_LANES
"""Blocks of a stretch."""

_SHIFT: Final = 5  # from bytes to blocks
_LAST_BIT: Final = BYTE_LANES - 1
_BIT_INDEX_MASK: Final = BYTE_LANES - 1
_CACHE_LINE: Final = 64  # bytes
_ALL: Final = (1 << BYTE_LANES) - 1

_UPPERCASE: Final = byte_range("A", "Z")
_LOWERCASE: Final = byte_range("a", "z")
_DIGITS: Final = byte_range("0", "9")
_CONTROLS: Final = byte_range("\t", "\r")
_BLANKS: Final = byte_range(" ", " ")
_APOSTROPHES: Final = byte_range("'", "'")
_CONTINUATIONS: Final = byte_range("\x80", "\xbf")
_LEADS: Final = byte_range("\xc0", "\xff")  # the first bytes of non-ASCII characters


class Gpt2Scanner(Record):
    """The classes of all code points, and the bitmaps of a stretch of text, by block, with two spare blocks."""

    classes: UInt8Array

    letters: Int64Array
    numbers: Int64Array
    spaces: Int64Array
    blanks: Int64Array
    """U+0020 only."""
    starts: Int64Array
    """The bytes at which words start."""


@helper
def find_word_starts(text: UInt8Array, at: int, end: int, scanner: Gpt2Scanner, starts: Int64Array) -> int:
    """Write the offsets at which the words of a stretch start, beginning at `at`, and where the last one ends.

    Return the number of words, which is at least 1.
    """
    size = min(STRETCH, end - at)
    is_last = at + size == end
    if not is_last:
        size = end_of_whole_characters(text, at, at + size) - at
    _prefetch_stretch(text, at + size)
    start_bits, classes = scanner.starts, scanner.classes
    has_wide_space = _classify(text, at, size, scanner)
    # White space at the end of a text is one word, as if more white space followed.
    if is_last or classes[code_point_at(text, at + size)] & SPACE:
        _set_bit(scanner.spaces, size)
    _mark_starts(scanner, size)
    if has_wide_space:
        _correct_wide_spaces(text, at, size, start_bits)
    _correct_contractions(text, at, size, end, start_bits)
    if is_last:
        _set_bit(start_bits, size)
        size += 1
    # The last offset found is the end of the last complete word.
    words = _collect(start_bits, size, at, starts) - 1
    if words > 0:
        return words
    starts[1] = gpt2_end(text, at, end, classes)
    return 1


@helper
def _prefetch_stretch(text: UInt8Array, at: int) -> None:
    """Prefetch the next stretch, which the processor loads while words are looked up."""
    for line in range(at, at + STRETCH, _CACHE_LINE):
        prefetch(text, line)


@helper
def _set_bit(bits: Int64Array, index: int) -> None:
    bits[index >> _SHIFT] |= 1 << (index & _BIT_INDEX_MASK)


@helper
def _clear_bit(bits: Int64Array, index: int) -> None:
    bits[index >> _SHIFT] &= ~(1 << (index & _BIT_INDEX_MASK))


@helper
def _has_bit(bits: Int64Array, index: int) -> int:
    return (bits[index >> _SHIFT] >> (index & _BIT_INDEX_MASK)) & 1


@helper
def _blocks_of(size: int) -> int:
    return (size + _BIT_INDEX_MASK) >> _SHIFT


@helper
def _classify(text: UInt8Array, at: int, size: int, scanner: Gpt2Scanner) -> int:
    """Fill in the bitmaps of the classes. Return a nonzero number if any white space is not ASCII."""
    blocks, has_wide_space = _blocks_of(size), 0
    letters = numbers = spaces = 0
    for block in range(blocks):
        start = at + block * BYTE_LANES
        within = _ALL if block + 1 < blocks else _ALL >> (-size & _BIT_INDEX_MASK)
        letters |= bytes_in_range(text, start, _UPPERCASE) | bytes_in_range(text, start, _LOWERCASE)
        numbers |= bytes_in_range(text, start, _DIGITS)
        blanks = bytes_in_range(text, start, _BLANKS)
        spaces |= blanks | bytes_in_range(text, start, _CONTROLS)
        leads = bytes_in_range(text, start, _LEADS) & within
        while leads != 0:
            i = trailing_zeros(leads)
            kind = scanner.classes[_wide_code_point_at(text, start + i)]
            character = ((1 << size_at(text, start + i)) - 1) << i
            letters |= character * (kind & LETTER)
            numbers |= character * ((kind & NUMBER) >> 1)
            spaces |= character * ((kind & SPACE) >> 2)
            has_wide_space |= kind & SPACE
            leads &= leads - 1
        scanner.letters[block], scanner.numbers[block] = letters & within, numbers & within
        scanner.spaces[block], scanner.blanks[block] = spaces & within, blanks & within
        # The bits of a character that goes on in the next block are carried over.
        letters, numbers, spaces = letters >> BYTE_LANES, numbers >> BYTE_LANES, spaces >> BYTE_LANES
    scanner.spaces[blocks] = scanner.starts[blocks] = 0
    return has_wide_space


@helper
def _wide_code_point_at(text: UInt8Array, at: int) -> int:
    """Return the non-ASCII code point at offset `at`; branch-free between two and three bytes."""
    first, second, third = text[at] & 0xFF, text[at + 1] & 0x3F, text[at + 2] & 0x3F
    if first >= 0xF0:
        return code_point_at(text, at)
    shift = (first >= 0xE0) * 6
    return ((((first & (0x1F >> (first >= 0xE0))) << 6) | second) << shift) | (third & (0x3F >> (6 - shift)))


@helper
def _mark_starts(scanner: Gpt2Scanner, size: int) -> None:
    """Mark where words start, from the class of each byte and of its neighbours.

    - White space starts a word unless there is white space on both sides: the last one of a run belongs to the next
      word, or is a word by itself.
    - Any other character starts a word unless it follows one of its own class, or a blank.
    """
    last_letter = last_number = last_other = last_space = last_blank = 0
    for block in range(_blocks_of(size)):
        letters, numbers, spaces = scanner.letters[block], scanner.numbers[block], scanner.spaces[block]
        others = _ALL & ~(letters | numbers | spaces)
        after_blank = scanner.blanks[block] << 1 | last_blank
        continuing = letters & (letters << 1 | last_letter) | numbers & (numbers << 1 | last_number)
        continuing |= others & (others << 1 | last_other) | after_blank | spaces
        next_space = scanner.spaces[block + 1] & 1
        inside = (spaces << 1 | last_space) & (spaces >> 1 | next_space << _LAST_BIT)
        scanner.starts[block] = (~continuing | spaces & ~inside) & _ALL
        last_letter, last_number, last_other = letters >> _LAST_BIT, numbers >> _LAST_BIT, others >> _LAST_BIT
        last_space, last_blank = spaces >> _LAST_BIT, scanner.blanks[block] >> _LAST_BIT


@helper
def _correct_wide_spaces(text: UInt8Array, at: int, size: int, starts: Int64Array) -> None:
    """Move the start that was marked at the last byte of non-ASCII white space to its first byte."""
    for block in range(_blocks_of(size)):
        first = block * BYTE_LANES
        last_bytes = starts[block] & bytes_in_range(text, at + first, _CONTINUATIONS)
        while last_bytes != 0:
            i = first + trailing_zeros(last_bytes)
            _clear_bit(starts, i)
            _set_bit(starts, previous_character(text, at + i + 1) - at)
            last_bytes &= last_bytes - 1


@helper
def _correct_contractions(text: UInt8Array, at: int, size: int, end: int, starts: Int64Array) -> None:
    """Move the start after the apostrophe of a contraction to the end of the contraction."""
    for block in range(_blocks_of(size)):
        apostrophes = bytes_in_range(text, at + block * BYTE_LANES, _APOSTROPHES)
        while apostrophes != 0:
            i = block * BYTE_LANES + trailing_zeros(apostrophes)
            if i < size and _has_bit(starts, i):
                length = contraction_size(text, at + i, end)
                if length:
                    _clear_bit(starts, i + 1)
                    _set_bit(starts, i + length)
            apostrophes &= apostrophes - 1


@helper
def _collect(bits: Int64Array, size: int, at: int, offsets: Int64Array) -> int:
    """Write the offset of each bit that is set. Return their number."""
    found = 0
    for block in range(0, _blocks_of(size), 2):  # two at a time: the end of the inner loop is always mispredicted
        first = block * BYTE_LANES
        mask = bits[block] | bits[block + 1] << BYTE_LANES
        if size - first < 2 * BYTE_LANES:
            mask &= (1 << (size - first)) - 1
        while mask != 0:
            offsets[found] = at + first + trailing_zeros(mask)
            mask &= wrapping_add(mask, -1)
            found += 1
    return found


# The bits of a class. Every character is one of letter, number, white space and other.
LETTER: Final = 1
NUMBER: Final = 2
SPACE: Final = 4
OTHER: Final = 8

_APOSTROPHE: Final = 0x27
_SPACE_BYTE: Final = 0x20
_ASCII_END: Final = 0x80


@helper
def gpt2_end(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Match `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+` at offset `at`."""
    start = at + (text[at] == _SPACE_BYTE)
    stop = _ascii_letters_end(text, start)
    if stop > start and text[stop] < _ASCII_END:
        return min(stop, end)
    if text[at] == _APOSTROPHE:
        stop = at + contraction_size(text, at, end)
        if stop > at:
            return stop
    kind = classes[code_point_at(text, start)] & (LETTER | NUMBER | OTHER) if start < end else 0
    if kind:
        return _run_end(text, start, end, classes, kind)
    stop = _run_end(text, at, end, classes, SPACE)
    return stop if stop == end else _without_last(text, at, stop)


@helper
def _run_end(text: UInt8Array, at: int, end: int, classes: UInt8Array, kind: int) -> int:
    """Return where a run of characters of some classes ends, or `at` if there is none."""
    while at < end and classes[code_point_at(text, at)] & kind:
        at += size_at(text, at)
    return at


@helper
def _ascii_letters_end(text: UInt8Array, at: int) -> int:
    size = leading_letters(load8(text, at))
    at += size
    while size == 8:
        size = leading_letters(load8(text, at))
        at += size
    return at


@helper
def _without_last(text: UInt8Array, at: int, stop: int) -> int:
    """Match `\\s+(?!\\S)|\\s+` in white space that ends at `stop`, before other text."""
    last = previous_character(text, stop)
    return last if last > at else stop


@helper
def contraction_size(text: UInt8Array, at: int, end: int) -> int:
    """Return how many bytes `'s|'t|'re|'ve|'m|'ll|'d` matches at offset `at`, or 0."""
    if at + 1 >= end or text[at] != _APOSTROPHE:
        return 0
    first = text[at + 1]
    if first == 0x73 or first == 0x74 or first == 0x6D or first == 0x64:  # s t m d
        return 2
    if at + 2 >= end:
        return 0
    second = text[at + 2]
    return (
        3 if ((first == 0x72 or first == 0x76) and second == 0x65) or (first == 0x6C and second == 0x6C) else 0
    )  # re ve ll
