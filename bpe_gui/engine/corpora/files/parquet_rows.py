"""Read texts from a column of a Parquet file, some rows at a time."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.errors import BadRecordError, CorpusError, UndecodableFileError
from bpe_gui.engine.runtime.errors import translatable as _

from .decompression import BinaryFile, import_pyarrow, reading
from .kinds import PARQUET
from .text_file import FileState, ReadingState, TextFile

_BATCH: Final = 1 << 20
"""Bytes of text that are read at a time, about."""

_MOST_BYTES: Final = 1 << 28
"""Bytes of text that are read at a time at the most, unless one row is larger."""

_MOST_ROWS: Final = 1 << 16
_BUFFER: Final = 1 << 20  # bytes of the file that are read at a time
_MOST_COLUMNS: Final = 30
"""The columns that an error names."""

_PAGE_HEADER: Final = 64
"""Bytes in which the size of a dictionary is, at the beginning of its page."""


class ParquetRows:
    """The texts in the column `field` of an open file, of the row groups from `start` up to `stop`.

    Rows without text (null) are an error, or left out if it `skips`. `before` is the expected state of the file, if
    known. Raises CorpusError.
    """

    def __init__(
        self,
        file: TextFile,
        opened: BinaryFile,
        field: str,
        *,
        skips: bool,
        start: int = 0,
        stop: int | None = None,
        before: FileState | None = None,
    ) -> None:
        self.state = ReadingState()
        self._file = file
        self._opened = opened
        self._field = field
        self._skips = skips
        self._pyarrow = import_pyarrow(PARQUET)
        with self._reading():
            self._before = before or file.state_of(opened)
            self._parquet = open_parquet(opened)
            self._check_column()
            groups = self._parquet.metadata.num_row_groups
        self._groups = range(start, groups if stop is None else min(stop, groups))
        self._rows = sum(self._rows_in(group) for group in range(start))  # that come before

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""
        self._file.check_unchanged(self._before, self._file.state_of(self._opened), self._before.size or 0)

    def batches(self) -> Iterator[Any]:
        """Yield the texts of some rows at a time. Raise CorpusError."""
        size, rows = self._before.size or 0, max(1, self._parquet.metadata.num_rows)
        first = self._rows
        for group in self._groups:
            with self._reading():
                batches = self._parquet.iter_batches(
                    self._rows_at_once(group), row_groups=[group], columns=[self._field], use_threads=False
                )
            while (batch := self._next(batches)) is not None:
                yield self._checked(batch.column(0))
                self._rows += len(batch)
                self.state.done = size * (self._rows - first) // rows

    def _next(self, batches: Iterator[Any]) -> Any | None:
        with self._reading():
            return next(batches, None)

    def _reading(self) -> AbstractContextManager[None]:
        return reading(self._file.name, PARQUET)

    def _rows_in(self, group: int) -> int:
        return int(self._parquet.metadata.row_group(group).num_rows)

    # -- the size of a batch ------------------------------------------------------------------------------------------

    def _rows_at_once(self, group: int) -> int:
        """Return how many rows to read at a time. Raise CorpusError for a group that memory cannot hold."""
        column = self._column_of(group)
        size = column.total_uncompressed_size
        if size > memory.available():
            raise CorpusError(
                _(
                    "EngineError",
                    "{path}: row group {group:,} has {size:,} MB of text, but only {available:,} MB of memory are "
                    "free. Write the file with smaller row groups.",
                ),
                path=self._file.name,
                group=group + 1,
                size=round(size / 1e6),
                available=round(memory.available() / 1e6),
            )
        usual = _BATCH * self._rows_in(group) // max(size, 1)
        # A text that is in the dictionary once may be in any number of rows.
        return int(max(1, min(usual, _MOST_ROWS, _MOST_BYTES // max(self._dictionary_size(column), 1))))

    def _column_of(self, group: int) -> Any:
        row_group = self._parquet.metadata.row_group(group)
        columns = (row_group.column(index) for index in range(row_group.num_columns))
        return next(column for column in columns if column.path_in_schema.split(".")[0] == self._field)

    def _dictionary_size(self, column: Any) -> int:
        """Return the bytes of the texts that rows refer to by number; 0 if the rows have their texts themselves."""
        if not column.has_dictionary_page:
            return 0
        self._opened.seek(column.dictionary_page_offset)
        header = self._opened.read(_PAGE_HEADER) or b""
        return _uncompressed_size(header)

    # -- checks -------------------------------------------------------------------------------------------------------

    def _check_column(self) -> None:
        """Raise BadRecordError if there is no such column, or if it is not text; CorpusError if no column is."""
        schema = self._parquet.schema_arrow
        fields = tuple(text_columns(schema)[:_MOST_COLUMNS])
        if not fields:
            raise CorpusError(
                _("EngineError", "{path} has no column with text. Its columns are {columns}."),
                path=self._file.name,
                columns=tuple(schema.names[:_MOST_COLUMNS]),
            )
        if self._field in schema.names and not _is_text(schema.field(self._field).type):
            raise BadRecordError(
                _(
                    "EngineError",
                    "{path}: the column {field!r} is {reason}, not text. Columns with text: {fields}.",
                ),
                path=self._file.name,
                text_fields=fields,
                field=self._field,
                reason=str(schema.field(self._field).type),
                fields=fields,
            )
        if self._field not in schema.names:
            raise BadRecordError(
                _("EngineError", "{path} has no column {field!r}. Columns with text: {fields}."),
                text_fields=fields,
                path=self._file.name,
                field=self._field,
                fields=fields,
            )

    def _checked(self, texts: Any) -> Any:
        """Return texts that are valid and without null. Raise CorpusError for others."""
        if texts.null_count:
            if not self._skips:
                raise BadRecordError(
                    _("EngineError", "{path}, row {row:,}: the column {field!r} is null, not text."),
                    path=self._file.name,
                    row=self._rows + texts.is_null().index(True).as_py() + 1,
                    field=self._field,
                )
            self.state.skipped += texts.null_count
            texts = texts.drop_null()
        texts = texts.cast(self._pyarrow.large_string())
        try:
            texts.validate(full=True)
        except self._pyarrow.ArrowInvalid:
            return self._replaced(texts)
        return texts

    def _replaced(self, texts: Any) -> Any:
        """Return texts with U+FFFD for what is not valid. Raise UndecodableFileError unless that was asked for."""
        encoded = texts.cast(self._pyarrow.large_binary()).to_pylist()
        if not self._file.replace_invalid:
            row = next(index for index, text in enumerate(encoded) if "\ufffd" in text.decode(errors="replace"))
            raise UndecodableFileError(
                _("EngineError", "{path}, row {row:,}: the text is not valid UTF-8. Replace invalid bytes to read it."),
                path=self._file.name,
                row=self._rows + row + 1,
            )
        return self._pyarrow.array([text.decode(errors="replace") for text in encoded], self._pyarrow.large_string())


def open_parquet(opened: BinaryFile) -> Any:
    """Return an open file as a Parquet file of pyarrow, which reads it in pieces."""
    pyarrow = import_pyarrow(PARQUET)
    from pyarrow import parquet

    return parquet.ParquetFile(pyarrow.PythonFile(opened, "r"), buffer_size=_BUFFER, pre_buffer=False)


def text_columns(schema: Any) -> list[str]:
    """Return the names of the columns that contain text."""
    return [field.name for field in schema if _is_text(field.type)]


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _uncompressed_size(header: bytes) -> int:
    """Return the second number in the header of a page, as Thrift's compact protocol writes it: the size of the page.

    >>> _uncompressed_size(bytes([0x15, 0x04, 0x15, 0x80, 0x02, 0x15]))
    128
    """
    at, number = 0, 0
    for _field in range(2):
        at, number, shift = at + 1, 0, 0  # after the byte that says which field and type it is
        while at < len(header):
            number |= (header[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if header[at - 1] < 0x80:
                break
    return (number >> 1) ^ -(number & 1)
