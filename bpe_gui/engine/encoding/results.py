"""Ids with the offsets of their tokens, and words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.shown_tokens import tokens_in_html
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, IntegerArray


class TokenArrays(NamedTuple):
    """The ids of a text and the offsets of its tokens, as parallel arrays.

    Token i covers the bytes [`starts[i]`, `stops[i]`) of the text's UTF-8.
    """

    ids: Int32Array
    starts: IntegerArray
    stops: IntegerArray

    def slice(self, first: int, last: int) -> "TokenArrays":
        """Return the tokens [first, last)."""
        return TokenArrays(self.ids[first:last], self.starts[first:last], self.stops[first:last])

    def shifted(self, distance: int) -> "TokenArrays":
        """Return the tokens with their offsets increased by `distance` bytes, as 64-bit integers."""
        starts = np.add(self.starts, distance, dtype=np.int64)
        return TokenArrays(self.ids, starts, np.add(self.stops, distance, dtype=np.int64))

    def packed(self, size: int) -> "TokenArrays":
        """Return the tokens of a text of `size` bytes with offsets of the smallest integer type."""
        dtype = np.min_scalar_type(size)
        return TokenArrays(self.ids, self.starts.astype(dtype), self.stops.astype(dtype))


class TextIds(NamedTuple):
    """The ids of texts that follow one another, and the number of ids up to the end of each text.

    If the last text has no end here, it goes on elsewhere.
    """

    ids: Int32Array
    ends: Int64Array

    @classmethod
    def between(cls, mark: int, ids: Int32Array) -> "TextIds":
        """Return ids that have `mark` at the end of each text.

        >>> TextIds.between(-1, np.array([5, 6, -1, 7, -1], np.int32)).ends.tolist()
        [2, 3]
        """
        are_marks = ids == mark
        marks = np.flatnonzero(are_marks)
        return cls(ids[~are_marks], marks - np.arange(len(marks)))


class ModelWords(NamedTuple):
    """Words of a text as the merges get them: normalized, split, and without added tokens."""

    text: bytes
    """The words, joined: in UTF-8, also where symbols are bytes."""
    begins: Int64Array
    """The offset in `text` at which each word begins, followed by the end of the last."""
    starts: Int64Array
    """The offset in the original text at which each word begins."""


NO_TOKENS: Final = TokenArrays(np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64))


def joined(parts: Sequence[TokenArrays]) -> TokenArrays:
    """Return the tokens of several parts together.

    >>> joined([NO_TOKENS, TokenArrays(np.array([7]), np.array([0]), np.array([3]))]).ids.tolist()
    [7]
    """
    if len(parts) <= 1:
        return parts[0] if parts else NO_TOKENS
    ids, starts, stops = zip(*parts, strict=True)
    return TokenArrays(np.concatenate(ids), np.concatenate(starts), np.concatenate(stops))


@dataclass(frozen=True)
class Encoding:
    """The ids of a text and the (start, stop) byte offsets of its tokens in the text's UTF-8.

    The spans are in order and do not overlap. An end-of-word marker that covers no text has an empty span; white space
    that the splitter drops is in no span.
    """

    ids: list[int]
    byte_spans: list[tuple[int, int]]
    text: str = field(default="", repr=False, compare=False)
    """The text that was encoded."""

    def _repr_html_(self) -> str:
        """Return the text with a colour behind each token, as a notebook shows it."""
        return tokens_in_html(self.text, self.byte_spans, self.ids)

    @cached_property
    def char_spans(self) -> list[tuple[int, int]]:
        """The (start, stop) offsets of the tokens in code points of the text.

        As in `tokenizers`, a token covers every character of which it contains a byte. So the spans of tokens that
        split a character overlap.
        """
        if self.text.isascii():
            return self.byte_spans
        is_first = (np.frombuffer(self.text.encode(), np.uint8) & 0xC0) != 0x80
        before = np.concatenate([[0], np.cumsum(is_first)])  # by byte: how many characters begin before it
        starts, stops = np.array(self.byte_spans, np.int64).reshape(-1, 2).T
        firsts = np.where(starts < stops, before[np.minimum(starts + 1, len(is_first))] - 1, before[starts])
        return list(zip(firsts.tolist(), before[stops].tolist(), strict=True))
