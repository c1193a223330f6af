"""Detect unsaved changes, and ask before losing them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from weakref import ReferenceType, WeakKeyDictionary, ref

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_gui.engine import LiveText, Trainer
from bpe_gui.engine.projects import PROJECT_SUFFIX
from bpe_gui.gui.dialogs.boxes import ask
from bpe_gui.gui.session.branches import BranchState
from bpe_gui.gui.session.history import Change
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.phrases import number

from .project_contents import SavedRun
from .project_restorer import ProjectRestorer

translate = QCoreApplication.translate  # lupdate knows the function by this name

_SAVE_QUESTION: Final = "saveQuestion"
_REPLACE_QUESTION: Final = "replaceQuestion"
_Button = QMessageBox.StandardButton
_Role = QMessageBox.ButtonRole


def ask_for_missing_files(window: QWidget, missing: Sequence[Path], folder: Path) -> dict[Path, Path]:
    """Ask for each missing file until the user cancels, and return the new paths by the old ones."""
    found: dict[Path, Path] = {}
    for path in missing:
        title = translate("ProjectDialogs", "Where is {name}?").format(name=path.name)
        name, _filter = QFileDialog.getOpenFileName(window, title, str(folder / path.name))
        if not name:
            break
        found[path] = Path(name)
        folder = found[path].parent
    return found


def ask_to_save(
    window: QWidget, name: str, save: Callable[[], object], discard: Callable[[], object], *, is_new: bool
) -> None:
    """Ask whether to save or discard changes; call neither if the user cancels, or if the question is already open.

    `name` is the project's name, or if it `is_new`, the text's: saving never changes the file of a text.
    """
    if is_new:
        question = translate("ProjectDialogs", "Save your work on “{name}” as a project?")
    else:
        question = translate("ProjectDialogs", "Save the changes to “{name}”?")
    question = question.format(name=name)
    consequence = translate("ProjectDialogs", "Unsaved changes will be lost.")
    saving, discarding = (_Button.Save, _Role.AcceptRole, save), (_Button.Discard, _Role.DestructiveRole, discard)
    ask(window, _SAVE_QUESTION, question, consequence, saving, discarding)


def ask_to_replace_merges(
    window: QWidget, merges: tuple[int, int], replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    """Ask before saving replaces a project's run with a shorter one.

    `merges` has the number of merges in the file, and in the run that would replace them.
    """
    saved, present = map(number, merges)
    template = translate("ProjectDialogs", "Merges in the project: {saved}. Saving replaces them with {now}.")
    consequence = translate("ProjectDialogs", "The merges in the file will be lost.")
    _ask_to_replace(window, template.format(saved=saved, now=present), consequence, replace, save_as)


def ask_to_replace_saved_corpus(
    window: QWidget, name: str, replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    """Ask before saving replaces the corpus in the project `name` with a different one."""
    template = translate("ProjectDialogs", "“{name}” contains a different corpus. Saving replaces it with this one.")
    consequence = translate("ProjectDialogs", "The corpus and the merges in the file will be lost.")
    _ask_to_replace(window, template.format(name=name), consequence, replace, save_as)


def _ask_to_replace(
    window: QWidget, question: str, consequence: str, replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    replacing = translate("ProjectDialogs", "Replace"), _Role.DestructiveRole, replace
    saving_as = translate("ProjectDialogs", "Save as…"), _Role.AcceptRole, save_as
    ask(window, _REPLACE_QUESTION, question, consequence, replacing, saving_as, default=1)


def project_files() -> str:
    """Return the filter of project files for a file dialog."""
    return translate("ProjectDialogs", "bpe-gui projects (*{suffix})").format(suffix=PROJECT_SUFFIX)


@dataclass(frozen=True, slots=True)
class ProjectState:
    """Everything that is compared to detect unsaved changes.

    The step and the branch or tokenizer on screen are left out: moving the cursor or looking at another one does not
    change the project. `run` is the main run.
    """

    user_input: tuple[object, ...]
    """What the user typed, opened or chose, and what cannot be recomputed: documents, branches, special tokens, text.

    The text to encode may be large, so its edits are counted instead of comparing it.
    """
    vocab_size: int
    run: SavedRun | ReferenceType[Trainer] | None
    run_length: int
    branch_lengths: tuple[int, ...]
    opened: tuple[Path, ...]
    corpus_replacements: frozenset[Change] = field(compare=False)
    """Used to tell a different corpus from an edited one."""


class UnsavedChanges(QObject):
    """Compares the current state of the session with the last saved state, or with the initial state of a new project.

    - `happened`: the session may have changed; emitted often.
    - `modified_changed`: `is_modified` changed.
    """

    happened = Signal()
    modified_changed = Signal()

    def __init__(self, session: Session, restorer: ProjectRestorer, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._restorer = restorer
        self._text_edits = WeakKeyDictionary[LiveText, int]()
        self._is_in_file = False
        self._is_recovered = False
        self._has_other_corpus = False
        self._saved = self.state()
        self._was_modified = False
        session.text.edited.connect(self._count_edit)
        for signal in (
            session.text.replaced,
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
        """Whether the corpus in the project's file has been replaced with a different one."""
        is_replaced = not self.state().corpus_replacements <= self._saved.corpus_replacements
        return self._is_in_file and (self._has_other_corpus or is_replaced)

    def state(self) -> ProjectState:
        session, saved_run, branches = self._session, self._restorer.saved_run, self._session.branches
        corpus, opened = session.corpus, session.opened.tokenizers
        unmade = [BranchState.of(session.unmade)] if session.unmade is not None else []
        main, text = branches.run_of(branches.main), session.text.live
        is_trained = branches.current is branches.main and session.run.trainer is None
        trainer = main.trainer if main and not is_trained else None
        return ProjectState(
            (
                corpus.documents,
                (*branches.states, *unmade),
                corpus.special_tokens,
                ref(text),
                self._text_edits.get(text),
            ),
            corpus.vocab_size,
            saved_run or (ref(trainer) if trainer else None),  # weakly, so that its memory can be freed
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
        """Mark `state`, by default the current one, as saved, or as the initial state of a project without a file.

        With `is_recovered`, the project counts as modified until it is saved, because it exists only in a recovery
        file, whose corpus may differ from the one in the project's file.
        """
        self._saved = state or self.state()
        self._is_in_file = is_in_file
        self._is_recovered = is_recovered
        self._has_other_corpus = has_other_corpus
        self._check()

    def take_restored_run(self, is_same_run: bool) -> None:
        """Mark the restored run as saved if it is the one in the project's file; the rest of the saved state stays."""
        if is_same_run:
            saved = self._saved
            self._saved = replace(
                self.state(),
                user_input=saved.user_input,
                vocab_size=saved.vocab_size,
                corpus_replacements=saved.corpus_replacements,
            )
        self._check()

    def _count_edit(self) -> None:
        text = self._session.text.live
        self._text_edits[text] = self._text_edits.get(text, 0) + 1
        self._check()

    def _check(self) -> None:
        self.happened.emit()
        if self.is_modified != self._was_modified:
            self._was_modified = self.is_modified
            self.modified_changed.emit()
