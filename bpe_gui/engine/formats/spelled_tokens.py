"""Turn the printable tokens of a large vocabulary into bytes, and merges of such tokens into numbers, in bulk."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, compress, repeat
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING, SYMBOL_BITS
from bpe_gui.engine.pipeline.aligned_text import code_points
from bpe_gui.engine.runtime.printable import PRINTABLE, from_printable
from bpe_gui.engine.runtime.types import BoolArray, Int64Array
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, TokenList, starts_of

_NO_BYTE: Final = -1

_BYTE_OF: Final[Int64Array] = np.full(max(map(ord, PRINTABLE)) + 2, _NO_BYTE, np.int64)
"""The byte that each code point stands for; the last entry is for all later code points."""
_BYTE_OF[list(map(ord, PRINTABLE))] = np.arange(len(PRINTABLE))


def which_are_printable(texts: Collection[str]) -> BoolArray:
    """Return for each text whether it consists of printable characters that stand for bytes.

    >>> which_are_printable(["Ġlow", " low", ""]).tolist()
    [True, False, True]
    """
    others = np.cumsum(np.append(False, _bytes_of("".join(texts)) == _NO_BYTE))[starts_of(texts)]
    are_printable: BoolArray = others[1:] == others[:-1]
    return are_printable


def from_printable_each(texts: Collection[str]) -> TokenList:
    """Return `from_printable` of each text. Raise KeyError as it does.

    >>> list(from_printable_each(["Ġlow", "er"]))
    [b' low', b'er']
    """
    spelled = _bytes_of("".join(texts))
    if np.any(spelled == _NO_BYTE):
        for text in texts:
            from_printable(text)  # raises
    padded = np.append(spelled.astype(np.uint8), np.zeros(PADDING, np.uint8))
    return TokenList(padded, starts_of(texts))


def _bytes_of(text: str) -> Int64Array:
    """Return the byte that each character of a text stands for, or -1."""
    return _BYTE_OF[np.minimum(code_points(text), len(_BYTE_OF) - 1)]


class SpelledMerges(NamedTuple):
    """Merges by rank, as indices of tokens in a vocabulary of spelled tokens."""

    lefts: Int64Array
    rights: Int64Array
    products: Int64Array

    def used(self, spellings: Collection[str]) -> Iterator[str]:
        """Yield the tokens that merges join or make, given all spelled tokens in order."""
        are_used = np.zeros(len(spellings), np.bool_)
        are_used[np.concatenate(self)] = True
        return compress(spellings, are_used.tolist())

    def among(self, are_there: BoolArray) -> "SpelledMerges":
        """Return the merges that only join and make some of the tokens."""
        ranks = np.logical_and.reduce([are_there[column] for column in self])
        return self if ranks.all() else SpelledMerges(*(column[ranks] for column in self))

    @property
    def has_repeated_products(self) -> bool:
        """Whether several merges make the same token."""
        return bool(np.any(np.bincount(self.products) > 1))

    def last_of_each(self) -> "SpelledMerges":
        """Return the merges without those that are repeated later."""
        pairs = (self.lefts << SYMBOL_BITS) | self.rights
        if not np.any(np.diff(np.sort(pairs)) == 0):  # the usual case; finding ranks takes ten times as long
            return self
        _pairs, found = np.unique(backwards := pairs[::-1], return_index=True)
        ranks = np.sort(len(backwards) - 1 - found)
        return SpelledMerges(*(column[ranks] for column in self))

    def of_bytes(self, spellings: Collection[str], spelled: Collection[str], tokens: TokenList) -> NumberedMerges:
        """Return the merges of `tokens`, in bytes, which are `spelled` in the same order.

        The spelled tokens are a subset of all `spellings`, in the same order, and include all that merges need.
        """
        columns: Iterable[Int64Array] = self
        if len(spelled) < len(spellings):
            is_there = np.fromiter(map(set(spelled).__contains__, spellings), np.bool_, len(spellings))
            numbers = np.cumsum(is_there) - 1
            columns = (numbers[column] for column in self)
        return NumberedMerges(tokens, *columns)


def spelled_merges(lefts: Sequence[str], rights: Sequence[str], vocabulary: Iterable[str]) -> SpelledMerges | None:
    """Return the merges of a vocabulary, or None if it lacks a token that one of them joins or makes.

    >>> spelled_merges(["l"], ["o"], ["o", "l", "lo"]).products.tolist(), spelled_merges(["l"], ["o"], ["o", "l"])
    ([2], None)
    """
    parts = TokenList.of(list(map(str.encode, chain.from_iterable(zip(lefts, rights, strict=True)))))
    return merges_of_parts(parts, TokenList.of(list(map(str.encode, vocabulary))))


def merges_of_parts(parts: TokenList, tokens: TokenList) -> SpelledMerges | None:
    """Return the merges whose left and right tokens alternate in `parts`, or None as `spelled_merges` does."""
    begins, middles, ends = parts.starts[:-1:2], parts.starts[1::2], parts.starts[2::2]
    merges = SpelledMerges(
        *(tokens.find(parts.text, *spans) for spans in ((begins, middles), (middles, ends), (begins, ends)))
    )
    return None if any(np.any(column < 0) for column in merges) else merges


def split_pairs(lines: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return the parts before and after the space in each line.

    Return None if a line does not have exactly two parts with a space between them.

    >>> split_pairs(["l o", "lo w"]), split_pairs(["l o w"])
    ((['l', 'lo'], ['o', 'w']), None)
    """
    if not set(map(str.count, lines, repeat(" "))) <= {1}:
        return None
    # One list, since a small one per line would keep the garbage collector busy.
    parts = " ".join(lines).split(" ") if lines else []
    return (parts[::2], parts[1::2]) if all(parts) else None
