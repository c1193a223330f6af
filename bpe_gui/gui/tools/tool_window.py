"""The base classes of separate windows, and of the objects that open and outlive them."""

from typing import Generic, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.look.widgets import FormerFocus


class ToolWindow(QWidget):
    """A separate window. Escape closes it; Ctrl+Q closes its parent's window.

    `closed`: the user has closed the window.
    """

    closed = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName(name)
        self._former_focus = FormerFocus(self)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self).activated.connect(self.close)
        QShortcut(QKeySequence("Ctrl+Q"), self).activated.connect(parent.window().close)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape, unless a part of the window handles it."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's names)
        """Move the focus on Tab. If the focused widget was hidden or disabled, move it back to where it was before."""
        return self._former_focus.give_back() or super().focusNextPrevChild(next)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


W = TypeVar("W", bound=ToolWindow)


class Tool(QObject, Generic[W]):
    """Opens and closes its window; what the window shows belongs to the tool, and is still there when it is reopened.

    `window_made(window)`: a window was made; its tables have no menus yet.
    """

    _parent = Borrowed[QWidget]()

    window_made = Signal(QWidget)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._window: W | None = None

    def _make_window(self) -> W:
        """Return a new window. Import it only here, since it needs many views and would delay the main window."""
        raise NotImplementedError

    def _remember(self, window: W) -> None:
        """Save the user's choices in a window that is about to be deleted."""

    def _rest(self) -> None:
        """Stop working, because the user has closed the window."""

    def open(self) -> None:
        """Open the window, or bring it to the front."""
        if self._window is None:
            self._window = self._make_window()
            self._window.closed.connect(self._take_close)
            self.window_made.emit(self._window)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def rebuild(self) -> None:
        """Recreate the window in another language."""
        if self._window is not None:
            was_active, geometry = self._window.isActiveWindow(), self._window.saveGeometry()
            self.close()
            self.open()
            self._window.restoreGeometry(geometry)
            if not was_active:
                self._parent.activateWindow()

    def close(self) -> None:
        """Delete the window at once, so that no more signals reach it."""
        if self._window is not None:
            self._remember(self._window)
            shiboken6.delete(self._window)
            self._window = None

    def _take_close(self) -> None:
        if self._window is not None:
            self._remember(self._window)
            self._window.deleteLater()
            self._window = None
            self._rest()
