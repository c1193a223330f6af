"""The runs of a session, the main one and its branches: their plans, how they are made, and which one is current."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import zip_longest
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Plan, Progress, Recipe, Tokenizer, TokenPair, Trainer, WordCounts
from bpe_gui.gui.jobs import Cancelled

from .corpus import RunInputs, SessionCorpus
from .run import KeptRun, Run, TrainingGoal, build_tables


class SavedMerges(NamedTuple):
    """The merges of a branch, or of the main run, whose run has to be made again, and the step it was at."""

    tokenizer: Tokenizer
    position: int

    def first_difference(self, made: Tokenizer) -> int | None:
        """Return the rank of the first merge whose pair or count differs in a run that was made again, if any."""
        before, now = (list(zip_longest(each.merges, each.merge_counts or ())) for each in (self.tokenizer, made))
        if before == now[: len(before)]:
            return None
        return next((rank for rank, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(now))


@dataclass(slots=True, eq=False, weakref_slot=True)
class Branch:
    """A branch, or the main run, which has no name.

    While the branch is not current, `kept` is its run; None if the run has to be made first, to the merges of `saved`
    if there are any. `paused` is the goal of its interrupted training, which resumes when the branch becomes current.
    `size_before` is the target size that comes back when the branch is dropped, if it brought one of its own.
    """

    name: str
    recipe: Recipe
    plan: Plan
    kept: KeptRun | None = None
    saved: SavedMerges | None = None
    paused: TrainingGoal | None = None
    size_before: int | None = None


@dataclass(frozen=True, slots=True)
class BranchState:
    """A snapshot of a branch, without its run."""

    branch: Branch
    name: str
    recipe: Recipe
    plan: Plan

    @classmethod
    def of(cls, branch: Branch) -> "BranchState":
        return cls(branch, branch.name, branch.recipe, branch.plan)


def memory_of(trainer: Trainer) -> int:
    """Return the number of bytes in the arrays of a run, not counting the words, which it shares with other runs."""
    return _bytes_in(trainer.arrays)


def _bytes_in(value: object) -> int:
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if is_dataclass(value):
        return sum(_bytes_in(getattr(value, field.name)) for field in fields(value))
    return 0


def plan_from(trainer: Trainer, step: int) -> Plan:
    """Return a plan that replays the first `step` merges of a run, then bans and forces what the run's plan does."""
    forced = {rank: pair for rank, pair in trainer.plan.forced.items() if rank >= step}
    return trainer.plan.with_changes(replay=trainer.tokenizer(step).merges, forced=forced)


def banning(plan: Plan, pair: TokenPair) -> Plan:
    """Return the plan, changed so that training never chooses `pair`."""
    forced = {rank: each for rank, each in plan.forced.items() if each != pair}
    return plan.with_changes(banned=plan.banned | {pair}, forced=forced)


def forcing(plan: Plan, step: int, pair: TokenPair) -> Plan:
    """Return the plan, changed so that `pair` is merged right after step `step`."""
    return plan.with_changes(banned=plan.banned - {pair}, forced={**plan.forced, step: pair})


def make_run(
    inputs: RunInputs,
    words: WordCounts | None,
    merges: int,
    position: int,
    progress: Progress,
    *,
    keeps_steps: bool = False,
) -> KeptRun:
    """Make a run of up to `merges` merges and move it to `position`, counting the words first unless they are given.

    Raise EngineError, and Cancelled from `progress`; with `keeps_steps`, a run that is cancelled stays where it is.
    """
    trainer = inputs.set_up(words or inputs.count(progress), progress)
    try:
        while not trainer.approach(merges):
            progress(trainer.position, merges)
    except Cancelled:
        if not keeps_steps:
            raise
        position = trainer.position
    while not trainer.approach(min(position, trainer.run_length)):
        progress(0, 0)
    build_tables(trainer)
    return KeptRun(trainer, inputs)


class Branches(QObject):
    """The main run and its branches, in order. The current one is in `run`, and the corpus has its recipe and plan.

    All share the documents, the special tokens and the vocabulary size; those with the same words also share the
    counts.

    - `list_changed`: a branch was added, dropped or renamed.
    - `changed`: another branch is current; emitted after the signals of the run and the corpus.
    """

    list_changed = Signal()
    changed = Signal()

    def __init__(self, corpus: SessionCorpus, run: Run, parent: QObject) -> None:
        super().__init__(parent)
        self._corpus = corpus
        self._run = run
        self.main = Branch("", corpus.recipe, corpus.plan)
        self.all: tuple[Branch, ...] = (self.main,)
        """The main run and the branches."""
        self.current = self.main
        """The branch the window shows, unless it shows an opened tokenizer."""
        self._homes = WeakKeyDictionary[Trainer, int]()  # the steps of runs that are lent
        self._size_left: int | None = None  # the target size when the main run was shown in place of a branch
        corpus.recipe_changed.connect(self._follow)

    @property
    def states(self) -> tuple[BranchState, ...]:
        """Snapshots of all branches, without their runs."""
        return tuple(map(BranchState.of, self.all))

    # -- runs -------------------------------------------------------------------------------------------------------

    def run_of(self, branch: Branch) -> KeptRun | None:
        """Return a branch's run, which a thread may be training; None if it has to be made first."""
        return self._run.kept if branch is self.current else branch.kept

    def runs(self) -> dict[Branch, KeptRun]:
        found = {branch: self.run_of(branch) for branch in self.all}
        return {branch: run for branch, run in found.items() if run is not None}

    def runs_with_steps(self) -> dict[Branch, KeptRun]:
        """Return the runs that have steps; one that a thread trains counts as one."""
        trained = self.current if self._run.is_training else None
        return {branch: run for branch, run in self.runs().items() if branch is trained or run.trainer.run_length}

    def merges_of(self, branch: Branch) -> SavedMerges | None:
        """Return a branch's known merges and its step; None if there are none, or while a thread trains it."""
        run = self.run_of(branch)
        if run is None:
            return branch.saved
        if branch is self.current and self._run.trainer is None:
            return None
        return SavedMerges(run.trainer.tokenizer(run.trainer.run_length), self.step_of(run.trainer))

    def tokenizer_of(self, branch: Branch) -> Tokenizer | None:
        """Return a branch's tokenizer at its step; None if it has no merges, or while a thread trains it."""
        run = self.run_of(branch)
        if branch is self.current:
            return self._run.trainer.tokenizer() if self._run.trainer is not None else None
        if run is not None:
            return run.trainer.tokenizer(self.step_of(run.trainer))
        return branch.saved.tokenizer.at(branch.saved.position) if branch.saved else None

    def length_of(self, branch: Branch) -> int:
        """Return the number of a branch's known merges; 0 while a thread trains it."""
        run = self.run_of(branch)
        if run is None:
            return len(branch.saved.tokenizer.merges) if branch.saved else 0
        return 0 if branch is self.current and self._run.trainer is None else run.trainer.run_length

    def is_stale(self, branch: Branch) -> bool:
        """Return whether a branch's run was made from inputs that have changed since."""
        run, corpus = self.run_of(branch), self._corpus
        inputs = RunInputs.of(corpus.documents, branch.recipe, corpus.special_tokens, branch.plan)
        return run is not None and run.inputs != inputs

    # -- runs that are trained while another one is shown -----------------------------------------------------------

    def lend(self, trainer: Trainer) -> None:
        """Remember the step of a run that is about to be trained further while another one is shown."""
        self._homes.setdefault(trainer, trainer.position)

    def give_back(self, trainer: Trainer) -> int:
        """Return the step to which a run has to be moved; from now on, its step is where it is."""
        return self._homes.pop(trainer, trainer.position)

    def is_lent(self, trainer: Trainer) -> bool:
        """Return whether a run was lent, and has not been given back."""
        return trainer in self._homes

    def step_of(self, trainer: Trainer) -> int:
        """Return the step at which the user left a run, wherever it is while it is lent."""
        return self._homes.get(trainer, trainer.position)

    # -- the list ---------------------------------------------------------------------------------------------------

    def add(self, branch: Branch) -> None:
        """Add a branch at the end."""
        self.all = (*self.all, branch)
        self.list_changed.emit()

    def rename(self, branch: Branch, name: str) -> None:
        if name != branch.name:
            branch.name = name
            self.list_changed.emit()

    def free_name(self, name: str) -> str:
        """Return `name`, with a number appended if another branch already has that name."""
        taken, number, free = {branch.name for branch in self.all}, 2, name
        while free in taken:
            free, number = f"{name} ({number})", number + 1
        return free

    def take(self, states: Sequence[BranchState], runs: Mapping[Branch, KeptRun]) -> None:
        """Replace the branches with those in `states`, main run included, each with its run, or without one.

        If the current branch is gone, the main run becomes current. No thread may be training a run that is replaced.
        """
        before, runs_before, shown = self.states, self.runs(), self.current
        shown.kept = self._run.kept
        for state in states:
            branch = state.branch
            branch.name, branch.recipe, branch.plan = state.name, state.recipe, state.plan
            if (run := runs.get(branch)) is not branch.kept:
                branch.kept, branch.saved = run, None
                branch.paused = branch.paused if run is not None else None
        self.all = tuple(state.branch for state in states)
        self.current = shown if shown in self.all else self.main
        kept, self.current.kept = self.current.kept, None
        if kept is not self._run.kept:
            self._run.bring_back(kept)
        self._corpus.set_training(self.current.recipe, self.current.plan)
        if self.current is not shown:
            self.changed.emit()
        if (self.states, self.runs()) != (before, runs_before):
            self.list_changed.emit()

    def remove(self, branch: Branch) -> None:
        """Drop a branch and its run; if it was current, show the main run, which cannot be dropped."""
        if branch is self.main:
            return
        self._save_merges(branch)
        if branch is self.current:
            self.show(self.main)
        branch.kept = None
        if branch.size_before is not None and self._corpus.vocab_size == self._size_left:
            self._corpus.set_vocab_size(branch.size_before)
        self.all = tuple(each for each in self.all if each is not branch)
        self.list_changed.emit()

    def _save_merges(self, branch: Branch) -> None:
        """Keep the merges of a dropped branch, but not its tokenizer's caches: the history keeps many of these."""
        saved = self.merges_of(branch)
        branch.saved = saved and saved._replace(tokenizer=saved.tokenizer.without_caches())

    def clear(self) -> None:
        """Drop all runs and branches; the main run becomes current and has to be made."""
        for branch in self.all:
            self._save_merges(branch)
            branch.kept = None
        sizes = [branch.size_before for branch in self.all if branch.size_before is not None]
        brings_back = self.current is not self.main or self._corpus.vocab_size == self._size_left
        was_current, self.current = self.current, self.main
        had_branches, self.all = len(self.all) > 1, (self.main,)
        self.main.saved = self.main.paused = None
        if was_current is not self.main:
            self._corpus.set_training(self.main.recipe, self.main.plan)
        if sizes and brings_back:
            self._corpus.set_vocab_size(sizes[0])
        self._run.replace(None)  # last, because the corpus has to be up to date: this may trigger making a run
        if was_current is not self.main:
            self.changed.emit()
        if had_branches:
            self.list_changed.emit()

    def show(self, branch: Branch) -> None:
        """Make a branch current. No thread may be training the current run."""
        if branch is self.current:
            return
        self.current.kept = self._run.kept
        self._size_left = self._corpus.vocab_size if branch is self.main else None
        kept, branch.kept = branch.kept, None
        self.current = branch
        self._run.bring_back(kept)
        self._corpus.set_training(branch.recipe, branch.plan)
        self.changed.emit()

    def _follow(self) -> None:
        """Store the corpus's recipe and plan in the current branch."""
        self.current.recipe, self.current.plan = self._corpus.recipe, self._corpus.plan
