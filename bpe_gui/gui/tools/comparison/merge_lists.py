"""The merges of two tokenizers side by side, with differences marked, and the step where the other makes each merge."""

from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from bpe_gui.engine import token_in_sentence
from bpe_gui.gui.look.layouts import PanelHeader, SectionTitle, gapless_column
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, LazyRows, TableModel, quiet
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.phrases import number, translate

from .vocabularies import AlignedMerges


class AlignedColumn(IntEnum):
    """The columns of the table: a step, and for each tokenizer its merge, its count and where the other makes it."""

    STEP = 0
    FIRST = 1
    FIRST_COUNT = 2
    FIRST_ELSEWHERE = 3
    SECOND = 4
    SECOND_COUNT = 5
    SECOND_ELSEWHERE = 6


_COUNTS: Final = (AlignedColumn.FIRST_COUNT, AlignedColumn.SECOND_COUNT)
_ELSEWHERE: Final = (AlignedColumn.FIRST_ELSEWHERE, AlignedColumn.SECOND_ELSEWHERE)


class _Row(NamedTuple):
    """The merges of two tokenizers at a rank. `markers` says for each whether `</w>` is its end-of-word marker."""

    rank: int
    merges: AlignedMerges
    markers: tuple[bool, bool]
    is_lacking: bool
    """Whether the other tokenizer never makes one of them."""


def _columns() -> list[Column[_Row]]:
    step = Column[_Row](
        title=translate("AlignedModel", "Step"),
        width=52,
        alignment=ALIGN_RIGHT,
        color=quiet,
        text=lambda row: number(row.rank + 1),
    )
    return [step, *_columns_of(0), *_columns_of(1)]


def _columns_of(side: int) -> list[Column[_Row]]:
    """Return one tokenizer's columns: its merge, its count, and where the other one makes it."""
    selected = partial(_selected, side)
    return [
        Column(
            title="",
            font="tokens",
            text=partial(_merge_text, side),
            tool_tip=partial(_merge_text, side),
            chips=partial(_chips, side),
            selected=selected,
        ),
        Column(
            title=translate("AlignedModel", "Count"),
            width=64,
            alignment=ALIGN_RIGHT,
            text=partial(_count_text, side),
            selected=selected,
        ),
        Column(title="", width=84, color=quiet, text=partial(_elsewhere_text, side), selected=selected),
    ]


def _merge_text(side: int, row: _Row) -> str:
    merge = row.merges.at(row.rank, side)
    return "" if merge is None else " + ".join(map(token_in_sentence, merge.pair))


def _count_text(side: int, row: _Row) -> str:
    merge = row.merges.at(row.rank, side)
    return "" if merge is None or merge.count is None else f"×{number(merge.count)}"


def _elsewhere_text(side: int, row: _Row) -> str:
    """Return at which other step the other tokenizer makes a merge; empty if at the same step."""
    merge = row.merges.at(row.rank, side)
    if merge is None or merge.other_rank == row.rank:
        return ""
    if merge.other_rank is None:
        if row.rank >= row.merges.common:
            return translate("AlignedModel", "not yet")
        return translate("AlignedModel", "never")
    return _step_text(merge.other_rank + 1)


def _step_text(step: int) -> str:
    return translate("AlignedModel", "step {step}").format(step=number(step))


def _chips(side: int, row: _Row) -> Chips | None:
    merge = row.merges.at(row.rank, side)
    return None if merge is None else Chips((*merge.pair, merge.pair[0] + merge.pair[1]), row.markers[side])


def _selected(side: int, row: _Row) -> Selected | None:
    merge = row.merges.at(row.rank, side)
    return None if merge is None else Selected(merge.pair[0] + merge.pair[1], pair=merge.pair)


class MergeLists(QWidget):
    """The table, and a check box that hides the merges that both make.

    - `token_chosen(token)`: the user chose a token, given as `Selected`.
    - `step_chosen(step)`: the user double-clicked a step.
    """

    token_chosen = Signal(Selected)
    step_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("mergeLists")
        self._merges: AlignedMerges | None = None
        self._names, self._markers = ("", ""), (False, False)
        self._title = SectionTitle("", "alignedTitle")
        self._only = name_widget(QCheckBox(self.tr("Only merges that are not in both")), "onlyLackingBox")
        self._only.toggled.connect(self._show_other_rows)
        self._model: TableModel[_Row] = TableModel(
            theme, _columns(), self, tint=lambda row: "hover" if row.is_lacking else None
        )
        self._ranks: Sequence[int] = ()
        self._table = Table(self._model, "alignedTable", self.tr("Merges side by side"))
        self._table.token_chosen.connect(self.token_chosen)
        self._table.doubleClicked.connect(self._choose_step)
        gapless_column(self, PanelHeader(self._title, self._only), (self._table, 1))
        self._name_columns()

    def _choose_step(self, index: QModelIndex) -> None:
        self.step_chosen.emit(self._ranks[index.row()] + 1)

    def show_merges(self, merges: AlignedMerges | None, names: tuple[str, str], markers: tuple[bool, bool]) -> None:
        """Show these merges of two tokenizers, starting slightly above the first that differs."""
        is_other = merges is not self._merges and not _are_same(merges, self._merges)
        if merges is not self._merges or names != self._names:
            self._merges, self._names, self._markers = merges, names, markers
            self._name_columns()
            self._show_rows()
        self._widen_columns(merges)
        needed = self.tr("Choose two tokenizers in the list, or add another one.")
        self._table.hint = needed if merges is None else self.tr("Their merges are the same.")
        self._title.setText(self._title_text(merges, names))
        if is_other:
            self._go_to_first()

    def _name_columns(self) -> None:
        merge, elsewhere = translate("AlignedModel", "Merge of {name}"), translate("AlignedModel", "Step in {name}")
        first, second = self._names
        self._model.set_title(AlignedColumn.FIRST, merge.format(name=first))
        self._model.set_title(AlignedColumn.FIRST_ELSEWHERE, elsewhere.format(name=second))
        self._model.set_title(AlignedColumn.SECOND, merge.format(name=second))
        self._model.set_title(AlignedColumn.SECOND_ELSEWHERE, elsewhere.format(name=first))

    def _show_rows(self) -> None:
        """Show all steps, or only those with a merge that the other tokenizer never makes."""
        if (merges := self._merges) is None:
            self._ranks = ()
            self._model.show(())
            return
        markers, lacking = self._markers, frozenset(merges.lacking)
        self._ranks = merges.lacking if self._only.isChecked() else range(merges.length)
        self._model.show(LazyRows(self._ranks, lambda rank: _Row(rank, merges, markers, rank in lacking)))

    def _widen_columns(self, merges: AlignedMerges | None) -> None:
        """Make the columns wide enough for the largest step and counts."""
        if merges is None or not merges.length:
            return
        self._table.widen(AlignedColumn.STEP, number(merges.length))
        for column, counts in zip(_COUNTS, merges.counts, strict=True):
            self._table.widen(column, f"×{number(max(counts, default=0))}" if counts is not None else "")
        for column in _ELSEWHERE:
            self._table.widen(column, _step_text(merges.length))

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

    def _show_other_rows(self) -> None:
        self._show_rows()
        self._go_to_first()

    def _go_to_first(self) -> None:
        """Scroll to the first step that differs."""
        if self._merges is not None and self._merges.differing:
            rank = self._merges.differing[0]
            row = self._ranks.index(rank) if rank in self._ranks else 0
            self._table.updateGeometries()  # otherwise new rows could not be scrolled to yet
            self._table.scrollTo(self._model.index(row, 0), Table.ScrollHint.PositionAtCenter)

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to the first step that differs, now that the height is known."""
        super().showEvent(event)
        self._go_to_first()


def _are_same(one: AlignedMerges | None, other: AlignedMerges | None) -> bool:
    """Return whether two alignments differ at the same steps, as when one is remade for another step."""
    return one is not None and other is not None and (one.length, one.differing) == (other.length, other.differing)
