"""What a session holds at one moment, for a thread that makes a project of it."""

from dataclasses import dataclass
from pathlib import Path

from bpe_gui.engine import EngineError, FileDocument, Recipe, TextDocument, Tokenizer, Trainer
from bpe_gui.engine.projects.project import Digest, OpenedFile, Project, ProjectDocument

from bpe_gui.gui.session.corpus_document import CorpusDocument, file_state
from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.session.opened_tokenizer import PROJECT, OpenedTokenizer, TokenizerSource
from bpe_gui.gui.session.session import Session

_State = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun(TokenizerSource):
    """The merges of a project, whose corpus may not be what it was; they can be shown as an opened tokenizer."""

    tokenizer: Tokenizer
    step: int
    stale: bool

    def read(self) -> OpenedTokenizer:
        """The tokenizer, which needs no file."""
        return OpenedTokenizer(self.tokenizer, self, PROJECT)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What there is to be saved. It is quickly had, whatever the size of the text."""

    documents: tuple[CorpusDocument, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    vocab_size: int
    text: tuple[bytes, ...]
    run: Tokenizer | None
    step: int
    stale: bool
    opened: OpenedFile | None

    @classmethod
    def of(cls, session: Session, kept: KeptRun | None) -> "Snapshot | None":
        """Of a session, with the kept run in the place of its own; None while a thread is training that."""
        if kept is None and session.has_run and session.run is None:
            return None
        run = session.run
        opened = session.opened
        is_kept = opened is not None and isinstance(opened.source, KeptRun)
        if kept is not None:
            tokenizer: Tokenizer | None = kept.tokenizer
            step, stale = opened.position if opened and is_kept else kept.step, kept.stale
        elif run is not None and run.run_length:
            tokenizer, step, stale = whole_tokenizer(session, run), run.position, session.stale
        else:
            tokenizer, step, stale = None, 0, False
        return cls(
            session.documents,
            session.recipe,
            session.special_tokens,
            session.vocab_size,
            tuple(text for text, _tokens in session.live_text.parts()),
            tokenizer,
            step,
            stale,
            _file_of(opened) if opened and not is_kept else None,
        )

    def project(self, digests: "Digests", saved_as: Path | None, report: Report) -> Project:
        """The project that it makes; files are read to say how they are now."""
        return Project(
            tuple(digests.document(document, report) for document in self.documents),
            self.recipe,
            self.special_tokens,
            self.vocab_size,
            b"".join(self.text).decode(),
            run=self.run,
            step=self.step,
            stale=self.stale,
            opened=self.opened,
            saved_as=saved_as,
        )


def whole_tokenizer(session: Session, run: Trainer) -> Tokenizer:
    """The tokenizer of all steps that the run of a session knows: often the one that is in use, which is there."""
    used = session.tokenizer if session.trainer is run and run.position == run.run_length else None
    return used or run.tokenizer(run.run_length)


def _file_of(opened: OpenedTokenizer) -> OpenedFile:
    source = opened.source
    return OpenedFile(source.path, opened.position, source.pattern, source.special_tokens)


class Digests:
    """The digests of files, each of which is read again only when it changed. Several threads may ask."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_State, Digest]] = {}
        self._compared: dict[FileDocument, tuple[_State, str, bool]] = {}

    def learn(self, path: Path, digest: Digest) -> None:
        """Take this as the digest of a file while it cannot be read."""
        self._known.setdefault(path, ((), digest))

    def of(self, path: Path, report: Report) -> Digest | None:
        """How a file is now; None if it cannot be read."""
        state = file_state(path)
        known = self._known.get(path)
        if known and state and known[0] == state:
            return known[1]
        digest = Digest.of(path, report)
        if digest is not None:
            self._known[path] = state, digest
        return digest

    def document(self, document: CorpusDocument, report: Report) -> ProjectDocument:
        """A document as a project has it: by its file if that is what it is, word for word; else by its text."""
        file = document.content if isinstance(document.content, FileDocument) else document.read_as
        if file is None:
            return ProjectDocument(document.title, document.content, document.path)
        digest = self.of(file.path, report)
        if isinstance(document.content, TextDocument) and not self._is_text_of(file, document.content.text):
            return ProjectDocument(document.title, document.content, document.path)
        if digest is None and file.path in self._known:
            digest = self._known[file.path][1]
        return ProjectDocument(document.title, file, file.path, digest)

    def _is_text_of(self, file: FileDocument, text: str) -> bool:
        state = file_state(file.path)
        known = self._compared.get(file)
        if known and known[0] == state and known[1] is text:
            return known[2]
        try:
            same = bool(state) and "".join(file.chunks()) == text
        except EngineError:
            same = False
        self._compared[file] = state, text, same
        return same
