"""The alternatives of a splitter's expression, and which of them matched a word."""

from dataclasses import dataclass
from functools import lru_cache

import regex

from .regex_stand_ins import with_stand_ins
from .splitters import SPLITTERS, compile_pattern
from .time_limit import seconds_for


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
    searched = with_stand_ins(text)
    for index, (source, pattern) in enumerate(_compiled_alternatives(splitter)):
        if pattern is None:
            return None
        try:
            match = pattern.match(searched, start, concurrent=True, timeout=seconds_for(stop - start))
        except (TimeoutError, MemoryError):
            return None
        if match is not None:
            return Alternative(index, source) if match.end() == stop else None
    return None


@lru_cache(maxsize=64)
def _compiled_alternatives(splitter: str) -> "list[tuple[str, regex.Pattern[str] | None]]":
    """Return the sources of a splitter's alternatives, each compiled; None for one that does not compile alone."""
    flags = compile_pattern(splitter).flags
    sources = alternatives_of(
        SPLITTERS.get(splitter, splitter),
        nested_sets=bool(flags & regex.VERSION1),
        verbose=bool(flags & regex.VERBOSE),
    )
    return [(source, _compiled(source, flags)) for source in sources]


def _compiled(source: str, flags: int) -> "regex.Pattern[str] | None":
    try:
        return regex.compile(source, flags)
    except (regex.error, ValueError):
        return None
