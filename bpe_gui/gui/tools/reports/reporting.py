"""The report of the main window, which outlives the window that shows it."""

from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings

from .report_maker import ChosenTexts, ReportMaker, TextChoice

if TYPE_CHECKING:
    from .report_window import ReportWindow


class Reporting(QObject):
    """Opens and closes the window.

    - `export_wanted(tokenizer, window)`: it is to be exported, asking in a window.
    - `window_made(window)`: there is a new window, whose tables have no menus yet.
    """

    _parent = Borrowed[QWidget]()

    export_wanted = Signal(Tokenizer, QWidget)
    window_made = Signal(QWidget)

    def __init__(self, session: Session, theme: Theme, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._settings = settings
        self._parent = parent
        self.maker = ReportMaker(session, self)
        self._chosen = ChosenTexts(TextChoice.CORPUS), ChosenTexts(TextChoice.NOTHING)
        self._window: ReportWindow | None = None

    def open(self) -> None:
        """Open the window, or bring it to the front; the first time, it measures the corpus."""
        is_new = self._window is None
        window = self._window = self._window or self._make_window()
        window.show()
        window.raise_()
        window.activateWindow()
        if is_new and self.maker.result is None and not self.maker.is_busy:
            window.make()

    def rebuild(self) -> None:
        """Make the window anew, in another language."""
        if self._window is not None:
            was_active = self._window.isActiveWindow()
            geometry = self._window.saveGeometry()
            self.close()
            self.open()
            self._window.restoreGeometry(geometry)
            if not was_active:
                self._parent.activateWindow()

    def _make_window(self) -> "ReportWindow":
        from .report_window import ReportWindow  # it imports many views, and the main window is to be seen soon

        window = ReportWindow(self._session, self._theme, self._settings, self.maker, self._chosen, self._parent)
        window.closed.connect(self._close)
        window.export_wanted.connect(self._want_export)
        self.window_made.emit(window)
        return window

    def _want_export(self, tokenizer: Tokenizer) -> None:
        self.export_wanted.emit(tokenizer, self._window)

    def close(self) -> None:
        """Delete the window."""
        if self._window is not None:
            self._chosen = self._window.chosen
            shiboken6.delete(self._window)  # at once, for no signal may reach it any more
            self._window = None

    def _close(self) -> None:
        if self._window is not None:
            self._chosen = self._window.chosen
            self.maker.cancel()
            self._window.deleteLater()
            self._window = None
