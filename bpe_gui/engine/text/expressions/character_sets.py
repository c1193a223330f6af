"""Sets of characters, as ranges of code points."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

LAST_CODE_POINT: Final = 0x10FFFF

Range = tuple[int, int]
"""The first and the last code point of a range."""


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A set of characters. `ranges` are in order, and neither overlap nor touch.

    >>> letters = CharacterSet.of((97, 122), (65, 90))
    >>> letters.ranges, (~letters & CharacterSet.of((0, 97))).ranges
    (((65, 90), (97, 122)), ((0, 64), (91, 96)))
    """

    ranges: tuple[Range, ...]

    @classmethod
    def of(cls, *ranges: Range) -> "CharacterSet":
        """Return the set of all characters in these ranges, in any order."""
        return cls(tuple(_merged(ranges)))

    @classmethod
    def of_characters(cls, characters: str) -> "CharacterSet":
        """Return the set of these characters."""
        return cls.of(*((ord(character), ord(character)) for character in characters))

    def __or__(self, other: "CharacterSet") -> "CharacterSet":
        """Return the characters of either set."""
        return CharacterSet(tuple(_merged(chain(self.ranges, other.ranges))))

    def __invert__(self) -> "CharacterSet":
        """Return all other characters."""
        edges = [-1, *chain.from_iterable(self.ranges), LAST_CODE_POINT + 1]
        gaps = zip(edges[::2], edges[1::2], strict=True)
        return CharacterSet(tuple((last + 1, first - 1) for last, first in gaps if last + 1 < first))

    def __and__(self, other: "CharacterSet") -> "CharacterSet":
        """Return the characters of both sets."""
        one, two, both, i, j = self.ranges, other.ranges, list[Range](), 0, 0
        while i < len(one) and j < len(two):
            first, last = max(one[i][0], two[j][0]), min(one[i][1], two[j][1])
            if first <= last:
                both.append((first, last))
            i, j = (i + 1, j) if one[i][1] < two[j][1] else (i, j + 1)
        return CharacterSet(tuple(both))

    def __sub__(self, other: "CharacterSet") -> "CharacterSet":
        """Return the characters of this set that the other lacks."""
        return self & ~other

    def __bool__(self) -> bool:
        """Return whether there is any character in the set."""
        return bool(self.ranges)

    def __contains__(self, code_point: int) -> bool:
        """Return whether a code point is in the set."""
        return any(first <= code_point <= last for first, last in self.ranges)


EVERYTHING: Final = CharacterSet(((0, LAST_CODE_POINT),))
NOTHING: Final = CharacterSet(())


def _merged(ranges: Iterable[Range]) -> list[Range]:
    """Return ranges in order, those that overlap or touch as one."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged
