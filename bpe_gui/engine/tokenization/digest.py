"""A digest of all that decides which ids a text has, and which text ids have."""

from typing import TYPE_CHECKING

import numpy as np

from bpe_gui.engine.vocabulary.numbered_tokens import TokenList, tokens_and_indices

if TYPE_CHECKING:
    from .tokenizer import Tokenizer


def digest_of(tokenizer: "Tokenizer") -> str:
    """Return the digest of a tokenizer as of its step, in hexadecimal digits."""
    from hashlib import sha256  # loads all of OpenSSL

    entries, store, digest = tokenizer.entries(), tokenizer.store, sha256()
    others = [pair for pair, rank in store.other_merges.items() if rank < tokenizer.position]
    for merges in (store.merges_below(tokenizer.position), others):
        tokens, (lefts, _rights, products) = tokens_and_indices(merges, store.prefix_size)
        parts = TokenList.of(tokens)
        sizes = parts.sizes[products]
        # The bytes of what each merge makes, whatever numbers its tokens have.
        places = np.repeat(parts.starts[:-1][products] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        for numbers in (parts.sizes[lefts], sizes, parts.text[places]):
            digest.update(numbers.tobytes())
    exists = entries.steps <= tokenizer.position
    known = TokenList.of([entries.tokens[index] for index in np.flatnonzero(exists).tolist()])
    for numbers in (entries.ids[exists], entries.steps[exists], known.sizes):
        digest.update(np.asarray(numbers, "<i8").tobytes())
    digest.update(known.text[: known.starts[-1]].tobytes())
    steps = tokenizer.recipe if tokenizer.pipeline is None else tokenizer.pipeline
    obeyed, special = sorted(tokenizer.obeyed_special_tokens), sorted(tokenizer.special_tokens.items())
    rest = steps, tokenizer.unknown_id, tokenizer.adds_ids_around, obeyed, special
    digest.update(repr(rest).encode(errors="surrogatepass"))
    return digest.hexdigest()
