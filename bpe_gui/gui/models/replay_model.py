"""The rows of a replay: a word's symbols after each merge that encoding applies to it."""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QBrush, QFont

from bpe_gui.engine import TraceStep, WordTrace, visible
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.tables.cell_delegates import ACCENT_ROLE
from bpe_gui.gui.views.tables.symbols_delegate import MOST_SYMBOLS, SYMBOLS_ROLE, MarkedSymbols

from bpe_gui.gui.models.table_model import ALIGNMENT, BACKGROUND, DISPLAY, FONT, FOREGROUND, RIGHT, TOOL_TIP, TableModel
from bpe_gui.gui.models.tool_tips import plain_tip

_SEEN: Final = 256  # rows: about as many as are on screen, and some


class ReplayColumn(IntEnum):
    """The columns of a replay."""

    NUMBER = 0
    SYMBOLS = 1
    MERGE = 2
    STEP = 3


_NUMBER, _SYMBOLS, _MERGE, _STEP = (int(column) for column in ReplayColumn)


class ReplayRow(NamedTuple):
    """A word between two merges: the one that brought it here, its symbols now, and the one that comes next."""

    made: TraceStep | None
    symbols: tuple[bytes, ...]
    coming: TraceStep | None


def replay_rows(trace: WordTrace) -> list[ReplayRow]:
    """The word at the start, and then after each merge."""
    states = [trace.symbols, *(step.symbols for step in trace.steps)]
    return list(map(ReplayRow, [None, *trace.steps], states, [*trace.steps, None]))


class ReplayModel(TableModel):
    """One row for the start and one for each merge; the row of the position is marked, and what follows is faint."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[ReplayRow] = ()
        self.position = 0
        self._has_marker = False
        self._is_whole = False
        self._marked = lru_cache(_SEEN)(self._find_marked)
        self.alignments = {_NUMBER: RIGHT, _STEP: RIGHT}
        self.answers = {
            DISPLAY: self._text,
            FONT: self._font,
            ALIGNMENT: lambda row, column: self.alignments.get(column),
            FOREGROUND: self._foreground,
            BACKGROUND: lambda row, column: self._tint if row == self.position else None,
            TOOL_TIP: lambda row, column: self._tool_tip(row),
            ACCENT_ROLE: lambda row, column: row == self.position,
            SYMBOLS_ROLE: lambda row, column: self._marked(row),
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    def set_trace(self, trace: WordTrace | None, position: int, has_marker: bool) -> None:
        """Show another word, or none, after `position` merges."""
        self.beginResetModel()
        self.rows = [] if trace is None else replay_rows(trace)
        self._length = len(self.rows)
        self.position = position
        self._has_marker = has_marker
        self._is_whole = trace is not None and trace.is_whole
        self._marked.cache_clear()
        self.endResetModel()

    def set_position(self, position: int) -> None:
        """Mark another row."""
        first, last = sorted((self.position, position))
        self.position = position
        self._say_changed(first, last)

    def is_ahead(self, row: int) -> bool:
        """Whether a row is after the position."""
        return row > self.position

    def _take_looks(self) -> None:
        self.titles = ("", self.tr("Symbols"), self.tr("Merge"), self.tr("Step"))
        self._token_font, self._number_font = self._theme.token_font(), self._theme.number_font()
        self._bold_font = QFont(self._number_font)
        self._bold_font.setBold(True)
        self._quiet = QBrush(self._theme.color("quiet"))
        self._faint = QBrush(self._theme.color("disabled"))
        self._tint = QBrush(self._theme.color("accent_tint"))
        self._say_changed(0, self._length - 1)

    def _font(self, row: int, column: int) -> QFont:
        if column == _SYMBOLS or (column == _MERGE and row):
            return self._token_font
        return self._bold_font if row == self.position and column != _MERGE else self._number_font

    def _foreground(self, row: int, column: int) -> QBrush | None:
        if self.is_ahead(row):
            return self._faint
        is_quiet = row == 0 if column == _MERGE else column == _NUMBER and row != self.position
        return self._quiet if is_quiet else None

    def _text(self, row: int, column: int) -> str:
        made = self.rows[row].made
        if column == _NUMBER:
            return number(row)
        if column == _SYMBOLS:
            return " ".join(visible(symbol) for symbol in self.rows[row].symbols[:MOST_SYMBOLS])
        if made is None:
            start = self.tr("taken whole") if self._is_whole else self.tr("at the start")
            return start if column == _MERGE else ""
        return pair_text(made) if column == _MERGE else number(made.rank + 1)

    def _tool_tip(self, row: int) -> str:
        made, symbols, _coming = self.rows[row]
        lines = (
            [] if made is None else [_merge_text(made), self.tr("at step {step}").format(step=number(made.rank + 1))]
        )
        one, many = self.tr("1 symbol"), self.tr("{symbols} symbols").format(symbols=number(len(symbols)))
        return plain_tip("\n".join([*lines, one if len(symbols) == 1 else many]))

    def _find_marked(self, row: int) -> MarkedSymbols:
        """The symbols of a row with the pair that merges next; of a long word, those around that pair."""
        _made, symbols, coming = self.rows[row]
        if coming is None:
            return MarkedSymbols(symbols, None, self._has_marker)
        place = _first_difference(symbols, coming.symbols)
        around = symbols[max(0, place - MOST_SYMBOLS) : place + MOST_SYMBOLS]
        return MarkedSymbols(around, (coming.left, coming.right), self._has_marker)


def pair_text(step: TraceStep) -> str:
    """What a merge puts together, `e + s`; what it makes stands among the symbols beside."""
    return f"{visible(step.left)} + {visible(step.right)}"


def _merge_text(step: TraceStep) -> str:
    return f"{pair_text(step)} → {visible(step.left + step.right)}"


def _first_difference(before: Sequence[bytes], after: Sequence[bytes]) -> int:
    """Where two rows begin to differ: there the first pair merged."""
    return next(place for place, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
