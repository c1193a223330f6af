"""The timer behind playing."""

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

_MAX_TICKS: Final = 30  # a second; more would not be seen


class Player(QObject):
    """Emits `tick(steps)` at the requested speed until it is paused. `playing_changed(bool)`: `playing`."""

    tick = Signal(int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._emit_tick)
        self._steps_per_tick = 1

    @property
    def playing(self) -> bool:
        """Whether ticks are being emitted."""
        return self._timer.isActive()

    def play(self, steps_per_second: float) -> None:
        """Start, or change the speed."""
        self._steps_per_tick = max(1, round(steps_per_second / _MAX_TICKS))
        self._timer.start(round(1000 * self._steps_per_tick / steps_per_second))
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop ticking."""
        if self._timer.isActive():
            self._timer.stop()
            self.playing_changed.emit(False)

    def _emit_tick(self) -> None:
        self.tick.emit(self._steps_per_tick)
