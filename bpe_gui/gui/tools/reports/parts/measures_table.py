"""The measures of each text of a report, of all together, and of held-out text."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont

from bpe_gui.engine.reports import Report, TextMeasures
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT, DISPLAY_ROLE, FONT_ROLE, TEXT_ALIGNMENT_ROLE, TOOL_TIP_ROLE
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.models.roles import Answers
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.tools.tool_table import ToolTable
from bpe_gui.gui.wording.numbers import decimal, number, share


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


_Column = MeasureColumn
_WIDTHS: Final = {
    _Column.DOCUMENTS: 92,
    _Column.BYTES: 96,
    _Column.WORDS: 88,
    _Column.TOKENS: 88,
    _Column.BYTES_PER_TOKEN: 96,
    _Column.FERTILITY: 96,
    _Column.WHOLE_WORDS: 104,
    _Column.SINGLE_BYTES: 104,
    _Column.RENYI: 96,
}
_NARROW: Final = {_Column.DOCUMENTS: 1000, _Column.WORDS: 900}  # pixels of the table


class _Row(NamedTuple):
    name: str
    documents: int
    measures: TextMeasures
    is_sum: bool = False


class MeasuresModel(TableModel):
    """A row for each text, one for all of them, and one for held-out text."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[_Row] = ()
        self.titles = (
            self.tr("Text"),
            self.tr("Documents"),
            self.tr("Bytes"),
            self.tr("Words"),
            self.tr("Tokens"),
            self.tr("Bytes/token"),
            self.tr("Tokens/word"),
            self.tr("Whole words"),
            self.tr("Single bytes"),
            self.tr("Rényi eff."),
        )
        self.title_tool_tips = (
            "",
            self.tr("Number of documents"),
            self.tr("Size in UTF-8 bytes"),
            self.tr("Number of words (pre-tokens) into which the splitter divides the text"),
            self.tr("Number of tokens"),
            self.tr("Compression: average number of UTF-8 bytes per token"),
            self.tr("Fertility: average number of tokens per word"),
            self.tr("Share of words that are a single token"),
            self.tr("Share of tokens that stand for a single byte"),
            self.tr("Rényi efficiency of order 2.5: how evenly the vocabulary is used, at most 1"),
        )
        self.alignments = {int(column): ALIGN_RIGHT for column in _WIDTHS}

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: self._font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: lambda row, column: self.rows[row].name if column == _Column.NAME else None,
        }

    def show_report(self, report: Report | None) -> None:
        """Show the measures of a report; nothing for None."""
        self._replace_rows([] if report is None else self._rows(report))

    def _rows(self, report: Report) -> list[_Row]:
        rows = [_Row(text.name, text.documents, text.measures) for text in report.texts]
        documents = sum(text.documents for text in report.texts)
        rows.append(_Row(self.tr("All texts"), documents, report.total.measures, is_sum=True))
        if report.held_out is not None:
            name = self.tr("Held out: {name}").format(name=report.held_out.name)
            rows.append(_Row(name, report.held_out.documents, report.held_out.measures))
        return rows

    def _font(self, row: int, _column: int) -> QFont:
        font = self._theme.number_font()
        font.setBold(self.rows[row].is_sum)
        return font

    def _text(self, row: int, column: int) -> str:
        name, documents, measures, _is_sum = self.rows[row]
        match column:
            case _Column.NAME:
                return name
            case _Column.DOCUMENTS:
                return number(documents)
            case _Column.BYTES:
                return number(measures.bytes)
            case _Column.WORDS:
                return number(measures.words)
            case _Column.TOKENS:
                return number(measures.tokens)
            case _Column.BYTES_PER_TOKEN:
                return decimal(measures.bytes_per_token)
            case _Column.FERTILITY:
                return decimal(measures.fertility)
            case _Column.WHOLE_WORDS:
                return share(measures.whole_word_share)
            case _Column.SINGLE_BYTES:
                return share(measures.single_byte_share)
        return decimal(measures.renyi_efficiency)


class MeasuresTable(ToolTable):
    """The table itself."""

    def __init__(self, theme: Theme) -> None:
        self.rows_model = MeasuresModel(theme)
        widths = {int(column): width for column, width in _WIDTHS.items()}
        super().__init__(self.rows_model, "reportNumbers", "", theme, int(_Column.NAME), widths)
        self.setAccessibleName(self.tr("Measures of the texts"))
        self.rows_model.setParent(self)
        self.hide_when_narrow({int(column): width for column, width in _NARROW.items()})
