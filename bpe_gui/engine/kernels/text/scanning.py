"""Find where a word of GPT-2's pattern ends. A table has the class of each code point."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.kernels.lowlevel.bits import leading_letters
from bpe_gui.engine.kernels.lowlevel.memory import load8
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, previous_character, size_at
from bpe_gui.engine.runtime.arrays import UInt8Array

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
