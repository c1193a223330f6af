"""The pairs of a step in some order, through some filter: found with numpy, and spelled only where they are seen."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bpe_gui.engine import PairCount, Trainer, visible

Numbers = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
RankedPair = tuple[int, PairCount]
"""A pair with its place in the order of the recipe, from 1."""

PAGE: Final = 256
"""Rows that are made together."""

_FIRST_PAGES: Final = 1024
"""Rows up to which the best pairs are picked out; for those beyond, all are sorted."""

BETWEEN: Final = " + "
"""Parts the filter into one for the left and one for the right token, as merges are written."""


class PairRows:
    """All pairs of the present step, as long as the cursor stays; then only those that were looked at.

    `sort_key` gives, for pair numbers in the order of the recipe, what to sort them by, or None for that order.
    """

    def __init__(
        self,
        trainer: Trainer,
        text: str = "",
        sort_key: "Callable[[Trainer, Numbers], Any] | None" = None,
        descending: bool = False,
    ) -> None:
        self._trainer: Trainer | None = trainer
        self._pages: dict[int, list[RankedPair]] = {}
        self._order: Numbers | None = None  # pair numbers as the recipe orders them, once they are needed
        self._picked: npt.NDArray[np.int64] | None = None  # by row: the place in that order
        if text or sort_key or descending:
            self._order = trainer.pair_order()
            self._picked = _sorted(trainer, self._order, _matching(trainer, self._order, text), sort_key, descending)
        self.total = trainer.pair_count
        self._length = self.total if self._picked is None else len(self._picked)

    def __len__(self) -> int:
        return self._length

    def freeze(self) -> None:
        """Ask the run nothing more: rows that were not looked at are empty from now on."""
        self._trainer = None

    def row(self, row: int) -> RankedPair | None:
        """A pair with its rank; None if it was not looked at before the run was left alone."""
        page = row // PAGE
        if page not in self._pages:
            if self._trainer is None:
                return None
            self._load(self._trainer, page)
        return self._pages[page][row % PAGE]

    def _load(self, trainer: Trainer, page: int) -> None:
        begin, end = page * PAGE, min((page + 1) * PAGE, self._length)
        if self._picked is None and end <= _FIRST_PAGES:
            best = trainer.pairs(min(self._length, _FIRST_PAGES if page else PAGE))
            for first in range(0, len(best), PAGE):
                self._pages[first // PAGE] = list(enumerate(best[first : first + PAGE], first + 1))
            return
        order = self._all(trainer)
        places = np.arange(begin, end) if self._picked is None else self._picked[begin:end]
        self._pages[page] = list(zip((places + 1).tolist(), trainer.pairs_of(order[places]), strict=True))

    def _all(self, trainer: Trainer) -> Numbers:
        if self._order is None:
            self._order = trainer.pair_order()
        return self._order

    def find(self, left: bytes, right: bytes) -> int:
        """The row of a pair, or -1; where all pairs are shown, only the first of them are searched."""
        if self._trainer is None:
            return -1
        if self._picked is None:
            rows = range(min(self._length, _FIRST_PAGES))
            return next((row for row in rows if _is_pair(self.row(row), left, right)), -1)
        number = self._trainer.pair_number(left, right)
        found = np.flatnonzero(self._all(self._trainer)[self._picked] == number)
        return int(found[0]) if len(found) else -1


def _is_pair(row: RankedPair | None, left: bytes, right: bytes) -> bool:
    return row is not None and (row[1].left, row[1].right) == (left, right)


def _sorted(
    trainer: Trainer,
    order: Numbers,
    matching: Flags,
    sort_key: "Callable[[Trainer, Numbers], Any] | None",
    descending: bool,
) -> npt.NDArray[np.int64]:
    places = np.flatnonzero(matching)
    if sort_key is None:
        return places[::-1] if descending else places
    keys = sort_key(trainer, order[places])
    # Equals stay in the order of the recipe, either way.
    if isinstance(keys, list):
        return places[np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=descending), np.int64)]
    return places[np.argsort(-keys if descending else keys, kind="stable")]


def _matching(trainer: Trainer, order: Numbers, text: str) -> Flags:
    """Which pairs have `text` in their tokens, as they are written in the corpus or as they are shown."""
    if not text:
        return np.ones(len(order), np.bool_)
    lefts, rights = trainer.symbols_of_pairs(order)
    raw, shown = trainer.tokens, list(map(visible, trainer.tokens))
    in_left, between, in_right = text.partition(BETWEEN)
    if between:
        left = _holding(raw, _raw(in_left)) | _holding(shown, in_left)
        right = _holding(raw, _raw(in_right)) | _holding(shown, in_right)
        return left[lefts] & right[rights]
    matching = _holding(raw, _raw(text)) | _holding(shown, text)
    across = _across(raw, _raw(text), lefts, rights) | _across(shown, text, lefts, rights)
    return matching[lefts] | matching[rights] | across


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _holding(tokens: Sequence[Any], part: Any) -> Flags:
    return np.fromiter((part in token for token in tokens), np.bool_, len(tokens))


def _across(tokens: Sequence[Any], text: Any, lefts: Numbers, rights: Numbers) -> Flags:
    """Which pairs have the text where their tokens meet."""
    found = np.zeros(len(lefts), np.bool_)
    for cut in range(1, len(text)):
        ending = np.fromiter((token.endswith(text[:cut]) for token in tokens), np.bool_, len(tokens))
        beginning = np.fromiter((token.startswith(text[cut:]) for token in tokens), np.bool_, len(tokens))
        found |= ending[lefts] & beginning[rights]
    return found
