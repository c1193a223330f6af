"""Making the run of a branch in a thread: counting if necessary, and training to its step."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, Trainer, WordCounts
from bpe_gui.gui.jobs import Activity, JobRunner, Operation, Report
from bpe_gui.gui.session.run_inputs import RunInputs

from .run import KeptRun
from .watched_training import build_tables


@dataclass(frozen=True, slots=True, eq=False)
class RunToMake:
    """A run that is wanted: its inputs, their words if these are known, how many merges, and the step to be at."""

    inputs: RunInputs
    words: WordCounts | None
    merges: int
    position: int


class BranchMaker(QObject):
    """Makes one run at a time; the run that is shown can be used meanwhile.

    - `changed`: `is_making` or `name` changed.
    - `progressed(done, total)`: how far it is; (0, 0) if that is unknown.
    - `failed(error)`: it cannot be made.
    """

    changed = Signal()
    progressed = Signal(int, int)
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._name = ""
        self._runner = JobRunner(self)
        self._runner.changed.connect(self.changed)
        self._runner.progressed.connect(self.progressed)

    @property
    def is_making(self) -> bool:
        """Whether a thread is making a run."""
        return self._runner.busy

    @property
    def name(self) -> str:
        """The name of the branch whose run is being made, or was made last."""
        return self._name

    def make(self, name: str, wanted: RunToMake, then: Callable[[KeptRun], object]) -> None:
        """Make a run for the branch of a name, and call `then` with it; what was being made is made no more."""
        self._runner.abandon()
        self._name = name

        def work(report: Report) -> Trainer:
            words = wanted.words or wanted.inputs.count(report)
            return _trained(wanted.inputs.set_up(words, report), wanted, report)

        def fail(error: EngineError) -> None:
            self.failed.emit(error)

        self._runner.start(
            Operation(
                name="make branch",
                work=work,
                on_success=lambda trainer: then(KeptRun(trainer, wanted.inputs)),
                on_error=fail,
                activity=Activity.BRANCHING,
            )
        )

    def stop(self) -> None:
        """Stop; no run is made."""
        self._runner.abandon()


def _trained(trainer: Trainer, wanted: RunToMake, report: Report) -> Trainer:
    """Train a run to as many merges as are wanted, and go to its step."""
    while not trainer.approach(wanted.merges):
        report(trainer.position, wanted.merges)
    while not trainer.approach(min(wanted.position, trainer.run_length)):
        report(0, 0)
    build_tables(trainer)
    return trainer
