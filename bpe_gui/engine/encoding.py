"""The values encoding speaks in: ids with their places, traces and lineages."""

from dataclasses import dataclass


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
    """How a word was encoded: the symbols it started as, and the merges in the order in which they applied."""

    word: str
    symbols: tuple[bytes, ...]
    steps: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class Lineage:
    """How a token came to be: its id (None if it left the vocabulary), its bytes, and if merged, rank and two parts."""

    id: int | None
    bytes: bytes
    rank: int | None
    parts: "tuple[Lineage, Lineage] | tuple[()]"
