"""What a session knows of the steps that its cursor runs over: those of the run, or of a tokenizer that was opened."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Merge, Tokenizer, Trainer

from bpe_gui.gui.session.corpus import CorpusSession
from bpe_gui.gui.session.cursor import Cursor
from bpe_gui.gui.background.jobs import Job, OneJob, Report
from bpe_gui.gui.background.activity import Activity, LongWork, mistake
from bpe_gui.gui.session.opened_tokenizer import OpenedTokenizer, TokenizerSource
from bpe_gui.gui.session.cursor_steps import Steps
from bpe_gui.gui.session.watched_training import WatchedTraining


class StepsSession(CorpusSession):
    """Also the cursor and what it runs over. While a tokenizer is opened the run waits, but may be trained.

    - `run_changed`: the cursor runs over other steps (or none): another run, an opened tokenizer, or the run again.
    - `cursor_moved`: the cursor moved, or the run became longer.
    - `playing_changed(bool)`: whether the cursor moves by itself.
    - `tokenizer_opened`: `opened` is another, or None; comes after `run_changed`.
    - `activity_changed`, `progressed(done, total)`: long work.
    """

    run_changed = Signal()
    cursor_moved = Signal()
    playing_changed = Signal(bool)
    tokenizer_opened = Signal()
    activity_changed = Signal()
    progressed = Signal(int, int)

    def __init__(self, parent: QObject | None, before_much_work: Callable[[Report], None]) -> None:
        super().__init__(parent, before_much_work)
        self.opened: OpenedTokenizer | None = None
        self._run: Trainer | None = None
        self._tokenizer: Tokenizer | None = None
        self._training = WatchedTraining()
        self._opening = OneJob(self)
        self._work = LongWork(self)
        self._work.changed.connect(self.activity_changed)
        self._work.progressed.connect(self.progressed)
        self._cursor = Cursor(self)
        self._cursor.moved.connect(self._cursor_moved)
        self._cursor.long_way_changed.connect(self.activity_changed)
        self._cursor.progressed.connect(self.progressed)
        self._cursor.playing_changed.connect(self.playing_changed)

    # -- the run ----------------------------------------------------------------------------------------------------

    @property
    def run(self) -> Trainer | None:
        """The run, to be read only, also while an opened tokenizer has its place; None if there is none, or while a
        thread is training it.

        Now and then that thread waits, and `cursor_moved` says that it can be looked at until the signal's slots end.
        """
        return None if self._is_training and not self._training.is_looked_at else self._run

    @property
    def has_run(self) -> bool:
        """Whether there is a run, which a thread may be training."""
        return self._run is not None

    @property
    def is_run_in_training(self) -> bool:
        """Whether a thread is training what the cursor runs over."""
        return self._is_training and self.opened is None

    # -- the steps --------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> Steps | None:
        """What the cursor runs over, to be read only: the run, as `run` gives it, or the tokenizer that is opened."""
        return self.opened or self.run

    @property
    def trainer(self) -> Trainer | None:
        """The run, if the cursor runs over it: an opened tokenizer has no pairs and no words."""
        return self.run if self.opened is None else None

    @property
    def position(self) -> int:
        """The step the cursor is at."""
        return self._cursor.position

    @property
    def run_length(self) -> int:
        """How many steps are known."""
        return self._cursor.run_length

    @property
    def next_merge(self) -> Merge | None:
        """The merge that comes next, or None at the end of what can be merged."""
        return self.steps.peek() if self.steps else None

    @property
    def target_position(self) -> int:
        """The last step of an opened tokenizer; of a run, that at which the vocabulary is about as large as wanted."""
        if self.opened is not None:
            return self.opened.run_length
        return max(0, self._run.position + self.vocab_size - self._run.vocab_size) if self._run else 0

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What the text is encoded with: the steps as of the cursor."""
        if self._tokenizer is None and self.steps is not None:
            self._tokenizer = self.steps.tokenizer()
        return self._tokenizer

    def step(self) -> None:
        """Go one merge forward."""
        self.seek(self.position + 1)

    def step_back(self) -> None:
        """Go one merge back."""
        self.seek(self.position - 1)

    def first(self) -> None:
        """Go to the start."""
        self.seek(0)

    def last(self) -> None:
        """Go to the last step, or on to the vocabulary size that is wanted."""
        self.seek(max(self.run_length, self.target_position))

    def seek(self, position: int) -> None:
        """Send the cursor to a step; in a run, training on where it ends before. A long way is gone in slices."""
        if not self.is_run_in_training:
            self._cursor.seek(position)

    @property
    def playing(self) -> bool:
        """Whether the cursor moves forward by itself."""
        return self._cursor.playing

    def play(self, steps_per_second: float) -> None:
        """Let the cursor move forward by itself."""
        if not self.is_run_in_training:
            self._cursor.play(steps_per_second)

    def pause(self) -> None:
        """Stop playing."""
        self._cursor.pause()

    def _show_steps(self, steps: Steps | None) -> None:
        """Have the cursor run over others, from where it was in them."""
        self._cursor.take(steps)
        self._tokenizer = None
        self.run_changed.emit()
        self._encode()

    def _cursor_moved(self) -> None:
        self._tokenizer = None
        self.cursor_moved.emit()
        self._encode()

    def _encode(self) -> None:
        self._encoder.encode_with(self.tokenizer)

    # -- opened tokenizers ------------------------------------------------------------------------------------------

    def open_tokenizer(self, source: TokenizerSource, position: int | None = None) -> None:
        """Read a tokenizer in the background and have the cursor run over its merges, from a step or else the last.

        `tokenizer_opened` says that it is there, `failed` why it is not; then nothing was changed.
        """

        def done(job: Job) -> None:
            error = mistake(job)
            if isinstance(job.result, OpenedTokenizer):
                self.show_opened(job.result, position)
            self.activity_changed.emit()
            if error is not None:
                self.failed.emit(error)

        self._opening.abandon()
        self._opening.start(lambda report: source.read(), done)
        self.activity_changed.emit()

    def show_opened(self, opened: OpenedTokenizer, position: int | None = None) -> None:
        """Have the cursor run over the merges of a tokenizer that is read already, from a step or else the last."""
        if position is not None:
            opened.approach(position)
        self.opened = opened
        self._show_steps(opened)
        self.tokenizer_opened.emit()

    def close_tokenizer(self) -> None:
        """Go back to the run, where it was."""
        self._stop_opening()
        if self.opened is not None:
            self.opened = None
            self._show_steps(self._run)
            self.tokenizer_opened.emit()

    def _stop_opening(self) -> None:
        if self._opening.busy:
            self._opening.abandon()
            self.activity_changed.emit()

    # -- long work --------------------------------------------------------------------------------------------------

    @property
    def activity(self) -> Activity:
        """What long work is going on."""
        if self._opening.busy:
            return Activity.OPENING
        moves = self._work.activity is Activity.IDLE and self._cursor.is_on_long_way
        return Activity.MOVING if moves else self._work.activity

    @property
    def _is_training(self) -> bool:
        return self._work.activity is Activity.TRAINING

    def cancel(self) -> None:
        """Stop the long work; steps that were trained are kept."""
        if self._opening.busy:
            self._stop_opening()
            return
        self._cursor.halt()
        self._work.cancel()

    def shut_down(self) -> None:
        """Stop everything and wait for it, because the window closes."""
        self._stop_opening()
        self.cancel()
        for work in (self._work, self._opening):
            work.wait()
        self._encoder.shut_down()
