"""Splitters (pre-tokenizers): how text becomes words (pre-tokens). Nothing ever merges across two words."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

import regex

from .errors import RecipeError, TrainingError
from .errors import translatable as _

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
"""Seconds that a pattern may take for one slice of text before it is stopped."""

_MARGIN: Final = 4096
"""Characters that must follow a word in the buffer before it is believed: what a pattern may look ahead to."""

_WORDS_HELD: Final = 4
"""Words that must follow as well. In a run of white space or letters that the buffer cuts off, the patterns of tiktoken
look ahead to the end of the run, but what they then see wrongly is at most its last two words."""

_CONTEXT: Final = 256
"""Characters kept before the buffer's first word, for patterns that look behind."""


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
        self._space_before = space_before
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
        return _words(self._buffer, self._done, self._pattern, self._space_before, self._dropped)


def _words(text: str, begin: int, pattern: "regex.Pattern[str]", space_before: bool, offset: int) -> list[Word]:
    words: list[Word] = []
    end = begin
    try:
        for match in pattern.finditer(text, begin, concurrent=True, timeout=TIME_LIMIT):
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
    return words
