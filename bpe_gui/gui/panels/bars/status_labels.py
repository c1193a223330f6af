"""How much memory the program uses, at the edge of the window."""

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.engine.runtime import memory
from bpe_gui.gui.wording.numbers import size_text
from bpe_gui.gui.look.theme import Theme, set_role

_EVERY: Final = 2_000  # milliseconds
_MARGIN: Final = 8
_GIGABYTE: Final = 1_000_000_000
_WIDEST: Final = 999_000_000


class MemoryLabel(QLabel):
    """A quiet figure, which looks again every two seconds while it is on screen."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryLabel")
        set_role(self, "quiet")
        self.setFont(theme.number_font())
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self._timer = QTimer(self, interval=_EVERY)
        self._timer.timeout.connect(self._refresh)

    def showEvent(self, event: QShowEvent) -> None:
        """Looks at once, and then now and again."""
        super().showEvent(event)
        self._keep_width()
        self._refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Looks no more."""
        self._timer.stop()
        super().hideEvent(event)

    def _keep_width(self) -> None:
        """Have room for any figure, so that what stands beside it does not move."""
        widest = self.fontMetrics().horizontalAdvance(self._words(_WIDEST))
        self.setMinimumWidth(widest + 2 * _MARGIN)

    def _refresh(self) -> None:
        used = memory.in_use()
        self.setText(self._words(used))
        explanation = self.tr("This program uses {used} of memory now; {free} more can be had on this machine.")
        self.setToolTip(explanation.format(used=size_text(used), free=size_text(memory.available())))

    def _words(self, size: int) -> str:
        decimals = 0 if size < _GIGABYTE else 1
        return self.tr("Memory {size}").format(size=size_text(size, decimals))
