"""Find the lines of a text, and split long lines into segments that are quick to lay out."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
import regex

from bpe_gui.engine import BoolArray, Int32Array, Int64Array

ReadBytes = Callable[[int, int], bytes]
"""Returns the bytes [start, stop) of the text."""

MAX_SEGMENT_SIZE: Final = 3_000
"""The size in bytes of the longest line that is not split."""

_SEGMENT_SIZE: Final = 2_000  # maximum bytes per segment of a split line
_MIN_SEGMENT_SIZE: Final = 500  # a segment that an edit makes shorter is joined with its neighbour
_TAIL_SIZE: Final = 128  # bytes to search for a grapheme cluster boundary
_CHUNK_SIZE: Final = 1 << 17  # bytes to scan at a time, which limits numpy's temporary arrays
_LINE_FEED: Final = 0x0A
_CARRIAGE_RETURN: Final = 0x0D
_FIRST_NON_ASCII: Final = 0x80
_FIRST_LEAD_BYTE: Final = 0xC2
_FIRST_WIDE_LEAD_BYTE: Final = 0xE3  # Chinese, Japanese, Korean and emoji take two columns

_CLUSTER: Final = regex.compile(r"\X")


class Utf8Text(Protocol):
    """A text in UTF-8 that can be read in part."""

    def __len__(self) -> int:
        """Return the size in bytes."""

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes [start, stop)."""


class LineChange(NamedTuple):
    """The replacement of the segments [first, first + removed) with [first, first + added)."""

    first: int
    removed: int
    added: int


class _Segments(NamedTuple):
    """The segments of the text as parallel arrays: start, whether a line begins there, approximate columns."""

    starts: Int64Array
    begins_line: BoolArray
    columns: Int32Array


class LineIndex:
    """The segments of a text: its lines, ending in `\\n`, `\\r\\n` or `\\r`, and the parts of long lines.

    The last segment ends with the text; after a final line break it is empty.

    >>> text = b"one\\ntwo\\r\\n"
    >>> index = LineIndex(lambda start, stop: text[start:stop], len(text))
    >>> [index.span(segment) for segment in range(len(index))]
    [(0, 4), (4, 9), (9, 9)]
    """

    def __init__(self, read: ReadBytes, size: int, segments: _Segments | None = None) -> None:
        self._read = read
        self._size = size
        self._segments = _find_segments(read, 0, size, is_end=True) if segments is None else segments

    def __len__(self) -> int:
        return len(self._segments.starts)

    @property
    def columns(self) -> Int32Array:
        """The approximate number of columns of each segment; wide characters take two."""
        return self._segments.columns

    def span(self, segment: int) -> tuple[int, int]:
        """Return start and stop of a segment, including its final line break."""
        starts = self._segments.starts
        return int(starts[segment]), int(starts[segment + 1]) if segment + 1 < len(starts) else self._size

    def segment_of(self, offset: int) -> int:
        """Return the segment that contains the byte at `offset`; the last segment for the end of the text."""
        return int(np.searchsorted(self._segments.starts, np.int64(offset), "right")) - 1

    def line_at(self, offset: int) -> tuple[int, int]:
        """Return start and stop of the whole line around `offset`, including its line break."""
        segment = self.segment_of(offset)
        begins = self._segments.begins_line
        first = segment - int(np.argmax(begins[segment::-1]))
        following = begins[segment + 1 :]
        last = segment + (int(np.argmax(following)) if following.any() else len(following))
        return self.span(first)[0], self.span(last)[1]

    def replaced(self, start: int, removed: int, added: int) -> LineChange:
        """Follow an edit already made in the text: `added` bytes replaced `removed` bytes at `start`."""
        first = self.segment_of(start)
        last = self.segment_of(start + removed - 1) if removed else first
        if first and start == self.span(first)[0] and self._read(start - 1, start) == b"\r":
            first -= 1  # a line feed may follow this carriage return now
        end_was_removed = removed > 0 and start + removed == self.span(last)[1]
        self._size += added - removed
        self._segments.starts[last + 1 :] += added - removed
        first, last = self._widened(first, last, end_was_removed=end_was_removed)
        return LineChange(first, last + 1 - first, self._split_again(first, last))

    def _widened(self, first: int, last: int, *, end_was_removed: bool) -> tuple[int, int]:
        """Return the first and last segment to split again, including neighbours to join them with."""
        while last + 1 < len(self):
            begin, end = self.span(first)[0], self.span(last)[1]
            is_open = end_was_removed or end - begin < _MIN_SEGMENT_SIZE or self._read(end - 1, end) == b"\r"
            if not is_open or _is_line_start(self._read, end):
                break
            last += 1
            end_was_removed = False
        begins_line = self._segments.begins_line
        while first and not begins_line[first] and self.span(last)[1] - self.span(first)[0] < _MIN_SEGMENT_SIZE:
            first -= 1
        return first, last

    def _split_again(self, first: int, last: int) -> int:
        """Split the segments from `first` to `last` again; return how many there are now."""
        begin, end = self.span(first)[0], self.span(last)[1]
        new = _find_segments(self._read, begin, end, is_end=last + 1 == len(self))
        old = self._segments
        if last + 1 < len(self):
            old.begins_line[last + 1] = _is_line_start(self._read, end)
        if len(new.starts):
            new.begins_line[0] = old.begins_line[first]
        self._segments = _Segments(
            np.concatenate((old.starts[:first], new.starts, old.starts[last + 1 :])),
            np.concatenate((old.begins_line[:first], new.begins_line, old.begins_line[last + 1 :])),
            np.concatenate((old.columns[:first], new.columns, old.columns[last + 1 :])),
        )
        return len(new.starts)


_prepared: Final[WeakKeyDictionary[Utf8Text, _Segments]] = WeakKeyDictionary()


def prepare_index(text: Utf8Text) -> None:
    """Find the lines of a text in a worker thread before showing it: a hundred megabytes take a while."""
    _prepared[text] = _find_segments(text.read, 0, len(text), is_end=True)


def index_of(text: Utf8Text) -> LineIndex:
    """Return an index of a text's lines, using the result of `prepare_index` if there is one."""
    return LineIndex(text.read, len(text), _prepared.pop(text, None))


def _is_line_start(read: ReadBytes, offset: int) -> bool:
    around = read(max(0, offset - 1), offset + 1)
    return offset == 0 or around[:1] == b"\n" or (around[:1] == b"\r" and around[1:] != b"\n")


def _find_segments(read: ReadBytes, start: int, stop: int, *, is_end: bool) -> _Segments:
    """Return the segments of the bytes [start, stop); only the end of the text may have an empty one."""
    starts = np.concatenate((np.array([start], np.int64), *_line_ends(read, start, stop)))
    if not is_end and starts[-1] == stop:
        starts = starts[:-1]
    begins_line = np.ones(len(starts), np.bool_)
    stops = np.append(starts[1:], stop)
    are_long = stops - starts > MAX_SEGMENT_SIZE
    long_lines = zip(starts[are_long].tolist(), stops[are_long].tolist(), strict=True)
    splits = [split for first, last in long_lines for split in _splits_of_line(read, first, last)]
    if splits:
        indices = np.searchsorted(starts, np.array(splits, np.int64))
        starts = np.insert(starts, indices, splits)
        begins_line = np.insert(begins_line, indices, False)
    return _Segments(starts, begins_line, _column_counts(read, starts, stop))


def _line_ends(read: ReadBytes, start: int, stop: int) -> Iterator[Int64Array]:
    """Yield, chunk by chunk, the offsets just after the line breaks among the bytes [start, stop)."""
    for at in range(start, stop, _CHUNK_SIZE):
        size = min(_CHUNK_SIZE, stop - at)
        data = read(at, at + size + 1)  # a line feed may follow the last carriage return
        byte_values = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(byte_values[:size] == _LINE_FEED)
        if b"\r" in data:
            returns = np.flatnonzero(byte_values[:size] == _CARRIAGE_RETURN)
            alone = byte_values.take(returns + 1, mode="clip") != _LINE_FEED  # one at the end meets itself
            ends = np.sort(np.concatenate((ends, returns[alone])))
        yield ends.astype(np.int64) + (at + 1)


def _splits_of_line(read: ReadBytes, start: int, stop: int) -> Iterator[int]:
    """Yield where to split the line [start, stop): after white space if possible, otherwise between characters."""
    while stop - start > MAX_SEGMENT_SIZE:
        window = read(start + _SEGMENT_SIZE - _MIN_SEGMENT_SIZE, start + _SEGMENT_SIZE)
        start += _SEGMENT_SIZE - _MIN_SEGMENT_SIZE + _last_split(window)
        yield start


def _last_split(window: bytes) -> int:
    """Return the last index in `window` where a line may be split."""
    space = max(window.rfind(b" "), window.rfind(b"\t"))
    if space >= 0:
        return space + 1
    if window.isascii():
        return len(window)
    tail = window[-_TAIL_SIZE:]
    text = tail.decode("utf-8", "ignore")  # without incomplete characters at either end
    clusters = [match.start() for match in _CLUSTER.finditer(text)]
    split = clusters[-1] if len(clusters) > 1 else len(text) - 1
    first_lead = next(index for index, octet in enumerate(tail) if octet & 0xC0 != 0x80)
    return len(window) - len(tail) + first_lead + len(text[:split].encode())


def _column_counts(read: ReadBytes, starts: Int64Array, stop: int) -> Int32Array:
    """Return the column counts of the segments that begin at `starts`; the last one ends at `stop`."""
    columns = np.zeros(len(starts), np.int32)
    for at in range(int(starts[0]) if len(starts) else stop, stop, _CHUNK_SIZE):
        data = read(at, min(at + _CHUNK_SIZE, stop))
        first = int(np.searchsorted(starts, np.int64(at), "right")) - 1
        last = int(np.searchsorted(starts, np.int64(at + len(data)), "left"))
        begins = np.maximum(starts[first:last] - at, 0)
        columns[first:last] += _columns_between(data, begins)
    return columns


def _columns_between(data: bytes, begins: Int64Array) -> Int32Array:
    """Return the column counts of the parts of `data` that begin at `begins`; the last part ends with `data`."""
    sizes = np.diff(begins, append=len(data)).astype(np.int32)
    if data.isascii():
        return sizes
    byte_values = np.frombuffer(data, np.uint8)
    is_continuation = (byte_values >= _FIRST_NON_ASCII) & (byte_values < _FIRST_LEAD_BYTE)
    surplus = (byte_values >= _FIRST_WIDE_LEAD_BYTE).view(np.int8) - is_continuation.view(np.int8)
    return sizes + np.add.reduceat(surplus, begins, dtype=np.int32)
