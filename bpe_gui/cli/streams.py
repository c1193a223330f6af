"""What the command line reads and writes: files and standard input, results, progress and what is said to a person."""

import argparse
import codecs
import errno
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from encodings import utf_8_sig
from pathlib import Path
from typing import BinaryIO, Final, Self

from bpe_gui.engine import CorpusError, EngineError, FileDocument, FormatError

MISTAKE: Final = 2
"""The exit status of a user's mistake."""

LONGEST_ID: Final = 20
"""Characters; no id is as long."""

_BLOCK: Final = 1 << 16  # bytes of standard input read at a time


@dataclass(frozen=True)
class NamedFile(FileDocument):
    """A file named on the command line. With `keep_mark`, a byte-order mark of UTF-8 is text like any other."""

    keep_mark: bool = False

    @property
    def is_utf8(self) -> bool:
        """Whether its bytes can be read as UTF-8, but for a mark at the start."""
        return not self.keep_mark and super().is_utf8

    def _decoder(self) -> codecs.IncrementalDecoder:
        decoder = super()._decoder()
        if self.keep_mark and isinstance(decoder, utf_8_sig.IncrementalDecoder):
            return codecs.getincrementaldecoder("utf-8")(decoder.errors)
        return decoder


class StandardInput(NamedFile):
    """What arrives on standard input, read once, in pieces as they come."""

    @property
    def is_utf8(self) -> bool:
        """Whoever reads it gets characters."""
        return False

    @property
    def has_end(self) -> bool:
        """Whether reading it never waits for somebody else."""
        return False

    def size(self) -> int:
        """Not known before the end."""
        return 0

    def chunks(self) -> Iterator[str]:
        """The text in pieces. Raises CorpusError, or UndecodableFileError with the byte offset."""
        if not sys.stdin:
            raise CorpusError("standard input is closed; name a file instead of '-'.")
        if sys.stdin.isatty() and sys.stderr:
            say("Reading what you type; end with " + ("Ctrl-Z and Enter." if os.name == "nt" else "Ctrl-D."))
        yield from self._decoded(iter(self._read, b""))

    @staticmethod
    def _read() -> bytes:
        if sys.stdout:
            sys.stdout.flush()  # the user of a pipe or a terminal sees what there is before we wait for more
        try:
            block: bytes = sys.stdin.buffer.read1(_BLOCK)  # type: ignore[union-attr]
        except OSError as error:
            raise CorpusError("standard input cannot be read: {reason}.", reason=error.strerror) from error
        return block


def documents_of(arguments: argparse.Namespace, *, exact: bool = False) -> list[NamedFile]:
    """The files named, `-` being standard input. Raises CorpusError for one that is not there.

    `exact` takes whatever is valid UTF-8, so that its very bytes can be had back: byte-order marks and zero bytes too.
    """
    encoding = "UTF-8" if exact else arguments.encoding
    replace = getattr(arguments, "replace_invalid", False)
    documents = [
        StandardInput(Path("standard input"), encoding, replace, exact)
        if name == "-"
        else NamedFile(Path(name), encoding, replace, exact)
        for name in arguments.files or ["-"]
    ]
    for document in documents:
        document.size()
    return documents


@contextmanager
def about(document: FileDocument) -> Iterator[None]:
    """Errors in here say which file they are about; a CorpusError does so already."""
    try:
        yield
    except CorpusError:
        raise
    except EngineError as error:
        raise EngineError("{path}: {reason}", path=document.path, reason=error) from error


def lines_of(chunks: Iterable[str]) -> Iterator[list[str]]:
    r"""The lines of a text, each in pieces, without the `\n` or `\r\n` at the end."""
    held: list[str] = []
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for piece in ended:
            held.append(piece)
            yield ["".join(held).removesuffix("\r")]
            held = []
        if rest:
            held.append(rest)
    if held:
        yield ["".join(held)]


def words_of(chunks: Iterable[str]) -> Iterator[str]:
    """What stands between white space."""
    held = ""
    for chunk in chunks:
        held += chunk
        words = held.split()
        unfinished = bool(words) and not held[-1].isspace() and len(words[-1]) <= LONGEST_ID
        held = words.pop() if unfinished else ""
        yield from words
    if held:
        yield held


def output_stream() -> BinaryIO:
    if not sys.stdout:
        raise FormatError("standard output is closed; there is nowhere to write to.")
    return sys.stdout.buffer


def output_failed(error: OSError) -> int:
    """Standard output cannot be written, or (where the error names a file) something unforeseen."""
    if error.filename:
        return mistake(f"{error.filename}: {error.strerror}.")
    abandon_output()
    # Windows says EINVAL where the reader has gone. That is no mistake: `bpe-gui inspect DIR | head`.
    if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
        return 0
    return mistake(f"standard output cannot be written: {error.strerror}.")


def abandon_output() -> None:
    """What is still in the buffer has to go somewhere when Python ends."""
    if sys.stdout:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def mistake(sentence: str) -> int:
    say("bpe-gui: " + " ".join(sentence.split("\n")))
    return MISTAKE


def say(sentence: str) -> None:
    if sys.stderr:
        with suppress(OSError):
            print(sentence, file=sys.stderr, flush=True)


def watched(document: FileDocument) -> Iterator[str]:
    """The text of a document; how far it is read is shown while it is."""
    size, done = document.size(), 0
    with ProgressLine("Encoding: {:.0%} of {:,} bytes", beside_output=True) as progress:
        for chunk in document.chunks():
            yield chunk
            done += len(chunk) if chunk.isascii() else len(chunk.encode(errors="replace"))
            progress.show(min(done, size), size)


class ProgressLine:
    """A line on standard error that is written anew ten times a second, and only on a terminal.

    `beside_output` says that results are written meanwhile: then nothing is shown where both would be on the screen.
    """

    _SECONDS: Final = 0.1

    def __init__(self, template: str, *, beside_output: bool = False) -> None:
        self._template = template
        self._shown = 0  # characters on the screen
        self._next = time.monotonic() + self._SECONDS
        self._on = bool(sys.stderr) and sys.stderr.isatty() and not (beside_output and sys.stdout.isatty())

    def show(self, done: int, goal: int) -> None:
        """Say how far the work is; `goal` 0 means that the end is not known."""
        if self._on and goal and time.monotonic() >= self._next:
            self._write(self._template.format(done / goal, goal))
            self._next = time.monotonic() + self._SECONDS

    def _write(self, line: str) -> None:
        with suppress(OSError):
            sys.stderr.write(f"\r{line:<{self._shown}}")
            sys.stderr.flush()
        self._shown = len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._write("")  # blanks the line
            self._write("")  # puts the cursor where it begins
