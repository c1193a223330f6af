"""The labels in the status bar: the memory in use, and whether the fast engine is ready."""

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.engine.runtime import memory
from bpe_gui.gui.background.engine_preparation import EnginePreparation
from bpe_gui.gui.look.spacing import MARGIN
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.wording.numbers import size_text

_REFRESH_INTERVAL: Final = 2_000  # milliseconds
_GIGABYTE: Final = 1_000_000_000
_WIDEST_SIZE: Final = 999_000_000  # bytes


class MemoryLabel(QLabel):
    """The memory that the program uses, refreshed every two seconds while it is visible."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "memoryLabel")
        set_role(self, "quiet")
        self.setFont(theme.number_font())
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._timer = QTimer(self, interval=_REFRESH_INTERVAL)
        self._timer.timeout.connect(self._refresh)

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh at once, and start the timer."""
        super().showEvent(event)
        self._reserve_width()
        self._refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the timer."""
        self._timer.stop()
        super().hideEvent(event)

    def _reserve_width(self) -> None:
        """Make the label wide enough for any size, so that its neighbours do not move."""
        widest = self.fontMetrics().horizontalAdvance(self._text(_WIDEST_SIZE))
        self.setMinimumWidth(widest + 2 * MARGIN)

    def _refresh(self) -> None:
        used = memory.in_use()
        self.setText(self._text(used))
        explanation = self.tr("This program uses {used} of memory now; {free} more can be had on this machine.")
        self.setToolTip(explanation.format(used=size_text(used), free=size_text(memory.available())))

    def _text(self, size: int) -> str:
        decimals = 0 if size < _GIGABYTE else 1
        return self.tr("Memory {size}").format(size=size_text(size, decimals))


class PreparationLabel(QLabel):
    """A label that says that the engine is being compiled, or why it could not be; hidden otherwise."""

    def __init__(self, preparation: EnginePreparation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "preparationLabel")
        set_role(self, "quiet")
        self._preparation = preparation
        preparation.changed.connect(self._show_state)
        self._show_state()

    def _show_state(self) -> None:
        preparation = self._preparation
        if preparation.compiling:
            self.setText(self.tr("Preparing the fast engine: {percent}%").format(percent=preparation.percent))
            self.setToolTip(
                self.tr(
                    "The engine is compiled for this processor, once. Everything works meanwhile; "
                    "only large corpora and long texts wait for it."
                )
            )
        else:
            self.setText(self.tr("The fast engine is not available."))
            self.setToolTip(
                self.tr("Everything works, but large corpora take long. {reason}").format(reason=preparation.problem)
            )
        self.setVisible(preparation.compiling or bool(preparation.problem))
