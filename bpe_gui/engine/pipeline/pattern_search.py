"""Where something is in a text, as Hugging Face's `tokenizers` finds it, and how a text is cut there."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice, starmap
from operator import eq, methodcaller
from time import monotonic, thread_time
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import regex

from bpe_gui.engine.text import splitters
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.text.splitters import compile_pattern
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.patterns.oniguruma import translated

Span = tuple[int, int]
Behavior = Literal["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
"""What becomes of what matches, where a text is cut."""

BEHAVIORS: Final[tuple[Behavior, ...]] = get_args(Behavior)

_BATCH: Final = 1 << 12  # matches between two looks at the clock, and characters for which no other look is needed
_SHORT: Final = 16  # characters
_span: Final = methodcaller("span")


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
        if not is_known and len(text) > _BATCH:
            splitters.check_speed(pattern, text)
        _search(pattern, text, spans)
        return _with_empty_ones(pattern, text) if any(starmap(eq, spans)) else spans
    except (TimeoutError, MemoryError) as error:
        raise _stopped(error, spans) from error


def _search(pattern: "regex.Pattern[str]", text: str, spans: list[Span]) -> None:
    """Add where a pattern matches. Raises TimeoutError, MemoryError."""
    seconds = splitters.time_for(len(text))
    deadline = thread_time() + seconds
    found = pattern.finditer(text, concurrent=True, timeout=seconds)
    size = -1
    while len(spans) - size >= _BATCH or size < 0:
        size = len(spans)
        spans.extend(map(_span, islice(found, _BATCH)))
        if thread_time() > deadline:  # the library looks at the clock in long matches only
            raise TimeoutError


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


# -- in the words of a text -----------------------------------------------------------------------------------------


class Matches(NamedTuple):
    """Where something matches in words: characters of the text, from left to right, and in which of the words."""

    starts: Longs
    stops: Longs
    words: Longs


def found_in(text: CutText, pattern: str, *, is_regex: bool) -> Matches:
    """Where in each of the words something matches. Raises TokenizerError for what takes too long."""
    if is_regex:
        return matches_in(text, compiled(pattern), is_known=False)
    return matches_in(text, _literal(pattern), is_single=len(pattern) == 1)


def matches_in(
    text: CutText, pattern: "regex.Pattern[str]", *, is_known: bool = True, is_single: bool = False
) -> Matches:
    """Where in each of the words a pattern matches. `is_single`: it is for one character, and looks at no other."""
    if is_single:
        places = _as_array(matches(pattern, text.text.text))
        words = np.searchsorted(text.begins, places[0], "right") - 1
        inside = (words >= 0) & (places[0] < np.append(text.ends, 0)[words])
        return Matches(places[0, inside], places[1, inside], words[inside])
    found: list[list[Span]] = []
    known: dict[str, list[Span]] = {}  # of short ones, which come again: digits and marks between all else
    for word in text.words():
        spans = known.get(word)
        if spans is None:
            spans = matches(pattern, word, is_known=is_known)
            if len(word) <= _SHORT:
                known[word] = spans
        found.append(spans)
    words = np.repeat(np.arange(len(found)), list(map(len, found)))
    starts, stops = _as_array(list(chain.from_iterable(found))) + text.begins[words]
    return Matches(starts, stops, words)


def _as_array(spans: Sequence[Span]) -> Longs:
    flat = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans))
    return flat.reshape(len(spans), 2).T


def cut(text: CutText, matches: Matches, behavior: Behavior, *, invert: bool = False) -> CutText:
    """The words cut where something matches, or, inverted, where nothing does.

    >>> from .aligned import AlignedText
    >>> text = CutText.of(AlignedText.of("a--b"))
    >>> found = found_in(text, "-", is_regex=False)
    >>> [cut(text, found, behavior).words() for behavior in ("removed", "merged_with_next", "contiguous")]
    [['a', 'b'], ['a', '-', '-b'], ['a', '--', 'b']]
    """
    begins, ends, words, are_matches = _stretches(text, matches)
    flags = are_matches != invert
    if behavior == "removed":
        return text.with_words(begins[~flags], ends[~flags], words[~flags])
    if behavior == "isolated":
        return text.with_words(begins, ends, words)
    before, flags = flags[:-1], flags[1:]
    match behavior:
        case "contiguous":
            joins = before == flags
        case "merged_with_previous":
            joins = flags & ~before
        case "merged_with_next":
            joins = before & ~flags
    joins &= words[1:] == words[:-1]
    is_first, is_last = np.append(True, ~joins)[: len(begins)], np.append(~joins, True)[: len(begins)]
    return text.with_words(begins[is_first], ends[is_last], words[is_first])


def _stretches(text: CutText, matches: Matches) -> "tuple[Longs, Longs, Longs, npt.NDArray[np.bool_]]":
    """All of each word in stretches, in order: where they begin and end, in which word, and whether they match."""
    count = len(matches.starts)
    words = np.arange(len(text.begins))
    # Before, between and after the matches of a word are stretches, of which those without a character are left out.
    of_matches = 2 * np.arange(count) + matches.words + 1
    firsts = 2 * np.searchsorted(matches.words, words) + words
    lasts = 2 * np.searchsorted(matches.words, words, "right") + words
    begins, ends, of = np.empty((3, 2 * count + len(words)), np.int64)
    begins[of_matches], ends[of_matches], of[of_matches] = matches
    begins[of_matches + 1], of[of_matches + 1] = matches.stops, matches.words
    ends[of_matches - 1] = matches.starts
    begins[firsts], of[firsts] = text.begins, words
    ends[lasts] = text.ends
    are_matches = np.zeros(len(of), bool)
    are_matches[of_matches] = True
    kept = are_matches | (begins < ends)
    return begins[kept], ends[kept], of[kept], are_matches[kept]
