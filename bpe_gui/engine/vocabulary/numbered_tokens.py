"""Tokens and merges in arrays, which become objects only when accessed."""

from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import overload

import numpy as np

from bpe_gui.engine.kernels.encoding.tokens import TokenTable, add_tokens, find_tokens
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, UInt8Array

TokenPair = tuple[bytes, bytes]
"""The left and the right token of a pair or merge."""


class TokenList(Sequence[bytes]):
    """An immutable list of tokens, stored as bytes in one buffer.

    A large vocabulary is ready to encode in a fraction of the time that creating an object per token takes.

    >>> tokens = TokenList.of([b"l", b"o", b"lo"])
    >>> len(tokens), tokens[2], list(tokens), tokens.sizes.tolist()
    (3, b'lo', [b'l', b'o', b'lo'], [1, 1, 2])
    """

    def __init__(self, text: UInt8Array, starts: Int64Array) -> None:
        """Take a padded buffer, and the start of each token in it and the end of the last."""
        self.text = text
        self.starts = starts

    @classmethod
    def of(cls, tokens: Collection[bytes]) -> "TokenList":
        """Return tokens as a `TokenList`."""
        if isinstance(tokens, TokenList):
            return tokens
        text = np.frombuffer(b"".join([*tokens, bytes(PADDING)]), np.uint8)
        return cls(text, starts_of(tokens))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...

    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice) or "_listed" in vars(self):
            return self._listed[index]
        place = range(len(self))[index]
        return self.text[self.starts[place] : self.starts[place + 1]].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._listed)

    @cached_property
    def _listed(self) -> list[bytes]:
        """The tokens as objects, created once, so that all users of a token share it."""
        data = self.text.tobytes()
        return [data[start:end] for start, end in pairwise(self.starts.tolist())]

    @cached_property
    def sizes(self) -> Int64Array:
        """The number of bytes of each token."""
        return np.diff(self.starts)

    @cached_property
    def are_different(self) -> bool:
        """Whether no two tokens are the same.

        >>> TokenList.of([b"l", b"o"]).are_different, TokenList.of([b"l", b"o", b"l"]).are_different
        (True, False)
        """
        _table, different = self._table
        return different == len(self)

    def find(self, text: UInt8Array, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """Return for each span of a padded text the first index of the token that it equals, or -1.

        >>> text = TokenList.of([b"ol"]).text
        >>> TokenList.of([b"l", b"o"]).find(text, np.array([0, 0]), np.array([1, 2])).tolist()
        [1, -1]
        """
        found = np.empty(len(starts), np.int64)
        find_tokens(self._table[0], text, np.ascontiguousarray(starts), np.ascontiguousarray(ends), found)
        return found

    @cached_property
    def _table(self) -> tuple[TokenTable, int]:
        """A table of the tokens by their bytes, and the number of different ones."""
        table = TokenTable(self.text, self.starts, np.zeros(1 << (2 * len(self)).bit_length(), np.int64))
        return table, add_tokens(table)


def starts_of(texts: Collection[bytes | str]) -> Int64Array:
    """Return the start of each text if they are joined, and the end of the last.

    >>> starts_of(["l", "ow"]).tolist()
    [0, 1, 3]
    """
    starts = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=starts[1:])
    return starts


class NumberedTokens(Mapping[int, bytes]):
    """An immutable vocabulary in arrays: the bytes of each token by id.

    >>> vocab = NumberedTokens(np.array([7, 3]), TokenList.of([b"l", b"o"]))
    >>> vocab[3], 4 in vocab, vocab.to_dict()
    (b'o', False, {7: b'l', 3: b'o'})
    """

    def __init__(self, ids: Int64Array, tokens: TokenList) -> None:
        """Take the id of each token; ids are unique."""
        self.ids = ids
        self.tokens = tokens

    @classmethod
    def of(cls, vocab: Mapping[int, bytes]) -> "NumberedTokens":
        """Return a vocabulary as `NumberedTokens`."""
        if isinstance(vocab, NumberedTokens):
            return vocab
        return cls(np.fromiter(vocab, np.int64, len(vocab)), TokenList.of(list(vocab.values())))

    def to_dict(self) -> dict[int, bytes]:
        """Return the tokens by id."""
        return dict(zip(self.ids.tolist(), self.tokens, strict=True))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ids.tolist())

    def __getitem__(self, token_id: int) -> bytes:
        place = int(np.searchsorted(self.ids, np.int64(token_id), sorter=self._in_order))
        if place == len(self) or self.ids[self._in_order[place]] != token_id:
            raise KeyError(token_id)
        return self.tokens[int(self._in_order[place])]

    @cached_property
    def _in_order(self) -> Int64Array:
        """The indices of the tokens in the order of their ids."""
        return np.argsort(self.ids, kind="stable")

    def keys(self) -> KeysView[int]:
        """Return the ids."""
        return self.to_dict().keys()

    def values(self) -> ValuesView[bytes]:
        """Return the tokens."""
        return self.to_dict().values()

    def items(self) -> ItemsView[int, bytes]:
        """Return the tokens with their ids."""
        return self.to_dict().items()


@dataclass(frozen=True, slots=True, eq=False)
class NumberedMerges(Sequence[TokenPair]):
    """Merges in the order of their ranks, as indices into a list of tokens.

    A large vocabulary is ready to encode in a fraction of the time that creating a pair per merge takes.

    >>> merges = NumberedMerges([b"l", b"o", b"lo"], np.array([0]), np.array([1]), np.array([2]))
    >>> len(merges), list(merges)
    (1, [(b'l', b'o')])
    """

    tokens: Sequence[bytes]
    lefts: Int64Array
    """The left token of each merge, by rank."""
    rights: Int64Array
    """The right token of each merge, by rank."""
    products: Int64Array
    """The token that the two merge into, by rank."""

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
        """Whether no merged token is empty."""
        is_empty = TokenList.of(self.tokens).sizes == 0
        return not np.any(is_empty[self.lefts] | is_empty[self.rights])

    @classmethod
    def of(cls, merges: Sequence[TokenPair], tokens: Sequence[bytes], prefix_size: int) -> "NumberedMerges":
        """Return merges as indices into the given tokens, followed by other tokens of the merges in sorted order.

        The first `prefix_size` bytes of a right token are removed when it is merged. Equal merges and tokens give equal
        indices, whatever the type of the merges.

        >>> NumberedMerges.of([(b"l", b"o")], [b"o", b"lo"], 0).tokens
        [b'o', b'lo', b'l']
        """
        if isinstance(merges, NumberedMerges) and tokens[: len(merges.tokens)] == list(merges.tokens):
            return NumberedMerges(tokens, merges.lefts, merges.rights, merges.products)
        names, columns = tokens_and_indices(merges, prefix_size)
        are_used = np.zeros(len(names), np.bool_)
        are_used[np.concatenate(columns)] = True
        used = list(compress(names, are_used.tolist()))
        number_of = dict(zip(reversed(tokens), reversed(range(len(tokens))), strict=True))  # the first of duplicates
        others = sorted(set(used).difference(number_of))
        number_of.update(zip(others, range(len(tokens), len(tokens) + len(others)), strict=True))
        numbers = np.zeros(len(names), np.int64)
        numbers[are_used] = np.fromiter(map(number_of.__getitem__, used), np.int64, len(used))
        return cls([*tokens, *others], *(numbers[column] for column in columns))

    def __iter__(self) -> Iterator[TokenPair]:
        token = self.tokens.__getitem__
        return zip(map(token, self.lefts.tolist()), map(token, self.rights.tolist()), strict=True)


def tokens_and_indices(merges: Sequence[TokenPair], prefix_size: int) -> tuple[Sequence[bytes], tuple[Int64Array, ...]]:
    """Return tokens, and the indices of the left tokens, right tokens and products of merges among them."""
    if isinstance(merges, NumberedMerges):
        return merges.tokens, (merges.lefts, merges.rights, merges.products)
    lefts, rights = [left for left, _right in merges], [right for _left, right in merges]
    products = [left + right[prefix_size:] for left, right in merges]
    return [*lefts, *rights, *products], tuple(np.arange(3 * len(merges)).reshape(3, len(merges)))
