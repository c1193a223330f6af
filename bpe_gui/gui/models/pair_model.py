"""The pair table: the pairs of adjacent symbols at the present step, the one to be merged next first."""

from enum import IntEnum
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QBrush, QFont

from bpe_gui.engine import Merge, PairCount, Plan, Trainer, TrainingError
from bpe_gui.engine.runtime import Int32Array, Int64Array, code_point, token_in_sentence, token_label
from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.engine.training import Veto
from bpe_gui.gui.look.qt_constants import (
    ACCESSIBLE_TEXT_ROLE,
    ALIGN_CENTER,
    ALIGN_RIGHT,
    ASCENDING,
    BACKGROUND_ROLE,
    DESCENDING,
    DISPLAY_ROLE,
    FONT_ROLE,
    FOREGROUND_ROLE,
    INITIAL_SORT_ORDER_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.wording.plan_texts import veto_text

from .pair_rows import PairRows, SortKey
from .roles import ACCENT_ROLE, BAR_ROLE, CHIPS_ROLE, MARK_ROLE, TOKEN_ROLE, Answers, Chips
from .table_model import TIE_MARK, TableModel

_TOOL_TIP_BYTES: Final = 48  # the bytes of a token that its tooltip shows
_ROWS_ON_SCREEN: Final = 64


class PairColumn(IntEnum):
    """The columns of the pair table."""

    RANK = 0
    LEFT = 1
    RIGHT = 2
    MERGED = 3
    COUNT = 4
    CHANGE = 5
    TIE = 6


_RANK, _LEFT, _MERGED = int(PairColumn.RANK), int(PairColumn.LEFT), int(PairColumn.MERGED)
_COUNT, _CHANGE, _TIE = int(PairColumn.COUNT), int(PairColumn.CHANGE), int(PairColumn.TIE)
_ALIGNMENTS: Final = {_RANK: ALIGN_RIGHT, _COUNT: ALIGN_RIGHT, _CHANGE: ALIGN_RIGHT, _TIE: ALIGN_CENTER}
_UNKNOWN_ROW: Final = (0, PairCount(b"", b"", 0))
_LARGEST_FIRST: Final = frozenset({_COUNT, _CHANGE, _TIE})


class PairModel(TableModel):
    """All pairs of the run, or those that match the filter, in the recipe's order or sorted by a column."""

    refreshed = Signal()
    """The rows hold other pairs, for whatever reason."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._trainer: Trainer | None = None
        self.rows: PairRows | tuple[()] = ()
        self._next: Merge | None = None
        self._plan = Plan()
        self._has_vetoes = False
        self._vetoes: dict[TokenPair, Veto | None] = {}
        self._changes: dict[TokenPair, int] = {}
        self._top_count = 0
        self._has_marker = False
        self._filter = ""
        self._column = _RANK
        self._order = ASCENDING
        self.alignments = _ALIGNMENTS
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: self._font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: _ALIGNMENTS.get(column),
            FOREGROUND_ROLE: self._foreground,
            BACKGROUND_ROLE: lambda row, column: self._tint if self._is_next(row) else None,
            TOOL_TIP_ROLE: self._tool_tip,
            ACCESSIBLE_TEXT_ROLE: self._accessible_text,
            ACCENT_ROLE: lambda row, column: self._is_next(row),
            BAR_ROLE: self._bar_length,
            MARK_ROLE: self._is_marked,
            TOKEN_ROLE: self._selected,
            CHIPS_ROLE: self._chips,
        }

    # -- contents ---------------------------------------------------------------------------------------------------

    def refresh(self, trainer: Trainer | None) -> None:
        """Show the pairs of `trainer` at its position; none for None."""
        self._trainer = trainer
        self._release()
        self._reload()

    def hold(self) -> None:
        self._trainer = None
        if isinstance(self.rows, PairRows):
            self.rows.freeze()
        super().hold()

    def set_filter(self, text: str) -> None:
        """Show only the pairs with `text` in the left, the right or the merged token; see `token_filter`."""
        if text != self._filter:
            self._filter = text
            self._reload_if_live()

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        self._column, self._order = column, order
        self._reload_if_live()

    def load_screen(self, row: int) -> None:
        """Look up the rows of a screen from `row` on, to have them when `hold` is called."""
        for each in (row, row + _ROWS_ON_SCREEN):
            if 0 <= each < self._length:
                self._row(each)

    @property
    def top_count(self) -> int:
        """The count of the most frequent pair."""
        return self._top_count

    def pair_at(self, row: int) -> TokenPair:
        """Return the tokens of the pair in a row."""
        pair = self._row(row)[1]
        return pair.left, pair.right

    def row_of(self, pair: TokenPair) -> int:
        """Return the row that shows the pair, or -1; of a long table, only the top is searched."""
        return self.rows.find(*pair) if isinstance(self.rows, PairRows) else -1

    def _row(self, row: int) -> tuple[int, PairCount]:
        """Return the rank and the pair of a row; rank 0 while the run is held, if the row was not looked up before."""
        found = self.rows.row(row) if isinstance(self.rows, PairRows) else None
        return found or _UNKNOWN_ROW

    @property
    def total(self) -> int:
        """The number of pairs, whether or not they match the filter."""
        return self.rows.total if isinstance(self.rows, PairRows) else 0

    @property
    def summary(self) -> str:
        """A phrase with the number of pairs, and of those that match the filter."""
        pairs = self.total
        if self._filter:
            text = self.tr("{matches} of {pairs} pairs")
        else:
            text = self.tr("1 pair") if pairs == 1 else self.tr("{pairs} pairs")
        return text.format(matches=number(len(self.rows)), pairs=number(pairs))

    def _reload_if_live(self) -> None:
        if self._trainer is not None:
            self._reload(self.rows if isinstance(self.rows, PairRows) else None)

    def _reload(self, before: PairRows | None = None) -> None:
        """Look up the rows again; those of `before` may have been sorted at the same step."""
        trainer = self._trainer
        self._changes = trainer.changes() if trainer else {}
        self._has_marker = trainer is not None and trainer.recipe.boundary != "none"
        self._next = trainer.peek() if trainer else None
        plan = trainer.plan if trainer else Plan()
        if plan is not self._plan:
            self._plan, self._has_vetoes, self._vetoes = plan, plan.has_vetoes, {}
        self._top_count = next((pair.count for pair in trainer.pairs(1)), 0) if trainer else 0
        self._replace_rows(self._make_rows(trainer, before) if trainer else ())
        self.refreshed.emit()

    def _make_rows(self, trainer: Trainer, before: PairRows | None) -> PairRows:
        is_in_order = (self._column, self._order) in ((_RANK, ASCENDING), (_COUNT, DESCENDING))
        key = None if self._column == _RANK or is_in_order else self._sort_key()
        return PairRows(trainer, self._filter, key, self._order == DESCENDING and not is_in_order, before)

    def _sort_key(self) -> SortKey:
        return {
            PairColumn.LEFT: lambda trainer, pairs: trainer.token_ranks()[trainer.symbols_of_pairs(pairs)[0]],
            PairColumn.RIGHT: lambda trainer, pairs: trainer.token_ranks()[trainer.symbols_of_pairs(pairs)[1]],
            PairColumn.MERGED: lambda trainer, pairs: [pair.left + pair.right for pair in trainer.pairs_of(pairs)],
            PairColumn.COUNT: lambda trainer, pairs: trainer.counts_of_pairs(pairs),
            PairColumn.CHANGE: _changes_of,
            PairColumn.TIE: self._ties_of,
        }[PairColumn(self._column)]

    def _ties_of(self, trainer: Trainer, pairs: Int32Array) -> Int32Array:
        if self._next is None:
            return np.zeros(len(pairs), np.int32)
        is_next = pairs == trainer.pair_number(self._next.left, self._next.right)
        return np.asarray((trainer.counts_of_pairs(pairs) == self._next.count) & ~is_next, np.int32)

    # -- data and headers -------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY_ROLE) -> Any:
        if role == INITIAL_SORT_ORDER_ROLE:
            return DESCENDING if section in _LARGEST_FIRST else ASCENDING
        if role == TOOL_TIP_ROLE and section == PairColumn.COUNT and self._is_weighted:
            return self.tr("Number of occurrences in the weighted corpus")
        return super().headerData(section, orientation, role)

    @property
    def _is_weighted(self) -> bool:
        return self._trainer is not None and self._trainer.word_counts.weighted

    def _apply_theme(self) -> None:
        self.titles = (
            self.tr("#"), self.tr("Left"), self.tr("Right"), self.tr("Merged"), self.tr("Count"), self.tr("Δ"),
            self.tr("Tie"),
        )  # fmt: skip
        self.title_tool_tips = (
            self.tr("Rank by the rules of the recipe"),
            self.tr("First symbol of the pair"),
            self.tr("Second symbol of the pair"),
            self.tr("Token that the merge makes"),
            self.tr("Number of occurrences in the corpus"),
            self.tr("Change in count from the last step"),
            self.tr("Whether the next pair has the same count"),
        )
        self._token_font = self._theme.token_font()
        self._number_font = self._theme.number_font()
        self._struck_font = QFont(self._number_font)
        self._struck_font.setStrikeOut(True)
        self._quiet = QBrush(self._theme.color("quiet"))
        self._tint = QBrush(self._theme.color("accent_tint"))
        self._emit_changed(0, self._length - 1)

    def _is_next(self, row: int) -> bool:
        if self._next is None:
            return False
        pair = self._row(row)[1]
        return (pair.left, pair.right) == (self._next.left, self._next.right)

    def _veto(self, pair: PairCount) -> Veto | None:
        """Return why training may not choose a pair; None if it may."""
        if not self._has_vetoes:
            return None
        key = pair.left, pair.right
        if key not in self._vetoes:
            try:
                self._vetoes[key] = self._plan.veto_of(*key) if pair.left else None
            except TrainingError:  # an expression takes too long, which ends the run where it comes to such a pair
                self._vetoes[key] = None
        return self._vetoes[key]

    def _is_vetoed(self, row: int) -> bool:
        return self._has_vetoes and self._veto(self._row(row)[1]) is not None

    def _foreground(self, row: int, column: int) -> QBrush | None:
        return self._quiet if column in (_RANK, _CHANGE, _TIE) or self._is_vetoed(row) else None

    def _is_marked(self, row: int, column: int) -> bool:
        is_token = self.marked is not None and _LEFT <= column <= _MERGED
        return is_token and _token(self._row(row)[1], column) == self.marked

    def _selected(self, row: int, column: int) -> Selected | None:
        rank, pair = self._row(row)
        if not rank:
            return None
        if _LEFT <= column < _MERGED:
            return Selected(_token(pair, column))
        return Selected(pair.left + pair.right, pair=(pair.left, pair.right))

    def _bar_length(self, row: int, column: int) -> float:
        return self._row(row)[1].count / self._top_count if self._top_count else 0.0

    def _is_tie(self, rank: int, pair: PairCount) -> bool:
        merge = self._next
        is_other = merge is not None and (pair.left, pair.right) != (merge.left, merge.right)
        return merge is not None and is_other and pair.count == merge.count and self._veto(pair) is None

    def _font(self, row: int, column: int) -> Any:
        if _LEFT <= column <= _MERGED:
            return self._token_font
        return self._struck_font if column == _COUNT and self._is_vetoed(row) else self._number_font

    def _text(self, row: int, column: int) -> str:
        rank, pair = self._row(row)
        if not rank:
            return ""
        if column == _COUNT:
            return number(pair.count)
        if column == _CHANGE:
            return self._change_text(pair)
        if column == _RANK:
            return number(rank)
        if column == _TIE:
            return TIE_MARK if self._is_tie(rank, pair) else ""
        return token_label(_token(pair, column))

    def _chips(self, row: int, column: int) -> Chips | None:
        rank, pair = self._row(row)
        if not rank or not _LEFT <= column <= _MERGED:
            return None
        return Chips((_token(pair, column),), self._has_marker, is_ahead=self._is_vetoed(row))

    def _change_text(self, pair: PairCount) -> str:
        change = self._changes.get((pair.left, pair.right), 0)
        if not change:
            return ""
        if change == pair.count:
            return self.tr("new")
        return f"{'+' if change > 0 else '−'}{number(abs(change))}"

    def _tool_tip(self, row: int, column: int) -> str | None:
        rank, pair = self._row(row)
        veto = self._veto(pair)
        if _LEFT <= column <= _MERGED:
            text = self._token_tool_tip(_token(pair, column))
            return text if veto is None else f"{self._veto_text(veto)}\n{text}"
        if veto is not None:
            return self._veto_text(veto)
        if column == _CHANGE:
            return self._change_tool_tip(pair)
        if column == _TIE and self._is_tie(rank, pair):
            return self.tr("same count as the next pair")
        if column == _RANK and self._is_next(row):
            return self.tr("next pair to merge")
        return None

    def _veto_text(self, veto: Veto) -> str:
        return self.tr("not merged: {reason}").format(reason=veto_text(veto))

    def _change_tool_tip(self, pair: PairCount) -> str | None:
        change = self._changes.get((pair.left, pair.right), 0)
        if not change:
            return None
        if change == pair.count:
            return self.tr("created by the last step")
        return self.tr("{before} before the last step, {now} now").format(
            before=number(pair.count - change), now=number(pair.count)
        )

    def _token_tool_tip(self, token: bytes) -> str:
        characters = token[:_TOOL_TIP_BYTES].decode(errors="surrogateescape")
        lines = [
            token_in_sentence(token[:_TOOL_TIP_BYTES]),
            self.tr("bytes (hex): {bytes}").format(bytes=token[:_TOOL_TIP_BYTES].hex(" ")),
            self.tr("code points: {points}").format(points=" ".join(map(code_point, characters))),
        ]
        if len(token) > _TOOL_TIP_BYTES:
            lines.append(self.tr("… ({bytes} bytes in total)").format(bytes=number(len(token))))
        return "\n".join(lines)

    def _accessible_text(self, row: int, column: int) -> str | None:
        if column == _TIE and self._is_tie(*self._row(row)):
            return self.tr("same count as the next pair")
        if column == _COUNT and (veto := self._veto(self._row(row)[1])) is not None:
            return f"{self._text(row, column)}, {self._veto_text(veto)}"
        return None


def _changes_of(trainer: Trainer, pairs: Int32Array) -> Int64Array:
    changes = trainer.changes_by_number()
    return np.fromiter((changes.get(pair, 0) for pair in pairs.tolist()), np.int64, len(pairs))


def _token(pair: PairCount, column: int) -> bytes:
    if column == _MERGED:
        return pair.left + pair.right
    return pair.left if column == _LEFT else pair.right
