"""Layers that highlight or dim a panel."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QWidget

from .layouts import DIALOG_MARGIN, WIDE_GAP, row_of
from .lifetime import WeakAttribute
from .qt_constants import ANTIALIASING
from .theme import faded, set_role
from .widgets import SentenceLabel, push_button

_FRAME_WIDTH: Final = 2.0  # pixels
_FRAME_CORNER: Final = 4.0
_HIGHLIGHT_OPACITY: Final = 0.08
_DIMMED_OPACITY: Final = 0.35  # numbers below it keep a contrast of 4.5:1
_VEILED_OPACITY: Final = 0.8  # numbers below a card that says they are old are no longer for reading
_CARD_WIDTH: Final = 640  # pixels, at most
_DIMMED_AFTER: Final = 300  # milliseconds, so that nothing flickers if the panel is updated right away
_DRAG_ENDS: Final = (QEvent.Type.DragLeave, QEvent.Type.Drop)


class _Layer(QWidget):
    """A layer over a panel, initially hidden, through which the panel can be used."""

    _panel = WeakAttribute[QWidget]()

    def __init__(self, panel: QWidget, name: str) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def _cover(self) -> None:
        self.setGeometry(self._panel.rect())
        self.raise_()
        self.show()


class DropHighlight(_Layer):
    """A frame in the accent colour, visible while files are dragged over the panel or a part that accepts them."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel, "dropHighlight")
        for part in (panel, *panel.findChildren(QWidget)):
            if part.acceptDrops():
                part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if isinstance(event, QDragEnterEvent) and event.mimeData().hasUrls():
            self._cover()
        elif event.type() in _DRAG_ENDS:
            self.hide()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        accent = self.palette().color(QPalette.ColorRole.Accent)
        inset = _FRAME_WIDTH / 2
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            painter.setPen(QPen(accent, _FRAME_WIDTH))
            painter.setBrush(faded(accent, _HIGHLIGHT_OPACITY))
            frame = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
            painter.drawRoundedRect(frame, _FRAME_CORNER, _FRAME_CORNER)


class DropTarget(QWidget):
    """A widget that accepts dropped files, and is highlighted while they are over it or one of its parts."""

    files_dropped = Signal(list)
    """The paths of files that were dropped here."""

    def accept_files(self) -> None:
        """Accept files from now on. Call this once the parts exist, since some of them accept files themselves."""
        self.setAcceptDrops(True)
        DropHighlight(self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.files_dropped.emit(local_files(event.mimeData()))


class RenewCard(QFrame):
    """A sentence that says why what a panel shows is out of date, and the button that renews it."""

    def __init__(self, panel: QWidget, name: str, renew: str) -> None:
        """`renew` is the text of the button."""
        super().__init__(panel)
        self.setObjectName(name)
        set_role(self, "notice")
        self.sentence = SentenceLabel(name=f"{name}Label")
        self.button = push_button(f"{name}Button", renew)
        set_role(self.button, "primary")
        self.row = row_of((self.sentence, 1), self.button, of=self, margins=(DIALOG_MARGIN,) * 4, spacing=WIDE_GAP)
        self.hide()


class Dimmer(_Layer):
    """A layer that dims a panel while it shows something out of date. The panel must not be a splitter.

    With a card, it dims the panel more, disables its parts, and shows the card on top.
    """

    def __init__(self, panel: QWidget, card: RenewCard | None = None) -> None:
        super().__init__(panel, "dimmer")
        self._card = card
        self._soon = QTimer(self, singleShot=True)
        self._soon.setInterval(_DIMMED_AFTER)
        self._soon.timeout.connect(self._cover)
        panel.installEventFilter(self)

    def set_dimmed(self, dimmed: bool) -> None:
        """Dim the panel if it stays out of date for a moment, or stop dimming it."""
        if not dimmed:
            self._soon.stop()
            self.hide()
            if self._card is not None:
                self._card.hide()
                self._enable_parts(True)
        elif self.isHidden() and not self._soon.isActive():
            self._soon.start()

    def _cover(self) -> None:
        super()._cover()
        if self._card is not None:
            self._enable_parts(False)
            self._place_card(self._card)
            self._card.raise_()
            self._card.show()

    def _enable_parts(self, enabled: bool) -> None:
        for part in self._panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if part not in (self, self._card):
                part.setEnabled(enabled)

    def _place_card(self, card: RenewCard) -> None:
        """Put the card into the middle of the panel."""
        width = min(_CARD_WIDTH, self.width())
        size = QSize(width, card.row.totalHeightForWidth(width))
        card.setGeometry(QRect(QPoint((self.width() - width) // 2, max(0, (self.height() - size.height()) // 2)), size))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._panel.rect())
            if self._card is not None:
                self._place_card(self._card)
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        opacity = _DIMMED_OPACITY if self._card is None else _VEILED_OPACITY
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), faded(self.palette().color(QPalette.ColorRole.Window), opacity))


def local_files(data: QMimeData) -> list[Path]:
    """Return the paths of local files being dragged or copied."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
