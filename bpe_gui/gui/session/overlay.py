"""The overlay: the other run of the corpus, trained as far as the run on screen and compared with it at each step."""

from typing import Final, NamedTuple
from weakref import WeakSet

import numpy as np
from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, IntegerArray, Tokenizer, TokenPair, Trainer
from bpe_gui.gui.jobs import JobRunner, pause_before

from .branches import Branch, Branches
from .cursor import Cursor
from .encoded_text import UNKNOWN_ID, EncodedText
from .opened_tokenizers import OpenedTokenizers
from .run import KeptRun

_COMPARE_AFTER: Final = 120  # milliseconds after a move or an edit; later ones do not delay it
_TRAIN_AFTER: Final = 300  # milliseconds without a move
_SLICE_EVERY: Final = 15  # milliseconds, of which a slice of training takes a few
MAX_COMPARED: Final = 100_000  # bytes; only the beginning of a longer text is compared


class TextDifference(NamedTuple):
    """How the overlay splits the text to encode, compared with the run on screen."""

    tokens: int
    """How many tokens the overlay needs."""
    more_tokens: int
    """How many more tokens the overlay needs; negative if it needs fewer."""
    added: IntegerArray
    """The byte offsets where only the overlay begins a token."""
    lost: IntegerArray
    """The byte offsets where only the run on screen does."""
    is_whole: bool
    """Whether the whole text was compared."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether some boundary between tokens is only in one of the two."""
        return len(self.added) + len(self.lost) > 0

    @classmethod
    def of(cls, shown: Tokenizer, other: Tokenizer, text: bytes, *, is_whole: bool) -> "TextDifference":
        """Compare the tokens of two tokenizers. Raise EngineError if one of them cannot encode the text."""
        starts, others = (each.with_unknown_id(UNKNOWN_ID).token_arrays(text).starts for each in (shown, other))
        added, lost = others[~np.isin(others, starts)], starts[~np.isin(starts, others)]
        return cls(len(others), len(others) - len(starts), added, lost, is_whole)


class Overlay(QObject):
    """The run drawn over the one on screen: the run that was shown before it, or else the branch made last.

    While the window is at rest, all branches, drawn or not, are trained in slices until they have as many merges as the
    run on screen, so that they are always compared at equal length; each stays at its step.

    - `changed`: it is another run, or that run has more merges, or it was turned on or off.
    - `compared`: `difference` has changed.
    """

    changed = Signal()
    compared = Signal()

    def __init__(
        self, branches: Branches, opened: OpenedTokenizers, cursor: Cursor, text: EncodedText, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self._branches = branches
        self._cursor = cursor
        self._text = text
        self._jobs = JobRunner(self)
        self._shown, self._before = branches.current, branches.main  # the run shown last, and the one before it
        self._known = branches.all
        self._trained: Trainer | None = None  # the run being trained, which is lent by the branches
        self._ended = WeakSet[Trainer]()  # those whose plan allows no further merge
        self.is_on = True
        """Whether the user wants to see it."""
        self.branch: Branch | None = None
        """The run that is drawn; None if there is none, or it is off."""
        self.difference: TextDifference | None = None
        """How it splits the text; None until that is known, or if one of the two cannot encode the text."""
        self._compare_soon = pause_before(self._compare, _COMPARE_AFTER, self)
        self._at_rest = pause_before(self._train, _TRAIN_AFTER, self)
        for changed in (branches.changed, branches.list_changed, cursor.steps_changed):
            changed.connect(self._choose)
        for changed in (text.edited, text.replaced):
            changed.connect(self._forget)
        for moved in (cursor.moved, text.tokens_changed):
            moved.connect(self._follow)

    def set_on(self, on: bool) -> None:
        """Show or hide it."""
        if on != self.is_on:
            self.is_on = on
            self._choose()

    @property
    def candidate(self) -> Branch | None:
        """The run to draw if it is on; None without a branch, or while an opened tokenizer is shown."""
        branches = self._branches
        if len(branches.all) == 1 or self._opened.tokenizer is not None:
            return None
        if self._before in branches.all and self._before is not branches.current:
            return self._before
        return branches.main if branches.current is not branches.main else branches.all[-1]

    @property
    def run(self) -> KeptRun | None:
        """Its run; None if that was made from another corpus, or has to be made first."""
        branch = self.branch
        return None if branch is None or self._branches.is_stale(branch) else branch.kept

    @property
    def is_growing(self) -> bool:
        """Whether it has fewer merges than the run on screen, and can have more."""
        return self.run is not None and self._is_short(self.run.trainer)

    def _is_short(self, trainer: Trainer) -> bool:
        steps = self._cursor.steps
        can_grow = steps is not None and not trainer.is_complete and trainer not in self._ended
        return can_grow and steps is not None and trainer.run_length < steps.run_length

    @property
    def fork(self) -> int:
        """The step after which it may differ from the run on screen."""
        both = [self._branches.current, *filter(None, [self.branch])]
        return min((len(each.plan.replay) for each in both if each is not self._branches.main), default=0)

    @property
    def stages(self) -> list[int]:
        """The steps at which either of the two begins another stage, such as superwords."""
        both = [self._branches.current, *filter(None, [self.branch])]
        return sorted({step for each in both for step in each.plan.stages})

    @property
    def next_pair(self) -> TokenPair | None:
        """The pair that it merges next at the step on screen; None if it has no such merge."""
        run, step = self.run, self._cursor.position
        if run is None or step >= run.trainer.run_length:
            return None
        merge = run.trainer.merge_at(step)
        return merge.left, merge.right

    def tokenizer(self) -> Tokenizer | None:
        """Return its tokenizer at the step on screen; None if it has no such step."""
        run, step = self.run, self._cursor.position
        return run.trainer.tokenizer(step) if run is not None and step <= run.trainer.run_length else None

    def _choose(self) -> None:
        branches = self._branches
        new = [branch for branch in branches.all if branch not in self._known]
        self._known = branches.all
        if new:
            self._before = new[-1]
        if branches.current is not self._shown:
            self._shown, self._before = branches.current, self._shown
        branch = self.candidate if self.is_on else None
        self._jobs.abandon()
        self._compare_soon.stop()
        self._at_rest.stop()
        self._trained = None
        if branch is None and self.branch is None:
            self.changed.emit()
            self._follow()
            return
        self.branch, self.difference = branch, None
        self.changed.emit()
        self.compared.emit()
        self._follow()

    def _forget(self) -> None:
        """Drop the difference, because an edit has moved the offsets."""
        if self.difference is not None:
            self._take(None)
        self._follow()

    def _follow(self) -> None:
        """Compare soon, and train when the window is at rest."""
        if self.branch is not None and not self._compare_soon.isActive():
            self._compare_soon.start()
        if len(self._known) > 1 and self._trained is None:
            self._at_rest.start(_TRAIN_AFTER)

    # -- training it along ------------------------------------------------------------------------------------------

    def _train(self) -> None:
        """Train a run that is too short for a few milliseconds; then bring it back to its step."""
        steps = self._cursor.steps
        if steps is None or self._opened.tokenizer is not None:
            return
        if self._trained is None:
            others = [branch for branch in self._branches.all if branch is not self._branches.current]
            runs = [branch.kept for branch in others if branch.kept is not None and not self._branches.is_stale(branch)]
            trainers = [run.trainer for run in runs]
            chosen = (each for each in trainers if self._branches.is_lent(each) or self._is_short(each))
            if (trainer := next(chosen, None)) is None:
                return
            self._branches.lend(trainer)
            self._trained = trainer
        trainer, has_arrived = self._trained, False
        try:
            if self._is_short(trainer):
                if trainer.approach(steps.run_length):
                    trainer.peek()  # so that it knows whether the run ends here
            else:
                has_arrived = trainer.approach(self._branches.step_of(trainer))
        except EngineError:
            self._ended.add(trainer)
        if has_arrived:
            self._branches.give_back(trainer)
            self._trained = None
            self.changed.emit()
            self._follow()
        self._at_rest.start(_SLICE_EVERY)

    # -- comparing --------------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Compare the two tokenizers on the text, in a thread."""
        if self._cursor.steps is None:
            return
        shown, other = self._text.tokenizer, self.tokenizer()
        self._jobs.abandon()
        if shown is None or other is None:
            self._take(None)
            return
        other = other.obeying(self._text.allowed_special)
        text, is_whole = self._text.beginning(MAX_COMPARED)
        self._jobs.start(
            name="compare overlay",
            work=lambda _report: TextDifference.of(shown, other, text, is_whole=is_whole),
            on_success=self._take,
            on_error=lambda _error: self._take(None),
        )

    def _take(self, difference: TextDifference | None) -> None:
        self.difference = difference
        self.compared.emit()
