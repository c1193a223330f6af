"""The table of the compared tokenizers and their numbers."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject

from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    DISPLAY_ROLE,
    FONT_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import plain_tool_tip
from bpe_gui.gui.models.roles import Answers
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.tools.comparison.compared import Compared
from bpe_gui.gui.tools.comparison.names import details_of, letter, name_of
from bpe_gui.gui.tools.tool_table import ToolTable
from bpe_gui.gui.wording.numbers import decimal, number, share

_UNKNOWN: Final = "…"
_NONE: Final = "–"


class NumbersColumn(IntEnum):
    """The columns of the table."""

    NAME = 0
    TOKENS = 1
    CHANGE = 2
    BYTES_PER_TOKEN = 3
    VOCABULARY = 4
    ONLY_HERE = 5


_NAME, _TOKENS, _CHANGE, _BYTES_PER_TOKEN, _VOCABULARY, _ONLY_HERE = (int(column) for column in NumbersColumn)
_NUMBERS: Final = (_TOKENS, _CHANGE, _BYTES_PER_TOKEN, _VOCABULARY, _ONLY_HERE)
_LEAST_WIDTH: Final = 40  # pixels of a column of numbers


class NumbersModel(TableModel):
    """The compared tokenizers, one in a row."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[Compared] = ()
        self.titles = (
            self.tr("Tokenizer"),
            self.tr("Tokens"),
            self.tr("vs. A"),
            self.tr("Bytes/token"),
            self.tr("Vocabulary"),
            self.tr("Only here"),
        )
        self.title_tool_tips = (
            "",
            self.tr("Number of tokens in the encoded text"),
            self.tr("Difference in the number of tokens from the first tokenizer"),
            self.tr("Compression: average number of UTF-8 bytes per token"),
            self.tr("Number of entries"),
            self.tr("Number of tokens that no other tokenizer in this table has"),
        )
        self.alignments = dict.fromkeys(_NUMBERS, ALIGN_RIGHT)

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._theme.number_font(),
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: lambda row, column: plain_tool_tip(details_of(self.rows[row])) if column == _NAME else None,
        }

    def show_items(self, items: Sequence[Compared]) -> None:
        """Show these, with their numbers of now."""
        self._replace_rows(items)

    def _text(self, row: int, column: int) -> str:
        item = self.rows[row]
        if column == _NAME:
            return f"{letter(row)}  {name_of(item)}"
        if item.tokenizer is None or (item.error is not None and column in (_TOKENS, _CHANGE, _BYTES_PER_TOKEN)):
            return _NONE
        if column == _VOCABULARY:
            return _UNKNOWN if item.vocab_size is None else number(item.vocab_size)
        if column == _ONLY_HERE:
            if len(self.rows) == 1:
                return ""
            return _UNKNOWN if item.only_here is None else number(item.only_here)
        if item.numbers is None:
            return _UNKNOWN
        if column == _TOKENS:
            return number(item.numbers.tokens)
        return self._change(row) if column == _CHANGE else decimal(item.numbers.bytes_per_token)

    def _change(self, row: int) -> str:
        first, numbers = self.rows[0].numbers, self.rows[row].numbers
        if row == 0 or first is None or numbers is None or not first.tokens:
            return ""
        change = (numbers.tokens - first.tokens) / first.tokens
        sign = "" if round(change, 3) == 0 else "+" if change > 0 else "−"
        return sign + share(abs(change))


class NumbersTable(ToolTable):
    """The table itself."""

    def __init__(self, theme: Theme) -> None:
        self.rows_model = NumbersModel(theme)
        super().__init__(self.rows_model, "comparisonTable", "", theme, _NAME, dict.fromkeys(_NUMBERS, _LEAST_WIDTH))
        self.setAccessibleName(self.tr("Compared tokenizers and their numbers"))
        self.rows_model.setParent(self)
        self.hide_when_narrow({_CHANGE: 450, _ONLY_HERE: 380})

    def show_items(self, items: Sequence[Compared]) -> None:
        """Show these, with their numbers of now, in columns that are as wide as these need; the names get the rest."""
        self.rows_model.show_items(items)
        for column in (_CHANGE, _ONLY_HERE):
            self.set_absent(column, len(items) < 2)
        for column in _NUMBERS:
            texts = (str(self.rows_model.index(row, column).data()) for row in range(len(items)))
            self.widen(column, max((self.rows_model.titles[column], *texts), key=self.width_of))
