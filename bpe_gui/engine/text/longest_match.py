"""Finding texts in another, however many they are: the leftmost, and of those that begin there the longest."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final


class LongestMatch:
    """Finds any of some texts, none of which is empty.

    In sorted order, what comes last up to a given text either begins it, or begins with whatever does. So one search
    leads to the longest that stands at a place, by way of what that itself begins with.

    >>> list(LongestMatch(["<a>", "<a><a>"]).found("x<a><a>y<a>"))
    [(1, 7), (8, 11)]
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._sorted: Final = sorted(set(texts))
        self._shorter: Final = longest_beginnings(self._sorted)
        self._longest = max(map(len, self._sorted), default=0)
        self._candidates = _candidates(self._sorted)

    def found(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they start and stop, from left to right; none overlaps another."""
        stop = 0
        for candidate in self._candidates.finditer(text):
            start = candidate.start()
            if start >= stop and (length := self._length_at(text, start)):
                stop = start + length
                yield start, stop

    def _length_at(self, text: str, place: int) -> int:
        """The length of the longest that stands at a place; 0 if none does."""
        index = bisect_right(self._sorted, text[place : place + self._longest]) - 1
        while index >= 0 and not text.startswith(self._sorted[index], place):
            index = self._shorter[index]
        return len(self._sorted[index]) if index >= 0 else 0


def longest_beginnings(ordered: list[str]) -> list[int]:
    """By index: which other one is the longest that it begins with; -1 for none.

    >>> longest_beginnings(["a", "ab", "abc", "ac"])
    [-1, 0, 1, 0]
    """
    beginnings: list[int] = []
    for text in ordered:
        index = len(beginnings) - 1
        while index >= 0 and not text.startswith(ordered[index]):
            index = beginnings[index]
        beginnings.append(index)
    return beginnings


def _candidates(texts: Iterable[str]) -> "re.Pattern[str]":
    """What each of the texts begins with, and maybe others: a character, and what may follow it."""
    heads = {text[:2] for text in texts}
    firsts, seconds = ({head[place] for head in heads if len(head) > place} for place in (0, 1))
    follows = f"(?={_one_of(seconds)})" if all(len(head) == 2 for head in heads) else ""
    return re.compile(_one_of(firsts) + follows)


def _one_of(characters: Iterable[str]) -> str:
    """A pattern for one of the characters; for none, one that never matches."""
    return f"[{''.join(map(re.escape, sorted(characters)))}]" if characters else "(?!)"
