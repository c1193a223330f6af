"""The tables of a report: the measures of its texts, and lists of notable tokens."""

from collections.abc import Sequence
from itertools import repeat
from typing import Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine.reports import (
    Contents,
    EntryList,
    Report,
    TextReport,
)
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, PanelHeader, gapless_column
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, count_label, name_widget
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, FontName, LazyRows, NumberColumn, TableModel, token_column
from bpe_gui.gui.wording.phrases import number, translate

from .report_maker import in_language, wording

_WIDTHS: Final = {"number": 88, "decimal": 96, "share": 104, "documents": 92, "bytes": 96, "words": 152}
"""The widths of the columns in pixels: of the measures in a format, and of those that need more."""

_SHOWN_FROM: Final = {"documents": 1000, "words": 1000}
"""The table widths below which a column is hidden."""


# -- measures ----------------------------------------------------------------------------------------------------------


class _Row(NamedTuple):
    text: TextReport
    is_sum: bool = False


class MeasuresTable(Table):
    """A row for all texts if there are several, one for held-out text, and one for each text."""

    def __init__(self, theme: Theme) -> None:
        model: TableModel[_Row] = TableModel(theme, _measure_columns())
        super().__init__(model, "reportNumbers", "")
        self.setAccessibleName(self.tr("Measures of the texts"))
        model.setParent(self)

    def show_report(self, report: Report | None) -> None:
        """Show the measures of a report; nothing for None."""
        self.table_model.show([] if report is None else _rows(report))


def _rows(report: Report) -> list[_Row]:
    contents = Contents(report, wording())
    held_out, texts = contents.held_out_row(), list(map(_Row, report.texts))
    rows = [] if len(texts) == 1 else [_Row(_with_title(contents.total_row()), is_sum=True)]
    return [*rows, *([] if held_out is None else [_Row(_with_title(held_out))]), *texts]  # what matters most is in view


def _with_title(text: TextReport) -> TextReport:
    return TextReport(titled(text.name), text.documents, text.measures)


def titled(words: str) -> str:
    """Return words as the title of a column or a row."""
    return words[:1].upper() + words[1:]


def _measure_columns() -> list[Column[_Row]]:
    name = Column[_Row](
        title=titled(in_language("text")),
        font_of=_font,
        text=lambda row: row.text.name,
        tool_tip=lambda row: row.text.name,
    )
    return [name, *(_measure_column(number) for number in range(len(Contents.measures)))]


def _measure_column(number: int) -> Column[_Row]:
    measure = Contents.measures[number]
    return NumberColumn(
        title=titled(in_language(measure.short)),
        explanation=in_language(measure.about),
        width=_WIDTHS.get(measure.name, _WIDTHS[measure.format]),
        shown_from=_SHOWN_FROM.get(measure.name, 0),
        font_of=_font,
        text=lambda row: measure.written(measure.value(row.text), wording()),
    )


def _font(row: _Row) -> FontName:
    return "bold" if row.is_sum else "numbers"


# -- tokens ------------------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """An entry of a report's vocabulary; `is_banded`: it is shaded, to set its group apart."""

    report: Report
    entry: int
    has_marker: bool
    is_banded: bool

    @property
    def token(self) -> bytes:
        return self.report.vocabulary.tokens[self.entry]


def _entry_columns() -> list[Column[_Entry]]:
    return [
        NumberColumn(
            title=translate("EntriesModel", "Id"),
            width=64,
            text=lambda row: str(int(row.report.vocabulary.ids[row.entry])),
        ),
        token_column(translate("EntriesModel", "Token"), lambda row: row.token, lambda row: row.has_marker),
        NumberColumn(
            title=translate("EntriesModel", "Bytes"),
            width=56,
            shown_from=280,
            text=lambda row: number(int(row.report.vocabulary.sizes[row.entry])),
        ),
        NumberColumn(title=translate("EntriesModel", "Step"), width=84, shown_from=340, text=_step_text),
        NumberColumn(
            title=translate("EntriesModel", "Count"),
            width=72,
            text=lambda row: number(int(row.report.vocabulary.occurrences[row.entry])),
        ),
    ]


def _step_text(row: _Entry) -> str:
    step = int(row.report.vocabulary.steps[row.entry])
    return number(step) if step else translate("EntriesModel", "alphabet")


_KINDS_WIDTH: Final = 240  # pixels; the widest titles take more in some fonts, but the window has to fit


class TokensPanel(QWidget):
    """A list, chosen in a combo box. `token_chosen(token)`: the user chose a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._report: Report | None = None
        self._lists: Sequence[EntryList] = ()
        self._kinds = name_widget(ComboBox(), "reportTokenList", self.tr("List of tokens"))
        self._kinds.addItems(list(map(in_language, Contents.list_titles.values())))
        self._kinds.setCurrentIndex(list(Contents.list_titles).index("longest"))  # some have only single bytes
        self._kinds.setMinimumWidth(_KINDS_WIDTH)
        self._about = SentenceLabel(name="reportTokensAbout", role="quiet")
        self._about.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        self._count = count_label(theme, "reportTokenCount")
        self._model: TableModel[_Entry] = TableModel(
            theme,
            _entry_columns(),
            self,
            tint=lambda row: "window" if row.is_banded else None,
            selected=lambda row: Selected(row.token),
        )
        self.table = Table(self._model, "reportTokens", self.tr("Tokens of the list"))
        gapless_column(self, PanelHeader(self.tr("Tokens"), self._count, self._kinds), self._about, (self.table, 1))
        self._kinds.currentIndexChanged.connect(self._show_list)
        self.table.token_chosen.connect(self.token_chosen)

    def show_report(self, report: Report | None) -> None:
        """Show the chosen list of a report."""
        self._report = report
        self._lists = [] if report is None else Contents(report, wording()).lists()
        self._show_list()

    def mark(self, token: bytes | None) -> None:
        self._model.mark(token)

    def _show_list(self) -> None:
        report = self._report
        if report is None:
            self._model.show(())
            for label in (self._count, self._about):
                label.setText("")
            self.table.hint = ""
            return
        shown = self._lists[self._kinds.currentIndex()]
        is_odd = [number % 2 == 1 for number, group in enumerate(shown.groups) for _entry in group]
        entries = list(zip(shown.entries, is_odd or repeat(False), strict=False))
        has_marker = report.tokenizer.recipe.boundary != "none"
        self._model.show(LazyRows(entries, lambda entry: _Entry(report, entry[0], has_marker, entry[1])))
        self._count.setText(number(len(shown.entries)))
        self._about.setText(shown.about)
        self.table.hint = self.tr("None")
