"""The merges of entries: what the bytes of an entry become, alone and beside another entry.

Until a merge crosses the ends of a stretch of text, the merges inside do not depend on its surroundings. So an entry
that is a token of any word is what its own bytes become, and a sequence of entries are the tokens of a word if and only
if each two neighbours are, because a first merge across an end would be the first with these two alone as well.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS, merge_words
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.tokenization.encoding_worker import new_scratch
from bpe_gui.engine.tokenization.numbered_tokens import TokenPair
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.tracing import merge_steps


class EntryMerges:
    """The merges of a tokenizer, applied to the initial symbols of its entries.

    `are_made` says for each of the given tokens whether its own bytes become this token.
    """

    def __init__(self, tokenizer: Tokenizer, tokens: Sequence[bytes]) -> None:
        recipe, pipeline = tokenizer.recipe, tokenizer.pipeline
        self._is_bytes = recipe.units == "bytes"
        self._prefix = pipeline.model.prefix.encode() if pipeline else b""
        is_attached = recipe.boundary == "suffix-attached"
        self._suffix = pipeline.model.suffix.encode() if pipeline else END_OF_WORD if is_attached else b""
        self._markers = recipe.boundary in ("suffix", "prefix")
        self.has_affixes: Final = bool(self._prefix or self._suffix or self._markers)
        """Whether the symbols of a token depend on where it is in its word."""
        self._store = tokenizer.store
        self._tables = self._store.tables()
        self._table = self._tables.for_kernels(None).merges
        self._limit = tokenizer.position
        self._tokens = tokens
        self._symbols = self._tables.find_symbols(tokens)
        units = [self._units_of(token) for token in tokens]
        self._starts = np.append(np.int64(0), np.cumsum(np.fromiter(map(len, units), np.int64, len(units))))
        self._units = self._tables.find_symbols(list(chain.from_iterable(units)))
        self.are_made: Final = self._are_made()

    def text_of(self, token: bytes) -> bytes:
        """Return a token without the markers of words and the prefix of a continued word."""
        if self._markers:
            return token.removeprefix(END_OF_WORD).removesuffix(END_OF_WORD)
        return token.removeprefix(self._prefix).removesuffix(self._suffix)

    def _units_of(self, token: bytes) -> list[bytes]:
        """Return the initial symbols whose merges may make a token."""
        body = self.text_of(token)
        before, _body, after = token.partition(body) if body else (b"", b"", token)
        if self._is_bytes:
            units = [body[index : index + 1] for index in range(len(body))]
        else:
            units = [character.encode(errors="surrogateescape") for character in body.decode(errors="surrogateescape")]
        if self._markers:
            return [*filter(None, [before]), *units, *filter(None, [after])]
        if before:
            units = [before + unit for unit in units]
        elif self._prefix:
            units[1:] = [self._prefix + unit for unit in units[1:]]
        if after:
            units[-1:] = [unit + after for unit in units[-1:]] or [after]
        return units

    def _are_made(self) -> BoolArray:
        known = np.ones(len(self._tokens), np.bool_)
        known[np.searchsorted(self._starts, np.flatnonzero(self._units < 0), "right") - 1] = False
        known &= np.diff(self._starts) > 0
        if not self._is_bytes:  # a part of a character is never a symbol
            known &= np.fromiter((_is_whole(token) for token in self._tokens), np.bool_, len(self._tokens))
        indices = np.flatnonzero(known)
        merged, firsts = self._merge(*self._joined([self._select(indices)]))
        is_one = np.diff(firsts) == 1
        is_one[is_one] = merged[firsts[:-1][is_one]] == self._symbols[indices[is_one]]
        made = np.zeros(len(self._tokens), np.bool_)
        made[indices] = is_one
        return made

    @cached_property
    def made(self) -> Int64Array:
        """The indices of the tokens that their own bytes become."""
        return np.flatnonzero(self.are_made)

    def tokens_of(self, index: int) -> list[bytes]:
        """Return what the bytes of a token become; empty if they do not begin as symbols of the vocabulary."""
        units = self._units[self._starts[index] : self._starts[index + 1]]
        if not len(units) or np.any(units < 0) or not (self._is_bytes or _is_whole(self._tokens[index])):
            return []
        merged, _firsts = self._merge(units, np.array([0, len(units)]))
        return [self._tables.token_of(symbol) for symbol in merged.tolist()]

    def first_across(self, index: int, left: bytes) -> TokenPair | None:
        """Return the first merge across the end of the left part of a token, unless it makes the token."""
        boundary = len(self._units_of(left))
        return next((pair for pair, begin, end in self._spans(index) if begin < boundary < end), None)

    def last_merge(self, index: int) -> TokenPair | None:
        """Return the last merge when the bytes of a token are merged; None if there is none."""
        return next((pair for pair, _begin, _end in reversed([*self._spans(index)])), None)

    def _spans(self, index: int) -> Iterator[tuple[TokenPair, int, int]]:
        """Yield the merges of a token's bytes, each with the initial symbols [begin, end) that it joins."""
        symbols, prefix = self._units_of(self._tokens[index]), self._store.prefix_size
        ends = [*range(1, len(symbols) + 1)]
        for _rank, left, right in merge_steps(symbols, self._store.ranks, self._limit, prefix):
            yield (symbols[left], symbols[right]), left, ends[right]
            symbols[left] += symbols[right][prefix:]
            ends[left] = ends[right]

    def stay_apart(self, lefts: Int64Array, rights: Int64Array) -> BoolArray:
        """Return for each two made tokens, given as indices, whether no merge crosses from one to the other."""
        merged, firsts = self._merge(*self._joined([self._select(lefts), self._select(rights)]))
        apart: BoolArray = np.diff(firsts) == 2
        at = firsts[:-1][apart]
        apart[apart] = (merged[at] == self._symbols[lefts[apart]]) & (merged[at + 1] == self._symbols[rights[apart]])
        return apart

    def _select(self, indices: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return where the initial symbols of tokens start, and how many each has."""
        return self._starts[indices], self._starts[indices + 1] - self._starts[indices]

    def _joined(self, parts: Sequence[tuple[Int64Array, Int64Array]]) -> tuple[Int64Array, Int64Array]:
        """Return the symbols of words that consist of these parts, and the start of each word."""
        starts = np.zeros(len(parts[0][0]) + 1, np.int64)
        np.cumsum(sum(sizes for _starts, sizes in parts), out=starts[1:])
        symbols = np.empty(starts[-1], np.int64)
        before = starts[:-1]
        for firsts, sizes in parts:
            steps = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            symbols[np.repeat(before, sizes) + steps] = self._units[np.repeat(firsts, sizes) + steps]
            before = before + sizes
        return symbols, starts

    def _merge(self, symbols: Int64Array, starts: Int64Array) -> tuple[Int32Array, Int64Array]:
        """Merge words, and return their symbols, and the index of each word's first one followed by their number."""
        merged, counts = symbols.astype(np.int32), np.zeros(len(starts) - 1, np.int64)
        scratch = new_scratch(int(np.diff(starts).max(initial=0)) + SPARE_SYMBOLS)
        total = merge_words(merged, starts, self._table, scratch, self._limit, counts)
        return merged[:total], np.append(np.int64(0), np.cumsum(counts))


def _is_whole(token: bytes) -> bool:
    """Return whether a token is whole characters."""
    return token.decode(errors="replace").encode() == token
