"""The list of merges: past ones in full colour, future ones greyed; either all, or those that match a text."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtCore import QObject

from bpe_gui.engine import Int64Array, Merge, Tokenizer, Trainer, token_in_sentence
from bpe_gui.gui.look.qt_constants import ALIGN_CENTER
from bpe_gui.gui.look.theme import ColorRole, Theme
from bpe_gui.gui.search.token_filter import TokenFilter, never_merged
from bpe_gui.gui.session.cursor import Steps
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.phrases import number, translate
from bpe_gui.gui.wording.run_texts import pruned_texts, turn_text

from .table_model import TIE_MARK, Column, FontName, NumberColumn, TableModel, quiet

_CACHED_MERGES: Final = 256  # slightly more than fit on a screen


class MergeColumn(IntEnum):
    STEP = 0
    MERGE = 1
    COUNT = 2
    TIE = 3


@dataclass(frozen=True, slots=True)
class MergeFilter:
    """Which merges to show: those that match a text (see `token_filter`), or of these, those of one kind."""

    text: str = ""
    only_never: bool = False
    """Only merges whose pairs never occurred in the corpus."""
    only_ties: bool = False
    """Only merges whose pairs were as frequent as others."""

    def __bool__(self) -> bool:
        return self != MergeFilter()

    def ranks(self, steps: Steps, length: int, first: int = 0) -> list[int]:
        """Return the ranks of the merges to show, from `first` up to, but not including, `length`."""
        tokenizer = steps.tokenizer(length)
        ranks = matching_ranks(tokenizer, self.text, first) if self.text else [*range(first, length)]
        if self.only_never:
            never = never_merged(tokenizer)
            ranks = [rank for rank in ranks if never[rank]]
        if self.only_ties:
            ties = ties_of(steps)
            ranks = [rank for rank in ranks if ties[rank]]
        return ranks


def ties_of(steps: Steps | None) -> Int64Array:
    """Return how many other pairs were as frequent as that of each known merge; empty if that is unknown."""
    return steps.ties if isinstance(steps, Trainer) else np.empty(0, np.int64)


def has_never(steps: Steps | None) -> bool:
    """Return whether there are merges whose pairs never occurred in the corpus."""
    counts = None if steps is None else steps.counts
    return counts is not None and bool(np.any(counts == 0))


def matching_ranks(tokenizer: Tokenizer, text: str, first: int = 0) -> list[int]:
    r"""Return the ranks, from `first` up, of the merges that match `text`; see `token_filter`.

    The text is searched in the left, the right and the merged token; an id is that of the merged token.
    """
    wanted, merges = TokenFilter.of(text), tokenizer.merges[first:]
    if wanted.pair is not None:
        return (np.flatnonzero(wanted.in_pairs(merges)) + first).tolist()
    prefix_size = tokenizer.store.prefix_size
    found = wanted.in_tokens([left + right[prefix_size:] for left, right in merges])
    if prefix_size:  # otherwise the right token is part of the merged one
        found |= wanted.in_tokens([right for _left, right in merges])
    rank = None if wanted.number is None else tokenizer.rank(wanted.number)
    if rank is not None and rank >= first:
        found[rank - first] = True
    return (np.flatnonzero(found) + first).tolist()


@dataclass(frozen=True, slots=True)
class MergeRow:
    """A merge as the table shows it, relative to the cursor."""

    merge: Merge
    rows: "MergeRows"
    is_current: bool
    """Whether it was the last merge done; among ties, whether it is the next one."""
    is_ahead: bool


class MergeRows:
    """The merges with these ranks, from 0, relative to a position of the cursor."""

    def __init__(self, steps: Steps) -> None:
        self.steps: Final = steps
        self.ranks: Sequence[int] = ()
        self.position = 0
        self.distance = 1
        """How far after a merge's rank its step is: among ties, it is the step before, where the tied pairs are."""
        self.has_counts = steps.counts is not None
        self.has_marker = steps.tokenizer(0).recipe.boundary != "none"
        self._merge_at = lru_cache(_CACHED_MERGES)(steps.merge_at)

    def __len__(self) -> int:
        return len(self.ranks)

    def __getitem__(self, row: int, /) -> MergeRow:
        rank = self.ranks[row]
        step = rank + self.distance
        return MergeRow(self._merge_at(rank), self, step == self.position, step > self.position)


class MergeModel(TableModel[MergeRow]):
    """The merges of a run, one per row: the step from position `rank` to `rank + 1`.

    Rows are added as the run grows; the model is reset only for a different run.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, merge_columns(), parent, tint=_tint, tool_tip=_tool_tip, selected=_selected)
        self._merges: MergeRows | None = None
        self._filter = MergeFilter()
        self._run_length = 0  # as far as it is shown
        self._done = 0  # the number of rows before the position
        self.current_row = -1
        """The row of the current step; -1 at the start, or if the filter hides it."""

    def refresh(self, steps: Steps | None, wanted: MergeFilter = MergeFilter(), *, hides_ahead: bool = False) -> None:
        """Show the merges of `steps` that a filter wants, or nothing for None; with `hides_ahead`, those done."""
        self.release()
        merges = self._merges
        if steps is not (None if merges is None else merges.steps):
            self._run_length = self._done = 0
            self.current_row = -1
            self._merges = merges = None if steps is None else MergeRows(steps)
            self.reset(() if merges is None else merges)
        if merges is not None:
            length = merges.steps.position if hides_ahead else merges.steps.run_length
            merges.distance = 0 if wanted.only_ties else 1
            self._update_rows(merges, wanted, length)
            self._move_to(merges, merges.steps.position)

    def ids_and_sizes(self, rows: Sequence[int]) -> tuple[Int64Array, Int64Array]:
        """Return the ids that the tokens made in some rows have at the position, and their sizes in bytes."""
        assert self._merges is not None  # there are rows
        steps, ranks = self._merges.steps, self._merges.ranks
        store, merges = steps.tokenizer().store, steps.tokenizer(steps.run_length).merges
        tokens = [left + right[store.prefix_size :] for left, right in (merges[ranks[row]] for row in rows)]
        ids = [store.ids.get(token, -1) for token in tokens]
        return np.array(ids, np.int64), np.fromiter(map(len, tokens), np.int64, len(tokens))

    def rank_of(self, row: int) -> int:
        """Return the rank of the merge in a row."""
        assert self._merges is not None  # there are rows
        return self._merges.ranks[row]

    def position_of(self, row: int) -> int:
        """Return the step of a row: after the merge, or before it among ties."""
        assert self._merges is not None  # there are rows
        return self._merges.ranks[row] + self._merges.distance

    def _update_rows(self, merges: MergeRows, wanted: MergeFilter, length: int) -> None:
        steps = merges.steps
        if wanted != self._filter or length < self._run_length:
            ranks = wanted.ranks(steps, length) if wanted else range(length)
            self.show_first(min(self.rowCount(), len(ranks)))
            merges.ranks = ranks
            self.rows_changed()
        elif length == self._run_length:
            return
        elif wanted:  # search only the new merges
            merges.ranks = [*merges.ranks, *wanted.ranks(steps, length, self._run_length)]
        else:
            merges.ranks = range(length)
        self.show_first(len(merges.ranks))
        self._run_length, self._filter = length, wanted

    def _move_to(self, merges: MergeRows, position: int) -> None:
        before, self._done = self._done, bisect_left(merges.ranks, position + 1 - merges.distance)
        is_shown = self._done > 0 and merges.ranks[self._done - 1] == position - merges.distance
        self.current_row = self._done - 1 if is_shown else -1
        if position != merges.position:
            merges.position = position
            self.rows_changed(max(0, min(before, self._done) - 1), max(before, self._done) - 1)


def merge_columns() -> dict[int, Column[MergeRow]]:
    return {
        MergeColumn.STEP: NumberColumn(
            title=translate("MergeModel", "Step"),
            width=32,
            font_of=_font,
            color=lambda row: None if row.is_current else "quiet",
            text=lambda row: number(row.merge.rank + 1),
        ),
        MergeColumn.MERGE: Column(
            title=translate("MergeModel", "Merge"),
            font="tokens",
            color=_color,
            text=_merge_text,
            chips=_chips,
        ),
        MergeColumn.COUNT: NumberColumn(
            title=translate("MergeModel", "Count"),
            width=40,
            shown_from=210,
            font_of=_font,
            color=_color,
            text=_count_text,
        ),
        MergeColumn.TIE: Column(
            title=translate("MergeModel", "Tie"),
            width=24,
            shown_from=256,
            alignment=ALIGN_CENTER,
            font_of=_font,
            color=quiet,
            text=lambda row: tie_mark(row.merge.ties, counts=not row.rows.distance),
            spoken=lambda row: _tie_text(row.merge),
        ),
    }


def tie_mark(ties: int, *, counts: bool) -> str:
    """Return the mark of a merge that tied with so many others, or nothing; with their number if it `counts` them."""
    return f"{TIE_MARK}{number(ties)}" if ties and counts else TIE_MARK if ties else ""


def _tint(row: MergeRow) -> ColorRole | None:
    return "accent_tint" if row.is_current else None


def _font(row: MergeRow) -> FontName:
    return "bold" if row.is_current else "numbers"


def _color(row: MergeRow) -> ColorRole | None:
    return "quiet" if row.is_ahead else None


def _selected(row: MergeRow) -> Selected:
    return Selected(row.merge.token)


def _chips(row: MergeRow) -> Chips:
    merge = row.merge
    return Chips((merge.left, merge.right, merge.token), row.rows.has_marker, is_ahead=row.is_ahead)


def _merge_text(row: MergeRow) -> str:
    left, right, token = map(token_in_sentence, (row.merge.left, row.merge.right, row.merge.token))
    return f"{left} + {right} → {token}"


def _count_text(row: MergeRow) -> str:
    return f"×{number(row.merge.count)}" if row.rows.has_counts else ""


def _tool_tip(row: MergeRow) -> str:
    merge, step = row.merge, row.merge.rank + 1
    line = f"{number(step)}  {_merge_text(row)}  {_count_text(row)}".rstrip()
    steps = row.rows.steps
    token_id = steps.tokenizer(max(step, row.rows.position)).token_id(merge.token)  # where sorted, they change
    id_text = "" if token_id is None else translate("MergeModel", "id {id}").format(id=token_id)
    facts = line, id_text, _plan_text(steps, merge), _tie_text(merge)
    return "\n".join([*filter(None, facts), *pruned_texts(steps.pruned(step), step)])


def _plan_text(steps: Steps, merge: Merge) -> str:
    """Return whether the run's plan prescribed a merge, or whose turn it was and why."""
    if not isinstance(steps, Trainer):
        return ""
    if not steps.is_given(merge.rank):
        return turn_text(steps.turns, merge.rank) if steps.turns else ""
    if merge.rank < len(steps.plan.replay):
        return translate("MergeModel", "replayed by the plan")
    return translate("MergeModel", "chosen by you")


def _tie_text(merge: Merge) -> str:
    if not merge.ties:
        return ""
    if merge.ties == 1:
        return translate("MergeModel", "1 other pair had the same count")
    return translate("MergeModel", "{ties} other pairs had the same count").format(ties=number(merge.ties))
