"""Split text with the splitters that drop the white space between words, and tell it from words afterwards.

The text is cut into words and runs of white space, which are counted alike. So the table of words needs to know
nothing of dropped text; `find_words_among` tells which of its entries are words.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, previous_character, size_at
from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array, UInt8Array

from .scanning import BLANK, LETTER, NEWLINE, NUMBER, O200K, OTHER, SPACE

WHITESPACE, SPACE_AND_LINES, ZH_EN = range(O200K + 1, O200K + 4)

SPACE_BEFORE: Final = 8
"""Added to the number of a splitter whose words begin with the space right before them."""

_PIECES_AT_ONCE: Final = 256
_SPACE_BYTE: Final = 0x20
_FIRST_IDEOGRAPH: Final = 0x4E00
_LAST_IDEOGRAPH: Final = 0x9FFF


@helper
def drops_white_space(splitter: int) -> bool:
    """Return whether a splitter is one of these."""
    return splitter > O200K


@helper
def classes_after_boundary(splitter: int) -> int:
    """Return the classes of characters before which text can be split after a letter or number, by any splitter."""
    if splitter & ~SPACE_BEFORE == WHITESPACE:
        return SPACE
    if splitter & ~SPACE_BEFORE == SPACE_AND_LINES:
        return BLANK | NEWLINE
    return SPACE | OTHER


@helper
def next_pieces(splitter: int, text: UInt8Array, at: int, end: int, classes: UInt8Array, starts: Int64Array) -> int:
    """Write the offsets at which the next words and runs of white space start; otherwise as `next_words`."""
    pieces = 0
    while at < end and pieces < _PIECES_AT_ONCE:
        starts[pieces] = at
        at = _piece_end(splitter, text, at, end, classes)
        pieces += 1
    starts[pieces] = at
    return pieces


@kernel
def find_words_among(
    splitter: int, text: UInt8Array, starts: Int64Array, classes: UInt8Array, are_words: BoolArray
) -> int:
    """Write which pieces are words rather than white space; piece `i` ends at `starts[i + 1]`. Return the number."""
    words = 0
    for i in range(len(are_words)):
        last = previous_character(text, starts[i + 1])
        are_words[i] = not _is_dropped(splitter & ~SPACE_BEFORE, text, last, classes)
        words += are_words[i]
    return words


@helper
def _piece_end(splitter: int, text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Return where the word or white space ends that begins at `at`."""
    kind = splitter & ~SPACE_BEFORE
    stop = at
    while stop < end and _is_dropped(kind, text, stop, classes):
        stop += size_at(text, stop)
    if stop > at and (stop == end or splitter == kind or text[stop - 1] != _SPACE_BYTE):
        return stop
    if stop > at + 1:
        return stop - 1  # the last space belongs to the word
    return _word_end(kind, text, stop, end, classes)


@helper
def _word_end(kind: int, text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Return where the word ends that begins at `at`, with a character that is not dropped."""
    if kind == ZH_EN:
        return _zh_en_end(text, at, end, classes)
    while at < end and not _is_dropped(kind, text, at, classes):
        at += size_at(text, at)
    return at


@helper
def _zh_en_end(text: UInt8Array, at: int, end: int, classes: UInt8Array) -> int:
    """Match `[\\u4e00-\\u9fff]+|[[\\p{L}\\p{N}]--[\\u4e00-\\u9fff]]+|.` at offset `at`."""
    kind = _zh_en_kind(text, at, classes)
    at += size_at(text, at)
    while kind > 0 and at < end and _zh_en_kind(text, at, classes) == kind:
        at += size_at(text, at)
    return at


@helper
def _zh_en_kind(text: UInt8Array, at: int, classes: UInt8Array) -> int:
    """Return 1 for an ideograph, 2 for another letter or number, 0 for any other character."""
    code_point = code_point_at(text, at)
    if _FIRST_IDEOGRAPH <= code_point <= _LAST_IDEOGRAPH:
        return 1
    return 2 if classes[code_point] & (LETTER | NUMBER) else 0


@helper
def _is_dropped(kind: int, text: UInt8Array, at: int, classes: UInt8Array) -> bool:
    """Return whether the character that begins at `at` is dropped: white space, as `SPLITTERS` defines it."""
    byte = text[at]
    if kind == SPACE_AND_LINES:
        return byte == _SPACE_BYTE or byte == 10 or byte == 13
    # Python's white space includes four controls that Unicode's does not.
    return 0x1C <= byte <= 0x1F or classes[code_point_at(text, at)] & SPACE != 0
