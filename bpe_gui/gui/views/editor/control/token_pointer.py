"""Point at tokens with the mouse: hover, click, tooltip."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from bpe_gui.gui.look.qt_constants import LEFT_BUTTON, NO_BUTTON
from bpe_gui.gui.views.editor.token_layer import NO_TOKEN, TokenLayer


class TokenPointer(QObject):
    """The mouse as a pointer at tokens: hovering, clicks and tooltips."""

    token_clicked = Signal(int)
    """The number of a token on which the left button was pressed and released."""

    def __init__(self, tokens: TokenLayer, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._tokens = tokens
        self._viewport = viewport
        self._pressed_at = QPointF()

    def press(self, event: QMouseEvent) -> None:
        """Note the point, to tell a click from selecting."""
        self._pressed_at = event.position()

    def move(self, event: QMouseEvent) -> None:
        """Hover."""
        if event.buttons() == NO_BUTTON:
            self._tokens.hover(event.position())

    def release(self, event: QMouseEvent) -> None:
        """Report a click if the button was released where it was pressed."""
        moved = (event.position() - self._pressed_at).manhattanLength()
        number = self._tokens.token_at(event.position())
        if event.button() == LEFT_BUTTON and moved < QApplication.startDragDistance() and number != NO_TOKEN:
            self.token_clicked.emit(number)

    def leave(self) -> None:
        """Stop hovering."""
        self._tokens.hover(None)

    def show_tip(self, event: QHelpEvent) -> None:
        """Show the tooltip of the token under the mouse, or hide it."""
        tip = self._tokens.tip_at(QPointF(event.pos()))
        if tip is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), tip, self._viewport)
