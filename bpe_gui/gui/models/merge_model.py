"""The list of merges: those done in full colour, those ahead greyed."""

from bisect import bisect_left
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QBrush, QFont

from bpe_gui.engine import Merge, Trainer
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.qt_constants import (
    ACCESSIBLE_TEXT_ROLE,
    ALIGN_CENTER,
    ALIGN_RIGHT,
    BACKGROUND_ROLE,
    DISPLAY_ROLE,
    FONT_ROLE,
    FOREGROUND_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.cursor import Steps
from bpe_gui.gui.session.opened_tokenizers import NO_ID
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import number

from .merge_filter import MergeFilter
from .roles import ACCENT_ROLE, CHIPS_ROLE, MARK_ROLE, TOKEN_ROLE, Answers, Chips
from .table_model import TIE_MARK, TableModel


class MergeColumn(IntEnum):
    """The columns of the merge table."""

    STEP = 0
    MERGE = 1
    COUNT = 2
    TIE = 3


_STEP, _MERGE, _COUNT, _TIE = (int(column) for column in MergeColumn)
_COLUMNS: Final = len(MergeColumn)
_CACHED_MERGES: Final = 256  # somewhat more than a screen shows
_ALIGNMENTS: Final = {_STEP: ALIGN_RIGHT, _COUNT: ALIGN_RIGHT, _TIE: ALIGN_CENTER}


class MergeModel(TableModel):
    """The merges of a run, one in a row: the step from position `rank` to `rank + 1`.

    Rows are added as the run grows; the model is reset only for another run.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._run: Steps | None = None  # read in `refresh` only, except for single merges
        self._run_length = 0
        self._filter = MergeFilter()
        self._has_marker = self._has_counts = False
        self.rows: Sequence[int] = ()  # the ranks
        self._position = 0
        self._done = 0  # the number of rows before the position
        self.current_row = -1
        """The row of the merge done last; -1 at the start, and if the filter hides it."""
        self.alignments = _ALIGNMENTS
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: lambda row, column: self._text(self._merge(row), column),
            FONT_ROLE: self._font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: _ALIGNMENTS.get(column),
            FOREGROUND_ROLE: self._foreground,
            BACKGROUND_ROLE: lambda row, column: self._tint if row == self.current_row else None,
            TOOL_TIP_ROLE: lambda row, column: self._tool_tip(self._merge(row)),
            ACCESSIBLE_TEXT_ROLE: lambda row, column: self._tie_text(self._merge(row)) if column == _TIE else None,
            ACCENT_ROLE: lambda row, column: row == self.current_row,
            MARK_ROLE: self._is_marked,
            TOKEN_ROLE: lambda row, column: Selected(self._merge(row).token),
            CHIPS_ROLE: self._chips,
        }

    def refresh(self, steps: Steps | None, text: str = "", *, only_never: bool = False) -> None:
        """Show the merges of `steps` that match `text`, as `token_filter` describes; none for None.

        With `only_never`, show only those whose pairs never occurred in the corpus.
        """
        self._release()
        if steps is not self._run:
            self.beginResetModel()
            self._run, self._length, self._run_length, self._position, self._done = steps, 0, 0, 0, 0
            self.rows, self.current_row = (), -1
            if steps is not None:
                self._merge_of = lru_cache(_CACHED_MERGES)(steps.merge_at)
                self._has_counts = steps.counts is not None
                self._has_marker = steps.tokenizer(0).recipe.boundary != "none"
            self.endResetModel()
        if steps is not None:
            self._update_rows(steps, MergeFilter(text, only_never))
            self._move_to(steps.position)

    def position_of(self, row: int) -> int:
        """Return the position after the merge in a row."""
        return self.rows[row] + 1

    def _update_rows(self, steps: Steps, wanted: MergeFilter) -> None:
        length = steps.run_length
        if wanted == self._filter and length <= self._run_length:
            return
        if wanted != self._filter:
            self._replace_rows(wanted.ranks(steps.tokenizer(length)) if wanted else range(length))
        else:
            self.rows = self._rows_with_more(steps, length)
            self._set_length(len(self.rows))
        self._run_length, self._filter = length, wanted

    def _rows_with_more(self, steps: Steps, length: int) -> Sequence[int]:
        """Return the rows for a run that has grown to `length`; only its new merges are searched."""
        if not self._filter:
            return range(length)
        return [*self.rows, *self._filter.ranks(steps.tokenizer(length), self._run_length)]

    def _move_to(self, position: int) -> None:
        before, self._done = self._done, bisect_left(self.rows, position)
        is_shown = self._done > 0 and self.rows[self._done - 1] == position - 1
        self.current_row = self._done - 1 if is_shown else -1
        if position != self._position:
            self._position = position
            self._emit_changed(max(0, min(before, self._done) - 1), max(before, self._done) - 1)

    def _merge(self, row: int) -> Merge:
        return self._merge_of(self.rows[row])

    def _is_marked(self, row: int, column: int) -> bool:
        return column == _MERGE and self.marked is not None and self._merge(row).token == self.marked

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Step"), self.tr("Merge"), self.tr("Count"), self.tr("Tie"))
        self._fonts = {}
        for is_current in (False, True):
            for column in range(_COLUMNS):
                font = QFont(self._theme.token_font() if column == _MERGE else self._theme.number_font())
                font.setBold(is_current and column != _MERGE)
                self._fonts[column, is_current] = font
        self._quiet = QBrush(self._theme.color("quiet"))
        self._tint = QBrush(self._theme.color("accent_tint"))
        self._emit_changed(0, self._length - 1)

    def _font(self, row: int, column: int) -> QFont:
        return self._fonts[column, row == self.current_row]

    def _foreground(self, row: int, column: int) -> QBrush | None:
        is_quiet = row >= self._done or column == _TIE or (column == _STEP and row != self.current_row)
        return self._quiet if is_quiet else None

    def _text(self, merge: Merge, column: int) -> str:
        if column == _STEP:
            return number(merge.rank + 1)
        if column == _MERGE:
            left, right, token = map(token_in_sentence, (merge.left, merge.right, merge.token))
            return f"{left} + {right} → {token}"
        if column == _COUNT:
            return f"×{number(merge.count)}" if self._has_counts else ""
        return TIE_MARK if merge.ties else ""

    def _chips(self, row: int, column: int) -> Chips | None:
        if column != _MERGE:
            return None
        merge = self._merge(row)
        return Chips((merge.left, merge.right, merge.token), self._has_marker, is_ahead=row >= self._done)

    def _tool_tip(self, merge: Merge) -> str:
        line = f"{number(merge.rank + 1)}  {self._text(merge, _MERGE)}  {self._text(merge, _COUNT)}".rstrip()
        token_id = "" if merge.token_id == NO_ID else self.tr("id {id}").format(id=merge.token_id)
        return "\n".join(filter(None, (line, token_id, self._plan_text(merge), self._tie_text(merge))))

    def _plan_text(self, merge: Merge) -> str:
        """Return whether the plan of the run gave a merge."""
        if not isinstance(self._run, Trainer) or not self._run.is_given(merge.rank):
            return ""
        is_repeated = merge.rank < len(self._run.plan.replay)
        return self.tr("replayed by the plan") if is_repeated else self.tr("chosen by you")

    def _tie_text(self, merge: Merge) -> str:
        if not merge.ties:
            return ""
        if merge.ties == 1:
            return self.tr("1 other pair had the same count")
        return self.tr("{ties} other pairs had the same count").format(ties=number(merge.ties))
