"""What a vocabulary, its merges and its special tokens must be to make a tokenizer."""

from collections.abc import Iterable, Mapping

from .errors import TokenizerError
from .errors import translatable as _
from .special_tokens import SpecialTokens
from .spelling import visible


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
    if not isinstance(token_id, int) or token_id < 0:
        raise TokenizerError(
            _("EngineError", "The vocabulary has the id {id!r}; ids are whole numbers from 0 on."), id=token_id
        )


def check_merges(merges: Iterable[tuple[bytes, bytes]]) -> None:
    """Raise TokenizerError for a merge with an empty part."""
    for rank, (left, right) in enumerate(merges):
        if not left or not right:
            raise TokenizerError(
                _("EngineError", "The merge of rank {rank} has an empty part; both parts are at least one byte."),
                rank=rank,
            )


def check_unknown_id(unknown_id: int | None, vocab: Mapping[int, bytes]) -> None:
    """Raise TokenizerError for an id for unknown symbols that no token has."""
    if unknown_id is not None and unknown_id not in vocab:
        raise TokenizerError(
            _("EngineError", "The id for unknown symbols, {id!r}, is not in the vocabulary."), id=unknown_id
        )


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
        fresh += ids[name] == fresh
    return ids
