"""The words of a step, split only where they are shown."""

from typing import Final

import numpy as np

from bpe_gui.engine import Merge, Trainer
from bpe_gui.engine.runtime import Int64Array
from bpe_gui.engine.training import ChangedWord, changed_word

_MAX_SYMBOLS: Final = 2_000  # that are read of one word, more than a cell can show

UNREAD: Final = ChangedWord((), (), 0)
"""A row that was not read before `freeze`."""


class WordRows:
    """The rows of the word table at one step: words by their numbers, first those that the last `merge` changed.

    Rows are read from the trainer when they are shown, until `freeze` is called.
    """

    def __init__(self, trainer: Trainer, merge: Merge | None, changed: Int64Array, unchanged: Int64Array) -> None:
        self._trainer: Trainer | None = trainer
        self._merge = merge
        self._words = np.concatenate([changed, unchanged])
        self._changed = len(changed)
        self._rows: dict[int, ChangedWord] = {}
        self.largest_count = int(trainer.word_counts.frequencies[self._words].max(initial=0))
        """The largest count of all rows."""

    def __len__(self) -> int:
        return len(self._words)

    def freeze(self) -> None:
        """Read no more from the trainer; rows that have not been read are `UNREAD`."""
        self._trainer = None

    def row(self, row: int) -> ChangedWord:
        """Return a word as the last step found and left it; `before` is empty if the step did not change it."""
        if row not in self._rows:
            if self._trainer is None:
                return UNREAD
            self._rows[row] = self._read(self._trainer, row)
        return self._rows[row]

    def _read(self, trainer: Trainer, row: int) -> ChangedWord:
        if self._merge is not None and row < self._changed:
            return changed_word(trainer, self._merge, int(self._words[row]), _MAX_SYMBOLS)
        word = trainer.split_words(self._words[row : row + 1], _MAX_SYMBOLS)[0]
        return ChangedWord((), word.symbols, word.count)
