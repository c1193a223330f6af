"""Merges of numbered tokens: arrays, from which the pairs of bytes are made when somebody asks for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import overload

import numpy as np

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array

from .token_list import TokenList
from .vocabulary import TokenPair


@dataclass(frozen=True, slots=True, eq=False)
class NumberedMerges(Sequence[TokenPair]):
    """Merges in the order of their ranks, as indices into a list of tokens.

    A large vocabulary is ready to encode in a fraction of the time that as many pairs of bytes take.

    >>> merges = NumberedMerges([b"l", b"o", b"lo"], np.array([0]), np.array([1]), np.array([2]))
    >>> len(merges), list(merges)
    (1, [(b'l', b'o')])
    """

    tokens: Sequence[bytes]
    lefts: Int64Array
    """By rank: the left token."""
    rights: Int64Array
    """By rank: the right token."""
    products: Int64Array
    """By rank: the token that the two merge into."""

    def __len__(self) -> int:
        return len(self.lefts)

    @overload
    def __getitem__(self, index: int) -> TokenPair: ...

    @overload
    def __getitem__(self, index: slice) -> "NumberedMerges": ...

    def __getitem__(self, index: int | slice) -> "TokenPair | NumberedMerges":
        if isinstance(index, slice):
            return self.select(index)
        return self.tokens[self.lefts[index]], self.tokens[self.rights[index]]

    def select(self, ranks: slice | BoolArray) -> "NumberedMerges":
        """Return the merges of some ranks."""
        return NumberedMerges(self.tokens, self.lefts[ranks], self.rights[ranks], self.products[ranks])

    @property
    def have_bytes(self) -> bool:
        """Whether no token that is merged is empty."""
        is_empty = TokenList.of(self.tokens).sizes == 0
        return not np.any(is_empty[self.lefts] | is_empty[self.rights])

    @classmethod
    def of(cls, merges: Sequence[TokenPair], tokens: Sequence[bytes], prefix_size: int) -> "NumberedMerges":
        """Return merges as numbers of tokens: of the given ones, then of others that merges have, in sorted order.

        The first `prefix_size` bytes of a right token are left out of the token it merges into. Equal merges and tokens
        give equal numbers, whatever the merges were before.

        >>> NumberedMerges.of([(b"l", b"o")], [b"o", b"lo"], 0).tokens
        [b'o', b'lo', b'l']
        """
        if isinstance(merges, NumberedMerges) and tokens[: len(merges.tokens)] == list(merges.tokens):
            return NumberedMerges(tokens, merges.lefts, merges.rights, merges.products)
        names, columns = names_and_places(merges, prefix_size)
        are_used = np.zeros(len(names), np.bool_)
        are_used[np.concatenate(columns)] = True
        used = list(compress(names, are_used.tolist()))
        number_of = dict(zip(reversed(tokens), reversed(range(len(tokens))), strict=True))  # of two, the first
        others = sorted(set(used).difference(number_of))
        number_of.update(zip(others, range(len(tokens), len(tokens) + len(others)), strict=True))
        numbers = np.zeros(len(names), np.int64)
        numbers[are_used] = np.fromiter(map(number_of.__getitem__, used), np.int64, len(used))
        return cls([*tokens, *others], *(numbers[column] for column in columns))

    def __iter__(self) -> Iterator[TokenPair]:
        token = self.tokens.__getitem__
        return zip(map(token, self.lefts.tolist()), map(token, self.rights.tolist()), strict=True)


def names_and_places(merges: Sequence[TokenPair], prefix_size: int) -> tuple[Sequence[bytes], tuple[Int64Array, ...]]:
    """Return tokens, and where among them are the left ones, the right ones and the products of merges."""
    if isinstance(merges, NumberedMerges):
        return merges.tokens, (merges.lefts, merges.rights, merges.products)
    lefts, rights = [left for left, _right in merges], [right for _left, right in merges]
    products = [left + right[prefix_size:] for left, right in merges]
    return [*lefts, *rights, *products], tuple(np.arange(3 * len(merges)).reshape(3, len(merges)))
