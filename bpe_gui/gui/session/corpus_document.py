"""A document of the corpus as the window knows it."""

import logging
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Final

from bpe_gui.engine import Document, FileDocument, TextDocument
from bpe_gui.engine.corpora import ONCE, CountsFacts, open_counts
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.samples import title_in

LARGE_FILE: Final = 5_000_000
"""Bytes; a larger file is listed with a preview instead of being loaded into the editor."""

MAX_TEXT_BYTES: Final = 250_000_000
"""Bytes; a larger file cannot be shown with its tokens."""

_logger: Final = logging.getLogger(__name__)

FileState = tuple[int, ...]
"""Numbers that change when a file does, the first of them its size in bytes; empty if it does not exist."""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document with its title.

    - `path`: the file that it was opened from.
    - `state`: of a document that is read from its file each time it is counted, the `file_state` when it was opened.
    - `source_file`: of a text, the file and encoding that it was read with; the text may have been edited since.
    - `is_edited`: the text was edited since it was made or read.
    - `weight`: how often it counts.
    - `identity`: stays the same when the text is edited or the weight changed; two documents may be equal otherwise.
    - `counts`: of a file that has counts of words instead of text, how they were made.
    """

    title: str
    content: Document
    path: Path | None = None
    state: FileState = ()
    source_file: FileDocument | None = None
    is_edited: bool = field(default=False, compare=False)
    weight: Fraction = ONCE
    identity: object = field(default_factory=object, compare=False, repr=False)
    counts: CountsFacts | None = None

    @property
    def shown_title(self) -> str:
        """The title, that of a sample in the language of the window."""
        return self.title if self.path else title_in(language_in_force(), self.title)

    @property
    def is_file_as_read(self) -> bool:
        """Whether the document is a file, or its text without a change, so that nothing is lost without it."""
        return isinstance(self.content, FileDocument) or (self.source_file is not None and not self.is_edited)

    def is_same_text_as(self, other: "CorpusDocument") -> bool:
        """Return whether another document is this one, with another weight perhaps, not only an equal one."""
        return self.identity is other.identity and self.content is other.content

    @property
    def present_state(self) -> FileState:
        """The present state of the file that is read when the document is counted; empty if there is none."""
        return file_state(self.content.path) if isinstance(self.content, FileDocument) else ()

    @property
    def has_changed_on_disk(self) -> bool:
        """Whether it is read from a file that exists but has changed since it was opened."""
        return bool(self.state) and self.present_state not in ((), self.state)

    @property
    def is_empty(self) -> bool:
        """Whether there is no text in the document."""
        content = self.content
        return not content.text if isinstance(content, TextDocument) else self.state[:1] == (0,)


def read_file(file: FileDocument) -> CorpusDocument:
    """Return a file as a document: its text, or the file itself if it is large, or has records or counts.

    Raise EngineError.
    """
    path = file.path
    if file.holds_counts:
        with open_counts(path) as counts:
            return CorpusDocument(path.name, file, path, file_state(path), counts=counts.facts)
    text = None if file.has_records or file.size() > LARGE_FILE else _small_text(file)
    if text is None:
        next(file.chunks(), "")  # so that a file that is not text is refused now
        return CorpusDocument(path.name, file, path, file_state(path))
    return CorpusDocument(path.name, TextDocument(text), path, source_file=file)


def _small_text(file: FileDocument) -> str | None:
    """Return the text of a file; None if it is large once it is decompressed."""
    chunks: list[str] = []
    size = 0
    for chunk in file.chunks():
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGE_FILE:
            return None
    return "".join(chunks)


def file_state(path: Path) -> FileState:
    """Return the size, the time of the last change and the inode of a file; empty if it does not exist."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        _logger.debug("the state of %r is not known: %s", str(path), type(error).__name__)
        return ()
    return status.st_size, status.st_mtime_ns, status.st_ino
