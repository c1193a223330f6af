"""The rows of a lineage: a token, and below it the parts it was made of, and their parts; and words of the corpus."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QBrush

from bpe_gui.engine import Lineage, visible
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.tables.cell_delegates import BAR_ROLE

from bpe_gui.gui.models.table_model import ALIGNMENT, DISPLAY, FONT, FOREGROUND, RIGHT, TOOL_TIP, TableModel
from bpe_gui.gui.models.tool_tips import plain_tip

MOST_NODES: Final = 5_000
"""How many nodes of a tree are shown: those of a token of so many bytes are twice as many."""

_MOST_BYTES: Final = 64  # in a tooltip


class LineageColumn(IntEnum):
    """The columns of a lineage."""

    TOKEN = 0
    ID = 1
    STEP = 2
    COUNT = 3


class CorpusWordColumn(IntEnum):
    """The columns of the words that a token was made of."""

    WORD = 0
    COUNT = 1


_TOKEN, _ID, _STEP, _COUNT = (int(column) for column in LineageColumn)


class LineageRow(NamedTuple):
    """A node of the tree. `rails` has a bit for each generation above, the nearest one lowest: whether another part
    follows there further down."""

    token: Lineage
    depth: int
    parent: int
    rails: int


def lineage_rows(root: Lineage) -> list[LineageRow]:
    """The tree as rows, each part below what it is a part of, the left one first."""
    rows: list[LineageRow] = []
    waiting = [LineageRow(root, 0, -1, 0)]
    while waiting and len(rows) < MOST_NODES:
        row = waiting.pop()
        place = len(rows)
        rows.append(row)
        for is_left, part in reversed(list(zip((True, False), row.token.parts, strict=False))):
            waiting.append(LineageRow(part, row.depth + 1, place, row.rails << 1 | is_left))
    return rows


class LineageModel(TableModel):
    """One row a node; which row belongs to which is for the delegate to paint."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[LineageRow] = ()
        self._counts: Sequence[int] | None = None
        self.deepest = 0
        self.alignments = dict.fromkeys((_ID, _STEP, _COUNT), RIGHT)
        self.answers = {
            DISPLAY: self._text,
            FONT: lambda row, column: self.token_font if column == _TOKEN else self._number_font,
            ALIGNMENT: lambda row, column: self.alignments.get(column),
            FOREGROUND: lambda row, column: None if column == _TOKEN else self._quiet,
            TOOL_TIP: lambda row, column: self._tool_tip(self.rows[row].token),
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    def set_lineage(self, lineage: Lineage | None, counts: Sequence[int] | None) -> None:
        """Show another tree; `counts` by rank, where they are known."""
        self.beginResetModel()
        self.rows = [] if lineage is None else lineage_rows(lineage)
        self._length = len(self.rows)
        self._counts = counts
        self.deepest = max((row.depth for row in self.rows), default=0)
        self.endResetModel()

    def widest(self, column: int) -> str:
        """The widest text in a column of numbers."""
        tokens = [row.token for row in self.rows]
        if column == _ID:
            return str(max((token.id or 0 for token in tokens), default=0))
        if column == _STEP:
            return number(max((token.rank or 0 for token in tokens), default=0) + 1)
        return f"×{number(max((self._count_of(token) or 0 for token in tokens), default=0))}"

    def _take_looks(self) -> None:
        self.titles = (self.tr("Token"), self.tr("Id"), self.tr("Step"), self.tr("Count"))
        self.token_font, self._number_font = self._theme.token_font(), self._theme.number_font()
        self._quiet = QBrush(self._theme.color("quiet"))
        self._say_changed(0, self._length - 1)

    def _text(self, row: int, column: int) -> str:
        token = self.rows[row].token
        match column:
            case 0:
                return visible(token.bytes)
            case 1:
                return "" if token.id is None else str(token.id)
            case 2:
                return "" if token.rank is None else number(token.rank + 1)
        count = self._count_of(token)
        return "" if count is None else f"×{number(count)}"

    def _count_of(self, token: Lineage) -> int | None:
        return None if self._counts is None or token.rank is None else self._counts[token.rank]

    def _tool_tip(self, token: Lineage) -> str:
        octets = token.bytes[:_MOST_BYTES].hex(" ") + (" …" if len(token.bytes) > _MOST_BYTES else "")
        return plain_tip(f"{_shortened(token.bytes)}\n{octets}\n{self._origin(token)}")

    def _origin(self, token: Lineage) -> str:
        if token.rank is None:
            return self.tr("not made of parts")
        left, right = (_shortened(part.bytes) for part in token.parts)
        count = self._count_of(token)
        template = self.tr("at step {step} from {left} + {right}")
        if count is not None:
            template = self.tr("at step {step} from {left} + {right}, ×{count}")
        return template.format(step=number(token.rank + 1), left=left, right=right, count=number(count or 0))


class CorpusWordModel(TableModel):
    """Words with their counts, in the order in which they are given."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[tuple[str, int]] = ()
        self._greatest = 1
        self.alignments = {CorpusWordColumn.COUNT: RIGHT}
        self.answers = {
            DISPLAY: lambda row, column: number(self.rows[row][1]) if column else self.rows[row][0],
            FONT: lambda row, column: self._number_font if column else self._token_font,
            ALIGNMENT: lambda row, column: self.alignments.get(column),
            BAR_ROLE: lambda row, column: self.rows[row][1] / self._greatest,
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    def set_words(self, words: Sequence[tuple[str | bytes, int]]) -> None:
        """Show other words."""
        self._greatest = max((count for _word, count in words), default=1)
        self._show([(visible(word if isinstance(word, bytes) else word.encode()), count) for word, count in words])

    def _take_looks(self) -> None:
        self.titles = (self.tr("Word"), self.tr("Count"))
        self._token_font, self._number_font = self._theme.token_font(), self._theme.number_font()
        self._say_changed(0, self._length - 1)


def _shortened(token: bytes) -> str:
    text = visible(token)
    return text if len(text) <= _MOST_BYTES else f"{text[:_MOST_BYTES]}…"
