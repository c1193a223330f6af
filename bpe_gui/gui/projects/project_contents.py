"""The contents of a project: a snapshot of the session, or what was read from a file."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bpe_gui.engine import (
    EngineError,
    FileDocument,
    FormatError,
    LiveText,
    Progress,
    ReadTokenizer,
    TextDocument,
    Tokenizer,
    TokenizerSource,
    no_progress,
)
from bpe_gui.engine.projects import Digest, OpenedFile, Project, ProjectBranch, ProjectDocument, load_project
from bpe_gui.gui.session.branches import SavedMerges
from bpe_gui.gui.session.corpus import CorpusDocument, FileStamp, file_stamp, may_read_all, read_file
from bpe_gui.gui.session.opened_tokenizers import PROJECT, OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.paths import is_endless
from bpe_gui.gui.views.editor.line_index import prepare_index

_UNKNOWN_STATE: Final[FileStamp] = ()


class FileDigests:
    """A cache of file digests, each valid as long as the `file_stamp` of its file stays the same.

    Several threads may use it: each entry is read and replaced as a whole.
    """

    def __init__(self) -> None:
        self._digests: dict[Path, tuple[FileStamp, Digest]] = {}
        # By file: its state, the text it was compared with, and whether they were equal.
        self._comparisons: dict[FileDocument, tuple[FileStamp, str, bool]] = {}

    def remember(self, path: Path, digest: Digest) -> None:
        """Keep the digest that a project file has for `path`, to save it again if the file cannot be read."""
        self._digests.setdefault(path, (_UNKNOWN_STATE, digest))

    def of(self, path: Path, progress: Progress) -> Digest | None:
        """Return the current digest of a file; None if it cannot be read.

        `progress` gets the number of bytes done and the total, and may raise Cancelled.
        """
        state = file_stamp(path)
        known = self._digests.get(path)
        if known and state and known[0] == state:
            return known[1]
        digest = Digest.of(path, progress)
        if digest is not None:
            self._digests[path] = state, digest
        return digest

    def project_document(self, document: CorpusDocument, progress: Progress) -> ProjectDocument:
        """Return a document as a project stores it.

        That is its path and digest if the file on disk has the same text, and otherwise the text itself.
        """
        return replace(self._content(document, progress), weight=document.weight)

    def _content(self, document: CorpusDocument, progress: Progress) -> ProjectDocument:
        file = document.content if isinstance(document.content, FileDocument) else document.source_file
        if file is None:
            return ProjectDocument(document.title, document.content, document.path)
        digest = self.of(file.path, progress)
        if isinstance(document.content, TextDocument) and not self._has_unchanged_text(file, document.content.text):
            return ProjectDocument(document.title, document.content, document.path)
        if digest is None and file.path in self._digests:
            digest = self._digests[file.path][1]
        return ProjectDocument(document.title, file, file.path, digest)

    def _has_unchanged_text(self, file: FileDocument, text: str) -> bool:
        """Return whether `file` can be read and still has exactly this text."""
        state = file_stamp(file.path)
        known = self._comparisons.get(file)
        if known and known[0] == state and known[1] is text:
            return known[2]
        try:
            is_equal = bool(state) and "".join(file.chunks()) == text
        except EngineError:
            is_equal = False
        self._comparisons[file] = state, text, is_equal
        return is_equal


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRun(TokenizerSource):
    """The merges in a project, and the `step` where its cursor was.

    `stale`: when the project was saved, its corpus or recipe had changed since the run was made.
    """

    tokenizer: Tokenizer
    step: int
    stale: bool

    @property
    def merges(self) -> SavedMerges:
        return SavedMerges(self.tokenizer, self.step)

    def read(self, _progress: Progress = no_progress) -> ReadTokenizer:
        """Return the merges, without reading a file."""
        return ReadTokenizer(self.tokenizer, self, PROJECT)


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """Everything to save. Taking a snapshot is quick, however large the text."""

    documents: tuple[CorpusDocument, ...]
    text: tuple[bytes, ...]
    others: Project
    """The project without its documents and its text, which take longer to make."""

    @classmethod
    def of(cls, session: Session, saved_run: SavedRun | None) -> "ProjectSnapshot | None":
        """Return a snapshot of a session, with `saved_run` in place of its main run; None while a thread trains."""
        opened, branches, main = session.opened.tokenizer, session.branches, session.branches.main
        if session.run.trainer is None and session.run.exists and (saved_run is None or branches.current is not main):
            return None
        shows_saved_run = opened is not None and isinstance(opened.source, SavedRun)
        run, step, stale = None, 0, False
        if saved_run is not None:
            run = saved_run.tokenizer
            step, stale = opened.position if opened and shows_saved_run else saved_run.step, saved_run.stale
        elif branches.length_of(main) and (merges := branches.merges_of(main)):
            # All merges: the cursor's tokenizer may be at an earlier step, and would lose some.
            run, step, stale = merges.tokenizer, merges.position, branches.is_stale(main)
        listed = (*branches.all[1:], *filter(None, [session.unmade]))
        others = Project(
            (),
            main.recipe,
            session.corpus.special_tokens,
            session.corpus.vocab_size,
            "",
            run=run,
            step=step,
            stale=stale,
            plan=main.plan,
            branches=tuple(
                ProjectBranch(each.name, each.recipe, each.plan, *(branches.merges_of(each) or ())) for each in listed
            ),
            shown_branch=branches.all.index(branches.current),
            opened=_opened_file(opened) if opened and not shows_saved_run else None,
            also_opened=tuple(
                _opened_file(each)
                for each in session.opened.tokenizers
                if each is not opened and not isinstance(each.source, SavedRun)
            ),
        )
        return cls(session.corpus.documents, tuple(text for text, _tokens in session.text.live.snapshot()), others)

    def project(self, digests: FileDigests, saved_as: Path | None, progress: Progress) -> Project:
        """Return the project; this reads files to compute their current digests. Raise Cancelled."""
        documents = tuple(digests.project_document(document, progress) for document in self.documents)
        return replace(self.others, documents=documents, text=b"".join(self.text).decode(), saved_as=saved_as)


def _opened_file(opened: OpenedTokenizer) -> OpenedFile:
    source = opened.source
    return OpenedFile(source.path, opened.position, source.pattern, source.special_tokens, source.published_name)


_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadedProject:
    """A project read from `path`. Files in `changed` differ from their saved digests; those in `missing` are gone.

    For a recovery file (`is_recovered`), `merges_in_own_file` is the number of merges in the file that the user saved
    the project to, and `has_other_corpus` says that this file has none of the same documents.
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


def read_project(path: Path, digests: FileDigests, progress: Progress) -> LoadedProject:
    """Read a project and compute the digests of its files. Raise EngineError and Cancelled."""
    loaded = _with_files(path, load_project(path), digests, progress)
    _logger.info(
        "read a project of %d documents, %d changed, %d missing",
        len(loaded.documents),
        len(loaded.changed),
        len(loaded.missing),
    )
    return loaded


def read_recovery_file(path: Path, digests: FileDigests, progress: Progress) -> LoadedProject:
    """Read a project from a recovery file. Raise EngineError and Cancelled."""
    loaded = read_project(path, digests, progress)
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
    loaded: LoadedProject, moved: Mapping[Path, Path], digests: FileDigests, progress: Progress
) -> LoadedProject:
    """Read the files of a project again, some from new paths. Raise EngineError and Cancelled."""
    documents = tuple(_moved_document(document, moved) for document in loaded.project.documents)
    return _with_files(loaded.path, replace(loaded.project, documents=documents), digests, progress)


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


def _with_files(path: Path, project: Project, digests: FileDigests, progress: Progress) -> LoadedProject:
    files = [document.content for document in project.documents if isinstance(document.content, FileDocument)]
    present = {file.path: _digest(path, file.path, digests, progress) for file in files}
    read_now = may_read_all([digest.size for digest in present.values() if digest])
    changed: dict[Path, None] = {}  # in order, without duplicates
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


def _digest(project: Path, file: Path, digests: FileDigests, progress: Progress) -> Digest | None:
    """Return the current digest of a file; None if it is missing."""
    if is_endless(file):
        raise FormatError("{path}: {file} is not a regular file. Replace it with a text file.", path=project, file=file)
    return digests.of(file, progress)


def _file_document(title: str, file: FileDocument, *, read_now: bool) -> CorpusDocument:
    """Return a file as a document. One that cannot be read stays a path; counting reports the reason."""
    if read_now or file.holds_counts:
        with suppress(EngineError):
            return replace(read_file(file), title=title)
    return CorpusDocument(title, file, file.path, file_stamp(file.path))
