"""What a run was before it was made again from a changed corpus, recipe or plan: its merges, and what it came from."""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject

from bpe_gui.engine import Tokenizer

from .branches import Branch, Branches
from .corpus import RunInputs
from .run import KeptRun, Run


class RunMerges(NamedTuple):
    """The tokenizer with all known merges of a run, without the trainer, which may be large; and the run's inputs.

    `is_complete`: nothing is left to merge after these.
    """

    tokenizer: Tokenizer
    inputs: RunInputs | None
    is_complete: bool = False

    @classmethod
    def of(cls, run: KeptRun) -> "RunMerges":
        trainer = run.trainer
        return cls(trainer.tokenizer(trainer.run_length), run.inputs, trainer.is_complete)

    def count_of(self, rank: int) -> int | None:
        """Return how often the pair of a merge occurred; None if that is unknown."""
        counts = self.tokenizer.merge_counts
        return counts[rank] if counts is not None and rank < len(counts) else None


class EarlierRuns(QObject):
    """Remembers for each run which run with steps of the same branch it replaced, for as long as the run is kept.

    So undo, which brings a run back, brings back what it replaced, too.
    """

    def __init__(self, run: Run, branches: Branches, parent: QObject) -> None:
        super().__init__(parent)
        self._run = run
        self._branches = branches
        self._earlier = WeakKeyDictionary[KeptRun, RunMerges | None]()
        self._shown: tuple[Branch, KeptRun] | None = None  # the run shown last
        # Until the branch has a run again: the run that is gone, if it has steps, and what it replaced.
        self._waiting: tuple[Branch, Sequence[RunMerges]] | None = None
        run.replaced.connect(self._follow)

    @property
    def earlier(self) -> RunMerges | None:
        """What the current run replaced; None if nothing."""
        run = self._run.kept
        return None if run is None else self._earlier.get(run)

    def forget(self) -> None:
        """Forget the present runs, because they are about to be dropped for another corpus."""
        self._shown = self._waiting = None

    def _follow(self) -> None:
        branch, run = self._branches.current, self._run.kept
        if self._shown is not None and self._shown[0] is branch and self._shown[1] is not run:
            gone = self._shown[1]
            before, merges = self._earlier.get(gone), RunMerges.of(gone)
            last = merges._replace(tokenizer=merges.tokenizer.without_caches()) if gone.trainer.run_length else None
            self._waiting = branch, [each for each in (last, before) if each is not None]
        if run is not None and run not in self._earlier:
            is_waiting = self._waiting is not None and self._waiting[0] is branch
            waiting = self._waiting[1] if self._waiting is not None and is_waiting else ()
            self._earlier[run] = next((each for each in waiting if each.inputs != run.inputs), None)
        self._shown = None if run is None else (branch, run)
