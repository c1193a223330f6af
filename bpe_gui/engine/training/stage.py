"""A stage of a run: the words as one splitter cuts them, and the steps that are taken on them."""

from dataclasses import replace
from functools import cached_property
from time import monotonic
from typing import Final

import numpy as np

from bpe_gui.engine.compilation import is_compiled
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.heap import NEEDS_VERDICTS, NO_PAIR
from bpe_gui.engine.kernels.training.navigation import (
    ARRIVED,
    NEEDS_CAPACITY,
    NEEDS_SYMBOLS,
    back,
    choose_next,
    forward,
    next_pair,
)
from bpe_gui.engine.kernels.training.records import RunArrays
from bpe_gui.engine.runtime.arrays import Int64Array
from bpe_gui.engine.text.recipe import Recipe

from .plans.guide import PlanGuide
from .run_arrays import with_capacity_for_pair, with_capacity_to_merge

_BUDGET: Final = 1 << 17
"""Positions visited at a time, which takes some milliseconds, before other threads get a turn."""

_PLAIN_BUDGET: Final = 1 << 13
"""Positions visited at a time without compiled kernels."""

_SECONDS: Final = 0.005
"""How long a move goes on though kernels ask for something: with a plan that vetoes, they may ask at each step."""

_NEEDS: Final = (NEEDS_CAPACITY, NEEDS_SYMBOLS, NEEDS_VERDICTS)


class Stage:
    """The arrays of a run over one count of the words, with a cursor of their own.

    All stages of a run number its symbols alike: the alphabet, then one symbol for each merge. So a stage that begins
    at a later step catches up by merging what the stages before it merged.
    """

    def __init__(
        self, start: int, word_counts: WordCounts, recipe: Recipe, arrays: RunArrays, guide: PlanGuide
    ) -> None:
        self.start: Final = start
        """The first position of the stage."""
        self.word_counts: Final = word_counts
        self.recipe: Final = recipe
        """The recipe of the run, with the splitter of this stage."""
        self.arrays = arrays
        """They are replaced when they grow."""
        self._guide = guide

    @property
    def position(self) -> int:
        """The number of merges applied to the words of this stage."""
        return int(self.arrays.state[records.POSITION])

    @property
    def known_merges(self) -> int:
        """The number of merges of the run that this stage knows."""
        return int(self.arrays.state[records.KNOWN_MERGES])

    @cached_property
    def words_by_frequency(self) -> Int64Array:
        """The numbers of all words, the most frequent first, equally frequent ones in first-seen order."""
        order = np.argsort(-self.word_counts.frequencies, kind="stable")
        order.flags.writeable = False
        return order

    @cached_property
    def _tokens_at_start(self) -> int:
        words = self.arrays.words
        lengths = np.diff(words.starts, append=len(words.symbols)) - 1  # in initial symbols, without the separators
        return int(lengths @ words.frequencies)

    def tokens_before(self, stop: int) -> Int64Array:
        """Return how many tokens the words have before each merge of a rank below `stop`, all of which are known."""
        saved = self.arrays.history.saved[:stop]
        return self._tokens_at_start - np.cumsum(saved) + saved

    def forward(self, target: int) -> int:
        """Step towards a position for some milliseconds. Return how the move ended, as the kernel `forward` does.

        Raise TrainingError where the plan merges a token that does not exist.
        """
        end = monotonic() + _SECONDS
        while (outcome := forward(self.arrays, target, _budget())) in _NEEDS:
            pair = self.next_pair()
            if pair != NO_PAIR:
                self.arrays = with_capacity_to_merge(self.arrays, pair)
            if monotonic() >= end:
                break
        return outcome

    def back(self, target: int) -> bool:
        """Undo steps towards a position for some milliseconds. Return whether it is reached."""
        return back(self.arrays, target, _budget()) == ARRIVED

    def next_pair(self) -> int:
        """Return the number of the pair that the next step merges, or NO_PAIR; NEXT_TIES has its ties if it is new.

        Raise TrainingError as `forward` does.
        """
        while (pair := next_pair(self.arrays)) < NO_PAIR:
            if pair == NEEDS_SYMBOLS:
                self._guide.resolve(self.arrays)
            elif pair == NEEDS_VERDICTS:
                self._guide.judge(self.arrays)
            else:
                self.arrays = with_capacity_for_pair(self.arrays)
        return pair

    def choose_next(self) -> int:
        """Return the number of the pair that training would choose now, or NO_PAIR; NEXT_TIES has its ties."""
        while (pair := choose_next(self.arrays)) == NEEDS_VERDICTS:
            self._guide.judge(self.arrays)
        return pair

    def catch_up(self, before: "Stage") -> bool:
        """Apply the merges of the stage before this one for some milliseconds. Return whether all are applied."""
        if len(self.arrays.given) < self.start or not self.position:
            keys = before.arrays.pairs.keys[before.arrays.history.pairs[: self.start]]
            given = np.concatenate([keys, self.arrays.given[self.start :]])
            self.arrays = replace(self.arrays, given=given)
        return self.forward(self.start) == ARRIVED


def _budget() -> int:
    return _BUDGET if is_compiled() else _PLAIN_BUDGET
