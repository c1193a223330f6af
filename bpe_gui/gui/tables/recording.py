"""Paint the frames of an animation: what a cell paints is recorded once, and only what moves is worked out again."""

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QPainter

MovingPart = Callable[[QPainter, float], object]
"""Paints what moves in a cell, given how much is left of the animation."""


class Recording:
    """Stands for a painter, and keeps what it is told, so that only what moves is laid out anew in each frame."""

    def __init__(self) -> None:
        self._steps: list[tuple[str | MovingPart, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments: self._steps.append((name, arguments))

    def keep(self, part: MovingPart) -> None:
        """Paint this part of the cell in each frame."""
        self._steps.append((part, ()))

    def play(self, painter: QPainter, left: float) -> None:
        """Tell a painter all that was kept, with `left` of the animation."""
        for step, arguments in self._steps:
            if isinstance(step, str):
                getattr(painter, step)(*arguments)
            else:
                step(painter, left)


def paint_moving(painter: QPainter | Recording, left: float, part: MovingPart) -> None:
    """Paint a part of a cell that moves, or record that it does."""
    if isinstance(painter, Recording):
        painter.keep(part)
    else:
        part(painter, left)
