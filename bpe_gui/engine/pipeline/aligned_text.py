"""Text in which every character knows the bytes of the original text that it stands for."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final, Self

import numpy as np

from bpe_gui.engine.runtime.printable import PRINTABLE
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, UInt32Array

_PRINTABLE: Final = np.array(list(map(ord, PRINTABLE)), "<u2")

Replacement = tuple[int, int, str]
"""The start and stop of a range of characters, and the text to put there instead."""

Offsets = tuple[Int64Array, Int64Array]


class AlignedText:
    """A text derived from an original, with the range of original bytes that each character stands for.

    `origin_length` is the number of leading characters that `tokenizers` attributes to offset 0 of the original;
    `Metaspace` asks for it.
    """

    __slots__ = ("_find_offsets", "_offsets", "origin_length", "text")

    def __init__(self, text: str, find_offsets: Callable[[], Offsets], origin_length: int = 0) -> None:
        self.text: Final = text
        self.origin_length: Final = origin_length
        self._find_offsets = find_offsets
        self._offsets: Offsets | None = None

    @classmethod
    def of(cls, text: str, *, is_first: bool = True) -> Self:
        """Return `text` as its own original, or as a part of one that is not the first.

        >>> AlignedText.of("a你").stops.tolist()
        [1, 4]
        """

        def find_offsets() -> Offsets:
            offsets = np.append(np.int64(0), np.cumsum(byte_sizes(text)))
            return offsets[:-1], offsets[1:]

        return cls(text, find_offsets, min(1, len(text)) if is_first else 0)

    @property
    def offsets(self) -> Offsets:
        """`starts` and `stops`, computed on first use, since ids do not need them."""
        if self._offsets is None:
            self._offsets = self._find_offsets()
        return self._offsets

    @property
    def starts(self) -> Int64Array:
        """The byte offset in the original's UTF-8 at which the bytes that each character stands for begin.

        Offsets never decrease. An inserted character stands for no bytes: its start equals its stop.
        """
        return self.offsets[0]

    @property
    def stops(self) -> Int64Array:
        """The byte offset at which the bytes that each character stands for end."""
        return self.offsets[1]

    def substring(self, start: int, stop: int) -> "AlignedText":
        """Return the characters from `start` up to `stop`."""
        origin_length = min(self.origin_length, stop) - start if start < self.origin_length else 0
        return AlignedText(
            self.text[start:stop], lambda: (self.starts[start:stop], self.stops[start:stop]), origin_length
        )

    def with_prefix(self, prefix: str) -> "AlignedText":
        """Return the text with a prefix that stands for no bytes; an empty text gets none."""
        if not self.text:
            return self

        def find_offsets() -> Offsets:
            before = np.repeat(self.starts[:1], len(prefix))
            return np.append(before, self.starts), np.append(before, self.stops)

        return AlignedText(
            prefix + self.text, find_offsets, self.origin_length + len(prefix) * (self.origin_length > 0)
        )

    def without(self, removed: BoolArray) -> "AlignedText":
        """Return the text without some of its characters. No remaining character stands for their bytes.

        >>> AlignedText.of("a-b").without(np.array([False, True, False])).starts.tolist()
        [0, 2]
        """
        if not np.any(removed):
            return self
        kept = ~removed
        origin_length = int(np.count_nonzero(kept[: self.origin_length]))
        text = from_code_points(code_points(self.text)[kept])
        return AlignedText(text, lambda: (self.starts[kept], self.stops[kept]), origin_length)

    def with_text(self, text: str) -> "AlignedText":
        """Return a text of equally many characters that stand for the same bytes."""
        return AlignedText(text, lambda: self.offsets, self.origin_length)

    def as_bytes(self) -> "AlignedText":
        """Return the text with each character replaced by GPT-2's printable characters of its bytes.

        Each of these stands for its byte of the original. If a normalizer changed the character and the original does
        not have that byte, the first of them stands for everything that the character stood for.

        >>> AlignedText.of("é ").as_bytes().text
        'Ã©Ġ'
        """
        printable = _PRINTABLE[np.frombuffer(self.text.encode(), np.uint8)].tobytes().decode("utf-16-le")
        if self.text.isascii():
            return self.with_text(printable)
        sizes = byte_sizes(self.text)

        def find_offsets() -> Offsets:
            index_in_character = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            is_unchanged = np.repeat(self.stops - self.starts == sizes, sizes)
            starts, stops = np.repeat(self.starts, sizes), np.repeat(self.stops, sizes)
            new_starts: Int64Array = np.where(
                is_unchanged, starts + index_in_character, np.where(index_in_character == 0, starts, stops)
            )
            return new_starts, np.where(is_unchanged, new_starts + 1, stops)

        return AlignedText(printable, find_offsets, int(sizes[: self.origin_length].sum()))

    def with_replacements(self, replacements: Sequence[Replacement], *, by_last: bool = False) -> "AlignedText":
        """Return the text with some ranges of characters replaced, in order and without overlaps.

        The first new character stands for all bytes of the replaced ones. Characters that a range and its replacement
        share at either end keep their own bytes. `by_last`: `tokenizers` attributes new characters to the offset of the
        last replaced character instead of the first.

        >>> text = AlignedText.of("ﬁne").with_replacements([(0, 1, "fi")])
        >>> text.text, text.starts.tolist(), text.stops.tolist()
        ('fine', [0, 3, 3, 4], [3, 3, 4, 5])
        """
        if not replacements:
            return self
        trimmed = list(map(self._trimmed, replacements))
        texts: list[str] = []
        done = 0
        for begin, end, new in trimmed:
            texts += (self.text[done:begin], new)
            done = end
        origin_length = _origin_length_after(self.origin_length, replacements, by_last)
        return AlignedText("".join([*texts, self.text[done:]]), lambda: self._offsets_after(trimmed), origin_length)

    def _offsets_after(self, replacements: Sequence[Replacement]) -> Offsets:
        """Return the starts and stops of all characters after `replacements`."""
        begins = np.array([begin for begin, _end, _new in replacements], np.int64)
        ends = np.array([end for _begin, end, _new in replacements], np.int64)
        sizes = np.array([len(new) for _begin, _end, new in replacements], np.int64)
        removed = np.cumsum(ends - begins)
        kept = np.ones(len(self.text), bool)
        kept[np.arange(removed[-1]) + np.repeat(ends - removed, ends - begins)] = False
        # The first new character stands for everything replaced; an insertion stands for nothing.
        firsts = np.append(self.starts, self.stops[-1:])[begins]
        lasts = np.where(begins < ends, self.stops[ends - 1], firsts)
        starts = np.repeat(lasts, sizes)
        starts[(np.cumsum(sizes) - sizes)[sizes > 0]] = firsts[sizes > 0]
        positions = np.repeat(begins - (removed - (ends - begins)), sizes)  # among the kept characters
        return (
            np.insert(self.starts[kept], positions, starts),
            np.insert(self.stops[kept], positions, np.repeat(lasts, sizes)),
        )

    def _trimmed(self, replacement: Replacement) -> Replacement:
        """Return `replacement` without the characters that it leaves unchanged at the start and the end."""
        start, stop, new = replacement
        old = self.text[start:stop]
        same_end = len(common_prefix(old[::-1], new[::-1]))
        stop, old, new = stop - same_end, old[: len(old) - same_end], new[: len(new) - same_end]
        same_start = len(common_prefix(old, new))
        return start + same_start, stop, new[same_start:]


def common_prefix(one: str, other: str) -> str:
    """Return the longest common prefix of two texts.

    >>> common_prefix("lower", "lowest")
    'lowe'
    """
    if one[:1] != other[:1]:  # a fast path for the usual case
        return ""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return one[: sum(1 for _pair in same)]


def code_points(text: str) -> UInt32Array:
    """Return the code points of `text`."""
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def from_code_points(codes: UInt32Array | Int64Array) -> str:
    """Return the text of `codes`: the inverse of `code_points`."""
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def byte_sizes(text: str) -> Int64Array:
    """Return the number of bytes of each character in UTF-8."""
    if text.isascii():
        return np.ones(len(text), np.int64)
    codes = code_points(text)
    return np.int64(1) + (codes >= 0x80) + (codes >= 0x800) + (codes >= 0x10000)


def _origin_length_after(length: int, replacements: Sequence[Replacement], by_last: bool) -> int:
    """Return the origin length after `replacements`, given the one before."""
    growth = 0
    for start, stop, new in replacements:
        if start > length or (start == length and start < stop) or length == 0:
            break
        if by_last and stop > length:
            return start + growth
        growth += len(new) - (min(stop, length) - start)
    return length + growth
