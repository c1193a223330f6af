"""Look up the token of which a person has typed any form: its id at a step, and the step that will make it."""

from dataclasses import dataclass
from itertools import product

from bpe_gui.engine import Merge, Tokenizer
from bpe_gui.gui.session.cursor_steps import Steps

from .token_filter import exact_tokens, hexadecimal_tokens, pair_texts, typed_id


@dataclass(frozen=True, slots=True)
class TokenFuture:
    """The future of a token that does not exist yet: the merge that makes it, or None if no known merge does."""

    merge: Merge | None


def future_of(text: str, steps: Steps, *, has_ids: bool = False) -> TokenFuture | None:
    """Return the future of the token, the id if `has_ids`, or the pair that `text` is exactly.

    Return None if it exists already, and for a pair that is not merged. What is text counts before what is not.
    """
    tokenizer = steps.tokenizer(steps.run_length)
    if (parts := pair_texts(text)) is not None:
        return _pair_future(parts, tokenizer, steps)
    number = typed_id(text) if has_ids else None
    of_id = [] if number is None else [tokenizer.store.vocab.get(number, b"")]
    for tokens in (exact_tokens(text), [*hexadecimal_tokens(text), *of_id]):
        made = [step for step in map(tokenizer.store.first_step, tokens) if step is not None]
        if made:
            first = min(made)
            return TokenFuture(steps.merge_at(first - 1)) if first > steps.position else None
    return TokenFuture(None)


def id_of(text: str, tokenizer: Tokenizer) -> int | None:
    """Return the id of the token that `text` is exactly, as of the tokenizer's step; None if there is none."""
    store = tokenizer.store
    for token in (*exact_tokens(text), *hexadecimal_tokens(text)):
        step = store.first_step(token)
        if step is not None and step <= tokenizer.position:
            return store.ids.get(token, store.special_ids.get(text))
    return None


def _pair_future(parts: tuple[str, str], tokenizer: Tokenizer, steps: Steps) -> TokenFuture | None:
    pairs = product(exact_tokens(parts[0]), exact_tokens(parts[1]))
    first = min((tokenizer.store.ranks[pair] for pair in pairs if pair in tokenizer.store.ranks), default=-1)
    return TokenFuture(steps.merge_at(first)) if first >= steps.position else None
