"""Documents, or parts of them, as UTF-8 that is read into a buffer of the reader's.

Files are read, not mapped into memory: whoever reads a mapped file that becomes shorter meanwhile is killed by the
system, with SIGBUS, instead of getting an error.
"""

import codecs
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from itertools import pairwise
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.corpora.documents import Document, FileDocument, FileState, TextDocument, state_of, unreadable
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.text.scanning import SPACE
from bpe_gui.engine.kernels.text.splitting import find_boundary
from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid, whole_characters
from bpe_gui.engine.text.utf8 import chunks_of, with_bytes
from bpe_gui.engine.text.character_classes import unicode_classes

_HEAD: Final = 1 << 16
"""Bytes at the start of a file that are looked at to see whether it is text."""

_WINDOW: Final = 1 << 20
"""Bytes among which a place is looked for where a document can be cut."""


class Source(Protocol):
    """UTF-8 that is read once, from start to end."""

    def read_into(self, room: memoryview) -> int:
        """Fill the room; gives how many bytes that were, fewer only at the end."""

    def check(self, block: npt.NDArray[np.uint8], begin: int, end: int, is_last: bool) -> int:
        """Raise UndecodableFileError unless the block is valid there. Gives up to where that is known.

        `end` is where the bytes end that were read so far; the last character may be cut there.
        """

    def finish(self) -> None:
        """Raise CorpusError if what was read is not what is there now."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document, in bytes of a file or characters of a text, up to the end if `end` is None.

    `state` is how the file has to be, if that is known.
    """

    document: Document
    begin: int = 0
    end: int | None = None
    state: FileState | None = None

    def begins_at(self, size: int) -> float:
        """After what share of the document, from 0 to 1, it begins; `size` is that of the document in bytes."""
        document = self.document
        return self.begin / (len(document.text) if isinstance(document, TextDocument) else size)

    @contextmanager
    def opened(self) -> Iterator[Source]:
        """Open it for reading."""
        document = self.document
        if isinstance(document, TextDocument):
            yield _Characters(chunks_of(document.text, self.begin, self.end), self.begin)
        elif document.is_utf8:
            with _open(document) as file:
                yield _Bytes(document, file, self)
        else:
            yield _Characters(document.chunks())


class _Characters:
    """Text that arrives as characters."""

    def __init__(self, chunks: Iterator[str], before: int = 0) -> None:
        self._blocks = (data for _chunk, data in with_bytes(chunks, before))
        self._rest = memoryview(b"")

    def read_into(self, room: memoryview) -> int:
        filled = 0
        while filled < len(room):
            if not self._rest:
                block = next(self._blocks, None)
                if block is None:
                    break
                self._rest = memoryview(block)
            piece = self._rest[: len(room) - filled]
            room[filled : filled + len(piece)] = piece
            self._rest = self._rest[len(piece) :]
            filled += len(piece)
        return filled

    def check(self, block: npt.NDArray[np.uint8], begin: int, end: int, is_last: bool) -> int:
        del block, begin, is_last
        return end

    def finish(self) -> None:
        pass


class _Bytes:
    """A file of UTF-8."""

    def __init__(self, document: FileDocument, file: FileIO, part: Part) -> None:
        self._document = document
        self._file = file
        with _readable(document):
            self._before = part.state or state_of(file)
        # A file that grows faster than we read would have no end; a pipe has no size.
        self._left = self._before.size
        self._offset = 0  # of what is read next
        self._head = memoryview(b"")
        if part.begin == 0:
            self._read_head()
        self._go_to(part)

    def _read_head(self) -> None:
        """Look at the start of the file, even if the part has less."""
        head = bytearray(_HEAD)
        head = head[: self._read(memoryview(head))]
        self._document.check_text(bytes(head))
        mark = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
        self._head = memoryview(head)[mark:]

    def _go_to(self, part: Part) -> None:
        """Read on where the part begins or its head ends, and no further than the part."""
        if part.end is not None and part.end < self._offset:
            self._head = self._head[: len(self._head) - (self._offset - part.end)]
            self._offset = part.end
        self._offset = max(self._offset, part.begin)
        if self._left is not None:
            with _readable(self._document):
                self._file.seek(self._offset)
            self._left = (self._before.size or 0 if part.end is None else part.end) - self._offset

    def read_into(self, room: memoryview) -> int:
        piece = self._head[: len(room)]
        room[: len(piece)] = piece
        self._head = self._head[len(piece) :]
        return len(piece) + self._read(room[len(piece) :])

    def _read(self, room: memoryview) -> int:
        wanted = len(room) if self._left is None else min(len(room), self._left)
        filled = 0
        with _readable(self._document):
            while filled < wanted:
                got = self._file.readinto(room[filled:wanted])
                if not got:
                    break
                filled += got
        self._offset += filled
        if self._left is not None:
            self._left -= filled
        return filled

    def check(self, block: npt.NDArray[np.uint8], begin: int, end: int, is_last: bool) -> int:
        known = end if is_last else whole_characters(block, begin, end)
        invalid = first_invalid(block, begin, known)
        if invalid >= 0:
            self._check_unchanged(missed=0)
            raise self._document.undecodable(self._offset - len(self._head) - end + invalid, int(block[invalid]))
        return known

    def finish(self) -> None:
        self._check_unchanged(missed=self._left or 0)

    def _check_unchanged(self, missed: int) -> None:
        with _readable(self._document):
            after = state_of(self._file)
        self._document.check_unchanged(self._before, after, (self._before.size or 0) - missed)


@contextmanager
def _readable(document: FileDocument) -> Iterator[None]:
    """What the system refuses is an error of the user's."""
    try:
        yield
    except OSError as error:
        raise unreadable(document.path, error) from error


def _open(document: FileDocument) -> FileIO:
    with _readable(document):
        return document.path.open("rb", buffering=0)


def parts_of(document: Document, shares: Sequence[float]) -> list[Part]:
    """Parts of a document whose words are those of the whole, cut near these shares of it, from 0 to 1, in order.

    There are fewer where it cannot be cut there. No special token may be where it can.

    >>> [(part.begin, part.end) for part in parts_of(TextDocument("low lower lowest"), [0.4, 0.5])]
    [(0, 9), (9, None)]
    """
    if isinstance(document, TextDocument):
        state, places = None, [_place_in_text(document.text, share) for share in shares]
    elif document.is_utf8:
        state, places = _places_in_file(document, shares)
    else:
        return [Part(document)]
    ends = [*sorted({place for place in places if place}), None]
    return [Part(document, begin or 0, end, state) for begin, end in pairwise([0, *ends])]


def _place_in_text(text: str, share: float) -> int:
    begin = int(share * len(text))
    try:
        window = text[begin : begin + _WINDOW].encode()
    except UnicodeEncodeError:  # whoever reads it finds out
        return 0
    place = _place_in(window)
    return begin + len(window[:place].decode()) if place else 0


def _places_in_file(document: FileDocument, shares: Sequence[float]) -> tuple[FileState, list[int]]:
    with _open(document) as file, _readable(document):
        state = state_of(file)
        places = []
        for share in shares if state.size else ():
            begin = int(share * (state.size or 0))
            file.seek(begin)
            place = _place_in(file.read(_WINDOW))
            places.append(begin + place if place else 0)
        return state, places


def _place_in(window: bytes) -> int:
    """Where a part of a text can be cut, or 0. It may begin and end within a character."""
    begin = next((i for i, byte in enumerate(window[:4]) if byte & 0xC0 != 0x80), len(window))
    block = np.frombuffer(bytearray(window + bytes(PADDING)), np.uint8)
    end = whole_characters(block, begin, len(window))
    if begin >= end or first_invalid(block, begin, end) >= 0:  # whoever reads it finds out
        return 0
    place = find_boundary(block, begin, end, unicode_classes(), SPACE)
    return place if place > begin else 0
