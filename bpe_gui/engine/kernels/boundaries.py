"""Where the words of GPT-2's pattern begin, for a stretch of text at once.

It is the pattern that corpora are most often counted with, and going from word to word, as `scanning` does, waits at
each for the end of the last. Here three passes over the stretch, each a loop that the compiler makes fast, find the
kind of each byte, whether a word begins there, and where those places are. The kinds are those of `scanning`; a byte
has the kind of the character that it is part of.
"""

from typing import Final, NamedTuple

from .bits import HIGH_BITS, add, pack_flags, trailing_zeros, zero_bytes
from .compiling import helper
from .memory import load8
from .records import Bytes, Longs
from .scanning import BLANK, LETTER, NUMBER, OTHER, SPACE, contraction, gpt2_end
from .utf8 import before, code_at, size_at, whole_until

STRETCH: Final = 1024
"""Bytes that are looked at together."""

_APOSTROPHES: Final = 0x2727_2727_2727_2727
_GROUP: Final = 64  # bytes whose flags fit one number


class Stretch(NamedTuple):
    """What is known of a stretch of text. Both arrays are somewhat longer than that, for reading in eights."""

    kinds: Bytes
    """The kind of each byte, from 1 on; those before and after have their kinds, too."""
    flags: Bytes
    """Whether a word begins there: 1 or 0."""


@helper
def find_begins(text: Bytes, at: int, end: int, classes: Bytes, stretch: Stretch, begins: Longs) -> int:
    """Write where the words begin from `at` on, and where the last of these ends. Returns how many these are."""
    size = min(STRETCH, end - at)
    is_last = at + size == end
    if not is_last:
        size = whole_until(text, at, at + size) - at
    kinds, flags = stretch.kinds, stretch.flags
    _note_ascii(text, at, size, kinds)
    wide_spaces = _note_others(text, at, size, kinds, classes)
    kinds[0] = 0
    # White space that goes on to the end of a text is one word, as if still more of it followed.
    kinds[size + 1] = SPACE if is_last else classes[code_at(text, at + size)]
    _flag(kinds, size, flags)
    if wide_spaces:
        _correct_wide_spaces(text, at, size, flags)
    _correct_contractions(text, at, size, end, flags)
    if is_last:
        flags[size] = 1
        size += 1
    # The last place that was found is where the last word ends that is here whole.
    words = _collect(flags, size, at, begins) - 1
    if words > 0:
        return words
    begins[1] = gpt2_end(text, at, end, classes)
    return 1


@helper
def _note_ascii(text: Bytes, at: int, size: int, kinds: Bytes) -> None:
    """Note the kinds of ASCII, without looking at a table: so the compiler can do many bytes at once."""
    part, noted = text[at : at + size], kinds[1 : size + 1]
    for i in range(size):
        byte = part[i]
        kind = OTHER
        if ((byte >= 0x41) & (byte <= 0x5A)) | ((byte >= 0x61) & (byte <= 0x7A)):
            kind = LETTER
        if (byte >= 0x30) & (byte <= 0x39):
            kind = NUMBER
        if (byte >= 0x09) & (byte <= 0x0D):
            kind = SPACE
        if byte == 0x20:
            kind = SPACE | BLANK
        noted[i] = kind


@helper
def _note_others(text: Bytes, at: int, size: int, kinds: Bytes, classes: Bytes) -> int:
    """Note the kinds of all other characters. Returns whether one is white space."""
    spaces = 0
    i = 0
    while i < size:
        high = load8(text, at + i) & HIGH_BITS
        if high == 0:
            i += 8
            continue
        i += trailing_zeros(high) >> 3
        while i < size and text[at + i] >= 0x80:
            kind = classes[code_at(text, at + i)]
            spaces |= kind & SPACE
            for _ in range(size_at(text, at + i)):
                i += 1
                kinds[i] = kind
    return spaces


@helper
def _flag(kinds: Bytes, size: int, flags: Bytes) -> None:
    """Flag where a word begins, from the kinds of a byte and of those before and after.

    - White space, but where it goes on from white space and goes on to white space: the last is left for the word
      that follows, or is one by itself.
    - Another character, but where it goes on from its own kind or has a blank before it.
    """
    befores, here, afters, flagged = kinds[0:size], kinds[1 : size + 1], kinds[2 : size + 2], flags[0:size]
    for i in range(size):
        kind, last = here[i], befores[i]
        going_on = (kind & last & (LETTER | NUMBER | OTHER)) | (last & BLANK) | (kind & SPACE)
        inside = kind & last & afters[i] & SPACE
        flagged[i] = (going_on == 0) | ((kind & SPACE) != inside)


@helper
def _correct_wide_spaces(text: Bytes, at: int, size: int, flags: Bytes) -> None:
    """White space of several bytes was flagged at its last where it should be at its first."""
    for i in range(size):
        if flags[i] and text[at + i] & 0xC0 == 0x80:
            flags[i] = 0
            flags[before(text, at + i) - at] = 1


@helper
def _correct_contractions(text: Bytes, at: int, size: int, end: int, flags: Bytes) -> None:
    """After an apostrophe that begins a contraction, no word begins until the contraction ends."""
    i = 0
    while i < size:
        apostrophes = zero_bytes(load8(text, at + i) ^ _APOSTROPHES)
        if apostrophes == 0:
            i += 8
            continue
        i += trailing_zeros(apostrophes) >> 3
        if i < size and flags[i]:
            taken = contraction(text, at + i, end, False)
            if taken:
                flags[i + 1] = 0
                flags[i + taken] = 1
        i += 1


@helper
def _collect(flags: Bytes, size: int, at: int, begins: Longs) -> int:
    """Write down where the flags are. Returns how many."""
    found = 0
    for group in range(0, size, _GROUP):
        mask = 0
        for i in range(0, _GROUP, 8):
            mask |= pack_flags(load8(flags, group + i)) << i
        if size - group < _GROUP:
            mask &= (1 << (size - group)) - 1
        while mask != 0:
            begins[found] = at + group + trailing_zeros(mask)
            mask &= add(mask, -1)
            found += 1
    return found
