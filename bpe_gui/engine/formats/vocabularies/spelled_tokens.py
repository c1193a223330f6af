"""Turn the spelled tokens of a large vocabulary into bytes, and spelled merges into numbered ones, many at a time."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, compress, pairwise, repeat
from operator import add
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.lowlevel.packing import SYMBOL_BITS
from bpe_gui.engine.pipeline.aligned_text import code_points
from bpe_gui.engine.runtime.arrays import Int64Array
from bpe_gui.engine.runtime.printable import PRINTABLE, from_printable
from bpe_gui.engine.tokenization.numbered_merges import NumberedMerges

_NO_BYTE: Final = -1


def _byte_table() -> Int64Array:
    """Return the byte that each code point stands for; the last entry is for all code points from there on."""
    table = np.full(max(map(ord, PRINTABLE)) + 2, _NO_BYTE, np.int64)
    table[list(map(ord, PRINTABLE))] = np.arange(len(PRINTABLE))
    return table


_BYTE_OF: Final = _byte_table()


def from_printable_each(texts: Collection[str]) -> list[bytes]:
    """Return the bytes that `to_printable` wrote as each of the texts. Raise KeyError as `from_printable` does.

    >>> from_printable_each(["Ġlow", "er"])
    [b' low', b'er']
    """
    codes = code_points("".join(texts))
    spelled = _BYTE_OF[np.minimum(codes, len(_BYTE_OF) - 1)]
    if np.any(spelled == _NO_BYTE):
        return list(map(from_printable, texts))  # raises
    data = spelled.astype(np.uint8).tobytes()
    return [data[start:stop] for start, stop in pairwise(accumulate(map(len, texts), initial=0))]


class SpelledMerges(NamedTuple):
    """Merges by rank, as the places of tokens in a vocabulary of spelled ones."""

    lefts: Int64Array
    rights: Int64Array
    products: Int64Array

    def used(self, spellings: Collection[str]) -> Iterator[str]:
        """Return the tokens that merges join or make, given all spelled tokens in order."""
        are_used = np.zeros(len(spellings), np.bool_)
        are_used[np.concatenate(self)] = True
        return compress(spellings, are_used.tolist())

    def last_of_each(self) -> "SpelledMerges":
        """Return the merges without those that come again later."""
        backwards = ((self.lefts << SYMBOL_BITS) | self.rights)[::-1]
        _keys, found = np.unique(backwards, return_index=True)
        ranks = np.sort(len(backwards) - 1 - found)
        return SpelledMerges(*(column[ranks] for column in self))

    def of_bytes(self, spellings: Iterable[str], tokens: Mapping[str, bytes]) -> NumberedMerges:
        """Return the merges of tokens that are given as bytes by spelling, in the order of `spellings`.

        `tokens` may lack some of all spellings, which merges do not have.
        """
        is_there = np.fromiter((spelling in tokens for spelling in spellings), np.bool_)
        numbers = np.cumsum(is_there) - 1
        return NumberedMerges(list(tokens.values()), *(numbers[column] for column in self))


def spelled_merges(lefts: Sequence[str], rights: Sequence[str], vocabulary: Iterable[str]) -> SpelledMerges | None:
    """Return the merges of a vocabulary, or None if it lacks a token that one of them joins or makes.

    >>> spelled_merges(["l"], ["o"], ["o", "l", "lo"]).products.tolist(), spelled_merges(["l"], ["o"], ["o", "l"])
    ([2], None)
    """
    place_of = {token: place for place, token in enumerate(vocabulary)}.__getitem__
    count = len(lefts)
    try:
        return SpelledMerges(
            np.fromiter(map(place_of, lefts), np.int64, count),
            np.fromiter(map(place_of, rights), np.int64, count),
            np.fromiter(map(place_of, map(add, lefts, rights)), np.int64, count),
        )
    except KeyError:
        return None


def split_pairs(lines: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return what stands before the space in each line, and what stands after it.

    Return None if a line is not two parts with a space between.

    >>> split_pairs(["l o", "lo w"]), split_pairs(["l o w"])
    ((['l', 'lo'], ['o', 'w']), None)
    """
    if not set(map(str.count, lines, repeat(" "))) <= {1}:
        return None
    # One list, because as many small ones would keep the garbage collector busy.
    parts = " ".join(lines).split(" ") if lines else []
    return (parts[::2], parts[1::2]) if all(parts) else None
