"""The cursor: at which step one is, of a run or of an opened tokenizer, and how it gets to another."""

from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.gui.session.player import Player
from bpe_gui.gui.session.cursor_steps import Steps

_SLICE: Final = 0.025  # seconds that moving may take before the window gets a turn
_SHOW_EVERY: Final = 0.1  # seconds between two of the places that are shown of a long way
_MOST: Final = 2**31 - 1  # what a signal can say


class Cursor(QObject):
    """Moves over steps: at once where it is not far, on a long way in slices, or forward by itself, which is playing.

    - `moved`: it is at another step, or the run became longer.
    - `long_way_changed`, `progressed(done, total)`: whether it is on a long way, and how far. A step of playing is
      none, however long it takes.
    - `playing_changed(bool)`: whether it moves by itself.
    """

    moved = Signal()
    long_way_changed = Signal()
    progressed = Signal(int, int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Steps | None = None
        self.is_on_long_way = False
        self._wanted = 0  # the step that it is on its way to
        self._is_quiet = False  # that step is one of playing
        self._shown = 0, 0  # the position and the length of the run when `moved` was last said
        self._next_showing = 0.0
        self._next_slice = QTimer(self, singleShot=True, interval=0)
        self._next_slice.timeout.connect(self._move)
        self._player = Player(self)
        self._player.tick.connect(self._play_on)
        self._player.playing_changed.connect(self.playing_changed)

    @property
    def position(self) -> int:
        """The step that it is at."""
        return self._steps.position if self._steps else 0

    @property
    def run_length(self) -> int:
        """How many steps are known."""
        return self._steps.run_length if self._steps else 0

    def take(self, steps: Steps | None) -> None:
        """Run over other steps, from where one is in them; or over none."""
        self.halt()
        self._steps = steps
        self._wanted = self.position
        self._shown = self.position, self.run_length

    def seek(self, position: int) -> None:
        """Go to a step, training on where the run ends before it."""
        self._is_quiet = False
        self._go(position)

    def halt(self) -> None:
        """Stay where it is."""
        self.pause()
        self._wanted = self.position
        self._arrive()

    def catch_up(self) -> None:
        """Somebody else moved the run: be where that is now."""
        self._wanted = self.position
        self._show()

    @property
    def playing(self) -> bool:
        """Whether it moves forward by itself."""
        return self._player.playing

    def play(self, steps_per_second: float) -> None:
        """Move forward by itself."""
        if self._steps is not None:
            self._player.play(steps_per_second)

    def pause(self) -> None:
        """Stop playing."""
        self._player.pause()

    def _play_on(self, steps: int) -> None:
        if not self._next_slice.isActive():
            self._is_quiet = True
            self._go(self.position + steps)

    def _go(self, position: int) -> None:
        self._wanted = max(0, position)
        self._next_slice.stop()
        self._move()

    def _move(self) -> None:
        steps = self._steps
        if steps is None:
            return
        end = monotonic() + _SLICE
        arrived = steps.approach(self._wanted)
        while not arrived and monotonic() < end:
            arrived = steps.approach(self._wanted)
        if arrived and steps.position != self._wanted:  # nothing is left to merge
            self._wanted = steps.position
            self.pause()
        if steps.position != self._wanted:
            self._move_on(steps.position)
        else:
            self._arrive()
        # On a long way, showing every slice would take longer than going.
        on_the_way = steps.position != self._wanted and monotonic() < self._next_showing
        if self._shown != (steps.position, steps.run_length) and not on_the_way:
            self._show()
            self._next_showing = monotonic() + _SHOW_EVERY

    def _move_on(self, position: int) -> None:
        self._next_slice.start()
        if self._is_quiet:
            return
        self._say_long_way(True)
        if position < self._wanted:
            self.progressed.emit(position, min(self._wanted, _MOST))

    def _arrive(self) -> None:
        self._next_slice.stop()
        self._say_long_way(False)

    def _say_long_way(self, is_on_it: bool) -> None:
        if is_on_it != self.is_on_long_way:
            self.is_on_long_way = is_on_it
            self.long_way_changed.emit()

    def _show(self) -> None:
        self._shown = self.position, self.run_length
        self.moved.emit()
