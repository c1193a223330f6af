"""The window that reports on a tokenizer: measures of texts, lists of tokens, charts, and what pruning would do."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.reports import Report, csv_files, html_page
from bpe_gui.gui.dialogs.question_box import question_box
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import hairline, splitter
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.paths import exists
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool_window import ToolWindow
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import joined_sentences, listed
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.numbers import counted, decimal, number

from .chosen_texts import ChosenTexts
from .parts.chart_panel import ChartPanel
from .parts.measures_table import MeasuresTable
from .parts.prune_panel import PrunePanel
from .parts.report_bar import ReportBar
from .parts.tokens_panel import TokensPanel
from .report_maker import ReportMaker

_SIZE: Final = QSize(1160, 740)
_HEIGHTS: Final = (170, 430)  # pixels, of the numbers and the rest
_WIDTHS: Final = (440, 720)  # pixels, of the tokens and the chart


class ReportWindow(ToolWindow):
    """A window of its own, beside the main window, in which a click on a token selects it.

    `export_wanted(tokenizer)`: the pruned tokenizer is to be exported.
    """

    export_wanted = Signal(Tokenizer)

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        maker: ReportMaker,
        chosen: tuple[ChosenTexts, ChosenTexts],
        parent: QWidget,
    ) -> None:
        """`chosen` are the texts to measure at first, and the held-out ones."""
        super().__init__("reportWindow", parent)
        self.setWindowTitle(self.tr("Report"))
        self._session = session
        self._settings = settings
        self._maker = maker
        self.bar = ReportBar(maker, theme, settings, *chosen)
        self._facts = SentenceLabel(name="reportFacts", selectable=True)
        set_role(self._facts, "quiet")
        self._message = SentenceLabel(name="reportMessage", selectable=True)
        self._numbers = MeasuresTable(theme)
        self._tokens = TokensPanel(theme)
        self._chart = ChartPanel(theme, settings)
        self._pruning = PrunePanel()
        self._lay_out()
        self._connect()
        self._say("")
        self._show_result()
        self._show_hint()
        self.resize(_SIZE)

    @property
    def chosen(self) -> tuple[ChosenTexts, ChosenTexts]:
        """The texts to measure, and the held-out ones."""
        return self.bar.texts.chosen, self.bar.held_out.chosen

    def _lay_out(self) -> None:
        for label in (self._facts, self._message):
            label.setContentsMargins(MARGIN, 0, MARGIN, SMALL_GAP)
        left = QWidget()
        stack = gapless_column(left)
        stack.addWidget(self._tokens, 1)
        stack.addWidget(hairline(left))
        stack.addWidget(self._pruning)
        below = splitter(Qt.Orientation.Horizontal, "reportSplitter", left, self._chart)
        below.setSizes(_WIDTHS)
        below.setStretchFactor(1, 1)
        rows = splitter(Qt.Orientation.Vertical, "reportRows", self._numbers, below)
        rows.setSizes(_HEIGHTS)
        rows.setStretchFactor(1, 1)
        column = gapless_column(self)
        column.addWidget(self.bar)
        column.addWidget(self._message)
        column.addWidget(self._facts)
        column.addWidget(hairline(self))
        column.addWidget(rows, 1)

    def _connect(self) -> None:
        maker, selection = self._maker, self._session.selection
        self.bar.wanted.connect(self.make)
        self.bar.chosen_changed.connect(self._make_unless_busy)
        self.bar.html_wanted.connect(self._ask_where_to_save_page)
        self.bar.csv_wanted.connect(self._ask_where_to_save_tables)
        maker.changed.connect(self._show_hint)
        maker.made.connect(self._show_result)
        maker.written.connect(self._tell_written)
        maker.failed.connect(self._tell_failure)
        maker.cancelled.connect(self._tell_cancelled)
        self._session.cursor.tokenizer_changed.connect(self._show_facts)
        maker.texts_changed.connect(self._show_facts)
        self._tokens.token_chosen.connect(selection.select)
        selection.changed.connect(self._mark)
        self._chart.save_wanted.connect(self._save_chart)
        self._pruning.export_wanted.connect(self.export_wanted)

    def _save_chart(self, path: Path, data: bytes) -> None:
        self._write(lambda: {path: data})

    # -- making ------------------------------------------------------------------------------------------------------

    def make(self) -> None:
        """Measure the chosen texts with the tokenizer that the main window shows."""
        tokenizer = self._session.cursor.tokenizer
        if tokenizer is None:
            self._say(self.tr("There is no tokenizer yet. Type or open a corpus and train on it."), "warning")
            return
        self._say("")
        self._maker.make(tokenizer, self._name(), *self.chosen)

    def _make_unless_busy(self) -> None:
        if not self._maker.is_busy:
            self.make()

    def _name(self) -> str:
        """Return the name of what is measured: an opened tokenizer, a branch or the main run, at its step."""
        opened = self._session.opened.tokenizer
        name = self._session.branches.current.name if opened is None else opened.name
        template = self.tr("{name}, step {step}") if name else self.tr("Run, step {step}")
        return template.format(name=name, step=number(self._session.cursor.position))

    # -- showing -----------------------------------------------------------------------------------------------------

    def _show_result(self) -> None:
        made = self._maker.result
        report = None if made is None else made.report
        self._numbers.rows_model.show_report(report)
        self._tokens.show_result(made)
        self._chart.show_report(report)
        self._pruning.show_result(made)
        self._show_facts()
        self._mark()
        if report is not None and not report.has_text:
            self._say(self.tr("The text is empty, so there is nothing to measure."), "warning")
        elif report is not None and report.skipped:
            self._tell_skipped(report)

    def _show_hint(self) -> None:
        """Say in the empty table of numbers what to do, or that it is being done."""
        choose = self.tr("Choose the texts to measure, and press “Measure”.")
        self._numbers.hint = self.tr("Measuring…") if self._maker.is_busy else choose
        self._numbers.viewport().update()

    def _tell_skipped(self, report: Report) -> None:
        one, many = self.tr("1 document is left out."), self.tr("{count} documents are left out.")
        left_out = counted(len(report.skipped), one, many)
        self._say(joined_sentences([left_out, error_message(report.skipped[0].reason)]), "warning")

    def _show_facts(self) -> None:
        made = self._maker.result
        if made is None:
            self._facts.setText("")
            return
        report = made.report
        merges = len(report.counter.parts.merges)
        one, many = (
            self.tr("{name}: {entries} entries, 1 merge."),
            self.tr("{name}: {entries} entries, {merges} merges."),
        )
        values = {"entries": number(len(report.vocabulary)), "merges": number(merges)}
        sentences = [(one if merges == 1 else many).format(name=report.name, **values)]
        if len(report.texts) > 1:
            template = self.tr("Gini coefficient over the texts: {per_byte} for tokens per byte, {tokens} for tokens.")
            per_byte, tokens = decimal(report.gini_per_byte), decimal(report.gini_of_tokens)
            sentences.append(template.format(per_byte=per_byte, tokens=tokens))
        if report.total.unknown:
            one = self.tr("1 token stands for a symbol that has no id in this vocabulary.")
            many = self.tr("{count} tokens stand for symbols that have no id in this vocabulary.")
            sentences.append(counted(report.total.unknown, one, many))
        if not _are_same(self._session.cursor.tokenizer, report.tokenizer):
            sentences.append(self.tr("The main window now shows another step."))
        if self._maker.is_outdated:
            sentences.append(self.tr("These texts have changed since they were measured."))
        self._facts.setText(joined_sentences(sentences))

    def _mark(self) -> None:
        self._tokens.mark(self._session.selection.token)

    def _say(self, words: str, role: str = "") -> None:
        set_role(self._message, role)
        self._message.setText(words)
        self._message.setVisible(bool(words))

    def _tell_cancelled(self) -> None:
        self._say(self.tr("Cancelled."))

    def _tell_failure(self, error: EngineError) -> None:
        self._say(error_message(error), "warning")

    # -- saving ------------------------------------------------------------------------------------------------------

    def save_page(self, path: Path) -> None:
        """Write the report as one HTML page."""
        made = self._maker.result
        if made is not None:
            report, language = made.report, language_in_force().replace("_", "-")
            self._write(lambda: {path: html_page(report, _in_language, language)})

    def save_tables(self, folder: Path) -> None:
        """Write the tables of the report into a folder; ask first if that would replace files."""
        made = self._maker.result
        if made is None:
            return
        report = made.report
        paths = [folder / name for name in csv_files(report)]
        existing = [path.name for path in paths if exists(path)]
        self._ask_to_replace(existing, lambda: self._write(lambda: _tables(report, folder)))

    def _ask_to_replace(self, names: list[str], write: Callable[[], None]) -> None:
        if not names:
            write()
            return
        question = self.tr("Replace the tables in this folder?")
        consequence = self.tr("These files already exist: {files}.").format(files=listed(names))
        box = question_box(self, "replaceTablesBox", question, consequence)
        if box is not None:
            box.addButton(self.tr("Replace"), QMessageBox.ButtonRole.AcceptRole).clicked.connect(write)
            box.addButton(QMessageBox.StandardButton.Cancel)
            box.open()

    def _ask_where_to_save_page(self) -> None:
        suggested = str(self._settings.recent_folder / "report.html")
        name, _filter = QFileDialog.getSaveFileName(self, self.tr("Save report"), suggested, "HTML (*.html)")
        if name:
            path = Path(name)
            self._settings.recent_folder = path.parent
            self.save_page(path if path.suffix else path.with_suffix(".html"))

    def _ask_where_to_save_tables(self) -> None:
        title = self.tr("Folder for the tables")
        name = QFileDialog.getExistingDirectory(self, title, str(self._settings.recent_folder))
        if name:
            self._settings.recent_folder = Path(name)
            self.save_tables(Path(name))

    def _write(self, contents: Callable[[], Mapping[Path, str | bytes]]) -> None:
        if self._maker.is_busy:
            self._say(self.tr("Wait until the report is finished, or cancel it. Then save again."), "warning")
            return
        self._say("")
        self._maker.write(contents)

    def _tell_written(self, paths: list[Path]) -> None:
        self._say(self.tr("Saved: {files}").format(files=listed(map(str, paths))), "quiet")


def _are_same(shown: Tokenizer | None, measured: Tokenizer) -> bool:
    """Return whether the tokenizer that is shown is the measured one, at the same step."""
    return shown is not None and shown.store is measured.store and shown.position == measured.position


def _in_language(text: str) -> str:
    """Return a text of the page in the language of the window."""
    return QCoreApplication.translate("Report", text)


def _tables(report: Report, folder: Path) -> dict[Path, str]:
    return {folder / name: table for name, table in csv_files(report).items()}
