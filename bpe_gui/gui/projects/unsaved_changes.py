"""Whether a window holds work that is in no file."""

from dataclasses import dataclass, replace
from pathlib import Path
from weakref import ReferenceType, ref

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Recipe, Trainer

from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.projects.project_restorer import Restoring
from bpe_gui.gui.projects.project_snapshot import KeptRun


@dataclass(frozen=True, slots=True)
class Work:
    """What a person made. Whether the text is another is known by a number, which grows with each change."""

    documents: tuple[CorpusDocument, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    text: int


@dataclass(frozen=True, slots=True)
class State:
    """What a project holds, but for the step: to look around is no change."""

    work: Work
    vocab_size: int
    run: KeptRun | ReferenceType[Trainer] | None
    run_length: int
    opened: Path | None


class Changes(QObject):
    """Compares what there is with what there was when the project was saved, or when one began.

    - `happened`: something may have changed.
    - `modified_changed`: `is_modified` is another.
    """

    happened = Signal()
    modified_changed = Signal()

    def __init__(self, session: Session, restoring: Restoring, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._restoring = restoring
        self._text = 0
        self._is_in_file = False
        self._is_recovered = False
        self._before = self.state()
        self._was_modified = False
        for signal in (session.text_changed, session.text_edited):
            signal.connect(self._text_changed)
        for signal in (
            session.documents_changed,
            session.recipe_changed,
            session.counts_changed,
            session.cursor_moved,
            session.run_changed,
            session.tokenizer_opened,
            session.activity_changed,
        ):
            signal.connect(self._look)

    @property
    def is_modified(self) -> bool:
        """Whether there is something to be saved; where there is no file yet, only what a person made counts."""
        if self._is_recovered or self._restoring.is_at_it:
            return self._is_recovered
        now = self.state()
        return now != self._before if self._is_in_file else now.work != self._before.work

    def state(self) -> State:
        """What there is now."""
        session, kept, run = self._session, self._restoring.kept, self._session.run
        source = session.opened.source if session.opened else None
        return State(
            Work(session.documents, session.recipe, session.special_tokens, self._text),
            session.vocab_size,
            kept or (ref(run) if run else None),  # which does not keep its memory
            len(kept.tokenizer.merges) if kept else run.run_length if run else 0,
            None if source is None or isinstance(source, KeptRun) else source.path,
        )

    def forget(self, before: State | None = None, *, is_in_file: bool, is_recovered: bool = False) -> None:
        """There is nothing to be saved: what there is, or was `before`, is in a file or is what one begins with.

        Except for what `is_recovered`: that is in no file but the one for safety.
        """
        self._before = before or self.state()
        self._is_in_file = is_in_file
        self._is_recovered = is_recovered
        self._look()

    def take_run(self, is_as_saved: bool) -> None:
        """The run of a project is there; whether it is that which was saved."""
        if is_as_saved:
            self._before = replace(self.state(), work=self._before.work, vocab_size=self._before.vocab_size)
        self._look()

    def _text_changed(self) -> None:
        self._text += 1
        self._look()

    def _look(self) -> None:
        self.happened.emit()
        if self.is_modified != self._was_modified:
            self._was_modified = self.is_modified
            self.modified_changed.emit()
