"""The alternatives of a splitter's expression, and which of them matched a word."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array
from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.expressions import expression

from .regex_stand_ins import with_stand_ins
from .special_tokens import SpecialTokens
from .splitters import SPLITTERS, compile_pattern
from .stream_splitter import StreamSplitter
from .time_limit import TimeLimit, seconds_for

if TYPE_CHECKING:
    import regex

NO_PART: Final = -1
"""The part of a word of which it cannot be told which alternative matched it."""

_CONTRACTION: Final = r"'\p{L}+"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the alternatives of an expression, which `|` separates outside brackets: its index and its source."""

    index: int
    source: str


def alternatives_of(pattern: str, *, nested_sets: bool = False, verbose: bool = False) -> list[str]:
    r"""Return the sources of the alternatives that an expression consists of.

    `nested_sets`: sets may contain sets, as after (?V1). `verbose`: `#` begins a comment, as after (?x).

    >>> alternatives_of(r"'s|\|(?:a|b)[|\]|]+|\s+")
    ["'s", '\\|(?:a|b)[|\\]|]+', '\\s+']
    """
    found: list[str] = []
    begin = index = depth = 0
    while index < len(pattern):
        character = pattern[index]
        if character == "\\":
            index += 1
        elif character == "[":
            index = _set_end(pattern, index, nested_sets)
        elif pattern.startswith("(?#", index):
            index = _after(pattern, ")", index)
        elif character == "#" and verbose:
            index = _after(pattern, "\n", index)
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "|" and depth == 0:
            found.append(pattern[begin:index])
            begin = index + 1
        index += 1
    return [*found, pattern[begin:]]


def _set_end(pattern: str, index: int, nested_sets: bool) -> int:
    """Return the index of the bracket that closes the set that begins at `index`."""
    index += 2 if pattern.startswith("[^", index) else 1
    first = index
    while index < len(pattern):
        if pattern[index] == "\\":
            index += 1
        elif pattern[index] == "]" and index > first:
            return index
        elif pattern.startswith("[:", index) and pattern.find(":]", index) > 0:
            index = pattern.find(":]", index) + 1
        elif pattern[index] == "[" and nested_sets:
            index = _set_end(pattern, index, nested_sets)
        index += 1
    return index


def _after(pattern: str, text: str, index: int) -> int:
    """Return the index at which `text` occurs next, or the end of the pattern."""
    found = pattern.find(text, index)
    return len(pattern) if found < 0 else found


def matching_alternative(splitter: str, text: str, start: int, stop: int) -> Alternative | None:
    """Return the alternative of a splitter that matched the word [start, stop) of a text, as character indices.

    `text` is all that the splitter searched. Return None where that cannot be told, as of an expression whose
    alternatives refer to each other's groups.

    >>> matching_alternative("gpt2", "the cat's", 7, 9)
    Alternative(index=0, source="'s")
    """
    try:
        index = _matching_index(splitter, with_stand_ins(text), start, stop, seconds_for(stop - start))
    except (TimeoutError, MemoryError):
        return None
    return None if index is None else Alternative(index, _compiled_alternatives(splitter)[index][0])


# -- all words of a text -------------------------------------------------------------------------------------------


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
    sources = [source for source, _pattern in _compiled_alternatives(splitter)]
    numbers = _part_numbers(splitter)
    grouped = groupby(zip(numbers, sources, strict=True), key=lambda numbered: numbered[0])
    return ["|".join(source for _number, source in group) for _key, group in grouped]


@lru_cache(maxsize=64)
def _part_numbers(splitter: str) -> tuple[int, ...]:
    """Return the number of the part that each alternative belongs to."""
    numbers: list[int] = []
    was_contraction = False
    for source, _pattern in _compiled_alternatives(splitter):
        is_contraction = expression(_CONTRACTION).fullmatch(source) is not None
        before = numbers[-1] if numbers else NO_PART
        numbers.append(before if is_contraction and was_contraction else before + 1)
        was_contraction = is_contraction
    return tuple(numbers)


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
    limit = limit or TimeLimit()
    find = _words_of_named if splitter in SPLITTERS else _words_of_expression
    found: list[tuple[int, int, int]] = []
    at = 0
    for section, is_special in SpecialTokens(special_tokens).split(text):
        if not is_special:
            words = find(splitter, section, space_before, limit)
            found += [(at + start, at + stop, part) for start, stop, part in words]
        at += len(section)
    return SplitWords.of(found)


def _words_of_named(splitter: str, text: str, space_before: bool, _limit: TimeLimit) -> Iterator[tuple[int, int, int]]:
    """Yield start, stop and part of the words of a named splitter, all of which have no groups and cannot hang."""
    joined, numbers = _joined_alternatives(splitter), _part_numbers(splitter)
    assert joined is not None
    end = 0
    for match in joined.finditer(with_stand_ins(text), concurrent=True):
        start, stop = match.span()
        begin = start - 1 if space_before and start > end and text[start - 1] == " " else start
        yield begin, stop, numbers[(match.lastindex or 1) - 1]
        end = stop


def _words_of_expression(
    splitter: str, text: str, space_before: bool, limit: TimeLimit
) -> Iterator[tuple[int, int, int]]:
    """Yield start, stop and part of the words of a user's own expression, without parts once time is used up."""
    stream = StreamSplitter(splitter, space_before=space_before, limit=limit)
    searched, numbers = with_stand_ins(text), _part_numbers(splitter)
    is_slow = False
    for word in [*stream.feed(text), *stream.finish()]:
        index = None
        if not is_slow:
            try:
                index = _matching_index(splitter, searched, word.start, word.stop, limit.seconds)
            except (TimeoutError, MemoryError):
                is_slow = True
        yield word.stop - len(word.text), word.stop, NO_PART if index is None else numbers[index]


# -- matching ------------------------------------------------------------------------------------------------------


def _matching_index(splitter: str, searched: str, start: int, stop: int, seconds: float) -> int | None:
    """Return the index of the alternative that matched the word [start, stop), or None if that cannot be told.

    Raise TimeoutError or MemoryError for an expression that takes too much.
    """
    joined = _joined_alternatives(splitter)
    if joined is not None:
        match = joined.match(searched, start, concurrent=True, timeout=seconds)
        return match.lastindex - 1 if match and match.end() == stop and match.lastindex else None
    for index, (_source, pattern) in enumerate(_compiled_alternatives(splitter)):
        if pattern is None:
            return None
        match = pattern.match(searched, start, concurrent=True, timeout=seconds)
        if match is not None and match.end() > start:
            return index if match.end() == stop else None
    return None


@lru_cache(maxsize=64)
def _joined_alternatives(splitter: str) -> "regex.Pattern[str] | None":
    """Return the expression with an empty group after each alternative, or None if it has groups itself."""
    import regex

    pattern = compile_pattern(splitter)
    if pattern.groups:
        return None
    end = "\n()" if pattern.flags & regex.VERBOSE else "()"  # a comment would hide the group
    joined = _compiled("|".join(source + end for source, _pattern in _compiled_alternatives(splitter)), pattern.flags)
    return joined if joined and joined.groups == len(_compiled_alternatives(splitter)) else None


@lru_cache(maxsize=64)
def _compiled_alternatives(splitter: str) -> "list[tuple[str, regex.Pattern[str] | None]]":
    """Return the sources of a splitter's alternatives, each compiled; None for one that does not compile alone."""
    import regex

    flags = compile_pattern(splitter).flags
    sources = alternatives_of(
        SPLITTERS.get(splitter, splitter),
        nested_sets=bool(flags & regex.VERSION1),
        verbose=bool(flags & regex.VERBOSE),
    )
    return [(source, _compiled(source, flags)) for source in sources]


def _compiled(source: str, flags: int) -> "regex.Pattern[str] | None":
    import regex

    try:
        return regex.compile(source, flags)
    except (regex.error, ValueError):
        return None
