"""Training in a thread that pauses ten times a second, so that the window can show how far it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from bpe_gui.engine import RunUntil, Trainer, train_to, train_until
from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.background.turns import Turns

_LOOK_EVERY: Final = 0.1  # seconds from the end of a look to the next, so that training gets most of the time


class WatchedTraining:
    """Lets the UI thread read a trainer between two steps of the thread that trains it.

    A worker thread calls `train`. The UI thread calls `look` when `may_be_looked_at` is true; while that block lasts,
    the worker thread pauses and `is_looked_at` is true.
    """

    def __init__(self) -> None:
        self._turns = Turns()
        self._next_look = 0.0
        self._is_looked_at = False

    @property
    def is_looked_at(self) -> bool:
        """Whether the UI thread is in a `look` block, in which it may read the trainer."""
        return self._is_looked_at

    @property
    def may_be_looked_at(self) -> bool:
        """Whether the last look ended at least 0.1 s ago."""
        return monotonic() >= self._next_look

    @contextmanager
    def look(self) -> Iterator[None]:
        """Pause the training until the block ends."""
        with self._turns.look():
            self._is_looked_at = True
            try:
                yield
            finally:
                self._is_looked_at = False
        self._next_look = monotonic() + _LOOK_EVERY

    def train(self, trainer: Trainer, vocab_size: int, report: Report, until: RunUntil | None = None) -> None:
        """Train to a vocabulary size, or until a condition holds, in the calling thread.

        Report the merges done and expected. Raise Cancelled.
        """
        with self._turns.work():
            steps = _train_on(trainer, vocab_size)
            if until is not None:
                steps = train_until(trainer, [until], vocab_size=vocab_size)
        while True:
            with self._turns.work():
                progress = next(steps, None)
                if progress is None or self._turns.is_look_wanted:
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
