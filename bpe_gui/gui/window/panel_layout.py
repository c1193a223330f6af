"""The arrangement of the panels in the window."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.widgets import splitter
from bpe_gui.gui.system.settings import Settings

_COLUMN_WIDTHS: Final = (330, 520, 430)
_COLUMN_STRETCH: Final = (2, 4, 3)
_LEFT_HEIGHTS: Final = (340, 260)


class PanelLayout(QWidget):
    """Bars at the top, three columns that can be resized, the left one with two panels, and a panel at the bottom."""

    def __init__(
        self, above: Sequence[QWidget], left: Sequence[QWidget], columns: Sequence[QWidget], below: QWidget
    ) -> None:
        super().__init__()
        self.setObjectName("centre")
        self._left = splitter(Qt.Orientation.Vertical, "leftSplitter", *left)
        self._columns = splitter(Qt.Orientation.Horizontal, "columnSplitter", self._left, *columns)
        for index, stretch in enumerate(_COLUMN_STRETCH):
            self._columns.setStretchFactor(index, stretch)
        self.reset()
        layout = gapless_column(self)
        for bar in above:
            layout.addWidget(bar)
        layout.addWidget(self._columns, 1)
        layout.addWidget(below)

    def reset(self) -> None:
        """Give every panel its default size."""
        self._columns.setSizes(list(_COLUMN_WIDTHS))
        self._left.setSizes(list(_LEFT_HEIGHTS))

    def save_sizes(self, settings: Settings) -> None:
        """Write the sizes of the panels to the settings."""
        settings.columns_state = self._columns.saveState()
        settings.left_state = self._left.saveState()

    def restore_sizes(self, settings: Settings) -> None:
        """Give every panel the size in the settings."""
        self._columns.restoreState(settings.columns_state)
        self._left.restoreState(settings.left_state)
