"""The merges of two tokenizers side by side, with those that differ marked, and where the other one makes them."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtGui import QBrush, QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.headers import PanelHeader, SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
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
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.models.roles import CHIPS_ROLE, TOKEN_ROLE, Answers, Chips
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tools.comparison.merge_alignment import AlignedMerges, MergeAtStep
from bpe_gui.gui.views.tables.cell_delegates import TokenDelegate
from bpe_gui.gui.views.tables.chips_delegate import ChipsDelegate
from bpe_gui.gui.views.tables.run_table import RunTable
from bpe_gui.gui.wording.numbers import number


class AlignedColumn(IntEnum):
    """The columns of the table: a step, and for each tokenizer its merge, its count and where the other makes it."""

    STEP = 0
    FIRST = 1
    FIRST_COUNT = 2
    FIRST_ELSEWHERE = 3
    SECOND = 4
    SECOND_COUNT = 5
    SECOND_ELSEWHERE = 6


_STEP: Final = int(AlignedColumn.STEP)
_MERGES: Final = (int(AlignedColumn.FIRST), int(AlignedColumn.SECOND))
_COUNTS: Final = (int(AlignedColumn.FIRST_COUNT), int(AlignedColumn.SECOND_COUNT))
_ELSEWHERE: Final = (int(AlignedColumn.FIRST_ELSEWHERE), int(AlignedColumn.SECOND_ELSEWHERE))
_WIDTHS: Final = {_STEP: 52, **dict.fromkeys(_COUNTS, 64), **dict.fromkeys(_ELSEWHERE, 84)}


class AlignedModel(TableModel):
    """A row for each step, or for each at which the merges differ."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[int] = ()  # the ranks
        self._merges: AlignedMerges | None = None
        self._names = "", ""
        self._markers = False, False
        self._lacking: frozenset[int] = frozenset()
        self._only_lacking = False
        self.alignments = {_STEP: ALIGN_RIGHT, **dict.fromkeys(_COUNTS, ALIGN_RIGHT)}
        self.apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._theme.token_font() if column in _MERGES else self._theme.number_font(),
            FOREGROUND_ROLE: lambda row, column: self._quiet if column == _STEP or column in _ELSEWHERE else None,
            BACKGROUND_ROLE: lambda row, column: self._tint if self.rows[row] in self._lacking else None,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: self._tool_tip,
            CHIPS_ROLE: self._chips,
            TOKEN_ROLE: self._selected,
        }

    def show_merges(self, merges: AlignedMerges | None, names: tuple[str, str], markers: tuple[bool, bool]) -> None:
        """Show these merges of two tokenizers; `markers`: a `</w>` is the end-of-word marker."""
        is_other = merges is not self._merges or names != self._names
        self._merges, self._names, self._markers = merges, names, markers
        if is_other:
            self._lacking = frozenset(merges.lacking) if merges else frozenset()
            self.titles = self._titles()
            self._select_rows()

    def show_only_lacking(self, only: bool) -> None:
        """Show only the steps with a merge that the other tokenizer never makes, or all."""
        self._only_lacking = only
        self._select_rows()

    def row_of(self, rank: int) -> int:
        """Return the row of a rank, or -1."""
        return self.rows.index(rank) if rank in self.rows else -1

    def rank_at(self, row: int) -> int:
        """Return the rank of the merges in a row."""
        return self.rows[row]

    def _select_rows(self) -> None:
        merges = self._merges
        if merges is None:
            self._replace_rows(())
        else:
            self._replace_rows(merges.lacking if self._only_lacking else range(merges.length))

    def _titles(self) -> Sequence[str]:
        first, second = self._names
        merge, count, elsewhere = self.tr("Merge of {name}"), self.tr("Count"), self.tr("Step in {name}")
        return (
            self.tr("Step"),
            merge.format(name=first),
            count,
            elsewhere.format(name=second),
            merge.format(name=second),
            count,
            elsewhere.format(name=first),
        )

    def apply_theme(self) -> None:
        """Use the colours of the theme."""
        self._quiet = QBrush(self._theme.color("quiet"))
        self._tint = QBrush(self._theme.color("hover"))
        self.titles = self._titles()
        self._emit_changed(0, self._length - 1)

    def _merge(self, row: int, column: int) -> MergeAtStep | None:
        side = 0 if column < _MERGES[1] else 1
        return self._merges.at(self.rows[row], side) if self._merges is not None else None

    def _text(self, row: int, column: int) -> str:
        if column == _STEP:
            return number(self.rows[row] + 1)
        merge = self._merge(row, column)
        if merge is None:
            return ""
        if column in _COUNTS:
            return "" if merge.count is None else f"×{number(merge.count)}"
        if column in _ELSEWHERE:
            return self._elsewhere(row, merge)
        return " + ".join(map(token_in_sentence, merge.pair))

    def _elsewhere(self, row: int, merge: MergeAtStep) -> str:
        """Return the step at which the other tokenizer makes a merge, if it is another one."""
        if merge.other_rank is None:
            return self.tr("not yet") if self._merges and self.rows[row] >= self._merges.common else self.tr("never")
        return "" if merge.other_rank == self.rows[row] else self.step_text(merge.other_rank + 1)

    def step_text(self, step: int) -> str:
        """Return a step as the columns for the other tokenizer name it."""
        return self.tr("step {step}").format(step=number(step))

    def _tool_tip(self, row: int, column: int) -> str | None:
        return self._text(row, column) if column in _MERGES else None

    def _chips(self, row: int, column: int) -> Chips | None:
        merge = self._merge(row, column) if column in _MERGES else None
        if merge is None:
            return None
        left, right = merge.pair
        return Chips((left, right, left + right), self._markers[_MERGES.index(column)])

    def _selected(self, row: int, column: int) -> Selected | None:
        merge = self._merge(row, column) if column != _STEP else None
        return Selected(merge.pair[0] + merge.pair[1], pair=merge.pair) if merge else None


class MergeLists(QWidget):
    """The table, and a box that leaves out the merges that both make.

    - `token_chosen(token)`: the user went to a token, given as `Selected`.
    - `step_chosen(step)`: the user double-clicked on a step.
    """

    token_chosen = Signal(Selected)
    step_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("mergeLists")
        self._theme = theme
        self._model = AlignedModel(theme, self)
        self._merges: AlignedMerges | None = None
        self._title = SectionTitle("", "alignedTitle")
        self._only = name_widget(QCheckBox(self.tr("Only merges that are not in both")), "onlyLackingBox")
        self._only.toggled.connect(self._show_rows)
        self._table = RunTable(self._model, "alignedTable", self.tr("Merges side by side"))
        self._table.hint = self.tr("Their merges are the same.")
        self._table.setItemDelegate(TokenDelegate(self._model.answers, self))
        self._chips = ChipsDelegate(self._model.answers, theme.token_palette(), self)
        for column in _MERGES:
            self._table.setItemDelegateForColumn(column, self._chips)
        self._table.set_widths(_WIDTHS, _MERGES)
        self._table.selectionModel().currentRowChanged.connect(self._choose)
        self._table.clicked.connect(self._choose)
        self._table.doubleClicked.connect(self._choose_step)
        column_layout = gapless_column(self)
        column_layout.addWidget(PanelHeader(self._title, self._only))
        column_layout.addWidget(self._table, 1)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def _choose_step(self, index: QModelIndex) -> None:
        self.step_chosen.emit(self._model.rank_at(index.row()) + 1)

    def show_merges(self, merges: AlignedMerges | None, names: tuple[str, str], markers: tuple[bool, bool]) -> None:
        """Show these merges of two tokenizers, from a little above the first that differs."""
        is_other = merges is not self._merges and not _are_same(merges, self._merges)
        self._merges = merges
        self._model.show_merges(merges, names, markers)
        self._widen_columns(merges)
        self._title.setText(self._title_text(merges, names))
        if is_other:
            self._go_to_first()

    def _widen_columns(self, merges: AlignedMerges | None) -> None:
        """Make the largest step and counts fit their columns."""
        if merges is None or not merges.length:
            return
        self._table.widen(_STEP, number(merges.length))
        for column, counts in zip(_COUNTS, merges.counts, strict=True):
            self._table.widen(column, f"×{number(max(counts, default=0))}" if counts is not None else "")
        for column in _ELSEWHERE:
            self._table.widen(column, self._model.step_text(merges.length))

    def _title_text(self, merges: AlignedMerges | None, names: tuple[str, str]) -> str:
        if merges is None or not merges.length:
            return ""
        if not merges.differing:
            return self.tr("Their merges are the same.")
        if merges.differing[0] == merges.common:
            name = names[0] if len(merges.first) == merges.common else names[1]
            ending = self.tr("Their merges are the same up to step {step}, where {name} ends.")
            return ending.format(step=number(merges.common), name=name)
        template = self.tr("They diverge at step {step}. Merges only in {A}: {first}, only in {B}: {second}.")
        first, second = merges.only
        return template.format(
            step=number(merges.differing[0] + 1), first=number(first), second=number(second), A=names[0], B=names[1]
        )

    def _show_rows(self, only: bool) -> None:
        self._model.show_only_lacking(only)
        self._go_to_first()

    def _go_to_first(self) -> None:
        """Scroll to the first step that differs."""
        if self._merges is not None and self._merges.differing:
            row = max(0, self._model.row_of(self._merges.differing[0]))
            self._table.updateGeometries()  # or new rows could not be scrolled to yet
            self._table.scrollTo(self._model.index(row, 0), RunTable.ScrollHint.PositionAtCenter)

    def _choose(self, index: QModelIndex) -> None:
        selected = self._model.data(index, TOKEN_ROLE)
        if isinstance(selected, Selected):
            self.token_chosen.emit(selected)

    def showEvent(self, event: QShowEvent) -> None:
        """Set the fonts again: a style sheet resets them when a widget is put into its window."""
        super().showEvent(event)
        self.apply_theme()
        self._go_to_first()

    def apply_theme(self) -> None:
        """Use the colours and fonts of the theme."""
        self._model.apply_theme()
        self._chips.set_palette_colors(self._theme.token_palette())
        self._table.set_fonts(self._theme.token_font(), self._theme.number_font())


def _are_same(one: AlignedMerges | None, other: AlignedMerges | None) -> bool:
    """Return whether two alignments differ at the same steps, as when one is made again for another step."""
    return one is not None and other is not None and (one.length, one.differing) == (other.length, other.differing)
