"""Blink the caret."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import Borrowed


class CaretBlink(QObject):
    """The blinking of a caret, at the system's rate, while a widget has the focus."""

    _widget = Borrowed[QWidget]()

    toggled = Signal()
    """The caret has become visible or invisible."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._visible = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._toggle)
        QGuiApplication.styleHints().cursorFlashTimeChanged.connect(self.restart)

    @property
    def visible(self) -> bool:
        """Whether the caret is visible now."""
        return self._visible

    def restart(self) -> None:
        """Show the caret at once and blink from now on; hide it if the widget does not have the focus."""
        self._set_visible(self._widget.hasFocus())
        period = QGuiApplication.styleHints().cursorFlashTime()
        if self._visible and period > 0:
            self._timer.start(period // 2)
        else:
            self._timer.stop()

    def show(self) -> None:
        """Show the caret until the next half period, whatever has the focus."""
        self._set_visible(True)

    def hide(self) -> None:
        """Hide the caret until the next `restart`."""
        self._timer.stop()
        self._set_visible(False)

    def _toggle(self) -> None:
        self._set_visible(not self._visible)

    def _set_visible(self, visible: bool) -> None:
        if visible != self._visible:
            self._visible = visible
            self.toggled.emit()
