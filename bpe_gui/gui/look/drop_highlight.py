"""Light up a panel while files are dragged over it."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import Borrowed

from .palette import faded
from .qt_constants import ANTIALIASING

_WIDTH: Final = 2.0  # pixels
_CORNER: Final = 4.0
_OPACITY: Final = 0.08
_ENDS: Final = (QEvent.Type.DragLeave, QEvent.Type.Drop)


class DropHighlight(QWidget):
    """A frame over a panel in the accent colour, visible while files are over the panel or a part that takes them."""

    _panel = Borrowed[QWidget]()

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setObjectName("dropHighlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        for part in (panel, *panel.findChildren(QWidget)):
            if part.acceptDrops():
                part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Follow the files."""
        if isinstance(event, QDragEnterEvent) and event.mimeData().hasUrls():
            self.setGeometry(self._panel.rect())
            self.raise_()
            self.show()
        elif event.type() in _ENDS:
            self.hide()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        accent = self.palette().color(QPalette.ColorRole.Accent)
        inset = _WIDTH / 2
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            painter.setPen(QPen(accent, _WIDTH))
            painter.setBrush(faded(accent, _OPACITY))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), _CORNER, _CORNER)
