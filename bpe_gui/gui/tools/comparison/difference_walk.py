"""Going from one difference of the compared texts to the next."""

import numpy as np

from .live_comparison import LiveComparison


class DifferenceWalk:
    """The current difference of a comparison, if there is one."""

    def __init__(self, live: LiveComparison) -> None:
        self._live = live
        self._start: int | None = None

    @property
    def index(self) -> int | None:
        """The index of the current difference; None if there is none."""
        differences = self._live.differences
        if self._start is None or differences is None:
            return None
        index = int(np.searchsorted(differences.starts, np.int64(self._start)))
        is_there = index < len(differences) and differences.starts[index] == self._start
        return index if is_there else None

    def forget(self) -> None:
        """Have no current difference any more."""
        self._start = None

    def next(self, top: int) -> tuple[int, int] | None:
        """Return the next difference, or the first one from an offset on; after the last comes the first."""
        index = self.index
        return self._go_to(self._first_from(top) if index is None else index + 1)

    def previous(self, top: int) -> tuple[int, int] | None:
        """Return the difference before, or the last one before an offset; before the first comes the last."""
        index = self.index
        return self._go_to((self._first_from(top) if index is None else index) - 1)

    def _first_from(self, offset: int) -> int:
        differences = self._live.differences
        return 0 if differences is None else int(np.searchsorted(differences.starts, np.int64(offset)))

    def _go_to(self, index: int) -> tuple[int, int] | None:
        differences = self._live.differences
        if differences is None or not len(differences):
            return None
        index %= len(differences)
        self._start = int(differences.starts[index])
        return self._start, int(differences.stops[index])
