"""Add special tokens to a tokenizer, or give its reserved ones other names."""

from collections.abc import Mapping
from dataclasses import replace

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.tokenization.tokenizer import Tokenizer


def with_special_tokens(
    tokenizer: Tokenizer, added: Mapping[str, int | None] | None = None, renamed: Mapping[str, str] | None = None
) -> Tokenizer:
    """Return a tokenizer in which special tokens are added and others renamed, as reserved ones are made for.

    A renamed token keeps its id. An added one has the given id, which must be free, or the one after the largest if
    that is None. Other ids do not change. Raise TokenizerError for a token to rename that does not exist, and for a
    name or an id that is taken.

    >>> tokenizer = Tokenizer({0: b"l"}, [], ["<reserved>"], recipe="cs336-toy")
    >>> with_special_tokens(tokenizer, {"<user>": None}, {"<reserved>": "<tool>"}).special_tokens
    {'<tool>': 1, '<user>': 2}
    """
    renamed = renamed or {}
    special = tokenizer.special_tokens
    for name in renamed:
        if name not in special:
            raise TokenizerError(
                "The special token {name!r} does not exist. The special tokens are {names}.",
                name=name,
                names=tuple(special),
            )
    vocab = dict(tokenizer.vocab)
    specials = {renamed.get(name, name): token_id for name, token_id in special.items()}
    if len(specials) < len(special):
        raise TokenizerError("Two special tokens cannot have the same name.")
    new = {}
    for name, given in (added or {}).items():
        token_id = max(vocab, default=-1) + 1 if given is None else given
        if name in specials:
            raise TokenizerError("The special token {name!r} exists already.", name=name)
        if token_id in vocab:
            raise TokenizerError(
                "The special token {name!r} cannot have the id {id}, which {token!r} has.",
                name=name,
                id=token_id,
                token=vocab[token_id].decode(errors="backslashreplace"),
            )
        specials[name] = new[name] = token_id
        vocab[token_id] = name.encode()
    vocab |= {specials[name]: name.encode() for name in renamed.values()}
    pipeline = tokenizer.pipeline
    return tokenizer.changed(
        vocab=vocab,
        special_tokens=specials,
        config=tokenizer.config.renamed(renamed),
        particulars=tokenizer.particulars.renamed(renamed).with_outer(new.values()),
        pipeline=pipeline
        and replace(
            pipeline,
            added_tokens=(
                *(replace(token, content=renamed.get(token.content, token.content)) for token in pipeline.added_tokens),
                *(AddedToken(id=token_id, content=name, in_vocabulary=False) for name, token_id in new.items()),
            ),
        ),
    )
