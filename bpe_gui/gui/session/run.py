"""The run of a session: a trainer, the inputs it was made from, and training it in a thread.

The thread pauses ten times a second, so that the window can show its progress.
"""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, Progress, RunStop, RunUntil, Trainer, VocabularySizeError, train_to, train_until
from bpe_gui.gui.jobs import Activity, JobRunner

from .corpus import RunInputs, SessionCorpus

_FEW_WORDS: Final = 10_000  # unique words, on which a run takes no time
_LOOK_EVERY: Final = 0.1  # seconds between looks, so that training gets most of the time


class WatchedTraining:
    """Lets the UI thread read a trainer between two steps of the thread that trains it.

    A worker thread calls `train`. The UI thread calls `look` when `is_look_due` is true; within that block, the
    worker is paused and `is_in_look` is true. The UI thread waits for at most one piece of training. A plain lock
    would not do: locks are not fair, so the worker could take it again and again before the UI thread wakes up.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._may_train = Event()
        self._may_train.set()
        self._next_look = 0.0
        self.is_in_look = False
        """Whether the UI thread is in a `look` block, where it may read the trainer."""

    @property
    def is_look_due(self) -> bool:
        """Whether the last look ended at least 0.1 s ago."""
        return monotonic() >= self._next_look

    @contextmanager
    def look(self) -> Iterator[None]:
        """Pause the training within the block."""
        self._may_train.clear()
        try:
            with self._lock:
                self.is_in_look = True
                try:
                    yield
                finally:
                    self.is_in_look = False
        finally:
            self._may_train.set()
        self._next_look = monotonic() + _LOOK_EVERY

    @contextmanager
    def _piece(self) -> Iterator[None]:
        """Hold the lock in the training thread, once the UI thread does not want it."""
        self._may_train.wait()
        with self._lock:
            yield

    def train(self, trainer: Trainer, vocab_size: int, progress: Progress, until: RunUntil | None = None) -> None:
        """Train to a vocabulary size, or until a condition holds, in the calling thread.

        Report the merges done and expected. Raise Cancelled.
        """
        with self._piece():
            steps = _train_on(trainer, vocab_size)
            if until is not None:
                steps = train_until(trainer, [until], vocab_size=vocab_size)
        while True:
            with self._piece():
                done = next(steps, None)
                if done is None or not self._may_train.is_set():
                    build_tables(trainer)
            if done is None:
                break
            progress(*done)


def build_tables(trainer: Trainer) -> None:
    """Build, in the training thread, the tables the window will ask for: building them would block the UI thread."""
    tokenizer = trainer.tokenizer()
    tokenizer.entries()
    tokenizer.token_arrays(b"")
    trainer.vocabulary().symbols_of(b"")


def _train_on(trainer: Trainer, vocab_size: int) -> Iterator[tuple[int, int]]:
    """Move to the last known step and continue training; after each short piece, yield the merges done and expected."""
    while not trainer.approach(trainer.run_length):
        yield trainer.position, trainer.run_length
    yield from train_to(trainer, vocab_size=vocab_size)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class KeptRun:
    """A run that can be brought back: its trainer, at its step, and the inputs it was made from. Each run has one."""

    trainer: Trainer
    inputs: RunInputs | None


@dataclass(frozen=True, slots=True)
class TrainingGoal:
    """The first step at or after `start` where a condition holds, or else the target vocabulary size."""

    until: RunUntil | None
    start: int


class Run(QObject):
    """A trainer, or none. While a thread trains it, no other code may touch it, except within a look at `training`.

    - `replaced`: the trainer was replaced, or dropped.
    - `stale_changed(bool)`: `is_stale` changed.
    - `trained`: the training thread has ended: it finished, failed or was cancelled.
    - `stopped(stop)`: training until a condition holds ended at this RunStop; emitted after `trained`.
    - `failed(error)`: training ended with an EngineError, or was refused.
    """

    replaced = Signal()
    stale_changed = Signal(bool)
    trained = Signal()
    stopped = Signal(object)
    failed = Signal(object)

    def __init__(self, corpus: SessionCorpus, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._corpus = corpus
        self._jobs = jobs
        self.kept: KeptRun | None = None
        """The run, so that it can be brought back later, even without steps; None if there is none."""
        self.training: Final = WatchedTraining()
        """Lets the trainer be read while a thread trains it."""
        self.unreached: TrainingGoal | None = None
        """The goal of the current training, or of the last one if it was cancelled; otherwise None."""
        self._was_stale = False

    @property
    def _trainer(self) -> Trainer | None:
        return self.kept.trainer if self.kept else None

    @property
    def inputs(self) -> RunInputs | None:
        """The inputs the run was made from; None without a run."""
        return self.kept.inputs if self.kept else None

    @property
    def exists(self) -> bool:
        """Whether there is a trainer; a thread may be training it."""
        return self.kept is not None

    @property
    def trainer(self) -> Trainer | None:
        """The trainer (read only); None if there is none, or while a thread trains it, except within a look."""
        is_being_changed = self.is_training and not self.training.is_in_look
        return None if is_being_changed else self._trainer

    @property
    def is_training(self) -> bool:
        return self._jobs.activity is Activity.TRAINING

    @property
    def is_replaceable(self) -> bool:
        """Whether replacing the run would lose no steps."""
        return self._trainer is None or self._trainer.run_length == 0

    @property
    def is_stale(self) -> bool:
        """Whether the run was made from inputs that have changed since."""
        return self._trainer is not None and self.inputs != self._corpus.inputs

    def is_made_from(self, inputs: RunInputs) -> bool:
        """Return whether there is a readable trainer, made from these inputs."""
        return self.trainer is not None and self.inputs == inputs

    @property
    def target_position(self) -> int:
        """The step where the vocabulary has the target size, or the last one of a run known to end earlier."""
        return self.step_of_size(self._corpus.vocab_size)

    def step_of_size(self, size: int) -> int:
        """Return the first step with a vocabulary of this size, or the last one of a run known to end earlier."""
        trainer = self.trainer
        if trainer is None:
            return 0
        last, size_at = trainer.run_length, trainer.vocabulary().size
        if size < size_at(last):
            return bisect_left(range(last), size, key=size_at)
        return last if trainer.is_complete else last + size - size_at(last)

    def size_after(self, merges: int) -> int | None:
        """Return the size of the vocabulary after a number of merges, as if each of those not known yet added a token.

        Where tokens may leave, a short run is made to know. Return None if the inputs have changed.
        """
        trainer = self.trainer
        if trainer is None or self.is_stale:
            return None
        if trainer.recipe.vocabulary == "prune" and not trainer.plan and len(trainer.word_counts) <= _FEW_WORDS:
            trainer = Trainer(trainer.word_counts, trainer.recipe)
            trainer.seek(merges)
        known = min(merges, trainer.run_length)
        return trainer.vocabulary().size(known) + merges - known

    @property
    def size_error(self) -> VocabularySizeError | None:
        """An error if the run has grown beyond the target size and so has it at `target_position`, else None."""
        trainer, size = self.trainer, self._corpus.vocab_size
        if trainer is None or not trainer.initial_size <= size < trainer.vocabulary().size(trainer.run_length):
            return None
        return VocabularySizeError(
            "Nothing was trained: this run is already larger. The window now shows step {step:,}, where it has "
            "{size:,} entries. Export there to get that size.",
            step=self.target_position,
            size=size,
            least=trainer.initial_size,
        )

    def replace(self, trainer: Trainer | None, inputs: RunInputs | None = None) -> None:
        """Replace the trainer with one made from `inputs`, or with none."""
        self.bring_back(None if trainer is None else KeptRun(trainer, inputs))

    def keep(self) -> KeptRun | None:
        """Return the run so that it can be brought back later; None if it has no steps."""
        return None if not self.is_training and self.is_replaceable else self.kept

    def bring_back(self, kept: KeptRun | None) -> None:
        """Replace the run with one that was kept, or with none. No thread may be training the current one."""
        self.kept = kept
        self.replaced.emit()
        self.report_staleness()

    def train(self, until: RunUntil | None = None) -> None:
        """Train in a thread to the target vocabulary size, or until a condition holds.

        Refuse a size that the run has already reached.
        """
        if self._trainer is None:
            return
        error = self._end_error(self._trainer) if until is None else None
        if error is not None:
            self.failed.emit(error)
        else:
            self.resume(TrainingGoal(until, self._trainer.position))

    def _end_error(self, trainer: Trainer) -> VocabularySizeError | None:
        """Return an error if the run is at its end and could be extended, but already has the target size."""
        size, entries = self._corpus.vocab_size, trainer.vocab_size
        is_at_end = trainer.position == trainer.run_length and trainer.peek() is not None
        if not is_at_end or size != entries:
            return None
        return VocabularySizeError(
            "This run has {entries:,} entries already, so training to {size:,} adds none.",
            entries=entries,
            size=size,
            least=entries + 1,
        )

    def resume(self, goal: TrainingGoal) -> None:
        """Train in a thread to a goal, which may be one that was interrupted before."""
        trainer, size, until = self._trainer, self._corpus.vocab_size, goal.until
        if trainer is None:
            return
        self.unreached = goal

        def succeed(_result: None) -> None:
            self.unreached = None
            self.trained.emit()
            if until is not None:
                self.stopped.emit(RunStop.of(until, trainer, goal.start))

        def fail(error: EngineError) -> None:
            self.unreached = None
            self.trained.emit()
            self.failed.emit(error)

        self._jobs.start(
            name="train",
            work=lambda progress: self.training.train(trainer, size, progress, until),
            on_success=succeed,
            on_error=fail,
            on_cancel=self.trained.emit,
            activity=Activity.TRAINING,
        )

    def report_staleness(self) -> None:
        """Emit `stale_changed` if a change of the inputs has changed `is_stale`."""
        if self.is_stale != self._was_stale:
            self._was_stale = self.is_stale
            self.stale_changed.emit(self.is_stale)
