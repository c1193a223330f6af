"""The widget of a window that has the focus, or had it before a menu was opened."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QMenu, QMenuBar, QWidget

from bpe_gui.gui.look.lifetime import Borrowed


class FocusedWidget(QObject):
    """Follows the focus in a window. Menus do not count, for their actions work on the widget that had it before.

    `changed(before, now)`: another widget, or none, has the focus.
    """

    _window = Borrowed[QWidget]()

    changed = Signal(object, object)

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._widget: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)
        self._follow(None, QApplication.focusWidget())

    @property
    def widget(self) -> QWidget | None:
        """The widget with the focus; None if it is outside the window."""
        return self._widget

    @property
    def editor(self) -> QWidget | None:
        """The widget with the focus, or of one with a field inside, that field."""
        widget = self._widget
        return widget.lineEdit() if isinstance(widget, QAbstractSpinBox | QComboBox) else widget

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QMenuBar | QMenu):
            return
        before, self._widget = self._widget, new if new is not None and new.window() is self._window else None
        if before is not None:
            before.destroyed.disconnect(self._forget)
        if self._widget is not None:
            self._widget.destroyed.connect(self._forget)
        self.changed.emit(before, self._widget)

    def _forget(self) -> None:
        self._widget = None
