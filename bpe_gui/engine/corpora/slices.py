"""Slice documents, so that several threads can read one, and open the slices."""

from bisect import bisect_left
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid, whole_characters
from bpe_gui.engine.text.compiled_splitters import Chunker, padded

from .documents import Document, FileDocument, TextDocument
from .files.decompression import BinaryFile, reading
from .files.kinds import PARQUET
from .files.parquet_rows import open_parquet
from .files.text_file import FileState
from .files.utf8_reader import Utf8Reader
from .short_documents import FileList, TextList

_WINDOW: Final = 1 << 20
"""Bytes in which a boundary is searched for where a document is to be sliced."""


@dataclass(frozen=True, slots=True)
class DocumentSlice:
    """A part of a document: from `start` up to `stop`, or to the end if `stop` is None.

    Offsets are bytes of a file, row groups of a Parquet file, characters of a text, or texts of a list. `before` is the
    expected state of a file, if known, and `relative_start` is where in the document it starts, from 0 to 1. Each of
    its words counts `factor` times.
    """

    document: Document | TextList | FileList
    start: int = 0
    stop: int | None = None
    before: FileState | None = None
    relative_start: float = 0.0
    factor: int = 1

    def open(self) -> AbstractContextManager[Utf8Reader]:
        """Open it for reading. Raise CorpusError."""
        return self.document.open_utf8(self.start, self.stop, self.before)


def slice_list(document: TextList | FileList, positions: Sequence[float]) -> list[DocumentSlice]:
    """Slice a list of texts soon after these positions, from 0 to 1 in rising order.

    >>> [(part.start, part.stop) for part in slice_list(TextList.of(["low", "lower", "lowest"]), [0.4, 0.5])]
    [(0, 2), (2, None)]
    """
    ends = np.cumsum(document.sizes)
    cuts = np.searchsorted(ends, np.multiply(positions, ends[-1]), "right") + 1
    starts = [0, *np.unique(cuts[cuts < len(ends)]).tolist()]
    return [
        DocumentSlice(document, start, stop, relative_start=float(ends[start - 1] / ends[-1]) if start else 0.0)
        for start, stop in zip(starts, [*starts[1:], None], strict=True)
    ]


def slice_document(document: Document, positions: Sequence[float], chunker: Chunker) -> list[DocumentSlice]:
    """Slice a document near these positions, from 0 to 1 in rising order, so that its words stay the same.

    There are fewer slices if a position has no boundary nearby.

    >>> from bpe_gui.engine.text.compiled_splitters import compiled
    >>> parts = slice_document(TextDocument("low lower " * 9), [0.5], Chunker(compiled("gpt2"), []))
    >>> [(part.start, part.stop) for part in parts]
    [(0, 83), (83, None)]
    """
    if isinstance(document, TextDocument):
        before, size, offsets = _boundaries_in_text(document.text, positions, chunker)
    elif document.is_whole and can_be_cut(document):
        before, size, offsets = _boundaries_in_file(document, positions, chunker)
    else:
        return [DocumentSlice(document)]
    stops = [*sorted({offset for offset in offsets if offset}), None]
    return [
        DocumentSlice(document, start or 0, stop, before, (start or 0) / max(size, 1))
        for start, stop in pairwise([0, *stops])
    ]


def can_be_cut(document: FileDocument) -> bool:
    """Return whether a file can be read from the middle."""
    kind = document.kind
    return kind.content == PARQUET or (document.is_utf8 and not kind.compression)


def cut(document: FileDocument, position: float, chunker: Chunker | None) -> int:
    """Return where a file that can be cut is cut near a position, from 0 to 1, as a slice has it; 0 for nowhere."""
    _before, _size, [offset] = _boundaries_in_file(document, [position], chunker)
    return offset


_Boundaries = tuple[FileState | None, int, list[int]]
"""The state of a file, the end of the document, and where it can be cut near some positions, 0 for nowhere."""


def _boundaries_in_text(text: str, positions: Sequence[float], chunker: Chunker) -> _Boundaries:
    return None, len(text), [_boundary_in_text(text, position, chunker) for position in positions]


def _boundary_in_text(text: str, position: float, chunker: Chunker) -> int:
    start = int(position * len(text))
    try:
        window = text[start : start + _WINDOW].encode()
    except UnicodeEncodeError:  # raised again when the text is read
        return 0
    boundary = _last_boundary(window, chunker)
    return start + len(window[:boundary].decode()) if boundary else 0


def _boundaries_in_file(document: FileDocument, positions: Sequence[float], chunker: Chunker | None) -> _Boundaries:
    with document.open_binary() as file, reading(document.name, document.kind.form):
        before = document.state_of(file)
        if document.kind.content == PARQUET:
            return before, *_row_groups(file, positions)
        size = before.size or 0
        starts = [int(position * size) for position in positions if size]
        return before, size, [_boundary_at(document, file, start, chunker) for start in starts]


def _boundary_at(document: FileDocument, file: BinaryFile, start: int, chunker: Chunker | None) -> int:
    """Return where a file can be cut soon after `start`: between words, or after a line of JSON; 0 for nowhere."""
    file.seek(start)
    window = file.read(_WINDOW) or b""
    boundary = window.rfind(b"\n") + 1 if document.kind.has_records else _last_boundary(window, chunker)
    return start + boundary if boundary else 0


def _row_groups(file: BinaryFile, positions: Sequence[float]) -> tuple[int, list[int]]:
    """Return the number of row groups of a Parquet file, and those that start near these positions."""
    metadata = open_parquet(file).metadata
    rows = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
    starts = [start / max(sum(rows), 1) for start in accumulate(rows, initial=0)][:-1]
    return len(rows), [bisect_left(starts, position) % max(len(rows), 1) for position in positions]


def _last_boundary(window: bytes, chunker: Chunker | None) -> int:
    """Return the last offset in a part of a text where it can be sliced, or 0.

    The part may begin and end inside a character.
    """
    start = next((i for i, byte in enumerate(window[:4]) if byte & 0xC0 != 0x80), len(window))
    buffer = padded(window)
    stop = whole_characters(buffer, start, len(window))
    # What is not valid raises an error when the document is read.
    if chunker is None or start >= stop or first_invalid(buffer, start, stop) >= 0:
        return 0
    boundary = chunker.last_boundary(window[start:stop])
    return start + boundary if boundary >= chunker.context else 0
