"""A project as a window takes it: with its files read again, and what is to be said about them."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bpe_gui.engine import EngineError, FileDocument, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.projects.project import Digest, Project, ProjectDocument
from bpe_gui.engine.projects.project_file import load_project

from bpe_gui.gui.session.corpus_document import CorpusDocument, file_state, read_file
from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.system.paths import is_endless
from bpe_gui.gui.views.editor.layout.line_index import prepare_index
from bpe_gui.gui.projects.project_snapshot import Digests, KeptRun

_MOST_READ: Final = 300  # files that are poured into the editor
_MOST_BYTES: Final = 20_000_000  # of these together


@dataclass(frozen=True, slots=True)
class ReadProject:
    """A project that was read from `path`; of its files, `changed` are not what they were, and `missing` not there.

    Of what was saved for safety (`is_recovered`), `held` is how many merges the user's own file holds.
    """

    path: Path
    project: Project
    documents: tuple[CorpusDocument, ...]
    text: LiveText
    changed: tuple[Path, ...]
    missing: tuple[Path, ...]
    held: int = 0
    is_recovered: bool = False

    @property
    def kept_run(self) -> KeptRun | None:
        """The merges that were saved."""
        project = self.project
        if project.run is None:
            return None
        return KeptRun(
            project.saved_as or self.path,
            is_internal=self.is_recovered and project.saved_as is None,
            tokenizer=project.run,
            step=project.step,
            stale=project.stale,
        )


def read_project(path: Path, digests: Digests, report: Report) -> ReadProject:
    """Read a project and look at its files, which may take a while. Raises EngineError."""
    return _look_at(path, load_project(path), digests, report)


def read_recovered(path: Path, digests: Digests, report: Report) -> ReadProject:
    """The same for what was saved for safety. Raises EngineError."""
    read = read_project(path, digests, report)
    return replace(read, held=_merges_in(read.project.saved_as), is_recovered=True)


def _merges_in(path: Path | None) -> int:
    """How many merges a project holds, if it can be read."""
    if path is not None and not is_endless(path):
        with suppress(EngineError):
            run = load_project(path).run
            return len(run.merges) if run else 0
    return 0


def read_found(read: ReadProject, places: Mapping[Path, Path], digests: Digests, report: Report) -> ReadProject:
    """The project with some of its files elsewhere. Raises EngineError."""
    documents = tuple(_moved(document, places) for document in read.project.documents)
    return _look_at(read.path, replace(read.project, documents=documents), digests, report)


def _moved(document: ProjectDocument, places: Mapping[Path, Path]) -> ProjectDocument:
    file = document.content
    if not isinstance(file, FileDocument) or file.path not in places:
        return document
    place = places[file.path]
    return replace(document, title=place.name, content=replace(file, path=place), path=place)


def _look_at(path: Path, project: Project, digests: Digests, report: Report) -> ReadProject:
    files = [document.content for document in project.documents if isinstance(document.content, FileDocument)]
    now = {file.path: _digest(path, file.path, digests, report) for file in files}
    sizes = [digest.size for digest in now.values() if digest]
    are_read = len(sizes) <= _MOST_READ and sum(sizes) <= _MOST_BYTES
    changed: dict[Path, None] = {}
    documents: list[CorpusDocument] = []
    for document in project.documents:
        file, before = document.content, document.digest
        if not isinstance(file, FileDocument):
            documents.append(CorpusDocument(document.title, file, document.path))
            continue
        if before is not None:
            digests.learn(file.path, before)
            if now[file.path] not in (None, before):
                changed[file.path] = None
        documents.append(_document(document.title, file, is_read=are_read and now[file.path] is not None))
    missing = tuple(path for path, digest in now.items() if digest is None)
    text = LiveText(project.text)
    prepare_index(text)
    return ReadProject(path, project, tuple(documents), text, tuple(changed), missing)


def _digest(project: Path, file: Path, digests: Digests, report: Report) -> Digest | None:
    """How a file is now; None if it is missing."""
    if is_endless(file):
        raise FormatError(
            _("EngineError", "{path}: {file} is no file: it may never end. Put a text file in its place."),
            path=project,
            file=file,
        )
    return digests.of(file, report)


def _document(title: str, file: FileDocument, *, is_read: bool) -> CorpusDocument:
    """A file as a document: as text where it is small, unless it cannot be read; who counts it says why then."""
    if is_read:
        with suppress(EngineError):
            return replace(read_file(file.path, file.encoding, file.replace_invalid), title=title)
    return CorpusDocument(title, file, file.path, file_state(file.path))
