"""Where the lines of a text begin, with long lines cut into segments that are quick to lay out."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
import regex
from numpy.typing import NDArray

LongArray = NDArray[np.int64]
IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
Read = Callable[[int, int], bytes]
"""Gives the bytes [start, stop) of a text."""

LONGEST: Final = 3_000
"""Bytes that a line may have without being cut."""

_USUAL: Final = 2_000  # bytes of a segment of a line that is cut
_SHORTEST: Final = 500  # a segment that an edit makes shorter is joined with its neighbour
_TAIL: Final = 128  # bytes looked at for a place between two characters
_CHUNK: Final = 1 << 17  # bytes looked at together, so that what numpy needs on the way stays small
_LINE_FEED: Final = 0x0A
_CARRIAGE_RETURN: Final = 0x0D
_ASCII: Final = 0x80  # below it, a byte is a character
_LEAD: Final = 0xC2  # from here on, a byte is the first of a character
_WIDE: Final = 0xE3  # from here on, the first of one that takes two columns: Chinese, Japanese, Korean; emoji

_CLUSTER: Final = regex.compile(r"\X")


class Readable(Protocol):
    """A text in UTF-8."""

    def __len__(self) -> int:
        """Its bytes."""

    def read(self, start: int, stop: int) -> bytes:
        """The bytes [start, stop)."""


class Change(NamedTuple):
    """The segments [first, first + removed) gave way to [first, first + added)."""

    first: int
    removed: int
    added: int


class _Parts(NamedTuple):
    """Segments: where each begins, whether a line begins there, and how many columns it takes, about."""

    starts: LongArray
    begins_line: BoolArray
    columns: IntArray


class LineIndex:
    """The segments of a text: its lines, which end at `\\n`, `\\r\\n` or `\\r`, and the parts of long lines.

    All places are bytes of the UTF-8. The last segment ends with the text; after a line break it is empty.

    >>> text = b"one\\ntwo\\r\\n"
    >>> index = LineIndex(lambda start, stop: text[start:stop], len(text))
    >>> [index.span(segment) for segment in range(len(index))]
    [(0, 4), (4, 9), (9, 9)]
    """

    def __init__(self, read: Read, size: int, parts: _Parts | None = None) -> None:
        self._read = read
        self._size = size
        self._parts = _split(read, 0, size, is_end=True) if parts is None else parts

    def __len__(self) -> int:
        return len(self._parts.starts)

    @property
    def columns(self) -> IntArray:
        """How many columns each segment takes, about; wide characters take two."""
        return self._parts.columns

    def span(self, segment: int) -> tuple[int, int]:
        """Start and stop of a segment, with the line break that ends it."""
        starts = self._parts.starts
        return int(starts[segment]), int(starts[segment + 1]) if segment + 1 < len(starts) else self._size

    def segment_of(self, place: int) -> int:
        """The segment that holds the byte at `place`; the last one for the end of the text."""
        return int(np.searchsorted(self._parts.starts, np.int64(place), "right")) - 1

    def line_at(self, place: int) -> tuple[int, int]:
        """Start and stop of the whole line around a place, with the line break that ends it."""
        segment = self.segment_of(place)
        begins = self._parts.begins_line
        first = segment - int(np.argmax(begins[segment::-1]))
        following = begins[segment + 1 :]
        last = segment + (int(np.argmax(following)) if following.any() else len(following))
        return self.span(first)[0], self.span(last)[1]

    def replaced(self, start: int, removed: int, added: int) -> Change:
        """Follow an edit of the text, which is made already: `removed` bytes at `start` gave way to `added` others."""
        first = self.segment_of(start)
        last = self.segment_of(start + removed - 1) if removed else first
        if first and start == self.span(first)[0] and self._read(start - 1, start) == b"\r":
            first -= 1  # a line feed may have come to follow
        cut_at_end = removed > 0 and start + removed == self.span(last)[1]
        self._size += added - removed
        self._parts.starts[last + 1 :] += added - removed
        first, last = self._widened(first, last, cut_at_end=cut_at_end)
        return Change(first, last + 1 - first, self._split_anew(first, last))

    def _widened(self, first: int, last: int, *, cut_at_end: bool) -> tuple[int, int]:
        """The segments to split anew, with neighbours that became parts of the same line or are to be joined."""
        while last + 1 < len(self):
            begin, end = self.span(first)[0], self.span(last)[1]
            is_open = cut_at_end or end - begin < _SHORTEST or self._read(end - 1, end) == b"\r"
            if not is_open or _is_line_start(self._read, end):
                break
            last += 1
            cut_at_end = False
        while first and not self._parts.begins_line[first] and self.span(last)[1] - self.span(first)[0] < _SHORTEST:
            first -= 1
        return first, last

    def _split_anew(self, first: int, last: int) -> int:
        """Split the segments [first, last] again; returns how many they are now."""
        begin, end = self.span(first)[0], self.span(last)[1]
        new = _split(self._read, begin, end, is_end=last + 1 == len(self))
        old = self._parts
        if last + 1 < len(self):
            old.begins_line[last + 1] = _is_line_start(self._read, end)
        if len(new.starts):
            new.begins_line[0] = old.begins_line[first]
        self._parts = _Parts(
            np.concatenate((old.starts[:first], new.starts, old.starts[last + 1 :])),
            np.concatenate((old.begins_line[:first], new.begins_line, old.begins_line[last + 1 :])),
            np.concatenate((old.columns[:first], new.columns, old.columns[last + 1 :])),
        )
        return len(new.starts)


_prepared: Final[WeakKeyDictionary[Readable, _Parts]] = WeakKeyDictionary()


def prepare_index(text: Readable) -> None:
    """Find the lines of a text before it is shown, in a thread: of a hundred megabytes it takes a while."""
    _prepared[text] = _split(text.read, 0, len(text), is_end=True)


def index_of(text: Readable) -> LineIndex:
    """The lines of a text, for a view that has them follow its edits."""
    return LineIndex(text.read, len(text), _prepared.pop(text, None))


def _is_line_start(read: Read, place: int) -> bool:
    around = read(max(0, place - 1), place + 1)
    return place == 0 or around[:1] == b"\n" or (around[:1] == b"\r" and around[1:] != b"\n")


def _split(read: Read, start: int, stop: int, *, is_end: bool) -> _Parts:
    """The segments of the bytes [start, stop); only the end of the text may have an empty one."""
    starts = np.concatenate((np.array([start], np.int64), *_line_ends(read, start, stop)))
    if not is_end and starts[-1] == stop:
        starts = starts[:-1]
    begins_line = np.ones(len(starts), np.bool_)
    cuts = [cut for first, last in _long_lines(starts, stop) for cut in _cuts(read, first, last)]
    if cuts:
        places = np.searchsorted(starts, np.array(cuts, np.int64))
        starts = np.insert(starts, places, cuts)
        begins_line = np.insert(begins_line, places, False)
    return _Parts(starts, begins_line, _column_counts(read, starts, stop))


def _line_ends(read: Read, start: int, stop: int) -> Iterator[LongArray]:
    """Where the line breaks among the bytes [start, stop) end."""
    for at in range(start, stop, _CHUNK):
        size = min(_CHUNK, stop - at)
        data = read(at, at + size + 1)  # a line feed may follow the last carriage return
        octets = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(octets[:size] == _LINE_FEED)
        if b"\r" in data:
            returns = np.flatnonzero(octets[:size] == _CARRIAGE_RETURN)
            alone = octets.take(returns + 1, mode="clip") != _LINE_FEED  # at the very end it looks at itself
            ends = np.sort(np.concatenate((ends, returns[alone])))
        yield ends.astype(np.int64) + (at + 1)


def _long_lines(starts: LongArray, stop: int) -> list[tuple[int, int]]:
    stops = np.append(starts[1:], stop)
    are_long = stops - starts > LONGEST
    return list(zip(starts[are_long].tolist(), stops[are_long].tolist(), strict=True))


def _cuts(read: Read, start: int, stop: int) -> Iterator[int]:
    """Where to cut a line: after white space if there is some, between characters in any case."""
    while stop - start > LONGEST:
        window = read(start + _USUAL - _SHORTEST, start + _USUAL)
        start += _USUAL - _SHORTEST + _cut_in(window)
        yield start


def _cut_in(window: bytes) -> int:
    space = max(window.rfind(b" "), window.rfind(b"\t"))
    if space >= 0:
        return space + 1
    if window.isascii():
        return len(window)
    tail = window[-_TAIL:]
    text = tail.decode("utf-8", "ignore")  # without the halves of characters at its ends
    clusters = [match.start() for match in _CLUSTER.finditer(text)]
    cut = clusters[-1] if len(clusters) > 1 else len(text) - 1
    lead = next(index for index, octet in enumerate(tail) if octet & 0xC0 != 0x80)
    return len(window) - len(tail) + lead + len(text[:cut].encode())


def _column_counts(read: Read, starts: LongArray, stop: int) -> IntArray:
    """How many columns the segments take that begin at `starts`, the last of which ends at `stop`."""
    columns = np.zeros(len(starts), np.int32)
    for at in range(int(starts[0]) if len(starts) else stop, stop, _CHUNK):
        data = read(at, min(at + _CHUNK, stop))
        first = int(np.searchsorted(starts, np.int64(at), "right")) - 1
        last = int(np.searchsorted(starts, np.int64(at + len(data)), "left"))
        begins = np.maximum(starts[first:last] - at, 0)
        columns[first:last] += _columns_between(data, begins)
    return columns


def _columns_between(data: bytes, begins: LongArray) -> IntArray:
    """The columns of neighbouring parts of the bytes."""
    sizes = np.diff(begins, append=len(data)).astype(np.int32)
    if data.isascii():
        return sizes
    octets = np.frombuffer(data, np.uint8)
    more = (octets >= _WIDE).view(np.int8) - ((octets >= _ASCII) & (octets < _LEAD)).view(np.int8)
    return sizes + np.add.reduceat(more, begins, dtype=np.int32)
