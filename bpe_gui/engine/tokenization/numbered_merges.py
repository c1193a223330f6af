"""Merges of numbered tokens: arrays, from which the pairs of bytes are made when somebody asks for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array

from .vocabulary import TokenPair


@dataclass(frozen=True, slots=True, eq=False)
class NumberedMerges(Sequence[TokenPair]):
    """Merges in the order of their ranks, as indices into a list of tokens.

    A large vocabulary is ready to encode in a fraction of the time that as many pairs of bytes take.

    >>> import numpy as np
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

    def __iter__(self) -> Iterator[TokenPair]:
        token = self.tokens.__getitem__
        return zip(map(token, self.lefts.tolist()), map(token, self.rights.tolist()), strict=True)
