"""Find patterns in text as Hugging Face's `tokenizers` does, and split text at the matches."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, starmap
from operator import eq, methodcaller
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Final, get_args

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text import time_limit
from bpe_gui.engine.text.expressions.dialects import ONIGURUMA, PYTHON
from bpe_gui.engine.text.expressions.splitter_tables import Behavior
from bpe_gui.engine.text.expressions.writer import translate
from bpe_gui.engine.text.regex_stand_ins import with_stand_ins
from bpe_gui.engine.text.splitters import compile_pattern

if TYPE_CHECKING:
    import regex

Span = tuple[int, int]
"""The start and stop of a match, in characters."""

BEHAVIORS: Final[tuple[Behavior, ...]] = get_args(Behavior)

_BATCH: Final = 1 << 12  # matches between two checks of the time limit
_MAX_UNCHECKED: Final = 1 << 12  # characters; patterns are tried on a part of longer texts first
_span: Final = methodcaller("span")


# -- in a whole text ---------------------------------------------------------------------------------------------------


def find_matches(pattern: str, text: str, *, is_regex: bool) -> list[Span]:
    """Return where `pattern` matches in `text`, from left to right. Raise TokenizerError if that takes too long.

    >>> find_matches("a*", "baa", is_regex=True)
    [(0, 0), (1, 3)]
    """
    if is_regex:
        return search(compile_oniguruma(pattern), with_stand_ins(text), is_trusted=False)
    return search(_compile_literal(pattern), text)


@lru_cache(maxsize=64)
def compile_oniguruma(pattern: str) -> "regex.Pattern[str]":
    """Compile a regular expression in Oniguruma's syntax. Raise RecipeError for one that cannot be translated."""
    return compile_pattern(translate(pattern, ONIGURUMA, PYTHON, may_be_empty=True))


@lru_cache(maxsize=64)
def _compile_literal(text: str) -> "regex.Pattern[str]":
    import regex

    return regex.compile(regex.escape(text))


def search(pattern: "regex.Pattern[str]", text: str, *, is_trusted: bool = True) -> list[Span]:
    """Return where `pattern` matches in `text`, from left to right.

    Raise TokenizerError if that takes too long. A trusted pattern, which never does, is not checked beforehand.
    """
    if not text:  # `tokenizers` does not search it, even for a pattern that matches nothing
        return []
    spans: list[Span] = []
    try:
        if not is_trusted and len(text) > _MAX_UNCHECKED:
            time_limit.TimeLimit().probe(pattern, text)
        _append_matches(pattern, text, spans)
        return _search_with_empty_matches(pattern, text) if any(starmap(eq, spans)) else spans
    except (TimeoutError, MemoryError) as error:
        raise _search_error(error, spans) from error


def _append_matches(pattern: "regex.Pattern[str]", text: str, spans: list[Span]) -> None:
    """Append the matches of `pattern` to `spans`. TimeoutError and MemoryError leave those that were found before."""
    seconds = time_limit.seconds_for(len(text))
    deadline = thread_time() + seconds
    matches = pattern.finditer(text, concurrent=True, timeout=seconds)
    is_finished = False
    while not is_finished:
        count = len(spans)
        spans.extend(map(_span, islice(matches, _BATCH)))
        is_finished = len(spans) < count + _BATCH
        if thread_time() > deadline:  # `regex` checks its timeout in long matches only
            raise TimeoutError


def _search_with_empty_matches(pattern: "regex.Pattern[str]", text: str) -> list[Span]:
    """Return the matches of a pattern that can be empty: an empty match right after another one does not count."""
    spans: list[Span] = []
    begin, end = 0, -1
    seconds = time_limit.seconds_for(10 * len(text))  # one search a character
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


def _search_error(error: Exception, spans: Sequence[Span]) -> TokenizerError:
    position = spans[-1][1] if spans else 0
    if isinstance(error, MemoryError):
        return TokenizerError(
            _(
                "EngineError",
                "The splitter's regular expression took too much memory at character {position:,}. The usual reason "
                "is a repetition inside a repetition, such as (a+)+.",
            ),
            position=position,
        )
    return TokenizerError(
        _(
            "EngineError",
            "The splitter's regular expression took more than {seconds:g} seconds at character {position:,}. The "
            "usual reason is a repetition inside a repetition, such as (a+)+.",
        ),
        seconds=time_limit.TIME_LIMIT,
        position=position,
    )


def split_at_matches(length: int, matches: Iterable[Span], behavior: Behavior, *, invert: bool = False) -> list[Span]:
    """Return the words of a text that is split where something matches, or, inverted, where nothing does.

    >>> [split_at_matches(4, [(1, 3)], behavior) for behavior in ("removed", "merged_with_next")]
    [[(0, 1), (3, 4)], [(0, 1), (1, 4)]]
    """
    words: list[Span] = []
    was_separator: bool | None = None
    for start, stop, is_match in _stretches(length, matches):
        is_separator = is_match != invert
        match behavior:
            case "contiguous":
                joins = is_separator == was_separator
            case "merged_with_previous":
                joins = is_separator and was_separator is False
            case "merged_with_next":
                joins = not is_separator and was_separator is True
            case _:
                joins = False
        was_separator = is_separator
        if joins:
            words[-1] = words[-1][0], stop
        elif not (is_separator and behavior == "removed"):
            words.append((start, stop))
    return [(start, stop) for start, stop in words if start < stop]


def _stretches(length: int, matches: Iterable[Span]) -> Iterator[tuple[int, int, bool]]:
    """Yield the matches and the stretches before, between and after them, with whether they are matches."""
    done = 0
    for start, stop in matches:
        if done < start:
            yield done, start, False
        yield start, stop, True
        done = stop
    if done < length:
        yield done, length, False
