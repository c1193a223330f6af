"""Animate the flash of new tokens, which fades out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.look.motion import JOINING_GAP, JOINING_TIME, allows_motion

_DURATION: Final = 600  # milliseconds
_SHADES: Final = 18  # so that the spans are painted thirty times a second


class Flash(QVariantAnimation):
    """The flash of some spans of text, unless the user wants no animations.

    The animated value is the number of shades left, so `valueChanged` says when to paint the spans again.
    """

    _widget = Borrowed[QWidget]()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._spans: frozenset[tuple[int, int]] = frozenset()
        self._seam: int | None = None
        self.setStartValue(_SHADES)
        self.setEndValue(0)
        self.setDuration(_DURATION)
        self.finished.connect(self.end)

    def begin(self, spans: Collection[tuple[int, int]], seam: int | None = None) -> None:
        """Flash `spans`, each a start and a stop in bytes, in place of any that flash now.

        Two parts draw together at `seam` bytes from the start of each span; None for spans that are not of two parts.
        """
        self.end()
        if spans and allows_motion(self._widget):
            self._spans, self._seam = frozenset(spans), seam
            self.start()

    def end(self) -> None:
        """Stop the flash at once."""
        self._spans = frozenset()
        self.stop()

    @property
    def spans(self) -> frozenset[tuple[int, int]]:
        """The start and stop in bytes of each token that flashes; empty unless the animation is running."""
        return self._spans

    @property
    def seam(self) -> int | None:
        """The length in bytes of the left part of each token that flashes; None if it is not of two parts."""
        return self._seam

    @property
    def gap(self) -> float:
        """The pixels between the two parts now."""
        return JOINING_GAP * max(0.0, 1.0 - self.currentTime() / JOINING_TIME)

    @property
    def strength(self) -> float:
        """The strength of the flash now: from 1, when it begins, down to 0."""
        return int(self.currentValue()) / _SHADES
