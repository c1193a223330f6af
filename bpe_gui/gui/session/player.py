"""Playing: the cursor moves forward by itself, at most 30 times a second."""

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

_TICKS: Final = 30  # a second: more than that nobody sees


class Player(QObject):
    """Says `tick(steps)` at the speed that was asked for, until it is paused."""

    tick = Signal(int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timeout)
        self._steps = 1

    @property
    def playing(self) -> bool:
        """Whether it ticks."""
        return self._timer.isActive()

    def play(self, steps_per_second: float) -> None:
        """Begin, or go on at another speed."""
        self._steps = max(1, round(steps_per_second / _TICKS))
        self._timer.start(round(1000 * self._steps / steps_per_second))
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop ticking."""
        if self._timer.isActive():
            self._timer.stop()
            self.playing_changed.emit(False)

    def _on_timeout(self) -> None:
        self.tick.emit(self._steps)
