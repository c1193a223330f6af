"""The metrics of the text line by line, as a table that can be sorted and reads lines only when they are shown."""

import re
from collections.abc import Callable
from enum import IntEnum
from math import isnan
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QLocale, QObject, Qt

from bpe_gui.engine.metrics import LineMetrics
from bpe_gui.engine.runtime import Int64Array
from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    ASCENDING,
    DESCENDING,
    DISPLAY_ROLE,
    FONT_ROLE,
    INITIAL_SORT_ORDER_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.wording.numbers import number

from .roles import BAR_ROLE, Answers
from .table_model import TableModel

NOT_A_NUMBER: Final = "–"
"""Shown instead of a ratio whose divisor is 0."""

_MAX_CHARACTERS: Final = 300  # of a line, more than fit a cell
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # would break the row, or be drawn as boxes


class LineColumn(IntEnum):
    """The columns of the table of lines."""

    LINE = 0
    TEXT = 1
    TOKENS = 2
    BYTES_PER_TOKEN = 3


_LINE, _TEXT, _TOKENS, _RATIO = (int(column) for column in LineColumn)


class LineMetricsModel(TableModel):
    """The lines of the text, one in a row, in the order of the text or of one of the columns."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: LineMetrics | None = None
        self._text_of_line: Callable[[int], str] = lambda line: ""
        self._ratios = np.empty(0, np.float64)
        self._largest_ratio = 1.0
        self._column, self._order = _LINE, ASCENDING
        self.rows: Int64Array = np.empty(0, np.int64)
        self.alignments = {_LINE: ALIGN_RIGHT, _TOKENS: ALIGN_RIGHT, _RATIO: ALIGN_RIGHT}
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: self._tool_tip,
            BAR_ROLE: self._bar_length,
        }

    def set_lines(self, lines: LineMetrics, text_of_line: Callable[[int], str]) -> None:
        """Show the metrics of `lines` in the order of the last call of `sort`.

        `text_of_line` returns the text of the line with an index.
        """
        self._release()
        if self._column != _LINE or self._order != ASCENDING:
            self._reorder(np.arange(self._length))  # `_replace_rows` adds and removes rows at the end
        self._lines, self._text_of_line = lines, text_of_line
        self._ratios = lines.bytes_per_token
        self._largest_ratio = float(np.max(self._ratios, initial=0.0, where=lines.tokens > 0)) or 1.0
        self._replace_rows(np.arange(len(lines)))
        self.sort(self._column, self._order)

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Sort the rows by a column. Equal lines stay in the order of the text; lines without a ratio come last."""
        self._column, self._order = column, order
        if self._lines is None:
            return
        if column == _LINE:
            lines = np.arange(self._length)
            self._reorder(lines if order == ASCENDING else lines[::-1])
        else:
            keys = {_TEXT: self._lines.bytes, _TOKENS: self._lines.tokens, _RATIO: self._ratios}[column]
            self._reorder(np.argsort(-keys if order == DESCENDING else keys, kind="stable"))

    def _reorder(self, rows: Int64Array) -> None:
        """Put the same lines in another order, and keep the selection on its lines."""
        self.layoutAboutToBeChanged.emit()
        before, self.rows = self.rows, rows
        for index in self.persistentIndexList():
            row = self.row_of(int(before[index.row()]))
            self.changePersistentIndex(index, self.index(row, index.column()))
        self.layoutChanged.emit()

    def line_at(self, row: int) -> int | None:
        """Return the index of the line in a row, from 0; None for a row that does not exist."""
        return int(self.rows[row]) if 0 <= row < self._length else None

    def row_of(self, line: int) -> int:
        """Return the row of the line with an index; -1 if there is none."""
        found = np.flatnonzero(self.rows == line)
        return int(found[0]) if len(found) else -1

    # -- data and headers -------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY_ROLE) -> Any:
        if role == INITIAL_SORT_ORDER_ROLE:
            # People look for lines with many tokens, and for those that compress badly.
            return DESCENDING if section in (_TEXT, _TOKENS) else ASCENDING
        return super().headerData(section, orientation, role)

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Line"), self.tr("Text"), self.tr("Tokens"), self.tr("Bytes/token"))
        self.title_tool_tips = (
            self.tr("Position in the text"),
            self.tr("Sorts by length in bytes"),
            self.tr("Number of tokens that begin in the line"),
            self.tr("Average number of bytes per token, including the line break"),
        )
        self._font = self._theme.number_font()
        self._emit_changed(0, self._length - 1)

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

    def _bar_length(self, row: int, column: int) -> float:
        ratio = float(self._ratios[self.rows[row]])
        return 0.0 if isnan(ratio) else ratio / self._largest_ratio


def _on_one_line(text: str) -> str:
    """Return the beginning of `text`, with line breaks and control characters replaced with spaces."""
    return _UNPRINTABLE.sub(" ", text[:_MAX_CHARACTERS]).strip(" ")
