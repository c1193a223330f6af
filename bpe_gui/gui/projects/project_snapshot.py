"""The state of a session at one moment, from which a thread makes a project."""

from dataclasses import dataclass
from pathlib import Path

from bpe_gui.engine import Recipe, Tokenizer
from bpe_gui.engine.projects import OpenedFile, Project
from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.tokenizers.opened_tokenizer import OpenedTokenizer

from .file_digests import FileDigests
from .saved_run import SavedRun


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """All that is to be saved. Taking it is quick, whatever the size of the text."""

    documents: tuple[CorpusDocument, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    vocab_size: int
    text: tuple[bytes, ...]
    run: Tokenizer | None
    step: int
    stale: bool
    opened: OpenedFile | None
    also_opened: tuple[OpenedFile, ...]

    @classmethod
    def of(cls, session: Session, saved_run: SavedRun | None) -> "ProjectSnapshot | None":
        """Return the state of a session, with `saved_run` in place of its own run; None while a thread trains that."""
        trainer, opened = session.run.trainer, session.opened.tokenizer
        if saved_run is None and trainer is None and session.run.exists:
            return None
        shows_saved_run = opened is not None and isinstance(opened.source, SavedRun)
        run, step, stale = None, 0, False
        if saved_run is not None:
            run = saved_run.tokenizer
            step, stale = opened.position if opened and shows_saved_run else saved_run.step, saved_run.stale
        elif trainer is not None and trainer.run_length:
            # From the trainer, because the cursor's tokenizer may be of an earlier step, and would lose merges.
            run, step, stale = trainer.tokenizer(trainer.run_length), trainer.position, session.run.is_stale
        return cls(
            session.corpus.documents,
            session.corpus.recipe,
            session.corpus.special_tokens,
            session.corpus.vocab_size,
            tuple(text for text, _tokens in session.text.live.snapshot()),
            run,
            step,
            stale,
            _opened_file(opened) if opened and not shows_saved_run else None,
            tuple(
                _opened_file(each)
                for each in session.opened.tokenizers
                if each is not opened and not isinstance(each.source, SavedRun)
            ),
        )

    def project(self, digests: FileDigests, saved_as: Path | None, report: Report) -> Project:
        """Return the project; files are read to get their present digests. Raise Cancelled."""
        return Project(
            tuple(digests.project_document(document, report) for document in self.documents),
            self.recipe,
            self.special_tokens,
            self.vocab_size,
            b"".join(self.text).decode(),
            run=self.run,
            step=self.step,
            stale=self.stale,
            opened=self.opened,
            also_opened=self.also_opened,
            saved_as=saved_as,
        )


def _opened_file(opened: OpenedTokenizer) -> OpenedFile:
    source = opened.source
    return OpenedFile(source.path, opened.position, source.pattern, source.special_tokens)
