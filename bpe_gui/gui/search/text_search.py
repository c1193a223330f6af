"""Find every match in a text, a few milliseconds at a time, so that the window stays responsive.

The text is searched in pieces. Only the number of matches in each piece is kept: searching a piece again takes a
moment, and a hundred megabytes may have ten million matches. All offsets are bytes of the text's UTF-8.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from time import monotonic
from typing import Final, Protocol

import numpy as np

from bpe_gui.engine import TokenArrays

Span = tuple[int, int]
"""Start and stop of a match."""

_PIECE: Final = 1 << 14  # bytes
_SLICE: Final = 0.008  # seconds
_CACHED_PIECES: Final = 8  # more than a screen shows


@dataclass(frozen=True, slots=True)
class TextPattern:
    """A pattern to find in UTF-8; it matches at least one byte and at most `longest` bytes."""

    pattern: re.Pattern[bytes]
    longest: int


class Finder(Protocol):
    """Finds the matches in each piece of a text."""

    starts: list[int]
    """The offset of each piece; the last item is the size of the text."""

    def spans(self, piece: int, begin: int) -> Iterable[Span]:
        """Yield the matches that begin in a piece, at the offset `begin` or later, in order."""


class PatternFinder:
    """Finds a pattern in a text given as blocks; a match may span any number of them.

    >>> list(PatternFinder([b"low lo", b"west"], TextPattern(re.compile(b"low"), 3)).spans(1, 0))
    []
    >>> list(PatternFinder([b"low lo", b"west"], TextPattern(re.compile(b"low"), 3)).spans(0, 0))
    [(0, 3), (4, 7)]
    """

    def __init__(self, blocks: Sequence[bytes], wanted: TextPattern, piece_size: int = _PIECE) -> None:
        self._blocks = blocks
        self._find = wanted.pattern.finditer
        self._overlap = wanted.longest - 1
        self._pieces = [
            (index, start, min(start + piece_size, len(block)))
            for index, block in enumerate(blocks)
            for start in range(0, len(block), piece_size)
        ]
        self.starts = list(accumulate((stop - start for _block, start, stop in self._pieces), initial=0))

    def spans(self, piece: int, begin: int) -> Iterator[Span]:
        """Yield the matches that begin in a piece, at the offset `begin` or later, in order."""
        base, size = self.starts[piece], self.starts[piece + 1] - self.starts[piece]
        for match in self._find(self._with_overlap(piece), max(0, begin - base)):
            start, stop = match.span()
            if start >= size:
                return
            yield base + start, base + stop

    def _with_overlap(self, piece: int) -> bytes:
        """Return a piece, with as much of the following text as a match that begins in it may need."""
        block, start, stop = self._pieces[piece]
        parts = [self._blocks[block][start : stop + self._overlap]]
        missing = stop - start + self._overlap - len(parts[0])
        while missing > 0 and (block := block + 1) < len(self._blocks):
            parts.append(self._blocks[block][:missing])
            missing -= len(parts[-1])
        return b"".join(parts)


class TokenFinder:
    """Finds the tokens with an id in a text given as blocks with their tokens, like `LiveText.snapshot`."""

    def __init__(self, blocks: Sequence[tuple[bytes, TokenArrays]], token_id: int) -> None:
        self._tokens = [tokens for _text, tokens in blocks]
        self._id = np.int32(token_id)
        self.starts = list(accumulate((len(text) for text, _tokens in blocks), initial=0))

    def spans(self, piece: int, begin: int) -> Iterable[Span]:
        """Return the tokens with the id in a block, in order; tokens never overlap, so `begin` does not matter."""
        ids, starts, stops = self._tokens[piece]
        found = np.flatnonzero(ids == self._id)
        tokens = TokenArrays(ids[found], starts[found], stops[found]).shifted(self.starts[piece])
        return zip(tokens.starts.tolist(), tokens.stops.tolist(), strict=True)


class TextSearch:
    """All matches of a finder, in order and without overlaps; complete once `advance` says so."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._before = [0]  # by piece: the number of matches that begin before it
        self._begins = [0]  # by piece: where to start in it, after a match that reaches into it
        self._spans: dict[int, list[Span]] = {}

    def advance(self) -> bool:
        """Search for a few milliseconds; return whether the whole text has been searched."""
        end = monotonic() + _SLICE
        while not self.is_complete:
            piece = len(self._before) - 1
            count, begin = 0, self._begins[piece]
            for _start, stop in self._finder.spans(piece, begin):
                count, begin = count + 1, stop
            self._before.append(self._before[-1] + count)
            self._begins.append(begin)
            if monotonic() >= end:
                break
        return self.is_complete

    @property
    def is_complete(self) -> bool:
        """Whether the whole text has been searched."""
        return len(self._before) == len(self._finder.starts)

    @property
    def total(self) -> int:
        """The number of matches found so far."""
        return self._before[-1]

    def index_from(self, offset: int) -> int:
        """Return the index of the first match that begins at `offset` or later; `total` if there is none."""
        piece = bisect_right(self._finder.starts, offset) - 1
        if piece >= len(self._before) - 1:
            return self.total
        return self._before[piece] + bisect_left(self._spans_of(piece), (offset,))

    def span(self, index: int) -> Span:
        """Return the match at an index from 0 to `total` - 1."""
        piece = bisect_right(self._before, index) - 1
        return self._spans_of(piece)[index - self._before[piece]]

    def spans_in(self, start: int, stop: int) -> list[Span]:
        """Return the matches that overlap the bytes [start, stop)."""
        first, last = max(0, self.index_from(start) - 1), self.index_from(stop)
        spans = map(self.span, range(first, last))
        return [span for span in spans if span[1] > start]

    def _spans_of(self, piece: int) -> list[Span]:
        if piece not in self._spans:
            if len(self._spans) >= _CACHED_PIECES:
                self._spans.clear()
            self._spans[piece] = list(self._finder.spans(piece, self._begins[piece]))
        return self._spans[piece]
