"""Metrics of the text's tokens: of the whole text at this step and at the end of the run, and of each line."""

from collections.abc import Callable, Mapping
from math import isnan, nan
from typing import Final

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from bpe_gui.engine.metrics import LineMetrics, Metrics
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.qt_constants import ASCENDING, PLAIN_TEXT
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import GAP, GRID, MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import hairline
from bpe_gui.gui.models.line_metrics_model import NOT_A_NUMBER, LineColumn, LineMetricsModel
from bpe_gui.gui.wording.numbers import number

from .cell_delegates import BarDelegate, TokenDelegate
from .run_table import RunTable

_UNKNOWN: Final = "…"
_ROW_GAP: Final = 2
_CAPTION_WIDTH: Final = 60  # pixels that captions have at least
_MIN_LINES_HEIGHT: Final = 3 * GRID  # the table of the whole text stands above the lines
_NAMES: Final = ("tokens", "bytesPerToken", "charactersPerToken", "tokensPerWord", "singleByteShare")
_COLUMNS: Final = ("Now", "Final", "Difference")
_WIDTHS: Final[Mapping[int, int]] = {LineColumn.LINE: 52, LineColumn.TOKENS: 60, LineColumn.BYTES_PER_TOKEN: 84}
_WIDEST_USUAL_FIGURE: Final = "000.0 %"  # columns are at least as wide
_NO_DECIMALS_FROM: Final = 9.95  # larger differences are rounded to integers


class NumbersView(QWidget):
    """A small table for the whole text above a long one of its lines; neither moves while its numbers change."""

    line_chosen = Signal(int)
    """The index of the line that the user went to; a click on the current line emits it again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("numbersView")
        self._theme = theme
        self._lines = LineMetricsModel(theme, self)
        self._whole = MetricsTable(self)
        self._make_table()
        layout = gapless_column(self)
        layout.addWidget(self._whole)
        layout.addWidget(hairline(self))
        layout.addWidget(self._table, 1)
        self._table.setMinimumHeight(_MIN_LINES_HEIGHT)
        self.setFocusProxy(self._table)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.set_metrics(None, None, 0, 0)

    def _make_table(self) -> None:
        table = RunTable(self._lines, "lineNumbersTable", self.tr("Numbers per line"))
        table.set_widths(_WIDTHS, (LineColumn.TEXT,))
        table.horizontalHeader().setSortIndicator(LineColumn.LINE, ASCENDING)
        table.setSortingEnabled(True)
        table.hint = _UNKNOWN
        self._bar = BarDelegate(self._lines.answers, self._theme.bar_color(), self)
        table.setItemDelegate(TokenDelegate(self._lines.answers, self))
        table.setItemDelegateForColumn(LineColumn.BYTES_PER_TOKEN, self._bar)
        table.selectionModel().selectionChanged.connect(self._choose)
        table.clicked.connect(self._choose)
        self._table = table

    def set_metrics(self, now: Metrics | None, final: Metrics | None, step: int, last_step: int) -> None:
        """Show the metrics of the whole text after `step` merges and after all `last_step` of the run.

        None stands for metrics that are still being computed.
        """
        self._whole.show_steps(step, last_step)
        self._whole.show_metrics(now, final)

    def set_lines(self, lines: LineMetrics | None, text_of_line: Callable[[int], str]) -> None:
        """Show the metrics of every line; None, while they are being computed, greys the present ones.

        `text_of_line` is called for lines in view, by index; it returns "" for a line that no longer exists. A few
        hundred characters of a long line are enough.
        """
        if lines is None:
            self._lines.hold()
            return
        self._table.widen(LineColumn.LINE, number(len(lines)))
        self._table.hint = self.tr("The text is empty.")
        with QSignalBlocker(self):  # if the current line is gone, Qt selects another
            self._lines.set_lines(lines, text_of_line)

    def _choose(self) -> None:
        rows = self._table.selectionModel().selectedRows()
        line = self._lines.line_at(rows[0].row()) if rows else None
        if line is not None:
            self.line_chosen.emit(line)

    def showEvent(self, event: QShowEvent) -> None:
        """Set the fonts again: a style sheet resets them when the view is put into its window."""
        super().showEvent(event)
        self._apply_theme()

    def _apply_theme(self) -> None:
        self._bar.color = self._theme.bar_color()
        self._whole.set_number_font(self._theme.number_font())
        self._table.set_fonts(self._theme.number_font(), self._theme.number_font())


class MetricsTable(QWidget):
    """The metrics of the text in rows: at the current step, at the final one, and the difference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._captions = [SentenceLabel(name=f"{name}Caption") for name in _NAMES]  # which wrap where space is short
        self._heads = [_Figure(self, f"{column.lower()}Head") for column in _COLUMNS]
        self._rows = [[_Figure(self, name + column) for column in _COLUMNS] for name in _NAMES]
        self._lay_out()
        self._set_tool_tips()

    def show_steps(self, step: int, last_step: int) -> None:
        """Show in the heads of the columns which steps they are for."""
        shown, final, difference = self._heads
        shown.show_text(self.tr("step {step}").format(step=number(step)))
        shown.widen(self.tr("step {step}").format(step=number(last_step)))
        final.show_text(self.tr("final {step}").format(step=number(last_step)))
        difference.show_text(self.tr("vs. final"))

    def show_metrics(self, now: Metrics | None, final: Metrics | None) -> None:
        """Show the metrics of two steps; None stands for those that are not known yet."""
        current, last = self._figures(now), self._figures(final)
        for cells, *texts in zip(self._rows, current, last, self._differences(now, final), strict=True):
            for cell, text in zip(cells, texts, strict=True):
                cell.show_text(text)

    def set_number_font(self, font: QFont) -> None:
        """Show the numbers in this font."""
        for cell in [*self._heads, *(cell for cells in self._rows for cell in cells)]:
            cell.setFont(font)
            cell.widen(_WIDEST_USUAL_FIGURE)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(_ROW_GAP)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(0, _CAPTION_WIDTH)
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
                self.tr("Compression: average number of UTF-8 bytes per token"),
            ),
            (
                self.tr("characters per token"),
                self.tr("Average number of Unicode code points per token"),
            ),
            (
                self.tr("tokens per word"),
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
        tips = (
            self.tr("After the merges up to this step"),
            self.tr("After all merges in the run"),
            self.tr("Difference from the final step, in percent or percentage points (pp)"),
        )
        for head, tip in zip(self._heads, tips, strict=True):
            head.setToolTip(tip)

    def _figures(self, metrics: Metrics | None) -> list[str]:
        if metrics is None:
            return [_UNKNOWN] * len(_NAMES)
        ratios = (metrics.bytes_per_token, metrics.characters_per_token, metrics.tokens_per_word)
        return [
            number(metrics.tokens),
            *(_decimal(ratio, 2) for ratio in ratios),
            self._percent(_decimal(100 * metrics.single_byte_share, 1)),
        ]

    def _differences(self, now: Metrics | None, final: Metrics | None) -> list[str]:
        if now is None or final is None:
            return [_UNKNOWN] * len(_NAMES)
        pairs = (
            (now.tokens, final.tokens),
            (now.bytes_per_token, final.bytes_per_token),
            (now.characters_per_token, final.characters_per_token),
            (now.tokens_per_word, final.tokens_per_word),
        )
        points = 100 * (now.single_byte_share - final.single_byte_share)
        return [*(self._percent(_signed(_percentage_change(*pair))) for pair in pairs), self._points(_signed(points))]

    def _percent(self, figure: str) -> str:
        return figure if figure == NOT_A_NUMBER else self.tr("{figure}%").format(figure=figure)

    def _points(self, figure: str) -> str:
        return figure if figure == NOT_A_NUMBER else self.tr("{figure} pp").format(figure=figure)


class _Figure(QLabel):
    """A right-aligned number in a label that never becomes narrower."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(PLAIN_TEXT)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_text(self, text: str) -> None:
        """Show another number."""
        self.setText(text)
        self.widen(text)

    def widen(self, text: str) -> None:
        """Make the label at least wide enough for a text."""
        width = self.fontMetrics().size(0, text).width()  # as the label itself measures it, rounded up
        if width > self.minimumWidth():
            self.setMinimumWidth(width)


def _percentage_change(value: float, reference: float) -> float:
    """Return by how many percent `value` is above `reference`; NaN if that is 0."""
    return 100 * (value - reference) / reference if reference else nan


def _signed(value: float) -> str:
    size = abs(value)
    figure = _decimal(size, 0 if size >= _NO_DECIMALS_FROM else 1)
    if isnan(value) or round(size, 1) == 0:
        return figure
    return f"{'+' if value > 0 else '−'}{figure}"


def _decimal(value: float, decimals: int) -> str:
    return NOT_A_NUMBER if isnan(value) else QLocale().toString(value, "f", decimals)
