"""The tree of a token's parts, and the words of the corpus that contain the token, as tables."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QBrush

from bpe_gui.engine import Lineage
from bpe_gui.engine.runtime import token_in_sentence, token_label
from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    DISPLAY_ROLE,
    FONT_ROLE,
    FOREGROUND_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import plain_tool_tip
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import number

from .roles import BAR_ROLE, TOKEN_ROLE, Answers
from .table_model import TableModel

MAX_NODES: Final = 5_000
"""The largest number of nodes of a tree that are shown. The tree of a token of n bytes can have 2n − 1."""

_TOOL_TIP_BYTES: Final = 64  # the bytes of a token, and the characters of its printable form, that a tooltip shows


class LineageColumn(IntEnum):
    """The columns of a lineage."""

    TOKEN = 0
    ID = 1
    STEP = 2
    COUNT = 3


class CorpusWordColumn(IntEnum):
    """The columns of the table of words."""

    WORD = 0
    COUNT = 1


_TOKEN, _ID, _STEP, _COUNT = (int(column) for column in LineageColumn)


class LineageRow(NamedTuple):
    """A node of the tree, as a row of the table."""

    token: Lineage
    depth: int
    """The number of ancestors of the node."""
    parent: int
    """The row of the parent, -1 for the root."""
    lines: int
    """Which vertical lines go on below this row: bit 0 is set if the node has a sibling further down, bit 1 if its
    parent has one, and so on."""


def lineage_rows(root: Lineage) -> list[LineageRow]:
    """Return the nodes of a tree depth first, the left part before the right one; at most `MAX_NODES`."""
    rows: list[LineageRow] = []
    stack = [LineageRow(root, 0, -1, 0)]
    while stack and len(rows) < MAX_NODES:
        row = stack.pop()
        parent = len(rows)
        rows.append(row)
        for is_left, part in reversed(list(zip((True, False), row.token.parts, strict=False))):
            stack.append(LineageRow(part, row.depth + 1, parent, row.lines << 1 | is_left))
    return rows


class LineageModel(TableModel):
    """The nodes of a tree, one in a row; a delegate paints the lines between them."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[LineageRow] = ()
        self._counts: Sequence[int] | None = None
        self.depth = 0
        """The number of levels below the root."""
        self.alignments = dict.fromkeys((_ID, _STEP, _COUNT), ALIGN_RIGHT)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self.token_font if column == _TOKEN else self._number_font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            FOREGROUND_ROLE: lambda row, column: None if column == _TOKEN else self._quiet,
            TOOL_TIP_ROLE: lambda row, column: self._tool_tip(self.rows[row].token),
            TOKEN_ROLE: lambda row, column: Selected(self.rows[row].token.bytes),
        }

    def set_lineage(self, lineage: Lineage | None, counts: Sequence[int] | None) -> None:
        """Show a tree, or nothing for None; `counts` has the counts of merges by rank, None if they are unknown."""
        self.beginResetModel()
        self.rows = [] if lineage is None else lineage_rows(lineage)
        self._length = len(self.rows)
        self._counts = counts
        self.depth = max((row.depth for row in self.rows), default=0)
        self.endResetModel()

    def widest_text(self, column: int) -> str:
        """Return the widest text that a column of numbers shows."""
        tokens = [row.token for row in self.rows]
        if column == _ID:
            return str(max((token.id or 0 for token in tokens), default=0))
        if column == _STEP:
            return number(max((token.rank or 0 for token in tokens), default=0) + 1)
        return f"×{number(max((self._count_of(token) or 0 for token in tokens), default=0))}"

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Token"), self.tr("Id"), self.tr("Step"), self.tr("Count"))
        self.token_font, self._number_font = self._theme.token_font(), self._theme.number_font()
        self._quiet = QBrush(self._theme.color("quiet"))
        self._emit_changed(0, self._length - 1)

    def _text(self, row: int, column: int) -> str:
        token = self.rows[row].token
        if column == _TOKEN:
            return token_label(token.bytes)
        if column == _ID:
            return "" if token.id is None else str(token.id)
        if column == _STEP:
            return "" if token.rank is None else number(token.rank + 1)
        count = self._count_of(token)
        return "" if count is None else f"×{number(count)}"

    def _count_of(self, token: Lineage) -> int | None:
        return None if self._counts is None or token.rank is None else self._counts[token.rank]

    def _tool_tip(self, token: Lineage) -> str:
        hex_bytes = token.bytes[:_TOOL_TIP_BYTES].hex(" ") + (" …" if len(token.bytes) > _TOOL_TIP_BYTES else "")
        return plain_tool_tip(f"{token_in_sentence(token.bytes, _TOOL_TIP_BYTES)}\n{hex_bytes}\n{self._origin(token)}")

    def _origin(self, token: Lineage) -> str:
        if token.rank is None:
            return self.tr("no parts")
        left, right = (token_in_sentence(part.bytes, _TOOL_TIP_BYTES) for part in token.parts)
        count = self._count_of(token)
        template = self.tr("step {step}: {left} + {right}")
        if count is not None:
            template = self.tr("step {step}: {left} + {right}, ×{count}")
        return template.format(step=number(token.rank + 1), left=left, right=right, count=number(count or 0))


class CorpusWordModel(TableModel):
    """Words with their counts, in the order given."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[tuple[str, int]] = ()
        self._largest_count = 1
        self.alignments = {CorpusWordColumn.COUNT: ALIGN_RIGHT}
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: lambda row, column: number(self.rows[row][1]) if column else self.rows[row][0],
            FONT_ROLE: lambda row, column: self._number_font if column else self._token_font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            BAR_ROLE: lambda row, column: self.rows[row][1] / self._largest_count,
        }

    def set_words(self, words: Sequence[tuple[str | bytes, int]]) -> None:
        """Show words with their counts; a word is bytes if they are not valid UTF-8."""
        self._largest_count = max((count for _word, count in words), default=1)
        self._replace_rows(
            [(token_in_sentence(word if isinstance(word, bytes) else word.encode()), count) for word, count in words]
        )

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Word"), self.tr("Count"))
        self._token_font, self._number_font = self._theme.token_font(), self._theme.number_font()
        self._emit_changed(0, self._length - 1)
