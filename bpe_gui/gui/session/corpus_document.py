"""The documents that a corpus is made of."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_gui.engine import Document, FileDocument, TextDocument

LARGE_FILE: Final = 5_000_000
"""Bytes from which on a file is listed with a preview instead of being poured into the editor."""

LARGEST_TEXT: Final = 250_000_000
"""Bytes of a file up to which it is shown with its tokens."""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the corpus: what is counted, and what people call it."""

    title: str
    content: Document
    path: Path | None = None
    state: tuple[int, ...] = ()
    """Of a file that is read again and again: what tells whether it is still the same one."""
    read_as: FileDocument | None = None
    """Of a text: the file that it was read from, and how; it may have been edited since."""


def read_file(path: Path, encoding: str | None = None, replace_invalid: bool = False) -> CorpusDocument:
    """A file as a document: as text, or if it is large, by its path. Raises EngineError."""
    file = FileDocument(path, encoding, replace_invalid)
    if file.size() > LARGE_FILE:
        next(file.chunks(), "")  # so that a file that is no text is refused now
        return CorpusDocument(path.name, file, path, file_state(path))
    return CorpusDocument(path.name, TextDocument("".join(file.chunks())), path, read_as=file)


def file_state(path: Path) -> tuple[int, ...]:
    """What tells whether a file is still the same one, first its size in bytes; nothing if it is not there."""
    try:
        status = path.stat()
    except (OSError, ValueError):  # a path with a zero character is a ValueError
        return ()
    return status.st_size, status.st_mtime_ns, status.st_ino
