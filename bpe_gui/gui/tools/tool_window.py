"""The base of the windows beside the main window."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.widgets import FormerFocus


class ToolWindow(QWidget):
    """A window of its own, which Escape closes as well, beside the one of its parent, which Ctrl+Q closes in both.

    `closed`: the user has closed it.
    """

    closed = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName(name)
        self._former_focus = FormerFocus(self)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self).activated.connect(self.close)
        QShortcut(QKeySequence("Ctrl+Q"), self).activated.connect(parent.window().close)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape, unless a part of the window has a use for it."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's names)
        """Move the focus by Tab or, if the widget that has it is hidden or disabled, back to where it was."""
        return self._former_focus.give_back() or super().focusNextPrevChild(next)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Report it."""
        super().closeEvent(event)
        self.closed.emit()
