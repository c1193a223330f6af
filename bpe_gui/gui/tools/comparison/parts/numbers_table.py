"""The table of the compared tokenizers and their numbers."""

from collections.abc import Sequence
from enum import IntEnum
from math import isnan
from typing import Any, Final

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtGui import QShowEvent

from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    DISPLAY_ROLE,
    FONT_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import plain_tool_tip
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.tools.comparison.compared import Compared
from bpe_gui.gui.tools.comparison.names import details_of, letter, name_of
from bpe_gui.gui.views.tables.cell_delegates import TokenDelegate
from bpe_gui.gui.views.tables.run_table import RunTable
from bpe_gui.gui.wording.numbers import number

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
_WIDTHS: Final = {_TOKENS: 68, _CHANGE: 60, _BYTES_PER_TOKEN: 84, _VOCABULARY: 78, _ONLY_HERE: 72}


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
        self._tips = (
            "",
            self.tr("Number of tokens in the encoded text"),
            self.tr("Difference in the number of tokens from the first tokenizer"),
            self.tr("Compression: average number of UTF-8 bytes per token"),
            self.tr("Number of entries"),
            self.tr("Number of tokens that no other tokenizer in this table has"),
        )
        self.alignments = dict.fromkeys(_WIDTHS, ALIGN_RIGHT)
        self.answers = {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._theme.number_font(),
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: lambda row, column: plain_tool_tip(details_of(self.rows[row])) if column == _NAME else None,
        }

    def show_items(self, items: Sequence[Compared]) -> None:
        """Show these, with their numbers of now."""
        self._replace_rows(items)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY_ROLE) -> Any:
        if role == TOOL_TIP_ROLE:
            return self._tips[section]
        return super().headerData(section, orientation, role)

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
        return self._change(row) if column == _CHANGE else _ratio(item.numbers.bytes_per_token)

    def _change(self, row: int) -> str:
        first, numbers = self.rows[0].numbers, self.rows[row].numbers
        if row == 0 or first is None or numbers is None or not first.tokens:
            return ""
        percent = 100 * (numbers.tokens - first.tokens) / first.tokens
        figure = QLocale().toString(abs(percent), "f", 1)
        sign = "" if round(percent, 1) == 0 else "+" if percent > 0 else "−"
        return self.tr("{figure}%").format(figure=sign + figure)


class NumbersTable(RunTable):
    """The table itself."""

    def __init__(self, theme: Theme) -> None:
        self.rows_model = NumbersModel(theme)
        super().__init__(self.rows_model, "comparisonTable", "")
        self.setAccessibleName(self.tr("Compared tokenizers and their numbers"))
        self.rows_model.setParent(self)
        self._theme = theme
        self.setItemDelegate(TokenDelegate(self.rows_model.answers, self))
        self.set_widths(_WIDTHS, (_NAME,))
        self.hide_when_narrow({_CHANGE: 450, _ONLY_HERE: 380})
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def showEvent(self, event: QShowEvent) -> None:
        """Set the fonts again: a style sheet resets them when a widget is put into its window."""
        super().showEvent(event)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Use the fonts of the theme."""
        self.set_fonts(self._theme.number_font(), self._theme.number_font())


def _ratio(value: float) -> str:
    return _NONE if isnan(value) else QLocale().toString(value, "f", 3)
