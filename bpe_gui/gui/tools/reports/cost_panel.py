"""The costs of a report's texts: relative to one of them, at a price, and as a share of a context window."""

from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine.reports import CostTable, Report, Terms
from bpe_gui.gui.look.layouts import BAR_PADDING, MARGIN, SMALL_GAP, gapless_column, row_of
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, DecimalBox, SentenceLabel, SpinBox, hairline, label_of, name_widget
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, FontName, NumberColumn, TableModel
from bpe_gui.gui.wording.phrases import joined_sentences

from .report_maker import ReportMaker, in_language, wording
from .report_tables import titled

_WIDTH: Final = 104  # pixels, of a column of numbers
_LARGEST: Final = 999_999_999  # price and context window


class _Row(NamedTuple):
    cells: dict[str, str]
    """By the key of the column; a column that the terms do not fill has none."""
    is_sum: bool


class CostPanel(QWidget):
    """Choices that are remembered, a table that follows them at once, and sentences about its columns.

    `lines_wanted`: a reference is chosen, so the lines of the texts have to be counted.
    """

    lines_wanted = Signal()

    def __init__(self, maker: ReportMaker, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self._maker = maker
        self._settings = settings
        self._reference = name_widget(ComboBox(), "reportReference", self.tr("Reference text"))
        self._reference.setMinimumContentsLength(14)
        self._reference.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._reference.setToolTip(self.tr("The text with the premium 1, which the others are divided by"))
        self._price = name_widget(DecimalBox(maximum=_LARGEST), "reportPrice", self.tr("Price per million tokens"))
        self._price.setSpecialValueText(self.tr("none"))
        self._price.setValue(settings.report_price)
        context = SpinBox(minimum=1, maximum=_LARGEST, value=settings.report_context or Terms().context)
        self._context = name_widget(context, "reportContext", self.tr("Context window in tokens"))
        self._context.setSingleStep(1_000)
        self._context.setGroupSeparatorShown(True)
        self._model: TableModel[_Row] = TableModel(theme, _columns(), self)
        self._table = Table(self._model, "reportCosts", self.tr("Price and fairness"))
        self.results = QWidget()
        """Holds all that was measured, below the settings."""
        self._notes = SentenceLabel(name="reportCostNotes", role="quiet", selectable=True)
        self._notes.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        self._lay_out()
        self._reference.activated.connect(self._take_reference)
        self._price.valueChanged.connect(self._take_numbers)
        self._context.valueChanged.connect(self._take_numbers)
        maker.made.connect(self._show_result)
        self._show_result()

    def _lay_out(self) -> None:
        bar = row_of(
            *(label_of(self._reference, self.tr("Reference")), self._reference),
            *(label_of(self._price, self.tr("Price per million tokens")), self._price),
            *(label_of(self._context, self.tr("Context window")), self._context),
            None,
            margins=(MARGIN, BAR_PADDING, MARGIN, BAR_PADDING),
        )
        gapless_column(self.results, self._table)
        gapless_column(self, bar, hairline(self), (self.results, 1), hairline(self), self._notes)

    def costed(self, report: Report) -> Report:
        """Return the report on screen, perhaps in other words, with the user's terms, if there are any."""
        terms = self._terms()
        return replace(report, terms=None if terms == Terms() else terms)

    def _terms(self) -> Terms:
        reference, price = self._reference.currentIndex() - 1, self._price.value()
        return Terms(reference if reference >= 0 else None, price or None, self._context.value())

    def _take_reference(self, index: int) -> None:
        made = self._maker.result
        self._settings.report_reference = made.report.texts[index - 1].name if made and index > 0 else ""
        if made and index > 0 and not any(text.lines for text in made.report.texts):
            self.lines_wanted.emit()
        self._show()

    def _take_numbers(self) -> None:
        self._settings.report_price = self._price.value()
        self._settings.report_context = self._context.value()
        self._show()

    # -- showing -----------------------------------------------------------------------------------------------------

    def _show_result(self) -> None:
        """Offer the texts of the report as references, and choose the remembered one if it is among them."""
        made, remembered = self._maker.result, self._settings.report_reference
        names = [text.name for text in made.report.texts] if made else []
        self._reference.clear()
        self._reference.addItem(self.tr("None"))
        if made and len(names) > 1:
            self._reference.addItems([text.name for text in made.named_report().texts])
            self._reference.setCurrentIndex(names.index(remembered) + 1 if remembered in names else 0)
        self._reference.setEnabled(len(names) > 1)
        self._show()

    def _show(self) -> None:
        """Show what can be told, which without a choice is the share of the context, and say what is missing."""
        made, terms = self._maker.result, self._terms()
        notes, rows = [], list[_Row]()
        if made:
            report = replace(made.named_report(), terms=terms)
            table = CostTable(report, wording())
            keys = ["", *(column.key for column in table.columns)]
            for number, column in enumerate(CostTable.all_columns, 1):
                self._table.set_absent(number, column.key not in keys)
            texts = len(report.texts)
            rows = [_Row(dict(zip(keys, row, strict=True)), n == texts) for n, row in enumerate(table.rows())]
            notes = [*table.notes()]
            if texts == 1:
                notes.append(self.tr("The premium needs several texts with the same content, one for each language."))
            if texts > 1 and terms.reference is None and terms.price is None:
                notes.append(self.tr("Choose a reference for the premium, and type a price for the costs."))
            elif terms.price is None:
                notes.append(self.tr("Type a price for the costs."))
            elif texts > 1 and terms.reference is None:
                notes.append(self.tr("Choose a reference for the premium."))
        self._model.show(rows)
        self._notes.setText(joined_sentences(notes))


def _columns() -> list[Column[_Row]]:
    name = partial(_cell, "")
    first = Column(title=titled(in_language("text")), font_of=_font, text=name, tool_tip=name)
    costs = (
        NumberColumn[_Row](
            title=titled(in_language(column.title)),
            explanation=in_language(column.about),
            width=_WIDTH,
            font_of=_font,
            text=partial(_cell, column.key),
        )
        for column in CostTable.all_columns
    )
    return [first, *costs]


def _cell(key: str, row: _Row) -> str:
    text = row.cells.get(key, "")
    return titled(text) if row.is_sum else text


def _font(row: _Row) -> FontName:
    return "bold" if row.is_sum else "numbers"
