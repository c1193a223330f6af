"""The alternatives of a splitter's expression, and which of them matched a word."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.text.automaton import find_parts
from bpe_gui.engine.runtime.lazy import expression
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

from .compiled_splitters import compiled, padded, split_text, with_own_state
from .parser import parse
from .recipe import Recipe
from .special_tokens import SpecialTokens
from .splitters import SPLITTERS

_CONTINUATIONS_END: Final = -0x40
"""The bytes 0b10xxxxxx, which continue a character, are exactly the signed bytes below this."""

_CONTRACTION: Final = r"'\p{L}+"


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative of an expression, as `|` separates them outside brackets: its index and its source."""

    index: int
    source: str


@lru_cache(maxsize=64)
def alternatives_of(splitter: str) -> tuple[str, ...]:
    r"""Return the sources of the alternatives of a named splitter or an expression.

    >>> alternatives_of(r"'s|\|(?:a|b)[|\]|]+|\s+")
    ("'s", '\\|(?:a|b)[|\\]|]+', '\\s+')
    """
    pattern = SPLITTERS.get(splitter, splitter)
    return tuple(pattern[start:stop] for start, stop in parse(pattern).alternatives)


def matching_alternative(splitter: str, text: bytes, start: int) -> Alternative:
    """Return the alternative of a splitter that matched the word at the byte `start` of a text.

    `text` is all that the splitter searched.

    >>> matching_alternative("gpt2", b"the cat's", 7)
    Alternative(index=0, source="'s")
    """
    [index] = _matching(splitter, text, np.array([start], np.int64))
    return Alternative(int(index), alternatives_of(splitter)[index])


def _matching(splitter: str, text: bytes, starts: Int64Array) -> Int32Array:
    """Return the index of the alternative that matched each word."""
    parts = np.empty(len(starts), np.int32)
    find_parts(with_own_state(compiled(splitter), len(text)), padded(text), 0, len(text), starts, parts)
    return parts


class SplitWords(NamedTuple):
    """Words of a text, as parallel arrays: where each starts and stops, and which part matched it.

    Parts are indices into the list that `parts_of` returns.
    """

    starts: Int64Array
    stops: Int64Array
    parts: Int32Array

    def between(self, start: int, stop: int) -> "SplitWords":
        """Return the words that have any of the characters, or bytes, from `start` to `stop`."""
        first = int(np.searchsorted(self.stops, np.int64(start), "right"))
        last = int(np.searchsorted(self.starts, np.int64(stop), "left"))
        return SplitWords(self.starts[first:last], self.stops[first:last], self.parts[first:last])

    def shifted(self, shift: int) -> "SplitWords":
        """Return the words with `shift` added to where they start and stop."""
        return SplitWords(self.starts + shift, self.stops + shift, self.parts)

    def in_characters(self, text: bytes) -> "SplitWords":
        """Return the words of a text in UTF-8, with offsets in characters instead of bytes."""
        offsets = np.append(0, np.cumsum(np.frombuffer(text, np.int8) >= _CONTINUATIONS_END))
        return SplitWords(offsets[self.starts], offsets[self.stops], self.parts)

    @classmethod
    def joined(cls, words: Sequence["SplitWords"]) -> "SplitWords":
        """Return the words of each of `words`, one after another."""
        starts, stops, parts = zip(*words, strict=True)
        return cls(np.concatenate(starts), np.concatenate(stops), np.concatenate(parts))


NO_WORDS: Final = SplitWords(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32))


def parts_of(splitter: str) -> list[str]:
    r"""Return the sources of the parts of an expression: its alternatives, with consecutive contractions as one part.

    >>> parts_of("gpt2")[:3]
    ["'s|'t|'re|'ve|'m|'ll|'d", ' ?\\p{L}+', ' ?\\p{N}+']
    """
    numbered = zip(_part_numbers(splitter), alternatives_of(splitter), strict=True)
    grouped = groupby(numbered, key=lambda each: each[0])
    return ["|".join(source for _number, source in group) for _key, group in grouped]


def part_spans(pattern: str) -> list[tuple[int, int, int]]:
    r"""Return the start, the stop and the part's number of each alternative of an expression. Raise RecipeError.

    >>> part_spans(r"'s|'t|\w+")
    [(0, 2, 0), (3, 5, 0), (6, 9, 1)]
    """
    spans = parse(pattern).alternatives
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
        before = numbers[-1] if numbers else -1
        numbers.append(before if is_contraction and was_contraction else before + 1)
        was_contraction = is_contraction
    return numbers


def words_by_part(recipe: Recipe, text: bytes, special_tokens: Collection[str] = ()) -> SplitWords:
    """Return the words of a text in UTF-8, in bytes, each with the part of the expression that matched it.

    `special_tokens` are split off first. Raise TrainingError for an expression that takes too long.

    >>> [column.tolist() for column in words_by_part(Recipe(), b"the cat's")]
    [[0, 3, 7], [3, 7, 9], [1, 1, 0]]
    """
    numbers = np.array(_part_numbers(recipe.splitter), np.int32)
    found, at = [NO_WORDS], 0
    for section in split_text(text.decode(), recipe, SpecialTokens(special_tokens)):
        if not section.is_special:
            parts = numbers[_matching(recipe.splitter, section.text, section.starts)]
            found.append(SplitWords(section.starts, section.stops, parts).shifted(at))
        at += len(section.text)
    return SplitWords.joined(found)
