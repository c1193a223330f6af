"""The pair table: the pairs of adjacent symbols at the current step, with the next one to merge first.

The pairs are filtered and sorted with numpy, and looked up in the run only when they are shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from bpe_gui.engine import (
    BoolArray,
    Int32Array,
    Int64Array,
    PairCount,
    TokenPair,
    Trainer,
    TrainingError,
    Veto,
    code_point,
    token_in_sentence,
    token_label,
    veto_of,
)
from bpe_gui.gui.look.qt_constants import ALIGN_CENTER, ASCENDING, DESCENDING
from bpe_gui.gui.look.theme import ColorRole, Theme
from bpe_gui.gui.search.token_filter import TokenFilter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.phrases import number, translate
from bpe_gui.gui.wording.run_texts import pair_text, veto_text

from .table_model import TIE_MARK, Column, NumberColumn, TableModel, quiet, stably_sorted

PAGE_ROWS: Final = 256
"""The number of rows looked up at a time."""

_TOP_ROWS: Final = 1024  # the trainer finds these pairs without sorting; any row after them makes it sort all
_TOOL_TIP_BYTES: Final = 48  # bytes of a token in its tooltip
_VISIBLE_SHARE: Final = 0.005  # of the longest bar, half a pixel
_ROWS_ON_SCREEN: Final = 64


class PairColumn(IntEnum):
    RANK = 0
    LEFT = 1
    RIGHT = 2
    MERGED = 3
    COUNT = 4
    CHANGE = 5
    TIE = 6


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair as the table shows it. `rank` is its position in the order that the recipe prefers, from 1."""

    rank: int
    left: bytes = b""
    right: bytes = b""
    count: int = 0
    change: int = 0
    """How much the last step changed the count."""
    share: float = 0.0
    """The count relative to the largest one."""
    share_before: float = 0.0
    """The share before the last step."""
    share_gone: float = 0.0
    """In the first row, the share of the pair that was there and that the last step merged."""
    is_next: bool = False
    is_next_elsewhere: bool = False
    """Whether the run drawn over this one merges the pair next, unlike this run."""
    winner: TokenPair | None = None
    """The next pair if it ties with others and this pair is one of them, or is the next pair itself."""
    veto: Veto | None = None
    """Why training may not choose the pair; None if it may."""
    chips: tuple[Chips | None, ...] = (None, None, None)
    """The chips of the left, the right and the merged token."""

    @property
    def has_moved(self) -> bool:
        """Whether the last step visibly changed the bar of the pair, or of the one that was there."""
        return self.share_gone > 0 or abs(self.share - self.share_before) > _VISIBLE_SHARE

    @property
    def pair(self) -> TokenPair:
        return self.left, self.right

    @property
    def merged(self) -> bytes:
        """The token that merging the pair makes."""
        return self.left + self.right


_UNREAD: Final = PairRow(0)
"""A row that was not looked up before `freeze`."""


class PairRows:
    """The pairs of a run at one step that match `text`, in the recipe's order or sorted by a column.

    `descending` reverses that order. Rows are read from the trainer page by page until `freeze` is called.
    """

    def __init__(
        self,
        trainer: Trainer,
        text: str = "",
        column: Column[PairRow] | None = None,
        *,
        descending: bool = False,
        before: "PairRows | None" = None,
        has_moved: bool = False,
        elsewhere: TokenPair | None = None,
        hides_next: bool = False,
    ) -> None:
        """Some results of `before` are reused: a plan's vetoes, and unless the run `has_moved`, the order."""
        self._trainer: Trainer | None = trainer
        self._step = trainer, trainer.position
        self._pages: dict[int, Sequence[tuple[int, PairCount]]] = {}
        self._rows: dict[int, PairRow] = {}
        self._changes, self._elsewhere = trainer.changes(), elsewhere
        self._next = None if hides_next else trainer.peek()
        self._plan, self._recipe = trainer.plan, trainer.recipe
        self._has_marker, self._has_vetoes = trainer.recipe.boundary != "none", trainer.has_vetoes
        self._vetoes: dict[TokenPair, Veto | None] = {}
        if before is not None and before._plan is self._plan and before._recipe == self._recipe:
            self._vetoes = before._vetoes
        self._order: Int32Array | None = None  # pair numbers in the recipe's order, once needed
        if before is not None and before._step == self._step and not has_moved:
            self._order = before._order
        self._indices: Int64Array | None = None  # the index in `_order` of each row; None for all of `_order`
        if text or column or descending:
            order = self._whole_order(trainer)
            matches = np.flatnonzero(_matches(trainer, order, text))
            self._indices = _sorted(trainer, order, matches, column, descending)
        self.total = trainer.pair_count
        self._length = self.total if self._indices is None else len(self._indices)
        self.top_count = next((pair.count for pair in trainer.pairs(1)), 0)
        """The count of the most frequent pair."""
        position = trainer.position
        self._top_before = max(trainer.merge_at(position - 1).count, self.top_count) if position else 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, row: int, /) -> PairRow:
        """Return a row; one with rank 0 if it was not looked up before `freeze`."""
        if row not in self._rows:
            if (found := self._look_up(row)) is None:
                return _UNREAD
            self._rows[row] = self._described(*found)
        return self._rows[row]

    def freeze(self) -> None:
        """Stop reading from the trainer; rows not looked up yet stay empty."""
        self._trainer = None

    def find(self, left: bytes, right: bytes) -> int:
        """Return the row of a pair; -1 if it was not found, or after `freeze`.

        In the recipe's order, without a filter, only the first `_TOP_ROWS` rows are searched.
        """
        if self._trainer is None:
            return -1
        if self._indices is None:
            pairs = ((row, self._look_up(row)) for row in range(min(self._length, _TOP_ROWS)))
            return next((row for row, found in pairs if found and (found[1].left, found[1].right) == (left, right)), -1)
        pair = self._trainer.pair_number(left, right)
        rows = np.flatnonzero(self._whole_order(self._trainer)[self._indices] == pair)
        return int(rows[0]) if len(rows) else -1

    def _described(self, rank: int, pair: PairCount) -> PairRow:
        left, right = tokens = pair.left, pair.right
        following = self._next
        is_next = following is not None and tokens == (following.left, following.right)
        veto = self._veto(tokens) if self._has_vetoes else None
        is_tie = following is not None and following.ties > 0 and pair.count == following.count and veto is None
        return PairRow(
            rank,
            *tokens,
            pair.count,
            self._changes.get(tokens, 0),
            pair.count / self.top_count if self.top_count else 0.0,
            (pair.count - self._changes.get(tokens, 0)) / self._top_before if self._top_before else 0.0,
            float(rank == 1 and self._top_before > 0),
            is_next,
            tokens == self._elsewhere and not is_next,
            (following.left, following.right) if following is not None and is_tie else None,
            veto,
            tuple(Chips((token,), self._has_marker, is_ahead=veto is not None) for token in (*tokens, left + right)),
        )

    def _veto(self, pair: TokenPair) -> Veto | None:
        if pair not in self._vetoes:
            try:
                self._vetoes[pair] = veto_of(self._plan, self._recipe, *pair)
            except TrainingError:  # an expression takes too long; the run will end when it gets to such a pair
                self._vetoes[pair] = None
        return self._vetoes[pair]

    def _look_up(self, row: int) -> tuple[int, PairCount] | None:
        page = row // PAGE_ROWS
        if page not in self._pages:
            if self._trainer is None:
                return None
            self._load(self._trainer, page)
        return self._pages[page][row % PAGE_ROWS]

    def _load(self, trainer: Trainer, page: int) -> None:
        start, stop = page * PAGE_ROWS, min((page + 1) * PAGE_ROWS, self._length)
        if self._indices is None and stop <= _TOP_ROWS:
            # Most windows show only the first page; further scrolling gets the other top pages in one go.
            best = trainer.pairs(min(self._length, _TOP_ROWS if page else PAGE_ROWS))
            for first in range(0, len(best), PAGE_ROWS):
                self._pages[first // PAGE_ROWS] = list(enumerate(best[first : first + PAGE_ROWS], first + 1))
            return
        order = self._whole_order(trainer)
        indices = np.arange(start, stop) if self._indices is None else self._indices[start:stop]
        self._pages[page] = list(zip((indices + 1).tolist(), trainer.pairs_of(order[indices]), strict=True))

    def _whole_order(self, trainer: Trainer) -> Int32Array:
        if self._order is None:
            self._order = trainer.pair_order()
        return self._order


class PairModel(TableModel[PairRow]):
    """All pairs of the run, or those that match the filter, in the recipe's order or sorted by a column."""

    refreshed = Signal()
    """The rows now have other pairs."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, pair_columns(), parent, tint=_tint, tool_tip=_veto_tip, selected=_selected_pair)
        self._trainer: Trainer | None = None
        self._elsewhere: TokenPair | None = None
        self._filter = ""
        self._hides_next = False
        self._column, self._order = int(PairColumn.RANK), ASCENDING

    def refresh(self, trainer: Trainer | None, elsewhere: TokenPair | None = None) -> None:
        """Show the pairs of `trainer` at its position; nothing for None. For `elsewhere`, see `mark_elsewhere`."""
        self._trainer, self._elsewhere = trainer, elsewhere
        self.release()
        is_weighted = trainer is not None and trainer.word_counts.weighted
        explanation = translate("PairModel", "Number of occurrences in the corpus")
        if is_weighted:
            explanation = translate("PairModel", "Number of occurrences in the weighted corpus")
        if self.columns[PairColumn.COUNT].explanation != explanation:
            self.set_title(PairColumn.COUNT, self.columns[PairColumn.COUNT].title, explanation)
        self._reload(has_moved=True)

    def mark_elsewhere(self, pair: TokenPair | None) -> None:
        """Mark the pair that the run drawn over this one merges next; None for none."""
        if pair != self._elsewhere:
            self._elsewhere = pair
            if self._trainer is not None:
                self._reload()

    def hide_next(self, hides: bool) -> None:
        """Mark neither the next pair nor those that tie with it, or mark them again."""
        if hides != self._hides_next:
            self._hides_next = hides
            if self._trainer is not None:
                self._reload()

    def hold(self) -> None:
        self._trainer = None
        if self.pairs is not None:
            self.pairs.freeze()
        super().hold()

    def set_filter(self, text: str) -> None:
        """Show only the pairs with `text` in the left, the right or the merged token; see `token_filter`."""
        if text != self._filter:
            self._filter = text
            if self._trainer is not None:
                self._reload()

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        self._column, self._order = column, order
        if self._trainer is not None:
            self._reload()

    @property
    def pairs(self) -> PairRows | None:
        """The rows; None without a run."""
        return self.rows if isinstance(self.rows, PairRows) else None

    def load_screen(self, row: int) -> None:
        """Look up a screen of rows from `row`, so that they are there when `hold` is called."""
        if self.pairs is not None:
            for each in (row, row + _ROWS_ON_SCREEN):
                if 0 <= each < self.rowCount():
                    self.pairs[each]

    def pair_at(self, row: int) -> TokenPair:
        return self.rows[row].pair

    def row_of(self, pair: TokenPair) -> int:
        """Return the row that shows the pair, or -1; in a long table, only the top is searched."""
        return -1 if self.pairs is None else self.pairs.find(*pair)

    @property
    def total(self) -> int:
        """The number of pairs, whether or not they match the filter."""
        return 0 if self.pairs is None else self.pairs.total

    @property
    def top_count(self) -> int:
        return 0 if self.pairs is None else self.pairs.top_count

    @property
    def summary(self) -> str:
        """A phrase with the number of pairs, and of those that match the filter."""
        total = self.total
        if self._filter:
            text = self.tr("{matches} of {pairs} pairs")
        else:
            text = self.tr("1 pair") if total == 1 else self.tr("{pairs} pairs")
        return text.format(matches=number(len(self.rows)), pairs=number(total))

    def _reload(self, *, has_moved: bool = False) -> None:
        trainer = self._trainer
        self.show(() if trainer is None else self._make_rows(trainer, has_moved=has_moved))
        self.refreshed.emit()

    def _make_rows(self, trainer: Trainer, *, has_moved: bool) -> PairRows:
        is_in_order = (self._column, self._order) in ((PairColumn.RANK, ASCENDING), (PairColumn.COUNT, DESCENDING))
        column = None if is_in_order or self._column == PairColumn.RANK else self.columns[self._column]
        descending = self._order == DESCENDING and not is_in_order
        return PairRows(
            trainer,
            self._filter,
            column,
            descending=descending,
            before=self.pairs,
            has_moved=has_moved,
            elsewhere=self._elsewhere,
            hides_next=self._hides_next,
        )


def pair_columns() -> dict[int, Column[PairRow]]:
    return {
        PairColumn.RANK: NumberColumn(
            title=translate("PairModel", "#"),
            explanation=translate("PairModel", "Rank by the rules of the recipe"),
            width=52,
            color=quiet,
            text=lambda row: number(row.rank) if row.rank else "",
            tool_tip=_rank_tip,
        ),
        PairColumn.LEFT: _side_column(
            0, translate("PairModel", "Left"), translate("PairModel", "First symbol of the pair")
        ),
        PairColumn.RIGHT: _side_column(
            1, translate("PairModel", "Right"), translate("PairModel", "Second symbol of the pair")
        ),
        PairColumn.MERGED: Column(
            title=translate("PairModel", "Merged"),
            explanation=translate("PairModel", "Token that the merge makes"),
            font="tokens",
            color=_vetoed,
            text=lambda row: token_label(row.merged),
            chips=lambda row: row.chips[2],
            tool_tip=lambda row: _token_tip(row, row.merged),
            sort_key=lambda run, pairs: [pair.left + pair.right for pair in run.pairs_of(pairs)],
        ),
        PairColumn.COUNT: NumberColumn(
            title=translate("PairModel", "Count"),
            explanation=translate("PairModel", "Number of occurrences in the corpus"),
            width=96,
            color=_vetoed,
            font_of=lambda row: "struck" if row.veto else "numbers",
            text=lambda row: number(row.count) if row.rank else "",
            bar=attrgetter("share"),
            bar_before=attrgetter("share_before"),
            bar_gone=attrgetter("share_gone"),
            spoken=lambda row: f"{number(row.count)}, {_veto_tip(row)}" if row.veto else None,
            largest_first=True,
            sort_key=lambda run, pairs: run.counts_of_pairs(pairs),
        ),
        PairColumn.CHANGE: NumberColumn(
            title=translate("PairModel", "Δ"),
            explanation=translate("PairModel", "Change in count from the last step"),
            width=52,
            shown_from=400,
            color=quiet,
            text=_change_text,
            tool_tip=_change_tip,
            largest_first=True,
            sort_key=_changes_of,
        ),
        PairColumn.TIE: Column(
            title=translate("PairModel", "Tie"),
            explanation=translate("PairModel", "“=”: as frequent as the next pair, so they tie for the next merge"),
            width=36,
            shown_from=360,
            alignment=ALIGN_CENTER,
            color=quiet,
            text=_tie_mark,
            tool_tip=lambda row: _veto_tip(row) or _tie_tip(row),
            spoken=_tie_tip,
            largest_first=True,
            sort_key=_ties_of,
        ),
    }


def _side_column(side: int, title: str, explanation: str) -> Column[PairRow]:
    """Return the column of the left or the right symbols: side 0 or 1."""
    return Column(
        title=title,
        explanation=explanation,
        width=100,
        font="tokens",
        color=_vetoed,
        text=lambda row: token_label(row.pair[side]),
        chips=lambda row: row.chips[side],
        tool_tip=lambda row: _token_tip(row, row.pair[side]),
        selected=lambda row: Selected(row.pair[side]) if row.rank else None,
        sort_key=lambda run, pairs: run.token_ranks()[run.symbols_of_pairs(pairs)[side]],
    )


def _tint(row: PairRow) -> ColorRole | None:
    if row.is_next:
        return "accent_tint"
    return "warning_tint" if row.is_next_elsewhere else None


def _vetoed(row: PairRow) -> ColorRole | None:
    return "quiet" if row.veto else None


def _selected_pair(row: PairRow) -> Selected | None:
    return Selected(row.merged, pair=row.pair) if row.rank else None


def _rank_tip(row: PairRow) -> str | None:
    if row.is_next_elsewhere:
        return "\n".join(filter(None, (translate("PairModel", "the other run merges this pair next"), _veto_tip(row))))
    if row.veto is not None:
        return _veto_tip(row)
    return translate("PairModel", "next pair to merge") if row.is_next else None


def _veto_tip(row: PairRow) -> str | None:
    if row.veto is None:
        return None
    return translate("PairModel", "not merged: {reason}").format(reason=veto_text(row.veto))


def banned_mark() -> str:
    """Return what the column of ties says of a pair that may not be merged."""
    return translate("PairModel", "banned")


def _tie_mark(row: PairRow) -> str:
    if row.veto is not None:
        return banned_mark()
    return TIE_MARK if row.winner else ""


def _tie_tip(row: PairRow) -> str | None:
    if row.winner is None:
        return None
    if row.is_next:
        return translate("PairModel", "wins the tie with pairs of the same count")
    return translate("PairModel", "same count as {pair}, which wins the tie").format(pair=pair_text(row.winner))


def _change_text(row: PairRow) -> str:
    if not row.change:
        return ""
    if row.change == row.count:
        return translate("PairModel", "new")
    return f"{'+' if row.change > 0 else '−'}{number(abs(row.change))}"


def _change_tip(row: PairRow) -> str | None:
    if row.veto is not None or not row.change:
        return _veto_tip(row)
    if row.change == row.count:
        return translate("PairModel", "created by the last step")
    return translate("PairModel", "{before} before the last step, {now} now").format(
        before=number(row.count - row.change), now=number(row.count)
    )


def _token_tip(row: PairRow, token: bytes) -> str:
    characters = token[:_TOOL_TIP_BYTES].decode(errors="surrogateescape")
    lines = [
        token_in_sentence(token[:_TOOL_TIP_BYTES]),
        translate("PairModel", "bytes (hex): {bytes}").format(bytes=token[:_TOOL_TIP_BYTES].hex(" ")),
        translate("PairModel", "code points: {points}").format(points=" ".join(map(code_point, characters))),
    ]
    if len(token) > _TOOL_TIP_BYTES:
        lines.append(translate("PairModel", "… ({bytes} bytes in total)").format(bytes=number(len(token))))
    return "\n".join(filter(None, (_veto_tip(row), *lines)))


def _changes_of(run: Trainer, pairs: Int32Array) -> Int64Array:
    changes = run.changes_by_number()
    return np.fromiter((changes.get(pair, 0) for pair in pairs.tolist()), np.int64, len(pairs))


def _ties_of(run: Trainer, pairs: Int32Array) -> Int32Array:
    following = run.peek()
    if following is None or not following.ties:
        return np.zeros(len(pairs), np.int32)
    return np.asarray(run.counts_of_pairs(pairs) == following.count, np.int32)


def _sorted(
    trainer: Trainer, order: Int32Array, indices: Int64Array, column: Column[Any] | None, descending: bool
) -> Int64Array:
    """Return `indices` into `order`, sorted; equal pairs stay in the recipe's order in either direction."""
    if column is None or column.sort_key is None:
        return indices[::-1] if descending else indices
    return stably_sorted(indices, column.sort_key(trainer, order[indices]), descending)


def _matches(trainer: Trainer, order: Int32Array, text: str) -> BoolArray:
    """Return for each pair whether either token, or the one they merge into, matches `text`."""
    if not text:
        return np.ones(len(order), np.bool_)
    wanted, tokens = TokenFilter.of(text), trainer.tokens
    lefts, rights = trainer.symbols_of_pairs(order)
    if wanted.pair is not None:
        left, right = wanted.parts_of_pairs(tokens)
        both: BoolArray = left[lefts] & right[rights]
        return both
    inside = wanted.in_tokens(tokens)
    found: BoolArray = inside[lefts] | inside[rights]
    may_span = np.flatnonzero(_may_span(wanted, tokens, lefts, rights) & ~found)
    pairs = zip(lefts[may_span].tolist(), rights[may_span].tolist(), strict=True)
    found[may_span] = wanted.in_tokens([tokens[left] + tokens[right] for left, right in pairs])
    return found


def _may_span(wanted: TokenFilter, tokens: list[bytes], lefts: Int32Array, rights: Int32Array) -> BoolArray:
    """Return for each pair whether a match may span the boundary of its tokens, judging by the bytes next to it."""
    follows = np.zeros(1 << 16, np.bool_)
    follows[list(wanted.inner_pairs)] = True
    last_bytes = np.fromiter((token[-1] for token in tokens), np.int32, len(tokens))
    first_bytes = np.fromiter((token[0] for token in tokens), np.int32, len(tokens))
    return np.take(follows, (last_bytes[lefts] << 8) | first_bytes[rights])
