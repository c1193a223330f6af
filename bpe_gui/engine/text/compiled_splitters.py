"""Splitters as tables with which kernels find words, and the other arrays that kernels need."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.text.automaton import AT, END, Splitter, find_all_words, find_boundary
from bpe_gui.engine.kernels.text.gpt2_word_starts import BLOCKS, Gpt2Scanner
from bpe_gui.engine.kernels.text.word_table import BATCH, LookupBatch
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, UInt8Array

from .recipe import Recipe
from .special_tokens import SpecialTokens
from .splitter_tables import Level, new_splitter
from .splitters import automaton_of, unicode_classes

_QUOTED: Final = 40  # bytes

_BATCH_GAP: Final = 130
"""The spare items of each array of a batch; the arrays are adjacent in memory.

A load waits for an earlier store whose address equals its own modulo 4,096. With this gap, only words that are far
apart have such addresses.
"""


def splitter_of(recipe: Recipe) -> Splitter:
    """Return the splitter of a recipe as tables for kernels. Its arrays are shared: see `with_own_state`."""
    return compiled(recipe.splitter, takes_space=recipe.boundary == "prefix")


@lru_cache(maxsize=64)
def compiled(splitter: str, *, takes_space: bool = False) -> Splitter:
    """Return a named splitter or an expression as tables. Raise RecipeError as `automaton_of` does.

    With `takes_space`, a word begins with the space that is dropped before it.
    """
    tables = new_splitter([Level(automaton_of(splitter), takes_space=takes_space)])
    return replace(tables, gpt2=_new_scanner(unicode_classes())) if splitter == "gpt2" else tables


def with_own_state(splitter: Splitter, size: int) -> Splitter:
    """Return a splitter for one thread and texts of up to `size` bytes that shares only the constant tables."""
    own = {name: getattr(splitter, name).copy() for name in ("state", "bounds", "kinds", "starts", "ends")}
    symbols = np.empty(size if len(splitter.backward) else 0, np.uint16)
    gpt2 = _new_scanner(splitter.gpt2.classes) if len(splitter.gpt2.classes) else splitter.gpt2
    return replace(splitter, **own, symbols=symbols, gpt2=gpt2)


def can_split(splitter: Splitter, size: int) -> bool:
    """Return whether a splitter has the capacity for a text of `size` bytes."""
    return not len(splitter.backward) or len(splitter.symbols) >= size


def all_words(
    shared: Splitter, text: UInt8Array, size: int, bounds: Int64Array | None = None
) -> tuple[Int64Array, Int64Array]:
    """Return where the words of a padded text of `size` bytes start and end. Raise TrainingError.

    `bounds` has where its sections begin and end, alternately; by default, the text is one.
    """
    splitter = with_own_state(shared, size)
    batch = new_batch()
    starts, ends = np.empty((2, size + 1), np.int64)
    bounds = np.array([0, size], np.int64) if bounds is None else bounds
    count = find_all_words(splitter, text, bounds, batch.starts, batch.ends, starts, ends)
    if count < 0:
        raise stuck_error(splitter, text)
    return starts[:count].copy(), ends[:count].copy()


class Section(NamedTuple):
    """A special token, or text between two, with where its words start and stop in bytes."""

    text: bytes
    is_special: bool
    starts: Int64Array
    stops: Int64Array


def split_text(text: str, recipe: Recipe, specials: SpecialTokens) -> Iterator[Section]:
    """Yield the special tokens of a text and, split into words, the text between them. Raise TrainingError.

    >>> sections = split_text("low<e>low lower", Recipe(), SpecialTokens(["<e>"]))
    >>> [section.starts.tolist() for section in sections]
    [[0], [], [0, 3]]
    """
    none = np.empty(0, np.int64)
    for part, is_special in specials.split(text):
        data = part.encode()
        words = (none, none) if is_special else all_words(splitter_of(recipe), padded(data), len(data))
        yield Section(data, is_special, *words)


def stuck_error(splitter: Splitter, text: UInt8Array) -> TrainingError:
    """Return the error for a splitter that is stuck in a text."""
    at = int(splitter.state[AT])
    return TrainingError(
        "The splitter's regular expression takes too long at {text!r}. The usual reason is that it reads far ahead to "
        "find that nothing matches, as a+b does in a text of many a without b.",
        text=text[at : min(at + _QUOTED, int(splitter.state[END]))].tobytes().decode(errors="ignore"),
    )


def _new_scanner(classes: UInt8Array) -> Gpt2Scanner:
    letters, numbers, spaces, blanks, starts = np.zeros((5, BLOCKS + 2), np.int64)
    return Gpt2Scanner(classes, letters, numbers, spaces, blanks, starts)


def new_batch() -> LookupBatch:
    """Return an empty batch in which each word counts once."""
    starts, ends, lows, highs, slots = np.empty((5, BATCH + _BATCH_GAP), np.int64)
    counts, state = np.ones(BATCH, np.int64), np.zeros(2, np.int64)
    return LookupBatch(starts, ends, lows, highs, slots, counts, state)


def padded(text: bytes) -> UInt8Array:
    """Return a copy of `text` in writable memory followed by padding, as kernels need it."""
    copied = np.zeros(len(text) + PADDING, np.uint8)
    copied[: len(text)] = np.frombuffer(text, np.uint8)
    return copied


class Chunker:
    """A finder of chunk boundaries for a splitter and its special tokens.

    A boundary is outside special tokens, not next to a character that is `avoided`, by code point, and not between two
    that are `joined`. The tokens on either side do not depend on the other side. Without a splitter, there are no
    boundaries.

    >>> from bpe_gui.engine.text.compiled_splitters import compiled
    >>> Chunker(compiled("gpt2"), []).chunks(b"low lower lowest", 8)
    [b'low', b' lower', b' lowest']
    """

    def __init__(
        self,
        splitter: Splitter | None,
        special_tokens: Sequence[str],
        avoided: BoolArray | None = None,
        joined: BoolArray | None = None,
    ) -> None:
        self._splitter = splitter
        self._avoided = avoided
        self._joined = joined
        self._specials = [token.encode() for token in special_tokens]
        self.context: Final = max(map(len, self._specials), default=1) + 4
        """The bytes on either side that a boundary depends on: one character, or a special token."""

    def last_boundary(self, text: bytes) -> int:
        """Return the offset of the last boundary that holds whatever follows `text`, or 0."""
        if self._splitter is None or len(text) <= self.context:
            return 0
        return self.boundary_before(len(text) - self.context, text, padded(text))

    def chunks(self, text: bytes, size: int) -> list[bytes]:
        """Return `text` in chunks of about `size` bytes, longer where there is no boundary. Joined, they are `text`."""
        if self._splitter is None or len(text) <= size:
            return [text] if text else []
        array = padded(text)
        chunks: list[bytes] = []
        start, searched, length = 0, 0, size
        while start + length < len(text):
            boundary = self.boundary_before(start + length, text, array, searched)
            if boundary > searched:
                chunks.append(text[start:boundary])
                start, searched, length = boundary, boundary, size
            else:
                searched = start + length - 1
                length *= 2
        chunks.append(text[start:])
        return chunks

    def boundary_before(self, stop: int, text: bytes, array: UInt8Array, start: int = 0) -> int:
        """Return the offset of the last boundary between `start` and `stop`, or `start`. `array` is the padded text."""
        if self._splitter is None:
            return start
        boundary = find_boundary(self._splitter, array, start, stop)
        while boundary > start and (self._is_in_special(text, boundary) or self._is_avoided(text, boundary)):
            boundary = find_boundary(self._splitter, array, start, boundary)
        return boundary

    def _is_in_special(self, text: bytes, offset: int) -> bool:
        return any(
            text.find(token, max(0, offset - len(token) + 1), offset + len(token) - 1) >= 0 for token in self._specials
        )

    def _is_avoided(self, text: bytes, offset: int) -> bool:
        if self._avoided is None and self._joined is None:
            return False
        before, after = text[max(0, offset - 4) : offset], text[offset : offset + 4]
        characters = before.decode(errors="ignore")[-1:] + after.decode(errors="ignore")[:1]
        codes = list(map(ord, characters))
        is_avoided = self._avoided is not None and any(self._avoided[code] for code in codes)
        return is_avoided or (self._joined is not None and all(self._joined[code] for code in codes))

    def is_like(self, other: "Chunker") -> bool:
        """Return whether another chunker finds the same boundaries."""
        return (
            self._splitter is other._splitter
            and self._avoided is other._avoided
            and self._joined is other._joined
            and self._specials == other._specials
        )
