"""Where the words of GPT-2's pattern begin, for a stretch of text at once.

It is the pattern that corpora are most often counted with, and going from word to word, as `scanning` does, waits at
each for the end of the last. Here every 32 bytes are a group, and a number has a bit for each of them: one number says
which are letters, another which are white space, and some operations on these numbers say where words begin. The kinds
are those of `scanning`; a byte has the kind of the character that it is part of.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.kernels.lowlevel.bits import add, prefetch, trailing_zeros
from bpe_gui.engine.runtime.jit import helper
from bpe_gui.engine.kernels.training.records import Bytes, Longs
from bpe_gui.engine.kernels.text.scanning import LETTER, NUMBER, SPACE, contraction, gpt2_end
from bpe_gui.engine.kernels.lowlevel.utf8 import before, code_at, size_at, whole_until
from bpe_gui.engine.kernels.lowlevel.vectors import THIRTY_TWO, bytes_between, span

STRETCH: Final = 1024
"""Bytes that are looked at together."""

GROUPS: Final = STRETCH // THIRTY_TWO
"""Groups that these are."""

_SHIFT: Final = 5  # from bytes to groups
_IN_GROUP: Final = THIRTY_TWO - 1
_LAST_BIT: Final = THIRTY_TWO - 1
_LINE: Final = 64  # bytes that a processor fetches together
_ALL: Final = (1 << THIRTY_TWO) - 1

_CAPITALS: Final = span("A", "Z")
_SMALLS: Final = span("a", "z")
_DIGITS: Final = span("0", "9")
_CONTROLS: Final = span("\t", "\r")
_BLANKS: Final = span(" ", " ")
_APOSTROPHES: Final = span("'", "'")
_FURTHER: Final = span("\x80", "\xbf")  # all other bytes of characters above ASCII
_LEADS: Final = span("\xc0", "\xff")  # the first bytes of characters above ASCII


class Stretch(NamedTuple):
    """What is known of a stretch of text, by group. There is room for two more groups."""

    letters: Longs
    numbers: Longs
    spaces: Longs
    blanks: Longs
    """The white space that is U+0020."""
    flags: Longs
    """Where words begin."""


@helper
def find_begins(text: Bytes, at: int, end: int, classes: Bytes, stretch: Stretch, begins: Longs) -> int:
    """Write where the words begin from `at` on, and where the last of these ends. Returns how many these are."""
    size = min(STRETCH, end - at)
    is_last = at + size == end
    if not is_last:
        size = whole_until(text, at, at + size) - at
    _fetch_next(text, at + size)
    flags = stretch.flags
    wide_spaces = _note_kinds(text, at, size, classes, stretch)
    # White space that goes on to the end of a text is one word, as if still more of it followed.
    if is_last or classes[code_at(text, at + size)] & SPACE:
        _set(stretch.spaces, size)
    _flag(stretch, size)
    if wide_spaces:
        _correct_wide_spaces(text, at, size, flags)
    _correct_contractions(text, at, size, end, flags)
    if is_last:
        _set(flags, size)
        size += 1
    # The last place that was found is where the last word ends that is here whole.
    words = _collect(flags, size, at, begins) - 1
    if words > 0:
        return words
    begins[1] = gpt2_end(text, at, end, classes)
    return 1


@helper
def _fetch_next(text: Bytes, at: int) -> None:
    """Have the processor fetch the stretch after this one, while it works on words."""
    for place in range(at, at + STRETCH, _LINE):
        prefetch(text, place)


@helper
def _set(bits: Longs, place: int) -> None:
    bits[place >> _SHIFT] |= 1 << (place & _IN_GROUP)


@helper
def _clear(bits: Longs, place: int) -> None:
    bits[place >> _SHIFT] &= ~(1 << (place & _IN_GROUP))


@helper
def _is_set(bits: Longs, place: int) -> int:
    return (bits[place >> _SHIFT] >> (place & _IN_GROUP)) & 1


@helper
def _groups_of(size: int) -> int:
    return (size + _IN_GROUP) >> _SHIFT


@helper
def _note_kinds(text: Bytes, at: int, size: int, classes: Bytes, stretch: Stretch) -> int:
    """Note which bytes are of which kind; after the last there are none. Returns whether one is wide white space."""
    groups, wide_spaces = _groups_of(size), 0
    letters = numbers = spaces = 0
    for group in range(groups):
        place = at + group * THIRTY_TWO
        within = _ALL if group + 1 < groups else _ALL >> (-size & _IN_GROUP)
        letters |= bytes_between(text, place, _CAPITALS) | bytes_between(text, place, _SMALLS)
        numbers |= bytes_between(text, place, _DIGITS)
        blanks = bytes_between(text, place, _BLANKS)
        spaces |= blanks | bytes_between(text, place, _CONTROLS)
        leads = bytes_between(text, place, _LEADS) & within
        while leads != 0:
            i = trailing_zeros(leads)
            kind = classes[_wide_code_at(text, place + i)]
            character = ((1 << size_at(text, place + i)) - 1) << i
            letters |= character * (kind & LETTER)
            numbers |= character * ((kind & NUMBER) >> 1)
            spaces |= character * ((kind & SPACE) >> 2)
            wide_spaces |= kind & SPACE
            leads &= leads - 1
        stretch.letters[group], stretch.numbers[group] = letters & within, numbers & within
        stretch.spaces[group], stretch.blanks[group] = spaces & within, blanks & within
        # A character may go on in the next group.
        letters, numbers, spaces = letters >> THIRTY_TWO, numbers >> THIRTY_TWO, spaces >> THIRTY_TWO
    stretch.spaces[groups] = stretch.flags[groups] = 0
    return wide_spaces


@helper
def _wide_code_at(text: Bytes, at: int) -> int:
    """The code point above ASCII that begins at `at`; whether it has two bytes or three cannot be foreseen."""
    first, second, third = text[at] & 0xFF, text[at + 1] & 0x3F, text[at + 2] & 0x3F
    if first >= 0xF0:
        return code_at(text, at)
    is_long = (first >= 0xE0) * 6
    return ((((first & (0x1F >> (first >= 0xE0))) << 6) | second) << is_long) | (third & (0x3F >> (6 - is_long)))


@helper
def _flag(stretch: Stretch, size: int) -> None:
    """Flag where a word begins, from the kinds of a byte and of those before and after.

    - White space, but where it goes on from white space and goes on to white space: the last is left for the word
      that follows, or is one by itself.
    - Another character, but where it goes on from its own kind or has a blank before it.
    """
    last_letter = last_number = last_other = last_space = last_blank = 0
    for group in range(_groups_of(size)):
        letters, numbers, spaces = stretch.letters[group], stretch.numbers[group], stretch.spaces[group]
        others = _ALL & ~(letters | numbers | spaces)
        after_blank = stretch.blanks[group] << 1 | last_blank
        going_on = letters & (letters << 1 | last_letter) | numbers & (numbers << 1 | last_number)
        going_on |= others & (others << 1 | last_other) | after_blank | spaces
        next_space = stretch.spaces[group + 1] & 1
        inside = (spaces << 1 | last_space) & (spaces >> 1 | next_space << _LAST_BIT)
        stretch.flags[group] = (~going_on | spaces & ~inside) & _ALL
        last_letter, last_number, last_other = letters >> _LAST_BIT, numbers >> _LAST_BIT, others >> _LAST_BIT
        last_space, last_blank = spaces >> _LAST_BIT, stretch.blanks[group] >> _LAST_BIT


@helper
def _correct_wide_spaces(text: Bytes, at: int, size: int, flags: Longs) -> None:
    """White space of several bytes was flagged at its last where it should be at its first."""
    for group in range(_groups_of(size)):
        begin = group * THIRTY_TWO
        lasts = flags[group] & bytes_between(text, at + begin, _FURTHER)
        while lasts != 0:
            i = begin + trailing_zeros(lasts)
            _clear(flags, i)
            _set(flags, before(text, at + i + 1) - at)
            lasts &= lasts - 1


@helper
def _correct_contractions(text: Bytes, at: int, size: int, end: int, flags: Longs) -> None:
    """After an apostrophe that begins a contraction, no word begins until the contraction ends."""
    for group in range(_groups_of(size)):
        apostrophes = bytes_between(text, at + group * THIRTY_TWO, _APOSTROPHES)
        while apostrophes != 0:
            i = group * THIRTY_TWO + trailing_zeros(apostrophes)
            if i < size and _is_set(flags, i):
                taken = contraction(text, at + i, end, False)
                if taken:
                    _clear(flags, i + 1)
                    _set(flags, i + taken)
            apostrophes &= apostrophes - 1


@helper
def _collect(flags: Longs, size: int, at: int, begins: Longs) -> int:
    """Write down where the flags are. Returns how many."""
    found = 0
    for group in range(0, _groups_of(size), 2):  # two at a time, because the end of the inner loop cannot be foreseen
        begin = group * THIRTY_TWO
        mask = flags[group] | flags[group + 1] << THIRTY_TWO
        if size - begin < 2 * THIRTY_TWO:
            mask &= (1 << (size - begin)) - 1
        while mask != 0:
            begins[found] = at + begin + trailing_zeros(mask)
            mask &= add(mask, -1)
            found += 1
    return found
