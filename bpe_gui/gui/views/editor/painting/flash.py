"""A soft flash of what is new, which fades."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QAbstractScrollArea, QStyle

from bpe_gui.gui.views.editor.layout.token_page import PageSegment

_ANIMATION_TIME: Final = QStyle.StyleHint.SH_Widget_Animation_Duration
_MILLISECONDS: Final = 600
_SHADES: Final = 18  # thirty a second


class Flash(QVariantAnimation):
    """How strongly some spans of a text stand out in a view; none where the user wants no animations."""

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view)
        self._view = view
        self._spans: frozenset[tuple[int, int]] = frozenset()
        self.setStartValue(_SHADES)
        self.setEndValue(0)
        self.setDuration(_MILLISECONDS)
        self.valueChanged.connect(view.viewport().update)
        self.finished.connect(self.end)

    def begin(self, spans: Collection[tuple[int, int]]) -> None:
        """Flash these spans, and no others any longer."""
        self.end()
        if spans and self._is_wanted():
            self._spans = frozenset(spans)
            self.start()

    def _is_wanted(self) -> bool:
        """Whether the system allows animations; on Linux, Qt knows that of few desktops, and denies it elsewhere."""
        return sys.platform == "linux" or self._view.style().styleHint(_ANIMATION_TIME, None, self._view) > 0

    def end(self) -> None:
        """Nothing stands out any longer."""
        self._spans = frozenset()
        self.stop()

    @property
    def strength(self) -> float:
        """From 1, at the beginning, to 0."""
        return int(self.currentValue()) / _SHADES

    def among(self, segment: PageSegment) -> set[int]:
        """Which tokens of a segment flash, by their indices."""
        if not self._spans:
            return set()
        return {index for index, span in enumerate(segment.spans()) if span in self._spans}
