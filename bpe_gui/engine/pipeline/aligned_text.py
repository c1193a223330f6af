"""Text that knows, character by character, which bytes of the original text it stands for."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.kernels.training.records import Longs

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
        trimmed = list(map(self._trimmed, changes))
        texts: list[str] = []
        done = 0
        for begin, end, new in trimmed:
            texts += (self.text[done:begin], new)
            done = end
        starts, stops = self._changed_places(trimmed)
        return AlignedText("".join([*texts, self.text[done:]]), starts, stops, _opening(self.opening, changes, by_last))

    def _changed_places(self, changes: Sequence[Change]) -> tuple[Longs, Longs]:
        """Where the characters start and stop after changes."""
        begins = np.array([begin for begin, _end, _new in changes], np.int64)
        ends = np.array([end for _begin, end, _new in changes], np.int64)
        sizes = np.array([len(new) for _begin, _end, new in changes], np.int64)
        removed = np.cumsum(ends - begins)
        kept = np.ones(len(self.text), bool)
        kept[np.arange(removed[-1]) + np.repeat(ends - removed, ends - begins)] = False
        # The first new character stands for all that was there; where nothing was, for nothing.
        firsts = np.append(self.starts, self.stops[-1:])[begins]
        lasts = np.where(begins < ends, self.stops[ends - 1], firsts)
        starts = np.repeat(lasts, sizes)
        starts[(np.cumsum(sizes) - sizes)[sizes > 0]] = firsts[sizes > 0]
        places = np.repeat(begins - (removed - (ends - begins)), sizes)  # among what is kept
        return (
            np.insert(self.starts[kept], places, starts),
            np.insert(self.stops[kept], places, np.repeat(lasts, sizes)),
        )

    def _trimmed(self, change: Change) -> Change:
        """The change without what it leaves as it is, at the end and at the beginning."""
        start, stop, new = change
        old = self.text[start:stop]
        same_end = len(common_start(old[::-1], new[::-1]))
        stop, old, new = stop - same_end, old[: len(old) - same_end], new[: len(new) - same_end]
        same_start = len(common_start(old, new))
        return start + same_start, stop, new[same_start:]


def common_start(one: str, other: str) -> str:
    """What both begin with.

    >>> common_start("lower", "lowest")
    'lowe'
    """
    if one[:1] != other[:1]:
        return ""  # which is usual, and quick
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return one[: sum(1 for _pair in same)]


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """The characters as numbers."""
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def text_of(codes: npt.NDArray[np.uint32]) -> str:
    """The text of such numbers."""
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def byte_sizes(text: str) -> Longs:
    """By character: how many bytes it has in UTF-8."""
    if text.isascii():
        return np.ones(len(text), np.int64)
    codes = code_points(text)
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
