"""The panels in their places, and how much room each of them has."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.look.widgets import splitter

_COLUMNS: Final = (330, 520, 430)
_STRETCH: Final = (2, 4, 3)
_LEFT_ROWS: Final = (340, 260)


class Centre(QWidget):
    """Bars on top, three columns that can be resized, the first of them of two panels, and a panel below."""

    def __init__(
        self, above: Sequence[QWidget], left: Sequence[QWidget], columns: Sequence[QWidget], below: QWidget
    ) -> None:
        super().__init__()
        self.setObjectName("centre")
        self._left = splitter(Qt.Orientation.Vertical, "leftSplitter", *left)
        self._columns = splitter(Qt.Orientation.Horizontal, "columnSplitter", self._left, *columns)
        for index, stretch in enumerate(_STRETCH):
            self._columns.setStretchFactor(index, stretch)
        self.reset()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for bar in above:
            layout.addWidget(bar)
        layout.addWidget(self._columns, 1)
        layout.addWidget(below)

    def reset(self) -> None:
        """Give everything the room that it has at first."""
        self._columns.setSizes(list(_COLUMNS))
        self._left.setSizes(list(_LEFT_ROWS))

    def remember(self, settings: Settings) -> None:
        """Keep how much room everything has."""
        settings.columns_state = self._columns.saveState()
        settings.left_state = self._left.saveState()

    def restore(self, settings: Settings) -> None:
        """Give everything the room that it had."""
        self._columns.restoreState(settings.columns_state)
        self._left.restoreState(settings.left_state)
