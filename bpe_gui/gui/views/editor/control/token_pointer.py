"""Turn mouse events into hovering over tokens, clicks on them and their tooltips."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.look.qt_constants import LEFT_BUTTON, NO_BUTTON
from bpe_gui.gui.views.editor.token_layer import NO_TOKEN, TokenLayer


class TokenPointer(QObject):
    """A controller of the mouse over tokens: hovering, clicks and tooltips."""

    _viewport = Borrowed[QWidget]()

    token_clicked = Signal(int)
    """The index in the text of the token on which the left button was pressed and released."""

    def __init__(self, tokens: TokenLayer, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._tokens = tokens
        self._viewport = viewport
        self._pressed_at = QPointF()

    def press(self, event: QMouseEvent) -> None:
        """Remember where the button was pressed, so that `release` can tell a click from selecting text."""
        self._pressed_at = event.position()

    def move(self, event: QMouseEvent) -> None:
        """Highlight the token under the mouse, unless a button is held."""
        if event.buttons() == NO_BUTTON:
            self._tokens.hover(event.position())

    def release(self, event: QMouseEvent) -> None:
        """Emit `token_clicked` if the left button is released on a token, near where it was pressed."""
        moved = (event.position() - self._pressed_at).manhattanLength()
        index = self._tokens.token_at(event.position())
        if event.button() == LEFT_BUTTON and moved < QApplication.startDragDistance() and index != NO_TOKEN:
            self.token_clicked.emit(index)

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
