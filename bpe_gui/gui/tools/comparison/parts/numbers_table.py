"""The table of the compared tokenizers and their numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import plain_tool_tip
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, TableModel
from bpe_gui.gui.tools.comparison.compared import Compared
from bpe_gui.gui.tools.comparison.names import details_of, letter, name_of
from bpe_gui.gui.tools.comparison.numbers import TextNumbers
from bpe_gui.gui.wording.numbers import decimal, number, share

translate = QCoreApplication.translate  # lupdate knows the function by this name

_UNKNOWN: Final = "…"
_NONE: Final = "–"
_LEAST_WIDTH: Final = 40  # pixels of a column of numbers


class NumbersColumn(IntEnum):
    """The columns of the table."""

    NAME = 0
    TOKENS = 1
    CHANGE = 2
    BYTES_PER_TOKEN = 3
    VOCABULARY = 4
    ONLY_HERE = 5


@dataclass(frozen=True, slots=True)
class _Row:
    index: int
    item: Compared
    first: Compared
    is_alone: bool


class NumbersTable(Table):
    """The compared tokenizers, one in a row."""

    def __init__(self, theme: Theme) -> None:
        model: TableModel[_Row] = TableModel(theme, _columns())
        super().__init__(model, "comparisonTable", "")
        self.setAccessibleName(self.tr("Compared tokenizers and their numbers"))
        model.setParent(self)

    def show_items(self, items: Sequence[Compared]) -> None:
        """Show these, with their numbers of now, in columns that are as wide as these need; the names get the rest."""
        rows = [_Row(index, item, items[0], len(items) == 1) for index, item in enumerate(items)]
        self.table_model.show(rows)
        for absent in (NumbersColumn.CHANGE, NumbersColumn.ONLY_HERE):
            self.set_absent(absent, len(items) < 2)
        for index, column in enumerate(self.table_model.columns):
            if column.width is not None:
                self.widen(index, max((column.title, *map(column.text, rows)), key=self.width_of))


def _columns() -> list[Column[_Row]]:
    return [
        Column(
            title=translate("NumbersModel", "Tokenizer"),
            text=lambda row: f"{letter(row.index)}  {name_of(row.item)}",
            tool_tip=lambda row: plain_tool_tip(details_of(row.item)),
        ),
        _numbers(
            translate("NumbersModel", "Tokens"),
            translate("NumbersModel", "Number of tokens in the encoded text"),
            lambda row: _measured(row, lambda numbers: number(numbers.tokens)),
        ),
        _numbers(
            translate("NumbersModel", "vs. A"),
            translate("NumbersModel", "Difference in the number of tokens from the first tokenizer"),
            lambda row: _measured(row, lambda numbers: _change(row, numbers)),
            shown_from=450,
        ),
        _numbers(
            translate("NumbersModel", "Bytes/token"),
            translate("NumbersModel", "Compression: average number of UTF-8 bytes per token"),
            lambda row: _measured(row, lambda numbers: decimal(numbers.bytes_per_token)),
        ),
        _numbers(
            translate("NumbersModel", "Vocabulary"),
            translate("NumbersModel", "Number of entries"),
            lambda row: _known(row, row.item.vocab_size),
        ),
        _numbers(
            translate("NumbersModel", "Only here"),
            translate("NumbersModel", "Number of tokens that no other tokenizer in this table has"),
            lambda row: "" if row.is_alone and row.item.tokenizer is not None else _known(row, row.item.only_here),
            shown_from=380,
        ),
    ]


def _numbers(title: str, explanation: str, text: Callable[[_Row], str], shown_from: int = 0) -> Column[_Row]:
    """Return a column of numbers."""
    return Column(
        title=title,
        explanation=explanation,
        width=_LEAST_WIDTH,
        shown_from=shown_from,
        alignment=ALIGN_RIGHT,
        text=text,
    )


def _known(row: _Row, value: int | None) -> str:
    """Return a number that may still be unknown, and that a tokenizer must be there for."""
    if row.item.tokenizer is None:
        return _NONE
    return _UNKNOWN if value is None else number(value)


def _measured(row: _Row, text: Callable[[TextNumbers], str]) -> str:
    """Return text about the numbers of the encoded text, which may be unknown, or wrong after an error."""
    if row.item.tokenizer is None or row.item.error is not None:
        return _NONE
    return _UNKNOWN if row.item.numbers is None else text(row.item.numbers)


def _change(row: _Row, numbers: TextNumbers) -> str:
    first = row.first.numbers
    if row.index == 0 or first is None or not first.tokens:
        return ""
    change = (numbers.tokens - first.tokens) / first.tokens
    sign = "" if round(change, 3) == 0 else "+" if change > 0 else "−"
    return sign + share(abs(change))
