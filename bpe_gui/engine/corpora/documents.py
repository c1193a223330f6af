"""The documents of a corpus: text in memory, and files, which are read in chunks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.utf8 import encode_chunks, iter_chunks

from .counts_files.parquet_file import is_counts_file
from .files.json_lines import JsonLines
from .files.kinds import PARQUET
from .files.parquet_rows import ParquetRows
from .files.records import RecordReader, Records
from .files.text_file import FileState, ReadingState, TextFile
from .files.utf8_reader import FileReader, PieceReader, Utf8Reader, string_reader

USUAL_FIELD: Final = "text"
"""The field that has the text of a record, unless another is named."""


@checks_arguments(CorpusError)
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
        """Yield the one text, in chunks, and keep `state` up to date."""
        yield self._counted(state)

    @contextmanager
    def open_utf8(
        self, start: int = 0, stop: int | None = None, before: FileState | None = None
    ) -> Iterator[Utf8Reader]:
        """Open the text from character `start` up to `stop` as UTF-8; it is always in the state `before`."""
        del before
        state = ReadingState()
        yield PieceReader(_encoded(iter_chunks(self.text, start, stop), start, state), state)

    def _counted(self, state: ReadingState) -> Iterator[str]:
        for chunk in self.chunks():
            state.done += TextDocument(chunk).size()
            yield chunk


def _encoded(chunks: Iterator[str], offset: int, state: ReadingState) -> Iterator[bytes]:
    for _chunk, data in encode_chunks(chunks, offset):
        state.done += len(data)
        yield data


@checks_arguments(CorpusError)
@dataclass(frozen=True, slots=True)
class FileDocument(TextFile):
    """A file of text or of records, by its name: Parquet or JSON Lines, whose column or field `field` has the texts.

    With `skip_bad_lines`, records without a text are left out instead of being an error. All files are decompressed as
    their names say, and read again each time. The rest is as in `TextFile`.
    """

    field: str = USUAL_FIELD
    skip_bad_lines: bool = False

    @property
    def holds_counts(self) -> bool:
        """Whether the file has counts of words, as `WordCounts.save` writes them, instead of text."""
        return is_counts_file(self.path)

    def chunks(self, state: ReadingState | None = None) -> Iterator[str]:
        """Yield the text in chunks, with a line feed after each record, and keep `state` up to date.

        Raise CorpusError; of it BadRecordError, or UndecodableFileError with the offset of the invalid byte.
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
    def open_records(
        self, start: int = 0, stop: int | None = None, before: FileState | None = None
    ) -> Iterator[Records]:
        """Open the records from `start` up to `stop`: row groups of Parquet, or bytes of JSON Lines.

        `before` is the expected state of the file, if known. Raise CorpusError.
        """
        if self.holds_counts:
            raise CorpusError(
                _("EngineError", "{path} contains word counts, not text. You can train on it, but not read it."),
                path=self.name,
            )
        field, skips = self.field, self.skip_bad_lines
        with self.open_binary() as file:
            if self.kind.content == PARQUET:
                yield ParquetRows(self, file, field, skips=skips, start=start, stop=stop, before=before)
            elif self.is_utf8:
                reader = FileReader(self, file, start, stop, before)
                yield JsonLines(self, reader, field, skips=skips, start=start)
            else:
                state = ReadingState()
                yield JsonLines(self, string_reader(self.decoded(state), state), field, skips=skips)

    @contextmanager
    def open_utf8(
        self, start: int = 0, stop: int | None = None, before: FileState | None = None
    ) -> Iterator[Utf8Reader]:
        """Open the content, as in `open_records`, as UTF-8 with a mark after each record. Raise CorpusError."""
        if self.has_records:
            with self.open_records(start, stop, before) as records:
                yield RecordReader(records)
        elif self.is_utf8:
            with self.open_binary() as file:
                yield FileReader(self, file, start, stop, before)
        else:
            state = ReadingState()
            yield string_reader(self.chunks(state), state)


Document = TextDocument | FileDocument
