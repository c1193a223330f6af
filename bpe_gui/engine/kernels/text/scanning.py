"""Find where a word ends: the patterns of GPT-2 and tiktoken as hand-written automata over UTF-8.

For an offset at which a word begins, each `..._end` returns the offset at which it ends. They equal the patterns of
`SPLITTERS` on every text. A word never extends beyond `end`, though bytes after it may be read.

The patterns tell characters apart by class alone, except for some of ASCII. A table has the class of each code point.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.kernels.lowlevel.bits import leading_letters, leading_lowercase, leading_uppercase
from bpe_gui.engine.kernels.lowlevel.memory import load8
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, previous_character, size_at
from bpe_gui.engine.runtime.arrays import UInt8Array

# The bits of a class. Every character is one of letter, number, white space and other.
LETTER: Final = 1
NUMBER: Final = 2
SPACE: Final = 4
OTHER: Final = 8
NEWLINE: Final = 16  # CR and LF, which are white space as well
UPPER: Final = 32  # o200k's first class of letters: uppercase, letters without case, and marks, which are other
LOWER: Final = 64  # o200k's second class of letters: lowercase, letters without case, and marks
BLANK: Final = 128  # U+0020, which is white space as well

GPT2, CL100K, O200K = range(3)

_APOSTROPHE: Final = 0x27
_SPACE_BYTE: Final = 0x20
_SLASH: Final = 0x2F
_ASCII_END: Final = 0x80


@helper
def word_end(splitter: int, text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Return the offset at which the word ends that begins at `at`."""
    if splitter == GPT2:
        return gpt2_end(text, at, end, classes)
    if splitter == CL100K:
        return cl100k_end(text, at, end, classes)
    return o200k_end(text, at, end, classes)


# -- gpt2 ---------------------------------------------------------------------------------------------------------


@helper
def gpt2_end(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Match `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+` at offset `at`."""
    start = at + (text[at] == _SPACE_BYTE)
    stop = _ascii_letters_end(text, start)
    if stop > start and text[stop] < _ASCII_END:
        return min(stop, end)
    if text[at] == _APOSTROPHE:
        stop = at + contraction_size(text, at, end, False)
        if stop > at:
            return stop
    kind = classes[code_point_at(text, start)] & (LETTER | NUMBER | OTHER) if start < end else 0
    if kind:
        return _run_end(text, start, end, classes, kind)
    stop = _run_end(text, at, end, classes, SPACE)
    return stop if stop == end else _without_last(text, at, stop)


# -- cl100k -------------------------------------------------------------------------------------------------------


@helper
def cl100k_end(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Match `SPLITTERS["cl100k"]` at offset `at`: one character of nearly any kind may precede a word's letters."""
    if text[at] == _APOSTROPHE:
        stop = at + contraction_size(text, at, end, True)
        if stop > at:
            return stop
    first = classes[code_point_at(text, at)] & 0xFF
    start = at if first & (LETTER | NUMBER | NEWLINE) else at + size_at(text, at)
    stop = _ascii_letters_end(text, start)
    if stop > start and text[stop] < _ASCII_END:
        return min(stop, end)
    stop = _run_end(text, start, end, classes, LETTER)
    if stop > start:
        return stop
    if first & NUMBER:
        return _numbers_end(text, at, end, classes)
    start = at + (text[at] == _SPACE_BYTE)
    stop = _run_end(text, start, end, classes, OTHER)
    if stop > start:
        return _newlines_end(text, stop, end, False)
    stop = _run_end(text, at, end, classes, SPACE)
    return stop if stop == end else _white_space_end(text, at, stop, end)


# -- o200k --------------------------------------------------------------------------------------------------------


@helper
def o200k_end(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Match `SPLITTERS["o200k"]` at offset `at`: a word ends between a lowercase and an uppercase letter."""
    first = classes[code_point_at(text, at)] & 0xFF
    start = at if first & (LETTER | NUMBER | NEWLINE) else at + size_at(text, at)
    upper_end = _ascii_uppercase_end(text, start)
    stop = _ascii_lowercase_end(text, upper_end)
    if stop > start and text[at] < _ASCII_END and text[stop] < _ASCII_END:
        stop = min(stop, end)
    else:
        stop = _cased_end(text, at, start, end, classes)
    if stop > at:
        return stop + contraction_size(text, stop, end, True)
    if first & NUMBER:
        return _numbers_end(text, at, end, classes)
    start = at + (text[at] == _SPACE_BYTE)
    stop = _run_end(text, start, end, classes, OTHER)
    if stop > start:
        return _newlines_end(text, stop, end, True)
    stop = _run_end(text, at, end, classes, SPACE)
    return _white_space_end(text, at, stop, end)


@helper
def _cased_end(text: UInt8Array, at: int, start: int, end: int, classes: UInt8Array) -> int:
    """Return where the letters of an o200k word end, or `at` if it has none; they begin at `start`, the word at `at`.

    The pattern matches as many characters of the class UPPER as it can, backtracks until a character may be LOWER, and
    matches all LOWER from there. Characters without case are in both classes. So after the run of UPPER either LOWER
    follows, or the pattern backtracks to the last character without case, after which the word ends. If there is
    neither, the pattern tries again with letters from `at` on, where a mark may be that one LOWER character. If that
    fails as well, the pattern's second alternative matches the run of UPPER alone.
    """
    stop, last_caseless = start, at
    while stop < end:
        kind = classes[code_point_at(text, stop)]
        if not kind & UPPER:
            break
        stop += size_at(text, stop)
        if kind & LOWER:
            last_caseless = stop
    lower_end = _run_end(text, stop, end, classes, LOWER)
    if lower_end > stop:
        return lower_end
    if last_caseless > at:
        return last_caseless
    if classes[code_point_at(text, at)] & LOWER:
        return start  # a mark
    return stop if stop > start else at


# -- parts of the patterns ----------------------------------------------------------------------------------------


@helper
def _run_end(text: UInt8Array, at: int, end: int, classes: UInt8Array, kind: int) -> int:
    """Return where a run of characters of some classes ends; `at` if there is none."""
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
def _ascii_uppercase_end(text: UInt8Array, at: int) -> int:
    size = leading_uppercase(load8(text, at))
    at += size
    while size == 8:
        size = leading_uppercase(load8(text, at))
        at += size
    return at


@helper
def _ascii_lowercase_end(text: UInt8Array, at: int) -> int:
    size = leading_lowercase(load8(text, at))
    at += size
    while size == 8:
        size = leading_lowercase(load8(text, at))
        at += size
    return at


@helper
def _numbers_end(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Match `\\p{N}{1,3}`."""
    for _ in range(3):
        if at < end and classes[code_point_at(text, at)] & NUMBER:
            at += size_at(text, at)
    return at


@helper
def _newlines_end(text: UInt8Array, at: int, end: int, slashes: bool) -> int:
    """Match `[\\r\\n]*`, or with slashes `[\\r\\n/]*`."""
    while at < end and (text[at] == 10 or text[at] == 13 or (slashes and text[at] == _SLASH)):
        at += 1
    return at


@helper
def _white_space_end(text: UInt8Array, at: int, stop: int, end: int) -> int:
    """Match `\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+` in white space that ends at `stop`."""
    last = stop
    while last > at:
        if text[last - 1] == 10 or text[last - 1] == 13:
            return last
        last -= 1
    return stop if stop == end else _without_last(text, at, stop)


@helper
def _without_last(text: UInt8Array, at: int, stop: int) -> int:
    """Match `\\s+(?!\\S)|\\s+` in white space that ends at `stop`, before other text."""
    last = previous_character(text, stop)
    return last if last > at else stop


@helper
def contraction_size(text: UInt8Array, at: int, end: int, any_case: bool) -> int:
    """Return how many bytes `'s|'t|'re|'ve|'m|'ll|'d` matches at offset `at`, or 0."""
    if at + 1 >= end or text[at] != _APOSTROPHE:
        return 0
    case = 0x20 if any_case else 0
    first = text[at + 1] | case
    if first == 0x73 or first == 0x74 or first == 0x6D or first == 0x64:  # s t m d
        return 2
    if at + 2 >= end:
        return 0
    second = text[at + 2] | case
    if (first == 0x72 or first == 0x76) and second == 0x65:  # re ve
        return 3
    if first == 0x6C and second == 0x6C:  # ll
        return 3
    # The long s, U+017F, is an s in any case.
    return 3 if any_case and text[at + 1] == 0xC5 and text[at + 2] == 0xBF else 0


# -- boundaries at which text can be split ------------------------------------------------------------------------


@helper
def last_boundary(text: UInt8Array, at: int, stop: int, classes: UInt8Array, after: int) -> int:
    """Return the last offset after `at`, up to `stop`, at which splitting the text changes no word; `at` if none does.

    Such a boundary is between a letter or number and a character of the classes `after`, which are of white space and
    other; that character is neither a mark nor an apostrophe.

    - No word spans it: in all the patterns, what a word has after a letter or number is a letter or number as well, a
      mark (o200k), or the apostrophe of a contraction.
    - The words before it do not depend on what follows: the character after the boundary, which is none of these, stops
      a pattern just as the end of the text would. The patterns look ahead only at the end of white space, and white
      space ends before the letter or number.
    - The words after it do not depend on what precedes: no pattern looks behind.
    """
    while stop > at and text[stop] & 0xC0 == 0x80:
        stop -= 1
    while stop > at:
        last = previous_character(text, stop)
        kind = classes[code_point_at(text, stop)]
        if (
            kind & after
            and not kind & LOWER
            and text[stop] != _APOSTROPHE
            and classes[code_point_at(text, last)] & (LETTER | NUMBER)
        ):
            return stop
        stop = last
    return at
