"""The compared tokenizers: the list to choose which ones are shown, and the table of their statistics."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import QListWidgetItem, QMenu, QPushButton, QWidget

from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, HeaderCount, PanelHeader, column_of, gapless_column, row_of
from bpe_gui.gui.look.theme import ROW_HEIGHT, Theme
from bpe_gui.gui.look.widgets import ListWidget, claims, icon_button, name_widget, plain_tool_tip
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, NumberColumn, TableModel
from bpe_gui.gui.wording.phrases import decimal, number, share, translate, with_keys

from .compared import MAX_SHOWN, Compared, ComparedTokenizers, TextNumbers
from .tokenizer_names import details_of, letter, name_of

_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_WIDTH: Final = 250  # pixels, which suits most names


class _ComparedList(ListWidget):
    """A list whose rows Space ticks, although it plays elsewhere in the window."""

    def event(self, event: QEvent) -> bool:
        return claims(event, lambda key: key.key() == Qt.Key.Key_Space) or super().event(event)


class ListPanel(QWidget):
    """A row for each tokenizer, ticked if its text is shown.

    `too_many`: the user tried to show a fifth text. The page fills `menu` with what can be added, and the `foot`.
    The buttons are above the list, so that they stay where they are when it gets longer or the foot says something.
    """

    too_many = Signal()

    def __init__(self, tokenizers: ComparedTokenizers, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("comparedPanel")
        self._tokenizers = tokenizers
        self._theme = theme
        self.menu = QMenu(self)
        self.menu.setObjectName("addComparedMenu")
        self._add = name_widget(QPushButton(self.tr("&Add")), "addComparedButton", self.tr("Add a tokenizer"))
        self._add.setMenu(self.menu)
        tip = with_keys(self.tr("Remove the selected tokenizer from the comparison"), "Del")
        self._remove = icon_button(theme, "remove", "removeComparedButton", self.tr("Remove"), tip)
        self.list = name_widget(_ComparedList(), "comparedList", self.tr("Compared tokenizers"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        keys = QShortcut(QKeySequence("Del"), self.list, context=Qt.ShortcutContext.WidgetShortcut)
        keys.activated.connect(self._remove_selected)
        self._remove.clicked.connect(self._remove_selected)
        self.foot = column_of(margins=(MARGIN, 0, MARGIN, 0))
        margins = (MARGIN, MARGIN, MARGIN, SMALL_GAP)
        buttons = row_of((self._add, 1), self._remove, margins=margins, spacing=None)
        self._count = name_widget(HeaderCount(), "shownTextsLabel")
        gapless_column(self, PanelHeader(self.tr("Compared"), count=self._count), buttons, (self.list, 1), self.foot)
        self.list.itemChanged.connect(self._toggle)
        self.list.currentRowChanged.connect(self._enable)
        tokenizers.list_changed.connect(self._fill)
        tokenizers.shown_changed.connect(self._fill)
        theme.changed.connect(self._fill)
        self._fill()

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, super().sizeHint().height())

    def _fill(self) -> None:
        """List all tokenizers; the current row stays with its tokenizer if that still exists."""
        row = self.list.currentRow()
        items = self._tokenizers.items
        with QSignalBlocker(self.list):
            while self.list.count() > len(items):
                self.list.takeItem(self.list.count() - 1)
            while self.list.count() < len(items):
                self.list.addItem(QListWidgetItem())
            for index, item in enumerate(items):
                self._show_item(self.list.item(index), index, item)
            self.list.setCurrentRow(min(row, len(items) - 1))
        shown = number(sum(item.is_shown for item in items))
        self._count.setText(self.tr("{shown} of at most {most} shown").format(shown=shown, most=number(MAX_SHOWN)))
        self._enable()

    def _show_item(self, shown: QListWidgetItem, index: int, item: Compared) -> None:
        shown.setText(f"{letter(index)}  {name_of(item)}")
        mark = self._tokenizers.mark_of(item)
        shown.setIcon(QIcon() if mark is None else QIcon(self._theme.mark_pixmap(mark)))
        shown.setToolTip(plain_tool_tip(details_of(item)))
        shown.setCheckState(_CHECKED if item.is_shown else _UNCHECKED)
        shown.setSizeHint(QSize(0, ROW_HEIGHT))

    def _toggle(self, shown: QListWidgetItem) -> None:
        item = self._tokenizers.items[self.list.row(shown)]
        if not self._tokenizers.set_shown(item, shown.checkState() == _CHECKED):
            self._fill()
            self.too_many.emit()

    def _enable(self) -> None:
        row = self.list.currentRow()
        self._remove.setEnabled(row >= 0 and self._tokenizers.items[row] is not self._tokenizers.current)

    def _remove_selected(self) -> None:
        if self.list.currentRow() >= 0:
            self._tokenizers.remove(self._tokenizers.items[self.list.currentRow()])


_UNKNOWN: Final = "…"
_NONE: Final = "–"
_MIN_WIDTH: Final = 40  # pixels of a column of numbers


class NumbersColumn(IntEnum):
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
    base: Compared
    is_alone: bool
    mark: int | None


class NumbersTable(Table):
    """The compared tokenizers, one per row."""

    def __init__(self, theme: Theme) -> None:
        model: TableModel[_Row] = TableModel(theme, _columns())
        super().__init__(model, "comparisonTable", "")
        self.setAccessibleName(self.tr("Compared tokenizers and their numbers"))
        model.setParent(self)

    def show_items(self, items: Sequence[Compared], base: Compared, marks: Sequence[int | None]) -> None:
        """Show these, in columns wide enough for their current statistics; the names and marks get the rest."""
        is_alone = len(items) == 1
        rows = [_Row(index, item, base, is_alone, marks[index]) for index, item in enumerate(items)]
        self.table_model.show(rows)
        for absent in (NumbersColumn.CHANGE, NumbersColumn.ONLY_HERE):
            self.set_absent(absent, len(items) < 2)
        for index, column in enumerate(self.table_model.columns):
            if column.width is not None:
                self.widen(index, max((column.title, *map(column.text, rows)), key=self.width_of))


def _columns() -> dict[int, Column[_Row]]:
    return {
        NumbersColumn.NAME: Column(
            title=translate("NumbersModel", "Tokenizer"),
            text=lambda row: f"{letter(row.index)}  {name_of(row.item)}",
            tool_tip=lambda row: plain_tool_tip(details_of(row.item)),
            mark=lambda row: row.mark,
        ),
        NumbersColumn.TOKENS: _numbers(
            translate("NumbersModel", "Tokens"),
            translate(
                "NumbersModel", "Number of tokens in the encoded text, with those that stand for unknown symbols"
            ),
            lambda row: _measured(row, _tokens),
        ),
        NumbersColumn.CHANGE: _numbers(
            translate("NumbersModel", "vs. base"),
            translate(
                "NumbersModel", "Difference in the number of tokens from the base, the first tokenizer of the pair"
            ),
            lambda row: _measured(row, lambda numbers: _change(row, numbers)),
            shown_from=450,
        ),
        NumbersColumn.BYTES_PER_TOKEN: _numbers(
            translate("NumbersModel", "Bytes/token"),
            translate(
                "NumbersModel",
                "Compression: the UTF-8 bytes of the text, with those in no token, divided by its tokens",
            ),
            lambda row: _measured(row, lambda numbers: decimal(numbers.bytes_per_token)),
        ),
        NumbersColumn.VOCABULARY: _numbers(
            translate("NumbersModel", "Vocabulary"),
            translate("NumbersModel", "Number of entries"),
            lambda row: _known(row, row.item.vocab_size),
        ),
        NumbersColumn.ONLY_HERE: _numbers(
            translate("NumbersModel", "Only here"),
            translate("NumbersModel", "Number of tokens that no other tokenizer in this table has"),
            lambda row: "" if row.is_alone and row.item.tokenizer is not None else _known(row, row.item.only_here),
            shown_from=560,
        ),
    }


def _numbers(title: str, explanation: str, text: Callable[[_Row], str], shown_from: int = 0) -> Column[_Row]:
    return NumberColumn(title=title, explanation=explanation, width=_MIN_WIDTH, shown_from=shown_from, text=text)


def _known(row: _Row, value: int | None) -> str:
    """Return a number, or a placeholder if it is unknown or there is no tokenizer."""
    if row.item.tokenizer is None:
        return _NONE
    return _UNKNOWN if value is None else number(value)


def _measured(row: _Row, text: Callable[[TextNumbers], str]) -> str:
    """Return text about the statistics of the encoded text, which may be unknown, or wrong after an error."""
    if row.item.tokenizer is None or row.item.error is not None:
        return _NONE
    return _UNKNOWN if row.item.numbers is None else text(row.item.numbers)


def _tokens(numbers: TextNumbers) -> str:
    text = translate("NumbersModel", "{tokens} ({count} unknown)") if numbers.unknown else "{tokens}"
    return text.format(tokens=number(numbers.tokens), count=number(numbers.unknown))


def _change(row: _Row, numbers: TextNumbers) -> str:
    first = row.base.numbers
    if row.item is row.base:
        return "" if row.is_alone else translate("NumbersModel", "base")
    if first is None or not first.tokens:
        return ""
    change = (numbers.tokens - first.tokens) / first.tokens
    sign = "" if round(change, 3) == 0 else "+" if change > 0 else "−"
    return sign + share(abs(change))
