"""The values encoding speaks in: ids with their places, traces and lineages."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class TokenArrays(NamedTuple):
    """Ids and where their tokens stand, as arrays: `starts` and `stops` are bytes in the UTF-8 of the text."""

    ids: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]

    def part(self, first: int, last: int) -> "TokenArrays":
        """The tokens [first, last)."""
        return TokenArrays(self.ids[first:last], self.starts[first:last], self.stops[first:last])

    def moved(self, distance: int) -> "TokenArrays":
        """The same tokens, so many bytes further on."""
        return TokenArrays(self.ids, self.starts + distance, self.stops + distance)


NO_TOKENS = TokenArrays(np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64))


def joined(parts: "list[TokenArrays]") -> TokenArrays:
    """The tokens of several parts."""
    if len(parts) <= 1:
        return parts[0] if parts else NO_TOKENS
    ids, starts, stops = zip(*parts, strict=True)
    return TokenArrays(np.concatenate(ids), np.concatenate(starts), np.concatenate(stops))


@dataclass(frozen=True, slots=True)
class Encoding:
    """Ids and where their tokens stand: `byte_spans` are (start, stop) in the UTF-8 of the text.

    The spans are in order and do not overlap. An end-of-word marker that stands for nothing in the text has an empty
    span; white space that the splitter drops is in none.
    """

    ids: list[int]
    byte_spans: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of encoding a word: the merge of `rank` was applied wherever its pair stood, giving `symbols`."""

    rank: int
    left: bytes
    right: bytes
    symbols: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class WordTrace:
    """How a word was encoded: the symbols it started as, and the merges in the order in which they applied.

    `is_whole`: it is a token itself and was taken as that, whatever the merges would make of its symbols.
    """

    word: str
    symbols: tuple[bytes, ...]
    steps: tuple[TraceStep, ...]
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Lineage:
    """How a token came to be: its id (None if it left the vocabulary), its bytes, and if merged, rank and two parts."""

    id: int | None
    bytes: bytes
    rank: int | None
    parts: "tuple[Lineage, Lineage] | tuple[()]"
