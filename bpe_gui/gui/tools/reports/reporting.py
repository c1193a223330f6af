"""The tool that reports: the report, which outlives the page that shows it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.object_names import shown_object
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import Tool

from .report_maker import ChosenTexts, ReportMaker, TextChoice

if TYPE_CHECKING:
    from .report_page import ReportPage


class Reporting(Tool["ReportPage"]):
    """Owns the report, which is finished even if the page is hidden meanwhile.

    `export_wanted(tokenizer, name, page)`: export what was pruned of the object called `name`.
    """

    export_wanted = Signal(Tokenizer, str, QWidget)

    def __init__(self, session: Session, theme: Theme, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._settings = settings
        self.maker = ReportMaker(session, self)
        self._chosen = ChosenTexts(TextChoice.CORPUS), ChosenTexts(TextChoice.NOTHING)

    def _make_page(self) -> "ReportPage":
        from .report_page import ReportPage

        page = ReportPage(self._session, self._theme, self._settings, self.maker, self._chosen)
        page.export_wanted.connect(self._want_export)
        return page

    def _begin(self, page: "ReportPage", *, was_working: bool) -> None:
        """Measure unless there is a report about the object shown."""
        result = self.maker.result
        is_of_other = result is not None and result.source.subject.shown is not shown_object(self._session)
        if (is_of_other or (result is None and not was_working)) and not self.maker.is_busy:
            page.begin()

    def _want_export(self, tokenizer: Tokenizer) -> None:
        if self.maker.result is not None:
            self.export_wanted.emit(tokenizer, self.maker.result.source.subject.name, self.page)

    def _remember(self, page: "ReportPage") -> None:
        self._chosen = page.chosen
