"""The tokens of a tokenizer, with and without ids, and the merges between them, as arrays of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int64Array
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.merge_recovery import recover_parts
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, TokenPair, tokens_and_indices

NO_ID: Final = -1
"""Stands for the id of a token without one."""


class MergeTree(NamedTuple):
    """The merges that make the tokens of any text: one per token, in the order of their ranks."""

    lefts: Int64Array
    rights: Int64Array
    products: Int64Array
    """The number of each merge's product."""
    ends: Int64Array
    """For each merge, the rank after it and after all other merges with the same product."""


@dataclass(frozen=True, eq=False)
class MergeParts:
    """The numbered tokens of a tokenizer: first its entries in the order of ids, then tokens without an id.

    A token without an id is only a part of others, or has left the vocabulary.
    """

    tokens: list[bytes]
    ids: Int64Array
    """The id of each token, or NO_ID."""
    steps: Int64Array
    """The step that makes each entry: 0 for the alphabet, `Entries.SPECIAL` for special tokens."""
    special: BoolArray
    """Whether each token is a special token."""
    merges: NumberedMerges
    """The numbers of the parts and the product of each merge, by rank."""
    others: NumberedMerges
    """Further pairs that merge, in any order."""
    is_ambiguous: bool
    """Whether a token may occur without the merge that makes it, for example as an initial symbol of a word."""
    keeps_words: bool
    """Whether words that are tokens stay whole."""
    is_byte_level: bool
    """Whether words are merged from bytes instead of characters."""

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

        def numbered(pairs: Sequence[TokenPair]) -> NumberedMerges:
            names, columns = tokens_and_indices(pairs, store.prefix_size)
            names = list(names)
            used, places = np.unique(np.concatenate(columns), return_inverse=True)
            numbers = np.array([number_of(names[index]) for index in used.tolist()], np.int64)
            return NumberedMerges(tokens, *numbers[places].reshape(3, -1))

        merges = numbered(store.merges_below(tokenizer.position))
        others = numbered([pair for pair, rank in tokenizer.other_merges.items() if rank < tokenizer.position])
        more = len(tokens) - len(ids)
        ids = np.append(ids, np.full(more, NO_ID, np.int64))
        special = np.append(special, np.zeros(more, np.bool_))
        products = np.unique(merges.products)
        is_ambiguous = store.prefix_size > 0 or bool(np.any(special[products]))
        is_ambiguous = is_ambiguous or _any_is_initial([tokens[number] for number in products.tolist()], tokenizer)
        keeps_words, is_byte_level = store.model.ignores_merges, tokenizer.recipe.units == "bytes"
        return cls(tokens, ids, steps, special, merges, others, is_ambiguous, keeps_words, is_byte_level)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)

    @property
    def entries(self) -> int:
        """The number of entries of the vocabulary."""
        return len(self.steps)

    @cached_property
    def sizes(self) -> Int64Array:
        """The size of each token in the vocabulary, in bytes, including markers."""
        return np.fromiter(map(len, self.tokens), np.int64, len(self))

    @cached_property
    def tree(self) -> MergeTree | None:
        """The merges that tokens determine: each token is always made by a single merge, after those of its parts.

        Then a tokenizer as of a step applies exactly the merges of lower ranks. None if tokens may be made in other
        ways.
        """
        merges = self.merges
        ends = np.flatnonzero(np.diff(merges.products, append=-1)) + 1
        products = merges.products[ends - 1]
        if self.is_ambiguous or len(self.others) or len(np.unique(products)) < len(products):
            return None
        lefts, rights = (merges.lefts, merges.rights) if len(ends) == len(merges) else self._parts_of(products)
        is_made = lefts >= 0  # others can only occur as whole words
        lefts, rights, products, ends = lefts[is_made], rights[is_made], products[is_made], ends[is_made]
        order = np.full(len(self), -1, np.int64)
        order[products] = np.arange(len(products))
        is_kept = (self.sizes > 1) & (order < 0) & ~self.special
        if self.keeps_words and not (self.is_byte_level and not np.any(is_kept)):
            return None
        if np.any(np.maximum(order[lefts], order[rights]) >= np.arange(len(products))):
            return None
        return MergeTree(lefts, rights, products, ends)

    def _parts_of(self, products: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the two parts from which each of these tokens is always made, -1 if no merge makes it."""
        texts: Sequence[Any] = self.tokens if self.is_byte_level else [t.decode(errors="replace") for t in self.tokens]
        units = np.flatnonzero((np.fromiter(map(len, texts), np.int64, len(texts)) == 1) & ~self.special)
        numbers = np.append(units, products)
        ranks = np.append(np.zeros(len(units), np.int64), np.arange(len(products)))
        parts = recover_parts([texts[number] for number in numbers.tolist()], ranks)
        are_known = [(each >= 0) & (each < len(numbers)) for each in parts]  # the rest are units without a token
        lefts, rights = (
            np.where(known, numbers[np.where(known, each, 0)], -1)[len(units) :]
            for each, known in zip(parts, are_known, strict=True)
        )
        # Given the left part, only one right part makes the token, so the left part determines the merge.
        known = self.merges.products * len(self) + self.merges.lefts
        is_known = np.isin(products * len(self) + lefts, known)
        return np.where(is_known, lefts, -1), rights

    def needed_for(self, kept: BoolArray) -> BoolArray:
        """Return which tokens are among these, or are parts of them, directly or indirectly, by any merge."""
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
    """Return the bytes that a token stands for. A marker before a word is a space; one after a word is left out."""
    match tokenizer.recipe.boundary:
        case "none":
            return tokenizer.stands_for(token)
        case "prefix":
            return b" " + token[len(END_OF_WORD) :] if token.startswith(END_OF_WORD) else token
    return token.removesuffix(END_OF_WORD)


def are_texts(tokenizer: Tokenizer) -> bool:
    """Return whether each token stands for its own bytes."""
    return tokenizer.recipe.boundary == "none" and not tokenizer.store.model.falls_back_to_bytes


def _any_is_initial(tokens: Sequence[bytes], tokenizer: Tokenizer) -> bool:
    """Return whether a token may be an initial symbol of a word, as after merging a literal end-of-word marker."""
    recipe = tokenizer.recipe
    if recipe.boundary in ("suffix", "prefix") and END_OF_WORD in tokens:
        return True
    suffix = tokenizer.store.model.suffix.encode() or END_OF_WORD * (recipe.boundary == "suffix-attached")
    bare: Sequence[bytes | str] = [token.removesuffix(suffix) for token in tokens]
    if recipe.units != "bytes":
        bare = [token.removesuffix(suffix).decode(errors="replace") for token in tokens]
    stand_for_others = not are_texts(tokenizer) and any(tokenizer.stands_for(token) != token for token in tokens)
    return 1 in map(len, bare) or stand_for_others
