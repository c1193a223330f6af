"""Find any of a number of strings in text: the leftmost match and, of those that start there, the longest."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final


class LongestMatch:
    """A search for any of `strings`, none of which is empty.

    The strings are sorted. The last one that is not greater than the text at some offset either is a prefix of that
    text, or has every string that is one as a prefix of its own. So a binary search finds the longest match, by way of
    a table that has each string's longest prefix among the others.

    >>> list(LongestMatch(["<a>", "<a><a>"]).spans("x<a><a>y<a>"))
    [(1, 7), (8, 11)]
    """

    def __init__(self, strings: Iterable[str]) -> None:
        self._sorted: Final = sorted(set(strings))
        self._prefixes: Final = longest_prefixes(self._sorted)
        self._max_length = max(map(len, self._sorted), default=0)
        self._candidates = _candidate_pattern(self._sorted)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the start and stop of each match, from left to right; matches do not overlap."""
        stop = 0
        for candidate in self._candidates.finditer(text):
            start = candidate.start()
            if start >= stop and (length := self._match_length(text, start)):
                stop = start + length
                yield start, stop

    def _match_length(self, text: str, offset: int) -> int:
        """Return the length of the longest match at `offset`, or 0."""
        index = bisect_right(self._sorted, text[offset : offset + self._max_length]) - 1
        while index >= 0 and not text.startswith(self._sorted[index], offset):
            index = self._prefixes[index]
        return len(self._sorted[index]) if index >= 0 else 0


def longest_prefixes(ordered: list[str]) -> list[int]:
    """Return for each of these sorted strings the index of the longest other one that is a prefix of it, or -1.

    >>> longest_prefixes(["a", "ab", "abc", "ac"])
    [-1, 0, 1, 0]
    """
    prefixes: list[int] = []
    for string in ordered:
        index = len(prefixes) - 1
        while index >= 0 and not string.startswith(ordered[index]):
            index = prefixes[index]
        prefixes.append(index)
    return prefixes


def _candidate_pattern(strings: Iterable[str]) -> "re.Pattern[str]":
    """Return a pattern that matches wherever one of the strings may start: it looks at two characters at most."""
    heads = {string[:2] for string in strings}
    firsts, seconds = ({head[index] for head in heads if len(head) > index} for index in (0, 1))
    following = f"(?={_any_of(seconds)})" if all(len(head) == 2 for head in heads) else ""
    return re.compile(_any_of(firsts) + following)


def _any_of(characters: Iterable[str]) -> str:
    """Return a pattern for any of the characters; without characters, it never matches."""
    return f"[{''.join(map(re.escape, sorted(characters)))}]" if characters else "(?!)"
