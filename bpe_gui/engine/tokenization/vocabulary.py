"""What a vocabulary, its merges and its special tokens must be to make a tokenizer."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.runtime.printable import visible

GREATEST_ID: Final = 2**31 - 1


def check_vocab(vocab: Mapping[int, bytes]) -> None:
    """Raise TokenizerError for an id that is no whole number, or an empty token."""
    for token_id, token in vocab.items():
        _check_id(token_id)
        if not isinstance(token, bytes) or not token:
            raise TokenizerError(
                _("EngineError", "The token with the id {id} is {token!r}; a token is at least one byte."),
                id=token_id,
                token=token,
            )


def _check_id(token_id: object) -> None:
    if not isinstance(token_id, int) or not 0 <= token_id <= GREATEST_ID:
        raise TokenizerError(
            _("EngineError", "The vocabulary has the id {id!r}; ids are whole numbers from 0 to {most}."),
            id=token_id,
            most=GREATEST_ID,
        )


def check_merges(merges: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The merges as a list. Raises TokenizerError for one with an empty part."""
    listed = [(left, right) for left, right in merges]
    for rank, (left, right) in enumerate(listed):
        if not left or not right:
            raise TokenizerError(
                _("EngineError", "The merge of rank {rank} has an empty part; both parts are at least one byte."),
                rank=rank,
            )
    return listed


def check_unknown_id(unknown_id: int | None, vocab: Mapping[int, bytes]) -> None:
    """Raise TokenizerError for an id for unknown symbols that no token has."""
    if unknown_id is not None and unknown_id not in vocab:
        raise TokenizerError(
            _("EngineError", "The id for unknown symbols, {id!r}, is not in the vocabulary."), id=unknown_id
        )


class Entries:
    """The entries of a vocabulary in the order of their ids, with the step that makes each.

    `ids` and `steps` are int64 arrays, `tokens` a list. Step 0 is the alphabet, and `SPECIAL` is for special tokens.
    """

    SPECIAL: Final = -1

    def __init__(self) -> None:
        self.all: tuple[Longs, Longs, list[bytes]] = np.empty(0, np.int64), np.empty(0, np.int64), []
        """The three at one moment: another thread may add to them."""

    @property
    def ids(self) -> Longs:
        """The ids, from the least on."""
        return self.all[0]

    @property
    def steps(self) -> Longs:
        """By entry: the step that makes it."""
        return self.all[1]

    @property
    def tokens(self) -> list[bytes]:
        """By entry: its bytes."""
        return self.all[2]

    def is_outdated(self, vocab: Mapping[int, bytes]) -> bool:
        """Whether there are more entries by now."""
        return len(self.tokens) != len(vocab)

    def update(self, vocab: Mapping[int, bytes], making: Mapping[bytes, int], special: frozenset[int]) -> None:
        """Take the entries that came after those there are; `making` has the rank of the merge that makes a token."""
        known_ids, known_steps, known_tokens = self.all
        new = list(islice(vocab.items(), len(known_tokens), None))
        ids = np.array([token_id for token_id, _token in new], np.int64)
        steps = [self.SPECIAL if token_id in special else making.get(token, -1) + 1 for token_id, token in new]
        all_ids, all_steps = np.append(known_ids, ids), np.append(known_steps, np.array(steps, np.int64))
        tokens = [*known_tokens, *(token for _id, token in new)]
        if np.any(all_ids[1:] < all_ids[:-1]):
            order = np.argsort(all_ids)
            all_ids, all_steps = all_ids[order], all_steps[order]
            tokens = [tokens[place] for place in order.tolist()]
        self.all = all_ids, all_steps, tokens


def special_ids(special_tokens: Iterable[str] | Mapping[str, int], vocab: Mapping[int, bytes]) -> dict[str, int]:
    """The ids of the special tokens: as given, or as `vocab` has them, or else new ones after its last.

    >>> special_ids(["<a>", "<b>"], {0: b"x", 1: b"<b>"})
    {'<a>': 2, '<b>': 1}
    """
    if isinstance(special_tokens, Mapping):
        ids = dict(special_tokens)
        for token, token_id in ids.items():
            _check_id(token_id)
            if vocab.get(token_id, token.encode(errors="replace")) != token.encode(errors="replace"):
                raise TokenizerError(
                    _("EngineError", "The special token {token!r} has the id {id}, which {other!r} has already."),
                    token=token,
                    id=token_id,
                    other=visible(vocab[token_id]),
                )
        if len(set(ids.values())) < len(ids):
            raise TokenizerError(_("EngineError", "Two special tokens have the same id."))
        return ids
    names = SpecialTokens(special_tokens).tokens
    by_token = {token: token_id for token_id, token in vocab.items()}
    fresh = max(vocab, default=-1) + 1
    ids = {}
    for name in names:
        ids[name] = by_token.get(name.encode(), fresh)
        _check_id(ids[name])
        fresh += ids[name] == fresh
    return ids
