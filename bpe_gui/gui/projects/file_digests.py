"""The digests of a project's files, computed only when a file has changed."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from bpe_gui.engine import EngineError, FileDocument, TextDocument
from bpe_gui.engine.projects import Digest, ProjectDocument
from bpe_gui.gui.jobs import Report
from bpe_gui.gui.session.corpus_document import CorpusDocument, FileState, file_state

_UNKNOWN_STATE: Final[FileState] = ()


class FileDigests:
    """A cache of digests, each valid as long as the `file_state` of its file stays the same.

    Several threads may use it: each entry is read and replaced as a whole.
    """

    def __init__(self) -> None:
        self._digests: dict[Path, tuple[FileState, Digest]] = {}
        # By file: its state, the text it was compared with, and whether they were equal.
        self._comparisons: dict[FileDocument, tuple[FileState, str, bool]] = {}

    def remember(self, path: Path, digest: Digest) -> None:
        """Keep the digest that a project file has for `path`, to be saved again if the file cannot be read."""
        self._digests.setdefault(path, (_UNKNOWN_STATE, digest))

    def of(self, path: Path, report: Report) -> Digest | None:
        """Return the digest of a file as it is now, or None if it cannot be read.

        `report` is called with the bytes done and in total, and may raise Cancelled.
        """
        state = file_state(path)
        known = self._digests.get(path)
        if known and state and known[0] == state:
            return known[1]
        digest = Digest.of(path, report)
        if digest is not None:
            self._digests[path] = state, digest
        return digest

    def project_document(self, document: CorpusDocument, report: Report) -> ProjectDocument:
        """Return a document as a project stores it.

        That is its path and digest if the file on disk has the same text, or else the text itself.
        """
        return replace(self._content(document, report), weight=document.weight)

    def _content(self, document: CorpusDocument, report: Report) -> ProjectDocument:
        file = document.content if isinstance(document.content, FileDocument) else document.source_file
        if file is None:
            return ProjectDocument(document.title, document.content, document.path)
        digest = self.of(file.path, report)
        if isinstance(document.content, TextDocument) and not self._has_unchanged_text(file, document.content.text):
            return ProjectDocument(document.title, document.content, document.path)
        if digest is None and file.path in self._digests:
            digest = self._digests[file.path][1]
        return ProjectDocument(document.title, file, file.path, digest)

    def _has_unchanged_text(self, file: FileDocument, text: str) -> bool:
        """Return whether `file` can be read and still contains exactly `text`."""
        state = file_state(file.path)
        known = self._comparisons.get(file)
        if known and known[0] == state and known[1] is text:
            return known[2]
        try:
            is_equal = bool(state) and "".join(file.chunks()) == text
        except EngineError:
            is_equal = False
        self._comparisons[file] = state, text, is_equal
        return is_equal
