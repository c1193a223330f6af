"""The cursor: the step on screen, of the run or of an opened tokenizer. It moves and plays."""

from bisect import bisect_left
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import EngineError, Merge, Tokenizer, Trainer

from .opened_tokenizers import OpenedTokenizer, OpenedTokenizers
from .run import Run

Steps = Trainer | OpenedTokenizer
"""Merges in order, and a position among them; position 0 is before the first merge.

What both have is what the cursor needs: `position`, `run_length`, `counts`, `merge_at`, `peek`, `approach`, `tokenizer`
and `pruned`.
"""

_SLICE: Final = 0.025  # seconds a move may take before the event loop gets a turn
_ANNOUNCE_EVERY: Final = 0.1  # seconds into a long move before the first announcement, and between announcements
_MAX_TICKS: Final = 30  # per second when playing; nobody would see more
_MAX_INT: Final = 2**31 - 1  # the largest int that a Qt signal can carry


class Cursor(QObject):
    """A position among the steps of the opened tokenizer if there is one, otherwise among those of the run.

    A short move happens at once; a long one is done in slices. When playing, the cursor moves forward at a given speed.
    It cannot move while a thread trains the run it is on.

    - `steps_changed`: the cursor is on another run or tokenizer, or on none.
    - `moved`: the position changed, or more steps are known.
    - `tokenizer_changed`: `tokenizer` may be a different one; follows `steps_changed` and `moved`.
    - `long_move_changed`, `progressed(done, total)`: `is_on_long_move` changed; the progress of the move. A step while
      playing never counts as a long move, however long it takes.
    - `playing_changed(bool)`: `playing` changed.
    - `failed(error)`: the EngineError that ended a move, because the plan asks for a merge that is impossible there.
    """

    steps_changed = Signal()
    moved = Signal()
    tokenizer_changed = Signal()
    long_move_changed = Signal()
    progressed = Signal(int, int)
    playing_changed = Signal(bool)
    failed = Signal(object)

    def __init__(self, run: Run, opened: OpenedTokenizers, parent: QObject) -> None:
        super().__init__(parent)
        self._run = run
        self._opened = opened
        self._tokenizer: tuple[Steps, Tokenizer] | None = None  # the last one known, and the steps it was made from
        self._target = 0
        self._is_step_of_playing = False
        self.is_on_long_move = False
        """Whether a move is in progress that takes longer than a slice."""
        self._announced = 0, 0  # position and run length
        self._next_announcement = 0.0
        self._next_slice = QTimer(self, singleShot=True)
        self._next_slice.timeout.connect(self._move)
        self._steps_per_tick = 1
        self._tick = QTimer(self)
        self._tick.timeout.connect(self._play_steps)
        run.replaced.connect(self._run_replaced)
        run.trained.connect(self._run_trained)
        opened.changed.connect(self._steps_replaced)

    @property
    def steps(self) -> Steps | None:
        """The steps that the cursor is on (read only); None while a thread trains the run, or if there is no run."""
        return self._opened.tokenizer or self._run.trainer

    @property
    def trainer(self) -> Trainer | None:
        """The trainer if the cursor is on the run; an opened tokenizer has no pairs or words."""
        return self._run.trainer if self._opened.tokenizer is None else None

    @property
    def is_following_training(self) -> bool:
        """Whether the cursor is on a run that a thread is training."""
        return self._opened.tokenizer is None and self._run.is_training

    @property
    def position(self) -> int:
        """The current step; while a thread trains, the last one known."""
        steps = self.steps
        return steps.position if steps else self._announced[0]

    @property
    def run_length(self) -> int:
        """The number of known steps; while a thread trains, the last number known."""
        steps = self.steps
        return steps.run_length if steps else self._announced[1]

    @property
    def next_merge(self) -> Merge | None:
        """The merge that comes next; None if nothing is left to merge."""
        steps = self.steps
        return steps.peek() if steps else None

    @property
    def target_position(self) -> int:
        """The last step of an opened tokenizer; for a run, see `Run.target_position`."""
        opened = self._opened.tokenizer
        return self._run.target_position if opened is None else opened.run_length

    def step_of_size(self, size: int) -> int:
        """Return the first step with a vocabulary of this size; see `Run.step_of_size`."""
        opened = self._opened.tokenizer
        if opened is None:
            return self._run.step_of_size(size)
        return bisect_left(range(opened.run_length), size, key=lambda step: opened.tokenizer(step).vocab_size)

    @property
    def last_step(self) -> int:
        """The step where the run will end: at the target size, or when nothing is left to merge."""
        end, trainer = self.target_position, self.trainer
        if trainer is not None:
            end = min(end, trainer.most_merges)
        return self.run_length if self.next_merge is None else max(self.run_length, end)

    @property
    def may_extend(self) -> bool:
        """Whether training to the target vocabulary size may add steps to the run."""
        is_at_end = self.position == self.run_length and self.next_merge is None
        return self._opened.tokenizer is None and self.run_length < self.target_position and not is_at_end

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer at the cursor; while a thread trains, the last one known."""
        steps, held = self.steps, self._tokenizer
        if steps is not None and (held is None or held[0] is not steps or held[1].position != steps.position):
            held = self._tokenizer = steps, steps.tokenizer()
        return held[1] if held else None

    # -- moving -----------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Move one merge forward, counting from where the current move will end."""
        self.seek(self.destination + 1)

    def step_back(self) -> None:
        """Move one merge back, counting from where the current move will end."""
        self.seek(self.destination - 1)

    @property
    def destination(self) -> int:
        """The step where the current move will end, or the current step."""
        return self._target if self._next_slice.isActive() else self.position

    def first(self) -> None:
        self.seek(0)

    def last(self) -> None:
        """Move to the last step, or train to the target vocabulary size."""
        self.seek(max(self.run_length, self.target_position))

    def seek(self, position: int) -> None:
        """Move to a step, or as close to it as possible, training further if the run is too short."""
        if not self.is_following_training:
            self._is_step_of_playing = False
            self._move_to(position)

    def go_to(self, position: int) -> None:
        """Stop playing, and move to a step that the user chose; see `seek`."""
        self.pause()
        self.seek(position)

    def halt(self) -> None:
        """Stop playing, and end a move where it is."""
        self.pause()
        self._target = self.position
        self._end_move()
        self._announce_move()

    def catch_up(self) -> None:
        """Announce the new position after something other than the cursor moved the run."""
        self._target = self.position
        self._announce()

    def _run_replaced(self) -> None:
        if self._opened.tokenizer is None:
            self._steps_replaced()

    def _run_trained(self) -> None:
        if self._opened.tokenizer is None:
            self.catch_up()

    def _steps_replaced(self) -> None:
        self._tokenizer = None
        steps = self.steps
        self._announced = (steps.position, steps.run_length) if steps else (0, 0)
        self.halt()
        self.steps_changed.emit()
        self.tokenizer_changed.emit()

    def _move_to(self, position: int) -> None:
        if not self._next_slice.isActive():
            self._next_announcement = monotonic() + _ANNOUNCE_EVERY
        self._target = max(0, position)
        self._next_slice.stop()
        self._move()

    def _move(self) -> None:
        steps = self.steps
        if steps is None:
            return
        end = monotonic() + _SLICE
        try:
            has_arrived = steps.approach(self._target)  # at least once, even if a busy machine has used up the time
            while not has_arrived and monotonic() < end:
                has_arrived = steps.approach(self._target)
        except EngineError as error:
            self.halt()
            self.failed.emit(error)
            return
        if has_arrived and steps.position != self._target:  # nothing is left to merge
            self._target = steps.position
            self.pause()
        if steps.position == self._target:
            self._end_move()
            self._announce_move()
        else:
            self._continue_move(steps.position)

    def _continue_move(self, position: int) -> None:
        self._next_slice.start()
        if not self._is_step_of_playing:
            self._set_on_long_move(True)
        # Announcing every slice would take longer than the move itself.
        if monotonic() >= self._next_announcement:
            if position < self._target and not self._is_step_of_playing:
                self.progressed.emit(position, min(self._target, _MAX_INT))
            self._announce_move()
            self._next_announcement = monotonic() + _ANNOUNCE_EVERY

    def _end_move(self) -> None:
        self._next_slice.stop()
        self._set_on_long_move(False)

    def _set_on_long_move(self, value: bool) -> None:
        if value != self.is_on_long_move:
            self.is_on_long_move = value
            self.long_move_changed.emit()

    def _announce_move(self) -> None:
        if self._announced != self._state:
            self._announce()

    @property
    def _state(self) -> tuple[int, int]:
        steps = self.steps
        return (steps.position, steps.run_length) if steps else self._announced

    def _announce(self) -> None:
        self._announced = self._state
        self.moved.emit()
        self.tokenizer_changed.emit()

    # -- playing ----------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        return self._tick.isActive()

    def play(self, steps_per_second: float) -> None:
        """Move forward at `steps_per_second` until `pause` is called or nothing is left to merge."""
        if self.steps is not None and not self.is_following_training:
            self._steps_per_tick = max(1, round(steps_per_second / _MAX_TICKS))
            self._tick.start(round(1000 * self._steps_per_tick / steps_per_second))
            self.playing_changed.emit(True)

    def pause(self) -> None:
        if self._tick.isActive():
            self._tick.stop()
            self.playing_changed.emit(False)

    def _play_steps(self) -> None:
        if not self._next_slice.isActive():
            self._is_step_of_playing = True
            self._move_to(self.position + self._steps_per_tick)
