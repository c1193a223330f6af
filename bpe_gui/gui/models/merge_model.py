"""The list of merges: all that are known, what is done in full and what lies ahead greyed."""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, overload

from PySide6.QtCore import QObject
from PySide6.QtGui import QBrush, QFont

from bpe_gui.engine import Merge, visible
from bpe_gui.gui.numbers import number
from bpe_gui.gui.opened_tokenizer import NO_ID
from bpe_gui.gui.steps import Steps
from bpe_gui.gui.theme import Theme
from bpe_gui.gui.views.bar_delegate import ACCENT_ROLE

from .table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    BACKGROUND,
    CENTER,
    DISPLAY,
    FONT,
    FOREGROUND,
    RIGHT,
    TIE_MARK,
    TOOL_TIP,
    TableModel,
)


class MergeColumn(IntEnum):
    """The columns of the merge table."""

    STEP = 0
    MERGE = 1
    COUNT = 2
    TIE = 3


_STEP, _MERGE, _COUNT, _TIE = (int(column) for column in MergeColumn)
_COLUMNS: Final = len(MergeColumn)
_SEEN: Final = 256  # merges: about as many as are on screen, and some
_ALIGNMENTS: Final = {_STEP: RIGHT, _COUNT: RIGHT, _TIE: CENTER}


class Merges(Sequence[Merge]):
    """The merges that a run knows now, each made when it is looked at."""

    def __init__(self, steps: Steps | None) -> None:
        self._length = steps.run_length if steps else 0
        self._known = lru_cache(_SEEN)(steps.known) if steps else None

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Merge: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Merge]: ...
    def __getitem__(self, index: int | slice) -> Merge | Sequence[Merge]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if self._known is None or not -self._length <= index < self._length:
            raise IndexError(index)
        return self._known(index % self._length)


class MergeModel(TableModel):
    """One row a merge; row r is the step from r to r + 1. Grows with the run and starts anew only with another run."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._run: Steps | None = None  # whose merges are shown; asked for them in `refresh` alone
        self.rows: Sequence[Merge] = ()
        self._position = 0
        self.alignments = _ALIGNMENTS
        self.answers = {
            DISPLAY: lambda row, column: self._text(self.rows[row], column),
            FONT: self._font,
            ALIGNMENT: lambda row, column: _ALIGNMENTS.get(column),
            FOREGROUND: self._foreground,
            BACKGROUND: lambda row, column: self._tint if row == self.current_row else None,
            TOOL_TIP: lambda row, column: self._tool_tip(self.rows[row]),
            ACCESSIBLE: lambda row, column: self._tie_words(self.rows[row]) if column == _TIE else None,
            ACCENT_ROLE: lambda row, column: row == self.current_row,
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    @property
    def current_row(self) -> int:
        """The row of the last merge that was done; -1 at the start."""
        return self._position - 1

    def refresh(self, steps: Steps | None) -> None:
        """Show the merges as they are now; None where there are none."""
        self._release()
        if steps is not self._run:
            self.beginResetModel()
            self._run, self._length, self._position = steps, 0, 0
            self.endResetModel()
        if steps is not None:
            self._append(steps)
            self._move_to(steps.position)

    def _append(self, steps: Steps) -> None:
        if steps.run_length > self._length:
            self.rows = Merges(steps)
            self._set_length(len(self.rows))

    def _move_to(self, position: int) -> None:
        if position != self._position:
            rows = sorted((self.current_row, position - 1))
            self._position = position
            self._say_changed(max(0, rows[0]), rows[1])

    def _take_looks(self) -> None:
        self.titles = (self.tr("Step"), self.tr("Merge"), self.tr("Count"), self.tr("Tie"))
        self._fonts = {}
        for is_current in (False, True):
            for column in range(_COLUMNS):
                font = QFont(self._theme.token_font() if column == _MERGE else self._theme.number_font())
                font.setBold(is_current)
                self._fonts[column, is_current] = font
        self._quiet = QBrush(self._theme.color("quiet"))
        self._tint = QBrush(self._theme.color("accent_tint"))
        self._say_changed(0, self._length - 1)

    def _font(self, row: int, column: int) -> QFont:
        return self._fonts[column, row == self.current_row]

    def _foreground(self, row: int, column: int) -> QBrush | None:
        is_quiet = row >= self._position or column == _TIE or (column == _STEP and row != self.current_row)
        return self._quiet if is_quiet else None

    def _text(self, merge: Merge, column: int) -> str:
        if column == _STEP:
            return number(merge.rank + 1)
        if column == _MERGE:
            return f"{visible(merge.left)} + {visible(merge.right)} → {visible(merge.token)}"
        if column == _COUNT:
            return f"×{number(merge.count)}" if merge.count else ""
        return TIE_MARK if merge.ties else ""

    def _tool_tip(self, merge: Merge) -> str:
        line = f"{number(merge.rank + 1)}  {self._text(merge, _MERGE)}  {self._text(merge, _COUNT)}".rstrip()
        token_id = "" if merge.token_id == NO_ID else self.tr("id {id}").format(id=merge.token_id)
        return "\n".join(filter(None, (line, token_id, self._tie_words(merge))))

    def _tie_words(self, merge: Merge) -> str:
        if not merge.ties:
            return ""
        if merge.ties == 1:
            return self.tr("1 other pair occurred as often")
        return self.tr("{ties} other pairs occurred as often").format(ties=number(merge.ties))
