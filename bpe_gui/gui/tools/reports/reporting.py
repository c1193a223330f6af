"""The main window's report, which outlives the window that shows it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.object_names import shown_object
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool_window import Tool

from .report_maker import ChosenTexts, ReportMaker, TextChoice

if TYPE_CHECKING:
    from .report_window import ReportWindow


class Reporting(Tool["ReportWindow"]):
    """Owns the report. `export_wanted(tokenizer, name, window)`: export what was pruned of the object called `name`."""

    export_wanted = Signal(Tokenizer, str, QWidget)

    def __init__(self, session: Session, theme: Theme, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._settings = settings
        self.maker = ReportMaker(session, self)
        self._chosen = ChosenTexts(TextChoice.CORPUS), ChosenTexts(TextChoice.NOTHING)

    def open(self) -> None:
        """Open the window, or bring it to the front, and measure again unless its report is about the object shown."""
        is_new, result = self._window is None, self.maker.result
        is_of_other = result is not None and result.source.subject.shown is not shown_object(self._session)
        super().open()
        if self._window is not None and (is_of_other or (is_new and result is None)) and not self.maker.is_busy:
            self._window.make()

    def _make_window(self) -> "ReportWindow":
        from .report_window import ReportWindow

        window = ReportWindow(self._session, self._theme, self._settings, self.maker, self._chosen, self._parent)
        window.export_wanted.connect(self._want_export)
        return window

    def _want_export(self, tokenizer: Tokenizer) -> None:
        if self.maker.result is not None:
            self.export_wanted.emit(tokenizer, self.maker.result.source.subject.name, self._window)

    def _remember(self, window: "ReportWindow") -> None:
        self._chosen = window.chosen

    def _rest(self) -> None:
        self.maker.cancel()
