"""A digest of all that decides which ids a text has, and which text ids have."""

import numpy as np

from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.numbered_tokens import TokenList, tokens_and_indices


def digest_of(store: MergeStore, position: int, options: object) -> str:
    """Return the digest, in hexadecimal digits, of a store as of a step, and of options that `repr` tells apart."""
    from hashlib import sha256  # loads all of OpenSSL

    entries, digest = store.entries(), sha256()
    others = [pair for pair, rank in store.other_merges.items() if rank < position]
    for merges in (store.merges_below(position), others):
        tokens, (lefts, _rights, products) = tokens_and_indices(merges, store.prefix_size)
        parts = TokenList.of(tokens)
        sizes = parts.sizes[products]
        # The bytes of what each merge makes, whatever numbers its tokens have.
        places = np.repeat(parts.starts[:-1][products] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        for numbers in (parts.sizes[lefts], sizes, parts.text[places]):
            digest.update(numbers.tobytes())
    exists = entries.steps <= position
    known = TokenList.of([entries.tokens[index] for index in np.flatnonzero(exists).tolist()])
    for numbers in (entries.ids[exists], entries.steps[exists], known.sizes):
        digest.update(np.asarray(numbers, "<i8").tobytes())
    digest.update(known.text[: known.starts[-1]].tobytes())
    digest.update(repr(options).encode(errors="surrogatepass"))
    return digest.hexdigest()
