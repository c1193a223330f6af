"""Cut normalized sentences into the words within which SentencePiece's trainer merges characters.

Sentences are concatenated, each followed by a mark. Every character has a class: words end between two
characters that can never be in one piece, and characters outside the alphabet are left out.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, size_at
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

from .special_search import MARK

TRANSPARENT, NEUTRAL, SPACE, ALONE, DROPPED = range(5)
"""Classes of characters: one that takes the class of the character before it, one that goes with any class, the space,
one that never merges, and one that is left out. Higher classes are scripts, two of which are never in one piece."""

NOWHERE, BEFORE, AFTER = range(3)
"""Where words end at a space."""

_NO_CLASS: Final = -1


@kernel
def count_by_character(text: UInt8Array, size: int, frequencies: Int64Array, counts: Int64Array) -> None:
    """Add to `counts`, by code point, how often each character occurs; `frequencies` are those of sentences."""
    at, sentence = 0, 0
    while at < size:
        if text[at] == MARK:
            sentence += 1
            at += 1
        else:
            counts[code_point_at(text, at)] += frequencies[sentence]
            at += size_at(text, at)


@kernel
def cut_words(
    text: UInt8Array,
    size: int,
    classes: Int32Array,
    at_space: int,
    out: UInt8Array,
    starts: Int64Array,
    sentences: Int64Array,
) -> int:
    """Write the words to `out`, where each starts, and the sentence of each. Return their number.

    `starts` has one more item: where the last word ends.
    """
    at, count, end, sentence, before = 0, 0, 0, 0, _NO_CLASS
    starts[0] = 0
    while at < size:
        if text[at] == MARK:
            before = _NO_CLASS
            sentence += 1
            at += 1
            continue
        length, kind = size_at(text, at), classes[code_point_at(text, at)]
        if kind == DROPPED:
            before = _NO_CLASS
        else:
            if before == _NO_CLASS or _is_cut(before, kind, at_space):
                starts[count] = end
                sentences[count] = sentence
                count += 1
            for i in range(length):
                out[end + i] = text[at + i]
            end += length
            before = kind
        at += length
    starts[count] = end
    return count


@helper
def _is_cut(before: int, kind: int, at_space: int) -> bool:
    """Return whether no piece has neighbouring characters of these two classes."""
    if before == ALONE or kind == ALONE:
        return True
    if before == SPACE or kind == SPACE:
        return (kind == SPACE and at_space == BEFORE) or (before == SPACE and at_space == AFTER)
    return before > DROPPED and kind > DROPPED and before != kind
