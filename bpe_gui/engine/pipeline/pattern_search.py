"""Find patterns in text as Hugging Face's `tokenizers` does, and split text at the matches."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice, starmap
from operator import eq, methodcaller
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

import numpy as np

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text import time_limit
from bpe_gui.engine.text.regex_stand_ins import with_stand_ins
from bpe_gui.engine.text.splitters import compile_pattern

from .aligned_text import code_points
from .library_classes import have_flag
from .patterns.dialects import ONIGURUMA, PYTHON
from .patterns.translation import translate
from .split_text import SplitText

if TYPE_CHECKING:
    import regex

Span = tuple[int, int]
"""The start and stop of a match, in characters."""

Behavior = Literal["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
"""The treatment of matches when a text is split at them; `contiguous` makes adjacent ones a single word."""

BEHAVIORS: Final[tuple[Behavior, ...]] = get_args(Behavior)

_BATCH: Final = 1 << 12  # matches between two checks of the time limit
_MAX_UNCHECKED: Final = 1 << 12  # characters; patterns are tried on a part of longer texts first
_MAX_CACHED_WORD: Final = 16  # characters
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
    return compile_pattern(translate(pattern, ONIGURUMA, PYTHON))


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


# -- in the words of a text --------------------------------------------------------------------------------------------


class WordMatches(NamedTuple):
    """Matches inside the words of a text, from left to right.

    `starts` and `stops` are offsets in characters of the whole text, `words` the indices of the words.
    """

    starts: Int64Array
    stops: Int64Array
    words: Int64Array


def find_in_words(text: SplitText, pattern: str, *, is_regex: bool) -> WordMatches:
    """Return where `pattern` matches in each word of `text`. Raise TokenizerError if that takes too long."""
    if is_regex:
        return search_words(text, compile_oniguruma(pattern), is_trusted=False)
    if len(pattern) == 1:
        return _single_characters(text, code_points(text.text.text) == ord(pattern))
    return _search_words(text, _compile_literal(pattern))


def characters_with(text: SplitText, flag: int) -> WordMatches:
    """Return where the words of `text` have a character with a flag of `library_classes`."""
    return _single_characters(text, have_flag(text.text.text, flag))


def _single_characters(text: SplitText, are_matches: BoolArray) -> WordMatches:
    """Return the characters of words that match, given for each character of the whole text whether it does."""
    starts = np.flatnonzero(are_matches)
    words = np.searchsorted(text.begins, starts, "right") - 1
    inside = (words >= 0) & (starts < np.append(text.ends, 0)[words])
    return WordMatches(starts[inside], starts[inside] + 1, words[inside])


def search_words(text: SplitText, pattern: "regex.Pattern[str]", *, is_trusted: bool = True) -> WordMatches:
    """Return where `pattern` matches in each word of `text`. Raise TokenizerError if that takes too long."""
    shown = text._replace(text=text.text._replace(text=with_stand_ins(text.text.text)))
    return _search_words(shown, pattern, is_trusted=is_trusted)


def _search_words(text: SplitText, pattern: "regex.Pattern[str]", *, is_trusted: bool = True) -> WordMatches:
    spans_by_word: list[list[Span]] = []
    cache: dict[str, list[Span]] = {}  # of short words, which recur: digits and marks between everything else
    for word in text.words():
        spans = cache.get(word)
        if spans is None:
            spans = search(pattern, word, is_trusted=is_trusted)
            if len(word) <= _MAX_CACHED_WORD:
                cache[word] = spans
        spans_by_word.append(spans)
    words = np.repeat(np.arange(len(spans_by_word)), list(map(len, spans_by_word)))
    starts, stops = _as_columns(list(chain.from_iterable(spans_by_word))) + text.begins[words]
    return WordMatches(starts, stops, words)


def _as_columns(spans: Sequence[Span]) -> Int64Array:
    """Return the starts and the stops of `spans` as the two rows of an array."""
    flat = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans))
    return flat.reshape(len(spans), 2).T


def split_at_matches(text: SplitText, matches: WordMatches, behavior: Behavior, *, invert: bool = False) -> SplitText:
    """Return `text` with its words split where something matches, or, inverted, where nothing does.

    >>> from .aligned_text import AlignedText
    >>> text = SplitText.of(AlignedText.of("a--b"))
    >>> matches = find_in_words(text, "-", is_regex=False)
    >>> [split_at_matches(text, matches, how).words() for how in ("removed", "merged_with_next", "contiguous")]
    [['a', 'b'], ['a', '-', '-b'], ['a', '--', 'b']]
    """
    begins, ends, words, are_matches = _stretches(text, matches)
    are_separators = are_matches != invert
    if behavior == "removed":
        return text.with_words(begins[~are_separators], ends[~are_separators], words[~are_separators])
    if behavior == "isolated":
        return text.with_words(begins, ends, words)
    previous, current = are_separators[:-1], are_separators[1:]
    match behavior:
        case "contiguous":
            joins = previous == current
        case "merged_with_previous":
            joins = current & ~previous
        case "merged_with_next":
            joins = previous & ~current
    joins &= words[1:] == words[:-1]
    is_first, is_last = np.append(True, ~joins)[: len(begins)], np.append(~joins, True)[: len(begins)]
    return text.with_words(begins[is_first], ends[is_last], words[is_first])


def _stretches(text: SplitText, matches: WordMatches) -> tuple[Int64Array, Int64Array, Int64Array, BoolArray]:
    """Divide each word into its matches and the stretches before, between and after them, all in order.

    Return where they begin and end, in which word they are, and which of them are matches.
    """
    count = len(matches.starts)
    words = np.arange(len(text.begins))
    # Every match has a stretch before and after it; at the end, those without a character are left out.
    rows = 2 * np.arange(count) + matches.words + 1
    first_rows = 2 * np.searchsorted(matches.words, words) + words
    last_rows = 2 * np.searchsorted(matches.words, words, "right") + words
    begins, ends, parents = np.empty((3, 2 * count + len(words)), np.int64)
    begins[rows], ends[rows], parents[rows] = matches
    begins[rows + 1], parents[rows + 1] = matches.stops, matches.words
    ends[rows - 1] = matches.starts
    begins[first_rows], parents[first_rows] = text.begins, words
    ends[last_rows] = text.ends
    are_matches = np.zeros(len(parents), bool)
    are_matches[rows] = True
    kept = are_matches | (begins < ends)
    return begins[kept], ends[kept], parents[kept], are_matches[kept]
