"""Splitters (pre-tokenizers): how text becomes words (pre-tokens). Nothing ever merges across two words."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from time import monotonic, thread_time
from types import MappingProxyType
from typing import Final, NamedTuple

import regex

from bpe_gui.engine.runtime.errors import RecipeError, TrainingError
from bpe_gui.engine.runtime.errors import translatable as _

SPLITTERS: Mapping[str, str] = MappingProxyType(
    {
        # openai/gpt-2 src/encoder.py
        "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        # openai/tiktoken tiktoken_ext/openai_public.py; Rust's `$` is the very end, which Python writes `\Z`
        "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++\Z|\s*[\r\n]|\s+(?!\S)|\s",
        "o200k": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        # str.split(): white space as Python sees it, which has four controls more than Unicode
        "whitespace": r"[^\s\x1c-\x1f]+",
        # str.split(" "), line by line
        "space": r"[^ \r\n]+",
        # runs of CJK ideographs; runs of other letters and digits; any other character on its own
        "zh-en": r"(?V1)[\u4e00-\u9fff]+|[[\p{L}\p{N}]--[\u4e00-\u9fff]]+|[^\s\x1c-\x1f]",
        "none": r"(?s:.+)",
    }
)
"""The patterns of the named splitters. What a pattern does not match is dropped."""

_SUFFIXED: Final = regex.compile(r"(?V1)[[\p{L}\p{N}]--[\u4e00-\u9fff]]")
"""What a word of `zh-en` that takes the end-of-word marker begins with."""

DROPPING: Final = frozenset({"whitespace", "space", "zh-en"})
"""The named splitters that drop the white space between words."""

TIME_LIMIT = 2.0
"""Seconds of the processor that a pattern may take beside those that are usual for so much text."""

_USUAL: Final = 5e-6
"""Seconds that a pattern may take for a character, however long the text: ten times what the named splitters take."""

_MARGIN: Final = 4096
"""Characters that must follow a word in the buffer before it is believed: what a pattern may look ahead to."""

_WORDS_HELD: Final = 4
"""Words that must follow as well. In a run of white space or letters that the buffer cuts off, the patterns of tiktoken
look ahead to the end of the run, but what they then see wrongly is at most its last two words."""

_STRIDE: Final = 8192
"""Characters after which a pattern of the user's own is looked at again. Some take a time that grows with the square of
what they have before them, and the library does not look at the clock then."""

_CONTEXT: Final = 256
"""Characters kept before the buffer's first word, for patterns that look behind."""

_LONGEST_PATTERN: Final = 10_000  # characters
_LONGEST_WRITTEN_OUT: Final = 100_000  # characters; each takes 260 bytes when it is compiled
_BLANK: Final = r"(?:\s|#[^\n]*\n)*+"
"""What (?x) lets stand between any two parts of a pattern."""

_REPEAT: Final = re.compile(rf"(\)?){_BLANK}(?:\+|\{{((?:\s|#[^\n]*\n|\d)*+))")
"""Where something is repeated, a group or a single part, and how many times at least if it says so."""

_ENDLESS: Final = re.compile(
    rf"\\[pP]\{{[\w\s&.:=^-]*\}}|\\.|(\(\?(?:R|[+-]?\d|&|P[>&])|\{{{_BLANK}(?:[\d<=]{_BLANK})*+[eids])", re.DOTALL
)
"""Where a pattern calls a part of itself, or matches inexactly: both can go on for gigabytes, whatever the time."""


class Word(NamedTuple):
    """A word and where it stands: `start` and `stop` in characters of the text it was cut from.

    `text` has a space in front where a dropped space stood before the word and the caller asked for that.
    """

    text: str
    start: int
    stop: int


@lru_cache(maxsize=64)
def compile_pattern(splitter: str) -> "regex.Pattern[str]":
    """The pattern of a named splitter, or of a regular expression. Raises RecipeError with what is wrong and where.

    >>> compile_pattern("gpt2").findall("the cat's")
    ['the', ' cat', "'s"]
    """
    if splitter not in SPLITTERS:
        _check_size(splitter)
    try:
        pattern = regex.compile(SPLITTERS.get(splitter, splitter))
    except regex.error as error:
        raise RecipeError(
            _("EngineError", "The splitter's regular expression is wrong at position {position}: {reason}."),
            position=vars(error)["pos"],  # which the library's type stubs do not know of
            reason=vars(error)["msg"],
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecipeError(
            _("EngineError", "The splitter's regular expression cannot be used: {reason}."), reason=error
        ) from error
    if pattern.flags & regex.REVERSE:
        raise RecipeError(
            _("EngineError", "The splitter's regular expression searches backwards, by (?r); words come forwards.")
        )
    return pattern


def _check_size(pattern: str) -> None:
    """Raise RecipeError for a pattern that could take all the memory there is, when it is compiled or when it runs."""
    if len(pattern) > _LONGEST_PATTERN or _length_written_out(pattern) > _LONGEST_WRITTEN_OUT:
        raise RecipeError(
            _("EngineError", "The splitter's regular expression is too long, or repeats its parts too many times.")
        )
    for item in _ENDLESS.finditer(pattern):
        if part := item.group(1):
            raise RecipeError(
                _(
                    "EngineError",
                    "The splitter's regular expression has {part!r} at position {position}: what calls a part of "
                    "itself, or matches inexactly, may never end. Write \\{{ for a brace.",
                ),
                part=part,
                position=item.start(),
            )


def _length_written_out(pattern: str) -> int:
    """No less than what `regex` makes of a pattern, which writes `a{3}` as `aaa`, and groups once more.

    >>> _length_written_out("(?:a{2}){3}"), _length_written_out("(?:(?:a+)+)+")
    (52, 52)
    """
    length, times = len(pattern), 1
    for repeat in _REPEAT.finditer(pattern):
        of_group, digits = repeat.groups()
        count = _number(re.sub(_BLANK, "", digits or "1"))
        if of_group:
            times = min(times * (count + 1), _LONGEST_WRITTEN_OUT)
        else:
            length += count
    return length * times


def _number(digits: str) -> int:
    return int(digits.lstrip("0")[:7] or 0)  # seven digits are too many already


def drops_spaces(splitter: str) -> bool:
    """Whether white space between words is lost, so that decoding has to put a space there."""
    return splitter in DROPPING


def takes_suffix(splitter: str, word: str) -> bool:
    """Whether the end-of-word marker goes after `word`: for `zh-en` only after runs of letters and digits.

    >>> [takes_suffix("zh-en", word) for word in ("and", "你好", "!")]
    [True, False, False]
    """
    return splitter != "zh-en" or bool(_SUFFIXED.match(word))


class StreamSplitter:
    """Cuts text that arrives in pieces into words, a batch at a time, as the whole would be cut.

    >>> splitter = StreamSplitter("space", space_before=True)
    >>> [word.text for word in splitter.feed("low lo") + splitter.feed("wer") + splitter.finish()]
    ['low', ' lower']

    Memory is bounded by a few of the longest words. A pattern of the user's own may look up to 4,096 characters ahead
    and 256 behind. Word positions count from the start of the first text.
    """

    def __init__(self, splitter: str, *, space_before: bool = False) -> None:
        self._pattern = compile_pattern(splitter)
        self._is_named = splitter in SPLITTERS
        self._space_before = space_before
        self._limit = TimeLimit()
        self._begin("", 0, 0)

    def _begin(self, buffer: str, dropped: int, done: int) -> None:
        self._buffer = buffer
        self._pieces: list[str] = []  # what comes after the buffer and was not looked at yet
        self._pieces_length = 0
        self._dropped = dropped  # characters of the text that are no longer in the buffer
        self._done = done  # where in the buffer the next word may begin
        self._wanted = 0  # look again only at this length, so that one endless word costs no quadratic time

    def feed(self, piece: str) -> list[Word]:
        """Add a piece of the text; gives the words that nothing to come can change."""
        if self._is_named or len(piece) <= _STRIDE:
            return self._feed(piece)
        parts = (piece[start : start + _STRIDE] for start in range(0, len(piece), _STRIDE))
        return [word for part in parts for word in self._feed(part)]

    def _feed(self, piece: str) -> list[Word]:
        self._pieces.append(piece)
        self._pieces_length += len(piece)
        if len(self._buffer) + self._pieces_length < max(self._wanted, self._done + 2 * _MARGIN):
            return []
        words = self._words()[:-_WORDS_HELD]
        believed = self._dropped + len(self._buffer) - _MARGIN
        while words and words[-1].stop > believed:
            words.pop()
        if words:
            done = words[-1].stop - self._dropped
            cut = max(0, done - _CONTEXT)
            self._begin(self._buffer[cut:], self._dropped + cut, done - cut)
        else:
            self._wanted = 2 * len(self._buffer)
        return words

    def finish(self, skipped: int = 0) -> list[Word]:
        """End the text: gives its last words. Another begins `skipped` characters later, where positions go on."""
        words = self._words()
        self._begin("", self._dropped + len(self._buffer) + skipped, 0)
        return words

    def _words(self) -> list[Word]:
        self._buffer += "".join(self._pieces)
        self._pieces.clear()
        self._pieces_length = 0
        found = self._limit.matches(self._pattern, self._buffer, self._done)
        return _words(found, self._buffer, self._done, self._space_before, self._dropped)


class TimeLimit:
    """How long a pattern may take for a text that is searched in several goes. It counts seconds of the processor in
    this thread: how busy the machine is does not matter.

    For each character to be searched there are the usual seconds more; of those that were saved, as many are kept as
    the limit has. So a long text is never refused for its length, and a pattern that takes too long is stopped soon.
    """

    def __init__(self) -> None:
        self._left = TIME_LIMIT

    def matches(self, pattern: "regex.Pattern[str]", text: str, begin: int = 0) -> Iterator["regex.Match[str]"]:
        """The matches of a pattern in a text, from left to right. Raises TimeoutError, and MemoryError, which the
        library's own bound brings about, soon after half a gigabyte."""
        seconds = min(self._left, TIME_LIMIT) + _USUAL * (len(text) - begin)
        if seconds <= 0:
            raise TimeoutError
        start, deadline = thread_time(), monotonic() + seconds
        try:
            for match in pattern.finditer(text, begin, concurrent=True, timeout=seconds):
                yield match
                # The library looks at the clock in long matches only. The quick clock runs while others work, too.
                if monotonic() > deadline:
                    deadline += _still_left(start, seconds)
            _still_left(start, seconds)
        finally:
            self._left = seconds - (thread_time() - start)

    def check_speed(self, pattern: "regex.Pattern[str]", text: str) -> None:
        """Look for a pattern at the beginning of a text, and in ever more of it, so that one whose time grows with the
        square of the length is not tried on all of it. Raises TimeoutError, MemoryError."""
        length = _STRIDE
        while length < len(text):
            for _match in self.matches(pattern, text[:length]):
                pass
            length *= 2


def _still_left(start: float, seconds: float) -> float:
    """The seconds that are left of some since a time of this thread. Raises TimeoutError if there are none."""
    left = start + seconds - thread_time()
    if left < 0:
        raise TimeoutError
    return left


def time_for(length: int) -> float:
    """Seconds that a pattern may take for so many characters."""
    return TIME_LIMIT + _USUAL * length


def check_speed(pattern: "regex.Pattern[str]", text: str) -> None:
    """Look for a pattern in ever more of a text, as a `TimeLimit` of its own does. Raises TimeoutError, MemoryError."""
    TimeLimit().check_speed(pattern, text)


def _words(found: "Iterator[regex.Match[str]]", text: str, begin: int, space_before: bool, offset: int) -> list[Word]:
    words: list[Word] = []
    end = begin
    try:
        for match in found:
            start, stop = match.span()
            if start == stop:
                continue
            word = match.group()
            if space_before and start > end and text[start - 1] == " ":
                word = " " + word
            words.append(Word(word, start + offset, stop + offset))
            end = stop
    except TimeoutError as error:
        raise TrainingError(
            _(
                "EngineError",
                "The splitter's regular expression took more than {seconds:g} seconds at character {position:,}. "
                "A repetition inside a repetition, such as (a+)+, is the usual reason.",
            ),
            seconds=TIME_LIMIT,
            position=end + offset,
        ) from error
    except MemoryError as error:
        raise TrainingError(
            _(
                "EngineError",
                "The splitter's regular expression took too much memory at character {position:,}. "
                "A repetition inside a repetition, such as (a+)+, is the usual reason.",
            ),
            position=end + offset,
        ) from error
    return words
