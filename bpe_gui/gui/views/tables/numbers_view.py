"""Numbers about the tokens of a text: now beside the end of the run, and line by line."""

from collections.abc import Callable, Mapping
from math import isnan, nan
from typing import Final

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from bpe_gui.engine.metrics import LineMetrics, Metrics
from bpe_gui.gui.models.line_metrics_model import NOT_A_NUMBER, LineColumn, LineNumbersModel
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import hairline

from bpe_gui.gui.views.tables.cell_delegates import BarDelegate, TokenDelegate
from bpe_gui.gui.views.tables.run_table import RunTable
from bpe_gui.gui.look.headers import SectionTitle

_SPACE: Final = 8  # the grid of the window
_UNKNOWN: Final = "…"
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NAMES: Final = ("tokens", "bytesPerToken", "charactersPerToken", "tokensPerWord", "singleByteShare")
_COLUMNS: Final = ("Now", "Final", "Difference")
_WIDTHS: Final[Mapping[int, int]] = {LineColumn.LINE: 52, LineColumn.TOKENS: 60, LineColumn.BYTES_PER_TOKEN: 84}
_USUAL_FIGURE: Final = "000.0 %"  # as wide as a column is at first
_ONE_DECIMAL: Final = 9.95  # from which on a difference is written without decimals


class NumbersView(QWidget):
    """A small table of the whole text over a long one of its lines; both keep still while their numbers change."""

    line_chosen = Signal(int)
    """The line that the user went to, counted from 0; a click on the current one says it again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("numbersView")
        self._theme = theme
        self._lines = LineNumbersModel(theme, self)
        self._whole = MetricsTable(self)
        self._make_table()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._whole)
        layout.addWidget(hairline(self))
        layout.addWidget(self._table, 1)
        self.setFocusProxy(self._table)
        theme.changed.connect(self._take_looks)
        self._take_looks()
        self.set_metrics(None, None, 0, 0)

    def _make_table(self) -> None:
        table = RunTable(self._lines, "lineNumbersTable", self.tr("Numbers of every line"))
        table.set_widths(_WIDTHS, (LineColumn.TEXT,))
        table.horizontalHeader().setSortIndicator(LineColumn.LINE, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.hint = _UNKNOWN
        self._bar = BarDelegate(self._lines.answers, self._theme.color("chart_fill"), self)
        table.setItemDelegate(TokenDelegate(self._lines.answers, self))
        table.setItemDelegateForColumn(LineColumn.BYTES_PER_TOKEN, self._bar)
        table.selectionModel().selectionChanged.connect(self._choose)
        table.clicked.connect(self._choose)
        self._table = table

    def set_metrics(self, now: Metrics | None, final: Metrics | None, step: int, last_step: int) -> None:
        """Show the numbers of the whole text after `step` merges beside those after all `last_step` of the run.

        None stands for numbers that are being counted.
        """
        self._whole.show_steps(step, last_step)
        self._whole.show_metrics(now, final)

    def set_lines(self, lines: LineMetrics | None, text_of_line: Callable[[int], str]) -> None:
        """Show the numbers of every line; while they are counted (None), those there were, greyed.

        `text_of_line` is asked for lines that are seen, from 0; it gives "" for one that is not there any more. The
        first hundreds of characters are enough.
        """
        if lines is None:
            self._lines.hold()
            return
        self._table.widen(LineColumn.LINE, number(len(lines)))
        self._table.hint = self.tr("The text is empty.")
        with QSignalBlocker(self):  # where the current line is gone, Qt goes to another
            self._lines.set_lines(lines, text_of_line)

    def _choose(self) -> None:
        rows = self._table.selectionModel().selectedRows()
        line = self._lines.line_at(rows[0].row()) if rows else None
        if line is not None:
            self.line_chosen.emit(line)

    def showEvent(self, event: QShowEvent) -> None:
        """Sets the fonts anew: a style sheet forgets them when the view is put into its window."""
        super().showEvent(event)
        self._take_looks()

    def _take_looks(self) -> None:
        self._bar.color = self._theme.color("chart_fill")
        self._whole.set_number_font(self._theme.number_font())
        self._table.set_fonts(self._theme.number_font(), self._theme.number_font())


class MetricsTable(QWidget):
    """The numbers of a text in rows: at the step shown, at the final one, and how far the two are apart."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._captions = [SectionTitle("") for _ in _NAMES]
        self._heads = [_Figure(self, f"{column.lower()}Head") for column in _COLUMNS]
        self._rows = [[_Figure(self, name + column) for column in _COLUMNS] for name in _NAMES]
        self._lay_out()
        self._explain()

    def show_steps(self, step: int, last_step: int) -> None:
        """Say which steps the columns are of."""
        shown, final, difference = self._heads
        shown.say(self.tr("step {step}").format(step=number(step)))
        shown.widen(self.tr("step {step}").format(step=number(last_step)))
        final.say(self.tr("final {step}").format(step=number(last_step)))
        difference.say(self.tr("vs. final"))

    def show_metrics(self, now: Metrics | None, final: Metrics | None) -> None:
        """Show the numbers of two steps; None stands for those that are not known yet."""
        before, after = self._figures(now), self._figures(final)
        for cells, *texts in zip(self._rows, before, after, self._differences(now, final), strict=True):
            for cell, text in zip(cells, texts, strict=True):
                cell.say(text)

    def set_number_font(self, font: QFont) -> None:
        """Write the numbers in this font."""
        for cell in [*self._heads, *(cell for cells in self._rows for cell in cells)]:
            cell.setFont(font)
            cell.widen(_USUAL_FIGURE)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(_SPACE, _SPACE // 2, _SPACE, _SPACE // 2)
        grid.setHorizontalSpacing(_SPACE)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        for column, head in enumerate(self._heads, 1):
            set_role(head, "quiet")
            grid.addWidget(head, 0, column)
        for row, (caption, cells) in enumerate(zip(self._captions, self._rows, strict=True), 1):
            set_role(caption, "quiet")
            set_role(cells[-1], "quiet")
            for column, cell in enumerate((caption, *cells)):
                grid.addWidget(cell, row, column)

    def _explain(self) -> None:
        texts = (
            (self.tr("tokens"), self.tr("How many tokens the text becomes")),
            (
                self.tr("bytes per token"),
                self.tr("Compression: how many bytes of the text, in UTF-8, a token covers on average"),
            ),
            (
                self.tr("characters per token"),
                self.tr("How many characters (Unicode code points) of the text a token covers on average"),
            ),
            (
                self.tr("tokens per word"),
                self.tr(
                    "Fertility: how many tokens a word takes on average. Words are what white space separates; "
                    "in Chinese or Japanese that may be a whole clause"
                ),
            ),
            (
                self.tr("single-byte tokens"),
                self.tr("The share of tokens that cover exactly one byte: a letter, a sign or a part of a character"),
            ),
        )
        for caption, cells, (text, explanation) in zip(self._captions, self._rows, texts, strict=True):
            caption.say(text)
            for label in (caption, *cells):
                label.setToolTip(f"{text}\n{explanation}")
        tips = (
            self.tr("After the merges up to the step shown"),
            self.tr("After all merges of the run"),
            self.tr("How the step shown differs from the final one: in percent of it, or in percentage points (pp)"),
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
        return [*(self._percent(_signed(_percents(*pair))) for pair in pairs), self._points(_signed(points))]

    def _percent(self, figure: str) -> str:
        return figure if figure == NOT_A_NUMBER else self.tr("{figure} %").format(figure=figure)

    def _points(self, figure: str) -> str:
        return figure if figure == NOT_A_NUMBER else self.tr("{figure} pp").format(figure=figure)


class _Figure(QLabel):
    """A number at the right, in a place that never becomes narrower."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(_RIGHT)

    def say(self, text: str) -> None:
        """Show another number."""
        self.setText(text)
        self.widen(text)

    def widen(self, text: str) -> None:
        """Make room for a text."""
        width = self.fontMetrics().horizontalAdvance(text)
        if width > self.minimumWidth():
            self.setMinimumWidth(width)


def _percents(value: float, whole: float) -> float:
    """How much more than the whole the value is."""
    return 100 * (value - whole) / whole if whole else nan


def _signed(value: float) -> str:
    size = abs(value)
    figure = _decimal(size, 0 if size >= _ONE_DECIMAL else 1)
    if isnan(value) or round(size, 1) == 0:
        return figure
    return f"{'+' if value > 0 else '−'}{figure}"


def _decimal(value: float, decimals: int) -> str:
    return NOT_A_NUMBER if isnan(value) else QLocale().toString(value, "f", decimals)
