"""The tool that reports: the report and the audit, which outlive the page that shows them."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.object_names import shown_object
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import Tool

from .audit_panel import Auditor
from .report_maker import ChosenTexts, ReportMaker, TextChoice

if TYPE_CHECKING:
    from .report_page import ReportPage


class Reporting(Tool["ReportPage"]):
    """Owns the report and the audit, which are finished even if the page is hidden meanwhile.

    `export_wanted(tokenizer, old, name, page)`: export what was pruned of `old`, which is called `name`.
    """

    export_wanted = Signal(Tokenizer, Tokenizer, str, QWidget)

    def __init__(self, session: Session, theme: Theme, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._settings = settings
        self.maker = ReportMaker(session, self)
        self.auditor = Auditor(self)
        self._chosen = ChosenTexts(TextChoice.CORPUS), ChosenTexts(TextChoice.NOTHING)

    def _make_page(self) -> "ReportPage":
        from .report_page import ReportPage

        page = ReportPage(self._session, self._theme, self._settings, self.maker, self.auditor, self._chosen)
        page.export_wanted.connect(self._want_export)
        return page

    def _begin(self, page: "ReportPage", *, was_working: bool) -> None:
        """Measure unless there is a report about the object shown."""
        result = self.maker.result
        is_of_other = result is not None and result.source.subject.shown is not shown_object(self._session)
        if (is_of_other or (result is None and not was_working)) and not self.maker.busy:
            page.begin()

    def _want_export(self, tokenizer: Tokenizer) -> None:
        if (made := self.maker.result) is not None:
            self.export_wanted.emit(tokenizer, made.report.tokenizer, made.source.subject.name, self.page)

    def close(self) -> None:
        """Delete the page, but remember what was chosen there."""
        if self.page is not None:
            self._chosen = self.page.chosen
        super().close()
