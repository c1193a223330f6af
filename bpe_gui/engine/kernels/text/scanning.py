"""Where words end: the patterns of GPT-2 and tiktoken, written out over UTF-8.

Each `..._end` gives, for a place where a word begins, where it ends. They equal `SPLITTERS` on every text, and a word
takes nothing beyond `end`, though what is there may be read.

The patterns look at no character but by its class, some of ASCII apart. A table has the class of each code point.
"""

from typing import Final

from bpe_gui.engine.kernels.lowlevel.bits import leading_capitals, leading_letters, leading_small_letters
from bpe_gui.engine.runtime.jit import helper
from bpe_gui.engine.kernels.lowlevel.memory import load8
from bpe_gui.engine.kernels.training.records import Bytes
from bpe_gui.engine.kernels.lowlevel.utf8 import before, code_at, size_at

# What a class is made of. A character is a letter, a number, white space or other.
LETTER: Final = 1
NUMBER: Final = 2
SPACE: Final = 4
OTHER: Final = 8
NEWLINE: Final = 16  # CR and LF, white space as well
CAPITAL: Final = 32  # what o200k takes for a capital: capitals, letters without case, and marks, which are other
SMALL: Final = 64  # and for a small letter: small letters, letters without case, and marks
BLANK: Final = 128  # U+0020, white space as well

GPT2, CL100K, O200K = range(3)

_APOSTROPHE: Final = 0x27
_SPACE_BYTE: Final = 0x20
_SLASH: Final = 0x2F
_ASCII: Final = 0x80  # what is below


@helper
def word_end(splitter: int, text: Bytes, at: int, end: int, classes: Bytes) -> int:
    """Where the word ends that begins at `at`."""
    if splitter == GPT2:
        return gpt2_end(text, at, end, classes)
    if splitter == CL100K:
        return cl100k_end(text, at, end, classes)
    return o200k_end(text, at, end, classes)


# -- gpt2 ---------------------------------------------------------------------------------------------------------


@helper
def gpt2_end(text: Bytes, at: int, end: int, classes: Bytes) -> int:
    """`'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+`."""
    begin = at + (text[at] == _SPACE_BYTE)
    stop = _ascii_letters_end(text, begin)
    if stop > begin and text[stop] < _ASCII:
        return min(stop, end)
    if text[at] == _APOSTROPHE:
        stop = at + contraction(text, at, end, False)
        if stop > at:
            return stop
    kind = classes[code_at(text, begin)] & (LETTER | NUMBER | OTHER) if begin < end else 0
    if kind:
        return _run_end(text, begin, end, classes, kind)
    stop = _run_end(text, at, end, classes, SPACE)
    return stop if stop == end else _without_last(text, at, stop)


# -- cl100k -------------------------------------------------------------------------------------------------------


@helper
def cl100k_end(text: Bytes, at: int, end: int, classes: Bytes) -> int:
    """The pattern of `SPLITTERS["cl100k"]`: a word has one character of nearly any kind before its letters."""
    if text[at] == _APOSTROPHE:
        stop = at + contraction(text, at, end, True)
        if stop > at:
            return stop
    first = classes[code_at(text, at)] & 0xFF
    begin = at if first & (LETTER | NUMBER | NEWLINE) else at + size_at(text, at)
    stop = _ascii_letters_end(text, begin)
    if stop > begin and text[stop] < _ASCII:
        return min(stop, end)
    stop = _run_end(text, begin, end, classes, LETTER)
    if stop > begin:
        return stop
    if first & NUMBER:
        return _numbers_end(text, at, end, classes)
    begin = at + (text[at] == _SPACE_BYTE)
    stop = _run_end(text, begin, end, classes, OTHER)
    if stop > begin:
        return _line_end(text, stop, end, False)
    stop = _run_end(text, at, end, classes, SPACE)
    return stop if stop == end else _lines_end(text, at, stop, end)


# -- o200k --------------------------------------------------------------------------------------------------------


@helper
def o200k_end(text: Bytes, at: int, end: int, classes: Bytes) -> int:
    """The pattern of `SPLITTERS["o200k"]`: a word ends before a capital that follows a small letter."""
    first = classes[code_at(text, at)] & 0xFF
    begin = at if first & (LETTER | NUMBER | NEWLINE) else at + size_at(text, at)
    capitals = _ascii_capitals_end(text, begin)
    stop = _ascii_small_letters_end(text, capitals)
    if stop > begin and text[at] < _ASCII and text[stop] < _ASCII:
        stop = min(stop, end)
    else:
        stop = _cased_end(text, at, begin, end, classes)
    if stop > at:
        return stop + contraction(text, stop, end, True)
    if first & NUMBER:
        return _numbers_end(text, at, end, classes)
    begin = at + (text[at] == _SPACE_BYTE)
    stop = _run_end(text, begin, end, classes, OTHER)
    if stop > begin:
        return _line_end(text, stop, end, True)
    stop = _run_end(text, at, end, classes, SPACE)
    return _lines_end(text, at, stop, end)


@helper
def _cased_end(text: Bytes, at: int, begin: int, end: int, classes: Bytes) -> int:
    """Where the letters of an o200k word end that begins at `at`, its letters at `begin`; or `at` if it has none.

    The pattern takes all it can for capitals, gives back until one character may be a small letter, and takes all
    small letters from there. Characters without case are both. So after the capitals either a small letter follows,
    or the last character without case is given back and the word ends after it. If there is neither, the pattern
    tries again with the letters from `at` on, where a mark would be that one character. If that fails as well, its
    second alternative takes the capitals alone.
    """
    stop, last_caseless = begin, at
    while stop < end:
        kind = classes[code_at(text, stop)]
        if not kind & CAPITAL:
            break
        stop += size_at(text, stop)
        if kind & SMALL:
            last_caseless = stop
    small = _run_end(text, stop, end, classes, SMALL)
    if small > stop:
        return small
    if last_caseless > at:
        return last_caseless
    if classes[code_at(text, at)] & SMALL:
        return begin  # a mark
    return stop if stop > begin else at


# -- parts of the patterns ----------------------------------------------------------------------------------------


@helper
def _run_end(text: Bytes, at: int, end: int, classes: Bytes, kind: int) -> int:
    """Where the characters of that kind end that begin at `at`; none may be there."""
    while at < end and classes[code_at(text, at)] & kind:
        at += size_at(text, at)
    return at


@helper
def _ascii_letters_end(text: Bytes, at: int) -> int:
    size = leading_letters(load8(text, at))
    at += size
    while size == 8:
        size = leading_letters(load8(text, at))
        at += size
    return at


@helper
def _ascii_capitals_end(text: Bytes, at: int) -> int:
    size = leading_capitals(load8(text, at))
    at += size
    while size == 8:
        size = leading_capitals(load8(text, at))
        at += size
    return at


@helper
def _ascii_small_letters_end(text: Bytes, at: int) -> int:
    size = leading_small_letters(load8(text, at))
    at += size
    while size == 8:
        size = leading_small_letters(load8(text, at))
        at += size
    return at


@helper
def _numbers_end(text: Bytes, at: int, end: int, classes: Bytes) -> int:
    """`\\p{N}{1,3}`."""
    for _ in range(3):
        if at < end and classes[code_at(text, at)] & NUMBER:
            at += size_at(text, at)
    return at


@helper
def _line_end(text: Bytes, at: int, end: int, slashes: bool) -> int:
    """`[\\r\\n]*`, or with slashes `[\\r\\n/]*`."""
    while at < end and (text[at] == 10 or text[at] == 13 or (slashes and text[at] == _SLASH)):
        at += 1
    return at


@helper
def _lines_end(text: Bytes, at: int, stop: int, end: int) -> int:
    """`\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+` for white space that ends at `stop`."""
    last = stop
    while last > at:
        if text[last - 1] == 10 or text[last - 1] == 13:
            return last
        last -= 1
    return stop if stop == end else _without_last(text, at, stop)


@helper
def _without_last(text: Bytes, at: int, stop: int) -> int:
    """`\\s+(?!\\S)|\\s+` for white space that ends at `stop`, where something follows."""
    last = before(text, stop)
    return last if last > at else stop


@helper
def contraction(text: Bytes, at: int, end: int, any_case: bool) -> int:
    """How many bytes `'s|'t|'re|'ve|'m|'ll|'d` takes at `at`, or 0."""
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


# -- where a text can be cut --------------------------------------------------------------------------------------


@helper
def last_boundary(text: Bytes, at: int, stop: int, classes: Bytes, after: int) -> int:
    """The last place after `at`, up to `stop`, where a text can be cut without a change of its words, or `at`.

    That is between a letter or a number and a character of a kind in `after`, white space or other, that is no mark
    and no apostrophe.

    - No word goes over it: in all the patterns, what a word has after a letter or a number is of that kind as well, a
      mark (o200k), or the apostrophe of a contraction.
    - The words before it do not depend on what follows. A pattern that fails or ends because of the character after
      the cut does so because of the end, too, as it is not one of those. And white space, of which the patterns look
      at what follows, ends before the letter or number.
    - The words after it do not depend on what was before: no pattern looks back.
    """
    while stop > at and text[stop] & 0xC0 == 0x80:
        stop -= 1
    while stop > at:
        last = before(text, stop)
        kind = classes[code_at(text, stop)]
        if (
            kind & after
            and not kind & SMALL
            and text[stop] != _APOSTROPHE
            and classes[code_at(text, last)] & (LETTER | NUMBER)
        ):
            return stop
        stop = last
    return at
