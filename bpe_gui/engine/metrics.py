"""Numbers that matter about the tokens of a text: how well they compress it, as a whole and line by line.

Texts are measured in slices that fit into a processor's cache, by numpy. The sums of parts are those of the whole, so a
text that lies in blocks can be measured block by block, and a block that stays needs no second look.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from typing import Final

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Places = npt.NDArray[np.integer]
Flags = npt.NDArray[np.bool_]

_SLICE: Final = 1 << 17  # bytes, or tokens, that are looked at together
_LINE_FEED: Final = 0x0A
_CARRIAGE_RETURN: Final = 0x0D
_LONGEST_SPACE: Final = 3  # bytes of white space beyond ASCII, at most


@dataclass(frozen=True, slots=True)
class Metrics:
    """How much text there is, and in how many tokens. Adding the metrics of neighbours gives those of both together.

    `characters` are code points. `words` are what `str.split` finds: runs of anything but white space; so where a
    script has no spaces, as in Chinese or Japanese, a whole clause is a word. `single_byte_tokens` cover exactly one
    byte. A word that two neighbours share must not count twice: hence `begins_in_word` and `ends_in_word`, which say
    that there is no white space at the very beginning or end. Cuts have to be between characters and between tokens.

    >>> pieces = [Metrics(2, 4, 4, 1, 0, True, True), Metrics(1, 4, 4, 2, 0, True, True)]
    >>> sum(pieces, Metrics())
    Metrics(tokens=3, bytes=8, characters=8, words=2, single_byte_tokens=0, begins_in_word=True, ends_in_word=True)
    """

    tokens: int = 0
    bytes: int = 0
    characters: int = 0
    words: int = 0
    single_byte_tokens: int = 0
    begins_in_word: bool = False
    ends_in_word: bool = False

    def __add__(self, following: "Metrics") -> "Metrics":
        """The metrics of this text with the other directly after it."""
        return Metrics(
            self.tokens + following.tokens,
            self.bytes + following.bytes,
            self.characters + following.characters,
            self.words + following.words - (self.ends_in_word and following.begins_in_word),
            self.single_byte_tokens + following.single_byte_tokens,
            self.begins_in_word if self.bytes else following.begins_in_word,
            following.ends_in_word if following.bytes else self.ends_in_word,
        )

    @property
    def bytes_per_token(self) -> float:
        """Compression; NaN where there are no tokens."""
        return _ratio(self.bytes, self.tokens)

    @property
    def characters_per_token(self) -> float:
        """NaN where there are no tokens."""
        return _ratio(self.characters, self.tokens)

    @property
    def tokens_per_word(self) -> float:
        """Fertility; NaN where there are no words."""
        return _ratio(self.tokens, self.words)

    @property
    def single_byte_share(self) -> float:
        """From 0 to 1; NaN where there are no tokens."""
        return _ratio(self.single_byte_tokens, self.tokens)


@dataclass(frozen=True, slots=True, eq=False)
class LineMetrics:
    """The same counts for every line, as parallel arrays; `starts` are the bytes at which the lines begin.

    A line has the bytes and characters of its break, and the tokens that begin in it; the sums are those of the text.
    """

    starts: Counts
    tokens: Counts
    bytes: Counts
    characters: Counts
    words: Counts
    single_byte_tokens: Counts

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def bytes_per_token(self) -> npt.NDArray[np.float64]:
        """Compression of each line; NaN where no token begins."""
        ratios = np.full(len(self), nan)
        np.divide(self.bytes, self.tokens, out=ratios, where=self.tokens > 0)
        return ratios


def measure(text: "bytes | Bytes", starts: Places, stops: Places) -> Metrics:
    """Measure a text in UTF-8 with its tokens, which cover the bytes [start, stop): in order, without overlap.

    There may be gaps, and empty tokens such as end-of-word markers, which count as tokens.

    >>> metrics = measure("low lower é".encode(), np.array([0, 3, 7, 9, 10, 11]), np.array([3, 7, 9, 10, 11, 12]))
    >>> metrics.tokens, metrics.bytes, metrics.characters, metrics.words, metrics.single_byte_tokens
    (6, 12, 11, 3, 3)
    >>> metrics.bytes_per_token, metrics.tokens_per_word, metrics.single_byte_share
    (2.0, 2.0, 0.5)
    """
    octets = _octets(text)
    characters = words = 0
    for _begin, first_bytes, first_of_words in _slices(octets):
        characters += int(np.count_nonzero(first_bytes))
        words += int(np.count_nonzero(first_of_words))
    return Metrics(
        tokens=len(starts),
        bytes=len(octets),
        characters=characters,
        words=words,
        single_byte_tokens=_count_single_bytes(starts, stops),
        begins_in_word=len(octets) > 0 and not _white_space(octets[:_LONGEST_SPACE])[0],
        ends_in_word=len(octets) > 0 and not _white_space(octets[-_LONGEST_SPACE:])[-1],
    )


def measure_lines(text: "bytes | Bytes", starts: Places, stops: Places) -> LineMetrics:
    """Measure every line of a text; takes what `measure` takes.

    Lines end with `\\n`, `\\r\\n`, `\\r` or U+2029, as in an editor; after the last of these there is a line only if it
    has text. A token that spans lines is counted where it begins, an empty one with the byte before it.

    >>> lines = measure_lines(b"low\\nlower\\n", np.array([0, 3, 4, 7, 9]), np.array([3, 4, 7, 9, 10]))
    >>> lines.tokens.tolist(), lines.bytes.tolist(), lines.bytes_per_token.tolist()
    ([2, 3], [4, 6], [2.0, 2.0])
    """
    octets = _octets(text)
    begins = _line_starts(octets)
    characters, words = np.zeros_like(begins), np.zeros_like(begins)
    for begin, first_bytes, first_of_words in _slices(octets):
        first = int(np.searchsorted(begins, begin, "right")) - 1
        last = int(np.searchsorted(begins, begin + len(first_bytes), "left"))
        cuts = np.maximum(begins[first:last] - begin, 0)
        characters[first:last] += np.add.reduceat(first_bytes, cuts, dtype=np.int64)
        words[first:last] += np.add.reduceat(first_of_words, cuts, dtype=np.int64)
    sizes = stops - starts
    firsts = _first_tokens(starts - (sizes == 0), begins)  # an empty token stays with what it ends
    return LineMetrics(
        starts=begins,
        tokens=np.diff(firsts),
        bytes=np.diff(begins, append=len(octets)),
        characters=characters,
        words=words,
        single_byte_tokens=np.diff(_running_count(sizes == 1)[firsts]),
    )


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else nan


def _octets(text: "bytes | Bytes") -> Bytes:
    return np.frombuffer(text, np.uint8) if isinstance(text, bytes) else text


def _slices(octets: Bytes) -> Iterator[tuple[int, Flags, Flags]]:
    """For each slice of a text, where it begins, and which bytes are the first of a character, and of a word."""
    for begin in range(0, len(octets), _SLICE):
        end = min(begin + _SLICE, len(octets))
        # Whether the byte before is white space, and the last one, is seen from some more bytes on either side.
        seen_from = max(0, begin - _LONGEST_SPACE)
        space = _white_space(octets[seen_from : end + _LONGEST_SPACE - 1])
        inside = space[begin - seen_from :][: end - begin]
        before = np.concatenate(([True], space))[begin - seen_from :][: end - begin]
        yield begin, (octets[begin:end] & 0xC0) != 0x80, before > inside


def _white_space(octets: Bytes) -> Flags:
    """Which bytes belong to a character that `str.isspace` calls white space."""
    # Differences below zero wrap around to large ones.
    space = ((octets - np.uint8(0x09)) < 5) | ((octets - np.uint8(0x1C)) < 5)
    if len(octets) and octets.max() >= 0x80:
        for beginning, lasts in _SPACES_BEYOND_ASCII.items():
            at = _find(octets, beginning, lasts)
            for distance in range(len(beginning) + 1):
                space[at + distance] = True
    return space


_SPACES_BEYOND_ASCII: Final = {
    b"\xc2": b"\x85\xa0",
    b"\xe1\x9a": b"\x80",
    b"\xe2\x80": b"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\xa8\xa9\xaf",
    b"\xe2\x81": b"\x9f",
    b"\xe3\x80": b"\x80",
}
"""White space in UTF-8: what the bytes before the last may be, and what the last may be after these."""


def _find(octets: Bytes, beginning: bytes, lasts: bytes) -> Counts:
    """Where one or two bytes stand, followed by one of others."""
    size = len(beginning)
    found = octets[:-size] == beginning[0]
    if size > 1:
        found &= octets[1:-1] == beginning[1]
    places = np.flatnonzero(found)
    is_last = np.zeros(256, np.bool_)
    is_last[list(lasts)] = True
    return places[is_last[octets[places + size]]]


def _line_starts(octets: Bytes) -> Counts:
    feeds, returns = np.flatnonzero(octets == _LINE_FEED), np.flatnonzero(octets == _CARRIAGE_RETURN)
    lone = returns[octets.take(returns + 1, mode="clip") != _LINE_FEED] if len(returns) else returns
    separators = _find(octets, b"\xe2\x80", b"\xa9") + 2
    starts = np.concatenate(([-1], np.sort(np.concatenate((feeds, lone, separators)), kind="stable"))) + 1
    return starts[starts < len(octets)]


def _first_tokens(places: Places, starts: Counts) -> Counts:
    """The first token of each line, and where the last one ends; what is before the second line is in the first."""
    if not len(starts):
        return np.zeros(1, np.int64)
    return np.concatenate(([0], np.searchsorted(places, starts[1:], "left"), [len(places)]))


def _running_count(flags: Flags) -> Counts:
    """How many are set before each, and at the end how many in all."""
    counts = np.zeros(len(flags) + 1, np.int64)
    np.cumsum(flags, out=counts[1:])
    return counts


def _count_single_bytes(starts: Places, stops: Places) -> int:
    slices = (slice(at, at + _SLICE) for at in range(0, len(starts), _SLICE))
    return sum(int(np.count_nonzero(stops[part] - starts[part] == 1)) for part in slices)
