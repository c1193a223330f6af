"""The pairs with their counts, kept so that the best one, its ties and the order of all are at hand."""

from bisect import insort
from collections.abc import Callable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

Pair = tuple[int, int]
"""The symbol numbers of the left and right symbol."""


class PairTable:
    """Pair counts, grouped by count; among equals, `preference` is greatest for the pair that the tie rule wants.

    A preference may fall while the count stays (the first remaining occurrence moves right), never rise, unless
    `forget_order` is called. So a stale one makes a pair surface too early, where it is looked at again.

    >>> table = PairTable(preference=lambda pair: pair)
    >>> table.change({(1, 2): 3, (2, 3): 3, (3, 4): 1})
    >>> table.best(), table.top_count()
    (((2, 3), 1), 3)
    >>> list(table.ordered())
    [((2, 3), 3), ((1, 2), 3), ((3, 4), 1)]
    """

    def __init__(self, preference: Callable[[Pair], Any]) -> None:
        self.counts: dict[Pair, int] = {}
        self._preference = preference
        self._groups: dict[int, set[Pair]] = {}
        self._levels: list[int] = []  # a heap of negated counts: every group's, and some whose group is gone
        self._front: list[tuple[Any, Pair]] = []  # the pairs of the top group, best last; some may have left it
        self._front_count = 0

    def change(self, deltas: Mapping[Pair, int]) -> None:
        """Add to the counts; a pair whose count becomes 0 is gone."""
        for pair, delta in deltas.items():
            if delta:
                before = self.counts.get(pair, 0)
                if before:
                    self._leave(pair, before)
                if before + delta:
                    self._enter(pair, before + delta)

    def _leave(self, pair: Pair, count: int) -> None:
        group = self._groups[count]
        group.remove(pair)
        if not group:
            del self._groups[count]
        del self.counts[pair]

    def _enter(self, pair: Pair, count: int) -> None:
        self.counts[pair] = count
        group = self._groups.get(count)
        if group is None:
            group = self._groups[count] = set()
            heappush(self._levels, -count)
            if len(self._levels) > 2 * len(self._groups) + 64:
                self._levels = [-level for level in self._groups]
                heapify(self._levels)
        group.add(pair)
        if count == self._front_count:
            insort(self._front, (self._preference(pair), pair))

    def forget_order(self) -> None:
        """Preferences may have risen: sort the top group anew when it is asked for."""
        self._front_count = 0

    def top_count(self) -> int:
        """The highest count, or 0 where there is no pair."""
        while self._levels and -self._levels[0] not in self._groups:
            heappop(self._levels)
        return -self._levels[0] if self._levels else 0

    def best(self) -> tuple[Pair, int] | None:
        """The pair that the tie rule prefers among those with the highest count, and how many others have it too."""
        count = self.top_count()
        if not count:
            return None
        group = self._groups[count]
        if count != self._front_count:
            self._front = sorted((self._preference(pair), pair) for pair in group)
            self._front_count = count
        while True:
            preference, pair = self._front[-1]
            if pair not in group:
                self._front.pop()
                continue
            now = self._preference(pair)
            if now == preference:
                return pair, len(group) - 1
            self._front.pop()
            insort(self._front, (now, pair))

    def ordered(self) -> Iterator[tuple[Pair, int]]:
        """All pairs with their counts, most frequent first, ties as the tie rule prefers them."""
        for count in sorted(self._groups, reverse=True):
            for pair in sorted(self._groups[count], key=self._preference, reverse=True):
                yield pair, count
