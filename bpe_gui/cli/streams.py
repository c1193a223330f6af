"""Read files and standard input; write results, progress and messages."""

import argparse
import codecs
import errno
import json
import logging
import os
import select
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from encodings import utf_8_sig
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO, Final, Self

from bpe_gui.engine import CorpusError, EngineError, FileDocument, FormatError
from bpe_gui.engine.corpora.documents import USUAL_FIELD
from bpe_gui.engine.corpora.file_search import find_files
from bpe_gui.engine.corpora.text_files import PARQUET, ReadingState, kind_of

MISTAKE: Final = 2
"""The exit status for a user's mistake."""

MAX_ID_LENGTH: Final = 20
"""The most digits that are read of a number; no id has that many."""

_CHUNK_BYTES: Final = 1 << 16  # bytes of standard input read at a time
_BLOCK: Final = 1 << 20  # bytes of a file whose lines are counted at a time
_NAMED_RECORDS: Final = 10  # records without a text that a message lists

_logger: Final = logging.getLogger(__name__)


# -- input -------------------------------------------------------------------------------------------------------------


class LeftOutRecords:
    """Which records of a file were left out, and which of its lines are blank."""

    def __init__(self) -> None:
        self._parts: dict[int, tuple[int, list[int]]] = {}
        """By the start of each part that one thread reads: how many records were left out, and the first numbers."""
        self.lines_without_text: deque[int] | None = None
        """The numbers of left-out and blank lines, in order; noted only if the caller sets this to a deque."""

    def add(self, start: int, numbers: Sequence[int], blank: Sequence[int]) -> None:
        """Add records that were left out; the arguments are those of `TextFile.leave_out`."""
        if self.lines_without_text is not None:
            self.lines_without_text.extend(sorted([*numbers, *blank]))
        if numbers:
            count, first = self._parts.get(start, (0, []))
            if first and numbers[0] <= first[0]:  # the part is read again
                count, first = 0, []
            self._parts[start] = count + len(numbers), [*first, *numbers][:_NAMED_RECORDS]

    def __len__(self) -> int:
        return sum(count for count, _first in self._parts.values())

    def find_first(self, document: FileDocument) -> list[int]:
        """Return the numbers of the first records that were left out of a file, whose lines are counted again."""
        numbers, before, at = set[int](), 0, 0
        for start, (_count, first) in sorted(self._parts.items()):
            if start and document.kind.content != PARQUET and len(numbers) < _NAMED_RECORDS:
                with document.open_binary() as file:  # never a pipe, since it was read in parts
                    file.seek(at)
                    while at < start and (chunk := file.read(min(start - at, _BLOCK))):
                        before, at = before + chunk.count(b"\n"), at + len(chunk)
            numbers.update(before + number for number in first)
        return sorted(numbers)[:_NAMED_RECORDS]


@dataclass(frozen=True)
class NamedFile(FileDocument):
    """A file named on the command line. With `keep_mark`, a byte-order mark of UTF-8 is kept as text."""

    keep_mark: bool = False
    left_out: LeftOutRecords = field(default_factory=LeftOutRecords, compare=False, repr=False)

    def leave_out(self, start: int, numbers: Sequence[int], blank: Sequence[int] = ()) -> None:
        """Note which records are left out."""
        self.left_out.add(start, numbers, blank)

    @property
    def is_utf8(self) -> bool:
        """Whether the bytes are read directly as UTF-8, which drops a byte-order mark."""
        return not self.keep_mark and super().is_utf8

    def _decoder(self) -> codecs.IncrementalDecoder:
        decoder = super()._decoder()
        if self.keep_mark and isinstance(decoder, utf_8_sig.IncrementalDecoder):
            return codecs.getincrementaldecoder("utf-8")(decoder.errors)
        return decoder


class StandardInput(NamedFile):
    """Standard input, which is read once, in chunks as they arrive."""

    @property
    def is_utf8(self) -> bool:
        """False: it is read as text, not as bytes."""
        return False

    def size(self) -> int:
        """Return 0: the size is not known before the end."""
        return 0

    def chunks(self, state: ReadingState | None = None) -> Iterator[str]:
        """Yield the text in chunks. Raise CorpusError, or UndecodableFileError with the byte offset."""
        del state
        if not sys.stdin:
            raise CorpusError("standard input is closed. Name a file instead of '-'.")
        if sys.stdin.isatty() and sys.stderr:
            say(f"Reading from the terminal. Press {'Ctrl-Z and Enter' if os.name == 'nt' else 'Ctrl-D'} to finish.")
        yield from self._decode_all(iter(self._read, b""))

    @staticmethod
    def _read() -> bytes:
        if sys.stdout:
            sys.stdout.flush()  # show the results so far before waiting for more
        try:
            chunk: bytes = sys.stdin.buffer.read1(_CHUNK_BYTES)  # type: ignore[union-attr]
        except OSError as error:
            raise CorpusError("standard input cannot be read: {reason}.", reason=error.strerror) from error
        return chunk

    @staticmethod
    def is_waited_for() -> bool:
        """Return whether nothing has arrived that was not read, as far as the system says."""
        try:
            return bool(sys.stdin) and not select.select([sys.stdin], [], [], 0)[0]
        except (OSError, ValueError):  # Windows only says it of sockets
            return False


def documents_of(arguments: argparse.Namespace, *, exact: bool = False) -> list[NamedFile]:
    """Return the files that the user named; `-` is standard input. Raise CorpusError for a missing file.

    `exact`: accept all valid UTF-8, including byte-order marks and zero bytes, so that decoding gives the same bytes.
    """
    documents = [document_of(arguments, name, exact=exact) for name in arguments.files or ["-"]]
    for document in documents:
        _logger.info("input: %s, %d bytes", document.path, document.size())
    return documents


def files_named(names: Iterable[str]) -> Iterator[str | Path]:
    """Yield the files that the user named, including those in folders and those that match patterns, and `-`."""
    for name in names:
        found = [] if name == "-" else find_files([name])
        yield from found if found != [Path(name)] and found else [name]


def fits(path: str, name: str) -> bool:
    """Return whether `path` is the file `name`, a folder that contains it, or a pattern that matches it."""
    if "-" in (path, name):  # standard input
        return path == name
    return Path(name).absolute().is_relative_to(Path(path).absolute()) or fnmatch(name, path)


def field_of(arguments: argparse.Namespace, name: str | Path) -> str:
    """Return the field with the text of a file: the last one for paths that it fits, or else for all files."""
    given: list[tuple[str, str]] = getattr(arguments, "field", [])
    own = [field for path, field in given if path and fits(path, str(name))]
    return (own or [field for path, field in given if not path] or [USUAL_FIELD])[-1]


def document_of(arguments: argparse.Namespace, name: str | Path, *, exact: bool = False) -> NamedFile:
    """Return a file, read as the arguments say, or standard input for `-`, and add it to the arguments' `inputs`.

    `exact` is as in `documents_of`.
    """
    is_input = name == "-"
    path = Path("standard input" if is_input else name)
    document = (StandardInput if is_input else NamedFile)(
        path,
        "UTF-8" if exact else arguments.encoding,
        getattr(arguments, "replace_invalid", False),
        field_of(arguments, name),
        getattr(arguments, "skip_bad_lines", False),
        keep_mark=exact and not kind_of(path).has_records,
    )
    arguments.inputs.append(document)
    return document


def say_left_out_records(inputs: Sequence[NamedFile], total: int | None = None) -> None:
    """Say how many records were left out of the files that were read, if any, and list the first ones.

    `total` is how many, if the caller knows it.
    """
    documents = [each for each in inputs if len(each.left_out)]
    total = sum(len(each.left_out) for each in documents) if total is None else total
    named, left = list[str](), min(total, _NAMED_RECORDS)
    for document in documents:
        if numbers := document.left_out.find_first(document)[:left]:
            one = "row" if document.kind.content == PARQUET else "line"
            named.append(f"{document.path}, {one}{'s' * (len(numbers) > 1)} {', '.join(f'{n:,}' for n in numbers)}")
            left -= len(numbers)
    shown = min(total, _NAMED_RECORDS) - left
    more = f" and {total - shown:,} more" * (shown < total)
    if total:
        where = f": {'; '.join(named)}{more}" if named else ""
        say(f"Left out {quantity(total, 'record', 'records')} without a text{where}.")


@contextmanager
def errors_naming(document: FileDocument) -> Iterator[None]:
    """Put the document's path before the message of any EngineError except CorpusError, which already has it."""
    try:
        yield
    except CorpusError:
        raise
    except EngineError as error:
        raise EngineError("{path}: {reason}", path=document.path, reason=error) from error


def words_in(chunks: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of a text, which white space separates, as its chunks arrive."""
    pending = ""
    for chunk in chunks:
        pending += chunk
        words = pending.split()
        is_unfinished = bool(words) and not pending[-1].isspace() and len(words[-1]) <= MAX_ID_LENGTH
        pending = words.pop() if is_unfinished else ""
        yield words
    yield pending.split()


# -- results -----------------------------------------------------------------------------------------------------------


def output_stream() -> BinaryIO:
    """Return standard output as a binary stream. Raise FormatError if it is closed."""
    if not sys.stdout:
        raise FormatError("standard output is closed, so the result cannot be written.")
    return sys.stdout.buffer


def write_lines(lines: Iterable[str], errors: str = "backslashreplace") -> None:
    """Write lines to standard output; `errors` says how to write a surrogate. Raise FormatError if it is closed."""
    output = output_stream()
    for line in lines:
        output.write(line.encode(errors=errors) + b"\n")


def dumped(value: object) -> str:
    """Return a value as JSON on one line. It has numbers that JSON has: no infinity, and null in place of NaN."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def json_lines(members: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yield one JSON object with a line per member, and per item of an iterator, so that one of these is in memory.

    >>> print(*json_lines([("a", 1), ("b", iter([2, 3]))]))
    {"a": 1 ,"b": [ 2 ,3 ] }
    """
    before = "{"
    for name, value in members:
        if isinstance(value, Iterator):
            yield f'{before}"{name}": ['
            yield from (("," if number else "") + dumped(item) for number, item in enumerate(value))
            yield "]"
        else:
            yield f'{before}"{name}": {dumped(value)}'
        before = ","
    yield "}"


def report_os_error(error: OSError) -> int:
    """Report a failure of standard output, or of the file that `error` names, and return the exit status."""
    _logger.debug("input or output failed", exc_info=error)
    if error.filename:
        return report_mistake(f"{error.filename}: {error.strerror}.")
    discard_output()
    # The reader has gone, as in `bpe-gui inspect DIR | head`, which is not a mistake. Windows raises EINVAL then.
    if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
        return 0
    return report_mistake(f"standard output cannot be written: {error.strerror}.")


def discard_output() -> None:
    """Discard the rest of standard output's buffer, which Python would write when it exits."""
    if sys.stdout:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# -- messages ----------------------------------------------------------------------------------------------------------


def report_mistake(sentence: str) -> int:
    """Tell the user what was wrong, in one line, and return the exit status."""
    say("bpe-gui: " + " ".join(sentence.split("\n")))
    return MISTAKE


def say(sentence: str) -> None:
    """Write a line to standard error, if it is open."""
    if sys.stderr:
        with suppress(OSError):
            print(sentence, file=sys.stderr, flush=True)


def quantity(number: int, one: str, many: str) -> str:
    """Return a number with its noun in the singular or the plural."""
    return f"{number:,} {one if number == 1 else many}"


# -- progress ----------------------------------------------------------------------------------------------------------


def chunks_with_progress(document: FileDocument) -> Iterator[str]:
    """Yield the text of `document` in chunks, an empty one before waiting for more, and show how much has been read."""
    size, done = document.size(), 0
    with ProgressLine("Encoding: {:.0%} of {:,} bytes", beside_output=True) as progress:
        for chunk in document.chunks():
            yield chunk
            done += len(chunk) if chunk.isascii() else len(chunk.encode(errors="replace"))
            progress.show(min(done, size), size)
            if isinstance(document, StandardInput) and document.is_waited_for():
                yield ""


class ProgressLine:
    """A line on standard error that is rewritten ten times a second, but only on a terminal.

    `beside_output`: results are written at the same time, so nothing is shown if both would appear on the screen.
    """

    _SECONDS: Final = 0.1

    def __init__(self, template: str, *, beside_output: bool = False) -> None:
        self._template = template
        self._width = 0  # of the line on the screen, in characters
        self._next = time.monotonic() + self._SECONDS
        self._is_shown = bool(sys.stderr) and sys.stderr.isatty() and not (beside_output and sys.stdout.isatty())

    def show(self, done: int, goal: int, more: str = "") -> None:
        """Show how much of `goal` is done, followed by `more`; nothing if `goal` is 0, so the total is unknown."""
        if self._is_shown and goal and time.monotonic() >= self._next:
            self._write(self._template.format(done / goal, goal) + more)
            self._next = time.monotonic() + self._SECONDS

    def _write(self, line: str) -> None:
        with suppress(OSError):
            sys.stderr.write(f"\r{line:<{self._width}}")
            sys.stderr.flush()
        self._width = len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            self._write("")  # blanks the line
            self._write("")  # moves the cursor to its start
