"""Sets of characters as ranges of code points, and the sets of Unicode's properties in each engine.

`python -m tests.engine.support.unicode_properties` generates the resource from Unicode 16, the version of tiktoken and
`tokenizers`. `regex` follows each new version, but is treated as if it had this one. The letter `t` stands for the
classes of the steps of `tokenizers`: see `pipeline/library_classes.py`.
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
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
    """Return ranges in order, with those that overlap or touch joined."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


UNICODE_VERSION: Final = "16.0.0"
PROPERTY_FILE: Final = Path(__file__).with_name("unicode_properties.zlib")
"""Lines of `name:letters`, where each letter is a dialect with this name; a tab; and ranges: the first and last code
point of each in hexadecimal, as differences from the previous number."""


@cache
def _lines() -> dict[str, str]:
    """Return the rest of each line by the letter of the dialect and the name."""
    found = {}
    for line in zlib.decompress(PROPERTY_FILE.read_bytes()).decode().split("\n"):
        keys, _tab, content = line.partition("\t")
        for key in keys.split(" "):
            name, _colon, letters = key.rpartition(":")
            for letter in letters:
                found[letter + name] = content
    return found


@cache
def property_set(dialect: str, name: str) -> CharacterSet | None:
    """Return the characters with a property, or None if the dialect of this letter has no such property.

    >>> property_set("p", "gc=zl").ranges
    ((8232, 8232),)
    """
    content = _lines().get(dialect + name)
    if content is None:
        return None
    edges = list(accumulate(int(distance, 16) for distance in content.split()))
    return CharacterSet(tuple(zip(edges[::2], edges[1::2], strict=True)))


@cache
def _cases(dialect: str) -> dict[int, str]:
    """Return for each code point the characters that match it when case is ignored, including itself."""
    return {ord(group[0]): group for group in _lines()[dialect + "case"].split(" ")}


@cache
def _cased(dialect: str) -> CharacterSet:
    return CharacterSet.of_characters("".join(map(chr, _cases(dialect))))


@cache
def in_any_case(dialect: str, members: CharacterSet) -> CharacterSet:
    """Return a set together with the other cases of its characters."""
    cased = (members & _cased(dialect)).ranges
    own = {code for first, last in cased for code in range(first, last + 1)}
    cases = set("".join(map(_cases(dialect).__getitem__, own)))
    return members | CharacterSet.of_characters("".join(case for case in cases if ord(case) not in own))


@cache
def characters_with_long_folds() -> CharacterSet:
    """Return the characters that fold to several, such as ß."""
    return CharacterSet.of_characters(_lines()["pseveral"])


@cache
def long_folds() -> frozenset[str]:
    """Return the texts that single characters fold to, such as ss."""
    return frozenset(character.casefold() for character in _lines()["pseveral"])
