"""Animate a soft flash of new tokens, which fades."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QStyle, QWidget

_ANIMATION_TIME: Final = QStyle.StyleHint.SH_Widget_Animation_Duration
_MILLISECONDS: Final = 600
_SHADES: Final = 18  # thirty a second


class Flash(QVariantAnimation):
    """The flash of some spans of text, unless the user wants no animations.

    `valueChanged` is emitted when the spans have to be painted again.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._spans: frozenset[tuple[int, int]] = frozenset()
        self.setStartValue(_SHADES)
        self.setEndValue(0)
        self.setDuration(_MILLISECONDS)
        self.finished.connect(self.end)

    def begin(self, spans: Collection[tuple[int, int]]) -> None:
        """Flash these spans, and no others any longer."""
        self.end()
        if spans and self._is_enabled():
            self._spans = frozenset(spans)
            self.start()

    def _is_enabled(self) -> bool:
        """Return whether the system allows animations; on Linux, Qt denies it on most desktops without asking them."""
        return sys.platform == "linux" or self._widget.style().styleHint(_ANIMATION_TIME, None, self._widget) > 0

    def end(self) -> None:
        """Stop the flash."""
        self._spans = frozenset()
        self.stop()

    @property
    def spans(self) -> frozenset[tuple[int, int]]:
        """Start and stop of the tokens that flash, in bytes; empty unless the animation is running."""
        return self._spans

    @property
    def strength(self) -> float:
        """From 1, at the beginning, to 0."""
        return int(self.currentValue()) / _SHADES
