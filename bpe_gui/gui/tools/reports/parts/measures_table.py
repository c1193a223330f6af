"""The measures of each text of a report, of all together, and of held-out text."""

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.reports import Report, TextMeasures
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, FontName, TableModel
from bpe_gui.gui.wording.numbers import decimal, number, share

translate = QCoreApplication.translate  # lupdate knows the function by this name


class MeasureColumn(IntEnum):
    """The columns of the table."""

    NAME = 0
    DOCUMENTS = 1
    BYTES = 2
    WORDS = 3
    TOKENS = 4
    BYTES_PER_TOKEN = 5
    FERTILITY = 6
    WHOLE_WORDS = 7
    SINGLE_BYTES = 8
    RENYI = 9


class _Row(NamedTuple):
    name: str
    documents: int
    measures: TextMeasures
    is_sum: bool = False


class MeasuresTable(Table):
    """A row for each text, one for all of them, and one for held-out text."""

    def __init__(self, theme: Theme) -> None:
        model: TableModel[_Row] = TableModel(theme, _columns())
        super().__init__(model, "reportNumbers", "")
        self.setAccessibleName(self.tr("Measures of the texts"))
        model.setParent(self)

    def show_report(self, report: Report | None) -> None:
        """Show the measures of a report; nothing for None."""
        self.table_model.show([] if report is None else _rows(report))


def _rows(report: Report) -> list[_Row]:
    rows = [_Row(text.name, text.documents, text.measures) for text in report.texts]
    documents = sum(text.documents for text in report.texts)
    rows.append(_Row(translate("MeasuresModel", "All texts"), documents, report.total.measures, is_sum=True))
    if report.held_out is not None:
        name = translate("MeasuresModel", "Held out: {name}").format(name=report.held_out.name)
        rows.append(_Row(name, report.held_out.documents, report.held_out.measures))
    return rows


def _columns() -> list[Column[_Row]]:
    return [
        Column(
            title=translate("MeasuresModel", "Text"),
            font_of=_font,
            text=lambda row: row.name,
            tool_tip=lambda row: row.name,
        ),
        _numbers(
            translate("MeasuresModel", "Documents"),
            translate("MeasuresModel", "Number of documents"),
            92,
            lambda row: number(row.documents),
            shown_from=1000,
        ),
        _numbers(
            translate("MeasuresModel", "Bytes"),
            translate("MeasuresModel", "Size in UTF-8 bytes"),
            96,
            lambda row: number(row.measures.bytes),
        ),
        _numbers(
            translate("MeasuresModel", "Words"),
            translate("MeasuresModel", "Number of words (pre-tokens) into which the splitter divides the text"),
            88,
            lambda row: number(row.measures.words),
            shown_from=900,
        ),
        _numbers(
            translate("MeasuresModel", "Tokens"),
            translate("MeasuresModel", "Number of tokens"),
            88,
            lambda row: number(row.measures.tokens),
        ),
        _numbers(
            translate("MeasuresModel", "Bytes/token"),
            translate("MeasuresModel", "Compression: average number of UTF-8 bytes per token"),
            96,
            lambda row: decimal(row.measures.bytes_per_token),
        ),
        _numbers(
            translate("MeasuresModel", "Tokens/word"),
            translate("MeasuresModel", "Fertility: average number of tokens per word"),
            96,
            lambda row: decimal(row.measures.fertility),
        ),
        _numbers(
            translate("MeasuresModel", "Whole words"),
            translate("MeasuresModel", "Share of words that are a single token"),
            104,
            lambda row: share(row.measures.whole_word_share),
        ),
        _numbers(
            translate("MeasuresModel", "Single bytes"),
            translate("MeasuresModel", "Share of tokens that stand for a single byte"),
            104,
            lambda row: share(row.measures.single_byte_share),
        ),
        _numbers(
            translate("MeasuresModel", "Rényi eff."),
            translate("MeasuresModel", "Rényi efficiency of order 2.5: how evenly the vocabulary is used, at most 1"),
            96,
            lambda row: decimal(row.measures.renyi_efficiency),
        ),
    ]


def _numbers(
    title: str, explanation: str, width: int, text: Callable[[_Row], str], shown_from: int = 0
) -> Column[_Row]:
    """Return a column of numbers."""
    return Column(
        title=title,
        explanation=explanation,
        width=width,
        shown_from=shown_from,
        alignment=ALIGN_RIGHT,
        font_of=_font,
        text=text,
    )


def _font(row: _Row) -> FontName:
    return "bold" if row.is_sum else "numbers"
