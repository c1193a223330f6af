"""The long work that is going on in a session, whichever of its parts does it."""

from PySide6.QtCore import QObject, Signal

from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.background.jobs import JobRunner

from .cursor import Cursor
from .tokenizers.tokenizer_loader import TokenizerLoader


class SessionWork(QObject):
    """Reading a tokenizer, counting or training, or a long move of the cursor; of several, the first in this order.

    - `changed`: `activity` may have changed.
    - `progressed(done, total)`: how far it is.
    """

    changed = Signal()
    progressed = Signal(int, int)

    def __init__(self, opened: TokenizerLoader, jobs: JobRunner, cursor: Cursor, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._jobs = jobs
        self._cursor = cursor
        for changed in (opened.reading_changed, jobs.changed, cursor.long_move_changed):
            changed.connect(self.changed)
        opened.progressed.connect(self.progressed)
        for progressed in (jobs.progressed, cursor.progressed):
            progressed.connect(self._pass_on)

    @property
    def activity(self) -> Activity:
        """The work that is going on."""
        if self._opened.is_reading:
            return Activity.OPENING
        if self._jobs.activity is Activity.IDLE and self._cursor.is_on_long_move:
            return Activity.MOVING
        return self._jobs.activity

    @property
    def name(self) -> str:
        """The name of the tokenizer that is being opened; empty for other work."""
        return self._opened.name_being_read if self._opened.is_reading else ""

    def _pass_on(self, done: int, total: int) -> None:
        if not self._opened.is_reading:
            self.progressed.emit(done, total)

    def cancel(self) -> None:
        """Cancel the work; steps that were trained are kept."""
        if self._opened.is_reading:
            self._opened.stop_reading()
            return
        self._cursor.halt()
        self._jobs.cancel()
