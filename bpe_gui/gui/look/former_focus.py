"""The widgets of a window that had the focus before the one that has it."""

from typing import Final

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QMenu, QMenuBar, QWidget

from bpe_gui.gui.look.lifetime import Borrowed

_MOST: Final = 32  # widgets that are remembered
_PASSED_OVER: Final = QAbstractButton | QComboBox | QMenu | QMenuBar


class FormerFocus(QObject):
    """Returns the focus of a window from a widget that is hidden or disabled to the one that had it before.

    Qt would move it to whatever comes next, perhaps a box whose choice the next key would change. So it never returns
    to boxes, nor to buttons, of which the user has just pressed one. The window calls `give_back` wherever Qt asks it
    to move the focus on.
    """

    _window = Borrowed[QWidget]()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._widgets: list[QWidget] = []  # most recent first
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def give_back(self) -> bool:
        """Move the focus back if its widget can no longer have it. Return whether it was moved."""
        focused = self._window.focusWidget()
        if focused is None or _can_have_focus(focused):
            return False
        former = next((widget for widget in self._widgets if _can_have_focus(widget)), None)
        if former is not None:
            former.setFocus()
        return former is not None

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or new.window() is not self.parent() or isinstance(new, _PASSED_OVER):
            return
        others = [widget for widget in self._widgets if widget is not new and shiboken6.isValid(widget)]
        self._widgets = [new, *others][:_MOST]


def _can_have_focus(widget: QWidget) -> bool:
    return shiboken6.isValid(widget) and widget.isVisible() and widget.isEnabled()
