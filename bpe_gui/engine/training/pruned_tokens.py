"""The tokens that leave the vocabulary of a run because they no longer occur on their own."""

from collections.abc import Iterable
from typing import Final


class PrunedTokens:
    """The tokens that leave the vocabulary at each merge of the run, as the words of one stage are merged from step 0.

    A token that several merges make leaves when the last of its symbols is gone, and comes back when another merge
    makes it again.

    >>> pruned = PrunedTokens(0)
    >>> pruned.update([((b"a", b"b"), True, 1), ((b"ab", b"c"), True, 3)])
    >>> pruned.counts, sorted(pruned.at(2))
    ([0, 1, 3], [b'a', b'ab', b'c'])
    """

    def __init__(self, start: int) -> None:
        self.start: Final = start
        """The first position of the stage."""
        self.counts: Final = [0]
        """By position: the number of tokens that have left."""
        self._changes: list[dict[bytes, bool]] = []
        """By merge: the tokens that left (True) and that came back (False)."""
        self._symbols: dict[bytes, int] = {}
        """By token: how many of its symbols occur; without entries for symbols of the alphabet that were never gone."""

    def update(self, merges: Iterable[tuple[tuple[bytes, bytes], bool, int]]) -> None:
        """Add the following merges: the pair of each, whether it occurred, and which parts vanished, as in history."""
        symbols = self._symbols
        for (left, right), occurred, vanished in merges:
            changes: dict[bytes, bool] = {}
            for part in (left,) * (vanished & 1) + (right,) * (vanished >> 1):
                symbols[part] = symbols.get(part, 1) - 1
                if not symbols[part]:
                    changes[part] = True
            token = left + right
            if occurred:
                if symbols.get(token) == 0:
                    changes[token] = False
                symbols[token] = symbols.get(token, 0) + 1
            self._changes.append(changes)
            self.counts.append(self.counts[-1] + sum(1 if is_gone else -1 for is_gone in changes.values()))

    def at(self, position: int) -> set[bytes]:
        """Return the tokens that are not in the vocabulary at a position."""
        latest: dict[bytes, bool] = {}
        for changes in self._changes[:position]:
            latest |= changes
        return {token for token, is_gone in latest.items() if is_gone}
