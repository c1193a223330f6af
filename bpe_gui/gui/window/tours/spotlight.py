"""The spotlight of a tour: a veil over the window, but for the widget that is spoken of."""

from __future__ import annotations

from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.qt_constants import ANTIALIASING, NO_BRUSH

_VEIL: Final = QColor(0, 0, 0, 96)
_AROUND: Final = 3  # pixels between a widget and the edge of the light
_CORNER: Final = 6.0
_WIDTH: Final = 2.0
_MOVES: Final = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class Spotlight(QWidget):
    """A veil over a window that leaves mouse and keyboard to what is below it."""

    moved = Signal()
    """The light is somewhere else."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tourSpotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._target: QWidget | None = None
        self.hide()

    @property
    def light(self) -> QRect:
        """The lit part of the window; empty if nothing is pointed at."""
        target = self._target
        if target is None or not shiboken6.isValid(target) or not target.isVisible():
            return QRect()
        area = QRect(target.mapTo(self.window(), QPoint()), target.size())
        return area.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & self.rect()

    def show_widget(self, target: QWidget | None) -> None:
        """Light a widget, or nothing in particular."""
        for widget in self._chain():
            widget.removeEventFilter(self)
        self._target = target
        for widget in self._chain():
            widget.installEventFilter(self)
        self.follow_window()

    def end(self) -> None:
        """Put out the light and lift the veil."""
        self.show_widget(None)
        self.hide()

    def follow_window(self) -> None:
        """Cover the window as it is now."""
        self.setGeometry(self.window().rect())
        self.raise_()
        self.update()
        self.moved.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Follow the widget."""
        if event.type() in _MOVES:
            self.update()
            self.moved.emit()
        return super().eventFilter(watched, event)

    def _chain(self) -> list[QWidget]:
        """Return the widget and those around it, any of which may move it."""
        chain: list[QWidget] = []
        widget = self._target if self._target is not None and shiboken6.isValid(self._target) else None
        while widget is not None and widget is not self.window():
            chain.append(widget)
            widget = widget.parentWidget()
        return chain

    def paintEvent(self, event: QPaintEvent) -> None:
        veil, light = QPainterPath(), self.light
        veil.addRect(QRectF(self.rect()))
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            if light.isEmpty():
                painter.fillPath(veil, _VEIL)
                return
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(light), _CORNER, _CORNER)
            painter.fillPath(veil.subtracted(hole), _VEIL)
            painter.setBrush(NO_BRUSH)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), _WIDTH))
            painter.drawPath(hole)
