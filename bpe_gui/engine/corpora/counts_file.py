"""Write counts of words to Parquet files and read them, a batch of rows at a time.

A file has the columns `word` (binary, UTF-8), `count` (int64) and `first_seen` (int64), the position in the corpus at
which the word was first seen. Rows are sorted by it. The metadata has `CountsFacts` as JSON.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.runtime.errors import CorpusError, EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import is_there, open_file, reason_of, unreadable, write_files
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, Progress, UInt8Array

from .counts_facts import MAX_BYTES, CountsFacts, too_large_error
from .text_files import PARQUET, damaged_file_error, import_pyarrow
from .word_arrays import WordArrays, concatenated

SUFFIX: Final = ".parquet"

_KEY: Final = b"bpe_gui.word_counts"
_MAGIC: Final = b"PAR1"
_LARGEST_FOOTER: Final = 1 << 26  # bytes searched for the key
_BATCH_WORDS: Final = 1 << 17
_BATCH_BYTES: Final = 1 << 25
_COLUMNS: Final = {"word": "binary", "count": "int64", "first_seen": "int64"}

_logger: Final = logging.getLogger(__name__)


def is_counts_file(path: Path) -> bool:
    """Return whether a file contains word counts; False if it cannot be read. This does not need pyarrow."""
    if path.suffix.lower() != SUFFIX:
        return False
    try:
        with open_file(path) as file:
            end = file.seek(0, 2)
            file.seek(max(0, end - 8))
            tail = file.read(8)
            size = int.from_bytes(tail[:4], "little")
            if tail[4:] != _MAGIC or not 0 < size <= min(_LARGEST_FOOTER, end - 8):
                return False
            file.seek(end - 8 - size)
            return _KEY in file.read(size)
    except EngineError:
        _logger.debug("%s cannot be examined", path.name, exc_info=True)
        return False


def check_can_write(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise EngineError if counts of `inputs` cannot be written to `path`, before they are counted."""
    _check_suffix(path)
    if is_there(path) and any(is_there(each) and each.samefile(path) for each in inputs):
        raise input_error(path)
    try:
        import tempfile  # imported late, because it imports `random`

        with tempfile.TemporaryFile(dir=path.absolute().parent):
            pass
    except OSError as error:
        raise FormatError("{path} cannot be written: {reason}.", path=path, reason=reason_of(error)) from error


def input_error(path: Path) -> CorpusError:
    """Return the error for an output that is also an input, which writing would destroy."""
    return CorpusError("{path} is one of the inputs. Write the counts to another file.", path=path)


def _check_suffix(path: Path) -> None:
    """Raise EngineError if `path` does not end in .parquet, or pyarrow is not installed."""
    if path.suffix.lower() != SUFFIX:
        raise CorpusError(
            "{path}: word counts are written to a Parquet file. Use a name that ends in .parquet.", path=path
        )
    _parquet()


def write_counts(path: Path, facts: CountsFacts, pieces: Iterable[WordArrays]) -> "Written":
    """Write words, which come in first-seen order. Raise EngineError without changing anything."""
    _check_suffix(path)
    written = Written(facts.skipped)
    write_files({path: lambda file: _write(file, facts, pieces, written)})
    _logger.info("Wrote %s: %d words", path.name, written.unique)
    return written


class Written:
    """How many words were written, unique and in total, and how many records were left out."""

    def __init__(self, skipped: int) -> None:
        self.skipped = skipped
        self.unique = 0
        self.total = 0
        self._bytes = 0.0

    def add(self, words: WordArrays) -> None:
        """Add a piece. Raise CorpusError if all words together, with repetitions, have too many bytes."""
        self.unique += len(words)
        self.total += int(words.frequencies.sum())
        self._bytes += words.bytes_counted
        if self._bytes >= MAX_BYTES:
            raise too_large_error()


def _write(file: BinaryIO, facts: CountsFacts, pieces: Iterable[WordArrays], written: Written) -> None:
    arrow, parquet = _parquet()
    schema = arrow.schema([arrow.field(name, getattr(arrow, kind)(), False) for name, kind in _COLUMNS.items()])
    schema = schema.with_metadata({_KEY: facts.to_json().encode()})
    encodings = dict.fromkeys(("count", "first_seen"), "DELTA_BINARY_PACKED")
    options = {"compression": "zstd", "use_dictionary": False, "column_encoding": encodings}
    writer = parquet.ParquetWriter(file, schema, write_page_checksum=True, **options)
    try:
        for piece in pieces:
            for first, stop in _batches(piece):
                writer.write_batch(_batch(arrow, schema, piece, first, stop))
            written.add(piece)
    except BaseException:
        writer.is_open = False  # if the disk is full, writing the footer would only fail again
        raise
    writer.close()


def _batches(words: WordArrays) -> Iterator[tuple[int, int]]:
    """Yield ranges of words to write together. Their text has a limited size unless it is a single word."""
    first = 0
    while first < len(words):
        limit = int(words.starts[first]) + _BATCH_BYTES
        fitting = int(np.searchsorted(words.starts, limit, "right")) - 1
        stop = max(first + 1, min(fitting, first + _BATCH_WORDS, len(words)))
        if int(words.starts[stop] - words.starts[first]) >= 1 << 31:
            raise CorpusError("A word has more than {most:,} bytes, too many for a file.", most=(1 << 31) - 1)
        yield first, stop
        first = stop


def _batch(arrow: Any, schema: Any, words: WordArrays, first: int, stop: int) -> Any:
    starts = words.starts[first : stop + 1]
    offsets = arrow.py_buffer((starts - starts[0]).astype(np.int32))
    text = arrow.py_buffer(words.text[int(starts[0]) : int(starts[-1])])
    columns = [
        arrow.Array.from_buffers(arrow.binary(), stop - first, [None, offsets, text]),
        arrow.array(words.frequencies[first:stop]),
        arrow.array(words.first_seen[first:stop]),
    ]
    return arrow.RecordBatch.from_arrays(columns, schema=schema)


# -- reading ------------------------------------------------------------------------------------------------------


class _RowError(CorpusError):
    """A row, counted from 0, is wrong: `template` goes on after the path and the number of the row, from 1."""

    def __init__(self, template: str, path: Path, row: int, **values: object) -> None:
        reason = EngineError(template, **values)
        super().__init__(_("", "{path}, row {row:,}: {reason}"), path=path, row=row + 1, reason=reason)


class CountsFile:
    """A counts file that is open for reading: its facts, and its words in batches."""

    def __init__(self, path: Path, file: Any) -> None:
        self.path = path
        self._file = file
        self.facts = self._read_facts()
        self._check_columns()
        self.words = int(file.metadata.num_rows)
        """The number of unique words."""

    def _read_facts(self) -> CountsFacts:
        metadata = self._file.metadata.metadata or {}
        if _KEY not in metadata:
            raise CorpusError(
                "{path} is a Parquet file, but not a counts file: its metadata lacks {key}. Create a counts file with "
                "`bpe-gui count`.",
                path=self.path,
                key=_KEY.decode(),
            )
        try:
            return CountsFacts.from_json(self.path, metadata[_KEY].decode())
        except UnicodeDecodeError as error:
            raise damaged_file_error(self.path, "Parquet", error) from error

    def _check_columns(self) -> None:
        schema = self._file.schema_arrow
        kinds = dict(zip(schema.names, map(str, schema.types), strict=True))
        for name, kind in _COLUMNS.items():
            if name not in kinds:
                raise CorpusError(
                    "{path} has no column {name}. The columns of a counts file are word (binary), count (int64) and "
                    "first_seen (int64).",
                    path=self.path,
                    name=name,
                )
            if kinds[name] != kind:
                raise CorpusError(
                    "{path}: the column {name} must have the type {kind}, not {found}. The columns of a counts file "
                    "are word (binary), count (int64) and first_seen (int64).",
                    path=self.path,
                    name=name,
                    kind=kind,
                    found=kinds[name],
                )

    def batches(self, progress: Progress | None = None) -> Iterator[WordArrays]:
        """Yield the words in batches, checked except for words that occur twice.

        `progress` is called with the rows read and in total. Raise CorpusError with the number of the row, from 1.
        """
        row, last = 0, -1
        with _errors_naming(self.path):
            for batch in self._file.iter_batches(_BATCH_WORDS // 2, columns=list(_COLUMNS)):
                words = self._checked(batch, row, last)
                if len(words):
                    row, last = row + len(words), int(words.first_seen[-1])
                    yield words
                if progress:
                    progress(row, self.words)

    def _checked(self, batch: Any, row: int, last: int) -> WordArrays:
        for name, column in zip(_COLUMNS, batch.columns, strict=True):
            if column.null_count:
                empty = column.is_null().to_numpy(zero_copy_only=False)
                raise _RowError("{name} is empty (null).", self.path, row + _first(empty), name=name)
        column, *numbers = batch.columns
        counts, first_seen = (np.array(each.to_numpy(zero_copy_only=False), np.int64) for each in numbers)
        starts, text = _text_of(column)
        self._check_text(starts, text, row)
        if (counts < 1).any():
            at = _first(counts < 1)
            raise _RowError("the count is {count}. It must be at least 1.", self.path, row + at, count=int(counts[at]))
        is_late = np.diff(first_seen, prepend=last) <= 0
        if is_late.any():
            raise _RowError(
                "first_seen must be larger than in the previous row, and at least 0. Rows are in the order in which "
                "words were first seen.",
                self.path,
                row + _first(is_late),
            )
        return WordArrays(text, starts, counts, first_seen)

    def _check_text(self, starts: Int64Array, text: UInt8Array, row: int) -> None:
        sizes = np.diff(starts)
        if (sizes < 1).any():
            raise _RowError("the word is empty.", self.path, row + _first(sizes < 1))
        try:
            text[: starts[-1]].tobytes().decode()
            invalid = _first((text[starts[:-1]] & 0xC0) == 0x80)
        except UnicodeDecodeError as error:
            invalid = int(np.searchsorted(starts, error.start, "right")) - 1
        if invalid < len(sizes):
            raise _RowError("the word is not valid UTF-8.", self.path, row + invalid)

    def read(self, progress: Progress | None = None) -> WordArrays:
        """Return all words. Raise CorpusError as `batches` does, and for a word that occurs twice."""
        words = concatenated(self.batches(progress))
        if words.bytes_counted >= MAX_BYTES:
            raise CorpusError(
                "{path}: the counts are too large. All words together can have at most {most:,} bytes.",
                path=self.path,
                most=MAX_BYTES,
            )
        self.check_different(repeated_numbers(words.hashes()))
        return words

    def check_different(self, repeated: Int64Array) -> None:
        """Raise CorpusError, with the row, if a word whose hash is among `repeated` occurs twice."""
        rows: dict[bytes, int] = {}
        row = 0
        for words in self.batches() if len(repeated) else ():
            for index in np.flatnonzero(np.isin(words.hashes(), repeated)).tolist():
                word = words.text[words.starts[index] : words.starts[index + 1]].tobytes()
                if word in rows:
                    first = rows[word] + 1
                    raise _RowError(
                        "the word {word!r} already occurs in row {first:,}.",
                        self.path,
                        row + index,
                        word=word.decode(),
                        first=first,
                    )
                rows[word] = row + index
            row += len(words)


@contextmanager
def open_counts(path: Path) -> Iterator[CountsFile]:
    """Open a counts file. Raise CorpusError if it is not one, or is damaged."""
    _arrow, parquet = _parquet()
    with open_file(path) as file, _errors_naming(path):
        yield CountsFile(path, parquet.ParquetFile(file, page_checksum_verification=True))


def _text_of(column: Any) -> tuple[Int64Array, UInt8Array]:
    """Return the offsets of a column's words, and a padded copy of their text."""
    _validity, offsets, data = column.buffers()
    starts = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1].astype(np.int64)
    size = int(starts[-1] - starts[0])
    text = np.zeros(size + PADDING, np.uint8)
    if size:
        text[:size] = np.frombuffer(data, np.uint8)[int(starts[0]) : int(starts[-1])]
    return starts - starts[0], text


def repeated_numbers(numbers: Int64Array) -> Int64Array:
    """Return the numbers that occur more than once, in ascending order.

    >>> repeated_numbers(np.array([7, 3, 9, 3])).tolist()
    [3]
    """
    ascending = np.sort(numbers)  # several times as fast as finding their indices too
    return np.unique(ascending[1:][ascending[1:] == ascending[:-1]])


def _first(is_found: BoolArray) -> int:
    """Return the index of the first true value, or the length if there is none."""
    return int(np.argmax(is_found)) if is_found.any() else len(is_found)


@contextmanager
def _errors_naming(path: Path) -> Iterator[None]:
    """Turn errors of pyarrow and the system into errors that name the file."""
    try:
        yield
    except EngineError:
        raise
    except OSError as error:
        if error.errno is None:  # pyarrow's own
            raise damaged_file_error(path, "Parquet", error) from error
        raise unreadable(path, error) from error
    except Exception as error:
        arrow, _parquet_module = _parquet()
        if isinstance(error, arrow.ArrowException | ValueError | OverflowError):
            raise damaged_file_error(path, "Parquet", error) from error
        raise


def _parquet() -> tuple[Any, Any]:
    """Return the modules that read and write Parquet. Raise CorpusError if they are not installed."""
    pyarrow = import_pyarrow(PARQUET)
    from pyarrow import parquet

    return pyarrow, parquet
