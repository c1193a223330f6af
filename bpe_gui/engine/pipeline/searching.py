"""Where something is in a text, as Hugging Face's `tokenizers` finds it, and how a text is cut there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from time import monotonic
from typing import Final, Literal, get_args

import regex

from .. import splitters
from ..errors import TokenizerError
from ..errors import translatable as _
from ..splitters import compile_pattern
from .oniguruma import translated

Span = tuple[int, int]
Behavior = Literal["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
"""What becomes of what matches, where a text is cut."""

BEHAVIORS: Final[tuple[Behavior, ...]] = get_args(Behavior)


def found(pattern: str, text: str, *, is_regex: bool) -> list[Span]:
    """Where in a text something matches, from left to right. Raises TokenizerError where that takes too long.

    >>> found("a*", "baa", is_regex=True)
    [(0, 0), (1, 3)]
    """
    return matches(compiled(pattern), text, is_known=False) if is_regex else matches(_literal(pattern), text)


@lru_cache(maxsize=64)
def compiled(pattern: str) -> "regex.Pattern[str]":
    """A regular expression as Oniguruma reads it. Raises RecipeError for one that cannot be used here."""
    return compile_pattern(translated(pattern))


@lru_cache(maxsize=64)
def _literal(text: str) -> "regex.Pattern[str]":
    return regex.compile(regex.escape(text))


def matches(pattern: "regex.Pattern[str]", text: str, *, is_known: bool = True) -> list[Span]:
    """Where in a text a pattern matches, from left to right. Raises TokenizerError where that takes too long, which a
    known pattern never does."""
    if not text:  # in which nothing is looked for
        return []
    spans: list[Span] = []
    try:
        if not is_known:
            splitters.check_speed(pattern, text)
        for match in splitters.matches(pattern, text):
            spans.append(match.span())
            if spans[-1][0] == spans[-1][1]:
                return _with_empty_ones(pattern, text)
    except (TimeoutError, MemoryError) as error:
        raise _stopped(error, spans) from error
    return spans


def _with_empty_ones(pattern: "regex.Pattern[str]", text: str) -> list[Span]:
    """The same for a pattern that matches nothing at all in places: not where another match ends."""
    spans: list[Span] = []
    begin, end = 0, -1
    seconds = splitters.time_for(10 * len(text))  # one search a character
    deadline = monotonic() + seconds
    while match := pattern.search(text, begin, concurrent=True, timeout=seconds):
        if monotonic() > deadline:
            raise TimeoutError
        start, stop = match.span()
        if start == stop == end:
            begin += 1
            if begin > len(text):
                break
            continue
        spans.append((start, stop))
        begin = end = stop
    return spans


def _stopped(error: Exception, spans: Sequence[Span]) -> TokenizerError:
    place = spans[-1][1] if spans else 0
    if isinstance(error, MemoryError):
        return TokenizerError(
            _(
                "EngineError",
                "The splitter's regular expression took too much memory at character {position:,}. "
                "A repetition inside a repetition, such as (a+)+, is the usual reason.",
            ),
            position=place,
        )
    return TokenizerError(
        _(
            "EngineError",
            "The splitter's regular expression took more than {seconds:g} seconds at character {position:,}. "
            "A repetition inside a repetition, such as (a+)+, is the usual reason.",
        ),
        seconds=splitters.TIME_LIMIT,
        position=place,
    )


def cut(spans: Sequence[Span], length: int, behavior: Behavior, *, invert: bool = False) -> list[Span]:
    """The parts of a text of that length, cut where something matches, or, inverted, where nothing does.

    >>> [cut([(1, 2), (2, 3)], 4, behavior) for behavior in ("removed", "merged_with_next", "contiguous")]
    [[(0, 1), (3, 4)], [(0, 1), (1, 2), (2, 4)], [(0, 1), (1, 3), (3, 4)]]
    """
    stretches = [(span, matches is not invert) for span, matches in _stretches(spans, length)]
    match behavior:
        case "isolated":
            parts = [span for span, _matches in stretches]
        case "removed":
            parts = [span for span, matches in stretches if not matches]
        case "contiguous":
            parts = _joined(stretches, lambda matches, before: matches is before)
        case "merged_with_previous":
            parts = _joined(stretches, _is_first_match)
        case "merged_with_next":
            backwards = [((-stop, -start), matches) for (start, stop), matches in reversed(stretches)]
            parts = [(-stop, -start) for start, stop in reversed(_joined(backwards, _is_first_match))]
    return [span for span in parts if span[0] < span[1]]


def _stretches(spans: Iterable[Span], length: int) -> Iterator[tuple[Span, bool]]:
    """All of a text, each stretch with whether it matches."""
    done = 0
    for span in spans:
        if done < span[0]:
            yield (done, span[0]), False
        yield span, True
        done = span[1]
    if done < length:
        yield (done, length), False


def _joined(stretches: Iterable[tuple[Span, bool]], joins: Callable[[bool, bool], bool]) -> list[Span]:
    """The stretches, those put together with the one before of which `joins` says so, seeing which of the two match."""
    parts: list[Span] = []
    before = False
    for (start, stop), matches in stretches:
        if parts and joins(matches, before):
            parts[-1] = parts[-1][0], stop
        else:
            parts.append((start, stop))
        before = matches
    return parts


def _is_first_match(matches: bool, before: bool) -> bool:
    return matches and not before
