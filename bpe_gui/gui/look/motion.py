"""Motion that explains: whether the user wants any, and the two parts of a merge that draw together."""

import sys
from typing import Final

from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QStyle, QWidget

from bpe_gui.gui.look.lifetime import Borrowed

JOINING_TIME: Final = 180
"""Milliseconds in which the parts of a new token draw together."""

JOINING_GAP: Final = 8.0
"""Pixels between the parts when they begin to."""

_ANIMATION_TIME: Final = QStyle.StyleHint.SH_Widget_Animation_Duration


def allows_motion(widget: QWidget) -> bool:
    """Return whether the system allows animations.

    Linux counts as allowing them, because there Qt says no for most desktops without asking them.
    """
    return sys.platform == "linux" or widget.style().styleHint(_ANIMATION_TIME, None, widget) > 0


class Joining(QVariantAnimation):
    """The gap between the two parts of a new token, in pixels, which closes; `valueChanged` says when to paint."""

    _widget = Borrowed[QWidget]()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.setStartValue(JOINING_GAP)
        self.setEndValue(0.0)
        self.setDuration(JOINING_TIME)

    def begin(self) -> None:
        """Close the gap, unless the user wants no animations."""
        self.stop()
        if allows_motion(self._widget):
            self.start()

    @property
    def gap(self) -> float:
        """The gap now; 0 unless the animation is running."""
        return float(self.currentValue()) if self.state() == QVariantAnimation.State.Running else 0.0
