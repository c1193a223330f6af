"""Files of many texts: JSON Lines and Parquet.

Records are read as UTF-8 with a mark after each, which nothing merges across. Lists of texts and small files are read
the same way.
"""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.errors import BadRecordError, CorpusError, EngineError, UndecodableFileError
from bpe_gui.engine.text.special_tokens import TEXT_END
from bpe_gui.engine.text.utf8 import check_surrogates

from .text_files import (
    PARQUET,
    WHOLE,
    BinaryFile,
    Part,
    PieceReader,
    ReadingState,
    TextFile,
    Utf8Reader,
    import_pyarrow,
    reading,
)

RECORD_END: Final = TEXT_END
"""The mark after each record."""


class Records(Protocol):
    """The texts of an open file, read once from start to end. It keeps `state` up to date."""

    state: ReadingState

    def batches(self) -> Iterator[Any]:
        """Yield the texts in batches: arrays of pyarrow's type `large_string`, without null. Raise CorpusError."""

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""


_BLOCK: Final = 1 << 20
"""Bytes parsed at a time; more if a line is longer."""

_LONGEST_LINE: Final = 1 << 27
"""The longest line that is read, in bytes."""

_UNUSUAL_LINE_STARTS: Final = (b"\n\n", b"\n\r", b"\n ", b"\n\t")

_MAX_FIELDS: Final = 30
"""The most fields that an error names."""

_NAMES_OF_TYPES: Final = {type(None): "null", bool: "boolean", int: "number", float: "number", list: "array"}

_BATCH: Final = 1 << 20
"""About how many bytes of text are read at a time."""

_LARGEST_BATCH: Final = 1 << 28
"""The most bytes of text read at a time, unless a single row is larger."""

_MAX_ROWS: Final = 1 << 16
_BUFFER: Final = 1 << 20  # bytes of the file read at a time
_MAX_COLUMNS: Final = 30
"""The most columns that an error names."""

_PAGE_HEADER: Final = 64
"""Bytes to read at the start of a dictionary page, enough to include its size."""


class RecordReader(PieceReader):
    """A reader of records as UTF-8, with `RECORD_END` after each."""

    def __init__(self, records: Records) -> None:
        super().__init__(self._marked(), records.state)
        self._records = records

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""
        self._records.finish()

    def _marked(self) -> Iterator[bytes | memoryview]:
        import pyarrow  # already imported to read the records
        import pyarrow.compute as compute

        binary = pyarrow.large_binary()
        mark = pyarrow.scalar(RECORD_END, binary)
        for batch in self._records.batches():
            if not len(batch):
                continue
            whole = pyarrow.LargeListArray.from_arrays([0, len(batch)], batch.cast(binary))
            yield memoryview(compute.binary_join(whole, mark)[0].as_buffer()).cast("B")
            yield RECORD_END


@dataclass
class JsonLines:
    """The texts in the field `field` of a file's lines. A line without one is an error, or left out if `skips`.

    `start` is the offset in the file at which `reader` starts.
    """

    file: TextFile
    reader: Utf8Reader
    field: str
    skips: bool
    start: int = 0

    def __post_init__(self) -> None:
        self.state = self.reader.state
        self._lines = 0  # parsed so far
        self._pyarrow = import_pyarrow("JSON Lines")

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""
        self.reader.finish()

    def batches(self) -> Iterator[Any]:
        """Yield the texts in batches of lines. Raise CorpusError."""
        for block, end in self._blocks():
            lines = block.count(b"\n", 0, end) + (end > 0 and block[end - 1] != ord("\n"))
            texts = self._parsed(block, end, lines)
            yield self._parsed_line_by_line(block[:end]) if texts is None else texts
            self._lines += lines

    def _blocks(self) -> Iterator[tuple[bytearray, int]]:
        """Yield a buffer, which is reused, and the end of its complete lines."""
        buffer = bytearray(_BLOCK + PADDING)
        filled = checked = 0
        is_last = False
        while not is_last:
            capacity = len(buffer) - PADDING
            filled += self.reader.read_into(memoryview(buffer)[filled:capacity])
            is_last = filled < capacity
            buffer[filled : filled + PADDING] = bytes(PADDING)
            checked = self.reader.check(np.frombuffer(buffer, np.uint8), checked, filled, is_last)
            end = filled if is_last else buffer.rfind(b"\n", 0, filled) + 1
            if end:
                yield buffer, end
                buffer[: filled - end] = buffer[end:filled]
                filled, checked = filled - end, checked - end
            elif not is_last:
                buffer = self._doubled(buffer, filled)

    def _doubled(self, buffer: bytearray, filled: int) -> bytearray:
        if filled >= _LONGEST_LINE:
            raise CorpusError(
                "{path}, line {line:,} is longer than {most:,} bytes, which is the limit.",
                **self._where(0),
                most=_LONGEST_LINE,
            )
        doubled = bytearray(2 * filled + PADDING)
        doubled[:filled] = buffer[:filled]
        return doubled

    def _parsed(self, block: bytearray, end: int, lines: int) -> Any | None:
        """Return the texts of a block; None if any line has no text or is unusual.

        pyarrow separates records where objects end, not where lines do.
        """
        if any(block.find(unusual, 0, end) >= 0 for unusual in _UNUSUAL_LINE_STARTS):
            return None
        from pyarrow import json as arrow_json

        pyarrow = self._pyarrow
        source = pyarrow.BufferReader(pyarrow.py_buffer(memoryview(block)[:end]))
        schema = pyarrow.schema([(self.field, pyarrow.string())])
        try:
            table = arrow_json.read_json(
                source,
                read_options=arrow_json.ReadOptions(use_threads=False, block_size=end + 1),
                parse_options=arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
            )
        except pyarrow.ArrowException:
            return None
        texts = table.column(0)
        if len(texts) != lines or texts.null_count:
            return None
        return texts.cast(pyarrow.large_string()).combine_chunks()

    def _parsed_line_by_line(self, block: bytearray) -> Any:
        texts: list[str] = []
        left_out, blank = list[int](), list[int]()
        for number, line in enumerate(block.removesuffix(b"\n").split(b"\n")):
            if not line.strip():
                blank.append(self._lines + number + 1)
                continue
            try:
                texts.append(self._text_of(line, number))
            except BadRecordError:
                if not self.skips:
                    raise
                left_out.append(self._lines + number + 1)
        self.state.skipped += len(left_out)
        if left_out or blank:
            self.file.leave_out(self.start, left_out, blank)
        return self._pyarrow.array(texts, self._pyarrow.large_string())

    def _text_of(self, line: bytearray, number: int) -> str:
        """Return the text of a line, which is line `number` of the block. Raise BadRecordError."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            where = self._where(number)
            raise BadRecordError("{path}, line {line:,} is not JSON: {reason}.", **where, reason=error) from None
        if not isinstance(record, dict):
            where = self._where(number)
            raise BadRecordError("{path}, line {line:,} is not a JSON object: {reason}.", **where, reason=record)
        text = record.get(self.field)
        if isinstance(text, str):
            return self._without_surrogates(text, number)
        if not record:
            raise BadRecordError(
                "{path}, line {line:,} has no field {field!r}: its object is empty.",
                **self._where(number),
                field=self.field,
            )
        fields = tuple(sorted(record, key=lambda name: _text_size(record[name]), reverse=True)[:_MAX_FIELDS])
        if self.field not in record:
            raise BadRecordError(
                "{path}, line {line:,} has no field {field!r}, only {fields}.",
                **self._where(number),
                text_fields=fields,
                field=self.field,
                fields=fields,
            )
        raise BadRecordError(
            "{path}, line {line:,}: the field {field!r} is not text. Its type is {reason}.",
            **self._where(number),
            text_fields=tuple(name for name in fields if isinstance(record[name], str)),
            field=self.field,
            reason=_NAMES_OF_TYPES.get(type(text), "object"),
        )

    def _without_surrogates(self, text: str, number: int) -> str:
        try:
            check_surrogates(text)
        except EngineError as error:
            if self.file.replace_invalid:
                return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            raise BadRecordError("{path}, line {line:,}: {reason}", **self._where(number), reason=error) from error
        return text

    def _where(self, number: int) -> dict[str, Any]:
        """Return the file's name, and the number in it of line `number` of the block, from 1, for an error."""
        line, left = self._lines + number + 1, self.start
        if left:  # count the lines before this part of the file
            with self.file.open_binary() as file, reading(self.file.name, None):
                while chunk := file.read(min(left, _BLOCK)):
                    line += chunk.count(b"\n")
                    left -= len(chunk)
        return {"path": self.file.name, "line": line}


def _text_size(value: object) -> int:
    """Return the length of a text, or -1 for any other value, to sort by: people usually want the longest text."""
    return len(value) if isinstance(value, str) else -1


@dataclass
class ParquetRows:
    """The texts in the column `field` of an open file, in some of its row groups.

    A row without text (null) is an error, or left out if `skips`. Raises CorpusError.
    """

    file: TextFile
    opened: BinaryFile
    field: str
    skips: bool
    part: Part = WHOLE

    def __post_init__(self) -> None:
        start, stop, before = self.part
        self.state = ReadingState()
        self._pyarrow = import_pyarrow(PARQUET)
        with self._reading():
            self._before = before or self.file.state_of(self.opened)
            self._parquet = open_parquet(self.opened)
            self._check_column()
            groups = self._parquet.metadata.num_row_groups
        self._groups = range(start, groups if stop is None else min(stop, groups))
        self._rows = sum(self._rows_in(group) for group in range(start))  # rows before the next batch

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""
        self.file.check_unchanged(self._before, self.file.state_of(self.opened), self._before.size or 0)

    def batches(self) -> Iterator[Any]:
        """Yield the texts in batches of rows. Raise CorpusError."""
        size, rows = self._before.size or 0, max(1, self._parquet.metadata.num_rows)
        first = self._rows
        for group in self._groups:
            with self._reading():
                batches = self._parquet.iter_batches(
                    self._rows_at_once(group), row_groups=[group], columns=[self.field], use_threads=False
                )
            while (batch := self._next(batches)) is not None:
                yield self._checked(batch.column(0))
                self._rows += len(batch)
                self.state.done = size * (self._rows - first) // rows

    def _next(self, batches: Iterator[Any]) -> Any | None:
        with self._reading():
            return next(batches, None)

    def _reading(self) -> AbstractContextManager[None]:
        return reading(self.file.name, PARQUET)

    def _rows_in(self, group: int) -> int:
        return int(self._parquet.metadata.row_group(group).num_rows)

    # -- the size of a batch ------------------------------------------------------------------------------------------

    def _rows_at_once(self, group: int) -> int:
        """Return how many rows to read at a time. Raise CorpusError for a group that does not fit in memory."""
        row_group = self._parquet.metadata.row_group(group)
        columns = (row_group.column(index) for index in range(row_group.num_columns))
        column = next(column for column in columns if column.path_in_schema.split(".")[0] == self.field)
        size = column.total_uncompressed_size
        if size > memory.available():
            raise CorpusError(
                "{path}: row group {group:,} has {size:,} MB of text, but only {available:,} MB of memory are free. "
                "Write the file with smaller row groups.",
                path=self.file.name,
                group=group + 1,
                size=round(size / 1e6),
                available=round(memory.available() / 1e6),
            )
        usual = _BATCH * self._rows_in(group) // max(size, 1)
        # A text that the dictionary has once may occur in any number of rows.
        return int(max(1, min(usual, _MAX_ROWS, _LARGEST_BATCH // max(self._dictionary_size(column), 1))))

    def _dictionary_size(self, column: Any) -> int:
        """Return the size in bytes of the dictionary that the rows refer to; 0 if there is none."""
        if not column.has_dictionary_page:
            return 0
        self.opened.seek(column.dictionary_page_offset)
        header = self.opened.read(_PAGE_HEADER) or b""
        return _uncompressed_size(header)

    # -- checks -------------------------------------------------------------------------------------------------------

    def _check_column(self) -> None:
        """Raise BadRecordError if the column does not exist or is not text, CorpusError if no column is text."""
        schema = self._parquet.schema_arrow
        fields = tuple(text_columns(schema)[:_MAX_COLUMNS])
        if not fields:
            raise CorpusError(
                "{path} has no column with text. Its columns are {columns}.",
                path=self.file.name,
                columns=tuple(schema.names[:_MAX_COLUMNS]),
            )
        if self.field in schema.names and not _is_text(schema.field(self.field).type):
            raise BadRecordError(
                "{path}: the column {field!r} is {reason}, not text. Columns with text: {fields}.",
                path=self.file.name,
                text_fields=fields,
                field=self.field,
                reason=str(schema.field(self.field).type),
                fields=fields,
            )
        if self.field not in schema.names:
            raise BadRecordError(
                "{path} has no column {field!r}. Columns with text: {fields}.",
                text_fields=fields,
                path=self.file.name,
                field=self.field,
                fields=fields,
            )

    def _checked(self, texts: Any) -> Any:
        """Return the texts without nulls and invalid bytes. Raise CorpusError for these unless they may be removed."""
        if texts.null_count:
            if not self.skips:
                raise BadRecordError(
                    "{path}, row {row:,}: the column {field!r} is null, not text.",
                    path=self.file.name,
                    row=self._rows + texts.is_null().index(True).as_py() + 1,
                    field=self.field,
                )
            self.state.skipped += texts.null_count
            nulls = np.flatnonzero(texts.is_null().to_numpy(zero_copy_only=False))
            self.file.leave_out(self._groups.start, (nulls + self._rows + 1).tolist())
            texts = texts.drop_null()
        texts = texts.cast(self._pyarrow.large_string())
        try:
            texts.validate(full=True)
        except self._pyarrow.ArrowInvalid:
            return self._replaced(texts)
        return texts

    def _replaced(self, texts: Any) -> Any:
        """Return texts with U+FFFD for invalid bytes. Raise UndecodableFileError unless that was asked for."""
        encoded = texts.cast(self._pyarrow.large_binary()).to_pylist()
        if not self.file.replace_invalid:
            row = next(index for index, text in enumerate(encoded) if "\ufffd" in text.decode(errors="replace"))
            raise UndecodableFileError(
                "{path}, row {row:,}: the text is not valid UTF-8. Replace invalid bytes to read it.",
                path=self.file.name,
                row=self._rows + row + 1,
            )
        return self._pyarrow.array([text.decode(errors="replace") for text in encoded], self._pyarrow.large_string())


def open_parquet(opened: BinaryFile) -> Any:
    """Return pyarrow's reader of an open Parquet file, which reads it in pieces."""
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
    """Return the size of a page: the second number in its header, which is in Thrift's compact protocol.

    >>> _uncompressed_size(bytes([0x15, 0x04, 0x15, 0x80, 0x02, 0x15]))
    128
    """
    at, number = 0, 0
    for _field in range(2):
        at, number, shift = at + 1, 0, 0  # skip the byte with the field and its type
        while at < len(header):
            number |= (header[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if header[at - 1] < 0x80:
                break
    return (number >> 1) ^ -(number & 1)
