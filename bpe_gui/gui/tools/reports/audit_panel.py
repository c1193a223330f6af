"""The page that audits a tokenizer: which of its entries texts produce, shown by a text each, and what is unusual."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from bpe_gui.engine import Audit, EngineError, Progress, Tokenizer, audit, token_in_sentence, write_files
from bpe_gui.engine.audits import Finding
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import BAR_PADDING, MARGIN, SMALL_GAP, gapless_column, keep_space, row_of
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import (
    ComboBox,
    SentenceLabel,
    hairline,
    name_widget,
    push_button,
)
from bpe_gui.gui.search.token_filter import TokenFilter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.filter_field import FilterField
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, NumberColumn, TableModel, quiet, token_column
from bpe_gui.gui.tools.tool import JobProgress
from bpe_gui.gui.wording.phrases import counted, joined_sentences, number, translate
from bpe_gui.gui.wording.sentences import error_message

from .report_maker import Subject

_KINDS_WIDTH: Final = 240  # pixels


def _in_language(text: str) -> str:
    return translate("Audit", text)


class Auditor(JobRunner):
    """Audits the tokenizer on screen in a thread, and keeps the result, which outlives the page.

    `failed(error)`: an EngineError. `saved(path)`: the table was written.
    """

    failed = Signal(object)
    saved = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.result: tuple[Audit, Subject, Tokenizer] | None = None
        """The last audit, with the object and the tokenizer it is about; None before the first one."""

    def audit(self, session: Session, tokenizer: Tokenizer) -> None:
        """Audit the tokenizer on screen. Raise RuntimeError while busy."""
        subject = Subject.of(session)

        def work(progress: Progress) -> Audit:
            return audit(tokenizer, progress)

        def take(result: Audit) -> None:
            self.result = result, subject, tokenizer

        self.start("audit a tokenizer", work, take, self.failed.emit)

    def save(self, path: Path) -> None:
        """Write all entries and findings as a table. Raise RuntimeError while busy."""
        if self.result is None:
            return
        audited = self.result[0]

        def work(progress: Progress) -> None:
            progress(0, 0)
            write_files({path: audited.csv_table(_in_language)})

        self.start("write an audit", work, lambda _done: self.saved.emit(path), self.failed.emit)


class AuditPanel(QWidget):
    """A bar, a summary, and a table of the findings of one kind."""

    def __init__(self, session: Session, theme: Theme, settings: Settings, auditor: Auditor) -> None:
        super().__init__()
        self._session, self._settings, self._auditor = session, settings, auditor
        self._kinds_shown: Sequence[str] = ()
        self._audited: Audit | None = None
        self._make = push_button("auditButton", self.tr("Audit"), self.make)
        self._progress = JobProgress(auditor, theme, "audit", self.tr("Stop and keep the previous audit"))
        self._kinds = name_widget(ComboBox(), "auditKinds", self.tr("Findings"))
        self._kinds.setMinimumWidth(_KINDS_WIDTH)
        tip = self.tr("Save all entries and findings as a CSV file")
        self._save = push_button("auditSave", self.tr("Save table…"), self._ask_where_to_save, tool_tip=tip)
        self._message = SentenceLabel(name="auditMessage", selectable=True)
        self._summary = SentenceLabel(name="auditSummary", selectable=True)
        self._message.setContentsMargins(MARGIN, 0, MARGIN, SMALL_GAP)
        self._summary.setContentsMargins(MARGIN, 0, MARGIN, SMALL_GAP)
        self._model: TableModel[Finding] = TableModel(theme, _columns(), self, selected=_selected)
        self.table = Table(self._model, "auditTable", self.tr("Findings"))
        self._dimmer = Dimmer(self.table)
        field = FilterField(self.table, "auditFilter", has_ids=True)
        self._filter = name_widget(field, "auditFilter", self.tr("Find in the findings"))
        self._detail = SentenceLabel(name="auditDetail", selectable=True)
        tip = self.tr("Put this text in place of the text to encode, and show the token there; it can be undone")
        self._show = push_button("auditShow", self.tr("Show in the text"), self._show_in_text, tool_tip=tip)
        self._lay_out()
        self._connect()
        self._say("")
        self._show_result()

    def _lay_out(self) -> None:
        for widget in (self._progress, self._show):
            keep_space(widget)
        bar = row_of(
            *(self._make, self._progress, None, self._filter, self._kinds, self._save),
            margins=(MARGIN, BAR_PADDING, MARGIN, BAR_PADDING),
        )
        detail = row_of((self._detail, 1), self._show, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP))
        gapless_column(self, bar, self._message, self._summary, hairline(self), (self.table, 1), hairline(self), detail)

    def _connect(self) -> None:
        self._auditor.changed.connect(self._show_result)
        self._auditor.failed.connect(self._tell_failure)
        self._auditor.saved.connect(self._tell_saved)
        self._session.cursor.tokenizer_changed.connect(self._show_summary)
        self._kinds.currentIndexChanged.connect(self._show_kind)
        self._filter.textChanged.connect(self._show_kind)
        self.table.selectionModel().currentRowChanged.connect(self._show_detail)
        self.table.token_chosen.connect(self._session.selection.select)
        self.table.doubleClicked.connect(self._show_in_text)
        self._session.selection.changed.connect(self._mark)

    def make(self) -> None:
        """Audit the tokenizer on screen."""
        tokenizer = self._session.cursor.tokenizer
        self._say("")
        if tokenizer is None:
            self._say(self.tr("There is no tokenizer yet. Type or open a corpus and train on it."), "warning")
        elif not self._auditor.busy:
            self._auditor.audit(self._session, tokenizer)

    def begin_search(self) -> None:
        """Move the focus to the filter field and select its text."""
        self._filter.take_focus()

    # -- showing ----------------------------------------------------------------------------------------------------

    def _show_result(self) -> None:
        is_busy, result = self._auditor.busy, self._auditor.result
        self._make.setEnabled(not is_busy)
        self._save.setEnabled(not is_busy and result is not None)
        for field in (self._filter, self._kinds):
            field.setEnabled(result is not None)
        self.table.hint = "" if is_busy or result else self.tr("Press “Audit” to find a text for every entry.")
        self._show_summary()
        self._show_detail()
        if result is not None and result[0] is not self._audited:
            self._audited = result[0]
            self._offer_kinds(result[0])

    def _offer_kinds(self, audited: Audit) -> None:
        """Offer the kinds of findings there are, with their numbers; reachable entries come last."""
        counts = audited.counts
        chosen = self._kinds_shown[self._kinds.currentIndex()] if self._kinds_shown else ""
        self._kinds_shown = sorted(counts, key=lambda kind: kind in ("reachable", "special"))
        self._kinds.blockSignals(True)
        self._kinds.clear()
        self._kinds.addItems([f"{_in_language(Audit.title_of(k))}  ({number(counts[k])})" for k in self._kinds_shown])
        self._kinds.setCurrentIndex(self._kinds_shown.index(chosen) if chosen in counts else 0)
        self._kinds.blockSignals(False)
        self._show_kind()

    def _show_summary(self) -> None:
        self._dimmer.set_dimmed(self._is_outdated)
        self._show.setEnabled(not self._is_outdated)
        result = self._auditor.result
        if result is None:
            self._summary.setText("")
            return
        audited, subject, _tokenizer = result
        kinds = Counter(entry.kind for entry in audited.entries)
        sentences = [
            self.tr("{name}: {entries} entries. Texts produce {reachable} of them, and none produces {never}.").format(
                name=subject.name,
                entries=number(len(audited.entries)),
                reachable=number(kinds["reachable"]),
                never=number(audited.unreachable),
            )
        ]
        others = {
            "special": (self.tr("1 is a special token."), self.tr("{count} are special tokens.")),
            "not-found": (self.tr("No text was found for 1."), self.tr("No text was found for {count}.")),
        }
        sentences += [counted(kinds[kind], *texts) for kind, texts in others.items() if kinds[kind]]
        if self._is_outdated:
            sentences.append(self.tr("The window now shows another tokenizer or step."))
        self._summary.setText(joined_sentences(sentences))

    @property
    def _is_outdated(self) -> bool:
        """Whether the audit is not about the tokenizer on screen."""
        shown, result = self._session.cursor.tokenizer, self._auditor.result
        return result is not None and (
            shown is None or (shown.store, shown.position) != (result[2].store, result[2].position)
        )

    def _show_kind(self) -> None:
        if self._audited is None or not self._kinds_shown:
            return
        kind = self._kinds_shown[self._kinds.currentIndex()]
        rows = self._audited.entries if kind in ("reachable", "special") else self._audited.findings
        wanted = TokenFilter.of(self._filter.text())
        self._model.reset([row for row in rows if row.kind == kind and wanted.finds(row.token_id, row.token)])
        self._show_detail()

    def _show_detail(self) -> None:
        finding = self._current()
        self._detail.setText("" if finding is None else _sentence(finding))
        self._show.setVisible(finding is not None and None not in (finding.witness, finding.token_id))

    def _current(self) -> Finding | None:
        index: QModelIndex = self.table.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def _mark(self) -> None:
        self._model.mark(self._session.selection.token)

    def _say(self, words: str, role: str = "") -> None:
        self._message.say(words, role, hides=True)

    def _tell_failure(self, error: EngineError) -> None:
        self._say(error_message(error), "warning")

    def _tell_saved(self, path: Path) -> None:
        self._say(self.tr("Saved: {file}").format(file=path), "quiet")

    # -- using ------------------------------------------------------------------------------------------------------

    def _show_in_text(self) -> None:
        """Put the witness into the text to encode, and show the token there."""
        finding = self._current()
        if self._is_outdated or finding is None or finding.witness is None:
            return
        if (selected := _selected(finding)) is not None:
            text = self._session.text
            text.replace(0, len(text.live), finding.witness.encode())
            self._session.selection.find(selected)

    def _ask_where_to_save(self) -> None:
        suggested = str(self._settings.output_folder / "audit.csv")
        name, _filter = QFileDialog.getSaveFileName(self, self.tr("Save audit"), suggested, "CSV (*.csv)")
        if name:
            path = Path(name)
            self._settings.output_folder = path.parent
            self._auditor.save(path if path.suffix else path.with_suffix(".csv"))


def _selected(finding: Finding) -> Selected | None:
    return None if finding.token_id is None else Selected(finding.token, special=finding.kind.startswith("special"))


def _sentence(finding: Finding) -> str:
    """Return the reason of a finding, or the text that shows it."""
    reason = finding.reason_in(_in_language)
    if finding.witness is None:
        return reason
    text = translate("Audit", "In the text “{text}”.").format(text=token_in_sentence(finding.witness.encode()))
    return joined_sentences(filter(None, [reason, text]))


def _columns() -> list[Column[Finding]]:
    return [
        NumberColumn(
            title=translate("EntriesModel", "Id"),
            width=72,
            text=lambda row: "" if row.token_id is None else str(row.token_id),
        ),
        token_column(translate("EntriesModel", "Token"), lambda row: row.token, lambda row: False, width=180),
        Column(
            title=translate("AuditPanel", "Text or reason"),
            text=_sentence,
            tool_tip=_sentence,
            color=lambda row: None if row.kind == "reachable" else quiet(row),
        ),
    ]
