"""A project loaded for the window: its files are read again and compared with their digests."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bpe_gui.engine import EngineError, FileDocument, FormatError
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.projects import Digest, Project, ProjectDocument, load_project
from bpe_gui.engine.runtime import translatable as _
from bpe_gui.gui.jobs import Report
from bpe_gui.gui.session.corpus_document import CorpusDocument, file_state, read_file
from bpe_gui.gui.system.paths import is_endless
from bpe_gui.gui.views.editor.line_index import prepare_index

from .file_digests import FileDigests
from .saved_run import SavedRun

_MAX_FILES: Final = 300  # to be read into memory
_MAX_BYTES: Final = 20_000_000  # of these together
_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadedProject:
    """A project read from `path`. Of its files, those in `changed` have another digest, those in `missing` are gone.

    Of a recovery file (`is_recovered`), `merges_in_own_file` is the number of merges in the file that the user saved
    the project to, and `has_other_corpus` says that none of its documents is in that file.
    """

    path: Path
    project: Project
    documents: tuple[CorpusDocument, ...]
    text: LiveText
    changed: tuple[Path, ...]
    missing: tuple[Path, ...]
    merges_in_own_file: int = 0
    has_other_corpus: bool = False
    is_recovered: bool = False

    @property
    def saved_run(self) -> SavedRun | None:
        """The merges that were saved."""
        project = self.project
        if project.run is None:
            return None
        return SavedRun(
            project.saved_as or self.path,
            is_internal=self.is_recovered and project.saved_as is None,
            tokenizer=project.run,
            step=project.step,
            stale=project.stale,
        )


def read_project(path: Path, digests: FileDigests, report: Report) -> LoadedProject:
    """Read a project and compute the digests of its files. Raise EngineError and Cancelled."""
    loaded = _with_files(path, load_project(path), digests, report)
    _logger.info(
        "read a project of %d documents, %d changed, %d missing",
        len(loaded.documents),
        len(loaded.changed),
        len(loaded.missing),
    )
    return loaded


def read_recovery_file(path: Path, digests: FileDigests, report: Report) -> LoadedProject:
    """Read a project from a recovery file. Raise EngineError and Cancelled."""
    loaded = read_project(path, digests, report)
    own = _own_file(loaded.project.saved_as)
    if own is None:
        return replace(loaded, is_recovered=True)
    merges = len(own.run.merges) if own.run else 0
    in_own_file = {(document.title, document.path) for document in own.documents}
    is_other = in_own_file.isdisjoint((document.title, document.path) for document in loaded.documents)
    return replace(
        loaded, merges_in_own_file=merges, has_other_corpus=bool(in_own_file) and is_other, is_recovered=True
    )


def read_with_moved_files(
    loaded: LoadedProject, moved: Mapping[Path, Path], digests: FileDigests, report: Report
) -> LoadedProject:
    """Read the files of a project again, some of them from another path. Raise EngineError and Cancelled."""
    documents = tuple(_moved_document(document, moved) for document in loaded.project.documents)
    return _with_files(loaded.path, replace(loaded.project, documents=documents), digests, report)


def _own_file(path: Path | None) -> Project | None:
    """Return the project in a file; None if it cannot be read."""
    if path is None or is_endless(path):
        return None
    try:
        return load_project(path)
    except EngineError as error:
        _logger.info("the project file of a recovery file cannot be read: %s", type(error).__name__)
        return None


def _moved_document(document: ProjectDocument, moved: Mapping[Path, Path]) -> ProjectDocument:
    file = document.content
    if not isinstance(file, FileDocument) or file.path not in moved:
        return document
    path = moved[file.path]
    return replace(document, title=path.name, content=replace(file, path=path), path=path)


def _with_files(path: Path, project: Project, digests: FileDigests, report: Report) -> LoadedProject:
    files = [document.content for document in project.documents if isinstance(document.content, FileDocument)]
    present = {file.path: _digest(path, file.path, digests, report) for file in files}
    sizes = [digest.size for digest in present.values() if digest]
    read_now = len(sizes) <= _MAX_FILES and sum(sizes) <= _MAX_BYTES
    changed: dict[Path, None] = {}  # in order, each once
    documents: list[CorpusDocument] = []
    for document in project.documents:
        file, saved = document.content, document.digest
        if not isinstance(file, FileDocument):
            documents.append(CorpusDocument(document.title, file, document.path, weight=document.weight))
            continue
        if saved is not None:
            digests.remember(file.path, saved)
            if present[file.path] not in (None, saved):
                changed[file.path] = None
        read = _file_document(document.title, file, read_now=read_now and present[file.path] is not None)
        documents.append(replace(read, weight=document.weight))
    missing = tuple(path for path, digest in present.items() if digest is None)
    text = LiveText(project.text)
    prepare_index(text)
    return LoadedProject(path, project, tuple(documents), text, tuple(changed), missing)


def _digest(project: Path, file: Path, digests: FileDigests, report: Report) -> Digest | None:
    """Return the present digest of a file; None if it is missing."""
    if is_endless(file):
        raise FormatError(
            _("EngineError", "{path}: {file} is not a regular file. Replace it with a text file."),
            path=project,
            file=file,
        )
    return digests.of(file, report)


def _file_document(title: str, file: FileDocument, *, read_now: bool) -> CorpusDocument:
    """Return a file as a document. One that cannot be read stays a path, and counting says why it cannot be read."""
    if read_now or file.holds_counts:
        with suppress(EngineError):
            return replace(read_file(file), title=title)
    return CorpusDocument(title, file, file.path, file_state(file.path))
