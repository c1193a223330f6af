"""Animate the flash of new tokens, which fades out."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QStyle, QWidget

_ANIMATION_TIME: Final = QStyle.StyleHint.SH_Widget_Animation_Duration
_DURATION: Final = 600  # milliseconds
_SHADES: Final = 18  # so that the spans are painted thirty times a second


class Flash(QVariantAnimation):
    """The flash of some spans of text, unless the user wants no animations.

    The animated value is the number of shades left, so `valueChanged` says when to paint the spans again.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._spans: frozenset[tuple[int, int]] = frozenset()
        self.setStartValue(_SHADES)
        self.setEndValue(0)
        self.setDuration(_DURATION)
        self.finished.connect(self.end)

    def begin(self, spans: Collection[tuple[int, int]]) -> None:
        """Flash `spans`, each a start and a stop in bytes, in place of any that flash now."""
        self.end()
        if spans and self._is_enabled():
            self._spans = frozenset(spans)
            self.start()

    def _is_enabled(self) -> bool:
        """Return whether the system allows animations.

        Linux counts as allowing them, because there Qt says no for most desktops without asking them.
        """
        return sys.platform == "linux" or self._widget.style().styleHint(_ANIMATION_TIME, None, self._widget) > 0

    def end(self) -> None:
        """Stop the flash at once."""
        self._spans = frozenset()
        self.stop()

    @property
    def spans(self) -> frozenset[tuple[int, int]]:
        """The start and stop in bytes of each token that flashes; empty unless the animation is running."""
        return self._spans

    @property
    def strength(self) -> float:
        """The strength of the flash now: from 1, when it begins, down to 0."""
        return int(self.currentValue()) / _SHADES
