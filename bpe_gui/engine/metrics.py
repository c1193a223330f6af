"""Metrics of text and its tokens: how well they compress it, as a whole and line by line.

Like the names in `bpe_gui.engine`, this module is for use outside the engine. Text is given in UTF-8, with the byte
offsets of its tokens, as `Tokenizer.token_arrays` returns them.

Numpy measures text in slices that fit in the processor's cache. The metrics of adjacent chunks add up to the metrics of
the whole, so text can be measured chunk by chunk, and unchanged chunks need not be measured again.

>>> from bpe_gui.engine import train
>>> _ids, starts, stops = train("low low low", num_merges=2).token_arrays(b"low lower")
>>> measure(b"low lower", starts, stops).bytes_per_token
1.8
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from math import nan
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.types import BoolArray, Float64Array, Int64Array, IntegerArray, Progress, UInt8Array

from .encoding.results import NO_TOKENS, TokenArrays, joined
from .tokenization.tokenizer import Tokenizer

__all__ = ["LineMetrics", "Metrics", "TextMetrics", "measure", "measure_in_parts", "measure_lines"]

_SLICE: Final = 1 << 17
"""How many bytes, or tokens, are measured at a time."""

_LINE_FEED: Final = 0x0A
_CARRIAGE_RETURN: Final = 0x0D
_LONGEST_SPACE: Final = 3
"""The most bytes of a white space character in UTF-8."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """The size of a text and the number of its tokens. The metrics of adjacent pieces add up to those of the whole.

    `characters` are code points. `words` are runs of non-white space, as `str.split` finds them: in a script without
    spaces, such as Chinese or Japanese, a whole clause is a word. `single_byte_tokens` cover exactly one byte.

    So that a word in two adjacent pieces does not count twice, `begins_in_word` and `ends_in_word` say that the text
    does not begin or end with white space. Pieces must meet between characters and between tokens.

    >>> chunks = [Metrics(2, 4, 4, 1, 0, True, True), Metrics(1, 4, 4, 2, 0, True, True)]
    >>> sum(chunks, Metrics())
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
        """Return the metrics of this text directly followed by the other.

        >>> (Metrics(tokens=2, bytes=4) + Metrics(tokens=1, bytes=3)).tokens
        3
        """
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
        """The compression: the bytes of the text, with those in no token, per token. NaN if there are no tokens.

        >>> Metrics(tokens=2, bytes=9).bytes_per_token
        4.5
        """
        return _ratio(self.bytes, self.tokens)

    @property
    def characters_per_token(self) -> float:
        """The compression in code points; NaN if there are no tokens.

        >>> Metrics(tokens=2, characters=5).characters_per_token
        2.5
        """
        return _ratio(self.characters, self.tokens)

    @property
    def tokens_per_word(self) -> float:
        """The fertility; NaN if there are no words.

        >>> Metrics(tokens=3, words=2).tokens_per_word
        1.5
        """
        return _ratio(self.tokens, self.words)

    @property
    def single_byte_share(self) -> float:
        """The share of tokens that cover a single byte, from 0 to 1; NaN if there are no tokens.

        >>> Metrics(tokens=4, single_byte_tokens=1).single_byte_share
        0.25
        """
        return _ratio(self.single_byte_tokens, self.tokens)


@dataclass(frozen=True, slots=True, eq=False)
class LineMetrics:
    """The metrics of every line of a text, as parallel arrays; `starts` are the byte offsets at which the lines begin.

    A line includes its line break, and the tokens that begin in it, so that all lines add up to the text.
    """

    starts: Int64Array
    tokens: Int64Array
    bytes: Int64Array
    characters: Int64Array
    words: Int64Array
    single_byte_tokens: Int64Array

    def __len__(self) -> int:
        """Return the number of lines.

        >>> len(measure_lines(b"low\\nlow", np.array([0, 4]), np.array([4, 7])))
        2
        """
        return len(self.starts)

    @property
    def bytes_per_token(self) -> Float64Array:
        """The compression of each line; NaN if no token begins in it.

        >>> measure_lines(b"low\\nlow", np.array([0, 4]), np.array([4, 7])).bytes_per_token.tolist()
        [4.0, 3.0]
        """
        ratios = np.full(len(self), nan)
        np.divide(self.bytes, self.tokens, out=ratios, where=self.tokens > 0)
        return ratios


def measure(text: bytes | UInt8Array, starts: IntegerArray, stops: IntegerArray) -> Metrics:
    """Return the metrics of text in UTF-8, whose token i covers the bytes [`starts[i]`, `stops[i]`).

    Tokens are in order and do not overlap. There may be gaps, and empty tokens such as end-of-word markers, which count
    as tokens.

    >>> metrics = measure("low lower é".encode(), np.array([0, 3, 7, 9, 10, 11]), np.array([3, 7, 9, 10, 11, 12]))
    >>> metrics.tokens, metrics.bytes, metrics.characters, metrics.words, metrics.single_byte_tokens
    (6, 12, 11, 3, 3)
    >>> metrics.bytes_per_token, metrics.tokens_per_word, metrics.single_byte_share
    (2.0, 2.0, 0.5)
    """
    _check_spans(starts, stops)
    utf8 = _byte_array(text)
    characters = words = 0
    for _begin, begins_character, begins_word in _slices(utf8):
        characters += int(np.count_nonzero(begins_character))
        words += int(np.count_nonzero(begins_word))
    slices = (slice(begin, begin + _SLICE) for begin in range(0, len(starts), _SLICE))
    single_byte_tokens = sum(int(np.count_nonzero(stops[each] - starts[each] == 1)) for each in slices)
    return Metrics(
        tokens=len(starts),
        bytes=len(utf8),
        characters=characters,
        words=words,
        single_byte_tokens=single_byte_tokens,
        begins_in_word=len(utf8) > 0 and not _are_white_space(utf8[:_LONGEST_SPACE])[0],
        ends_in_word=len(utf8) > 0 and not _are_white_space(utf8[-_LONGEST_SPACE:])[-1],
    )


def measure_lines(text: bytes | UInt8Array, starts: IntegerArray, stops: IntegerArray) -> LineMetrics:
    """Return the metrics of every line of a text; the arguments are as for `measure`.

    Lines end with `\\n`, `\\r\\n`, `\\r` or U+2029, as in an editor; after the last of these there is a line only if it
    has text. A token that spans lines counts in the line where it begins, an empty one in that of the byte before it.

    >>> lines = measure_lines(b"low\\nlower\\n", np.array([0, 3, 4, 7, 9]), np.array([3, 4, 7, 9, 10]))
    >>> lines.tokens.tolist(), lines.bytes.tolist(), lines.bytes_per_token.tolist()
    ([2, 3], [4, 6], [2.0, 2.0])
    """
    _check_spans(starts, stops)
    utf8 = _byte_array(text)
    line_starts = _line_starts(utf8)
    characters, words = np.zeros_like(line_starts), np.zeros_like(line_starts)
    for begin, begins_character, begins_word in _slices(utf8):
        first = int(np.searchsorted(line_starts, begin, "right")) - 1
        last = int(np.searchsorted(line_starts, begin + len(begins_character), "left"))
        boundaries = np.maximum(line_starts[first:last] - begin, 0)
        characters[first:last] += np.add.reduceat(begins_character, boundaries, dtype=np.int64)
        words[first:last] += np.add.reduceat(begins_word, boundaries, dtype=np.int64)
    sizes = stops - starts
    first_tokens = _first_tokens(starts - (sizes == 0), line_starts)  # an empty token stays with the byte before it
    single_before = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes == 1, out=single_before[1:])
    return LineMetrics(
        starts=line_starts,
        tokens=np.diff(first_tokens),
        bytes=np.diff(line_starts, append=len(utf8)),
        characters=characters,
        words=words,
        single_byte_tokens=np.diff(single_before[first_tokens]),
    )


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else nan


def _check_spans(starts: IntegerArray, stops: IntegerArray) -> None:
    """Raise EngineError unless there are as many starts as stops, in one dimension."""
    if starts.ndim != 1 or stops.ndim != 1 or len(starts) != len(stops):
        raise EngineError(
            "There are {starts:,} starts of tokens, but {stops:,} stops. Each token has one of each.",
            starts=len(starts),
            stops=len(stops),
        )


def _byte_array(text: bytes | UInt8Array) -> UInt8Array:
    return np.frombuffer(text, np.uint8) if isinstance(text, bytes) else text


def _slices(utf8: UInt8Array) -> Iterator[tuple[int, BoolArray, BoolArray]]:
    """Yield each slice of a text: its offset, and for each byte whether a character and whether a word begins there."""
    for begin in range(0, len(utf8), _SLICE):
        end = min(begin + _SLICE, len(utf8))
        # A white space character may begin before the slice and end after it.
        overlap_begin = max(0, begin - _LONGEST_SPACE)
        overlapping = _are_white_space(utf8[overlap_begin : end + _LONGEST_SPACE - 1])
        offset, size = begin - overlap_begin, end - begin
        is_space = overlapping[offset : offset + size]
        is_space_before = np.concatenate(([True], overlapping))[offset : offset + size]
        yield begin, (utf8[begin:end] & 0xC0) != 0x80, is_space_before > is_space


def _are_white_space(utf8: UInt8Array) -> BoolArray:
    """Return for each byte whether it belongs to a character that `str.isspace` calls white space."""
    # Differences below zero wrap around to large ones.
    is_space: BoolArray = ((utf8 - np.uint8(0x09)) < 5) | ((utf8 - np.uint8(0x1C)) < 5)
    if len(utf8) and utf8.max() >= 0x80:
        for leading, last_bytes in _SPACES_BEYOND_ASCII.items():
            offsets = _find(utf8, leading, last_bytes)
            for index in range(len(leading) + 1):
                is_space[offsets + index] = True
    return is_space


_SPACES_BEYOND_ASCII: Final = {
    b"\xc2": b"\x85\xa0",
    b"\xe1\x9a": b"\x80",
    b"\xe2\x80": b"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\xa8\xa9\xaf",
    b"\xe2\x81": b"\x9f",
    b"\xe3\x80": b"\x80",
}
"""White space characters in UTF-8: by leading bytes, the possible last bytes."""


def _find(utf8: UInt8Array, leading: bytes, last_bytes: bytes) -> Int64Array:
    """Return the offsets at which the one or two `leading` bytes occur with one of `last_bytes` after them."""
    size = len(leading)
    found = utf8[:-size] == leading[0]
    if size > 1:
        found &= utf8[1:-1] == leading[1]
    offsets = np.flatnonzero(found)
    is_last_byte = np.zeros(256, np.bool_)
    is_last_byte[list(last_bytes)] = True
    return offsets[is_last_byte[utf8[offsets + size]]]


def _line_starts(utf8: UInt8Array) -> Int64Array:
    feeds, returns = np.flatnonzero(utf8 == _LINE_FEED), np.flatnonzero(utf8 == _CARRIAGE_RETURN)
    lone = returns[utf8.take(returns + 1, mode="clip") != _LINE_FEED] if len(returns) else returns
    separators = _find(utf8, b"\xe2\x80", b"\xa9") + 2
    starts = np.concatenate(([-1], np.sort(np.concatenate((feeds, lone, separators)), kind="stable"))) + 1
    return starts[starts < len(utf8)]


def _first_tokens(offsets: IntegerArray, line_starts: Int64Array) -> Int64Array:
    """Return the index of each line's first token, then the number of tokens; the first line begins with token 0."""
    if not len(line_starts):
        return np.zeros(1, np.int64)
    return np.concatenate(([0], np.searchsorted(offsets, line_starts[1:], "left"), [len(offsets)]))


# -- a text in parts ---------------------------------------------------------------------------------------------------

_NO_ID: Final = -1  # of a symbol that has none
BATCH: Final = 64  # parts measured together, about a megabyte

_LINE_BREAKS: Final = (b"\n", b"\r", "\u2029".encode())  # no part ends between a carriage return and a line feed
_COUNTS: Final = tuple(field.name for field in fields(LineMetrics) if field.name != "starts")

TextPart = tuple[bytes, TokenArrays]
"""A part of the text in UTF-8, and its tokens, with byte offsets from the start of the part."""


class TextMetrics(NamedTuple):
    """The metrics of the text at the cursor and at the end of the run, and of each line at the cursor."""

    now: Metrics
    final: Metrics
    lines: LineMetrics


def measure_in_parts(parts: Sequence[TextPart], final_tokenizer: Tokenizer | None, progress: Progress) -> TextMetrics:
    """Measure all parts together, both with the given tokens and with those of the final tokenizer.

    Pass None as the final tokenizer if it gives the same tokens. `progress` gets the bytes done and the total.
    Raise EngineError if the final tokenizer cannot encode the text, and Cancelled.
    """
    now = final = Metrics()
    lines = _LineJoiner()
    size = sum(len(text) for text, _tokens in parts)
    for text, tokens in _in_batches(parts):
        progress(now.bytes, size)
        metrics = measure(text, tokens.starts, tokens.stops)
        continues_word = now.ends_in_word and metrics.begins_in_word
        lines.add(text, measure_lines(text, tokens.starts, tokens.stops), continues_word=continues_word)
        now += metrics
        final += metrics if final_tokenizer is None else _measure_with(final_tokenizer, text)
    return TextMetrics(now, final, lines.joined())


def _in_batches(parts: Sequence[TextPart]) -> Iterator[TextPart]:
    for first in range(0, len(parts), BATCH):
        batch = parts[first : first + BATCH]
        starts = accumulate((len(text) for text, _tokens in batch), initial=0)
        moved = [tokens.shifted(start) for (_text, tokens), start in zip(batch, starts, strict=False)]
        yield b"".join(text for text, _tokens in batch), joined(moved)


def _measure_with(tokenizer: Tokenizer, text: bytes) -> Metrics:
    tokens: TokenArrays = tokenizer.with_unknown_id(_NO_ID).token_arrays(text)
    return measure(text, tokens.starts, tokens.stops)


class _LineJoiner:
    """Collects the metrics of lines from a text in parts; the last line of a part may continue in the next."""

    def __init__(self) -> None:
        self._parts = [measure_lines(b"", NO_TOKENS.starts, NO_TOKENS.stops)]
        self._size = 0
        self._is_line_open = False

    def add(self, text: bytes, lines: LineMetrics, *, continues_word: bool) -> None:
        """Add the lines of the next part, whose first word may continue the last word of the previous part."""
        counts = {name: getattr(lines, name) for name in _COUNTS}
        starts = lines.starts + self._size
        if self._is_line_open and len(lines):
            last = self._parts[-1]
            for name, values in counts.items():
                getattr(last, name)[-1] += values[0]
                counts[name] = values[1:]
            last.words[-1] -= continues_word
            starts = starts[1:]
        if len(starts):
            self._parts.append(LineMetrics(starts, **counts))
        self._size += len(text)
        self._is_line_open = not text.endswith(_LINE_BREAKS)

    def joined(self) -> LineMetrics:
        """Return the metrics of all lines."""
        return LineMetrics(
            *(np.concatenate([getattr(part, each.name) for part in self._parts]) for each in fields(LineMetrics))
        )
