"""The table of a replay: the symbols of a word after each merge that encoding applies to it."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QBrush, QFont

from bpe_gui.engine import TraceStep, WordTrace
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    BACKGROUND_ROLE,
    DISPLAY_ROLE,
    FONT_ROLE,
    FOREGROUND_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import plain_tool_tip
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import number

from .roles import ACCENT_ROLE, MAX_SYMBOLS, SYMBOLS_ROLE, TOKEN_ROLE, Answers, MarkedSymbols
from .table_model import TableModel

_MOST_IN_CELL: Final = 9  # characters of either symbol of a merge, so that the sign between them is always seen
_MOST_IN_TIP: Final = 200
_CACHED_ROWS: Final = 256  # somewhat more than a screen shows


class ReplayColumn(IntEnum):
    """The columns of a replay."""

    NUMBER = 0
    SYMBOLS = 1
    MERGE = 2
    STEP = 3


_NUMBER, _SYMBOLS, _MERGE, _STEP = (int(column) for column in ReplayColumn)


class ReplayRow(NamedTuple):
    """A state of a word: the merge that led to it, its symbols, and the merge that comes next."""

    last: TraceStep | None
    symbols: tuple[bytes, ...]
    next: TraceStep | None


def replay_rows(trace: WordTrace) -> list[ReplayRow]:
    """Return the states of a word: at the start, and after each merge."""
    states = [trace.symbols, *(step.symbols for step in trace.steps)]
    return list(map(ReplayRow, [None, *trace.steps], states, [*trace.steps, None]))


class ReplayModel(TableModel):
    """A row for the start and one for each merge; the row of the position is marked, those after it are faint."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[ReplayRow] = ()
        self.position = 0
        self._has_marker = False
        self._is_whole = False
        self._marked: dict[int, MarkedSymbols] = {}
        self.alignments = {_NUMBER: ALIGN_RIGHT, _STEP: ALIGN_RIGHT}
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: self._font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            FOREGROUND_ROLE: self._foreground,
            BACKGROUND_ROLE: lambda row, column: self._tint if row == self.position else None,
            TOOL_TIP_ROLE: lambda row, column: self._tool_tip(row),
            ACCENT_ROLE: lambda row, column: row == self.position,
            SYMBOLS_ROLE: lambda row, column: self._symbols(row),
            TOKEN_ROLE: self._selected,
        }

    def set_trace(self, trace: WordTrace | None, position: int, has_marker: bool) -> None:
        """Show the states of a word, as of `position` merges; none for None. `has_marker`: `</w>` is not text."""
        self.beginResetModel()
        self.rows = [] if trace is None else replay_rows(trace)
        self._length = len(self.rows)
        self.position = position
        self._has_marker = has_marker
        self._is_whole = trace is not None and trace.is_whole
        self._marked.clear()
        self.endResetModel()

    def set_position(self, position: int) -> None:
        """Mark the row of `position` as the present state."""
        first, last = sorted((self.position, position))
        self.position = position
        self._emit_changed(first, last)

    def is_ahead(self, row: int) -> bool:
        """Return whether a row is after the position."""
        return row > self.position

    def _apply_theme(self) -> None:
        self.titles = ("", self.tr("Symbols"), self.tr("Merge"), self.tr("Step"))
        self._token_font, self._number_font = self._theme.token_font(), self._theme.number_font()
        self._bold_font = QFont(self._number_font)
        self._bold_font.setBold(True)
        self._quiet = QBrush(self._theme.color("quiet"))
        self._faint = QBrush(self._theme.color("disabled"))
        self._tint = QBrush(self._theme.color("accent_tint"))
        self._emit_changed(0, self._length - 1)

    def _font(self, row: int, column: int) -> QFont:
        if column == _SYMBOLS or (column == _MERGE and row):
            return self._token_font
        return self._bold_font if row == self.position and column != _MERGE else self._number_font

    def _foreground(self, row: int, column: int) -> QBrush | None:
        if self.is_ahead(row):
            return self._faint
        is_quiet = row == 0 if column == _MERGE else column == _NUMBER and row != self.position
        return self._quiet if is_quiet else None

    def _selected(self, row: int, column: int) -> Selected | None:
        merge = self.rows[row].last
        return Selected(merge.left + merge.right) if merge else None

    def _text(self, row: int, column: int) -> str:
        merge = self.rows[row].last
        if column == _NUMBER:
            return number(row)
        if column == _SYMBOLS:
            return " ".join(token_in_sentence(symbol) for symbol in self.rows[row].symbols[:MAX_SYMBOLS])
        if merge is None:
            start = self.tr("whole word") if self._is_whole else self.tr("start")
            return start if column == _MERGE else ""
        return pair_text(merge, _MOST_IN_CELL) if column == _MERGE else number(merge.rank + 1)

    def _tool_tip(self, row: int) -> str:
        merge, symbols, _next = self.rows[row]
        lines = (
            [] if merge is None else [_merge_text(merge), self.tr("step {step}").format(step=number(merge.rank + 1))]
        )
        one, many = self.tr("1 symbol"), self.tr("{symbols} symbols").format(symbols=number(len(symbols)))
        return plain_tool_tip("\n".join([*lines, one if len(symbols) == 1 else many]))

    def _symbols(self, row: int) -> MarkedSymbols:
        if row not in self._marked:
            if len(self._marked) >= _CACHED_ROWS:
                self._marked.clear()
            self._marked[row] = self._marked_symbols(row)
        return self._marked[row]

    def _marked_symbols(self, row: int) -> MarkedSymbols:
        """Return the symbols of a row with the pair that is merged next; of a long word, those around that pair."""
        _last, symbols, merge = self.rows[row]
        if merge is None:
            return MarkedSymbols(symbols, None, self._has_marker)
        index = _first_difference(symbols, merge.symbols)
        around = symbols[max(0, index - MAX_SYMBOLS) : index + MAX_SYMBOLS]
        return MarkedSymbols(around, (merge.left, merge.right), self._has_marker)


def pair_text(step: TraceStep, most: int = _MOST_IN_TIP) -> str:
    """Return the two symbols of a merge as `e + s`, each cut to `most` characters."""
    return f"{token_in_sentence(step.left, most)} + {token_in_sentence(step.right, most)}"


def _merge_text(step: TraceStep) -> str:
    return f"{pair_text(step)} → {token_in_sentence(step.left + step.right)}"


def _first_difference(before: Sequence[bytes], after: Sequence[bytes]) -> int:
    """Return the index of the first symbol that the next merge changes."""
    return next(index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
