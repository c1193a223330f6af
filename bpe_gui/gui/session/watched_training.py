"""Training in a thread, with looks at the run now and then."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from bpe_gui.engine import Trainer, train_to

from bpe_gui.gui.background.jobs import Report, Turns

_LOOK_EVERY: Final = 0.1  # seconds: training has most of the time


class WatchedTraining:
    """Lets the window look at a run while a thread trains it."""

    def __init__(self) -> None:
        self._turns = Turns()
        self._next_look = 0.0
        self.is_looked_at = False
        """The thread waits."""

    def train(self, trainer: Trainer, vocab_size: int, report: Report) -> None:
        """What the thread does: train to a vocabulary size."""
        steps = _steps_to(trainer, vocab_size)
        while True:
            with self._turns.work():
                progress = next(steps, None)
                trainer.tokenizer().entries()  # made here, bit by bit, they cost the window no time
            if progress is None:
                break
            report(*progress)

    @property
    def may_be_looked_at(self) -> bool:
        """Whether the last look was long enough ago."""
        return monotonic() >= self._next_look

    @contextmanager
    def look(self) -> Iterator[None]:
        """The run can be read until this ends."""
        with self._turns.look():
            self.is_looked_at = True
            try:
                yield
            finally:
                self.is_looked_at = False
        self._next_look = monotonic() + _LOOK_EVERY


def _steps_to(trainer: Trainer, vocab_size: int) -> Iterator[tuple[int, int]]:
    """To the end of what is known, and on to a size; gives (merges done, expected at the end) in between."""
    while not trainer.approach(trainer.run_length):
        yield trainer.position, trainer.run_length
    yield from train_to(trainer, vocab_size=vocab_size)
