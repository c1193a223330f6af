"""The long work that is going on in a session, whichever of its parts does it."""

from PySide6.QtCore import QObject, Signal

from bpe_gui.gui.jobs import Activity, JobRunner

from .cursor import Cursor
from .runs.branch_maker import BranchMaker
from .tokenizers.tokenizer_loader import TokenizerLoader


class SessionWork(QObject):
    """Reading a tokenizer, making a branch, counting or training, or a long move of the cursor; of several, the first
    in this order.

    - `changed`: `activity` may have changed.
    - `progressed(done, total)`: how far it is.
    """

    changed = Signal()
    progressed = Signal(int, int)

    def __init__(
        self, opened: TokenizerLoader, maker: BranchMaker, jobs: JobRunner, cursor: Cursor, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self._maker = maker
        self._jobs = jobs
        self._cursor = cursor
        for changed in (opened.reading_changed, maker.changed, jobs.changed, cursor.long_move_changed):
            changed.connect(self.changed)
        opened.progressed.connect(self.progressed)
        maker.progressed.connect(self._pass_on_branching)
        for progressed in (jobs.progressed, cursor.progressed):
            progressed.connect(self._pass_on)

    @property
    def activity(self) -> Activity:
        """The work that is going on."""
        if self._opened.is_reading:
            return Activity.OPENING
        if self._maker.is_making:
            return Activity.BRANCHING
        if self._jobs.activity is Activity.IDLE and self._cursor.is_on_long_move:
            return Activity.MOVING
        return self._jobs.activity

    @property
    def name(self) -> str:
        """The name of the tokenizer that is being opened, or of the branch that is being made; else empty."""
        if self._opened.is_reading:
            return self._opened.name_being_read
        return self._maker.name if self._maker.is_making else ""

    def _pass_on_branching(self, done: int, total: int) -> None:
        if not self._opened.is_reading:
            self.progressed.emit(done, total)

    def _pass_on(self, done: int, total: int) -> None:
        if not self._opened.is_reading and not self._maker.is_making:
            self.progressed.emit(done, total)

    def cancel(self) -> None:
        """Cancel the work; steps that were trained are kept."""
        if self._opened.is_reading:
            self._opened.stop_reading()
            return
        if self._maker.is_making:
            self._maker.stop()
            return
        self._cursor.halt()
        self._jobs.cancel()
