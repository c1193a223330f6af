"""The page that reports on a tokenizer: measures of texts, lists of tokens, charts, and what pruning would do."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QMessageBox, QTabWidget, QWidget

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.reports import Contents, Report, csv_files, html_page
from bpe_gui.gui.dialogs.boxes import ask
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, gapless_column, row_of
from bpe_gui.gui.look.overlays import Dimmer, RenewCard
from bpe_gui.gui.look.qt_constants import HORIZONTAL, VERTICAL
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import MarkLabel, PageBar, SentenceLabel, hairline, name_widget, splitter
from bpe_gui.gui.session.history import ChangeKind
from bpe_gui.gui.session.object_names import mark_of
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.paths import exists
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import ToolPage
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import counted, joined_sentences, listed, number
from bpe_gui.gui.wording.sentences import error_message

from .audit_panel import Auditor, AuditPanel
from .chart_panel import ChartPanel
from .cost_panel import CostPanel
from .prune_panel import PrunePanel
from .report_bar import ReportBar
from .report_maker import ChosenTexts, MadeReport, ReportMaker, Subject, TextChoice, in_language, without_tenth, wording
from .report_tables import MeasuresTable, TokensPanel

_HEIGHTS: Final = (110, 490)  # pixels, of the numbers and the rest
_WIDTHS: Final = (440, 720)  # pixels, of the tokens and the chart


class ReportPage(ToolPage):
    """The measures, tokens and charts of a report, where a click on a token selects it.

    `export_wanted(tokenizer)`: export the pruned tokenizer.
    """

    export_wanted = Signal(Tokenizer)

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        maker: ReportMaker,
        auditor: Auditor,
        chosen: tuple[ChosenTexts, ChosenTexts],
    ) -> None:
        """`chosen` has the texts to measure initially, and the held-out ones."""
        super().__init__()
        self.setObjectName("reportWindow")
        self._session = session
        self._settings = settings
        self._maker = maker
        self._report: Report | None = None
        self._is_choice_waiting = False
        self._waits_for_tokenizer = False
        self._is_training = False  # without the tenth that was held out
        self.bar = ReportBar(maker, theme, settings, *chosen)
        self._subject_mark = MarkLabel(theme, "reportMark", self)
        self._facts = SentenceLabel(name="reportFacts", role="quiet", selectable=True)
        self._message = SentenceLabel(name="reportMessage", selectable=True)
        self._numbers = MeasuresTable(theme)
        self._tokens = TokensPanel(theme)
        self._chart = ChartPanel(theme, settings)
        self._pruning = PrunePanel()
        self._costs = CostPanel(maker, theme, settings)
        self._audit = AuditPanel(session, theme, settings, auditor)
        self._lay_out()
        self._connect()
        self.first = self._numbers
        self._say("")
        self._show_result()
        self._show_hint()

    def begin_search(self) -> None:
        if self._pages.currentWidget() is self._audit:
            self._audit.begin_search()

    @property
    def chosen(self) -> tuple[ChosenTexts, ChosenTexts]:
        """The texts to measure, and the held-out ones."""
        return self.bar.texts.chosen, self.bar.held_out.chosen

    def _lay_out(self) -> None:
        self._message.setContentsMargins(MARGIN, 0, MARGIN, SMALL_GAP)
        facts = row_of(self._subject_mark, (self._facts, 1), margins=(MARGIN, 0, MARGIN, SMALL_GAP), spacing=SMALL_GAP)
        left = QWidget()
        gapless_column(left, (self._tokens, 1), hairline(left), self._pruning)
        below = splitter(HORIZONTAL, "reportSplitter", left, self._chart, sizes=_WIDTHS, stretch=(0, 1))
        rows = splitter(VERTICAL, "reportRows", self._numbers, below, sizes=_HEIGHTS, stretch=(0, 1))
        results = QWidget()
        gapless_column(results, rows)
        again = self.tr("Measure again")
        panels = results, self._costs.results
        self._cards = [RenewCard(panel, "reportOutdated", again) for panel in panels]
        self._dimmers = list(map(Dimmer, panels, self._cards))
        self._head = QWidget()
        gapless_column(self._head, self.bar, self._message, facts, hairline(self._head))
        measures, costs = QWidget(), QWidget()
        gapless_column(measures, self._head, (results, 1))
        gapless_column(costs, (self._costs, 1))
        pages = self._pages = name_widget(QTabWidget(), "reportPages", self.tr("Pages of the report"))
        pages.setTabBar(name_widget(PageBar(), "reportPagesBar", self.tr("Pages of the report")))
        pages.tabBar().setDrawBase(False)  # the style sheet has a line below the tabs
        pages.addTab(measures, self.tr("Measures"))
        pages.addTab(costs, in_language("Price and fairness"))
        pages.addTab(self._audit, self.tr("Audit"))
        pages.currentChanged.connect(self._place_head)
        gapless_column(self, (pages, 1))

    def _place_head(self) -> None:
        """Show the bar with the texts on either page that is about them."""
        page = self._pages.currentWidget()
        if page is not self._audit and isinstance(layout := page.layout(), QBoxLayout):
            layout.insertWidget(0, self._head)

    def _connect(self) -> None:
        maker, selection = self._maker, self._session.selection
        for button in (self.bar.make, *(card.button for card in self._cards)):
            button.clicked.connect(self.make)
        self.bar.chosen_changed.connect(self._take_choice)
        self._session.work.changed.connect(self._measure_when_trained, Qt.ConnectionType.QueuedConnection)
        self._session.corpus.documents_changed.connect(self._forget_tenth)
        self.bar.html.clicked.connect(self._ask_where_to_save_page)
        self.bar.csv.clicked.connect(self._ask_where_to_save_tables)
        maker.changed.connect(self._show_hint)
        maker.changed.connect(self._make_waiting)
        maker.made.connect(self._show_result)
        self._session.cursor.tokenizer_changed.connect(self._begin_after_all)
        maker.written.connect(self._tell_written)
        maker.failed.connect(self._tell_failure)
        maker.cancelled.connect(self._tell_cancelled)
        for changed in (
            self._session.cursor.tokenizer_changed,
            self._session.branches.list_changed,
            maker.texts_changed,
            self.bar.chosen_changed,
        ):
            changed.connect(self._show_facts)
        self._costs.lines_wanted.connect(self._take_choice)
        self._tokens.token_chosen.connect(selection.select)
        selection.changed.connect(self._mark)
        self._chart.save_wanted.connect(self._save_chart)
        self._chart.size_chosen.connect(self._use_size)
        self._pruning.export_wanted.connect(self.export_wanted)

    def _save_chart(self, path: Path, data: bytes) -> None:
        self._write(lambda: {path: data})

    def _use_size(self, size: int) -> None:
        """Show the step that has this size, and of a run, make it the target size."""
        session, opened = self._session, self._session.opened.tokenizer
        if opened is not None:
            step = session.cursor.step_of_size(size)
            session.cursor.go_to(step)
            template = self.tr("At this step, {name} has {size} entries. Export it here to get that size.")
            entries = number(opened.tokenizer(step).vocab_size)
            self._say(template.format(name=opened.name, size=entries), "quiet")
            return
        session.corpus.set_vocab_size(size)
        if session.cursor.trainer is None:
            template = self.tr("The target vocabulary size is now {size}. Train to reach it.")
        else:
            session.cursor.go_to(session.run.target_position)
            template = self.tr("The target vocabulary size is now {size}, and this is the step that has it.")
        self._say(template.format(size=number(size)), "quiet")

    # -- making ------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Measure for the first time; at step 0, go to the end of the run before that, or train it."""
        cursor = self._session.cursor
        if cursor.trainer is not None and not cursor.position and (cursor.run_length or cursor.may_extend):
            self._is_training = True
            (cursor.last if cursor.run_length else self._session.train)()
            self._measure_when_trained()
        else:
            self.make()

    def _begin_after_all(self) -> None:
        """Measure, now that there is a tokenizer, such as when the program has counted the corpus it starts with."""
        if self._waits_for_tokenizer and self._session.cursor.tokenizer is not None:
            self._waits_for_tokenizer = False
            self.begin()

    def make(self) -> None:
        """Measure the chosen texts with the tokenizer on screen."""
        tokenizer = self._session.cursor.tokenizer
        if tokenizer is None:
            self._waits_for_tokenizer = True
            self._say(self.tr("There is no tokenizer yet. Type or open a corpus and train on it."), "warning")
            return
        self._waits_for_tokenizer = False
        self._say("")
        self._maker.make(tokenizer, *self.chosen, self._settings.report_reference)

    def _hold_out(self) -> None:
        """Take a tenth out of the corpus, train on the rest, and then measure that tenth."""
        corpus = self._session.corpus
        if self._session.work.activity is not Activity.IDLE:
            self.bar.held_out.choose(ChosenTexts(TextChoice.NOTHING))
            self._say(self.tr("Wait until the other work is done. Then choose again."), "warning")
            return
        kept, held_out = without_tenth(corpus.documents)
        if not held_out:
            self.bar.held_out.choose(ChosenTexts(TextChoice.NOTHING))
            self._say(self.tr("This corpus cannot be divided here. Choose a file as held-out text instead."), "warning")
            return
        chosen = ChosenTexts(TextChoice.TENTH, documents=held_out, kept=kept)
        with self._session.history.group(ChangeKind.DOCUMENTS):
            corpus.set_documents(kept)
            self._session.restart()
        self._is_training = True
        self.bar.held_out.choose(chosen)
        self._say(self.tr("10% of the corpus is held out. Training on the rest; you can undo it."), "quiet")
        self._session.train()
        self._measure_when_trained()

    def _measure_when_trained(self) -> None:
        if self._is_training and self._session.work.activity is Activity.IDLE:
            self._is_training = False
            self._take_choice()

    def _forget_tenth(self) -> None:
        """Choose no held-out text if the corpus is no longer without the tenth that was held out."""
        held_out = self.bar.held_out.chosen
        if held_out.documents and held_out.kept != self._session.corpus.documents:
            self.bar.held_out.choose(ChosenTexts(TextChoice.NOTHING))

    def _take_choice(self) -> None:
        """Measure the newly chosen texts as soon as no other work is in progress."""
        held_out = self.bar.held_out.chosen
        if held_out.choice is TextChoice.TENTH and not held_out.documents:
            self._hold_out()
            return
        if self._is_training:
            return
        if self._maker.busy:
            self._is_choice_waiting = True
        else:
            self.make()

    def _make_waiting(self) -> None:
        if self._is_choice_waiting and not self._maker.busy:
            self._is_choice_waiting = False
            self.make()

    # -- showing -----------------------------------------------------------------------------------------------------

    def _show_result(self) -> None:
        made = self._maker.result
        report = self._report = None if made is None else made.named_report()
        self._numbers.show_report(report)
        self._tokens.show_report(report)
        self._chart.show_report(report)
        self._pruning.show_result(made)
        self._show_facts()
        self._mark()
        if report is not None and not report.has_text:
            self._say(Contents(report, wording()).empty_sentence(), "warning")
        elif report is not None and report.skipped:
            one, many = self.tr("1 document is left out."), self.tr("{count} documents are left out.")
            left_out = counted(len(report.skipped), one, many)
            self._say(joined_sentences([left_out, error_message(report.skipped[0].reason)]), "warning")
        elif report is not None and not len(report.counter.parts.merges):
            self._say(self.tr("No merges yet: step forward or train, then measure again."))

    def _show_hint(self) -> None:
        """Say in the empty table of numbers what to do, or that measuring is in progress; then, offer no more of it."""
        for card in self._cards:
            card.button.setEnabled(not self._maker.busy)
        choose = self.tr("Choose the texts to measure, and press “Measure”.")
        self._numbers.hint = self.tr("Measuring…") if self._maker.busy else choose

    def _show_facts(self) -> None:
        made, report = self._maker.result, self._report
        if made is None or report is None:
            self._facts.setText("")
            self._subject_mark.show_mark(None)
            return
        self._subject_mark.show_mark(mark_of(self._session, made.source.subject.shown))
        name = made.source.subject.name
        merges = len(report.counter.parts.merges)
        one, many = (
            self.tr("{name}: {entries} entries, 1 merge."),
            self.tr("{name}: {entries} entries, {merges} merges."),
        )
        values = {"entries": number(len(report.vocabulary)), "merges": number(merges)}
        sentences = [(one if merges == 1 else many).format(name=name, **values)]
        contents = Contents(report, wording())
        sentences += filter(None, [contents.gini_sentence(), contents.unknown_sentence()])
        if made.source.held_out.documents:
            sentences.append(self.tr("The held-out 10% was taken out of the corpus; Undo puts it back."))
        self._facts.setText(joined_sentences(sentences))
        why = self._why_outdated(made)
        for card, dimmer in zip(self._cards, self._dimmers, strict=True):
            card.sentence.setText(why)
            dimmer.set_dimmed(bool(why))

    def _why_outdated(self, made: MadeReport) -> str:
        """Say what the report is of, and why that is not what the window shows now; empty if it is."""
        reasons = []
        shown, measured = self._session.cursor.tokenizer, made.report.tokenizer
        if shown is None:
            reasons.append(self.tr("The window now shows no tokenizer."))
        elif shown.store is not measured.store:
            name = Subject.of(self._session).name
            other = self.tr("The window now shows another tokenizer: {name}.")
            newer = self.tr("It has changed since then.")
            reasons.append(newer if name == made.source.subject.name else other.format(name=name))
        elif shown.position != measured.position:
            reasons.append(self.tr("The window now shows another step."))
        if (made.source.texts, made.source.held_out) != self.chosen:
            reasons.append(self.tr("Other texts are chosen now."))
        elif made.source.has_changed_in(self._session):
            reasons.append(self.tr("These texts have changed since they were measured."))
        measured_name = self.tr("These numbers are of {name}.").format(name=made.source.subject.name)
        return joined_sentences([measured_name, *reasons]) if reasons else ""

    def _mark(self) -> None:
        self._tokens.mark(self._session.selection.token)

    def _say(self, words: str, role: str = "") -> None:
        self._message.say(words, role, hides=True)

    def _tell_cancelled(self) -> None:
        self._is_choice_waiting = False
        self._say(self.tr("Cancelled."))

    def _tell_failure(self, error: EngineError) -> None:
        self._say(error_message(error), "warning")

    # -- saving ------------------------------------------------------------------------------------------------------

    def save_page(self, path: Path) -> None:
        made = self._maker.result
        if made is not None:
            report, language = self._costs.costed(made.named_report()), language_in_force().replace("_", "-")
            why = self._why_outdated(made)
            notice = joined_sentences([self.tr("Out of date when saved."), why]) if why else ""
            self._write(lambda: {path: html_page(report, in_language, language, notice)})

    def save_tables(self, folder: Path) -> None:
        """Write the tables of the report into a folder; ask first if that would replace files."""
        made = self._maker.result
        if made is None:
            return
        report = self._costs.costed(made.named_report())
        paths = [folder / name for name in csv_files(report)]
        existing = [path.name for path in paths if exists(path)]

        def write() -> None:
            self._write(lambda: {folder / name: table for name, table in csv_files(report).items()})

        if not existing:
            write()
            return
        question = self.tr("Replace the tables in this folder?")
        consequence = self.tr("These files already exist: {files}.").format(files=listed(existing))
        replacing = self.tr("Replace"), QMessageBox.ButtonRole.AcceptRole, write
        ask(self, "replaceTablesBox", question, consequence, replacing)

    def _ask_where_to_save_page(self) -> None:
        suggested = str(self._settings.output_folder / "report.html")
        name, _filter = QFileDialog.getSaveFileName(self, self.tr("Save report"), suggested, "HTML (*.html)")
        if name:
            path = Path(name)
            self._settings.output_folder = path.parent
            self.save_page(path if path.suffix else path.with_suffix(".html"))

    def _ask_where_to_save_tables(self) -> None:
        title = self.tr("Folder for the tables")
        name = QFileDialog.getExistingDirectory(self, title, str(self._settings.output_folder))
        if name:
            self._settings.output_folder = Path(name)
            self.save_tables(Path(name))

    def _write(self, contents: Callable[[], Mapping[Path, str | bytes]]) -> None:
        if self._maker.busy:
            self._say(self.tr("Wait until the report is finished, or cancel it. Then save again."), "warning")
            return
        self._say("")
        self._maker.write(contents)

    def _tell_written(self, paths: list[Path]) -> None:
        self._say(self.tr("Saved: {files}").format(files=listed(map(str, paths))), "quiet")
