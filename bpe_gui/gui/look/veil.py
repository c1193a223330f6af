"""Dim a part of a window that shows what is out of date."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

from .lifetime import Borrowed
from .palette import faded

_OPACITY: Final = 0.55
_AFTER: Final = 300  # milliseconds, so that what is renewed at once does not flicker


class Veil(QWidget):
    """A layer over a panel, which can be read and used through it. The panel must not be a splitter."""

    _panel = Borrowed[QWidget]()

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setObjectName("veil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._soon = QTimer(self, singleShot=True)
        self._soon.setInterval(_AFTER)
        self._soon.timeout.connect(self._cover)
        panel.installEventFilter(self)

    def set_dimmed(self, dimmed: bool) -> None:
        """Dim the panel if it stays out of date for a moment, or show it plainly."""
        if not dimmed:
            self._soon.stop()
            self.hide()
        elif self.isHidden() and not self._soon.isActive():
            self._soon.start()

    def _cover(self) -> None:
        self.setGeometry(self._panel.rect())
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Follow the size of the panel."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._panel.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), faded(self.palette().color(QPalette.ColorRole.Window), _OPACITY))
