"""A table as a list of columns, and the model that answers Qt from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont

from bpe_gui.engine import Int64Array, token_in_sentence
from bpe_gui.gui.look.qt_constants import (
    ACCESSIBLE_TEXT_ROLE,
    ALIGN_LEFT,
    ALIGN_RIGHT,
    ASCENDING,
    BACKGROUND_ROLE,
    DESCENDING,
    DISPLAY_ROLE,
    ELIDE_RIGHT,
    FONT_ROLE,
    FOREGROUND_ROLE,
    HORIZONTAL,
    INITIAL_SORT_ORDER_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import ColorRole, Theme
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.views.token_chips import Chips

Index = QModelIndex | QPersistentModelIndex
FontName = Literal["tokens", "numbers", "bold", "struck", "struck tokens"]
Item = TypeVar("Item")
Row = TypeVar("Row")
Row_co = TypeVar("Row_co", covariant=True)

ROOT: Final = QModelIndex()
TIE_MARK: Final = "="
MAX_SYMBOLS: Final = 200
"""The most symbols of a word to show."""

_ENABLED: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_HELD: Final = Qt.ItemFlag.ItemNeverHasChildren
_NO_FLAGS: Final = Qt.ItemFlag.NoItemFlags


class Rows(Protocol[Row_co]):
    """The rows of a table: a list, or a class that computes them when they are shown."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Row_co: ...


class LazyRows(Generic[Item, Row]):
    """Rows that are made of items, such as numbers, each time they are shown."""

    def __init__(self, items: Sequence[Item], row_of: Callable[[Item], Row]) -> None:
        self._items: Final = items
        self._row_of: Final = row_of

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: int, /) -> Row:
        return self._row_of(self._items[index])


@dataclass(frozen=True, slots=True)
class MarkedSymbols:
    """The symbols of a word, with every occurrence of `pair` and of `token` marked.

    `has_marker`: a `</w>` is the end-of-word marker, not text. `merged`: the pair merged in the word by the last step;
    `before`: how the word was split before that. `text`: the word, if it is to be read beside its symbols.
    """

    symbols: tuple[bytes, ...]
    pair: tuple[bytes, bytes] | None
    has_marker: bool
    token: bytes | None = None
    merged: tuple[bytes, bytes] | None = None
    before: tuple[bytes, ...] = ()
    text: str = ""


def stably_sorted(items: Int64Array, keys: Any, descending: bool) -> Int64Array:
    """Return `items` sorted by `keys`, an array or a list; equal items keep their order in either direction."""
    if isinstance(keys, list):
        return items[np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=descending), np.int64)]
    return items[np.argsort(-keys if descending else keys, kind="stable")]


def nothing(_row: object) -> None:
    """Return None, for a part that no cell of a column has."""


def quiet(_row: object) -> ColorRole:
    """Return the colour for a column of less important text."""
    return "quiet"


@dataclass(frozen=True, kw_only=True)
class Column(Generic[Row]):
    """A column of a table. Its functions take a row; the package docstring says what they may close over."""

    title: str
    text: Callable[[Row], str]
    explanation: str = ""
    """The tooltip of the title."""
    width: int | None = None
    """Pixels, which the user can change; None to share what the other columns leave."""
    shown_from: int = 0
    """The column is hidden if the table is narrower than this, in pixels."""
    alignment: int = ALIGN_LEFT
    elide: Qt.TextElideMode = ELIDE_RIGHT
    font: FontName = "numbers"
    font_of: Callable[[Row], FontName] | None = None
    """The fonts of the cells, if they differ."""
    color: Callable[[Row], ColorRole | None] | None = None
    tool_tip: Callable[[Row], str | None] = nothing
    spoken: Callable[[Row], str | None] = nothing
    """The text for screen readers; None if it is the same as the cell's."""
    selected: Callable[[Row], Selected | None] = nothing
    """The token or pair of a cell, for its menu and for the other panels."""
    chips: Callable[[Row], Chips | None] | None = None
    """The tokens to paint instead of the text."""
    symbols: Callable[[Row], MarkedSymbols] | None = None
    """The split word to paint instead of the text."""
    mark: Callable[[Row], int | None] | None = None
    """The number of the mark to paint before the text, which has space for it in every row; see `Theme.mark_color`."""
    bar: Callable[[Row], float] | None = None
    """The length of the bar behind a number, from 0 to 1."""
    bar_before: Callable[[Row], float] | None = None
    """The length that it had before the last step, from which it grows or shrinks."""
    bar_gone: Callable[[Row], float] | None = None
    """The length of another bar that stood here before the last step, and drops to nothing."""
    largest_first: bool = False
    """Whether the first click on the title sorts in descending order."""
    sort_key: Callable[[Any, Any], Any] | None = None
    """Returns the values to sort by (an array or a list), given what the model shows and the numbers of its items."""


@dataclass(frozen=True, kw_only=True)
class NumberColumn(Column[Row]):
    alignment: int = ALIGN_RIGHT


def token_column(
    title: str, token: Callable[[Row], bytes], has_marker: Callable[[Row], bool], width: int | None = None
) -> Column[Row]:
    """Return a column of tokens; `has_marker` says whether a `</w>` is the end-of-word marker, not text."""

    def text(row: Row) -> str:
        return token_in_sentence(token(row))

    def chips(row: Row) -> Chips:
        return Chips((token(row),), has_marker(row))

    return Column(title=title, font="tokens", width=width, text=text, tool_tip=text, chips=chips)


class TableModel(QAbstractTableModel, Generic[Row]):
    """A table whose rows are only positions: `show` changes their contents without resetting the model.

    That way, a view keeps its scroll position and selection. `tint` returns the background of a row; the row with the
    accent's tint is the current one and also has a strip in the first column. `tool_tip` and `selected` are for columns
    without their own.
    """

    def __init__(
        self,
        theme: Theme,
        columns: Sequence[Column[Row]] | Mapping[int, Column[Row]],
        parent: QObject | None = None,
        *,
        tint: Callable[[Row], ColorRole | None] | None = None,
        tool_tip: Callable[[Row], str | None] = nothing,
        selected: Callable[[Row], Selected | None] = nothing,
    ) -> None:
        super().__init__(parent)
        self.theme: Final = theme
        self.columns = [
            replace(
                column,
                tool_tip=tool_tip if column.tool_tip is nothing else column.tool_tip,
                selected=selected if column.selected is nothing else column.selected,
            )
            for column in (columns[number] for number in range(len(columns)))
        ]
        self.tint: Final = tint
        self.rows: Rows[Row] = ()
        self.marked: bytes | None = None
        """The selected token, whose chips are marked; None if there is none."""
        self._length = 0
        self.is_held = False
        """Whether the rows are grey, and nothing may read the run; see `hold`."""
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def _apply_theme(self) -> None:
        theme = self.theme
        self._fonts: dict[FontName, QFont] = {
            "tokens": theme.token_font(),
            "numbers": theme.number_font(),
            "bold": theme.number_font(),
            "struck": theme.number_font(),
            "struck tokens": theme.token_font(),
        }
        self._fonts["bold"].setBold(True)
        for name in ("struck", "struck tokens"):
            self._fonts[name].setStrikeOut(True)
        self._brushes: dict[ColorRole, QBrush] = {}
        self.rows_changed()

    # -- rows -------------------------------------------------------------------------------------------------------

    def show(self, rows: Rows[Row]) -> None:
        """Show `rows` instead of the current ones; rows are inserted or removed only at the end."""
        kept = min(self._length, len(rows))
        self.show_first(kept)
        self.rows = rows
        self.rows_changed(0, kept - 1)
        self.show_first(len(rows))

    def reset(self, rows: Rows[Row]) -> None:
        """Show different `rows` without keeping any positions; the selection is lost."""
        self.beginResetModel()
        self.rows, self._length = rows, len(rows)
        self.endResetModel()

    def show_first(self, length: int) -> None:
        """Show the first `length` of `rows`."""
        before = self._length
        if length < before:
            self.beginRemoveRows(ROOT, length, before - 1)
            self._length = length
            self.endRemoveRows()
        elif length > before:
            self.beginInsertRows(ROOT, before, length - 1)
            self._length = length
            self.endInsertRows()

    def rows_changed(self, first: int = 0, last: int | None = None) -> None:
        """Report that the rows from `first` to `last` (inclusive), by default all, show something else."""
        last = self._length - 1 if last is None else last
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    def hold(self) -> None:
        """Grey the rows and freeze them: a thread is training the run, and nothing else may read it."""
        self._set_held(True)

    def release(self) -> None:
        self._set_held(False)

    def _set_held(self, is_held: bool) -> None:
        if is_held != self.is_held:
            self.is_held = is_held
            self.rows_changed()

    def mark(self, token: bytes | None) -> None:
        """Mark the chips of this token; None for none."""
        if token != self.marked:
            self.marked = token
            self.rows_changed()

    def set_title(self, column: int, title: str, explanation: str | None = None) -> None:
        """Change a column's title, and its explanation unless that is None."""
        before = self.columns[column]
        explanation = before.explanation if explanation is None else explanation
        self.columns[column] = replace(before, title=title, explanation=explanation)
        self.headerDataChanged.emit(HORIZONTAL, column, column)

    # -- answers ----------------------------------------------------------------------------------------------------

    def font(self, column: Column[Row], row: Row) -> QFont:
        return self._fonts[column.font if column.font_of is None else column.font_of(row)]

    def brush(self, role: ColorRole) -> QBrush:
        if role not in self._brushes:
            self._brushes[role] = QBrush(self.theme.color(role))
        return self._brushes[role]

    def selected_at(self, index: Index) -> Selected | None:
        """Return a cell's token or pair; None if it has none."""
        return self.columns[index.column()].selected(self.rows[index.row()]) if index.isValid() else None

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._length

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return _NO_FLAGS
        return _HELD if self.is_held else _ENABLED

    def data(self, index: Index, role: int = DISPLAY_ROLE) -> Any:
        answer = _ANSWERS.get(role)
        if answer is None or not index.isValid():
            return None
        return answer(self, self.columns[index.column()], self.rows[index.row()])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY_ROLE) -> Any:
        if orientation != HORIZONTAL:
            return None
        column = self.columns[section]
        if role == DISPLAY_ROLE:
            return column.title
        if role == TOOL_TIP_ROLE:
            return column.explanation or None
        if role == INITIAL_SORT_ORDER_ROLE:
            return DESCENDING if column.largest_first else ASCENDING
        return column.alignment if role == TEXT_ALIGNMENT_ROLE else None


_Model = TableModel[Any]
_AnyColumn = Column[Any]
_ANSWERS: Final[Mapping[int, Callable[[_Model, _AnyColumn, Any], Any]]] = {
    DISPLAY_ROLE: lambda model, column, row: column.text(row),
    FONT_ROLE: lambda model, column, row: model.font(column, row),
    TEXT_ALIGNMENT_ROLE: lambda model, column, row: column.alignment,
    FOREGROUND_ROLE: lambda model, column, row: (role := column.color and column.color(row)) and model.brush(role),
    BACKGROUND_ROLE: lambda model, column, row: (role := model.tint and model.tint(row)) and model.brush(role),
    TOOL_TIP_ROLE: lambda model, column, row: column.tool_tip(row),
    ACCESSIBLE_TEXT_ROLE: lambda model, column, row: column.spoken(row),
}
