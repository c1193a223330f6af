"""Check the tokens, merges and special tokens of a tokenizer, and keep its entries in arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar, Final, TypeVar

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.special_tokens import SpecialTokens, check_special_tokens

from .numbered_tokens import NumberedTokens, TokenPair

MAX_ID: Final = 2**31 - 1
"""The largest id of a token: ids are 32-bit integers."""

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The entries of a vocabulary, as parallel sequences in the order of their ids."""

    SPECIAL: ClassVar[int] = -1
    """Stands for the step of a special token."""

    ids: Int64Array = field(default_factory=lambda: np.empty(0, np.int64))
    steps: Int64Array = field(default_factory=lambda: np.empty(0, np.int64))
    """The step that makes each token: 0 for the alphabet, `SPECIAL` for special tokens."""
    tokens: list[bytes] = field(default_factory=list)

    def find(self, token: bytes) -> int | None:
        """Return the index of the first entry with these bytes that is not a special token; None if there is none."""
        index = -1
        while True:
            try:
                index = self.tokens.index(token, index + 1)
            except ValueError:
                return None
            if int(self.steps[index]) != self.SPECIAL:
                return index

    def with_more(self, entries: Sequence[tuple[int, bytes]], steps: Sequence[int]) -> "Entries":
        """Return these entries and others, given as (id, token) and the step that makes each."""
        ids = np.append(self.ids, np.array([token_id for token_id, _token in entries], np.int64))
        all_steps = np.append(self.steps, np.array(steps, np.int64))
        return Entries.in_order(ids, all_steps, self.tokens + [token for _id, token in entries])

    @classmethod
    def in_order(cls, ids: Int64Array, steps: Int64Array, tokens: list[bytes]) -> "Entries":
        """Return entries given in any order, sorted by id."""
        if np.any(ids[1:] < ids[:-1]):
            order = np.argsort(ids)
            ids, steps = ids[order], steps[order]
            tokens = [tokens[index] for index in order.tolist()]
        return cls(ids, steps, tokens)


def last_items(table: dict[Key, Value], count: int) -> list[tuple[Key, Value]]:
    """Return the last items of a dict in order, without iterating over the others.

    >>> last_items({1: b"l", 2: b"o", 3: b"w"}, 2)
    [(2, b'o'), (3, b'w')]
    """
    return [*islice(reversed(table.items()), count)][::-1]


def check_vocab(vocab: Mapping[int, bytes]) -> None:
    """Raise TokenizerError for an id that is not an integer from 0 to `MAX_ID`, or for more than one empty token.

    One empty token, which encoding never gives, is allowed because Whisper's file of ranks has it.
    """
    if _is_plain(vocab):
        return
    empty: int | None = None
    for token_id, token in vocab.items():
        _check_id(token_id)
        if not isinstance(token, bytes) or not (token or empty is None):
            raise TokenizerError(
                "The token with id {id} is {token!r}. Only one token may have no bytes.", id=token_id, token=token
            )
        if not token:
            empty = token_id


def _is_plain(vocab: Mapping[int, bytes]) -> bool:
    """Return whether a vocabulary passes a quick check, as most do; checking each entry takes much longer."""
    if isinstance(vocab, NumberedTokens):
        is_right = vocab.ids.min(initial=0) >= 0 and vocab.ids.max(initial=0) <= MAX_ID
        return bool(is_right and np.count_nonzero(vocab.tokens.sizes == 0) <= 1)
    ids, tokens = vocab.keys(), vocab.values()
    are_right_types = set(map(type, ids)) == {int} and set(map(type, tokens)) == {bytes}
    return are_right_types and 0 <= min(ids) <= max(ids) <= MAX_ID and all(tokens)


def _check_id(token_id: object) -> None:
    if not isinstance(token_id, int) or not 0 <= token_id <= MAX_ID:
        raise TokenizerError(
            "The vocabulary contains the id {id!r}. Ids must be integers from 0 to {most}.", id=token_id, most=MAX_ID
        )


def pairs_of(merges: Iterable[TokenPair]) -> list[TokenPair]:
    """Return merges as a list of pairs. Raise TokenizerError for one that is not two tokens."""
    pairs: list[TokenPair] = []
    for rank, merge in enumerate(merges):
        if not isinstance(merge, tuple | list) or len(merge) != 2:
            raise _not_a_pair(rank, merge)
        pairs.append((merge[0], merge[1]))
    return pairs


def _not_a_pair(rank: int, merge: object) -> TokenizerError:
    return TokenizerError(
        "The merge of rank {rank} is {merge!r}. A merge must be two tokens in bytes.", rank=rank, merge=merge
    )


def check_merges(merges: Iterable[TokenPair]) -> None:
    """Raise TokenizerError if the left or right token of a merge is empty."""
    for rank, (left, right) in enumerate(merges):
        if not (isinstance(left, bytes) and isinstance(right, bytes)):
            raise _not_a_pair(rank, (left, right))
        if not left or not right:
            raise TokenizerError(
                "The merge of rank {rank} has an empty part. Both parts must have at least one byte.", rank=rank
            )


def check_unknown_id(unknown_id: int, vocab: Mapping[int, bytes]) -> None:
    """Raise TokenizerError if the id for unknown symbols is not in the vocabulary."""
    if unknown_id not in vocab:
        raise TokenizerError("The id for unknown symbols, {id!r}, is not in the vocabulary.", id=unknown_id)


def special_ids(special_tokens: Iterable[str] | Mapping[str, int], vocab: Mapping[int, bytes]) -> dict[str, int]:
    """Return the ids of the special tokens: as given, or else as in `vocab`, or else new ids after its last.

    Raise TokenizerError as `check_special_tokens` does, and for an id that is not valid or belongs to another token.

    >>> special_ids(["<a>", "<b>"], {0: b"x", 1: b"<b>"})
    {'<a>': 2, '<b>': 1}
    """
    if isinstance(special_tokens, Mapping):
        ids = dict(special_tokens)
        check_special_tokens(ids)
        taken = set(vocab)
        for token, token_id in ids.items():
            _check_id(token_id)
            if token_id in taken and vocab[token_id] != token.encode():
                raise TokenizerError(
                    "The special token {token!r} has the id {id}, which already belongs to {other!r}.",
                    token=token,
                    id=token_id,
                    other=visible(vocab[token_id]),
                )
        if len(set(ids.values())) < len(ids):
            raise TokenizerError("Two special tokens have the same id.")
        return ids
    names = SpecialTokens(special_tokens).tokens
    id_of = {token: token_id for token_id, token in vocab.items()}
    next_id = max(vocab, default=-1) + 1
    ids = {}
    for name in names:
        ids[name] = id_of.get(name.encode(), next_id)
        _check_id(ids[name])
        next_id += ids[name] == next_id
    return ids
