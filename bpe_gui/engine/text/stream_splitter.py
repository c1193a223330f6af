"""Split text that arrives in pieces into words, with the pattern of a splitter."""

from typing import Final, NamedTuple

from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.errors import translatable as _

from .regex_stand_ins import with_stand_ins
from .splitters import SPLITTERS, compile_pattern
from .time_limit import TimeLimit

_LOOKAHEAD: Final = 4096
"""Characters that must follow a word in the buffer before it is final: how far ahead a pattern may look."""

_PENDING_WORDS: Final = 4
"""Words that must follow as well. In a run of white space or letters that the buffer truncates, the patterns of
tiktoken look ahead to the end of the run, but get at most its last two words wrong."""

_LOOKBEHIND: Final = 256
"""Characters kept in the buffer before its first word, for patterns that look behind."""

_STRIDE: Final = 8192
"""Characters after which a user's own pattern is searched for again. The time of some patterns grows with the square of
the length of the text, and the library does not check the time then."""


class Word(NamedTuple):
    """A word and its position: `start` and `stop` are offsets in characters of the text it was split from.

    `text` has a space in front if the splitter dropped a space before the word and the caller asked for it.
    """

    text: str
    start: int
    stop: int


class StreamSplitter:
    """A splitter of text that arrives in pieces: it gives the words that the whole text has, a batch at a time.

    >>> splitter = StreamSplitter("space", space_before=True)
    >>> [word.text for word in splitter.feed("low lo") + splitter.feed("wer") + splitter.finish()]
    ['low', ' lower']

    The buffer holds a few of the longest words at most. A user's own pattern may look 4,096 characters ahead and 256
    behind. Offsets count from the start of the first text. Searches may share a `limit` of time with others.
    """

    def __init__(self, splitter: str, *, space_before: bool = False, limit: TimeLimit | None = None) -> None:
        self._pattern = compile_pattern(splitter)
        self._is_named = splitter in SPLITTERS
        self._space_before = space_before
        self._limit = limit or TimeLimit()
        self._reset("", 0, 0)

    def _reset(self, buffer: str, offset: int, start: int) -> None:
        self._buffer = buffer
        self._pieces: list[str] = []  # that follow the buffer and were not searched yet
        self._pieces_length = 0
        self._offset = offset  # of the buffer in the text
        self._start = start  # where in the buffer the next word may start
        self._min_length = 0  # of the buffer for the next search, lest one endless word take quadratic time

    def feed(self, piece: str) -> list[Word]:
        """Add a piece of text. Return the words that are final, whatever follows.

        Raise TrainingError for a pattern that takes too much time or memory.
        """
        if self._is_named or len(piece) <= _STRIDE:
            return self._feed(piece)
        strides = (piece[start : start + _STRIDE] for start in range(0, len(piece), _STRIDE))
        return [word for stride in strides for word in self._feed(stride)]

    def _feed(self, piece: str) -> list[Word]:
        self._pieces.append(piece)
        self._pieces_length += len(piece)
        if len(self._buffer) + self._pieces_length < max(self._min_length, self._start + 2 * _LOOKAHEAD):
            return []
        words = self._search()[:-_PENDING_WORDS]
        final_stop = self._offset + len(self._buffer) - _LOOKAHEAD
        while words and words[-1].stop > final_stop:
            words.pop()
        if words:
            start = words[-1].stop - self._offset
            dropped = max(0, start - _LOOKBEHIND)
            self._reset(self._buffer[dropped:], self._offset + dropped, start - dropped)
        else:
            self._min_length = 2 * len(self._buffer)
        return words

    def finish(self, skipped: int = 0) -> list[Word]:
        """End the text and return its last words.

        The next piece begins another text, whose offsets start `skipped` characters after the end of this one.
        Raise TrainingError for a pattern that takes too much time or memory.
        """
        words = self._search()
        self._reset("", self._offset + len(self._buffer) + skipped, 0)
        return words

    def _search(self) -> list[Word]:
        """Return all words in the buffer, to which the pieces are added first."""
        self._buffer += "".join(self._pieces)
        self._pieces.clear()
        self._pieces_length = 0
        buffer, offset, end = self._buffer, self._offset, self._start
        words: list[Word] = []
        try:
            for match in self._limit.finditer(self._pattern, with_stand_ins(buffer), end):
                start, stop = match.span()
                if start == stop:
                    continue
                text = buffer[start:stop]
                if self._space_before and start > end and buffer[start - 1] == " ":
                    text = " " + text
                words.append(Word(text, start + offset, stop + offset))
                end = stop
        except (TimeoutError, MemoryError) as error:
            raise _search_error(error, end + offset, self._limit.seconds) from error
        return words


def _search_error(error: TimeoutError | MemoryError, position: int, seconds: float) -> TrainingError:
    if isinstance(error, TimeoutError):
        return TrainingError(
            _(
                "EngineError",
                "The splitter's regular expression took more than {seconds:g} seconds at character {position:,}. The "
                "usual reason is a repetition inside a repetition, such as (a+)+.",
            ),
            seconds=seconds,
            position=position,
        )
    return TrainingError(
        _(
            "EngineError",
            "The splitter's regular expression took too much memory at character {position:,}. The usual reason is a "
            "repetition inside a repetition, such as (a+)+.",
        ),
        position=position,
    )
