"""The documents of a corpus: text in memory, and files, which are read in chunks."""

import codecs
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from itertools import chain, groupby, pairwise
from typing import Final, NamedTuple, TypeVar

import numpy as np

from bpe_gui.engine.runtime.errors import CorpusError, EngineError
from bpe_gui.engine.runtime.forking import ForkLock
from bpe_gui.engine.runtime.lazy import LazyTuple
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.utf8 import check_surrogates, encode_chunks, iter_chunks

from .counts_file import is_counts_file
from .record_files import RECORD_END, JsonLines, ParquetRows, RecordReader, Records
from .text_files import (
    PARQUET,
    TEXT,
    WHOLE,
    FileKind,
    Part,
    PieceReader,
    ReadingState,
    TextFile,
    Utf8FileReader,
    Utf8Reader,
    string_reader,
    unreadable_file_error,
)

_T = TypeVar("_T")

USUAL_FIELD: Final = "text"
"""The field with the text of a record, unless another is named."""

_BATCH: Final = 1 << 18
"""About how many characters of short texts are encoded, or bytes of small files read, at a time."""

_PLAIN: Final = FileKind(TEXT, None)

_turn_to_read: Final = ForkLock(guards_state=False)
"""Held by the thread that reads files, so that it does not wait for the GIL after each system call while others
count."""


@dataclass(frozen=True, slots=True)
class TextDocument:
    """Text in memory.

    >>> TextDocument("你好").size()
    6
    """

    text: str

    @property
    def has_records(self) -> bool:
        """False: it is one text."""
        return False

    def size(self) -> int:
        """Return the size of the text in bytes of UTF-8."""
        return len(self.text) if self.text.isascii() else len(self.text.encode(errors="surrogatepass"))

    def chunks(self) -> Iterator[str]:
        """Yield the text in chunks."""
        return iter_chunks(self.text)

    def texts(self, state: ReadingState) -> Iterator[Iterator[str]]:
        """Yield the single text in chunks, and keep `state` up to date."""
        yield self._counted(state)

    @contextmanager
    def open_utf8(self, part: Part = WHOLE) -> Iterator[Utf8Reader]:
        """Open the text, or a part of it, as UTF-8."""
        state = ReadingState()
        yield PieceReader(_encoded(iter_chunks(self.text, part.start, part.stop), part.start, state), state)

    def _counted(self, state: ReadingState) -> Iterator[str]:
        for chunk in self.chunks():
            state.done += TextDocument(chunk).size()
            yield chunk


def _encoded(chunks: Iterator[str], offset: int, state: ReadingState) -> Iterator[bytes]:
    for _chunk, data in encode_chunks(chunks, offset):
        state.done += len(data)
        yield data


@dataclass(frozen=True, slots=True)
class FileDocument(TextFile):
    """A file of text or, by its name, of records: Parquet or JSON Lines, with texts in the column or field `field`.

    With `skip_bad_lines`, records without a text are left out instead of being an error. Files are decompressed as
    their names say, and read again each time. The rest is as in `TextFile`.
    """

    field: str = USUAL_FIELD
    skip_bad_lines: bool = False

    @property
    def holds_counts(self) -> bool:
        """Whether the file contains word counts, as `WordCounts.save` writes them, instead of text."""
        return is_counts_file(self.path)

    def chunks(self, state: ReadingState | None = None) -> Iterator[str]:
        """Yield the text in chunks, with a line feed after each record, and keep `state` up to date.

        Raise CorpusError, such as BadRecordError, or UndecodableFileError with the offset of the invalid byte.
        """
        state = state or ReadingState()
        if not self.has_records:
            yield from self.decoded(state)
            return
        for texts in self._batches(state):
            yield "".join(text + "\n" for text in texts)

    def texts(self, state: ReadingState) -> Iterator[Iterator[str]]:
        """Yield the texts, each in chunks: the whole file or its records. `state` and errors are as in `chunks`."""
        if not self.has_records:
            yield self.chunks(state)
            return
        for texts in self._batches(state):
            yield from map(iter_chunks, texts)

    def _batches(self, state: ReadingState) -> Iterator[list[str]]:
        with self.open_records() as records:
            for batch in records.batches():
                yield batch.to_pylist()
                state.done, state.skipped = records.state.done, records.state.skipped
            records.finish()

    @contextmanager
    def open_records(self, part: Part = WHOLE) -> Iterator[Records]:
        """Open the records of a part: row groups of Parquet, or bytes of JSON Lines. Raise CorpusError."""
        if self.holds_counts:
            raise CorpusError(
                "{path} contains word counts, not text. You can train on it, but not read it.", path=self.name
            )
        field, skips = self.field, self.skip_bad_lines
        with self.open_binary() as file:
            if self.kind.content == PARQUET:
                yield ParquetRows(self, file, field, skips, part)
            elif self.is_utf8:
                yield JsonLines(self, Utf8FileReader(self, file, part), field, skips, part.start)
            else:
                state = ReadingState()
                yield JsonLines(self, string_reader(self.decoded(state), state), field, skips)

    @contextmanager
    def open_utf8(self, part: Part = WHOLE) -> Iterator[Utf8Reader]:
        """Open the content, as in `open_records`, as UTF-8 with a mark after each record. Raise CorpusError."""
        if self.has_records:
            with self.open_records(part) as records:
                yield RecordReader(records)
        elif self.is_utf8:
            with self.open_binary() as file:
                yield Utf8FileReader(self, file, part)
        else:
            state = ReadingState()
            yield string_reader(self.chunks(state), state)


Document = TextDocument | FileDocument

SHORT: Final = 1 << 16
"""A text with at least this many characters is read alone."""

_LARGE: Final = 1 << 20
"""A file with at least this many bytes is read alone."""


@dataclass(frozen=True, slots=True, eq=False)
class TextList:
    """Short texts in memory.

    >>> TextList.of(["low", "你好"]).sizes.tolist()
    [3, 6]
    """

    strings: tuple[str, ...]
    sizes: Int64Array
    """The size of each text in bytes of UTF-8."""

    @classmethod
    def of(cls, strings: Iterable[str]) -> "TextList":
        """Return a list of these texts. Raise CorpusError with the index of a lone surrogate."""
        texts = tuple(strings)
        if set(map(type, texts)) - {str}:
            texts = tuple("".join((each,)) for each in texts)  # plain str, even for subclasses
        try:
            return cls(texts, np.concatenate(list(map(_sizes_of, _batches(texts, _lengths(texts))))))
        except UnicodeEncodeError:
            _check_all(texts, CorpusError)
            raise

    @property
    def has_records(self) -> bool:
        """True: it is several texts."""
        return True

    def size(self) -> int:
        """Return the size of all texts in bytes of UTF-8."""
        return int(self.sizes.sum())

    @contextmanager
    def open_utf8(self, part: Part = WHOLE) -> Iterator[Utf8Reader]:
        """Open the texts, or some of them, as UTF-8 with a mark after each."""
        state = ReadingState()
        yield PieceReader(_marked_texts(self.strings[part.start : part.stop], state), state)


@dataclass(frozen=True, slots=True, eq=False)
class FileList:
    """Small, uncompressed files of UTF-8."""

    files: tuple[FileDocument, ...]
    sizes: Int64Array
    """The size of each file in bytes."""

    @property
    def has_records(self) -> bool:
        """True: it is several texts."""
        return True

    @contextmanager
    def open_utf8(self, part: Part = WHOLE) -> Iterator[Utf8Reader]:
        """Open the files, or some of them, as UTF-8 with a mark after each."""
        state, chosen = ReadingState(), slice(part.start, part.stop)
        yield PieceReader(_marked_files(self.files[chosen], self.sizes[chosen], state), state)


class Documents(LazyTuple[Document]):
    """Documents; those for texts in lists are created on first use.

    >>> Documents([TextList.of(["low", "lower"])])[1]
    TextDocument(text='lower')
    """

    def __init__(self, parts: Sequence[Document | TextList]) -> None:
        self.parts: Final = parts
        """The text lists and the other documents."""
        sizes = (len(part.strings) if isinstance(part, TextList) else 1 for part in parts)
        super().__init__(sum(sizes), lambda: chain.from_iterable(map(_documents_in, parts)))


def _documents_in(part: Document | TextList) -> Iterable[Document]:
    return map(TextDocument, part.strings) if isinstance(part, TextList) else (part,)


class DocumentGroup(NamedTuple):
    """Documents that are read together, or a single one, with their size in bytes and how often their words count."""

    document: Document | TextList | FileList
    size: int
    factor: int


def group_documents(
    documents: Sequence[Document | TextList], sizes: Sequence[int], factors: Sequence[int]
) -> Iterator[DocumentGroup]:
    """Yield the documents in order, with lists of consecutive short ones that count equally often."""
    each_alone = map(DocumentGroup, documents, sizes, factors)
    for (kind, factor), group in groupby(each_alone, key=lambda each: (_kind_of_list(each), each.factor)):
        members = list(group)
        if kind is None or len(members) == 1:
            yield from members
            continue
        together, their_sizes, _factors = zip(*members, strict=True)
        texts = tuple(each.text for each in together) if kind is TextList else together
        yield DocumentGroup(kind(texts, np.array(their_sizes)), sum(their_sizes), factor)


def _kind_of_list(alone: DocumentGroup) -> type[TextList | FileList] | None:
    """Return the kind of list that a document goes into, if it does."""
    document, size, _factor = alone
    if isinstance(document, TextDocument):
        return TextList if size < SHORT else None
    # A file without a size may be a pipe, and subclasses of FileDocument are opened in other ways.
    if not isinstance(document, FileDocument) or type(document) is not FileDocument or not 0 < size < _LARGE:
        return None
    return FileList if document.kind == _PLAIN and document.is_utf8 else None


# -- reading ---------------------------------------------------------------------------------------------------------


def _marked_texts(texts: Sequence[str], state: ReadingState) -> Iterator[bytes]:
    for batch in _batches(texts, _lengths(texts)):
        try:
            data = RECORD_END.join([*map(str.encode, batch), b""])
        except UnicodeEncodeError:
            _check_all(batch, EngineError)
            raise
        state.done += len(data) - len(batch) * len(RECORD_END)
        yield data


def _batches(items: Sequence[_T], sizes: Int64Array) -> Iterator[Sequence[_T]]:
    """Yield texts or files of these sizes in batches, so that other threads can run in between."""
    ends = np.cumsum(sizes)
    limits = np.searchsorted(ends, np.arange(_BATCH, ends[-1], _BATCH)) + 1
    for start, stop in pairwise([0, *limits.tolist(), len(items)]):
        if start < stop:  # a large one reaches several limits
            yield items[start:stop]


def _lengths(texts: Iterable[str]) -> Int64Array:
    return np.fromiter(map(len, texts), np.int64)


def _sizes_of(texts: Sequence[str]) -> Int64Array:
    """Return the size of each text in bytes of UTF-8. Raise UnicodeEncodeError for a lone surrogate."""
    are_ascii = "".join(texts).isascii()
    return np.fromiter(map(len, texts if are_ascii else map(str.encode, texts)), np.int64, len(texts))


def _check_all(texts: Iterable[str], error: type[EngineError]) -> None:
    """Raise `error` for the first text with a lone surrogate."""
    for text in texts:
        check_surrogates(text, error=error)


def _marked_files(files: Sequence[FileDocument], sizes: Int64Array, state: ReadingState) -> Iterator[bytes]:
    for batch in _batches(files, sizes):
        texts: list[bytes] = []
        with _turn_to_read:
            for file in batch:
                data = _content_of(file)
                texts.append(_checked(file, data))
                state.done += len(data)
        yield RECORD_END.join([*texts, b""])


def _content_of(file: FileDocument) -> bytes:
    """Return the bytes of a file. Raise CorpusError if it cannot be read, or changes meanwhile."""
    try:
        with FileIO(file.path) as opened:
            before = file.state_of(opened)
            data = opened.read(-1 if before.size is None else before.size)
            after = file.state_of(opened)
    except (OSError, ValueError) as error:
        raise unreadable_file_error(file.name, error) from error
    file.check_unchanged(before, after, len(data))
    return data


def _checked(file: FileDocument, data: bytes) -> bytes:
    """Return the UTF-8 text in a file's bytes, without a byte-order mark. Raise UndecodableFileError."""
    file.check_is_text(data[:SHORT])
    text = data.removeprefix(codecs.BOM_UTF8)
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise file.undecodable_error(len(data) - len(text) + error.start, text[error.start]) from error
    return text
