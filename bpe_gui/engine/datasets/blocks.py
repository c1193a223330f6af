"""The text of documents in blocks that can be encoded one by one."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import DocumentGroup, group_documents
from bpe_gui.engine.corpora.text_files import Utf8Reader
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import whole_characters
from bpe_gui.engine.runtime.types import UInt8Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import TEXT_END

SIZE: Final = 1 << 21
"""The most bytes in a block, unless so many have no boundary among them."""


class Place(NamedTuple):
    """Where a block begins: in which group of documents, and at which byte of its text with marks."""

    group: int
    start: int


START: Final = Place(0, 0)


class CorpusBlock(NamedTuple):
    """UTF-8 with `TEXT_END` after each text that ends in it."""

    text: bytes
    place: Place
    done: int
    """How many bytes of files were read when it ended."""


def groups_of(corpus: Corpus) -> list[DocumentGroup]:
    """Return the documents of a corpus, small ones in groups."""
    parts, sizes = corpus.parts(), corpus.part_sizes()
    return list(group_documents(parts, sizes, [1] * len(parts)))


def read_blocks(groups: Sequence[DocumentGroup], chunker: Chunker, place: Place = START) -> Iterator[CorpusBlock]:
    """Yield the blocks from `place` on, where one begins: the same as in reading from the start. Raise CorpusError."""
    done = sum(group.size for group in groups[: place.group])
    for number in range(place.group, len(groups)):
        start = place.start if number == place.group else 0
        document = groups[number].document
        with document.open_utf8() as reader:
            for at, text in _blocks_of(reader, chunker, start, end=b"" if document.has_records else TEXT_END):
                yield CorpusBlock(text, Place(number, at), done + reader.state.done)
            reader.finish()
        done += groups[number].size


def _blocks_of(reader: Utf8Reader, chunker: Chunker, start: int, end: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the blocks of a reader's text from byte `start` on, each with its own start; `end` follows the text."""
    buffer: UInt8Array = np.zeros(SIZE + PADDING, np.uint8)
    for size in (SIZE,) * (start // SIZE) + (start % SIZE,):  # skip earlier blocks, which have been checked
        reader.read_into(buffer.data[:size])
    filled = checked = 0
    is_last = False
    limit = SIZE
    while True:
        if filled < limit and not is_last:
            if len(buffer) < limit + PADDING:
                buffer = np.concatenate([buffer[:filled], np.zeros(limit + PADDING - filled, np.uint8)])
            filled += reader.read_into(buffer.data[filled:limit])
            is_last = filled < limit
            checked = reader.check(buffer, checked, filled, is_last)
        if is_last and filled <= limit:
            if filled or end:
                yield start, buffer[:filled].tobytes() + end
            return
        text = buffer[: min(checked, whole_characters(buffer, 0, limit))].tobytes()
        mark = text.rfind(TEXT_END)
        size = mark + len(TEXT_END) if mark >= 0 else chunker.last_boundary(text.rstrip(TEXT_END[:1]))
        if size:
            yield start, text[:size]
            start, filled, checked, limit = start + size, filled - size, checked - size, SIZE
            buffer[:filled] = buffer[size : size + filled]
        else:
            limit *= 2
