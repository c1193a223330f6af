"""Telling whether the window has unsaved changes."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from weakref import ReferenceType, ref

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Trainer
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.session.history import Change
from bpe_gui.gui.session.runs.branch import BranchState
from bpe_gui.gui.session.session import Session

from .project_restorer import ProjectRestorer
from .saved_run import SavedRun


@dataclass(frozen=True, slots=True)
class UserInput:
    """The part of a project that the user has typed, opened or chosen, and that cannot be computed again.

    The text to encode may be large, so that its changes are counted instead of comparing it: equal `text_changes` mean
    an equal text.
    """

    documents: tuple[CorpusDocument, ...]
    branches: tuple[BranchState, ...]
    special_tokens: tuple[str, ...]
    text_changes: int


@dataclass(frozen=True, slots=True)
class ProjectState:
    """Everything that is compared to find unsaved changes.

    The step and the branch or tokenizer that is shown are left out: moving the cursor or looking at another one does
    not change the project. `run` is the main run.
    """

    user_input: UserInput
    vocab_size: int
    run: SavedRun | ReferenceType[Trainer] | None
    run_length: int
    branch_lengths: tuple[int, ...]
    opened: tuple[Path, ...]
    corpus_replacements: frozenset[Change] = field(compare=False)
    """By which to tell another corpus from an edited one."""


class UnsavedChanges(QObject):
    """Compares the present state of the session with the state that was saved last, or that a new project began with.

    - `happened`: the session may have changed; emitted often.
    - `modified_changed`: `is_modified` changed.
    """

    happened = Signal()
    modified_changed = Signal()

    def __init__(self, session: Session, restorer: ProjectRestorer, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._restorer = restorer
        self._text_changes = 0
        self._is_in_file = False
        self._is_recovered = False
        self._has_other_corpus = False
        self._saved = self.state()
        self._was_modified = False
        for signal in (session.text.replaced, session.text.edited):
            signal.connect(self._text_changed)
        for signal in (
            session.corpus.documents_changed,
            session.corpus.recipe_changed,
            session.branches.list_changed,
            session.counts.changed,
            session.cursor.moved,
            session.cursor.steps_changed,
            session.opened.list_changed,
            session.work.changed,
        ):
            signal.connect(self._check)

    @property
    def is_modified(self) -> bool:
        """Whether there are unsaved changes. In a project without a file, only the user's input counts, not the run."""
        if self._is_recovered or self._restorer.is_restoring:
            return self._is_recovered
        state = self.state()
        return state != self._saved if self._is_in_file else state.user_input != self._saved.user_input

    @property
    def has_other_corpus(self) -> bool:
        """Whether another corpus was put in place of the one in the project's file."""
        is_replaced = not self.state().corpus_replacements <= self._saved.corpus_replacements
        return self._is_in_file and (self._has_other_corpus or is_replaced)

    def state(self) -> ProjectState:
        """Return the present state."""
        session, saved_run, branches = self._session, self._restorer.saved_run, self._session.branches
        corpus, opened = session.corpus, session.opened.tokenizers
        main = branches.run_of(branches.main)
        is_trained = branches.current is branches.main and session.run.trainer is None
        trainer = main.trainer if main and not is_trained else None
        return ProjectState(
            UserInput(corpus.documents, branches.states, corpus.special_tokens, self._text_changes),
            corpus.vocab_size,
            saved_run or (ref(trainer) if trainer else None),  # weakly, so as not to keep its memory
            len(saved_run.tokenizer.merges) if saved_run else trainer.run_length if trainer else 0,
            tuple(map(branches.length_of, branches.all[1:])),
            tuple(sorted(each.source.path for each in opened if not isinstance(each.source, SavedRun))),
            session.history.corpus_replacements,
        )

    def mark_saved(
        self,
        state: ProjectState | None = None,
        *,
        is_in_file: bool,
        is_recovered: bool = False,
        has_other_corpus: bool = False,
    ) -> None:
        """Take `state`, by default the present one, for saved, or for the beginning of a project without a file.

        With `is_recovered`, the project stays modified until it is saved, because it is only in a recovery file, whose
        corpus may be another than that of the project's file.
        """
        self._saved = state or self.state()
        self._is_in_file = is_in_file
        self._is_recovered = is_recovered
        self._has_other_corpus = has_other_corpus
        self._check()

    def take_restored_run(self, is_same_run: bool) -> None:
        """Take the restored run for saved if it is the one in the project's file; the rest of the saved state stays."""
        if is_same_run:
            saved = self._saved
            self._saved = replace(
                self.state(),
                user_input=saved.user_input,
                vocab_size=saved.vocab_size,
                corpus_replacements=saved.corpus_replacements,
            )
        self._check()

    def _text_changed(self) -> None:
        self._text_changes += 1
        self._check()

    def _check(self) -> None:
        self.happened.emit()
        if self.is_modified != self._was_modified:
            self._was_modified = self.is_modified
            self.modified_changed.emit()
