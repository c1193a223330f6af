"""Metrics of the text's tokens: for the whole text at this step and at the end of the run, and for each line."""

import re
from collections.abc import Callable
from enum import IntEnum
from math import isnan, nan
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from bpe_gui.engine import Int64Array, LineMetrics, Metrics
from bpe_gui.gui.look.layouts import GAP, MARGIN, SMALL_GAP, gapless_column
from bpe_gui.gui.look.qt_constants import ASCENDING, DESCENDING, FONT_CHANGE, PLAIN_TEXT
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, hairline
from bpe_gui.gui.wording.phrases import decimal, number, translate

from .table import Table
from .table_model import Column, NumberColumn, TableModel, stably_sorted

_UNKNOWN: Final = "…"
_ROW_GAP: Final = 2
_CAPTION_WIDTH: Final = 60  # minimum pixels for captions
_NAMES: Final = ("tokens", "bytesPerToken", "charactersPerToken", "tokensPerWord", "singleByteShare")
_VALUES: Final = attrgetter("tokens", "bytes_per_token", "characters_per_token", "tokens_per_word")
_COLUMNS: Final = ("Now", "Final", "Difference")
_WIDEST_USUAL_FIGURE: Final = "000.0 %"  # columns are at least this wide
_NO_DECIMALS_FROM: Final = 9.95  # larger differences are rounded to integers
_NOT_A_NUMBER: Final = "–"  # instead of a ratio whose divisor is 0
_MAX_CHARACTERS: Final = 300  # of a line; more than fit in a cell
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # would break the row, or be drawn as boxes


class LineColumn(IntEnum):
    LINE = 0
    TEXT = 1
    TOKENS = 2
    BYTES_PER_TOKEN = 3


class LineRow(NamedTuple):
    line: int
    """The index of the line, from 0."""
    read: Callable[[int], str]
    """Returns the text of the line with this index."""
    tokens: int
    ratio: float
    """Bytes per token; NaN without tokens."""
    share: float
    """The ratio relative to the largest one; 0 for NaN."""


class LineRows:
    """The lines of a text in some order, read only when they are shown."""

    def __init__(self, lines: LineMetrics, read: Callable[[int], str]) -> None:
        self.lines: Final = lines
        self.ratios: Final = lines.bytes_per_token
        self.order: Int64Array = np.arange(len(lines))
        """The index of the line in each row."""
        self._read = read
        self._largest = float(np.max(self.ratios, initial=0.0, where=lines.tokens > 0)) or 1.0

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, row: int, /) -> LineRow:
        line = int(self.order[row])
        ratio = float(self.ratios[line])
        share = 0.0 if isnan(ratio) else ratio / self._largest
        return LineRow(line, self._read, int(self.lines.tokens[line]), ratio, share)


class LineMetricsModel(TableModel[LineRow]):
    """The lines of the text, one per row, in text order or sorted by a column."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, _line_columns(), parent)
        self._lines: LineRows | None = None
        self._column, self._order = int(LineColumn.LINE), ASCENDING

    def set_lines(self, lines: LineMetrics, text_of_line: Callable[[int], str]) -> None:
        """Show the metrics of `lines` in the current sort order.

        `text_of_line` returns the text of the line with an index.
        """
        self.release()
        if self._lines is not None and (self._column != LineColumn.LINE or self._order != ASCENDING):
            self._reorder(self._lines, np.arange(self.rowCount()))  # `show` adds and removes rows only at the end
        self._lines = LineRows(lines, text_of_line)
        self.show(self._lines)
        self.sort(self._column, self._order)

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Sort the rows by a column. Equal lines stay in text order; lines without a ratio come last."""
        self._column, self._order = column, order
        if self._lines is None:
            return
        lines, descending = np.arange(self.rowCount()), order == DESCENDING
        key = self.columns[column].sort_key
        if key is not None:
            self._reorder(self._lines, stably_sorted(lines, key(self._lines, lines), descending))
        else:
            self._reorder(self._lines, lines[::-1] if descending else lines)

    def _reorder(self, rows: LineRows, order: Int64Array) -> None:
        """Reorder the same lines, and keep the selection on its lines."""
        self.layoutAboutToBeChanged.emit()
        before, rows.order = rows.order, order
        for index in self.persistentIndexList():
            row = self.row_of(int(before[index.row()]))
            self.changePersistentIndex(index, self.index(row, index.column()))
        self.layoutChanged.emit()

    def line_at(self, row: int) -> int | None:
        """Return the index of the line in a row, from 0; None if there is no such row."""
        return int(self._lines.order[row]) if self._lines is not None and 0 <= row < self.rowCount() else None

    def row_of(self, line: int) -> int:
        """Return the row of the line with this index; -1 if there is none."""
        if self._lines is None:
            return -1
        found = np.flatnonzero(self._lines.order == line)
        return int(found[0]) if len(found) else -1


def _line_columns() -> dict[int, Column[LineRow]]:
    return {
        LineColumn.LINE: NumberColumn(
            title=translate("LineMetricsModel", "Line"),
            explanation=translate("LineMetricsModel", "Position in the text"),
            width=52,
            text=lambda row: number(row.line + 1),
        ),
        LineColumn.TEXT: Column(
            title=translate("LineMetricsModel", "Text"),
            explanation=translate("LineMetricsModel", "Sorts by length in bytes"),
            text=_line_text,
            tool_tip=_line_text,
            largest_first=True,
            sort_key=lambda rows, lines: rows.lines.bytes,
        ),
        LineColumn.TOKENS: NumberColumn(
            title=translate("LineMetricsModel", "Tokens"),
            explanation=translate("LineMetricsModel", "Number of tokens that begin in the line"),
            width=60,
            text=lambda row: number(row.tokens),
            largest_first=True,  # people look for lines with many tokens, and for lines that compress badly
            sort_key=lambda rows, lines: rows.lines.tokens,
        ),
        LineColumn.BYTES_PER_TOKEN: NumberColumn(
            title=translate("LineMetricsModel", "Bytes/token"),
            explanation=translate(
                "LineMetricsModel",
                "The bytes of the line, with its line break and those in no token, divided by its tokens",
            ),
            width=84,
            text=lambda row: decimal(row.ratio, 2),
            bar=lambda row: row.share,
            sort_key=lambda rows, lines: rows.ratios,
        ),
    }


def _line_text(row: LineRow) -> str:
    """Return the beginning of a line, with line breaks and control characters replaced with spaces."""
    return _UNPRINTABLE.sub(" ", row.read(row.line)[:_MAX_CHARACTERS]).strip(" ")


class NumbersView(QWidget):
    """A small table for the whole text above a long one of its lines; neither moves while its numbers change."""

    line_chosen = Signal(int)
    """The index of the line that the user moved to; a click on the current line emits it again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("numbersView")
        self._lines = LineMetricsModel(theme, self)
        self._whole = MetricsTable(theme, self)
        self._table = self._make_table()
        gapless_column(self, self._whole, hairline(self), (self._table, 1))
        self.set_metrics(None, None, 0, 0)

    def _make_table(self) -> Table:
        table = Table(self._lines, "lineNumbersTable", self.tr("Numbers per line"))
        table.horizontalHeader().setSortIndicator(LineColumn.LINE, ASCENDING)
        table.setSortingEnabled(True)
        table.hint = _UNKNOWN
        table.selectionModel().selectionChanged.connect(self._choose_line)
        table.clicked.connect(self._choose_line)
        return table

    def set_metrics(self, now: Metrics | None, final: Metrics | None, step: int, last_step: int) -> None:
        """Show the metrics of the whole text after `step` merges and after all `last_step` of the run.

        None means that the metrics are still being computed.
        """
        self._whole.show_steps(step, last_step)
        self._whole.show_metrics(now, final)

    def set_lines(self, lines: LineMetrics | None, text_of_line: Callable[[int], str]) -> None:
        """Show the metrics of every line; None, while they are being computed, greys the current ones.

        `text_of_line` is called for visible lines, by index; it returns "" for a line that no longer exists. A few
        hundred characters of a long line are enough.
        """
        if lines is None:
            self._lines.hold()
            return
        self._table.widen(LineColumn.LINE, number(len(lines)))
        self._table.hint = self.tr("The text is empty.")
        with QSignalBlocker(self):  # if the current line is gone, Qt selects another one
            self._lines.set_lines(lines, text_of_line)

    def _choose_line(self) -> None:
        rows = self._table.selectionModel().selectedRows()
        line = self._lines.line_at(rows[0].row()) if rows else None
        if line is not None:
            self.line_chosen.emit(line)


class MetricsTable(QWidget):
    """The metrics of the text in rows: at the current step, at the last one so far, and the difference."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._captions = [SentenceLabel(name=f"{name}Caption") for name in _NAMES]  # these wrap if space is short
        self._hint = SentenceLabel(name="numbersHint", role="quiet")
        self._heads = [_Figure(self, f"{column.lower()}Head") for column in _COLUMNS]
        self._rows = [[_Figure(self, name + column) for column in _COLUMNS] for name in _NAMES]
        theme.keep_font(theme.number_font, *self._heads, *(cell for cells in self._rows for cell in cells))
        self._lay_out()
        self._set_tool_tips()

    def show_steps(self, step: int, last_step: int) -> None:
        """Show in the column headings which steps they are for."""
        shown, final, difference = self._heads
        shown.show_text(self.tr("step {step}").format(step=number(step)))
        shown.widen(self.tr("step {step}").format(step=number(last_step)))
        final.show_text(self.tr("latest {step}").format(step=number(last_step)))
        difference.show_text(self.tr("vs. latest"))
        self._hint.setVisible(not last_step)
        for cells in (self._heads, *self._rows):
            for cell in cells[1:]:
                cell.setVisible(bool(last_step))

    def show_metrics(self, now: Metrics | None, final: Metrics | None) -> None:
        """Show the metrics of two steps; None means not known yet."""
        current, last = self._figures(now), self._figures(final)
        for cells, *texts in zip(self._rows, current, last, self._differences(now, final), strict=True):
            for cell, text in zip(cells, texts, strict=True):
                cell.show_text(text)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(_ROW_GAP)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(0, _CAPTION_WIDTH)
        grid.addWidget(self._hint, 0, 0)
        for column, head in enumerate(self._heads, 1):
            set_role(head, "quiet")
            grid.addWidget(head, 0, column)
        for row, (caption, cells) in enumerate(zip(self._captions, self._rows, strict=True), 1):
            set_role(caption, "quiet")
            set_role(cells[-1], "quiet")
            for column, cell in enumerate((caption, *cells)):
                grid.addWidget(cell, row, column)

    def _set_tool_tips(self) -> None:
        texts = (
            (self.tr("tokens"), self.tr("Number of tokens in the encoded text")),
            (
                self.tr("bytes per token"),
                self.tr("Compression: the UTF-8 bytes of the text, with those in no token, divided by its tokens"),
            ),
            (
                self.tr("characters per token"),
                self.tr("The Unicode code points of the text, with those in no token, divided by its tokens"),
            ),
            (
                self.tr("tokens per space-separated word"),
                self.tr(
                    "Fertility: average number of tokens per whitespace-separated word. In Chinese "
                    "or Japanese, such a word may be a whole clause."
                ),
            ),
            (
                self.tr("single-byte tokens"),
                self.tr(
                    "Share of tokens that cover exactly one byte, such as a basic Latin letter "
                    "or part of another character"
                ),
            ),
        )
        for caption, cells, (text, explanation) in zip(self._captions, self._rows, texts, strict=True):
            caption.setText(text)
            for label in (caption, *cells):
                label.setToolTip(f"{text}\n{explanation}")
        self._hint.setText(self.tr("No merges yet: step forward or train to compare steps."))
        tips = (
            self.tr("After the merges up to this step"),
            self.tr("After all merges in the run"),
            self.tr("Difference from the last step so far, in percent or percentage points (pp)"),
        )
        for head, tip in zip(self._heads, tips, strict=True):
            head.setToolTip(tip)

    def _figures(self, metrics: Metrics | None) -> list[str]:
        if metrics is None:
            return [_UNKNOWN] * len(_NAMES)
        tokens, *ratios = _VALUES(metrics)
        return [
            number(tokens),
            *(decimal(ratio, 2) for ratio in ratios),
            self._percent(decimal(100 * metrics.single_byte_share, 1)),
        ]

    def _differences(self, now: Metrics | None, final: Metrics | None) -> list[str]:
        if now is None or final is None:
            return [_UNKNOWN] * len(_NAMES)
        pairs = zip(_VALUES(now), _VALUES(final), strict=True)
        changes = (100 * (value - reference) / reference if reference else nan for value, reference in pairs)
        points = 100 * (now.single_byte_share - final.single_byte_share)
        return [*(self._percent(_signed(change)) for change in changes), self._points(_signed(points))]

    def _percent(self, figure: str) -> str:
        return figure if figure == _NOT_A_NUMBER else self.tr("{figure}%").format(figure=figure)

    def _points(self, figure: str) -> str:
        return figure if figure == _NOT_A_NUMBER else self.tr("{figure} pp").format(figure=figure)


class _Figure(QLabel):
    """A right-aligned number in a label that never becomes narrower."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(PLAIN_TEXT)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == FONT_CHANGE:
            self.widen(_WIDEST_USUAL_FIGURE)

    def show_text(self, text: str) -> None:
        self.setText(text)
        self.widen(text)

    def widen(self, text: str) -> None:
        """Make the label at least wide enough for a text."""
        width = self.fontMetrics().size(0, text).width()  # as the label itself measures it, rounded up
        if width > self.minimumWidth():
            self.setMinimumWidth(width)


def _signed(value: float) -> str:
    size = abs(value)
    figure = decimal(size, 0 if size >= _NO_DECIMALS_FROM else 1)
    if isnan(value) or round(size, 1) == 0:
        return figure
    return f"{'+' if value > 0 else '−'}{figure}"
