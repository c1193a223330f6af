"""The alternatives of a splitter's expression, and which of them matched a word."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.text.automaton import find_parts
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array
from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.expressions import expression

from .compiled_splitters import all_words, compiled, padded, with_own_state
from .expressions.nfa import UntranslatableError
from .expressions.parser import parse
from .special_tokens import SpecialTokens
from .splitters import SPLITTERS
from .stream_splitter import StreamSplitter
from .time_limit import TimeLimit

NO_PART: Final = -1
"""The part of a word of which it cannot be told which alternative matched it."""

_CONTINUATIONS_END: Final = -0x40
"""The bytes 0b10xxxxxx, which continue a character, are exactly the signed bytes below this."""

_CONTRACTION: Final = r"'\p{L}+"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the alternatives of an expression, which `|` separates outside brackets: its index and its source."""

    index: int
    source: str


@lru_cache(maxsize=64)
def alternatives_of(splitter: str) -> tuple[str, ...]:
    r"""Return the sources of the alternatives of a named splitter or an expression.

    Of an expression that no automaton can match, return the whole.

    >>> alternatives_of(r"'s|\|(?:a|b)[|\]|]+|\s+")
    ("'s", '\\|(?:a|b)[|\\]|]+', '\\s+')
    """
    pattern = SPLITTERS.get(splitter, splitter)
    if compiled(splitter) is None:
        return (pattern,)
    return tuple(pattern[start:stop] for start, stop in parse(pattern).alternatives)


def matching_alternative(splitter: str, text: str, start: int, stop: int) -> Alternative | None:
    """Return the alternative of a splitter that matched the word [start, stop) of a text, as character indices.

    `text` is all that the splitter searched. Return None for an expression that no automaton can match.

    >>> matching_alternative("gpt2", "the cat's", 7, 9)
    Alternative(index=0, source="'s")
    """
    data, first = text.encode(), len(text[:start].encode())
    [index] = _matching(splitter, data, np.array([first], np.int64))
    return None if index == NO_PART else Alternative(int(index), alternatives_of(splitter)[index])


def _matching(splitter: str, text: bytes, starts: Int64Array) -> Int32Array:
    """Return the index of the alternative that matched each word; `NO_PART` where that is not known."""
    parts = np.full(len(starts), NO_PART, np.int32)
    if (tables := compiled(splitter)) is not None:
        find_parts(with_own_state(tables, len(text)), padded(text), 0, len(text), starts, parts)
    return parts


class SplitWords(NamedTuple):
    """Words of a text, as parallel arrays: where each starts and stops, and the number of the part that matched it.

    The number counts the parts that `parts_of` returns; it is `NO_PART` where that is not known.
    """

    starts: Int64Array
    stops: Int64Array
    parts: Int32Array

    @classmethod
    def of(cls, words: Iterable[tuple[int, int, int]]) -> "SplitWords":
        """Return the words with these starts, stops and parts."""
        columns = np.array(list(words), np.int64).reshape(-1, 3)
        starts, stops, parts = (np.ascontiguousarray(column) for column in columns.T)
        return cls(starts, stops, parts.astype(np.int32))

    def between(self, start: int, stop: int) -> "SplitWords":
        """Return the words that have any of the characters, or bytes, from `start` to `stop`."""
        first = int(np.searchsorted(self.stops, np.int64(start), "right"))
        last = int(np.searchsorted(self.starts, np.int64(stop), "left"))
        return SplitWords(self.starts[first:last], self.stops[first:last], self.parts[first:last])

    def shifted(self, shift: int) -> "SplitWords":
        """Return the words with `shift` added to where they start and stop."""
        return SplitWords(self.starts + shift, self.stops + shift, self.parts)

    def in_bytes(self, text: str) -> "SplitWords":
        """Return words of `text`, whose offsets are characters, with offsets in bytes of its UTF-8."""
        codes = np.frombuffer(text.encode("utf-32-le"), "<u4")
        sizes = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        return SplitWords(offsets[self.starts], offsets[self.stops], self.parts)

    def in_characters(self, text: bytes) -> "SplitWords":
        """Return words of UTF-8, whose offsets are bytes, with offsets in characters."""
        offsets = np.append(0, np.cumsum(np.frombuffer(text, np.int8) >= _CONTINUATIONS_END))
        return SplitWords(offsets[self.starts], offsets[self.stops], self.parts)

    @classmethod
    def joined(cls, words: Sequence["SplitWords"]) -> "SplitWords":
        """Return the words of each of `words`, one after another."""
        starts, stops, parts = zip(*words, strict=True)
        return cls(np.concatenate(starts), np.concatenate(stops), np.concatenate(parts))


NO_WORDS: Final = SplitWords.of([])


@checks_arguments(EngineError)
def parts_of(splitter: str) -> list[str]:
    r"""Return the sources of the parts of a splitter's expression: its alternatives, contractions in a row as one.

    >>> parts_of("gpt2")[:3]
    ["'s|'t|'re|'ve|'m|'ll|'d", ' ?\\p{L}+', ' ?\\p{N}+']
    """
    numbered = zip(_part_numbers(splitter), alternatives_of(splitter), strict=True)
    grouped = groupby(numbered, key=lambda each: each[0])
    return ["|".join(source for _number, source in group) for _key, group in grouped]


@checks_arguments(EngineError)
def part_spans(pattern: str) -> list[tuple[int, int, int]]:
    r"""Return where the parts of an expression are: start, stop and number of each alternative. Raise RecipeError.

    It takes less time than `parts_of`. If no automaton can match the expression, there may be more parts than there.

    >>> part_spans(r"'s|'t|\w+")
    [(0, 2, 0), (3, 5, 0), (6, 9, 1)]
    """
    try:
        spans = parse(pattern).alternatives
    except UntranslatableError:
        spans = ((0, len(pattern)),)
    numbers = _numbers_of([pattern[start:stop] for start, stop in spans])
    return [(start, stop, number) for (start, stop), number in zip(spans, numbers, strict=True)]


@lru_cache(maxsize=64)
def _part_numbers(splitter: str) -> tuple[int, ...]:
    """Return the number of the part that each alternative belongs to."""
    return tuple(_numbers_of(alternatives_of(splitter)))


def _numbers_of(sources: Iterable[str]) -> list[int]:
    numbers: list[int] = []
    was_contraction = False
    for source in sources:
        is_contraction = expression(_CONTRACTION).fullmatch(source) is not None
        before = numbers[-1] if numbers else NO_PART
        numbers.append(before if is_contraction and was_contraction else before + 1)
        was_contraction = is_contraction
    return numbers


@checks_arguments(EngineError)
def words_by_part(
    splitter: str,
    text: str,
    special_tokens: Collection[str] = (),
    *,
    space_before: bool = False,
    limit: TimeLimit | None = None,
) -> SplitWords:
    """Return the words of a text, in characters, each with the part of the splitter's expression that matched it.

    `special_tokens` are split off first. With `space_before`, a word begins with the space that the splitter drops
    before it. Raise TrainingError for an expression that takes more time than `limit` allows, or too much memory.

    >>> [column.tolist() for column in words_by_part("gpt2", "the cat's")]
    [[0, 3, 7], [3, 7, 9], [1, 1, 0]]
    """
    found, at = [NO_WORDS], 0
    for section, is_special in SpecialTokens(special_tokens).split(text):
        if not is_special:
            found.append(_words_of(splitter, section, space_before, limit).shifted(at))
        at += len(section)
    return SplitWords.joined(found)


def _words_of(splitter: str, text: str, space_before: bool, limit: TimeLimit | None) -> SplitWords:
    tables = compiled(splitter, takes_space=space_before)
    if tables is None:
        stream = StreamSplitter(splitter, space_before=space_before, limit=limit)
        found = [*stream.feed(text), *stream.finish()]
        return SplitWords.of((word.stop - len(word.text), word.stop, NO_PART) for word in found)
    data = text.encode()
    starts, stops = all_words(with_own_state(tables, len(data)), padded(data), len(data))
    numbers = np.array([*_part_numbers(splitter), NO_PART], np.int32)
    words = SplitWords(starts, stops, numbers[_matching(splitter, data, starts)])
    return words if len(data) == len(text) else words.in_characters(data)
