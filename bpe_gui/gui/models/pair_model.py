"""The pair table: the pairs that stand side by side now, the one that comes next first."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QBrush

from bpe_gui.engine import Merge, PairCount, Trainer, visible
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.tables.cell_delegates import ACCENT_ROLE, BAR_ROLE

from bpe_gui.gui.models.pair_rows import Numbers, PairRows
from bpe_gui.gui.models.table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    BACKGROUND,
    CENTER,
    DISPLAY,
    FONT,
    FOREGROUND,
    RIGHT,
    SORT_ORDER,
    TIE_MARK,
    TOOL_TIP,
    Pair,
    TableModel,
)

_ASCENDING: Final = Qt.SortOrder.AscendingOrder
_DESCENDING: Final = Qt.SortOrder.DescendingOrder
_MOST_BYTES: Final = 48  # in a tooltip


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
_ALIGNMENTS: Final = {_RANK: RIGHT, _COUNT: RIGHT, _CHANGE: RIGHT, _TIE: CENTER}
_ON_SCREEN: Final = 64
_UNSEEN: Final = (0, PairCount(b"", b"", 0))
_LARGEST_FIRST: Final = frozenset({_COUNT, _CHANGE, _TIE})


class PairModel(TableModel):
    """All pairs in the trainer's order, or those that match the filter, or sorted otherwise.

    `refreshed` says that the rows hold other pairs, whatever the reason.
    """

    refreshed = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._trainer: Trainer | None = None
        self.rows: PairRows | tuple[()] = ()
        self._next: Merge | None = None
        self._changes: dict[Pair, int] = {}
        self._top_count = 0
        self._filter = ""
        self._column = _RANK
        self._order = _ASCENDING
        self.alignments = _ALIGNMENTS
        self.answers = {
            DISPLAY: self._text,
            FONT: self._font,
            ALIGNMENT: lambda row, column: _ALIGNMENTS.get(column),
            FOREGROUND: lambda row, column: self._quiet if column in (_RANK, _CHANGE, _TIE) else None,
            BACKGROUND: lambda row, column: self._tint if self._is_next(row) else None,
            TOOL_TIP: self._tool_tip,
            ACCESSIBLE: self._spoken,
            ACCENT_ROLE: lambda row, column: self._is_next(row),
            BAR_ROLE: self._share,
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    # -- what is shown ----------------------------------------------------------------------------------------------

    def refresh(self, trainer: Trainer | None) -> None:
        """Show the pairs as they are now; None where there is no run."""
        self._trainer = trainer
        self._release()
        self._reload()

    def hold(self) -> None:
        self._trainer = None
        if isinstance(self.rows, PairRows):
            self.rows.freeze()
        super().hold()

    def set_filter(self, text: str) -> None:
        """Show only pairs with `text` in the left, the right or the merged token, as they are written or shown."""
        if text != self._filter:
            self._filter = text
            self._reload_if_live()

    def sort(self, column: int, order: Qt.SortOrder = _ASCENDING) -> None:
        self._column, self._order = column, order
        self._reload_if_live()

    def look_at(self, row: int) -> None:
        """Take down the rows from this one on, as many as a window shows: soon the run may be left alone."""
        for seen in (row, row + _ON_SCREEN):
            if 0 <= seen < self._length:
                self._row(seen)

    def pair_at(self, row: int) -> Pair:
        """The tokens of the pair in a row."""
        pair = self._row(row)[1]
        return pair.left, pair.right

    def row_of(self, pair: Pair) -> int:
        """The row that shows the pair, or -1; far down in a long table it is not looked for."""
        return self.rows.find(*pair) if isinstance(self.rows, PairRows) else -1

    def _row(self, row: int) -> tuple[int, PairCount]:
        """The rank and the pair of a row; while training goes on, nothing where nobody looked before."""
        found = self.rows.row(row) if isinstance(self.rows, PairRows) else None
        return found or _UNSEEN

    @property
    def summary(self) -> str:
        """How many pairs there are, and how many of them are shown."""
        pairs = self.rows.total if isinstance(self.rows, PairRows) else 0
        if self._filter:
            text = self.tr("{matches} of {pairs} pairs match")
        else:
            text = self.tr("1 pair") if pairs == 1 else self.tr("{pairs} pairs")
        return text.format(matches=number(len(self.rows)), pairs=number(pairs))

    def _reload_if_live(self) -> None:
        if self._trainer is not None:
            self._reload()

    def _reload(self) -> None:
        trainer = self._trainer
        self._changes = trainer.changes() if trainer else {}
        self._next = trainer.peek() if trainer else None
        self._top_count = next((pair.count for pair in trainer.pairs(1)), 0) if trainer else 0
        self._show(self._wanted_rows(trainer) if trainer else ())
        self.refreshed.emit()

    def _wanted_rows(self, trainer: Trainer) -> PairRows:
        in_order = (self._column, self._order) in ((_RANK, _ASCENDING), (_COUNT, _DESCENDING))
        key = None if self._column == _RANK or in_order else self._sort_key()
        return PairRows(trainer, self._filter, key, self._order == _DESCENDING and not in_order)

    def _sort_key(self) -> Callable[[Trainer, Numbers], Any]:
        """What the sorted column holds."""
        return {
            PairColumn.LEFT: lambda trainer, pairs: trainer.token_ranks()[trainer.symbols_of_pairs(pairs)[0]],
            PairColumn.RIGHT: lambda trainer, pairs: trainer.token_ranks()[trainer.symbols_of_pairs(pairs)[1]],
            PairColumn.MERGED: lambda trainer, pairs: [pair.left + pair.right for pair in trainer.pairs_of(pairs)],
            PairColumn.COUNT: lambda trainer, pairs: trainer.counts_of_pairs(pairs),
            PairColumn.CHANGE: _changes_of,
            PairColumn.TIE: self._ties_of,
        }[PairColumn(self._column)]

    def _ties_of(self, trainer: Trainer, pairs: Numbers) -> Numbers:
        if self._next is None:
            return np.zeros(len(pairs), np.int32)
        is_next = pairs == trainer.pair_number(self._next.left, self._next.right)
        return np.asarray((trainer.counts_of_pairs(pairs) == self._next.count) & ~is_next, np.int32)

    # -- what views ask ---------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        if role == SORT_ORDER:
            return _DESCENDING if section in _LARGEST_FIRST else _ASCENDING
        if role == TOOL_TIP:
            return self._title_tips[section]
        return super().headerData(section, orientation, role)

    def _take_looks(self) -> None:
        self.titles = (
            self.tr("#"), self.tr("Left"), self.tr("Right"), self.tr("Merged"), self.tr("Count"), self.tr("Δ"),
            self.tr("Tie"),
        )  # fmt: skip
        self._title_tips = (
            self.tr("The order in which the recipe prefers the pairs"),
            self.tr("The symbol on the left"),
            self.tr("The symbol on the right"),
            self.tr("The token that merging them makes"),
            self.tr("How often the pair occurs in the corpus"),
            self.tr("How the last step changed the count"),
            self.tr("Whether the pair occurs as often as the next one"),
        )
        self._token_font = self._theme.token_font()
        self._number_font = self._theme.number_font()
        self._quiet = QBrush(self._theme.color("quiet"))
        self._tint = QBrush(self._theme.color("accent_tint"))
        self._say_changed(0, self._length - 1)

    def _is_next(self, row: int) -> bool:
        return self._next is not None and self._row(row)[0] == 1

    def _share(self, row: int, column: int) -> float:
        return self._row(row)[1].count / self._top_count if self._top_count else 0.0

    def _is_tie(self, rank: int, pair: PairCount) -> bool:
        return self._next is not None and rank != 1 and pair.count == self._next.count

    def _font(self, row: int, column: int) -> Any:
        return self._token_font if _LEFT <= column <= _MERGED else self._number_font

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
        return visible(_token(pair, column))

    def _change_text(self, pair: PairCount) -> str:
        change = self._changes.get((pair.left, pair.right), 0)
        if not change:
            return ""
        if change == pair.count:
            return self.tr("new")
        return f"{'+' if change > 0 else '−'}{number(abs(change))}"

    def _tool_tip(self, row: int, column: int) -> str | None:
        rank, pair = self._row(row)
        if _LEFT <= column <= _MERGED:
            return self._token_tip(_token(pair, column))
        if column == _CHANGE:
            return self._change_tip(pair)
        if column == _TIE and self._is_tie(rank, pair):
            return self.tr("occurs as often as the next pair")
        if column == _RANK and self._is_next(row):
            return self.tr("the pair that is merged next")
        return None

    def _change_tip(self, pair: PairCount) -> str | None:
        change = self._changes.get((pair.left, pair.right), 0)
        if not change:
            return None
        if change == pair.count:
            return self.tr("came into being with the last step")
        return self.tr("{before} before the last step, {now} now").format(
            before=number(pair.count - change), now=number(pair.count)
        )

    def _token_tip(self, token: bytes) -> str:
        lines = [
            visible(token[:_MOST_BYTES]),
            self.tr("bytes (hex): {bytes}").format(bytes=token[:_MOST_BYTES].hex(" ")),
            self.tr("code points: {points}").format(points=_code_points(token[:_MOST_BYTES])),
        ]
        if len(token) > _MOST_BYTES:
            lines.append(self.tr("and so on: {bytes} bytes").format(bytes=number(len(token))))
        return "\n".join(lines)

    def _spoken(self, row: int, column: int) -> str | None:
        if column == _TIE and self._is_tie(*self._row(row)):
            return self.tr("occurs as often as the next pair")
        return None


def _changes_of(trainer: Trainer, pairs: Numbers) -> Numbers:
    changes = trainer.changes_by_number()
    return np.fromiter((changes.get(pair, 0) for pair in pairs.tolist()), np.int64, len(pairs))


def _token(pair: PairCount, column: int) -> bytes:
    if column == _MERGED:
        return pair.left + pair.right
    return pair.left if column == _LEFT else pair.right


def _code_points(token: bytes) -> str:
    """U+0061 for a character, \\xe4 for a byte that is not part of a whole one."""
    text = token.decode("utf-8", "surrogateescape")
    return " ".join(f"U+{ord(c):04X}" if not "\udc80" <= c <= "\udcff" else f"\\x{ord(c) - 0xDC00:02x}" for c in text)
