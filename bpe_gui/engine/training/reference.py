"""The algorithm on one page: slow, and plain enough to be believed. Tests hold the trainer and the encoder to it.

After every merge all pairs are counted again over all words. Symbols are numbers, as in karpathy/minbpe: the alphabet
first, then one for each merge.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from bpe_gui.engine.training.results import Merge
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.alphabet import alphabet_of, symbols_of

Pair = tuple[int, int]
Words = list[tuple[list[int], int]]
"""The words as split now, in first-seen order, each with its count."""


class ReferenceTrainer:
    """Trains by recounting: `step` is the whole algorithm.

    >>> trainer = ReferenceTrainer({"low": 2, "lower": 1}.items(), Recipe.of("cs336-toy"))
    >>> trainer.step().token, trainer.step().token
    (b'ow', b'low')
    """

    def __init__(self, word_counts: Iterable[tuple[str, int]], recipe: Recipe) -> None:
        counted = list(word_counts)
        self.recipe = recipe
        self.tokens, _fixed = alphabet_of((word for word, _count in counted), recipe)
        numbers = {token: number for number, token in enumerate(self.tokens)}
        self.words: Words = [([numbers[s] for s in symbols_of(word, recipe)], count) for word, count in counted]
        self.merges: list[Merge] = []

    def step(self) -> Merge | None:
        counts = self.count_pairs()
        highest = max(counts.values(), default=0)
        if highest < max(1, self.recipe.min_count):
            return None
        tied = [pair for pair, count in counts.items() if count == highest]
        pair = self.choose(tied)
        left, right = self.tokens[pair[0]], self.tokens[pair[1]]
        self.words = [(merge(symbols, pair, len(self.tokens)), count) for symbols, count in self.words]
        done = Merge(len(self.merges), left, right, left + right, len(self.tokens), highest, len(tied) - 1)
        self.tokens.append(done.token)
        self.merges.append(done)
        return done

    def count_pairs(self) -> dict[Pair, int]:
        """The pairs with their counts, in the order in which they are first seen."""
        counts: dict[Pair, int] = {}
        for symbols, count in self.words:
            pairs: Iterable[Pair] = pairwise(symbols)
            if self.recipe.pair_counting == "once-per-word":
                pairs = dict.fromkeys(pairs)
            for pair in pairs:
                counts[pair] = counts.get(pair, 0) + count
        return counts

    def choose(self, tied: list[Pair]) -> Pair:
        """The pair that the tie rule prefers; `tied` is in the order in which they are first seen."""
        if self.recipe.tie_break == "greatest":
            # Equal bytes mean that two merges made the same token: then the older one.
            return max(tied, key=lambda pair: (self.tokens[pair[0]], self.tokens[pair[1]], -pair[0], -pair[1]))
        return tied[0] if self.recipe.tie_break == "first-seen" else min(tied)

    def split_words(self) -> Iterator[tuple[tuple[bytes, ...], int]]:
        """The words as split now, as bytes, with their counts."""
        for symbols, count in self.words:
            yield tuple(self.tokens[symbol] for symbol in symbols), count


def merge(symbols: list[int], pair: Pair, new: int) -> list[int]:
    """Replace every occurrence of `pair` by `new`, from left to right.

    >>> merge([1, 1, 1], (1, 1), 9)
    [9, 1]
    """
    merged: list[int] = []
    at = 0
    while at < len(symbols):
        if tuple(symbols[at : at + 2]) == pair:
            merged.append(new)
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return merged


def encode_word(symbols: list[bytes], merges: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Apply the merges to one word in the order of their ranks.

    >>> encode_word([b"l", b"o", b"w"], [(b"o", b"w"), (b"l", b"ow")])
    [b'low']
    """
    for left, right in merges:
        at = 0
        while at < len(symbols) - 1:
            if (symbols[at], symbols[at + 1]) == (left, right):
                symbols = [*symbols[:at], left + right, *symbols[at + 2 :]]
            at += 1
    return symbols
