"""Limit the time that a regular expression takes, so that a badly written one cannot run forever."""

from collections.abc import Iterator
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex


TIME_LIMIT = 2.0
"""Seconds of processor time that a pattern may take beyond the usual time for the length of the text."""

_SECONDS_PER_CHARACTER: Final = 5e-6
"""The usual time for a character: ten times what the named splitters take."""

_FIRST_PROBE: Final = 8192  # characters


class TimeLimit:
    """The time that all searches of a pattern in one text share; the text may come in several parts.

    The allowance starts at `TIME_LIMIT`. Each character to be searched adds the usual time, so no text is refused for
    its length. At most `TIME_LIMIT` is carried over to the next search, so even after quick searches a pattern that
    hangs is stopped soon. What counts is the processor time of this thread, not how busy the machine is. `seconds` may
    set a shorter limit than `TIME_LIMIT`.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds: Final = TIME_LIMIT if seconds is None else seconds
        self._seconds_left = self.seconds

    def finditer(self, pattern: "regex.Pattern[str]", text: str, start: int = 0) -> Iterator["regex.Match[str]"]:
        """Yield the matches of `pattern` in `text` from the index `start` on.

        Raise TimeoutError when the time is used up, and MemoryError when `regex` reaches its own limit of half a
        gigabyte.
        """
        seconds = min(self._seconds_left, self.seconds) + _SECONDS_PER_CHARACTER * (len(text) - start)
        if seconds <= 0:
            raise TimeoutError
        begin, deadline = thread_time(), monotonic() + seconds
        try:
            for match in pattern.finditer(text, start, concurrent=True, timeout=seconds):
                yield match
                # `regex` checks its timeout only within long matches, and the thread's clock is slow to read after each
                # short one. `monotonic` is quick to read and never falls behind that clock, so it is asked first.
                if monotonic() > deadline:
                    deadline += _seconds_left(begin, seconds)
            _seconds_left(begin, seconds)
        finally:
            self._seconds_left = seconds - (thread_time() - begin)

    def probe(self, pattern: "regex.Pattern[str]", text: str) -> None:
        """Search longer and longer prefixes of `text`, each twice as long as the one before, but not all of it.

        So a pattern whose time grows with the square of the length is stopped before the whole text is searched. Raise
        TimeoutError or MemoryError as `finditer` does.
        """
        length = _FIRST_PROBE
        while length < len(text):
            for _match in self.finditer(pattern, text[:length]):
                pass
            length *= 2


def _seconds_left(begin: float, seconds: float) -> float:
    """Return the rest of `seconds` of this thread's time since `begin`. Raise TimeoutError if they are used up."""
    left = begin + seconds - thread_time()
    if left < 0:
        raise TimeoutError
    return left


def seconds_for(length: int) -> float:
    """Return the seconds that a pattern may take for `length` characters in a single search."""
    return TIME_LIMIT + _SECONDS_PER_CHARACTER * length
