"""Training in a thread that pauses ten times a second, so that the window can show how far it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic
from typing import Final

from bpe_gui.engine import RunUntil, Trainer, train_to, train_until
from bpe_gui.gui.jobs import Report

_LOOK_EVERY: Final = 0.1  # seconds from the end of a look to the next, so that training gets most of the time


class WatchedTraining:
    """Lets the UI thread read a trainer between two steps of the thread that trains it.

    A worker thread calls `train`. The UI thread calls `look` when `may_be_looked_at` is true; while that block lasts,
    the worker thread pauses and `is_looked_at` is true. The UI thread waits for one piece of training at most. A lock
    alone would not do: it is not fair, so the worker could take it again and again before the UI thread wakes up.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._may_train = Event()
        self._may_train.set()
        self._next_look = 0.0
        self.is_looked_at = False
        """Whether the UI thread is in a `look` block, in which it may read the trainer."""

    @property
    def may_be_looked_at(self) -> bool:
        """Whether the last look ended at least 0.1 s ago."""
        return monotonic() >= self._next_look

    @contextmanager
    def look(self) -> Iterator[None]:
        """Pause the training until the block ends."""
        self._may_train.clear()
        try:
            with self._lock:
                self.is_looked_at = True
                try:
                    yield
                finally:
                    self.is_looked_at = False
        finally:
            self._may_train.set()
        self._next_look = monotonic() + _LOOK_EVERY

    @contextmanager
    def _piece(self) -> Iterator[None]:
        """Hold the lock in the thread that trains, as soon as the UI thread does not want it."""
        self._may_train.wait()
        with self._lock:
            yield

    def train(self, trainer: Trainer, vocab_size: int, report: Report, until: RunUntil | None = None) -> None:
        """Train to a vocabulary size, or until a condition holds, in the calling thread.

        Report the merges done and expected. Raise Cancelled.
        """
        with self._piece():
            steps = _train_on(trainer, vocab_size)
            if until is not None:
                steps = train_until(trainer, [until], vocab_size=vocab_size)
        while True:
            with self._piece():
                progress = next(steps, None)
                if progress is None or not self._may_train.is_set():
                    build_tables(trainer)
            if progress is None:
                break
            report(*progress)


def build_tables(trainer: Trainer) -> None:
    """Build what the window will ask a run for, in the thread that trains it: it would cost the UI thread time."""
    tokenizer = trainer.tokenizer()
    tokenizer.entries()
    tokenizer.token_arrays(b"")
    trainer.vocabulary().symbols_of(b"")


def _train_on(trainer: Trainer, vocab_size: int) -> Iterator[tuple[int, int]]:
    """Move to the last known step and train on; yield the merges done and expected after each short piece."""
    while not trainer.approach(trainer.run_length):
        yield trainer.position, trainer.run_length
    yield from train_to(trainer, vocab_size=vocab_size)
