"""Read texts from JSON Lines: in blocks by pyarrow, and line by line where a block has a line that is not usual."""

import json
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.runtime.errors import BadRecordError, CorpusError, EngineError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.utf8 import check_surrogates

from .decompression import import_pyarrow, reading
from .text_file import TextFile
from .utf8_reader import Utf8Reader

_BLOCK: Final = 1 << 20
"""Bytes that are parsed at a time; more where a line is longer."""

_MOST_BYTES: Final = 1 << 27
"""The longest line that is read."""

_UNUSUAL_LINE_STARTS: Final = (b"\n\n", b"\n\r", b"\n ", b"\n\t")

_MOST_FIELDS: Final = 30
"""The fields that an error names."""

_NAMES_OF_TYPES: Final = {type(None): "null", bool: "boolean", int: "number", float: "number", list: "array"}


class JsonLines:
    """The texts in `field` of the lines of a file. Lines without such a text are an error, or left out if it `skips`.

    `start` is the offset in the file at which `reader` starts.
    """

    def __init__(self, file: TextFile, reader: Utf8Reader, field: str, *, skips: bool, start: int = 0) -> None:
        self.state = reader.state
        self._file = file
        self._reader = reader
        self._field = field
        self._skips = skips
        self._start = start
        self._lines = 0  # that were parsed
        self._pyarrow = import_pyarrow("JSON Lines")

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""
        self._reader.finish()

    def batches(self) -> Iterator[Any]:
        """Yield the texts of some lines at a time. Raise CorpusError."""
        for block, end in self._blocks():
            lines = block.count(b"\n", 0, end) + (end > 0 and block[end - 1] != ord("\n"))
            texts = self._parsed(block, end, lines)
            yield self._parsed_line_by_line(block[:end]) if texts is None else texts
            self._lines += lines

    def _blocks(self) -> Iterator[tuple[bytearray, int]]:
        """Yield a buffer, which is used again, and the end of the whole lines in it."""
        buffer = bytearray(_BLOCK + PADDING)
        filled = checked = 0
        is_last = False
        while not is_last:
            capacity = len(buffer) - PADDING
            filled += self._reader.read_into(memoryview(buffer)[filled:capacity])
            is_last = filled < capacity
            buffer[filled : filled + PADDING] = bytes(PADDING)
            checked = self._reader.check(np.frombuffer(buffer, np.uint8), checked, filled, is_last)
            end = filled if is_last else buffer.rfind(b"\n", 0, filled) + 1
            if end:
                yield buffer, end
                buffer[: filled - end] = buffer[end:filled]
                filled, checked = filled - end, checked - end
            elif not is_last:
                buffer = self._doubled(buffer, filled)

    def _doubled(self, buffer: bytearray, filled: int) -> bytearray:
        if filled >= _MOST_BYTES:
            raise CorpusError(
                _(
                    "EngineError",
                    "{path}, line {line:,} is longer than {most:,} bytes, which is the limit.",
                ),
                path=self._file.name,
                line=self._line_number(0),
                most=_MOST_BYTES,
            )
        doubled = bytearray(2 * filled + PADDING)
        doubled[:filled] = buffer[:filled]
        return doubled

    def _parsed(self, block: bytearray, end: int, lines: int) -> Any | None:
        """Return the texts of a block; None if any line of it has none or is not usual.

        To pyarrow, a line is what one object is, wherever lines end.
        """
        if any(block.find(unusual, 0, end) >= 0 for unusual in _UNUSUAL_LINE_STARTS):
            return None
        from pyarrow import json as arrow_json

        pyarrow = self._pyarrow
        source = pyarrow.BufferReader(pyarrow.py_buffer(memoryview(block)[:end]))
        schema = pyarrow.schema([(self._field, pyarrow.string())])
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
        for number, line in enumerate(block.split(b"\n")):
            if not line.strip():
                continue
            try:
                texts.append(self._text_of(line, number))
            except BadRecordError:
                if not self._skips:
                    raise
                self.state.skipped += 1
        return self._pyarrow.array(texts, self._pyarrow.large_string())

    def _text_of(self, line: bytearray, number: int) -> str:
        """Return the text of a line, which is line `number` of the block. Raise BadRecordError."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._error(
                _("EngineError", "{path}, line {line:,} is not JSON: {reason}."), number, reason=error
            ) from None
        if not isinstance(record, dict):
            raise self._error(
                _("EngineError", "{path}, line {line:,} is not a JSON object: {reason}."), number, reason=record
            )
        text = record.get(self._field)
        if isinstance(text, str):
            return self._without_surrogates(text, number)
        if not record:
            raise self._error(
                _("EngineError", "{path}, line {line:,} has no field {field!r}: its object is empty."),
                number,
                field=self._field,
            )
        fields = tuple(sorted(record, key=lambda name: _text_size(record[name]), reverse=True)[:_MOST_FIELDS])
        if self._field not in record:
            raise self._error(
                _("EngineError", "{path}, line {line:,} has no field {field!r}, only {fields}."),
                number,
                text_fields=fields,
                field=self._field,
                fields=fields,
            )
        raise self._error(
            _("EngineError", "{path}, line {line:,}: the field {field!r} is not text. Its type is {reason}."),
            number,
            text_fields=tuple(name for name in fields if isinstance(record[name], str)),
            field=self._field,
            reason=_NAMES_OF_TYPES.get(type(text), "object"),
        )

    def _without_surrogates(self, text: str, number: int) -> str:
        try:
            check_surrogates(text)
        except EngineError as error:
            if self._file.replace_invalid:
                return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            raise self._error(_("EngineError", "{path}, line {line:,}: {reason}"), number, reason=error) from error
        return text

    def _error(
        self, template: str, number: int, *, text_fields: tuple[str, ...] = (), **values: object
    ) -> BadRecordError:
        """Return an error about line `number` of the block."""
        line = self._line_number(number)
        return BadRecordError(template, text_fields=text_fields, path=self._file.name, line=line, **values)

    def _line_number(self, number: int) -> int:
        """Return the number in the file of line `number` of the block, counted from 1."""
        return self._lines_before() + self._lines + number + 1

    def _lines_before(self) -> int:
        """Return how many lines come before this part of the file."""
        if not self._start:
            return 0
        lines, left = 0, self._start
        with self._file.open_binary() as file, reading(self._file.name, None):
            while chunk := file.read(min(left, _BLOCK)):
                lines += chunk.count(b"\n")
                left -= len(chunk)
        return lines


def _text_size(value: object) -> int:
    """Return the size of a text in characters, or -1 for what is not one: the longest is what people look for."""
    return len(value) if isinstance(value, str) else -1
