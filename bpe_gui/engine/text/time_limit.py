"""Limit the time that a regular expression takes, so that a badly written one cannot run for ever."""

from collections.abc import Iterator
from time import monotonic, thread_time
from typing import Final

import regex

TIME_LIMIT = 2.0
"""Seconds of processor time that a pattern may take in addition to the usual time for the length of the text."""

_SECONDS_PER_CHARACTER: Final = 5e-6
"""The usual time: ten times what the named splitters take."""

_FIRST_PROBE: Final = 8192  # characters


class TimeLimit:
    """A limit for all searches of a pattern in one text, which may come in several parts.

    It counts the processor time of this thread, so it does not matter how busy the machine is. Each character to be
    searched adds the usual time. Of time that was not used, no more than the limit is kept. So a text is never refused
    for its length, and a pattern that takes too long is stopped soon.
    """

    def __init__(self) -> None:
        self._left = TIME_LIMIT

    def finditer(self, pattern: "regex.Pattern[str]", text: str, start: int = 0) -> Iterator["regex.Match[str]"]:
        """Yield the matches of `pattern` in `text` from `start` on.

        Raise TimeoutError, or MemoryError soon after the library has used half a gigabyte, which is its own limit.
        """
        seconds = min(self._left, TIME_LIMIT) + _SECONDS_PER_CHARACTER * (len(text) - start)
        if seconds <= 0:
            raise TimeoutError
        began, deadline = thread_time(), monotonic() + seconds
        try:
            for match in pattern.finditer(text, start, concurrent=True, timeout=seconds):
                yield match
                # The library checks the time only within long matches. The clock that is quick to read also runs while
                # other threads do, so it only tells when to read the other.
                if monotonic() > deadline:
                    deadline += _time_left(began, seconds)
            _time_left(began, seconds)
        finally:
            self._left = seconds - (thread_time() - began)

    def probe(self, pattern: "regex.Pattern[str]", text: str) -> None:
        """Search ever longer prefixes of `text`, each twice as long as the one before.

        So a pattern whose time grows with the square of the length is found out before it is tried on the whole text.
        Raise TimeoutError, MemoryError.
        """
        length = _FIRST_PROBE
        while length < len(text):
            for _match in self.finditer(pattern, text[:length]):
                pass
            length *= 2


def _time_left(began: float, seconds: float) -> float:
    """Return how much is left of `seconds` of this thread's time. Raise TimeoutError if nothing is."""
    left = began + seconds - thread_time()
    if left < 0:
        raise TimeoutError
    return left


def seconds_for(length: int) -> float:
    """Return the seconds of processor time that a pattern may take for a text of `length` characters."""
    return TIME_LIMIT + _SECONDS_PER_CHARACTER * length
