"""The lines of a text with their numbers as a table: sorted here, and read only where they are seen."""

import re
from collections.abc import Callable
from enum import IntEnum
from math import isnan
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLocale, QObject, Qt

from bpe_gui.engine.metrics import LineMetrics
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.tables.cell_delegates import BAR_ROLE

from bpe_gui.gui.models.table_model import ALIGNMENT, DISPLAY, FONT, RIGHT, SORT_ORDER, TOOL_TIP, TableModel

NOT_A_NUMBER: Final = "–"
"""Stands where there is nothing to divide by."""

_ASCENDING: Final = Qt.SortOrder.AscendingOrder
_DESCENDING: Final = Qt.SortOrder.DescendingOrder
_MOST_CHARACTERS: Final = 300  # of a line; no more would be seen
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # would break the row, or show as boxes


class LineColumn(IntEnum):
    """The columns of the table of lines."""

    LINE = 0
    TEXT = 1
    TOKENS = 2
    BYTES_PER_TOKEN = 3


_LINE, _TEXT, _TOKENS, _RATIO = (int(column) for column in LineColumn)


class LineNumbersModel(TableModel):
    """One line a row, in the order of the text or of one of the columns."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: LineMetrics | None = None
        self._text_of_line: Callable[[int], str] = lambda line: ""
        self._ratios = np.empty(0, np.float64)
        self._top_ratio = 1.0
        self._column, self._order = _LINE, _ASCENDING
        self.rows: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self.alignments = {_LINE: RIGHT, _TOKENS: RIGHT, _RATIO: RIGHT}
        self.answers = {
            DISPLAY: self._text,
            FONT: lambda row, column: self._font,
            ALIGNMENT: lambda row, column: self.alignments.get(column),
            TOOL_TIP: self._tool_tip,
            BAR_ROLE: self._bar,
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    def set_lines(self, lines: LineMetrics, text_of_line: Callable[[int], str]) -> None:
        """Show other lines, or other numbers of the same, in the order chosen last."""
        self._release()
        if self._column != _LINE or self._order != _ASCENDING:
            self._reorder(np.arange(self._length))  # so that lines come and go at the end
        self._lines, self._text_of_line = lines, text_of_line
        self._ratios = lines.bytes_per_token
        self._top_ratio = float(np.max(self._ratios, initial=0.0, where=lines.tokens > 0)) or 1.0
        self._show(np.arange(len(lines)))
        self.sort(self._column, self._order)

    def sort(self, column: int, order: Qt.SortOrder = _ASCENDING) -> None:
        """Order the rows by a column. Equal lines stay in the order of the text; those without a number come last."""
        self._column, self._order = column, order
        if self._lines is None:
            return
        if column == _LINE:
            order_of_text = np.arange(self._length)
            self._reorder(order_of_text if order == _ASCENDING else order_of_text[::-1])
        else:
            keys = {_TEXT: self._lines.bytes, _TOKENS: self._lines.tokens, _RATIO: self._ratios}[column]
            self._reorder(np.argsort(-keys if order == _DESCENDING else keys, kind="stable"))

    def _reorder(self, rows: npt.NDArray[np.int64]) -> None:
        """Put the same lines in another order; what is selected stays so."""
        self.layoutAboutToBeChanged.emit()
        before, self.rows = self.rows, rows
        for index in self.persistentIndexList():
            row = self.row_of(int(before[index.row()]))
            self.changePersistentIndex(index, self.index(row, index.column()))
        self.layoutChanged.emit()

    def line_at(self, row: int) -> int | None:
        """The line in a row, from 0; None where there is no such row."""
        return int(self.rows[row]) if 0 <= row < self._length else None

    def row_of(self, line: int) -> int:
        """The row that shows a line, or -1 where there is no such line."""
        found = np.flatnonzero(self.rows == line)
        return int(found[0]) if len(found) else -1

    # -- what views ask ---------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        if role == SORT_ORDER:
            # What one looks for are lines with many tokens, and those that do not compress.
            return _DESCENDING if section in (_TEXT, _TOKENS) else _ASCENDING
        if role == TOOL_TIP:
            return self._title_tips[section]
        return super().headerData(section, orientation, role)

    def _take_looks(self) -> None:
        self.titles = (self.tr("Line"), self.tr("Text"), self.tr("Tokens"), self.tr("Bytes/token"))
        self._title_tips = (
            self.tr("The number of the line"),
            self.tr("What is in the line; sorts by its length in bytes"),
            self.tr("How many tokens begin in the line"),
            self.tr("How many bytes of the line a token covers on average, the line break included"),
        )
        self._font = self._theme.number_font()
        self._say_changed(0, self._length - 1)

    def _text(self, row: int, column: int) -> str:
        line = int(self.rows[row])
        if column == _TEXT:
            return _on_one_line(self._text_of_line(line))
        if column == _LINE or self._lines is None:
            return number(line + 1)
        if column == _TOKENS:
            return number(int(self._lines.tokens[line]))
        ratio = float(self._ratios[line])
        return NOT_A_NUMBER if isnan(ratio) else QLocale().toString(ratio, "f", 2)

    def _tool_tip(self, row: int, column: int) -> str | None:
        return self._text(row, column) if column == _TEXT else None

    def _bar(self, row: int, column: int) -> float:
        ratio = float(self._ratios[self.rows[row]])
        return 0.0 if isnan(ratio) else ratio / self._top_ratio


def _on_one_line(text: str) -> str:
    """The beginning of a text, without what cannot stand in a row."""
    return _UNPRINTABLE.sub(" ", text[:_MOST_CHARACTERS]).strip(" ")
