"""Finding special tokens in UTF-8: the leftmost, and of those the longest.

Source: Horspool, “Practical fast searching in strings” (1980), for several tokens: the byte under the last place of the
shortest token says how far the next token that has this byte so early can be.
"""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.jit import helper
from bpe_gui.engine.kernels.training.records import Bytes, Longs


class Specials(NamedTuple):
    """Special tokens, sorted by their bytes."""

    text: Bytes
    """Their bytes, one after another."""
    starts: Longs
    """Where each begins; one number more than there are tokens."""
    shorter: Longs
    """By token: the longest other one that it begins with, or -1."""
    skips: Bytes
    """By byte: how far to go on if it stands where the shortest token would end; 0 where a token may be."""
    sizes: Longs
    """The sizes of the shortest and the longest; 1 if there is none."""


SHORTEST: Final = 0
LONGEST: Final = 1


@helper
def find_special(text: Bytes, at: int, stop: int, end: int, specials: Specials) -> tuple[int, int]:
    """Where the next special token begins, before `stop`, and which it is, all before `end`; else `stop` and -1."""
    if len(specials.starts) == 1:
        return stop, -1
    reach = specials.sizes[SHORTEST] - 1
    last = min(stop, end - reach)
    while at < last:
        skip = specials.skips[text[at + reach]]
        if skip == 0:
            token = special_at(text, at, end, specials)
            if token >= 0:
                return at, token
            skip += 1
        at += skip
    return stop, -1


@helper
def special_at(text: Bytes, at: int, end: int, specials: Specials) -> int:
    """The longest special token that stands at a place, or -1.

    The last token that is not above the text in sorted order begins with each token that stands there, if one does.
    """
    first, last = 0, len(specials.starts) - 1
    while first < last:
        middle = (first + last) >> 1
        if _is_above(text, at, end, specials, middle):
            last = middle
        else:
            first = middle + 1
    token = first - 1
    while token >= 0 and not _stands_at(text, at, end, specials, token):
        token = specials.shorter[token]
    return token


@helper
def size_of(specials: Specials, token: int) -> int:
    """The bytes of a special token."""
    return specials.starts[token + 1] - specials.starts[token]


@helper
def _is_above(text: Bytes, at: int, end: int, specials: Specials, token: int) -> bool:
    """Whether a token comes after the text in sorted order."""
    begin, size = specials.starts[token], size_of(specials, token)
    for i in range(min(size, end - at)):
        if specials.text[begin + i] != text[at + i]:
            return specials.text[begin + i] > text[at + i]
    return size > end - at


@helper
def _stands_at(text: Bytes, at: int, end: int, specials: Specials, token: int) -> bool:
    begin, size = specials.starts[token], size_of(specials, token)
    if at + size > end:
        return False
    for i in range(size):  # noqa: SIM110  # no kernel has generators
        if specials.text[begin + i] != text[at + i]:
            return False
    return True
