"""The merges of entries: what the bytes of an entry become, alone and beside another entry.

Until a merge crosses the ends of a stretch of text, the merges inside do not depend on its surroundings. So an entry
that is a token of any word is what its own bytes become. And a word that consists of entries becomes these entries if
and only if each two neighbours stay apart, because the first merge across an end would also come in those two alone.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS, merge_words
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.merge_scratch import new_scratch
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import merge_steps


class EntryMerges:
    """The merges of a tokenizer, applied to the initial symbols of its entries or of other tokens.

    `are_made` says for each of the given tokens whether its own bytes become this token.
    """

    def __init__(self, tokenizer: Tokenizer, tokens: Sequence[bytes]) -> None:
        recipe, model = tokenizer.recipe, tokenizer.store.model
        self._is_bytes = recipe.units == "bytes"
        self._names_bytes, self._prefix = model.falls_back_to_bytes, model.prefix.encode()
        self._suffix = model.suffix.encode() or END_OF_WORD * (recipe.boundary == "suffix-attached")
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
        symbols = self._tables.find_symbols(list(chain.from_iterable(units)))
        sizes = np.fromiter(map(len, units), np.int64, len(units))
        known = np.ones(len(units), np.bool_)
        known[np.repeat(np.arange(len(units)), sizes)[symbols < 0]] = False
        self._units = symbols[np.repeat(known, sizes)]
        """The initial symbols of all tokens, one after another; none for a token with an unknown one."""
        self._starts = np.append(np.int64(0), np.cumsum(sizes * known))
        self._merged, self._firsts = self._merge(self._units, self._starts)
        self.are_made: Final[BoolArray] = np.diff(self._firsts) == 1
        self.are_made[self.are_made] = self._merged[self._firsts[:-1][self.are_made]] == self._symbols[self.are_made]

    def text_of(self, token: bytes) -> bytes:
        """Return a token without the markers of words and the prefix of a continued word."""
        if self._markers:
            return token.removeprefix(END_OF_WORD).removesuffix(END_OF_WORD)
        return token.removeprefix(self._prefix).removesuffix(self._suffix)

    def _units_of(self, token: bytes) -> list[bytes]:
        """Return the initial symbols whose merges may make a token; none if a part of a character has no symbol."""
        body = self.text_of(token)
        before, _body, after = token.partition(body) if body else (b"", b"", token)
        if self._is_bytes:
            units = [body[index : index + 1] for index in range(len(body))]
        elif self._names_bytes or body.decode(errors="replace").encode() == body:
            units = [character.encode(errors="surrogateescape") for character in body.decode(errors="surrogateescape")]
        else:
            return []
        if self._markers:
            return [*filter(None, [before]), *units, *filter(None, [after])]
        if before:
            units = [before + unit for unit in units]
        elif self._prefix:
            units[1:] = [self._prefix + unit for unit in units[1:]]
        if after:
            units[-1:] = [unit + after for unit in units[-1:]] or [after]
        if self._names_bytes:
            names = ([unit] if unit in self._store.ids else [b"<0x%02X>" % byte for byte in unit] for unit in units)
            return [*chain.from_iterable(names)]
        return units

    def tokens_of(self, index: int) -> list[bytes]:
        """Return what the bytes of a token become; nothing if an initial symbol is not in the vocabulary."""
        merged = self._merged[self._firsts[index] : self._firsts[index + 1]]
        return list(map(self._tables.token_of, merged.tolist()))

    def first_across(self, index: int, left: bytes) -> TokenPair | None:
        """Return the first merge across the end of the left part of a token, unless it makes the token."""
        boundary = len(self._units_of(left))
        return next((pair for pair, begin, end in self._spans(index) if begin < boundary < end), None)

    def last_merge(self, index: int) -> TokenPair | None:
        """Return the last merge when a token is made of its own bytes; None if it is an initial symbol."""
        merged, firsts = self._before_last
        left, *right = merged[firsts[index] : firsts[index + 1]].tolist()
        return (self._tables.token_of(left), self._tables.token_of(right[0])) if right else None

    @cached_property
    def _before_last(self) -> tuple[Int32Array, Int64Array]:
        """The last two symbols before a token is made, and the index of each token's first one."""
        return self._merge(self._units, self._starts, least=2)

    def _spans(self, index: int) -> Iterator[tuple[TokenPair, int, int]]:
        """Yield the merges of a token's bytes, each with the initial symbols [begin, end) that it joins."""
        symbols, prefix = self._units_of(self._tokens[index]), self._store.prefix_size
        ends = [*range(1, len(symbols) + 1)]
        for _rank, left, right in merge_steps(symbols, self._store.ranks, self._limit, prefix):
            yield (symbols[left], symbols[right]), left, ends[right]
            symbols[left] += symbols[right][prefix:]
            ends[left] = ends[right]

    def stay_apart(self, lefts: Int64Array, rights: Int64Array) -> BoolArray:
        """Return for each pair of made tokens, given as indices, whether no merge crosses from one to the other."""
        both = np.column_stack([lefts, rights]).ravel()
        sizes = np.diff(self._starts)[both]
        ends = np.cumsum(sizes)
        positions = np.arange(int(sizes.sum())) + np.repeat(self._starts[both] + sizes - ends, sizes)
        merged, firsts = self._merge(self._units[positions], np.append(np.int64(0), ends[1::2]))
        apart: BoolArray = np.diff(firsts) == 2
        at = firsts[:-1][apart]
        apart[apart] = (merged[at] == self._symbols[lefts[apart]]) & (merged[at + 1] == self._symbols[rights[apart]])
        return apart

    def _merge(self, symbols: Int64Array, starts: Int64Array, least: int = 1) -> tuple[Int32Array, Int64Array]:
        """Merge words, each until only `least` symbols are left.

        Return their symbols, and the index of each word's first one followed by their number.
        """
        merged, counts = symbols.astype(np.int32), np.zeros(len(starts) - 1, np.int64)
        scratch = new_scratch(int(np.diff(starts).max(initial=0)) + SPARE_SYMBOLS)
        total = merge_words(merged, starts, self._table, scratch, self._limit, least, counts)
        return merged[:total], np.append(np.int64(0), np.cumsum(counts))
