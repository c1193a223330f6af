"""Text that knows, character by character, which bytes of the original text it stands for."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple, Self

import numpy as np

from ..kernels.records import Longs

Change = tuple[int, int, str]
"""Where characters begin and stop that are replaced, and what stands there instead."""


class AlignedText(NamedTuple):
    """A text made from another: `starts` and `stops` say for each character which bytes of the original it stands for.

    What was put in stands for no bytes: its start is its stop. Both rise from character to character, or stay.
    `opening` is how many of the first characters `tokenizers` takes for the beginning of the whole text.
    """

    text: str
    starts: Longs
    stops: Longs
    opening: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """A text that is the original.

        >>> AlignedText.of("a你").stops.tolist()
        [1, 4]
        """
        edges = np.concatenate([[0], np.cumsum(byte_sizes(text))]).astype(np.int64)
        return cls(text, edges[:-1], edges[1:], min(1, len(text)))

    def part(self, start: int, stop: int) -> "AlignedText":
        """The characters from `start` up to `stop`."""
        opening = min(self.opening, stop) - start if start < self.opening else 0
        return AlignedText(self.text[start:stop], self.starts[start:stop], self.stops[start:stop], opening)

    def with_text(self, text: str) -> "AlignedText":
        """Other characters at the same places, one for each."""
        return AlignedText(text, self.starts, self.stops, self.opening)

    def with_changes(self, changes: Sequence[Change], *, by_last: bool = False) -> "AlignedText":
        """The text with stretches replaced, in order. The first of the new characters stands for all of its stretch.

        What is the same at either end of a stretch is as it was. `by_last`: to `tokenizers`, what is new is where the
        last replaced character was, instead of the first.

        >>> text = AlignedText.of("ﬁne").with_changes([(0, 1, "fi")])
        >>> text.text, text.starts.tolist(), text.stops.tolist()
        ('fine', [0, 3, 3, 4], [3, 3, 4, 5])
        """
        if not changes:
            return self
        texts: list[str] = []
        starts: list[Longs] = []
        stops: list[Longs] = []
        done = 0
        for change in changes:
            begin, end, new = self._trimmed(change)
            first, last = self._extent(begin, end)
            texts += (self.text[done:begin], new)
            starts += (self.starts[done:begin], np.array([first, *[last] * (len(new) - 1)][: len(new)], np.int64))
            stops += (self.stops[done:begin], np.full(len(new), last, np.int64))
            done = end
        return AlignedText(
            "".join([*texts, self.text[done:]]),
            np.concatenate([*starts, self.starts[done:]]),
            np.concatenate([*stops, self.stops[done:]]),
            _opening(self.opening, changes, by_last),
        )

    def _trimmed(self, change: Change) -> Change:
        """The change without what it leaves as it is, at the end and at the beginning."""
        start, stop, new = change
        old = self.text[start:stop]
        same_end = len(common_start(old[::-1], new[::-1]))
        stop, old, new = stop - same_end, old[: len(old) - same_end], new[: len(new) - same_end]
        same_start = len(common_start(old, new))
        return start + same_start, stop, new[same_start:]

    def _extent(self, start: int, stop: int) -> tuple[int, int]:
        """The bytes that characters stand for."""
        if start < stop:
            return int(self.starts[start]), int(self.stops[stop - 1])
        place = int(self.starts[start] if start < len(self.starts) else self.stops[-1])
        return place, place


def common_start(one: str, other: str) -> str:
    """What both begin with.

    >>> common_start("lower", "lowest")
    'lowe'
    """
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return one[: sum(1 for _pair in same)]


def byte_sizes(text: str) -> Longs:
    """By character: how many bytes it has in UTF-8."""
    if text.isascii():
        return np.ones(len(text), np.int64)
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    return np.int64(1) + (codes >= 0x80) + (codes >= 0x800) + (codes >= 0x10000)


def _opening(opening: int, changes: Sequence[Change], by_last: bool) -> int:
    """How many characters are the beginning after changes, if so many were before."""
    longer = 0
    for start, stop, new in changes:
        if start > opening or (start == opening and start < stop) or opening == 0:
            break
        if by_last and stop > opening:
            return start + longer
        longer += len(new) - (min(stop, opening) - start)
    return opening + longer
