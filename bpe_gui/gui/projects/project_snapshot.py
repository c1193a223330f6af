"""The state of a session at one moment, from which a thread makes a project."""

from dataclasses import dataclass
from pathlib import Path

from bpe_gui.engine import Plan, Recipe, Tokenizer
from bpe_gui.engine.projects import OpenedFile, Project, ProjectBranch
from bpe_gui.gui.jobs import Report
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.session.runs.branch import Branch
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
    plan: Plan
    branches: tuple[ProjectBranch, ...]
    shown_branch: int
    opened: OpenedFile | None
    also_opened: tuple[OpenedFile, ...]

    @classmethod
    def of(cls, session: Session, saved_run: SavedRun | None) -> "ProjectSnapshot | None":
        """Return the state of a session, with `saved_run` in place of its main run; None while a thread trains."""
        opened, branches, main = session.opened.tokenizer, session.branches, session.branches.main
        if session.run.trainer is None and session.run.exists and (saved_run is None or branches.current is not main):
            return None
        shows_saved_run = opened is not None and isinstance(opened.source, SavedRun)
        run, step, stale = None, 0, False
        if saved_run is not None:
            run = saved_run.tokenizer
            step, stale = opened.position if opened and shows_saved_run else saved_run.step, saved_run.stale
        elif branches.length_of(main) and (merges := branches.merges_of(main)):
            # All merges, because the cursor's tokenizer may be of an earlier step, and would lose some.
            run, step, stale = merges.tokenizer, merges.position, branches.is_stale(main)
        return cls(
            session.corpus.documents,
            main.recipe,
            session.corpus.special_tokens,
            session.corpus.vocab_size,
            tuple(text for text, _tokens in session.text.live.snapshot()),
            run,
            step,
            stale,
            main.plan,
            tuple(_project_branch(session, branch) for branch in branches.all[1:]),
            branches.all.index(branches.current),
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
            plan=self.plan,
            branches=self.branches,
            shown_branch=self.shown_branch,
            opened=self.opened,
            also_opened=self.also_opened,
            saved_as=saved_as,
        )


def _project_branch(session: Session, branch: Branch) -> ProjectBranch:
    merges = session.branches.merges_of(branch)
    if merges is None:
        return ProjectBranch(branch.name, branch.recipe, branch.plan)
    return ProjectBranch(branch.name, branch.recipe, branch.plan, merges.tokenizer, merges.position)


def _opened_file(opened: OpenedTokenizer) -> OpenedFile:
    source = opened.source
    return OpenedFile(source.path, opened.position, source.pattern, source.special_tokens)
