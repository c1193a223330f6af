"""The pairs of a step, filtered and sorted with numpy, and looked up in the run only where they are shown."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from bpe_gui.engine import PairCount, Trainer
from bpe_gui.engine.runtime import BoolArray, Int32Array, Int64Array
from bpe_gui.gui.search.token_filter import TokenFilter

RankedPair = tuple[int, PairCount]
"""A pair with its rank in the order that the recipe prefers, from 1."""

SortKey = Callable[[Trainer, Int32Array], Any]
"""Returns the values to sort by, an array or a list, for an array of pair numbers."""

PAGE_ROWS: Final = 256
"""The number of rows that are looked up together."""

_TOP_ROWS: Final = 1024  # the trainer finds the pairs for these without sorting; any row after them has all sorted


class PairRows:
    """The rows of the pair table at one step: the pairs that match `text`, in the recipe's order or by `sort_key`.

    `descending` reverses that order.

    Rows are read from the trainer page by page, until `freeze` is called.
    """

    def __init__(
        self,
        trainer: Trainer,
        text: str = "",
        sort_key: SortKey | None = None,
        descending: bool = False,
        before: "PairRows | None" = None,
    ) -> None:
        """`before` may have the pairs in the recipe's order already: sorting them takes most of the time."""
        self._trainer: Trainer | None = trainer
        self._step = trainer, trainer.position
        self._pages: dict[int, list[RankedPair]] = {}
        self._order: Int32Array | None = None  # pair numbers in the recipe's order, once they are needed
        if before is not None and before._step == self._step:
            self._order = before._order
        self._indices: Int64Array | None = None  # the index in `_order` of each row; None for all of `_order`
        if text or sort_key or descending:
            order = self._whole_order(trainer)
            matches = np.flatnonzero(_matches(trainer, order, text))
            self._indices = _sorted(trainer, order, matches, sort_key, descending)
        self.total = trainer.pair_count
        self._length = self.total if self._indices is None else len(self._indices)

    def __len__(self) -> int:
        return self._length

    def freeze(self) -> None:
        """Read no more from the trainer; rows that have not been looked up stay empty."""
        self._trainer = None

    def row(self, row: int) -> RankedPair | None:
        """Return the pair in a row; None if it was not looked up before `freeze`."""
        page = row // PAGE_ROWS
        if page not in self._pages:
            if self._trainer is None:
                return None
            self._load(self._trainer, page)
        return self._pages[page][row % PAGE_ROWS]

    def find(self, left: bytes, right: bytes) -> int:
        """Return the row of a pair; -1 if it is not found or after `freeze`.

        In the recipe's order, without a filter, only the first `_TOP_ROWS` rows are searched.
        """
        if self._trainer is None:
            return -1
        if self._indices is None:
            rows = range(min(self._length, _TOP_ROWS))
            return next((row for row in rows if _is_pair(self.row(row), left, right)), -1)
        number = self._trainer.pair_number(left, right)
        found = np.flatnonzero(self._whole_order(self._trainer)[self._indices] == number)
        return int(found[0]) if len(found) else -1

    def _load(self, trainer: Trainer, page: int) -> None:
        start, stop = page * PAGE_ROWS, min((page + 1) * PAGE_ROWS, self._length)
        if self._indices is None and stop <= _TOP_ROWS:
            # Most windows show only the first page; whoever scrolls on gets the other top pages in one go.
            best = trainer.pairs(min(self._length, _TOP_ROWS if page else PAGE_ROWS))
            for first in range(0, len(best), PAGE_ROWS):
                self._pages[first // PAGE_ROWS] = list(enumerate(best[first : first + PAGE_ROWS], first + 1))
            return
        order = self._whole_order(trainer)
        indices = np.arange(start, stop) if self._indices is None else self._indices[start:stop]
        self._pages[page] = list(zip((indices + 1).tolist(), trainer.pairs_of(order[indices]), strict=True))

    def _whole_order(self, trainer: Trainer) -> Int32Array:
        if self._order is None:
            self._order = trainer.pair_order()
        return self._order


def _is_pair(row: RankedPair | None, left: bytes, right: bytes) -> bool:
    return row is not None and (row[1].left, row[1].right) == (left, right)


def _sorted(
    trainer: Trainer, order: Int32Array, indices: Int64Array, sort_key: SortKey | None, descending: bool
) -> Int64Array:
    """Return `indices`, which refer to `order`, sorted; equal pairs stay in the recipe's order in either direction."""
    if sort_key is None:
        return indices[::-1] if descending else indices
    keys = sort_key(trainer, order[indices])
    if isinstance(keys, list):
        return indices[np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=descending), np.int64)]
    return indices[np.argsort(-keys if descending else keys, kind="stable")]


def _matches(trainer: Trainer, order: Int32Array, text: str) -> BoolArray:
    """Return for each pair whether its tokens, or the one that merging them makes, match `text`."""
    if not text:
        return np.ones(len(order), np.bool_)
    wanted, tokens = TokenFilter.of(text), trainer.tokens
    lefts, rights = trainer.symbols_of_pairs(order)
    if wanted.pair is not None:
        left, right = wanted.parts_of_pairs(tokens)
        both: BoolArray = left[lefts] & right[rights]
        return both
    inside = wanted.in_tokens(tokens)
    found: BoolArray = inside[lefts] | inside[rights]
    may_span = np.flatnonzero(_may_span(wanted, tokens, lefts, rights) & ~found)
    pairs = zip(lefts[may_span].tolist(), rights[may_span].tolist(), strict=True)
    found[may_span] = wanted.in_tokens([tokens[left] + tokens[right] for left, right in pairs])
    return found


def _may_span(wanted: TokenFilter, tokens: list[bytes], lefts: Int32Array, rights: Int32Array) -> BoolArray:
    """Return for each pair whether a match may span the boundary of its two tokens, going by the bytes next to it."""
    follows = np.zeros(1 << 16, np.bool_)
    follows[list(wanted.inner_pairs)] = True
    last_bytes = np.fromiter((token[-1] for token in tokens), np.int32, len(tokens))
    first_bytes = np.fromiter((token[0] for token in tokens), np.int32, len(tokens))
    return np.take(follows, (last_bytes[lefts] << 8) | first_bytes[rights])
