"""The tokens of a tokenizer, with and without ids, and the merges between them, as arrays of numbers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.tokenization.numbered_merges import NumberedMerges
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

NO_ID: Final = -1
"""In place of the id of a token that has left the vocabulary."""


@dataclass(frozen=True, eq=False)
class MergeParts:
    """The tokens of a tokenizer, numbered: its entries in the order of their ids, then those without an id.

    A token without an id is only a part of others, or has left the vocabulary.
    """

    tokens: list[bytes]
    ids: Int64Array
    """By token: its id, or NO_ID."""
    steps: Int64Array
    """By entry: the step that makes it, 0 for the alphabet, `Entries.SPECIAL` for special tokens."""
    special: BoolArray
    """By token: whether it is a special token."""
    merges: NumberedMerges
    """By rank: the parts and the product of each merge, by their numbers."""
    others: NumberedMerges
    """Further pairs that merge, in any order."""
    is_ambiguous: bool
    """Whether a token may be there without the merge that makes it, as where words start as it or are taken whole."""

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Self:
        """Number the tokens of a tokenizer as of its step."""
        entries = tokenizer.entries()
        exists = entries.steps <= tokenizer.position
        tokens = [entries.tokens[index] for index in np.flatnonzero(exists).tolist()]
        ids, steps = entries.ids[exists], entries.steps[exists]
        special = steps == entries.SPECIAL
        numbers = {
            token: number
            for number, (token, is_special) in enumerate(zip(tokens, special.tolist(), strict=True))
            if tokenizer.pipeline is not None or not is_special
        }
        store = tokenizer.store

        def number_of(token: bytes) -> int:
            number = numbers.setdefault(token, len(tokens))
            if number == len(tokens):
                tokens.append(token)
            return number

        def numbered(pairs: list[tuple[bytes, bytes]]) -> NumberedMerges:
            rows = [(number_of(a), number_of(b), number_of(a + b[store.prefix_size :])) for a, b in pairs]
            columns = np.array(rows, np.int64).reshape(len(rows), 3).T.copy()
            return NumberedMerges(tokens, *columns)

        merges = numbered(tokenizer.merges)
        others = numbered([pair for pair, rank in tokenizer.other_merges.items() if rank < tokenizer.position])
        more = len(tokens) - len(ids)
        ids = np.append(ids, np.full(more, NO_ID, np.int64))
        special = np.append(special, np.zeros(more, np.bool_))
        ignores_merges = tokenizer.pipeline is not None and tokenizer.pipeline.model.ignores_merges
        is_ambiguous = ignores_merges or store.prefix_size > 0 or bool(np.any(special[merges.products]))
        is_ambiguous = is_ambiguous or any(_is_initial(tokens[number], tokenizer) for number in merges.products)
        return cls(tokens, ids, steps, special, merges, others, is_ambiguous)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)

    @property
    def entries(self) -> int:
        """The number of entries of the vocabulary."""
        return len(self.steps)

    @cached_property
    def ranks(self) -> Int64Array:
        """By token: the rank of the first merge that makes it, or -1."""
        ranks = np.full(len(self), -1, np.int64)
        products = self.merges.products
        ranks[products[::-1]] = np.arange(len(products) - 1, -1, -1)  # the last to be written stays
        return ranks

    @cached_property
    def sizes(self) -> Int64Array:
        """By token: its size in bytes as it is in the vocabulary, markers included."""
        return np.fromiter(map(len, self.tokens), np.int64, len(self))

    @cached_property
    def is_tree(self) -> bool:
        """Whether a token tells the merges that made it: each is made by one merge, and only after both its parts.

        Then the merges below a rank are exactly those that a tokenizer of so many merges applies.
        """
        merges, ranks = self.merges, np.arange(len(self.merges))
        if self.is_ambiguous or len(self.others) or len(np.unique(merges.products)) < len(merges):
            return False
        return bool(np.all(np.maximum(self.ranks[merges.lefts], self.ranks[merges.rights]) < ranks))

    def needed_for(self, kept: BoolArray) -> BoolArray:
        """Return which tokens are among these, or are parts of them by any merge, or parts of their parts."""
        needed = kept.copy()
        makers = np.concatenate([self.merges.products, self.others.products]).tolist()
        lefts = np.concatenate([self.merges.lefts, self.others.lefts]).tolist()
        rights = np.concatenate([self.merges.rights, self.others.rights]).tolist()
        found = -1
        while found != (found := int(np.count_nonzero(needed))):
            flags = needed.tolist()
            for index in range(len(makers) - 1, -1, -1):
                if flags[makers[index]]:
                    flags[lefts[index]] = flags[rights[index]] = True
            needed = np.array(flags, np.bool_)
        return needed


def text_of(tokenizer: Tokenizer, token: bytes) -> bytes:
    """Return the bytes that a token stands for: the marker before a word is a space, that after one is left out."""
    if tokenizer.pipeline is not None:
        return tokenizer.stands_for(token)
    match tokenizer.recipe.boundary:
        case "none":
            return token
        case "prefix":
            return b" " + token[len(END_OF_WORD) :] if token.startswith(END_OF_WORD) else token
    return token.removesuffix(END_OF_WORD)


def _is_initial(token: bytes, tokenizer: Tokenizer) -> bool:
    """Return whether a word may start as this symbol: a literal end-of-word marker in text may have been merged."""
    recipe, pipeline = tokenizer.recipe, tokenizer.pipeline
    if recipe.boundary in ("suffix", "prefix") and token == END_OF_WORD:
        return True
    suffix = pipeline.model.suffix.encode() if pipeline else END_OF_WORD * (recipe.boundary == "suffix-attached")
    bare = token.removesuffix(suffix)
    is_unit = len(bare if recipe.units == "bytes" else bare.decode(errors="replace")) == 1
    return is_unit or tokenizer.stands_for(token) != token
